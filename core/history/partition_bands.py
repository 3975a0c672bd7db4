"""All tracks of a partition together, and who led it when."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from core.assumptions import BROKERS_OUT_OF_ORDER_WITHIN
from core.history.control import Control
from core.history.record_time_caps import Caps
from core.history.roles import Roles
from core.history.running_bounds import Places
from core.history.state import Role
from core.history.statements import Cut
from core.history.track import Track, Tracks
from core.history.view import View


@dataclass(frozen=True, slots=True)
class UnseenFall:
    """Places first..last between which a log became shorter, and no word says so.

    It held at least `longest` before, and at most `shortest` after.
    """

    broker: int
    first: int
    last: int
    longest: int
    shortest: int


@dataclass(frozen=True, slots=True)
class Bands:
    """The narrowed tracks of all replicas, by broker, and the cuts found on the way."""

    view: View
    roles: Mapping[int, Roles]
    control: Control
    leo: Tracks
    hw: Tracks
    cuts: Mapping[int, tuple[Cut, ...]]
    above_log: Mapping[int, tuple[tuple[int, int], ...]]
    """Stretches of instants in which the high watermark may stand above the log end (to 2.3, after a cut)."""
    caps: Mapping[int, Caps]
    """What time stamps of records allow between two rows, for the replicas whose segments were given."""
    shorter: Mapping[int, tuple[int, ...]]
    """Instants of starts at which a log may have come back shorter: after a crash, or with a new disk."""
    falls: tuple[UnseenFall, ...] = ()
    """Where logs became shorter unseen, in the order in which that was found."""
    found: dict[tuple[Callable[..., None], int], tuple[int, ...]] = field(
        default_factory=dict[tuple[Callable[..., None], int], tuple[int, ...]]
    )
    """By rule and what it is applied to: how often each track it reads had been narrowed then."""

    joins: dict[int, tuple[Places, Places]] = field(default_factory=dict[int, tuple[Places, Places]])
    """By broker where it joined the in-sync set, as far as somebody asked: core/history/isr_rules.py."""

    def times_narrowed(self) -> int:
        """How often bounds were narrowed."""
        return sum(track.times_narrowed for track in (*self.leo.values(), *self.hw.values()))

    def moved(self, rule: tuple[Callable[..., None], int], tracks: Iterable[Track]) -> bool:
        """Whether a rule finds other bounds than when it was applied last; if not, it tells nothing new."""
        now = tuple([track.times_narrowed for track in tracks])
        if self.found.get(rule) == now:
            return False
        self.found[rule] = now
        return True

    def close_after(self) -> Places:
        """By place: the last one whose row may stand in the wrong order with the row of that place."""
        at = self.view.rows.column("at")
        found = np.zeros(len(at) + 1, np.intp)
        found[1:] = at.searchsorted(at + BROKERS_OUT_OF_ORDER_WITHIN.ns, "right")
        return found


@dataclass(frozen=True, slots=True)
class LeadingSpan:
    """A stretch of places first..last in which a replica leads one epoch, by its own word.

    `until` is where it is known to lead no more: after its last word the process may have ended at any
    moment.
    """

    broker: int
    epoch: int | None
    first: int
    last: int
    until: int


def leading_spans(roles: Mapping[int, Roles]) -> list[LeadingSpan]:
    """Who led what, from where to where."""
    found: list[LeadingSpan] = []
    for broker, own in roles.items():
        for first, end, role, epoch in own.spans:
            if role is Role.LEADER:
                silent = [death.last for death in own.deaths if first <= death.last < end <= death.noticed]
                found.append(LeadingSpan(broker, epoch, first, min([end - 1, *silent]), end - 1))
    return found
