"""Partitions of which nothing that bears on their verdict has changed: what was found of them stands.

A verdict rests on the rows of its partition, on those of the brokers that hold it, and on a few facts of the
whole trace. Of these, times up to which logs go and the trace's own end move with every new line. They bear
on a verdict only by how they compare with the times of its own rows: one end behind the last of them is like
any later one. So a key has them cut there.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pyarrow import dataset

from core.assumptions import JUST_SAID_SHOWN_FOR, STATED_VALUE_SHOWN_FOR
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.gaps_by_files import log_ends
from core.history.state_rows import StateChange
from core.history.witnesses import METADATA_UNTIL, log_until
from core.trace.ids import NO_INDEX
from core.trace.settings import OVER_TIME
from core.trace.trace import DTYPES, KeptLine, Partition, Trace
from importers.kafka.topic_settings import TOPIC_SETTINGS
from importers.prepared.arrow_rows import from_table
from spark.store import code_digest

SETTLED: Final = "_settled"
"""Where a data set keeps verdicts for the next run."""
_SHOWN_FOR: Final = max(JUST_SAID_SHOWN_FOR.ns, STATED_VALUE_SHOWN_FOR.ns)
"""A last row is looked at beside the next event of the trace for so long, and no longer."""
_OF_BROKER: Final = re.compile(r"(clock|config|log|version)\.broker-(\d+)(?:\.(.+))?")
"""Facts of a broker. Those of clocks are for people: times are corrected already."""
_FIRST: Final = "unclean.leader.election.enable"
_OF_TOPIC: Final = re.compile(
    rf"config\.topic-(.+)\.((?:{'|'.join(map(re.escape, TOPIC_SETTINGS))})(?:{re.escape(OVER_TIME)})?)"
)


@dataclass(frozen=True, slots=True)
class Local:
    """A verdict and the states of a partition, in Seqs and cursors of a trace of its own rows alone."""

    verdict: PartitionVerdict
    states: tuple[StateChange, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What was found of a partition, and the key of what it rests on; "": it may not be used again."""

    name: str
    key: str
    found: Local


@dataclass(frozen=True, slots=True)
class Common:
    """What keys of a trace are made of, read once."""

    digest: bytes
    brokers: Mapping[int, bytes]
    topics: Mapping[str, bytes]
    untils: Mapping[str, int]
    words: Mapping[str, NDArray[np.int64]]


def common_of(trace: Trace) -> Common:
    """What keys of a trace are made of, by its facts and dictionaries.

    A broker's and a topic's own facts count for the partitions that have to do with them. Of what brokers set
    for topics it counts what any of them says, as rules ask whether all agree, and what is said first of
    unclean elections.
    """
    brokers: dict[int, list[object]] = {int(one.broker_id): [one] for one in trace.brokers}
    topics: dict[str, list[object]] = {}
    still: set[tuple[str, str]] = set()
    untils: dict[str, int] = {}
    for name, value in trace.facts.items():
        if (match := _OF_BROKER.fullmatch(name)) is not None:
            of, broker, setting = match[1], int(match[2]), match[3] or ""
            if name in _until(broker):
                untils[name] = int(value)
            elif of in ("config", "log", "version"):
                brokers.setdefault(broker, []).append((of, setting, value))
            if setting.removesuffix(OVER_TIME) in TOPIC_SETTINGS:
                still.add((setting, value))
        elif (match := _OF_TOPIC.fullmatch(name)) is not None:
            topics.setdefault(match[1], []).append((match[2], value))
        else:
            still.add((name, value))
    if METADATA_UNTIL in trace.facts:
        untils[METADATA_UNTIL] = int(trace.facts[METADATA_UNTIL])
        still.discard((METADATA_UNTIL, trace.facts[METADATA_UNTIL]))
    first = next((value for name, value in trace.facts.items() if name.endswith(_FIRST)), None)
    told = (sorted(still), first, trace.records, trace.origin)
    places = [(one.path, one.broker, one.zone, one.zone_basis) for one in trace.sources]
    return Common(
        code_digest() + hashlib.sha256(repr(told).encode()).digest(),
        {broker: repr(facts).encode() for broker, facts in brokers.items()},
        {topic: repr(facts).encode() for topic, facts in topics.items()},
        untils,
        {"isr": _numbers(trace.isrs), "source": _numbers(places)},
    )


