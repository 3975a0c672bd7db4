"""What further evidence would settle what is unknown: files of this incident, loggers for the next one."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from importers.clock import Clocks
from importers.files import Role
from importers.gathered import Gathered
from importers.items import Item, about
from importers.zones import ASSUMED

_STATE_KINDS: Final = frozenset(
    {"became_leader", "became_follower", "leader_and_isr_received", "metadata_applied", "leader_and_isr_sent"}
)
_CONTROLLER_KINDS: Final = frozenset({"controller_elected", "leader_elected", "leaderless", "broker_fenced"})
_FETCH_KINDS: Final = frozenset({"fetch_sent", "fetch_received", "fetch_answered", "fetch_delivered"})
_DATA_ROLES: Final = frozenset({Role.SEGMENT, Role.OFFSETS, Role.EPOCHS})
_KRAFT: Final = "kraft-"


def further_evidence(
    gathered: Gathered, items: Sequence[Item], versions: Mapping[int, str], clocks: Clocks
) -> list[dict[str, Any]]:
    """Rows of broker (None: the cluster), evidence, and what it settles; the most useful first."""
    spoken = _spoken_of(items)
    logged = _logged(gathered)
    kinds: dict[int | None, set[str]] = {}
    for item in items:
        kinds.setdefault(item.broker, set()).add(item.said.kind)
    all_kinds = set[str]().union(*kinds.values()) if kinds else set[str]()
    kraft = _is_kraft(gathered, items)
    rows = [
        _row(broker, "its logs (server.log, state-change.log, controller.log)", "everything that it did")
        for broker in sorted(spoken - logged)
    ]
    rows += [
        _row(
            broker,
            f"state-change.log{_level(versions.get(broker, ''))}",
            "which leader it followed, and when",
        )
        for broker in sorted(one for one in logged & spoken if not kinds.get(one, set()) & _STATE_KINDS)
    ]
    if kraft and not any(file.role is Role.METADATA for file in gathered.files):
        told = "every change of leader and in-sync set, in order; without it, that of the logs"
        rows.append(_row(None, "__cluster_metadata-0 of one controller", told))
    elif not kraft and not all_kinds & _CONTROLLER_KINDS:
        rows.append(_row(None, "controller.log of the controllers", "elections, and whether they were clean"))
    rows += _data(gathered, spoken)
    rows += _assumed(gathered, clocks)
    rows += _next_time(versions, all_kinds)
    return rows


def _row(broker: int | None, evidence: str, settles: str) -> dict[str, Any]:
    return {"broker": broker, "evidence": evidence, "settles": settles}


def _logged(gathered: Gathered) -> set[int]:
    """The brokers whose logs are here."""
    return {
        owner.broker
        for file, owner in zip(gathered.files, gathered.owners, strict=True)
        if file.drafts is not None and file.drafts.kafka and owner.broker is not None
    }


def _spoken_of(items: Sequence[Item]) -> set[int]:
    """The brokers that hold replicas, as far as anything says."""
    found: set[int] = set()
    for item in items:
        if item.said.tp is not None:
            found |= {*(item.said.assigned or ()), *(item.said.isr or ())}
            one = about(item)
            if one is not None and item.said.kind in _STATE_KINDS:
                found.add(one)
    return found


def _is_kraft(gathered: Gathered, items: Sequence[Item]) -> bool:
    settings = any("process.roles" in file.properties for file in gathered.files)
    return settings or any(item.rule.startswith(_KRAFT) for item in items)


def _level(version: str) -> str:
    """What the state change log must be set to: its default was TRACE to 2.5, INFO since 2.6 (KAFKA-8470)."""
    return ", with state.change.logger=TRACE" if version and _number(version) < (1, 1) else ""


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isascii() and part.isdigit())


def _data(gathered: Gathered, spoken: set[int]) -> list[dict[str, Any]]:
    """Data directories that are not here."""
    have = {
        owner.broker
        for file, owner in zip(gathered.files, gathered.owners, strict=True)
        if file.role in _DATA_ROLES
    }
    told = "log end offset, high watermark, leader epochs and content as they were left"
    return [
        _row(broker, "its data directory: checkpoints and segments", told) for broker in sorted(spoken - have)
    ]


def _assumed(gathered: Gathered, clocks: Clocks) -> list[dict[str, Any]]:
    """Brokers whose zone is only assumed, and clocks that nothing ties to the others."""
    assumed = {
        owner.broker
        for (_, owner), zone in zip(
            zip(gathered.files, gathered.owners, strict=True), gathered.zones, strict=True
        )
        if zone == ASSUMED and owner.broker is not None
    }
    rows = [
        _row(one, f"its zone: --zone {one}=ZONE", "all its times: UTC is assumed") for one in sorted(assumed)
    ]
    loose = sorted(
        number
        for (what, number), skews in clocks.skews.items()
        if what == "broker" and any(piece.lo is None or piece.hi is None for piece in skews.pieces)
    )
    rows += [
        _row(
            one,
            "logs that cover a start of it, or an exchange with the controller",
            "how far its clock is off",
        )
        for one in loose
    ]
    return rows


def _next_time(versions: Mapping[int, str], kinds: set[str]) -> list[dict[str, Any]]:
    """Loggers whose lines are not here; named as the newest version of the cluster names them."""
    if kinds & _FETCH_KINDS:
        return []
    newest = max((_number(version) for version in versions.values()), default=())
    cache = (
        "org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache"
        if newest >= (3, 5)
        else "kafka.server.epoch.LeaderEpochFileCache"
    )
    rows = [
        ("kafka.cluster.Partition=DEBUG", "the high watermark between its samples, and what the leader knew"),
        ("kafka.server.ReplicaFetcherThread=TRACE", "the log end offset of each follower, fetch by fetch"),
    ]
    if newest >= (0, 11):
        rows.append((f"{cache}=DEBUG", "when each leader epoch was written and cut"))
    return [_row(None, f"next time: {logger}", settles) for logger, settles in rows]
