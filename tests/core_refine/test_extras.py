"""Each step that Kafka takes and the model has not, with a run that takes it."""

import pytest

from core.kafka.eras import era
from core.refine.extras import EXTRAS
from core.refine.moments import looked_at
from core.refine.refinement import Refinement, refine
from core.sim.library import scenario
from core.sim.scenario import parse_scenario
from core.sim.script_text import Plan, StepPlan, Value, as_toml
from tests.core_refine.small import CALM, ROUGH, small

QUIET: dict[str, Value] = {
    "replica.lag.time.max.ms": 2_000,
    "zookeeper.session.timeout.ms": 60_000,
    "unclean.leader.election.enable": False,
}


def run_of(brokers: tuple[str, ...], steps: tuple[StepPlan, ...], id_: str) -> Refinement:
    plan = Plan(brokers, QUIET, 0, steps, cluster={"fetching": "by-step"})
    return refine(looked_at(parse_scenario(as_toml(plan, "extra")), era(id_)))


def test_a_follower_whose_leader_dies_between_cut_and_next_fetch_has_cut_without_agreeing() -> None:
    """m0 of epoch 0 on A, m1 of epoch 1 on B. A leads epoch 2, B hears of it and cuts m1, and A dies."""
    found = run_of(
        ("A", "B"),
        (
            {"do": "produce", "count": 1, "acks": "1", "for_ms": 5},
            {"do": "hold-controller", "brokers": ("A",)},
            {"do": "elect", "broker": "B", "for_ms": 5},
            {"do": "produce", "count": 1, "acks": "1", "to": "B", "for_ms": 5},
            {"do": "hold-controller", "brokers": ("B",)},
            {"do": "elect", "broker": "A", "for_ms": 0},
            {"do": "release-controller", "brokers": ("A",), "newest_first": True, "for_ms": 5},
            {"do": "fetch-freely", "brokers": ("B",), "for_ms": 0},
            # It hears after 1 ms, its fetch arrives after 2, and the answer that the logs part after 3.
            {"do": "release-controller", "brokers": ("B",), "for_ms": 3},
            {"do": "crash", "broker": "A", "for_ms": 10},
            {"do": "elect", "broker": "B", "for_ms": 50},
        ),
        "2.8",
    )

    assert found.refused is None
    assert found.extras["cuts-and-is-interrupted"] == 1


def test_a_follower_that_is_longer_than_its_leader_is_cut_to_its_end() -> None:
    """To 0.10 a follower cuts to its own high watermark, which may be above its leader's log end."""
    script = scenario("hw-loss").text.replace('enable" = false', 'enable" = true')
    found = refine(looked_at(parse_scenario(script), era("0.10.2")))

    assert found.refused is None
    assert not found.beyond
    assert found.extras["cuts-to-leaders-end"] == 1


TAKEN = (
    ("hears-high-watermark", 0, "0.10.2"),
    ("starts-again", 905, "3.5"),
    ("controller-removes-alone", 908, "4.0"),
    ("removes-by-its-last-fetch", 1079, "0.10.2"),
    ("removes-by-its-last-fetch", 1117, "4.1"),
    ("adds-by-its-last-fetch", 1229, "3.3"),
    ("counts-what-it-heard", 1072, "2.8"),
    ("keeps-following", 910, "0.10.2"),
)
"""A step, and a small random run that takes it, by its seed."""


@pytest.mark.parametrize(("name", "seed", "id_"), TAKEN)
def test_a_random_run_takes_it(name: str, seed: int, id_: str) -> None:
    found = refine(looked_at(small(seed, CALM if seed % 3 == 0 else ROUGH), era(id_)))

    assert found.refused is None
    assert found.extras[name] > 0


def test_each_extra_step_is_shown_here() -> None:
    """The three that have a test of their own stand with those of `TAKEN`."""
    shown = {"cuts-and-is-interrupted", "cuts-to-leaders-end", "cuts-where-nothing-is-said"}

    assert len(EXTRAS) == len({name for name, _, _ in TAKEN} | shown)


def test_2_0_cuts_where_its_leader_says_nothing() -> None:
    """KAFKA-7415, of which kip-279 knows nothing: it cuts where the logs part."""
    found = refine(looked_at(scenario("unknown-epoch-loss"), era("2.0")))

    assert found.extras["cuts-where-nothing-is-said"] == 1
