"""What ties the clocks of a cluster together: pairs of statements of which one came before the other."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from importers.disk.metadata_replay import METADATA_RULE, SNAPSHOT_RULE
from importers.lines.items import Item
from importers.merge.handshakes import handshakes
from importers.merge.order import APPLIES, decides, message_pairs, raised_epochs
from importers.merge.tie import Clock, Tie, clock_of, code_of, keep_first, tied_by


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
    found = (*_messages(items), *stated, *handshakes(items), *grown)
    return tuple(tie for tie in found if tie.one != tie.other)


def _of_topics_made_once(items: Sequence[Item]) -> list[Item]:
    """Without topics of one name one after the other: their epochs begin anew, and few lines have the id."""
    ids: dict[str, set[str]] = {}
    for item in items:
        if item.said.tp is not None and item.said.topic_id is not None:
            ids.setdefault(item.said.tp[0], set()).add(item.said.topic_id)
    return [item for item in items if item.said.tp is None or len(ids.get(item.said.tp[0], ())) < 2]


def _messages(items: Sequence[Item]) -> Iterator[Tie]:
    for before, after in message_pairs(items):
        yield from tied_by(items[before], items[after])


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
            keep_first(assigned.setdefault((said.tp, said.epoch), {}), clock, item)
    for key, applied in _applied(items).items():
        by_clock = assigned.get(key, {})
        # A node's record and its line of the same decision are one.
        records = {clock: item for clock, item in by_clock.items() if clock[0] == "records"}
        makers = records or by_clock
        if len(makers) == 1:
            (maker,) = makers.values()
            for item in applied.values():
                yield from tied_by(maker, item)


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
        keep_first(found.setdefault((said.tp, said.partition_epoch), {}), clock, item)
    for state, records in written.items():
        if len(records) == 1:
            (record,) = records.values()
            for line in told.get(state, {}).values():
                if line.said.kind in APPLIES:
                    yield from tied_by(record, line)


def _applied(items: Sequence[Item]) -> dict[tuple[tuple[str, int], int], dict[Clock, Item]]:
    """The first line on each clock that applies a leader epoch."""
    found: dict[tuple[tuple[str, int], int], dict[Clock, Item]] = {}
    for item in items:
        said, clock = item.said, clock_of(item)
        if clock is not None and said.kind in APPLIES and said.tp is not None and said.epoch is not None:
            keep_first(found.setdefault((said.tp, said.epoch), {}), clock, item)
    return found


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
                    yield from tied_by(first, item)


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
                yield from tied_by(role, min(later, key=lambda one: one.at))


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
                    yield from tied_by(proposal, min(later, key=lambda one: one.at))


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
