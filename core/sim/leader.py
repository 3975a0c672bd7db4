"""A leader: it appends what is produced, answers fetches, and moves the high watermark."""

from core.kafka.clients import SequenceOutcome
from core.kafka.epochs import end_of_epoch
from core.kafka.high_watermark import effective_min_isr, is_counted, leader_hw, may_move, needs_answer
from core.kafka.isr import NEVER, caught_up_at, maximal
from core.kafka.truncation import asks_divergence_first, diverges
from core.sim import insync, producer, transactions
from core.sim.client_state import Request
from core.sim.engine import Engine
from core.sim.ledger import mark
from core.sim.log_ends import refusal_below_disk, refusal_of
from core.sim.messages.clients import AcksTimeout, Produce, WriteTxnMarkers
from core.sim.messages.replication import (
    Fetch,
    FetchAnswer,
    FetchDelayed,
    FetchDiverged,
    FetchRefused,
    FetchWaitOver,
    IsrAdopted,
)
from core.sim.protocols import in_old_format
from core.sim.replica import append, assign_epoch, batch_start, data_end, move_hw
from core.sim.state import NONE_OLD, FetchRequest, Leading, Parked, Remote, Replica, Unanswered
from core.trace.ids import BrokerId, LeaderEpoch, Offset, Seq
from core.trace.vocabulary import StopReason


def start_leading(
    engine: Engine,
    replica: Replica,
    epoch: LeaderEpoch,
    isr: tuple[BrokerId, ...],
    partition_epoch: int,
    cause: Seq,
) -> None:
    """Lead in an epoch. One that led before keeps what it knows of the followers, a new one forgets it.

    `isr` and `partition_epoch` are what the controller said, which may be late.
    """
    partition, journal = replica.partition, engine.journal
    known = {} if replica.leading is None else replica.leading.remotes
    before = replica.leading
    remotes: dict[BrokerId, Remote] = {}
    for broker in dict.fromkeys((*partition.assigned, *isr)):
        if broker != replica.id:
            was = known.get(broker, Remote(None))
            caught_up = engine.now if broker in isr else NEVER
            remotes[broker] = Remote(
                was.leo, caught_up, engine.now, replica.leo, was.hw_sent, was.broker_epoch
            )
    leading = Leading(replica.leo, isr, partition_epoch, remotes)
    if before is not None:
        leading.parked = [one for one in before.parked if one.request.follower.id in remotes]
        leading.waiting = before.waiting
    replica.role, replica.leader, replica.leader_epoch = "leader", replica.id, epoch
    replica.leading, replica.fetcher = leading, None
    engine.ledger.lead(partition.index, epoch, replica.id)
    seq = journal.tell(
        "became_leader",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        leader=replica.id,
        epoch=epoch,
        leo=replica.leo,
        hw=replica.hw,
        isr=isr,
        partition_epoch=partition_epoch,
    )
    for broker, remote in remotes.items():
        if remote.leo is not None:
            recall(engine, replica, broker, remote.leo, seq)
    if replica.broker.switches.epoch_entry == "election":
        assign_epoch(engine, replica, epoch, replica.leo, seq)
    mark(engine.ledger.committed, replica.numbers(replica.log_start, replica.hw), seq)
    update_hw(engine, replica, seq)


def update_hw(engine: Engine, replica: Replica, cause: Seq) -> None:
    """Move the high watermark as far as all counted followers allow, and acknowledge what it passed."""
    leading, switches = replica.leading, replica.broker.switches
    if leading is None or not may_move(
        switches.hw_below_min_isr, isr_size=len(leading.isr), min_isr=_min_isr(engine, replica)
    ):
        return
    lag_time = replica.broker.rules.lag_time
    in_sync = maximal(leading.isr, leading.proposed)
    counted = [
        remote.leo
        for broker, remote in leading.remotes.items()
        if is_counted(
            switches.hw_counts,
            in_maximal_isr=broker in in_sync,
            caught_up_at=remote.caught_up_at,
            now=engine.now,
            lag_time=lag_time,
            eligible=broker in in_sync or insync.may_be_in(engine, replica, broker),
        )
    ]
    before = replica.hw
    moved = move_hw(engine, replica, leader_hw(before, replica.leo, counted), cause)
    if moved is not None and replica.hw > before:
        mark(engine.ledger.committed, replica.numbers(before, replica.hw), moved)
    for waiting in [one for one in leading.waiting if one.end <= replica.hw]:
        leading.waiting.remove(waiting)
        _settle(engine, replica, waiting, moved)
    for parked in leading.parked[:]:
        _answer_if_behind(engine, replica, parked, moved)


