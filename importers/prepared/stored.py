"""What a data set has found and counted, as it stands there: nothing is judged again, few events are read.

A verdict points to events: to those that prove it. They are read, with the ends of what each broker's files
cover, and make a trace of their own, in which the verdict's Seqs are theirs.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from core.diagnose.verdict.facts import (
    Divergence,
    FinalReplica,
    Finding,
    IsrSpan,
    Leadership,
    Loss,
    PartitionVerdict,
    Truncation,
    Verdict,
    XRay,
)
from core.diagnose.verdict.renumber import renumbered, seqs_in
from core.errors import QuestionError
from core.message import message
from core.trace.builder import freeze
from core.trace.ids import NO_INDEX
from core.trace.trace import Column, KeptLine, Origin, Partition, Trace
from core.trace.vocabulary import NUMBER
from core.work import QUIET, Work
from importers.prepared.data_set import (
    EDGES,
    SPAN,
    WITH_MESSAGES,
    dictionaries_of,
    has_triage,
    numbers_of,
    read_manifest,
)
from importers.prepared.some import batches_of, columns_of_seqs, lines_of_places, partition_counts
from importers.prepared.triage import findings_of, read_owned

_TABLES: Final[Mapping[str, tuple[str, type]]] = {
    "losses": ("losses", Loss),
    "leadership": ("leadership", Leadership),
    "isr": ("isr_spans", IsrSpan),
    "truncations": ("truncations", Truncation),
    "divergences": ("divergences", Divergence),
    "final": ("final", FinalReplica),
    "x_rays": ("x_rays", XRay),
}
"""Fields of a partition's verdict, and the tables that they are stored in."""
_SILENT: Final = ("isr", "x_rays")
"""Those whose evidence no surface of `check` names; of leadership it is named where records were lost."""


@dataclass(frozen=True, slots=True)
class Described:
    """A data set as its manifest and small tables have it. `span` is None where it has no event."""

    name: str
    digest: str
    events: int
    span: tuple[int, int] | None
    counts: Sequence[int]
    """Events of each partition."""
    dictionaries: Mapping[str, Any]
    report: Mapping[str, Any]


def has_stored(place: str | Path) -> bool:
    """Whether this is a data set that has verdicts as this version reads them. Raises SourceError."""
    return has_triage(place) and read_manifest(place)["schema"] >= WITH_MESSAGES


def describe(place: str | Path) -> Described:
    """What `info` says of a data set. Raises SourceError."""
    manifest = read_manifest(place)
    dictionaries = dictionaries_of(place)
    counts = partition_counts(place, len(dictionaries["partitions"]))
    span: Sequence[int] = manifest[SPAN] if SPAN in manifest else _scanned_span(place)
    return Described(
        manifest["name"],
        manifest["digest"],
        manifest["counts"]["events"],
        (span[0], span[1]) if span else None,
        counts,
        dictionaries,
        manifest["report"],
    )


def stored_verdict(
    place: str | Path, partition: str | None = None, work: Work = QUIET
) -> tuple[Trace, Verdict]:
    """The verdict on a data set, or on one of its partitions by name, and the trace that its Seqs are of.

    That trace has the events which the verdict names, and what the account of an incident needs to say how
    much the evidence covers; dictionaries and report are those of the whole set. Raises SourceError for a
    data set that is damaged, QuestionError for a partition that is not there.
    """
    manifest, dictionaries = read_manifest(place), dictionaries_of(place)
    wanted = None if partition is None else _named(dictionaries["partitions"], partition)
    work.step(0, 3, message("progress.dictionaries"))
    verdict = _verdict(place, dictionaries["partitions"], wanted)
    work.step(1, 3, message("progress.reading-events"))
    named = seqs_in((verdict.findings, verdict.partitions))
    edges: Sequence[int] | None = manifest.get(EDGES)
    seqs = np.union1d(np.fromiter(named, np.int64), _scanned_edges(place) if edges is None else edges)
    columns = columns_of_seqs(place, seqs.astype(np.int64))
    work.step(2, 3, message("progress.reading-lines"))
    told = np.isin(seqs, np.fromiter(seqs_in((verdict.findings, _shown(verdict))), np.int64))
    lines = lines_of_places(place, columns["source"][told], columns["line"][told])
    trace = _traced(manifest, columns, dictionaries, lines)
    place_of = {int(seq): number for number, seq in enumerate(seqs)}
    return trace, _in_trace(verdict, place_of)


