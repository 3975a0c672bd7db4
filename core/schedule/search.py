"""Whether an era has a run that goes along a simulated trace: searched with the simulator's own steps.

**All events.** An event names what led to it. So it is known which message was dealt with at each event, and
what comes too early waits. Where the same message leads to another event, or the script does, and all before
came at its own time, no order helps: the era cannot have made the trace. What no event shows comes when it
is due. Where the run is slower than the trace, or a bound is reached, nothing is decided.

**Facts alone.** Where other messages are sent, the question is left that logs could answer: whether log ends,
high watermarks, leader epochs, cuts and in-sync sets can be the same, one after the other. A run is searched
that goes along these; that none was found proves nothing.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from core.kafka.eras import Era
from core.message import Count, Message, message
from core.schedule.choices import like, without_one
from core.schedule.follow import NO_WAIT, Dealt, Ended, Wait, follow
from core.schedule.wanted import COLUMNS, Level, Wanted
from core.sim.ablation.setup import Setup, setup_of
from core.trace.trace import Trace
from core.trace.vocabulary import NAME
from core.work import QUIET, Work

Outcome: TypeAlias = Literal["found", "impossible", "open"]
STATES: Final = 100
"""So many runs are tried, if nobody says another number."""


@dataclass(frozen=True, slots=True)
class Waits:
    """What comes later than by itself: a message or a timer of the run that was found."""

    number: int
    """Which it is, in the order in which the run makes them."""
    what: str
    """Its class."""
    after: int
    """How many of the wanted events had come when it was due."""
    until: Wait
    """For what it waits."""


@dataclass(frozen=True, slots=True)
class Search:
    """What came of a search. `era` is what was asked, with the choices that the run needs that was found."""

    outcome: Outcome
    era: Era
    waits: tuple[Waits, ...]
    """The schedule of the run that was found."""
    states: int
    """How many runs were tried."""
    seq: int | None = None
    """The first event that the era does not make, where it is impossible."""
    instead: Message | None = None
    """What it makes in its place."""
    alike: tuple[Waits, ...] | None = None
    """The schedule of a run with the same facts, where events differ; None where none was found."""
    missing: Message | None = None
    """What was not enough, where nothing is decided."""
    in_time: bool = True
    """Of a run that was found: whether each event comes in it when it comes in the trace."""


@dataclass(frozen=True, slots=True)
class _Tried:
    outcome: Outcome
    waits: tuple[Waits, ...]
    states: int
    ended: Ended | None = None
    missing: Message | None = None

    @property
    def is_found(self) -> bool:
        """Whether a run was found."""
        return self.outcome == "found"

    def is_better(self, other: "_Tried") -> bool:
        """Whether a run was found that keeps the times of the trace better, or waits less."""
        return self.is_found and (not other.is_found or self.strains < other.strains)

    @property
    def strains(self) -> tuple[bool, int]:
        """Whether it is late anywhere, and how much has to wait."""
        return self.ended is None or not self.ended.in_time, len(self.waits)


_NOTHING_LATE: Final = _Tried("found", (), 0, Ended("along", 0, Dealt(None, "", 0)))


def search(trace: Trace, era: Era, *, states: int = STATES, work: Work = QUIET) -> Search:
    """Search a run of an era that goes along a trace. Raises CancelledError."""
    setup = setup_of(trace)
    if setup is None:
        return Search("open", era, (), 0, missing=message("conform.search.not-simulated"))
    wanted = Wanted(trace, "events")
    found, chosen = _try(setup, era, wanted, states, work), era
    tried = found.states
    nearest = like(era, setup.era)
    if nearest.name != era.name and _NOTHING_LATE.is_better(found):
        other = _try(setup, nearest, wanted, states, work)
        tried += other.states
        if other.is_better(found):
            found, chosen, more = _fewest(setup, nearest, other, wanted, states, work)
            tried += more
    if found.outcome != "impossible":
        in_time = not found.strains[0]
        return Search(found.outcome, chosen, found.waits, tried, missing=found.missing, in_time=in_time)
    facts = _try(setup, era, Wanted(trace, "facts"), states, work)
    seq, instead = _departure(wanted, found)
    alike = facts.waits if facts.is_found else None
    return Search("impossible", era, (), tried + facts.states, seq, instead, alike)


def replayed(trace: Trace, found: Search, work: Work = QUIET) -> Trace | None:
    """The run that was found, along all events or along the facts; None where there is none."""
    setup = setup_of(trace)
    waits = found.waits if found.outcome == "found" else found.alike
    if setup is None or found.outcome == "open" or waits is None:
        return None
    level: Level = "events" if found.outcome == "found" else "facts"
    late = {one.number: one.until for one in waits}
    return follow(Setup(setup.scenario, found.era, setup.seed), Wanted(trace, level), late, work).trace


def _fewest(
    setup: Setup, chosen: Era, found: _Tried, wanted: Wanted, states: int, work: Work
) -> tuple[_Tried, Era, int]:
    """The same with as few choices as do, and how many more runs were tried."""
    tried = 0
    for fewer in without_one(chosen):
        other = _try(setup, fewer, wanted, states, work)
        tried += other.states
        if other.is_found and not found.is_better(other):
            best, least, more = _fewest(setup, fewer, other, wanted, states, work)
            return best, least, tried + more
    return found, chosen, tried


def _try(setup: Setup, era: Era, wanted: Wanted, states: int, work: Work) -> _Tried:
    """Run, and let wait what comes too early, until a run goes along, cannot, or has been tried too often."""
    waits: dict[int, Waits] = {}
    asked = Setup(setup.scenario, era, setup.seed)
    for tried in range(1, states + 1):
        work.step(tried - 1, states, message("progress.named", name=era.name))
        ended = follow(asked, wanted, {number: one.until for number, one in waits.items()}, work)
        end = _end(wanted, ended)
        number = ended.dealt.number
        known = None if number is None else waits.get(number, _at_once(number, ended))
        until = NO_WAIT if known is None else _longer(known.until, _until(wanted, ended))
        if end is not None or known is None or known.until == until:
            outcome, missing = end or ("open", message("conform.search.no-order"))
            return _Tried(outcome, tuple(waits.values()), tried, ended, missing)
        waits[known.number] = replace(known, until=until)
    return _Tried("open", (), states, None, message("conform.search.bound", count=Count(states)))


def _at_once(number: int, ended: Ended) -> Waits:
    return Waits(number, ended.dealt.what, ended.dealt.position, NO_WAIT)


def _longer(known: Wait, until: Wait) -> Wait:
    return Wait(max(known.position, until.position), max(known.due, until.due))


def _end(wanted: Wanted, ended: Ended) -> tuple[Outcome, Message | None] | None:
    """What a run decides that ended so; None where something has to wait, and it is to be run again."""
    if ended.how == "along":
        return "found", None
    if ended.how == "waits":
        return "open", message("conform.search.nothing-comes")
    if ended.how == "departs" and wanted.level == "events" and _is_certain(wanted, ended):
        return ("impossible", None) if ended.in_time else ("open", message("conform.search.slower"))
    return None


def _is_certain(wanted: Wanted, ended: Ended) -> bool:
    """Whether it is the same message that leads to another event, or the script.

    It is the same one that led to an event before, or to which the next event goes back. Not so where a
    second one goes back to the same, as where a step writes several batches.
    """
    first = ended.dealt.position
    if ended.dealt.number is None:
        return True
    if ended.position > first:
        return not _has_twin(wanted, first)
    if ended.position >= len(wanted.rows) or ended.row is None:
        return False
    due, row = wanted.rows[first], ended.row
    same = due.cause is not None and (due.cause, due.whose) == (row.cause, row.whose)
    return same and not _has_twin(wanted, first)


def _has_twin(wanted: Wanted, place: int) -> bool:
    """Whether what led to an event led to another one of the same kind on the same broker."""
    mine = wanted.rows[place]
    if mine.cause is None:
        return False
    twins = (one for one in wanted.rows if one.cause == mine.cause and one.kind == mine.kind)
    return sum(one.whose == mine.whose for one in twins) > 1


def _until(wanted: Wanted, ended: Ended) -> Wait:
    """For what it has to wait that came too early: for the time, or for where the trace says the same."""
    first = ended.dealt.position + 1
    if ended.row is None:
        return Wait(0, ended.due)
    row, later = ended.row, range(first, len(wanted.rows))
    place = next((place for place in later if wanted.rows[place].is_like(row)), len(wanted.rows) + 1)
    # What it led to before comes again, too.
    return Wait(max(place - (ended.position - ended.dealt.position), first))


def _departure(wanted: Wanted, found: _Tried) -> tuple[int | None, Message | None]:
    """The Seq of the event that does not come, and what comes in its place."""
    ended = found.ended
    if ended is None or ended.row is None:
        return None, None
    if ended.position >= len(wanted.rows):
        return wanted.seqs[-1], message("conform.search.more", kind=NAME[ended.row.kind])
    due, row = wanted.rows[ended.position], ended.row
    kind = NAME[row.kind]
    seq = wanted.seqs[ended.position]
    if kind != NAME[due.kind]:
        return seq, message("conform.search.instead", kind=kind)
    other = [name for name, mine, theirs in zip(COLUMNS, due.said, row.said, strict=True) if mine != theirs]
    if due == row:
        return seq, message("conform.search.earlier", kind=kind)
    named = other[0] if other else "isr" if due.isr != row.isr else "cause"
    return seq, message("conform.search.otherwise", kind=kind, column=named)
