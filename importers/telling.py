"""Which items say something about order and clocks: of a log with every fetch in it they are few."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER
from importers.items import Items, distinct
from importers.metadata_replay import METADATA_RULE, SNAPSHOT_RULE
from importers.statements import NONE

_SECOND: Final = 1_000_000_000
SILENT: Final = frozenset(
    {
        "hw_moved", "hw_sample", "leo_sample", "appended", "follower_leo_recorded", "fetch_sent",
        "fetch_received", "fetch_answered", "fetch_delivered",
    }
)  # fmt: skip
"""Kinds that no tie (importers/ties.py) and no edge (importers/order.py) is made of."""


def telling(items: Items) -> NDArray[np.int64]:
    """The numbers of the items that ties and edges can be made of, rising.

    Of the silent kinds those are among them that say when a clock was first seen, how finely it is cut, or
    which epoch of a partition a log has first.
    """
    columns = items.said.columns
    silent = np.isin(columns["kind"], [NUMBER[kind] for kind in SILENT])
    silent &= (columns["sends"] == NONE) & (columns["receives"] == NONE)
    rules = [number for number, text in enumerate(items.said.texts) if text in (METADATA_RULE, SNAPSHOT_RULE)]
    silent &= ~np.isin(columns["rule"], rules)
    found = [np.flatnonzero(~silent)]
    quiet = np.flatnonzero(silent)
    early = quiet[np.argsort(items.at[quiet], kind="stable")]
    found.append(early[distinct(items.broker[early])])
    fine = quiet[items.at[quiet] % _SECOND != 0]
    found.append(fine[distinct(items.broker[fine])])
    epochs = np.flatnonzero((columns["epoch"] != UNSAID) & (columns["topic"] != NONE))
    epochs = epochs[np.lexsort((columns["ordinal"][epochs], columns["byte"][epochs]))]
    keys = (items.source[epochs], columns["topic"][epochs], columns["number"][epochs])
    found.append(epochs[distinct(*keys)])
    return np.unique(np.concatenate(found))
