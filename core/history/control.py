"""Leader, leader epoch and in-sync replicas of a partition, as the cluster agreed on them."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.history.elections import judge_elections
from core.history.known import (
    DECISIONS,
    REQUESTS,
    STATED,
    Witnesses,
    fall_silent,
    later_on_disk,
    told_late,
    witnesses,
)
from core.history.proposals import PROPOSED, OwnEpochs, rejected, retells
from core.history.standing import Known, hold, known_column, known_steps
from core.history.state import Steps
from core.history.steps import StepWriter, column_of, numbered
from core.history.terms import SetSaid, Term
from core.history.view import Row, View
from core.trace.vocabulary import Basis, Election

_TELLING: Final = frozenset({*STATED, *PROPOSED, "isr_update_rejected", "fetcher_added"})
_HEARSAY: Final = frozenset({"metadata_sent", "metadata_applied"})
_FENCED: Final = frozenset({"broker_fenced"})
_UNFENCED: Final = frozenset({"broker_unfenced"})
"""A controller of KRaft that fences a broker takes the lead from it; one that lets a broker in again may give
it the lead of what nobody leads (ReplicationControlManager). Both at once."""
_LATE: Final = 2_000_000_000
"""Ns by which logs of one time may tell of an election later than of what came of it."""
_OVER: Final = frozenset({"fetcher_removed", "fetch_failed"})


@dataclass(frozen=True, slots=True)
class IsrChange:
    """The in-sync set from a place on."""

    isr: tuple[int, ...]
    place: int
    basis: Basis
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Control:
    """What the control plane decided, over the places of a view.

    `leader`, `epoch` and `isr` are None where they are not known to stand any more (core/history/known.py);
    the lists by place have what was said last, `leader_known` and `isr_known` the numbers of Known.
    """

    leader: Steps[int | None]
    epoch: Steps[int | None]
    isr: Steps[tuple[int, ...] | None]
    leader_known: NDArray[np.int8]
    isr_known: NDArray[np.int8]
    leader_at: list[int | None]
    epoch_at: list[int | None]
    isr_at: list[tuple[int, ...] | None]
    isr_of_term: list[tuple[int, ...] | None]
    """The same where it was said of the term that stands: an election changes the set too."""
    epochs: NDArray[np.int64]
    """`epoch_at` in numbers, UNSAID where it is not known."""
    sets: NDArray[np.int32]
    """`isr_of_term` in numbers: which of `named_sets` it is."""
    named_sets: tuple[tuple[int, ...] | None, ...]
    terms: tuple[Term, ...]
    isr_changes: tuple[IsrChange, ...]

    def term_of(self, epoch: int | None) -> int | None:
        """The number of the term with this epoch, or None."""
        for number, term in enumerate(self.terms):
            if term.epoch == epoch:
                return number
        return None


class _Reader:
    """The state while the rows are read once."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.leader: StepWriter[int | None] = StepWriter(None)
        self.epoch: StepWriter[int | None] = StepWriter(None)
        self.isr: StepWriter[tuple[int, ...] | None] = StepWriter(None)
        self.version: int | None = None
        self.proposed = False
        self.heard: Row | None = None
        self.terms: list[Term] = []
        self.changes: list[IsrChange] = []
        self.confirmed: dict[int, int] = {}
        """By the number of a term, the last place at which a row says that it stands."""
        self.fetching: list[tuple[int, int | None]] = []
        """Where nobody else speaks: the places at which a follower said whom it fetches from, and who."""
        self.by_one: set[int] = set()
        """Numbers of terms that nothing but fetchers tells of: who fetches may be told late of the next."""
        self.retold: set[int] = set()
        """Places of rows that are the first to tell of a term, and cannot have begun it."""
        self.overtaken: set[int] = set()
        """Places at which a row knows of a later epoch, and not who leads in it."""
        self.sets: list[SetSaid] = []
        mine = [row for row in view.rows.of(_TELLING) if row.partition == view.partition]
        # One with an epoch is the controller's, about a dead replica: to 2.3 the leader prints none.
        # In the metadata log every commit stands, and no proposal.
        told = [row for row in mine if row.kind == "isr_committed"]
        self.commits = any(row.epoch is None or row.disk or view.exact for row in told)
        self.rejected = rejected(mine)
        self.told = OwnEpochs(mine)
        numbered = {row.kind for row in mine if row.epoch is not None and row.kind in STATED}
        self.numbered = bool(numbered)
        self.by_fetchers = numbered <= {"fetcher_added"}

    def read(self, row: Row) -> None:
        """One row of the partition."""
        if row.kind in STATED and row.epoch is not None:
            self._stated(row)
            if self.by_fetchers and row.leader == self.leader.value:
                self.fetching.append((row.number + 1, row.broker))
        elif row.kind == "leader_elected" and row.aux is not None:
            self._elected(row, row.aux)
        elif row.kind in PROPOSED or (row.kind == "isr_committed" and row.epoch is None):
            if row.number not in self.rejected:
                self._isr_alone(row)
        elif row.kind == "isr_committed":
            self._stated(row)
        elif row.kind == "fetcher_added" and row.leader is not None:
            if not self.numbered:
                self._unnumbered(row, row.leader)
            elif row.leader != self.leader.value and not self._of_before(row):
                # A leader of whose term nobody told: its word on that is missing, whenever it was.
                self.overtaken.add(row.number + 1)
                self.retold.add(row.number + 1)

    def _of_before(self, row: Row) -> bool:
        """Whether a follower fetches from the leader of the last term that it was told of, which is over."""
        told = self.told.last(row)
        return self.leader.value is None or any(
            term.epoch == told and term.leader == row.leader for term in self.terms
        )

    def _stated(self, row: Row) -> None:
        """A row with an epoch: it counts if it is not older than what is known."""
        current = self.epoch.value
        if row.epoch is None or (current is not None and row.epoch < current):
            return
        leader = -1 if row.kind == "leaderless" else row.leader
        if row.kind == "became_leader" and leader is None:
            leader = row.replica
        if current is None or row.epoch > current:
            if leader is None:
                self.overtaken.add(row.number + 1)
                return
            self._begin(row, leader)
            return
        self._confirm(row, leader)
        self._isr_of(row)
        same = row.isr is not None and self.isr.value is not None and set(row.isr) == set(self.isr.value)
        if same and row.partition_epoch in (None, self.version) and row.kind != "partition_created":
            self._said(row, row.partition_epoch)

    def _isr_of(self, row: Row) -> None:
        """The set of a row about the term that stands."""
        if row.isr is None:
            return
        if row.partition_epoch is None:
            if row.kind == "isr_committed":
                self._set_isr(row, row.isr, row.basis)
            return
        if self.version is None and self.proposed:
            # A proposal was counted whose number nobody said: a row that repeats the set is that one.
            if row.isr == self.isr.value:
                self.version, self.proposed = row.partition_epoch, False
            return
        if self.version is None or row.partition_epoch > self.version:
            self._set_isr(row, row.isr, row.basis)
        self.version = max(self.version or 0, row.partition_epoch)

    def _elected(self, row: Row, how: int) -> None:
        """The controller says how it elected, without the epoch.

        It is the term that stands, or the next one.
        """
        term = self.terms[-1] if self.terms else None
        again = term is not None and term.leader == row.leader
        if term is not None and again and row.at > self.view.rows[term.place - 1].at + _LATE:
            # An election comes before all words on its term: another leader, or none, was between the two.
            self.heard = row
            self.overtaken.add(row.number + 1)
            self.retold.add(row.number + 1)
        elif term is not None and again and term.election is Election.UNKNOWN:
            self.terms[-1] = replace(term, election=Election(how), evidence=(*term.evidence, row.seq))
        else:
            self.heard = row

    def _begin(self, row: Row, leader: int) -> None:
        election, evidence = Election.UNKNOWN, (row.seq,)
        if row.kind == "leader_elected" and row.aux is not None:
            election = Election(row.aux)
        elif self.heard is not None and self.heard.leader == leader and self.heard.aux is not None:
            election, evidence = Election(self.heard.aux), (row.seq, self.heard.seq)
        self.heard = None
        place = row.number + 1
        if row.kind == "fetcher_added":
            self.by_one.add(len(self.terms))
        self.terms.append(Term(row.epoch, leader, place, election, row.basis, evidence))
        if retells(row, leader, self.leader.value):
            self.retold.add(place)
        self.leader.put(place, leader)
        self.epoch.put(place, row.epoch)
        # The version of the set that is known: a row without one leaves it to the row that has it.
        self.version = row.partition_epoch if row.isr is not None else None
        self.proposed = False
        if row.isr is not None:
            self._set_isr(row, row.isr, row.basis)
        elif row.kind == "fetcher_added":
            # A leader that stops is taken out of the set by the election: the old set need not stand.
            self.isr.put(place, None)

    def _confirm(self, row: Row, leader: int | None) -> None:
        """A second word on the term that stands.

        Its evidence, and the kind of election if only this row has it.
        """
        term = self.terms[-1]
        if leader == term.leader and row.kind != "partition_created":
            # A node that starts under KRaft replays the log and prints creations again.
            self.confirmed[len(self.terms) - 1] = row.number + 1
            if row.kind != "fetcher_added":
                self.by_one.discard(len(self.terms) - 1)
        if leader != term.leader or len(term.evidence) >= 4:
            return
        if row.kind in ("leader_elected", "became_leader", "leaderless"):
            election = term.election
            if row.kind == "leader_elected" and row.aux is not None and election is Election.UNKNOWN:
                election = Election(row.aux)
            self.terms[-1] = replace(term, election=election, evidence=(*term.evidence, row.seq))

    def _isr_alone(self, row: Row) -> None:
        """A proposal or a commit without an epoch.

        To 2.7 brokers print only the proposal, just before they write it.
        """
        behind = not self.view.exact and self.told.behind(row, self.epoch.value)
        if behind and self.told.hears(row, self.epoch.value):
            # It was not yet told of the term: what it proposed came before that, or came to nothing.
            return
        if (
            row.leader is not None
            and row.leader == row.broker
            and self.leader.value not in (None, row.leader)
        ):
            # A leader of whose term nobody told.
            self.overtaken.add(row.number + 1)
        if row.isr is None:
            return
        if behind:
            # A leader of before that heard no more, or words on its next term are missing.
            self.isr.put(row.number + 1, None)
            return
        if row.kind == "isr_committed":
            if (
                row.partition_epoch is not None
                and self.version is not None
                and row.partition_epoch <= self.version
            ):
                return
            self._set_isr(row, row.isr, row.basis)
            self.version = row.partition_epoch if row.partition_epoch is not None else self.version
            self.proposed = False
            return
        known = self.epoch.value
        if self.commits or (row.epoch is not None and known is not None and row.epoch < known):
            return
        self._set_isr(row, row.isr, Basis.INFERRED)
        self.version, self.proposed = None, True

    def _unnumbered(self, row: Row, leader: int) -> None:
        """To 0.10 at INFO only the fetchers say who leads."""
        if leader == self.leader.value:
            self.fetching.append((row.number + 1, row.broker))
            return
        self.terms.append(Term(None, leader, row.number + 1, Election.UNKNOWN, Basis.REPORTED, (row.seq,)))
        self.leader.put(row.number + 1, leader)
        self.fetching.append((row.number + 1, row.broker))

    def _said(self, row: Row, version: int | None) -> None:
        commit = row.kind == "isr_committed" and row.number + 1 not in self.retold
        decided = commit or row.kind in DECISIONS
        hearsay, sent = row.kind in _HEARSAY, row.kind in REQUESTS
        self.sets.append(SetSaid(row.number + 1, version, commit, decided, hearsay, sent))

    def _set_isr(self, row: Row, isr: tuple[int, ...], basis: Basis) -> None:
        number = row.partition_epoch if row.kind not in PROPOSED else None
        self._said(row, number)
        known = self.isr.value
        if known is not None and set(known) == set(isr):
            return
        self.isr.put(row.number + 1, isr)
        self.changes.append(IsrChange(isr, row.number + 1, basis, (row.seq,)))


