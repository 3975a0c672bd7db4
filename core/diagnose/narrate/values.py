"""Values of sentences: numbers that may be unknown, times, in-sync sets."""

from core.diagnose.verdict.case import Case
from core.history.state import Band
from core.message import Between, Moment, SimulatedMoment, Value
from core.trace.broker_names import broker_value
from core.trace.trace import Origin


def number(value: int | Band | None) -> Value:
    """A number, its bounds, or that it is not known."""
    if isinstance(value, Band):
        return Between(value.lo, value.hi) if value.exact is None else value.exact
    return Between(None, None) if value is None else value


def when(case: Case, at: int) -> Moment | SimulatedMoment:
    """A moment: time of day, or seconds since the start of a simulation."""
    return SimulatedMoment(at) if is_simulated(case) else Moment(at)


def is_simulated(case: Case) -> bool:
    """Whether time is that of a simulation."""
    return case.history.trace.origin is Origin.SIMULATED


def printed_isr(case: Case, members: tuple[int, ...]) -> str:
    """An in-sync set as Kafka prints it, [1, 2], with the names of a simulation."""
    named = ((one, broker_value(case.history.trace, one)) for one in members)
    return f"[{', '.join(name if isinstance(name, str) else str(one) for one, name in named)}]"
