"""What ties the clocks of a cluster together: pairs of statements of which one came before the other."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from core.trace.vocabulary import Basis
from importers.items import Item, about
from importers.metadata_replay import METADATA_RULE
from importers.order import APPLIES, LOGGED, message_pairs

Clock: TypeAlias = tuple[str, int]
"""("broker", 1): the stamps of its logs. ("records", 1): the stamps that it wrote into the metadata log."""
_KRAFT: Final = "kraft-"
_HANDSHAKE: Final = (
    ("broker_starting", "broker_registered", True),
    ("broker_registered", "broker_registered", False),
    ("broker_registered", "broker_unfenced", True),
    ("broker_unfenced", "broker_unfenced", False),
    ("controlled_shutdown_begun", "controlled_shutdown_begun", True),
    ("controlled_shutdown_ended", "controlled_shutdown_ended", False),
)
"""What a broker says of itself, what the controller says of it, and whether the broker's comes first."""


@dataclass(frozen=True, slots=True)
class Tie:
    """`before` on one clock was no later than `after` on another; both in ns as these clocks show them."""

    one: Clock
    before: int
    other: Clock
    after: int


def clock_of(item: Item) -> Clock | None:
    """Whose clock an item's time is."""
    if item.broker is None:
        return None
    return "records" if item.rule == METADATA_RULE else "broker", item.broker


def ties(items: Sequence[Item]) -> tuple[Tie, ...]:
    """Pairs that the protocol orders, each certain whatever the clocks show.

    A message arrives after it was sent; a leader epoch is applied after it was assigned; the steps of a start
    and a stop follow each other; an in-sync set grows after leader and follower have applied its epoch.
    """
    found = (*_messages(items), *_assignments(items), *_handshakes(items), *_grown(items))
    return tuple(tie for tie in found if tie.one != tie.other)


def _tie(before: Item, after: Item) -> Iterator[Tie]:
    one, other = clock_of(before), clock_of(after)
    if one is not None and other is not None:
        yield Tie(one, before.at, other, after.at)


def _messages(items: Sequence[Item]) -> Iterator[Tie]:
    for before, after in message_pairs(items):
        yield from _tie(items[before], items[after])


def _assignments(items: Sequence[Item]) -> Iterator[Tie]:
    """From the assignment of a leader epoch to the first that applies it, on each clock.

    Where the logs of several nodes state the assignment, who of them made it is not known.
    """
    assigned: dict[tuple[tuple[str, int], int], dict[Clock, Item]] = {}
    for item in items:
        said, clock = item.said, clock_of(item)
        logged = item.rule == METADATA_RULE and said.kind in LOGGED | {"isr_committed"}
        decided = said.kind in ("leader_elected", "leaderless") and said.basis is not Basis.REPORTED
        if clock is not None and (logged or decided) and said.tp is not None and said.epoch is not None:
            _keep_first(assigned.setdefault((said.tp, said.epoch), {}), clock, item)
    for key, applied in _applied(items).items():
        by_clock = assigned.get(key, {})
        # A node's record and its line of the same decision are one.
        records = {clock: item for clock, item in by_clock.items() if clock[0] == "records"}
        makers = records or by_clock
        if len(makers) == 1:
            (maker,) = makers.values()
            for item in applied.values():
                yield from _tie(maker, item)


def _applied(items: Sequence[Item]) -> dict[tuple[tuple[str, int], int], dict[Clock, Item]]:
    """The first line on each clock that applies a leader epoch."""
    found: dict[tuple[tuple[str, int], int], dict[Clock, Item]] = {}
    for item in items:
        said, clock = item.said, clock_of(item)
        if clock is not None and said.kind in APPLIES and said.tp is not None and said.epoch is not None:
            _keep_first(found.setdefault((said.tp, said.epoch), {}), clock, item)
    return found


def _keep_first(found: dict[Clock, Item], clock: Clock, item: Item) -> None:
    known = found.get(clock)
    if known is None or item.at < known.at:
        found[clock] = item


