"""Transactional producers, and the coordinator that ends their transactions (KIP-98, KIP-890).

The coordinator runs outside of the picture, as the controller does: what it writes of itself is no partition
here. What it tells the leaders is on the ways of the controller.
"""

from typing import Final

from core.kafka.transactions import Taken, epoch_of_marker, takes_batch
from core.sim import producer
from core.sim.client_state import Marker, Producer, Request
from core.sim.engine import Engine
from core.sim.messages.clients import EndTransactionDue, TransactionTimeout
from core.sim.script import EndTransaction
from core.sim.state import NOBODY, Replica
from core.trace.ids import Seq

_TRIES: Final = 10_000
"""A coordinator sends a marker until it is written."""


def end(engine: Engine, action: EndTransaction, begun: Seq) -> None:
    """A producer commits or aborts its transaction."""
    writer = engine.producers.get(action.transaction)
    if writer is not None and writer.ongoing:
        _end_when_sent(engine, EndTransactionDue(writer, writer.turn, action.aborts, begun))


def on_end_due(engine: Engine, message: EndTransactionDue) -> None:
    """Look again whether all batches of a transaction are written."""
    _end_when_sent(engine, message)


def _end_when_sent(engine: Engine, message: EndTransactionDue) -> None:
    """A commit waits for the batches that are under way, and is an abort if one of them fails."""
    writer = message.writer
    if not writer.ongoing or writer.turn != message.turn:
        return
    if not message.aborts and writer.pending and not writer.failed:
        engine.soon(engine.rules.retry_backoff, message)
        return
    _write_markers(engine, writer, message.cause, aborts=message.aborts or writer.failed)


def on_timeout(engine: Engine, message: TransactionTimeout) -> None:
    """A transaction lasts longer than `transaction.timeout.ms`: the coordinator aborts it by itself."""
    writer = message.writer
    if not writer.ongoing or writer.turn != message.turn:
        return
    seq: Seq | None = None
    for partition in writer.partitions:
        seq = engine.journal.tell(
            "transaction_timed_out",
            None,
            None,
            partition=partition,
            cause=seq,
            epoch=writer.epoch,
            aux=writer.number,
        )
    if seq is not None:
        _write_markers(engine, writer, seq, aborts=True, timed_out=True)


def _write_markers(
    engine: Engine, writer: Producer, cause: Seq, *, aborts: bool, timed_out: bool = False
) -> None:
    """The coordinator tells the leader of each partition to write the marker.

    Batches that are still under way belong to nothing any more: their producer forgets them.
    """
    rule = engine.rules.switches.transactions
    epoch = epoch_of_marker(rule, writer.epoch, timed_out=timed_out)
    writer.ongoing, writer.pending, writer.coordinator_epoch = False, 0, epoch
    for one in [one for one in engine.in_flight if one.producer is writer]:
        one.token = None
        engine.in_flight.remove(one)
    if not timed_out and epoch != writer.epoch:
        writer.epoch = epoch
        writer.next_sequence.clear()
    marker = Marker(writer.number, epoch, aborts)
    for partition in writer.partitions:
        (record,) = engine.name_records(["abort" if aborts else "commit"])
        engine.markers[record] = (marker.producer, marker.epoch, marker.aborts)
        request = Request((record,), -1, partition, NOBODY, cause, _TRIES, marker=marker)
        producer.send(engine, request)


def is_taken(engine: Engine, replica: Replica, request: Request, token: int | None) -> bool:
    """Whether a leader appends a batch of a transaction. Else its producer is told of a failure."""
    writer, held = request.producer, replica.transactions
    if writer is None:
        return True
    taken = takes_batch(
        replica.broker.switches.transactions,
        epoch=request.producer_epoch,
        latest_epoch=-1 if held is None else held.epochs.get(writer.number, -1),
        open_here=held is not None and writer.number in held.ongoing,
        open_at_coordinator=writer.ongoing and request.turn == writer.turn,
    )
    if taken is Taken.YES:
        return True
    engine.journal.tell(
        "producer_fenced" if taken is Taken.FENCED else "transaction_refused",
        replica.id,
        replica.id,
        partition=request.partition,
        cause=request.begun,
        epoch=request.producer_epoch,
        aux=writer.number,
    )
    request.retries = 0
    producer.answer(engine, replica, request, token, written=False)
    return False
