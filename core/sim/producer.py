"""Producers: requests of one batch each, sent again after a failure; idempotent ones number their batches."""

from typing import Final

from core.kafka.clients import SequenceOutcome, sequence_outcome, starts_anew
from core.sim.client_state import Producer, Request
from core.sim.engine import Engine
from core.sim.membership import joins
from core.sim.messages.clients import (
    OutOfOrderSequence,
    Produce,
    ProduceAnswer,
    ProduceBackoffOver,
    ProduceDue,
    ProduceTimeout,
    WriteTxnMarkers,
)
from core.sim.script import Produce as ProduceStep
from core.sim.state import NOBODY, Leading, Replica, Sequenced
from core.trace.ids import BrokerId, Seq

_KNOWN_BATCHES: Final = 5
"""How many batches of a producer a broker remembers (ProducerStateEntry)."""


def produce(engine: Engine, action: ProduceStep, to: BrokerId, begun: Seq) -> None:
    """The requests of a step, each to the leader of the moment at which it is sent, or to the broker `to`."""
    numbers = engine.name_records(action.records, action.batch)
    transactional = bool(action.transaction) and engine.rules.switches.transactions != "none"
    producer = _producer(engine, action.transaction or action.producer)
    acks = action.acks if engine.rules.acks is None else engine.rules.acks
    for place, first in enumerate(range(0, len(numbers), action.batch)):
        records = tuple(numbers[first : first + action.batch])
        partition = action.partitions[place % len(action.partitions)]
        request = Request(records, acks, partition, to, begun, action.retries, producer)
        request.transactional = transactional and producer is not None
        engine.soon(place * action.every_ns, ProduceDue(request))


def _producer(engine: Engine, name: str) -> Producer | None:
    """The idempotent producer of that name; None for "", and where the era has none."""
    if not name or engine.rules.switches.producer_sequence == "ignored":
        return None
    return engine.producers.setdefault(name, Producer(len(engine.producers) + 1))


def on_due(engine: Engine, message: ProduceDue) -> None:
    """A producer has a batch to send."""
    send(engine, message.request)


def send(engine: Engine, request: Request) -> None:
    """Without a leader a request fails, or waits if it may be sent again."""
    if request.transactional and not _goes_on(engine, request):
        return
    leader = _leader(engine, request)
    if request.answered and (leader == NOBODY or not engine.brokers[leader].reachable):
        _wait(engine, request)
        return
    if leader == NOBODY:
        engine.journal.tell(
            "produce_failed", None, None, partition=request.partition, cause=request.begun, aux=request.acks
        )
        return
    if request.producer is not None and request.sequence is None:
        _number(engine, request, request.producer)
    if request.answered:
        token = engine.token()
        request.token, request.broker = token, leader
        engine.in_flight.append(request)
        engine.after(engine.rules.request_timeout, ProduceTimeout(request, token))
    replica = engine.partitions[request.partition].replicas[leader]
    kind = Produce if request.marker is None else WriteTxnMarkers
    engine.send(kind(replica, request, request.token), 0, leader)


def _goes_on(engine: Engine, request: Request) -> bool:
    """Whether the transaction of a batch goes on, so that it may be sent."""
    writer, fresh = request.producer, not request.turn
    if writer is None or joins(engine, request, writer):
        return writer is not None
    if fresh:
        engine.journal.tell(
            "produce_failed", None, None, partition=request.partition, cause=request.begun, aux=request.acks
        )
    return False


def _leader(engine: Engine, request: Request) -> BrokerId:
    return engine.partitions[request.partition].leader if request.to == NOBODY else request.to


def _wait(engine: Engine, request: Request) -> None:
    engine.after(engine.rules.retry_backoff, ProduceBackoffOver(request))


def _number(engine: Engine, request: Request, producer: Producer) -> None:
    """Give the batch the producer's next sequence numbers."""
    request.producer_epoch = producer.epoch
    request.sequence = producer.next_sequence.get(request.partition, 0)
    producer.next_sequence[request.partition] = request.sequence + len(request.records)
    for place, record in enumerate(request.records):
        engine.sequences[record] = (producer.number, producer.epoch, request.sequence + place)
        if request.transactional:
            engine.transactional[record] = (producer.number, producer.epoch)


def on_unanswered(engine: Engine, message: ProduceTimeout) -> None:
    """The producer has waited for `request.timeout.ms`: it takes the request for failed."""
    _failed(engine, message.request, message.token)


def connection_lost(engine: Engine, broker: BrokerId) -> None:
    """A broker died: its producers do not know what became of what they had sent there."""
    for request in [one for one in engine.in_flight if one.broker == broker]:
        _failed(engine, request, request.token)


def _failed(engine: Engine, request: Request, token: int | None) -> None:
    """An attempt has failed, or nothing is known of it: send again after the backoff, if the script lets."""
    if token is None or request.token != token:
        return
    request.token = None
    engine.in_flight.remove(request)
    if request.retries > 0:
        request.retries -= 1
        request.to, request.tried = NOBODY, True
        _wait(engine, request)
    elif request.transactional and request.producer is not None:
        request.producer.pending, request.producer.failed = request.producer.pending - 1, True


