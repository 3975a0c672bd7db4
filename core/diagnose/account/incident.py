"""The values of an account: one incident, from its totals down to ranges of offsets with their evidence.

Offsets are half-open ranges, times are ns, None is "not known". Partitions are indexes of the trace.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from core.diagnose.verdict.facts import (
    Copy,
    Divergence,
    Finding,
    Leadership,
    LossClass,
    Severity,
    Shown,
    Truncation,
)
from core.message import AtLeast, Count, Message, how_many


@dataclass(frozen=True, slots=True)
class LostRange:
    """Records [first_offset, end_offset) of one leader epoch (None: not known which) that are lost or may be.

    `severity` LOSS: they are lost; DANGER: they may be. `may_hold` are later leaders whose logs would tell.
    """

    epoch: int | None
    first_offset: int
    end_offset: int
    loss_class: LossClass
    severity: Severity
    commit: Shown
    acknowledgement: Shown
    may_hold: tuple[int, ...]
    last_copy: Copy | None
    """The copy that was left last, or still is."""
    left_on: tuple[int, ...]
    """Replicas that hold the records at the end."""
    evidence: tuple[int, ...]
    copies: tuple[Copy, ...] = ()
    """Every copy of these records that there ever was, those that are left last."""
    at_least: bool = False
    """More records behind these may have gone with them."""


@dataclass(frozen=True, slots=True)
class Return:
    """When a leader led again in its own epoch, after its process had ended: in ns, by the row `seq`."""

    at: int
    seq: int


@dataclass(frozen=True, slots=True)
class PartitionLoss:
    """What one partition lost by one cause. `compacted`: its offsets are counted, not its records."""

    partition: int
    cause: str
    compacted: bool
    ranges: tuple[LostRange, ...]
    cut: Truncation | None
    election: Leadership | None
    returned: Return | None = None
    """Its leader was not elected without the records: it led again, in the epoch of `election`."""

    @property
    def at(self) -> int | None:
        """When it was decided, in ns: by the cut, else by the election; None where neither is known."""
        if self.cut is not None:
            return self.cut.at
        if self.returned is not None:
            return self.returned.at
        return None if self.election is None else self.election.start

    @property
    def lost(self) -> int:
        """How many offsets are lost, each once an epoch."""
        return sum(one.end_offset - one.first_offset for one in self.ranges if one.severity is Severity.LOSS)

    @property
    def lost_at_least(self) -> bool:
        """Whether more may have gone with what is lost."""
        return any(one.at_least for one in self.ranges if one.severity is Severity.LOSS)

    @property
    def possible(self) -> int:
        """How many more may be lost."""
        return sum(one.end_offset - one.first_offset for one in self.ranges) - self.lost

    @property
    def possible_at_least(self) -> bool:
        """Whether more may have gone with what may be lost."""
        return any(one.at_least for one in self.ranges if one.severity is not Severity.LOSS)


def lost_of(losses: Iterable[PartitionLoss]) -> Count | AtLeast:
    """How many records some partitions lost, as sentences tell it."""
    found = tuple(losses)
    return how_many(sum(one.lost for one in found), at_least=any(one.lost_at_least for one in found))


def possible_of(losses: Iterable[PartitionLoss]) -> Count | AtLeast:
    """How many more they may have lost."""
    found = tuple(losses)
    return how_many(sum(one.possible for one in found), at_least=any(one.possible_at_least for one in found))


@dataclass(frozen=True, slots=True)
class Totals:
    """Records lost and possibly lost; of compacted topics their offsets, apart.

    `lost_at_least` and its like: more may have gone with them.
    """

    lost: int = 0
    possible: int = 0
    compacted_lost: int = 0
    compacted_possible: int = 0
    lost_at_least: bool = False
    possible_at_least: bool = False
    compacted_lost_at_least: bool = False
    compacted_possible_at_least: bool = False

    @property
    def records(self) -> Count | AtLeast:
        """How many records are lost, as sentences tell it."""
        return how_many(self.lost, at_least=self.lost_at_least)

    @property
    def offsets(self) -> Count | AtLeast:
        """How many offsets of compacted topics are lost."""
        return how_many(self.compacted_lost, at_least=self.compacted_lost_at_least)

    @property
    def possible_offsets(self) -> Count | AtLeast:
        """How many of them may be."""
        return how_many(self.compacted_possible, at_least=self.compacted_possible_at_least)

    @property
    def possible_records(self) -> Count | AtLeast:
        """How many more records may be lost."""
        return how_many(self.possible, at_least=self.possible_at_least)


@dataclass(frozen=True, slots=True)
class Apart:
    """A partition of which two replicas hold different records at the end."""

    partition: int
    divergence: Divergence


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A time without a leader; `end` None: to the end of the evidence."""

    partition: int
    start: int
    end: int | None


@dataclass(frozen=True, slots=True)
class FinalState:
    """Who leads a partition at the end, and its in-sync set. `leader` -1 is nobody.

    `stated_isr` is the last in-sync set that is stated, of which nobody can say whether it held to the end.
    Where the leader is not known, `last_leader` is the last one that is, and led until `led_until`, in ns.
    """

    partition: int
    leader: int | None
    epoch: int | None
    isr: tuple[int, ...] | None
    stated_isr: tuple[int, ...] | None
    last_leader: int | None = None
    led_until: int | None = None


@dataclass(frozen=True, slots=True)
class Trust:
    """How far the evidence goes, for the whole trace.

    `clocks_within` is the widest interval, in ns, in which the offset of a clock lies; None where no clock
    is tied to another. `untied` is how many clocks are tied to no other.
    """

    named: tuple[int, ...]
    seen: tuple[int, ...]
    left_out: int
    clocks_within: int | None
    untied: int
    gaps: int
    longest_gap: int
    simulated: bool


@dataclass(frozen=True, slots=True)
class ToCollect:
    """Something to collect next: what and of whom, what it would settle, and both as one sentence."""

    what: Message
    settles: Message
    sentence: Message


@dataclass(frozen=True, slots=True)
class Incident:
    """One story: what went wrong on brokers that are shared, in one time. `end_of_evidence` is a time, too.

    `findings` are alarms beside the losses and divergences. `missing` is what to collect next.
    """

    severity: Severity
    start: int
    end: int
    totals: Totals
    losses: tuple[PartitionLoss, ...]
    apart: tuple[Apart, ...]
    findings: tuple[Finding, ...]
    unavailable: tuple[Unavailable, ...]
    now: tuple[FinalState, ...]
    end_of_evidence: int
    actions: tuple[Message, ...]
    trust: Trust
    missing: tuple[ToCollect, ...]

    @property
    def partitions(self) -> tuple[int, ...]:
        """Every partition of it once, those with losses first."""
        of_findings = (one.partition for one in self.findings if one.partition is not None)
        mine = [one.partition for one in (*self.losses, *self.apart)]
        return tuple(dict.fromkeys([*mine, *of_findings]))
