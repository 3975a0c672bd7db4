"""The truncation x-ray. The simulator cuts by the same rules with messages between: outcomes must agree."""

from collections.abc import Sequence

import pytest

from core.diagnose.narrate.why import why
from core.diagnose.verdict.as_json import verdict_dict
from core.diagnose.verdict.check import diagnose, diagnose_partition
from core.diagnose.verdict.facts import XRay
from core.history.open import open_history
from core.kafka.eras import ERAS, Era, era
from core.sim.library import scenario, scenario_ids
from core.words import text
from tests.core_sim.rounds import together
from tests.recordings.whole import whole
from tests.runs import diagnosed, simulated

pytestmark = pytest.mark.broad(5)

ELSEWHERE = {
    # The cut falls inside a batch, which goes as a whole (linkedin/kafka, pull request 407).
    ("batch-truncation", "0.11"),
    ("batch-truncation", "1.1"),
    # While the follower asks where the leader ends, the leader grows past it (KAFKA-3919).
    ("kafka-3919", "0.10.2"),
}


def rays_of(script: str, era_id: str) -> list[XRay]:
    return [ray for one in diagnosed(script, era(era_id)).partitions for ray in one.x_rays]


def leo_of(ray: XRay, era_id: str) -> tuple[int | None, int | None]:
    (found,) = [one for one in ray.outcomes if one.era == era_id]
    return found.leo_lo, found.leo_hi


OF_ONE_ERA = [one for one in scenario_ids() if not scenario(one).plans]
"""Scenarios in which no broker has a protocol of its own: there its era does not say what it does."""


@pytest.mark.parametrize("script", OF_ONE_ERA)
@pytest.mark.parametrize("eras", together())
def test_the_outcome_of_a_runs_own_era_is_what_the_run_did(script: str, eras: Sequence[Era]) -> None:
    for rules in eras:
        rays = [ray for ray in rays_of(script, rules.id) if ray.rule != "recovery"]
        for number, ray in enumerate(rays):
            # A cut may be the first of several: to the own high watermark, then to the leader's end.
            following = [one.to_offset for one in rays[number:] if one.broker == ray.broker][:3]
            low, high = leo_of(ray, rules.id)
            agrees = low == high and low in following
            assert agrees or (script, rules.id) in ELSEWHERE, (rules.id, ray)


def test_the_fix_would_have_kept_the_record_that_0_10_lost() -> None:
    first = rays_of("hw-loss", "0.10.2")[0]

    assert (first.from_offset, first.to_offset, first.rule) == (2, 1, "high-watermark")
    assert first.own.entries == ((0, 0),)
    assert [leo_of(first, one.id) for one in ERAS] == [(1, 1)] + [(2, 2)] * (len(ERAS) - 1)
    assert "KIP-101" in first.tickets


def test_kip_279_in_a_recording_of_1_1_would_have_cut_further() -> None:
    verdict = whole("k111-kip279-divergence").verdict

    rays = [ray for one in verdict.partitions for ray in one.x_rays]

    # The recording's README: broker 2 cut to 30 and kept 20 to 29; 2.0 and later cut to 20.
    assert rays
    for ray in rays:
        assert (ray.rule, ray.to_offset, leo_of(ray, "1.1"), leo_of(ray, "2.0")) == (
            "leader-epoch",
            30,
            (30, 30),
            (20, 20),
        )
        assert ray.own.entries == ((0, 0), (1, 20))
        assert ray.other is not None
        assert ray.other.entries == ((0, 0), (3, 30))


def test_what_is_only_bounded_has_a_bounded_outcome() -> None:
    verdict = whole("k111-kip279-divergence").verdict

    (ray, *_) = [ray for one in verdict.partitions for ray in one.x_rays]

    # The rule of 0.10 cuts to the high watermark of broker 2, which its log end, 36, bounds from above. Its
    # leader's log ends at 35 at most: topic trades allows the cut to there.
    assert leo_of(ray, "0.10.2") == (20, 35)


@pytest.mark.parametrize("name", ["k0102-hw-loss", "k28-unclean-loss"])
def test_the_inspector_says_of_a_cut_what_its_x_ray_says(name: str) -> None:
    """What may happen until the next event is not what the cut left: after one to 90 a log ends at 90."""
    one = whole(name)
    rays = [(found.partition, ray) for found in one.verdict.partitions for ray in found.x_rays]
    assert rays
    for partition, ray in rays:
        history = open_history(one.trace, partition)
        told = dict(why(history, diagnose_partition(history), ray.seq + 1).facts)
        assert told["LEO"].rpartition("→ ")[2] == str(ray.to_offset)
        assert told["HW"].rpartition("→ ")[2] == str(ray.hw_after)


def test_json_has_an_x_ray_for_each_truncation() -> None:
    trace = simulated("hw-loss", era("0.10.2"))

    (partition,) = verdict_dict(trace, diagnose(trace), text)["partitions"]

    for cut in partition["truncations"]:
        assert [one["era"] for one in cut["x_ray"]["eras"]] == [rules.id for rules in ERAS]
        assert cut["x_ray"]["follower_log"]["epochs"] == [[0, 0]]
