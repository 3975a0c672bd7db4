"""Lines of the replica fetcher: where a follower starts to fetch, how far it was, and why it cuts its log."""

import re
from typing import Final

from core.trace.vocabulary import CutReason, StopReason
from importers.kafka.drafts import Said
from importers.kafka.rule import Build, LineRule, Message, Reading
from importers.kafka.text import FETCHER, TP, each, group, partition_of, partitions, whole

_MANAGER: Final = r"\[ReplicaFetcherManager on broker (?P<broker>\d+)\] "
_START_0_8: Final = re.compile(
    r"\[(?:\[(?P<topic_b>[\w.\-]{1,249}),(?P<number_b>\d+)\]|(?P<topic_d>[\w.\-]{1,249})-(?P<number_d>\d+)), "
    r"initOffset (?P<offset>\d+) to broker BrokerEndPoint\((?P<leader>\d+),[^()]*\)\]"
)
_START_2_7: Final = re.compile(
    r"(?<![\w.\-])(?P<topic_d>[\w.\-]{1,249})-(?P<number_d>\d+) -> InitialFetchState\((?:(?:Some\(|Optional\[)(?P<topic_id>[\w\-]*)[)\]],|None,|Optional\.empty,)?"
    r"BrokerEndPoint[(\[]id=(?P<leader>\d+), [^()\[\]]*[)\]],(?P<epoch>-?\d+),(?P<offset>\d+)\)"
)
_START_2_1: Final = re.compile(
    r"(?<![\w.\-])(?P<topic_d>[\w.\-]{1,249})-(?P<number_d>\d+) -> \(offset=(?P<offset>\d+), leaderEpoch=(?P<epoch>-?\d+)\)"
)
_FETCH_AT: Final = re.compile(
    r"(?<![\w.\-])(?P<topic_d>[\w.\-]{1,249})-(?P<number_d>\d+)=(?:PartitionData)?\((?:topicId=(?P<topic_id>[\w\-]+), )?(?:fetchO|o)ffset=(?P<offset>\d+), "
    r"logStartOffset=-?\d+, maxBytes=\d+(?:, currentLeaderEpoch=Optional(?:\[(?P<epoch>\d+)\]|\.empty))?"
)
"""`(offset=…)` to 2.0, `(fetchOffset=…, currentLeaderEpoch=…)` to 2.7, with a name before the bracket since."""
_UNREACHABLE: Final = re.compile(r"java\.io\.IOException|SocketTimeoutException|java\.net\.\w+Exception")


def fetcher(message: Message) -> tuple[int | None, int | None]:
    """The follower, if the prefix names it, and the leader."""
    return group(message.match, "replica"), group(message.match, "leader", "leader_o")


def _added(pattern: re.Pattern[str]) -> Build:
    def build(message: Message) -> Reading:
        broker = message.number("broker")
        said = tuple(
            Said(
                "fetcher_added",
                partition_of(one),
                broker=broker,
                leader=group(one, "leader") if "leader" in one.groupdict() else message.number("to"),
                epoch=group(one, "epoch"),
                offset=whole(one["offset"]),
                topic_id=one.groupdict().get("topic_id"),
            )
            for one in each(pattern, message["list"])
        )
        return Reading(said)

    return build


def _removed(message: Message) -> Reading:
    broker = message.number("broker")
    return Reading(tuple(Said("fetcher_removed", tp, broker=broker) for tp in partitions(message["list"])))


def stop_reason(message: Message) -> StopReason | None:
    """The exception is on the line after."""
    return StopReason.UNREACHABLE if _UNREACHABLE.match(message.tail) else None


def _fetch_failed(message: Message) -> Reading:
    follower, leader = fetcher(message)
    return Reading((Said("fetch_failed", broker=follower, leader=leader, aux=stop_reason(message)),))


def _fetch_failed_at(message: Message) -> Reading:
    """One statement per partition: the offset asked for is the follower's log end offset."""
    follower, leader = fetcher(message)
    reason = stop_reason(message)
    said = tuple(
        Said(
            "fetch_failed",
            partition_of(one),
            broker=follower,
            leader=leader,
            epoch=group(one, "epoch"),
            offset=whole(one["offset"]),
            aux=reason,
            topic_id=one["topic_id"],
        )
        for one in each(_FETCH_AT, message["data"])
    )
    return Reading(said or (Said("fetch_failed", broker=follower, leader=leader, aux=reason),))


def _not_leader(message: Message) -> Reading:
    follower, leader = fetcher(message)
    said = Said(
        "fetch_failed", partition_of(message.match), broker=follower, leader=leader, aux=StopReason.NOT_LEADER
    )
    return Reading((said,))


