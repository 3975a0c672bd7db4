"""Lines of the state change log in KRaft mode: what a broker makes of the metadata that reaches it."""

from typing import Final

from core.trace.vocabulary import Election
from importers.kafka.drafts import Said
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import TOPIC_ID, TP, group, ids, partition_of, whole

_BROKER: Final = r"\[Broker id=(?P<broker>\d+)\] "
_LISTS: Final = r"adding replicas \[[\d, ]*\] and removing replicas \[[\d, ]*\]"
_STATE: Final = (
    r"(?: and partition state LeaderAndIsrPartitionState\((?>.{0,65536}?leader=)(?P<leader>-?\d+), leaderEpoch=(?P<epoch>\d+), "
    r"isr=\[(?P<isr>[\d, ]*+)\], (?:zkVersion|partitionEpoch)=(?P<version>\d+), replicas=\[(?P<replicas>[\d, ]*+)\], [^)]*\)"
    r"|, partition registration PartitionRegistration\(replicas=\[(?P<replicas_r>[\d, ]*+)\], "
    r"(?>.{0,65536}?isr=\[)(?P<isr_r>[\d, ]*+)\], (?>.{0,65536}?leader=)(?P<leader_r>-?\d+), (?>.{0,65536}?leaderEpoch=)(?P<epoch_r>\d+), "
    r"partitionEpoch=(?P<version_r>\d+)\) and isNew=\w+)"
)
"""The metadata that the line is about: a request's words to 4.1, the registration's from 4.2."""
_ID: Final = rf"(?:{TOPIC_ID}|[^ ,]{{1,64}}+)"
"""None with a controller that knows no ids."""


def _leader(message: Message) -> Reading:
    broker = message.number("broker")
    said = Said(
        "became_leader",
        partition_of(message.match),
        broker=broker,
        leader=broker,
        epoch=message.number("epoch"),
        partition_epoch=message.number("version"),
        leo=message.number("leo"),
        hw=message.number("hw"),
        isr=ids(message["isr"]),
        topic_id=message["topic_id"],
    )
    return Reading((said,))


def _follower(message: Message) -> Reading:
    """`Previous leader` is not read: to 4.1 it prints the new leader and epoch (KAFKA-19776)."""
    said = Said(
        "became_follower",
        partition_of(message.match),
        broker=message.number("broker"),
        leader=message.number("leader"),
        epoch=message.number("epoch"),
        partition_epoch=message.number("version"),
        leo=message.number("leo"),
        hw=message.number("hw"),
    )
    return Reading((said,))


def _either(message: Message, name: str) -> str:
    """A group of the state as either wording has it."""
    found = message.match.groupdict()
    return found[name] if found[name] is not None else found[f"{name}_r"]


def _applied(message: Message) -> Reading:
    """The metadata that it learned of; from a leader its high watermark too."""
    tp, broker = partition_of(message.match), message.number("broker")
    applied = Said(
        "metadata_applied",
        tp,
        broker=broker,
        leader=whole(_either(message, "leader")),
        epoch=whole(_either(message, "epoch")),
        partition_epoch=whole(_either(message, "version")),
        isr=ids(_either(message, "isr")),
        assigned=ids(_either(message, "replicas")),
        topic_id=_topic_id(message),
    )
    hw = group(message.match, "hw")
    sample = Said("hw_sample", tp, broker=broker, hw=hw, topic_id=applied.topic_id)
    return Reading((applied,) if hw is None else (applied, sample))


def _leads_still(message: Message) -> Reading:
    """To 3.2 no more is printed of the metadata than that the partition is led from here already."""
    broker = message.number("broker")
    tp, topic_id = partition_of(message.match), _topic_id(message)
    return Reading((Said("metadata_applied", tp, broker=broker, leader=broker, topic_id=topic_id),))


def _topic_id(message: Message) -> str | None:
    return message.match.groupdict()["topic_id"]


def _stale(message: Message) -> Reading:
    said = Said(
        "stale_request_ignored",
        partition_of(message.match),
        broker=message.number("broker"),
        topic_id=_topic_id(message),
    )
    return Reading((said,))


def _recovering(message: Message) -> Reading:
    """Only an unclean election leaves a partition to recover (KIP-704)."""
    broker = message.number("broker")
    said = Said(
        "leader_elected", partition_of(message.match), broker=broker, leader=broker, aux=Election.UNCLEAN
    )
    return Reading((said,))


