"""The trace and its builder: what may be said, in which order, and what a row gives back."""

import dataclasses
from itertools import pairwise

import numpy as np
import pytest

from core.trace.builder import TraceBuilder, freeze
from core.trace.digest import BLOCK, added, content_digest, stretches, sum_of_rows
from core.trace.ids import UNSAID, BrokerId, Nanos, TopicPartition
from core.trace.trace import DTYPES, EMPTY, Broker, Column, Origin, Partition, Trace
from core.trace.vocabulary import KIND, KINDS, Basis, Election


def small() -> Trace:
    """Two partitions on three brokers; a broker event of broker 3, which holds only the second."""
    builder = TraceBuilder()
    builder.add(
        10, "leader_elected", partition=0, broker=1, leader=1, epoch=0, isr=(1, 2), aux=Election.FIRST
    )
    builder.add(10, "hw_sample", partition=1, broker=3, replica=3, hw=7, at_least=("hw",))
    builder.add(20, "broker_crashed", broker=2, replica=2, basis=Basis.INFERRED, cause=0)
    builder.add(30, "broker_crashed", broker=3, replica=3)
    partitions = [
        Partition(TopicPartition("t", 0), (BrokerId(1), BrokerId(2))),
        Partition(TopicPartition("t", 1), (BrokerId(3),)),
    ]
    return builder.build("small", Origin.IMPORTED, brokers=[Broker(BrokerId(1))], partitions=partitions)


def test_many_rows_are_what_each_is() -> None:
    trace = small()
    assert trace.events(np.array([3, 0, 2])) == tuple(trace.event(seq) for seq in (3, 0, 2))
    assert trace.events(np.array([], np.int64)) == ()
    for beyond in (-1, len(trace)):
        with pytest.raises(IndexError):
            trace.events(np.array([0, beyond]))


def test_a_row_gives_back_only_what_was_said() -> None:
    event = small().event(0)

    assert event.kind == "leader_elected"
    assert dict(event.values) == {"partition": 0, "broker": 1, "leader": 1, "epoch": 0, "isr": 0, "aux": 1}
    assert event.get("leo") is None
    assert event.cause is None


def test_no_leader_is_a_value_and_not_said_is_none() -> None:
    builder = TraceBuilder()
    builder.add(0, "leaderless", partition=0, leader=-1, epoch=2)

    assert builder.build("x", Origin.IMPORTED).event(0).get("leader") == -1


def test_a_kind_refuses_a_column_it_does_not_have() -> None:
    with pytest.raises(ValueError, match="hw_sample has no leo"):
        TraceBuilder().add(0, "hw_sample", partition=0, replica=1, leo=3)


def test_time_never_goes_back() -> None:
    builder = TraceBuilder()
    builder.add(5, "broker_started", replica=1)

    with pytest.raises(ValueError, match="earlier"):
        builder.add(4, "broker_started", replica=2)


def test_a_view_has_the_partition_and_the_brokers_that_hold_it() -> None:
    trace = small()

    assert trace.seqs_of(0).tolist() == [0, 2]
    assert trace.seqs_of(1).tolist() == [1, 3]


def test_the_cursor_of_a_time_is_after_its_last_event() -> None:
    trace = small()

    assert [trace.cursor_at(Nanos(at)) for at in (9, 10, 19, 20, 99)] == [0, 2, 2, 3, 4]


def test_columns_are_frozen() -> None:
    with pytest.raises(ValueError, match="read-only"):
        small().columns["at"][0] = 1


def test_freeze_refuses_times_that_go_back() -> None:
    columns = {name: np.zeros(2, dtype=dtype) for name, dtype in DTYPES.items()}
    columns["at"] = np.array([2, 1])

    with pytest.raises(ValueError, match="go back"):
        freeze("x", Origin.IMPORTED, columns)


def test_the_digest_sees_content_and_nothing_else() -> None:
    trace = small()
    changed = dict(trace.columns)
    changed["hw"] = np.where(changed["hw"] == 7, 8, changed["hw"])

    assert content_digest(trace) == content_digest(small())
    assert content_digest(trace) == content_digest(dataclasses.replace(trace, name="other"))
    assert content_digest(trace) != content_digest(dataclasses.replace(trace, columns=changed))
    assert content_digest(trace) != content_digest(dataclasses.replace(trace, facts={"era": "2.8"}))


