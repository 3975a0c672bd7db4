"""What Kafka's own tools printed of a cluster: kept as they say it, for no line of theirs has a time.

`kafka-topics --describe`, `kafka-log-dirs --describe`, `kafka-metadata-quorum describe` and what
`kafka-leader-election` answers state who leads, who is in sync, how large a log is. When that was so, nobody
says: the file was written at the latest at its modification time, as far as a copy has kept it. So these are
statements of the report, with their lines, and never events.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from core.message import Count, Message, message
from core.trace.units import MILLISECOND_NS

_MOST_LINES: Final = 200_000
_MOST_JSON: Final = 64 << 20
_MOST_TEXT: Final = 400
_MOST_ID: Final = (1 << 31) - 1
_PARTITION: Final = re.compile(
    rb"\s*Topic: ?(?P<topic>[\w.\-]+)\s+Partition: ?(?P<number>\d{1,9})\s+Leader: ?(?P<leader>-?\d+|none)\s+"
    rb"Replicas: ?(?P<replicas>[\d,]*)\s+Isr: ?(?P<isr>[\d,]*)(?P<more>.*)"
)
"""`Topic: t1`, `Partition: 0`, `Leader: 2`, `Replicas: 1,2,3`, `Isr: 2` with tabs between them, in every
release; what was copied from a terminal has spaces for the tabs."""
_TOPIC: Final = re.compile(
    rb"Topic: ?(?P<topic>[\w.\-]+)\s+(?:TopicId: ?(?P<topic_id>[\w\-]{22})\s+)?PartitionCount: ?"
    rb"(?P<count>\d{1,9})\s+ReplicationFactor: ?\d+\s*Configs: ?(?P<configs>\S*)"
)
"""Without spaces behind the colons to 2.3; with the id from 2.8."""
_LISTS: Final[Mapping[str, re.Pattern[bytes]]] = {
    "adding": re.compile(rb"\bAdding Replicas: ?([\d,]*)"),
    "removing": re.compile(rb"\bRemoving Replicas: ?([\d,]*)"),
    "elr": re.compile(rb"\bElr: ?(?! ?N/A)([\d,]*)(?=\s|$)"),
    "last_known_elr": re.compile(rb"\bLastKnownElr: ?(?! ?N/A)([\d,]*)(?=\s|$)"),
}
"""Behind the in-sync set: a reassignment from 2.5, eligible leaders from 3.8, N/A where nobody can tell."""
_ELECTION: Final = re.compile(
    rb"(?:Successfully completed leader election \((?P<how>\w+)\)|Valid replica already elected) for "
    rb"partitions (?P<list>.*)"
)
_QUORUM: Final = re.compile(
    rb"(?P<name>ClusterId|LeaderId|LeaderEpoch|HighWatermark|MaxFollowerLag): +(?P<value>\S+)"
)
_QUORUM_ROW: Final = re.compile(
    rb"(?P<node>\d{1,9})\s+(?:[\w\-]{22}\s+)?(?P<leo>\d{1,18})\s+(?P<lag>-?\d{1,18})\s+(?P<fetched>-?\d{1,15})\s+"
    rb"(?P<caught>-?\d{1,15})\s+(?P<status>\w+)\s*"
)
_KNOWN: Final = re.compile(
    rb"^(?:[ \t]*Topic: ?\S+\s+Partition: ?\d+\s+Leader: "
    rb"|Topic: ?\S+\s+(?:TopicId: ?\S+\s+)?PartitionCount: ?\d"
    rb"|Successfully completed leader election \(|Valid replica already elected for partitions "
    rb"|LeaderEpoch: +\d+\r?$|NodeId\s+(?:DirectoryId\s+)?LogEndOffset\s|\{[^\n]{0,200}\"logDirs\")",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class ToolLine:
    """One statement: the tool, the line that makes it, and its values by name, without what is not said."""

    tool: str
    line: int
    text: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolText:
    """All statements of one file. `not_before_ns`: a time inside says that it was printed later than this."""

    lines: tuple[ToolLine, ...] = ()
    not_before_ns: int | None = None
    doubts: tuple[Message, ...] = field(default=())


def is_tool_text(probe: bytes) -> bool:
    """Whether the beginning of a file is what one of the tools prints."""
    return _KNOWN.search(probe) is not None


def read_tool_text(data: bytes) -> ToolText:
    """Every statement of a file, in its order. Never raises: what is none of theirs is passed over."""
    lines: list[ToolLine] = []
    doubts: list[Message] = []
    before = -1
    rows = data.split(b"\n")
    for number, raw in enumerate(rows[:_MOST_LINES], start=1):
        line = raw.rstrip(b"\r")
        for read in _READERS:
            try:
                found = list(read(line))
            except ValueError:
                doubts.append(message("report.tool.number", line=number))
                break
            lines += [ToolLine(tool, number, _shown(line), values) for tool, values in found]
            if found:
                break
        row = _QUORUM_ROW.fullmatch(line)
        if row is not None:
            before = max(before, int(row["fetched"]), int(row["caught"]))
    if len(rows) > _MOST_LINES:
        doubts.append(message("report.tool.long", count=Count(_MOST_LINES)))
    return ToolText(tuple(lines), before * MILLISECOND_NS if before > 0 else None, tuple(doubts))


def _shown(line: bytes) -> str:
    return line[:_MOST_TEXT].decode("utf-8", "replace")


Found = Iterator[tuple[str, dict[str, Any]]]


def _id(text: bytes) -> int:
    """The id of a broker. Raises ValueError for a number that none has."""
    if len(text) > len("-2147483648") or int(text) > _MOST_ID:
        raise ValueError("no broker has such an id")
    return int(text)


def _ids(text: bytes) -> list[int]:
    return [_id(one) for one in text.split(b",") if one]


def _partition(line: bytes) -> Found:
    match = _PARTITION.match(line)
    if match is None:
        return
    values: dict[str, Any] = {
        "topic": match["topic"].decode(),
        "partition": int(match["number"]),
        "leader": -1 if match["leader"] == b"none" else _id(match["leader"]),
        "replicas": _ids(match["replicas"]),
        "isr": _ids(match["isr"]),
    }
    more = match["more"]
    for name, pattern in _LISTS.items():
        found = pattern.search(more)
        if found is not None:
            values[name] = _ids(found[1])
    yield "kafka-topics --describe", values


def _topic(line: bytes) -> Found:
    match = _TOPIC.match(line)
    if match is None:
        return
    values: dict[str, Any] = {"topic": match["topic"].decode(), "partitions": int(match["count"])}
    if match["topic_id"]:
        values["topic_id"] = match["topic_id"].decode()
    configs = dict(
        one.split("=", 1) for one in match["configs"].decode("utf-8", "replace").split(",") if "=" in one
    )
    yield "kafka-topics --describe", values | ({"configs": configs} if configs else {})


def _log_dirs(line: bytes) -> Found:
    """One line of JSON: each replica in each directory of each broker, and directories that have failed."""
    if not line.startswith(b"{") or b'"logDirs"' not in line or len(line) > _MOST_JSON:
        return
    try:
        value: Any = json.loads(line)
    except json.JSONDecodeError:
        return
    except RecursionError as error:
        raise ValueError("objects lie too deep in each other") from error
    for broker in _objects(value, "brokers"):
        for directory in _objects(broker, "logDirs"):
            place = {"broker": _plain(broker.get("broker")), "directory": directory.get("logDir")}
            if directory.get("error") is not None:
                yield "kafka-log-dirs", place | {"error": str(directory["error"])}
            for one in _objects(directory, "partitions"):
                topic, dash, number = str(one.get("partition")).rpartition("-")
                if dash and number.isascii() and number.isdigit() and len(number) < 10:
                    said = {
                        "size": _plain(one.get("size")),
                        "offset_lag": _plain(one.get("offsetLag")),
                        "future": one.get("isFuture"),
                    }
                    yield "kafka-log-dirs", {"topic": topic, "partition": int(number), **place, **said}


def _plain(value: object) -> object:
    """A value. Raises ValueError for a number that does not fit into 64 bits."""
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise ValueError("no cluster has such a number")
    return value


def _objects(value: object, name: str) -> Sequence[Mapping[str, Any]]:
    """The objects of a list under a name; none where it is something else."""
    found = cast("Mapping[str, Any]", value).get(name) if isinstance(value, Mapping) else None
    if not isinstance(found, list):
        return ()
    return [cast("Mapping[str, Any]", one) for one in cast("list[Any]", found) if isinstance(one, Mapping)]


def _quorum(line: bytes) -> Found:
    match = _QUORUM.match(line)
    if match is not None:
        yield "kafka-metadata-quorum", {match["name"].decode(): match["value"].decode("utf-8", "replace")}
        return
    row = _QUORUM_ROW.fullmatch(line)
    if row is not None:
        values = {"node": int(row["node"]), "leo": int(row["leo"]), "lag": int(row["lag"])}
        yield "kafka-metadata-quorum", values | {"status": row["status"].decode()}


def _election(line: bytes) -> Found:
    match = _ELECTION.match(line)
    if match is None:
        return
    for one in match["list"].decode("utf-8", "replace").split(","):
        topic, dash, number = one.strip().rpartition("-")
        if dash and number.isascii() and number.isdigit() and len(number) < 10:
            how = match["how"].decode().lower() if match["how"] else None
            said = {"topic": topic, "partition": int(number), "election": how}
            yield "kafka-leader-election", {name: value for name, value in said.items() if value is not None}


_READERS: Final[tuple[Callable[[bytes], Found], ...]] = (_partition, _topic, _log_dirs, _quorum, _election)
