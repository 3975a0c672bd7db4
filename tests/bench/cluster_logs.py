"""Logs of a hundred brokers, made of recordings: `python -m tests.bench.cluster_logs FOLDER --megabytes 500`.

A recording's three brokers become three of the hundred, its topics get other names, its times are moved. A
record that names a topic is written once for every topic that stands in for it, as a broker with many
partitions writes it; other records are written once. Brokers never serve two recordings, so what a recording
proves of its partitions stays true of theirs. What was planted is in `planted.json` beside the logs.
"""

import argparse
import base64
import hashlib
import json
import random
import re
import sys
import tarfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

RECORDINGS: Final = Path(__file__).parents[1] / "recordings"
HEALTHY: Final = (
    "k28-rolling-restart",
    "k0102-rolling-restart",
    "k39-rolling-restart",
    "k28-isr-flap",
    "k39-isr-flap",
)
INCIDENTS: Final = (
    "k28-ibp0102-hw-loss",
    "k0102-hw-loss",
    "k28-unclean-loss",
    "k39-unclean-loss",
    "k111-kip279-divergence",
)
"""Recordings with lost records whose logs alone show that something may be lost."""
BROKERS: Final = 100
LOGS: Final = ("server.log", "state-change.log", "controller.log")
_FIRST_CONTROLLER: Final = 1001
_BEGIN: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
_SPREAD_S: Final = 1800

_STAMP: Final = re.compile(rb"^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3})\]", re.MULTILINE)
_ID: Final = rb"(?:10[0-3]|[1-3])(?!\d|\.\d|ms\b)"
_IDS: Final = _ID + rb"(?:, ?" + _ID + rb")*"
_ONE: Final = (
    rb"((?:\b(?:Broker|Controller|Node|Leader|Replica|Follower|Server|Manager|Coordinator|KafkaApi|Reaper)|"
    rb"\b(?:for|user|\w*[bB]roker|\w*[cC]ontroller|node|leader|replica|follower|\w*[iI]d|[lL]eader is|"
    rb"candidate|voter|[cC]allback for|leader Some|Select))(?:[=:] ?|[ (/\-])|FetcherThread-\d+-|"
    rb"BrokerEndPoint\((?:id=)?|"
    rb"/brokers/ids/|\b(?:broker|node)\.id = |\"leader\":|\"brokerid\":|leader: -1 -> )("
    + _ID
    + rb")( -> "
    + _ID
    + rb")?"
)
"""Where logs of Kafka say one id of a broker."""
_NO_ID: Final = re.compile(
    rb"(?:correlation|session|topic|producer|transactional)[ _]?id(?:[=:] ?|[ (])$", re.IGNORECASE
)
_MANY: Final = (
    rb"((?:(?<![\w.])(?:ISR|isr|Isr|AR|RR|brokers|[rR]eplicas|AllReplicas|children|\w+Replicas|elr|lastKnownElr)|"
    rb"Buffer|Set|List|Seq|Vector|\bISR for partition \S+(?: updated to| from))"
    rb"(?: updated to| from|:|=| |\":)*[ :=]*[\[({]*)"
    rb"(" + _IDS + rb")(\]? (?:to|->) \[?" + _IDS + rb")?"
)
"""Where they say several."""
_ANY: Final = re.compile(_MANY + b"|" + _ONE)
_NUMBER: Final = re.compile(rb"\d+")
_TOPIC_ID: Final = re.compile(
    rb"(?:topic id (?:Some\()?|topicIds?[= {]+(?:\w+=)?|topic ID )([\w\-]{22})(?![\w\-])"
)
_CLUSTER_ID: Final = re.compile(rb"(Cluster ID = |clusterId[ =']+)[\w\-]{22}(?![\w\-])")


@dataclass(frozen=True, slots=True)
class Recording:
    """The logs of a recording: node -> log -> text; its partitions; which of them lost records."""

    name: str
    nodes: dict[int, dict[str, bytes]]
    topics: tuple[bytes, ...]
    partitions: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Planted:
    """One recording among the hundred brokers: where, as which topics, and what it lost."""

    recording: str
    brokers: tuple[int, ...]
    moved_s: int
    partitions: tuple[str, ...]
    lost: tuple[str, ...]


