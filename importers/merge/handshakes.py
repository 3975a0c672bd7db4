"""What the starts and stops of brokers tie: a broker and the controller that it registers with."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER, Basis
from importers.disk.metadata_replay import METADATA_RULE
from importers.lines.items import Item, Items
from importers.merge.tie import Clock, Tie, clock_of, keep_first, tied_by


def registrations(
    items: Items,
    registering: Mapping[int, Sequence[int]],
    corrected: Callable[[Clock, int], int],
) -> Mapping[int, tuple[Tie, ...]]:
    """By broker: its n-th registration (`registering`) with the n-th time that a controller notices it.

    To 2.1 nothing in these lines names a life. A notice that is missing does no harm: a registration comes
    before every later notice. One that is missing does: where a broker's log begins with a start that finds
    what an earlier life left, nothing is paired, and a hole later in its log is not seen. So these ties are
    not certain: merge/clock.py asks whether others bear them out. The controllers that notice one broker
    are several over time: which notice came first is known only when the clocks are known a little
    (`corrected`).
    """
    found: dict[int, tuple[Tie, ...]] = {}
    notices = list(items.of_kinds(("broker_registered",)))
    for broker, times in registering.items():
        if not times or _lacks_a_life(items, broker, min(times)):
            continue
        noticed = sorted(
            (corrected(("broker", item.broker), item.at), item.at, item.broker)
            for item in notices
            if item.said.replica == broker and item.broker is not None and item.rule != METADATA_RULE
        )
        if len(times) >= len(noticed):
            found[broker] = tuple(
                Tie(("broker", broker), sent, ("broker", controller), received)
                for sent, (_, received, controller) in zip(sorted(times), noticed, strict=False)
                if controller != broker
            )
    return found


def _lacks_a_life(items: Items, broker: int, registered: int) -> bool:
    """Whether a broker's log begins within a life, or with a start that loads older logs."""
    of_it = np.flatnonzero((items.broker == broker) & (items.at <= registered))
    kind, leo = (items.said.columns[name][of_it] for name in ("kind", "leo"))
    own = ~np.isin(kind, [NUMBER["broker_crashed"], NUMBER["evidence_gap"]])
    begun = items.at[of_it][own & (kind == NUMBER["broker_starting"])]
    if own.any() and (not len(begun) or items.at[of_it][own].min() < begun.min()):
        return True
    holds = (kind == NUMBER["log_loaded"]) & (leo != UNSAID) & (leo != 0)
    return bool((own & ((kind == NUMBER["unclean_restart_detected"]) | holds)).any())


def handshakes(items: Sequence[Item]) -> Iterator[Tie]:
    """The steps of a start and a stop under KRaft, as the broker and as a controller tell them.

    The broker epoch names the life: it is the offset of the record of the registration. A line of the broker
    without it belongs to the life that its log named last, or, where lines are missing, to a later one: it
    is used only as what came after. A line before the registration came before it in any case.
    """
    seen, elected = _of_lives(items), _elections(items)
    by_broker: dict[int, list[Item]] = {}
    for item in items:
        if item.broker is not None and item.said.kind in _OWN_STEPS and _is_own(item):
            by_broker.setdefault(item.broker, []).append(item)
    for broker, own in by_broker.items():
        starting: Item | None = None
        life: int | None = None
        for item in sorted(own, key=lambda one: one.place):
            kind = item.said.kind
            if kind == "broker_starting":
                starting = item
            elif kind == "broker_registered":
                life = item.said.life
                for noticed in seen.get((broker, life, "broker_registered"), ()):
                    yield from () if starting is None else tied_by(starting, noticed)
                    yield from tied_by(noticed, item)
                for noticed in seen.get((broker, life, "broker_unfenced"), ()):
                    yield from tied_by(item, noticed)
            for noticed in seen.get((broker, life, _OWN_STEPS[kind]), ()):
                if (
                    kind != "broker_unfenced"
                    or _saw_registration(seen, broker, life, noticed)
                    or _led_before(elected, life, noticed)
                ):
                    yield from tied_by(noticed, item)


_OWN_STEPS: Final = {
    "broker_starting": "",
    "broker_registered": "",
    "broker_unfenced": "broker_unfenced",
    "controlled_shutdown_ended": "controlled_shutdown_begun",
}
"""What a broker says of itself, and what a controller has said before, in the same life of the broker."""


def _is_own(item: Item) -> bool:
    """A controller on the same node says of its broker what it is told (REPORTED)."""
    told = item.rule == METADATA_RULE or item.said.basis is Basis.REPORTED
    return not told and item.said.replica in (None, item.broker)


def _of_lives(items: Sequence[Item]) -> Mapping[tuple[int, int | None, str], Sequence[Item]]:
    """By (broker, broker epoch, kind): the first of each clock that says it of a broker."""
    found: dict[tuple[int, int | None, str], dict[Clock, Item]] = {}
    for item in items:
        clock, broker, life = clock_of(item), item.said.replica, item.said.life
        if clock is not None and broker is not None and life is not None:
            keep_first(found.setdefault((broker, life, item.said.kind), {}), clock, item)
    return {key: tuple(by_clock.values()) for key, by_clock in found.items()}


def _saw_registration(
    seen: Mapping[tuple[int, int | None, str], Sequence[Item]],
    broker: int,
    life: int | None,
    let_in: Item,
) -> bool:
    """Whether the controller that lets a broker in saw it register in this life.

    A frozen broker is fenced, and let in again. Which time is the first is known only then.
    """
    registered = seen.get((broker, life, "broker_registered"), ())
    return clock_of(let_in) in map(clock_of, registered)


def _elections(items: Sequence[Item]) -> Mapping[Clock, Sequence[Item]]:
    """By clock: what a log of KRaft's controllers tells of its own elections, in order."""
    found: dict[Clock, list[Item]] = {}
    for item in items:
        clock = clock_of(item)
        if clock is not None and item.said.kind in ("controller_elected", "controller_resigned"):
            found.setdefault(clock, []).append(item)
    return {clock: sorted(own, key=lambda one: one.place) for clock, own in found.items()}


def _led_before(elected: Mapping[Clock, Sequence[Item]], life: int | None, let_in: Item) -> bool:
    """Whether the controller that lets a broker in led since before it registered, so that no other did.

    A broker epoch is the offset that the controller writes next (ClusterControlManager.registerBroker); that
    of its first record is told from 3.6 on.
    """
    clock = clock_of(let_in)
    own = () if clock is None else elected.get(clock, ())
    last = next((one for one in reversed(own) if one.place < let_in.place), None)
    return last is not None and last.said.life is not None and life is not None and last.said.life <= life
