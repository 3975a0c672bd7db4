"""What the row of a replica says beside its cells: whom it serves, what it remembers, what it cut."""

from collections.abc import Sequence

from core.compare.comparison import Run
from core.history.state import PartitionState, ReplicaState, Role
from core.language import say
from core.picture.cell_marks import Cell, CellState
from core.picture.lane import number, offset_range, short_name

_NAMED = 3


def leader_words(
    run: Run, state: PartitionState, replica: ReplicaState, cells: Sequence[Cell]
) -> tuple[str, str]:
    """What consumers see, and the remote log ends that this leader remembers."""
    seen = [cell.text for cell in cells if cell.visible]
    hw = replica.hw.lo
    if not hw:
        first = say("consumers see nothing", "消费者看不到任何记录")
    elif hw <= _NAMED and len(seen) == hw and not any(text.startswith("e") for text in seen):
        first = say(f"consumers see {', '.join(seen)}", f"消费者可见 {'、'.join(seen)}")
    else:
        span = offset_range(replica.log_start.lo or 0, hw)
        first = say(f"consumers see {span}", f"消费者可见 {span}")
    trace = run.history.trace
    memory = [
        say(f"{short_name(trace, broker)}: none yet", f"{short_name(trace, broker)}：尚无")
        if leo is None
        else say(
            f"{short_name(trace, broker)} at {number(leo)}", f"{short_name(trace, broker)} 为 {number(leo)}"
        )
        for broker, leo in replica.remote
        if broker != replica.broker
    ]
    known = say(f"remembers {', '.join(memory)}", f"记得 {'，'.join(memory)}") if memory else ""
    return first, "; ".join(part for part in (known, _cache(state, replica)) if part)


def replica_words(
    run: Run, state: PartitionState, replica: ReplicaState, cells: Sequence[Cell]
) -> tuple[str, str]:
    """What a follower cut or holds above its high watermark."""
    gone = [cell for cell in cells if cell.state in (CellState.REMOVED, CellState.LOST)]
    ahead = [cell for cell in cells if cell.state is CellState.OPEN]
    if replica.role is Role.OFFLINE:
        first = say("on the disk only", "仅在磁盘上")
    elif gone:
        lost = gone[0].state is CellState.LOST
        fate = say(" lost", " 已丢失") if lost else say(" cut", " 已截断")
        end = _cut_end(run, state, replica, gone[0].offset)
        what = _few(gone) if end - gone[0].offset <= len(gone) else offset_range(gone[0].offset, end)
        leo = replica.leo.exact
        following = "" if leo is None else say(f"; next is {number(leo)}", f"；下一条是 {number(leo)}")
        first = f"{what}{fate}{following}"
    elif ahead:
        first = say(f"{_few(ahead)} above its HW", f"{_few(ahead)} 在其高水位之上")
    else:
        exact = replica.hw.exact is not None
        first = say("nothing above its HW", "高水位之上没有记录") if exact else ""
    return first, _cache(state, replica)


def _cut_end(run: Run, state: PartitionState, replica: ReplicaState, offset: int) -> int:
    """Where the last cut that removed an offset began; cells show only a window of it."""
    ends = [
        cut.from_offset
        for cut in run.verdict.truncations
        if cut.broker == replica.broker
        and cut.seq < state.cursor
        and cut.from_offset is not None
        and cut.to_offset <= offset < cut.from_offset
    ]
    return ends[-1] if ends else offset + 1


def _few(cells: Sequence[Cell]) -> str:
    named = all(cell.text and not cell.text.startswith("e") for cell in cells)
    if named and len(cells) <= _NAMED:
        return ", ".join(cell.text for cell in cells)
    return offset_range(cells[0].offset, cells[-1].offset + 1)


def _cache(_state: PartitionState, replica: ReplicaState) -> str:
    if replica.epochs is None:
        return ""
    if not replica.epochs:
        return say("no epoch cache", "没有纪元缓存")
    shown = " ".join(f"({epoch}, {number(start)})" for epoch, start in replica.epochs[-_NAMED:])
    return say(f"cache {shown}", f"缓存 {shown}")
