"""Columns of a trace, and what was found in it, as tables of the contract: names in place of numbers."""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import (
    Divergence,
    Finding,
    IsrSpan,
    Leadership,
    Loss,
    PartitionVerdict,
    Truncation,
)
from core.diagnose.verdict.summary import PartitionSummary
from core.history.state_rows import StateChange
from core.message import Message
from core.message_json import json_of
from core.trace.ids import NO_INDEX, UNSAID
from core.trace.trace import EMPTY, VALUES, Broker, Column, KeptLine, Partition, Source
from core.trace.vocabulary import KIND, KINDS, NAME, Basis, CutReason, Election, StopReason
from core.words import text
from importers.contract.columns import BASES, HOWS, TABLES, arrow_schema, arrow_type

if TYPE_CHECKING:
    import pyarrow as pa

OF_EVENTS: Final[Mapping[str, str]] = {
    "time": "at",
    "kind": "kind",
    "basis": "basis",
    "broker": "broker",
    "replica": "replica",
    "leader": "leader",
    "leader_epoch": "epoch",
    "partition_epoch": "partition_epoch",
    "log_end_offset": "leo",
    "high_watermark": "hw",
    "log_start_offset": "log_start",
    "from_offset": "from_offset",
    "to_offset": "offset",
    "isr": "isr",
    "aux": "aux",
    "stated_time": "stamp",
    "at_least": "at_least",
    "at_most": "at_most",
    "cause": "cause",
    "file": "source",
    "line": "line",
    "byte": "position",
    "seq": "seq",
}
"""Which column of a trace a column of `events` comes from; `seq` is none of them, and given beside them."""
_MORE: Final = {
    "topic": ("partition",),
    "partition": ("partition",),
    "ordinal": ("partition", "seq"),
    "how": ("kind", "aux"),
}
"""Columns that are made from others than their own."""
NAME_OF_VALUE: Final = {trace: name for name, trace in OF_EVENTS.items() if trace in VALUES and trace != name}
"""What a value column of a trace is called in the contract, where that differs."""
_HOW_OF: Final = {"Election": Election, "CutReason": CutReason, "StopReason": StopReason}


def columns_behind(names: Collection[str]) -> set[str]:
    """The columns of a trace (and `seq`) that these columns of `events` are made from."""
    return {behind for name in names for behind in _MORE.get(name, (OF_EVENTS.get(name, name),))}


class Names:
    """What the numbers in a trace's columns mean."""

    def __init__(
        self, partitions: Sequence[Partition], sources: Sequence[Source], isrs: Sequence[tuple[int, ...]]
    ) -> None:
        """Of the dictionaries of a trace."""
        import pyarrow as pa

        self.topics = pa.array([one.tp.topic for one in partitions], pa.string())
        self.numbers = pa.array([one.tp.partition for one in partitions], pa.int32())
        self.files = pa.array([one.path for one in sources], pa.string())
        self.isrs = pa.array([list(one) for one in isrs], pa.list_(pa.int32()))
        self.partitions = partitions


def event_table(columns: Mapping[str, Column], names: Names, wanted: Collection[str]) -> "pa.Table":
    """Some columns of `events`; `columns` has those of a trace that `columns_behind` says, and `seq`."""
    import pyarrow as pa

    made: dict[str, Any] = {}
    for name in (one.name for one in TABLES["events"] if one.name in wanted):
        made[name] = _EVENT_COLUMNS.get(name, _value)(name, columns, names)
    return pa.table(made)


def _value(name: str, columns: Mapping[str, Column], _names: Names) -> "pa.Array":
    import pyarrow as pa

    behind = OF_EVENTS[name]
    values = columns[behind]
    none = None if behind == "seq" or EMPTY[behind] == 0 else values == EMPTY[behind]
    kind = next(one.kind for one in TABLES["events"] if one.name == name)
    if kind == "time":
        return pa.array(values, pa.int64(), mask=none).cast(arrow_type(kind))
    return pa.array(values, mask=none).cast(arrow_type(kind))


def _words(numbers: Column, words: Any, none: Column | None = None) -> "pa.Array":  # noqa: ANN401 - of pyarrow
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(numbers.astype(np.int32), mask=none), words)


def _topic(_name: str, columns: Mapping[str, Column], names: Names) -> "pa.Array":
    at = columns["partition"]
    return _words(at, names.topics, at == NO_INDEX)


