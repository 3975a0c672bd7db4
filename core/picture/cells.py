"""The logs at the cursor: which record each replica holds at which offset."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.compare.comparison import Run
from core.diagnose.verdict.counted import LostPart
from core.diagnose.verdict.facts import Truncation
from core.history.state import Band, PartitionState, ReplicaState, Role
from core.message import Count
from core.picture.cell_marks import Cell, CellState, cell_marks, hw_post, lso_post
from core.picture.cell_slots import Slots, all_of, edges_of, folded_slots
from core.picture.cell_transactions import InTransaction, in_transactions
from core.picture.cell_words import leader_words, replica_words
from core.picture.cuts import cuts_of
from core.picture.gutter import name_within
from core.picture.lane import number, record_names, seqs_of_kind
from core.picture.marks import Align, Box, Layer, Line, Mark, Picture, Text
from core.picture.memo import Same, keeping
from core.picture.metrics import elide, text_width
from core.trace.broker_names import broker_name
from core.trace.trace import EMPTY
from core.words import Language, said, speaking

HEAD = 34.0
_TITLE = 22.0
"""Height of the line for the title where there is no room beside the runs for it."""
_CROWDED = 190.0
"""Of a run that is compared: from this width on there is room for what is left of the runs."""
_MARGIN = 16.0
_LEAST_CELLS = 52.0
"""Room for the cells of a run, whatever its labels leave."""
_ROW = 20.0
_ROW_COMPARED = 26.0
_APART = 6.0
"""Between two offsets over the cells."""
_LABEL = 68.0
_SUBTITLE = 150.0
_MORE = 18.0
"""Height of the line that counts the replicas which are not shown."""


@dataclass(frozen=True, slots=True)
class CellsView:
    """Runs and the cursor of each (one alone, or those of a comparison). Lengths in logical pixels.

    `shift` moves the window of offsets; 0 centres on the lowest offset at which replicas differ, else on
    the HW.
    """

    runs: tuple[Run, ...]
    cursors: tuple[int, ...]
    width: float
    gutter: float = 152.0
    shift: int = 0
    most: int | None = None
    """Replicas that are shown at most, the leader before the others; the rest is counted. None: all."""
    lang: Language = "en"


def row_pitch(view: CellsView) -> float:
    """Height of one replica's row with the gap under it."""
    return _ROW_COMPARED + 12 if len(view.runs) > 1 else _ROW + 7


def lay_out_cells(view: CellsView) -> Picture:
    """The picture of the cells, one block a run side by side.

    Its height follows from the number of replicas.
    """
    with speaking(view.lang):
        return _laid_out(view)


def _laid_out(view: CellsView) -> Picture:
    whole = [run.history.at(cursor) for run, cursor in zip(view.runs, view.cursors, strict=True)]
    states = [_shown(state, view.most) for state in whole]
    rows = max((len(state.replicas) for state in states), default=0)
    hidden = max((len(state.replicas) for state in whole), default=0) - rows
    begin, top = _begin(view)
    height = top + HEAD + rows * row_pitch(view) + (_MORE if hidden else 0.0)
    each = (view.width - begin - 12) / max(len(view.runs), 1)
    title = said("picture.cells.title")
    marks: list[Mark] = [
        Box(0, 0, view.width, height, fill="bg.lane"),
        Text(_MARGIN, 19, title, "text", 12, 600),
    ]
    spans: list[str] = []
    alts: list[str] = []
    for place, (run, state) in enumerate(zip(view.runs, states, strict=True)):
        left = begin + place * each
        block, span = _block(view, place, run, state, (left, each - 14, top))
        marks.extend(block.marks)
        alts.append(block.alt)
        spans.append(span)
        if place:
            marks.append(Line(((left - 8.5, top + 8), (left - 8.5, height - 8)), "line.hair"))
    if hidden:
        words = said("picture.cells.hidden", count=Count(hidden))
        marks.append(Text(begin, height - 7, words, "text.2", 11))
    span = spans[0] if spans else ""
    if top:
        marks.append(Text(_MARGIN + text_width(title, 12, 600) + 12, 19, span, "text.2", 11))
    else:
        marks.append(Text(_MARGIN, 35, elide(span, view.gutter - 24, 11), "text.2", 11))
    return Picture(view.width, height, (Layer("static", tuple(marks)),), title, " ".join(filter(None, alts)))


