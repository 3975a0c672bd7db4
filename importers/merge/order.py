"""One total order over all files: lines of a file in their order, then the protocol, then time."""

import heapq
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.assumptions import CONTROLLER_TELLS_BROKERS_WITHIN
from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER, Basis
from importers.disk.metadata_replay import METADATA_RULE, SNAPSHOT_RULE
from importers.lines.digits import spread
from importers.lines.items import Item, Items, items_of, joined_items
from importers.merge.apart import Ask, ask_here
from importers.merge.telling import telling

ASSIGNS: Final = frozenset({"leader_elected", "leaderless", "isr_committed"})
LOGGED: Final = frozenset({"partition_created", "partition_state"})
"""In the metadata log these may assign an epoch too; a controller's log says them again whenever it loads."""
APPLIES: Final = frozenset(
    {"leader_and_isr_sent", "leader_and_isr_received", "became_leader", "became_follower", "metadata_applied"}
)
"""A broker cannot apply a leader epoch before the controller assigned it."""
_FOLLOWS: Final = frozenset({"fetcher_added"})
"""Nor fetch in it."""
_WITH_LOG_END: Final = frozenset({"became_leader", "became_follower"})
RESTATES: Final = frozenset({"replica-removed", "controller-isr-updated-3.3"})
"""Rules whose lines also repeat an epoch that stood: ReplicaStateMachine lists what was already so, and a
leader asks for another in-sync set in the epoch that it leads in (KIP-497)."""
Rows: TypeAlias = NDArray[np.int64]
_Epoch: TypeAlias = tuple[tuple[str, int], str | None, int]
NO_CAUSE: Final = UNSAID
_EPOCH_STRENGTH: Final = 1
_MESSAGE_STRENGTH: Final = 2


@dataclass(frozen=True, slots=True)
class Edge:
    """`before` comes before `after`, both by number; the weaker one gives way in a contradiction."""

    before: int
    after: int
    strength: int


@dataclass(frozen=True, slots=True)
class Ordered:
    """Items in order, with for each the place of the item that made it possible, or NO_CAUSE.

    `broken` are the edges that contradicted the order of lines, as pairs of places.
    """

    items: Items
    causes: NDArray[np.int64]
    broken: tuple[tuple[int, int], ...]


def message_pairs(items: Sequence[Item]) -> tuple[tuple[int, int], ...]:
    """Sent and received, by number: the n-th message of a key with the n-th arrival.

    A request is sent again to a broker that starts again. Where a message was lost, the arrival belongs to a
    later one, and is still after the one it is paired with. Where the sender's log is not whole an arrival
    may be of a message that is missing: nothing is paired if there are more arrivals than messages, or if
    the log is not seen to reach back to before the epoch (`_reaches_back`).
    """
    sent: dict[str, list[int]] = {}
    received: dict[str, list[int]] = {}
    for number in sorted(range(len(items)), key=lambda n: items[n].place):
        said = items[number].said
        if said.sends:
            sent.setdefault(said.sends, []).append(number)
        if said.receives:
            received.setdefault(said.receives, []).append(number)
    earlier, decided = _first_words(items), _decided(items)
    pairs: list[tuple[int, int]] = []
    for key, arrivals in received.items():
        messages = sent.get(key, [])
        if len(messages) >= len(arrivals) and _reaches_back(items[messages[0]], earlier, decided):
            pairs += zip(messages, arrivals, strict=False)
    return tuple(sorted(pairs))


def decides(item: Item) -> bool:
    """Whether a controller says in its log that it has just begun a leader epoch."""
    said = item.said
    elects = said.kind in ("leader_elected", "leaderless") and said.basis is not Basis.REPORTED
    return elects and item.rule not in RESTATES | {METADATA_RULE}


def _first_words(items: Sequence[Item]) -> Mapping[tuple[int, tuple[str, int]], Item]:
    """By source and partition: the first line that has a leader epoch of it."""
    found: dict[tuple[int, tuple[str, int]], Item] = {}
    for item in items:
        said = item.said
        if said.tp is not None and said.epoch is not None:
            known = found.get((item.source, said.tp))
            if known is None or (item.byte, item.ordinal) < (known.byte, known.ordinal):
                found[item.source, said.tp] = item
    return found


def _decided(items: Sequence[Item]) -> Mapping[tuple[int | None, tuple[str, int], int], int]:
    """By broker, partition and epoch: when its own log says that it began the epoch."""
    found: dict[tuple[int | None, tuple[str, int], int], int] = {}
    for item in items:
        said = item.said
        if said.tp is not None and said.epoch is not None and decides(item):
            key = item.broker, said.tp, said.epoch
            found[key] = min(item.at, found.get(key, item.at))
    return found


