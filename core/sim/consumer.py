"""Consumers: they read up to the high watermark, wait where there is nothing, and go on after failures."""

from collections.abc import Sequence

from core.kafka.clients import in_range, prefers_follower, serves_reads, visible_end
from core.kafka.tiers import epoch_at, is_missed, is_moved, segment_holding
from core.kafka.transactions import visible_stable_end
from core.sim.client_state import Consumer, Read
from core.sim.engine import Engine
from core.sim.ledger import mark
from core.sim.messages.clients import (
    ConsumerBackoffOver,
    ConsumerFetch,
    ConsumerFetchAnswer,
    ConsumerFetchRefused,
    ConsumerFetchWaitOver,
    ConsumerListOffsets,
    ConsumerListOffsetsAnswer,
    ConsumerListOffsetsRefused,
    ConsumerOffsetOutOfRange,
    ConsumerTimeout,
    PreferredReadReplica,
)
from core.sim.script import ConsumerPlan
from core.sim.state import NOBODY, Replica
from core.trace.ids import BrokerId, Offset


def begin_reading(engine: Engine, plans: Sequence[ConsumerPlan]) -> None:
    """The consumers of the script begin: those that poll freely ask at once."""
    for number, plan in enumerate(plans, start=1):
        consumer = engine.consumers[plan.name] = Consumer(number, plan, plan.position)
        if plan.position is not None:
            engine.journal.tell(
                "consumer_positioned",
                None,
                None,
                partition=plan.partition,
                cause=None,
                offset=plan.position,
                aux=number,
            )
        try_read(engine, consumer)


def allow(engine: Engine, name: str, times: int) -> None:
    """A step lets a consumer send so many more fetches."""
    consumer = engine.consumers[name]
    consumer.allowed += times
    try_read(engine, consumer)


def try_read(engine: Engine, consumer: Consumer) -> None:
    """Send the next fetch, or ask for a position; unless one is under way or the script holds it back."""
    if consumer.token is not None or consumer.stopped or not (consumer.plan.free or consumer.allowed > 0):
        return
    partition = engine.partitions[consumer.plan.partition]
    target = partition.leader if consumer.preferred is None else consumer.preferred
    if target == NOBODY or not engine.brokers[target].reachable:
        # It cannot connect: it forgets the follower that it was sent to, and looks again who leads.
        consumer.preferred = None
        engine.after(engine.rules.retry_backoff, ConsumerBackoffOver(consumer))
        return
    token = _ask(engine, consumer)
    if consumer.position is None:
        engine.send(ConsumerListOffsets(consumer, target, token, None), -consumer.number, target)
        return
    read = Read(consumer, target, consumer.position, token)
    engine.send(ConsumerFetch(read), -consumer.number, target)


def _ask(engine: Engine, consumer: Consumer) -> int:
    """The token of a request that goes out. It is given up after `request.timeout.ms`."""
    token = consumer.token = engine.token()
    consumer.asked_at = engine.now
    if not consumer.watched:
        consumer.watched = True
        engine.after(engine.rules.request_timeout, ConsumerTimeout(consumer))
    return token


def on_watch(engine: Engine, message: ConsumerTimeout) -> None:
    """Give up what was asked too long ago, else look again when it will be."""
    consumer = message.consumer
    left = consumer.asked_at + engine.rules.request_timeout - engine.now
    consumer.watched = consumer.token is not None and left > 0
    if consumer.watched:
        engine.after(left, message)
    elif consumer.token is not None:
        _later(engine, consumer)


def on_retry(engine: Engine, message: ConsumerBackoffOver) -> None:
    """The backoff of a client is over."""
    try_read(engine, message.consumer)


def _later(engine: Engine, consumer: Consumer) -> None:
    """What was asked will not be answered: look again who leads, after the backoff of a client."""
    consumer.token, consumer.preferred = None, None
    engine.after(engine.rules.retry_backoff, ConsumerBackoffOver(consumer))


