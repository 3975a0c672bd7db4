"""Lines of a broker's life: start, stop, registration, version, settings."""

from collections.abc import Iterable, Iterator
from typing import Final

from importers.kafka.drafts import MOST_ID, Fact, Said
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import group

_SERVER: Final = r"\[Kafka ?Server (?:id=)?(?P<broker>\d+)\],? "
SETTINGS: Final = frozenset(
    {
        "broker.id",
        "node.id",
        "inter.broker.protocol.version",
        "log.message.format.version",
        "unclean.leader.election.enable",
        "min.insync.replicas",
        "replica.lag.time.max.ms",
        "replica.high.watermark.checkpoint.interval.ms",
    }
)
"""Settings that decide about replication; the rest of the dump is not kept."""
LIFE: Final = "life"
"""The fact that a process has just begun to write: the first lines of a start. A new life of the broker."""
DUMP: Final = "settings"
"""Its value where the line is a dump of all settings: see `beginnings`."""

RECONFIGURED: Final = "settings_changed"
"""The fact that settings of a running broker are changed (kafka-configs), as for a throttle."""

REGISTERING: Final = "registering"
"""The fact that a broker is about to write its id to ZooKeeper. `Registered …` is printed after the controller
may have seen it; this line is printed before, so it is the one that can be held against another broker's
clock."""

CLUSTER: Final = "cluster"
"""The fact that from here on a process is of this cluster. Printed at each start before anything about partitions:
by KafkaServer since 0.10.1 (KIP-78), and in KRaft by the broker's lifecycle manager and by the controller."""


def _life(_message: Message) -> Reading:
    return Reading(facts=((LIFE, ""),))


def _settings(message: Message) -> Reading:
    """A dump has hundreds of settings: those are looked for that are kept."""
    text = f"\n{message.tail}\n"
    found = sorted((at, name) for name in SETTINGS for at in _ends_of(f"\n\t{name} = ", text))
    facts = ((f"config:{name}", text[at : text.index("\n", at)].strip()) for at, name in found)
    return Reading(facts=((LIFE, DUMP), *facts))


def _reconfigured(_message: Message) -> Reading:
    return Reading(facts=((RECONFIGURED, ""),))


def beginnings(facts: Iterable[Fact]) -> list[Fact]:
    """Of the facts of one log in order: those by which a process begins.

    From 1.1 on a broker dumps its settings anew when some are changed while it runs (KIP-226,
    DynamicBrokerConfig.updateCurrentConfig). A start prints other lines as well, since then.
    """
    found: list[Fact] = []
    changed = False
    for fact in facts:
        if fact.name == RECONFIGURED:
            changed = True
        elif fact.name == LIFE and not (changed and fact.value == DUMP):
            changed = False
            found.append(fact)
    return found


def _ends_of(part: str, text: str) -> Iterator[int]:
    """Where a part of a text ends, each time that it stands there."""
    at = text.find(part)
    while at >= 0:
        at += len(part)
        yield at
        at = text.find(part, at)


def _starting(message: Message) -> Reading:
    broker = group(message.match, "broker")
    return Reading((Said("broker_starting", broker=broker),), ((LIFE, ""),))


def _started(message: Message) -> Reading:
    return Reading((Said("broker_started", broker=message.number("broker")),))


def _stopped(message: Message) -> Reading:
    return Reading((Said("broker_stopped", broker=message.number("broker")),))


def _exited(_message: Message) -> Reading:
    return Reading((Said("broker_exited"),))


def _shutdown_requested(_message: Message) -> Reading:
    return Reading((Said("shutdown_requested"),))


def _shutting_down(message: Message) -> Reading:
    return Reading((Said("shutdown_requested", broker=message.number("broker")),))


def _controlled_begun(message: Message) -> Reading:
    return Reading((Said("controlled_shutdown_begun", broker=message.number("broker")),))


def _controlled_ended(message: Message) -> Reading:
    return Reading((Said("controlled_shutdown_ended", broker=message.number("broker"), aux=1),))


def _registered(message: Message) -> Reading:
    broker = message.number("broker")
    return Reading((Said("broker_registered", broker=broker),))