def _traced(
    manifest: Mapping[str, Any],
    columns: Mapping[str, Any],
    dictionaries: Mapping[str, Any],
    lines: tuple[KeptLine, ...],
) -> Trace:
    return freeze(
        manifest["name"],
        Origin.PREPARED,
        columns,
        **dictionaries,
        lines=lines,
        report=MappingProxyType(manifest["report"]),
    )


def _named(partitions: Sequence[Partition], name: str) -> tuple[int, ...]:
    """The partition of that name; of two topics of one name that of the later one. Raises QuestionError."""
    found = [one.tp for one in partitions if str(one.tp) == name]
    if not found:
        raise QuestionError(message("error.data-set.partition", name=name))
    return tuple(index for index, one in enumerate(partitions) if one.tp == found[-1])


def _verdict(place: str | Path, partitions: Sequence[Partition], wanted: Sequence[int] | None) -> Verdict:
    findings = findings_of(place, wanted)
    indexes = range(len(partitions)) if wanted is None else wanted
    found: dict[int, dict[str, list[Any]]] = {index: {} for index in indexes}
    for field, (table, kind) in _TABLES.items():
        for index, one in read_owned(place, table, kind, wanted):
            found[index].setdefault(field, []).append(one)
    for index, tables in found.items():
        _in_order(tables, partitions[index].replicas)
        silent = _SILENT if "losses" in tables else (*_SILENT, "leadership")
        for field in silent:
            tables[field] = [replace(one, evidence=()) for one in tables.get(field, ())]
    own: dict[int | None, list[Finding]] = {}
    for one in findings:
        own.setdefault(one.partition, []).append(one)
    return Verdict(
        tuple(
            PartitionVerdict(
                index,
                **{name: tuple(rows) for name, rows in tables.items()},
                findings=tuple(own.get(index, ())),
            )
            for index, tables in found.items()
        ),
        findings,
    )


def _in_order(tables: Mapping[str, list[Any]], replicas: Sequence[int]) -> None:
    """The rows of a partition as its verdict has them; the tables are sorted by other columns."""
    order = {broker: place for place, broker in enumerate(replicas)}
    keys: dict[str, Callable[[Any], tuple[Any, ...]]] = {
        "losses": lambda one: (one.seq, one.first_offset),
        "leadership": lambda one: (one.start, one.evidence[:1]),
        "isr": lambda one: (one.start, one.evidence[:1]),
        "divergences": lambda one: (one.brokers, one.first_offset),
        "final": lambda one: (order.get(one.broker, len(order)), one.broker),
    }
    for field, key in keys.items():
        tables.get(field, []).sort(key=key)


def _shown(verdict: Verdict) -> tuple[object, ...]:
    """What of the partitions is shown with the raw lines that prove it."""
    return tuple((one.truncations, one.losses, one.divergences) for one in verdict.partitions)


def _in_trace(verdict: Verdict, place_of: Mapping[int, int]) -> Verdict:
    """The same with each Seq as its place among those that were read."""
    return Verdict(renumbered(verdict.partitions, place_of), renumbered(verdict.findings, place_of))


def edges_of(some: Iterable[tuple[Column, Column, Column, Column]]) -> list[int]:
    """The Seqs that say how much the evidence covers; `some` are columns seq, broker, source and kind.

    The first and the last event, of each broker's own files too, and all gaps of evidence: what
    core.diagnose.verdict.seen reads.
    """
    ends: dict[int, tuple[int, int]] = {}
    gaps: set[int] = set()
    for seq, broker, source, kind in some:
        own = (broker >= 0) & (source != NO_INDEX)
        gaps.update(seq[kind == NUMBER["evidence_gap"]].tolist())
        groups = [(NO_INDEX, seq)] if len(seq) else []
        groups += [(int(one), seq[own & (broker == one)]) for one in np.unique(broker[own])]
        for who, mine in groups:
            low, high = int(mine.min()), int(mine.max())
            before = ends.get(who, (low, high))
            ends[who] = min(low, before[0]), max(high, before[1])
    return sorted({one for pair in ends.values() for one in pair} | gaps)


def _scanned_edges(place: str | Path) -> list[int]:
    """Of a data set whose manifest does not have them."""
    batches = batches_of(place, ["seq", "broker", "source", "kind"])
    return edges_of(
        (
            batch.column("seq").to_numpy(),
            numbers_of(batch, "broker"),
            numbers_of(batch, "source"),
            numbers_of(batch, "kind"),
        )
        for batch in batches
    )


def _scanned_span(place: str | Path) -> Sequence[int]:
    found = [
        (int(at.min()), int(at.max()))
        for batch in batches_of(place, ["at"])
        if len(at := batch.column("at").to_numpy())
    ]
    return (min(low for low, _ in found), max(high for _, high in found)) if found else ()
