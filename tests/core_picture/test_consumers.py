"""A consumer's position stands in the lane of who serves it until the next answer."""

from core.diagnose.verdict.check import diagnose_partition
from core.history.open import open_history
from core.history.state import History
from core.kafka.eras import era
from core.picture.consumers import consumers
from core.picture.lane import Lane
from core.picture.marks import Line
from core.picture.sheet import Sheet
from core.picture.timeline import TimelineView, timeline_lanes
from tests.runs import simulated

A, B = 1, 2
READ_8, READ_15 = (f"consumer 1 has read up to offset {end} on broker A" for end in (8, 15))


def history() -> History:
    """`visibility`: 0..7 are visible and read, later 0..14 are, and are read."""
    return open_history(simulated("visibility", era("2.8")), 0)


def lanes(whole: History, window: tuple[int, int]) -> tuple[Lane, ...]:
    return timeline_lanes(TimelineView(whole, diagnose_partition(whole), None, window, 1200, 500))


def lines(whole: History, window: tuple[int, int]) -> dict[int, list[Line]]:
    """What is drawn of consumers in each lane, by broker."""
    found: dict[int, list[Line]] = {}
    for lane in lanes(whole, window):
        sheet = Sheet()
        consumers(lane, sheet)
        found[lane.broker] = [mark for _, mark in sheet.placed() if isinstance(mark, Line)]
        assert all(mark.points[-1][1] == height(lane, mark) for mark in flat(found[lane.broker]))
    return found


def flat(found: list[Line]) -> list[Line]:
    return [line for line in found if line.points[0][1] == line.points[1][1]]


def height(lane: Lane, mark: Line) -> float:
    """Just below the high watermark that made it visible."""
    return lane.offsets.y(8 if mark.ref is not None and mark.ref.text == READ_8 else 15) + 2.5


def times(whole: History) -> tuple[int, int]:
    at = whole.trace.columns["at"]
    return int(at[0]), int(at[-1])


def test_a_position_rises_with_each_answer_and_stands_until_the_next() -> None:
    whole = history()
    found = lines(whole, times(whole))
    first, second = flat(found[A])
    assert [line.ref.text for line in (first, second) if line.ref is not None] == [READ_8, READ_15]
    assert first.points[1][0] == second.points[0][0]
    assert not found[B]


def test_a_window_that_begins_later_shows_the_position_that_still_stands() -> None:
    whole = history()
    first, last = times(whole)
    reads = [event for event in map(whole.trace.event, whole.seqs.tolist()) if event.kind == "consumed"]
    assert [event.get("offset") for event in reads] == [8, 15]
    after = int(reads[0].at) + 1
    assert first < after < last
    drawn = flat(lines(whole, (after, last))[A])
    assert [line.ref.text for line in drawn if line.ref is not None] == [READ_8, READ_15]
    assert drawn[0].points[0][0] == lanes(whole, (after, last))[0].axis.left


def test_without_consumers_nothing_is_drawn() -> None:
    whole = open_history(simulated("hw-loss", era("2.8")), 0)
    assert not any(lines(whole, times(whole)).values())
