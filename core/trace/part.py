"""Some events of a trace as a trace of their own."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.trace.ids import UNSAID
from core.trace.trace import Column, Trace


def part_of(trace: Trace, seqs: NDArray[np.int64]) -> Trace:
    """The events `seqs` (rising) as Seqs 0..n-1. Dictionaries stay whole, so that indexes mean the same."""
    columns: dict[str, Column] = {name: values[seqs] for name, values in trace.columns.items()}
    columns["cause"] = causes_within(columns["cause"], seqs)
    return replace(trace, columns=MappingProxyType(columns))


def causes_within(causes: Column, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Causes as places among `seqs` (rising); not said where a cause is not among them."""
    if not len(seqs):
        return causes
    places = np.minimum(np.searchsorted(seqs, causes), len(seqs) - 1)
    return np.where(seqs[places] == causes, places, UNSAID).astype(np.int64)
