"""What further evidence would settle what is unknown: files of this incident, loggers for the next one."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from importers.lines.items import Item, about
from importers.merge.clock import Clocks
from importers.merge.files import Role
from importers.merge.gathered import Gathered
from importers.merge.zones import ASSUMED

_STATE_KINDS: Final = frozenset(
    {"became_leader", "became_follower", "leader_and_isr_received", "metadata_applied", "leader_and_isr_sent"}
)
_CONTROLLER_KINDS: Final = frozenset({"controller_elected", "leader_elected", "leaderless", "broker_fenced"})
_FETCH_KINDS: Final = frozenset({"fetch_sent", "fetch_received", "fetch_answered", "fetch_delivered"})
_DATA_ROLES: Final = frozenset({Role.SEGMENT, Role.OFFSETS, Role.EPOCHS})
_PART: Final = re.compile(r"[0-9]{1,9}")
"""Of the number of a release."""
_KRAFT: Final = "kraft-"
_ALL: Final = "everything that it did"
_FOLLOWED: Final = "which leader it followed, and when"
_CHANGES: Final = "every change of leader and in-sync set, in order; without it, that of the logs"
_ELECTIONS: Final = "elections, and whether they were clean"
_LEFT: Final = "log end offset, high watermark, leader epochs and content as they were left"
_TIMES: Final = "all its times: UTC is assumed"
_CLOCK: Final = "how far its clock is off"
_WATERMARK: Final = "the high watermark between its samples, and what the leader knew"
_FETCHES: Final = "the log end offset of each follower, fetch by fetch"
_CACHE: Final = "when each leader epoch was written and cut"
_CHINESE: Final = {
    _ALL: "它所做的一切",
    _FOLLOWED: "它何时跟随哪个领导者",
    _CHANGES: "领导者与同步集合的每次变化及其顺序；没有它时以日志为准",
    _ELECTIONS: "各次选举及其是否干净",
    _LEFT: "日志末端、高水位、领导者纪元与内容的最后状态",
    _TIMES: "它的全部时间：目前假定为 UTC",
    _CLOCK: "它的时钟偏差多少",
    _WATERMARK: "各采样之间的高水位，以及领导者所知",
    _FETCHES: "每个跟随者逐次抓取的日志末端",
    _CACHE: "每个领导者纪元何时写入与截断",
    "its logs (server.log, state-change.log, controller.log)": (
        "它的日志（server.log、state-change.log、controller.log）"
    ),
    ", with ": "，并设置 ",
    " of one controller": "（任一控制器的）",
    " of the controllers": "（各控制器的）",
    "its data directory: checkpoints and segments": "它的数据目录：检查点与日志段",
    "its zone: ": "它的时区：",
    "logs that cover a start of it, or an exchange with the controller": "含其一次启动或与控制器交互的日志",
    "next time: ": "下次请设置：",
}
"""What a row says, whole or in parts, in Simplified Chinese."""


def further_evidence(
    gathered: Gathered, items: Sequence[Item], versions: Mapping[int, str], clocks: Clocks
) -> list[dict[str, Any]]:
    """Rows of broker (None: the cluster), evidence, and what it settles; the most useful first.

    Both texts also in Simplified Chinese, as `evidence_zh` and `settles_zh`.
    """
    spoken = _spoken_of(items)
    logged = _logged(gathered)
    kinds: dict[int | None, set[str]] = {}
    for item in items:
        kinds.setdefault(item.broker, set()).add(item.said.kind)
    all_kinds = set[str]().union(*kinds.values()) if kinds else set[str]()
    kraft = _is_kraft(gathered, items)
    rows = [
        _row(broker, "its logs (server.log, state-change.log, controller.log)", _ALL)
        for broker in sorted(spoken - logged)
    ]
    rows += [
        _row(
            broker,
            f"state-change.log{_level(versions.get(broker, ''))}",
            _FOLLOWED,
        )
        for broker in sorted(one for one in logged & spoken if not kinds.get(one, set()) & _STATE_KINDS)
    ]
    if kraft and not any(file.role is Role.METADATA for file in gathered.files):
        rows.append(_row(None, "__cluster_metadata-0 of one controller", _CHANGES))
    elif not kraft and not all_kinds & _CONTROLLER_KINDS:
        rows.append(_row(None, "controller.log of the controllers", _ELECTIONS))
    rows += _data(gathered, spoken)
    rows += _assumed(gathered, clocks)
    rows += _next_time(versions, all_kinds)
    return rows


def _row(broker: int | None, evidence: str, settles: str) -> dict[str, Any]:
    chinese = evidence
    for english, words in _CHINESE.items():
        chinese = chinese.replace(english, words)
    return {
        "broker": broker,
        "evidence": evidence,
        "settles": settles,
        "evidence_zh": chinese,
        "settles_zh": _CHINESE[settles],
    }


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
    return tuple(int(part) for part in version.split(".")[:2] if _PART.fullmatch(part))


def _data(gathered: Gathered, spoken: set[int]) -> list[dict[str, Any]]:
    """Data directories that are not here."""
    have = {
        owner.broker
        for file, owner in zip(gathered.files, gathered.owners, strict=True)
        if file.role in _DATA_ROLES
    }
    return [
        _row(broker, "its data directory: checkpoints and segments", _LEFT)
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
    rows = [_row(one, f"its zone: --zone {one}=ZONE", _TIMES) for one in sorted(assumed)]
    loose = sorted(
        number
        for (what, number), skews in clocks.skews.items()
        if what == "broker" and any(piece.lo is None or piece.hi is None for piece in skews.pieces)
    )
    rows += [
        _row(
            one,
            "logs that cover a start of it, or an exchange with the controller",
            _CLOCK,
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
        ("kafka.cluster.Partition=DEBUG", _WATERMARK),
        ("kafka.server.ReplicaFetcherThread=TRACE", _FETCHES),
    ]
    if newest >= (0, 11):
        rows.append((f"{cache}=DEBUG", _CACHE))
    return [_row(None, f"next time: {logger}", settles) for logger, settles in rows]
