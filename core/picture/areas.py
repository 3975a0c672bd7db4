"""The log area of a lane: runs of epochs, committed and open parts, bounds, and what is not known."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, LiteralString

from core.diagnose.verdict.facts import Severity
from core.history.state import Band, EpochRun, ReplicaState, Role, Runs
from core.picture.hatch import Rect, dots, edge, hatched
from core.picture.lane import Lane, StateSpan, number
from core.picture.marks import Align, Box, Hatch, Line, Mark, Text
from core.picture.metrics import text_width
from core.picture.roles import epoch_role
from core.picture.scale import BREAK, SILL
from core.picture.sheet import Depth, Sheet
from core.words import said

_OFFLINE_SHARE = 0.38
_LARGE: Final = 1_000_000
"""From this base on ticks are differences from it."""
_TICKS_APART: Final = 12.0


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring spans whose area looks the same.

    `extent` is given for a pixel that several changes share: their lowest and highest log end offset.
    """

    x0: float
    x1: float
    state: ReplicaState
    extent: tuple[int, int] | None


def _look(state: ReplicaState) -> tuple[object, ...]:
    runs = tuple((run.epoch, run.start, run.end, run.records) for run in state.runs)
    return (
        runs,
        state.leo,
        state.hw,
        state.lso,
        state.log_start,
        state.local_start,
        state.role is Role.OFFLINE,
    )


def blocks(parts: Sequence[StateSpan]) -> tuple[Block, ...]:
    """The spans of a lane, joined where the area does not change.

    A pixel that several changes share is a block of its own: the log holds all of its records right after it.
    """
    joined: list[Block] = []
    for part in parts:
        x0, shared = part.x0, part.leo_extent
        if shared is not None:
            x0 = min(part.x0 + 1.0, part.x1)
            joined.append(Block(part.x0, x0, part.state, shared))
        if x0 >= part.x1 and shared is not None:
            continue
        last = joined[-1] if joined else None
        if last is not None and last.extent is None and _look(last.state) == _look(part.state):
            joined[-1] = Block(last.x0, part.x1, last.state, None)
        else:
            joined.append(Block(x0, part.x1, part.state, None))
    return tuple(joined)


def area(lane: Lane, parts: Sequence[Block], sheet: Sheet) -> None:
    """Everything below the curves, with its labels."""
    left, right, bottom = lane.axis.left, lane.axis.right, lane.box.bottom
    sheet.add(Depth.GRID, Line(((left, bottom + 0.5), (right, bottom + 0.5)), "line.strong"))
    for block in parts:
        if block.x1 - block.x0 <= 0:
            continue
        if block.state.leo.lo is None and block.state.leo.hi is None:
            # A broker without a replica has no log, which is known. In a simulation nothing else is unknown.
            if block.state.role is not Role.ABSENT and not lane.simulated:
                _unknown(lane, block, sheet)
        else:
            _runs(lane, block, sheet)
            _bounds(lane, block, sheet)
    _boundaries(lane, parts, sheet)
    if lane.lag is None:
        _record_labels(lane, parts, sheet)
        _bound_labels(lane, parts, sheet)


def _unknown(lane: Lane, block: Block, sheet: Sheet) -> None:
    top = lane.offsets.ceiling
    rect = (block.x0, top, block.x1 - block.x0, lane.box.bottom - top)
    sheet.add(Depth.HATCH, *hatched(rect, Hatch.RISING, 12.0, lane.origin, "unknown", opacity=0.55))
    if rect[2] >= 60:
        text = Text(
            block.x0 + rect[2] / 2,
            top + rect[3] / 2 + 4,
            said("picture.unknown"),
            "text.2",
            10,
            align=Align.CENTRE,
            plate=True,
        )
        sheet.wish(11, [text])


