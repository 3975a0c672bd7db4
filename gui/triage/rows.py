"""What the triage page shows, as values: rows in rank order, and how they are chosen. No Qt."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from core.diagnose.verdict.checks import CHECK, CHECKS
from core.diagnose.verdict.facts import Finding, Severity
from core.diagnose.verdict.summary import PartitionSummary, Triage, ranked
from core.trace.ids import name_order
from core.trace.trace import Partition
from gui.terms import check_words, lost_words
from gui.text.spoken import tr

_WITH_LOSS: Final = frozenset(
    check.id for check in CHECKS if check.severity is Severity.LOSS or check.id == "possible-loss"
)


class Column(IntEnum):
    """Of the table, from left to right."""

    PLACE = 0
    PARTITION = 1
    FINDING = 2
    RECORDS = 3
    BAND = 4
    CUTS = 5
    ELECTIONS = 6
    ISR = 7
    SEEN = 8


@dataclass(frozen=True, slots=True)
class Row:
    """A partition. `place` counts from 1 in rank order."""

    place: int
    name: str
    topic: str
    replicas: tuple[int, ...]
    summary: PartitionSummary

    @property
    def records(self) -> str:
        """Records lost; "≤ 391" or "≥ 19" where that is a bound."""
        return lost_words(self.summary)

    @property
    def title(self) -> str:
        """The worst finding in two or three words."""
        return title_of(self.summary.check)


def title_of(check: str | None) -> str:
    """A check in two or three words; None is that nothing was found."""
    return tr("triage.nothing-found") if check is None else check_words(check)


@dataclass(frozen=True, slots=True)
class Table:
    """All partitions of a trace, worst first, with the stretch of time (ns) that the bands are drawn on."""

    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Which rows are wanted.

    Words of name or finding, a check ("" is nothing found), a topic, who led before the loss, a stretch.
    """

    text: str = ""
    check: str | None = None
    topic: str | None = None
    leader: int | None = None
    stretch: tuple[int, int] | None = None


def table_of(triage: Triage, partitions: Sequence[Partition]) -> Table:
    """The rows of a trace. `partitions` are its own, in order."""
    names = {index: str(partition.tp) for index, partition in enumerate(partitions)}
    rows = tuple(
        Row(
            place,
            names[one.partition],
            partitions[one.partition].tp.topic,
            tuple(int(broker) for broker in partitions[one.partition].replicas),
            one,
        )
        for place, one in enumerate(ranked(triage.summaries, names), start=1)
    )
    spells = [(spell.start, spell.end) for row in rows for spell in row.summary.spells]
    marks = [at for row in rows for at, _ in row.summary.marks]
    times = [*marks, *(at for spell in spells for at in spell)]
    return Table(rows, triage.findings, min(times, default=0), max(times, default=0))


def choose(table: Table, wanted: Choice) -> list[int]:
    """Indexes of the rows that a choice leaves, in rank order."""
    words = wanted.text.lower().split()
    inside = _inside(table, wanted.stretch)
    titles = {row.summary.check: "" for row in table.rows}
    titles = {check: title_of(check).lower() for check in titles}
    return [
        index
        for index, row in enumerate(table.rows)
        if (wanted.topic is None or row.topic == wanted.topic)
        and (wanted.check is None or (row.summary.check or "") == wanted.check)
        and (wanted.leader is None or leader_before(row) == wanted.leader)
        and (inside is None or row.summary.partition in inside)
        and all(word in row.name.lower() or word in titles[row.summary.check] for word in words)
    ]


def _inside(table: Table, stretch: tuple[int, int] | None) -> set[int] | None:
    """The partitions with a finding that begins in a stretch of time."""
    if stretch is None:
        return None
    first, last = stretch
    return {
        finding.partition
        for finding in table.findings
        if finding.partition is not None and first <= finding.start <= last
    }


_KEYS: Final[dict[Column, Callable[[Row], Any]]] = {
    Column.PLACE: lambda row: row.place,
    Column.PARTITION: lambda row: name_order(row.name),
    Column.FINDING: lambda row: row.summary.rank,
    Column.RECORDS: lambda row: (row.summary.records_lost, row.summary.records_possible),
    Column.BAND: lambda row: row.summary.at or 0,
    Column.CUTS: lambda row: row.summary.truncations,
    Column.ELECTIONS: lambda row: row.summary.elections,
    Column.ISR: lambda row: row.summary.isr_changes,
    Column.SEEN: lambda row: row.summary.seen,
}


def in_order(table: Table, chosen: Sequence[int], column: Column, *, falling: bool) -> list[int]:
    """The chosen rows by a column; rows that are equal in it stay in rank order."""
    key = _KEYS[column]
    return sorted(chosen, key=lambda index: key(table.rows[index]), reverse=falling)


def by_check(table: Table) -> list[tuple[str, int]]:
    """(check, partitions whose worst it is), worst first; "" is nothing found. They add up to all."""
    counts = Counter(row.summary.check or "" for row in table.rows)
    return sorted(counts.items(), key=lambda item: CHECK[item[0]].rank if item[0] else len(CHECK) + 1)


def by_topic(table: Table) -> list[tuple[str, int, int]]:
    """(topic, partitions with a loss or a possible one, partitions), most losses first."""
    lost = Counter(row.topic for row in table.rows if row.summary.check in _WITH_LOSS)
    every = Counter(row.topic for row in table.rows)
    return sorted(
        ((topic, lost[topic], count) for topic, count in every.items()), key=lambda one: (-one[1], one[0])
    )


def leader_before(row: Row) -> int | None:
    """Who led last before the term in which the loss shows, or led all along; None: no loss, or not known.

    What is gone was written under that leader, or under one before it.
    """
    at = row.summary.at
    if row.summary.check not in _WITH_LOSS or at is None:
        return None
    known = [spell for spell in row.summary.spells if spell.start <= at and spell.leader not in (None, -1)]
    before = [spell for spell in known if spell.epoch != known[-1].epoch]
    return (before or known)[-1].leader if known else None


def by_leader(table: Table) -> list[tuple[int, int, int]]:
    """(broker that led before the loss, partitions with a loss, with a possible one), most losses first."""
    counts: dict[int, list[int]] = {}
    for row in table.rows:
        leader = leader_before(row)
        if leader is not None:
            counts.setdefault(leader, [0, 0])[row.summary.check == "possible-loss"] += 1
    found = [(leader, lost, possible) for leader, (lost, possible) in counts.items()]
    return sorted(found, key=lambda one: (-one[1], -one[2], one[0]))


def heat(table: Table, bins: int) -> dict[int, list[int]]:
    """By broker: findings per bin of the table's time; brokers in the order of their ids."""
    found: dict[int, list[int]] = {}
    width = max((table.last - table.first) // bins + 1, 1)
    for finding in table.findings:
        if table.first <= finding.start <= table.last:
            place = (finding.start - table.first) // width
            for broker in finding.brokers:
                found.setdefault(broker, [0] * bins)[place] += 1
    for row in table.rows:
        for broker in row.replicas:
            found.setdefault(broker, [0] * bins)
    return dict(sorted(found.items()))


_STEPS: Final = (0, 1, 3, 10, 30)


def shade(count: int) -> int:
    """0 to 5: how dark a bin with so many findings is."""
    return bisect_right(_STEPS, count - 1) if count else 0


def story(table: Table, row: Row) -> list[Finding]:
    """What was found of one partition, worst first."""
    return [finding for finding in table.findings if finding.partition == row.summary.partition]
