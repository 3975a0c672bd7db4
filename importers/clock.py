"""How far the clocks of brokers are apart, as intervals, from messages that go both ways."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from importers.items import Item
from importers.order import epoch_edges, message_pairs

_TICK: Final = 1_000_000
"""Stamps are cut to milliseconds."""


@dataclass(frozen=True, slots=True)
class Skew:
    """What must be added to a broker's stamps, in ns: from `lo` to `hi`, None where no message bounds it."""

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


def clock_skews(items: Sequence[Item], registering: Mapping[int, Sequence[int]]) -> Mapping[int, Skew]:
    """The skew of each broker against the lowest broker id.

    A message cannot arrive before it was sent, a leader epoch cannot be applied before it was assigned, and a
    controller cannot see a broker before it registers (`registering`: the times at which each broker said it
    was about to). Either bounds the difference from one side, and through other brokers too (shortest paths
    over the bounds).
    """
    brokers = sorted({item.broker for item in items if item.broker is not None})
    bound: dict[tuple[int, int], int] = {}
    edges = (*message_pairs(items), *((edge.before, edge.after) for edge in epoch_edges(items)))
    pairs = [
        (items[before].broker, items[before].at, items[after].broker, items[after].at)
        for before, after in edges
    ]
    for sender, sent, receiver, received in (*pairs, *_registrations(items, registering)):
        if sender is not None and receiver is not None and sender != receiver:
            # The sum of a stamp and its skew must not go back from sender to receiver.
            slack = received - sent + _TICK
            bound[sender, receiver] = min(bound.get((sender, receiver), slack), slack)
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


def _registrations(
    items: Sequence[Item], registering: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, int, int | None, int]]:
    """The n-th registration of a broker with the n-th time that a controller notices it."""
    for broker, times in registering.items():
        noticed = sorted(
            (item.at, item.broker)
            for item in items
            if item.said.kind == "broker_registered"
            and item.said.replica == broker
            and item.broker is not None
        )
        if len(times) >= len(noticed):
            for sent, (received, controller) in zip(sorted(times), noticed, strict=False):
                yield broker, sent, controller, received
