"""The legend of a figure: only the signs that occur in it."""

from collections.abc import Callable, Sequence

from core.language import say
from core.picture.hatch import dots, hatched
from core.picture.marks import Box, Fill, Glyph, Hatch, Line, Mark, Segments, Sign, Text
from core.picture.metrics import text_width

_WIDTH, _HEIGHT = 28.0, 14.0
_ROW = 26.0
Swatch = Callable[[float, float], Sequence[Mark]]


def legend(marks: Sequence[Mark], x: float, y: float, width: float) -> tuple[tuple[Mark, ...], float]:
    """The entries for what stands in `marks`, in rows from (x, y) on, and the height that they take."""
    made: list[Mark] = []
    left, top = x, y
    for words, swatch, wide in entries(marks):
        whole = wide + 8 + text_width(words, 11) + 22
        if left + whole - 22 > x + width and left > x:
            left, top = x, top + _ROW
        made.extend(swatch(left, top + 4))
        made.append(Text(left + wide + 8, top + 15, words, "text.2", 11))
        left += whole
    return tuple(made), top + _ROW - y


def entries(marks: Sequence[Mark]) -> list[tuple[str, Swatch, float]]:
    """(words, drawing, width) for each sign that occurs, in the order of a lane from top to bottom."""
    fills = {mark.fill for mark in marks if isinstance(mark, Box) and mark.fill}
    glyphs = {mark.glyph for mark in marks if isinstance(mark, Sign)}
    columns = {mark.role for mark in marks if isinstance(mark, Fill)}
    fills |= columns
    roles = {mark.role for mark in marks if isinstance(mark, Line)} | columns
    hatches = {mark.role for mark in marks if isinstance(mark, Segments)}
    found: list[tuple[str, Swatch, float]] = [*_bands(marks), *_areas(fills)]
    lines = (("leo", say("log end offset", "日志末端偏移量")), ("hw", say("high watermark", "高水位")))
    found.extend((words, _line(role), _WIDTH) for role, words in lines if role in roles)
    if any(isinstance(mark, Box) and mark.fill == "leo" for mark in marks):
        found.append((say("log end between bounds", "日志末端在两界之间"), _bound("leo"), _WIDTH))
    if any(isinstance(mark, Box) and mark.fill == "hw" and mark.opacity < 1 for mark in marks):
        found.append((say("HW between bounds", "高水位在两界之间"), _bound("hw"), _WIDTH))
    if "offline" in hatches:
        found.append(
            (
                say("not running, or no sign of life", "未运行，或没有动静"),
                _hatch(Hatch.FALLING, "offline"),
                _WIDTH,
            )
        )
    if "unknown" in hatches:
        found.append((say("unknown", "未知"), _hatch(Hatch.RISING, "unknown"), _WIDTH))
    if any(isinstance(mark, Line) and mark.arrow == 6.0 and mark.role == "text.2" for mark in marks):
        found.append((say("fetch and answer", "拉取与应答"), _arrow, _WIDTH))
    names = (
        (Glyph.LOSS, say("records lost", "丢失的记录"), "loss"),
        (Glyph.POSSIBLE_LOSS, say("possibly lost", "可能丢失"), "loss"),
        (Glyph.DIVERGENCE, say("two records at one offset", "同一偏移量有两条记录"), "loss"),
        (Glyph.DIFFERENCE, say("first difference", "首个差异"), "text"),
        (Glyph.TRUNCATION, say("truncation", "截断"), "text"),
        (Glyph.CRASH, say("crash", "崩溃"), "text"),
        (Glyph.STOP, say("stop", "停止"), "text"),
        (Glyph.START, say("start", "启动"), "text"),
        (Glyph.GAP, say("gap in evidence", "证据缺口"), "unknown"),
        (Glyph.ISR_SHRINK, say("left the ISR", "离开 ISR"), "text.2"),
        (Glyph.ISR_GROW, say("joined the ISR", "加入 ISR"), "text.2"),
        (Glyph.ACK_ONE, say("acknowledged, acks=1", "已确认，acks=1"), "text"),
        (Glyph.ACK_ALL, say("acknowledged, acks=all", "已确认，acks=all"), "text"),
        (Glyph.OBSERVED, say("stated by the broker itself", "broker 自述"), "text"),
        (Glyph.REPORTED, say("stated by another broker", "由其他 broker 转述"), "text"),
    )
    found.extend((words, _glyph(glyph, role), 16.0) for glyph, words, role in names if glyph in glyphs)
    return found