def _number(_name: str, columns: Mapping[str, Column], names: Names) -> "pa.Array":
    import pyarrow as pa

    at = columns["partition"]
    return names.numbers.take(pa.array(at, mask=at == NO_INDEX))


def _kind(_name: str, columns: Mapping[str, Column], _names: Names) -> "pa.Array":
    import pyarrow as pa

    return _words(columns["kind"], pa.array([NAME.get(one, "") for one in range(max(NAME) + 1)]))


def _basis(_name: str, columns: Mapping[str, Column], _names: Names) -> "pa.Array":
    import pyarrow as pa

    return _words(columns["basis"], pa.array(BASES))


def _isr(_name: str, columns: Mapping[str, Column], names: Names) -> "pa.Array":
    return _words(columns["isr"], names.isrs, columns["isr"] == NO_INDEX)


def _file(_name: str, columns: Mapping[str, Column], names: Names) -> "pa.Array":
    return _words(columns["source"], names.files, columns["source"] == NO_INDEX)


def _line(_name: str, columns: Mapping[str, Column], _names: Names) -> "pa.Array":
    import pyarrow as pa

    return pa.array(columns["line"].astype(np.int64), mask=columns["line"] == 0)


def _ordinal(_name: str, columns: Mapping[str, Column], _names: Names) -> "pa.Array":
    """The place of an event in its partition; rows may lie in any order."""
    import pyarrow as pa

    owner, seqs = columns["partition"], columns["seq"]
    order = np.lexsort((seqs, owner))
    sorted_owner = owner[order]
    begins = np.searchsorted(sorted_owner, sorted_owner, side="left")
    places = np.empty(len(owner), np.int64)
    places[order] = np.arange(len(owner)) - begins
    return pa.array(places, mask=owner == NO_INDEX)


def _how(_name: str, columns: Mapping[str, Column], _names: Names) -> "pa.Array":
    """The word for `aux`, of kinds of events where it is one."""
    import pyarrow as pa

    place = np.full(len(columns["kind"]), NO_INDEX, np.int32)
    for kind in KINDS:
        if kind.aux in _HOW_OF:
            mine = columns["kind"] == kind.number
            for word in _HOW_OF[kind.aux]:
                place[mine & (columns["aux"] == word.value)] = HOWS.index(word_of(word))
    return _words(place, pa.array(HOWS), place == NO_INDEX)


def word_of(one: Basis | Election | CutReason | StopReason) -> str:
    """A member of a list of words as it is told: local-high-watermark."""
    return one.name.lower().replace("_", "-")


def _sided(name: str, columns: Mapping[str, Column], _names: Names) -> "pa.Array":
    import pyarrow as pa

    bits, inverse = np.unique(columns[name], return_inverse=True)
    sets = [[NAME_OF_VALUE.get(one, one) for n, one in enumerate(VALUES) if bit >> n & 1] for bit in bits]
    words = pa.array(sets, pa.list_(pa.string()))
    return _words(inverse, words, columns[name] == 0)


_EVENT_COLUMNS: Final[Mapping[str, Callable[[str, Mapping[str, Column], Names], Any]]] = {
    "topic": _topic,
    "partition": _number,
    "kind": _kind,
    "basis": _basis,
    "isr": _isr,
    "file": _file,
    "line": _line,
    "ordinal": _ordinal,
    "how": _how,
    "at_least": _sided,
    "at_most": _sided,
}


def table_of(name: str, rows: Iterable[Mapping[str, Any]]) -> "pa.Table":
    """Rows as a table of the contract, with every column; what a row does not name is null."""
    import pyarrow as pa

    return pa.Table.from_pylist(list(rows), schema=arrow_schema(name))


def partition_rows(partitions: Iterable[Partition]) -> Iterable[dict[str, Any]]:
    """Rows of `partitions`."""
    for one in partitions:
        yield {**_whose(one), "incarnation": one.tp.incarnation or None, "replicas": list(one.replicas)}


def broker_rows(brokers: Iterable[Broker]) -> Iterable[dict[str, Any]]:
    """Rows of `brokers`."""
    for one in brokers:
        yield {"broker": one.broker_id, "name": one.name or None, "version": one.version or None}


