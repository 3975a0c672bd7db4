"""Lines of a broker's life in KRaft mode: its server, its registration, its controlled shutdown."""

from typing import Final

from core.kafka.metadata_versions import name_of
from importers.kafka.drafts import Said
from importers.kafka.life import LIFE, cluster
from importers.kafka.rule import Build, LineRule, Message, Reading

_SERVER: Final = r"\[BrokerServer id=(?P<broker>\d+)\] "
_MANAGER: Final = r"\[BrokerLifecycleManager id=(?P<broker>\d+)\] "


def _says(kind: str, aux: int | None = None) -> Build:
    def build(message: Message) -> Reading:
        return Reading((Said(kind, broker=message.number("broker"), aux=aux),))

    return build


def _registered(message: Message) -> Reading:
    said = Said("broker_registered", broker=message.number("broker"), life=message.number("life"))
    return Reading((said,))


def _starting(message: Message) -> Reading:
    return Reading((Said("broker_starting", broker=message.number("broker")),), ((LIFE, ""),))


def _life(_message: Message) -> Reading:
    return Reading(facts=((LIFE, ""),))


def _metadata_version(message: Message) -> Reading:
    """It decides how a follower finds where it diverges, as inter.broker.protocol.version did.

    At offset 0 nothing has been read that sets it: to 3.9 a broker then names the least that KRaft has.
    """
    if message["offset"] == "0":
        return Reading()
    return Reading(facts=(("config:metadata.version", message["version"]),))


def _metadata_level(message: Message) -> Reading:
    """Someone raised it, or a new cluster begins with it."""
    version = name_of(message.number("level"))
    return Reading(facts=(("config:metadata.version", version),) if version else ())


