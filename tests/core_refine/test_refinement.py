"""Each step of a simulated run is a step of the model's variant, some of them, or none."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from core.kafka.election import Choice
from core.kafka.epochs import NO_END
from core.kafka.eras import ERAS, Era, era, with_switches
from core.kafka.truncation import Cut
from core.model.variants import KIP_101_CLAMPED, KIP_279, KIP_320, TRUNCATE_TO_HW
from core.refine.moments import looked_at
from core.refine.refinement import Refinement, refine, variant_of
from core.sim import follower, insync, leader, log_ends, zookeeper
from core.sim.library import scenario, scenario_ids
from core.trace.vocabulary import CutReason, Election, StopReason
from tests.core_refine.small import CALM, ROUGH, small

pytestmark = pytest.mark.broad(4)

RUNS = 20
"""Random runs of one case."""


def held(name: str, own: Era, rules: Era | None = None) -> Refinement:
    return refine(looked_at(scenario(name), own), rules)


def random_run(seed: int, rules: Era | None = None) -> Refinement:
    """The run of a seed, by itself in the era that is its turn; every third is calm."""
    script = small(seed, CALM if seed % 3 == 0 else ROUGH)
    return refine(looked_at(script, rules or ERAS[seed % len(ERAS)]))


@pytest.mark.thinned(7)
@pytest.mark.parametrize("name", scenario_ids())
@pytest.mark.parametrize("rules", ERAS, ids=lambda rules: rules.id)
def test_a_shipped_scenario_does_what_the_variant_of_its_era_allows(name: str, rules: Era) -> None:
    found = held(name, rules)

    assert found.refused is None, found.refused


HOLES = (
    "s1",
    "s2",
    "s7",
    "silent-divergence",
    "unknown-epoch-loss",
    "stale-hw-isr",
    "stale-leader-truncation",
)


@pytest.mark.parametrize("name", HOLES)
def test_the_holes_of_the_domain_are_held_against_the_model_in_every_era_without_eligible_leaders(
    name: str,
) -> None:
    for rules in ERAS:
        if rules.switches.eligible_leaders == "off":
            found = held(name, rules)
            assert not found.beyond, rules.id
            assert found.taken["becomes-follower"] > 0, rules.id


@pytest.mark.thinned(13)
@pytest.mark.parametrize("first", range(0, 2_600, RUNS))
def test_a_small_random_run_does_what_the_variant_of_its_era_allows(first: int) -> None:
    found = [random_run(seed) for seed in range(first, first + RUNS)]

    assert {first + place: one.refused for place, one in enumerate(found) if one.refused is not None} == {}
    # With eligible leader replicas, or with too many records, a run is not held against the model.
    assert sum(not one.beyond for one in found) >= RUNS * 3 // 4


def test_every_era_has_a_variant_and_they_follow_each_other_as_their_tickets_did() -> None:
    order = [TRUNCATE_TO_HW, KIP_101_CLAMPED, KIP_279, KIP_320]
    places = [order.index(variant_of(one)) for one in ERAS]

    assert places == sorted(places)
    assert {one.id: variant_of(one).name for one in ERAS[:5]} == {
        "0.10.2": "truncate-to-hw",
        "0.11": "kip-101-clamped",
        "1.1": "kip-101-clamped",
        "2.0": "kip-279",
        "2.1": "kip-320",
    }


OTHERS = (
    # KIP-101: the cut to the own high watermark, at once, without a word to the leader.
    ("hw-loss", "0.10.2", "0.11", "LeaderAndIsr"),
    ("s1", "2.8", "0.10.2", "Fetch"),
    # KIP-279: an offset alone does not say where logs part.
    ("silent-divergence", "1.1", "2.0", "OffsetsForLeaderEpoch"),
    ("silent-divergence", "2.0", "1.1", "OffsetsForLeaderEpoch"),
    # KAFKA-7415: a leader that does not know the epoch says nothing.
    ("unknown-epoch-loss", "2.0", "2.1", "OffsetsForLeaderEpoch"),
    # KAFKA-7128: an empty follower joins the in-sync set of a leader whose high watermark is stale.
    ("stale-hw-isr", "2.0", "2.1", "Fetch"),
    # KIP-320: a leader in epoch 2 answers the fetch of a follower in epoch 0, as soon as there is a record.
    ("stale-leader-truncation", "2.0", "2.1", "Produce"),
)
"""A scenario, the era of the run, an era that cannot do it, and the message with which it begins to."""


@pytest.mark.parametrize(("name", "own", "other", "what"), OTHERS)
def test_a_run_is_refused_for_an_era_that_cannot_do_it(name: str, own: str, other: str, what: str) -> None:
    found = held(name, era(own), era(other))

    assert held(name, era(own)).refused is None
    assert found.refused is not None
    assert found.refused.what == what
    assert found.refused.before != found.refused.after


def _answers_every_epoch(replica: Any, _request: Any) -> StopReason | None:
    return None if replica.leading is not None else StopReason.NOT_LEADER


def _cuts_nothing(_end: Any, _entries: Any, leo: int, *_: Any, **_named: Any) -> Cut:
    return Cut(leo, CutReason.LEADER_EPOCH, needed=False)


def _elects_anybody(replicas: Any, _isr: Any, live: Any, **_: Any) -> Choice:
    last = max(one for one in replicas if one in live)
    return Choice(last, (last,), Election.CLEAN)


BROKEN: dict[str, tuple[list[tuple[ModuleType, str, Callable[..., Any]]], str, list[str]]] = {
    "a leader answers requests of any leader epoch": (
        [(leader, "refusal_of", _answers_every_epoch), (log_ends, "refusal_of", _answers_every_epoch)],
        "2.1",
        ["stale-leader-truncation"],
    ),
    "everybody may join the in-sync set": (
        [(insync, "may_join", lambda *_, **__: True)],
        "2.4",
        ["stale-hw-isr"],
    ),
    "the high watermark waits for nobody": (
        [(leader, "leader_hw", lambda _hw, leo, _counted: leo)],
        "2.4",
        ["two-replica-sync"],
    ),
    "a follower takes its log end for committed": (
        [(follower, "follower_hw", lambda _told, leo: leo)],
        "2.4",
        ["two-replica-sync"],
    ),
    "a follower of 0.10 cuts nothing": (
        [
            (
                follower,
                "on_following",
                lambda _rule, _answer, _entries, leo, _hw: Cut(
                    leo, CutReason.LOCAL_HIGH_WATERMARK, needed=False
                ),
            )
        ],
        "0.10.2",
        ["hw-loss"],
    ),
    "a follower cuts nothing when it hears the end of its epoch": (
        [(follower, "on_epoch_answer", _cuts_nothing)],
        "2.1",
        ["silent-divergence"],
    ),
    "a leader knows no epoch": (
        [(log_ends, "end_of_epoch", lambda *_: NO_END)],
        "2.1",
        ["hw-loss"],
    ),
    "a leader does not say that a fetch parts from its log": (
        [(leader, "diverges", lambda *_: False)],
        "2.8",
        ["silent-divergence"],
    ),
    "whoever is alive is elected": (
        [(zookeeper, "elect", _elects_anybody)],
        "2.8",
        ["stale-hw-isr"],
    ),
}
"""A rule of the simulator that is broken: by what, in which era, and the scenarios of which one shows it."""


@pytest.mark.parametrize("broken", BROKEN)
def test_a_simulator_without_one_of_its_rules_is_refused(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced, own, names = BROKEN[broken]
    for module, name, by in replaced:
        monkeypatch.setattr(module, name, by)

    assert [name for name in names if held(name, era(own)).refused is not None] == names


@pytest.mark.parametrize("id_", ["2.1", "2.8", "3.3"])
def test_without_the_fence_of_kip_320_a_run_is_refused(id_: str) -> None:
    rules = with_switches(era(id_), {"fencing": "none"})

    assert held("stale-leader-truncation", rules, era(id_)).refused is not None
