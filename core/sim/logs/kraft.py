"""What brokers and controllers of KRaft print and write: registrations, fencing, decisions, roles."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from core.kafka.protocols import era_of_release
from core.sim.logs import life, metadata
from core.sim.logs.control import isr_of, state_words
from core.sim.logs.metadata import MetadataLog
from core.sim.logs.names import CLUSTER_ID, directory_id, incarnation_id
from core.sim.logs.protocols import metadata_versions
from core.sim.logs.replicas import announce
from core.sim.logs.scribe import NOBODY, Copy, Scribe, about, port, say
from core.trace.ids import Seq
from core.trace.trace import Event
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import Election

Eligible: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Eligible leader replicas, and the last known leader or none."""
_DECIDED: Final = frozenset({"leader_elected", "leaderless", "isr_committed"})
_UNCLEAN = (Election.UNCLEAN, Election.LAST_KNOWN)


def log_of(scribe: Scribe) -> MetadataLog:
    """The metadata log of the run. Raises LookupError for a run with ZooKeeper."""
    if scribe.metadata is None:
        raise LookupError("not a run under KRaft")
    return scribe.metadata


def begin(scribe: Scribe, controllers: list[int]) -> None:
    """The controllers of a new cluster; the first of them is the active one."""
    scribe.metadata = MetadataLog(_metadata_release(scribe))
    for node in controllers:
        start_controller(scribe, node)
    take_over(scribe)
    metadata.put_features(log_of(scribe), scribe.at, scribe.controller_epoch)


def _metadata_release(scribe: Scribe) -> str:
    """The release whose records the metadata log has: by the metadata.version that brokers state."""
    found = era_of_release(next((version for _, version in metadata_versions(scribe.trace)), ""))
    return scribe.release if found is None else found.release


def raise_version(scribe: Scribe, version: str) -> None:
    """Someone raises the metadata.version: the controller writes it, and brokers read it."""
    log = log_of(scribe)
    found = era_of_release(version)
    if found is None:
        return
    had, log.release = log.level, found.release
    if log.level == had:
        return
    offset = log.end
    metadata.put_features(log, scribe.at, scribe.controller_epoch)
    for one in life.live(scribe):
        say(scribe, one, "metadata-version-updated", level=log.level[1], offset=offset)