@pytest.mark.parametrize("cut", [1, 3 * BLOCK])
def test_the_digest_is_the_sum_of_what_is_made_of_parts_in_any_order(cut: int) -> None:
    """Of a partition with many events, of two with some, and of events of no partition."""
    owner = np.repeat([2, -1, 0, 2, 1], [3 * BLOCK, 7, BLOCK + 1, 2 * BLOCK + 5, 1]).astype(np.int32)
    columns: dict[str, Column] = {name: np.full(len(owner), EMPTY[name], DTYPES[name]) for name in DTYPES}
    columns |= {"partition": owner, "position": np.arange(len(owner))}
    trace = freeze("x", Origin.IMPORTED, columns)
    order = np.argsort(owner, kind="stable")
    counts = np.array([7, BLOCK + 1, 1, 5 * BLOCK + 5])
    edges = [*stretches(counts, cut), len(owner)]
    parts = [
        sum_of_rows({"seq": some, **{name: column[some] for name, column in columns.items()}})
        for some in (order[first:end] for first, end in pairwise(edges))
    ]

    assert len(parts) == {1: 1 + 2 + 1 + 6, 3 * BLOCK: 3}[cut]
    assert content_digest(trace, added(reversed(parts))) == content_digest(trace)
    assert content_digest(trace, added(parts[1:])) != content_digest(trace)


def test_the_digest_sees_which_of_two_events_is_first() -> None:
    columns: dict[str, Column] = {name: np.full(2, EMPTY[name], DTYPES[name]) for name in DTYPES}
    one, other = (
        freeze("x", Origin.IMPORTED, {**columns, "partition": np.array(owner), "hw": np.array([1, 2])})
        for owner in ([0, 1], [1, 0])
    )
    assert content_digest(one) != content_digest(other)


def test_the_digest_sees_how_often_a_column_of_one_value_has_it() -> None:
    """Two events that say the same, and three: all columns but seq have one value in their block."""
    digests = {
        content_digest(
            freeze(
                "x",
                Origin.IMPORTED,
                {name: np.full(count, EMPTY[name], DTYPES[name]) for name in DTYPES}
                | {"hw": np.full(count, value)},
            )
        )
        for count, value in ((2, 7), (3, 7), (2, 8))
    }
    assert len(digests) == 3


def test_kinds_are_told_apart_by_name_and_number() -> None:
    assert len(KIND) == len(KINDS) == len({kind.number for kind in KINDS})
    assert all(set(kind.columns) <= set(DTYPES) for kind in KINDS)


def test_the_sentinel_is_no_offset() -> None:
    assert np.iinfo(np.int64).min == UNSAID


def test_many_rows_are_the_same_as_few() -> None:
    builder = TraceBuilder()
    for number in range(20_000):
        assert builder.add(number, "hw_sample", partition=0, replica=1, hw=2 * number) == number
    trace = builder.build("long", Origin.IMPORTED)

    assert len(trace) == 20_000
    assert trace.columns["hw"].tolist() == list(range(0, 40_000, 2))
    assert trace.columns["at"][8191:8194].tolist() == [8191, 8192, 8193]


def whole_row(kind: str, at: int, **said: int) -> list[int]:
    return [{**EMPTY, "at": at, "kind": KIND[kind].number, **said}[name] for name in DTYPES]


def test_a_whole_row_says_the_same_as_one_by_name() -> None:
    named, whole = TraceBuilder(), TraceBuilder()
    for at in range(3):
        assert named.add(at, "hw_sample", partition=0, broker=1, replica=2, hw=at, cause=0) == at
        assert (
            whole.append(whole_row("hw_sample", at, partition=0, broker=1, replica=2, hw=at, cause=0)) == at
        )
    first, second = (builder.build("x", Origin.SIMULATED) for builder in (named, whole))

    assert content_digest(first) == content_digest(second)


def test_a_whole_row_is_refused_for_a_column_that_its_kind_does_not_have() -> None:
    builder = TraceBuilder()
    for at in range(10):
        builder.append(whole_row("hw_sample", at, partition=0, hw=at))
    builder.append(whole_row("broker_crashed", 10, replica=1, leo=3))

    with pytest.raises(ValueError, match="broker_crashed has no leo"):
        builder.build("x", Origin.SIMULATED)


def test_a_trace_stays_as_it_was_when_its_builder_goes_on() -> None:
    builder = TraceBuilder()
    builder.add(1, "hw_sample", partition=0, replica=1, hw=1)
    before = builder.build("before", Origin.SIMULATED)
    for at in range(2, 10_000):
        builder.add(at, "hw_sample", partition=0, replica=1, hw=at)
    after = builder.build("after", Origin.SIMULATED)

    assert before.columns["hw"].tolist() == [1]
    assert after.columns["hw"].tolist() == list(range(1, 10_000))
    assert len(builder.build("again", Origin.SIMULATED)) == len(after)
