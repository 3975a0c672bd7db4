"""What ties the clocks of a cluster together: pairs of statements of which one came before the other."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER, Basis
from importers.disk.metadata_replay import METADATA_RULE, SNAPSHOT_RULE
from importers.lines.items import Item, Items
from importers.merge.order import APPLIES, decides, message_pairs, raised_epochs

Clock: TypeAlias = tuple[str, int]
"""("broker", 1): the stamps of its logs. ("records", 1): the stamps that it wrote into the metadata log."""


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


def clocks_in(items: Items) -> tuple[list[Clock], NDArray[np.int64]]:
    """The clocks whose times items have, and for each item the number of its clock, UNSAID for none."""
    logged = [at for at, text in enumerate(items.said.texts) if text == METADATA_RULE]
    known = items.broker != UNSAID
    codes = 2 * items.broker[known] + np.isin(items.said.columns["rule"][known], logged)
    found, number = np.unique(codes, return_inverse=True)
    clock_of = np.full(len(items), UNSAID)
    clock_of[known] = number
    return [("records" if code % 2 else "broker", code // 2) for code in found.tolist()], clock_of


def code_of(clock: Clock) -> int:
    """A clock as a number."""
    what, number = clock
    return 2 * number + (what == "records")


def tie_rows(items: Sequence[Item]) -> NDArray[np.int64]:
    """Ties as rows: the code of each clock, and what it shows behind it. A Question (apart.py)."""
    rows = [(code_of(tie.one), tie.before, code_of(tie.other), tie.after) for tie in ties(items)]
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def ties(items: Sequence[Item]) -> tuple[Tie, ...]:
    """Pairs that the protocol orders, each certain whatever the clocks show and whatever logs are missing.

    A message arrives after it was sent; a leader epoch is applied after it was assigned; the steps of one
    start of a broker follow each other; an in-sync set grows after leader and follower have begun its epoch;
    a set is applied after its leader proposed it, and a state of a partition after its record was written to
    the metadata log. What happens more than once is paired by a number that it has once, never by counting:
    any part of any log may be missing.
    """
    once = _of_topics_made_once(items)
    grown = (*_grown(once), *_let_in(once))
    stated = (*_assignments(once), *_states(once), *_proposed(once))
    found = (*_messages(items), *stated, *_handshakes(items), *grown)
    return tuple(tie for tie in found if tie.one != tie.other)


def _of_topics_made_once(items: Sequence[Item]) -> list[Item]:
    """Without topics of one name one after the other: their epochs begin anew, and few lines have the id."""
    ids: dict[str, set[str]] = {}
    for item in items:
        if item.said.tp is not None and item.said.topic_id is not None:
            ids.setdefault(item.said.tp[0], set()).add(item.said.topic_id)
    return [item for item in items if item.said.tp is None or len(ids.get(item.said.tp[0], ())) < 2]


def _tie(before: Item, after: Item) -> Iterator[Tie]:
    one, other = clock_of(before), clock_of(after)
    if one is not None and other is not None:
        yield Tie(one, before.at, other, after.at)


def _messages(items: Sequence[Item]) -> Iterator[Tie]:
    for before, after in message_pairs(items):
        yield from _tie(items[before], items[after])


def _assignments(items: Sequence[Item]) -> Iterator[Tie]:
    """From the assignment of a leader epoch to the first that applies it, on each clock.

    Where the logs of several nodes state the assignment, who of them made it is not known. A record of the
    metadata log assigns an epoch if the one before it about the partition had an earlier one.
    """
    assigned: dict[tuple[tuple[str, int], int], dict[Clock, Item]] = {}
    records_first = [items[number] for number in sorted(raised_epochs(items))]
    for item in (*records_first, *(item for item in items if decides(item))):
        said, clock = item.said, clock_of(item)
        if clock is not None and said.tp is not None and said.epoch is not None:
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


def _states(items: Sequence[Item]) -> Iterator[Tie]:
    """From the record of a partition's state to the first line on each clock that applies that state.

    Each record in the metadata log is a state of its own, with a partition epoch that no other has.
    """
    written: dict[tuple[tuple[str, int], int], dict[Clock, Item]] = {}
    told: dict[tuple[tuple[str, int], int], dict[Clock, Item]] = {}
    for item in items:
        said, clock = item.said, clock_of(item)
        if clock is None or said.tp is None or said.partition_epoch is None or item.rule == SNAPSHOT_RULE:
            continue
        found = written if item.rule == METADATA_RULE else told
        _keep_first(found.setdefault((said.tp, said.partition_epoch), {}), clock, item)
    for state, records in written.items():
        if len(records) == 1:
            (record,) = records.values()
            for line in told.get(state, {}).values():
                if line.said.kind in APPLIES:
                    yield from _tie(record, line)


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


def _handshakes(items: Sequence[Item]) -> Iterator[Tie]:
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
                    yield from () if starting is None else _tie(starting, noticed)
                    yield from _tie(noticed, item)
                for noticed in seen.get((broker, life, "broker_unfenced"), ()):
                    yield from _tie(item, noticed)
            for noticed in seen.get((broker, life, _OWN_STEPS[kind]), ()):
                if (
                    kind != "broker_unfenced"
                    or _saw_registration(seen, broker, life, noticed)
                    or _led_before(elected, life, noticed)
                ):
                    yield from _tie(noticed, item)


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
            _keep_first(found.setdefault((broker, life, item.said.kind), {}), clock, item)
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


def _grown(items: Sequence[Item]) -> Iterator[Tie]:
    """An in-sync set grows by the leader's wish, and the follower has fetched in that epoch.

    Both have begun the epoch before, in the life in which they did so: that is what became_leader and
    became_follower say. One with a partition epoch at or after the growth is of a later life.
    """
    begun: dict[tuple[tuple[str, int], int, int], list[Item]] = {}
    for item in items:
        said = item.said
        if (
            said.kind in ("became_leader", "became_follower")
            and said.tp is not None
            and said.epoch is not None
        ):
            begun.setdefault((said.tp, said.epoch, item.broker or 0), []).append(item)
    last: dict[tuple[tuple[str, int], int], frozenset[int]] = {}
    records = (item for item in items if item.rule == METADATA_RULE and item.said.isr is not None)
    for item in sorted(records, key=lambda one: one.place):
        said = item.said
        if said.tp is None or said.epoch is None or said.partition_epoch is None:
            continue
        key, now = (said.tp, said.epoch), frozenset(said.isr or ())
        joined = now - last.get(key, now)
        last[key] = now
        for broker in joined | ({said.leader} if joined and said.leader is not None else set[int]()):
            for first in begun.get((*key, broker), ()):
                number = first.said.partition_epoch
                if number is not None and number < said.partition_epoch:
                    yield from _tie(first, item)


def _let_in(items: Sequence[Item]) -> Iterator[Tie]:
    """The same by any line that has the set that grew or a later one, where the set before it is known.

    Such a line may have no leader epoch; the number of the partition's state says which roles came before it.
    Only a leader lets a replica into a set that stays: who is elected from outside has a set of his own.
    """
    sets: dict[tuple[tuple[str, int], int], frozenset[int]] = {}
    followed: dict[tuple[tuple[str, int], int], list[Item]] = {}
    stated: dict[tuple[str, int], dict[Clock, list[Item]]] = {}
    for item in items:
        said, clock = item.said, clock_of(item)
        if said.tp is None or said.partition_epoch is None or clock is None:
            continue
        if said.isr is not None:
            sets.setdefault((said.tp, said.partition_epoch), frozenset(said.isr))
        if said.kind == "became_follower" and item.broker is not None:
            followed.setdefault((said.tp, item.broker), []).append(item)
        if item.rule not in (METADATA_RULE, SNAPSHOT_RULE):
            stated.setdefault(said.tp, {}).setdefault(clock, []).append(item)
    for (tp, number), now in sets.items():
        before = sets.get((tp, number - 1), frozenset())
        roles = [
            role
            for broker in (now - before if before and before < now else ())
            for role in followed.get((tp, broker), ())
            if (role.said.partition_epoch or 0) < number
        ]
        for others in stated.get(tp, {}).values() if roles else ():
            later = [other for other in others if (other.said.partition_epoch or 0) >= number]
            for role in roles if later else ():
                yield from _tie(role, min(later, key=lambda one: one.at))


def _proposed(items: Sequence[Item]) -> Iterator[Tie]:
    """A leader's proposal of an in-sync set, and the first on each other clock to apply it or a later one.

    A proposal has no partition epoch; the leader's line on the set that was committed has. An older proposal
    of the same set came before, too.
    """
    proposals: dict[tuple[tuple[str, int], int], list[Item]] = {}
    applied: dict[tuple[str, int], dict[Clock, list[Item]]] = {}
    for item in items:
        said, clock = item.said, clock_of(item)
        if said.tp is None or clock is None or item.rule in (METADATA_RULE, SNAPSHOT_RULE):
            continue
        if said.kind in _PROPOSALS or (said.kind == "isr_committed" and said.leader == item.broker):
            proposals.setdefault((said.tp, item.source), []).append(item)
        if said.partition_epoch is not None:
            applied.setdefault(said.tp, {}).setdefault(clock, []).append(item)
    for (tp, _), own in proposals.items():
        for proposal, number in _committed(own):
            for clock, others in applied.get(tp, {}).items():
                later = [other for other in others if (other.said.partition_epoch or 0) >= number]
                if clock != clock_of(proposal) and later:
                    yield from _tie(proposal, min(later, key=lambda one: one.at))


_PROPOSALS: Final = ("isr_shrink_proposed", "isr_expand_proposed")


def _committed(own: Sequence[Item]) -> Iterator[tuple[Item, int]]:
    """Proposals of one log about one partition, with the partition epochs of the sets that they became."""
    last: dict[frozenset[int], Item] = {}
    for item in sorted(own, key=lambda one: one.place):
        members = frozenset(item.said.isr or ())
        if item.said.kind in _PROPOSALS:
            last[members] = item
        elif members in last and item.said.partition_epoch is not None:
            yield last[members], item.said.partition_epoch
