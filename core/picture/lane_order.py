"""How the lanes of a timeline are arranged: which come first, which are folded, which stay on top."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Self


@dataclass(frozen=True, slots=True)
class LaneOrder:
    """Arranged by broker, so that it holds for every partition. Nothing said is the usual order, all open."""

    order: tuple[int, ...] = ()
    """Brokers from top to bottom; those that are not named follow in their usual order."""
    folded: frozenset[int] = frozenset()
    pinned: frozenset[int] = frozenset()
    """Before all others, and in sight while those are scrolled."""

    def brokers(self, replicas: Iterable[int]) -> tuple[int, ...]:
        """The brokers of a partition from top to bottom; `replicas` has them in their usual order."""
        usual = tuple(replicas)
        line = [broker for broker in self.order if broker in usual]
        line.extend(broker for broker in usual if broker not in self.order)
        return tuple(sorted(line, key=lambda broker: broker not in self.pinned))

    def fold(self, broker: int) -> Self:
        """Fold a lane, or unfold it."""
        return replace(self, folded=self.folded ^ {broker})

    def fold_others(self, replicas: Iterable[int], broker: int) -> Self:
        """Fold all lanes but one; all of them are opened where that is so already."""
        others = frozenset(replicas) - {broker}
        return replace(self, folded=frozenset() if self.folded == others else others)

    def pin(self, broker: int) -> Self:
        """Pin a lane on top, or let go of it: it goes back to where it was."""
        return replace(self, pinned=self.pinned ^ {broker})

    def move(self, replicas: Iterable[int], broker: int, place: int) -> Self:
        """Put a lane at a place, 0 is the top. Pinned lanes stay before the others."""
        usual = tuple(replicas)
        before = self.brokers(usual)
        line = [other for other in before if other != broker]
        line.insert(max(place, 0), broker)
        moved = replace(self, order=(*line, *(other for other in self.order if other not in line)))
        return self if moved.brokers(usual) == before else moved


USUAL: Final = LaneOrder()
"""All lanes open, in their usual order."""
