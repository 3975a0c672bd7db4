"""How far an account can be trusted, row by row, and what of it turns on what is not known."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.diagnose.account.incident import Incident
from core.diagnose.account.story import counted_ranges
from core.diagnose.account.trust import trust_in
from core.diagnose.verdict.facts import Severity, Shown
from core.message import Count, Duration, Message, message
from core.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of the trust column. `assumed`: it was taken for granted, and may be wrong."""

    label: Message
    value: Message
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question that a claim may turn on. `settled`: the evidence answers it."""

    question: Message
    answer: Message
    settled: bool


def facts_of(trace: Trace) -> tuple[Fact, ...]:
    """What was read, what was not, zones and clocks; of a simulation that everything is known."""
    return tuple(_facts(trace))


def _facts(trace: Trace) -> Iterator[Fact]:
    """The rows, in their order."""
    trust, report = trust_in(trace), trace.report
    if trust.simulated:
        yield Fact(message("incident.fact.nodes"), message("incident.trust.simulated"))
        return
    seen = message("incident.fact.of", seen=Count(len(trust.seen)), count=Count(len(trust.named)))
    yield Fact(message("incident.fact.nodes"), seen, assumed=len(trust.seen) < len(trust.named))
    files = message("incident.fact.of", seen=Count(trust.left_out), count=Count(int(report.get("files", 0))))
    yield Fact(message("incident.fact.left-out"), files, assumed=bool(trust.left_out))
    unknown = int(report.get("unrecognised", 0)) + int(report.get("malformed", 0))
    lines = message("incident.fact.of", seen=Count(unknown), count=Count(int(report.get("lines", 0))))
    yield Fact(message("incident.fact.lines"), lines)
    yield _zone(trace)
    if trust.untied or trust.clocks_within is None:
        clocks = message("incident.fact.clocks.untied")
        yield Fact(message("incident.fact.clocks"), clocks, assumed=bool(trust.untied))
    else:
        within = message("incident.fact.clocks.within", time=Duration(trust.clocks_within))
        yield Fact(message("incident.fact.clocks"), within)
    gaps = message("incident.fact.gaps.none")
    if trust.gaps:
        gaps = message("incident.fact.gaps.some", count=Count(trust.gaps), time=Duration(trust.longest_gap))
    yield Fact(message("incident.fact.gaps"), gaps)


def _zone(trace: Trace) -> Fact:
    """The zones of the logs, and whether one was assumed."""
    based = {(one.zone, one.zone_basis) for one in trace.sources if one.zone_basis}
    names = ", ".join(sorted({zone for zone, _ in based})) or "UTC"
    assumed = any(basis == "assumed" for _, basis in based)
    value = (
        message("incident.fact.zone.assumed", zones=names)
        if assumed
        else message("incident.fact.zone.known", zones=names)
    )
    return Fact(message("incident.fact.zone"), value, assumed=assumed)


def doubts_of(incident: Incident) -> tuple[Doubt, ...]:
    """The questions on the records that are told of; none without losses."""
    return tuple(_doubts(incident))


def _doubts(incident: Incident) -> Iterator[Doubt]:
    """Each question with its answer."""
    told = counted_ranges(incident.losses)
    if not told or incident.trust.simulated:
        return
    ranges = [one for _, one in told]
    proven = all(one.severity is Severity.LOSS for one in ranges)
    question = message("incident.doubt.committed")
    if all(one.commit is Shown.SHOWN for one in ranges):
        yield Doubt(question, message("incident.doubt.committed.all"), settled=True)
    elif any(one.commit is Shown.SHOWN for one in ranges):
        yield Doubt(question, message("incident.doubt.committed.some"), settled=False)
    else:
        yield Doubt(question, message("incident.doubt.committed.none"), settled=False)
    question = message("incident.doubt.told")
    if any(one.acknowledgement is Shown.NO_EVIDENCE for one in ranges):
        yield Doubt(question, message("incident.doubt.told.unknown"), settled=False)
    else:
        yield Doubt(question, message("incident.doubt.told.known"), settled=True)
    question = message("incident.doubt.held")
    if any(one.may_hold for one in ranges):
        yield Doubt(question, message("incident.doubt.held.unknown"), settled=False)
    else:
        yield Doubt(question, message("incident.doubt.held.known"), settled=True)
    if incident.trust.untied and proven:
        question = message("incident.doubt.order")
        yield Doubt(question, message("incident.doubt.order.untied"), settled=False)
