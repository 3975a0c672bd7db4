"""How far the clocks of brokers are apart, as intervals, from messages that go both ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from importers.items import Item
from importers.order import message_pairs

_TICK: Final = 1_000_000
"""Stamps are cut to milliseconds."""


@dataclass(frozen=True, slots=True)
class Skew:
    """What must be added to a broker's stamps, in ns: between `lo` and `hi`, None where no message bounds it."""

    lo: int | None
    hi: int | None

    @property
    def correction(self) -> int:
        """0 where the interval holds it, else the bound nearest to it."""
        if self.lo is not None and self.lo > 0:
            return self.lo
        if self.hi is not None and self.hi < 0:
            return self.hi
        return 0

    def __str__(self) -> str:
        """`lo..hi ns`."""
        lo = "unbounded" if self.lo is None else str(self.lo)
        hi = "unbounded" if self.hi is None else str(self.hi)
        return f"{lo}..{hi} ns"


def clock_skews(items: Sequence[Item]) -> Mapping[int, Skew]:
    """The skew of each broker against the lowest broker id. A message cannot arrive before it was sent: that bounds
    the difference from one side, and through other brokers too (shortest paths over the bounds).
    """
    brokers = sorted({item.broker for item in items if item.broker is not None})
    bound: dict[tuple[int, int], int] = {}
    for before, after in message_pairs(items):
        sender, receiver = items[before].broker, items[after].broker
        if sender is None or receiver is None or sender == receiver:
            continue
        # sent + skew(sender) <= received + skew(receiver)
        slack = items[after].at - items[before].at + _TICK
        known = bound.get((sender, receiver))
        bound[sender, receiver] = slack if known is None else min(known, slack)
    for via in brokers:
        for one in brokers:
            for other in brokers:
                if (one, via) in bound and (via, other) in bound and one != other:
                    way = bound[one, via] + bound[via, other]
                    bound[one, other] = min(bound.get((one, other), way), way)
    if not brokers:
        return {}
    reference = brokers[0]
    skews = {reference: Skew(0, 0)}
    for broker in brokers[1:]:
        hi = bound.get((broker, reference))
        lo = bound.get((reference, broker))
        skews[broker] = Skew(None if lo is None else -lo, hi)
    return skews
