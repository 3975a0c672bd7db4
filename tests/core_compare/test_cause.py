"""What carries the first difference, and what is responsible for the outcome. Expected: Kafka's tickets."""

from collections import OrderedDict
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from core.compare import cause
from core.compare.align import compare, make_runs, tied
from core.compare.as_json import compare_json
from core.compare.cause import with_causes
from core.compare.cause_words import aspect_message, change_message, first_messages, responsible_messages
from core.compare.comparison import Comparison, PairCauses, Run
from core.compare.ticket import ticket_text
from core.errors import CancelledError
from core.kafka.eras import ERAS, Era, era, with_switches
from core.sim.ablation import causes
from core.sim.ablation.outcome import Aspect
from core.sim.ablation.setup import Setup
from core.sim.library import scenario, scenario_ids
from core.trace.trace import Trace
from core.words import text
from core.work import QUIET, Work
from gui.text.render import renderer
from tests.recordings.whole import sampled
from tests.runs import simulated

pytestmark = pytest.mark.broad(8)


@cache
def compared(script: str, *rules: Era) -> Comparison:
    return with_causes(compare(make_runs([simulated(script, one) for one in rules])))


def pair_of(script: str, *eras: str) -> tuple[Comparison, PairCauses]:
    comparison = compared(script, *map(era, eras))
    (pair,) = comparison.causes
    return comparison, pair


def first(pair: PairCauses) -> list[list[str]]:
    return [[one.name for one in factors] for factors in pair.first]


def responsible(pair: PairCauses) -> dict[Aspect, list[list[str]]]:
    return {aspect: [[one.name for one in found.factors] for found in sets] for aspect, sets in pair.carried}


@pytest.mark.parametrize(
    ("script", "eras", "question", "made_by", "outcome"),
    [
        # KAFKA-15583; it was said that they decide alike.
        (
            "s8",
            ("3.6", "3.7"),
            "Which high watermark does broker A know?",
            "hw-below-min-isr",
            {Aspect.LOST: [["hw-below-min-isr"]]},
        ),
        # KAFKA-7128; isr-leave was blamed.
        (
            "stale-hw-isr",
            ("2.0", "2.1"),
            "Which replicas are in sync?",
            "isr-join",
            {Aspect.LOST: [["isr-join"]], Aspect.LEADERLESS: [["isr-join"]]},
        ),
        # KRaft takes a broker out of the ISR when it is fenced; session-timeout-ms was blamed.
        (
            "hw-loss",
            ("2.8", "3.3"),
            "Who leads the partition?",
            "controller",
            {Aspect.LEADERLESS: [["controller"]]},
        ),
        # KIP-392: nothing is cut, and hw-after-cut was blamed.
        ("two-replica-sync", ("2.1", "2.4"), "Which high watermark does broker B know?", "hw-sending", {}),
        # KIP-966: the election from the eligible leader replicas was passed over.
        (
            "s9",
            ("3.7", "4.1"),
            "Which replicas are in sync?",
            "eligible-leaders",
            {Aspect.LOST: [["eligible-leaders"]], Aspect.LEADERLESS: [["eligible-leaders"]]},
        ),
        # KAFKA-12670: it was said that B follows C, which never led.
        (
            "three-broker-loss",
            ("3.7", "4.0"),
            "Who leads the partition?",
            "unclean-setting",
            {Aspect.LOST: [["unclean-setting"]], Aspect.LEADERLESS: [["unclean-setting"]]},
        ),
    ],
)
def test_the_named_cases(
    script: str, eras: tuple[str, str], question: str, made_by: str, outcome: dict[Aspect, list[list[str]]]
) -> None:
    comparison, pair = pair_of(script, *eras)
    assert comparison.first is not None
    assert text(comparison.first.decision) == question
    assert first(pair) == [[made_by]]
    assert responsible(pair) == outcome


def test_in_s9_one_follows_a_where_a_leads_and_leads_where_it_leads() -> None:
    comparison, _ = pair_of("s9", "3.7", "4.1")
    (cut,) = [one for one in comparison.differences if one.attribute == "cut"]
    assert text(cut.decision) == "How far back does broker B (2) cut its log?"
    assert text(cut.right) == "keeps 3: it leads"
    leaders = [text(one.right) for one in comparison.differences if one.attribute == "leader"]
    assert leaders == ["broker B"]


def test_whom_a_replica_follows_is_named_if_both_runs_have_that_leader() -> None:
    """C is elected in 4.0 alone, where unclean.leader.election.enable is obeyed (KAFKA-12670)."""
    comparison, _ = pair_of("three-broker-loss", "3.7", "4.0")
    leaders = [
        {run.history.leader.at(cursor) for cursor in range(len(run.history.trace) + 1)}
        for run in comparison.runs
    ]
    names = [{int(one.broker_id): one.name for one in run.history.trace.brokers} for run in comparison.runs]
    led = [
        {name[one] for one in some if one is not None and one >= 0}
        for some, name in zip(leaders, names, strict=True)
    ]
    assert led == [{"A"}, {"A", "C"}]
    cuts = [text(one.decision) for one in comparison.differences if one.attribute == "cut"]
    assert cuts == [
        "How far back does broker B (3) cut its log?",
        "How far back does broker A (1) cut its log?",
    ]