def pieces(state: ReplicaState) -> Iterator[EpochRun]:
    """What the log is known to hold, from the log start to the proven log end."""
    start = state.log_start.lo or 0
    end = state.leo.lo if state.leo.lo is not None else start
    return pieces_between(state.runs, start, end)


def pieces_between(runs: Runs, start: int, end: int) -> Iterator[EpochRun]:
    """A log from its start to an end without a gap; where no run is, a piece has no epoch."""
    at = start
    for run in runs:
        low, high = max(run.start, at), min(run.end, end)
        if high <= low:
            continue
        if low > at:
            yield EpochRun(None, at, low)
        yield EpochRun(run.epoch, low, high)
        at = high
    if at < end:
        yield EpochRun(None, at, end)


def _runs(lane: Lane, block: Block, sheet: Sheet) -> None:
    state, scale = block.state, lane.offsets
    offline = state.role is Role.OFFLINE
    strength = _OFFLINE_SHARE if offline else 1.0
    lowest = min(block.extent) if block.extent else None
    width = block.x1 - block.x0
    for piece in pieces(state):
        start, end, epoch = piece.start, piece.end, piece.epoch
        top_end = end if lowest is None else max(min(end, lowest), start)
        sure = start if state.hw.lo is None else max(min(top_end, state.hw.lo), start)
        if sure > start:
            y = scale.y(sure)
            box = Box(
                block.x0, y, width, scale.y(start) - y, fill=epoch_role(epoch, "committed"), opacity=strength
            )
            sheet.add(Depth.AREA, box)
        if top_end > sure:
            y = scale.y(top_end)
            rect = (block.x0, y, width, scale.y(sure) - y)
            sheet.add(
                Depth.AREA, Box(*rect, fill=epoch_role(epoch, "open"), opacity=1.0 if not offline else 0.6)
            )
            hatch = hatched(
                rect,
                Hatch.RISING,
                6.0,
                lane.origin,
                epoch_role(epoch),
                opacity=0.55 * (0.6 if offline else 1),
            )
            sheet.add(Depth.HATCH, *hatch)
    y = lane.box.bottom if state.leo.lo is None else scale.y(state.leo.lo)
    if offline and y < lane.box.bottom:
        rect = (block.x0, y, width, lane.box.bottom - y)
        sheet.add(Depth.HATCH, *hatched(rect, Hatch.FALLING, 9.0, lane.origin, "offline", opacity=0.55))


def _span(lane: Lane, band: Band) -> tuple[float, float]:
    """Top and bottom y of a band that is not exact; an open side ends at the area's edge."""
    top = lane.offsets.ceiling if band.hi is None else lane.offsets.y(band.hi)
    low = lane.box.bottom if band.lo is None else lane.offsets.y(band.lo)
    return top, low


def _bounds(lane: Lane, block: Block, sheet: Sheet) -> None:
    """Boxes between bounds with dotted edges and no line inside, or the edges alone."""
    x0, x1 = block.x0, block.x1
    leo, hw = block.state.leo, block.state.hw
    if leo.exact is None:
        top, low = _span(lane, leo)
        rect = (x0, top, x1 - x0, low - top)
        if lane.drawing.boxes:
            filled = Box(*rect, fill="leo", opacity=0.055)
            sheet.add(Depth.BOUND, filled, *dots(rect, 6.0, lane.origin, "leo"))
        sheet.add(Depth.BOUND, *_edges(x0, x1, leo, top, low, "line.edge"))
    if hw.exact is None and (hw.lo is not None or hw.hi is not None):
        top, low = _span(lane, hw)
        if lane.drawing.boxes:
            sheet.add(Depth.BOUND, Box(x0, top, x1 - x0, low - top, fill="hw", opacity=0.15))
        sheet.add(Depth.BOUND, *_edges(x0, x1, hw, top, low, "hw"))
    if leo.exact is not None and hw.exact is not None and hw.exact > leo.exact:
        rect: Rect = (
            x0,
            lane.offsets.y(hw.exact),
            x1 - x0,
            lane.offsets.y(leo.exact) - lane.offsets.y(hw.exact),
        )
        sheet.add(Depth.BOUND, *hatched(rect, Hatch.UPRIGHT, 6.0, lane.origin, "hw", opacity=0.8))


