"""The whole time of a partition, in ns: what is shown until a person zooms."""

from core.history.state import History
from core.trace.units import MILLISECOND_NS


def whole_span(history: History) -> tuple[int, int]:
    """First and last moment of the partition's events; (0, 1) where it has none."""
    if not len(history.seqs):
        return 0, 1
    times = history.trace.columns["at"]
    first, last = int(times[history.seqs[0]]), int(times[history.seqs[-1]])
    return first, max(last, first + 1)


def history_window(history: History) -> tuple[int, int]:
    """The whole time of a partition with a little room on both sides."""
    if not len(history.seqs):
        return 0, 1
    times = history.trace.columns["at"]
    first, last = int(times[history.seqs[0]]), int(times[history.seqs[-1]])
    room = max((last - first) // 50, MILLISECOND_NS)
    return first - room, last + room
