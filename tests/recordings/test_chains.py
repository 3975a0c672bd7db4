"""What each bound rests on: chains of rules that end at lines, in recordings of real clusters."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from core.history.chain import KEPT, Bound, Side, because
from core.history.coarse_times import state_at
from core.history.inference import RULES, Quantity
from core.history.open import Opened, open_partition
from core.history.state import Band
from core.history.view import read_view
from core.trace.evidence import evidence_of
from core.trace.ids import Nanos
from core.trace.trace import VALUES, Trace
from importers.load import load
from tests.archives import recording_names, unpack_recording
from tests.recordings.test_times_cut_to_seconds import cut_to_seconds
from tests.recordings.whole import grouped, whole

pytestmark = pytest.mark.broad(8)

CURSORS = 12
"""Moments of each partition at which all bounds are asked for."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("chains")


def users_partitions(trace: Trace) -> Iterator[int]:
    return (at for at, one in enumerate(trace.partitions) if not one.tp.topic.startswith("__"))


def band_of(opened: Opened, broker: int, quantity: Quantity, cursor: int) -> Band:
    replica = opened.history.at(cursor).replica(broker)
    return replica.leo if quantity is Quantity.LOG_END else replica.hw


def chains_of(opened: Opened, cursors: list[int]) -> Iterator[tuple[tuple[Bound, ...], Band, int]]:
    """Every chain at some cursors, with the band whose bound it explains."""
    for cursor in cursors:
        for broker in opened.history.replicas:
            for quantity in (Quantity.LOG_END, Quantity.HIGH_WATERMARK):
                band = band_of(opened, broker, quantity, cursor)
                for chain in because(opened, broker, quantity, cursor, band):
                    yield chain, band, cursor


def states(trace: Trace, seq: int, value: int) -> bool:
    """Whether the event states the number, or one less. A new log is at 0 without saying so."""
    event = trace.event(seq)
    numbers = {event.values[name] for name in VALUES if name in event.values}
    return value in numbers or value - 1 in numbers or (value == 0 and event.kind == "log_created")


@pytest.mark.slow
@pytest.mark.parametrize("name", grouped(recording_names()))
def test_each_step_is_a_bound_that_its_rule_may_take_from_the_next_one(name: str) -> None:
    trace = whole(name).trace
    asked = ended = 0
    for partition in users_partitions(trace):
        opened = open_partition(read_view(trace, partition))
        cursors = [
            opened.view.cursors[at] for at in np.linspace(0, len(opened.view.rows), CURSORS, dtype=int)
        ]
        for chain, band, cursor in chains_of(opened, cursors):
            first, last = chain[0], chain[-1]
            assert first.value in (band.lo, band.hi), (partition, cursor, chain)
            for step, onward in pairwise(chain):
                assert onward.side is step.side
                assert onward.quantity in (*RULES[step.rule].reads, step.quantity), (partition, cursor, chain)
                assert onward.broker == step.broker or not RULES[step.rule].own
                if step.rule == KEPT:
                    assert onward.value >= step.value
                else:
                    assert onward.value == step.value
            asked, ended = asked + 1, ended + bool(last.seqs)
            if last.seqs:
                assert states(trace, last.seqs[0], last.value), (partition, cursor, chain)
            else:
                # No line says where a log starts that was never cut at its beginning.
                assert (last.rule, last.value) == ("log-start", 0), (partition, cursor, chain)
    assert asked > 100
    assert ended > 0.9 * asked


@pytest.mark.slow
@pytest.mark.parametrize("name", grouped(("k0102-hw-loss", "k28-epoch-fix", "k43-failover")))
def test_without_the_lines_that_chains_name_a_bound_does_not_stand(name: str) -> None:
    """Seven bounds each: take away the row in which the chain ends, ask again, until the bound is weaker."""
    trace, chance = whole(name).trace, random.Random(3)  # noqa: S311 - the same each time
    partitions = list(users_partitions(trace))
    tried = 0
    while tried < 7:
        partition = chance.choice(partitions)
        opened = open_partition(read_view(trace, partition))
        cursor = chance.choice(opened.view.cursors[1:])
        found = [one for one, _, _ in chains_of(opened, [cursor]) if len(one) > 1 and one[0].value]
        if found:
            tried += 1
            assert rows_until_weaker(trace, partition, cursor, chance.choice(found)) <= 25


