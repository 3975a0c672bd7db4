"""What one pass over bytes gives: statements and facts that do not know their broker, zone or place yet."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.trace.columns import Columns, keep_of, replaced
from importers.kafka.drafts import MOST_EXAMPLES, Example, Fact, Fate
from importers.lines.statements import Statements, joined_statements

RECORDS: Final = ("stamps", "bytes", "lines")
"""Columns of what is known of every record of a log."""


@dataclass(frozen=True, slots=True)
class Drafts:
    """All that `parse` found in a range of bytes.

    `records` are the columns `stamps`, `bytes` and `lines` with one entry per record (int64), whatever its
    fate. `counts` are physical lines by fate; continuation lines share the fate of their record. `kafka` says
    that some record is Kafka's own; `informs`, that a level up to INFO is named; `warns`, that one from WARN
    is, and none up to INFO; `narrow`, that all lines at INFO have words that people search for,
    and `broad`, that one has none.
    """

    drafts: Statements
    facts: tuple[Fact, ...]
    counts: dict[Fate, int]
    examples: tuple[Example, ...]
    records: Mapping[str, NDArray[np.int64]]
    kafka: bool
    informs: bool = False
    warns: bool = False
    narrow: bool = False
    broad: bool = False

    @property
    def stamps(self) -> NDArray[np.int64]:
        """The stamp of each record, ns."""
        return self.records["stamps"]

    @property
    def bytes(self) -> NDArray[np.int64]:
        """The byte at which each record begins."""
        return self.records["bytes"]

    @property
    def lines(self) -> NDArray[np.int64]:
        """The line at which each record begins."""
        return self.records["lines"]


def records_of(
    stamps: NDArray[np.int64], places: NDArray[np.int64], lines: NDArray[np.int64]
) -> Mapping[str, NDArray[np.int64]]:
    """Columns of records, in memory."""
    return dict(zip(RECORDS, (stamps, places, lines), strict=True))


def restamped(drafts: Drafts, stamps: NDArray[np.int64]) -> Drafts:
    """The same with another time, ns, for each record, and so for what each says."""
    new = {int(byte): int(at) for byte, at in zip(drafts.bytes, stamps, strict=True)}
    told = drafts.drafts.columns["byte"]
    return replace(
        drafts,
        records=replaced(drafts.records, {"stamps": stamps}),
        drafts=drafts.drafts.moved(local_ns=stamps[np.searchsorted(drafts.bytes, told)]),
        facts=tuple(replace(one, local_ns=new[one.byte]) for one in drafts.facts),
    )


def joined(parts: Sequence[Drafts]) -> Drafts:
    """The drafts of neighbouring ranges, in their order, as if the file had been read at once.

    Lines and bytes must be counted from the beginning of the file in every part.
    """
    counts: Counter[Fate] = Counter()
    for part in parts:
        counts.update(part.counts)
    informs = any(part.informs for part in parts)
    return Drafts(
        joined_statements([part.drafts for part in parts]),
        tuple(fact for part in parts for fact in part.facts),
        {fate: counts[fate] for fate in Fate},
        tuple(example for part in parts for example in part.examples)[:MOST_EXAMPLES],
        _joined_records([part.records for part in parts]),
        kafka=any(part.kafka for part in parts),
        informs=informs,
        warns=not informs and any(part.warns for part in parts),
        narrow=any(part.narrow for part in parts) and not any(part.broad for part in parts),
        broad=any(part.broad for part in parts),
    )


def _joined_records(parts: Sequence[Mapping[str, NDArray[np.int64]]]) -> Mapping[str, NDArray[np.int64]]:
    def make(name: str) -> NDArray[np.int64]:
        return np.concatenate([np.empty(0, np.int64), *(part[name] for part in parts)])

    if any(isinstance(part, Columns) for part in parts):
        rows = sum(part.rows if isinstance(part, Columns) else len(part["stamps"]) for part in parts)
        return Columns(RECORDS, rows, make, keep_of(parts[0]))
    return {name: make(name) for name in RECORDS}
