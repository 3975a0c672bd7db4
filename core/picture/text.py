"""Pictures as text, mark by mark: for tests."""

from core.picture.hit import bounds
from core.picture.marks import Box, Fill, Line, Mark, Picture, Segments, Sign, Text


def to_text(picture: Picture) -> str:
    """One line a mark, from back to front.

    What it is, where (whole pixels), in which role, what it stands for.
    """
    lines = [f"{picture.title}: {picture.width:.0f} x {picture.height:.0f}"]
    for layer in picture.layers:
        lines.append(f"layer {layer.name}")
        lines.extend(f"  {_mark(mark)}" for mark in layer.marks)
    return "\n".join(lines) + "\n"


def _mark(mark: Mark) -> str:
    x, y, w, h = (round(value) for value in bounds(mark))
    ref = "" if isinstance(mark, Segments) or mark.ref is None else f"  = {mark.ref.kind}: {mark.ref.text}"
    match mark:
        case Box():
            fill = f" {mark.fill}{_percent(mark.opacity)}" if mark.fill else ""
            edge = f" edge {mark.edge}{' dashed' if mark.dash else ''}" if mark.edge else ""
            return f"box      {x},{y} {w}x{h}{fill}{edge}{ref}"
        case Line():
            path = " ".join(f"{px:.0f},{py:.0f}" for px, py in mark.points)
            how = f"{' dashed' if mark.dash else ''}{' arrow' if mark.arrow else ''}"
            return f"line     {path} {mark.role} {mark.width:g}px{how}{ref}"
        case Fill():
            return f"columns  {x},{y} {w}x{h} {mark.role}{_percent(mark.opacity)}{ref}"
        case Segments():
            return f"hatch    {x},{y} {w}x{h} {mark.role}{_percent(mark.opacity)} {len(mark.lines)} lines"
        case Text():
            plate = " on a plate" if mark.plate else ""
            return f'text     {x},{round(mark.y)} "{mark.text}" {mark.role}{plate}{ref}'
        case Sign():
            label = f' "{mark.label}"' if mark.label else ""
            return f"sign     {mark.x:.0f},{mark.y:.0f} {mark.glyph.value}{label} {mark.role}{ref}"


def _percent(opacity: float) -> str:
    return "" if opacity >= 1.0 else f" {opacity * 100:.0f}%"
