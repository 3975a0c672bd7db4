"""From a broker's own lines, and others' on its end, to whether it is up, its role and its leader epoch."""

from bisect import bisect_left
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.assumptions import FILES_OUT_OF_ORDER_WITHIN, FIRST_LINES_OF_START_WITHIN
from core.history.gaps_by_others import gap_spans
from core.history.leader_by_fetchers import leaders_by_fetchers
from core.history.positions import next_place, place_after, place_before, row_before
from core.history.rows import ENDS, Row
from core.history.state import WITHOUT_ROLE, Role, Steps
from core.history.steps import StepWriter, column_of
from core.history.view import Spans, View
from core.trace.ids import Place
from core.trace.vocabulary import NUMBER, Basis

_STARTS: Final = frozenset({"broker_starting", "broker_started"})
_NOTICES: Final = frozenset({"broker_failure_noticed", "session_expired", "broker_fenced"})
_BEGINS: Final = frozenset({"broker_starting"})
_CLEAN: Final = frozenset({"broker_stopped", "quorum_member_stopped"})
_STOPPED: Final = frozenset(NUMBER[one] for one in _CLEAN)
_QUORUM_BEGINS: Final = _BEGINS | {"quorum_member_starting"}
"""What a member of the metadata quorum prints at a start, each once: as a broker, and as a member."""
_QUORUM_ENDS: Final = (ENDS - {"broker_stopped"}) | {"quorum_member_stopped"}
"""It is stopped before the broker of its process is, and a controller has none."""
_LIFE: Final = frozenset({*ENDS, *_QUORUM_ENDS, *_NOTICES, *_QUORUM_BEGINS})
_BY_CONTROLLERS: Final = frozenset(
    {
        *("controller_elected", "controller_resigned", "partition_created", "leader_elected", "leaderless"),
        *("isr_committed", "isr_update_rejected", "leader_recovery_changed"),
        *("broker_registered", "broker_fenced", "broker_unfenced"),
    }
)
"""What a controller prints; a broker prints some of it too, but only between its start and its stop."""
_BY_THE_QUORUM: Final = _BY_CONTROLLERS | {
    *("quorum_role_changed", "vote_answered", "became_leader", "became_follower", "hw_sample", "leo_sample"),
    *("log_loaded", "log_created"),
}
"""What its member of the metadata quorum prints beside that, of its own log."""
_ROLE_OF: Final = {
    "became_leader": Role.LEADER,
    "became_follower": Role.FOLLOWER,
    "fetcher_added": Role.FOLLOWER,
    "quorum_role_changed": Role.SEEKING,
}
_ROLES: Final = frozenset(
    {
        *_STARTS,
        "became_leader",
        "became_follower",
        "leader_and_isr_received",
        "fetcher_added",
        "log_deleted",
        "quorum_role_changed",
    }
)


@dataclass(frozen=True, slots=True)
class Death:
    """An end of a broker's process.

    `last` is the place after its last own line, `noticed` the place from which it is known to be down.
    `clean` is True for a shutdown that completed, as its log states.
    """

    last: Place
    noticed: Place
    clean: bool


class RoleSpan(NamedTuple):
    """Places first..end-1 in which a replica has one role in one leader epoch."""

    first: Place
    end: Place
    role: Role
    epoch: int | None


@dataclass(frozen=True, slots=True)
class Roles:
    """When one replica was up, its role and its leader epoch. Lists have one value a place."""

    broker: int
    alive: Steps[bool | None]
    role: Steps[Role]
    epoch: Steps[int | None]
    role_at: list[Role]
    epoch_at: list[int | None]
    deaths: tuple[Death, ...]
    starts: tuple[Place, ...]
    """Places at which its process started."""
    epochs: NDArray[np.int64]
    """`epoch_at` as numbers, UNSAID where it is not known."""
    spans: tuple[RoleSpan, ...]
    """`role_at` and `epoch_at` as spans, in order, without a gap between them."""
    first_own_line: Place | None
    """The place of the broker's first own line; None where there is none."""
    gaps: tuple[tuple[Place, Place], ...]
    """Spans first..last of places in which its log is missing: core/history/gaps_by_others.py."""


@dataclass(frozen=True, slots=True)
class Lives:
    """A broker's deaths, the places of its starts, and the place of its first own line; None for none."""

    deaths: tuple[Death, ...]
    starts: tuple[Place, ...]
    first_own_line: Place | None


