"""Leader, leader epoch and in-sync replicas of a partition, as the cluster agreed on them."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.history.control_statements import TELLING, ControlStatements
from core.history.elections import judge_elections
from core.history.late_notice import ends_witnessed
from core.history.state import Steps
from core.history.steps import column_of, numbered
from core.history.tenures import IsrChange, StatedIsr, Tenure
from core.history.validity import Validity, valid_steps, valid_until_change, validity_column
from core.history.view import View
from core.history.witnesses import Witnesses, end_after_logs, is_notified_late, later_on_disk, witnesses

_FENCED: Final = frozenset({"broker_fenced", "broker_stopped"})
_UNFENCED: Final = frozenset({"broker_unfenced"})
"""A controller of KRaft that fences a broker takes the lead from it; one that lets a broker in again may give
it the lead of what nobody leads (ReplicationControlManager). Both at once. A broker that stops has handed its
leads over first (controlled shutdown), whenever others are told of that."""
_OVER: Final = frozenset({"fetcher_removed", "fetch_failed"})


@dataclass(frozen=True, slots=True)
class Control:
    """What the control plane decided, over the places of a view.

    `leader`, `epoch` and `isr` are None where they are not known to hold any more, see
    core/history/witnesses.py.
    The lists by place have what was stated last, `leader_known` and `isr_known` the numbers of Validity.
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
    """The same where it was said of the term that stands: an election changes the set too."""
    epochs: NDArray[np.int64]
    """`epoch_at` in numbers, UNSAID where it is not known."""
    sets: NDArray[np.int32]
    """`isr_of_term` in numbers: which of `named_sets` it is."""
    named_sets: tuple[tuple[int, ...] | None, ...]
    tenures: tuple[Tenure, ...]
    isr_changes: tuple[IsrChange, ...]

    def tenure_number(self, epoch: int | None) -> int | None:
        """The number of the term with this epoch, or None."""
        for number, tenure in enumerate(self.tenures):
            if tenure.epoch == epoch:
                return number
        return None


def _leader_known(view: View, heard: ControlStatements, seen: Witnesses) -> list[Validity]:
    """By place, whether the term that was said last is known to stand."""
    places = len(view.rows) + 1
    known = [Validity.NO] * places
    ends = [tenure.place for tenure in heard.tenures[1:]] + [places] * bool(heard.tenures)
    for number, (tenure, end) in enumerate(zip(heard.tenures, ends, strict=True)):
        if tenure.epoch is None:
            continue
        last = max(tenure.place, heard.confirmed.get(number, 0))
        known[tenure.place : last] = [Validity.YES] * (last - tenure.place)
        over = min((place for place in heard.overtaken if last < place < end), default=end)
        if over < places and (
            over in heard.retold
            or is_notified_late(view.rows[over - 1], seen, over)
            or _skips(heard.tenures, number, seen)
        ):
            over = last
        taken = view.rows.of(_UNFENCED if tenure.leader == -1 else _FENCED)
        decided = (row.number + 1 for row in taken if tenure.leader in (row.replica, -1))
        decided = (place for place in decided if last < place < over and not seen.spine[place])
        over = min(decided, default=over)
        if number == len(heard.tenures) - 1 and not seen.spine[-1] and later_on_disk(view, tenure.epoch):
            over = last
        told = seen.spine if number in heard.by_one else _end_witnessed(view, heard, seen, number)
        valid_until_change(known, last, over, told)
    _known_by_fetchers(view, heard, seen, known)
    return known


def _end_witnessed(view: View, heard: ControlStatements, seen: Witnesses, number: int) -> list[bool]:
    """By place, whether another term than this one would be known."""
    if number + 1 == len(heard.tenures):
        return seen.leader
    return ends_witnessed(view, heard.told, seen, view.rows[heard.tenures[number + 1].place - 1])


def _skips(tenures: Sequence[Tenure], number: int, seen: Witnesses) -> bool:
    """Whether a term came between this one and the next of which nobody tells: it may have begun at any time.

    Leader epochs are given out one by one (in both kinds of controller). The words on one are missing, or it
    was decided by a controller that told nobody any more.
    """
    if number + 1 >= len(tenures) or seen.spine[tenures[number + 1].place]:
        return False
    epoch, later = tenures[number].epoch, tenures[number + 1].epoch
    return epoch is not None and later is not None and later > epoch + 1


def _of_tenure(heard: ControlStatements, sets: list[tuple[int, ...] | None]) -> list[tuple[int, ...] | None]:
    """The sets by place that were said since the term began."""
    begun = [tenure.place for tenure in heard.tenures]
    found: list[tuple[int, ...] | None] = [None] * len(sets)
    for first, end in pairwise([0, *begun, len(sets)]):
        said = min((one.place for one in heard.sets if first <= one.place < end), default=end)
        found[said:end] = sets[said:end]
    return found


def _known_by_fetchers(view: View, heard: ControlStatements, seen: Witnesses, known: list[Validity]) -> None:
    """Where only fetchers tell, a leader is known while a follower that speaks fetches from it.

    A fetch that fails may be the end of it: a follower that hears of no new leader goes on trying.
    """
    mine = (row for row in view.rows.of(_OVER) if row.partition in (view.partition, None))
    over = {row.number + 1 for row in mine} | {tenure.place for tenure in heard.tenures}
    begun = [tenure.place for tenure in heard.tenures]
    for first, follower in heard.fetching:
        told = seen.lives.get(-1 if follower is None else follower, [False] * len(known))
        end = min((place for place in over if place > first), default=len(known))
        if _skips(heard.tenures, bisect_right(begun, first) - 1, seen):
            end = first
        valid_until_change(known, first, end, told)


