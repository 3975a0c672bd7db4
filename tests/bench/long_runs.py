"""Long runs for the benches of the window: a partition with many replicas, all of whose values are known."""

from types import MappingProxyType

import numpy as np

from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import DTYPES, EMPTY, Broker, Column, Origin, Partition, Trace
from core.trace.vocabulary import NUMBER, Basis

_MS = 1_000_000
_TERM = 0.1
"""Of the run, after which another broker leads."""


def long_run(events: int, replicas: int) -> Trace:
    """A run of one partition, an event each ms: each replica in turn appends, then moves its watermark.

    Ten leaders follow one another. In each term a follower cuts its log, and the in-sync set changes twice.
    """
    columns: dict[str, Column] = {name: np.full(events, EMPTY[name], dtype) for name, dtype in DTYPES.items()}
    turn = np.arange(events)
    round_ = turn // (2 * replicas)
    columns["at"][:] = turn * _MS
    columns["basis"][:] = Basis.OBSERVED
    columns["partition"][:] = 0
    columns["broker"][:] = columns["replica"][:] = 1 + turn // 2 % replicas
    term = np.minimum((turn / max(events * _TERM, 1)).astype(np.int64), 9)
    columns["epoch"][:] = term
    appends = turn % 2 == 0
    columns["kind"][:] = np.where(appends, NUMBER["appended"], NUMBER["hw_moved"])
    columns["from_offset"][appends] = round_[appends]
    columns["offset"][appends] = columns["leo"][appends] = round_[appends] + 1
    columns["hw"][~appends] = round_[~appends]
    for number in range(10):
        begun = int(np.searchsorted(term, number))
        _elect(columns, begun, number, replicas)
        _leave(columns, begun + (events // 30), number, replicas)
    brokers = tuple(Broker(BrokerId(1 + place), "") for place in range(replicas))
    return Trace(
        name="long run",
        origin=Origin.SIMULATED,
        columns=MappingProxyType(columns),
        brokers=brokers,
        partitions=(Partition(TopicPartition("orders", 0), tuple(one.broker_id for one in brokers)),),
        isrs=(tuple(range(1, replicas + 1)), tuple(range(2, replicas + 1))),
        facts=MappingProxyType({"era": "2.8"}),
    )


def _put(columns: dict[str, Column], row: int, kind: str, **said: int) -> None:
    for name in ("broker", "replica", "leader", "epoch", "leo", "hw", "from_offset", "offset", "isr"):
        columns[name][row] = said.get(name, EMPTY[name])
    columns["kind"][row] = NUMBER[kind]


def _elect(columns: dict[str, Column], row: int, epoch: int, replicas: int) -> None:
    leader = 1 + epoch % replicas
    _put(columns, row, "leader_elected", leader=leader, epoch=epoch, isr=0)
    for place in range(replicas):
        kind = "became_leader" if place + 1 == leader else "became_follower"
        said = {"broker": place + 1, "replica": place + 1, "leader": leader, "epoch": epoch}
        _put(columns, row + 1 + place, kind, **said)


def _leave(columns: dict[str, Column], row: int, epoch: int, replicas: int) -> None:
    leader, follower = 1 + epoch % replicas, 1 + (epoch + 1) % replicas
    end = int(row // (2 * replicas))
    _put(columns, row, "isr_committed", broker=leader, leader=leader, epoch=epoch, isr=1)
    _put(
        columns, row + 1, "truncated", broker=follower, replica=follower, offset=max(end - 5, 0), epoch=epoch
    )
    _put(columns, row + 2, "isr_committed", broker=leader, leader=leader, epoch=epoch, isr=0)
