"""Rulers: columns of a comparison, and time."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, LiteralString

from core.compare.comparison import Comparison
from core.compare.landmarks import FIRST_TIME, is_time
from core.message import Count, Message
from core.picture.axis import Columns, OrderScale
from core.picture.gutter import NARROW_GUTTER, NARROW_INSET
from core.picture.hatch import hatched
from core.picture.joining import commas, semicolons, text_of
from core.picture.marks import Align, Box, Hatch, Line, Mark, Ref, Text
from core.picture.memo import Same, remembered
from core.picture.metrics import elide, text_width, wrap
from core.picture.scale import TimeScale
from core.trace.broker_names import abridged
from core.trace.times import clock, virtual_time
from core.trace.units import SECOND_NS
from core.words import in_force, said, text

TIME_RULER = 42.0
_BETWEEN_WORDS = 8.0
_BESIDE_SLASHES = 5.0
"""Between the middle of a fold's two slashes and words beside them."""
"""Between two times on a ruler."""
_SIZES = (12.0, 11.0, 10.0)
_MOST_LINES = 3
_NARROW = 46.0
"""Columns narrower than this show only their number."""
_TIES: Final[Mapping[str, LiteralString]] = {
    "script": "picture.ruler.same-script",
    "landmarks": "picture.ruler.by-landmarks",
}


def stop_words(label: Message | None, *, short: bool = False) -> str:
    """A stop's label for a person: a landmark says "broker 2 starts", or in short "b2 starts"."""
    if label is None or not short:
        return text_of(label)
    return text(replace(label, values=tuple((name, abridged(value)) for name, value in label.values)))


def _label(comparison: Comparison, stop: int) -> str:
    return stop_words(comparison.stops[stop].label, short=True)


def _detail(comparison: Comparison, stop: int) -> str:
    detail = comparison.stops[stop].detail
    if detail is None or detail == FIRST_TIME:
        return ""
    return said("picture.ruler.time", time=detail) if is_time(detail) else text(detail)


def _fitting(comparison: Comparison, columns: Columns) -> tuple[float, int]:
    """The largest size in which all labels stand in whole words, and how many lines that takes."""
    # A step of the cursor asks for each column, and the texts are the same.
    return _fitted(Same((comparison, in_force()), (comparison, columns)), columns.edges)


@remembered
def _fitted(same: Same[tuple[Comparison, Columns]], _edges: tuple[float, ...]) -> tuple[float, int]:
    comparison, columns = same.value
    places = range(len(columns.heads))
    lines = 1
    for most in range(2, _MOST_LINES + 1):
        for size in _SIZES:
            wrapped = [
                _wrapped(_label(comparison, columns.heads[place]), _room(columns, place), size)
                for place in places
            ]
            lines = max((len(some) for some in wrapped), default=1)
            whole = all(
                text_width(line, size, 600) <= _room(columns, place)
                for place in places
                for line in wrapped[place]
                if _room(columns, place) >= _NARROW - 8
            )
            if whole and lines <= most:
                return size, lines
    return _SIZES[-1], min(lines, _MOST_LINES)


def _with_details(comparison: Comparison, columns: Columns) -> bool:
    """Whether each column has room for its effect in whole words: all show it or none; tips have it."""
    return _all_detailed(Same((comparison, in_force()), (comparison, columns)), columns.edges)


@remembered
def _all_detailed(same: Same[tuple[Comparison, Columns]], _edges: tuple[float, ...]) -> bool:
    comparison, columns = same.value
    small = min(label_size(comparison, columns), 11.0)
    return all(
        text_width(_detail(comparison, head), small) <= _room(columns, place)
        for place, head in enumerate(columns.heads)
        if columns.open_part(place)[0] < columns.open_part(place)[1]
    )


def label_size(comparison: Comparison, columns: Columns) -> float:
    """The size of all labels of a ruler: 12 if there is room for it, else 11 or 10."""
    return _fitting(comparison, columns)[0]


def _room(columns: Columns, place: int) -> float:
    left, right = columns.open_part(place)
    return right - left - 7


def column_lines(comparison: Comparison, columns: Columns) -> int:
    """How many lines the labels need, at most three."""
    return _fitting(comparison, columns)[1]