def _min_isr(engine: Engine, replica: Replica) -> int:
    """How large the in-sync set has to be, for a leader that knows its partition's replicas."""
    return effective_min_isr(
        replica.broker.switches.hw_below_min_isr,
        min_isr=engine.rules.min_isr,
        replicas=len(replica.partition.assigned),
    )


def update_hw_later(engine: Engine, message: IsrAdopted) -> None:
    """The in-sync set has changed: the lowest of the counted log ends may be higher now."""
    if message.replica.leading is message.leading:
        update_hw(engine, message.replica, message.cause)


def _settle(engine: Engine, replica: Replica, waiting: Unanswered, cause: Seq | None) -> None:
    """The high watermark has passed a produce with acks=all: acknowledge it, if the ISR is still large.

    Else NOT_ENOUGH_REPLICAS_AFTER_APPEND: the producer is told of a failure, and the records are committed.
    The set that counts is the maximal one (Partition.checkEnoughReplicasReachOffset).
    """
    leading = replica.leading
    if leading is None:
        return
    if len(maximal(leading.isr, leading.proposed)) >= _min_isr(engine, replica):
        _acknowledge(engine, replica, waiting, cause)
    else:
        _fail(engine, replica, waiting)


def _acknowledge(engine: Engine, replica: Replica, produce: Unanswered, cause: Seq | None) -> None:
    seq = engine.journal.tell(
        "acknowledged",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=cause,
        from_offset=produce.start,
        offset=produce.end,
        aux=produce.acks,
    )
    mark(engine.ledger.acknowledged, replica.numbers(produce.start, produce.end), seq)
    producer.answer(engine, replica, produce.request, produce.token, written=True)


def _fail(engine: Engine, replica: Replica, produce: Unanswered) -> None:
    """The producer is told of a failure. The records stay, and may be committed all the same."""
    engine.journal.tell(
        "produce_failed",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=produce.appended,
        from_offset=produce.start,
        offset=produce.end,
        aux=produce.acks,
    )
    producer.answer(engine, replica, produce.request, produce.token, written=False)


def on_produce(engine: Engine, message: Produce | WriteTxnMarkers) -> None:
    """A producer's request arrives at a broker, or the marker of a transaction."""
    replica, request, token = message.replica, message.request, message.token
    leading, journal, broker, index = replica.leading, engine.journal, replica.id, replica.partition.index
    acks, sent = request.acks, request.begun
    too_few = leading is not None and acks == -1 and len(leading.isr) < _min_isr(engine, replica)
    if not replica.broker.reachable or leading is None or too_few:
        journal.tell("produce_failed", broker, broker, partition=index, cause=sent, aux=acks)
        producer.answer(engine, replica, request, token, written=False)
        return
    if request.transactional and not transactions.is_taken(engine, replica, request, token):
        return
    if request.producer is not None and not _is_next(engine, replica, leading, request, token):
        return
    start = replica.leo
    end = start + len(request.records)
    produced = sent
    if request.marker is None:
        produced = journal.tell(
            "produced", broker, broker, partition=index, cause=sent, from_offset=start, offset=end, aux=acks
        )
    if request.placed:
        producer.place_anew(engine, request)
    request.placed = True
    records = list(request.records)
    old = frozenset(range(start, end)) if replica.broker.writes_old else NONE_OLD
    appended = append(engine, replica, records, [replica.leader_epoch] * len(records), produced, old)
    engine.ledger.place(records, index, broker, replica.leader_epoch, start)
    if replica.hw > start:  # Stale since a cut, to 2.3: the records are visible as soon as they are there.
        mark(engine.ledger.committed, replica.numbers(start, min(replica.hw, end)), appended)
    producer.note_sequence(request, leading, start)
    _await(engine, replica, leading, Unanswered(start, end, acks, appended, request, token))
    update_hw(engine, replica, appended)
    for parked in leading.parked[:]:
        if _enough(engine, replica, parked.request):
            _complete(engine, replica, parked, appended)


