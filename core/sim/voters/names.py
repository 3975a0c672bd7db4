"""What records of the metadata log are called in a trace: the kind of record, its epoch and its offset."""

from collections.abc import Sequence

from core.sim.engine import Engine
from core.sim.state import BrokerEntry, PartitionEntry


def names_of(
    engine: Engine, entries: Sequence[BrokerEntry | PartitionEntry], place: int, at: tuple[int, int]
) -> tuple[str, ...]:
    """Kafka's names of the records of these entries.

    They stand from `place` on among the entries of the controller, from the offset of `at`, (epoch, offset),
    on in its log.
    """
    epoch, offset = at
    return tuple(
        f"{_kind(engine, one, place + number)}-{epoch}.{offset + number}"
        for number, one in enumerate(entries)
    )


def name_of_change(epoch: int, offset: int) -> str:
    """The first record of a leader."""
    return f"LeaderChange-{epoch}.{offset}"


def name_of_voters(epoch: int, offset: int) -> str:
    """A record that names the voters."""
    return f"KRaftVoters-{epoch}.{offset}"


def _kind(engine: Engine, entry: BrokerEntry | PartitionEntry, place: int) -> str:
    """Before the first step brokers are registered and partitions made."""
    begins = place < len(engine.brokers) + len(engine.partitions)
    if isinstance(entry, BrokerEntry):
        registers = begins or (entry.registration.epoch == place and entry.registration.fenced)
        return "RegisterBroker" if registers else "BrokerRegistrationChange"
    return "Partition" if begins else "PartitionChange"
