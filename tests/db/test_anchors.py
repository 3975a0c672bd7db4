"""What people add stays on its evidence."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.trace.builder import TraceBuilder
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import Origin, Partition, Source, Trace
from db.anchors import Anchor, anchor_of, resolve
from db.document import create, open_document

MakeTrace = Callable[..., Trace]


def test_every_cursor_comes_back(make_trace: MakeTrace) -> None:
    trace = make_trace()

    assert [resolve(trace, anchor_of(trace, cursor)) for cursor in range(len(trace) + 1)] == list(
        range(len(trace) + 1)
    )


def test_a_cursor_outside_has_no_anchor(make_trace: MakeTrace) -> None:
    trace = make_trace()

    with pytest.raises(IndexError):
        anchor_of(trace, len(trace) + 1)


def test_an_anchor_is_the_same_in_a_partition_and_in_the_whole(tmp_path: Path, make_trace: MakeTrace) -> None:
    create(tmp_path / "a.tide", [make_trace()])
    with open_document(tmp_path / "a.tide") as document:
        whole = document.trace()
        part = document.partition_trace(None, "orders-2")
        seqs = document.partition_seqs(None, "orders-2")

    for seq, original in enumerate(seqs.tolist()):
        assert anchor_of(part, seq + 1) == anchor_of(whole, original + 1)


def _incident(shift: int, sources: tuple[Source, ...], mine: int) -> Trace:
    """Two events of one line for partition 1, one for partition 0, in the source of index `mine`."""
    builder = TraceBuilder()
    if mine:
        builder.add(shift, "broker_started", broker=9, replica=9, source=0, position=50, line=2)
    for partition, leo in ((0, 3), (1, 4), (1, 5)):
        builder.add(
            shift + 10,
            "leo_sample",
            partition=partition,
            broker=1,
            replica=1,
            leo=leo,
            source=mine,
            position=50,
        )
    names = [Partition(TopicPartition("t", number), (BrokerId(1),)) for number in range(2)]
    return builder.build("t", Origin.IMPORTED, partitions=names, sources=sources)


def test_an_anchor_survives_another_clock_and_more_logs() -> None:
    log = Source("server.log", "a" * 64, 100)
    before = _incident(0, (log,), 0)
    after = _incident(3_600_000_000_000, (Source("more.log", "b" * 64, 100), log), 1)

    anchor = anchor_of(before, 3)  # the second event of the line about partition 1

    assert anchor == Anchor("a" * 64, 50, "t-1", 1)
    found = resolve(after, anchor)
    assert found is not None
    assert after.event(found - 1).get("leo") == 5


def test_an_anchor_without_its_log_does_not_resolve() -> None:
    before = _incident(0, (Source("server.log", "a" * 64, 100),), 0)
    other = _incident(0, (Source("server.log", "c" * 64, 100),), 0)

    assert resolve(other, anchor_of(before, 2)) is None
    assert resolve(before, Anchor("a" * 64, 50, "t-7")) is None
    assert resolve(before, Anchor("a" * 64, 50, "t-1", 2)) is None


def test_an_anchor_of_one_era_is_not_one_of_another(make_trace: MakeTrace) -> None:
    old = make_trace(origin=Origin.SIMULATED, facts={"era": "0.10.2", "seed": "1", "switches": ""})
    new = make_trace(origin=Origin.SIMULATED, facts={"era": "0.11", "seed": "1", "switches": ""})

    assert resolve(old, anchor_of(old, 4)) == 4
    assert resolve(new, anchor_of(old, 4)) is None
