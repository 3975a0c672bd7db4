"""TRACE and DEBUG lines: each append, each fetch, each step of a high watermark. Off by default."""

import re
from typing import Final

from importers.kafka.drafts import Said
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import (
    FETCHER,
    LOG_PREFIX,
    OFFSET,
    PARTITION_PREFIX,
    TP,
    each,
    group,
    partition_of,
    whole,
)

_MEMBER: Final = re.compile(r"[rR]eplicaId[:=] ?(\d+)")
_END_OF: Final = re.compile(r"replica (\d+): \(offset=(-?\d+)")


def _speaker(message: Message) -> int | None:
    return group(message.match, "broker", "broker_o")


def _hw_stepped(message: Message) -> Reading:
    hw = group(message.match, "hw", "hw_o")
    return Reading((Said("hw_moved", partition_of(message.match), broker=_speaker(message), hw=hw),))


def _hw_set(message: Message) -> Reading:
    hw, replica = message.number("hw"), group(message.match, "replica")
    return Reading((Said("hw_moved", partition_of(message.match), broker=replica, hw=hw),) if hw >= 0 else ())


def _hw_stays(message: Message) -> Reading:
    hw = group(message.match, "hw", "hw_o")
    said = Said("hw_sample", partition_of(message.match), broker=_speaker(message), hw=hw)
    return Reading((said,))


def _all_ends(message: Message) -> Reading:
    """The leader's own end is exact; what it remembers of the others has lines of its own.

    To 2.3 the high watermark that stays is printed; later only the one that is not above it.
    """
    tp, broker = partition_of(message.match), _speaker(message)
    own = [int(end) for replica, end in _END_OF.findall(message["ends"]) if int(replica) == broker]
    said = tuple(Said("leo_sample", tp, broker=broker, leo=end) for end in own if end >= 0)
    old, new = group(message.match, "old"), message.number("new")
    if old is not None:
        return Reading((*said, Said("hw_sample", tp, broker=broker, hw=old)))
    more = (Said("hw_sample", tp, broker=broker, hw=new, at_least=("hw",)),) if new >= 0 else ()
    return Reading((*said, *more))


def _recorded(message: Message) -> Reading:
    broker, leo = _speaker(message), message.number("leo")
    if leo < 0:
        return Reading(())
    said = Said(
        "follower_leo_recorded",
        partition_of(message.match),
        broker=broker,
        replica=message.number("replica"),
        leader=broker,
        leo=leo,
    )
    return Reading((said,))


def _delivered(message: Message) -> Reading:
    """The answer as it arrives: where the follower's log ended, and the high watermark that it was told."""
    follower = group(message.match, "replica", "follower")
    said = Said(
        "fetch_delivered",
        partition_of(message.match),
        broker=follower,
        leader=group(message.match, "leader", "leader_o"),
        from_offset=message.number("leo"),
        hw=message.number("told"),
    )
    return Reading((said,))


def _copied(message: Message) -> Reading:
    follower = group(message.match, "replica", "follower")
    said = Said("leo_sample", partition_of(message.match), broker=follower, leo=message.number("leo"))
    return Reading((said,))


def _follower_hw(message: Message) -> Reading:
    follower = group(message.match, "replica", "follower")
    said = Said("hw_moved", partition_of(message.match), broker=follower, hw=message.number("hw"))
    return Reading((said,))


def _appended(message: Message) -> Reading:
    end = message.number("next")
    first = group(message.match, "first", "first_s")
    said = Said("appended", partition_of(message.match), from_offset=first, offset=end, leo=end)
    return Reading((said,))


def _isr_committed(message: Message) -> Reading:
    broker = _speaker(message)
    said = Said(
        "isr_committed",
        partition_of(message.match),
        broker=broker,
        leader=broker,
        isr=tuple(whole(one[1]) for one in each(_MEMBER, message["members"])),
        partition_epoch=message.number("version"),
    )
    return Reading((said,))


