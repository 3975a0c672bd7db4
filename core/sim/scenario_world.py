"""The steps of the world around the brokers, from TOML: log starts, pauses, the network, the assignment."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from core.message import message
from core.sim.scenario_protocols import METADATA_VERSION_KEY, read_metadata_version
from core.sim.script import (
    CLIENTS,
    CONTROLLER,
    Configure,
    DeleteRecords,
    Disconnect,
    Freeze,
    Heal,
    MoveLog,
    Reassign,
    Retain,
    Slow,
    Thaw,
    World,
)
from core.sim.script_quorum import ChangeVoter, SnapshotMetadata
from core.sim.script_tiers import CleanTier, CopyToTier
from core.sim.toml_reader import Reader
from core.trace.ids import Offset

_MIN_ISR: Final = "min.insync.replicas"
_MOST_MIN_ISR: Final = 9
_MAX_OFFSET: Final = 2**53
_MINUTE_US: Final = 60_000_000
Read: TypeAlias = Callable[[Reader, Sequence[str], int], World]
"""From the table of a step, with the names of the brokers and the number of partitions."""


def _partition(table: Reader, partitions: int) -> int:
    return table.number("partition", 0, most=partitions - 1)


def _delete_records(table: Reader, _: Sequence[str], partitions: int) -> World:
    offset = table.maybe_number("offset", most=_MAX_OFFSET)
    return DeleteRecords(None if offset is None else Offset(offset), _partition(table, partitions))


def _retain(table: Reader, brokers: Sequence[str], partitions: int) -> World:
    offset = table.number("offset", most=_MAX_OFFSET)
    return Retain(table.names("brokers", brokers), Offset(offset), _partition(table, partitions))


def _move_log(table: Reader, brokers: Sequence[str], partitions: int) -> World:
    return MoveLog(table.names("brokers", brokers), _partition(table, partitions))


def _copy_to_tier(table: Reader, _: Sequence[str], partitions: int) -> World:
    offset = table.number("offset", least=1, most=_MAX_OFFSET)
    start = table.maybe_number("from", most=_MAX_OFFSET)
    return CopyToTier(Offset(offset), None if start is None else Offset(start), _partition(table, partitions))


def _clean_tier(table: Reader, _: Sequence[str], partitions: int) -> World:
    offset = table.number("offset", 0, most=_MAX_OFFSET)
    return CleanTier(Offset(offset), _partition(table, partitions))


def _freeze(table: Reader, brokers: Sequence[str], _: int) -> World:
    return Freeze(table.names("brokers", brokers))


def _thaw(table: Reader, brokers: Sequence[str], _: int) -> World:
    return Thaw(table.names("brokers", brokers))


def _ways(table: Reader, brokers: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Every way from one of `from` to one of `to`; with `both_ways`, and back."""
    ends = (*brokers, CONTROLLER, CLIENTS)
    sources, targets = table.names("from", ends), table.names("to", ends)
    ways = [(source, target) for source in sources for target in targets if source != target]
    if not ways or not all(set(way) & set(brokers) for way in ways):
        table.fail("to", message("error.scenario.way"), message("allowed.broker"))
    if table.flag("both_ways", default=False):
        ways += [(target, source) for source, target in ways]
    return tuple(dict.fromkeys(ways))


def _disconnect(table: Reader, brokers: Sequence[str], _: int) -> World:
    return Disconnect(_ways(table, brokers))


def _heal(table: Reader, brokers: Sequence[str], _: int) -> World:
    return Heal(_ways(table, brokers))


def _slow(table: Reader, brokers: Sequence[str], _: int) -> World:
    latency = table.number("latency_us", least=1, most=_MINUTE_US) * 1_000
    return Slow(_ways(table, brokers), latency)


def _reassign(table: Reader, brokers: Sequence[str], partitions: int) -> World:
    return Reassign(table.names("brokers", brokers), _partition(table, partitions))


def _configure(table: Reader, _: Sequence[str], __: int) -> World:
    """One of both; min.insync.replicas is asked for where neither is named."""
    version = read_metadata_version(table)
    if version and _MIN_ISR not in table.values:
        return Configure(metadata_version=version)
    return Configure(table.number(_MIN_ISR, least=1, most=_MOST_MIN_ISR), version)


def _add_voter(table: Reader, controllers: Sequence[str], _: int) -> World:
    return ChangeVoter(table.choice("controller", controllers), adds=True)


def _remove_voter(table: Reader, controllers: Sequence[str], _: int) -> World:
    return ChangeVoter(table.choice("controller", controllers), adds=False)


def _snapshot(table: Reader, controllers: Sequence[str], _: int) -> World:
    return SnapshotMetadata(table.names("controllers", controllers), deletes=False)


def _clean_metadata(table: Reader, controllers: Sequence[str], _: int) -> World:
    return SnapshotMetadata(table.names("controllers", controllers), deletes=True)


_WAY: Final = ("from", "to", "both_ways")
WORLD_STEPS: Final[Mapping[str, tuple[tuple[str, ...], Read]]] = {
    "delete-records": (("offset", "partition"), _delete_records),
    "retain": (("brokers", "offset", "partition"), _retain),
    "move-log": (("brokers", "partition"), _move_log),
    "copy-to-tier": (("offset", "from", "partition"), _copy_to_tier),
    "clean-tier": (("offset", "partition"), _clean_tier),
    "freeze": (("brokers",), _freeze),
    "thaw": (("brokers",), _thaw),
    "disconnect": (_WAY, _disconnect),
    "heal": (_WAY, _heal),
    "reassign": (("brokers", "partition"), _reassign),
    "configure": ((_MIN_ISR, METADATA_VERSION_KEY), _configure),
    "slow": ((*_WAY, "latency_us"), _slow),
    "add-voter": (("controller",), _add_voter),
    "remove-voter": (("controller",), _remove_voter),
    "snapshot": (("controllers",), _snapshot),
    "clean-metadata": (("controllers",), _clean_metadata),
}
"""By the word of `do`: the keys that it takes, and how it is read."""
