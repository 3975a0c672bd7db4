"""From a verdict to the page on its incidents: what it says is here, as messages; nothing else counts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.diagnose.account.advice import Advice, advised
from core.diagnose.account.doubts import Doubt, Fact, doubts_of, facts_of
from core.diagnose.account.fields import account
from core.diagnose.account.find import find_incidents
from core.diagnose.account.incident import (
    Incident,
    PartitionLoss,
    ToCollect,
    lost_of,
    possible_of,
)
from core.diagnose.account.page_totals import Total, totals_of
from core.diagnose.account.story import Story, counted_ranges, story_of
from core.diagnose.narrate.story_words import CAUSES
from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.counted import LostPart, amount_of_partitions, left_to_acks_1, sums_of
from core.diagnose.verdict.facts import Finding, Loss, LossClass, Severity, Shown, Verdict
from core.diagnose.verdict.seen import seen_in
from core.history.running import releases_of
from core.message import (
    AtLeast,
    Count,
    Message,
    Moment,
    Offsets,
    SimulatedMoment,
    Value,
    how_many,
    message,
)
from core.trace.evidence import evidence_of
from core.trace.times import day, zone_words
from core.trace.trace import Origin, Trace

_NAMES: Final = {
    "high-watermark-truncation": message("terms.high-watermark-truncation"),
    "unknown-epoch": message("terms.unknown-epoch"),
    "stale-isr": message("terms.stale-isr"),
    "stale-leader": message("terms.stale-leader"),
    "late-write": message("terms.late-write"),
    "not-replicated": message("terms.not-replicated"),
    "unclean-election": message("terms.unclean-election"),
    "disk-loss": message("terms.disk-loss"),
    "last-copy-gone": message("terms.last-copy-gone"),
    "divergence": message("terms.divergence"),
}


@dataclass(frozen=True, slots=True)
class Chip:
    """A partition of a cause. `lost` and `possible` are the account's; `at` and `seq` are where to look.

    `at_least` is of the first of both that is not 0: more may have gone with them.
    """

    partition: int
    lost: int
    possible: int
    at: int | None
    seq: int | None
    diverged: bool = False
    at_least: bool = False

    @property
    def count(self) -> Count | AtLeast:
        """What is lost, else what may be, as sentences tell it."""
        return how_many(self.lost or self.possible, at_least=self.at_least)


@dataclass(frozen=True, slots=True)
class Group:
    """Partitions of which the same offsets are lost; `caption` None: of findings, which have no offsets."""

    caption: Message | None
    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """The line of a log that decides: its place, and its text, "" where none was kept."""

    place: Value
    text: str


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause with its partitions, those that lost the same together."""

    name: Message
    size: Message
    sure: Message
    sentence: Message
    groups: tuple[Group, ...]
    line: Line | None
    proven: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """From when to when a broker's own files speak, ns, and the gaps between; `span` None: none was read."""

    broker: int
    span: tuple[int, int] | None
    gaps: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class IncidentPage:
    """What the page says of one incident; without one (`incident` None) of what was read."""

    incident: Incident | None
    headline: Message
    unknown: Message | None
    """What is not known, on the line of the headline."""
    when: Message
    release: Message
    totals: tuple[Total, ...]
    causes: tuple[Cause, ...]
    story: Story | None
    now: tuple[Message, ...]
    advice: tuple[Advice, ...]
    facts: tuple[Fact, ...]
    coverage: tuple[Coverage, ...]
    span: tuple[int, int]
    doubts: tuple[Doubt, ...]
    collect: tuple[ToCollect, ...]


@dataclass(frozen=True, slots=True)
class AccountPage:
    """A page an incident, the worst first; one that says so where there is none."""

    trace: Trace
    pages: tuple[IncidentPage, ...]


def page_of(trace: Trace, verdict: Verdict) -> AccountPage:
    """What there is to say of a trace at first sight."""
    found = find_incidents(trace, verdict)
    if not found:
        return AccountPage(trace, (_nothing(trace, verdict),))
    return AccountPage(trace, tuple(_page(trace, verdict, one) for one in found))