def _registering(message: Message) -> Reading:
    broker = message.number("broker")
    if broker > MOST_ID:
        raise ValueError("no broker has such a number")
    return Reading(facts=((REGISTERING, f"{broker}"),))


def _session_expired(_message: Message) -> Reading:
    return Reading((Said("session_expired"),))


def _version(message: Message) -> Reading:
    return Reading(facts=(("version", message["version"]),))


def cluster(message: Message) -> Reading:
    """The cluster in the group `cluster`."""
    return Reading(facts=((CLUSTER, message["cluster"]),))


def _start_time(message: Message) -> Reading:
    return Reading(facts=(("start_time_ms", message["at"]),))


LIFE_RULES = (
    LineRule(
        "log4j-registered",
        "2.0",
        "3.9",
        r"Registered kafka:type=kafka\.Log4jController MBean",
        ("Registered kafka:type=kafka.Log4jController MBean",),
        _life,
    ),
    LineRule(
        "settings",
        "0.8.2",
        "",
        r"KafkaConfig values: ?",
        (
            "KafkaConfig values: \n\tbroker.id = 2\n\tunclean.leader.election.enable = true\n (kafka.server.KafkaConfig)",
        ),
        _settings,
    ),
    LineRule(
        "broker-settings-in-zookeeper",
        "0.10.1",
        "3.9",
        r"Processing override for entityPath: brokers/(?:\d+|<default>) with config: .*",
        (
            "Processing override for entityPath: brokers/1 with config: HashMap(follower.replication.throttled.rate "
            "-> 300, leader.replication.throttled.rate -> 300)",
            "Processing override for entityPath: brokers/<default> with config: Map(num.io.threads -> 8)",
        ),
        _reconfigured,
    ),
    LineRule(
        "broker-settings",
        "3.0",
        "",
        r"\[(?:DynamicConfig|BrokerMetadata)Publisher [^\]]*\] Updating "
        r"(?:(?:broker|node) \d+ with new|cluster) configuration : .*",
        (
            "[DynamicConfigPublisher broker id=1] Updating node 1 with new configuration : log.retention.ms -> 60000",
            "[DynamicConfigPublisher broker id=1] Updating cluster configuration : num.io.threads -> 8",
            # To 3.3.
            "[BrokerMetadataPublisher id=2] Updating broker 2 with new configuration : num.io.threads -> 8",
        ),
        _reconfigured,
    ),
    LineRule(
        "starting",
        "0.8.2",
        "3.9",
        rf"(?:{_SERVER})?starting",
        ("starting", "[KafkaServer id=1] starting", "[Kafka Server 1], starting"),
        _starting,
        logger="KafkaServer",
    ),
    LineRule(
        "started",
        "0.8.2",
        "3.9",
        rf"{_SERVER}started",
        ("[Kafka Server 1], started", "[KafkaServer id=1] started"),
        _started,
    ),
    LineRule(
        "terminating",
        "1.0",
        "",
        r"Terminating process due to signal \w+",
        ("Terminating process due to signal SIGTERM",),
        _shutdown_requested,
    ),
    LineRule(
        "shutting-down",
        "0.8.2",
        "3.9",
        rf"{_SERVER}shutting down",
        ("[Kafka Server 31], shutting down", "[KafkaServer id=1] shutting down"),
        _shutting_down,
    ),
    LineRule(
        "controlled-shutdown-begun",
        "0.8.2",
        "3.9",
        rf"{_SERVER}Starting controlled shutdown",
        ("[Kafka Server 1], Starting controlled shutdown", "[KafkaServer id=1] Starting controlled shutdown"),
        _controlled_begun,
    ),
    LineRule(
        "controlled-shutdown-ended",
        "0.8.2",
        "3.9",
        rf"{_SERVER}Controlled shutdown (?:succeeded|request returned successfully after \d+ms)",
        (
            "[Kafka Server 1], Controlled shutdown succeeded",
            "[KafkaServer id=1] Controlled shutdown succeeded",
        ),
        _controlled_ended,
    ),
    LineRule(
        "stopped",
        "0.8.2",
        "3.9",
        rf"{_SERVER}shut down completed",
        ("[Kafka Server 1], shut down completed", "[KafkaServer id=1] shut down completed"),
        _stopped,
    ),
    LineRule(
        "registered",
        "0.8.2",
        "3.9",
        r"Registered broker (?P<broker>\d+) at path /brokers/ids/\d+ with addresses: .*",
        (
            "Registered broker 2 at path /brokers/ids/2 with addresses: "
            "EndPoint(127.0.0.1,19093,ListenerName(PLAINTEXT),PLAINTEXT)",
            "Registered broker 1 at path /brokers/ids/1 with addresses: PLAINTEXT://127.0.0.1:19092, czxid (broker "
            "epoch): 47",
        ),
        _registered,
    ),
    LineRule(
        "registering",
        "0.8.2",
        "3.9",
        r"Creating /brokers/ids/(?P<broker>\d+) \(is it secure\? \w+\)",
        ("Creating /brokers/ids/1 (is it secure? false)",),
        _registering,
    ),
    LineRule(
        "session-expired",
        "0.8.2",
        "1.0",
        r"zookeeper state changed \(Expired\)",
        ("zookeeper state changed (Expired)",),
        _session_expired,
    ),
    LineRule(
        "session-expired-1.1",
        "1.1",
        "3.9",
        # Without its name to 2.2: the broker had one.
        r"\[ZooKeeperClient(?: Kafka server)?\] Session expired\.",
        ("[ZooKeeperClient Kafka server] Session expired.", "[ZooKeeperClient] Session expired."),
        _session_expired,
    ),
    LineRule(
        "version",
        "0.8.2",
        "",
        r"Kafka version ?: (?P<version>\S+)",
        ("Kafka version : 0.10.2.2", "Kafka version: 2.8.2"),
        _version,
    ),
    LineRule(
        "cluster-id",
        "0.10.1",
        "3.9",
        r"Cluster ID = (?P<cluster>[\w\-]{1,64})",
        ("Cluster ID = HVJ44XNZSlauFiEJDxtJYQ",),
        cluster,
    ),
    LineRule(
        "start-time",
        "2.2.0",
        "",
        r"Kafka startTimeMs: (?P<at>\d+)",
        ("Kafka startTimeMs: 1795231015689",),
        _start_time,
    ),
    LineRule(
        "exit",
        "0.11",
        "",
        r"Exiting Kafka(?: due to fatal exception(?: during startup)?)?\.?|Halting Kafka\.?"
        r"|Encountered fatal fault: .*",
        (
            "Exiting Kafka due to fatal exception",
            "Exiting Kafka.",
            "Halting Kafka.",
            "Exiting Kafka due to fatal exception during startup.",
            # ProcessTerminatingFaultHandler, from 3.3.
            "Encountered fatal fault: Unexpected error in raft IO thread",
        ),
        _exited,
    ),
    LineRule(
        "shutdown-trouble",
        "0.8.2",
        "3.9",
        rf"{_SERVER}(?:Error during controlled shutdown, .*|Remaining partitions to move: .*|Retrying controlled shutdown "
        r"after the previous attempt failed.*|Proceeding to do an unclean shutdown as all the controlled shutdown "
        r"attempts failed)",
        (
            "[Kafka Server 2], Error during controlled shutdown, possibly because leader movement took longer than the "
            "configured socket.timeout.ms: Connection to 1 was disconnected before the response was read",
            "[KafkaServer id=3] Error during controlled shutdown, possibly because leader movement took longer than the "
            "configured controller.socket.timeout.ms and/or request.timeout.ms: Connection to 127.0.0.1:19092 (id: 1 "
            "rack: null) failed.",
            "[Kafka Server 2], Remaining partitions to move: [orders,0]",
            "[Kafka Server 2], Retrying controlled shutdown after the previous attempt failed...",
            "[Kafka Server 2], Proceeding to do an unclean shutdown as all the controlled shutdown attempts failed",
            "[KafkaServer id=2] Remaining partitions to move: orders-0",
            "[KafkaServer id=2] Retrying controlled shutdown after the previous attempt failed...",
            "[KafkaServer id=2] Proceeding to do an unclean shutdown as all the controlled shutdown attempts failed",
        ),
        why="it is tried again or given up; the stop that follows has its own line",
    ),
)
