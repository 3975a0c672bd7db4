"""The values of a verdict: what went wrong in a trace. The JSON of `check` has the same.

Offsets are half-open ranges. None is "not known", never 0. `evidence` and `seq` are Seqs of the trace,
strongest first; the surface turns them into file, line and text.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum

from core.history.state import Band
from core.message import AtLeast, Count, Message, how_many
from core.trace.vocabulary import Basis


class LossClass(StrEnum):
    """How strong the promise was that the lost records had been given."""

    COMMITTED = "committed"
    ACKNOWLEDGED = "acknowledged"
    POSSIBLY_ACKNOWLEDGED = "possibly-acknowledged"
    UNCOMMITTED = "uncommitted"


class Shown(StrEnum):
    """What the evidence has of a promise: it shows it, it does not, or nothing in it could show it."""

    SHOWN = "shown"
    NOT_SHOWN = "not shown"
    NO_EVIDENCE = "no evidence"


def shown(is_shown: bool, *, possible: bool) -> Shown:  # noqa: FBT001 - what is asked
    """What the evidence has of a promise; `possible`: it has something on such promises."""
    return Shown.SHOWN if is_shown else Shown.NOT_SHOWN if possible else Shown.NO_EVIDENCE


class Severity(StrEnum):
    """What a finding means for the person. Order: loss, danger, notice."""

    LOSS = "loss"
    DANGER = "danger"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Leadership:
    """One tenure: an epoch with its leader (-1 is none). `end` is None for the one that holds at the end."""

    epoch: int | None
    leader: int
    start_offset: int | None
    start: int
    end: int | None
    election: str
    basis: Basis
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class IsrSpan:
    """An in-sync set and how long it held, times in ns."""

    isr: tuple[int, ...]
    start: int
    end: int | None
    basis: Basis
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Truncation:
    """A cut of one replica's log. `from_offset` is the highest log end before it that evidence proves."""

    seq: int
    broker: int
    at: int
    from_offset: int | None
    to_offset: int
    rule: str
    below_high_watermark: bool | None
    basis: Basis
    evidence: tuple[int, ...] = ()

    @property
    def records(self) -> int | None:
        """How many records went, as far as proven."""
        return None if self.from_offset is None else self.from_offset - self.to_offset


@dataclass(frozen=True, slots=True)
class LogThen:
    """One side of a cut right before it. `entries` is the leader epoch cache; None is not known.

    `entries_basis` is DERIVED where they were made from the epochs of the records, as where no cache exists.
    """

    broker: int
    entries: tuple[tuple[int, int], ...] | None
    entries_basis: Basis
    log_start: Band
    leo: Band
    hw: Band


@dataclass(frozen=True, slots=True)
class EraOutcome:
    """What a release of an era would have done from the same state, if the leader had answered at once.

    The log end offset afterwards lies between `leo_lo` and `leo_hi`; None: the state that decides is not
    known. `exits` True: its broker stops instead of cutting.
    """

    era: str
    leo_lo: int | None
    leo_hi: int | None
    exits: bool | None
    message: Message


