"""A run that is written as brokers' logs and imported again tells what the simulation knows to be true."""

from collections import Counter
from itertools import product

import pytest

from core.diagnose.verdict.facts import PartitionVerdict
from core.history.epoch_runs import epoch_at, slice_runs
from core.history.open import open_history
from core.trace.ids import METADATA_TOPIC
from core.trace.settings import of_broker
from core.trace.vocabulary import Basis
from tests.in_words import gaps_of
from tests.trips import (
    ERA_IDS,
    Trip,
    classes,
    cuts,
    ends_in_batches,
    isr_sets,
    outside_bands,
    shown_losses,
    stronger,
    told,
    trip_names,
    trip_of,
)

SHARE = 11
"""One of so many trips is made; the cells of docs/fidelity-simulated.md are held against the same ones."""
pytestmark = pytest.mark.thinned(SHARE)
QUICK = ("isr-shrink", "hw-loss")
"""Scenarios of the quick round; the long one makes the trip with all."""


def marks_of(name: str) -> list[pytest.MarkDecorator]:
    """One worker has all tests of a scenario: it makes the trips once."""
    group = pytest.mark.xdist_group(name)
    return [group] if name in QUICK else [group, pytest.mark.slow]


TRIPS = [
    pytest.param((name, which), id=f"{name}-{which}", marks=marks_of(name))
    for name, which in product(trip_names(), ERA_IDS)
]


OPEN = {
    ("disk-replaced", which, "test_the_isr_changes_are_those_of_the_run"): (
        "two sets in one millisecond, told by two brokers: their order is not known"
    )
    for which in ("0.10.2", "0.11", "1.1", "2.0", "2.1", "2.4")
}
"""What is not solved, with the reason: (scenario, era, test)."""


@pytest.fixture(autouse=True)
def open_question(request: pytest.FixtureRequest, trip: Trip) -> None:
    reason = OPEN.get((trip.name, trip.era, request.node.originalname))
    if reason is not None:
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))


@pytest.fixture(scope="module", params=TRIPS)
def trip(request: pytest.FixtureRequest) -> Trip:
    name, which = request.param
    return trip_of(name, which)


def test_every_line_is_understood(trip: Trip) -> None:
    report = trip.read.report

    assert (report["unrecognised"], report["malformed"]) == (0, 0), report["examples"]


def test_no_line_contradicts_another(trip: Trip) -> None:
    assert not [gap for gap in gaps_of(trip.read.report) if "was not stopped cleanly" not in gap]


def test_the_partitions_are_the_same(trip: Trip) -> None:
    """What is read has one for the metadata quorum, which most runs have not."""
    read = [one for one in trip.read.partitions if one.tp.topic != METADATA_TOPIC]
    assert {(str(one.tp), one.replicas) for one in read} == {
        (str(one.tp), one.replicas) for one in trip.run.partitions if not one.tp.of_quorum
    }


def test_each_epoch_has_its_leader(trip: Trip) -> None:
    for index, true, read in trip.pairs:
        wanted = {
            (event.values["epoch"], event.values["leader"])
            for event in told(trip.run, "leader_elected", "leaderless", partition=index)
        }

        # An epoch in which only the in-sync set changed has the leader of the one before it.
        found = {(term.epoch, term.leader) for term in read.leadership}
        assert wanted <= found
        assert found <= {(term.epoch, term.leader) for term in true.leadership}


def test_the_isr_changes_are_those_of_the_run(trip: Trip) -> None:
    for _, true, found in trip.pairs:
        assert isr_sets(found) == isr_sets(true)


