"""The steps of the world around the brokers, from TOML: log starts, pauses, the network, the assignment."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from core.sim.script import (
    DeleteRecords,
    Freeze,
    Retain,
    Thaw,
    World,
)
from core.sim.toml_reader import Reader

_MAX_OFFSET: Final = 2**53
Read: TypeAlias = Callable[[Reader, Sequence[str], int], World]
"""From the table of a step, with the names of the brokers and the number of partitions."""


def _partition(table: Reader, partitions: int) -> int:
    return table.number("partition", 0, most=partitions - 1)


def _delete_records(table: Reader, _: Sequence[str], partitions: int) -> World:
    return DeleteRecords(table.maybe_number("offset", most=_MAX_OFFSET), _partition(table, partitions))


def _retain(table: Reader, brokers: Sequence[str], partitions: int) -> World:
    offset = table.number("offset", most=_MAX_OFFSET)
    return Retain(table.names("brokers", brokers), offset, _partition(table, partitions))


def _freeze(table: Reader, brokers: Sequence[str], _: int) -> World:
    return Freeze(table.names("brokers", brokers))


def _thaw(table: Reader, brokers: Sequence[str], _: int) -> World:
    return Thaw(table.names("brokers", brokers))


WORLD_STEPS: Final[Mapping[str, tuple[tuple[str, ...], Read]]] = {
    "delete-records": (("offset", "partition"), _delete_records),
    "retain": (("brokers", "offset", "partition"), _retain),
    "freeze": (("brokers",), _freeze),
    "thaw": (("brokers",), _thaw),
}
"""By the word of `do`: the keys that it takes, and how it is read."""