def on_read(engine: Engine, message: ConsumerFetch) -> None:
    """A consumer's fetch arrives at a broker: answer it, send it elsewhere, or let it wait."""
    read = message.read
    consumer = read.consumer
    replica = engine.partitions[consumer.plan.partition].replicas[read.broker]
    if not replica.broker.reachable or not _serves(replica):
        engine.send(ConsumerFetchRefused(read), read.broker, -consumer.number)
        return
    near = _near(engine, replica, read)
    if near is not None:
        engine.send(PreferredReadReplica(read, near), read.broker, -consumer.number)
    elif not _reaches(replica, read.offset):
        _tell_range(engine, replica, read)
    elif _visible_end(replica, consumer) > read.offset:
        _answer(engine, replica, read)
    else:
        _park(engine, replica, read)


def _serves(replica: Replica) -> bool:
    rule = replica.broker.switches.consumer_fetch
    return replica.role != "none" and serves_reads(rule, leads=replica.leading is not None)


def _reaches(replica: Replica, offset: Offset) -> bool:
    """Whether a broker finds an offset: on its disk, or in the remote tier if it looks there (KIP-405)."""
    if not in_range(offset, log_start=replica.log_start, leo=replica.leo):
        return False
    if is_moved(offset, log_start=replica.log_start, local_start=replica.local_start):
        known = [one.segment for one in replica.partition.tier]
        return segment_holding(known, epoch_at(replica.entries, offset), offset) is not None
    return not is_missed(offset, local_start=replica.local_start, disk_start=replica.disk_start)


def _visible_end(replica: Replica, consumer: Consumer) -> Offset:
    end = visible_end(replica.broker.switches.visible, hw=replica.hw, leo=replica.leo)
    if consumer.plan.committed_only and replica.transactions is not None:
        end = visible_stable_end(replica.transactions.stable, replica.hw, end)
    return Offset(end)


def _near(engine: Engine, replica: Replica, read: Read) -> BrokerId | None:
    """The follower that a leader sends a consumer to (2.4, KIP-392)."""
    name, leading = read.consumer.plan.near, replica.leading
    if not name or leading is None or name == replica.broker.name:
        return None
    for broker, remote in leading.remotes.items():
        if engine.brokers[broker].name == name:
            rule = replica.broker.switches.consumer_fetch
            fits = prefers_follower(rule, known_leo=remote.leo, offset=read.offset)
            return broker if fits and engine.brokers[broker].reachable else None
    return None


def _tell_range(engine: Engine, replica: Replica, read: Read) -> None:
    seq = engine.journal.tell(
        "consumer_out_of_range",
        replica.id,
        replica.id,
        partition=replica.partition.index,
        cause=None,
        offset=read.offset,
        log_start=replica.log_start,
        leo=replica.leo,
        aux=read.consumer.number,
    )
    engine.send(ConsumerOffsetOutOfRange(read, seq), replica.id, -read.consumer.number)


def _park(engine: Engine, replica: Replica, read: Read) -> None:
    """Nothing to read yet: wait at the broker, at most `fetch.max.wait.ms`. Told once for each position."""
    consumer = read.consumer
    if consumer.parked_at != (replica.id, read.offset):
        consumer.parked_at = (replica.id, read.offset)
        engine.journal.tell(
            "consume_parked",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=None,
            offset=read.offset,
            hw=replica.hw,
            aux=consumer.number,
        )
    replica.reads.append(read)
    engine.after(engine.rules.consumer_wait_max, ConsumerFetchWaitOver(replica, read))


def on_read_waited(engine: Engine, message: ConsumerFetchWaitOver) -> None:
    """A consumer's fetch has waited long enough: an empty answer, and the consumer asks again."""
    replica, read = message.replica, message.read
    if read in replica.reads:
        replica.reads.remove(read)
        _answer(engine, replica, read)


def wake(engine: Engine, replica: Replica) -> None:
    """The bound of a replica has risen: answer those that wait below it."""
    for read in [one for one in replica.reads if one.offset < _visible_end(replica, one.consumer)]:
        replica.reads.remove(read)
        _answer(engine, replica, read)


def refuse_all(engine: Engine, replica: Replica) -> None:
    """The replica follows from now on: who waits is told so, or goes on waiting where followers serve."""
    if not _serves(replica):
        waiting, replica.reads = replica.reads, []
        for read in waiting:
            engine.send(ConsumerFetchRefused(read), replica.id, -read.consumer.number)