def rows_until_weaker(trace: Trace, partition: int, cursor: int, chain: tuple[Bound, ...]) -> int:
    """How many rows are taken away, one after the other, until the bound is another one than it was."""
    bound, seqs, taken = chain[0], read_view(trace, partition).seqs, 0
    while chain and chain[0].value == bound.value and taken < 100:
        assert chain[-1].seqs, chain
        seqs = seqs[seqs != chain[-1].seqs[0]]
        taken += 1
        opened = open_partition(read_view(trace, partition, seqs))
        band = band_of(opened, bound.broker, bound.quantity, cursor)
        again = because(opened, bound.broker, bound.quantity, cursor, band)
        chain = next((one for one in again if one[0].side is bound.side), ())
    return taken


def test_two_chains_of_a_replica_as_a_person_follows_them_in_the_files() -> None:
    """Broker 1, orders-2, three seconds after the cut: its checkpoint says 218, its segment ends at 218."""
    trace = whole("k0102-hw-loss").trace
    (partition,) = (at for at in users_partitions(trace) if str(trace.partitions[at].tp) == "orders-2")
    opened = open_partition(read_view(trace, partition))
    at = datetime(2026, 11, 21, 3, 29, 26, tzinfo=UTC)
    cursor = trace.first_cursor_at(Nanos(int(at.timestamp() * 1_000) * 1_000_000))
    told = {
        (chain[0].quantity, chain[0].side): (
            [(step.quantity, step.value, step.rule) for step in chain],
            evidence_of(trace, chain[-1].seqs[0]),
        )
        for chain, _, _ in chains_of(opened, [cursor])
        if chain[0].broker == 1
    }

    steps, line = told[Quantity.LOG_END, Side.AT_LEAST]
    assert steps == [
        (Quantity.LOG_END, 218, "in-sync-holds-committed"),
        (Quantity.HIGH_WATERMARK, 218, "checkpoint"),
    ]
    assert line is not None
    assert line.file.endswith("broker-1/data/replication-offset-checkpoint")
    assert line.text == "orders 2 218"
    steps, line = told[Quantity.HIGH_WATERMARK, Side.AT_MOST]
    assert steps == [
        (Quantity.HIGH_WATERMARK, 218, "high-watermark-within-log"),
        (Quantity.LOG_END, 218, "stated"),
    ]
    assert line is not None
    assert line.file.endswith("broker-1/data/orders-2/00000000000000000000.log")


@pytest.mark.slow
def test_of_logs_cut_to_seconds_a_bound_is_never_said_to_rest_on_a_time_stamp_that_does_not_set_it(
    folder: Path,
) -> None:
    """There a band covers several places, and its bounds stand at one of them."""
    source, _ = unpack_recording("k0102-hw-loss", folder / "seconds")
    cut_to_seconds(source, None)
    trace = load([source])
    assert trace.late_by
    asked = 0
    for partition in users_partitions(trace):
        opened = open_partition(read_view(trace, partition))
        for second in trace.columns["at"][:: len(trace) // 9].tolist():
            moment = Nanos(second + 300_000_000)
            cursor = int(np.searchsorted(trace.columns["at"], moment, "right"))
            for replica in state_at(opened.history, cursor, moment).replicas:
                for chain in because(opened, replica.broker, Quantity.LOG_END, cursor, replica.leo):
                    asked += 1
                    assert chain[0].value in (replica.leo.lo, replica.leo.hi)
                    if chain[0].rule == "time-stamps":
                        (batch,) = chain[0].seqs
                        assert trace.event(batch).values["from_offset"] == chain[0].value
    assert asked > 100
