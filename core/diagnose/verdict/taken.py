"""Records that were taken on purpose: by retention, by who deleted records, or with their topic."""

from typing import Final

from core.diagnose.verdict.case import Case
from core.history.positions import place_before
from core.history.roles import Roles
from core.history.state import WITHOUT_ROLE, Role
from core.history.view import Row
from core.trace.ids import Place

_DELETED: Final = frozenset({"log_deleted"})
_ALL: Final = (1 << 63) - 1


def taken_below(case: Case, epoch: int, until: Place) -> int:
    """The offset below which records of an epoch had been taken on purpose by a place; 0 for none.

    Where the topic had been deleted, that is no offset of a log.

    That is the highest log start offset that the leader, or a replica of the in-sync set, stated in that
    epoch or a later one. Nobody reads what is below the leader's log start (KIP-107), and a follower takes it
    over. A log that was made anew begins at 0; what is written to it is of a later epoch, and what was stated
    of the one before does not bound it.
    """
    taken = 0
    for row in case.view.rows.stating("log_start"):
        place = case.place_of(row.seq)
        if place > until or row.partition != case.view.partition or row.log_start is None:
            continue
        own = case.roles.get(-1 if row.replica is None else row.replica)
        if own is None or row.log_start <= taken:
            continue
        role, stated_in = _role_and_epoch(own, place)
        in_sync = role is Role.LEADER or case.history.replicas[own.broker].in_isr.at(case.view.cursors[place])
        if in_sync and stated_in is not None and stated_in >= epoch:
            taken = row.log_start
    if any(_is_end_of_topic(case, row, epoch, until) for row in case.of(_DELETED)):
        return _ALL
    return taken


def _is_end_of_topic(case: Case, row: Row, epoch: int, until: Place) -> bool:
    """Whether a row shows that the topic was deleted, in an epoch or a later one, by a place.

    Its leader removes its log. A replica that is moved to another broker is removed when it leads no more.
    """
    before, own = place_before(row.number), case.roles.get(-1 if row.replica is None else row.replica)
    if own is None or before >= until or own.role_at[before] is not Role.LEADER:
        return False
    led = own.epoch_at[before]
    return led is not None and led >= epoch and led == case.control.epoch_at[before]


def _role_and_epoch(own: Roles, place: Place) -> tuple[Role, int | None]:
    """A replica's role at a place; of one that starts, the one of which it is notified next.

    It loads its log before it is notified, and writes to it only afterwards.
    """
    at = next(number for number, span in enumerate(own.spans) if place < span.end)
    while own.spans[at].role in (Role.STARTING, *WITHOUT_ROLE) and at + 1 < len(own.spans):
        at += 1
    return own.spans[at].role, own.spans[at].epoch
