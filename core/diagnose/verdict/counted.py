"""How lost records are counted, on every surface: an offset of one leader epoch counts once."""

from collections.abc import Iterable, Sequence
from typing import Final

from core.diagnose.verdict.facts import Loss, LossClass, Severity
from core.diagnose.verdict.ranges import joined, without
from core.trace.ids import COMPACTED_BY_KAFKA, INTERNAL_TOPICS
from core.trace.trace import Trace

_STRONGEST_FIRST: Final = (
    LossClass.COMMITTED,
    LossClass.ACKNOWLEDGED,
    LossClass.POSSIBLY_ACKNOWLEDGED,
    LossClass.UNCOMMITTED,
)


def each_once(losses: Iterable[Loss]) -> list[tuple[Loss, int, int]]:
    """(loss, first, end): every lost record of a partition once, in the strongest of the losses that have it.

    In the order of epoch and offset. Two losses overlap where a record was lost twice.
    """
    ordered = sorted(losses, key=_strength)
    taken: dict[int | None, list[tuple[int, int]]] = {}
    found: list[tuple[Loss, int, int]] = []
    for loss in ordered:
        mine = taken.setdefault(loss.epoch, [])
        for first, end in without([(loss.first_offset, loss.end_offset)], mine):
            found.append((loss, first, end))
        taken[loss.epoch] = joined([*mine, (loss.first_offset, loss.end_offset)])
    return sorted(found, key=lambda one: (-1 if one[0].epoch is None else one[0].epoch, one[1]))


def _strength(loss: Loss) -> tuple[int, int]:
    """The key by which losses are sorted, the strongest claim first."""
    return list(Severity).index(loss.severity), _STRONGEST_FIRST.index(loss.loss_class)


def count_of(losses: Sequence[Loss]) -> int:
    """How many records losses of one partition have, each once."""
    return sum(end - first for _, first, end in each_once(losses))


def is_internal(trace: Trace, partition: int) -> bool:
    """Whether a partition is of a topic that Kafka itself keeps."""
    return trace.partitions[partition].tp.topic in INTERNAL_TOPICS


def is_compacted(trace: Trace, partition: int) -> bool:
    """Whether a partition's topic is compacted, as far as is known: offsets need not have a record."""
    topic = trace.partitions[partition].tp.topic
    policy = trace.facts.get(f"config.topic-{topic}.cleanup.policy", "")
    return topic in COMPACTED_BY_KAFKA or "compact" in policy