def _leader_known(view: View, reader: _Reader, seen: Witnesses) -> list[Known]:
    """By place, whether the term that was said last is known to stand."""
    places = len(view.rows) + 1
    known = [Known.NO] * places
    ends = [term.place for term in reader.terms[1:]] + [places] * bool(reader.terms)
    for number, (term, end) in enumerate(zip(reader.terms, ends, strict=True)):
        if term.epoch is None:
            continue
        last = max(term.place, reader.confirmed.get(number, 0))
        known[term.place : last] = [Known.YES] * (last - term.place)
        over = min((place for place in reader.overtaken if last < place < end), default=end)
        if over < places and (
            over in reader.retold
            or told_late(view.rows[over - 1], seen, over)
            or _skips(reader.terms, number, seen)
        ):
            over = last
        ends = view.rows.of(_UNFENCED if term.leader == -1 else _FENCED)
        decided = (row.number + 1 for row in ends if term.leader in (row.replica, -1))
        decided = (place for place in decided if last < place < over and not seen.spine[place])
        over = min(decided, default=over)
        if number == len(reader.terms) - 1 and not seen.spine[-1] and later_on_disk(view, term.epoch):
            over = last
        hold(known, last, over, seen.spine if number in reader.by_one else seen.leader)
    _known_by_fetchers(view, reader, seen, known)
    return known


