"""Both logs of a cut right before it, and what the rules of an era make of them.

Where the state is bounded the rules are applied at both bounds.
"""

from dataclasses import dataclass
from itertools import product
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import LogThen
from core.diagnose.verdict.made import who
from core.history.epoch_runs import Runs, end_of
from core.history.positions import previous_place
from core.history.state import Band
from core.kafka.epochs import Entries, assign
from core.kafka.eras import Era
from core.kafka.rejoin import FollowerLog, LeaderLog, Walk, rejoin
from core.message import Value, message
from core.trace.ids import Place
from core.trace.settings import script_tables, topic_setting
from core.trace.vocabulary import Basis, CutReason

_UNCLEAN: Final = "unclean.leader.election.enable"
ENDLESS: Final = 2**62
"""In place of a bound that is not known."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Both logs right before a cut, and who leads."""

    leader: int | None
    called: Value
    """The leader as a person calls it."""
    own: LogThen
    other: LogThen | None
    leads_from: int | None
    """The log end offset with which the leader took over: where its epoch begins."""
    leader_epoch: int | None


def sides_at(case: Case, broker: int, place: Place) -> Sides:
    """Both logs right before a cut, and who leads."""
    before = previous_place(place)
    epoch = case.roles[broker].epoch_at[place]
    number = None if epoch is None else case.control.tenure_number(epoch)
    leader = case.control.tenures[number].leader if number is not None else None
    if leader is None and epoch is None:
        leader = case.control.leader_at[place]
    if leader in (-1, broker) or leader not in case.history.replicas:
        leader = None
    own = _log_then(case, broker, before, case.leo_before(broker, before))
    if leader is None:
        return Sides(None, message("xray.its-leader"), own, None, None, epoch)
    leads_from = None if number is None else case.led_from(case.control.tenures[number])
    band = None if leads_from is None else case.leo(leader, leads_from)
    return Sides(
        leader=leader,
        called=who(case, leader),
        own=own,
        other=_log_then(case, leader, place, case.leo(leader, place)),
        leads_from=None if band is None else band.exact,
        leader_epoch=epoch,
    )


def _log_then(case: Case, broker: int, place: Place, leo: Band) -> LogThen:
    """A log at a place. Its cache is as a row or file states it, else as its records make it."""
    replica, cursor = case.history.replicas[broker], case.view.cursors[place]
    known, runs = replica.epochs.at(cursor), replica.runs.at(cursor)
    stated = known or ()
    start = runs[0].start if runs else replica.log_start.at(cursor).lo
    entries: Entries | None = stated
    basis = Basis.OBSERVED
    if case.view.mixes_formats:
        # Records may name no epoch, so that nothing follows from them. A run states the whole cache.
        entries = known if case.view.exact else None
        basis = Basis.UNKNOWN if entries is None else Basis.OBSERVED
    elif not stated or (start is not None and stated[0][1] > start):
        # No cache, or only a row that states its last entry: the others follow from the records.
        below = stated[0][1] if stated else None
        entries, basis = _made_of(runs, leo, below), Basis.DERIVED
        if entries is None:
            basis = Basis.UNKNOWN
        else:
            for epoch, begun in stated:
                entries = assign(entries, epoch, begun, "replaces")
    return LogThen(broker, entries, basis, replica.log_start.at(cursor), leo, case.hw(broker, place))


def _made_of(runs: Runs, leo: Band, below: int | None) -> Entries | None:
    """The entries that the records make, up to an offset; None where some epoch is not known."""
    top = leo.lo or 0 if below is None else below
    mine = [run for run in runs if run.start < top]
    if end_of(tuple(mine)) < top or any(run.epoch is None for run in mine):
        return None
    found: Entries = ()
    for run in mine:
        if run.epoch is not None:
            found = assign(found, run.epoch, run.start, "replaces")
    return found


def unclean_stated(case: Case, at: int | None = None) -> bool | None:
    """Whether script, topic or brokers allow unclean elections, at a time in ns or always; None: unknown."""
    trace = case.history.trace
    script = script_tables(trace)
    if script is not None:
        stated = script.get("settings", {}).get(_UNCLEAN)
        return None if stated is None else bool(stated)
    own = topic_setting(trace, trace.partitions[case.view.partition].tp.topic, _UNCLEAN, at)
    return None if own is None else own == "true"


def unclean_allowed(era: Era, *, stated: bool | None) -> bool:
    """Whether a release allows an unclean election: as it is stated (`unclean_stated`), else by default."""
    return era.switches.unclean_election == "true" if stated is None else stated


def walks(era: Era, sides: Sides, *, unclean: bool) -> list[Walk]:
    """The rules at each end of each bound; none where something that they need is not known."""
    own, other = sides.own, sides.other
    if other is None:
        return []
    needs_epochs = era.switches.truncation != "high-watermark"
    own_entries, entries = own.entries, other.entries
    if needs_epochs and (own_entries is None or entries is None):
        return []
    leos, hws, ends = _ends(own.leo), _ends(own.hw), _ends(other.leo)
    if not leos or not ends or (not hws and not needs_epochs):
        return []
    epoch, begun = sides.leader_epoch, sides.leads_from
    if era.switches.epoch_entry == "election" and None not in (entries, epoch, begun):
        entries = assign(entries or (), epoch or 0, begun or 0, era.switches.epoch_conflict)
    starts = _ends(other.log_start) or [0]
    found: list[Walk] = []
    for leo, hw, end in product(leos, hws or [0], ends):
        log = FollowerLog(own_entries or (), leo, min(hw, leo))
        leader = LeaderLog(entries or (), starts[0], end)
        found.append(rejoin(era.switches, log, leader, unclean_allowed=unclean))
    asks_hw = any(step.reason is CutReason.LOCAL_HIGH_WATERMARK for walk in found for step in walk.steps)
    return [] if asks_hw and not hws else found


def _ends(band: Band) -> list[int]:
    """Both bounds of a band; none where nothing is known of it.

    Kafka's rules take the smaller of two ends, so a value without an upper bound may still decide nothing.
    """
    if band.lo is None:
        return []
    return sorted({band.lo, ENDLESS if band.hi is None else band.hi})
