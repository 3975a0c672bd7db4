"""From rows to the leaders, leader epochs and in-sync sets that they state of a partition, in one pass."""

from dataclasses import replace
from typing import Final

from core.assumptions import ELECTION_TOLD_WITHIN
from core.history.isr_proposals import PROPOSED, NotifiedEpochs, rejected_proposals, states_earlier_tenure
from core.history.positions import place_after
from core.history.steps import StepWriter
from core.history.tenures import IsrChange, StatedIsr, Tenure
from core.history.view import Row, View
from core.history.witnesses import DECISIONS, REQUESTS, STATED
from core.trace.vocabulary import Basis, Election

CONTROL_KINDS: Final = frozenset({*STATED, *PROPOSED, "isr_update_rejected", "fetcher_added"})
"""Kinds of rows that state a leader, its epoch, or an in-sync set."""
_FROM_METADATA: Final = frozenset({"metadata_sent", "metadata_applied"})


class ControlStatements:
    """The leaders, epochs and in-sync sets stated so far, while the rows of a partition are read in order."""

    def __init__(self, view: View) -> None:
        """Nothing has been read of the view yet."""
        self.view = view
        self.leader: StepWriter[int | None] = StepWriter(None)
        self.epoch: StepWriter[int | None] = StepWriter(None)
        self.isr: StepWriter[tuple[int, ...] | None] = StepWriter(None)
        self.partition_epoch: int | None = None
        """The partition epoch of the in-sync set stated last; None where no row states it."""
        self.isr_is_proposed = False
        """Whether that set was only proposed, so that its partition epoch is not known yet."""
        self.election_row: Row | None = None
        """A row that states an election, before a row states its epoch."""
        self.tenures: list[Tenure] = []
        self.changes: list[IsrChange] = []
        self.last_stated: dict[int, int] = {}
        """By the number of a tenure, the last place at which a row states it."""
        self.fetching: list[tuple[int, int | None]] = []
        """(place, follower) of a line on a fetcher of the current leader, if only such lines name leaders."""
        self.by_fetchers_only: set[int] = set()
        """Numbers of tenures that only lines on fetchers state: the notice of the next one may be late."""
        self.stated_late: set[int] = set()
        """Places of rows that are the first to state a tenure, which began before them."""
        self.later_epochs_at: set[int] = set()
        """Places of rows that show a later tenure than the current one, but not its leader and epoch."""
        self.stated_isrs: list[StatedIsr] = []
        mine = [row for row in view.rows.of(CONTROL_KINDS) if row.partition == view.partition]
        # One with an epoch is the controller's, about a dead replica: to 2.3 the leader prints none.
        # In the metadata log every commit stands, and no proposal. A simulation may end before the commit.
        commit_rows = [row for row in mine if row.kind == "isr_committed"]
        self.commits_stated = view.exact or any(row.epoch is None or row.disk for row in commit_rows)
        self.rejected = rejected_proposals(mine)
        self.notified = NotifiedEpochs(mine)
        kinds_with_epoch = {row.kind for row in mine if row.epoch is not None and row.kind in STATED}
        self.epochs_stated = bool(kinds_with_epoch)
        self.only_fetchers_state_epochs = kinds_with_epoch <= {"fetcher_added"}

    def read(self, row: Row) -> None:
        """Take what one row of the partition states."""
        if row.kind in STATED and row.epoch is not None:
            self._read_with_epoch(row)
            if self.only_fetchers_state_epochs and row.leader == self.leader.value:
                self.fetching.append((place_after(row.number), row.broker))
        elif row.kind == "leader_elected" and row.aux is not None:
            self._read_election(row, row.aux)
        elif row.kind in PROPOSED or (row.kind == "isr_committed" and row.epoch is None):
            if row.number not in self.rejected:
                self._read_isr_without_epoch(row)
        elif row.kind == "isr_committed":
            self._read_with_epoch(row)
        elif row.kind == "fetcher_added" and row.leader is not None:
            if not self.epochs_stated:
                self._read_fetcher_without_epoch(row, row.leader)
            elif row.leader != self.leader.value and not self._fetches_from_earlier_leader(row):
                # No row states the tenure of this leader: its own line on that is missing.
                self.later_epochs_at.add(place_after(row.number))
                self.stated_late.add(place_after(row.number))

    def _fetches_from_earlier_leader(self, row: Row) -> bool:
        """Whether a follower still fetches from the leader of the last tenure of which it was notified."""
        latest = self.notified.last(row)
        return self.leader.value is None or any(
            tenure.epoch == latest and tenure.leader == row.leader for tenure in self.tenures
        )

    def _read_with_epoch(self, row: Row) -> None:
        """Take a row that states a leader epoch; one that is older than the current epoch is left out."""
        current = self.epoch.value
        if row.epoch is None or (current is not None and row.epoch < current):
            return
        leader = -1 if row.kind == "leaderless" else row.leader
        if row.kind == "became_leader" and leader is None:
            leader = row.replica
        if current is None or row.epoch > current:
            if leader is None:
                self.later_epochs_at.add(place_after(row.number))
                return
            self._begin_tenure(row, leader)
            return
        self._confirm_tenure(row, leader)
        self._read_isr(row)
        same = row.isr is not None and self.isr.value is not None and set(row.isr) == set(self.isr.value)
        if same and row.partition_epoch in (None, self.partition_epoch) and row.kind != "partition_created":
            self._add_stated_isr(row, row.partition_epoch)

    def _read_isr(self, row: Row) -> None:
        """Take the in-sync set of a row that states the current tenure."""
        if row.isr is None:
            return
        if row.partition_epoch is None:
            if row.kind == "isr_committed":
                self._set_isr(row, row.isr, row.basis)
            return
        if self.partition_epoch is None and self.isr_is_proposed:
            # A proposal was taken without a partition epoch: a row with the same set states it.
            if row.isr == self.isr.value:
                self.partition_epoch, self.isr_is_proposed = row.partition_epoch, False
            return
        if self.partition_epoch is None or row.partition_epoch > self.partition_epoch:
            self._set_isr(row, row.isr, row.basis)
        self.partition_epoch = max(self.partition_epoch or 0, row.partition_epoch)

    def _read_election(self, row: Row, election: int) -> None:
        """Note of which kind an election was, as the controller states it without the leader epoch.

        It began the current tenure if that has this leader and began just before, else the next tenure.
        """
        tenure = self.tenures[-1] if self.tenures else None
        same_leader = tenure is not None and tenure.leader == row.leader
        if (
            tenure is not None
            and same_leader
            and row.at > self.view.rows[tenure.place - 1].at + ELECTION_TOLD_WITHIN.ns
        ):
            # An election is printed before all lines on its tenure: another leader, or none, was between.
            self.election_row = row
            self.later_epochs_at.add(place_after(row.number))
            self.stated_late.add(place_after(row.number))
        elif tenure is not None and same_leader and tenure.election is Election.UNKNOWN:
            self.tenures[-1] = replace(
                tenure, election=Election(election), evidence=(*tenure.evidence, row.seq)
            )
        else:
            self.election_row = row

    def _begin_tenure(self, row: Row, leader: int) -> None:
        """Begin a tenure with the row that is the first to state it."""
        election, evidence = Election.UNKNOWN, (row.seq,)
        if row.kind == "leader_elected" and row.aux is not None:
            election = Election(row.aux)
        elif (
            self.election_row is not None
            and self.election_row.leader == leader
            and self.election_row.aux is not None
        ):
            election, evidence = Election(self.election_row.aux), (row.seq, self.election_row.seq)
        self.election_row = None
        place = place_after(row.number)
        if row.kind == "fetcher_added":
            self.by_fetchers_only.add(len(self.tenures))
        self.tenures.append(Tenure(row.epoch, leader, place, election, row.basis, evidence))
        if states_earlier_tenure(row, leader, self.leader.value):
            self.stated_late.add(place)
        self.leader.put(place, leader)
        self.epoch.put(place, row.epoch)
        # A row without an in-sync set leaves the partition epoch to the row that has the set.
        self.partition_epoch = row.partition_epoch if row.isr is not None else None
        self.isr_is_proposed = False
        if row.isr is not None:
            self._set_isr(row, row.isr, row.basis)
        elif row.kind == "fetcher_added":
            # The election takes a leader that stops out of the set: the old set need not hold.
            self.isr.put(place, None)

    def _confirm_tenure(self, row: Row, leader: int | None) -> None:
        """Take another row that states the current tenure.

        It adds evidence, and the kind of election if only this row has it.
        """
        tenure = self.tenures[-1]
        if leader == tenure.leader and row.kind != "partition_created":
            # A node that starts under KRaft replays the log and prints creations again.
            self.last_stated[len(self.tenures) - 1] = place_after(row.number)
            if row.kind != "fetcher_added":
                self.by_fetchers_only.discard(len(self.tenures) - 1)
        if leader != tenure.leader or len(tenure.evidence) >= 4:
            return
        if row.kind in ("leader_elected", "became_leader", "leaderless"):
            election = tenure.election
            if row.kind == "leader_elected" and row.aux is not None and election is Election.UNKNOWN:
                election = Election(row.aux)
            self.tenures[-1] = replace(tenure, election=election, evidence=(*tenure.evidence, row.seq))

    def _read_isr_without_epoch(self, row: Row) -> None:
        """Take a proposal of an in-sync set, or a commit without a leader epoch.

        To 2.7 brokers print only the proposal, just before they write it.
        """
        is_behind = not self.view.exact and self.notified.is_behind(row, self.epoch.value)
        is_behind = is_behind and not self._is_of_this_tenure(row)
        if is_behind and self.notified.is_ever_notified(row, self.epoch.value):
            # It was not yet notified of the tenure: its proposal came before that, or failed.
            return
        if (
            row.leader is not None
            and row.leader == row.broker
            and self.leader.value not in (None, row.leader)
        ):
            # No row states the tenure of this leader.
            self.later_epochs_at.add(place_after(row.number))
        if row.isr is None:
            return
        if is_behind:
            # An earlier leader that is never notified of this tenure, or whose line on it is missing.
            self.isr.put(place_after(row.number), None)
            return
        if row.kind == "isr_committed":
            if (
                row.partition_epoch is not None
                and self.partition_epoch is not None
                and row.partition_epoch <= self.partition_epoch
            ):
                return
            self._set_isr(row, row.isr, row.basis)
            self.partition_epoch = (
                row.partition_epoch if row.partition_epoch is not None else self.partition_epoch
            )
            self.isr_is_proposed = False
            return
        known = self.epoch.value
        if self.commits_stated or (row.epoch is not None and known is not None and row.epoch < known):
            return
        self._set_isr(row, row.isr, Basis.INFERRED)
        self.partition_epoch, self.isr_is_proposed = None, True

    def _is_of_this_tenure(self, row: Row) -> bool:
        """Whether a commit is later than the beginning of this tenure, whose leader printed it.

        Each election and each change of the set raises the partition epoch. The leader's own line on it is
        missing.
        """
        later = None not in (row.partition_epoch, self.partition_epoch) and (row.partition_epoch or 0) > (
            self.partition_epoch or 0
        )
        return later and row.kind == "isr_committed" and row.broker == self.leader.value

    def _read_fetcher_without_epoch(self, row: Row, leader: int) -> None:
        """Take the leader of a line on a fetcher: to 0.10 at INFO no other lines state it."""
        if leader == self.leader.value:
            self.fetching.append((place_after(row.number), row.broker))
            return
        self.tenures.append(
            Tenure(None, leader, place_after(row.number), Election.UNKNOWN, Basis.REPORTED, (row.seq,))
        )
        self.leader.put(place_after(row.number), leader)
        self.fetching.append((place_after(row.number), row.broker))

    def _add_stated_isr(self, row: Row, partition_epoch: int | None) -> None:
        """Note that a row states the in-sync set, and who states it."""
        repeated = self._repeats_set_of_leader(row)
        late = place_after(row.number) in self.stated_late
        commit = row.kind == "isr_committed" and not late and not repeated
        decided = commit or row.kind in DECISIONS
        from_metadata, sent_by_controller = row.kind in _FROM_METADATA, repeated or row.kind in REQUESTS
        self.stated_isrs.append(
            StatedIsr(
                place_after(row.number), partition_epoch, commit, decided, from_metadata, sent_by_controller
            )
        )

    def _repeats_set_of_leader(self, row: Row) -> bool:
        """Whether a controller states in the same epoch a set that the leader wrote before.

        A set from which it takes a dead replica itself has a new leader epoch; the line is printed too where
        nothing was left to be removed (PartitionStateMachine.doRemoveReplicasFromIsr). A leader that is the
        controller, too, states what it wrote itself.
        """
        if row.kind != "isr_committed" or row.epoch is None or row.disk or row.broker == row.leader:
            return False
        return bool(self.tenures) and self.tenures[-1].place != place_after(row.number)

    def _set_isr(self, row: Row, isr: tuple[int, ...], basis: Basis) -> None:
        """Take a new in-sync set from a row; one with the same members is no change."""
        partition_epoch = row.partition_epoch if row.kind not in PROPOSED else None
        self._add_stated_isr(row, partition_epoch)
        known = self.isr.value
        if known is not None and set(known) == set(isr):
            return
        self.isr.put(place_after(row.number), isr)
        self.changes.append(IsrChange(isr, place_after(row.number), basis, (row.seq,)))
