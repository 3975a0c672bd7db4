"""What a follower asks its leader: fetches as they are sent, and where an epoch ends. Most at TRACE and DEBUG."""

import re
from collections.abc import Iterator
from typing import Final

from core.trace.vocabulary import StopReason
from importers.kafka.drafts import Said
from importers.kafka.fetching import fetcher, stop_reason
from importers.kafka.rule import LineRule, Message, Reading
from importers.kafka.text import FETCHER, TP, each, group, partition_of, partitions, whole

_FETCH: Final = re.compile(
    r"(?<![\w.\-])(?P<topic_d>[\w.\-]{1,249})-(?P<number_d>\d+)=(?:PartitionData)?\((?:topicId=[\w\-]+, )?(?:fetchO|o)ffset=(?P<offset>\d+), "
    r"logStartOffset=-?\d+, maxBytes=\d+(?:, currentLeaderEpoch=Optional(?:\[(?P<epoch>\d+)\]|\.empty))?"
    r"(?:, lastFetchedEpoch=Optional(?:\[(?P<last>\d+)\]|\.empty))?"
)
_ASKED: Final = re.compile(
    r"(?<![\w.\-])(?P<topic_d>[\w.\-]{1,249})-(?P<number_d>\d+)(?:=\(currentLeaderEpoch=Optional(?:\[(?P<epoch>\d+)\]|\.empty), "
    r"leaderEpoch=(?P<asked>\d+)\)| -> (?P<asked_o>\d+))"
)
"""`t-0=(currentLeaderEpoch=…, leaderEpoch=0)` from 2.1, `t-0 -> 0` to 2.0."""
_ANSWERED: Final = re.compile(
    r"(?<![\w.\-])(?P<topic_d>[\w.\-]{1,249})-(?P<number_d>\d+)(?:=| -> )EpochEndOffset\{error=NONE, (?:leaderEpoch=(?P<epoch>-?\d+), )?"
    r"endOffset=(?P<offset>\d+)\}"
)
"""The epoch in the answer came with 2.0 (KIP-279)."""
_TOPIC_OF: Final = re.compile(r"(?:topic|name)='(?P<topic>[\w.\-]+)', partitions=\[(?P<rows>[^\[\]]*)\]")
_ASKED_ROW: Final = re.compile(
    r"\(partition(?:Index)?=(?P<number>\d+), currentLeaderEpoch=(?P<epoch>-?\d+), leaderEpoch=(?P<asked>\d+)\)"
)
_ANSWERED_ROW: Final = re.compile(
    r"\(errorCode=0, partition(?:Index)?=(?P<number>\d+), leaderEpoch=(?P<epoch>-?\d+), endOffset=(?P<offset>\d+)\)"
)
_REFUSED: Final = {
    "NOT_LEADER_FOR_PARTITION": StopReason.NOT_LEADER,
    "NOT_LEADER_OR_FOLLOWER": StopReason.NOT_LEADER,
    "FENCED_LEADER_EPOCH": StopReason.FENCED_LEADER_EPOCH,
    "UNKNOWN_LEADER_EPOCH": StopReason.UNKNOWN_LEADER_EPOCH,
}


def _fetch_sent(message: Message) -> Reading:
    follower, leader = fetcher(message)
    said = tuple(
        Said(
            "fetch_sent",
            partition_of(one),
            broker=follower,
            leader=leader,
            epoch=group(one, "epoch"),
            offset=whole(one["offset"]),
            aux=group(one, "last"),
        )
        for one in each(_FETCH, message["data"])
    )
    return Reading(said)


def _epoch_asked(message: Message) -> Reading:
    follower, leader = group(message.match, "replica"), group(message.match, "leader", "leader_o")
    said = tuple(
        Said(
            "epoch_end_asked",
            partition_of(one),
            broker=follower,
            leader=leader,
            epoch=group(one, "epoch"),
            aux=group(one, "asked", "asked_o"),
        )
        for one in each(_ASKED, message["data"])
    )
    return Reading(said)


def _epoch_answered(message: Message) -> Reading:
    follower, leader = group(message.match, "replica"), group(message.match, "leader", "leader_o")
    said = tuple(
        Said(
            "epoch_end_answered",
            partition_of(one),
            broker=follower,
            leader=leader,
            offset=whole(one["offset"]),
            aux=group(one, "epoch"),
        )
        for one in each(_ANSWERED, message["data"])
    )
    return Reading(said)