def _page(trace: Trace, verdict: Verdict, incident: Incident) -> IncidentPage:
    """The page on one incident."""
    fields = {field.key: field.lines for field in account(trace, incident)}
    return IncidentPage(
        incident=incident,
        headline=_headline(incident),
        unknown=_unknown(incident),
        when=_when(trace, incident.start, incident.end),
        release=_release(trace, incident.start),
        totals=tuple(totals_of(trace, incident)),
        causes=tuple(_causes(trace, incident)),
        story=story_of(trace, verdict, incident),
        now=fields["now"],
        advice=tuple(advised(one) for one in incident.actions),
        facts=facts_of(trace),
        coverage=coverage_of(trace),
        span=_span(trace),
        doubts=doubts_of(incident),
        collect=incident.missing,
    )


def _nothing(trace: Trace, verdict: Verdict) -> IncidentPage:
    """The page where there is no incident: what can be said, with what was not checked."""
    first, last = _span(trace)
    # Records that no later leader holds, of which no row tells whether they had been committed.
    unsure = [one for one in verdict.partitions if any(_is_unsure(loss) for loss in one.losses)]
    cuts = sum(1 for one in unsure for cut in one.truncations if cut.records != 0)
    removed = any(sums_of(one).rest_possibly_acknowledged for one in verdict.partitions)
    count = Count(len(trace.partitions))
    if cuts:
        headline = message("incident.page.cuts-unknown", count=Count(cuts))
    elif removed:
        headline = message("incident.page.none-committed", count=count)
    else:
        headline = message("incident.page.nothing", count=count)
    return IncidentPage(
        incident=None,
        headline=headline,
        unknown=_unknown_of_nothing(trace, {} if cuts else left_to_acks_1(trace, verdict.partitions)),
        when=_when(trace, first, last),
        release=_release(trace),
        totals=(),
        causes=tuple(_of_findings(trace, verdict.findings)),
        story=None,
        now=(),
        advice=(),
        facts=facts_of(trace),
        coverage=coverage_of(trace),
        span=(first, last),
        doubts=(),
        collect=(),
    )


def _unknown_of_nothing(trace: Trace, removed: Mapping[int, Sequence[LostPart]]) -> Message | None:
    """What a page without an incident does not know: of records that were removed, and of files left out."""
    left_out = len(trace.report.get("left_out", ()))
    unread = message("incident.page.not-checked", count=Count(left_out)) if left_out else None
    if not removed:
        return unread
    told = message("incident.page.removed", count=amount_of_partitions(removed))
    return told if unread is None else message("incident.page.two-unknown", first=told, second=unread)


def _is_unsure(loss: Loss) -> bool:
    return loss.commit is Shown.NO_EVIDENCE and loss.loss_class is not LossClass.UNCOMMITTED


def _span(trace: Trace) -> tuple[int, int]:
    """From the first to the last event, in ns."""
    at = trace.columns["at"]
    return (int(at[0]), int(at[-1])) if len(trace) else (0, 0)


def _headline(incident: Incident) -> Message:
    """What is lost, in how many partitions, by how many causes."""
    totals, losses = incident.totals, incident.losses
    told = {loss.partition for loss, _ in counted_ranges(losses)}
    where = message("incident.page.partitions", count=Count(len(told)))
    causes = message("incident.page.causes", count=Count(len({loss.cause for loss in losses})))
    if totals.lost:
        classes = {
            one.loss_class
            for loss, one in counted_ranges(losses)
            if not loss.compacted and one.severity is Severity.LOSS
        }
        count = totals.records
        if classes == {LossClass.COMMITTED}:
            return message("incident.page.lost.committed", count=count, where=where, causes=causes)
        if classes == {LossClass.ACKNOWLEDGED}:
            return message("incident.page.lost.acknowledged", count=count, where=where, causes=causes)
        return message("incident.page.lost", count=count, where=where, causes=causes)
    if totals.compacted_lost:
        count = totals.offsets
        return message("incident.page.lost.offsets", count=count, where=where, causes=causes)
    if totals.possible or totals.compacted_possible:
        count = totals.possible_records if totals.possible else totals.possible_offsets
        if isinstance(count, AtLeast):
            return message("incident.page.possible-least", count=count, where=where, causes=causes)
        return message("incident.page.possible", count=count, where=where, causes=causes)
    if incident.apart:
        where = message(
            "incident.page.partitions", count=Count(len({one.partition for one in incident.apart}))
        )
        return message("incident.page.apart", where=where)
    return message("incident.page.alarms", count=Count(len(incident.findings)))


