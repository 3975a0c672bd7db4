"""What further evidence would settle what is unknown: files of this incident, loggers for the next one."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from core.history.witnesses import REQUESTS
from core.kafka.releases import version_numbers
from core.message import Message, message
from core.message_json import plain
from importers.kafka.kraft_state import KRAFT_STATE_RULES
from importers.lines.items import Item, about
from importers.merge.clock import Clocks
from importers.merge.files import Role
from importers.merge.gathered import Gathered
from importers.merge.over_time import releases_in_order
from importers.merge.silent import silent_loggers
from importers.merge.zones import ASSUMED

_STATE_KINDS: Final = frozenset(
    {"became_leader", "became_follower", "leader_and_isr_received", "metadata_applied", "leader_and_isr_sent"}
)
_CONTROLLER_KINDS: Final = frozenset({"controller_elected", "leader_elected", "leaderless", "broker_fenced"})
_FETCH_KINDS: Final = frozenset({"fetch_sent", "fetch_received", "fetch_answered", "fetch_delivered"})
_DATA_ROLES: Final = frozenset({Role.SEGMENT, Role.OFFSETS, Role.EPOCHS})
_KRAFT: Final = "kraft-"
_OF_BOTH: Final = frozenset(rule.name for rule in KRAFT_STATE_RULES)
"""Lines of Partition.scala: from 3.0 on a broker with ZooKeeper prints them, too, in the same words."""
_ZOOKEEPER_KINDS: Final = REQUESTS | {"session_expired", "controller_elected"}


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
        _row(broker, message("report.further.logs"), message("report.settles.all"))
        for broker in sorted(spoken - logged)
    ]
    rows += [
        _row(
            broker,
            _state_change(versions.get(broker, "")),
            message("report.settles.followed"),
        )
        for broker in sorted(one for one in logged & spoken if not kinds.get(one, set()) & _STATE_KINDS)
    ]
    if kraft and not any(file.role is Role.METADATA for file in gathered.files):
        rows.append(_row(None, message("report.further.metadata-log"), message("report.settles.changes")))
    elif not kraft and not all_kinds & _CONTROLLER_KINDS:
        rows.append(_row(None, message("report.further.controller-log"), message("report.settles.elections")))
    rows += _silent(gathered, logged, kinds)
    rows += _data(gathered, spoken)
    rows += _assumed(gathered, clocks)
    rows += _next_time(versions, all_kinds)
    return rows


def _row(broker: int | None, evidence: Message, settles: Message) -> dict[str, Any]:
    return {"broker": broker, "evidence": plain(evidence), "settles": plain(settles)}


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
    """Whether there is a metadata log. Lines of both modes say so only where nothing tells of ZooKeeper."""
    rules = {item.rule for item in items if item.rule.startswith(_KRAFT)}
    if rules - _OF_BOTH or any("process.roles" in file.properties for file in gathered.files):
        return True
    settings = any("zookeeper.connect" in file.properties for file in gathered.files)
    return bool(rules) and not settings and not any(item.said.kind in _ZOOKEEPER_KINDS for item in items)


def _state_change(version: str) -> Message:
    """The state change log, whose level was TRACE by default to 2.5, and is INFO since 2.6 (KAFKA-8470)."""
    if version and version_numbers(version) < (1, 1):
        return message("report.further.state-change-trace")
    return message("report.further.state-change")


def _silent(
    gathered: Gathered, logged: Collection[int], kinds: Mapping[int | None, Collection[str]]
) -> list[dict[str, Any]]:
    """Loggers that somebody set to WARN, and what stays unknown of each broker that has them so."""
    releases = releases_in_order(gathered)
    return [
        _row(broker, message("report.further.next-time", logger=f"{one.name}=INFO"), one.settles)
        for broker in sorted(logged)
        for one in silent_loggers(kinds.get(broker, ()), releases.get(broker, ()))
    ]


def _data(gathered: Gathered, spoken: set[int]) -> list[dict[str, Any]]:
    """Data directories that are not here."""
    have = {
        owner.broker
        for file, owner in zip(gathered.files, gathered.owners, strict=True)
        if file.role in _DATA_ROLES
    }
    return [
        _row(broker, message("report.further.data"), message("report.settles.left"))
        for broker in sorted(spoken - have)
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
        _row(one, message("report.further.zone", broker=one), message("report.settles.times"))
        for one in sorted(assumed)
    ]
    loose = sorted(
        number
        for (what, number), skews in clocks.skews.items()
        if what == "broker" and any(piece.lo is None or piece.hi is None for piece in skews.pieces)
    )
    rows += [
        _row(
            one,
            message("report.further.ties"),
            message("report.settles.clock"),
        )
        for one in loose
    ]
    return rows


def _next_time(versions: Mapping[int, str], kinds: set[str]) -> list[dict[str, Any]]:
    """Loggers whose lines are not here; named as the newest version of the cluster names them."""
    if kinds & _FETCH_KINDS:
        return []
    newest = max((version_numbers(version) for version in versions.values()), default=())
    cache = (
        "org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache"
        if newest >= (3, 5)
        else "kafka.server.epoch.LeaderEpochFileCache"
    )
    rows = [
        ("kafka.cluster.Partition=DEBUG", message("report.settles.watermark")),
        ("kafka.server.ReplicaFetcherThread=TRACE", message("report.settles.fetches")),
    ]
    if newest >= (0, 11):
        rows.append((f"{cache}=DEBUG", message("report.settles.cache")))
    return [
        _row(None, message("report.further.next-time", logger=logger), settles) for logger, settles in rows
    ]
