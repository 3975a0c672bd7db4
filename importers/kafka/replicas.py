"""Lines of a partition's replica: high watermark, in-sync replicas, leader and follower."""

import re
from typing import Final

from importers.kafka.drafts import Said
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import IDS, PARTITION_PREFIX, TP, each, group, ids, partition_of, whole

_BEHIND: Final = re.compile(r"\(brokerId: (\d+), endOffset: (\d+)")
"""A replica that is let go, and how far the leader knows its log; -1 and `unknown` say nothing."""


def _speaker(message: Message) -> int | None:
    return group(message.match, "broker", "broker_o")


def _no_checkpoint(message: Message) -> Reading:
    # KafkaException aside, Partition then begins at 0: what it prints is what it does, not a default of the text.
    return Reading((Said("hw_loaded", partition_of(message.match), broker=_speaker(message), hw=0),))


def _hw_loaded(message: Message) -> Reading:
    said = Said("hw_loaded", partition_of(message.match), broker=_speaker(message), hw=message.number("hw"))
    return Reading((said,))


def _expanding(message: Message) -> Reading:
    broker = _speaker(message)
    tp, isr = partition_of(message.match), ids(message["isr"])
    return Reading((Said("isr_expand_proposed", tp, broker=broker, leader=broker, isr=isr),))


def _shrinking(message: Message) -> Reading:
    broker, tp = _speaker(message), partition_of(message.match)
    said = Said(
        "isr_shrink_proposed",
        tp,
        broker=broker,
        leader=broker,
        isr=ids(message["isr"]),
        hw=group(message.match, "hw"),
        leo=group(message.match, "leo"),
    )
    behind = tuple(
        Said(
            "follower_leo_recorded",
            tp,
            broker=broker,
            replica=whole(one[1]),
            leader=broker,
            leo=whole(one[2]),
        )
        for one in each(_BEHIND, message.match["out"] or "")
    )
    return Reading((said, *behind))


def _isr_committed(message: Message) -> Reading:
    broker = _speaker(message)
    said = Said(
        "isr_committed",
        partition_of(message.match),
        broker=broker,
        leader=broker,
        isr=ids(message["isr"]),
        partition_epoch=message.number("version"),
    )
    return Reading((said,))


def _became(message: Message) -> Reading:
    leads = message["role"] == "Leader"
    broker = message.number("broker")
    isr = message.match.groupdict().get("isr")
    said = Said(
        "became_leader" if leads else "became_follower",
        partition_of(message.match),
        broker=broker,
        leader=broker if leads else None,
        epoch=message.number("epoch"),
        leo=message.number("leo"),
        hw=message.number("hw"),
        isr=ids(isr) if isr is not None else None,
    )
    return Reading((said,))


def _starts(message: Message) -> Reading:
    broker = _speaker(message)
    said = Said(
        "became_leader",
        partition_of(message.match),
        broker=broker,
        leader=broker,
        epoch=message.number("epoch"),
        leo=message.number("leo"),
        hw=group(message.match, "hw") if "hw" in message.match.groupdict() else None,
    )
    return Reading((said,))


def _replica_loaded(message: Message) -> Reading:
    # The line does not say of which replica: those of other brokers print 0 here.
    hw = message.number("hw")
    return Reading((Said("hw_loaded", partition_of(message.match), hw=hw),) if hw else ())


def _isr_rejected(message: Message) -> Reading:
    return Reading((Said("isr_update_rejected", partition_of(message.match), broker=_speaker(message)),))