def _unknown(incident: Incident) -> Message | None:
    """What is not known of what the headline counts."""
    told = [one for _, one in counted_ranges(incident.losses)]
    if any(one.acknowledgement is Shown.NO_EVIDENCE for one in told):
        return message("incident.page.unknown-acks")
    if any(one.may_hold for one in told):
        return message("incident.page.unknown-holders")
    return None


def _when(trace: Trace, first: int, last: int) -> Message:
    """From when to when, with the date and the zone."""
    if trace.origin is Origin.SIMULATED:
        return message(
            "incident.page.when.simulated", first=SimulatedMoment(first), last=SimulatedMoment(last)
        )
    return message(
        "incident.page.when", day=day(first), first=Moment(first), last=Moment(last), zone=zone_words(last)
    )


def _release(trace: Trace, at: int | None = None) -> Message:
    """The releases that ran at a time in ns (None is any), and on how many brokers; with KRaft, of nodes."""
    own = releases_of(trace, at)
    if not own and "release" in trace.facts:
        own = (trace.facts["release"],)
    count = Count(len(trace.brokers))
    if not own:
        return message("incident.page.release.unknown", count=count)
    if trace.has_quorum:
        return message("incident.page.release.nodes", count=count, releases=", ".join(own))
    return message("incident.page.release", count=count, releases=", ".join(own))


def _causes(trace: Trace, incident: Incident) -> Iterator[Cause]:
    """The causes, those of proven losses first, then by size; then what is wrong without a loss."""
    by_cause: dict[str, list[PartitionLoss]] = {}
    for one in incident.losses:
        by_cause.setdefault(one.cause, []).append(one)
    sizes = {
        cause: (sum(one.lost for one in mine), sum(one.possible for one in mine))
        for cause, mine in by_cause.items()
    }
    for cause in sorted(by_cause, key=lambda one: (-sizes[one][0], -sizes[one][1], one)):
        yield _cause(trace, cause, by_cause[cause], sizes[cause])
    if incident.apart and "divergence" not in by_cause:
        chips = [
            Chip(one.partition, 0, 0, None, next(iter(one.divergence.evidence), None), diverged=True)
            for one in incident.apart
        ]
        yield _other(trace, _NAMES["divergence"], CAUSES["divergence"], chips)
    # What was lost by an unclean election stands above.
    told = [one for one in incident.findings if not incident.losses or one.check != "unclean-election"]
    yield from _of_findings(trace, told)


def _of_findings(trace: Trace, findings: Sequence[Finding]) -> Iterator[Cause]:
    """Findings that are no loss, those of a check together."""
    for check in dict.fromkeys(one.check for one in findings):
        mine = [one for one in findings if one.check == check]
        chips = [Chip(one.partition, 0, 0, one.start, one.seq) for one in mine if one.partition is not None]
        yield _other(trace, CHECK[check].title, mine[0].message, chips)