def column_ruler_height(comparison: Comparison, columns: Columns) -> float:
    """Height of the ruler: number, label, detail where it is shown."""
    size, lines = _fitting(comparison, columns)
    return (43.0 if _with_details(comparison, columns) else 32.0) + (size + 3.0) * lines


def labels_fit(comparison: Comparison, columns: Columns) -> bool:
    """Whether every column has room for its words; narrower ones show their number alone."""
    return all(
        columns.column(place)[1] - columns.column(place)[0] >= _NARROW or not comparison.stops[head].label
        for place, head in enumerate(columns.heads)
    )


def step_list(comparison: Comparison, columns: Columns) -> str:
    """The columns in words, for a figure whose ruler has only their numbers."""
    steps: list[str] = []
    for place, head in enumerate(columns.heads):
        stop = comparison.stops[head]
        words = commas(part for part in (stop_words(stop.label), text_of(stop.detail)) if part)
        steps.append(f"{stop_number(comparison, columns, place)} {words}")
    return said("picture.ruler.steps", steps=semicolons(steps))


def _wrapped(label: str, room: float, size: float) -> list[str]:
    """Lines of whole words, two of them as equal as can be; nothing where a column is too narrow."""
    if room < _NARROW - 8:
        return [""]
    if text_width(label, size, 600) <= room:
        return [label]
    return _halves(label, room, 600, size) or list(wrap(label, room, size, 600))


def _label_lines(label: str, room: float, size: float) -> list[str]:
    lines = _wrapped(label, room, size)
    lines = [*lines[: _MOST_LINES - 1], " ".join(lines[_MOST_LINES - 1 :])]
    return [elide(line, room, size, 600) for line in lines if line]


def _halves(label: str, room: float, weight: int, size: float) -> list[str]:
    """Two lines that both fit, as equal as can be, so that no word stands alone; [] where there are none."""
    words = label.split(" ")
    pairs = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]

    def widest(pair: tuple[str, str]) -> float:
        return max(text_width(line, size, weight) for line in pair)

    best = min(pairs, key=widest, default=None)
    return list(best) if best and widest(best) <= room else []


def column_texts(
    comparison: Comparison, columns: Columns, place: int, y: float, *, strong: bool
) -> tuple[Mark, ...]:
    """Number, label and detail of one column, as much as fits."""
    left = columns.open_part(place)[0]
    head = columns.heads[place]
    stop = comparison.stops[head]
    room = _room(columns, place)
    if room < 14:
        return ()
    x, size = left + 6, label_size(comparison, columns)
    weight = 600 if strong else 500
    number = stop_number(comparison, columns, place)
    parts = (stop_words(stop.label), text_of(stop.detail))
    ref = Ref("stop", 0, head, -1, ": ".join(part for part in parts if part))
    texts = [Text(x, y + 16, number, "text" if strong else "text.3", 12, 600 if strong else 400, mono=True)]
    if room < _NARROW - 8:
        return tuple(texts)
    for row, line in enumerate(_label_lines(_label(comparison, head), room, size)):
        texts.append(Text(x, y + 32 + row * (size + 3.0), line, "text", size, weight, ref=ref))
    below = y + 33 + (size + 3.0) * len(texts[1:])
    small = min(size, 11.0)
    detail = _detail(comparison, head)
    if _with_details(comparison, columns):
        texts.append(Text(x, below, detail, "text.2" if strong else "text.3", small, ref=ref))
    return tuple(text for text in texts if text.text)


def stop_number(comparison: Comparison, columns: Columns, place: int) -> str:
    """The number of a column: the script's own where the anchor has one, else its place."""
    anchor = comparison.stops[columns.heads[place]].anchor
    digits = "".join(char for char in anchor if char.isdigit())
    return digits if comparison.axis == "script" and digits else str(place)


def column_ruler(comparison: Comparison, columns: Columns, y: float) -> tuple[Mark, ...]:
    """The static ruler of a comparison."""
    script = comparison.axis == "script"
    anchors = sum(1 for stop in comparison.stops if stop.anchor)
    tie = said(_TIES.get(comparison.axis, "picture.ruler.by-hand"), count=Count(anchors))
    head = said("picture.ruler.script") if script else said("picture.ruler.landmarks")
    marks: list[Mark] = []
    if columns.edges[0] >= NARROW_GUTTER:
        marks += (Text(16, y + 24, head, "text", 13, 600), Text(16, y + 41, tie, "text.2", 11))
    else:
        room = columns.edges[0] - 2 * NARROW_INSET
        marks.append(Text(NARROW_INSET, y + 24, elide(head, room, 11, 600), "text", 11, 600))
    for place in range(len(columns.heads)):
        marks.extend(column_texts(comparison, columns, place, y, strong=False))
    return tuple(marks)