@cache
def recording(name: str) -> Recording:
    """A recording, read from its archive."""
    nodes: dict[int, dict[str, bytes]] = {}
    truth: dict[str, Any] = {}
    with tarfile.open(RECORDINGS / f"{name}.tar.xz") as archive:
        texts: dict[tuple[int, str], list[tuple[str, bytes]]] = {}
        for member in archive:
            found = re.fullmatch(
                r"[^/]+/(?:broker|controller)-(\d+)/logs/(\w[\w-]*\.log)([.\d-]*)", member.name
            )
            stream = archive.extractfile(member) if member.isfile() else None
            if stream is None:
                continue
            if member.name.endswith("/truth.json"):
                truth = json.loads(stream.read())
            elif found is not None and found[2] in LOGS and member.size:
                texts.setdefault((int(found[1]), found[2]), []).append((found[3] or "~", stream.read()))
    for (node, log), parts in sorted(texts.items()):
        # A log that was rolled is older than the one without a date.
        nodes.setdefault(node, {})[log] = b"".join(text for _, text in sorted(parts))
    partitions = tuple(f"{t['name']}-{n}" for t in truth["topics"] for n in range(t["partitions"]))
    lost = tuple(name for name in partitions if name in truth["lost"])
    topics = tuple(topic["name"].encode() for topic in truth["topics"])
    return Recording(name, nodes, (*topics, b"__consumer_offsets"), partitions, lost)


def make_logs(
    folder: Path, size: int, partitions: int, seed: int = 1, incidents: int = 1
) -> tuple[Planted, ...]:
    """Write the logs of a hundred brokers into `folder`, about `size` bytes and `partitions` partitions.

    Every incident is planted `incidents` times. The same arguments give the same bytes. Gives what
    `planted.json` says.
    """
    dice = random.Random(seed)  # noqa: S311 - not a secret
    names = [name for name in INCIDENTS for _ in range(incidents)]
    free = BROKERS // 3 - len(names)
    names += [HEALTHY[number % len(HEALTHY)] for number in range(free)]
    share = _share(names, size, partitions)
    dice.shuffle(names)
    planted: list[Planted] = []
    controller = _FIRST_CONTROLLER
    for number, name in enumerate(names):
        source = recording(name)
        ids: dict[int, int] = {}
        for node in sorted(source.nodes):
            if node < 100:
                ids[node] = 3 * number + node
            else:
                ids[node], controller = controller, controller + 1
        copies = 1 if name in INCIDENTS else share
        planted.append(plant(folder, source, number, ids, copies, dice.randrange(_SPREAD_S)))
    _plant_quiet(folder)
    text = json.dumps([asdict(one) for one in planted], indent=1)
    (folder / "planted.json").write_text(text, "utf-8")
    return tuple(planted)


