"""Which items say something about order and clocks: of a log with every fetch in it they are few."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER
from importers.disk.metadata_replay import METADATA_RULE, SNAPSHOT_RULE
from importers.lines.items import Items, distinct
from importers.lines.statements import NONE

TELLING: Final = frozenset(
    {
        "leader_elected", "leaderless", "isr_committed", "partition_created", "partition_state",
        "leader_and_isr_sent", "leader_and_isr_received", "became_leader", "became_follower",
        "broker_registered", "broker_unfenced", "broker_fenced", "broker_starting", "broker_crashed",
        "evidence_gap", "controlled_shutdown_begun", "controlled_shutdown_ended", "unclean_restart_detected",
        "log_created", "log_loaded", "fetcher_added", "isr_shrink_proposed", "isr_expand_proposed",
    }
)  # fmt: skip
"""Kinds of which ties (ties.py) and edges (order.py) are made, whatever else they say."""
_LOOKED_AT: Final = (
    "ordinal", "byte", "rule", "kind", "topic", "number", "topic_id", "epoch", "partition_epoch", "isr",
    "sends", "receives", "life",
)  # fmt: skip
_FEW: Final = 1 << 17
"""Of so many items these columns are at most 14 MB."""
_AGAIN: Final = "metadata_applied"
"""A broker is told all epochs again and again: what a log applies first and earliest says it for all."""


def telling(items: Items) -> NDArray[np.int64]:
    """The numbers of the items that ties and edges are made of, rising.

    With those that say when a clock was first seen, which epoch of a partition a log has first, which in-sync
    set each state of a partition has, and when each clock first shows that state.
    """
    columns = _at_hand(items)
    by_place = np.lexsort((columns["ordinal"], columns["byte"]))
    by_time = np.argsort(items.at, kind="stable")
    logged = _of_texts(columns["rule"], items, (METADATA_RULE, SNAPSHOT_RULE))
    clock = (items.broker, logged)
    of_epoch = (columns["epoch"] != UNSAID) & (columns["topic"] != NONE)
    log = (items.source, columns["topic"], columns["number"])
    again = of_epoch & (columns["kind"] == NUMBER[_AGAIN])
    one = (*log, columns["topic_id"], columns["epoch"], items.broker)
    state = (columns["topic"], columns["number"], columns["topic_id"], columns["partition_epoch"])
    with_number = (columns["partition_epoch"] != UNSAID) & (columns["topic"] != NONE)
    with_set = with_number & (columns["isr"] != NONE)
    found = (
        np.flatnonzero(_tells(columns) | logged),
        _first_of(by_time, clock),
        _first_of(by_place[of_epoch[by_place]], log),
        _first_of(by_place[again[by_place]], one),
        _first_of(by_time[again[by_time]], one),
        _first_of(np.flatnonzero(with_set), state),
        _first_of(by_time[with_number[by_time]], (*state, *clock)),
    )
    return np.unique(np.concatenate(found))


def _at_hand(items: Items) -> Mapping[str, NDArray[Any]]:
    """The columns that are looked at, most of them several times: of few items they are made once."""
    columns = items.said.columns
    return {name: columns[name] for name in _LOOKED_AT} if len(items) <= _FEW else columns


def _tells(columns: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """Whether each tells something whatever was told before, by itself."""
    kinds = np.isin(columns["kind"], [NUMBER[kind] for kind in TELLING])
    keys = (columns["sends"] != NONE) | (columns["receives"] != NONE) | (columns["life"] != UNSAID)
    return kinds | keys


def _of_texts(column: NDArray[Any], items: Items, texts: tuple[str, ...]) -> NDArray[np.bool_]:
    known = [number for number, text in enumerate(items.said.texts) if text in texts]
    return np.isin(column, known)


def _first_of(numbers: NDArray[np.int64], columns: tuple[NDArray[Any], ...]) -> NDArray[np.int64]:
    """The first of some items for each combination of values."""
    return numbers[distinct(*(column[numbers] for column in columns))]
