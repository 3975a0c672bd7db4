"""The metadata log played back: every change of a partition and of a broker, as events.

Records carry no epochs. Each PartitionChangeRecord adds one to the partition epoch, and one to the leader
epoch if it names a leader, be it the same or none (PartitionRegistration.merge, 3.3 to 4.3). A record that
leaves a field out leaves it as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from core.history.witnesses import METADATA_UNTIL
from core.kafka.metadata_records import MetadataRecord
from core.message import Message, message
from core.trace.settings import feature_level, over_time, values_and_times
from core.trace.vocabulary import Basis, Election
from importers.disk.metadata_log import MetadataEntry
from importers.disk.metadata_settings import ALL_BROKERS, BROKER, TOPIC, Recorded, RecordedSettings
from importers.disk.metadata_spine import Snapshot, Spine, SpineEntry, batches
from importers.kafka.drafts import Said
from importers.lines.items import Item

METADATA_RULE: Final = "metadata log"
SNAPSHOT_RULE: Final = "metadata snapshot"
"""What a snapshot of it says: the state as it stood, which nobody decided then."""
_RANK: Final = -1
"""At equal times the decision comes before everything that follows from it."""
_RECOVERING: Final = 1
_NOBODY: Final = -1
_TOPIC_CONFIG: Final = 2
_BROKER_CONFIG: Final = 4


@dataclass(frozen=True, slots=True)
class _Partition:
    """The registration of a partition after some record."""

    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    leader: int
    epoch: int
    partition_epoch: int
    elr: tuple[int, ...] = ()
    last_known: int = _NOBODY
    recovering: bool = False


@dataclass(frozen=True, slots=True)
class Replayed:
    """Items in the order of the log; feature levels as facts; settings; what could not be replayed."""

    items: tuple[Item, ...]
    facts: Mapping[str, str]
    settings: tuple[Recorded, ...]
    until: int
    """The time in ns of the last record."""
    doubts: tuple[Message, ...]


def replay(log: Spine) -> Replayed:
    """Every committed change as events. What is not surely committed has basis INFERRED."""
    reader = _Replay()
    for unit in _units(log, reader):
        if isinstance(unit, Snapshot):
            reader.snapshot(unit)
        else:
            reader.batch(unit)
    if log.entries and not reader.holes:
        reader.facts[METADATA_UNTIL] = str(log.entries[-1].entry.stamp_ns)
    facts = dict(sorted(reader.facts.items()))
    return Replayed(tuple(reader.items), facts, reader.settings.told(), reader.read_to, tuple(reader.doubts))


def _units(log: Spine, reader: "_Replay") -> Iterator[Snapshot | Sequence[SpineEntry]]:
    """Batches in their order, and where records are missing the snapshots that stand for them.

    A snapshot of what the log itself holds says nothing new.
    """
    expected = 0
    left = list(log.snapshots)
    for batch in batches(log.entries):
        first = batch[0].entry.offset
        while left and left[0].end_offset <= first:
            snapshot = left.pop(0)
            if snapshot.end_offset > expected or not reader.complete or expected == 0:
                yield snapshot
                expected = max(expected, snapshot.end_offset)
        if first > expected:
            reader.hole(expected, first)
        yield batch
        expected = batch[-1].entry.offset + 1
    yield from (one for one in left if one.end_offset > expected)


class _Replay:
    """The image of the cluster while the log is read once."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.facts: dict[str, str] = {}
        self.settings = RecordedSettings()
        self.doubts: list[Message] = []
        self.holes = 0
        self.read_to = 0
        self.complete = True
        """False after a hole, until a snapshot has told the state again."""
        self._names: dict[str, str] = {}
        self._partitions: dict[tuple[str, int], _Partition] = {}
        self._fenced: dict[int, bool] = {}
        self._stopping: set[int] = set()
        self._controllers: dict[int, int] = {}
        self._pending: list[SpineEntry] | None = None
        self._levels: dict[str, list[tuple[int, str]]] = {}
        self._snapshot_at: int | None = None

    def hole(self, expected: int, first: int) -> None:
        """Records are missing: what is known of partitions may be out of date."""
        self.doubts.append(message("report.metadata.hole", first=expected, last=first - 1))
        self.complete = False
        self.settings.hole(self.read_to)
        self.holes += expected > 0
        self._partitions.clear()
        self._fenced.clear()

    def batch(self, entries: Sequence[SpineEntry]) -> None:
        """One atomic change, or a part of a metadata transaction (KIP-868), which counts when it ends."""
        done: list[SpineEntry] = []
        for one in entries:
            name = one.entry.record.name
            if name == "BeginTransactionRecord":
                self._pending = []
            elif name == "AbortTransactionRecord":
                self._pending = None
            elif name == "EndTransactionRecord":
                done += self._pending or []
                self._pending = None
            else:
                (done if self._pending is None else self._pending).append(one)
        self._apply(done)

    def snapshot(self, snapshot: Snapshot) -> None:
        """The whole state anew. Told is what was not known."""
        before = self._partitions
        self._partitions = {}
        number = len(self.items)
        self._names.clear()
        self._fenced.clear()
        self.settings.snapshot(snapshot.stamp_ns)
        self._snapshot_at = snapshot.stamp_ns
        self._apply([SpineEntry(snapshot.source, one, sure=True) for one in snapshot.entries])
        self._snapshot_at = None
        told: list[Item] = []
        for item in self.items[number:]:
            said = item.said
            if said.kind == "partition_created":
                said = replace(said, kind="partition_state")
            elif said.kind not in ("partition_state", "elr_changed"):
                continue
            told.append(replace(item, at=snapshot.stamp_ns, broker=None, rule=SNAPSHOT_RULE, said=said))
        known = {
            (self._names.get(topic), number)
            for (topic, number), state in before.items()
            if state == self._partitions.get((topic, number))
        }
        self.items[number:] = [item for item in told if item.said.tp not in known]
        self.complete = True

    def _apply(self, entries: Sequence[SpineEntry]) -> None:
        for one in entries:
            # A broker that is shutting down is said to be so in the same batch, behind its partitions.
            record = one.entry.record
            if (
                record.name == "BrokerRegistrationChangeRecord"
                and record.data.get("inControlledShutdown") == 1
            ):
                self._stopping.add(record.data["brokerId"])
        for one in entries:
            try:
                for said in self._read(one.entry):
                    self._tell(one, said)
            except (KeyError, TypeError) as error:
                # A record that was cut short has doubts of its own; its fields are not all there.
                self.doubts.append(
                    message(
                        "report.metadata.lacks",
                        record=one.entry.record.name,
                        offset=one.entry.offset,
                        field=str(error),
                    )
                )

    def _tell(self, one: SpineEntry, said: Said) -> None:
        entry = one.entry
        node = self._controllers.get(entry.epoch)
        if not one.sure:
            said = replace(said, basis=Basis.INFERRED)
        last = self.items[-1] if self.items else None
        same = last is not None and (last.source, last.byte) == (one.source, entry.position)
        ordinal = last.ordinal + 1 if last is not None and same else 0
        self.items.append(
            Item(entry.stamp_ns, _RANK, one.source, entry.position, 0, ordinal, node, METADATA_RULE, said)
        )

    def _when(self, entry: MetadataEntry) -> tuple[int, int | None]:
        """The time in ns at which a setting holds, and by whose clock."""
        if self._snapshot_at is not None:
            return self._snapshot_at, None
        return entry.stamp_ns, self._controllers.get(entry.epoch)

    def _read(self, entry: MetadataEntry) -> Iterator[Said]:
        self.read_to = max(self.read_to, self._when(entry)[0])
        read = _READERS.get(entry.record.name)
        if read is not None:
            yield from read(self, entry.record, entry)

    def leader_change(self, record: MetadataRecord, entry: MetadataEntry) -> Iterator[Said]:
        """A new raft leader, which is the active controller."""
        leader = record.data["leaderId"]
        self._controllers[entry.epoch] = leader
        yield Said("controller_elected", replica=leader, epoch=entry.epoch)

    def topic(self, record: MetadataRecord, entry: MetadataEntry) -> Iterator[Said]:
        """A name for an id; a topic that is created again has another id."""
        self._names[record.data["topicId"]] = record.data["name"]
        self.settings.topic_made(record.data["name"], *self._when(entry))
        yield from ()

    def topic_removed(self, record: MetadataRecord, _: MetadataEntry) -> Iterator[Said]:
        """All its partitions go."""
        topic = record.data["topicId"]
        for key in [key for key in self._partitions if key[0] == topic]:
            del self._partitions[key]
            if topic in self._names:
                yield Said("partition_removed", (self._names[topic], key[1]), topic_id=topic)

    def partition(self, record: MetadataRecord, _: MetadataEntry) -> Iterator[Said]:
        """A partition as it begins, or in a snapshot as it is."""
        data = record.data
        topic = data["topicId"]
        new = _Partition(
            tuple(data["replicas"]),
            tuple(data["isr"]),
            data["leader"],
            data["leaderEpoch"],
            data["partitionEpoch"],
            tuple(data.get("eligibleLeaderReplicas") or ()),
            _first(data.get("lastKnownElr")),
            data.get("leaderRecoveryState") == _RECOVERING,
        )
        self._partitions[topic, data["partitionId"]] = new
        if topic in self._names:
            tp = (self._names[topic], data["partitionId"])
            yield _stated("partition_created", tp, topic, new)
            if new.elr or new.last_known != _NOBODY:
                yield _elr(tp, topic, new)

    def partition_change(self, record: MetadataRecord, _: MetadataEntry) -> Iterator[Said]:
        """One committed change of a partition that is known."""
        data = record.data
        key = (data["topicId"], data["partitionId"])
        old = self._partitions.get(key)
        if old is None:
            return
        new = _changed(old, data)
        self._partitions[key] = new
        if key[0] not in self._names:
            return
        tp = (self._names[key[0]], key[1])
        named = "leader" in data
        if named and new.leader == _NOBODY:
            yield _stated("leaderless", tp, key[0], new)
        elif named and new.leader != old.leader:
            how = _election(old, new, self._stopping)
            yield replace(_stated("leader_elected", tp, key[0], new), aux=int(how))
        elif named or set(new.isr) != set(old.isr):
            yield _stated("isr_committed", tp, key[0], new)
        elif new.replicas == old.replicas and (new.elr, new.last_known) != (old.elr, old.last_known):
            pass
        else:
            yield _stated("partition_state", tp, key[0], new)
        if new.replicas != old.replicas:
            yield _reassigned(tp, key[0], new)
        if (set(new.elr), new.last_known) != (set(old.elr), old.last_known):
            yield _elr(tp, key[0], new)
        if new.recovering != old.recovering:
            yield _recovery(tp, key[0], new)

    def clear_elr(self, record: MetadataRecord, _: MetadataEntry) -> Iterator[Said]:
        """The ELR of one topic, or of all, is emptied; the partition epoch stays."""
        name = record.data["topicName"]
        for key, state in list(self._partitions.items()):
            topic = self._names.get(key[0])
            if topic is not None and name in ("", topic) and (state.elr or state.last_known != _NOBODY):
                new = replace(state, elr=(), last_known=_NOBODY)
                self._partitions[key] = new
                yield _elr((topic, key[1]), key[0], new)

    def broker(self, record: MetadataRecord, _: MetadataEntry) -> Iterator[Said]:
        """A broker registers: a new life of it."""
        number = record.data["brokerId"]
        self._fenced[number] = bool(record.data.get("fenced", True))
        self._stopping.discard(number)
        yield Said("broker_registered", replica=number, life=record.data.get("brokerEpoch"))

    def broker_change(self, record: MetadataRecord, _: MetadataEntry) -> Iterator[Said]:
        """Fenced (1), unfenced (-1) or unchanged (0), and whether it is shutting down."""
        data = record.data
        number = data["brokerId"]
        if data.get("inControlledShutdown") == 1:
            yield Said("controlled_shutdown_begun", replica=number, life=data.get("brokerEpoch"))
        fenced = {1: True, -1: False}.get(data.get("fenced", 0))
        if fenced is not None and self._fenced.get(number) != fenced:
            self._fenced[number] = fenced
            kind = "broker_fenced" if fenced else "broker_unfenced"
            yield Said(kind, replica=number, life=data.get("brokerEpoch"))

    def fence(self, record: MetadataRecord, _: MetadataEntry) -> Iterator[Said]:
        """To 3.2 there were records of their own for fencing."""
        self._fenced[record.data["id"]] = True
        yield Said("broker_fenced", replica=record.data["id"])

    def unfence(self, record: MetadataRecord, _: MetadataEntry) -> Iterator[Said]:
        """See `fence`."""
        self._fenced[record.data["id"]] = False
        yield Said("broker_unfenced", replica=record.data["id"])

    def config(self, record: MetadataRecord, entry: MetadataEntry) -> Iterator[Said]:
        """A setting of a topic or of brokers; null removes it."""
        data = record.data
        of = {_TOPIC_CONFIG: TOPIC, _BROKER_CONFIG: BROKER}.get(data["resourceType"])
        if of is not None:
            name = data["resourceName"] or ALL_BROKERS
            self.settings.set(of, name, data["name"], *self._when(entry), data["value"])
        yield from ()

    def feature(self, record: MetadataRecord, entry: MetadataEntry) -> Iterator[Said]:
        """The level of a feature, such as metadata.version; where it changes, when as well."""
        name, level = feature_level(record.data["name"]), str(record.data["featureLevel"])
        levels = self._levels.setdefault(name, [])
        if not levels or levels[-1][1] != level:
            levels.append((self._when(entry)[0], level))
        self.facts[name] = level
        if len(levels) > 1:
            self.facts[over_time(name)] = values_and_times(levels)
        yield from ()


