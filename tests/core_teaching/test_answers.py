"""What a run answers: the numbers are those of the domain (hw-loss, hw-loss-ten, s9), era by era."""

import pytest

from core.compare.comparison import Run
from core.teaching.answers import NOBODY, Answer, Mark, answer_of, judge
from core.teaching.facts import holds, parse_fact
from core.teaching.lesson import Ask, AskKind, Happening, Option, Scene, Spot
from core.teaching.places import cursor_of
from core.teaching.runs import simulated_runs

BEFORE, AFTER = ("0.10.2",), ("0.11", "2.0", "2.4", "2.8")
"""Releases before leader epochs, and with them over ZooKeeper."""
KRAFT = ("3.6", "4.0")


def _run(scenario: str, era: str) -> Run:
    return simulated_runs(_scene(scenario, era))[0]


def _scene(scenario: str, era: str) -> Scene:
    return Scene(scenario, "", "", (era,), Spot())


def _asked(kind: AskKind, stop: int, judged: int, scenario: str, era: str, broker: str = "") -> Answer:
    return answer_of(Ask(kind, "?", Spot(judged), broker=broker), Spot(stop), _run(scenario, era))


@pytest.mark.parametrize(("eras", "end"), [(BEFORE, 1), (AFTER, 2), (KRAFT, 2)])
def test_where_the_follower_cuts(eras: tuple[str, ...], end: int) -> None:
    for era in eras:
        assert _asked(AskKind.CUT, 7, 8, "hw-loss", era, "B").exact == end


def test_the_follower_with_ten_records_cuts_to_its_own_high_watermark() -> None:
    run = _run("hw-loss-ten", "0.10.2")
    cuts = [cut for cut in run.verdict.truncations if cut.broker == 2]

    # hw-loss-ten: the follower's log end is 8, its high watermark 7.
    assert [(cut.from_offset, cut.to_offset) for cut in cuts][:1] == [(8, 7)]


@pytest.mark.parametrize(("era", "leader"), [("0.10.2", 2), ("2.8", 2), ("3.6", NOBODY), ("4.0", NOBODY)])
def test_who_leads_next(era: str, leader: int) -> None:
    assert _asked(AskKind.LEADER, 9, 10, "hw-loss", era).exact == leader


@pytest.mark.parametrize(("era", "lost"), [("0.10.2", {1}), ("0.11", set()), ("2.8", set())])
def test_which_records_are_lost(era: str, lost: set[int]) -> None:
    assert _asked(AskKind.LOST, 9, 13, "hw-loss", era).members == lost


def test_the_high_watermark_and_the_in_sync_set() -> None:
    assert _asked(AskKind.WATERMARK, 5, 6, "hw-loss", "0.10.2", "A").exact == 2
    assert _asked(AskKind.WATERMARK, 5, 6, "hw-loss", "0.10.2", "B").exact == 1
    assert _asked(AskKind.IN_SYNC, 9, 10, "hw-loss", "0.10.2").members == {2}


def test_exactly_one_option_must_hold() -> None:
    def options(*facts: str) -> tuple[Option, ...]:
        return tuple(Option(fact, found) for fact in facts if (found := parse_fact(fact)) is not None)

    def asked(*facts: str) -> Answer:
        ask = Ask(AskKind.CHOICE, "?", Spot(8), options=options(*facts))
        return answer_of(ask, Spot(7), _run("hw-loss", "0.10.2"))

    assert asked("B has cut nothing", "B has log end offset 1").exact == 1
    assert not asked("B has cut nothing", "B leads").known
    assert not asked("A leads", "B has log end offset 1").known


def test_any_order_that_breaks_no_cause_is_right() -> None:
    events = (
        Happening("B cuts", Spot(8, "truncated", "B")),
        Happening("B is killed", Spot(7, "broker_crashed", "B")),
        Happening("A leads no more", Spot(9, "broker_crashed", "A")),
    )
    ask = Ask(AskKind.ORDER, "?", Spot(), events=events)
    answer = answer_of(ask, Spot(6), _run("hw-loss", "0.10.2"))

    assert answer.order == (1, 0, 2)
    assert judge(ask, (1, 0, 2), answer).mark is Mark.RIGHT
    assert judge(ask, (0, 1, 2), answer).mark is Mark.WRONG, "it cuts after it was killed and started again"


def test_marks_of_values_and_sets() -> None:
    cut = Ask(AskKind.CUT, "?", Spot(), broker="B")
    lost = Ask(AskKind.LOST, "?", Spot())

    assert judge(cut, 30, Answer(lo=30, hi=35)).mark is Mark.RIGHT
    assert judge(cut, 35, Answer(lo=30, hi=35)).mark is Mark.RIGHT
    assert judge(cut, 36, Answer(lo=30, hi=35)).mark is Mark.WRONG
    assert judge(cut, None, Answer(lo=1, hi=1)).mark is Mark.SKIPPED
    # Three are lost; two of them and a wrong one are (2 - 1) / 3.
    judged = judge(lost, frozenset({7, 8, 20}), Answer(members=frozenset({7, 8, 9})))
    assert (judged.mark, judged.share) == (Mark.PARTLY, pytest.approx(1 / 3))
    assert judge(lost, frozenset({1}), Answer(members=frozenset())).mark is Mark.WRONG
    assert judge(lost, frozenset(), Answer(members=frozenset())).mark is Mark.RIGHT


@pytest.mark.parametrize(
    ("words", "step", "true"),
    [
        ("A leads", 5, True),
        ("B leads", 5, False),
        ("A leads in epoch 0", 5, True),
        ("B follows A", 5, True),
        ("B is down", 7, True),
        ("B has log end offset 1", 8, True),
        ("B has high watermark 1", 6, True),
        ("A has high watermark 2", 6, True),
        ("A remembers log end offset 2 of B", 6, True),
        ("B is in the in-sync set", 7, True),
        ("A is not in the in-sync set", 10, True),
        ("B has cut its log from 2 to 1", 8, True),
        ("B has cut nothing", 7, True),
        ("B has cut nothing", 8, False),
        ("offset 1 is acknowledged", 5, False),
        ("offset 1 is acknowledged", 6, True),
        ("offset 1 is not acknowledged", 5, True),
        ("offset 1 is not acknowledged", 6, False),
        ("offset 1 is lost", 13, True),
        ("1 record is lost", 13, True),
        ("nothing is lost", 9, True),
        ("no logs differ", 13, True),
        ("A and B differ at offset 1", 13, False),
    ],
)
def test_facts_of_the_loss(words: str, step: int, true: bool) -> None:  # noqa: FBT001 - a row of the table
    fact = parse_fact(words)
    run = _run("hw-loss", "0.10.2")

    assert fact is not None
    assert holds(fact, run, cursor_of(Spot(step), run)) is true


@pytest.mark.parametrize(
    ("words", "step", "true"),
    [
        # acks-timeout: m0 waits for B, the producer is told that it failed, then B's fetches commit it.
        ("offset 0 is not acknowledged", 3, True),
        ("no consumer has read offset 0", 2, True),
        ("a consumer has read offset 0", 2, False),
        ("a consumer has read offset 0", 3, True),
        ("no consumer has read offset 0", 3, False),
    ],
)
def test_facts_of_a_produce_that_timed_out(words: str, step: int, true: bool) -> None:  # noqa: FBT001 - a row
    fact = parse_fact(words)
    run = _run("acks-timeout", "2.8")

    assert fact is not None
    assert holds(fact, run, cursor_of(Spot(step), run)) is true