def test_the_cuts_are_those_of_the_run(trip: Trip) -> None:
    for index, true, found in trip.pairs:
        claimed = Counter((cut.broker, cut.to_offset) for cut in found.truncations)

        assert cuts(trip.run, index, shown=True) <= claimed <= cuts(trip.run, index, shown=False)
        stated = ends_in_batches(trip.run, index)
        ends: dict[tuple[int, int], list[int]] = {}
        for cut in true.truncations:
            to = stated.get(cut.seq, cut.to_offset)
            ends.setdefault((cut.broker, to), []).append(cut.from_offset or 0)
        for cut in found.truncations:
            # A broker may cut to one offset twice.
            begun = ends[cut.broker, cut.to_offset]
            shorter = cut.from_offset is None or cut.to_offset < cut.from_offset <= max(begun)
            assert shorter or (cut.rule == "reset" and cut.from_offset in begun)
            assert cut.basis is Basis.BOUNDED or cut.from_offset in begun


def test_the_crashes_are_those_after_which_a_broker_came_back(trip: Trip) -> None:
    clean: set[int] = set()
    wanted: Counter[int] = Counter()
    for event in told(trip.run, "broker_stopped", "broker_exited", "broker_starting"):
        broker = event.values["replica"]
        if event.kind != "broker_starting":
            clean.add(broker)
        elif broker in clean:
            clean.remove(broker)
        else:
            wanted[broker] += 1

    assert Counter(event.values["replica"] for event in told(trip.read, "broker_crashed")) == wanted


def on_disk(trip: Trip, partition: int, broker: int) -> int:
    """Where the disk of a replica begins at the end; what is below lies in the remote tier alone."""
    moved = told(trip.run, "local_start_moved", partition=partition)
    return max((one.values["offset"] for one in moved if one.values["replica"] == broker), default=0)


def has_no_epoch_file(trip: Trip, broker: int) -> bool:
    """Where a record of the old message format has cleared all entries, no file of them is left."""
    return trip.run.facts.get(of_broker(broker, "log.message.format.version")) == "0.10.2"


def test_the_end_is_the_same(trip: Trip) -> None:
    keeps_epochs = bool(told(trip.run, "epoch_assigned"))
    for index, here in enumerate(trip.places):
        true = open_history(trip.run, index).at(len(trip.run))
        read = open_history(trip.read, here).at(len(trip.read))
        for replica in true.replicas:
            seen = read.replica(replica.broker)
            assert seen.leo.exact == replica.leo.exact
            if replica.epochs == () and has_no_epoch_file(trip, replica.broker):
                assert seen.epochs is None
            elif keeps_epochs:
                assert seen.epochs == replica.epochs
                first = on_disk(trip, index, replica.broker)
                held, true_runs = (
                    [(run.epoch, run.start, run.end) for run in slice_runs(runs, first, 1_000_000)]
                    for runs in (seen.runs, replica.runs)
                )
                assert held == true_runs
                below = slice_runs(seen.runs, 0, first)
                assert all(run.epoch in (None, epoch_at(replica.runs, run.start)) for run in below)


def test_every_value_that_is_claimed_holds_the_true_one(trip: Trip) -> None:
    for index, here in enumerate(trip.places):
        assert not outside_bands(trip.run, trip.read, index, here)


def test_no_loss_is_false_or_stronger_than_the_true_one(trip: Trip) -> None:
    for _, true_verdict, verdict in trip.pairs:
        true = classes(true_verdict)
        for offset, found in classes(verdict).items():
            assert offset in true, (offset, found)
            assert not stronger(found, true[offset]), (offset, found, true[offset])


def test_a_committed_loss_is_found(trip: Trip) -> None:
    """As a loss, or where the disks still hold both records, as a divergence."""
    for index, true, found in trip.pairs:
        split = {offset for one in found.divergences for offset in range(one.first_offset, one.end_offset)}

        assert shown_losses(trip, index, true) <= set(classes(found)) | split


def test_divergence_is_found(trip: Trip) -> None:
    def places(verdict: PartitionVerdict) -> list[tuple[tuple[int, int], int, int]]:
        return [(one.brokers, one.first_offset, one.end_offset) for one in verdict.divergences]

    for _, true, found in trip.pairs:
        assert places(found) == places(true)
