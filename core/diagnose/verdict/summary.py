"""One row a partition: what triage lists, what the document stores, what the pipeline ranks.

Made from a verdict, so that a table of 100,000 partitions needs no history. Durations are ns; a record
is counted once where losses overlap. Order: the rank of the worst check, topics that Kafka itself keeps
last of those that are as serious (`worst_first`); then records, then time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.diagnose.verdict.checks import CHECK, NOTHING_FOUND, worst_first
from core.diagnose.verdict.counted import sums_of
from core.diagnose.verdict.facts import Finding, Leadership, PartitionVerdict, Verdict
from core.diagnose.verdict.seen import Seen, seen_in
from core.message import Message
from core.trace.ids import INTERNAL_TOPICS, name_order
from core.trace.trace import Trace

_SPELLS: Final = 40
"""At most so many spells in a mini band of 160 px: what is shorter than 4 px is not seen."""
_MARKED: Final = CHECK["false-alarm"].rank


@dataclass(frozen=True, slots=True)
class Spell:
    """Who led from when to when, ns, and in which epoch. `leader` -1 is none, None is not known."""

    start: int
    end: int
    leader: int | None
    epoch: int | None


@dataclass(frozen=True, slots=True)
class PartitionSummary:
    """One partition of a trace in numbers. `check` None: nothing was found.

    `records_possible`: records that may have been confirmed and are held by no later leader, the proven ones
    left out; no more of them can be lost. `lost_at_least` and its like: more may have gone with what is
    counted, as nothing tells where a log ended before its cut. `seen` is the share of broker time that the
    evidence covers, 0 to 1.
    """

    partition: int
    check: str | None
    reason: Message | None
    """What the worst finding says."""
    at: int | None
    """When the worst finding begins."""
    records_lost: int
    records_possible: int
    records_uncommitted: int
    truncations: int
    cuts_below_hw: int
    high_watermark_falls: int
    log_end_falls: int
    elections: int
    unclean_elections: int
    isr_changes: int
    under_replicated_ns: int
    under_min_isr_ns: int
    leaderless_ns: int
    gaps: int
    seen: float
    findings: Mapping[str, int]
    """How many findings of each check."""
    spells: tuple[Spell, ...]
    marks: tuple[tuple[int, str], ...]
    """(when, check) of what the mini band shows."""
    lost_at_least: bool = False
    possible_at_least: bool = False
    uncommitted_at_least: bool = False

    @property
    def rank(self) -> int:
        """The rank of the worst check; one more than the last where nothing was found."""
        return NOTHING_FOUND if self.check is None else CHECK[self.check].rank

    @property
    def records(self) -> int:
        """What partitions of one rank are sorted by: records proven lost, else those possibly lost."""
        return self.records_lost or self.records_possible


@dataclass(frozen=True, slots=True)
class Triage:
    """A trace at a glance: a row a partition, in the order of the trace, and all findings, worst first."""

    summaries: tuple[PartitionSummary, ...]
    findings: tuple[Finding, ...]
    stored: "Triage | None" = None
    """All of it as a later version wrote it, with checks that this one does not know."""

    @property
    def later(self) -> int:
        """How many findings are left out, as only a later version knows their check."""
        return 0 if self.stored is None else len(self.stored.findings) - len(self.findings)


def triage(trace: Trace, verdict: Verdict) -> Triage:
    """Everything that a table of partitions and findings shows, without the histories behind it."""
    seen = seen_in(trace)
    return Triage(tuple(summarise(trace, one, seen) for one in verdict.partitions), verdict.findings)


def as_known(found: Triage) -> Triage:
    """What a document or a data set has, without the checks that only a later version knows.

    The reason of a partition whose worst check is one of them is that of the worst finding that is left.
    """
    findings = tuple(one for one in found.findings if one.check in CHECK)
    known = all(map(_is_known, found.summaries))
    if known and len(findings) == len(found.findings):
        return found
    worst: dict[int | None, Finding] = {}
    for one in findings:
        worst.setdefault(one.partition, one)
    summaries = tuple(
        one if _is_known(one) else _as_known(one, worst.get(one.partition)) for one in found.summaries
    )
    return Triage(summaries, findings, found)


def _is_known(one: PartitionSummary) -> bool:
    """Whether this version knows the check of a finding."""
    known = (one.check is None or one.check in CHECK) and CHECK.keys() >= one.findings.keys()
    return known and all(check in CHECK for _, check in one.marks)


def _as_known(one: PartitionSummary, worst: Finding | None) -> PartitionSummary:
    """The summary of a partition with the worst finding that is left."""
    known = replace(
        one,
        findings={check: count for check, count in one.findings.items() if check in CHECK},
        marks=tuple(mark for mark in one.marks if mark[1] in CHECK),
    )
    if one.check is None or one.check in CHECK:
        return known
    if worst is None:
        return replace(known, check=None, reason=None, at=None)
    return replace(known, check=worst.check, reason=worst.message, at=worst.start)


def summarise(trace: Trace, verdict: PartitionVerdict, seen: Seen) -> PartitionSummary:
    """The row of one partition. `seen` is of the whole trace, made once (`seen_in`)."""
    sums = sums_of(verdict)
    counts = Counter(finding.check for finding in verdict.findings)
    worst = verdict.findings[0] if verdict.findings else None
    partition = trace.partitions[verdict.partition]
    end = seen.last
    return PartitionSummary(
        partition=verdict.partition,
        check=None if worst is None else worst.check,
        reason=None if worst is None else worst.message,
        at=None if worst is None else worst.start,
        records_lost=sums.lost,
        records_possible=sums.possible,
        records_uncommitted=sums.rest,
        truncations=len(verdict.truncations),
        cuts_below_hw=sum(cut.below_high_watermark is True for cut in verdict.truncations),
        high_watermark_falls=counts["hw-went-back"] + counts["hw-checkpoint-stale"],
        log_end_falls=counts["leo-jumped-back"],
        elections=sum(tenure.leader != -1 for tenure in verdict.leadership[1:]),
        unclean_elections=sum(tenure.election == "unclean" for tenure in verdict.leadership),
        isr_changes=max(len(verdict.isr) - 1, 0),
        under_replicated_ns=sum(
            (end if span.end is None else span.end) - span.start
            for span in verdict.isr
            if len(span.isr) < len(partition.replicas)
        ),
        under_min_isr_ns=_lasted(verdict.findings, "under-min-isr", end),
        leaderless_ns=_lasted(verdict.findings, "leaderless", end),
        gaps=sum(len(seen.gaps(broker)) for broker in partition.replicas),
        seen=seen.share(partition.replicas),
        findings=dict(counts),
        spells=tuple(_spells(verdict.leadership, end)),
        marks=tuple(
            sorted((one.start, one.check) for one in verdict.findings if CHECK[one.check].rank < _MARKED)
        )[:_SPELLS],
        lost_at_least=sums.lost_at_least,
        possible_at_least=sums.possible_at_least,
        uncommitted_at_least=sums.rest_at_least,
    )


def ranked(summaries: Iterable[PartitionSummary], names: Mapping[int, str]) -> list[PartitionSummary]:
    """Worst first: `worst_first` of the check, then records, time, name. `names` by partition."""
    return sorted(summaries, key=lambda one: sort_key(one, names[one.partition]))


def sort_key(one: PartitionSummary, name: str) -> tuple[tuple[int, bool, int], int, int, tuple[str, int]]:
    """What partitions are sorted by; the smallest is the worst."""
    order = name_order(name)
    worst = worst_first(one.rank, internal=order[0] in INTERNAL_TOPICS)
    return worst, -one.records, one.at if one.at is not None else 0, order


def _lasted(findings: Iterable[Finding], check: str, end: int) -> int:
    """How long the findings of a check lasted, in ns."""
    return sum((end if one.end is None else one.end) - one.start for one in findings if one.check == check)


def _spells(tenures: tuple[Leadership, ...], end: int) -> Iterator[Spell]:
    """Who led when; between two tenures it may not be known. Of too many the longest are kept."""
    found: list[Spell] = []
    for number, tenure in enumerate(tenures):
        until = end if tenure.end is None else tenure.end
        found.append(Spell(tenure.start, until, tenure.leader, tenure.epoch))
        following = tenures[number + 1].start if number + 1 < len(tenures) else end
        if until < following:
            found.append(Spell(until, following, None, None))
    kept = sorted(found, key=lambda spell: spell.start - spell.end)[:_SPELLS]
    yield from sorted(kept, key=lambda spell: spell.start)