def _is_next(engine: Engine, replica: Replica, leading: Leading, request: Request, token: int | None) -> bool:
    """Whether a batch of an idempotent producer follows its last one here. Else it is refused or dropped."""
    outcome, copy = producer.check_sequence(engine, replica, request)
    if outcome in (SequenceOutcome.GAP, SequenceOutcome.UNKNOWN):
        producer.refuse_sequence(engine, replica, request, token, request.begun)
    elif copy is not None:
        seq = engine.journal.tell(
            "duplicate_dropped",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=request.begun,
            from_offset=copy.start,
            offset=copy.end,
            aux=request.acks,
        )
        known = Unanswered(copy.start, copy.end, request.acks, seq, request, token)
        _await(engine, replica, leading, known)
    return outcome is SequenceOutcome.NEXT


def _await(engine: Engine, replica: Replica, leading: Leading, produce: Unanswered) -> None:
    """acks=1 is answered at once; acks=all waits for the high watermark, or for the timeout."""
    if produce.acks == 1:
        _acknowledge(engine, replica, produce, produce.appended)
    elif produce.acks == -1 and produce.end <= replica.hw:
        _settle(engine, replica, produce, produce.appended)
    elif produce.acks == -1:
        leading.waiting.append(produce)
        engine.after(engine.rules.request_timeout, AcksTimeout(replica, leading, produce))


def on_produce_timeout(engine: Engine, message: AcksTimeout) -> None:
    """The high watermark did not pass in time: the producer is told so.

    The record stays, and may still commit.
    """
    replica, leading, produce = message.replica, message.leading, message.produce
    current = replica.leading
    if current is not None and current.waiting is leading.waiting and produce in current.waiting:
        current.waiting.remove(produce)
        _fail(engine, replica, produce)


def resign(engine: Engine, replica: Replica, leading: Leading) -> None:
    """A leader follows from now on: who waits for the high watermark hears that it leads no more."""
    for produce in leading.waiting:
        _fail(engine, replica, produce)


def on_fetch(engine: Engine, message: Fetch) -> None:
    """A fetch arrives: check it, remember the follower's log end, move the high watermark, answer or park."""
    request = message.request
    replica = request.follower.partition.replicas[request.leader]
    if not replica.broker.up:
        return
    received = engine.journal.tell(
        "fetch_received",
        replica.id,
        request.follower.id,
        partition=replica.partition.index,
        cause=request.sent,
        leader=replica.id,
        epoch=request.epoch if request.follower.broker.switches.fencing == "leader-epoch" else None,
        offset=request.offset,
    )
    reason = refusal_of(replica, request)
    if replica.leading is not None and request.follower.id not in replica.leading.remotes:
        # It holds the partition no more, and has not heard of that.
        reason = StopReason.NOT_LEADER
    below, switches = request.offset < replica.log_start, replica.broker.switches
    if reason is None and below and not asks_divergence_first(switches.diverging_below_start):
        reason = StopReason.OFFSET_OUT_OF_RANGE
    if (
        reason is None
        and request.last_epoch is not None
        and _answer_divergence(engine, replica, request, received)
    ):
        return
    if reason is None and (below or request.offset > replica.leo):
        reason = StopReason.OFFSET_OUT_OF_RANGE
    if reason is None and request.offset < replica.disk_start:
        reason = refusal_below_disk(replica, request.offset)
    if reason is not None:
        engine.send(FetchRefused(request, reason, received), replica.id, request.follower.id)
        return
    leading, hw_before = replica.leading, replica.hw
    assert leading is not None, "only a leader answers"  # noqa: S101 - refusal_of has seen to it
    behind = needs_answer(
        switches.hw_sending, hw=hw_before, hw_sent=_swap_hw_sent(leading, request, hw_before)
    )
    _record(engine, replica, request, received)
    if switches.fetch_answer_hw == "after":
        engine.soon(0, FetchDelayed(request, leading, received, hw_before))
    elif _enough(engine, replica, request) or behind:
        _answer(engine, replica, request, hw_before, received)
    else:
        _park(engine, replica, request, received)


