"""The answer of conformance, with what a search found of each era that no rule refuses."""

from dataclasses import replace

from core.conform.answer import Break, Conformance, OfEra, Sought
from core.kafka.eras import era_named
from core.message import message
from core.schedule.search import STATES, Search, Waits, search
from core.sim.ablation.setup import setup_of
from core.trace.ids import NO_INDEX
from core.trace.trace import Trace
from core.trace.vocabulary import NAME
from core.work import QUIET, Work

RULE = "search"
"""What stands where a rule is named, of an event that no run of an era can have made."""


def searched(trace: Trace, answer: Conformance, *, states: int = STATES, work: Work = QUIET) -> Conformance:
    """The same answer after a search. Raises CancelledError.

    An era that has no run along the trace is refused at the first event that it does not make.
    """
    eras = tuple(one if one.accepted is False else _searched(trace, one, states, work) for one in answer.eras)
    return replace(answer, eras=eras)


def _searched(trace: Trace, one: OfEra, states: int, work: Work) -> OfEra:
    if setup_of(trace) is None:
        missing = message("conform.search.not-simulated")
        return replace(
            one, sought=Sought("open", one.era, 0, (), alike=False, in_time=False, missing=missing)
        )
    found = search(trace, era_named(one.era), states=states, work=work)
    late = found.waits if found.outcome == "found" else found.alike or ()
    sought = Sought(
        found.outcome,
        found.era.name,
        found.states,
        _in_order_of_time(late),
        alike=found.alike is not None,
        in_time=found.in_time,
        missing=found.missing,
    )
    if found.outcome == "found":
        return replace(one, accepted=True, sought=sought)
    breaks = _break(trace, found) if found.outcome == "impossible" else None
    return replace(one, accepted=one.accepted if breaks is None else False, breaks=breaks, sought=sought)


def _in_order_of_time(late: tuple[Waits, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((one.what, one.after) for one in sorted(late, key=lambda one: (one.after, one.number)))


def _break(trace: Trace, found: Search) -> Break | None:
    if found.seq is None:
        return None
    columns = trace.columns
    partition = int(columns["partition"][found.seq])
    return Break(
        found.seq,
        int(columns["at"][found.seq]),
        0 if partition == NO_INDEX else partition,
        found.era.name,
        RULE,
        (found.seq,),
        message("conform.search.next", kind=NAME[int(columns["kind"][found.seq])]),
        found.instead,
        None,
    )