def _reset(message: Message) -> Reading:
    """To the leader's log end the fetcher cuts; to its log start it drops the whole log (AbstractFetcherThread).

    But to 3.5 the log start is printed where it is not above the own log end, too: nothing is dropped then.
    """
    follower, leader = fetcher(message)
    whole = message["which"] == "start"
    if whole and message.number("to") <= message.number("from"):
        return _kept(message)
    said = Said(
        "log_reset" if whole else "fetch_offset_reset",
        partition_of(message.match),
        broker=follower if follower is not None else group(message.match, "follower"),
        leader=None if whole else leader,
        from_offset=message.number("from"),
        offset=message.number("to"),
        aux=CutReason.RESET if whole else None,
    )
    return Reading((said,))


def _kept(message: Message) -> Reading:
    """The fetch was out of range, and the log is kept: it is fetched from its end again."""
    follower, leader = fetcher(message)
    end = message.number("from")
    broker = follower if follower is not None else group(message.match, "follower")
    tp = partition_of(message.match)
    return Reading(
        (Said("fetch_offset_reset", tp, broker=broker, leader=leader, from_offset=end, offset=end),)
    )


def _cut_to_hw(message: Message) -> Reading:
    follower, _ = fetcher(message)
    hw = message.number("hw")
    said = Said(
        "truncation_decided",
        partition_of(message.match),
        broker=follower,
        offset=hw,
        hw=hw,
        aux=CutReason.LOCAL_HIGH_WATERMARK,
    )
    return Reading((said,))


def _not_needed(message: Message) -> Reading:
    follower, _ = fetcher(message)
    said = Said(
        "truncation_not_needed",
        partition_of(message.match),
        broker=follower,
        offset=message.number("to"),
        leo=message.number("leo"),
        aux=CutReason.LEADER_EPOCH,
    )
    return Reading((said,))


def _exiting(_message: Message) -> Reading:
    return Reading((Said("broker_exited"),))


def _refused(reason: StopReason) -> Build:
    def build(message: Message) -> Reading:
        follower, leader = fetcher(message)
        said = Said(
            "fetch_failed",
            partition_of(message.match),
            broker=follower,
            leader=leader,
            epoch=group(message.match, "epoch", "epoch_4"),
            aux=reason,
        )
        return Reading((said,))

    return build