def _set_witnessed(
    seen: Witnesses, leader: int, leader_known: list[Validity], first: int, end: int
) -> list[bool]:
    """By place of a stretch under one leader, whether any change of the set would be known."""
    told = seen.in_sync_sets(leader, first, end)
    known = leader_known[first:end]
    if known.count(Validity.YES) == len(known):
        return told
    sure = zip(told, known, seen.spine[first:end], strict=True)
    return [tells and (sure_of is Validity.YES or spine) for tells, sure_of, spine in sure]


def _isr_known(
    view: View, heard: ControlStatements, seen: Witnesses, leader_known: list[Validity]
) -> list[Validity]:
    """By place, whether the in-sync set that was said last is known to stand: a new term may change it."""
    places = len(view.rows) + 1
    known = [Validity.NO] * places
    sets = heard.isr.each(places)
    told: list[bool] = []
    for first, end, leader in heard.leader.spans(places):
        told += (
            [False] * (end - first)
            if leader is None
            else _set_witnessed(seen, leader, leader_known, first, end)
        )
    begun = sorted({tenure.place for tenure in heard.tenures})
    doubtful = _before_unseen_growth(heard.sets, sets, begun, seen)
    for number, said in enumerate(heard.sets):
        later = heard.sets[number + 1] if number + 1 < len(heard.sets) else None
        end = places if later is None else later.place
        if seen.requests and not said.decided and not told[said.place]:
            # What a controller of ZooKeeper sends on the set it has heard from the leader, later.
            continue
        unseen = later is not None and _changed_unseen(seen, said, later, sets)
        passed_on = said.hearsay or said.sent
        if number in doubtful and passed_on:
            continue
        if number in doubtful or (
            later is not None and unseen and (later.hearsay or not _parted(begun, said, later))
        ):
            end = said.place
        unsaid = (place for place in begun if said.place < place < end and not seen.spine[place])
        valid_until_change(known, said.place, min(unsaid, default=end), told)
        if later is not None and said.version is not None and later.version is not None:
            steps = later.version - said.version
            if steps == 0 or (steps == 1 and later.commit):
                known[said.place : end] = [Validity.YES] * (end - said.place)
    return known


def _before_unseen_growth(
    said: Sequence[StatedIsr], sets: Sequence[tuple[int, ...] | None], begun: Sequence[int], seen: Witnesses
) -> set[int]:
    """The numbers of what was said of a set before its leader let somebody in, which nobody saw.

    The next term begins with more members: an election takes some out of the set, and one that is unclean
    leaves the leader alone; none lets anybody in. It was after the last word of who changes the set.
    """
    found: set[int] = set()
    doubt = False
    for number in range(len(said) - 2, -1, -1):
        one, later = said[number], said[number + 1]
        if _parted(begun, one, later):
            before, after = sets[one.place], sets[later.place] or ()
            doubt = before is not None and len(after) > 1 and not set(before).issuperset(after)
            doubt = doubt and not seen.spine[later.place]
        if doubt:
            found.add(number)
        doubt = doubt and (one.hearsay or one.sent)
    return found


def _parted(begun: Sequence[int], said: StatedIsr, later: StatedIsr) -> bool:
    """Whether a term began between what was said of two sets."""
    return any(said.place < place <= later.place for place in begun)


def _changed_unseen(seen: Witnesses, said: StatedIsr, later: StatedIsr, sets: Sequence[object]) -> bool:
    """Whether a set is told of first by those who hear of it from the leader that made it, whenever that was.

    The leader prints each change of its own set, and the metadata log has it.
    """
    if seen.spine[later.place] or not (later.hearsay or later.sent):
        return False
    counted = said.version is not None and later.version is not None and said.version != later.version
    return counted or sets[said.place] != sets[later.place]


def read_control(view: View) -> Control:
    """Leader, epoch and ISR over the places, and the terms in order."""
    heard = ControlStatements(view)
    for row in view.rows.of(TELLING):
        if row.partition == view.partition:
            heard.read(row)
    places = len(view.rows) + 1
    seen = witnesses(view)
    leaders, epochs = heard.leader.each(places), heard.epoch.each(places)
    sets = heard.isr.each(places)
    leader_known = _leader_known(view, heard, seen)
    isr_known = _isr_known(view, heard, seen, leader_known)
    if not seen.complete:
        # What stands after the last word of all is told by nobody.
        leader_known[-1] = isr_known[-1] = Validity.NO
    for known in (leader_known, isr_known):
        end_after_logs(view, known, seen)
    if view.exact:
        leader_known = isr_known = [Validity.YES] * places
    of_term = _of_tenure(heard, sets)
    numbers, named = numbered(of_term)
    return Control(
        leader=valid_steps(view, heard.leader, leader_known),
        epoch=valid_steps(view, heard.epoch, leader_known),
        isr=valid_steps(view, heard.isr, isr_known),
        leader_known=validity_column(leader_known),
        isr_known=validity_column(isr_known),
        leader_at=leaders,
        epoch_at=epochs,
        isr_at=sets,
        isr_of_tenure=of_term,
        epochs=column_of(heard.epoch, places),
        sets=numbers,
        named_sets=named,
        tenures=judge_elections(view, heard.tenures, heard.sets, sets, seen),
        isr_changes=tuple(heard.changes),
    )
