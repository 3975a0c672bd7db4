"""How lanes are arranged: which come first, how high they are, which are folded, hidden, or stay on top."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Self

from core.diagnose.verdict.facts import PartitionVerdict

AREA_RANGE: Final = (40, 480)
"""Least and greatest height that a person may give a log area, in logical pixels."""


class Sorting(StrEnum):
    """By what lanes were ordered last."""

    USUAL = "usual"
    """As the replicas were assigned."""
    BROKER = "broker"
    LEADER = "leader"
    """Who led at the cursor before the others."""
    DIVERGENCE = "divergence"
    """Whose log differs from another, or was cut, by most records."""

    def following(self) -> "Sorting":
        """The one that comes after it, the first after the last."""
        every = list(Sorting)
        return every[(every.index(self) + 1) % len(every)]


@dataclass(frozen=True, slots=True)
class LaneOrder:
    """Arranged by broker, so that it holds for every partition. Nothing said is the usual order, all open."""

    order: tuple[int, ...] = ()
    """Brokers from top to bottom; those that are not named follow in their usual order."""
    folded: frozenset[int] = frozenset()
    pinned: frozenset[int] = frozenset()
    """Before all others, and in sight while those are scrolled."""
    hidden: frozenset[int] = frozenset()
    opened: frozenset[int] = frozenset()
    """Those that a person opened where lanes fold by themselves: many runs beside one another."""
    heights: tuple[tuple[int, int], ...] = ()
    """(broker, height of its log area) where a person chose one, by broker; the others share what is left."""
    sorting: Sorting = Sorting.USUAL

    def brokers(self, replicas: Iterable[int]) -> tuple[int, ...]:
        """The brokers that have a lane, from top to bottom; `replicas` has them in their usual order.

        Where all would be hidden, all are there.
        """
        usual = tuple(replicas)
        shown = [broker for broker in usual if broker not in self.hidden] or usual
        line = [broker for broker in self.order if broker in shown]
        line.extend(broker for broker in shown if broker not in self.order)
        return tuple(sorted(line, key=lambda broker: broker not in self.pinned))

    def drawn(self, replicas: Iterable[int]) -> Self:
        """How a figure of these replicas has it: what is pinned is first, and nothing folds by itself."""
        usual = tuple(replicas)
        shown = self.brokers(usual)
        gone = tuple(broker for broker in usual if broker not in shown)
        folded = self.folded.intersection(shown)
        heights = tuple(pair for pair in self.heights if pair[0] in shown and pair[0] not in folded)
        order = () if shown == usual else (*shown, *gone)
        return type(self)(order, folded, hidden=frozenset(gone), heights=heights)

    def height_of(self, broker: int) -> int | None:
        """The height that a person gave its log area; None where it has its share. Folded it has 0."""
        if broker in self.folded:
            return 0
        for one, height in self.heights:
            if one == broker:
                return height
        return None

    def fold(self, broker: int, *, by_itself: bool = False) -> Self:
        """Fold a lane, or unfold it. `by_itself`: it is folded now because there is no room."""
        if broker in self.folded or by_itself:
            opened = self.opened | {broker} if by_itself else self.opened
            return replace(self, folded=self.folded - {broker}, opened=opened)
        return replace(self, folded=self.folded | {broker}, opened=self.opened - {broker})

    def fold_others(self, replicas: Iterable[int], broker: int) -> Self:
        """Fold all lanes but one; all of them are opened where that is so already."""
        others = frozenset(replicas) - {broker}
        return replace(self, folded=frozenset() if self.folded == others else others)

    def hide(self, replicas: Iterable[int], broker: int) -> Self:
        """Hide a lane; the last one that is there stays."""
        left = set(self.brokers(replicas)) - {broker}
        return replace(self, hidden=self.hidden | {broker}) if left else self

    def pin(self, broker: int) -> Self:
        """Pin a lane on top, or let go of it: it goes back to where it was."""
        return replace(self, pinned=self.pinned ^ {broker})

    def resize(self, broker: int, height: float) -> Self:
        """Give a lane's log area a height, within what may be given; a folded lane opens."""
        least, most = AREA_RANGE
        given = {**dict(self.heights), broker: round(min(max(height, least), most))}
        return replace(self, heights=tuple(sorted(given.items())), folded=self.folded - {broker})

    def move(self, replicas: Iterable[int], broker: int, place: int) -> Self:
        """Put a lane at a place, 0 is the top. Pinned lanes stay before the others."""
        usual = tuple(replicas)
        before = self.brokers(usual)
        line = [other for other in before if other != broker]
        line.insert(max(place, 0), broker)
        moved = replace(self, order=(*line, *(other for other in self.order if other not in line)))
        return self if moved.brokers(usual) == before else moved

    def sort(self, sorting: Sorting, line: Iterable[int]) -> Self:
        """Put lanes into an order that was made by `sorting`; what is pinned stays on top."""
        return replace(self, order=tuple(line), sorting=sorting)


USUAL: Final = LaneOrder()
"""All lanes open, in their usual order."""


def sorted_brokers(
    sorting: Sorting, replicas: Iterable[int], leader: int | None, verdict: PartitionVerdict
) -> tuple[int, ...]:
    """The brokers of a partition as a sorting has them; those that are alike in it keep their usual order."""
    usual = tuple(replicas)
    match sorting:
        case Sorting.USUAL:
            return ()
        case Sorting.BROKER:
            return tuple(sorted(usual))
        case Sorting.LEADER:
            return tuple(sorted(usual, key=lambda broker: broker != leader))
        case Sorting.DIVERGENCE:
            return tuple(sorted(usual, key=lambda broker: -_apart(broker, verdict)))


def _apart(broker: int, verdict: PartitionVerdict) -> int:
    """How many records a replica holds otherwise than another, or had to remove."""
    differing = sum(one.end_offset - one.first_offset for one in verdict.divergences if broker in one.brokers)
    return differing + sum(cut.records or 0 for cut in verdict.truncations if cut.broker == broker)
