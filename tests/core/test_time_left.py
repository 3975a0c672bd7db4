"""The time that work still takes, with a clock that is set by hand."""

from core.message import Message, message
from core.time_left import Begun, part_of, seconds_left, with_time_left

READING = message("progress.reading-events")


class Heard:
    """A clock, and what is told."""

    def __init__(self) -> None:
        self.now = 100.0
        self.told: list[Message | None] = []
        self.report = with_time_left(lambda _done, _total, what: self.told.append(what), lambda: self.now)

    def after(self, seconds: float, done: int, total: int, what: Message | None = READING) -> Message | None:
        self.now += seconds
        self.report(done, total, what)
        return self.told[-1]


def test_a_fifth_in_ten_seconds_leaves_forty() -> None:
    assert seconds_left(Begun(50, 0, 100.0), 10, 110.0) == 40.0


def test_what_was_there_at_the_beginning_took_no_time() -> None:
    """Half is there when it is first heard of; a quarter takes ten seconds, so does the other one."""
    assert seconds_left(Begun(80, 40, 100.0), 60, 110.0) == 10.0


def test_what_nobody_can_know_is_not_told() -> None:
    assert seconds_left(Begun(50, 0, 100.0), 0, 110.0) is None, "nothing was done yet"
    assert seconds_left(Begun(0, 0, 100.0), 7, 110.0) is None, "the total is not known"
    assert seconds_left(Begun(50, 0, 100.0), 10, 100.5) is None, "it has just begun"
    assert seconds_left(Begun(50, 0, 100.0), 50, 110.0) is None, "it is done"


def test_another_total_or_a_step_back_is_another_part() -> None:
    begun = Begun(50, 0, 100.0)
    assert part_of(begun, 10, 50, 110.0) is begun
    assert part_of(begun, 10, 60, 110.0) == Begun(60, 10, 110.0)
    assert part_of(Begun(50, 10, 100.0), 5, 50, 110.0) == Begun(50, 5, 110.0)


def test_reports_are_told_with_seconds_then_with_minutes() -> None:
    heard = Heard()
    assert heard.after(0, 0, 100) == READING
    assert heard.after(10, 50, 100) == message("progress.left", what=READING, left=10)
    # The next part begins without an estimate: what came before says nothing of it.
    assert heard.after(1, 0, 1000) == READING
    assert heard.after(10, 10, 1000) == message("progress.left.minutes", what=READING, left=16)


def test_unknown_work_and_work_that_tells_its_own_pace_stay_as_they_are() -> None:
    heard = Heard()
    own = message("progress.pace", name="server.log", rate="12.0", left=4)
    assert heard.after(0, 0, 100, own) == own
    assert heard.after(10, 50, 100, own) == own
    assert heard.after(10, 60, 100, None) is None
    assert heard.after(0, 5, 0) == READING
    assert heard.after(30, 9, 0) == READING
