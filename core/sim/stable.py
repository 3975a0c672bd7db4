"""What a log holds of transactions, and its last stable offset (KIP-98): each change with its event."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.kafka.transactions import Transaction, last_stable_offset
from core.sim.consumer import wake
from core.sim.engine import Engine
from core.sim.state import LogTransactions, Replica
from core.trace.ids import Offset, Seq


@dataclass(frozen=True, slots=True)
class _Written:
    """Offsets [first_offset, end_offset) that one producer wrote in one producer epoch."""

    producer: int
    producer_epoch: int
    first_offset: int
    end_offset: int


def note(engine: Engine, replica: Replica, records: Sequence[int], start: int, cause: Seq) -> None:
    """Records were appended at `start`: what they say of transactions."""
    held = replica.transactions
    if held is None:
        if not any(one in engine.transactional or one in engine.markers for one in records):
            return
        held = replica.transactions = LogTransactions(replica.hw)
    for written in _written(engine, records, start):
        engine.journal.tell(
            "transaction_written",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=cause,
            epoch=written.producer_epoch,
            from_offset=written.first_offset,
            offset=written.end_offset,
            aux=written.producer,
        )
    for ended in _read(engine, held, records, start):
        engine.journal.tell(
            "transaction_aborted" if ended.aborted else "transaction_committed",
            replica.id,
            replica.id,
            partition=replica.partition.index,
            cause=cause,
            epoch=ended.epoch,
            from_offset=ended.first,
            offset=ended.marker,
            aux=ended.producer,
        )
        if ended.aborted:
            engine.aborted.update(
                one
                for one in replica.numbers(ended.first, ended.marker or ended.first)
                if engine.transactional.get(one, (None,))[0] == ended.producer
            )
    settle(engine, replica, cause)


def _written(engine: Engine, records: Sequence[int], start: int) -> list[_Written]:
    """The records of transactions, neighbours joined."""
    found: list[_Written] = []
    for offset, record in enumerate(records, start):
        writer = engine.transactional.get(record)
        if writer is None:
            continue
        last = found[-1] if found else None
        if last and (last.producer, last.producer_epoch) == writer and last.end_offset == offset:
            found[-1] = replace(last, end_offset=offset + 1)
        else:
            found.append(_Written(*writer, offset, offset + 1))
    return found


def _read(engine: Engine, held: LogTransactions, records: Sequence[int], start: int) -> list[Transaction]:
    """Follow records in a log. Gives the transactions that a marker among them ends.

    A marker of a transaction of which this log holds nothing ends none (ProducerAppendInfo).
    """
    ended: list[Transaction] = []
    for offset, record in enumerate(records, start):
        writer, marker = engine.transactional.get(record), engine.markers.get(record)
        if writer is not None:
            producer, epoch = writer
            held.epochs[producer] = epoch
            held.ongoing.setdefault(producer, Transaction(producer, epoch, offset))
        elif marker is not None:
            producer, epoch, aborts = marker
            held.epochs[producer] = epoch
            begun = held.ongoing.pop(producer, None)
            if begun is not None:
                ended.append(Transaction(producer, begun.epoch, begun.first, offset, aborts))
    held.unreplicated += ended
    return ended


def reload(engine: Engine, replica: Replica, cause: Seq | None) -> None:
    """The log was loaded, cut or begun anew: read anew what it holds of transactions."""
    if replica.transactions is None:
        return
    replica.transactions = LogTransactions(replica.transactions.stable)
    _read(engine, replica.transactions, replica.records, replica.log_start)
    settle(engine, replica, cause)


def settle(engine: Engine, replica: Replica, cause: Seq | None) -> None:
    """The last stable offset may have moved, with the high watermark, the log start or a marker."""
    held = replica.transactions
    if held is None:
        return
    held.unreplicated = [one for one in held.unreplicated if one.marker is None or one.marker >= replica.hw]
    stable = last_stable_offset(replica.hw, replica.log_start, (*held.ongoing.values(), *held.unreplicated))
    if stable == held.stable:
        return
    held.stable = Offset(stable)
    engine.journal.tell(
        "lso_moved", replica.id, replica.id, partition=replica.partition.index, cause=cause, offset=stable
    )
    if replica.reads:
        wake(engine, replica)