def _answer_divergence(engine: Engine, replica: Replica, request: FetchRequest, received: Seq) -> bool:
    """Whether the fetch was answered with a diverging epoch, or refused as none can be told (2.8, KIP-595).

    The follower's log end is not recorded then; in 2.8.0 it was (KAFKA-13141).
    """
    switches = replica.broker.switches
    below = switches.epoch_lookup_below
    last = -1 if request.last_epoch is None else request.last_epoch
    end = end_of_epoch(replica.entries, replica.leo, last, below)
    follower = request.follower.id
    if end.offset < 0:
        reason = StopReason.OFFSET_OUT_OF_RANGE
        engine.send(FetchRefused(request, reason, received), replica.id, follower)
        return True
    if not diverges(end, last, request.offset):
        return False
    seq = engine.journal.tell(
        "fetch_diverged",
        replica.id,
        follower,
        partition=replica.partition.index,
        cause=received,
        leader=replica.id,
        epoch=replica.leader_epoch,
        offset=end.offset,
        aux=end.epoch,
    )
    engine.send(FetchDiverged(request, end, replica.hw, replica.log_start, seq), replica.id, follower)
    if switches.diverging_fetch_leo == "recorded":
        _record(engine, replica, request, received)
    return True


def _record(engine: Engine, replica: Replica, request: FetchRequest, received: Seq) -> None:
    """Remember the follower's log end, let it join the ISR if it may, and move the high watermark."""
    leading = replica.leading
    if leading is None:
        return
    follower = request.follower.id
    remote = leading.remotes[follower]
    remote.caught_up_at = caught_up_at(
        remote.caught_up_at,
        fetch_offset=request.offset,
        leader_leo=replica.leo,
        now=engine.now,
        last_fetch=(remote.last_fetch_at, remote.leo_at_last_fetch),
    )
    remote.last_fetch_at, remote.leo_at_last_fetch = engine.now, replica.leo
    remote.broker_epoch = request.broker_epoch
    cause = received
    if remote.leo != request.offset:
        cause = recall(engine, replica, follower, request.offset, received)
    insync.expand(engine, replica, follower, cause)
    update_hw(engine, replica, cause)


def recall(engine: Engine, replica: Replica, follower: BrokerId, leo: Offset, cause: Seq) -> Seq:
    """Remember a follower's log end."""
    if replica.leading is not None:
        replica.leading.remotes[follower].leo = leo
    return engine.journal.tell(
        "follower_leo_recorded",
        replica.id,
        follower,
        partition=replica.partition.index,
        cause=cause,
        leader=replica.id,
        leo=leo,
    )


def on_answer_after(engine: Engine, message: FetchDelayed) -> None:
    """The articles' way: the answer leaves after every fetch of this instant was recorded."""
    request, received = message.request, message.received
    replica = request.follower.partition.replicas[request.leader]
    if replica.leading is not message.leading:
        return
    if _enough(engine, replica, request) or replica.hw > message.hw_before:
        _answer(engine, replica, request, replica.hw, received)
    else:
        _park(engine, replica, request, received)