def _edges(x0: float, x1: float, band: Band, top: float, low: float, role: str) -> tuple[Line, ...]:
    upper = (edge(((x0, top + 0.5), (x1, top + 0.5)), role),) if band.hi is not None else ()
    lower = (edge(((x0, low - 0.5), (x1, low - 0.5)), role),) if band.lo is not None else ()
    return upper + lower


def _boundaries(lane: Lane, parts: Sequence[Block], sheet: Sheet) -> None:
    """The line between two epochs, and the number of each epoch once a span, where it is large enough."""
    labelled: dict[int | None, tuple[float, float, float, float]] = {}
    alone = len({run.epoch for block in parts for run in block.state.runs}) <= 1
    for block in parts:
        all_pieces = list(pieces(block.state))
        for before, after in itertools.pairwise(all_pieces):
            if before.epoch != after.epoch:
                y = lane.offsets.y(after.start) + 0.5
                sheet.add(Depth.BOUND, Line(((block.x0, y), (block.x1, y)), "text", opacity=0.55))
        for piece in all_pieces:
            epoch = piece.epoch
            y0, y1 = lane.offsets.y(piece.end), lane.offsets.y(piece.start)
            # A label stands over the gap of a broken axis, where its run reaches over it.
            y1 = min(y1, lane.offsets.floor) if y0 < lane.offsets.floor else y1
            size = (block.x1 - block.x0) * (y1 - y0)
            old = labelled.get(epoch)
            if epoch is not None and (old is None or size > old[2] * old[3]):
                labelled[epoch] = (block.x0, y0, block.x1 - block.x0, y1 - y0)
    for epoch, (x, y, w, h) in labelled.items():
        if w < 24 or alone:
            continue
        if h >= 12:
            places = [
                [Text(x + w * share, y + h - 6, f"e{epoch}", "text", 11, 600, align=Align.CENTRE, plate=True)]
                for share in (0.5, 0.3, 0.7)
            ]
        else:
            places = [[Text(x + w / 2, y - 6, f"e{epoch}", "text", 10, 600, align=Align.CENTRE, plate=True)]]
        sheet.wish(16, *places)


def _record_labels(lane: Lane, parts: Sequence[Block], sheet: Sheet) -> None:
    """The name of each record where it becomes part of the open log, if a record is high enough."""
    if lane.offsets.record_height < 13:
        return
    shown: set[tuple[int, str]] = set()
    for place, block in enumerate(parts):
        now: set[tuple[int, str]] = set()
        first_open = max(block.state.hw.lo or 0, block.state.log_start.lo or 0)
        for run in block.state.runs:
            now.update(
                (run.start + i, name) for i, name in enumerate(run.records) if run.start + i >= first_open
            )
        for offset, name in sorted(now - shown):
            if _open_width(parts, place, offset, name) < text_width(name, 11, mono=True) + 14:
                continue
            y = (lane.offsets.y(offset) + lane.offsets.y(offset + 1)) / 2 + 4
            sheet.wish(13, [Text(block.x0 + 8, round(y), name, "text", 11, 500, mono=True, plate=True)])
        shown = now


def _open_width(parts: Sequence[Block], place: int, offset: int, name: str) -> float:
    """How far to the right this record stays in the open part."""
    end = parts[place].x0
    for block in parts[place:]:
        held = any(
            run.start <= offset < run.start + len(run.records) and run.records[offset - run.start] == name
            for run in block.state.runs
        )
        if not held or (block.state.hw.lo or 0) > offset:
            break
        end = block.x1
    return end - parts[place].x0