def _begin(view: CellsView) -> tuple[float, float]:
    """Where the runs begin, and how far below the top: compared ones that are narrow are below the title."""
    runs = len(view.runs)
    crowded = runs > 1 and (view.width - view.gutter - 12) / runs < _CROWDED
    return (_MARGIN, _TITLE) if crowded else (view.gutter, 0.0)


def _shown(state: PartitionState, most: int | None) -> PartitionState:
    """The state of so many replicas, among them the leader."""
    if most is None or len(state.replicas) <= most:
        return state
    others = [replica for replica in state.replicas if replica.broker != state.leader]
    chosen = {replica.broker for replica in others[: most - 1]} | {state.leader}
    shown = [replica for replica in state.replicas if replica.broker in chosen]
    return replace(state, replicas=tuple(shown[:most]))


def shown_slots(state: PartitionState, cuts: Sequence[Truncation], fitting: int, shift: int = 0) -> Slots:
    """The offsets that are shown; `cuts` are those until now.

    All if they fit, else all with what is alike folded, else those around the difference or the high
    watermark, which a person may shift.
    """
    starts = [replica.log_start.lo or 0 for replica in state.replicas]
    ends = [
        replica.leo.hi if replica.leo.hi is not None else (replica.leo.lo or 0) for replica in state.replicas
    ]
    low, high = min(starts, default=0), max(ends, default=0) + 1
    if high - low <= fitting:
        return all_of(low, max(high, low + 1))
    gone = max((cut.from_offset or 0 for cut in cuts), default=0)
    found = None if shift else folded_slots(low, max(high, gone), edges_of(state, cuts), fitting)
    return found or all_of(*_around(state, (low, high), fitting, shift))