def _cause(trace: Trace, cause: str, mine: Sequence[PartitionLoss], size: tuple[int, int]) -> Cause:
    """One cause of losses."""
    lost, possible = size[0], possible_of(mine)
    partitions = message("incident.page.of-partitions", count=Count(len({one.partition for one in mine})))
    if lost:
        told = message("incident.page.size", partitions=partitions, count=lost_of(mine))
    elif isinstance(possible, AtLeast):
        told = message("incident.page.size.possible-least", partitions=partitions, count=possible)
    else:
        told = message("incident.page.size.possible", partitions=partitions, count=possible)
    sure = message("incident.page.proven") if lost else message("incident.page.may-be")
    if lost and isinstance(possible, AtLeast):
        sure = message("incident.page.proven-least", count=possible)
    elif lost and possible.number:
        sure = message("incident.page.proven-and", count=possible)
    groups: dict[tuple[tuple[int, int], ...], list[PartitionLoss]] = {}
    for one in mine:
        spans = tuple(sorted((part.first_offset, part.end_offset) for part in one.ranges))
        groups.setdefault(spans, []).append(one)
    return Cause(
        name=_NAMES.get(cause, message("incident.page.cause.unknown")),
        size=told,
        sure=sure,
        sentence=CAUSES.get(cause, message("incident.cause.unknown")),
        groups=tuple(
            Group(_caption(spans, alike), tuple(map(_chip, alike))) for spans, alike in groups.items()
        ),
        line=_decisive(trace, mine[0]),
        proven=bool(lost),
    )


def _other(trace: Trace, name: Message, sentence: Message, chips: Sequence[Chip]) -> Cause:
    """What is wrong without a loss."""
    named = {chip.partition: chip for chip in reversed(chips)}
    count = Count(len(named))
    seqs = [chip.seq for chip in chips if chip.seq is not None]
    groups = (Group(None, tuple(named[one] for one in sorted(named))),) if named else ()
    return Cause(
        name=name,
        size=message("incident.page.of-partitions", count=count)
        if named
        else message("incident.page.brokers"),
        sure=message("incident.page.no-loss"),
        sentence=sentence,
        groups=groups,
        line=_line(trace, seqs),
        proven=False,
    )


def _caption(spans: Sequence[tuple[int, int]], alike: Sequence[PartitionLoss]) -> Message:
    """The offsets that the partitions of a group lost."""
    open_ended = any(part.at_least for one in alike for part in one.ranges)
    each = how_many(sum(end - first for first, end in spans), at_least=open_ended)
    first, last = spans[0][0], spans[-1][1]
    if len(spans) > 1 and sum(end - begin for begin, end in spans) != last - first:
        offsets: Value = message("incident.page.within", offsets=Offsets(first, last))
    else:
        offsets = Offsets(first, last)
    if len(alike) == 1:
        return message("incident.page.offsets", offsets=offsets)
    return message("incident.page.offsets-each", offsets=offsets, count=each)


def _chip(one: PartitionLoss) -> Chip:
    """A partition with what it lost, and where that is seen best."""
    at_least = one.lost_at_least if one.lost else one.possible_at_least
    chip = Chip(one.partition, one.lost, one.possible, None, None, at_least=at_least)
    if one.cut is not None:
        return replace(chip, at=one.cut.at, seq=one.cut.seq)
    gone = [copy for part in one.ranges for copy in part.copies if copy.until is not None]
    last = max(gone, key=lambda copy: copy.until or 0, default=None)
    if last is None:
        return chip
    return replace(chip, at=last.until, seq=last.seq)


def _decisive(trace: Trace, one: PartitionLoss) -> Line | None:
    """The line of the cut, else of the election, else of the loss itself."""
    seqs: list[int] = []
    if one.cut is not None:
        seqs += [*one.cut.evidence, one.cut.seq]
    if one.election is not None:
        seqs += one.election.evidence
    for part in one.ranges:
        seqs += part.evidence
    return _line(trace, seqs)


def _line(trace: Trace, seqs: Sequence[int]) -> Line | None:
    """The first line among the evidence, else the first place in a file that has no lines."""
    found = [one for one in (evidence_of(trace, seq) for seq in seqs) if one is not None]
    for one in found:
        if one.line is not None:
            return Line(f"{one.file}:{one.line}", one.text)
    if not found:
        return None
    return Line(message("story.place.byte", file=found[0].file, byte=found[0].byte), "")


def coverage_of(trace: Trace) -> tuple[Coverage, ...]:
    """What the files of each broker that is named cover."""
    seen = seen_in(trace)
    named = {int(one.broker_id) for one in trace.brokers}.union(seen.spans)
    return tuple(Coverage(one, seen.spans.get(one), seen.gaps(one)) for one in sorted(named))
