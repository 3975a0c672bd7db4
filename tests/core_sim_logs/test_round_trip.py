"""A run that is written as brokers' logs and imported again tells what the simulation knows to be true."""

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.diagnose.check import diagnose
from core.diagnose.verdict import LossClass, PartitionVerdict
from core.history.open import open_history
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.logs.broker_logs import BEGINNING, broker_logs, ended_at
from core.sim.run import simulate
from core.trace.trace import Event, Trace
from importers.load import load

from core.sim.library import scenario_ids
SCENARIOS = scenario_ids()
ERAS = ("0.10.2", "0.11", "2.8")
BEFORE, AFTER = 50_000_000, 100_000_000
PLACE = {kind: place for place, kind in enumerate(reversed(LossClass))}
PLACE[LossClass.POSSIBLY_ACKNOWLEDGED] = PLACE[LossClass.UNCOMMITTED]
"""Weak to strong. Logs do not say who was told what: that a record may have been promised claims nothing."""


@dataclass(frozen=True)
class Trip:
    """A run, what was imported of its logs, and what diagnosis says of both."""

    run: Trace
    read: Trace
    true: PartitionVerdict
    found: PartitionVerdict


@pytest.fixture(scope="module", params=[(name, one) for name in SCENARIOS for one in ERAS], ids="-".join)
def trip(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Trip:
    name, which = request.param
    run = simulate(scenario(name), era(which))
    folder = write(run, tmp_path_factory.mktemp(name))
    read = load([folder])
    return Trip(run, read, diagnose(run).partitions[0], diagnose(read).partitions[0])


def write(run: Trace, folder: Path) -> Path:
    for path, content in broker_logs(run).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        os.utime(folder / path, ns=(ended_at(run), ended_at(run)))
    return folder


def told(trace: Trace, *kinds: str) -> list[Event]:
    return [event for seq in range(len(trace)) if (event := trace.event(seq)).kind in kinds]


def test_every_line_is_understood(trip: Trip) -> None:
    report = trip.read.report

    assert (report["unrecognised"], report["malformed"]) == (0, 0), report["examples"]


def test_no_line_contradicts_another(trip: Trip) -> None:
    assert not [gap for gap in trip.read.report["gaps"] if "was not stopped cleanly" not in gap]


def test_the_partition_is_the_same(trip: Trip) -> None:
    assert [str(one.tp) for one in trip.read.partitions] == [str(one.tp) for one in trip.run.partitions]
    assert trip.read.partitions[0].replicas == trip.run.partitions[0].replicas


def test_each_epoch_has_its_leader(trip: Trip) -> None:
    wanted = {
        (event.values["epoch"], event.values["leader"])
        for event in told(trip.run, "leader_elected", "leaderless")
    }

    # An epoch in which only the in-sync set changed has the leader of the one before it.
    found = {(term.epoch, term.leader) for term in trip.found.leadership}
    assert wanted <= found
    assert found <= {(term.epoch, term.leader) for term in trip.true.leadership}


def test_the_isr_changes_are_those_of_the_run(trip: Trip) -> None:
    def spans(verdict: PartitionVerdict) -> list[tuple[int, ...]]:
        sets = [tuple(sorted(span.isr)) for span in verdict.isr]
        return [one for place, one in enumerate(sets) if place == 0 or one != sets[place - 1]]

    assert spans(trip.found) == spans(trip.true)


def test_the_cuts_are_those_of_the_run(trip: Trip) -> None:
    wanted = Counter(
        (event.values["replica"], event.values["from_offset"], event.values["offset"])
        for event in told(trip.run, "truncated")
    )

    found = Counter((cut.broker, cut.from_offset, cut.to_offset) for cut in trip.found.truncations)
    assert found == wanted


def test_the_crashes_are_those_after_which_a_broker_came_back(trip: Trip) -> None:
    wanted = Counter(event.values["replica"] for event in told(trip.run, "broker_starting"))

    assert Counter(event.values["replica"] for event in told(trip.read, "broker_crashed")) == wanted


def test_the_end_is_the_same(trip: Trip) -> None:
    true, read = open_history(trip.run, 0).at(len(trip.run)), open_history(trip.read, 0).at(len(trip.read))
    keeps_epochs = bool(told(trip.run, "epoch_assigned"))

    for replica in true.replicas:
        here = read.replica(replica.broker)
        assert here.leo.exact == replica.leo.exact
        if keeps_epochs:
            assert here.epochs == replica.epochs
            assert [(run.epoch, run.start, run.end) for run in here.runs] == [
                (run.epoch, run.start, run.end) for run in replica.runs
            ]


def test_every_value_that_is_claimed_holds_the_true_one(trip: Trip) -> None:
    """What a row states is shown as exact for an instant: the hull of the bands around a time counts."""
    true, read = open_history(trip.run, 0), open_history(trip.read, 0)
    for now in sorted(set(trip.run.columns["at"].tolist())):
        was = true.at(trip.run.cursor_at(now))
        around = range(
            trip.read.cursor_at(BEGINNING + now - BEFORE), trip.read.cursor_at(BEGINNING + now + AFTER) + 1
        )
        for replica in was.replicas:
            for name in ("leo", "hw"):
                bands = [getattr(read.at(cursor).replica(replica.broker), name) for cursor in around]
                value = getattr(replica, name).exact
                assert any(band.lo is None or band.lo <= value for band in bands), (now, replica.broker, name)
                assert any(band.hi is None or value <= band.hi for band in bands), (now, replica.broker, name)


def test_no_loss_is_false_or_stronger_than_the_true_one(trip: Trip) -> None:
    true = classes(trip.true)

    for offset, found in classes(trip.found).items():
        assert offset in true, (offset, found)
        assert PLACE[found] <= PLACE[true[offset]], (offset, found, true[offset])


def test_a_committed_loss_is_found(trip: Trip) -> None:
    """As a loss, or where the disks still hold both records, as a divergence."""
    strong = {offset for offset, found in classes(trip.true).items() if found is LossClass.COMMITTED}
    split = {offset for one in trip.found.divergences for offset in range(one.first_offset, one.end_offset)}

    assert strong <= set(classes(trip.found)) | split


def test_divergence_is_found(trip: Trip) -> None:
    def places(verdict: PartitionVerdict) -> list[tuple[tuple[int, int], int, int]]:
        return [(one.brokers, one.first_offset, one.end_offset) for one in verdict.divergences]

    assert places(trip.found) == places(trip.true)


def classes(verdict: PartitionVerdict) -> dict[int, LossClass]:
    """The strongest class by offset."""
    found: dict[int, LossClass] = {}
    for loss in verdict.losses:
        for offset in range(loss.first_offset, loss.end_offset):
            found[offset] = max(loss.loss_class, found.get(offset, loss.loss_class), key=PLACE.__getitem__)
    return found
