"""Ties by hand, the recordings' first differences, and the text for a ticket."""

from itertools import pairwise

import pytest

from core.compare.align import compare, make_runs
from core.compare.comparison import Comparison, Run
from core.compare.ticket import ticket_text
from core.errors import QuestionError
from core.kafka.eras import era
from core.words import text
from tests.recordings.whole import whole
from tests.runs import simulated


def recorded(*names: str, partition: str | None = None) -> Comparison:
    return compare(make_runs([whole(name).trace for name in names], partition))


@pytest.fixture(scope="module")
def runs() -> tuple[Run, ...]:
    return make_runs([simulated("hw-loss", era(name)) for name in ("0.10.2", "0.11")])


@pytest.mark.slow
def test_the_first_difference_of_the_kip_279_recordings_is_the_second_followers_cut() -> None:
    first = recorded("k111-kip279-divergence", "k28-kip279-fix").first

    # Both READMEs: broker 2 comes back as a follower of 1; 1.1.1 cuts it to 30, 2.8.2 to 20.
    assert first is not None
    assert text(first.decision) == "Broker 2 follows broker 1. How far back does it cut?"
    assert "36 → 30" in text(first.left)
    assert "36 → 20" in text(first.right)
    assert tuple(map(text, first.rules)) == (text(era("1.1").rule), text(era("2.8").rule))


def test_a_tie_puts_its_moments_at_one_stop(runs: tuple[Run, ...]) -> None:
    middle = [len(run.history.trace) // 2 for run in runs]

    tied = compare(runs, [middle])

    assert tied.axis == "hand"
    (stop,) = [one for one in tied.stops if one.anchor == "tie 1"]
    assert stop.cursors == tuple(middle)
    for before, after in pairwise(tied.stops):
        assert all(now >= then for then, now in zip(before.cursors, after.cursors, strict=True))


def test_a_tie_overrides_the_anchors_that_it_contradicts(runs: tuple[Run, ...]) -> None:
    plain = compare(runs)
    anchors = [one for one in plain.stops if one.anchor.startswith("step")]
    early, late = anchors[3], anchors[5]

    tied = compare(runs, [(early.cursors[0], late.cursors[1])])

    kept = {one.anchor for one in tied.stops if one.anchor}
    assert {anchors[2].anchor, "tie 1", anchors[6].anchor} <= kept
    assert not {anchors[3].anchor, anchors[4].anchor, anchors[5].anchor} & kept


@pytest.mark.parametrize(
    ("ties", "said"),
    [
        ([(1,)], "has 1 cursors, and there are 2 runs"),
        ([(0, 1)], "lies outside of"),
        ([(1, 10**9)], "lies outside of"),
        ([(5, 9), (9, 5)], "cross each other"),
    ],
)
def test_a_tie_that_cannot_be_is_refused(
    runs: tuple[Run, ...], ties: list[tuple[int, ...]], said: str
) -> None:
    with pytest.raises(QuestionError, match=said):
        compare(runs, ties)


@pytest.mark.slow
def test_the_text_for_a_ticket_names_the_first_decision_with_its_line() -> None:
    told = ticket_text(recorded("k0102-hw-loss", "k28-epoch-fix", partition="orders-0"))

    head = told[: told.index("### What follows")]
    assert "Broker 2 starts and follows broker 1. How far back does it cut?" in head
    assert "- Kafka 0.10.2.2: 254 → 206: cut to its own high watermark" in head
    assert "Truncating log orders-0 to offset 206" in head
    assert f"Rule: {text(era('0.10.2').rule)}" in head


def test_runs_that_decide_alike_say_so() -> None:
    same = make_runs([simulated("hw-loss", era(name)) for name in ("2.8", "2.8")])

    assert "They decide alike." in ticket_text(compare(same))
