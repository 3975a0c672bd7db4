"""Questions made from runs: the run's own answer is right, every other one is wrong where it is exact."""

from collections.abc import Iterator

import pytest

from core.compare.comparison import Run
from core.sim.translations import scenario_ids
from core.teaching.answers import Mark, judge
from core.teaching.facts import CUT_RULES
from core.teaching.generated import Generated, drawn, questions_of
from core.teaching.lesson import AskKind, Scene, Spot
from core.teaching.runs import simulated_runs

ERAS = ("0.10.2", "0.11", "2.0", "2.8", "3.7", "4.1")


def _run(scenario: str, era: str) -> Run:
    return simulated_runs(Scene(scenario, "", "", (era,), Spot()))[0]


def holds(one: Generated) -> None:
    """Hold the judging of a question against its own answer, and against every other value near it."""
    answer, ask = one.answer, one.ask
    if answer.members is not None:
        assert judge(ask, answer.members, answer).mark is Mark.RIGHT
        for wrong in (answer.members | {10**9}, answer.members - {max(answer.members, default=-1)}):
            assert wrong == answer.members or judge(ask, wrong, answer).mark is not Mark.RIGHT
    else:
        low = answer.lo if answer.lo is not None else answer.hi
        high = answer.hi if answer.hi is not None else answer.lo
        assert low is not None
        assert high is not None
        for value in range(max(low - 3, -1), high + 4):
            inside = (answer.lo is None or value >= answer.lo) and (answer.hi is None or value <= answer.hi)
            assert (judge(ask, value, answer).mark is Mark.RIGHT) is inside
    for wrong in one.wrong:
        assert judge(ask, wrong, answer).mark is not Mark.RIGHT


def _all() -> Iterator[tuple[str, str, Generated]]:
    for scenario in scenario_ids():
        for era in ERAS:
            yield from ((scenario, era, one) for one in questions_of(_run(scenario, era)))


@pytest.mark.slow
def test_five_hundred_questions_over_scenarios_and_eras() -> None:
    found = list(_all())

    assert len(found) >= 500
    assert {one.ask.kind for _, _, one in found} == {
        AskKind.CUT,
        AskKind.LEADER,
        AskKind.WATERMARK,
        AskKind.IN_SYNC,
        AskKind.LOST,
        AskKind.CHOICE,
    }
    for _scenario, _era, one in found:
        holds(one)


def test_the_cut_of_the_loss_is_asked_with_what_later_eras_keep_as_a_wrong_answer() -> None:
    asked = [one for one in questions_of(_run("hw-loss", "0.10.2")) if one.ask.kind is AskKind.CUT]
    first = asked[0]

    # 0.10.2 cuts B to its own high watermark, 1; from 0.11 on it keeps what the leader holds of the epoch, 2.
    assert (first.ask.broker, first.answer.exact, first.wrong[0]) == ("B", 1, 2)
    assert not first.eras_agree


@pytest.mark.parametrize(
    ("era", "place"),
    # To 0.10.2 by its own high watermark. From 0.11 on nothing of hw-loss is cut: there is no such question.
    [("0.10.2", 0), ("0.11", None), ("2.8", None)],
)
def test_the_rule_of_the_first_cut_is_asked_for_with_those_of_all_releases(
    era: str, place: int | None
) -> None:
    asked = [
        one for one in questions_of(_run("hw-loss", era)) if one.ask.kind is AskKind.CHOICE and one.ask.broker
    ]

    assert [one.answer.exact for one in asked[:1]] == ([] if place is None else [place])
    for one in asked:
        # High watermark, end of an epoch, diverging fetch, out of range.
        assert [option.fact.kind for option in one.ask.options] == [f"cut-by-{rule}" for rule in CUT_RULES]
        assert set(one.wrong) == {0, 1, 2, 3} - {one.answer.exact}


@pytest.mark.parametrize(
    ("scenario", "era", "how"),
    [
        # KIP-966: from 4.1 on an eligible leader replica leads where the in-sync set is empty.
        ("s8", "4.1", "elected-elr"),
        ("recovering-leader", "0.10.2", "elected-unclean"),
        ("hw-loss", "0.10.2", "elected-clean"),
    ],
)
def test_how_the_next_leader_is_chosen_is_asked_for(scenario: str, era: str, how: str) -> None:
    asked = [
        one
        for one in questions_of(_run(scenario, era))
        if one.ask.kind is AskKind.CHOICE and not one.ask.broker
    ]

    assert how in {one.ask.options[one.answer.exact or 0].fact.kind for one in asked}


def test_the_same_seed_draws_the_same_questions() -> None:
    asked = questions_of(_run("hw-loss", "0.10.2"))

    assert drawn(asked, 3, 7) == drawn(asked, 3, 7)
    assert len({drawn(asked, 3, seed) for seed in range(20)}) > 3
    assert len(drawn(asked, 10**6, 1)) == len(asked)