def _share(names: Sequence[str], size: int, partitions: int) -> int:
    """How many topics stand in for each of a healthy recording: enough partitions, or else enough bytes."""
    healthy = [recording(name) for name in names if name in HEALTHY]
    each = sum(len(one.partitions) for one in healthy)
    by_count = -(-partitions // each)
    return (
        by_count
        if not size
        else max(1, min(by_count, round(size / sum(_bytes_a_topic(one.name) for one in healthy))))
    )


@cache
def _bytes_a_topic(name: str) -> int:
    """Bytes of a recording that name its topics: what each topic that stands in for them adds."""
    source = recording(name)
    named = _namer(source)
    return sum(
        len(one)
        for logs in source.nodes.values()
        for text in logs.values()
        for one in records(text)
        if named.search(one)
    )


def records(text: bytes) -> Iterator[bytes]:
    """The records of a log: from one stamp to the next."""
    starts = [match.start() for match in _STAMP.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[start:end]


def _namer(source: Recording) -> re.Pattern[bytes]:
    """Finds the topics of a recording where a log names them, and their ids."""
    topics = b"|".join(re.escape(topic) for topic in source.topics)
    ids = {
        found for logs in source.nodes.values() for text in logs.values() for found in _TOPIC_ID.findall(text)
    }
    known = b"".join(b"|" + re.escape(one) for one in sorted(ids))
    return re.compile(
        rb"(?<![\w.])(?:(?<=[Tt]opic[= ])|(?<=Set\()|(?<=topics/)|(?<=topicName=')|(?<='))?(?:(?:"
        + topics
        + rb")(?=-\d|,\d+\]|'| with config|, partition|,[Pp]artition|\)|=|/partitions)"
        + known
        + rb")"
    )


def plant(
    folder: Path, source: Recording, number: int, ids: dict[int, int], copies: int, moved_s: int
) -> Planted:
    """Write one recording as the brokers `ids`; each of its topics `copies` times."""
    named = _namer(source)
    first = min(text[1:24] for logs in source.nodes.values() for text in logs.values())
    shift = (
        _BEGIN
        + timedelta(seconds=moved_s)
        - datetime.strptime(first.decode(), "%Y-%m-%d %H:%M:%S,%f").replace(tzinfo=UTC)
    )
    change = _changer(ids, shift, number)
    suffixes = [b"_%02d_%04d" % (number, copy) for copy in range(copies)]
    for node, logs in source.nodes.items():
        place = folder / f"{'broker' if node < 100 else 'controller'}-{ids[node]}" / "logs"
        place.mkdir(parents=True, exist_ok=True)
        for log, text in logs.items():
            with (place / log).open("wb") as out:
                for record in records(text):
                    out.writelines(_written(change(record), named, suffixes))

    def all_of(names: Sequence[str]) -> tuple[str, ...]:
        pairs = [name.rsplit("-", 1) for name in names]
        return tuple(f"{topic}{suffix.decode()}-{one}" for suffix in suffixes for topic, one in pairs)

    brokers = tuple(ids[node] for node in sorted(ids))
    return Planted(source.name, brokers, moved_s, all_of(source.partitions), all_of(source.lost))


def _written(record: bytes, named: re.Pattern[bytes], suffixes: Sequence[bytes]) -> list[bytes]:
    """A record as often as topics stand in for those that it names; once where it names none."""
    pieces: list[bytes] = []
    at = 0
    for match in named.finditer(record):
        pieces += [record[at : match.start()], match[0]]
        at = match.end()
    if not pieces:
        return [record]
    rest = record[at:]
    return [
        b"".join(
            [
                *(piece if place % 2 == 0 else _renamed(piece, suffix) for place, piece in enumerate(pieces)),
                rest,
            ]
        )
        for suffix in suffixes
    ]


@cache
def _renamed(name: bytes, suffix: bytes) -> bytes:
    """A topic with a suffix; an id of a topic becomes another one."""
    if re.fullmatch(rb"[\w\-]{22}", name) is None:
        return name + suffix
    return base64.urlsafe_b64encode(hashlib.sha256(name + suffix).digest())[:21] + b"A"


def _changer(ids: dict[int, int], shift: timedelta, number: int) -> Callable[[bytes], bytes]:
    """Gives a record the ids, the time and the host of the brokers that it is written for."""
    host = b"10.1.%d.1" % number

    def many(text: bytes) -> bytes:
        return _NUMBER.sub(lambda match: b"%d" % ids.get(int(match[0]), int(match[0])), text)

    def renumbered(match: re.Match[bytes]) -> bytes:
        groups = match.groups()
        before, some, more = (one or b"" for one in (groups[:3] if groups[0] else groups[3:]))
        return match[0] if _NO_ID.search(before) else before + many(some) + many(more)

    @cache
    def moved(stamp: bytes) -> bytes:
        at = datetime.strptime(stamp.decode(), "%Y-%m-%d %H:%M:%S,%f").replace(tzinfo=UTC) + shift
        return b"[%s]" % at.strftime("%Y-%m-%d %H:%M:%S,%f")[:-3].encode()

    def change(record: bytes) -> bytes:
        stamp, rest = record[:25], record[25:]
        rest = _ANY.sub(renumbered, rest)
        rest = _CLUSTER_ID.sub(rb"\1ScaleClusterOfHundred0", rest).replace(b"127.0.0.1", host)
        return moved(stamp[1:24]) + rest

    return change


def _plant_quiet(folder: Path) -> None:
    """The hundredth broker, which hosts nothing: what a recording's broker says of itself."""
    source = recording(HEALTHY[0])
    named = _namer(source)
    place = folder / f"broker-{BROKERS}" / "logs"
    place.mkdir(parents=True, exist_ok=True)
    text = source.nodes[1]["server.log"]
    first = datetime.strptime(text[1:24].decode(), "%Y-%m-%d %H:%M:%S,%f").replace(tzinfo=UTC)
    change = _changer({1: BROKERS}, _BEGIN - first, BROKERS)
    quiet = [change(record) for record in records(text) if named.search(record) is None]
    (place / "server.log").write_bytes(b"".join(quiet))


def main() -> int:
    """Write the logs and say how many bytes they are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--megabytes", type=int, default=500)
    parser.add_argument("--partitions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    planted = make_logs(chosen.folder, chosen.megabytes * 1_000_000, chosen.partitions, chosen.seed)
    size = sum(file.stat().st_size for file in chosen.folder.rglob("*.log"))
    count = sum(len(one.partitions) for one in planted)
    sys.stdout.write(f"{size / 1e6:.0f} MB, {count:,} partitions\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
