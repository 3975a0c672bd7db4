"""Real incidents lifted and continued: they lose what was really lost, and changes come to what Kafka does.

What was really lost is told by the recordings' truth: what producers were told, and what the disks held.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from core.kafka.eras import era
from core.lab.changes import Cost
from core.lab.choices import STANCES, Stance
from core.lab.lift import lift
from core.lab.material import Material, material_of
from core.lab.prevent import Prevention, Tried, Verdict, before, incident_of, prevent
from core.lab.replay import Replay, replay
from core.sim.ablation.setup import Setup
from core.trace.ids import Nanos
from core.trace.times import parse_time
from importers.load import load
from tests.archives import unpack_recording

pytestmark = pytest.mark.broad(18)

BEFORE_THE_RETURN = "2026-11-21T03:29:05Z"
"""k0102-hw-loss: the follower and the controller are down, the leader leads alone."""
UNCLEAN = {
    "k28-unclean-loss": "events-0",
    "k39-unclean-loss": "events-1",
    "k111-kip279-divergence": "trades-0",
    "k28-kip279-fix": "trades-1",
}
"""Unclean elections by the controller itself."""
OTHERS = {
    "k0102-hw-loss": "orders-0",
    "k0102-divergence": "views-1",
    "k28-ibp0102-hw-loss": "orders-0",
    "k43-chaos": "carts-2",
}
EVERY = {**UNCLEAN, **OTHERS}


@dataclass(frozen=True, slots=True)
class Case:
    material: Material
    really_lost: frozenset[int]
    """Offsets that a producer was told of and that the last leader does not hold."""


@lru_cache(maxsize=4)
def case(name: str, partition: str) -> Case:
    with TemporaryDirectory() as folder:
        path, truth = unpack_recording(name, Path(folder))
        trace = load([path])
    index = trace.partition_index(partition)
    assert index is not None
    lost: list[dict[str, Any]] = truth["lost"].get(partition, [])
    return Case(material_of(trace, index), frozenset(offset_of(one) for one in lost))


def offset_of(one: Any) -> int:
    return int(one["offset"] if isinstance(one, dict) else one)


@lru_cache(maxsize=8)
def prevention(name: str) -> Prevention:
    material = case(name, EVERY[name]).material
    incident = incident_of(material)
    assert incident is not None
    return prevent(material, incident)


def offsets(run: Replay, *, committed: bool = False) -> set[int]:
    ranges = run.committed_lost if committed else run.outcome.lost
    return {offset for one in ranges for offset in range(one.first_offset, one.end_offset)}


def tried(found: Prevention, name: str) -> Tried:
    return next(one for one in found.tried if one.change.name == name)


def continued(stance: Stance, era_id: str) -> Replay:
    material = case("k0102-hw-loss", "orders-0").material
    at = parse_time(BEFORE_THE_RETURN)
    lifted = lift(material, material.trace.cursor_at(Nanos(at)), stance, at=at)
    return replay(Setup(lifted.scenario, era(era_id)))


@pytest.mark.parametrize("stance", STANCES)
def test_the_loss_of_0102_lifted_before_the_return_loses_what_was_really_lost(stance: Stance) -> None:
    """Offsets 206 to 253 were lost; 254 and 255 stood in the leader's log alone, and nobody was told."""
    lost = offsets(continued(stance, "0.10.2"))

    really = case("k0102-hw-loss", "orders-0").really_lost
    assert really == set(range(206, 254))
    assert really <= lost <= set(range(206, 256))


@pytest.mark.parametrize("stance", STANCES)
def test_the_same_with_leader_epochs_and_fetch_divergence_loses_nothing(stance: Stance) -> None:
    assert continued(stance, "2.8").loses_nothing


@pytest.mark.parametrize("name", ["k0102-hw-loss", *UNCLEAN])
def test_continued_from_before_the_first_fault_it_loses_what_was_really_lost(name: str) -> None:
    matches(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(OTHERS) - {"k0102-hw-loss"}))
def test_so_do_the_others(name: str) -> None:
    matches(name)


@pytest.mark.parametrize(
    ("name", "partition"), [("k28-ibp0102-hw-loss", "audit-0"), ("k0102-divergence", "ledger-0")]
)
def test_so_do_those_whose_third_copy_is_on_the_controller(name: str, partition: str) -> None:
    """Its successor begins an epoch with the same leader, and of the two followers one held a record more."""
    found = case(name, partition)
    incident = incident_of(found.material)
    assert incident is not None
    cursor, at = before(found.material, incident)

    assert found.really_lost
    for stance in STANCES:
        lifted = lift(found.material, cursor, stance, at=at)
        committed = offsets(replay(Setup(lifted.scenario, lifted.era)), committed=True)
        assert committed == found.really_lost


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(EVERY))
def test_every_partition_of_a_recording_loses_again_what_it_lost(name: str) -> None:
    with TemporaryDirectory() as folder:
        path, truth = unpack_recording(name, Path(folder))
        trace = load([path])
    lost: dict[str, Any] = truth["lost"]
    lost = {partition: told for partition, told in lost.items() if told}
    assert EVERY[name] in lost
    for partition, told in lost.items():
        index = trace.partition_index(partition)
        assert index is not None
        material = material_of(trace, index)
        incident = incident_of(material)
        assert incident is not None
        cursor, at = before(material, incident)
        runs: dict[Stance, Replay] = {}
        for stance in STANCES:
            lifted = lift(material, cursor, stance, at=at)
            runs[stance] = replay(Setup(lifted.scenario, lifted.era))
        really = {offset_of(one) for one in told}
        assert really <= offsets(runs[Stance.WORST]), partition
        # What one copy alone had confirmed is lost where producers asked for acks=1: at the worst end.
        committed = offsets(runs[Stance.WORST], committed=True)
        assert really & committed <= offsets(runs[Stance.BEST]), partition


