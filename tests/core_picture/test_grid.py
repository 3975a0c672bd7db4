"""The grid of partitions and brokers: what its cells say at a moment, from the script of `overview`."""

import pytest

from core.compare.script import step_cursors
from core.diagnose.verdict.check import triaged
from core.diagnose.verdict.summary import Triage
from core.history.open import open_history
from core.history.state import History, Role
from core.kafka.eras import era
from core.picture.grid import (
    GridCell,
    grid_cell_marks,
    grid_cell_words,
    grid_row_of_history,
    grid_row_of_summary,
)
from core.picture.marks import Box, Segments, Text
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Trace
from core.words import speaking
from tests.core_sim.test_last_member import run as last_member

A, B, C, NOBODY = 1, 2, 3, 4
BROKERS = (A, B, C, NOBODY)
SECOND = 1_000_000_000


@pytest.fixture(scope="module")
def trace() -> Trace:
    """Three partitions, led by A, B and C; then A dies, comes back, and leads the first again."""
    return simulate(scenario("overview"), era("0.11"))


@pytest.fixture(scope="module")
def histories(trace: Trace) -> list[History]:
    return [open_history(trace, partition) for partition in range(3)]


@pytest.fixture(scope="module")
def told(trace: Trace) -> Triage:
    return triaged(trace)


def words(histories: list[History], cursor: int) -> list[list[str]]:
    return [list(map(grid_cell_words, grid_row_of_history(one, cursor, BROKERS))) for one in histories]


LEADS, FOLLOWS, DOWN = "leader, epoch {}", "follower, in sync, epoch {}", "offline"


def row(*cells: str, epoch: int) -> list[str]:
    return [*(cell.format(epoch) for cell in cells), "no replica"]


def test_each_broker_leads_one_partition_and_follows_in_two(trace: Trace, histories: list[History]) -> None:
    assert words(histories, step_cursors(trace)[2]) == [
        row(LEADS, FOLLOWS, FOLLOWS, epoch=0),
        row(FOLLOWS, LEADS, FOLLOWS, epoch=0),
        row(FOLLOWS, FOLLOWS, LEADS, epoch=0),
    ]


def test_without_a_only_its_partition_changes_its_leader(trace: Trace, histories: list[History]) -> None:
    # The controller takes who is down out of the set, and counts the epoch up where it does so.
    assert words(histories, step_cursors(trace)[4]) == [
        row(DOWN, LEADS, FOLLOWS, epoch=1),
        row(DOWN, LEADS, FOLLOWS, epoch=1),
        row(DOWN, FOLLOWS, LEADS, epoch=1),
    ]
    # Until somebody notices, the set still has A: that is worth a word.
    crashed = trace.cursor_at(trace.event(step_cursors(trace)[2]).at) + 1
    assert words(histories, crashed)[1][0] == "offline, in sync"


def test_after_the_election_a_leads_again_in_an_epoch_of_its_own(
    trace: Trace, histories: list[History]
) -> None:
    row = grid_row_of_history(histories[0], len(trace), BROKERS)

    assert row[0] == GridCell(Role.LEADER, 2, in_isr=True)
    assert row[2] is not None
    assert row[2].role is Role.FOLLOWER


def test_a_replica_that_left_the_set_is_out_of_sync(trace: Trace) -> None:
    """A is back and copies: until B takes it into the set it follows outside."""
    history = open_history(trace, 2)
    started = step_cursors(trace)[4]
    seen = [
        grid_row_of_history(history, cursor, (A,))[0] for cursor in range(started, step_cursors(trace)[5] + 1)
    ]
    said = list(dict.fromkeys(map(grid_cell_words, seen)))

    assert said[0] == DOWN
    assert said[-2:] == ["follower, out of sync, epoch 1", "follower, in sync, epoch 1"]


