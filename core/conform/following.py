"""Rules on a replica that begins to follow: what it does first, and what the leader answers."""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from core.conform.decision import Decision
from core.conform.kinds import named
from core.conform.near import rows_after, rows_before
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.two_logs import sides_at
from core.history.positions import place_after
from core.history.view import Row
from core.kafka.epochs import EpochEnd, end_of_epoch
from core.kafka.eras import Era
from core.kafka.truncation import Ask, Cut, follows_anew, on_following
from core.message import message
from core.trace.ids import Place

First: TypeAlias = Literal["cuts", "asks", "fetches"]
"""What a follower does first: it cuts to its own high watermark, asks for the end of an epoch, or fetches."""
_FOLLOWS: Final = frozenset({"became_follower"})
_ACTS: Final = frozenset(
    {"truncation_decided", "epoch_end_asked", "epoch_end_failed", "fetch_sent", "fetch_failed"}
)
_ENDS: Final = frozenset(
    {
        "became_follower",
        "became_leader",
        "broker_crashed",
        "broker_stopped",
        "broker_starting",
        "log_created",
        "log_loaded",
    }
)
_WORDS: Final = {
    "cuts": message("conform.first.cuts"),
    "asks": message("conform.first.asks"),
    "fetches": message("conform.first.fetches"),
}
_BEGINS_FETCHING: Final = frozenset({"fetcher_added"})


def first_acts(case: Case) -> Iterator[Decision]:
    """What a follower does first, in a simulation, where nothing is missing between two events."""
    if not case.view.exact:
        return
    for row in case.of(_FOLLOWS):
        # At the start of a script the logs agree already, and nobody asks.
        if row.replica is None or row.leader in (None, -1) or not row.at:
            continue
        act = _first_act(case, row)
        if act is not None:
            yield _first(case, row, act)


def _first_act(case: Case, follows: Row) -> Row | None:
    """The first event of a follower that is an act, if its broker goes on that far."""
    for row in rows_after(case, follows.number):
        if row.replica == follows.replica and row.broker == follows.replica:
            if row.kind in _ACTS:
                return row
            if row.kind in _ENDS:
                return None
    return None


def _first(case: Case, follows: Row, act: Row) -> Decision:
    replica = follows.replica or 0
    place = place_after(follows.number)
    sides = sides_at(case, replica, place)
    last = _last_role(case, follows)
    same = last is not None and last.kind == "became_follower" and last.leader == follows.leader
    before = None if last is None else last.epoch
    does = _does(act)

    def fits(era: Era) -> bool | None:
        switches = era.switches
        if same and (before is None or not follows_anew(switches.same_leader, before, follows.epoch or 0)):
            return does == "fetches"
        entries = () if switches.epoch_entry == "none" else sides.own.entries
        leo, mark = sides.own.leo.exact, sides.own.hw.exact
        if entries is None or leo is None or mark is None:
            return None
        first = on_following(switches.truncation, switches.epoch_answer, entries, leo, mark)
        return does == ("cuts" if isinstance(first, Cut) else "asks" if isinstance(first, Ask) else "fetches")

    told = message("conform.first-act", who=named(case, replica), what=_WORDS[does])
    return Decision(act.seq, replica, fits, told, (follows.seq,))


def _does(act: Row) -> First:
    if act.kind == "truncation_decided":
        return "cuts"
    return "asks" if act.kind.startswith("epoch_end") else "fetches"


def _last_role(case: Case, follows: Row) -> Row | None:
    """The row of the role that the replica had right before, in the same life or not."""
    return next(
        (
            row
            for row in rows_before(case, follows.number)
            if row.replica == follows.replica and row.kind in _ENDS
        ),
        None,
    )


def fetches_from(case: Case) -> Iterator[Decision]:
    """The log end with which a follower begins to fetch: to 0.10 it is its high watermark, where it cut."""
    for row in case.of(_BEGINS_FETCHING):
        if row.replica is None or row.offset is None or not row.at or row.disk:
            continue
        yield _fetches_from(case, row, row.replica, row.offset)


def _fetches_from(case: Case, row: Row, replica: int, offset: int) -> Decision:
    highest = case.hw(replica, place_after(row.number)).hi
    epochs = sides_at(case, replica, place_after(row.number)).own.entries

    def fits(era: Era) -> bool | None:
        if era.switches.truncation != "high-watermark":
            return True if epochs is not None else None
        return None if highest is None else offset <= highest

    return Decision(
        row.seq, replica, fits, message("conform.fetches-from", who=named(case, replica), offset=offset)
    )


_ANSWERED: Final = frozenset({"epoch_end_answered"})


def answers(case: Case) -> Iterator[Decision]:
    """What a leader answers that was asked where an epoch ends."""
    for row in case.of(_ANSWERED):
        if row.broker is not None and row.replica is not None and case.view.exact:
            yield _answer(case, row, row.broker, row.replica)


def _answer(case: Case, row: Row, leader: int, follower: int) -> Decision:
    asked = _asked_epoch(case, row, follower)
    cursor = case.view.cursors[Place(row.number)]
    held = case.history.replicas[leader]
    entries, leo = held.epochs.at(cursor), held.leo.at(cursor).exact
    said = EpochEnd(-1 if row.aux is None else row.aux, -1 if row.offset is None else row.offset)

    def fits(era: Era) -> bool | None:
        switches = era.switches
        names_epoch = switches.epoch_answer == "epoch-and-offset"
        if said.offset >= 0 and (said.epoch >= 0) != names_epoch:
            return False
        if asked is None or leo is None or entries is None:
            return None
        end = end_of_epoch(entries, leo, asked, switches.epoch_lookup_below, switches.epoch_lookup_undefined)
        return end.offset == said.offset and (not names_epoch or end.epoch == said.epoch)

    told = message("conform.epoch-end", who=named(case, leader), offset=said.offset)
    return Decision(row.seq, leader, fits, told)


def _asked_epoch(case: Case, answered: Row, follower: int) -> int | None:
    """The epoch in the last question of a follower before an answer."""
    for row in rows_before(case, answered.number):
        if row.kind == "epoch_end_asked" and row.replica == follower:
            return row.aux
    return None
