"""How much of the brokers' time the evidence covers: poor evidence must not look like health."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from core.trace.ids import NO_INDEX
from core.trace.trace import Origin, Trace
from core.trace.vocabulary import NUMBER


@dataclass(frozen=True, slots=True)
class Seen:
    """From when to when each broker's own files have lines, in ns, with the gaps between."""

    first: int
    last: int
    spans: Mapping[int, tuple[int, int]]
    silences: Mapping[int, tuple[tuple[int, int], ...]]
    everything: bool = False
    """A simulation has no gaps."""

    def gaps(self, broker: int) -> tuple[tuple[int, int], ...]:
        """Spans of time in which a broker's files have no lines although they have some before and after."""
        return self.silences.get(broker, ())

    def share(self, brokers: Iterable[int]) -> float:
        """The mean share of the trace's time that these brokers' files cover; 1 where there is no time."""
        asked = list(brokers)
        whole = self.last - self.first
        if self.everything or not asked or whole <= 0:
            return 1.0
        covered = 0
        for broker in asked:
            if broker in self.spans:
                begin, end = self.spans[broker]
                covered += end - begin - sum(until - since for since, until in self.gaps(broker))
        return max(covered, 0) / (whole * len(asked))


def seen_in(trace: Trace) -> Seen:
    """What the files of each broker cover, for a whole trace."""
    columns = trace.columns
    at, broker = columns["at"], columns["broker"]
    if not len(trace):
        return Seen(0, 0, {}, {})
    by_its_files = (broker >= 0) & (columns["source"] != NO_INDEX)
    spans: dict[int, tuple[int, int]] = {}
    for one in np.unique(broker[by_its_files]):
        times = at[by_its_files & (broker == one)]
        spans[int(one)] = int(times[0]), int(times[-1])
    silences: dict[int, tuple[tuple[int, int], ...]] = {}
    replica, aux = columns["replica"], columns["aux"]
    for row in np.flatnonzero(columns["kind"] == NUMBER["evidence_gap"]):
        who, begins = int(replica[row]), int(at[row])
        gap = begins, begins + int(aux[row])
        silences[who] = (*silences.get(who, ()), gap)
    return Seen(int(at[0]), int(at[-1]), spans, silences, trace.origin is Origin.SIMULATED)