def start_controller(scribe: Scribe, node: int) -> None:
    """The process of a controller starts."""
    scribe.life(node).up = True
    say(scribe, node, "mbean")
    say(scribe, node, "settings", settings=life.settings_text(scribe, node))
    say(scribe, node, "version")
    say(scribe, node, "start-time", now_ms=(scribe.origin + scribe.at) // MILLISECOND_NS)
    say(scribe, node, "started")


def take_over(scribe: Scribe) -> None:
    """A controller becomes the active one: its raft epoch begins."""
    log = log_of(scribe)
    say_active(scribe, log.end + 1)
    voters = () if scribe.quorum is None else next(iter(scribe.quorum.members.values())).voters
    metadata.put_leader(log, scribe.at, scribe.controller_epoch, scribe.controller, voters)


def say_active(scribe: Scribe, next_offset: int) -> None:
    """A controller says that it is the active one."""
    say(
        scribe,
        scribe.controller,
        "controller-elected",
        next_offset=next_offset,
        last_offset=next_offset - 2,
        last_epoch=scribe.controller_epoch - 1,
    )


def on_controller_elected(scribe: Scribe, event: Event) -> None:
    """Another voter of the quorum takes over."""
    life.go_down(scribe, scribe.controller)
    scribe.controller += 1
    scribe.controller_epoch = event.get("epoch") or scribe.controller_epoch + 1
    take_over(scribe)


def _one(scribe: Scribe, broker: int) -> dict[str, Any]:
    """How lines of the controller name a broker."""
    log = log_of(scribe)
    dirs = f", logDirs=[{directory_id(broker)}]" if log.since(3, 7) else ""
    return {
        "one": broker,
        "one_port": port(broker),
        "incarnation": incarnation_id(broker, scribe.life(broker).starts),
        "incarnation_before": incarnation_id(broker, scribe.life(broker).starts - 1),
        "migrating": "isMigratingZkBroker=false, " if log.since(3, 4) else "",
        "cluster": CLUSTER_ID,
        "log_dirs": dirs,
        "next_offset": log.end,
        "last_offset": log.end - 1,
    }


def boot(scribe: Scribe, broker: int) -> None:
    """The first lines of a start."""
    life.boot(scribe, broker)
    say(scribe, broker, "incarnation", **_one(scribe, broker))


def register(scribe: Scribe, broker: int) -> None:
    """The controller registers a broker, and the broker hears of it."""
    log, first = log_of(scribe), broker not in log_of(scribe).broker_epochs
    starts = scribe.life(broker).starts
    epoch = metadata.put_registration(log, scribe.at, scribe.controller_epoch, broker, starts, port(broker))
    words = {**_one(scribe, broker), "broker_epoch": epoch, "broker": broker}
    which = "first-" if first else ""
    say(scribe, scribe.controller, f"broker-{which}registering", **words)
    say(scribe, scribe.controller, f"broker-{which}recorded", **words)
    say(scribe, broker, "registered", **words)
    say(scribe, broker, "caught-up", **words)
    if metadata_versions(scribe.trace):
        say(scribe, broker, "metadata-version", version=log.level[0], offset=log.end - 1)


def unfence(scribe: Scribe, broker: int) -> None:
    """The controller unfences a broker, which serves from then on."""
    words = {**_one(scribe, broker), "broker_epoch": log_of(scribe).broker_epochs[broker]}
    say(scribe, scribe.controller, "unfencing", **words)
    _stand(scribe, broker, fenced=-1)
    say(scribe, broker, "unfenced")
    say(scribe, broker, "serving")
    life.finish(scribe, broker)


def _stand(scribe: Scribe, broker: int, *, fenced: int = 0, leaving: int = 0) -> None:
    log = log_of(scribe)
    words = {**_one(scribe, broker), "broker_epoch": log.broker_epochs[broker]}
    words |= {"log_dirs": ", logDirs=[]" if log.since(3, 7) else ""}
    metadata.put_standing(log, scribe.at, scribe.controller_epoch, broker, fenced=fenced, leaving=leaving)
    say(scribe, scribe.controller, "standing-recorded", fenced=fenced, leaving=leaving, **words)


def on_starting(scribe: Scribe, event: Event) -> None:
    """A broker that was down starts."""
    life.on_starting(scribe, event)
    say(scribe, event.values["replica"], "incarnation", **_one(scribe, event.values["replica"]))


def on_started(scribe: Scribe, event: Event) -> None:
    """Its logs are loaded."""
    broker = event.values["replica"]
    say(scribe, broker, "logs-loaded", count=sum(owner == broker for _, owner in scribe.copies))


def on_registered(scribe: Scribe, event: Event) -> None:
    """It is registered."""
    register(scribe, event.values["replica"])


def on_unfenced(scribe: Scribe, event: Event) -> None:
    """It is unfenced."""
    unfence(scribe, event.values["replica"])


def on_fenced(scribe: Scribe, event: Event) -> None:
    """A broker is fenced: its session has timed out, or it has asked to be shut down."""
    broker = event.values["replica"]
    words = {**_one(scribe, broker), "broker_epoch": log_of(scribe).broker_epochs[broker]}
    asked = event.cause is not None and scribe.trace.event(event.cause).kind == "controlled_shutdown_ended"
    say(scribe, scribe.controller, "left" if asked else "fencing", **words)
    _stand(scribe, broker, fenced=1)


def on_leaving(scribe: Scribe, event: Event) -> None:
    """A broker asks to be shut down."""
    life.on_shutdown(scribe, event)
    broker = event.values["replica"]
    say(scribe, scribe.controller, "leaving", **_one(scribe, broker))
    _stand(scribe, broker, leaving=1)


def _place(scribe: Scribe, partition: int) -> tuple[str, int]:
    named = about(scribe, partition)
    return named["topic_id"], named["number"]


def on_decided(scribe: Scribe, event: Event) -> None:
    """The controller creates or changes a partition: a record, and few lines."""
    if event.get("broker") is not None:
        on_isr_known(scribe, event)
        return
    partition, get = event.values["partition"], event.get
    control, log = scribe.control(partition), log_of(scribe)
    was = (control.isr, control.leader, control.epoch, control.version)
    leader, epoch = get("leader"), get("epoch") or 0
    isr, version = isr_of(scribe, event), get("partition_epoch") or 0
    first = partition not in scribe.known
    scribe.known.add(partition)
    control.isr, control.epoch, control.version = isr, epoch, version
    control.leader = NOBODY if leader is None else leader
    words = {
        **state_words(scribe, partition, control.leader, epoch, isr, version),
        "was_isr": ", ".join(str(one) for one in was[0]),
        "was_leader": was[1],
        "was_epoch": was[2],
        "was_version": was[3],
    }
    if first:
        _create(scribe, partition, words)
        return
    unclean = event.kind == "leader_elected" and Election(get("aux") or 0) in _UNCLEAN
    recovering = 1 if unclean else 0 if control.recovering and event.kind == "isr_committed" else None
    metadata.put_change(
        log,
        scribe.at,
        scribe.controller_epoch,
        _place(scribe, partition),
        isr=isr if isr != was[0] else None,
        leader=control.leader if epoch > was[2] else None,
        recovering=recovering,
        eligible=_eligible_after(scribe, event),
    )
    if recovering is not None:
        control.recovering = bool(recovering)
    if unclean:
        say(scribe, scribe.controller, "unclean-change", **words)


def _eligible_after(scribe: Scribe, event: Event) -> Eligible | None:
    """The eligible leader replicas that a decision leaves, and the last known leader: it is one record."""
    if event.seq + 1 == len(scribe.trace):
        return None
    after = scribe.trace.event(Seq(event.seq + 1))
    return _eligible(scribe, after) if _is_one_record(event, after) else None


def _is_one_record(decision: Event, after: Event) -> bool:
    """Whether the event after a decision is its change of the eligible leader replicas."""
    return decision.kind in _DECIDED and after.kind == "elr_changed" and after.cause == decision.seq


def _eligible(scribe: Scribe, event: Event) -> Eligible:
    last = event.get("aux")
    return isr_of(scribe, event), () if last is None else (last,)


def on_eligible(scribe: Scribe, event: Event) -> None:
    """They change alone: a broker comes back with an empty disk, or min.insync.replicas is set anew."""
    partition, log = event.values["partition"], log_of(scribe)
    control, version = scribe.control(partition), event.get("partition_epoch") or 0
    if _is_one_record(scribe.trace.event(Seq(event.seq - 1)), event):
        return
    place = _place(scribe, partition)
    if version > control.version:
        control.version = version
        changed = _eligible(scribe, event)
        metadata.put_change(
            *(log, scribe.at, scribe.controller_epoch, place),
            isr=None,
            leader=None,
            recovering=None,
            eligible=changed,
        )
        return
    topic = scribe.trace.partitions[partition].tp.topic
    metadata.put(log, scribe.at, scribe.controller_epoch, "ClearElrRecord", 0, {"topicName": topic})


def _create(scribe: Scribe, partition: int, words: Mapping[str, Any]) -> None:
    log, control = log_of(scribe), scribe.control(partition)
    place = _place(scribe, partition)
    if words["topic"] not in scribe.topics:
        scribe.topics.add(words["topic"])
        data = {"name": words["topic"], "topicId": place[0]}
        metadata.put(log, scribe.at, scribe.controller_epoch, "TopicRecord", 0, data)
    replicas = [int(one) for one in scribe.trace.partitions[partition].replicas]
    state = {
        "replicas": replicas,
        "isr": list(control.isr),
        "leader": control.leader,
        "leaderEpoch": control.epoch,
        "partitionEpoch": control.version,
    }
    metadata.put_partition(log, scribe.at, scribe.controller_epoch, place, state)
    directories = ", ".join(directory_id(one) for one in replicas)
    say(scribe, scribe.controller, "partition-created", directories=directories, **words)


def on_isr_known(scribe: Scribe, event: Event) -> None:
    """A leader hears that its in-sync set is committed."""
    partition, broker = event.values["partition"], event.values["broker"]
    copy = scribe.copy(partition, broker)
    copy.isr, copy.version = isr_of(scribe, event), event.get("partition_epoch") or 0
    words = _words(scribe, partition, copy, broker, copy.isr, copy.version, copy.leader_epoch)
    say(scribe, broker, "isr-updated", **words)


def _words(
    scribe: Scribe, partition: int, copy: Copy, leader: int, isr: tuple[int, ...], version: int, epoch: int
) -> dict[str, Any]:
    least = int(scribe.settings["min.insync.replicas"])
    return {
        **state_words(scribe, partition, leader, epoch, isr, version),
        "under": "(under-min-isr)" if len(isr) < least else "",
        "recovering": int(scribe.control(partition).recovering),
        "leo": copy.leo,
        "hw": copy.hw,
        "before": copy.leader_epoch,
        "led_before": "None" if copy.leader_epoch < 0 else f"Some({copy.leader})",
    }


def on_applied(scribe: Scribe, event: Event) -> None:
    """A broker applies a change of a partition: if the leader epoch stays, it goes on as it does."""
    partition, broker = event.values["partition"], event.values["replica"]
    copy, epoch = scribe.copy(partition, broker), event.get("epoch") or 0
    isr, version = isr_of(scribe, event), event.get("partition_epoch") or 0
    leader = event.get("leader")
    leader = NOBODY if leader is None else leader
    scribe.applied[partition, broker] = (isr, version)
    if epoch != copy.leader_epoch:
        return
    words = _words(scribe, partition, copy, leader, isr, version, epoch)
    role = "leader" if leader == broker else "follower"
    say(scribe, broker, "transition-begun", role=role, **words)
    say(scribe, broker, f"still-{role}", **words)
    if role == "leader":
        copy.isr, copy.version = isr, version


def _known_state(scribe: Scribe, partition: int, broker: int) -> tuple[tuple[int, ...], int]:
    control = scribe.control(partition)
    return scribe.applied.get((partition, broker), (control.isr, control.version))


def _take_up(scribe: Scribe, event: Event, role: str, leader: int) -> None:
    partition, broker = event.values["partition"], event.values["replica"]
    copy = scribe.copy(partition, broker)
    isr, version = _known_state(scribe, partition, broker)
    epoch = event.values["epoch"]
    if not copy.announced:
        say(scribe, broker, "partition-object", **about(scribe, partition))
    say(scribe, broker, "transition-begun", role=role)
    if role == "leader":
        say(scribe, broker, "fetcher-removed", **about(scribe, partition))
    announce(scribe, partition, broker, alone=True)
    words = _words(scribe, partition, copy, leader, isr, version, epoch)
    say(scribe, broker, f"{role}-starts", **words)
    if role == "follower":
        say(scribe, broker, "fetcher-removed", **about(scribe, partition))
    copy.role, copy.leader, copy.leader_epoch = role, leader, epoch
    copy.isr, copy.version = isr, version


def on_leader(scribe: Scribe, event: Event) -> None:
    """A broker leads."""
    copy = scribe.copy(event.values["partition"], event.values["replica"])
    if copy.role != "leader":
        copy.remote.clear()
    _take_up(scribe, event, "leader", event.values["replica"])
    copy.fetching = False


def on_follower(scribe: Scribe, event: Event) -> None:
    """A broker follows; without a leader it only removes its fetcher (applyLocalFollowersDelta)."""
    leader = event.get("leader")
    _take_up(scribe, event, "follower", NOBODY if leader is None else leader)