def _reaches_back(
    message: Item,
    earlier: Mapping[tuple[int, tuple[str, int]], Item],
    decided: Mapping[tuple[int | None, tuple[str, int], int], int],
) -> bool:
    """Whether the first message of an epoch that is seen is the first that was sent.

    It is where the same log has an earlier epoch of the partition before it, and where the sender decided
    the epoch just before.
    """
    said = message.said
    if said.tp is None or said.epoch is None:
        return False
    first = earlier[message.source, said.tp].said.epoch
    made = decided.get((message.broker, said.tp, said.epoch))
    return (first is not None and first < said.epoch) or (
        made is not None and made <= message.at <= made + CONTROLLER_TELLS_BROKERS_WITHIN.ns
    )


def epoch_edges(items: Sequence[Item]) -> tuple[Edge, ...]:
    """From the first assignment of a leader epoch that is seen to everything that applies it.

    A record of the metadata log that is only read again (REPORTED) may be told after those that applied it.
    So may any line where the log of the controller that assigned the epoch is missing: a broker that applied
    an epoch before it says that it assigned it did not assign it.
    """
    first = _assignments(items)
    edges: list[Edge] = []
    for number, item in enumerate(items):
        said = item.said
        if said.kind in APPLIES | _FOLLOWS and said.tp is not None and said.epoch is not None:
            assigned = first.get((said.tp, said.topic_id, said.epoch))
            if assigned is not None:
                edges.append(Edge(assigned, number, _EPOCH_STRENGTH))
    return tuple(edges)


def creation_edges(items: Sequence[Item]) -> tuple[Edge, ...]:
    """From a log that is created to the roles with its log end that the broker tells in the same moment.

    Partition.makeLeader and makeFollower create the log first; server.log tells of it, state-change.log of
    the role. An empty log that came after a role would take away what that role says the log holds.
    """
    created = {
        (item.broker, item.said.tp, item.at): number
        for number, item in enumerate(items)
        if item.said.kind == "log_created" and item.said.tp is not None
    }
    edges: list[Edge] = []
    for number, item in enumerate(items):
        said = item.said
        if said.kind in _WITH_LOG_END and said.leo is not None and said.tp is not None:
            log = created.get((item.broker, said.tp, item.at))
            if log is not None:
                edges.append(Edge(log, number, _EPOCH_STRENGTH))
    return tuple(edges)


def _reset_edges(items: Items) -> Iterator[Edge]:
    """From a fetch out of range to the cut that follows it in the same moment, to the offset that it names.

    A log that came twice, each time with other lines missing, has them in two chains.
    """
    # One by one would make all columns of all items again for each.
    kinds = items.said.columns["kind"]
    resets = np.flatnonzero(kinds == NUMBER["fetch_offset_reset"])
    if not len(resets):
        return
    truncated = np.flatnonzero(kinds == NUMBER["truncated"])
    cuts: dict[object, list[tuple[int, int]]] = {}
    for number, cut in zip(truncated.tolist(), items.taken(truncated).kept(), strict=True):
        cuts.setdefault((cut.broker, cut.said.tp, cut.said.offset, cut.at), []).append((number, cut.source))
    for number, reset in zip(resets.tolist(), items.taken(resets).kept(), strict=True):
        for cut, source in cuts.get((reset.broker, reset.said.tp, reset.said.offset, reset.at), ()):
            if source != reset.source:
                yield Edge(number, cut, _EPOCH_STRENGTH)


def _assignments(items: Sequence[Item]) -> dict[_Epoch, int]:
    """The item that assigned each leader epoch, where one is sure to have done so."""
    first: dict[_Epoch, int] = {}
    raised = raised_epochs(items)
    for number, item in enumerate(items):
        said = item.said
        logged = item.rule in (METADATA_RULE, SNAPSHOT_RULE)
        spoken = said.kind in ASSIGNS and said.basis is not Basis.REPORTED and item.rule not in RESTATES
        assigns = number in raised if logged else spoken
        if assigns and said.tp is not None and said.epoch is not None:
            known = first.get((said.tp, said.topic_id, said.epoch))
            if known is None or item.place < items[known].place:
                first[said.tp, said.topic_id, said.epoch] = number
    for item in items:
        said = item.said
        if said.kind not in APPLIES or said.tp is None or said.epoch is None:
            continue
        number = first.get((said.tp, said.topic_id, said.epoch))
        one = None if number is None else items[number]
        # One broker has one clock; the metadata log's stamps are those of whoever was the controller.
        if one is not None and one.rule != METADATA_RULE and one.broker == item.broker and item.at < one.at:
            del first[said.tp, said.topic_id, said.epoch]
    return first