KRAFT_STATE_RULES = (
    LineRule(
        "kraft-leader",
        "3.3",
        "",
        rf"{_BROKER}Leader {TP} with topic id {TOPIC_ID} starts at leader epoch (?P<epoch>\d+) from offset (?P<leo>\d+) with "
        r"partition epoch (?P<version>\d+), high watermark (?P<hw>\d+), ISR \[(?P<isr>[\d, ]*)\], "
        rf"{_LISTS} ?(?:\(under-min-isr\))?\. "
        r"Previous leader (?:\S+ and previous leader )?epoch was -?\d+\.",
        (
            "[Broker id=1] Leader orders-0 with topic id Some(niK6BZnuRDmFaOtfqvkLJA) starts at leader epoch 87 from "
            "offset 4 with partition epoch 168, high watermark 3, ISR [1,2], adding replicas [] and removing replicas "
            "[]. Previous leader epoch was 86.",
            "[Broker id=1] Leader invoices-1 with topic id Some(cGt5JveCQjmVOArNXgfLaA) starts at leader epoch 2 from "
            "offset 8 with partition epoch 2, high watermark 6, ISR [1], adding replicas [] and removing replicas [] . "
            "Previous leader Some(2) and previous leader epoch was 1.",
            "[Broker id=1] Leader invoices-1 with topic id Some(cGt5JveCQjmVOArNXgfLaA) starts at leader epoch 2 from "
            "offset 8 with partition epoch 2, high watermark 6, ISR [1], adding replicas [] and removing replicas [] "
            "(under-min-isr). Previous leader None and previous leader epoch was -1.",
        ),
        _leader,
    ),
    LineRule(
        "kraft-follower",
        "3.3",
        "",
        rf"{_BROKER}Follower {TP} starts at leader epoch (?P<epoch>\d+) from offset (?P<leo>\d+) with partition epoch "
        r"(?P<version>\d+) and high watermark (?P<hw>\d+)\. Current leader is (?P<leader>-?\d+)\. Previous leader "
        r"(?:\S+ and previous leader )?epoch was -?\d+\.",
        (
            "[Broker id=1] Follower ledger-0 starts at leader epoch 2 from offset 26 with partition epoch 5 and high "
            "watermark 25. Current leader is 2. Previous leader Some(2) and previous leader epoch was 2.",
            "[Broker id=1] Follower ledger-0 starts at leader epoch 5 from offset 41 with partition epoch 11 and high "
            "watermark 41. Current leader is -1. Previous leader epoch was 4.",
        ),
        _follower,
    ),
    LineRule(
        "kraft-still-leader",
        "3.3",
        "",
        rf"{_BROKER}Skipped the become-leader state change for {TP} with topic id {_ID}{_STATE} since it is already "
        rf"the leader with leader epoch \d+\. Current high watermark (?P<hw>\d+), ISR \[[\d, ]*\], {_LISTS}\.",
        (
            "[Broker id=2] Skipped the become-leader state change for clicks-1 with topic id "
            "Some(1ZVW674zRZGDZmoGLDIuNA) and partition state LeaderAndIsrPartitionState(topicName='clicks', "
            "partitionIndex=1, controllerEpoch=-1, leader=2, leaderEpoch=0, isr=[2, 1], partitionEpoch=1, "
            "replicas=[2, 3, 1], addingReplicas=[], removingReplicas=[], isNew=false, leaderRecoveryState=0) since it "
            "is already the leader with leader epoch 0. Current high watermark 30, ISR [2,1], adding replicas [] and "
            "removing replicas [].",
            "[Broker id=1] Skipped the become-leader state change for carts-0 with topic id "
            "Some(sa13CsJbRGiPllj0nHH9wA), partition registration PartitionRegistration(replicas=[1, 2, 3], "
            "directories=[rzIErDPHQtnKQGkc9zZGLg, nqkBeP9AEpDHhp_7So8ULQ, yrhI6x1r7GRTWke7OQ40Ng], isr=[1, 2], "
            "removingReplicas=[], addingReplicas=[], elr=[], lastKnownElr=[], leader=1, "
            "leaderRecoveryState=RECOVERED, leaderEpoch=0, partitionEpoch=1) and isNew=false since it is already the "
            "leader with leader epoch 0. Current high watermark 20, ISR [1,2], adding replicas [] and removing "
            "replicas [].",
        ),
        _applied,
    ),
    LineRule(
        "kraft-still-follower",
        "3.3",
        "",
        rf"{_BROKER}Skipped the become-follower state change for {TP} with topic id {_ID}{_STATE} since it is already "
        r"a follower with leader epoch \d+\.",
        (
            "[Broker id=3] Skipped the become-follower state change for metrics-2 with topic id "
            "Some(iUP1kGcGRROHqlTaua7l5g) and partition state LeaderAndIsrPartitionState(topicName='metrics', "
            "partitionIndex=2, controllerEpoch=-1, leader=1, leaderEpoch=0, isr=[1, 2], partitionEpoch=1, "
            "replicas=[3, 1, 2], addingReplicas=[], removingReplicas=[], isNew=false, leaderRecoveryState=0) since it "
            "is already a follower with leader epoch 0.",
            "[Broker id=1] Skipped the become-follower state change for accounts-0 with topic id "
            "Some(o91x-2lORP6XOFDf5nQo7w), partition registration PartitionRegistration(replicas=[1, 2, 3], "
            "directories=[Q1rls5WbeyylOzvqSu6wfw, CQ-RA5gDdP1S8UQFkU_mQA, tYdEQw_C6QRzD6X6bLvyiw], isr=[2], "
            "removingReplicas=[], addingReplicas=[], elr=[1], lastKnownElr=[], leader=2, "
            "leaderRecoveryState=RECOVERED, leaderEpoch=2, partitionEpoch=6) and isNew=false since it is already a "
            "follower with leader epoch 2.",
        ),
        _applied,
    ),
    LineRule(
        "kraft-still-leader-3.0",
        "3.0",
        "3.2",
        rf"{_BROKER}Skipped the become-leader state change for {TP} with topic id {_ID} because this partition is already "
        r"a local leader\.",
        (
            "[Broker id=2] Skipped the become-leader state change for clicks-1 with topic id "
            "Some(1ZVW674zRZGDZmoGLDIuNA) because this partition is already a local leader.",
        ),
        _leads_still,
    ),
    LineRule(
        "kraft-still-follower-3.0",
        "3.0",
        "3.2",
        rf"{_BROKER}Skipped the become-follower state change after marking its partition as follower for partition {TP} "
        rf"with id {_ID}{_STATE}\.",
        (
            "[Broker id=3] Skipped the become-follower state change after marking its partition as follower for partition "
            "metrics-2 with id Some(iUP1kGcGRROHqlTaua7l5g) and partition state LeaderAndIsrPartitionState("
            "topicName='metrics', partitionIndex=2, controllerEpoch=-1, leader=1, leaderEpoch=0, isr=[1, 2], "
            "zkVersion=1, replicas=[3, 1, 2], addingReplicas=[], removingReplicas=[], isNew=false).",
        ),
        _applied,
    ),
    LineRule(
        "kraft-stale-metadata",
        "3.3",
        "",
        # What the broker holds is newer than the metadata in the line.
        rf"{_BROKER}Skipped the become-(?:leader|follower) state change for {TP} with topic id {_ID}{_STATE} since the "
        r"(?:leader|follower) is already at a newer partition epoch \d+\.",
        (
            "[Broker id=2] Skipped the become-leader state change for clicks-1 with topic id "
            "Some(1ZVW674zRZGDZmoGLDIuNA) and partition state LeaderAndIsrPartitionState(topicName='clicks', "
            "partitionIndex=1, controllerEpoch=-1, leader=2, leaderEpoch=0, isr=[2, 1], partitionEpoch=1, "
            "replicas=[2, 3, 1], addingReplicas=[], removingReplicas=[], isNew=false, leaderRecoveryState=0) since the "
            "leader is already at a newer partition epoch 9.",
        ),
        _stale,
    ),
    LineRule(
        "kraft-recovering",
        "3.2",
        "",
        rf"{_BROKER}The topic partition {TP} was marked as RECOVERING\.(?: Leader log recovery is not implemented\.)? "
        r"Marking the topic partition as RECOVERED\.",
        (
            "[Broker id=1] The topic partition carts-0 was marked as RECOVERING. Marking the topic partition as "
            "RECOVERED.",
            "[Broker id=1] The topic partition carts-0 was marked as RECOVERING. Leader log recovery is not "
            "implemented. Marking the topic partition as RECOVERED.",
        ),
        _recovering,
    ),
    LineRule(
        "kraft-transitions",
        "3.0",
        "",
        rf"{_BROKER}(?:Creating new partition \S+ with topic id \S+\."
        r"|Transitioning \d+ partition\(s\) to local (?:leaders|followers)\."
        r"|(?:Stopped|Started) fetchers as part of (?:become-follower|controlled shutdown) for \d+ partitions"
        r"|Expected partition \S+ with topic id \S+ to exist, but it was missing\. Creating\.\.\."
        r"|Stopping \d+ partition\(s\)\.|Deleting \d+ partition\(s\)\.)",
        (
            "[Broker id=1] Creating new partition carts-0 with topic id sa13CsJbRGiPllj0nHH9wA.",
            "[Broker id=1] Transitioning 1 partition(s) to local leaders.",
            "[Broker id=1] Stopped fetchers as part of become-follower for 2 partitions",
            "[Broker id=1] Started fetchers as part of become-follower for 1 partitions",
            "[Broker id=1] Deleting 1 partition(s).",
            "[Broker id=1] Stopping 1 partition(s).",
            "[Broker id=3] Expected partition moves-0 with topic id Zr_TLgqrT5mjvBdUnX-6Uw to exist, but it was "
            "missing. Creating...",
        ),
        why="steps of a start or a change; each partition has its own line, and a partition object is new at every "
        "start",
    ),
    LineRule(
        "kraft-early",
        "2.8",
        "3.0",
        rf"{_BROKER}(?:Metadata batch (?:\d+|<multiple deferred>)|Apply deferred (?:leader|follower) partition)\b.*",
        (
            "[Broker id=1] Metadata batch 12 orders-0: skipped the become-leader state change since it is already the "
            "leader.",
            "[Broker id=1] Apply deferred leader partition orders-0: completed the become-leader state change.",
        ),
        why="KRaft before its first release for production; the line does not name the partition",
    ),
)
