"""Leader, leader epoch and in-sync replicas of a partition, as the cluster agreed on them."""

from dataclasses import dataclass, replace
from typing import Final

from core.history.state import Steps
from core.history.steps import StepWriter
from core.history.view import Row, View
from core.trace.vocabulary import Basis, Election

_STATED: Final = frozenset(
    {
        "partition_created",
        "leader_and_isr_sent",
        "leader_and_isr_received",
        "metadata_sent",
        "metadata_applied",
        "partition_state",
        "leader_elected",
        "leaderless",
        "became_leader",
        "became_follower",
        "isr_committed",
    },
)
_PROPOSED: Final = frozenset({"isr_shrink_proposed", "isr_expand_proposed"})


@dataclass(frozen=True, slots=True)
class Term:
    """One leader epoch. `leader` -1 is none. `election` UNKNOWN where nothing was said or can be told."""

    epoch: int | None
    leader: int
    place: int
    """The state after so many rows of the view has this term."""
    election: Election
    basis: Basis
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IsrChange:
    """The in-sync set from a place on."""

    isr: tuple[int, ...]
    place: int
    basis: Basis
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Control:
    """What the control plane decided, over the places of a view."""

    leader: Steps[int | None]
    epoch: Steps[int | None]
    isr: Steps[tuple[int, ...] | None]
    leader_at: list[int | None]
    epoch_at: list[int | None]
    isr_at: list[tuple[int, ...] | None]
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
        self.leader = StepWriter[int | None](None)
        self.epoch = StepWriter[int | None](None)
        self.isr = StepWriter[tuple[int, ...] | None](None)
        self.version: int | None = None
        self.proposed = False
        self.heard: Row | None = None
        self.terms: list[Term] = []
        self.changes: list[IsrChange] = []
        mine = [row for row in view.rows if row.partition == view.partition]
        # One with an epoch is the controller's, about a dead replica: to 2.3 the leader prints none.
        # In the metadata log every commit stands, and no proposal.
        told = [row for row in mine if row.kind == "isr_committed"]
        self.commits = any(row.epoch is None or row.disk or view.exact for row in told)
        self.rejected = _rejected(mine)
        self.numbered = any(row.epoch is not None and row.kind in _STATED for row in mine)

    def read(self, row: Row) -> None:
        """One row of the partition."""
        if row.kind in _STATED and row.epoch is not None:
            self._stated(row)
        elif row.kind == "leader_elected" and row.aux is not None:
            self._elected(row, row.aux)
        elif row.kind in _PROPOSED or (row.kind == "isr_committed" and row.epoch is None):
            if row.number not in self.rejected:
                self._isr_alone(row)
        elif row.kind == "isr_committed":
            self._stated(row)
        elif row.kind == "fetcher_added" and not self.numbered and row.leader is not None:
            self._unnumbered(row, row.leader)

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
                return
            self._begin(row, leader)
            return
        self._confirm(row, leader)
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
        if term is not None and term.leader == row.leader and term.election is Election.UNKNOWN:
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
        self.terms.append(Term(row.epoch, leader, place, election, row.basis, evidence))
        self.leader.put(place, leader)
        self.epoch.put(place, row.epoch)
        # The version of the set that is known: a row without one leaves it to the row that has it.
        self.version = row.partition_epoch if row.isr is not None else None
        self.proposed = False
        if row.isr is not None:
            self._set_isr(row, row.isr, row.basis)

    def _confirm(self, row: Row, leader: int | None) -> None:
        """A second word on the term that stands.

        Its evidence, and the kind of election if only this row has it.
        """
        term = self.terms[-1]
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
        if row.isr is None:
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
            return
        self.terms.append(Term(None, leader, row.number + 1, Election.UNKNOWN, Basis.REPORTED, (row.seq,)))
        self.leader.put(row.number + 1, leader)

    def _set_isr(self, row: Row, isr: tuple[int, ...], basis: Basis) -> None:
        known = self.isr.value
        if known is not None and set(known) == set(isr):
            return
        self.isr.put(row.number + 1, isr)
        self.changes.append(IsrChange(isr, row.number + 1, basis, (row.seq,)))


def _rejected(rows: list[Row]) -> set[int]:
    """Proposals that came to nothing: the leader that printed one says next that its version is too old.

    To 2.7 such a leader tries again and again; ZooKeeper refuses it (KAFKA-2729).
    """
    last: dict[int | None, int] = {}
    found: set[int] = set()
    for row in rows:
        if row.kind in _PROPOSED:
            last[row.broker] = row.number
        elif row.kind == "isr_update_rejected" and row.broker in last:
            found.add(last.pop(row.broker))
    return found


def _judge_elections(view: View, control: Control) -> tuple[Term, ...]:
    """Name the elections that no row names.

    By the in-sync set before, the preferred replica and the old leader.
    """
    preferred = next(iter(view.trace.partitions[view.partition].replicas), None)
    judged: list[Term] = []
    isr: tuple[int, ...] | None = None
    led: int | None = None
    for term in control.terms:
        election, basis = term.election, term.basis
        before = control.isr_at[term.place - 1] if term.place else None
        isr = before if before is not None else isr
        if election is Election.UNKNOWN and term.leader != -1 and term.epoch is not None:
            if led is None:
                election = Election.FIRST if term.epoch == 0 else Election.UNKNOWN
            elif isr is not None:
                basis = Basis.INFERRED
                if term.leader not in isr:
                    election = Election.UNCLEAN
                elif (
                    term.leader == preferred != led
                    and led in isr
                    and led in (control.isr_at[term.place] or ())
                ):
                    election = Election.PREFERRED
                else:
                    election = Election.CLEAN
        judged.append(replace(term, election=election, basis=basis))
        led = term.leader if term.leader != -1 else led
    return tuple(judged)


def read_control(view: View) -> Control:
    """Leader, epoch and ISR over the places, and the terms in order."""
    reader = _Reader(view)
    for row in view.rows:
        if row.partition == view.partition:
            reader.read(row)
    places = len(view.rows) + 1
    control = Control(
        leader=reader.leader.steps(view),
        epoch=reader.epoch.steps(view),
        isr=reader.isr.steps(view),
        leader_at=reader.leader.each(places),
        epoch_at=reader.epoch.each(places),
        isr_at=reader.isr.each(places),
        terms=tuple(reader.terms),
        isr_changes=tuple(reader.changes),
    )
    return replace(control, terms=_judge_elections(view, control))
