"""What a lift is made from: one partition of a trace with its history, verdict, rules and faults."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from core.diagnose.verdict.check import judge_partitions
from core.diagnose.verdict.facts import Leadership, PartitionVerdict
from core.errors import QuestionError
from core.history.state import Band, History
from core.kafka.eras import Era
from core.lab.controllers import Quorum, quorum_of
from core.lab.faults import BACK, ENDS, Fault, events_of, faults_of, found_dead, timed
from core.lab.lags import with_lags
from core.lab.moves import Move, moves_of
from core.lab.releases import UNCLEAN, rules_of, settings_of
from core.lab.retention import Deletion, deletions_of
from core.message import message
from core.trace.ids import UNSAID, Cursor, Nanos
from core.trace.trace import Event, Origin, Trace
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import NUMBER

CHECKPOINTS: Final = "replica.high.watermark.checkpoint.interval.ms"
LAG_TIME: Final = "replica.lag.time.max.ms"
SESSION: Final = "zookeeper.session.timeout.ms"
"""Of both kinds of controller, as scenarios have it."""
CHECKPOINTS_MS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Stamp:
    """A batch that is left on disk: its time stamp, first offset and epoch (None: not stored)."""

    at: int
    offset: int
    epoch: int | None


@dataclass(frozen=True, slots=True)
class Material:
    """One partition of a trace, looked at for a lift."""

    trace: Trace
    history: History
    verdict: PartitionVerdict
    era: Era
    settings: dict[str, int | bool]
    faults: tuple[Fault, ...]
    stamps: tuple["Stamp", ...]
    quorum: Quorum | None = None
    """The controllers of KRaft, where the voters are known."""
    moves: tuple[Move, ...] = ()

    @property
    def name(self) -> str:
        """The partition, by topic and number."""
        return str(self.trace.partitions[self.history.partition].tp)

    @property
    def deletions(self) -> tuple[Deletion, ...]:
        """What was deleted at the start of its logs."""
        return tuple(deletions_of(self.history, self.era.switches.log_start))

    @property
    def holders(self) -> tuple[int, ...]:
        """The brokers that hold it at any time, the preferred one of the beginning first."""
        if not self.moves:
            return self._stated
        later = (broker for move in self.moves for broker in move.brokers)
        return tuple(dict.fromkeys([*self.moves[0].before, *later]))

    def assigned_at(self, at: int) -> tuple[int, ...]:
        """The brokers that it is assigned to at a time, the preferred one first."""
        begun = [one for one in self.moves if one.at <= at]
        if begun:
            return begun[-1].brokers
        return self.moves[0].before if self.moves else self._stated

    @property
    def _stated(self) -> tuple[int, ...]:
        return self.trace.partitions[self.history.partition].replicas or tuple(self.history.replicas)

    @property
    def elects_uncleanly(self) -> bool:
        """Whether the controller may elect by itself who is not in sync."""
        default = self.era.switches.unclean_election == "true"
        return self.settings.get(UNCLEAN, default) is True and self.era.switches.unclean_setting == "obeyed"

    def cursor_at(self, at: int, seq: int = -1) -> Cursor:
        """The cursor at a time, and not before an event has been applied."""
        return Cursor(max(self.trace.cursor_at(Nanos(at)), seq + 1))

    def rows_after(self, seq: int) -> Iterator[Event]:
        """The events of the partition behind one."""
        seqs = self.history.seqs
        return map(self.trace.event, seqs[seqs.searchsorted(seq, side="right") :].tolist())

    def loaded(self, broker: int, after: int) -> Band | None:
        """The log end with which a broker came back behind an event; None where it did not."""
        if broker not in self.history.replicas:
            return None
        for event in self.rows_after(after):
            if event.kind == "log_loaded" and event.get("replica") == broker:
                return self.history.replicas[broker].leo.at(event.seq + 1)
        return None

    def tail_lost(self, fault: Fault) -> int:
        """How many records at the end of its log a broker surely had, and came back without."""
        loaded = self.loaded(fault.broker, fault.seq)
        if loaded is None or loaded.exact is None:
            return 0
        had = self.history.replicas[fault.broker].leo.at(fault.seq).lo
        return 0 if had is None else max(had - loaded.exact, 0)

    def returned(self, fault: Fault) -> Band | None:
        """The log end with which a broker goes on after its fault: while it is away nothing is appended."""
        if fault.shrunk is not None:
            return self._held_since(fault.broker, fault.shrunk)
        if fault.kind != "freeze":
            return self.loaded(fault.broker, fault.seq)
        thaws = (one for one in self.faults if one.kind == "thaw" and one.broker == fault.broker)
        thaw = next((one for one in thaws if one.at >= fault.at), None)
        if thaw is None or fault.broker not in self.history.replicas:
            return None
        band = self.history.replicas[fault.broker].leo.at(self.cursor_at(thaw.at, thaw.seq))
        tenure = self.tenure_at(thaw.at)
        after = None if tenure is None else self.next_tenure(tenure)
        if tenure is None or after is None or tenure.leader in self.alive_at(thaw.at + 1):
            return band
        # Its leader is dead: until another one leads nothing is appended.
        return self.history.replicas[fault.broker].leo.at(self.cursor_at(after.start - 1))

    def _held_since(self, broker: int, shrunk: int) -> Band | None:
        """The log end of a follower that its leader took out of the in-sync set, before it copies again.

        It copied nothing, so what shows it first, when it goes on or leads, shows what it held all the while.
        """
        if broker not in self.history.replicas:
            return None
        leo, since = self.history.replicas[broker].leo, self.trace.event(shrunk).at
        leads = (one for one in self.verdict.leadership if one.start > since and one.leader == broker)
        led = next(leads, None)
        again = [one.start for one in self.verdict.isr if one.start > since and broker in one.isr]
        again += [] if led is None else [led.start]
        end = min(again, default=int(self.trace.columns["at"][-1]) + 1)
        last = self.cursor_at(end - 1)
        for event in self.rows_after(shrunk):
            if event.seq >= last:
                break
            if event.get("replica") == broker:
                earlier, band = leo.at(event.seq), leo.at(event.seq + 1)
                if event.kind == "log_reset" and (end := event.get("from_offset")) is not None:
                    return Band(end, end, earlier.basis)
                if event.kind == "truncated":
                    return earlier
                if band.exact is None and band.lo is not None and band.lo == earlier.hi:
                    # It states where its log ends, and may copy at once.
                    band = replace(band, hi=band.lo)
                if band.exact is not None:
                    return band
        if led is not None and led.start == end and (begins := self.begins_at(led)) is not None:
            return Band(begins, begins, led.basis)
        return leo.at(last)

    def raced(self, crash: Fault) -> int | None:
        """The follower that had just come back when its leader died, and got no answer to its first fetch.

        The evidence shows it: its first fetch is not older than the last sign of life of the leader, and when
        it led itself its log ended where that fetch began, as far as that is known.
        """
        tenure = self.tenure_at(crash.at)
        if crash.kind != "crash" or tenure is None or tenure.leader != crash.broker:
            return None
        after = self.next_tenure(tenure)
        if after is None or after.leader == crash.broker:
            return None
        since = self.leads_since(tenure)
        started = [one for one in self.faults if one.kind == "start" and one.broker == after.leader]
        started = [one for one in started if since <= one.at <= crash.hi]
        for event in self.rows_after(started[-1].seq) if started else ():
            if event.kind == "fetcher_added" and event.get("replica") == after.leader:
                asked = event.get("leader") == crash.broker and crash.lo <= event.at <= crash.hi
                unanswered = self.begins_at(after) in (None, event.get("offset"))
                return after.leader if asked and unanswered else None
        return None

    def was_in_sync(self, fault: Fault) -> bool:
        """Whether a broker was in the in-sync set before its fault."""
        isr = self.history.isr.at(self.cursor_at(fault.lo))
        return fault.shrunk is not None or (isr is not None and fault.broker in isr)

    def alive_at(self, at: int) -> tuple[int, ...]:
        """The holders that run right before a time."""
        last = {one.broker: one.kind for one in self.faults if one.at < at}
        return tuple(one for one in self.holders if last.get(one, "start") in BACK)

    def tenure_at(self, at: int) -> Leadership | None:
        """The last tenure that had begun by then."""
        begun = [one for one in self.verdict.leadership if one.start <= at]
        return begun[-1] if begun else None

    def leads_since(self, tenure: Leadership) -> int:
        """Since when its leader had led without a break: an epoch may have begun with the same leader."""
        since = tenure.start
        for one in reversed([one for one in self.verdict.leadership if one.start < tenure.start]):
            if one.leader != tenure.leader:
                break
            since = one.start
        return since

    def begins_at(self, tenure: Leadership) -> int | None:
        """The log end with which a leader took over, also where only a later line of its own states it."""
        if tenure.start_offset is not None:
            return tenure.start_offset
        trace, seqs = self.trace, self.history.seqs
        for seq in seqs[trace.columns["kind"][seqs] == NUMBER["became_leader"]].tolist():
            event = trace.event(seq)
            if (event.get("replica"), event.get("epoch")) == (tenure.leader, tenure.epoch):
                return event.get("leo")
        return None

    def next_tenure(self, after: Leadership) -> Leadership | None:
        """The next tenure with a leader."""
        later = [one for one in self.verdict.leadership if one.start > after.start and one.leader >= 0]
        return later[0] if later else None


def material_of(trace: Trace, partition: int) -> Material:
    """All that a lift of one partition asks of a trace.

    Raises QuestionError for a simulated run, which has a script already, for the metadata quorum, which no
    script has, and where no release is known.
    """
    if trace.partitions[partition].tp.of_quorum:
        raise QuestionError(message("error.lab.quorum"), advice=message("error.lab.quorum.do"))
    if trace.origin is Origin.SIMULATED:
        raise QuestionError(message("error.lab.simulated"), advice=message("error.lab.simulated.do"))
    rules = rules_of(trace)
    if rules is None:
        raise QuestionError(message("error.lab.no-release"), advice=message("error.lab.no-release.do"))
    ((history, verdict),) = judge_partitions(trace, [partition])
    settings = settings_of(trace, trace.partitions[partition].tp.topic, rules)
    session = int(rules.switches.session_timeout_ms)
    # The times of the cluster go on under other rules: what they are is another question.
    settings.setdefault(LAG_TIME, int(rules.switches.lag_time_ms))
    faults = faults_of(
        history,
        session * MILLISECOND_NS,
        int(settings.get(CHECKPOINTS, CHECKPOINTS_MS)) * MILLISECOND_NS,
        over_zookeeper=rules.switches.controller == "zookeeper",
    )
    found = Material(trace, history, verdict, rules, settings, faults, tuple(_stamps(history)))
    faults = _later_signs(found)
    # One that was missed sooner than the timeout lets had been heard of last a little before its end.
    missed = [(one.noticed - one.lo) // MILLISECOND_NS for one in faults if one.noticed is not None]
    settings[SESSION] = max(min([session, *missed]), 1)
    found = replace(found, faults=timed(faults, settings[SESSION] * MILLISECOND_NS))
    lag, missed_after = (settings[name] * MILLISECOND_NS for name in (LAG_TIME, SESSION))
    found = replace(found, faults=with_lags(history, verdict, found.faults, lag, missed_after))
    found = replace(found, faults=_later_signs(found))
    found = replace(found, moves=moves_of(history, events_of(history)))
    found = replace(found, faults=found_dead(trace, _one_after_the_other(found)))
    quorum = quorum_of(trace, found.faults)
    return found if quorum is None else replace(found, quorum=quorum, faults=quorum.timed(found.faults))


def _later_signs(material: Material) -> tuple[Fault, ...]:
    """The faults in order, none of them before the time stamp of a record that its broker still got."""
    found: list[Fault] = []
    for fault in material.faults:
        tenure, back = material.tenure_at(fault.lo), material.returned(fault)
        if fault.kind in ("crash", "freeze", "cut") and tenure is not None and back is not None:
            signs = [
                one.at
                for one in material.stamps
                if one.epoch is not None
                and one.epoch <= (tenure.epoch or 0)
                and one.offset < (back.lo or 0)
                and fault.lo < one.at < fault.hi
            ]
            lo = max(signs, default=fault.lo)
            found.append(replace(fault, lo=lo, at=max(fault.at, lo)))
        else:
            found.append(fault)
    return tuple(sorted(found, key=lambda one: (one.at, one.seq)))


def _one_after_the_other(material: Material) -> tuple[Fault, ...]:
    """The faults in order; of two followers in sync with one leader, the one that held more went later.

    A fault whose time its session tells keeps that: the others go before or after it.
    """
    found = list(material.faults)
    held = sorted(_held(material), key=lambda one: (one.leader_since, one.leo, one.fault.at))
    for place, one in enumerate(held):
        fault = one.fault
        same = [other for other in held if other.leader_since == one.leader_since]
        less = [other.fault.at for other in same if other.leo < one.leo]
        more = [other.fault.at for other in same if other.leo > one.leo and other.fault.noticed is not None]
        lo, hi = max([fault.lo, *less]), min([fault.hi, *more])
        wrong = max(less, default=fault.lo - 1) >= fault.at or min(more, default=fault.hi + 1) <= fault.at
        if wrong and lo < hi and fault.noticed is None:
            moved = replace(fault, at=(lo + hi) // 2)
            found[found.index(fault)] = moved
            held[place] = replace(one, fault=moved)
    return tuple(sorted(found, key=lambda one: (one.at, one.seq)))


@dataclass(frozen=True, slots=True)
class _HeldBy:
    """What a follower held when its fault began, and since when its leader led."""

    fault: Fault
    leo: int
    leader_since: int


def _held(material: Material) -> Iterator[_HeldBy]:
    """The followers that went, as far as is known what they held."""
    for fault in material.faults:
        tenure = material.tenure_at(fault.at)
        if fault.kind in BACK or tenure is None or tenure.leader == fault.broker:
            continue
        if fault.kind in ENDS and material.tail_lost(fault):
            continue
        back = material.returned(fault)
        if back is not None and back.exact is not None and material.was_in_sync(fault):
            yield _HeldBy(fault, back.exact, material.leads_since(tenure))


def _stamps(history: History) -> Iterator[Stamp]:
    """The batches on disk that have a time stamp."""
    columns = history.trace.columns
    for seq in history.seqs[columns["kind"][history.seqs] == NUMBER["batch_on_disk"]].tolist():
        stamp, first, epoch = (int(columns[name][seq]) for name in ("stamp", "from_offset", "epoch"))
        if UNSAID not in (stamp, first):
            yield Stamp(stamp, first, None if epoch == UNSAID else epoch)
