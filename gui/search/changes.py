"""Who last changed a value: every value at the cursor, with the event since which it holds."""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from core.history.state import ReplicaHistory, Steps
from core.picture.marks import Ref
from core.trace.broker_names import broker_name
from core.trace.kind_words import kind_words
from core.trace.times import clock, virtual_time
from core.trace.trace import Origin, Trace
from gui.search.overlay import Answer, Overlay, OverlayLine, Shown
from gui.terms import term
from gui.text.spoken import tr
from gui.workspace.content import Content
from gui.workspace.session import Session


@dataclass(frozen=True, slots=True)
class Value:
    """A value at the cursor. `cursor` is that since which it holds: 0 from the beginning.

    `before` is what it was, `kind` the event that changed it; both "" from the beginning. `broker` -1 is a
    value of the partition.
    """

    run: int
    broker: int
    owner: str
    name: str
    words: str
    cursor: int
    before: str = ""
    kind: str = ""
    when: str = ""

    @property
    def text(self) -> str:
        """The value in words."""
        if not self.kind:
            return f"{self.name} {self.words}"
        return tr("search.before", name=self.name, now=self.words, before=self.before)


def values_at(content: Content, position: int) -> tuple[Value, ...]:
    """Every value of the state at a position, of the partition first, then replica by replica."""
    return tuple(
        value
        for run, cursor in enumerate(content.cursors(position))
        for value in _values_of(content, run, cursor)
    )


def _values_of(content: Content, run: int, cursor: int) -> Iterator[Value]:
    history = content.runs[run].history
    trace = history.trace
    prefix = tr("search.run", run=run + 1) if len(content.runs) > 1 else ""
    who = partial(_who, trace)

    def value(owner: str, broker: int, name: str, steps: Steps[Any], words: Callable[[Any], str]) -> Value:
        since, before = last_change(steps, cursor, words)
        now = words(steps.at(cursor))
        if not since:
            return Value(run, broker, prefix + owner, name, now, 0)
        event = trace.event(since - 1)
        when = virtual_time(event.at) if trace.origin is Origin.SIMULATED else clock(event.at)
        return Value(run, broker, prefix + owner, name, now, since, before, kind_words(event.kind), when)

    partition = str(trace.partitions[history.partition].tp)
    yield value(partition, -1, tr("search.leader"), history.leader, who)
    yield value(partition, -1, tr("search.leader-epoch"), history.leader_epoch, _said)
    yield value(partition, -1, tr("stretch.in-sync-set"), history.isr, partial(_members, trace))
    for broker, replica in history.replicas.items():
        owner = broker_name(trace, broker)
        for name, steps, words in _of_replica(replica, trace):
            yield value(owner, broker, name, steps, words)


def _of_replica(
    replica: ReplicaHistory, trace: Trace
) -> Iterator[tuple[str, Steps[Any], Callable[[Any], str]]]:
    yield tr("explain.log-end"), replica.leo, _said
    yield tr("search.high-watermark"), replica.hw, _said
    yield tr("search.role"), replica.role, _said
    yield tr("search.leader-epoch"), replica.epoch, _said
    yield tr("search.in-the-in-sync-set"), replica.in_isr, _yes
    yield tr("search.is-up"), replica.alive, _yes
    yield tr("search.log-start"), replica.log_start, _said
    yield tr("search.epoch-cache"), replica.epochs, _cache
    followers = dict.fromkeys(follower for remote in replica.remote.values for follower, _ in remote)
    for follower in followers:
        yield (
            tr("search.remembers-of", follower=broker_name(trace, follower)),
            replica.remote,
            partial(_remembered, follower),
        )


def last_change(steps: Steps[Any], cursor: int, words: Callable[[Any], str]) -> tuple[int, str]:
    """The cursor since which a value reads as it does, and what it was before; 0, "" from the beginning."""
    place = bisect_right(steps.cursors, cursor) - 1
    now = words(steps.values[place])
    while place > 0 and words(steps.values[place - 1]) == now:
        place -= 1
    return (steps.cursors[place], words(steps.values[place - 1])) if place > 0 else (0, "")


def _said(value: object) -> str:
    return term("unknown") if value is None or str(value) == "?" else term(str(value))


def _yes(value: bool | None) -> str:
    return term("unknown" if value is None else "yes" if value else "no")


def _who(trace: Trace, broker: int | None) -> str:
    return term("unknown") if broker is None else term("none") if broker < 0 else broker_name(trace, broker)


def _members(trace: Trace, isr: tuple[int, ...] | None) -> str:
    if isr is None:
        return term("unknown")
    return ", ".join(broker_name(trace, broker) for broker in isr) or term("empty")


def _cache(epochs: tuple[tuple[int, int], ...] | None) -> str:
    if epochs is None:
        return term("unknown")
    return ", ".join(
        tr("search.epoch-from-offset", epoch=epoch, start=start) for epoch, start in epochs
    ) or tr("search.empty")


def _remembered(follower: int, remote: tuple[tuple[int, int | None], ...]) -> str:
    return _said(dict(remote).get(follower))


def open_changes(over: QWidget, session: Session, reveal: Callable[[int], object]) -> None:
    """Ask of which value, and go to the event that changed it last. Those of a selected lane come first."""
    content = session.content
    if content is None:
        return
    selected = session.selection
    values = list(values_at(content, session.position))
    if selected is not None and selected.broker >= 0:
        values.sort(key=lambda one: (one.run, one.broker) != (selected.run, selected.broker))
    shown: list[Value] = []

    def look(typed: str) -> Shown:
        words = typed.lower().split()
        shown[:] = [one for one in values if all(word in f"{one.owner} {one.text}".lower() for word in words)]
        lines = tuple(
            OverlayLine(
                one.owner,
                one.text,
                f"{one.kind}, {one.when}" if one.kind else tr("search.since-the-beginning"),
                not one.kind,
            )
            for one in shown
        )
        return Shown(lines, tr("search.enter-goes-to-the-event-that"))

    def take(_typed: str, place: int) -> Answer:
        if not 0 <= place < len(shown):
            return tr("search.no-value-has-that-name")
        value = shown[place]
        if not value.kind:
            return tr(
                "search.since-the-beginning-no-event-changed",
                owner=value.owner,
                text=value.text,
            )
        return partial(go, value)

    def go(value: Value) -> None:
        if session.content is not None:
            session.set_position(session.content.position_of(value.run, value.cursor))
            session.select(Ref("event", value.run, value.cursor - 1))
            reveal(value.run)

    words = (
        tr("search.who-last-changed-this-value"),
        tr("search.of-which-value-log-end-high"),
    )
    Overlay(over, session.theme, words, look, take)
