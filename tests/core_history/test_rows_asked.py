"""Rows are asked for by kind, broker and replica: beside a plain look at each of them."""

from itertools import product

from core.history.gaps_by_others import _stated_by_others
from core.history.roles import read_roles
from core.history.rows import is_own_line
from core.history.view import View, read_view
from core.trace.vocabulary import Basis
from tests.stories import Story


def _view(rounds: int) -> View:
    story = Story("2.8.2")
    story.begin()
    for offset in range(rounds):
        story.add("leo_sample", 1, leo=offset)
        story.add("leo_sample", 2, leo=offset)
        story.add("follower_leo_recorded", 1, about=2, leader=1, leo=offset)
        story.process("broker_failure_noticed", 1, about=2)
    return read_view(story.trace(), 0)


def test_few_rows_and_many_are_found_by_what_they_say() -> None:
    kinds = frozenset({"leo_sample", "follower_leo_recorded", "broker_failure_noticed"})
    for rounds in (3, 500):
        view = _view(rounds)
        every = [view.rows[number] for number in range(len(view.rows))]
        for broker, replica in product((None, 1, 2, 3), repeat=2):
            expected = [
                row.number
                for row in every
                if row.kind in kinds and broker in (None, row.broker) and replica in (None, row.replica)
            ]
            assert view.rows.numbers(kinds, broker=broker, replica=replica) == expected
        for replica, partition in product((1, 2, 3), (0, 1)):
            about = [row.number for row in every if (row.replica, row.partition) == (replica, partition)]
            assert view.rows.about(replica, partition) == about


def test_that_a_broker_is_back_is_stated_by_others_or_reported() -> None:
    """Broker 2 registers as it prints itself, as broker 1 prints, and as is reported in its own name."""
    for rounds in (3, 700):
        story = Story("2.8.2")
        story.begin()
        for _ in range(rounds):
            story.process("broker_registered", 2)
            story.process("broker_registered", 1, about=2)
            story.process("broker_registered", 2, basis=Basis.REPORTED)
            story.process("broker_unfenced", 1)
        view = read_view(story.trace(), 0)
        expected = [
            row.number
            for row in view.rows
            if row.kind in ("broker_registered", "broker_unfenced")
            and row.replica == 2
            and (not is_own_line(row, 2) or row.basis is Basis.REPORTED)
        ]

        view = read_view(story.trace(), 0)
        assert [row.number for row in _stated_by_others(view, 2)] == expected
        assert len(expected) == 2 * rounds


def test_rows_of_kinds_that_a_view_has_and_has_not_come_in_order() -> None:
    rows = _view(3).rows
    asked = ("follower_leo_recorded", "truncated", "leo_sample")

    assert list(rows.of(asked)) == [row for row in rows if row.kind in asked]
    assert rows.of(("truncated", "log_reset")) == ()


def test_the_first_line_of_a_broker_is_not_that_on_its_end() -> None:
    story = Story("2.8.2")
    story.process("broker_stopped", 2)
    story.add("leo_sample", 1, leo=3)
    story.process("broker_starting", 2)

    assert read_roles(read_view(story.trace(), 0), 2).first_own_line == 3