def _bands(marks: Sequence[Mark]) -> list[tuple[str, Swatch, float]]:
    between = say(" · e", " · 纪元")
    roles = {mark.text.split(" · ")[0] for mark in marks if isinstance(mark, Text) and between in mark.text}
    found: list[tuple[str, Swatch, float]] = []
    leader, follower = say("leader", "领导者"), say("follower", "跟随者")
    if leader in roles:
        found.append((leader, lambda x, y: (Box(x, y, _WIDTH, _HEIGHT, fill="e0"),), _WIDTH))
    if follower in roles:
        found.append((follower, _follower, _WIDTH))
    if any(isinstance(mark, Box) and mark.fill == "text.2" and mark.h == 4 for mark in marks):
        found.append(
            (say("in the ISR", "在 ISR 中"), lambda x, y: (Box(x, y + 5, _WIDTH, 4, fill="text.2"),), _WIDTH)
        )
    return found


def _follower(x: float, y: float) -> Sequence[Mark]:
    frame = Box(x + 0.5, y + 0.5, _WIDTH - 1, _HEIGHT - 1, edge="e0.edge")
    return (Box(x, y, _WIDTH, _HEIGHT, fill="e0", opacity=0.2), frame)


def _areas(fills: set[str]) -> list[tuple[str, Swatch, float]]:
    found: list[tuple[str, Swatch, float]] = []
    for fill in sorted(fill for fill in fills if fill.endswith(".committed") and fill != "unknown.committed"):
        epoch = fill[1 : fill.index(".")]
        found.append((say(f"committed, epoch {epoch}", f"已提交，纪元 {epoch}"), _box(fill), _WIDTH))
    if "unknown.committed" in fills:
        found.append(
            (say("committed, epoch not known", "已提交，纪元未知"), _box("unknown.committed"), _WIDTH)
        )
    opened = sorted(fill for fill in fills if fill.endswith(".open"))
    if opened:
        found.append((say("not yet committed", "尚未提交"), _open(opened[0]), _WIDTH))
    return found


def _box(fill: str) -> Swatch:
    return lambda x, y: (Box(x, y, _WIDTH, _HEIGHT, fill=fill),)


def _open(fill: str) -> Swatch:
    role = fill.removesuffix(".open")

    def draw(x: float, y: float) -> Sequence[Mark]:
        hatch = hatched((x, y, _WIDTH, _HEIGHT), Hatch.RISING, 6.0, (x, y), role, opacity=0.55)
        return (Box(x, y, _WIDTH, _HEIGHT, fill=fill), *hatch)

    return draw


def _line(role: str) -> Swatch:
    return lambda x, y: (Line(((x, y + 7), (x + _WIDTH, y + 7)), role, 2.0),)


def _bound(role: str) -> Swatch:
    def draw(x: float, y: float) -> Sequence[Mark]:
        rect = (x, y, _WIDTH, _HEIGHT)
        opacity = 0.055 if role == "leo" else 0.15
        inside = dots(rect, 6.0, (x, y), "leo") if role == "leo" else ()
        edges = [
            Line(((x, y + dy), (x + _WIDTH, y + dy)), "line.edge" if role == "leo" else "hw", dash=(2, 3))
            for dy in (0.5, 13.5)
        ]
        return (Box(*rect, fill=role, opacity=opacity), *inside, *edges)

    return draw


def _hatch(pattern: Hatch, role: str) -> Swatch:
    return lambda x, y: hatched((x, y, _WIDTH, _HEIGHT), pattern, 6.0, (x, y), role)


def _arrow(x: float, y: float) -> Sequence[Mark]:
    return (
        Line(((x, y + 12), (x + 12, y + 2)), "text.2", 1.1, arrow=6.0),
        Line(((x + 15, y + 2), (x + 27, y + 12)), "text.2", 1.1, arrow=6.0),
    )


def _glyph(glyph: Glyph, role: str) -> Swatch:
    size = {
        Glyph.LOSS: 16.0,
        Glyph.DIVERGENCE: 17.0,
        Glyph.DIFFERENCE: 17.0,
        Glyph.OBSERVED: 6.4,
        Glyph.REPORTED: 6.8,
    }
    return lambda x, y: (Sign(x + 8, y + 7, glyph, size.get(glyph, 12.0), role),)