TRACING_RULES = (
    LineRule(
        "hw-stepped",
        "0.8.2",
        "",
        rf"{PARTITION_PREFIX}High watermark (?:(?:for partition \S+ )?updated to (?P<hw_o>\d+) \[.*\]"
        rf"|updated (?:from {OFFSET % 'was'} )?to {OFFSET % 'hw'})",
        (
            "[Partition t1-0 broker=1] High watermark updated to 13 [0 : 195]",
            "[Partition t1-0 broker=1] High watermark updated from (offset=12segment=[0:180]) to (offset=13segment=[0:195])",
            "[Partition t1-0 broker=1] High watermark updated from (offset=116 segment=[0:9164]) to (offset=117 "
            "segment=[0:9243])",
            "[Partition orders-0 broker=1] High watermark updated from (offset=0, segment=[0:0]) to (offset=2, "
            "segment=[0:105])",
            "[Partition t1-0 broker=1] High watermark updated to (offset=13 segment=[0:195])",
            "Partition [t1,0] on broker 1: High watermark for partition [t1,0] updated to 116 [0 : 5220]",
        ),
        _hw_stepped,
    ),
    LineRule(
        "hw-set",
        "0.8.2",
        "2.3",
        # Only a broker's own replica has one (Replica.highWatermark_=).
        rf"Setting high watermark for replica (?P<replica>\d+) partition {TP} to \[(?:\(offset=)?(?P<hw>-?\d+)[ ,)].*\]",
        (
            "Setting high watermark for replica 1 partition t1-0 to [88 [-1 : -1]]",
            "Setting high watermark for replica 1 partition t1-0 to [(offset=88 segment=[0:195])]",
        ),
        _hw_set,
    ),
    LineRule(
        "hw-set-2.4",
        "2.4",
        "",
        rf"{LOG_PREFIX}Setting high watermark {OFFSET % 'hw'}",
        (
            "[Log partition=t1-0, dir=/var/lib/kafka/broker-1] Setting high watermark (offset=59 segment=[-1:-1])",
            "[UnifiedLog partition=orders-0, dir=/var/lib/kafka/broker-1] Setting high watermark (offset=6, "
            "segment=[-1:-1])",
        ),
        _hw_set,
    ),
    LineRule(
        "hw-stays",
        "0.8.2",
        "2.3",
        # Between 0.11 and 1.1 with the new one first.
        rf"{PARTITION_PREFIX}Skipping update high watermark since (?:Old hw (?P<hw>\d+) \[.*\] is larger than new hw .*"
        r"|new hw -?\d+ \[[^\]]*\] is not larger than old hw (?P<hw_o>\d+) \[[^\]]*\]\. ?All .*)",
        (
            "[Partition t1-0 broker=1] Skipping update high watermark since new hw 115 [0 : 5175] is not larger than old hw "
            "115 [0 : 5175].All LEOs are 116 [0 : 5220],115 [0 : 5175]",
            "Partition [t1,0] on broker 1: Skipping update high watermark since new hw 115 [0 : 5175] is not larger than old "
            "hw 115 [0 : 5175].All LEOs are 116 [0 : 5220],115 [0 : 5175]",
            "Partition [t1,0] on broker 1: Skipping update high watermark since Old hw 115 [0 : 5175] is larger than new "
            "hw 115 [0 : 5175] for partition [t1,0]. All leo's are 116 [0 : 5220],115 [0 : 5175]",
        ),
        _hw_stays,
    ),
    LineRule(
        "hw-stays-1.0",
        "0.11",
        "",
        rf"{PARTITION_PREFIX}Skipping update high watermark since new hw {OFFSET % 'new'} is not larger than old "
        rf"(?:value|hw {OFFSET % 'old'})\. All current LEOs are (?P<ends>.*)",
        (
            "[Partition t1-0 broker=1] Skipping update high watermark since new hw (offset=115 segment=[0:9243]) is not "
            "larger than old hw (offset=116 segment=[0:9322]). All current LEOs are Set(replica 2: (offset=115 "
            "segment=[0:9243]), replica 1: (offset=117 segment=[0:9243]))",
            "[Partition t1-0 broker=1] Skipping update high watermark since new hw (offset=115 segment=[0:9243]) is not "
            "larger than old value. All current LEOs are Set(replica 2: (offset=115 segment=[0:9243]), replica 3: "
            "(offset=-1 segment=[0:0]), replica 1: (offset=117 segment=[0:9243]))",
            "[Partition orders-0 broker=1] Skipping update high watermark since new hw (offset=-1, segment=[-1:-1]) is "
            "not larger than old value. All current LEOs are Set(replica 2: (offset=-1, segment=[-1:-1]), replica 1: "
            "(offset=2, segment=[0:0]))",
        ),
        _all_ends,
    ),
    LineRule(
        "follower-recorded",
        "0.9",
        "",
        rf"{PARTITION_PREFIX}Recorded replica (?P<replica>\d+) log end offset \(LEO\) position (?P<leo>-?\d+)"
        r"(?: for partition \S+?)?(?: and log start offset -?\d+)?\.?",
        (
            "Partition [t1,0] on broker 1: Recorded replica 3 log end offset (LEO) position 115 for partition t1-0.",
            "[Partition t1-0 broker=1] Recorded replica 2 log end offset (LEO) position 117 and log start offset 0.",
            "[Partition t1-0 broker=1] Recorded replica 2 log end offset (LEO) position 117.",
        ),
        _recorded,
    ),
    LineRule(
        "fetch-delivered",
        "0.8.2",
        "",
        rf"{FETCHER}Follower (?:(?P<follower>\d+) )?has replica log end offset (?P<leo>\d+) for partition {TP}\. "
        r"Received \d+ (?:bytes of )?messages and leader hw (?P<told>\d+)",
        (
            "[ReplicaFetcherThread-0-2], Follower 1 has replica log end offset 59 for partition t1-0. Received 1305 "
            "messages and leader hw 88",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Follower has replica log end offset 10 for partition "
            "orders-0. Received 249 bytes of messages and leader hw 13",
        ),
        _delivered,
    ),
    LineRule(
        "follower-appended",
        "0.8.2",
        "",
        rf"{FETCHER}Follower (?:(?P<follower>\d+) )?has replica log end offset (?P<leo>\d+) after appending \d+ bytes of "
        rf"messages for partition {TP}",
        (
            "[ReplicaFetcherThread-0-2], Follower 1 has replica log end offset 88 after appending 1305 bytes of messages "
            "for partition t1-0",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Follower has replica log end offset 13 after "
            "appending 249 bytes of messages for partition orders-0",
        ),
        _copied,
    ),
    LineRule(
        "follower-hw-set",
        "0.8.2",
        "3.3.1",
        rf"{FETCHER}Follower (?:(?P<follower>\d+) )?set replica high watermark for partition {TP} to (?P<hw>\d+)",
        (
            "[ReplicaFetcherThread-0-2], Follower 1 set replica high watermark for partition t1-0 to 88",
            "[ReplicaFetcherThread-0-2], Follower 1 set replica high watermark for partition [t1,0] to 88",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Follower set replica high watermark for partition "
            "t1-0 to 63",
        ),
        _follower_hw,
    ),
    LineRule(
        "follower-hw-updated",
        "3.3.2",
        "",
        rf"{FETCHER}Follower received high watermark \d+ from the leader and updated replica high watermark to "
        rf"(?P<hw>\d+) for partition {TP}",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Follower received high watermark 14 from the leader "
            "and updated replica high watermark to 13 for partition orders-0",
        ),
        _follower_hw,
    ),
    LineRule(
        "follower-hw-same",
        "3.3.2",
        "",
        rf"{FETCHER}Follower received high watermark \d+ from the leader but did not update replica high watermark for "
        rf"partition {TP}",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Follower received high watermark 13 from the leader "
            "but did not update replica high watermark for partition orders-0",
        ),
        why="it stays as it was",
    ),
    LineRule(
        "appended",
        "0.8.2",
        "",
        rf"(?:{LOG_PREFIX}Appended message set (?:to log )?with last offset:? \d+,? first offset: "
        r"(?:(?P<first>\d+)|(?:Some\(|Optional\[)(?:\(offset=)?(?P<first_s>\d+)(?:,? ?segment=\[-?\d+:-?\d+\]\))?[)\]]|None)"
        r", next offset: (?P<next>\d+),? and messages:? .*)",
        (
            "[Log partition=t1-0, dir=/var/lib/kafka/broker-1] Appended message set with last offset: 88, first offset: "
            "Some((offset=60 segment=[0:4740])), next offset: 89, and messages: MemoryRecords(size=2291, "
            "buffer=java.nio.HeapByteBuffer[pos=0 lim=2291 cap=2294])",
            "[Log partition=t1-0, dir=/var/lib/kafka/broker-1] Appended message set to log with last offset 8 first "
            "offset: 0, next offset: 9, and messages: MemoryRecords(size=106)",
            "[UnifiedLog partition=t1-0, dir=/var/lib/kafka/broker-1] Appended message set with last offset: 8, first "
            "offset: 0, next offset: 9, and messages: MemoryRecords(size=106, "
            "buffer=java.nio.HeapByteBuffer[pos=0 lim=106 cap=143])",
        ),
        _appended,
    ),
    LineRule(
        "appended-0.8",
        "0.8.2",
        "1.0.1",
        rf"Appended message set to log {TP} with first offset: (?P<first>\d+), next offset: (?P<next>\d+), and messages:"
        r".*",
        (
            "Appended message set to log t1-0 with first offset: 59, next offset: 88, and messages: "
            "[(offset=59,record=Record(magic = 1, attributes = 0, compression = NONE, crc = 145331738, CreateTime = "
            "1795231276036, key = 0 bytes, value = 11 bytes))]",
        ),
        _appended,
    ),
    LineRule(
        "isr-updated-0.8",
        "0.8.2",
        "2.3",
        rf"{PARTITION_PREFIX}ISR updated to \[(?P<members>Replica.*)\] and zkVersion updated to \[(?P<version>\d+)\]",
        (
            "Partition [t1,0] on broker 1: ISR updated to [ReplicaId: 3; Topic: t1; Partition: 0; isLocal: false; "
            "lastCaughtUpTimeMs: 1795231325058,ReplicaId: 1; Topic: t1; Partition: 0; isLocal: true; "
            "lastCaughtUpTimeMs: 0; Highwatermark: 132 [0 : 5940]] and zkVersion updated to [5]",
            "[Partition t1-0 broker=1] ISR updated to [Replica(replicaId=1, topic=t1, partition=0, isLocal=true, "
            "lastCaughtUpTimeMs=0, highWatermark=(offset=20 segment=[0:333])),Replica(replicaId=2, topic=t1, "
            "partition=0, isLocal=false, lastCaughtUpTimeMs=1795195908360)] and zkVersion updated to [1]",
        ),
        _isr_committed,
    ),
    LineRule(
        "trace-words",
        "0.8.2",
        "",
        rf"{PARTITION_PREFIX}(?:Progress awaiting ISR acks for offset \d+: .*|Replica \d+ (?:of \S+ )?received offset \d+"
        r"|\d+ acks satisfied (?:for \S+ )?with acks = -\d|Lagging replicas (?:for partition \S+ )?are .*"
        r"|(?:Unified)?Log already exists\.|Not increasing HWM because partition is under min ISR.*"
        r"|(?:Enqueued ISR change to state|Sent `?AlterIsr`? request|Submitting ISR state change"
        r"|Ignoring failed ISR update|Ignoring (?:new ISR|ISR from AlterIsr)|Failed to (?:add|send)"
        r"|(?:Controller f|F)ailed to update ISR to .* Retrying\.) ?.*"
        r"|Leader \d+ failed to record follower \d+'s position .*)",
        (
            "[Partition t1-0 broker=1] Progress awaiting ISR acks for offset 118: acked: Set(broker 1: 118), awaiting "
            "Set(broker 2: 117, broker 3: 117)",
            "Partition [t1,0] on broker 1: Replica 3 of t1-0 received offset 117",
            "Partition [t1,0] on broker 1: 2 acks satisfied for t1-0 with acks = -1",
            "Partition [t1,0] on broker 1: Lagging replicas for partition t1-0 are 2",
            "[Partition t1-0 broker=1] 2 acks satisfied with acks = -1",
            "[Partition t1-0 broker=1] Lagging replicas are 3",
            "[Partition t1-0 broker=1] Sent `AlterIsr` request to change state to LeaderAndIsr(leader=1, leaderEpoch=2, "
            "isr=List(1, 2), zkVersion=4) after transition to PendingShrinkIsr(isr=Set(1, 2, 3), "
            "outOfSyncReplicaIds=Set(3))",
            "[Partition t1-0 broker=1] Log already exists.",
            "[Partition orders-0 broker=1] UnifiedLog already exists.",
            "[Partition t1-0 broker=1] Not increasing HWM because partition is under min ISR(ISR=Set(1)",
            "[Partition t1-0 broker=1] Enqueued ISR change to state LeaderAndIsr(leader=1, leaderEpoch=2, isr=List(3, 1, "
            "2), zkVersion=4) after transition to PendingExpandIsr(isr=Set(3, 1), newInSyncReplicaId=2)",
            "[Partition t1-0 broker=1] Submitting ISR state change PendingShrinkIsr(outOfSyncReplicaIds=Set(3))",
            "[Partition t1-0 broker=1] Ignoring failed ISR update to PendingShrinkIsr(isr=Set(3, 1, 2), "
            "outOfSyncReplicaIds=Set(3, 2)) since we have already updated state to CommittedIsr(isr=Set(1))",
            "[Partition t1-0 broker=1] Failed to update ISR to PendingExpandIsr(newInSyncReplicaId=3) due to unexpected "
            "UNKNOWN_SERVER_ERROR. Retrying.",
            "[Partition t1-0 broker=1] Controller failed to update ISR to PendingExpandIsr(newInSyncReplicaId=3) due to "
            "unexpected UNKNOWN_SERVER_ERROR. Retrying.",
            "[Partition t1-0 broker=1] Leader 1 failed to record follower 3's position 30, and last sent high watermark "
            "since the replica is not recognized to be one of the assigned replicas 1,2 for leader epoch 4",
        ),
        why="what the leader waits for or proposes; fetches, high watermarks and in-sync sets have their own lines",
    ),
    LineRule(
        "trace-replica",
        "0.8.2",
        "",
        r"Setting log end offset for replica \d+ for partition \S+ to \[.*\]|Reset state of replica to Replica\(.*\)"
        r"|Reading \d+ bytes from offset \d+ in log \S+ of length \d+ bytes|Flushing log '.*"
        r"|Appended \d+ (?:to|bytes to) \S+ at end offset \d+.*",
        (
            "Setting log end offset for replica 3 for partition t1-0 to [115 [0 : 5175]]",
            "Reset state of replica to Replica(replicaId=2, topic=t1, partition=0, lastCaughtUpTimeMs=1795231169241, "
            "logStartOffset=-1, logEndOffset=-1, logEndOffsetMetadata=(offset=-1 segment=[0:0]), "
            "lastFetchLeaderLogEndOffset=117, lastFetchTimeMs=1795231169241)",
            "Reading 1 bytes from offset 115 in log t1-0 of length 5220 bytes",
            "Flushing log 't1-0 up to offset 257, last flushed: 1795231251809 current time: 1795231357399 unflushed = "
            "257",
            "Appended 195 to /var/lib/kafka/data/t1-0/00000000000000000000.log at end offset 11",
        ),
        why="the leader's memory of a follower, without the leader's id; its partition prints it with the id",
    ),
    LineRule(
        "trace-manager",
        "0.8.2",
        "",
        r"\[Replica ?Manager (?:on Broker \d+\]:|broker=\d+\]) (?:Fetching log segment for partition .*"
        r"|Recording follower broker \d+ log read results: .*|Append \[.*|\d+ (?:bytes )?written to log .*"
        r"|Evaluating ISR list of partitions .*|Error processing append operation on partition .*"
        r"|Skipping update of fetch state for follower \d+ since .*"
        r"|Leader \d+ failed to record follower \d+'s position .*)",
        (
            "[Replica Manager on Broker 1]: Fetching log segment for partition t1-0, offset 115, partition fetch size "
            "1048576, remaining response limit 10485760, ignoring response/partition size limits",
            "[ReplicaManager broker=1] Fetching log segment for partition t1-0, offset 117, partition fetch size "
            "1048576, remaining response limit 10485760, ignoring response/partition size limits",
            "[Replica Manager on Broker 1]: Recording follower broker 2 log read results: ArrayBuffer((t1-0,Fetch Data: "
            "[FetchDataInfo(116 [0 : 5220],[],false)], HW: [115], leaderLogEndOffset: [116], readSize: [1048576], error: "
            "[NONE]))",
            "[Replica Manager on Broker 1]: Append [Map(t1-0 -> [(offset=0,record=Record(magic = 1))])] to local log",
            "[ReplicaManager broker=1] Append [HashMap(t1-0 -> MemoryRecords(size=79))] to local log",
            "[Replica Manager on Broker 1]: 45 bytes written to log t1-0 beginning at offset 116 and ending at offset "
            "116",
            "[ReplicaManager broker=1] 79 written to log t1-0 beginning at offset (offset=117 segment=[0:9243]) and "
            "ending at offset 117",
            "[Replica Manager on Broker 1]: Evaluating ISR list of partitions to see which replicas can be removed from "
            "the ISR",
            "[ReplicaManager broker=1] Evaluating ISR list of partitions to see which replicas can be removed from the "
            "ISR",
            "[ReplicaManager broker=1] Error processing append operation on partition ledger-0",
            "[ReplicaManager broker=1] Leader 1 failed to record follower 3's position 30, and last sent high watermark "
            "since the replica is not recognized to be one of the assigned replicas 1,2 for partition orders-0. Empty "
            "records will be returned for this partition.",
            "[ReplicaManager broker=2] Skipping update of fetch state for follower 1 since the log read returned "
            "diverging epoch Some(EpochEndOffset(epoch=0, endOffset=60))",
        ),
        why="requests on their way; the log and the partition print what came of them",
    ),
)
