"""What a lift is made from: one partition of a trace with its history, verdict, rules and faults."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.diagnose.verdict.check import judge_partitions
from core.diagnose.verdict.facts import Leadership, PartitionVerdict
from core.errors import QuestionError
from core.history.state import Band, History
from core.kafka.eras import Era
from core.lab.faults import Fault, faults_of
from core.lab.releases import rules_of, settings_of
from core.message import message
from core.trace.ids import UNSAID, Cursor, Nanos
from core.trace.trace import Event, Trace
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import NUMBER

CHECKPOINTS: Final = "replica.high.watermark.checkpoint.interval.ms"
SESSION: Final = "zookeeper.session.timeout.ms"
"""Of both kinds of controller, as scenarios have it."""
_CHECKPOINTS_MS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Material:
    """One partition of a trace, looked at for a lift."""

    trace: Trace
    history: History
    verdict: PartitionVerdict
    era: Era
    settings: dict[str, int | bool]
    faults: tuple[Fault, ...]
    stamps: tuple[tuple[int, int], ...]
    """(time stamp, first offset) of the batches that are left on disk."""

    @property
    def name(self) -> str:
        """The partition, by topic and number."""
        return str(self.trace.partitions[self.history.partition].tp)

    @property
    def holders(self) -> tuple[int, ...]:
        """The brokers that hold it, the preferred one first."""
        return self.trace.partitions[self.history.partition].replicas or tuple(self.history.replicas)

    @property
    def over_zookeeper(self) -> bool:
        """Whether the controller was a broker."""
        return self.era.switches.controller == "zookeeper"

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

    def returned(self, fault: Fault) -> Band | None:
        """The log end with which a broker goes on after its fault: while it is away nothing is appended."""
        if fault.kind != "freeze":
            return self.loaded(fault.broker, fault.seq)
        thaws = (one for one in self.faults if one.kind == "thaw" and one.broker == fault.broker)
        thaw = next((one for one in thaws if one.at >= fault.at), None)
        if thaw is None or fault.broker not in self.history.replicas:
            return None
        return self.history.replicas[fault.broker].leo.at(self.cursor_at(thaw.at, thaw.seq))

    def raced(self, crash: Fault) -> int | None:
        """The follower that had just come back when its leader died, and got no answer to its first fetch.

        The evidence shows it: its first fetch is not older than the last sign of life of the leader, and when
        it led itself its log ended where that fetch began.
        """
        tenure = self.tenure_at(crash.at)
        if crash.kind != "crash" or tenure is None or tenure.leader != crash.broker:
            return None
        after = self.next_tenure(tenure)
        if after is None or after.start_offset is None or after.leader == crash.broker:
            return None
        started = [one for one in self.faults if one.kind == "start" and one.broker == after.leader]
        started = [one for one in started if tenure.start <= one.at <= crash.hi]
        for event in self.rows_after(started[-1].seq) if started else ():
            if event.kind == "fetcher_added" and event.get("replica") == after.leader:
                unanswered = event.get("leader") == crash.broker and event.get("offset") == after.start_offset
                return after.leader if unanswered and crash.lo <= event.at <= crash.hi else None
        return None

    def alive_at(self, at: int) -> tuple[int, ...]:
        """The holders that run right before a time."""
        last = {one.broker: one.kind for one in self.faults if one.at < at}
        return tuple(one for one in self.holders if last.get(one, "start") in ("start", "thaw"))

    def tenure_at(self, at: int) -> Leadership | None:
        """The last tenure that had begun by then."""
        begun = [one for one in self.verdict.leadership if one.start <= at]
        return begun[-1] if begun else None

    def next_tenure(self, after: Leadership) -> Leadership | None:
        """The next tenure with a leader."""
        later = [one for one in self.verdict.leadership if one.start > after.start and one.leader >= 0]
        return later[0] if later else None


def material_of(trace: Trace, partition: int) -> Material:
    """All that a lift of one partition asks of a trace. Raises QuestionError where no release is known."""
    rules = rules_of(trace)
    if rules is None:
        raise QuestionError(message("error.lab.no-release"), advice=message("error.lab.no-release.do"))
    ((history, verdict),) = judge_partitions(trace, [partition])
    settings = settings_of(trace, trace.partitions[partition].tp.topic)
    session = int(rules.switches.session_timeout_ms)
    faults = faults_of(
        history,
        session * MILLISECOND_NS,
        int(settings.get(CHECKPOINTS, _CHECKPOINTS_MS)) * MILLISECOND_NS,
        over_zookeeper=rules.switches.controller == "zookeeper",
    )
    # A broker that was missed sooner than the release's timeout lets: the timeout was a shorter one.
    missed = [(one.hi - one.lo) // MILLISECOND_NS for one in faults if one.kind == "freeze"]
    if min(missed, default=session) < session:
        settings[SESSION] = min(missed)
    return Material(trace, history, verdict, rules, settings, faults, tuple(_stamps(history)))


def _stamps(history: History) -> Iterator[tuple[int, int]]:
    """The time stamps of batches on disk, with their first offsets."""
    columns = history.trace.columns
    for seq in history.seqs[columns["kind"][history.seqs] == NUMBER["batch_on_disk"]].tolist():
        stamp, first = int(columns["stamp"][seq]), int(columns["from_offset"][seq])
        if UNSAID not in (stamp, first):
            yield stamp, first
