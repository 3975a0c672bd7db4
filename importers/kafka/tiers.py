"""Lines about tiered storage (KIP-405): what a leader copies, what a follower takes from the remote tier."""

from collections.abc import Callable
from typing import Final

from core.trace.vocabulary import StopReason, TierDeletion
from importers.kafka.drafts import Said
from importers.kafka.fetching import fetcher
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import EPOCH_ENTRY, FETCHER, TP, partition_of

_TASK: Final = r"\[RemoteLogManager=\d+ partition=[\w\-]{22}:(?P<topic>[\w.\-]{1,249})-(?P<number>\d+)\] "
_SEGMENT: Final = r"remote log segment RemoteLogSegmentId\{[^}]*\} due to "
_COPIES: Final = r"(?:Copying|Copied) \d+\.log to remote storage"
_BELOW: Final = rf"About to delete {_SEGMENT}log-start-offset "
_NO_EPOCH: Final = rf"Deleted {_SEGMENT}leader-epoch-cache truncation"
_LAST: Final = r", segment-end-offset: (?P<last>\d+) and segment-epochs: .*"


def _restored(message: Message) -> Reading:
    """A follower begins where the leader's local log begins; what is before lies in the remote tier (KIP-405)."""
    tp = message["topic"], message.number("number")
    end = message.number("leo")
    start = Said("log_start_moved", tp, log_start=message.number("start"))
    return Reading((start, Said("leo_sample", tp, leo=end), Said("local_start_moved", tp, offset=end)))


def _built(message: Message) -> Reading:
    """The offset is the leader's local log start: the follower's own is that, or above."""
    tp = message["topic"], message.number("number")
    return Reading((Said("local_start_moved", tp, offset=message.number("start")),))


def _state_missing(message: Message) -> Reading:
    """The remote tier does not hold what lies before the leader's disk: it is tried again (KIP-405)."""
    follower, leader = fetcher(message)
    tp, reason = partition_of(message.match), StopReason.REMOTE_STATE_MISSING
    return Reading((Said("fetch_failed", tp, broker=follower, leader=leader, aux=reason),))


def _deleted(reason: TierDeletion) -> Callable[[Message], Reading]:
    """A leader deletes a segment from the remote tier, of which the line names the last offset (KIP-405)."""

    def read(message: Message) -> Reading:
        tp = message["topic"], message.number("number")
        return Reading((Said("tier_deleted", tp, offset=message.number("last") + 1, aux=reason),))

    return read