def find_lives(view: View, broker: int) -> Lives:
    """When a broker's process ended and started.

    A start without an end before it shows that the process ended in between.
    """
    begins, ends = (_QUORUM_BEGINS, _QUORUM_ENDS) if view.of_quorum else (_BEGINS, ENDS)
    begun: set[str] = set()
    deaths: list[Death] = []
    starts: list[Place] = []
    own_lines = _lines_of_lives(view, broker)
    last: Place | None = None
    noticed: Place | None = None
    # What the rest of a process prints after the quorum's member has stopped is no sign of life of that.
    up = stopped = False
    counted = 0
    for row in view.rows.of(_LIFE):
        if broker not in (row.replica, row.broker):
            continue
        before = bisect_left(own_lines, row.number, counted)
        if before > counted and not stopped:
            up, last, noticed = True, place_after(own_lines[before - 1]), None
        own = before < len(own_lines) and own_lines[before] == row.number
        counted = before + own
        if row.replica == broker and row.kind == "broker_crashed" and row.basis >= Basis.HELD:
            # An importer adds it for a start without an end. It stands at the last own line in any file
            # of the broker; when the process really ended is unknown until its start.
            up, last = True, place_before(row.number)
        elif row.replica == broker and row.kind in ends and row.partition in (None, view.partition):
            begun.clear()
            stopped = row.kind == "quorum_member_stopped"
            before_row, after_row = place_before(row.number), place_after(row.number)
            deaths.append(Death(before_row, after_row, row.kind in _CLEAN))
            up = False
            last = noticed = None
        elif row.replica == broker and row.kind in begins and (row.broker == broker or view.exact):
            stopped = False
            again = not begun or row.kind in begun
            begun = {row.kind} if again else begun | {row.kind}
            if not again:
                up, last, noticed = True, place_after(row.number), None
                continue
            if up and last is not None:
                deaths.append(
                    Death(last, noticed if noticed is not None else place_after(row.number), clean=False)
                )
            starts.append(place_after(row.number))
            up, last, noticed = True, place_after(row.number), None
        elif own and not stopped:
            up, last, noticed = True, place_after(row.number), None
        elif row.replica == broker and row.kind in _NOTICES and noticed is None:
            noticed = place_after(row.number)
    first = _first_own_line(view, broker, view.rows.own_lines(broker), starts)
    return Lives(tuple(deaths), tuple(starts), first)


def _lines_of_lives(view: View, broker: int) -> list[int]:
    """A broker's own lines, without those that its process printed before it began, or after it stopped.

    A process that is a controller, too, begins that first and ends it last (KafkaRaftServer). Its lines show
    no life between a stop and a start, nor one before a start that they come shortly before.
    """
    own_lines = view.rows.own_lines(broker)
    if not view.has_quorum:
        return own_lines
    beside = [NUMBER[one] for one in (_BY_THE_QUORUM if view.of_quorum else _BY_CONTROLLERS)]
    kinds, at = view.rows.column("kind"), view.rows.column("at")
    left: set[int] = set()
    for start in [*view.rows.own_lines_of(broker, _BEGINS), len(view.rows)]:
        end = first = bisect_left(own_lines, start)
        while first and kinds[own_lines[first - 1]] in beside:
            first -= 1
        stopped = first > 0 and kinds[own_lines[first - 1]] in _STOPPED
        since = int(at[start]) - FIRST_LINES_OF_START_WITHIN.ns if start < len(view.rows) else None
        left.update(
            number
            for number in own_lines[first:end]
            if stopped or (since is not None and int(at[number]) >= since)
        )
    return [number for number in own_lines if number not in left] if left else own_lines


def _first_own_line(view: View, broker: int, own_lines: list[int], starts: list[Place]) -> Place | None:
    """The place of the first own line that does not state an end, or of the first start; None for none."""
    places = (
        place_after(number)
        for number in own_lines
        if not ((row := view.rows[number]).kind in ENDS and row.replica == broker and row.partition is None)
    )
    return min((*starts[:1], *islice(places, 1)), default=None)


def _stated_role(row: Row, broker: int, epoch: int | None) -> tuple[Role, int | None] | None:
    """The role and the leader epoch that a row states of a replica, or None. `epoch` is that of before."""
    if row.replica != broker:
        return None
    if row.kind == "leader_and_isr_received" and row.leader is not None and row.epoch is not None:
        if epoch is not None and row.epoch <= epoch:
            return None
        if row.leader == -1:
            return None
        return (Role.LEADER if row.leader == broker else Role.FOLLOWER), row.epoch
    stated = _ROLE_OF.get(row.kind)
    return None if stated is None else (stated, row.epoch if row.epoch is not None else epoch)


def _new_role(
    view: View, row: Row, broker: int, epoch: int | None, notified_at: int
) -> tuple[Role, int | None] | None:
    """The role and leader epoch of a replica from a row on, or None. `notified_at`, in ns, is of `epoch`."""
    if row.kind == "log_deleted" and row.replica == broker:
        return Role.ABSENT, None
    is_outdated = not view.exact and _is_outdated(row, epoch, notified_at)
    return None if is_outdated else _stated_role(row, broker, epoch)