def file_rows(sources: Iterable[Source]) -> Iterable[dict[str, Any]]:
    """Rows of `files`."""
    for one in sources:
        yield {
            "file": one.path,
            "sha256": one.sha256 or None,
            "bytes": one.size,
            "broker": None if one.broker == NO_INDEX else one.broker,
            "zone": one.zone,
            "zone_basis": one.zone_basis or None,
        }


def line_table(lines: Sequence[KeptLine], names: Names) -> "pa.Table":
    """`lines` of what a trace keeps as evidence."""
    import pyarrow as pa

    return pa.table(
        {
            "host": pa.nulls(len(lines), pa.string()),
            "path": _words(np.array([one.source for one in lines], np.int32), names.files).cast(pa.string()),
            "line": pa.array([one.line for one in lines], pa.int64()),
            "byte": pa.array([one.byte for one in lines], pa.int64()),
            "message": pa.array([one.text for one in lines], pa.string()),
        },
        schema=arrow_schema("lines"),
    )


def _whose(partition: Partition) -> dict[str, Any]:
    return {"topic": partition.tp.topic, "partition": partition.tp.partition}


def _basis_word(basis: int) -> str:
    return BASES[basis]


def _message(one: Message | None) -> dict[str, Any]:
    return {"text": None, "message": None} if one is None else {"text": text(one), "message": json_of(one)}


def summary_rows(summaries: Iterable[PartitionSummary], names: Names) -> Iterable[dict[str, Any]]:
    """Rows of `summaries`, in their order."""
    for one in summaries:
        check = None if one.check is None else CHECK[one.check]
        yield {
            **_whose(names.partitions[one.partition]),
            "check": one.check,
            "severity": None if check is None else check.severity.value,
            "rank": None if check is None else check.rank,
            "time": one.at,
            **_message(one.reason),
            "records_lost": one.records_lost,
            "records_possibly_lost": one.records_possible,
            "records_uncommitted": one.records_uncommitted,
            "cuts": one.truncations,
            "cuts_below_high_watermark": one.cuts_below_hw,
            "high_watermark_falls": one.high_watermark_falls,
            "log_end_falls": one.log_end_falls,
            "elections": one.elections,
            "unclean_elections": one.unclean_elections,
            "isr_changes": one.isr_changes,
            "under_replicated_ns": one.under_replicated_ns,
            "under_min_isr_ns": one.under_min_isr_ns,
            "leaderless_ns": one.leaderless_ns,
            "gaps": one.gaps,
            "seen": one.seen,
            "at_least": [name for name, open_ended in _open_counts(one) if open_ended] or None,
        }


def _open_counts(one: PartitionSummary) -> tuple[tuple[str, bool], ...]:
    """The columns that count lost records, and of each whether more may have gone."""
    return (
        ("records_lost", one.lost_at_least),
        ("records_possibly_lost", one.possible_at_least),
        ("records_uncommitted", one.uncommitted_at_least),
    )


def finding_rows(findings: Iterable[Finding], names: Names) -> Iterable[dict[str, Any]]:
    """Rows of `findings`, worst first as they come."""
    for one in findings:
        yield {
            "check": one.check,
            "severity": one.severity.value,
            "rank": CHECK[one.check].rank,
            **({} if one.partition is None else _whose(names.partitions[one.partition])),
            "brokers": list(one.brokers),
            "time": one.start,
            "until": one.end,
            "seq": one.seq,
            **_message(one.message),
            "evidence": list(one.evidence),
        }


def _loss(one: Loss) -> dict[str, Any]:
    return {
        "first_offset": one.first_offset,
        "end_offset": one.end_offset,
        "records": one.end_offset - one.first_offset,
        "leader_epoch": one.epoch,
        "class": one.loss_class.value,
        "severity": one.severity.value,
        "cause": one.cause,
        "time": one.at,
        "commit": one.commit.value,
        "acknowledgement": one.acknowledgement.value,
        "removed_from": list(one.removed_from),
        "survives_on": list(one.survives_on),
        "may_be_held_by": list(one.may_hold),
        "seq": one.seq,
        **_message(one.message),
        "evidence": list(one.evidence),
        "at_least": ["end_offset", "records"] if one.at_least else None,
    }


def _cut(one: Truncation) -> dict[str, Any]:
    return {
        "time": one.at,
        "broker": one.broker,
        "from_offset": one.from_offset,
        "to_offset": one.to_offset,
        "records": one.records,
        "rule": one.rule,
        "below_high_watermark": one.below_high_watermark,
        "basis": _basis_word(one.basis),
        "seq": one.seq,
        "evidence": list(one.evidence),
    }