TIER_RULES = (
    LineRule(
        "tier-restored",
        "3.6",
        "",
        r"Built the leader epoch cache and producer snapshots from remote tier for Topic: (?P<topic>[\w.\-]+); Partition: "
        r"(?P<number>\d+); .*, with active producers size: \d+, leaderLogStartOffset: (?P<start>\d+), and logEndOffset: "
        r"(?P<leo>\d+)",
        (
            "Built the leader epoch cache and producer snapshots from remote tier for Topic: orders; Partition: 0; Leader: "
            "Some(1); Replicas: 1,2; ISR: 1; LeaderRecoveryState: RECOVERED, with active producers size: 0, "
            "leaderLogStartOffset: 3, and logEndOffset: 500",
        ),
        _restored,
    ),
    LineRule(
        "tier-built",
        "3.6",
        "",
        r"Updated the epoch cache from remote tier till offset: (?P<start>\d+) with size: \d+ for Topic: "
        r"(?P<topic>[\w.\-]+); Partition: (?P<number>\d+); .*",
        (
            "Updated the epoch cache from remote tier till offset: 500 with size: 2 for Topic: orders; Partition: 0; "
            "Leader: Some(1); Replicas: 1,2; ISR: ; LeaderRecoveryState: RECOVERED",
        ),
        _built,
    ),
    LineRule(
        "tier-copies",
        "3.6",
        "",
        r"\[RemoteLogManager=\d+ partition=[^\]]*\] " + _COPIES + ".*",
        (
            "[RemoteLogManager=1 partition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0] Copying 00000000000000000000.log to remote "
            "storage.",
            "[RemoteLogManager=1 partition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0] Copied 00000000000000000000.log to remote "
            "storage with segment-id: RemoteLogSegmentId{topicIdPartition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0, "
            "id=hlnqyyJVR1yqVMTiarRFBA}",
        ),
        why="where the segment begins, not where it ends; the local log start follows it",
    ),
    LineRule(
        "tier-deleted-below",
        "3.6",
        "",
        rf"{_TASK}{_BELOW}\d+ breach\. Current earliest-epoch-entry: \d+=\d+{_LAST}",
        (
            "[RemoteLogManager=1 partition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0] About to delete remote log segment "
            "RemoteLogSegmentId{topicIdPartition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0, id=hlnqyyJVR1yqVMTiarRFBA} due to "
            "log-start-offset 7 breach. Current earliest-epoch-entry: 2=7, segment-end-offset: 6 and segment-epochs: "
            "{1=2, 2=6}",
        ),
        _deleted(TierDeletion.LOG_START),
    ),
    LineRule(
        "tier-deleted-no-epoch",
        "3.6",
        "",
        rf"{_TASK}{_NO_EPOCH}\. Current earliest-epoch-entry: {EPOCH_ENTRY}{_LAST}",
        (
            "[RemoteLogManager=1 partition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0] Deleted remote log segment "
            "RemoteLogSegmentId{topicIdPartition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0, id=hlnqyyJVR1yqVMTiarRFBA} due to "
            "leader-epoch-cache truncation. Current earliest-epoch-entry: EpochEntry(epoch=3, startOffset=0), "
            "segment-end-offset: 3 and segment-epochs: [0, 1]",
            "[RemoteLogManager=1 partition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0] Deleted remote log segment "
            "RemoteLogSegmentId{topicIdPartition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0, id=hlnqyyJVR1yqVMTiarRFBA} due to "
            "leader-epoch-cache truncation. Current earliest-epoch-entry: EpochEntry[epoch=3, startOffset=0], "
            "segment-end-offset: 3 and segment-epochs: [0, 1]",
        ),
        _deleted(TierDeletion.NO_EPOCH),
    ),
    LineRule(
        "tier-steps",
        "3.5",
        "",
        rf"\[RemoteLogManager=\d+ partition=[^\]]*\] (?!{_COPIES}|{_BELOW}|{_NO_EPOCH}).*",
        (
            "[RemoteLogManager=1 partition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0] Found the logStartOffset: 3 for partition: "
            "pmtMAnWcQ6-BgvYr-m5KvA:orders-0 after becoming leader, leaderEpoch: 2",
            "[RemoteLogManager=1 partition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0] Skipping copying segments, current read-offset:7, "
            "and LSO:9",
            "[RemoteLogManager=1 partition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0] About to delete remote log segment "
            "RemoteLogSegmentId{topicIdPartition=pmtMAnWcQ6-BgvYr-m5KvA:orders-0, id=hlnqyyJVR1yqVMTiarRFBA} due to "
            "retention time 604800000ms breach based on the largest record timestamp in the segment",
        ),
        why="tasks of the tier; the log prints where it begins when that moves",
        components=("RemoteLogManager",),
    ),
    LineRule(
        "tier-state-missing",
        "3.5",
        "",
        rf"{FETCHER}Error building remote log auxiliary state for {TP}(?:\n.*)?",
        (
            "[ReplicaFetcher replicaId=7, leaderId=6, fetcherId=2] Error building remote log auxiliary state for orders-0\n"
            "org.apache.kafka.server.log.remote.storage.RemoteStorageException: Couldn't build the state from remote store "
            "for partition: orders-0, currentLeaderEpoch: 8, leaderLocalLogStartOffset: 209, leaderLogStartOffset: 0, "
            "epoch: 0 as the previous remote log segment metadata was not found",
        ),
        _state_missing,
    ),
)
