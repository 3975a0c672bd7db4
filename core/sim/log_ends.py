"""What a leader says of its log without records: where it begins and ends, and where an epoch ends."""

from core.kafka.epochs import end_of_epoch
from core.kafka.fencing import refusal
from core.kafka.tiers import epoch_before, is_moved
from core.sim.engine import Engine
from core.sim.messages.replication import (
    ListLocalStart,
    ListLocalStartAnswer,
    ListOffsets,
    ListOffsetsAnswer,
    OffsetsForLeaderEpoch,
    OffsetsForLeaderEpochAnswer,
    OffsetsForLeaderEpochRefused,
)
from core.sim.state import FetchRequest, Replica
from core.trace.ids import LeaderEpoch
from core.trace.vocabulary import StopReason


def refusal_of(replica: Replica, request: FetchRequest) -> StopReason | None:
    """Why a request is refused, or None. Whether it names its epoch goes by the protocol of its sender."""
    rule, leads = request.follower.broker.switches.fencing, replica.leading is not None
    return refusal(rule, leads=leads, asked=request.epoch, epoch=replica.leader_epoch)


def refusal_below_disk(replica: Replica, offset: int) -> StopReason:
    """What a leader says of an offset that its disk does not hold."""
    if is_moved(offset, log_start=replica.log_start, local_start=replica.local_start):
        return StopReason.OFFSET_MOVED_TO_TIERED_STORAGE
    return StopReason.OFFSET_OUT_OF_RANGE


def on_list_offsets(engine: Engine, message: ListOffsets) -> None:
    """A follower that was out of range asks where the log begins and ends.

    It may have died since: whom it asked, its fetcher knows.
    """
    follower, fetcher, cause = message.follower, message.fetcher, message.cause
    replica = follower.partition.replicas[fetcher.leader]
    if replica.broker.up and replica.leading is not None:
        answer = ListOffsetsAnswer(follower, fetcher, replica.log_start, replica.leo, cause)
        engine.send(answer, replica.id, follower.id)


def on_list_local_start(engine: Engine, message: ListLocalStart) -> None:
    """A follower whose offset lies in the remote tier asks where the disk of its leader begins (KIP-405).

    Kafka asks for the offset with its epoch, and then for the end of the epoch before; here both are one
    question.
    """
    follower, fetcher = message.follower, message.fetcher
    replica = follower.partition.replicas[fetcher.leader]
    if replica.broker.up and replica.leading is not None:
        before = LeaderEpoch(epoch_before(replica.entries, replica.leo, replica.local_start))
        answer = ListLocalStartAnswer(
            follower, fetcher, replica.log_start, replica.local_start, before, message.cause
        )
        engine.send(answer, replica.id, follower.id)


def on_epoch_end_asked(engine: Engine, message: OffsetsForLeaderEpoch) -> None:
    """A follower asks where an epoch ends (0.11, KIP-101)."""
    request = message.request
    replica = request.follower.partition.replicas[request.leader]
    if not replica.broker.up:
        return
    follower = request.follower.id
    reason = refusal_of(replica, request)
    if reason is not None:
        engine.send(OffsetsForLeaderEpochRefused(request, reason, request.sent), replica.id, follower)
        return
    switches = replica.broker.switches
    asked = -1 if request.last_epoch is None else request.last_epoch
    below, undefined = switches.epoch_lookup_below, switches.epoch_lookup_undefined
    end = end_of_epoch(replica.entries, replica.leo, asked, below, undefined)
    seq = engine.journal.tell(
        "epoch_end_answered",
        replica.id,
        follower,
        partition=replica.partition.index,
        cause=request.sent,
        leader=replica.id,
        offset=end.offset,
        aux=end.epoch if request.follower.broker.switches.epoch_answer == "epoch-and-offset" else None,
    )
    engine.send(OffsetsForLeaderEpochAnswer(request, end, seq), replica.id, follower)