def _leadership(one: Leadership) -> dict[str, Any]:
    return {
        "time": one.start,
        "until": one.end,
        "leader": one.leader,
        "leader_epoch": one.epoch,
        "start_offset": one.start_offset,
        "election": one.election,
        "basis": _basis_word(one.basis),
        "evidence": list(one.evidence),
    }


def _isr_span(one: IsrSpan) -> dict[str, Any]:
    return {
        "time": one.start,
        "until": one.end,
        "isr": list(one.isr),
        "basis": _basis_word(one.basis),
        "evidence": list(one.evidence),
    }


def _divergence(one: Divergence) -> dict[str, Any]:
    return {
        "brokers": list(one.brokers),
        "first_offset": one.first_offset,
        "end_offset": one.end_offset,
        "basis": _basis_word(one.basis),
        "evidence": list(one.evidence),
    }


VERDICTS: Final[Mapping[str, tuple[str, type, Callable[[Any], dict[str, Any]]]]] = {
    "losses": ("losses", Loss, _loss),
    "cuts": ("truncations", Truncation, _cut),
    "leaders": ("leadership", Leadership, _leadership),
    "isrs": ("isr", IsrSpan, _isr_span),
    "divergences": ("divergences", Divergence, _divergence),
}
"""A table of what was found in partitions: the field of a verdict, what is in it, and how that is told."""


def verdict_table(name: str, verdicts: Iterable[PartitionVerdict], names: Names) -> "pa.Table":
    """One of VERDICTS, of whole verdicts."""
    field, _kind_of, _told = VERDICTS[name]
    pairs = ((verdict.partition, one) for verdict in verdicts for one in getattr(verdict, field))
    return found_table(name, pairs, names)


def found_table(name: str, found: Iterable[tuple[int, Any]], names: Names) -> "pa.Table":
    """One of VERDICTS: what was found, each with the index of its partition."""
    told = VERDICTS[name][2]
    return table_of(name, ({**_whose(names.partitions[index]), **told(one)} for index, one in found))


def state_table(found: Iterable[tuple[int, StateChange]], names: Names) -> "pa.Table":
    """`states`: each change with the index of its partition, those of one replica in order, side by side.

    A row holds until the next one of its replica.
    """
    rows: list[dict[str, Any]] = []
    before: tuple[int, int] | None = None
    for index, one in found:
        if before == (index, one.broker):
            rows[-1]["until"] = one.at
        before = (index, one.broker)
        rows.append(
            {
                **_whose(names.partitions[index]),
                "time": one.at,
                "cursor": one.cursor,
                "broker": one.broker,
                "role": one.role.value,
                "alive": one.alive,
                "in_isr": one.in_isr,
                "leader_epoch": one.epoch,
                "log_end_lo": one.leo_lo,
                "log_end_hi": one.leo_hi,
                "log_end_basis": _basis_word(one.leo_basis),
                "high_watermark_lo": one.hw_lo,
                "high_watermark_hi": one.hw_hi,
                "high_watermark_basis": _basis_word(one.hw_basis),
            }
        )
    return table_of("states", rows)


def how_values(columns: Mapping[str, Column], hows: Sequence[str | None]) -> Column:
    """`aux` with the number of the word `how` where a row has that word and no number."""
    values = columns["aux"].copy()
    for row, how in enumerate(hows):
        if how is not None and values[row] == UNSAID:
            words = _HOW_OF[KIND[NAME[int(columns["kind"][row])]].aux]
            values[row] = next(one.value for one in words if word_of(one) == how)
    return values


def hows_of(kind: str | None) -> tuple[str, ...]:
    """The words that `how` of an event of this kind may be."""
    aux = KIND[kind].aux if kind in KIND else ""
    return tuple(word_of(one) for one in _HOW_OF[aux]) if aux in _HOW_OF else ()


def plain(column: Any, kind: Any) -> "pa.Array":  # noqa: ANN401 - of pyarrow
    """A column in this type, without a dictionary."""
    import pyarrow as pa

    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(whole, pa.ChunkedArray):
        whole = pa.concat_arrays(whole.chunks) if whole.num_chunks else pa.array([], whole.type)
    if pa.types.is_dictionary(whole.type):
        whole = whole.dictionary.take(whole.indices)
    return whole.cast(kind)
