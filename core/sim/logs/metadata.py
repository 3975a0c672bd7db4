"""The metadata log of a KRaft run: the records that its controllers wrote, as bytes of a segment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from core.kafka.metadata_records import encode_control, encode_record
from core.kafka.metadata_versions import of_new_cluster
from core.sim.logs.batches import control_batch, new_batch
from core.sim.logs.names import directory_id, incarnation_id
from core.sim.logs.wording import numbers
from core.trace.units import MILLISECOND_NS

NO_CHANGE: Final = -2


@dataclass(frozen=True, slots=True)
class Entry:
    """One record: when it was written, in which raft epoch; `control` has key and value of one of raft."""

    at: int
    raft_epoch: int
    value: bytes = b""
    control: tuple[bytes, bytes] | None = None


@dataclass(slots=True)
class MetadataLog:
    """What the controllers wrote so far."""

    release: str
    entries: list[Entry] = field(default_factory=list[Entry])
    broker_epochs: dict[int, int] = field(default_factory=dict[int, int])
    """The offset of the record that registered each broker."""

    @property
    def end(self) -> int:
        """The offset of the next record."""
        return len(self.entries)

    @property
    def level(self) -> tuple[str, int]:
        """metadata.version and its level."""
        return of_new_cluster(self.release)

    def since(self, *release: int) -> bool:
        """Whether the release is this one or a later one."""
        return numbers(self.release) >= release


def put(log: MetadataLog, at: int, raft_epoch: int, name: str, version: int, data: Mapping[str, Any]) -> int:
    """Write a record. Gives its offset."""
    log.entries.append(Entry(at, raft_epoch, encode_record(name, version, data)))
    return log.end - 1


def put_leader(
    log: MetadataLog, at: int, raft_epoch: int, controller: int, voters: Sequence[int] = ()
) -> None:
    """A new raft leader begins its epoch. Without other `voters` it is the only one."""
    voter = [{"voterId": controller}]
    others = [{"voterId": one} for one in voters]
    data = {"version": 0, "leaderId": controller, "voters": others or voter, "grantingVoters": voter}
    log.entries.append(Entry(at, raft_epoch, control=encode_control("LeaderChange", data)))


def put_voters(log: MetadataLog, at: int, raft_epoch: int, voters: Mapping[int, int]) -> None:
    """Who votes from now on: voter -> port (3.9, KIP-853)."""
    listed = [
        {
            "voterId": one,
            "voterDirectoryId": directory_id(one),
            "endpoints": [{"name": "CONTROLLER", "host": "127.0.0.1", "port": where}],
            "kRaftVersionFeature": {"minSupportedVersion": 0, "maxSupportedVersion": 1},
        }
        for one, where in voters.items()
    ]
    control = encode_control("KRaftVoters", {"version": 0, "voters": listed})
    log.entries.append(Entry(at, raft_epoch, control=control))


def put_features(log: MetadataLog, at: int, raft_epoch: int) -> None:
    """What a new cluster begins with: its metadata.version; from 4.1 eligible leader replicas as well."""
    levels = {"metadata.version": log.level[1]}
    if log.since(4, 1):
        levels["eligible.leader.replicas.version"] = 1
    for name, level in levels.items():
        put(log, at, raft_epoch, "FeatureLevelRecord", 0, {"name": name, "featureLevel": level})


def put_registration(log: MetadataLog, at: int, raft_epoch: int, broker: int, starts: int, port: int) -> int:
    """A broker is registered, still fenced. Gives its broker epoch."""
    epoch = log.end
    data: dict[str, Any] = {
        "brokerId": broker,
        "incarnationId": incarnation_id(broker, starts),
        "brokerEpoch": epoch,
        "endPoints": [{"name": "PLAINTEXT", "host": "127.0.0.1", "port": port, "securityProtocol": 0}],
        "features": [],
        "rack": None,
        "fenced": True,
        "inControlledShutdown": False,
    }
    version = 1
    if log.since(3, 4):
        version, data = 2, {**data, "isMigratingZkBroker": False}
    if log.since(3, 7):
        version, data = 3, {**data, "logDirs": [directory_id(broker)]}
    log.broker_epochs[broker] = epoch
    put(log, at, raft_epoch, "RegisterBrokerRecord", version, data)
    return epoch


def put_standing(
    log: MetadataLog, at: int, raft_epoch: int, broker: int, *, fenced: int = 0, leaving: int = 0
) -> None:
    """A broker is fenced (1) or unfenced (-1), or begins a controlled shutdown (`leaving` 1)."""
    data: dict[str, Any] = {"brokerId": broker, "brokerEpoch": log.broker_epochs[broker]}
    data |= {"fenced": fenced} if fenced else {}
    data |= {"inControlledShutdown": leaving} if leaving else {}
    version = 2 if log.since(3, 7) else 1
    put(log, at, raft_epoch, "BrokerRegistrationChangeRecord", version, data)


def put_partition(
    log: MetadataLog, at: int, raft_epoch: int, place: tuple[str, int], state: Mapping[str, Any]
) -> None:
    """A partition is created: (topic id, number), with replicas, isr, leader, epochs."""
    data: dict[str, Any] = {
        "partitionId": place[1],
        "topicId": place[0],
        "removingReplicas": [],
        "addingReplicas": [],
        **state,
    }
    if log.since(3, 7):
        data["directories"] = [directory_id(one) for one in state["replicas"]]
    put(log, at, raft_epoch, "PartitionRecord", _partition_version(log), data)


def put_change(
    log: MetadataLog,
    at: int,
    raft_epoch: int,
    place: tuple[str, int],
    *,
    isr: Sequence[int] | None,
    leader: int | None,
    recovering: int | None,
    eligible: tuple[Sequence[int], Sequence[int]] | None,
) -> None:
    """A partition changes. What is None stays; a leader that is named begins a leader epoch.

    `eligible` are its eligible leader replicas, and the last known leader.
    """
    data: dict[str, Any] = {"partitionId": place[1], "topicId": place[0]}
    data |= {} if isr is None else {"isr": list(isr)}
    data |= {} if leader is None else {"leader": leader}
    data |= {} if recovering is None else {"leaderRecoveryState": recovering}
    if eligible is not None and log.since(4, 0):
        data |= {"eligibleLeaderReplicas": list(eligible[0]), "lastKnownElr": list(eligible[1])}
    put(log, at, raft_epoch, "PartitionChangeRecord", _partition_version(log), data)


def _partition_version(log: MetadataLog) -> int:
    return 2 if log.since(4, 0) else 1 if log.since(3, 7) else 0


def segment(log: MetadataLog, origin: int, until: int, count: int | None = None, first: int = 0) -> bytes:
    """The log up to a time as one segment from `first` on, each record a batch; nothing from `count` on."""
    made: list[bytes] = []
    for offset, entry in enumerate(log.entries[first:count], first):
        if entry.at > until:
            break
        stamp_ms = (origin + entry.at) // MILLISECOND_NS
        if entry.control is not None:
            made.append(control_batch(offset, entry.raft_epoch, stamp_ms, entry.control))
        else:
            made.append(new_batch(offset, entry.raft_epoch, stamp_ms, [entry.value]))
    return b"".join(made)