REPLICA_RULES = (
    LineRule(
        "no-checkpointed-hw",
        "0.9",
        "",
        rf"{PARTITION_PREFIX}No checkpointed highwatermark is found for partition \S+",
        (
            "Partition [orders,0] on broker 2: No checkpointed highwatermark is found for partition orders-0",
            "[Partition orders-2 broker=1] No checkpointed highwatermark is found for partition orders-2",
        ),
        _no_checkpoint,
    ),
    LineRule(
        "hw-loaded",
        "2.4.0",
        "",
        rf"{PARTITION_PREFIX}Log loaded for partition \S+ with initial high watermark (?P<hw>\d+)",
        ("[Partition orders-2 broker=1] Log loaded for partition orders-2 with initial high watermark 254",),
        _hw_loaded,
    ),
    LineRule(
        "isr-expanding",
        "0.8.2",
        "2.7",
        rf"{PARTITION_PREFIX}Expanding ISR (?:for partition \S+ )?from {IDS} to (?P<isr>{IDS})",
        (
            "Partition [orders,0] on broker 2: Expanding ISR for partition orders-0 from 2 to 2,1",
            "[Partition orders-0 broker=2] Expanding ISR from 2,3 to 2,3,1",
        ),
        _expanding,
    ),
    LineRule(
        "isr-shrinking",
        "0.8.2",
        "",
        rf"{PARTITION_PREFIX}Shrinking ISR (?:for partition \S+ )?from {IDS} to (?P<isr>{IDS})"
        r"(?:\. Leader: \(highWatermark: (?P<hw>\d+), endOffset: (?P<leo>\d+)\)\. Out of sync replicas: (?P<out>.*))?",
        (
            "[Partition clicks-1 broker=2] Shrinking ISR from 2,3,1 to 2. Leader: (highWatermark: 20, endOffset: 30). "
            "Out of sync replicas: (brokerId: 3, endOffset: 20, lastCaughtUpTimeMs: 1795230805490) (brokerId: 1, "
            "endOffset: -1, lastCaughtUpTimeMs: 1795230805490).",
            "Partition [orders,0] on broker 1: Shrinking ISR for partition orders-0 from 1,2 to 1",
            "[Partition metrics-1 broker=2] Shrinking ISR from 2,1,3 to 2. Leader: (highWatermark: 216, endOffset: "
            "218). Out of sync replicas: (brokerId: 1, endOffset: 216) (brokerId: 3, endOffset: 216).",
        ),
        _shrinking,
    ),
    LineRule(
        "isr-updated",
        "2.4.0",
        "",
        rf"{PARTITION_PREFIX}ISR updated (?:from AlterIsr )?to \[?(?P<isr>[\d,]*)\]? {{1,2}}(?:\(under-min-isr\) )?and "
        r"(?:zkV|v)ersion updated to \[?(?P<version>\d+)\]?",
        (
            "[Partition clicks-1 broker=2] ISR updated to 2,1 and version updated to [3]",
            "[Partition clicks-1 broker=2] ISR updated to 2,1  and version updated to 3",
            "[Partition clicks-1 broker=2] ISR updated to 2 (under-min-isr) and version updated to 3",
        ),
        _isr_committed,
    ),
    LineRule(
        "leader-starts-2.5",
        "2.4.1",
        "2.5",
        rf"{PARTITION_PREFIX}\S+ starts at leader epoch (?P<epoch>\d+) from offset (?P<leo>\d+) with high watermark "
        r"(?P<hw>\d+)\. Previous leader epoch was -?\d+\.",
        (
            "[Partition orders-0 broker=1] orders-0 starts at leader epoch 5 from offset 42 with high watermark 40. "
            "Previous leader epoch was 4.",
        ),
        _starts,
    ),
    LineRule(
        "became",
        "2.6.0",
        "3.2",
        rf"\[Broker id=(?P<broker>\d+)\] (?P<role>Leader|Follower) {TP} starts at leader epoch (?P<epoch>\d+) "
        r"from offset (?P<leo>\d+) with high watermark (?P<hw>\d+)"
        r"(?: ISR \[(?P<isr>[\d, ]*)\] addingReplicas \[[\d, ]*\] removingReplicas \[[\d, ]*\])?"
        r"\. Previous leader epoch was -?\d+\.",
        (
            "[Broker id=1] Leader orders-2 starts at leader epoch 0 from offset 0 with high watermark 0 ISR [1,2] "
            "addingReplicas [] removingReplicas []. Previous leader epoch was -1.",
            "[Broker id=1] Follower audit-0 starts at leader epoch 3 from offset 270 with high watermark 257. "
            "Previous leader epoch was -1.",
        ),
        _became,
    ),
    LineRule(
        "leader-starts",
        "0.11",
        "2.4.0",
        # Printed for every request, also where the epoch is the same.
        rf"{PARTITION_PREFIX}\S+ starts at Leader Epoch (?P<epoch>\d+) from offset (?P<leo>\d+)\. Previous Leader "
        r"Epoch was: -?\d+",
        (
            "Partition [orders,0] on broker 2: orders-0 starts at Leader Epoch 1 from offset 257. Previous Leader "
            "Epoch was: 0",
            "[Partition orders-0 broker=2] orders-0 starts at Leader Epoch 2 from offset 30. Previous Leader Epoch "
            "was: 0",
        ),
        _starts,
    ),
    LineRule(
        "replica-loaded",
        "0.11",
        "2.3",
        rf"Replica loaded for partition {TP} with initial high watermark (?P<hw>\d+)",
        ("Replica loaded for partition orders-0 with initial high watermark 254",),
        _replica_loaded,
    ),
    LineRule(
        "isr-rejected",
        "0.8.2",
        "",
        rf"{PARTITION_PREFIX}(?:Cached zkVersion \[?\d+\]? not equal to that in zookeeper, skip updating ISR"
        r"|Failed to alter partition to .* (?:since|because) (?:the controller|the leader epoch|the partition epoch|the "
        r"request) .*|(?:Controller f|F)ailed to update ISR to .*\. Giving up\.)",
        (
            "[Partition orders-0 broker=1] Failed to alter partition to PendingShrinkIsr(outOfSyncReplicaIds=Set(3)) "
            "since the controller rejected the request with INVALID_UPDATE_VERSION. Partition state has been reset to "
            "the latest committed state CommittedPartitionState(isr=Set(1, 2, 3)).",
            "Partition [orders,0] on broker 1: Cached zkVersion [4] not equal to that in zookeeper, skip updating ISR",
            "[Partition orders-0 broker=1] Cached zkVersion [4] not equal to that in zookeeper, skip updating ISR",
            "[Partition orders-0 broker=1] Cached zkVersion 4 not equal to that in zookeeper, skip updating ISR",
            "[Partition orders-0 broker=1] Failed to alter partition to PendingExpandIsr(newInSyncReplicaId=3) because "
            "the partition epoch is invalid. Partition state may be out of sync, awaiting new the latest metadata.",
            "[Partition orders-0 broker=1] Failed to update ISR to PendingShrinkIsr(isr=Set(1, 2), "
            "outOfSyncReplicaIds=Set(2)) due to invalid version. Giving up.",
            "[Partition orders-0 broker=1] Controller failed to update ISR to PendingShrinkIsr(isr=Set(1, 2), "
            "outOfSyncReplicaIds=Set(2)) since we sent an old leader epoch. Giving up.",
        ),
        _isr_rejected,
    ),
)