def matches(name: str) -> None:
    found = prevention(name)
    assert found.reproduced
    really = case(name, EVERY[name]).really_lost
    assert really
    for stance in STANCES:
        assert really <= offsets(found.unchanged[stance])


@pytest.mark.parametrize("name", ["k28-unclean-loss", "k39-unclean-loss", "k111-kip279-divergence"])
def test_without_unclean_elections_nothing_committed_is_lost_and_nobody_leads_for_longer(name: str) -> None:
    found = prevention(name)
    off = tried(found, "unclean.leader.election.enable=false")

    assert off in found.preventing
    assert off.cost is Cost.AVAILABILITY
    for stance in STANCES:
        assert not offsets(off.replays[stance], committed=True)
        assert off.replays[stance].unled_s > found.unchanged[stance].unled_s
        assert off.replays[stance].unconfirmed >= found.unchanged[stance].unconfirmed


def test_min_isr_does_not_keep_what_an_unclean_election_takes() -> None:
    """k28: the broker elected had left the ISR before: two copies in sync do not help, nor does acks=all."""
    found = tried(prevention("k28-unclean-loss"), "min.insync.replicas=2")

    assert found.verdict is Verdict.NOT
    refused = found.replays[Stance.BEST].unconfirmed
    assert refused > prevention("k28-unclean-loss").unchanged[Stance.BEST].unconfirmed


def test_kraft_before_3_9_elects_nobody_uncleanly_by_itself() -> None:
    """KAFKA-12670: 3.3 to 3.8 do not look at unclean.leader.election.enable; 4.0 does."""
    found = prevention("k28-unclean-loss")

    verdicts = {one: tried(found, f"release={one}").verdict for one in ("3.3", "3.7", "4.0", "4.1")}
    assert verdicts == {"3.3": "prevents", "3.7": "prevents", "4.0": "not", "4.1": "not"}


def test_a_loss_to_the_own_high_watermark_ends_with_leader_epochs_and_no_setting_prevents_it() -> None:
    """KIP-101. What a leader alone held is lost in the best of releases where producers ask for acks=1."""
    found = prevention("k0102-hw-loss")

    first = found.preventing[0]
    assert (first.change.name, first.cost) == ("release=0.11", Cost.UPGRADE)
    costs = (Cost.TOPIC, Cost.RESTART)
    settings = [one for one in found.tried if one.change.cost in costs and not one.change.is_time]
    assert settings
    assert {one.verdict for one in settings} == {Verdict.NOT}
    alone = offsets(first.replays[Stance.WORST])
    assert alone == {254, 255}
    assert first.replays[Stance.BEST].loses_nothing


@pytest.mark.slow
def test_between_newer_brokers_the_protocol_alone_prevents_it() -> None:
    found = prevention("k28-ibp0102-hw-loss")

    assert found.preventing[0].change.name == "inter.broker.protocol.version"
    assert found.preventing[0].cost is Cost.RESTART


def test_a_divergence_goes_with_kip_279_the_loss_by_the_unclean_election_stays() -> None:
    found = prevention("k111-kip279-divergence")

    assert found.unchanged[Stance.WORST].outcome.offsets_diverged == 10
    release = tried(found, "release=2.0")
    assert release.verdict is Verdict.NOT
    assert not release.replays[Stance.WORST].outcome.diverged


def test_the_leader_that_is_started_first_saves_what_it_held() -> None:
    found = tried(prevention("k28-unclean-loss"), "start-first=1")

    assert found.verdict is Verdict.PREVENTS
    assert found.cost is Cost.OPERATOR


def test_an_election_by_hand_that_is_left_out_loses_nothing() -> None:
    material = case("k39-unclean-loss", "ledger-0").material
    incident = incident_of(material)
    assert incident is not None
    found = prevent(material, incident)

    assert found.reproduced
    assert tried(found, "no-election=2").verdict is Verdict.PREVENTS


def test_a_time_that_keeps_the_records_here_is_no_cure_and_stands_behind_what_is_one() -> None:
    """k39: with a session of 18 s the broker that died is back before anybody elects another one."""
    found = prevention("k39-unclean-loss")
    names = [one.change.name for one in found.by_times]

    assert names == ["broker.session.timeout.ms=18000", "broker.session.timeout.ms=45000"]
    assert not [one for one in found.preventing if one.change.is_time]
    helping = [one for one in found.tried if one.keeps_committed]
    assert [one.change.is_time for one in helping] == [False] * len(found.preventing) + [True] * len(names)