def _around(state: PartitionState, whole: tuple[int, int], fitting: int, shift: int) -> tuple[int, int]:
    """As many offsets as fit, around the first difference or the high watermark."""
    low, high = whole
    centre = first_difference(state)
    if centre is None:
        marks = [replica.hw.lo for replica in state.replicas if replica.hw.lo is not None]
        centre = min(marks, default=high)
    first = min(max(centre - fitting // 2 + shift, low), high - fitting)
    return first, first + fitting


def first_difference(state: PartitionState) -> int | None:
    """The lowest offset that one replica holds and another lacks, or holds in another epoch."""
    known = [replica for replica in state.replicas if replica.leo.lo is not None]
    if len(known) < 2:
        return None
    places = [replica.leo.lo or 0 for replica in known]
    found = [min(places)] if min(places) != max(places) else []
    edges = sorted({edge for replica in known for run in replica.runs for edge in (run.start, run.end)})
    for offset in edges:
        epochs = {epoch for replica in known if (epoch := epoch_at(replica, offset)) is not None}
        if len(epochs) > 1:
            found.append(offset)
            break
    return min(found) if found else None


def epoch_at(replica: ReplicaState, offset: int) -> int | None:
    """The epoch of the record that a replica holds at an offset.

    None where it holds none or it is not known.
    """
    for run in replica.runs:
        if run.start <= offset < run.end:
            return run.epoch
    return None


def is_hole(replica: ReplicaState, first: int, end: int) -> bool:
    """Whether a log is known to hold nothing at offsets [first, end), and holds records below and above."""
    below = [run for run in replica.runs if run.end <= first]
    above = [run for run in replica.runs if run.start >= end]
    return bool(below) and bool(above) and len(below) + len(above) == len(replica.runs)


def record_at(replica: ReplicaState, offset: int) -> str:
    """The name of the record that a replica holds at an offset, "" where nobody named it."""
    for run in replica.runs:
        if run.records and run.start <= offset < run.start + len(run.records):
            return run.records[offset - run.start]
    return ""


def _block(
    view: CellsView,
    place: int,
    run: Run,
    state: PartitionState,
    room: tuple[float, float, float],
) -> tuple["_Rows", str]:
    """The rows of a run beside its offsets, and in words which these are. `room` is x, width, and the top."""
    left, width, top = room
    compared = len(view.runs) > 1
    label = _LABEL if not compared else max(_LABEL, text_width(_head(run, place), 11, 600) + 12)
    words = _SUBTITLE if width > 300 else 0.0
    least = 26.0 if not compared else 30.0
    label = max(min(label, width - words - _LEAST_CELLS), 0.0)
    inner = max(width - label - words, _LEAST_CELLS)
    cursor = view.cursors[place]
    cuts = [cut for cut in run.verdict.truncations if cut.seq < cursor]
    slots = shown_slots(state, cuts, max(int(inner // least), 2), view.shift)
    cell = min(inner / slots.width, 62.0)
    frame = _Frame(left, left + width, left + label, top, cell, bool(words))
    told = acknowledged_offsets(run, cursor, slots.open())
    seen = Same((run, *state.replicas), (view, state))
    # What was cut until now is told by how many cuts there were.
    rows = _rows(seen, place, compared, frame, slots, tuple(told.items()), len(cuts), view.lang)
    shown = f"{number(slots.first)}–{number(slots.end - 1)}"
    return rows, said("picture.cells.offsets", shown=shown)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a run: their marks, and in words."""

    marks: tuple[Mark, ...]
    alt: str


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the rows of a run are: from left to right, where the cells begin, the top, how wide each is."""

    left: float
    right: float
    cells: float
    top: float
    cell: float
    words: bool
    """Whether there is room for words beside the cells."""


@keeping(16)
def _rows(
    same: Same[tuple[CellsView, PartitionState]],
    place: int,
    compared: bool,  # noqa: FBT001 - part of the key
    frame: _Frame,
    slots: Slots,
    acknowledged: tuple[tuple[int, bool], ...],
    _cuts: int,
    _lang: str,
) -> _Rows:
    """The rows of a run: remembered, as of many replicas those that are shown often stay for a step."""
    (view, state), x0, cell = same.value, frame.cells, frame.cell
    run, left, top = view.runs[place], frame.left, frame.top
    label = x0 - left
    marks: list[Mark] = []
    if compared:
        marks.append(Text(left, top + 19, elide(_head(run, place), label - 8, 11, 600), "text", 11, 600))
    marks.extend(_numbers(slots, x0, top, cell))
    told, differing = dict(acknowledged), _differing(state, slots)
    for row, replica in enumerate(state.replicas):
        y = top + HEAD - 4 + row * row_pitch(view)
        high = _ROW_COMPARED - 2 if compared else _ROW
        name = name_within(run.history.trace, replica.broker, label - 8, 11, 500)
        marks.append(Text(left, y + high / 2 + 4, name, "text.2", 11, 500))
        cells = tuple(cells_of(run, replica, slots, view.cursors[place], (told, differing)))
        marks.extend(_row(cells, slots, (x0, y, cell, high), place, view.lang))
        marks.extend(hw_post(replica.hw, slots, (x0, cell), (y, high)))
        if run.history.replicas[replica.broker].has_transactions and replica.lso != replica.hw:
            marks.extend(lso_post(replica.lso, slots, (x0, cell), (y, high)))
        if frame.words:
            about = (leader_words if replica.role is Role.LEADER else replica_words)(
                run, state, replica, cells
            )
            marks.extend(_words(about, x0 + slots.width * cell + 12, y, frame.right))
    return _Rows(tuple(marks), _alt(run, state))


def _numbers(slots: Slots, x0: float, top: float, cell: float) -> Iterator[Mark]:
    """The offsets over the cells, as many as there is room for; of a fold the first and the last."""
    free = x0 - cell / 2
    for (first, end), begin, until in zip(slots.spans, slots.begins, slots.begins[1:], strict=False):
        words = number(first) if end - first == 1 else f"{number(first)}–{number(end - 1)}"
        half, x = text_width(words, 10, mono=True) / 2, x0 + (begin + until) / 2 * cell
        if x - half >= free:
            yield Text(x, top + 19, words, "text.3", 10, mono=True, align=Align.CENTRE)
            free = x + half + _APART


@lru_cache(maxsize=64)
def _row(
    cells: tuple[Cell, ...], slots: Slots, room: tuple[float, float, float, float], place: int, _lang: str
) -> tuple[Mark, ...]:
    """The marks of a row, remembered: most stay for a step. `room` is x, y, width of a cell, height."""
    x, y, wide, high = room
    marks: list[Mark] = []
    for held in cells:
        begin, end = slots.at(held.offset), slots.at(held.end)
        marks.extend(cell_marks(held, (x + begin * wide, y, (end - begin) * wide - 1.5, high), place))
    return tuple(marks)


def _head(run: Run, place: int) -> str:
    return said("picture.run.titled", number=place + 1, title=_short(run))


def _short(run: Run) -> str:
    return run.title.removeprefix("Kafka ")


def _words(lines: Sequence[str], x: float, y: float, right: float) -> Iterator[Mark]:
    for row, (line, role) in enumerate(zip(lines, ("text", "text.2"), strict=False)):
        text = elide(line, right - x, 11 if row == 0 else 10, 500 if row == 0 else 400)
        if text:
            yield Text(x, y + 9 + row * 13, text, role, 11 if row == 0 else 10, 500 if row == 0 else 400)


def cells_of(
    run: Run,
    replica: ReplicaState,
    slots: Slots,
    cursor: int,
    others: tuple[Mapping[int, bool], Collection[int]],
) -> Iterator[Cell]:
    """The state of each shown offset on one replica (visual design 5.1).

    `others` are the offsets that were acknowledged, and those at which replicas differ.
    """
    told, differing = others
    acknowledged = told if replica.role is Role.LEADER else dict[int, bool]()
    removed = removed_offsets(run, replica.broker, cursor, [first for first, _ in slots.spans])
    parts: Mapping[int, InTransaction] = {}
    if run.history.replicas[replica.broker].has_transactions:
        parts = in_transactions(run.history, replica.broker, cursor, slots.spans)
    certain = replica.leo.lo or 0
    possible = max(slots.end, certain) if replica.leo.hi is None else replica.leo.hi
    for offset, end in slots.spans:
        alike = end - offset if end - offset > 1 else 0
        if offset < (replica.log_start.lo or 0):
            continue
        if offset < certain:
            epoch, name = epoch_at(replica, offset), record_at(replica, offset)
            if epoch is None and is_hole(replica, offset, end):
                yield Cell(offset, CellState.HOLE, "", None, alike=alike)
                continue
            words = (_alike(alike) if alike else name) or (f"e{epoch}" if epoch is not None else "")
            diverged = epoch is not None and offset in differing
            below = replica.hw.lo is not None and offset < replica.hw.lo
            kind = CellState.COMMITTED if below else CellState.OPEN
            visible = below and replica.role is Role.LEADER
            told_of = acknowledged.get(offset)
            part = parts.get(offset)
            yield Cell(offset, kind, words, epoch, visible, told_of, diverged, alike, part)
        elif offset < possible:
            yield Cell(offset, CellState.MAYBE, "?", replica.epoch, alike=alike)
        elif offset in removed:
            record = removed[offset]
            words = _alike(alike) if alike else record.name
            kind = CellState.LOST if record.lost else CellState.REMOVED
            yield Cell(offset, kind, words, record.epoch, alike=alike)
        elif offset == possible and replica.leo.exact is not None:
            yield Cell(offset, CellState.NEXT, said("picture.cells.next"), None)


def _alike(count: int) -> str:
    """How many offsets a fold has."""
    return said("picture.cells.alike", count=Count(count))


def _differing(state: PartitionState, slots: Slots) -> frozenset[int]:
    """The offsets that begin a cell or a fold at which two replicas hold records of different epochs."""
    found: set[int] = set()
    runs = [run for replica in state.replicas for run in replica.runs if run.end > slots.first]
    if len({run.epoch for run in runs if run.start < slots.end} - {None}) < 2:
        return frozenset()
    for offset, _ in slots.spans:
        epochs = {epoch_at(replica, offset) for replica in state.replicas} - {None}
        if len(epochs) > 1:
            found.add(offset)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class _Removed:
    """A record that a replica held and cut; `lost` where no later leader holds it."""

    name: str
    epoch: int | None
    lost: bool


def removed_offsets(run: Run, broker: int, cursor: int, offsets: Sequence[int]) -> dict[int, _Removed]:
    """Those of some offsets that a replica held and cut before the cursor."""
    found: dict[int, _Removed] = {}
    cuts = [cut for cut in cuts_of(run.verdict) if cut.truncation.seq < cursor]
    losses = [part for cut in cuts for part in cut.lost]
    for cut in cuts:
        truncation = cut.truncation
        if truncation.broker != broker or truncation.from_offset is None:
            continue
        before = run.history.replicas[broker].at(truncation.seq)
        for offset in offsets:
            if truncation.to_offset <= offset < truncation.from_offset:
                epoch = epoch_at(before, offset)
                names = record_names(run.history, truncation.seq, offset, offset + 1)
                name = names[0] if names else "" if epoch is None else f"e{epoch}"
                lost = any(_is_of(part, offset, epoch) for part in losses)
                found[offset] = _Removed(name, epoch, lost=lost)
    return found


def _is_of(part: LostPart, offset: int, epoch: int | None) -> bool:
    """Whether a record is one of a part; of an epoch that is not known it may be any."""
    same = epoch is None or part.loss.epoch is None or epoch == part.loss.epoch
    return same and part.first_offset <= offset < part.end_offset


def acknowledged_offsets(run: Run, cursor: int, spans: Iterable[tuple[int, int]]) -> dict[int, bool]:
    """Offsets of some spans acknowledged before the cursor; True where to acks=all."""
    history = run.history
    columns = history.trace.columns
    seqs = seqs_of_kind(history, "acknowledged")
    seqs = seqs[: seqs.searchsorted(cursor)]
    ends, firsts = columns["offset"][seqs], columns["from_offset"][seqs]
    begins = np.where(firsts == EMPTY["from_offset"], ends - 1, np.maximum(firsts, ends - 256))
    told = np.zeros(len(seqs), np.bool_)
    for first, end in spans:
        told |= (ends > first) & (begins < end)
    told &= ends != EMPTY["offset"]
    found: dict[int, bool] = {}
    for seq, begin, end in zip(seqs[told].tolist(), begins[told].tolist(), ends[told].tolist(), strict=True):
        for offset in range(begin, end):
            found[offset] = int(columns["aux"][seq]) == -1
    return found


def _alt(run: Run, state: PartitionState) -> str:
    return " ".join(
        said(
            "picture.cells.alt",
            title=run.title,
            who=broker_name(run.history.trace, replica.broker),
            leo=_band(replica.leo),
            hw=_band(replica.hw),
        )
        for replica in state.replicas
    )


def _band(band: Band) -> str:
    return said("picture.unknown") if str(band) == "?" else str(band)
