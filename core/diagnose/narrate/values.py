"""Values of sentences: numbers that may be unknown, times, in-sync sets."""

from core.diagnose.verdict.case import Case
from core.history.state import Band
from core.message import Between, Moment, SimulatedMoment, Value, message
from core.trace.times import day
from core.trace.trace import Origin


def number(value: int | Band | None) -> Value:
    """A number, its bounds, or that it is not known."""
    if isinstance(value, Band):
        return Between(value.lo, value.hi) if value.exact is None else value.exact
    return Between(None, None) if value is None else value


def when(case: Case, at: int) -> Value:
    """A moment: time of day, with the date where the rows span days; in a simulation since its start."""
    if is_simulated(case):
        return SimulatedMoment(at)
    rows = case.view.rows
    if rows and day(rows[0].at) != day(rows[len(rows) - 1].at):
        return message("story.moment.dated", day=day(at), at=Moment(at))
    return Moment(at)


def is_simulated(case: Case) -> bool:
    """Whether time is that of a simulation."""
    return case.history.trace.origin is Origin.SIMULATED
