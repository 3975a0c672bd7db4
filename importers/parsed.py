"""What one pass over bytes gives: statements and facts that do not know their broker, zone or place yet."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from importers.drafts import MOST_EXAMPLES, Example, Fact, Fate
from importers.statements import Statements, joined_statements


@dataclass(frozen=True, slots=True)
class Drafts:
    """All that `parse` found in a range of bytes.

    `stamps`, `bytes` and `lines` have one entry per record (int64), whatever its fate. `counts` are physical
    lines by fate; continuation lines share the fate of their record. `kafka` says that some record is Kafka's
    own.
    """

    drafts: Statements
    facts: tuple[Fact, ...]
    counts: dict[Fate, int]
    examples: tuple[Example, ...]
    stamps: NDArray[np.int64]
    bytes: NDArray[np.int64]
    lines: NDArray[np.int64]
    kafka: bool


def restamped(drafts: Drafts, stamps: NDArray[np.int64]) -> Drafts:
    """The same with another time, ns, for each record, and so for what each says."""
    new = {int(byte): int(at) for byte, at in zip(drafts.bytes, stamps, strict=True)}
    told = drafts.drafts.columns["byte"]
    return replace(
        drafts,
        stamps=stamps,
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
    return Drafts(
        joined_statements([part.drafts for part in parts]),
        tuple(fact for part in parts for fact in part.facts),
        {fate: counts[fate] for fate in Fate},
        tuple(example for part in parts for example in part.examples)[:MOST_EXAMPLES],
        _one([part.stamps for part in parts]),
        _one([part.bytes for part in parts]),
        _one([part.lines for part in parts]),
        kafka=any(part.kafka for part in parts),
    )


def _one(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(parts) if parts else np.array([], dtype=np.int64)