def _park(engine: Engine, replica: Replica, request: FetchRequest, received: Seq) -> None:
    """Nothing to return: wait for data, at most `replica.fetch.wait.max.ms`."""
    leading = replica.leading
    if leading is None:
        return
    seq = engine.journal.tell(
        "fetch_parked",
        replica.id,
        request.follower.id,
        partition=replica.partition.index,
        cause=received,
        leader=replica.id,
        offset=request.offset,
    )
    parked = Parked(request, seq)
    leading.parked.append(parked)
    engine.after(engine.rules.fetch_wait_max, FetchWaitOver(replica, parked))
    _answer_if_behind(engine, replica, parked, seq)


def _swap_hw_sent(leading: Leading, request: FetchRequest, hw: Offset) -> Offset:
    """Remember the high watermark that an answer at once carries. Gives the one before."""
    remote = leading.remotes[request.follower.id]
    before, remote.hw_sent = remote.hw_sent, hw
    return before


def _answer_if_behind(engine: Engine, replica: Replica, parked: Parked, cause: Seq | None) -> None:
    """In 2.4 and 2.5 a rise of the high watermark completes a parked fetch too (KIP-392)."""
    leading = replica.leading
    if leading is None:
        return
    hw_sent = leading.remotes[parked.request.follower.id].hw_sent
    if needs_answer(replica.broker.switches.hw_sending, hw=replica.hw, hw_sent=hw_sent):
        _complete(engine, replica, parked, parked.parked if cause is None else cause)


def on_parked_timeout(engine: Engine, message: FetchWaitOver) -> None:
    """A parked fetch has waited long enough: it is read again and answered, with what there is."""
    replica, parked = message.replica, message.parked
    if replica.leading is not None and parked in replica.leading.parked:
        _complete(engine, replica, parked, parked.parked)


def _enough(engine: Engine, replica: Replica, request: FetchRequest) -> bool:
    """Whether there are `replica.fetch.min.bytes` to return."""
    there = (data_end(replica) - request.offset) * engine.limits.record_bytes
    return there >= engine.rules.fetch_min_bytes


def _complete(engine: Engine, replica: Replica, parked: Parked, cause: Seq) -> None:
    """Answer a parked fetch. It is read anew, and refused if the leader is in another epoch than it by now.

    From 2.1 (KIP-320): DelayedFetch.onComplete reads with the leader epoch of the request.
    """
    if replica.leading is None:
        return
    replica.leading.parked.remove(parked)
    request = parked.request
    reason = refusal_of(replica, request)
    if reason is None:
        _answer(engine, replica, request, replica.hw, cause)
    else:
        engine.send(FetchRefused(request, reason, cause), replica.id, request.follower.id)


def _answer_end(engine: Engine, replica: Replica, request: FetchRequest) -> int:
    """The offset behind what an answer carries: whole batches within the limit, but one batch at least."""
    last = max(data_end(replica), request.offset)
    limit = engine.limits.records_per_fetch.get(request.follower.broker.name)
    if limit is None or request.offset + limit >= last:
        return last
    end = batch_start(engine, replica, request.offset + limit)
    if end <= request.offset:
        end = request.offset + limit
        while end < last and batch_start(engine, replica, end) < end:
            end += 1
    return end


def _answer(engine: Engine, replica: Replica, request: FetchRequest, hw: Offset, cause: Seq) -> None:
    follower = request.follower
    end = _answer_end(engine, replica, request)
    records, epochs = replica.read(request.offset, end)
    seq = engine.journal.tell(
        "fetch_answered",
        replica.id,
        follower.id,
        partition=replica.partition.index,
        cause=cause,
        leader=replica.id,
        epoch=replica.leader_epoch,
        from_offset=request.offset,
        offset=end,
        hw=hw,
        aux=len(records),
    )
    old = in_old_format(replica, follower.broker, request.offset, end) if engine.mixed else NONE_OLD
    answer = FetchAnswer(request, records, epochs, hw, replica.log_start, seq, old)
    engine.send(answer, replica.id, follower.id)
