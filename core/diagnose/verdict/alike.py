"""Partitions that say the same: judged once, and the verdict told again in the Seqs of the others.

Two are alike where each event of the one has the same time and values as the event of the same number of the
other, and nothing else differs that a verdict rests on: the brokers that hold them, the setting of their
topics, how soon after each event the next one of the trace follows. Quiet partitions of one set of brokers
often are, as a broker writes many lines within a millisecond.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import STATED_VALUE_SHOWN_FOR
from core.diagnose.verdict.causes import UNKNOWN_OFFSET
from core.diagnose.verdict.facts import PartitionVerdict
from core.diagnose.verdict.findings_evidence import ALARMS
from core.diagnose.verdict.renumber import renumbered
from core.trace.evidence import evidence_of
from core.trace.ids import INTERNAL_TOPICS, NO_INDEX
from core.trace.trace import DTYPES, Origin, Trace
from core.trace.vocabulary import NUMBER

_MOST: Final = 256
"""Partitions with more events are never looked for: those that are alike are small."""
_OF_PLACE: Final = frozenset({"partition", "position", "line"})
"""Columns that say where an event was read and whose it is: no verdict rests on them."""
_NAMES_LOG: Final = NUMBER["broker_exited"]
"""The kind whose raw line may name the partition."""
_READ_AS_TEXT: Final = tuple(NUMBER[one] for one in ("epoch_assigned", "hw_moved"))
"""Kinds in whose raw lines a finding looks for alarms."""
_SETTING: Final = "config.topic-"
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)


class Shapes:
    """Tells which partitions of a trace are alike."""

    def __init__(self, trace: Trace) -> None:
        """One pass over the columns of the trace."""
        self._trace = trace
        columns = trace.columns
        at = columns["at"]
        self._last = len(trace) - 1
        self._columns: list[NDArray[Any]] = [columns[name] for name in DTYPES if name not in _OF_PLACE]
        self._columns.append(columns["partition"] == NO_INDEX)
        self._columns.append(np.append(np.diff(at) <= STATED_VALUE_SHOWN_FOR.ns, False)[: len(at)])
        self._hashes = np.zeros(len(trace), np.uint64)
        for column in self._columns:
            self._hashes = (self._hashes ^ column.astype(np.int64).view(np.uint64)) * _ODD
            self._hashes ^= self._hashes >> np.uint64(29)
        self._alone = columns["kind"] == _NAMES_LOG
        self._read = np.isin(columns["kind"], _READ_AS_TEXT)
        self._topics = {*_with_settings(trace), *INTERNAL_TOPICS}

    def of(self, partition: int, seqs: NDArray[np.int64]) -> bytes | None:
        """Where two partitions have the same shape they may be alike; None for one that is judged alone.

        `seqs` are those of its events and of its brokers' (`Trace.seqs_of`).
        """
        if not 0 < len(seqs) <= _MOST or self._trace.origin is Origin.SIMULATED or self._alone[seqs].any():
            return None
        if any(map(self._alarms, seqs[self._read[seqs]].tolist())):
            return None
        ends = seqs[[0, -1]]
        # These stand for "none" in a verdict, too.
        if (self._trace.columns["partition"][ends[(ends == 0) | (ends == self._last)]] == partition).any():
            return None
        told = self._trace.partitions[partition]
        topic = told.tp.topic if told.tp.topic in self._topics else ""
        shape = blake2b(repr((topic, tuple(map(int, told.replicas)))).encode(), digest_size=16)
        shape.update(self._hashes[seqs].tobytes())
        shape.update((np.diff(seqs) == 1).tobytes())
        return shape.digest()

    def _alarms(self, seq: int) -> bool:
        """Whether the raw line of an event has a warning in it that a finding reads."""
        evidence = evidence_of(self._trace, seq)
        return evidence is not None and any(alarm in evidence.text for alarm in ALARMS)

    def alike(self, seqs: NDArray[np.int64], others: NDArray[np.int64]) -> bool:
        """Whether two partitions of the same shape say the same, event by event."""
        return all(np.array_equal(column[seqs], column[others]) for column in self._columns)


def _with_settings(trace: Trace) -> Iterator[str]:
    """The topics with a setting of their own, and some names besides: one may have dots in it."""
    for name in trace.facts:
        if name.startswith(_SETTING):
            rest = name.removeprefix(_SETTING)
            yield from (rest[:end] for end, letter in enumerate(rest) if letter == ".")


def can_be_reused(trace: Trace, verdict: PartitionVerdict) -> bool:
    """Whether nothing in a verdict rests on what `Shapes` does not compare.

    Where to collect lost records names the partition; the cause of a loss is read in the line of a cut.
    """
    if not verdict.losses:
        return True
    evidence = (evidence_of(trace, seq) for cut in verdict.truncations for seq in cut.evidence)
    unknown = any(one is not None and UNKNOWN_OFFSET in one.text for one in evidence)
    return not unknown and not any(loss.collect for loss in verdict.losses)


def verdict_of_alike(
    verdict: PartitionVerdict, partition: int, seqs: Iterable[int], own: Iterable[int], last: int
) -> PartitionVerdict:
    """The verdict on a partition that is alike: `seqs` are those of the one that was judged."""
    new = {0: 0, last: last, **dict(zip(seqs, own, strict=True))}
    told = renumbered(verdict, new)
    findings = tuple(replace(one, partition=partition) for one in told.findings)
    return replace(told, partition=partition, findings=findings)