def _rows(pattern: re.Pattern[str], text: str) -> Iterator[tuple[tuple[str, int], re.Match[str]]]:
    """The rows of generated messages (2.7), each with its partition."""
    for topic in each(_TOPIC_OF, text):
        for row in each(pattern, topic["rows"]):
            yield (topic["topic"], whole(row["number"])), row


def _epoch_asked_generated(message: Message) -> Reading:
    follower, leader = group(message.match, "replica"), group(message.match, "leader")
    said = tuple(
        Said(
            "epoch_end_asked",
            tp,
            broker=follower,
            leader=leader,
            epoch=epoch if (epoch := whole(row["epoch"])) >= 0 else None,
            aux=whole(row["asked"]),
        )
        for tp, row in _rows(_ASKED_ROW, message["data"])
    )
    return Reading(said)


def _epoch_answered_generated(message: Message) -> Reading:
    follower, leader = group(message.match, "replica"), group(message.match, "leader")
    said = tuple(
        Said(
            "epoch_end_answered",
            tp,
            broker=follower,
            leader=leader,
            offset=whole(row["offset"]),
            aux=whole(row["epoch"]),
        )
        for tp, row in _rows(_ANSWERED_ROW, message["data"])
    )
    return Reading(said)


def _epoch_unreachable(message: Message) -> Reading:
    follower, leader = fetcher(message)
    reason = stop_reason(message)
    return Reading(
        tuple(
            Said("epoch_end_failed", tp, broker=follower, leader=leader, aux=reason)
            for tp in partitions(message["list"])
        )
    )


def _epoch_refused(message: Message) -> Reading:
    """Other errors than these repeat the warning before the line: nobody was reached."""
    follower, leader = fetcher(message)
    reason = _REFUSED.get(message["error"])
    if reason is None:
        return Reading(())
    said = Said("epoch_end_failed", partition_of(message.match), broker=follower, leader=leader, aux=reason)
    return Reading((said,))


