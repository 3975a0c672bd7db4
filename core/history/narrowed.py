"""All tracks of a partition together."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from core.history.caps import Caps
from core.history.control import Control
from core.history.roles import Roles
from core.history.statements import Cut
from core.history.track import Track
from core.history.view import View


@dataclass(frozen=True, slots=True)
class Bands:
    """The narrowed tracks of all replicas, by broker, and the cuts found on the way."""

    view: View
    roles: Mapping[int, Roles]
    control: Control
    leo: Mapping[int, Track]
    hw: Mapping[int, Track]
    cuts: Mapping[int, tuple[Cut, ...]]
    above_log: Mapping[int, tuple[tuple[int, int], ...]]
    """Stretches of instants in which the high watermark may stand above the log end (to 2.3, after a cut)."""
    caps: Mapping[int, Caps]
    """What time stamps of records allow between two rows, for the replicas whose segments were given."""
    shorter: Mapping[int, tuple[int, ...]]
    """Instants of starts at which a log may have come back shorter: after a crash, or with a new disk."""
    found: dict[tuple[Callable[..., None], int], tuple[int, ...]] = field(
        default_factory=dict[tuple[Callable[..., None], int], tuple[int, ...]]
    )
    """By rule and what it is applied to: how often each track it reads had been narrowed then."""

    def moved(self, rule: tuple[Callable[..., None], int], tracks: Iterable[Track]) -> bool:
        """Whether a rule finds other bounds than when it was applied last; if not, it tells nothing new."""
        now = tuple([track.told for track in tracks])
        if self.found.get(rule) == now:
            return False
        self.found[rule] = now
        return True
