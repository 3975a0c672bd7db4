"""What would have prevented a loss: single changes, each replayed from the moment before the incident."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.assumptions import INCIDENT_GOES_ON_WITHIN
from core.diagnose.account.incident import Incident, LostRange
from core.diagnose.account.report import incidents_of
from core.diagnose.verdict.facts import Severity
from core.errors import QuestionError
from core.lab.changes import Change, Cost, changes
from core.lab.choices import STANCES, Stance
from core.lab.faults import BACK, Fault
from core.lab.lift import Lifted, lift
from core.lab.material import Material
from core.lab.replay import Replay, replay
from core.message import message
from core.sim.ablation.setup import Setup
from core.trace.units import SECOND_NS
from core.work import QUIET, Work

_GOES_ON: Final = 60 * SECOND_NS
"""Faults up to so long after the incident belong to its script: who was away comes back."""


class Verdict(StrEnum):
    """Whether a change prevents the loss, over what the evidence leaves open."""

    PREVENTS = "prevents"
    """Nothing is lost, whatever was taken."""
    COMMITTED = "committed"
    """Nothing committed is lost; records that a leader alone held go with it, where acks=1 was asked for."""
    BEST_ONLY = "best-only"
    """Only where what is open is taken at its best."""
    WORST_ONLY = "worst-only"
    NOT = "not"


@dataclass(frozen=True, slots=True)
class Tried:
    """A change with its replays. `cost` is that of the change, or of the availability that it takes."""

    change: Change
    cost: Cost
    replays: Mapping[Stance, Replay]

    @property
    def verdict(self) -> Verdict:
        """What the replays say."""
        return verdict_of(self.replays)

    @property
    def keeps_committed(self) -> bool:
        """Whether nothing committed is lost, whatever was taken."""
        return self.verdict in (Verdict.PREVENTS, Verdict.COMMITTED)


@dataclass(frozen=True, slots=True)
class Prevention:
    """What a partition lost, what its continuation loses, and what would have prevented that."""

    partition: str
    lifted: Mapping[Stance, Lifted]
    lost: tuple[LostRange, ...]
    """What the real partition lost or may have lost."""
    unchanged: Mapping[Stance, Replay]
    tried: tuple[Tried, ...]
    """What prevents comes first, then what costs less."""

    @property
    def reproduced(self) -> bool:
        """Whether the continuation without a change loses what was lost, whatever was taken."""
        return all(self.matches(stance) for stance in STANCES)

    def matches(self, stance: Stance) -> bool:
        """Whether it loses something, all that was lost, and nothing committed beside what may have been."""
        lost, may_be = (
            {offset for one in ranges for offset in range(one.first_offset, one.end_offset)}
            for ranges in ([one for one in self.lost if one.severity is Severity.LOSS], self.lost)
        )
        run = self.unchanged[stance]
        replayed, committed = (
            {offset for one in ranges for offset in range(one.first_offset, one.end_offset)}
            for ranges in (run.outcome.lost, run.committed_lost)
        )
        return bool(replayed) and lost <= replayed and committed <= may_be

    @property
    def preventing(self) -> tuple[Tried, ...]:
        """The changes with which nothing committed is lost, whatever was taken; the cheapest first."""
        return tuple(one for one in self.tried if one.keeps_committed and not one.change.is_time)

    @property
    def by_times(self) -> tuple[Tried, ...]:
        """The other times with which nothing committed is lost here; that proves nothing of other moments."""
        return tuple(one for one in self.tried if one.keeps_committed and one.change.is_time)


def verdict_of(replays: Mapping[Stance, Replay]) -> Verdict:
    """What the replays of a change say, over the stances."""
    if all(one.loses_nothing for one in replays.values()):
        return Verdict.PREVENTS
    if all(one.keeps_committed for one in replays.values()):
        return Verdict.COMMITTED
    if replays[Stance.BEST].keeps_committed:
        return Verdict.BEST_ONLY
    return Verdict.WORST_ONLY if replays[Stance.WORST].keeps_committed else Verdict.NOT


def incident_of(material: Material) -> Incident | None:
    """The worst incident of a partition in which it lost records; None where it lost none."""
    found = incidents_of(material.trace, material.verdict)
    return next((one for one in found if one.losses), None)


def before(material: Material, incident: Incident) -> tuple[int, int]:
    """The cursor and the time, in ns, from which an incident is continued: the last with all replicas there.

    Raises QuestionError where no fault precedes it.
    """
    run_up = [one for one in material.faults if one.at <= incident.end and one.broker in material.holders]
    best: Fault | None = None
    for one in run_up:
        if one.kind in BACK or one.at > incident.start:
            continue
        if best is None or _calm(material, one.at):
            best = one
    if best is None:
        raise QuestionError(message("error.lab.no-fault"), advice=message("error.lab.no-fault.do"))
    if best.kind == "crash":
        return best.seq, material.history.time_of(best.seq) or best.lo
    at = best.at - 1
    return material.cursor_at(at), at


def _calm(material: Material, at: int) -> bool:
    """Whether all replicas were there before a fault, and had been so for long."""
    before = [one for one in material.faults if one.broker in material.holders and one.at < at]
    settled = all(at - one.at > INCIDENT_GOES_ON_WITHIN.ns for one in before)
    return settled and set(material.alive_at(at)) == set(material.holders)


def prevent(
    material: Material, incident: Incident, moment: tuple[int, int] | None = None, work: Work = QUIET
) -> Prevention:
    """Replay the incident from a cursor and its time on, unchanged and with each single change.

    Without a moment from `before` on. Raises QuestionError where it cannot be lifted, CancelledError if
    `work` was stopped.
    """
    cursor, at = before(material, incident) if moment is None else moment
    until = min(incident.end + _GOES_ON, int(material.trace.columns["at"][-1]))
    lifted = {one: lift(material, cursor, one, at=at, until=until) for one in STANCES}
    by_name = {stance: {one.name: one for one in changes(found)} for stance, found in lifted.items()}
    names = list(dict.fromkeys(name for known in by_name.values() for name in known))
    unchanged = {one: replay(Setup(found.scenario, found.era), work) for one, found in lifted.items()}
    tried: list[Tried] = []
    for place, name in enumerate(names):
        work.step(place, len(names), message("progress.named", name=name))
        replays = {
            stance: replay(known[name].applied(lifted[stance]))
            if name in (known := by_name[stance])
            else unchanged[stance]
            for stance in STANCES
        }
        change = next(known[name] for known in by_name.values() if name in known)
        tried.append(Tried(change, _cost(change, replays, unchanged), replays))
    work.step(len(names), len(names), message("progress.done"))
    lost = tuple(one for loss in incident.losses for one in loss.ranges)
    order = sorted(tried, key=_rank)
    return Prevention(material.name, lifted, lost, unchanged, tuple(order))


def _cost(change: Change, replays: Mapping[Stance, Replay], unchanged: Mapping[Stance, Replay]) -> Cost:
    """What a change costs: at least availability, where it has more time without a leader or refuses more."""
    dearer = any(
        replays[one].unled_s > unchanged[one].unled_s or replays[one].unconfirmed > unchanged[one].unconfirmed
        for one in STANCES
    )
    return max(change.cost, Cost.AVAILABILITY) if dearer else change.cost


def _rank(one: Tried) -> tuple[int, bool, int, int, int]:
    """What prevents comes first, other times last, then what costs least, then what is led longest."""
    helps = list(Verdict).index(one.verdict)
    # What acks=1 leaves to one copy no change keeps: it does not make a change a worse one.
    unled = max(run.unled_s for run in one.replays.values())
    return max(helps, 1), one.change.is_time, one.cost, unled, one.change.cost