def raised_epochs(items: Sequence[Item]) -> set[int]:
    """The numbers of records of the metadata log that raise a leader epoch.

    Where its head is missing, what is read first of a partition may repeat an epoch that has stood for long.
    """
    last: dict[tuple[tuple[str, int], str | None], int] = {}
    found: set[int] = set()
    for number, item in enumerate(items):
        said = item.said
        if item.rule not in (METADATA_RULE, SNAPSHOT_RULE) or said.tp is None or said.epoch is None:
            continue
        known = last.get((said.tp, said.topic_id))
        if said.kind == "partition_created" or (known is not None and said.epoch > known):
            found.add(number)
        last[said.tp, said.topic_id] = said.epoch
    return {number for number in found if items[number].rule == METADATA_RULE}


def order(chains: Sequence[Sequence[Item]], ask: Ask = ask_here) -> Ordered:
    """Merge chains (one per file, each in its own order) into one order. `ask` finds the edges."""
    parts = [items_of(chain) for chain in chains]
    items = joined_items(parts)
    edges = _edges(items, ask)
    places, broken = _merged(items, [len(part) for part in parts], edges)
    at_place = np.empty_like(places)
    at_place[places] = np.arange(len(places))
    causes = np.full(len(items), NO_CAUSE)
    before, after = at_place[edges[edges[:, 2] == _MESSAGE_STRENGTH, :2]].T
    causes[after[before < after]] = before[before < after]
    return Ordered(
        items.taken(places),
        causes,
        tuple((int(at_place[edge.before]), int(at_place[edge.after])) for edge in broken),
    )