def _bound_labels(lane: Lane, parts: Sequence[Block], sheet: Sheet) -> None:
    """Words for a bound at least 60 wide, and for what stays on the disk of a stopped broker.

    A bound that goes on while the other one changes is told once.
    """
    wide = [block for block in _same(parts) if block.x1 - block.x0 >= 60]
    for leo, going_on in itertools.groupby(wide, lambda block: block.state.leo):
        _log_end_label(lane, leo, tuple(going_on), sheet)
    for hw, going_on in itertools.groupby(wide, lambda block: block.state.hw):
        _watermark_label(lane, hw, tuple(going_on), sheet)
    for block in wide:
        state = block.state
        if _on_disk(state) and state.leo.exact is not None and not lane.simulated:
            words = said("picture.log-end.on-disk", end=number(state.leo.exact))
            _ask(lane, sheet, words, [_room(block)], lane.offsets.y(state.leo.exact) - 5, "text.2")


def _room(block: Block) -> tuple[float, float]:
    """From where on, and how wide, words of a block may stand."""
    return (block.x0 + 8, block.x1 - block.x0)


def _one_bound(state: ReplicaState) -> bool:
    """Whether log end and high watermark lie between the same bounds, and are told as one."""
    return state.leo == state.hw and state.leo.exact is None and state.leo.lo is not None


def _log_end_label(lane: Lane, leo: Band, going_on: Sequence[Block], sheet: Sheet) -> None:
    """The words for a bound of the log end, in one of the blocks in which it goes on."""
    if leo.exact is not None or (leo.lo is None and leo.hi is None):
        return
    for both in (True, False):
        blocks = [block for block in going_on if _one_bound(block.state) is both]
        id_: LiteralString = "picture.log-end.and-watermark" if both else "picture.log-end.bound"
        spans = [_room(block) for block in blocks]
        _ask(lane, sheet, said(id_, end=str(leo)), spans, _span(lane, leo)[0] - 5, "text.2")


def _watermark_label(lane: Lane, hw: Band, going_on: Sequence[Block], sheet: Sheet) -> None:
    """The words for a bound of the high watermark, likewise; where it is told with the log end, once."""
    if hw.exact is not None or (hw.lo is None and hw.hi is None):
        return
    spans = [_room(block) for block in going_on if not (_one_bound(block.state) or _on_disk(block.state))]
    top, low = _span(lane, hw)
    _ask(lane, sheet, said("picture.watermark.at", hw=str(hw)), spans, (top + low) / 2 + 4, "text")


def _on_disk(state: ReplicaState) -> bool:
    """Whether a stopped broker's log is known to the end: that alone is told of it."""
    return state.role is Role.OFFLINE and state.leo.exact is not None


def _ask(
    lane: Lane, sheet: Sheet, words: str, spans: Sequence[tuple[float, float]], y: float, role: str
) -> None:
    """Wish for words in one of these spans, each from x on so wide."""
    y = max(round(y), lane.box.area_top + 4)
    spots: list[tuple[float, float]] = []
    for x, width in spans:
        further = min(40.0, width - 12 - text_width(words, 10.0, 500))
        if further >= 0:
            spots += [(x, y), (x + further, y), (x, y + 19), (x + further, y + 19)]
    if spots:
        sheet.wish(16, *([Text(px, py, words, role, 10.0, 500, plate=True)] for px, py in spots))


def _same(parts: Sequence[Block]) -> list[Block]:
    """Blocks joined where log end, high watermark and presence agree, whatever the runs."""
    joined: list[Block] = []
    for block in parts:
        state = block.state
        if joined:
            last = joined[-1].state
            if (last.leo, last.hw, last.role is Role.OFFLINE) == (
                state.leo,
                state.hw,
                state.role is Role.OFFLINE,
            ):
                joined[-1] = Block(joined[-1].x0, block.x1, last, None)
                continue
        joined.append(block)
    return joined


