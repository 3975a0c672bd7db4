"""What the row of a replica says beside its cells: whom it serves, what it remembers, what it cut."""

from collections.abc import Sequence

from core.compare.comparison import Run
from core.diagnose.verdict.ranges import joined
from core.history.state import PartitionState, ReplicaState, Role
from core.message import Listing
from core.picture.cell_marks import Cell, CellState
from core.picture.cuts import cuts_of
from core.picture.joining import commas, semicolons
from core.picture.lane import number, offset_range
from core.trace.broker_names import short_name
from core.words import said

_NAMED = 3


def leader_words(
    run: Run, state: PartitionState, replica: ReplicaState, cells: Sequence[Cell]
) -> tuple[str, str]:
    """What consumers see, and the remote log ends that this leader remembers."""
    seen = [cell.text for cell in cells if cell.visible]
    hw = replica.hw.lo
    if not hw:
        first = said("picture.cells.see-nothing")
    elif hw <= _NAMED and len(seen) == hw and not any(text.startswith("e") for text in seen):
        first = said("picture.cells.see", what=Listing(tuple(seen)))
    else:
        span = offset_range(replica.log_start.lo or 0, hw)
        first = said("picture.cells.see", what=span)
    trace = run.history.trace
    memory = [
        said("picture.cells.remembers-none", who=short_name(trace, broker))
        if leo is None
        else said("picture.cells.remembers-end", who=short_name(trace, broker), end=number(leo))
        for broker, leo in replica.remote
        if broker != replica.broker
    ]
    known = said("picture.cells.remembers", ends=commas(memory)) if memory else ""
    return first, semicolons(part for part in (known, _cache(state, replica)) if part)


def replica_words(
    run: Run, state: PartitionState, replica: ReplicaState, cells: Sequence[Cell]
) -> tuple[str, str]:
    """What a follower cut or holds above its high watermark."""
    gone = [cell for cell in cells if cell.state in (CellState.REMOVED, CellState.LOST)]
    ahead = [cell for cell in cells if cell.state is CellState.OPEN]
    if replica.role is Role.OFFLINE:
        first = said("picture.cells.on-disk")
    elif gone:
        lost = gone[0].state is CellState.LOST
        begin, end = _gone(run, state, replica, gone[0])
        what = _few(gone) if end - begin <= len(gone) else offset_range(begin, end)
        leo = replica.leo.exact
        if leo is None:
            first = said("picture.cells.lost" if lost else "picture.cells.cut", what=what)
        else:
            id_ = "picture.cells.lost-next" if lost else "picture.cells.cut-next"
            first = said(id_, what=what, offset=number(leo))
    elif ahead:
        first = said("picture.cells.above-watermark", what=_few(ahead))
    else:
        exact = replica.hw.exact is not None
        first = said("picture.cells.nothing-above") if exact else ""
    return first, _cache(state, replica)


def _gone(run: Run, state: PartitionState, replica: ReplicaState, cell: Cell) -> tuple[int, int]:
    """The offsets that went with a cell: cells show only a window of them.

    Of lost records all that are lost by now, as everywhere else they are counted so: several cuts may have
    removed them. Else from there to where the last cut began.
    """
    until = [cut for cut in cuts_of(run.verdict) if cut.truncation.seq < state.cursor]
    removed = [
        (cut.truncation.to_offset, cut.truncation.from_offset)
        for cut in until
        if cut.truncation.broker == replica.broker and cut.truncation.from_offset is not None
    ]
    if cell.state is CellState.LOST:
        parts = [part for cut in until for part in cut.lost if replica.broker in part.loss.removed_from]
        shared = (
            (max(part.first_offset, low), min(part.end_offset, high))
            for part in parts
            for low, high in removed
        )
        for begin, end in joined((first, last) for first, last in shared if first < last):
            if begin <= cell.offset < end:
                return begin, end
    ends = [high for low, high in removed if low <= cell.offset < high]
    return cell.offset, ends[-1] if ends else cell.offset + 1


def _few(cells: Sequence[Cell]) -> str:
    named = all(cell.text and not cell.alike and not cell.text.startswith("e") for cell in cells)
    if named and len(cells) <= _NAMED:
        return ", ".join(cell.text for cell in cells)
    return offset_range(cells[0].offset, cells[-1].end)


def _cache(_state: PartitionState, replica: ReplicaState) -> str:
    if replica.epochs is None:
        return ""
    if not replica.epochs:
        return said("picture.cells.no-cache")
    shown = " ".join(f"({epoch}, {number(start)})" for epoch, start in replica.epochs[-_NAMED:])
    return said("picture.cells.cache", shown=shown)