def _skips(terms: Sequence[Term], number: int, seen: Witnesses) -> bool:
    """Whether a term came between this one and the next of which nobody tells: it may have begun at any time.

    Leader epochs are given out one by one (in both kinds of controller). The words on one are missing, or it
    was decided by a controller that told nobody any more.
    """
    if number + 1 >= len(terms) or seen.spine[terms[number + 1].place]:
        return False
    epoch, later = terms[number].epoch, terms[number + 1].epoch
    return epoch is not None and later is not None and later > epoch + 1


def _of_term(reader: _Reader, sets: list[tuple[int, ...] | None]) -> list[tuple[int, ...] | None]:
    """The sets by place that were said since the term began."""
    begun = [term.place for term in reader.terms]
    found: list[tuple[int, ...] | None] = [None] * len(sets)
    for first, end in pairwise([0, *begun, len(sets)]):
        said = min((one.place for one in reader.sets if first <= one.place < end), default=end)
        found[said:end] = sets[said:end]
    return found


def _known_by_fetchers(view: View, reader: _Reader, seen: Witnesses, known: list[Known]) -> None:
    """Where only fetchers tell, a leader is known while a follower that speaks fetches from it.

    A fetch that fails may be the end of it: a follower that hears of no new leader goes on trying.
    """
    mine = (row for row in view.rows.of(_OVER) if row.partition in (view.partition, None))
    over = {row.number + 1 for row in mine} | {term.place for term in reader.terms}
    begun = [term.place for term in reader.terms]
    for first, follower in reader.fetching:
        told = seen.lives.get(-1 if follower is None else follower, [False] * len(known))
        end = min((place for place in over if place > first), default=len(known))
        if _skips(reader.terms, bisect_right(begun, first) - 1, seen):
            end = first
        hold(known, first, end, told)