def _is_outdated(row: Row, epoch: int | None, notified_at: int) -> bool:
    """Whether a row states an epoch that is over, shortly after the replica was notified of a later one.

    A broker never goes back to an earlier epoch. Two of its files may state two requests of one millisecond
    in the wrong order.
    """
    older = row.epoch is not None and epoch is not None and row.epoch < epoch
    return older and row.at - notified_at <= FILES_OUT_OF_ORDER_WITHIN.ns


def _role_spans(role: StepWriter[Role], epoch: StepWriter[int | None], places: int) -> list[RoleSpan]:
    """The spans of places over which neither the role nor the leader epoch changes."""
    found: list[RoleSpan] = []
    epochs = list(epoch.spans(places))
    number = 0
    for first, end, now in role.spans(places):
        while number < len(epochs) and epochs[number][0] < end:
            begun, until, epoch_now = epochs[number]
            begin, last = max(begun, first), min(until, end)
            same = bool(found) and (found[-1].role, found[-1].epoch) == (now, epoch_now)
            if same:
                found[-1] = RoleSpan(found[-1].first, last, now, epoch_now)
            elif begin < last:
                found.append(RoleSpan(begin, last, now, epoch_now))
            if until > end:
                break
            number += 1
    return found


def read_roles(view: View, broker: int) -> Roles:
    """Whether one replica's broker is up, its role and its leader epoch, from the rows of a view.

    All come from its own lines; that it is down also from those of others.
    """
    lives, gaps = find_lives(view, broker), gap_spans(view, broker)
    turns = _turns(view, broker, lives, gaps)
    by_fetchers = leaders_by_fetchers(view, broker)
    alive: StepWriter[bool | None] = StepWriter(None)
    role = StepWriter(Role.ABSENT if view.exact else Role.UNKNOWN)
    epoch: StepWriter[int | None] = StepWriter(None)
    notified_at = 0
    places = len(view.rows) + 1
    may_change = {place_after(number) for number in view.rows.numbers(_ROLES, replica=broker)}
    for place in sorted(may_change.union(by_fetchers, *turns)):
        if not 0 < place < places:
            continue
        row = view.rows[row_before(place)]
        _put_life(turns, place, alive, role, epoch)
        if row.kind in _STARTS and row.replica == broker and row.partition is None:
            if role.value in WITHOUT_ROLE:
                role.put(place, Role.STARTING)
        elif row.partition == view.partition and alive.value is not False:
            new = _new_role(view, row, broker, epoch.value, notified_at)
            if place in by_fetchers:
                new = (Role.UNKNOWN if by_fetchers[place] is None else Role.LEADER), by_fetchers[place]
            if new is not None:
                notified_at = row.at if new[1] != epoch.value else notified_at
                role.put(place, new[0])
                epoch.put(place, new[1])
        if place in turns.silent:
            alive.put(place, None)
    return Roles(
        broker=broker,
        alive=alive.steps(view),
        role=role.steps(view),
        epoch=epoch.steps(view),
        role_at=role.each(places),
        epoch_at=epoch.each(places),
        epochs=column_of(epoch, places),
        deaths=lives.deaths,
        starts=lives.starts,
        spans=tuple(_role_spans(role, epoch, places)),
        first_own_line=lives.first_own_line,
        gaps=gaps,
    )


class _Turns(NamedTuple):
    """Places at which it changes whether a broker is up, or whether its lines show its role."""

    started: set[Place]
    down: set[Place]
    silent: set[Place]
    """After its last line, where its end was noticed later."""
    gaps: set[Place]
    first_lines: set[Place]
    """After its first line of all, and its first one since it was silent."""


def _turns(view: View, broker: int, lives: Lives, gaps: Spans) -> _Turns:
    """The places at which a broker starts, ends, falls silent or is heard again."""
    silent = {death.last for death in lives.deaths if death.noticed > death.last + 1}
    own_lines = view.rows.own_lines(broker)
    after = (bisect_left(own_lines, place) for place in (0, *silent))
    return _Turns(
        started=set(lives.starts),
        down={death.noticed for death in lives.deaths},
        silent=silent,
        gaps={next_place(first) for first, _ in gaps},
        first_lines={place_after(own_lines[number]) for number in after if number < len(own_lines)},
    )


def _put_life(
    turns: _Turns,
    place: Place,
    alive: StepWriter[bool | None],
    role: StepWriter[Role],
    epoch: StepWriter[int | None],
) -> None:
    """Write down what a turn at a place says by itself; what the row there says of a role comes after it."""
    if place in turns.started:
        alive.put(place, value=True)
        role.put(place, Role.STARTING)
        epoch.put(place, None)
    elif place in turns.down:
        alive.put(place, value=False)
        role.put(place, Role.OFFLINE)
    elif place in turns.first_lines and alive.value is None:
        alive.put(place, value=True)
    if place in turns.gaps and alive.value is not False:
        role.put(place, Role.UNKNOWN)
        epoch.put(place, None)