def test_a_summary_knows_who_led_and_who_is_assigned(trace: Trace, told: Triage) -> None:
    unread = "replica, role not read"

    def said(partition: int, at: int) -> list[str]:
        replicas = trace.partitions[partition].replicas
        return [
            grid_cell_words(one)
            for one in grid_row_of_summary(told.summaries[partition], replicas, at, BROKERS)
        ]

    before, after = SECOND, trace.event(step_cursors(trace)[4] - 1).at
    assert said(0, before) == ["leader, epoch 0", unread, unread, "no replica"]
    assert said(0, after) == [unread, "leader, epoch 1", unread, "no replica"]
    assert said(2, after) == [unread, unread, "leader, epoch 1", "no replica"]
    assert grid_row_of_summary(told.summaries[0], (), before, BROKERS)[3] == GridCell(
        Role.UNKNOWN, read=False
    )


@pytest.mark.parametrize(
    ("state", "english", "chinese"),
    [
        (GridCell(Role.LEADER, 3, in_isr=False), "leader, out of sync, epoch 3", "领导者，不同步，纪元 3"),
        (GridCell(Role.LEADER, None), "leader, epoch not known", "领导者，纪元未知"),
        (
            GridCell(Role.FOLLOWER, 1),
            "follower, in-sync set not known, epoch 1",
            "跟随者，同步集合未知，纪元 1",
        ),
        (
            GridCell(Role.LEADER, 0, in_isr=True, silent=True),
            "leader, no sign of life, epoch 0",
            "领导者，没有动静，纪元 0",
        ),
        (GridCell(Role.STARTING), "starting", "启动中"),
    ],
)
def test_words_tell_what_is_out_of_the_ordinary(state: GridCell, english: str, chinese: str) -> None:
    assert grid_cell_words(state) == english
    with speaking("zh"):
        assert grid_cell_words(state) == chinese


def test_cells_differ_by_their_shapes_where_there_is_no_room_for_words() -> None:
    """A leader is filled, in sync tinted, out of sync an outline, not read dashed, unknown hatched."""
    rect = (0.0, 0.0, 16.0, 21.0)
    row = (
        GridCell(Role.LEADER, 3, in_isr=True),
        GridCell(Role.FOLLOWER, 3, in_isr=True),
        GridCell(Role.FOLLOWER, 3, in_isr=False),
        GridCell(None, read=False),
    )
    filled, tinted, outline, dashed = (grid_cell_marks(one, rect)[0] for one in row)
    assert isinstance(filled, Box)
    assert (filled.fill, filled.opacity) == ("e3", 1.0)
    assert isinstance(tinted, Box)
    assert (tinted.fill, tinted.opacity) == ("e3", 0.2)
    assert isinstance(outline, Box)
    assert (outline.fill, outline.edge, outline.dash) == ("", "e3.edge", ())
    assert isinstance(dashed, Box)
    assert dashed.dash
    assert isinstance(grid_cell_marks(GridCell(Role.UNKNOWN), rect)[0], Segments)
    assert grid_cell_marks(None, rect) == ()
    assert not any(isinstance(mark, Text) for one in row for mark in grid_cell_marks(one, rect))


def test_a_wide_cell_says_its_role_and_a_narrow_one_its_epoch() -> None:
    def said(width: float) -> list[str]:
        marks = grid_cell_marks(GridCell(Role.LEADER, 3, in_isr=True), (0.0, 0.0, width, 21.0))
        return [mark.text for mark in marks if isinstance(mark, Text)]

    assert said(120) == ["leader · e3"]
    assert said(30) == ["e3"]


@pytest.mark.parametrize(
    ("which", "cells"),
    [
        # KAFKA-5642 is 1.1: before it the last member leaves a topic that allows unclean elections.
        ("0.11", ["offline", "offline"]),
        ("1.1", ["offline, in sync", "offline"]),
    ],
)
def test_of_an_empty_in_sync_set_no_cell_says_in_sync(which: str, cells: list[str]) -> None:
    trace = last_member(which, unclean=True)
    (leaderless,) = [one for one in map(trace.event, range(len(trace))) if one.kind == "leaderless"]
    history = open_history(trace, 0)

    assert list(map(grid_cell_words, grid_row_of_history(history, leaderless.seq + 1, (A, B)))) == cells
