"""Who is alive, and which role each replica believes in."""

from dataclasses import dataclass
from typing import Final

from core.history.blind import blind_stretches
from core.history.leading import led_by_word_of_followers
from core.history.state import Role, Steps
from core.history.steps import StepWriter
from core.history.view import Row, View
from core.history.words import ENDS, is_own_word
from core.trace.vocabulary import Basis

_STARTS: Final = frozenset({"broker_starting", "broker_started"})
_NOTICES: Final = frozenset({"broker_failure_noticed", "session_expired", "broker_fenced"})


@dataclass(frozen=True, slots=True)
class Death:
    """An end of a broker's process.

    `last` is the place after its last own word, `noticed` the place from which it is known to be down.
    `clean` is True for a shutdown that said so.
    """

    last: int
    noticed: int
    clean: bool


@dataclass(frozen=True, slots=True)
class Roles:
    """One replica's life. Lists have one value a place."""

    broker: int
    alive: Steps[bool | None]
    role: Steps[Role]
    epoch: Steps[int | None]
    role_at: list[Role]
    epoch_at: list[int | None]
    deaths: tuple[Death, ...]
    starts: tuple[int, ...]
    """Places at which the process began anew."""
    first_word: int | None
    """Place from which the broker's own log speaks; None where nothing of it was given."""
    blind: tuple[tuple[int, int], ...]
    """Stretches first..last of places between which its log is missing: core/history/blind.py."""


def find_lives(view: View, broker: int) -> tuple[tuple[Death, ...], tuple[int, ...], int | None]:
    """Deaths, starts and the first own word. A start without an end before it proves a death in between."""
    deaths: list[Death] = []
    starts: list[int] = []
    first: int | None = None
    last: int | None = None
    noticed: int | None = None
    up = False
    for row in view.rows:
        if row.replica == broker and row.kind == "broker_crashed" and row.basis >= Basis.HELD:
            # An importer's guess from a start without an end. It stands at the last sign of life in any file
            # of the broker; when the process really ended is unknown, the start will tell.
            up, last = True, row.number
        elif row.replica == broker and row.kind in ENDS and row.partition is None:
            deaths.append(Death(row.number, row.number + 1, row.kind == "broker_stopped"))
            up = False
            last = noticed = None
        elif row.replica == broker and row.kind == "broker_starting" and (row.broker == broker or view.exact):
            if up and last is not None:
                deaths.append(Death(last, noticed if noticed is not None else row.number + 1, clean=False))
            starts.append(row.number + 1)
            first = row.number + 1 if first is None else first
            up, last, noticed = True, row.number + 1, None
        elif is_own_word(row, broker):
            first = row.number + 1 if first is None else first
            up, last, noticed = True, row.number + 1, None
        elif row.replica == broker and row.kind in _NOTICES and noticed is None:
            noticed = row.number + 1
    return tuple(deaths), tuple(starts), first


def _believed(row: Row, broker: int, epoch: int | None) -> tuple[Role, int | None] | None:
    """The role that a row gives to a replica, or None."""
    if row.replica != broker:
        return None
    if row.kind == "became_leader":
        return Role.LEADER, row.epoch if row.epoch is not None else epoch
    if row.kind == "became_follower":
        return Role.FOLLOWER, row.epoch if row.epoch is not None else epoch
    if row.kind == "leader_and_isr_received" and row.leader is not None and row.epoch is not None:
        if epoch is not None and row.epoch <= epoch:
            return None
        if row.leader == -1:
            return None
        return (Role.LEADER if row.leader == broker else Role.FOLLOWER), row.epoch
    if row.kind == "fetcher_added":
        return Role.FOLLOWER, row.epoch if row.epoch is not None else epoch
    return None


def read_roles(view: View, broker: int) -> Roles:
    """Alive, role and leader epoch of one replica, from its own words and, for its death, from others'."""
    deaths, starts, first = find_lives(view, broker)
    led = led_by_word_of_followers(view, broker)
    alive = StepWriter[bool | None](None)
    role = StepWriter(Role.UNKNOWN)
    epoch = StepWriter[int | None](None)
    silent = {death.last: death for death in deaths if death.noticed > death.last + 1}
    down = {death.noticed for death in deaths}
    begun = set(starts)
    blind = blind_stretches(view, broker)
    unseen = {first + 1 for first, _ in blind}
    for place in range(1, len(view.rows) + 1):
        row = view.rows[place - 1]
        if place in begun:
            alive.put(place, value=True)
            role.put(place, Role.STARTING)
            epoch.put(place, None)
        elif place in down:
            alive.put(place, value=False)
            role.put(place, Role.OFFLINE)
        elif is_own_word(row, broker) and alive.value is None:
            alive.put(place, value=True)
        if place in unseen and alive.value is not False:
            role.put(place, Role.UNKNOWN)
            epoch.put(place, None)
        if row.kind in _STARTS and row.replica == broker and row.partition is None:
            if role.value is Role.UNKNOWN:
                role.put(place, Role.STARTING)
            continue
        if row.partition == view.partition and alive.value is not False:
            told = _believed(row, broker, epoch.value)
            if row.kind == "log_deleted" and row.replica == broker:
                told = Role.UNKNOWN, None
            if place in led:
                told = (Role.UNKNOWN if led[place] is None else Role.LEADER), led[place]
            if told is not None:
                role.put(place, told[0])
                epoch.put(place, told[1])
        if place in silent:
            alive.put(place, None)
    places = len(view.rows) + 1
    return Roles(
        broker=broker,
        alive=alive.steps(view),
        role=role.steps(view),
        epoch=epoch.steps(view),
        role_at=role.each(places),
        epoch_at=epoch.each(places),
        deaths=deaths,
        starts=starts,
        first_word=first,
        blind=blind,
    )