def test_a_single_switch_is_named_for_the_first_difference() -> None:
    """The articles' rule of answers, one switch beside Kafka's: the outcome is the same."""
    old = era("0.10.2")
    comparison = compared("two-replica-sync", old, with_switches(old, {"fetch-answer-hw": "after"}))
    (pair,) = comparison.causes
    assert comparison.first is not None
    assert (text(comparison.first.left), text(comparison.first.right)) == ("0", "1")
    assert first(pair) == [["fetch-answer-hw"]]
    assert [text(one) for one in first_messages(pair)] == ["Made by fetch-answer-hw: before | after"]
    assert pair.carried == ()
    assert ticket_text(comparison).endswith("and they are without a leader alike.\n")


@pytest.mark.parametrize("script", [one for one in scenario_ids() if not scenario(one).releases])
def test_every_first_difference_of_far_eras_has_a_maker(script: str) -> None:
    """But where brokers have releases of their own: then it is no switch of the run that makes it."""
    for left, right in pairwise(("2.0", "2.1", "2.4")):
        comparison, pair = pair_of(script, left, right)
        assert (comparison.first is None) == (pair.first == ())


def test_the_first_event_that_a_set_changes_is_told_as_it_is_and_as_it_would_be() -> None:
    comparison, pair = pair_of("hw-loss", "0.10.2", "0.11")
    ((aspect, (found,)),) = pair.carried
    assert text(aspect_message(aspect, pair, comparison.runs[0])) == "Lost: offset 1, committed | nothing"
    told = "It changes this first: B decides to cut to 1 | B begins to fetch from A at 2"
    assert text(change_message(found.change)) == told
    assert renderer("zh")(change_message(found.change)).startswith("首先改变的是：")
    assert found.change.stop is not None
    assert comparison.stops[found.change.stop].cursors[0] == (found.change.seq or 0) + 1


def test_where_no_set_of_four_carries_it_that_is_said() -> None:
    _, pair = pair_of("hw-loss", "0.10.2", "0.11")
    assert [text(one) for one in responsible_messages(())] == ["No set of at most four switches carries it."]
    assert len(responsible_messages(pair.carried[0][1])) == 1


def test_the_json_has_both_and_keeps_them_apart() -> None:
    comparison, _ = pair_of("s8", "3.6", "3.7")
    (told,) = compare_json(comparison, text)["causes"]
    assert [one["lost"] for one in told["outcomes"]] == [2, 1]
    names = [[one["name"] for one in factors] for factors in told["first_difference"]]
    assert names == [["hw-below-min-isr"]]
    (lost,) = told["responsible"]
    assert lost["aspect"] == "lost"
    (factor,) = lost["sets"][0]["switches"]
    assert (factor["left"], factor["right"]) == ("moves", "stands")
    assert factor["ticket"] == "KIP-966, KAFKA-15583"
    assert lost["sets"][0]["first_change"]["before"] == "A's high watermark rises from 2 to 3"


def test_four_runs_have_an_answer_for_each_two_neighbours() -> None:
    comparison = compared("s8", *map(era, ("3.5", "3.6", "3.7", "4.1")))
    assert [pair.runs for pair in comparison.causes] == [(0, 1), (1, 2), (2, 3)]


def test_logs_of_real_clusters_are_not_run_again() -> None:
    traces = [sampled(name) for name in ("k0102-hw-loss", "k28-epoch-fix")]
    comparison = compare(make_runs(traces, "orders-0"))
    assert with_causes(comparison) is comparison


def test_a_run_that_comes_out_otherwise_here_has_no_answer() -> None:
    """A document may hold runs of another version of the program: nothing is claimed of them."""
    left, right = (simulated("s8", era(one)) for one in ("3.6", "3.7"))
    other = replace(left, facts={**left.facts, "era": "3.3"})
    assert with_causes(compare(make_runs([other, right]))).causes == ()


def test_ties_made_by_hand_are_not_steps_of_a_script() -> None:
    comparison = compare(make_runs([simulated("s8", era(one)) for one in ("3.6", "3.7")]))
    assert with_causes(tied(comparison, [(40, 40)])).causes == ()


def test_it_stops_when_it_is_told_to() -> None:
    rules = [with_switches(one, {"visible": "log-end"}) for one in ERAS[5:7]]
    comparison = compare(make_runs([simulated("hw-loss", one) for one in rules]))
    with pytest.raises(CancelledError):
        with_causes(comparison, Work(stopped=lambda: True))


def test_a_flipped_switch_takes_two_runs_of_the_script_and_no_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both must come out the same again; what is looked at then are these, and the runs that are open."""
    rules = (era("2.8"), with_switches(era("2.8"), {"truncation": "high-watermark"}))
    comparison = compare(make_runs([simulated("hw-loss", one) for one in rules]))
    ran: list[Setup] = []
    run = Setup.run

    def counted(setup: Setup, work: Work = QUIET) -> Trace:
        ran.append(setup)
        return run(setup, work)

    def judged(*_asked: object) -> Run:
        pytest.fail("a run that is open is judged again")

    monkeypatch.setattr(Setup, "run", counted)
    monkeypatch.setattr(cause, "make_run", judged)
    monkeypatch.setattr(causes, "_ANSWERS", OrderedDict())
    (pair,) = with_causes(comparison).causes
    assert [aspect for aspect, _ in pair.carried] == [Aspect.LOST]
    assert len(ran) == 2