def registrations(
    items: Sequence[Item],
    registering: Mapping[int, Sequence[int]],
    corrected: Callable[[Clock, int], int],
) -> Iterator[Tie]:
    """The n-th registration of a broker (`registering`) with the n-th time that a controller notices it.

    The controllers that notice one broker are several over time: which notice came first is known only when
    the clocks are known a little (`corrected`). Where a broker's log begins with a start that finds what an
    earlier life left, that life's registration is missing, and nothing is paired.
    """
    for broker, times in registering.items():
        if times and _lacks_a_life(items, broker, min(times)):
            continue
        noticed = sorted(
            (corrected(("broker", item.broker), item.at), item.at, item.broker)
            for item in items
            if item.said.kind == "broker_registered"
            and item.said.replica == broker
            and item.broker is not None
            and item.rule != METADATA_RULE
        )
        if len(times) >= len(noticed):
            for sent, (_, received, controller) in zip(sorted(times), noticed, strict=False):
                if controller != broker:
                    yield Tie(("broker", broker), sent, ("broker", controller), received)


def _lacks_a_life(items: Sequence[Item], broker: int, registered: int) -> bool:
    """Whether a broker's log begins with the start before a registration, and that start loads older logs."""
    before = [item for item in items if item.broker == broker and item.at <= registered]
    own = [item for item in before if item.said.kind not in ("broker_crashed", "evidence_gap")]
    starts = [item.at for item in own if item.said.kind == "broker_starting"]
    if not starts or min(item.at for item in own) < min(starts):
        return False
    return any(
        item.said.kind == "unclean_restart_detected" or (item.said.kind == "log_loaded" and item.said.leo)
        for item in own
    )


def _handshakes(items: Sequence[Item]) -> Iterator[Tie]:
    """The n-th start or stop as the broker tells it, with the n-th as a controller does; as many of both."""
    own: dict[tuple[int, str], list[Item]] = {}
    seen: dict[tuple[int, str, Clock], list[Item]] = {}
    for item in sorted(items, key=lambda one: one.place):
        clock, broker, kind = clock_of(item), about(item), item.said.kind
        if clock is None or broker is None or not item.rule.startswith((_KRAFT, METADATA_RULE)):
            continue
        if item.rule != METADATA_RULE and item.said.replica in (None, item.broker):
            own.setdefault((broker, kind), []).append(item)
        elif kind != "broker_unfenced" or _is_first(seen, (broker, clock)):
            seen.setdefault((broker, kind, clock), []).append(item)
    for (broker, kind, _clock), observed in seen.items():
        for said, noticed, first in _HANDSHAKE:
            told = own.get((broker, said), [])
            if noticed == kind and len(told) == len(observed):
                for mine, theirs in zip(told, observed, strict=True):
                    yield from _tie(mine, theirs) if first else _tie(theirs, mine)


def _is_first(seen: Mapping[tuple[int, str, Clock], Sequence[Item]], key: tuple[int, Clock]) -> bool:
    """Whether an unfencing is the first since a registration: a frozen broker is unfenced too, and silent."""
    broker, clock = key
    registered = len(seen.get((broker, "broker_registered", clock), ()))
    return len(seen.get((broker, "broker_unfenced", clock), ())) < registered


def _grown(items: Sequence[Item]) -> Iterator[Tie]:
    """An in-sync set grows by the leader's wish, and the follower has fetched in that epoch."""
    applied = _applied(items)
    last: dict[tuple[tuple[str, int], int], frozenset[int]] = {}
    records = (item for item in items if item.rule == METADATA_RULE and item.said.isr is not None)
    for item in sorted(records, key=lambda one: one.place):
        said = item.said
        if said.tp is None or said.epoch is None:
            continue
        key, now = (said.tp, said.epoch), frozenset(said.isr or ())
        joined = now - last.get(key, now)
        last[key] = now
        for broker in joined | ({said.leader} if joined and said.leader is not None else set[int]()):
            first = applied.get(key, {}).get(("broker", broker))
            if first is not None:
                yield from _tie(first, item)