@dataclass(frozen=True, slots=True)
class XRay:
    """One truncation looked into: both logs, question, answer, branch of the rule, every era's outcome."""

    seq: int
    broker: int
    leader: int | None
    own: LogThen
    other: LogThen | None
    question: Message
    answer: Message
    branch: Message
    rule: str
    release: Message | None
    """The releases that have the rule."""
    tickets: tuple[str, ...]
    from_offset: int | None
    to_offset: int
    hw_before: Band
    hw_after: Band
    outcomes: tuple[EraOutcome, ...]
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Copy:
    """Records in one replica's log for a time; times in ns, None is not known.

    From `since` it may have held the first of them, from `whole` it surely held all. `until` None: it still
    did at the end of the trace. `removed_by` is a rule of truncation, or retention, deleted, new-log,
    unknown.
    """

    broker: int
    first_offset: int
    end_offset: int
    since: int | None
    whole: int | None
    until: int | None
    removed_by: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What producers were told of records, by their acks: yes, no, possibly; nothing for acks=0."""

    acks_0: str
    acks_1: str
    acks_all: str


@dataclass(frozen=True, slots=True)
class Collect:
    """Lost records that are still in a log: to be collected before that is cut too.

    `seen` is the time of the last row about that log, in ns.
    """

    broker: int
    first_offset: int
    end_offset: int
    seen: int | None
    message: Message
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Loss:
    """Records of one leader epoch that some replica held and that the later leaders do not hold."""

    seq: int
    first_offset: int
    end_offset: int
    epoch: int | None
    removed_from: tuple[int, ...]
    survives_on: tuple[int, ...]
    loss_class: LossClass
    cause: str
    at: int | None
    message: Message
    """Who led without the records and why, which promise they had, where they are now."""
    severity: Severity
    evidence: tuple[int, ...] = ()
    copies: tuple[Copy, ...] = ()
    """Every copy there ever was, those that are left last."""
    told: Told | None = None
    collect: tuple[Collect, ...] = ()
    commit: Shown = Shown.NO_EVIDENCE
    """Whether some high watermark is known to have been above the records."""
    acknowledgement: Shown = Shown.NO_EVIDENCE
    """Whether a row states that a producer was told of them."""
    may_hold: tuple[int, ...] = ()
    """Later leaders whose own logs were not given: they may hold the records, so that no loss is shown."""
    took_over: int | None = None
    """The leader epoch of the tenure that led without them."""
    led_again: int | None = None
    """The Seq with which that leader led again in its own epoch, after its process had ended."""
    cut_seq: int | None = None
    """The Seq of the cut that took them: that of the leader that lacks them, else the last one."""
    read: bool = False
    """A consumer had got them although they were neither acknowledged nor committed."""
    at_least: bool = False
    """More records behind `end_offset` may have gone with them: nothing tells where the log ended."""

    @property
    def amount(self) -> Count | AtLeast:
        """How many records, as sentences tell it."""
        return how_many(self.end_offset - self.first_offset, at_least=self.at_least)


@dataclass(frozen=True, slots=True)
class Divergence:
    """Offsets at which two replicas hold different records at the end of the trace."""

    brokers: tuple[int, int]
    first_offset: int
    end_offset: int
    basis: Basis
    evidence: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    """Those that are no replica of the partition any more: their copy was left behind by a reassignment."""


@dataclass(frozen=True, slots=True)
class FinalReplica:
    """One replica at the end of the trace."""

    broker: int
    role: str
    epoch: int | None
    log_start: int | None
    leo: Band
    hw: Band
    epochs: tuple[tuple[int, int], ...] | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of one check. `check` is its id in verdict/checks.py, which has rank and advice."""

    check: str
    severity: Severity
    partition: int | None
    brokers: tuple[int, ...]
    start: int
    end: int | None
    seq: int
    message: Message
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PartitionVerdict:
    """The verdict on one partition."""

    partition: int
    leadership: tuple[Leadership, ...] = ()
    isr: tuple[IsrSpan, ...] = ()
    truncations: tuple[Truncation, ...] = ()
    losses: tuple[Loss, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    final: tuple[FinalReplica, ...] = ()
    findings: tuple[Finding, ...] = ()
    x_rays: tuple[XRay, ...] = ()
    """One for each of `truncations`, in their order."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a trace. `findings` are all, worst first, by rank and time."""

    partitions: tuple[PartitionVerdict, ...] = ()
    findings: tuple[Finding, ...] = field(default=())


def of_partition(verdict: Verdict, partitions: Collection[int]) -> Verdict:
    """What a verdict has of some partitions: all of one name, say."""
    return Verdict(
        tuple(one for one in verdict.partitions if one.partition in partitions),
        tuple(one for one in verdict.findings if one.partition in partitions),
    )
