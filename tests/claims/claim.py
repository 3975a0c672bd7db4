"""A sentence at an event, and the table of predicates by sentence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from core.message import AtLeast, Count, Listing, Message, Names, Offsets, Sentences, Value
from core.trace.broker_names import broker_value
from core.trace.trace import Event
from tests.claims.world import GAP, NOBODY, Run, World


def counts(said: Value | None, true: int) -> bool:
    """Whether a sentence counts what there is: as many, or where it says "at least" no more than that."""
    if isinstance(said, AtLeast):
        return said.number <= true
    return isinstance(said, Count) and said.number == true


@dataclass(frozen=True, slots=True)
class At:
    """A sentence `message` that is said at the event `place` of a run, within the sentence `whole`."""

    run: Run
    place: int
    message: Message
    whole: Message

    @property
    def event(self) -> Event:
        return self.run.events[self.place]

    @property
    def before(self) -> World:
        return self.run.worlds[self.place]

    @property
    def after(self) -> World:
        return self.run.worlds[self.place + 1]

    @property
    def who(self) -> int:
        """The replica that the event is about, or the broker that said it."""
        found = self.event.get("replica")
        return found if found is not None else self.event.values["broker"]

    @property
    def said(self) -> dict[str, Value]:
        return dict(self.message.values)

    def number(self, name: str) -> int | None:
        """A value that is a number; None for one that is said not to be known."""
        value = self.said[name]
        if isinstance(value, Count):
            return value.number
        return value if isinstance(value, int) else None

    def is_broker(self, name: str, broker: int | None) -> bool:
        """Whether a value names this broker."""
        value = self.said[name]
        if broker == NOBODY:
            return isinstance(value, Message) and value.id == "why.broker.nobody"
        if broker is None:
            return isinstance(value, Message) and value.id == "why.broker.some"
        return value == broker_value(self.run.trace, broker)

    def brokers(self, name: str) -> tuple[int, ...]:
        """The brokers that a value names."""
        value = self.said[name]
        known = {
            broker_value(self.run.trace, int(one.broker_id)): int(one.broker_id)
            for one in self.run.trace.brokers
        }
        if isinstance(value, Names):
            return tuple(known[item] for item in value.items)
        if isinstance(value, Message) and value.id.startswith("why.set"):
            return tuple(known[item] for item in _members(value))
        return (known[value],)

    def is_records(self, name: str, log: tuple[int, ...], first: int, end: int) -> bool:
        """Whether a value names the records at offsets [first, end) of a log that holds `log` there."""
        value = self.said[name]
        if isinstance(value, Message):
            return value.id == "why.no-records" and end <= first
        if isinstance(value, Offsets):
            return (value.first, value.end) == (first, end)
        names = tuple(self.run.truth.names[record] for record in log if record != GAP)
        return isinstance(value, Listing) and value.items == names

    def later(self) -> Iterator[tuple[Event, World, World]]:
        """What happens afterwards."""
        return self.run.between(self.place + 1, len(self.run.events))

    def earlier(self) -> Iterator[tuple[Event, World, World]]:
        """What happened before, the latest first."""
        for place in range(self.place - 1, -1, -1):
            yield self.run.events[place], self.run.worlds[place], self.run.worlds[place + 1]

    def caused(self) -> Iterator[Event]:
        """What led to the event, the nearest first."""
        cause = self.event.cause
        while cause is not None:
            event = self.run.trace.event(cause)
            yield event
            cause = event.cause

    def committed(self, records: tuple[int, ...]) -> bool:
        """Whether all of these records have been committed by now."""
        column = self.run.truth.ledger.committed
        return all(0 <= column[record] <= self.event.seq for record in records if record != GAP)


def _members(value: Message) -> Iterator[Value]:
    """Brokers in brackets, as `Scene.members` writes them."""
    values = dict(value.values)
    if value.id == "why.set":
        inside = values["members"]
        yield from (
            _members(inside) if isinstance(inside, Message) and inside.id == "why.set.more" else (inside,)
        )
    elif value.id == "why.set.more":
        head = values["head"]
        yield from _members(head) if isinstance(head, Message) and head.id == "why.set.more" else (head,)
        yield values["last"]


Predicate: TypeAlias = Callable[[At], bool]
CLAIMS: Final[dict[str, Predicate]] = {}
"""By sentence: whether it is so where it is said."""
BY_LINES: Final[set[str]] = set()
"""Sentences whose predicate asks nothing but the event's own columns and the releases."""


def claim(*ids: str, by_lines: bool = False) -> Callable[[Predicate], Predicate]:
    """The predicate of these sentences."""

    def noted(predicate: Predicate) -> Predicate:
        for one in ids:
            assert one not in CLAIMS, one
            CLAIMS[one] = predicate
            if by_lines:
                BY_LINES.add(one)
        return predicate

    return noted


def messages_in(one: Value) -> Iterator[Message]:
    """A message and all within it."""
    if isinstance(one, Message):
        yield one
        for _, value in one.values:
            yield from messages_in(value)
    elif isinstance(one, Names | Listing | Sentences):
        for item in one.items:
            yield from messages_in(item)
