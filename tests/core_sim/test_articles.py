"""core/lessons/articles.toml: each number is what a run gives, and each claim points to what exists."""

import re

import pytest

from core.compare.script import step_cursors
from core.history.open import open_history
from core.kafka.eras import era, era_named
from core.sim.articles import Claim, Outcome, Risk, claims, risks
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Trace
from tests.core_sim.costs import Begin, cost
from tests.runs import simulated


def cost_of(trace: Trace, start_replay: Begin) -> tuple[int, int]:
    """Records lost and offsets that differ, by the account of the tests."""
    told = cost(trace, start_replay)
    lost, diverged = (re.search(rf"(\d+) {of}", told) for of in ("lost", "diverged"))
    return int(lost[1]) if lost else 0, int(diverged[1]) if diverged else 0


def measured(trace: Trace, claim: Claim, start_replay: Begin) -> int:
    """What a run says of the value of a claim, at the end of its step."""
    value = claim.value
    if value.of in ("lost", "diverged"):
        return cost_of(trace, start_replay)[value.of == "diverged"]
    following = step_cursors(trace).get(claim.place.step + 1)
    cursor = len(trace) if following is None else following - 1
    broker = scenario(claim.scenario).broker_id(value.broker)
    state = open_history(trace, 0).replicas[broker].at(cursor)
    at = state.leo.exact if value.of == "leo" else state.hw.exact
    assert at is not None
    return at - 1 if value.of == "last-visible" else at


@pytest.mark.parametrize("claim", claims(), ids=lambda one: one.title["en"])
class TestEachClaim:
    def test_it_is_told_in_both_languages(self, claim: Claim) -> None:
        for texts in (claim.title, claim.article, claim.kafka):
            assert set(texts) == {"en", "zh"}
            assert texts["en"].isascii()

    def test_the_last_of_its_runs_that_has_the_rule_of_kafka_gives_kafkas_number(
        self, claim: Claim, start_replay: Begin
    ) -> None:
        found = [
            measured(simulate(scenario(claim.scenario), era_named(name)), claim, start_replay)
            for name in claim.runs
        ]
        # Where a switch has the articles' rule, or an earlier release shows the case, that run stands first.
        if claim.value.article is not None:
            assert found[-1] == claim.value.kafka
            assert len(found) == 1 or found[0] == claim.value.article
        else:
            assert found == [claim.value.kafka, 0]

    def test_the_numbers_differ(self, claim: Claim) -> None:
        assert claim.value.article != claim.value.kafka


@pytest.mark.parametrize("risk", risks(), ids=lambda one: one.era)
def test_the_table_of_risks_holds_what_runs_cost(risk: Risk, start_replay: Begin) -> None:
    found = tuple(
        Outcome(one.scenario, *cost_of(simulated(one.scenario, era(risk.era)), start_replay))
        for one in risk.outcomes
    )
    assert found == risk.outcomes


def test_every_row_has_the_same_scenarios_and_only_the_articles_rows_have_their_words() -> None:
    names = [[one.scenario for one in risk.outcomes] for risk in risks()]
    assert all(one == names[0] for one in names)
    told = {risk.era: (risk.loss, risk.consistency) for risk in risks()}
    assert told == {
        "0.10.2": ("high", "low"),
        "0.11": ("low", "high"),
        "2.0": (None, None),
        "2.1": (None, None),
    }
