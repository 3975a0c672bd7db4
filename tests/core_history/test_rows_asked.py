"""Rows are asked for by kind, broker and replica: beside a plain look at each of them."""

from itertools import product

from core.history.roles import read_roles
from core.history.view import View, read_view
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


def test_the_first_line_of_a_broker_is_not_that_on_its_end() -> None:
    story = Story("2.8.2")
    story.process("broker_stopped", 2)
    story.add("leo_sample", 1, leo=3)
    story.process("broker_starting", 2)

    assert read_roles(read_view(story.trace(), 0), 2).first_own_line == 3
