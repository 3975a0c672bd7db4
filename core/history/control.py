"""From the rows of a partition to its leader, leader epoch and in-sync set over places and cursors.

A stated value holds as long as some log would show a change of it (core/history/witnesses.py), and is None
after that.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.history.control_statements import CONTROL_KINDS, ControlStatements
from core.history.elections import name_elections
from core.history.epochs_at_once import epochs_at_once
from core.history.late_notice import next_tenure_shown
from core.history.positions import place_after
from core.history.state import Steps
from core.history.steps import column_of, end_of_run, numbered
from core.history.tenures import IsrChange, StatedIsr, Tenure
from core.history.validity import Validity, valid_steps, valid_until_change, validity_column
from core.history.view import View
from core.history.witnesses import Witnesses, end_after_logs, is_notified_late, later_on_disk, witnesses

_FENCED: Final = frozenset({"broker_fenced", "broker_stopped"})
_UNFENCED: Final = frozenset({"broker_unfenced"})
"""A controller of KRaft that fences a broker takes the lead from it; one that lets a broker in again may give
it the lead of what nobody leads (ReplicationControlManager). Both at once. A broker that stops has handed its
leads over first (controlled shutdown), whenever others are notified of that."""
_FETCHER_ENDS: Final = frozenset({"fetcher_removed", "fetch_failed"})


@dataclass(frozen=True, slots=True)
class Control:
    """Leader, leader epoch and in-sync set of a partition, over the places of a view.

    `leader`, `epoch` and `isr` are None where they are not known to hold any more, see
    core/history/witnesses.py. The lists by place have what was stated last, `leader_known` and `isr_known`
    the numbers of Validity.
    """

    leader: Steps[int | None]
    epoch: Steps[int | None]
    isr: Steps[tuple[int, ...] | None]
    leader_known: NDArray[np.int8]
    isr_known: NDArray[np.int8]
    leader_at: list[int | None]
    epoch_at: list[int | None]
    isr_at: list[tuple[int, ...] | None]
    isr_of_tenure: list[tuple[int, ...] | None]
    """`isr_at` where a row of the current tenure states it, else None: an election changes the set too."""
    epochs: NDArray[np.int64]
    """`epoch_at` as numbers, UNSAID where it is not known."""
    sets: NDArray[np.int32]
    """`isr_of_tenure` as numbers: the index into `named_sets`."""
    named_sets: tuple[tuple[int, ...] | None, ...]
    tenures: tuple[Tenure, ...]
    isr_changes: tuple[IsrChange, ...]
    later_epochs_at: frozenset[int]
    """Places of rows that show a later tenure than the one stated last, but not its leader and epoch."""

    def tenure_number(self, epoch: int | None) -> int | None:
        """The index in `tenures` of the one with this leader epoch, or None."""
        for number, tenure in enumerate(self.tenures):
            if tenure.epoch == epoch:
                return number
        return None


def _leader_known(view: View, stated: ControlStatements, logs: Witnesses) -> list[Validity]:
    """By place, whether the tenure that was stated last is known to hold."""
    places = len(view.rows) + 1
    known = [Validity.NO] * places
    ends = [tenure.place for tenure in stated.tenures[1:]] + [places] * bool(stated.tenures)
    for number, (tenure, end) in enumerate(zip(stated.tenures, ends, strict=True)):
        if tenure.epoch is None:
            continue
        last = max(tenure.place, stated.last_stated.get(number, 0))
        known[tenure.place : last] = [Validity.YES] * (last - tenure.place)
        ends_at = min((place for place in stated.later_epochs_at if last < place < end), default=end)
        if ends_at < places and (
            ends_at in stated.stated_late
            or is_notified_late(view.rows[ends_at - 1], logs, ends_at)
            or _skips_epochs(view, stated.tenures, number, logs)
        ):
            ends_at = last
        fencing = view.rows.of(_UNFENCED if tenure.leader == -1 else _FENCED)
        decided_at = (place_after(row.number) for row in fencing if tenure.leader in (row.replica, -1))
        decided_at = (
            place for place in decided_at if last < place < ends_at and not logs.metadata_log[place]
        )
        ends_at = min(decided_at, default=ends_at)
        if (
            number == len(stated.tenures) - 1
            and not logs.metadata_log[-1]
            and later_on_disk(view, tenure.epoch)
        ):
            ends_at = last
        shown = (
            logs.metadata_log
            if number in stated.by_fetchers_only
            else _next_tenure_shown(view, stated, logs, number)
        )
        valid_until_change(known, last, ends_at, shown)
    _known_by_fetchers(view, stated, logs, known)
    return known


def _next_tenure_shown(view: View, stated: ControlStatements, logs: Witnesses, number: int) -> list[bool]:
    """By place, whether some log would show the tenure after this one."""
    if number + 1 == len(stated.tenures):
        return logs.shows_leader
    return next_tenure_shown(view, stated.notified, logs, view.rows[stated.tenures[number + 1].place - 1])


def _skips_epochs(view: View, tenures: Sequence[Tenure], number: int, logs: Witnesses) -> bool:
    """Whether no row states a leader epoch between a tenure and the next one, which began at an unknown time.

    Leader epochs are given out one by one (in both kinds of controller). The lines on one are missing, or it
    was decided by a controller that notified no broker any more.
    """
    if number + 1 >= len(tenures) or logs.metadata_log[tenures[number + 1].place]:
        return False
    epoch, later = tenures[number].epoch, tenures[number + 1].epoch
    if epoch is not None and later is not None and later > epoch + 1:
        return not epochs_at_once(view).issuperset(range(epoch + 1, later))
    return False


def _of_tenure(stated: ControlStatements, sets: list[tuple[int, ...] | None]) -> list[tuple[int, ...] | None]:
    """By place the in-sync set, where a row has stated it since the tenure began; else None."""
    begun = [tenure.place for tenure in stated.tenures]
    found: list[tuple[int, ...] | None] = [None] * len(sets)
    for first, end in pairwise([0, *begun, len(sets)]):
        first_stated = min((one.place for one in stated.stated_isrs if first <= one.place < end), default=end)
        found[first_stated:end] = sets[first_stated:end]
    return found


def _known_by_fetchers(view: View, stated: ControlStatements, logs: Witnesses, known: list[Validity]) -> None:
    """Where only fetchers state leaders: mark a leader as known while a follower with lines fetches from it.

    A failed fetch may be the end of the tenure: a follower that is not notified of a new leader goes on
    trying.
    """
    fetcher_ends = (row for row in view.rows.of(_FETCHER_ENDS) if row.partition in (view.partition, None))
    ends_at = {place_after(row.number) for row in fetcher_ends} | {tenure.place for tenure in stated.tenures}
    starts = [tenure.place for tenure in stated.tenures]
    for first, follower in stated.fetching:
        shown = logs.lives.get(-1 if follower is None else follower, [False] * len(known))
        end = min((place for place in ends_at if place > first), default=len(known))
        if _skips_epochs(view, stated.tenures, bisect_right(starts, first) - 1, logs):
            end = first
        valid_until_change(known, first, end, shown)


def _isr_changes_shown(
    logs: Witnesses, leader: int, leader_known: list[Validity], first: int, end: int
) -> list[bool]:
    """By place of a span under one leader, whether some log would show a change of the in-sync set."""
    shown = logs.shows_isr_changes(leader, first, end)
    known = leader_known[first:end]
    place = 0
    while place < len(known):
        until = end_of_run(known, place, len(known))
        if known[place] is not Validity.YES:
            flags = zip(shown[place:until], logs.metadata_log[first + place : first + until], strict=True)
            shown[place:until] = [here and metadata_log for here, metadata_log in flags]
        place = until
    return shown


def _isr_known(
    stated: ControlStatements,
    logs: Witnesses,
    leader_known: list[Validity],
    sets: Sequence[tuple[int, ...] | None],
) -> list[Validity]:
    """By place, whether the in-sync set that was stated last is known to hold: a new tenure may change it."""
    places = len(sets)
    known = [Validity.NO] * places
    shown: list[bool] = []
    for first, end, leader in stated.leader.spans(places):
        shown += (
            [False] * (end - first)
            if leader is None
            else _isr_changes_shown(logs, leader, leader_known, first, end)
        )
    tenure_starts = sorted({tenure.place for tenure in stated.tenures})
    doubtful = _before_unseen_joining(stated.stated_isrs, sets, tenure_starts, logs)
    for number, current in enumerate(stated.stated_isrs):
        later = stated.stated_isrs[number + 1] if number + 1 < len(stated.stated_isrs) else None
        end = places if later is None else later.place
        if logs.by_zookeeper and not current.decided and not shown[current.place]:
            # A controller of ZooKeeper sends the set later than the leader wrote it.
            continue
        unseen = later is not None and _changed_unseen(logs, current, later, sets)
        passed_on = current.from_metadata or current.sent_by_controller
        if number in doubtful and passed_on:
            continue
        if number in doubtful or (
            later is not None
            and unseen
            and (later.from_metadata or not _tenure_between(tenure_starts, current, later))
        ):
            end = current.place
        next_tenures = (
            place for place in tenure_starts if current.place < place < end and not logs.metadata_log[place]
        )
        valid_until_change(known, current.place, min(next_tenures, default=end), shown)
        if later is not None and current.partition_epoch is not None and later.partition_epoch is not None:
            steps = later.partition_epoch - current.partition_epoch
            if steps == 0 or (steps == 1 and later.commit):
                known[current.place : end] = [Validity.YES] * (end - current.place)
    return known


def _before_unseen_joining(
    stated_isrs: Sequence[StatedIsr],
    sets: Sequence[tuple[int, ...] | None],
    tenure_starts: Sequence[int],
    logs: Witnesses,
) -> set[int]:
    """The numbers of statements of a set after which its leader let in a replica, and no row states that.

    The next tenure begins with more members: an election takes some out of the set, and one that is unclean
    leaves the leader alone; none lets any replica in. So it came after the last line of the node that changes
    the set.
    """
    found: set[int] = set()
    doubt = False
    for number in range(len(stated_isrs) - 2, -1, -1):
        one, later = stated_isrs[number], stated_isrs[number + 1]
        if _tenure_between(tenure_starts, one, later):
            before, after = sets[one.place], sets[later.place] or ()
            doubt = before is not None and len(after) > 1 and not set(before).issuperset(after)
            doubt = doubt and not logs.metadata_log[later.place]
        if doubt:
            found.add(number)
        doubt = doubt and (one.from_metadata or one.sent_by_controller)
    return found


def _tenure_between(tenure_starts: Sequence[int], current: StatedIsr, later: StatedIsr) -> bool:
    """Whether a tenure began between two statements of in-sync sets."""
    return any(current.place < place <= later.place for place in tenure_starts)


def _changed_unseen(logs: Witnesses, current: StatedIsr, later: StatedIsr, sets: Sequence[object]) -> bool:
    """Whether a changed set is stated first by a node that was sent it, so that its time is not known.

    The leader prints each change of its own set, and the metadata log has it.
    """
    if logs.metadata_log[later.place] or not (later.from_metadata or later.sent_by_controller):
        return False
    renumbered = (
        current.partition_epoch is not None
        and later.partition_epoch is not None
        and current.partition_epoch != later.partition_epoch
    )
    return renumbered or sets[current.place] != sets[later.place]


def read_control(view: View) -> Control:
    """Leader, leader epoch and in-sync set over the places, and the tenures in order."""
    stated = ControlStatements(view)
    for row in view.rows.of(CONTROL_KINDS):
        if row.partition == view.partition:
            stated.read(row)
    places = len(view.rows) + 1
    logs = witnesses(view)
    leaders, epochs = stated.leader.each(places), stated.epoch.each(places)
    sets = stated.isr.each(places)
    leader_known = _leader_known(view, stated, logs)
    isr_known = _isr_known(stated, logs, leader_known, sets)
    if not logs.all_have_logs:
        # No log shows what happens after the last lines of all logs.
        leader_known[-1] = isr_known[-1] = Validity.NO
    for known in (leader_known, isr_known):
        end_after_logs(view, known, logs)
    if view.exact:
        leader_known = isr_known = [Validity.YES] * places
    of_tenure = _of_tenure(stated, sets)
    of_sets = (first for first, _, _ in stated.isr.spans(places))
    begun = (one.place for one in (*stated.tenures, *stated.stated_isrs))
    numbers, named = numbered(of_tenure, (*of_sets, *begun))
    return Control(
        leader=valid_steps(view, stated.leader, leader_known),
        epoch=valid_steps(view, stated.epoch, leader_known),
        isr=valid_steps(view, stated.isr, isr_known),
        leader_known=validity_column(leader_known),
        isr_known=validity_column(isr_known),
        leader_at=leaders,
        epoch_at=epochs,
        isr_at=sets,
        isr_of_tenure=of_tenure,
        epochs=column_of(stated.epoch, places),
        sets=numbers,
        named_sets=named,
        tenures=name_elections(view, stated.tenures, stated.stated_isrs, sets, logs),
        isr_changes=tuple(stated.changes),
        later_epochs_at=frozenset(stated.later_epochs_at),
    )