def _axis_break(lane: Lane) -> Iterator[Mark]:
    """Two level slashes on the axis: below them offsets have another scale, or are left out."""
    middle = lane.box.bottom - (7.5 if lane.offsets.foot is None else SILL + BREAK / 2)
    for y in (middle + 2, middle - 2):
        yield Line(((lane.axis.left - 5.5, y + 2), (lane.axis.left + 5.5, y - 2)), "text", width=1.4)


def axis_gap(lane: Lane, sheet: Sheet) -> None:
    """The gap of a broken axis: no curve, no bound and no hatch crosses it."""
    if lane.offsets.foot is None:
        return
    left, right, bottom = lane.axis.left, lane.axis.right, lane.box.bottom - SILL
    rect = (left, bottom - BREAK, right - left, BREAK)
    sheet.add(Depth.SAMPLE, Box(*rect, fill="bg.lane"))
    for y in (rect[1] + 0.5, bottom - 0.5):
        sheet.add(Depth.SAMPLE, Line(((left, y), (right, y)), "line.edge", dash=(2.0, 3.0)))
    sheet.keep_clear(rect)


def _disputed(lane: Lane) -> list[int]:
    """The ends of what was lost, may be, or differs, the lowest of each first."""
    verdict = lane.verdict
    found = [one for one in verdict.losses if one.severity is not Severity.NOTICE]
    ranges = [(one.first_offset, one.end_offset) for one in (*found, *verdict.divergences)]
    return list(dict.fromkeys([first for first, _ in ranges] + [end for _, end in ranges]))


def _ticks(lane: Lane) -> Iterator[tuple[int, bool]]:
    """The offsets at the axis, and whether each is one in dispute: on a broken axis these come first."""
    scale = lane.offsets
    if scale.foot is None:
        yield from ((offset, False) for offset in scale.ticks())
        return
    told = [scale.bottom]
    if scale.base < _LARGE:
        yield scale.foot, False
    for offsets, disputed in ((_disputed(lane), True), (scale.ticks(), False)):
        for offset in offsets:
            y = scale.y(offset)
            if scale.base <= offset <= scale.top and all(abs(y - other) >= _TICKS_APART for other in told):
                told.append(y)
                yield offset, disputed


def offset_axis(lane: Lane, sheet: Sheet, *, grid: bool) -> None:
    """Numbers of the vertical scale, and faint dotted lines at them."""
    base = lane.offsets.base if lane.offsets.base >= _LARGE else 0
    for offset, disputed in _ticks(lane):
        y, words = lane.offsets.y(offset), number(offset - base)
        role, weight = ("text", 600) if disputed else ("text.3", 400)
        mark: Mark = Text(lane.axis.left - 8, y + 3.5, words, role, 10, weight, mono=True, align=Align.RIGHT)
        sheet.add(Depth.GRID, mark)
        if grid and offset > lane.offsets.base:
            line = Line(
                ((lane.axis.left, y + 0.5), (lane.axis.right, y + 0.5)),
                "line.strong",
                opacity=0.5,
                dash=(1, 5),
            )
            sheet.add(Depth.GRID, line)
    left, top = lane.axis.left + 4, lane.box.area_top + 2
    if lane.offsets.base > 0 and lane.lag is None:
        sheet.add(Depth.CUT, *_axis_break(lane))
    if base:
        sheet.add(Depth.LABEL, Text(left, top, f"{number(base)} +", "text.3", 10, mono=True, plate=True))
        sheet.keep_clear((left, top - 9, text_width(f"{number(base)} +", 10, mono=True), 12))
    if lane.lag is not None:
        words = said("picture.lag.axis")
        xs = (left, lane.axis.right - 4 - text_width(words, 10))
        ys = (lane.box.bottom - 5, lane.offsets.y(0) - 8, top + 4)
        sheet.wish(12, *([Text(x, y, words, "text.3", 10, plate=True)] for y in ys for x in xs))