def _set_told(seen: Witnesses, leader: int, terms: list[Known], first: int, end: int) -> list[bool]:
    """By place of a stretch under one leader, whether any change of the set would be known."""
    told = seen.in_sync_sets(leader, first, end)
    known = terms[first:end]
    if known.count(Known.YES) == len(known):
        return told
    sure = zip(told, known, seen.spine[first:end], strict=True)
    return [tells and (term is Known.YES or spine) for tells, term, spine in sure]


def _isr_known(view: View, reader: _Reader, seen: Witnesses, terms: list[Known]) -> list[Known]:
    """By place, whether the in-sync set that was said last is known to stand: a new term may change it."""
    places = len(view.rows) + 1
    known = [Known.NO] * places
    sets = reader.isr.each(places)
    told: list[bool] = []
    for first, end, leader in reader.leader.stretches(places):
        told += [False] * (end - first) if leader is None else _set_told(seen, leader, terms, first, end)
    begun = sorted({term.place for term in reader.terms})
    doubtful = _before_unseen_growth(reader.sets, sets, begun, seen)
    for number, said in enumerate(reader.sets):
        later = reader.sets[number + 1] if number + 1 < len(reader.sets) else None
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
        hold(known, said.place, min(unsaid, default=end), told)
        if later is not None and said.version is not None and later.version is not None:
            steps = later.version - said.version
            if steps == 0 or (steps == 1 and later.commit):
                known[said.place : end] = [Known.YES] * (end - said.place)
    return known


def _before_unseen_growth(
    said: Sequence[SetSaid], sets: Sequence[tuple[int, ...] | None], begun: Sequence[int], seen: Witnesses
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


def _parted(begun: Sequence[int], said: SetSaid, later: SetSaid) -> bool:
    """Whether a term began between what was said of two sets."""
    return any(said.place < place <= later.place for place in begun)


def _changed_unseen(seen: Witnesses, said: SetSaid, later: SetSaid, sets: Sequence[object]) -> bool:
    """Whether a set is told of first by those who hear of it from the leader that made it, whenever that was.

    The leader prints each change of its own set, and the metadata log has it.
    """
    if seen.spine[later.place] or not (later.hearsay or later.sent):
        return False
    counted = said.version is not None and later.version is not None and said.version != later.version
    return counted or sets[said.place] != sets[later.place]


def read_control(view: View) -> Control:
    """Leader, epoch and ISR over the places, and the terms in order."""
    reader = _Reader(view)
    for row in view.rows.of(_TELLING):
        if row.partition == view.partition:
            reader.read(row)
    places = len(view.rows) + 1
    seen = witnesses(view)
    leaders, epochs = reader.leader.each(places), reader.epoch.each(places)
    sets = reader.isr.each(places)
    leader_known = _leader_known(view, reader, seen)
    isr_known = _isr_known(view, reader, seen, leader_known)
    if not seen.complete:
        # What stands after the last word of all is told by nobody.
        leader_known[-1] = isr_known[-1] = Known.NO
    for known in (leader_known, isr_known):
        fall_silent(view, known, seen)
    if view.exact:
        leader_known = isr_known = [Known.YES] * places
    of_term = _of_term(reader, sets)
    numbers, named = numbered(of_term)
    return Control(
        leader=known_steps(view, reader.leader, leader_known),
        epoch=known_steps(view, reader.epoch, leader_known),
        isr=known_steps(view, reader.isr, isr_known),
        leader_known=known_column(leader_known),
        isr_known=known_column(isr_known),
        leader_at=leaders,
        epoch_at=epochs,
        isr_at=sets,
        isr_of_term=of_term,
        epochs=column_of(reader.epoch, places),
        sets=numbers,
        named_sets=named,
        terms=judge_elections(view, reader.terms, reader.sets, sets, seen),
        isr_changes=tuple(reader.changes),
    )
