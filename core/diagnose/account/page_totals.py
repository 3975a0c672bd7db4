"""From an incident to the totals of its page: each a number, a bound or a question mark, with its label."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.diagnose.account.incident import Incident, LostRange, PartitionLoss
from core.diagnose.account.story import counted_ranges
from core.diagnose.verdict.facts import LossClass, Severity, Shown
from core.message import AtLeast, Count, Duration, Message, how_many, message
from core.trace.trace import Trace

UNKNOWN: Final = message("incident.page.unknown")
"""The value of what the evidence does not tell: never 0, never blank."""


class Weight(StrEnum):
    """How a value is set."""

    LOSS = "loss"
    PLAIN = "plain"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Total:
    """One of the totals of the head."""

    key: str
    value: Message
    label: Message
    weight: Weight


def totals_of(trace: Trace, incident: Incident) -> Iterator[Total]:
    """The totals of the head; none where the incident has no losses."""
    told = counted_ranges(incident.losses)
    if not told:
        return
    totals = incident.totals
    yield _lost_total(incident, [one for loss, one in told if not loss.compacted])
    if totals.compacted_lost or totals.compacted_possible:
        count = totals.offsets if totals.compacted_lost else totals.possible_offsets
        yield Total("offsets", _number(count), message("incident.page.total.offsets"), Weight.LOSS)
    else:
        most = message("incident.page.at-most", number=Count(totals.possible))
        bounded = totals.possible and not totals.possible_at_least
        told_value = most if bounded else _number(totals.possible_records)
        yield Total("possible", told_value, message("incident.page.total.possible"), Weight.PLAIN)
    yield _acknowledged(told)
    left = sum(_records(one) for _, one in told if one.left_on)
    weight = Weight.PLAIN if left else Weight.LOSS
    yield Total("left", _number(Count(left)), message("incident.page.total.left"), weight)
    of = message("incident.page.total.partitions", count=Count(len(trace.partitions)))
    yield Total("partitions", _number(Count(len({loss.partition for loss, _ in told}))), of, Weight.PLAIN)
    yield _saved_within(told)


def _number(number: Count | AtLeast) -> Message:
    """A number as a total shows it."""
    if isinstance(number, AtLeast):
        return message("incident.page.at-least", number=Count(number.number))
    return message("incident.page.number", number=number)


def _records(one: LostRange) -> int:
    return one.end_offset - one.first_offset


def _lost_total(incident: Incident, told: Sequence[LostRange]) -> Total:
    """The first total, with the promise that was broken."""
    classes = {one.loss_class for one in told if one.severity is Severity.LOSS}
    label = message("incident.page.total.lost")
    if classes == {LossClass.COMMITTED}:
        label = message("incident.page.total.committed")
    elif classes == {LossClass.ACKNOWLEDGED}:
        label = message("incident.page.total.acknowledged")
    count = incident.totals.records
    return Total("lost", _number(count), label, Weight.LOSS if count.number else Weight.PLAIN)


def _acknowledged(told: Iterable[tuple[PartitionLoss, LostRange]]) -> Total:
    """How many of them a producer was told of: "?" where nothing could tell."""
    ranges = [one for _, one in told]
    count = sum(_records(one) for one in ranges if one.acknowledgement is Shown.SHOWN)
    label = message("incident.page.total.acks")
    if all(one.acknowledgement is not Shown.NO_EVIDENCE for one in ranges):
        exact = how_many(count, at_least=any(one.at_least for one in ranges))
        return Total("acks", _number(exact), label, Weight.PLAIN)
    if count:
        value = message("incident.page.at-least", number=Count(count))
        return Total("acks", value, label, Weight.PLAIN)
    return Total("acks", UNKNOWN, message("incident.page.total.acks-unknown"), Weight.UNKNOWN)


def _saved_within(told: Sequence[tuple[PartitionLoss, LostRange]]) -> Total:
    """The least time from the first copy that went, or the election, to the last copy that went."""
    label = message("incident.page.total.saved")
    lasted: list[int] = []
    for loss, one in told:
        ends = [copy.until for copy in one.copies if copy.until is not None]
        if not ends or one.left_on or len(ends) < len(one.copies):
            continue
        begun = [min(ends)] if loss.election is None else [min(ends), loss.election.start]
        lasted.append(max(ends) - min(begun))
    if not lasted:
        return Total("saved", UNKNOWN, label, Weight.UNKNOWN)
    return Total("saved", message("incident.page.time", time=Duration(min(lasted))), label, Weight.PLAIN)