def on_again(engine: Engine, message: ProduceBackoffOver) -> None:
    """The backoff is over: send to the leader that is known by now, if there is one to connect to."""
    request = message.request
    leader = _leader(engine, request)
    if request.tried and request.marker is None and leader != NOBODY and engine.brokers[leader].reachable:
        engine.journal.tell(
            "produce_retried",
            leader,
            leader,
            partition=request.partition,
            cause=request.begun,
            aux=request.acks,
        )
    send(engine, request)


def answer(engine: Engine, replica: Replica, request: Request, token: int | None, *, written: bool) -> None:
    """A broker answers a produce, if the producer listens."""
    if token is not None:
        engine.send(ProduceAnswer(request, token, written), replica.id, 0)


def on_answered(engine: Engine, message: ProduceAnswer) -> None:
    """An answer arrives: done, or to be tried again."""
    request, token = message.request, message.token
    if request.token != token:
        return
    if message.written:
        request.token = None
        engine.in_flight.remove(request)
        if request.transactional and request.producer is not None:
            request.producer.pending -= 1
    else:
        _failed(engine, request, token)


def place_anew(engine: Engine, request: Request) -> None:
    """New numbers for records that come into a log a second time: another copy is another record."""
    names = [engine.record_names[record] for record in request.records]
    copies = tuple(engine.name_records(names, len(names)))
    for old, new in zip(request.records, copies, strict=True):
        if old in engine.sequences:
            engine.sequences[new] = engine.sequences[old]
        if old in engine.transactional:
            engine.transactional[new] = engine.transactional[old]
        if old in engine.markers:
            engine.markers[new] = engine.markers[old]
    request.records = copies


def check_sequence(
    engine: Engine, replica: Replica, request: Request
) -> tuple[SequenceOutcome, Sequenced | None]:
    """What the leader makes of a batch by the batches before it, with the first copy of a duplicate."""
    leading, producer = replica.leading, request.producer
    if leading is None or producer is None or request.sequence is None:
        return SequenceOutcome.NEXT, None
    if leading.sequences is None:
        leading.sequences = _sequences_of(engine, replica)
    held = leading.sequences.get(producer.number, [])
    key = (request.producer_epoch, request.sequence, request.sequence + len(request.records) - 1)
    copy = next((one for one in held[-_KNOWN_BATCHES:] if (one.epoch, one.first, one.last) == key), None)
    outcome = sequence_outcome(
        replica.broker.switches.producer_sequence,
        epoch=request.producer_epoch,
        first=request.sequence,
        last=(held[-1].epoch, held[-1].last) if held else None,
        known=copy is not None,
    )
    return outcome, copy


def note_sequence(request: Request, leading: Leading, start: int) -> None:
    """The leader has appended a batch: the next one must follow it."""
    if request.producer is not None and request.sequence is not None and leading.sequences is not None:
        count = len(request.records)
        last = request.sequence + count - 1
        batch = Sequenced(request.producer_epoch, request.sequence, last, start, start + count)
        leading.sequences.setdefault(request.producer.number, []).append(batch)


def _sequences_of(engine: Engine, replica: Replica) -> dict[int, list[Sequenced]]:
    """What a log holds of each producer: it stands in the batches, so that every new leader knows it."""
    found: dict[int, list[Sequenced]] = {}
    for offset, record in enumerate(replica.records, replica.log_start):
        if record not in engine.sequences:
            continue
        producer, epoch, sequence = engine.sequences[record]
        batches = found.setdefault(producer, [])
        if engine.continues[record] and batches:
            last = batches.pop()
            batches.append(Sequenced(epoch, last.first, sequence, last.start, offset + 1))
        else:
            batches.append(Sequenced(epoch, sequence, sequence, offset, offset + 1))
    return found


def refuse_sequence(
    engine: Engine, replica: Replica, request: Request, token: int | None, cause: Seq
) -> None:
    """Sequence numbers that do not follow: records of this producer are missing in the log."""
    seq = engine.journal.tell(
        "sequence_refused",
        replica.id,
        replica.id,
        partition=request.partition,
        cause=cause,
        aux=request.sequence,
    )
    if token is not None:
        engine.send(OutOfOrderSequence(request, token, seq), replica.id, 0)


def on_sequence_refused(engine: Engine, message: OutOfOrderSequence) -> None:
    """The producer hears of a gap: it waits for its earlier batches, begins anew, or the batch fails."""
    request, token, cause = message.request, message.token, message.cause
    producer = request.producer
    if producer is None or request.token != token:
        return
    earlier = [
        one
        for one in engine.in_flight
        if one.producer is producer
        and one.partition == request.partition
        and (one.sequence or 0) < (request.sequence or 0)
    ]
    if earlier:
        _failed(engine, request, token)
        return
    request.token = None
    engine.in_flight.remove(request)
    producer.epoch += 1
    producer.next_sequence.clear()
    if starts_anew(engine.rules.switches.producer_sequence):
        request.sequence, request.tried = None, True
        _wait(engine, request)
    else:
        engine.journal.tell(
            "produce_failed", None, None, partition=request.partition, cause=cause, aux=request.acks
        )