def column_marker(comparison: Comparison, columns: Columns, stop: int, y: float) -> tuple[Mark, ...]:
    """The cursor's column, highlighted, with its texts on top."""
    height = column_ruler_height(comparison, columns)
    place = columns.column_of(stop)
    left, right = columns.column(place)
    if left == right:
        return ()
    wash = Box(left + 1, y + 3, max(right - left - 2, 2), height - 5, fill="bg.selected", radius=4)
    return (wash, *column_texts(comparison, columns, place, y, strong=True))


def time_words(at: int, step: int) -> str:
    """A tick's time: milliseconds only where ticks are closer than a second."""
    words = clock(at)
    return words if step < SECOND_NS else words[:8]


def fold_middle(scale: TimeScale, fold: tuple[int, int]) -> float:
    """Where the slashes of a fold stand: in the middle of what is seen of it."""
    x0, x1 = (scale.x(at) for at in fold)
    return float(round((max(x0, scale.left) + min(x1, scale.right)) / 2))


def time_ruler(scale: TimeScale, y: float, height: float = TIME_RULER) -> tuple[Mark, ...]:
    """Round times with short ticks over the lanes; no words where a fold's slashes would cross them."""
    ticks = scale.ticks(96.0)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else SECOND_NS
    base = y + height - 0.5
    marks: list[Mark] = [Line(((scale.left, base), (scale.right, base)), "line.strong")]
    middles = [fold_middle(scale, fold) for fold in scale.folds.within(scale.first, scale.last)]
    free = 0.0
    for at in ticks:
        x = float(round(scale.x(at))) + 0.5
        words = time_words(at, step)
        half = text_width(words, 11, mono=True) / 2
        centre = min(max(x, half + 4), scale.right - half)
        marks.append(Line(((x, base - 5), (x, base)), "line.strong"))
        # On both sides of folded time ticks may be near.
        crossed = any(abs(middle - centre) < half + _BESIDE_SLASHES for middle in middles)
        if centre - half >= free and not crossed:
            marks.append(Text(centre, y + height - 11, words, "text.2", 11, mono=True, align=Align.CENTRE))
            free = centre + half + _BETWEEN_WORDS
    return tuple(marks)


def order_ruler(scale: OrderScale, y: float, height: float = TIME_RULER) -> tuple[Mark, ...]:
    """Times over events in their order: a time stands where it begins.

    The hatch says that widths mean nothing.
    """
    base = y + height - 0.5
    marks: list[Mark] = [Line(((scale.left, base), (scale.right, base)), "line.strong")]
    marks.extend(
        hatched(
            (scale.left, base - 4, scale.right - scale.left, 4.0),
            Hatch.RISING,
            6.0,
            (scale.left, base),
            "line.strong",
        )
    )
    end = scale.left - 40
    last = None
    for place, seq in enumerate(scale.seqs.tolist()):
        at = int(scale.times[seq])
        if at == last:
            continue
        last = at
        x = float(round(scale.x(place))) + 0.5
        words = virtual_time(at)
        width = text_width(words, 11, mono=True)
        marks.append(Line(((x, base - 5), (x, base)), "line.edge"))
        if x > end + 12 and x + width <= scale.right:
            marks.append(Text(x, y + height - 11, words, "text.2", 11, mono=True))
            end = x + width
    return tuple(marks)


def time_tag(x: float, y: float, words: str, right: float) -> tuple[Mark, ...]:
    """The time of the cursor on the ruler."""
    width = text_width(words, 11, 600, mono=True) + 14
    left = min(max(x - width / 2, 2), right - width)
    return (
        Box(left, y, width, 18, fill="bg.inverse", radius=4),
        Text(left + width / 2, y + 13, words, "text.inverse", 11, 600, mono=True, align=Align.CENTRE),
    )