FETCH_RULES = (
    LineRule(
        "fetcher-added",
        "0.8.2",
        "2.0",
        rf"{_MANAGER}Added fetcher for partitions \w+\((?P<list>.*)",
        (
            "[ReplicaFetcherManager on broker 2] Added fetcher for partitions List([orders-1, initOffset 206 to broker "
            "BrokerEndPoint(1,127.0.0.1,19092)] , [orders-2, initOffset 0 to broker "
            "BrokerEndPoint(1,127.0.0.1,19092)] )",
            "[ReplicaFetcherManager on broker 2] Added fetcher for partitions List([[orders,1], initOffset 7 to broker "
            "BrokerEndPoint(1,127.0.0.1,19092)] )",
        ),
        _added(_START_0_8),
    ),
    LineRule(
        "fetcher-added-2.1",
        "2.1.0",
        "2.6",
        rf"{_MANAGER}Added fetcher to broker (?:BrokerEndPoint\(id=)?(?P<to>\d+)(?:, host=[^)]*\))? for partitions "
        r"\w+\((?=.* -> \(offset=)(?P<list>.*)",
        (
            "[ReplicaFetcherManager on broker 1] Added fetcher to broker BrokerEndPoint(id=2, host=127.0.0.1:19212) for "
            "partitions Map(orders-0 -> (offset=30, leaderEpoch=2))",
            "[ReplicaFetcherManager on broker 1] Added fetcher to broker 2 for partitions Map(orders-0 -> (offset=30, "
            "leaderEpoch=2), orders-1 -> (offset=7, leaderEpoch=0))",
        ),
        _added(_START_2_1),
    ),
    LineRule(
        "fetcher-added-2.7",
        "2.7.0",
        "",
        rf"{_MANAGER}Added fetcher to broker \d+ for partitions \w+\((?=.* -> InitialFetchState)(?P<list>.*)",
        (
            "[ReplicaFetcherManager on broker 3] Added fetcher to broker 1 for partitions HashMap(clicks-0 -> "
            "InitialFetchState(Some(1ZVW674zRZGDZmoGLDIuNA),BrokerEndPoint(id=1, host=127.0.0.1:29092),0,41))",
            "[ReplicaFetcherManager on broker 3] Added fetcher to broker 2 for partitions HashMap(orders-0 -> "
            "InitialFetchState(Some(8VSRivgKSmSC3x9iq5VHEw),BrokerEndPoint[id=2, host=127.0.0.1, port=29093],1,10))",
            "[ReplicaFetcherManager on broker 2] Added fetcher to broker 1 for partitions Map(orders-0 -> "
            "InitialFetchState(BrokerEndPoint(id=1, host=127.0.0.1:19092),2,259), orders-1 -> "
            "InitialFetchState(BrokerEndPoint(id=1, host=127.0.0.1:19092),0,0))",
            # Cut short by a collector: the partitions up to there are whole.
            "[ReplicaFetcherManager on broker 1] Added fetcher to broker 3 for partitions HashMap(carts-2 -> "
            "InitialFetchState(Some(sa13CsJbRGiPllj0nHH9wA),BrokerEndPoint[id=3, host=127.0.0.1, port=29094],4,16), "
            "carts-1 -> InitialFetchState(Some(sa13CsJbRGiPllj0nHH9wA),BrokerEndPoint[id=",
        ),
        _added(_START_2_7),
    ),
    LineRule(
        "fetcher-removed",
        "0.8.2",
        "",
        # A list that was cut short, maybe within its last name, goes without that: carts-1 may have been carts-12.
        rf"{_MANAGER}Removed fetcher for partitions "
        r"(?P<list>[^(]*|.*\)|.*(?=,[^,()]*\Z))(?:,[^,()]*)?",
        (
            "[ReplicaFetcherManager on broker 2] Removed fetcher for partitions audit-0,orders-1",
            "[ReplicaFetcherManager on broker 1] Removed fetcher for partitions HashSet(audit-0, clicks-2, clicks-1)",
        ),
        _removed,
    ),
    LineRule(
        "fetch-failed",
        "0.8.2",
        "0.10.2",
        rf"{FETCHER}Error in fetch (?!to broker).*",
        (
            "[ReplicaFetcherThread-0-1], Error in fetch kafka.server.ReplicaFetcherThread$FetchRequest@781bd8c8\n"
            "java.io.IOException: Connection to 127.0.0.1:19092 (id: 1 rack: null) failed",
        ),
        _fetch_failed,
    ),
    LineRule(
        "fetch-failed-1.1",
        "0.11",
        "",
        rf"{FETCHER}Error in (?:response for fetch request|fetch to broker \d+, request) \(type=FetchRequest, "
        r"(?>.*?fetchData=\{)(?P<data>[^}]*)\}.*",
        (
            "[ReplicaFetcherThread-0-1]: Error in fetch to broker 1, request (type=FetchRequest, replicaId=2, maxWait=500, "
            "minBytes=1, maxBytes=10485760, fetchData={orders-0=(offset=93, logStartOffset=0, maxBytes=1048576)})\n"
            "java.io.IOException: Connection to 127.0.0.1:19092 (id: 1 rack: null) failed.",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Error in response for fetch request "
            "(type=FetchRequest, replicaId=2, maxWait=500, minBytes=1, maxBytes=10485760, fetchData={orders-0="
            "(fetchOffset=254, logStartOffset=0, maxBytes=1048576, currentLeaderEpoch=Optional[0])}, "
            "isolationLevel=READ_UNCOMMITTED, toForget=, metadata=(sessionId=INVALID, epoch=INITIAL), rackId=)\n"
            "java.io.IOException: Connection to 127.0.0.1:19092 (id: 1 rack: null) failed.",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Error in fetch to broker 1, request "
            "(type=FetchRequest, replicaId=2, maxWait=500, minBytes=1, maxBytes=10485760, fetchData={orders-0="
            "(offset=93, logStartOffset=0, maxBytes=1048576)}, isolationLevel=READ_UNCOMMITTED)\n"
            "java.io.IOException: Connection to 127.0.0.1:19092 (id: 1 rack: null) failed.",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Error in response for fetch request "
            "(type=FetchRequest, replicaId=2, maxWait=500, minBytes=1, maxBytes=10485760, fetchData={orders-0="
            "PartitionData(fetchOffset=254, logStartOffset=0, maxBytes=1048576, currentLeaderEpoch=Optional[0], "
            "lastFetchedEpoch=Optional[0])}, isolationLevel=READ_UNCOMMITTED, toForget=, "
            "metadata=(sessionId=INVALID, epoch=INITIAL), rackId=)\n"
            "java.io.IOException: Connection to 127.0.0.1:19092 (id: 1 rack: null) failed.",
        ),
        _fetch_failed_at,
    ),
    LineRule(
        "not-leader",
        "0.8.2",
        "1.0",
        rf"{FETCHER}Error for partition {TP} to broker \d+:org\.apache\.kafka\.common\.errors\."
        r"NotLeaderForPartitionException: .*",
        (
            "[ReplicaFetcherThread-0-1], Error for partition [audit,0] to broker 1:org.apache.kafka.common.errors."
            "NotLeaderForPartitionException: This server is not the leader for that topic-partition.",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Error for partition audit-0 to broker 1:org.apache.kafka."
            "common.errors.NotLeaderForPartitionException: This server is not the leader for that topic-partition.",
        ),
        _not_leader,
    ),
    LineRule(
        "fetch-offset-reset",
        "0.8.2",
        "0.11",
        rf"{FETCHER}Replica (?P<follower>\d+) for partition {TP} reset its fetch offset from (?P<from>\d+) to "
        r"current leader \d+'s (?P<which>latest|start) offset (?P<to>\d+)",
        (
            "[ReplicaFetcherThread-0-2], Replica 1 for partition orders-0 reset its fetch offset from 54 to current "
            "leader 2's start offset 206",
            "[ReplicaFetcherThread-0-2], Replica 1 for partition orders-0 reset its fetch offset from 254 to current "
            "leader 2's latest offset 206",
        ),
        _reset,
    ),
    LineRule(
        "fetch-offset-reset-1.0",
        "1.0",
        "",
        rf"{FETCHER}(?:Truncate fully and r|R)eset fetch offset for partition {TP} from (?P<from>\d+) to (?:the )?current "
        r"leader's (?P<which>latest|start) offset (?P<to>\d+)(?: because .*)?",
        (
            "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Truncate fully and reset fetch offset for partition "
            "clicks-0 from 41 to the current leader's start offset 60 because the local replica's end offset is smaller "
            "than the current leader's start offsets.",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Reset fetch offset for partition orders-0 from 251 "
            "to current leader's latest offset 201",
        ),
        _reset,
    ),
    LineRule(
        "fetch-offset-kept",
        "3.6",
        "",
        rf"{FETCHER}Reset fetch offset for partition {TP} from (?P<from>\d+) to the current local replica's end offset "
        r"\d+",
        (
            "[ReplicaFetcher replicaId=2, leaderId=3, fetcherId=0] Reset fetch offset for partition orders-0 from 0 to "
            "the current local replica's end offset 0",
        ),
        _kept,
    ),
    LineRule(
        "cut-to-high-watermark",
        "2.1.1",
        "",
        rf"{FETCHER}Truncating partition {TP} (?:with TruncationState\(offset=-?\d+, completed=\w+\) due )?to local "
        r"high watermark (?P<hw>\d+)",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Truncating partition clicks-1 with "
            "TruncationState(offset=0, completed=true) due to local high watermark 0",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Truncating partition orders-0 to local high "
            "watermark 203",
        ),
        _cut_to_hw,
    ),
    LineRule(
        "out-of-range",
        "0.8.2",
        "1.0",
        rf"{FETCHER}Current offset \d+ for partition {TP} out of range; reset offset to \d+",
        (
            "[ReplicaFetcherThread-0-2], Current offset 254 for partition [orders,0] out of range; reset offset to 206",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Current offset 254 for partition orders-0 out of range; "
            "reset offset to 206",
        ),
        why="the same cut a third time: the warning before it names both offsets and the leader",
    ),
    LineRule(
        "fetch-session-failed",
        "1.1.0",
        "",
        rf"{FETCHER}Error sending fetch request \(sessionId=\w+, epoch=\w+\) to node \d+:.*",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Error sending fetch request "
            "(sessionId=1425510428, epoch=5) to node 2:",
        ),
        why="the fetcher's own warning follows, with the offsets",
    ),
    LineRule(
        "fetcher-connection",
        "1.0",
        "",
        rf"{FETCHER}Connection to node \d+ \([^)]*\) could not be established\. Broker may not be available\.",
        (
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Connection to node 1 (/127.0.0.1:19092) could not "
            "be established. Broker may not be available.",
        ),
        why="the fetcher's own warning follows, with the offsets",
    ),
    LineRule(
        "fetcher-thread",
        "0.8.2",
        "",
        rf"{FETCHER}(?:Starting|Shutting down|Stopped|Shutdown completed) *",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Starting",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Shutting down",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Stopped",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Shutdown completed",
            "[ReplicaFetcherThread-0-2], Starting ",
            "[ReplicaFetcherThread-0-2], Shutting down",
            "[ReplicaFetcherThread-0-2], Stopped ",
            "[ReplicaFetcherThread-0-2], Shutdown completed",
            "[ReplicaFetcherThread-0-2]: Stopped",
        ),
        why="a thread's life; the manager says for which partitions a fetcher was added or removed",
    ),
    LineRule(
        "epoch-unknown",
        "0.11",
        "",
        # The leader knows nothing of the epoch: the rule of 0.10 holds. The initial fetch offset is the high watermark.
        rf"{FETCHER}Based on (?:follower|replica)'s leader epoch, leader replied with an unknown offset in {TP}\. "
        r"(?:High watermark|The initial fetch offset) (?P<hw>\d+) will be used for truncation\.",
        (
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Based on follower's leader epoch, leader replied with "
            "an unknown offset in trades-0. The initial fetch offset 7 will be used for truncation.",
            "[ReplicaFetcherThread-0-1]: Based on follower's leader epoch, leader replied with an unknown offset in "
            "orders-0. High watermark 0 will be used for truncation.",
        ),
        _cut_to_hw,
    ),
    LineRule(
        "cut-not-needed",
        "0.11",
        "1.1",
        rf"{FETCHER}Based on follower's leader epoch, leader replied with an offset (?P<to>\d+) >= the follower's log "
        rf"end offset (?P<leo>\d+) in {TP}\. No truncation needed\.",
        (
            "[ReplicaFetcherThread-0-1]: Based on follower's leader epoch, leader replied with an offset 269 >= the "
            "follower's log end offset 269 in orders-0. No truncation needed.",
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Based on follower's leader epoch, leader replied "
            "with an offset 1 >= the follower's log end offset 1 in orders-0. No truncation needed.",
        ),
        _not_needed,
    ),
    LineRule(
        "fetch-fenced",
        "2.1",
        "",
        rf"{FETCHER}Partition {TP} has an older epoch \((?P<epoch>\d+)\) than the current leader\. Will await the new "
        r"LeaderAndIsr state before resuming fetching\.",
        (
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Partition orders-0 has an older epoch (1) than the "
            "current leader. Will await the new LeaderAndIsr state before resuming fetching.",
        ),
        _refused(StopReason.FENCED_LEADER_EPOCH),
    ),
    LineRule(
        "fetch-ahead",
        "2.1",
        "",
        rf"{FETCHER}(?:Partition {TP} has an? new(?:er)? epoch \((?P<epoch>\d+)\) than the current leader\. [rR]etry the "
        r"partition later\.?|Remote broker has a smaller leader epoch for partition "
        r"(?P<topic_o>[\w.\-]{1,249})-(?P<number_o>\d+) than this replica's current leader epoch of (?P<epoch_4>\d+)\.)",
        (
            "[ReplicaFetcher replicaId=3, leaderId=2, fetcherId=0] Remote broker has a smaller leader epoch for partition "
            "orders-0 than this replica's current leader epoch of 1.",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Partition orders-0 has an new epoch (6) than the "
            "current leader. retry the partition later",
        ),
        _refused(StopReason.UNKNOWN_LEADER_EPOCH),
    ),
    LineRule(
        "partition-failed",
        "2.3",
        "",
        rf"{FETCHER}Partition {TP} marked as failed",
        ("[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Partition orders-0 marked as failed",),
        why="the line before it says why",
    ),
    LineRule(
        "out-of-range-1.1",
        "1.1",
        "",
        rf"{FETCHER}Current offset \d+ for partition {TP} is out of range, which typically implies a leader change\. "
        r"Reset fetch offset to \d+",
        (
            "[ReplicaFetcher replicaId=1, leaderId=2, fetcherId=0] Current offset 251 for partition orders-0 is out of "
            "range, which typically implies a leader change. Reset fetch offset to 201",
        ),
        why="the same cut a third time: the warning before it names both offsets and the leader",
    ),
    LineRule(
        "exiting",
        "0.8.2",
        "2.0.0",
        rf"{FETCHER}(?:Exiting|Halting) because log truncation is not allowed for (?:partition {TP}|topic \S+), .*",
        (
            "[ReplicaFetcherThread-0-1], Halting because log truncation is not allowed for topic orders, Current leader "
            "1's latest offset 2051 is less than replica 2's latest offset 2391",
            "[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] Exiting because log truncation is not allowed for "
            "partition orders-0, current leader's latest offset 2051 is less than replica's latest offset 2391",
            "[ReplicaFetcherThread-0-32], Exiting because log truncation is not allowed for partition beacons-1, "
            "Current leader 32's latest offset 139 is less than replica 31's latest offset 169",
        ),
        _exiting,
    ),
)