ASKING_RULES = (
    LineRule(
        "fetch-sent",
        "0.11",
        "",
        rf"{FETCHER}(?:Sending fetch request|Issuing fetch to broker \d+, request:) \(type=FetchRequest, (?>.*?fetchData=\{{)(?P<data>[^}}]*)\}}.*",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Sending fetch request (type=FetchRequest, "
            "replicaId=1, maxWait=500, minBytes=1, maxBytes=10485760, fetchData={orders-0=PartitionData(topicId="
            "8VSRivgKSmSC3x9iq5VHEw, fetchOffset=13, logStartOffset=0, maxBytes=1048576, "
            "currentLeaderEpoch=Optional[1], lastFetchedEpoch=Optional[0])}, isolationLevel=read_uncommitted, removed=, "
            "replaced=, metadata=(sessionId=INVALID, epoch=INITIAL), rackId=)",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Sending fetch request (type=FetchRequest, "
            "replicaId=1, maxWait=500, minBytes=1, maxBytes=10485760, fetchData={t1-0=PartitionData(fetchOffset=63, "
            "logStartOffset=0, maxBytes=1048576, currentLeaderEpoch=Optional[1], lastFetchedEpoch=Optional.empty)}, "
            "isolationLevel=READ_UNCOMMITTED, toForget=, metadata=(sessionId=1286213107, epoch=1), rackId=)",
            "[ReplicaFetcherThread-0-2]: Issuing fetch to broker 2, request: (type=FetchRequest, replicaId=1, maxWait=500, "
            "minBytes=1, maxBytes=10485760, fetchData={t1-0=(offset=63, logStartOffset=0, maxBytes=1048576)})",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Issuing fetch to broker 2, request: (type=FetchRequest, "
            "replicaId=1, maxWait=500, minBytes=1, maxBytes=10485760, fetchData={t1-0=(offset=63, logStartOffset=0, "
            "maxBytes=1048576)}, isolationLevel=READ_UNCOMMITTED)",
        ),
        _fetch_sent,
    ),
    LineRule(
        "epoch-asked",
        "0.11",
        "2.7",
        rf"{FETCHER}(?:Sending offset for|Build) leader ?[eE]poch request (?P<data>(?!OffsetForLeaderEpochRequestData).*)",
        (
            "[ReplicaFetcherThread-0-2]: Build leaderEpoch request ResultWithPartitions(Map(t1-0 -> 0),Set()) for broker "
            "BrokerEndPoint(2,127.0.0.1,19092)",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Sending offset for leader epoch request "
            "OffsetsForLeaderEpochRequest(epochsByPartition={t1-0=(currentLeaderEpoch=Optional[2], leaderEpoch=0)})",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Build leaderEpoch request ResultWithPartitions("
            "Map(t1-0 -> 0),Set())",
        ),
        _epoch_asked,
    ),
    LineRule(
        "epoch-answered",
        "0.11",
        "2.6",
        rf"{FETCHER}Receive(?:d)? leaderEpoch response (?P<data>(?!OffsetForLeaderEpochResponseData|.*responseBody="
        r"OffsetForLeaderEpochResponseData).*)",
        (
            "[ReplicaFetcherThread-0-2]: Receive leaderEpoch response Map(t1-0 -> EpochEndOffset{error=NONE, "
            "endOffset=30}) from broker BrokerEndPoint(2,127.0.0.1,19092)",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Received leaderEpoch response "
            "ClientResponse(receivedTimeMs=1795196821957, latencyMs=26, disconnected=false, "
            "responseBody=(type=OffsetsForLeaderEpochResponse, , throttleTimeMs=0, "
            "epochEndOffsetsByPartition={t1-0=EpochEndOffset{error=NONE, leaderEpoch=0, endOffset=30}}))",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Receive leaderEpoch response Map(t1-0 -> "
            "EpochEndOffset{error=NONE, leaderEpoch=0, endOffset=30})",
        ),
        _epoch_answered,
    ),
    LineRule(
        "epoch-asked-2.7",
        "2.8",
        "",
        rf"{FETCHER}Sending offset for leader epoch request (?P<data>OffsetForLeaderEpochRequestData\(.*)",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Sending offset for leader epoch request "
            "OffsetForLeaderEpochRequestData(replicaId=1, topics=[OffsetForLeaderTopic(topic='t1', "
            "partitions=[OffsetForLeaderPartition(partition=0, currentLeaderEpoch=2, leaderEpoch=0)])])",
        ),
        _epoch_asked_generated,
    ),
    LineRule(
        "epoch-answered-2.7",
        "2.7",
        "",
        rf"{FETCHER}Received leaderEpoch response .*responseBody=(?P<data>OffsetForLeaderEpochResponseData\(.*)",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Received leaderEpoch response "
            "ClientResponse(receivedTimeMs=1795196821957, latencyMs=26, disconnected=false, "
            "responseBody=OffsetForLeaderEpochResponseData(throttleTimeMs=0, topics=[OffsetForLeaderTopicResult("
            "topic='t1', partitions=[EpochEndOffset(errorCode=0, partition=0, leaderEpoch=0, endOffset=30)])]))",
        ),
        _epoch_answered_generated,
    ),
    LineRule(
        "epoch-unreachable",
        "0.11",
        "",
        rf"{FETCHER}Error when sending leader epoch request for \w+\((?P<list>.*)\)",
        (
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Error when sending leader epoch request for "
            "Map(cart-0 -> (currentLeaderEpoch=Optional[0], leaderEpoch=0))\n"
            "java.io.IOException: Connection to 127.0.0.1:19092 (id: 1 rack: null) failed.",
            "[ReplicaFetcherThread-0-1]: Error when sending leader epoch request for Map(orders-0 -> 0, clicks-1 -> 0)\n"
            "java.io.IOException: Connection to 127.0.0.1:19092 (id: 1 rack: null) failed.",
        ),
        _epoch_unreachable,
    ),
    LineRule(
        "epoch-refused",
        "0.11",
        "",
        rf"{FETCHER}Retrying leaderEpoch request for partition {TP} as the leader reported an error: (?P<error>\w+)",
        (
            "[ReplicaFetcherThread-0-1]: Retrying leaderEpoch request for partition orders-0 as the leader reported an "
            "error: UNKNOWN",
            "[ReplicaFetcherThread-0-1]: Retrying leaderEpoch request for partition orders-0 as the leader reported an "
            "error: NOT_LEADER_FOR_PARTITION",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Retrying leaderEpoch request for partition orders-0 "
            "as the leader reported an error: UNKNOWN_SERVER_ERROR",
        ),
        _epoch_refused,
    ),
)