def _until(broker: int) -> tuple[str, str]:
    """The names of the facts with the times up to which a broker's logs, and its server.log, go."""
    return log_until(broker), log_ends(broker, "server")


def _numbers(values: Sequence[object]) -> NDArray[np.int64]:
    """A number for each value that is the same wherever the value stands; the last one is for none."""
    digests = [hashlib.sha256(repr(one).encode()).digest()[:8] for one in values]
    return np.append(np.frombuffer(b"".join(digests), np.int64), NO_INDEX)


def key_of(common: Common, alone: Trace, partition: int, rows: int, lines: Sequence[KeptLine]) -> str:
    """The key of a partition: equal keys have equal verdicts in Seqs of their own.

    `alone` has the first `rows` of its events from the partition's view, and then at most the last event of
    the whole trace. `lines` are raw lines that findings may read.
    """
    columns = {name: alone.columns[name][:rows] for name in DTYPES}
    digest = hashlib.sha256(common.digest)
    for name, column in columns.items():
        own = column == partition if name == "partition" else column
        if name in common.words:
            own = common.words[name][column]
        digest.update(np.ascontiguousarray(own).data)
    source, line = columns["source"], columns["line"]
    told = [
        (int(common.words["source"][one.source]), one.line, one.byte, one.text)
        for one in lines
        if np.any((source == one.source) & (line == one.line))
    ]
    one = alone.partitions[partition]
    brokers = _brokers(columns, alone, one)
    names = (METADATA_UNTIL, *(name for broker in brokers for name in _until(broker)))
    untils = [common.untils.get(name) for name in names]
    ends = _ends(untils, columns, int(alone.columns["at"][-1]) if rows < len(alone) else None)
    for broker in brokers:
        digest.update(common.brokers.get(broker, b"") + b"\n")
    digest.update(common.topics.get(one.tp.topic, b"") + repr((one, rows, told, ends)).encode())
    return digest.hexdigest()


def _brokers(columns: Mapping[str, NDArray[Any]], alone: Trace, partition: Partition) -> list[int]:
    """All brokers that a partition has to do with."""
    members = [member for isr in np.unique(columns["isr"]) if isr >= 0 for member in alone.isrs[isr]]
    named = np.concatenate([columns[name].astype(np.int64) for name in ("broker", "replica", "leader")])
    return sorted({*map(int, partition.replicas), *map(int, members), *np.unique(named).tolist()})


def _ends(
    untils: Sequence[int | None], columns: Mapping[str, NDArray[Any]], last: int | None
) -> tuple[object, ...]:
    """How far logs and the trace go, cut where it makes no difference. `last`: of an event of others."""
    if not len(columns["at"]):
        return (untils, last)
    end = int(columns["at"][-1])
    if last is not None and int(columns["stamp"].max()) <= end:
        last = min(last - end, _SHOWN_FOR + 1)
    return ([None if until is None else min(until, end) for until in untils], last)


def of_partition(found: PartitionVerdict, partition: int) -> PartitionVerdict:
    """A verdict with another number of its partition: numbers change where a dictionary grows."""
    own = tuple(replace(one, partition=partition) for one in found.findings)
    return replace(found, partition=partition, findings=own)


def settled_before(before: str, names: Sequence[str]) -> Mapping[str, Local]:
    """What a data set knows of some partitions, by key; nothing where it keeps no verdicts."""
    files = sorted(str(file) for file in Path(before, SETTLED).glob("*.parquet"))
    if not files:
        return {}
    name = dataset.field("name")
    own = (name >= min(names)) & (name <= max(names)) & (dataset.field("key") != "")
    table = dataset.dataset(files, format="parquet").to_table(filter=own)
    return {one.key: one.found for one in from_table(Settled, table)}