def _answer(engine: Engine, replica: Replica, read: Read) -> None:
    end = max(_visible_end(replica, read.consumer), read.offset)
    engine.send(ConsumerFetchAnswer(read, end, replica.hw), replica.id, -read.consumer.number)


def on_answered(engine: Engine, message: ConsumerFetchAnswer) -> None:
    """An answer arrives: the position moves behind what it carried."""
    read, end, hw = message.read, message.end, message.hw
    consumer = read.consumer
    if consumer.token != read.token:
        return
    consumer.token = None
    if end > read.offset:
        consumer.allowed -= not consumer.plan.free
        consumer.position, consumer.parked_at = end, None
        replica = engine.partitions[consumer.plan.partition].replicas[read.broker]
        seq = engine.journal.tell(
            "consumed",
            read.broker,
            read.broker,
            partition=consumer.plan.partition,
            cause=None,
            from_offset=read.offset,
            offset=end,
            hw=hw,
            aux=consumer.number,
        )
        got = replica.numbers(read.offset, end)
        if consumer.plan.committed_only:
            got = [one for one in got if one not in engine.aborted]
        mark(engine.ledger.read, got, seq)
    try_read(engine, consumer)


def on_refused(engine: Engine, message: ConsumerFetchRefused) -> None:
    """The broker does not serve the partition to this consumer, or the connection failed."""
    if message.read.consumer.token == message.read.token:
        _later(engine, message.read.consumer)


def on_sent_on(engine: Engine, message: PreferredReadReplica) -> None:
    """The leader says which follower to read from."""
    consumer = message.read.consumer
    if consumer.token == message.read.token:
        consumer.token, consumer.preferred = None, message.broker
        try_read(engine, consumer)


def on_out_of_range(engine: Engine, message: ConsumerOffsetOutOfRange) -> None:
    """The position is not in the log. Said by a follower it means: ask the leader. Else auto.offset.reset."""
    read, cause = message.read, message.cause
    consumer = read.consumer
    if consumer.token != read.token:
        return
    consumer.token = None
    if consumer.preferred is not None:
        consumer.preferred = None
        try_read(engine, consumer)
    elif consumer.plan.reset == "none":
        consumer.stopped = True
    else:
        request = ConsumerListOffsets(consumer, read.broker, _ask(engine, consumer), cause)
        engine.send(request, -consumer.number, read.broker)


def on_reset_asked(engine: Engine, request: ConsumerListOffsets) -> None:
    """A consumer asks the leader for the first or for the last offset that it may read from."""
    consumer, broker, token = request.consumer, request.broker, request.token
    replica = engine.partitions[consumer.plan.partition].replicas[broker]
    if not replica.broker.reachable or replica.leading is None:
        engine.send(ConsumerListOffsetsRefused(consumer, token), broker, -consumer.number)
        return
    offset = replica.log_start if consumer.plan.reset == "earliest" else _visible_end(replica, consumer)
    answer = ConsumerListOffsetsAnswer(consumer, token, broker, offset, request.cause)
    engine.send(answer, broker, -consumer.number)


def on_reset_refused(engine: Engine, message: ConsumerListOffsetsRefused) -> None:
    """The broker asked for a position does not lead."""
    if message.consumer.token == message.token:
        _later(engine, message.consumer)


def on_reset_told(engine: Engine, answer: ConsumerListOffsetsAnswer) -> None:
    """The consumer goes to the position that the leader named."""
    consumer, broker, offset = answer.consumer, answer.broker, answer.offset
    if consumer.token != answer.token:
        return
    engine.journal.tell(
        "consumer_positioned",
        broker,
        broker,
        partition=consumer.plan.partition,
        cause=answer.cause,
        from_offset=consumer.position,
        offset=offset,
        aux=consumer.number,
    )
    consumer.token, consumer.position, consumer.parked_at = None, offset, None
    try_read(engine, consumer)


def connection_lost(engine: Engine, broker: BrokerId) -> None:
    """A broker died: who waited there looks again who leads."""
    for replica in engine.replicas_on(broker):
        waiting, replica.reads = replica.reads, []
        for read in waiting:
            if read.consumer.token == read.token:
                _later(engine, read.consumer)
