"""What was deleted at the start of logs: by retention, or as asked for. Lines do not say which."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.history.state import History
from core.kafka.switches import LogStart


@dataclass(frozen=True, slots=True)
class Deletion:
    """A replica deleted what is below an offset, by itself. `at` is ns since 1970."""

    at: int
    broker: int
    offset: int
    seq: int


def deletions_of(history: History, log_start: LogStart) -> Iterator[Deletion]:
    """The deletions of a partition, in order.

    A follower that only takes over the log start of its leader (KIP-107, 0.11) deletes nothing by itself.
    """
    starts: dict[int, int] = {}
    for seq in history.seqs.tolist():
        event = history.trace.event(seq)
        broker = event.get("replica")
        if broker is None:
            continue
        if event.kind in ("log_created", "log_deleted"):
            starts[broker] = 0
        elif event.kind == "log_reset":
            starts[broker] = event.get("offset") or 0
        start = event.get("log_start")
        if start is None or start <= starts.get(broker, 0):
            continue
        starts[broker] = start
        leader = history.leader.at(seq)
        follows = log_start == "leader" and leader != broker
        if event.kind == "log_start_moved" and not (follows and starts.get(leader or 0, 0) >= start):
            yield Deletion(event.at, broker, start, seq)
