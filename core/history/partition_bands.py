"""The tracks of all replicas of a partition together, with what they are narrowed from."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from core.history.control import Control
from core.history.cuts import Cut
from core.history.leading import Following, LeadingSpan, UnderFirstLeader
from core.history.record_time_caps import Caps
from core.history.roles import Roles
from core.history.running_bounds import Flags, Places
from core.history.track import Track, Tracks
from core.history.view import View
from core.trace.ids import Instant, Place


@dataclass(frozen=True, slots=True)
class UnseenFall:
    """Places first..last between which a log became shorter, and no line states that.

    It held at least `longest` offsets before, and at most `shortest` after.
    """

    broker: int
    first: Place
    last: Place
    longest: int
    shortest: int


@dataclass(frozen=True, slots=True)
class Bands:
    """The narrowed tracks of all replicas, by broker, with the cuts and roles that narrow them."""

    view: View
    roles: Mapping[int, Roles]
    control: Control
    leo: Tracks
    hw: Tracks
    cuts: Mapping[int, tuple[Cut, ...]]
    above_log: Mapping[int, tuple[tuple[Instant, Instant], ...]]
    """By broker the spans first..last of instants at which the high watermark may be above the log end.

    That is so to 2.3, after a cut.
    """
    caps: Mapping[int, Caps]
    """Bounds by time stamps of records between two rows, for the replicas whose segments were given."""
    may_be_shorter_at: Mapping[int, tuple[Instant, ...]]
    """Instants of starts at which a log may have come back shorter: after a crash, or with a new disk."""
    behind: Mapping[int, set[int]]
    """By broker the places at which it is in a later epoch than it states."""
    leading: tuple[LeadingSpan, ...]
    under_first_leader: tuple[UnderFirstLeader, ...]
    followings: tuple[Following, ...]
    """None of the metadata quorum, and where logs were cut to seconds: no rule reads them there."""
    falls: tuple[UnseenFall, ...] = ()
    """The unseen falls, in the order in which they were found."""
    narrowed_before: dict[tuple[Callable[..., None], int], tuple[int, ...]] = field(
        default_factory=dict[tuple[Callable[..., None], int], tuple[int, ...]]
    )
    """By rule and what it is applied to: how often each track it reads had been narrowed then."""

    joins: dict[int, tuple[Places, Places]] = field(default_factory=dict[int, tuple[Places, Places]])
    """By broker the places at which it joined the in-sync set, kept by core/history/isr_rules.py."""

    _sets_with: dict[int, Flags] = field(default_factory=dict[int, Flags])

    def sets_with(self, member: int) -> Flags:
        """By number of an in-sync set (`Control.named_sets`): whether a broker is in it."""
        found = self._sets_with.get(member)
        if found is None:
            inside = [member in (members or ()) for members in self.control.named_sets]
            found = self._sets_with[member] = np.array(inside, bool)
        return found

    def times_narrowed(self) -> int:
        """How often bounds of any track were narrowed."""
        return sum(track.times_narrowed for track in (*self.leo.values(), *self.hw.values()))

    def narrowed_since(self, rule: tuple[Callable[..., None], int], tracks: Iterable[Track]) -> bool:
        """Whether any track was narrowed since a rule was applied; if not, the rule finds nothing new."""
        now = tuple([track.times_narrowed for track in tracks])
        if self.narrowed_before.get(rule) == now:
            return False
        self.narrowed_before[rule] = now
        return True
