"""Whether a batch belongs to a transaction that goes on, or begins one."""

from typing import Final

from core.sim.client_state import Producer, Request
from core.sim.engine import Engine
from core.sim.messages.clients import TransactionTimeout

_LOOKS_EVERY: Final = 10_000_000_000
"""How often the coordinator looks for transactions that last too long, in ns
(`transaction.abort.timed.out.transaction.cleanup.interval.ms`)."""


def joins(engine: Engine, request: Request, writer: Producer) -> bool:
    """Whether a batch may be sent: the producer begins a transaction with it, or goes on with one.

    One whose transaction was aborted by the coordinator is fenced there, and begins anew with the next batch.
    """
    if request.turn:
        return writer.ongoing and request.turn == writer.turn
    if not writer.ongoing:
        if writer.epoch < writer.coordinator_epoch:
            writer.epoch = writer.coordinator_epoch = writer.coordinator_epoch + 1
            writer.next_sequence.clear()
            return False
        writer.ongoing, writer.failed, writer.turn = True, False, writer.turn + 1
        writer.partitions.clear()
        timeout = engine.rules.transaction_timeout
        late = (engine.now + timeout) // _LOOKS_EVERY * _LOOKS_EVERY + _LOOKS_EVERY - engine.now
        engine.after(late, TransactionTimeout(writer, writer.turn))
    request.turn = writer.turn
    writer.pending += 1
    if request.partition not in writer.partitions:
        writer.partitions.append(request.partition)
    return True