KRAFT_LIFE_RULES = (
    LineRule(
        "kraft-log4j-registered",
        "4.0",
        "",
        r"Registered `kafka:type=kafka\.Log4jController` MBean",
        ("Registered `kafka:type=kafka.Log4jController` MBean",),
        _life,
    ),
    LineRule(
        "kraft-starting",
        "3.1",
        "",
        rf"{_SERVER}Transition from SHUTDOWN to STARTING",
        ("[BrokerServer id=1] Transition from SHUTDOWN to STARTING",),
        _starting,
    ),
    LineRule(
        "kraft-started",
        "3.1",
        "",
        rf"{_SERVER}Transition from STARTING to STARTED",
        ("[BrokerServer id=1] Transition from STARTING to STARTED",),
        _says("broker_started"),
    ),
    LineRule(
        "kraft-stopping",
        "3.1",
        "",
        rf"{_SERVER}Transition from STARTED to SHUTTING_DOWN",
        ("[BrokerServer id=1] Transition from STARTED to SHUTTING_DOWN",),
        _says("shutdown_requested"),
    ),
    LineRule(
        "kraft-stopped",
        "2.8",
        "",
        rf"{_SERVER}shut down completed",
        ("[BrokerServer id=1] shut down completed",),
        _says("broker_stopped"),
    ),
    LineRule(
        "kraft-server-steps",
        "2.8",
        "",
        rf"(?:{_SERVER}|\[ControllerServer id=\d+\] |\[SharedServer id=\d+\] |\[KafkaRaftServer nodeId=\d+\] )"
        r"(?:Transition from SHUTTING_DOWN to SHUTDOWN|Starting (?:broker|controller)|shutting down"
        r"|Stopping SharedServer|Kafka Server started|(?:Finished w|W)aiting for .*"
        r"|Loaded new metadata (?:Finalized)?Features.*)",
        (
            "[BrokerServer id=1] Transition from SHUTTING_DOWN to SHUTDOWN",
            "[BrokerServer id=1] Starting broker",
            "[BrokerServer id=1] shutting down",
            "[BrokerServer id=1] Waiting for the broker to be unfenced",
            "[BrokerServer id=1] Finished waiting for the broker to be unfenced",
            "[ControllerServer id=100] Starting controller",
            "[ControllerServer id=100] shutting down",
            "[ControllerServer id=100] Waiting for controller quorum voters future",
            "[ControllerServer id=100] Finished waiting for controller quorum voters future",
            "[ControllerServer id=100] Loaded new metadata Features(metadataVersion=3.9-IV0, "
            "finalizedFeatures={metadata.version=21}, finalizedFeaturesEpoch=4).",
            "[SharedServer id=1] Stopping SharedServer",
            "[KafkaRaftServer nodeId=1] Kafka Server started",
        ),
        why="steps of a start or a stop; the broker's transitions have their own lines",
    ),
    LineRule(
        "kraft-registered",
        "2.8",
        "",
        rf"{_MANAGER}Successfully registered broker \d+ with broker epoch (?P<life>\d+)",
        ("[BrokerLifecycleManager id=1] Successfully registered broker 1 with broker epoch 9",),
        _registered,
    ),
    LineRule(
        "kraft-running",
        "2.8",
        "",
        rf"{_MANAGER}The broker has been unfenced\. Transitioning from RECOVERY to RUNNING\.",
        (
            "[BrokerLifecycleManager id=1] The broker has been unfenced. Transitioning from RECOVERY to RUNNING.",
        ),
        _says("broker_unfenced"),
    ),
    LineRule(
        "kraft-controlled-shutdown-begun",
        "2.8",
        "",
        rf"{_MANAGER}Beginning controlled shutdown\.",
        ("[BrokerLifecycleManager id=1] Beginning controlled shutdown.",),
        _says("controlled_shutdown_begun"),
    ),
    LineRule(
        "kraft-controlled-shutdown-ended",
        "2.8",
        "",
        # `controlled` to 3.0.
        rf"{_MANAGER}The controlle[rd] has asked us to exit controlled shutdown\.",
        (
            "[BrokerLifecycleManager id=1] The controller has asked us to exit controlled shutdown.",
            "[BrokerLifecycleManager id=1] The controlled has asked us to exit controlled shutdown.",
        ),
        _says("controlled_shutdown_ended", 1),
    ),
    LineRule(
        "kraft-cluster",
        "2.8",
        "",
        rf"{_MANAGER}Incarnation \S+ of broker \d+ in cluster (?P<cluster>[\w\-]{{1,64}}) is now STARTING\.",
        (
            "[BrokerLifecycleManager id=1] Incarnation zp-B1cO7RyWpIa-Louw8Iw of broker 1 in cluster "
            "5K2x3xTSrS2xeFGVVB_wg is now STARTING.",
        ),
        cluster,
    ),
    LineRule(
        "kraft-controller-cluster",
        "2.8",
        "",
        r"\[(?:QuorumController id=|Controller )\d+\] Creating new QuorumController with clusterId "
        r"(?P<cluster>[\w\-]{1,64})(?:\..*|, authorizer .*)?",
        (
            "[QuorumController id=1] Creating new QuorumController with clusterId uq00AzObRuC3lZ46spn0SQ. Eligible leader "
            "replicas enabled.",
            "[QuorumController id=1] Creating new QuorumController with clusterId uq00AzObRuC3lZ46spn0SQ",
            "[Controller 1] Creating new QuorumController with clusterId uq00AzObRuC3lZ46spn0SQ, authorizer "
            "Optional.empty.",
        ),
        cluster,
    ),
    LineRule(
        "kraft-lifecycle",
        "2.8",
        "",
        rf"{_MANAGER}(?:The broker has caught up\. Transitioning from STARTING to RECOVERY\.|The broker is in RECOVERY\."
        r"|The broker is in PENDING_CONTROLLED_SHUTDOWN state, still waiting for the active controller\."
        r"|Transitioning from \w+ to SHUTTING_DOWN\.|Unable to (?:register|send) .*"
        r"|Broker \d+ sent a heartbeat request but received error \w+\."
        r"|Skipping controlled shutdown because we are in state \w+\."
        r"|The broker is SHUTTING_DOWN\. Ignoring heartbeat response\."
        r"|(?:beginShutdown: shutting down|closed) event queue\.)",
        (
            "[BrokerLifecycleManager id=1] The broker has caught up. Transitioning from STARTING to RECOVERY.",
            "[BrokerLifecycleManager id=1] Transitioning from PENDING_CONTROLLED_SHUTDOWN to SHUTTING_DOWN.",
            "[BrokerLifecycleManager id=2] Unable to register broker 2 because the controller returned error "
            "DUPLICATE_BROKER_REGISTRATION",
            "[BrokerLifecycleManager id=1] Broker 1 sent a heartbeat request but received error STALE_BROKER_EPOCH.",
            "[BrokerLifecycleManager id=1] Skipping controlled shutdown because we are in state STARTING.",
            "[BrokerLifecycleManager id=1] The broker is SHUTTING_DOWN. Ignoring heartbeat response.",
            "[BrokerLifecycleManager id=1] beginShutdown: shutting down event queue.",
            "[BrokerLifecycleManager id=1] closed event queue.",
        ),
        why="how far the broker has come with the controller; the results have their own lines",
    ),
    LineRule(
        "metadata-version",
        "3.1",
        "",
        r"\[BrokerMetadataPublisher id=\d+\] Publishing initial metadata at offset OffsetAndEpoch[\[(]offset="
        r"(?P<offset>\d{1,19})(?>.{0,200}? with metadata\.version )(?:Optional\[)?(?P<version>[^\]]{1,200}?)\]?\.",
        (
            "[BrokerMetadataPublisher id=1] Publishing initial metadata at offset OffsetAndEpoch(offset=9, epoch=1) "
            "with metadata.version 3.9-IV0.",
            "[BrokerMetadataPublisher id=1] Publishing initial metadata at offset OffsetAndEpoch[offset=16, epoch=1] "
            "with metadata.version Optional[4.1-IV1].",
            "[BrokerMetadataPublisher id=1] Publishing initial metadata at offset OffsetAndEpoch(offset=0, epoch=1) "
            "with metadata.version 3.0-IV1.",
        ),
        _metadata_version,
    ),
    LineRule(
        "metadata-version-updated",
        "3.3",
        "",
        r"\[BrokerMetadataPublisher id=\d+\] Updating metadata\.version to (?P<level>\d{1,4}) at offset "
        r"OffsetAndEpoch.{1,200}",
        (
            "[BrokerMetadataPublisher id=1] Updating metadata.version to 7 at offset OffsetAndEpoch(offset=9, epoch=1).",
        ),
        _metadata_level,
    ),
)