_READERS: Final = {
    "LeaderChange": _Replay.leader_change,
    "TopicRecord": _Replay.topic,
    "RemoveTopicRecord": _Replay.topic_removed,
    "PartitionRecord": _Replay.partition,
    "PartitionChangeRecord": _Replay.partition_change,
    "ClearElrRecord": _Replay.clear_elr,
    "RegisterBrokerRecord": _Replay.broker,
    "BrokerRegistrationChangeRecord": _Replay.broker_change,
    "FenceBrokerRecord": _Replay.fence,
    "UnfenceBrokerRecord": _Replay.unfence,
    "ConfigRecord": _Replay.config,
    "FeatureLevelRecord": _Replay.feature,
}


def _first(members: Sequence[int] | None) -> int:
    """The last known leader: a list of at most one (KIP-966)."""
    return members[0] if members else _NOBODY


def _changed(old: _Partition, data: Mapping[str, Any]) -> _Partition:
    """A registration after a change record. Absent and null mean unchanged."""
    isr, replicas, elr = data.get("isr"), data.get("replicas"), data.get("eligibleLeaderReplicas")
    last, state = data.get("lastKnownElr"), data.get("leaderRecoveryState", -1)
    return _Partition(
        old.replicas if replicas is None else tuple(replicas),
        old.isr if isr is None else tuple(isr),
        data.get("leader", old.leader),
        old.epoch + ("leader" in data),
        old.partition_epoch + 1,
        old.elr if elr is None else tuple(elr),
        old.last_known if last is None else _first(last),
        old.recovering if state < 0 else state == _RECOVERING,
    )