def edge_rows(items: Sequence[Item]) -> Rows:
    """The edges between some items: before and after, by number, and the strength. A Question (apart.py)."""
    rows = [(before, after, _MESSAGE_STRENGTH) for before, after in message_pairs(items)]
    rows += [
        (edge.before, edge.after, edge.strength) for edge in (*epoch_edges(items), *creation_edges(items))
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _edges(items: Items, ask: Ask) -> Rows:
    """All edges as rows of numbers, those of messages first."""
    numbers = telling(items)
    found: list[Rows] = []
    for some, rows in ask(items.taken(numbers), edge_rows):
        found.append(np.column_stack((numbers[some][rows[:, :2]], rows[:, 2])))
    resets = [(edge.before, edge.after, edge.strength) for edge in _reset_edges(items)]
    rows = np.concatenate([*found, np.array(resets, dtype=np.int64).reshape(-1, 3)])
    sent = rows[:, 2] == _MESSAGE_STRENGTH
    messages, others = rows[sent], rows[~sent]
    messages = messages[np.lexsort((messages[:, 1], messages[:, 0]))]
    return np.concatenate([messages, others[np.argsort(others[:, 1], kind="stable")]])


def _merged(items: Items, lengths: Sequence[int], edges: Rows) -> tuple[NDArray[np.int64], list[Edge]]:
    """Numbers in order, and the edges that had to give way.

    An item comes when all before it in its chain have come, and of those that can come the earliest. So each
    counts as late as the latest before it in its chain. Where that order contradicts no edge, none is waited
    for; else the items are put into it one by one.
    """
    rank = np.empty(len(items), dtype=np.int64)
    rank[items.by_place()] = np.arange(len(items))
    late = rank.copy()
    start = 0
    for length in lengths:
        late[start : start + length] = np.maximum.accumulate(rank[start : start + length])
        start += length
    places = np.argsort(late, kind="stable")
    at_place = np.empty_like(places)
    at_place[places] = np.arange(len(places))
    before, after = at_place[edges[:, :2]].T
    if (before < after).all():
        return places, []
    stretches, broken = _merge(rank, lengths, _across(edges, lengths))
    begins, ends = np.array(stretches, dtype=np.int64).T
    return spread(begins, ends - begins)[1], broken


def _across(edges: Rows, lengths: Sequence[int]) -> list[Edge]:
    """The edges without those that the order of a chain fulfils."""
    before, after = edges[:, :2].T
    starts = np.cumsum([0, *lengths])
    chain_of = [np.searchsorted(starts, ends, side="right") for ends in (before, after)]
    across = (chain_of[0] != chain_of[1]) | (before >= after)
    return [Edge(*row) for row in edges[across].tolist()]


def _merge(
    rank: NDArray[np.int64], lengths: Sequence[int], edges: Sequence[Edge]
) -> tuple[list[tuple[int, int]], list[Edge]]:
    """Spans of numbers in order, and the edges that had to give way.

    The earliest item that is ready goes first, and those behind it in its chain with it, as long as they are
    earlier than all others that are ready and have no edge.
    """
    waiting = _Waiting(lengths, edges)
    # Where a chain or a span of it without edges ends.
    ends = np.cumsum(lengths)
    stops = sorted({number for edge in edges for number in (edge.before, edge.after)} | {*ends.tolist()})
    chain_ends = set(ends.tolist())
    first = [end - length for end, length in zip(ends.tolist(), lengths, strict=True) if length]
    ready = [(int(rank[number]), number) for number in waiting.freed(first)]
    heapq.heapify(ready)
    done: list[tuple[int, int]] = []
    while ready:
        _, number = heapq.heappop(ready)
        limit = number + 1 if number in waiting.follows else stops[bisect_right(stops, number)]
        after = _first_later(rank, (number + 1, limit), ready[0][0] if ready else len(rank))
        done.append((number, after))
        for one in waiting.passed(number, None if after in chain_ends else after):
            heapq.heappush(ready, (int(rank[one]), one))
    return done, waiting.broken


class _Waiting:
    """Which item each chain has come to, and which of these wait for an item of another chain.

    Items that wait for each other in a circle would wait for ever: the weakest edge of a circle gives way as
    soon as the circle is closed. Were it kept until nothing else is ready, all that follows in the chains of
    the circle would come behind everything else.
    """

    def __init__(self, lengths: Sequence[int], edges: Sequence[Edge]) -> None:
        """Nothing has come yet."""
        self.follows: dict[int, list[Edge]] = {}
        self.broken: list[Edge] = []
        self._waits: dict[int, list[Edge]] = {}
        for edge in edges:
            self.follows.setdefault(edge.before, []).append(edge)
            self._waits.setdefault(edge.after, []).append(edge)
        self._starts = [0, *accumulate(lengths)]
        self._heads: dict[int, int] = {}

    def freed(self, heads: Sequence[int]) -> list[int]:
        """The items among these, to which their chains have come, that wait for nothing, and those let go."""
        for head in heads:
            self._heads[self._chain(head)] = head
        return [free for head in heads for free in (self._let_go(head) if head in self._waits else [head])]

    def passed(self, number: int, following: int | None) -> list[int]:
        """An item has come, and its chain goes on to another: who is ready now."""
        chain = self._chain(number)
        ready = [edge.after for edge in self.follows.get(number, ()) if self._arrive(edge)]
        ready = [one for one in dict.fromkeys(ready) if self._heads.get(self._chain(one)) == one]
        if following is None:
            del self._heads[chain]
            return ready
        return [*(one for one in ready if one != following), *self.freed([following])]

    def _chain(self, number: int) -> int:
        return bisect_right(self._starts, number) - 1

    def _arrive(self, edge: Edge) -> bool:
        """Take an edge off its waiting end; True when nothing else is waited for."""
        pending = self._waits.get(edge.after)
        if pending is None or edge not in pending:
            return False
        pending.remove(edge)
        if pending:
            return False
        del self._waits[edge.after]
        return True

    def _let_go(self, head: int) -> list[int]:
        """Break all circles through an item; who is ready by that."""
        ready: list[int] = []
        while head in self._waits and (circles := self._circles(head)):
            weakest = min(circles, key=lambda edge: (edge.strength, edge.after, edge.before))
            self.broken.append(weakest)
            if self._arrive(weakest):
                ready.append(weakest.after)
        return ready

    def _circles(self, head: int) -> list[Edge]:
        """The edges by which an item waits for itself."""
        held_by: dict[int, list[Edge]] = {}
        for one in _reached(head, lambda one: map(self._waited_for, self._waits.get(one, ()))):
            for edge in self._waits.get(one, ()):
                held_by.setdefault(self._waited_for(edge), []).append(edge)
        back = _reached(head, lambda one: (edge.after for edge in held_by.get(one, ())))
        return [edge for one in back for edge in held_by.get(one, ())]

    def _waited_for(self, edge: Edge) -> int:
        """The item to which the chain has come in which the beginning of an edge lies."""
        return self._heads[self._chain(edge.before)]


def _reached(start: int, following: Callable[[int], Iterable[int]]) -> set[int]:
    """All that can be reached from a start, with it."""
    found, left = {start}, [start]
    while left:
        new = set(following(left.pop())) - found
        found |= new
        left += new
    return found


def _first_later(rank: NDArray[np.int64], within: tuple[int, int], other: int) -> int:
    """The first number in [start, end) whose rank is behind another, or the end."""
    start, end = within
    width = 1
    while start < end:
        later = rank[start : min(start + width, end)] > other
        if later.any():
            return start + int(later.argmax())
        start += len(later)
        width *= 2
    return end
