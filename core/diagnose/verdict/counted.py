"""How lost records are counted, on every surface: an offset of one leader epoch counts once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.diagnose.verdict.facts import Loss, LossClass, PartitionVerdict, Severity, Shown, Truncation
from core.diagnose.verdict.ranges import joined, without
from core.message import AtLeast, Count, how_many
from core.trace.ids import COMPACTED_BY_KAFKA, INTERNAL_TOPICS
from core.trace.settings import own_over_time
from core.trace.trace import Trace

_STRONGEST_FIRST: Final = (
    LossClass.COMMITTED,
    LossClass.ACKNOWLEDGED,
    LossClass.POSSIBLY_ACKNOWLEDGED,
    LossClass.UNCOMMITTED,
)


@dataclass(frozen=True, slots=True)
class LostPart:
    """Records [first_offset, end_offset) of a loss that no stronger loss has."""

    loss: Loss
    first_offset: int
    end_offset: int

    @property
    def records(self) -> int:
        """How many offsets there are."""
        return self.end_offset - self.first_offset

    @property
    def at_least(self) -> bool:
        """Whether more than these may have gone with them."""
        return self.loss.at_least and self.end_offset == self.loss.end_offset


@dataclass(frozen=True, slots=True)
class Sums:
    """How many records one partition lost, each once an epoch.

    `lost`, `possible` and `rest` exclude each other: proven, may have been promised, removed without that.
    `committed` and `acknowledged` are of the lost ones, and may overlap. `lost_at_least` and its like: of a
    cut that took them it is not known where the log had ended, so that more may have gone. `acknowledged`
    counts those of which a row tells; `acknowledged_at_least`: of others no evidence could tell.
    `rest_possibly_acknowledged` is the part of the rest of which nothing shows that no producer was told.
    `left` are lost ones that some replica holds at the end. `removed` is what was cut from single logs;
    `removed_at_least`: of some cuts the log end before them is not known.
    """

    lost: int = 0
    possible: int = 0
    rest: int = 0
    committed: int = 0
    acknowledged: int = 0
    lost_at_least: bool = False
    possible_at_least: bool = False
    rest_at_least: bool = False
    acknowledged_at_least: bool = False
    rest_possibly_acknowledged: int = 0
    left: int = 0
    removed: int = 0
    removed_at_least: bool = False


def each_once(losses: Iterable[Loss]) -> list[LostPart]:
    """Every lost record of a partition once, in the strongest of the losses that have it.

    In the order of epoch and offset. Two losses overlap where a record was lost twice.
    """
    ordered = sorted(losses, key=_strength)
    taken: dict[int | None, list[tuple[int, int]]] = {}
    found: list[LostPart] = []
    for loss in ordered:
        mine = taken.setdefault(loss.epoch, [])
        for first, end in without([(loss.first_offset, loss.end_offset)], mine):
            found.append(LostPart(loss, first, end))
        taken[loss.epoch] = joined([*mine, (loss.first_offset, loss.end_offset)])
    return sorted(found, key=_by_epoch_and_offset)


def _by_epoch_and_offset(part: LostPart) -> tuple[int, int]:
    """The key by which parts are sorted, unknown epochs first."""
    return -1 if part.loss.epoch is None else part.loss.epoch, part.first_offset


def _strength(loss: Loss) -> tuple[int, int]:
    """The key by which losses are sorted, the strongest claim first."""
    return list(Severity).index(loss.severity), _STRONGEST_FIRST.index(loss.loss_class)


def lost_parts(losses: Iterable[Loss]) -> list[LostPart]:
    """The records that are proven to be lost, each once."""
    return [part for part in each_once(losses) if part.loss.severity is Severity.LOSS]


def cut_of(loss: Loss, cuts: Sequence[Truncation]) -> Truncation | None:
    """The cut at which a loss is shown: the one that its `seq` names, else the last that removed of it."""
    named = [cut for cut in cuts if cut.seq == loss.seq]
    if named:
        return named[0]
    reaching = [
        cut
        for cut in cuts
        if cut.broker in loss.removed_from
        and cut.to_offset < loss.end_offset
        and (cut.from_offset is None or cut.from_offset > loss.first_offset)
    ]
    return max(reaching, key=lambda cut: cut.seq) if reaching else None


def sums_of(verdict: PartitionVerdict) -> Sums:
    """What all surfaces say of how many records a partition lost."""
    parts = each_once(verdict.losses)
    of: dict[Severity, list[LostPart]] = {one: [] for one in Severity}
    for part in parts:
        of[part.loss.severity].append(part)
    lost, rest = of[Severity.LOSS], of[Severity.NOTICE]
    gone = [*lost, *of[Severity.DANGER]]
    removed = [cut.records for cut in verdict.truncations]
    return Sums(
        lost=_records(lost),
        possible=_records(of[Severity.DANGER]),
        rest=_records(rest),
        committed=_records(part for part in lost if part.loss.commit is Shown.SHOWN),
        lost_at_least=any(part.at_least for part in lost),
        possible_at_least=any(part.at_least for part in of[Severity.DANGER]),
        rest_at_least=any(part.at_least for part in rest),
        acknowledged=_records(part for part in lost if part.loss.acknowledgement is Shown.SHOWN),
        acknowledged_at_least=any(part.loss.acknowledgement is Shown.NO_EVIDENCE for part in gone),
        rest_possibly_acknowledged=_records(filter(_is_left_to_acks_1, rest)),
        left=_records(part for part in lost if part.loss.survives_on),
        removed=sum(count for count in removed if count),
        removed_at_least=None in removed,
    )


def _is_left_to_acks_1(part: LostPart) -> bool:
    """Whether nothing shows it committed, and nothing that no producer with acks=1 was told of it."""
    loss = part.loss
    return loss.severity is Severity.NOTICE and loss.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED


def left_to_acks_1(trace: Trace, verdicts: Iterable[PartitionVerdict]) -> dict[int, list[LostPart]]:
    """By partition, the records that went without being an alarm: acks=1 alone may have promised them.

    Partitions without any are left out, as are compacted ones, whose offsets need not have a record.
    """
    found = {
        one.partition: list(filter(_is_left_to_acks_1, each_once(one.losses)))
        for one in verdicts
        if one.losses and not is_compacted(trace, one.partition)
    }
    return {partition: parts for partition, parts in found.items() if parts}


def _records(parts: Iterable[LostPart]) -> int:
    """How many records parts have."""
    return sum(part.records for part in parts)


def amount_of(parts: Sequence[LostPart]) -> Count | AtLeast:
    """How many records parts have, as sentences tell it."""
    return how_many(_records(parts), at_least=any(part.at_least for part in parts))


def amount_of_partitions(parts: Mapping[int, Sequence[LostPart]]) -> Count | AtLeast:
    """The same of the parts of several partitions."""
    return amount_of([part for mine in parts.values() for part in mine])


def is_internal(trace: Trace, partition: int) -> bool:
    """Whether a partition is of a topic that Kafka itself keeps."""
    return trace.partitions[partition].tp.topic in INTERNAL_TOPICS


def is_compacted(trace: Trace, partition: int) -> bool:
    """Whether a partition's topic is or was compacted, as far as is known: offsets need not have a record."""
    topic = trace.partitions[partition].tp.topic
    policies = own_over_time(trace, topic, "cleanup.policy")
    return topic in COMPACTED_BY_KAFKA or any("compact" in policy for _, policy in policies)
