"""From rows to the stated leaders, leader epochs and in-sync sets of a partition, in one pass."""

from dataclasses import replace
from typing import Final

from core.assumptions import ELECTION_TOLD_WITHIN
from core.history.isr_proposals import PROPOSED, OwnEpochs, rejected, retells
from core.history.steps import StepWriter
from core.history.tenures import IsrChange, StatedIsr, Tenure
from core.history.view import Row, View
from core.history.witnesses import DECISIONS, REQUESTS, STATED
from core.trace.vocabulary import Basis, Election

TELLING: Final = frozenset({*STATED, *PROPOSED, "isr_update_rejected", "fetcher_added"})
"""Kinds of rows that state one of them."""
_HEARSAY: Final = frozenset({"metadata_sent", "metadata_applied"})


class ControlStatements:
    """What has been stated so far, while the rows of a partition are read once, in order."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.leader: StepWriter[int | None] = StepWriter(None)
        self.epoch: StepWriter[int | None] = StepWriter(None)
        self.isr: StepWriter[tuple[int, ...] | None] = StepWriter(None)
        self.version: int | None = None
        self.proposed = False
        self.heard: Row | None = None
        self.tenures: list[Tenure] = []
        self.changes: list[IsrChange] = []
        self.confirmed: dict[int, int] = {}
        """By the number of a tenure, the last place at which a row states it."""
        self.fetching: list[tuple[int, int | None]] = []
        """Where no other row states a leader: places at which a follower names the leader, and who."""
        self.by_one: set[int] = set()
        """Numbers of tenures that only lines on fetchers state: the next one may be notified late."""
        self.retold: set[int] = set()
        """Places of rows that are the first to state a tenure, and cannot have begun it."""
        self.overtaken: set[int] = set()
        """Places at which a row states a later epoch without its leader."""
        self.sets: list[StatedIsr] = []
        mine = [row for row in view.rows.of(TELLING) if row.partition == view.partition]
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
        """Whether a follower still fetches from the leader of its last known tenure, which is over."""
        told = self.told.last(row)
        return self.leader.value is None or any(
            tenure.epoch == told and tenure.leader == row.leader for tenure in self.tenures
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
        """Take the in-sync set of a row that states the current tenure."""
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
        """The controller states the kind of election, without the epoch.

        It is that of the current tenure, or of the next one.
        """
        tenure = self.tenures[-1] if self.tenures else None
        again = tenure is not None and tenure.leader == row.leader
        if (
            tenure is not None
            and again
            and row.at > self.view.rows[tenure.place - 1].at + ELECTION_TOLD_WITHIN.ns
        ):
            # An election comes before all words on its term: another leader, or none, was between the two.
            self.heard = row
            self.overtaken.add(row.number + 1)
            self.retold.add(row.number + 1)
        elif tenure is not None and again and tenure.election is Election.UNKNOWN:
            self.tenures[-1] = replace(tenure, election=Election(how), evidence=(*tenure.evidence, row.seq))
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
            self.by_one.add(len(self.tenures))
        self.tenures.append(Tenure(row.epoch, leader, place, election, row.basis, evidence))
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
        """Another row that states the current tenure.

        It adds evidence, and the kind of election if only this row has it.
        """
        tenure = self.tenures[-1]
        if leader == tenure.leader and row.kind != "partition_created":
            # A node that starts under KRaft replays the log and prints creations again.
            self.confirmed[len(self.tenures) - 1] = row.number + 1
            if row.kind != "fetcher_added":
                self.by_one.discard(len(self.tenures) - 1)
        if leader != tenure.leader or len(tenure.evidence) >= 4:
            return
        if row.kind in ("leader_elected", "became_leader", "leaderless"):
            election = tenure.election
            if row.kind == "leader_elected" and row.aux is not None and election is Election.UNKNOWN:
                election = Election(row.aux)
            self.tenures[-1] = replace(tenure, election=election, evidence=(*tenure.evidence, row.seq))

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
        """To 0.10 at INFO only lines on fetchers state the leader."""
        if leader == self.leader.value:
            self.fetching.append((row.number + 1, row.broker))
            return
        self.tenures.append(
            Tenure(None, leader, row.number + 1, Election.UNKNOWN, Basis.REPORTED, (row.seq,))
        )
        self.leader.put(row.number + 1, leader)
        self.fetching.append((row.number + 1, row.broker))

    def _said(self, row: Row, version: int | None) -> None:
        commit = row.kind == "isr_committed" and row.number + 1 not in self.retold
        decided = commit or row.kind in DECISIONS
        hearsay, sent = row.kind in _HEARSAY, row.kind in REQUESTS
        self.sets.append(StatedIsr(row.number + 1, version, commit, decided, hearsay, sent))

    def _set_isr(self, row: Row, isr: tuple[int, ...], basis: Basis) -> None:
        number = row.partition_epoch if row.kind not in PROPOSED else None
        self._said(row, number)
        known = self.isr.value
        if known is not None and set(known) == set(isr):
            return
        self.isr.put(row.number + 1, isr)
        self.changes.append(IsrChange(isr, row.number + 1, basis, (row.seq,)))
