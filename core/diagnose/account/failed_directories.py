"""From a trace to log directories that failed with logs of partitions that lost records (KIP-112, 1.0)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.diagnose.account.incident import Incident
from core.history.gaps_by_files import failed_directories
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER

_FAILED: Final = NUMBER["log_dir_failed"]


@dataclass(frozen=True, slots=True)
class FailedDirectory:
    """A log directory of a broker that failed, when it was said first, in ns, by the row `seq`."""

    broker: int
    path: str
    at: int
    seq: int
    partitions: tuple[int, ...]
    """Partitions of the incident whose logs were in it."""


def failed_in(trace: Trace, incident: Incident) -> list[FailedDirectory]:
    """Those with logs of partitions that lost records, in order of time; each once, when it is said first."""
    mine = sorted({one.partition for one in incident.losses})
    columns = trace.columns
    rows = np.flatnonzero((columns["kind"] == _FAILED) & np.isin(columns["partition"], mine))
    found: dict[tuple[int, str], FailedDirectory] = {}
    for seq in rows.tolist():
        broker, at, partition = (int(columns[name][seq]) for name in ("broker", "at", "partition"))
        for path in _paths(trace, broker, at, partition):
            first = found.get((broker, path), FailedDirectory(broker, path, at, seq, ()))
            named = tuple(dict.fromkeys((*first.partitions, partition)))
            found[broker, path] = replace(first, partitions=named)
    return sorted(found.values(), key=lambda one: one.at)


def _paths(trace: Trace, broker: int, at: int, partition: int) -> Iterator[str]:
    """The directory of a broker that failed at a time with the log of a partition, by its line."""
    line = f"{at} {trace.partitions[partition].tp} "
    for told in trace.facts.get(failed_directories(broker), "").splitlines():
        if told.startswith(line):
            yield told.removeprefix(line)
