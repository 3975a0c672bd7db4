"""What brokers let clients see and write: the bound of a read, who serves it, sequence numbers."""

from enum import StrEnum

from core.kafka.switches import ConsumerFetch, ProducerSequence, Visible


def visible_end(rule: Visible, *, hw: int, leo: int) -> int:
    """The offset before which a consumer may read: the high watermark, never above the log end.

    The rule `log-end` is that of no release: it shows what readers would see without a high watermark.
    """
    return leo if rule == "log-end" else min(hw, leo)


def in_range(offset: int, *, log_start: int, leo: int) -> bool:
    """Whether a fetch at `offset` may wait for records; else OFFSET_OUT_OF_RANGE.

    The log end itself, and all between the high watermark and it, are in range.
    """
    return log_start <= offset <= leo


def serves_reads(rule: ConsumerFetch, *, leads: bool) -> bool:
    """Whether a replica serves consumers: the leader; from 2.4 (KIP-392) a follower too, to its own bound."""
    return leads or rule == "any-replica"


def prefers_follower(rule: ConsumerFetch, *, known_leo: int | None, offset: int) -> bool:
    """Whether a leader sends a consumer to the follower near it (2.4, KIP-392).

    The follower must hold the offset as far as the leader knows; that it is in sync is not asked.
    """
    return rule == "any-replica" and known_leo is not None and known_leo >= offset


class SequenceOutcome(StrEnum):
    """What a leader makes of the first sequence number of a batch."""

    NEXT = "next"
    DUPLICATE = "duplicate"
    GAP = "gap"
    """OUT_OF_ORDER_SEQUENCE_NUMBER: an earlier batch is missing."""
    UNKNOWN = "unknown"
    """UNKNOWN_PRODUCER_ID: nothing of this producer is in the log."""


def sequence_outcome(
    rule: ProducerSequence, *, epoch: int, first: int, last: tuple[int, int] | None, known: bool
) -> SequenceOutcome:
    """How a batch of an idempotent producer stands to what the log holds of that producer (KIP-98).

    `last` is the producer's latest (epoch, sequence number) in the log, None where there is nothing; `known`
    says whether this very batch is among its last five there. To 2.4 a producer without a trace in the log
    must begin with 0; from 2.5 (KAFKA-7190) any number is taken then.
    """
    if known:
        return SequenceOutcome.DUPLICATE
    if last is None:
        return SequenceOutcome.UNKNOWN if first and rule == "refused" else SequenceOutcome.NEXT
    expected = last[1] + 1 if epoch == last[0] else 0
    return SequenceOutcome.NEXT if first == expected else SequenceOutcome.GAP


def starts_anew(rule: ProducerSequence) -> bool:
    """Whether a producer that is told of a gap begins a new epoch with 0 and sends again (2.5, KIP-360).

    Before, the batch fails, and so the person hears that records were lost.
    """
    return rule == "starts-anew"