def _election(old: _Partition, new: _Partition, stopping: set[int]) -> Election:
    """How the controller chose, from what it chose from (PartitionChangeBuilder.electLeader).

    A leader from outside of ISR and ELR recovers; it is the last known one where both were empty. One that
    has just caught up enters the ISR as a reassignment completes, and leads at once.
    """
    if new.leader in old.isr:
        if old.leader in stopping:
            return Election.CONTROLLED
        preferred = new.replicas[:1] == (new.leader,) and old.leader in new.isr
        return Election.PREFERRED if preferred else Election.CLEAN
    if new.leader in old.elr:
        return Election.ELR
    if new.replicas != old.replicas and new.leader in new.isr and not new.recovering:
        return Election.CLEAN
    if new.leader == old.last_known and not old.isr and not old.elr:
        return Election.LAST_KNOWN
    return Election.UNCLEAN


def _stated(kind: str, tp: tuple[str, int], topic_id: str, state: _Partition) -> Said:
    return Said(
        kind,
        tp,
        leader=state.leader,
        epoch=state.epoch,
        partition_epoch=state.partition_epoch,
        isr=state.isr,
        assigned=state.replicas,
        topic_id=topic_id,
    )


def _recovery(tp: tuple[str, int], topic_id: str, state: _Partition) -> Said:
    """The partition recovers after an unclean election, or its leader has recovered (KIP-704)."""
    return Said(
        "leader_recovery_changed",
        tp,
        leader=state.leader,
        epoch=state.epoch,
        partition_epoch=state.partition_epoch,
        aux=int(state.recovering),
        topic_id=topic_id,
    )


def _reassigned(tp: tuple[str, int], topic_id: str, state: _Partition) -> Said:
    return Said(
        "replicas_assigned",
        tp,
        partition_epoch=state.partition_epoch,
        isr=state.replicas,
        assigned=state.replicas,
        topic_id=topic_id,
    )


def _elr(tp: tuple[str, int], topic_id: str, state: _Partition) -> Said:
    last = None if state.last_known == _NOBODY else state.last_known
    return Said(
        "elr_changed",
        tp,
        partition_epoch=state.partition_epoch,
        isr=state.elr,
        aux=last,
        topic_id=topic_id,
    )
