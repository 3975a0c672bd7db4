"""What is shown of an import while it runs, as values: no Qt. Nothing is counted here."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, LiteralString

from core.diagnose.verdict.so_far import JudgedPartition, JudgedSoFar
from core.message import Count, message
from core.trace.units import SECOND_NS
from gui.terms import check_words, lost_words, percent
from gui.text.spoken import tr, worded
from importers.merge.so_far import LogSoFar, PartitionSoFar, ReadSoFar

NAMED: Final[tuple[tuple[LiteralString, int], ...]] = (
    ("search.partition", 0),
    ("reading.epochs", 110),
    ("reading.cuts", 100),
)
JUDGED: Final[tuple[tuple[LiteralString, int], ...]] = (
    ("search.partition", 0),
    ("triage.worst-finding", 190),
    ("triage.records", 100),
)
"""Heads and widths of the columns of partitions: as they are named, and as they are judged."""
Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What was told of an import by now."""

    read: ReadSoFar | None = None
    judged: JudgedSoFar | None = None

    def with_more(self, told: object) -> "Known":
        """The same with what was told now."""
        if isinstance(told, ReadSoFar):
            # Of several sources one is read after the other.
            return Known(told)
        return Known(self.read, told) if isinstance(told, JudgedSoFar) else self


def state(known: Known) -> str:
    """How far it is, and what that means for what is shown."""
    if known.judged is not None:
        judged, partitions = known.judged.judged, known.judged.partitions
        return tr("reading.judging", judged=judged, partitions=partitions)
    if known.read is None:
        return tr("reading.nothing")
    return tr("reading.whole" if known.read.whole else "reading.no-verdict")


def totals(known: Known) -> str:
    """What was read, in numbers; "" before anything was."""
    read = known.read
    if read is None:
        return ""
    parts = [
        message("reading.total.logs", count=Count(read.all_logs)),
        message("reading.total.lines", count=Count(read.lines)),
        message("reading.total.others", count=Count(read.others)),
    ]
    return "   ·   ".join(worded(part) for part in parts)


def log_rows(read: ReadSoFar) -> tuple[Row, ...]:
    """File, broker, release, times, lines, how many of them are understood; or why it is not read."""
    return tuple(_log(log) for log in read.logs)


def _log(log: LogSoFar) -> Row:
    broker = "" if log.broker is None else str(log.broker)
    if log.first is None or log.last is None:
        return (log.name, broker, log.release, "" if log.fault is None else worded(log.fault.what), "", "")
    share = percent(log.understood / log.lines) if log.lines else ""
    return (log.name, broker, log.release, _times(log.first, log.last), f"{log.lines:,}", share)


def _times(first: int, last: int) -> str:
    """From when to when, as a log prints it."""
    begin, end = (datetime.fromtimestamp(at // SECOND_NS, tz=UTC) for at in (first, last))
    same = begin.date() == end.date()
    return (
        f"{begin:%Y-%m-%d %H:%M:%S} – {end:%H:%M:%S}"
        if same
        else f"{begin:%Y-%m-%d %H:%M} – {end:%m-%d %H:%M}"
    )


def named_rows(read: ReadSoFar) -> tuple[Row, ...]:
    """Partition, leader epochs, cuts: as logs state them."""
    return tuple(_named(one) for one in read.partitions)


def _named(one: PartitionSoFar) -> Row:
    return (one.name, f"{one.epochs:,}", f"{one.cuts:,}")


def judged_rows(judged: JudgedSoFar) -> tuple[Row, ...]:
    """Partition, worst finding, records: as triage will say it."""
    return tuple(_judged(one) for one in judged.worst)


def _judged(one: JudgedPartition) -> Row:
    check = one.summary.check
    found = tr("triage.nothing-found") if check is None else check_words(check)
    return (str(one.tp), found, lost_words(one.summary))


def partitions_fact(known: Known) -> str:
    """How many partitions there are beyond those that are listed."""
    if known.judged is not None:
        return tr("reading.shown-of", shown=len(known.judged.worst), count=known.judged.judged)
    if known.read is None:
        return ""
    read = known.read
    return tr("reading.partitions-fact", count=read.all_partitions, cuts=read.with_cuts)
