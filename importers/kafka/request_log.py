"""The request log (kafka.request.logger): what a leader was asked by its followers, and what it answered.

From 2.8 a line at DEBUG holds one JSON object (KIP-673), to 2.7 at TRACE the structs of request and response.
A line is printed when the answer has left: what it says was so a moment ago, so values are lower bounds. Topics
that are named only by their ids (fetches from 3.1, with metadata of that version) say nothing here.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from importers.kafka.drafts import Said
from importers.kafka.rule import LineRule, Message, Reading

_MOST: Final = 1 << 20
_ASKED: Final = re.compile(
    r"\{partition=(?P<number>\d+),(?:current_leader_epoch=(?P<epoch>-?\d+),)?fetch_offset=(?P<offset>\d+)[,}]"
)
_ANSWERED: Final = re.compile(
    r"partition_header=\{partition=(?P<number>\d+),error_code=0,high_watermark=(?P<hw>\d+)[,}]"
)
_Tp = tuple[str, int]


def _fetch(message: Message) -> Reading:
    """A follower's log reaches to where it fetches; what it is told is a high watermark of the leader."""
    value = _object(message["json"])
    request, response = _part(value, "request"), _part(value, "response")
    follower = _number(_part(request, "replicaState") or request, "replicaId")
    if follower is None or follower < 0:
        return Reading()
    answers = list(_rows(response, "responses", "topic", "partitionIndex"))
    # A fetch waits up to half a second: where the answer is an error, the follower may have cut since it asked.
    refused = {tp for tp, row in answers if _number(row, "errorCode") not in (0, None)}
    said: list[Said] = []
    for tp, row in _rows(request, "topics", "topic", "partition"):
        if tp in refused:
            continue
        offset, epoch = _number(row, "fetchOffset"), _number(row, "currentLeaderEpoch")
        said.append(Said("fetch_received", tp, replica=follower, epoch=_known(epoch), offset=offset))
    for tp, row in answers:
        hw, diverging = _number(row, "highWatermark"), _part(row, "divergingEpoch")
        if tp in refused:
            continue
        end = _number(diverging, "endOffset")
        if end is not None and end >= 0:
            epoch = _known(_number(diverging, "epoch"))
            said.append(Said("fetch_diverged", tp, replica=follower, offset=end, aux=epoch))
        elif hw is not None and hw >= 0:
            said.append(Said("hw_sample", tp, hw=hw, at_least=("hw",)))
    return Reading(tuple(said))


def _fetch_struct(message: Message) -> Reading:
    follower = message.number("follower")
    said = [
        Said(
            "fetch_received",
            (topic, int(row["number"])),
            replica=follower,
            epoch=_known(int(row["epoch"])) if row["epoch"] else None,
            offset=int(row["offset"]),
        )
        for topic, row in _structs(message["asked"], _ASKED)
    ]
    said += [
        Said("hw_sample", (topic, int(row["number"])), hw=int(row["hw"]), at_least=("hw",))
        for topic, row in _structs(message["answered"], _ANSWERED)
    ]
    return Reading(tuple(said))


def _structs(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, re.Match[str]]]:
    """The rows of each topic of a struct: a topic's rows end where the next topic begins."""
    topics = list(re.finditer(r"\{topic=(?P<topic>[\w.\-]+),", text))
    for place, topic in enumerate(topics):
        end = topics[place + 1].start() if place + 1 < len(topics) else len(text)
        for row in pattern.finditer(text, topic.end(), end):
            yield topic["topic"], row


def _epoch_end(message: Message) -> Reading:
    """OffsetsForLeaderEpoch, as the leader saw it."""
    value = _object(message["json"])
    request, response = _part(value, "request"), _part(value, "response")
    follower = _number(request, "replicaId")
    if follower is None or follower < 0:
        return Reading()
    said = [
        Said(
            "epoch_end_answered",
            tp,
            replica=follower,
            offset=_number(row, "endOffset"),
            aux=_known(_number(row, "leaderEpoch")),
        )
        for tp, row in _rows(response, "topics", "topic", "partition")
        if _number(row, "errorCode") == 0 and (_number(row, "endOffset") or -1) >= 0
    ]
    return Reading(tuple(said))


def _leader_and_isr(message: Message) -> Reading:
    """The full state of each partition, as it reached this broker."""
    request = _part(_object(message["json"]), "request")
    said = [
        Said(
            "leader_and_isr_received",
            tp,
            leader=_number(row, "leader"),
            epoch=_number(row, "leaderEpoch"),
            isr=_list(row, "isr"),
            assigned=_list(row, "replicas"),
            partition_epoch=_number(row, "zkVersion")
            if "zkVersion" in row
            else _number(row, "partitionEpoch"),
        )
        for tp, row in _rows(request, "topicStates", "topicName", "partitionIndex", inner="partitionStates")
    ]
    return Reading(tuple(said))


def _object(text: str) -> Mapping[str, Any]:
    """The object of a line. Raises ValueError for what is none, or has a number of thousands of digits."""
    if len(text) > _MOST:
        raise ValueError("too long to be an object")
    try:
        value: Any = json.loads(text)
    except RecursionError as error:
        raise ValueError("objects lie too deep in each other") from error
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _part(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = value.get(name)
    return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}


def _number(value: Mapping[str, Any], name: str) -> int | None:
    """A number under a name. Raises ValueError for one that does not fit into 64 bits."""
    found = value.get(name)
    if type(found) is not int:
        return None
    if not -(1 << 63) <= found < 1 << 63:
        raise ValueError("no request has such a number")
    return found


def _known(epoch: int | None) -> int | None:
    return None if epoch is None or epoch < 0 else epoch


def _list(value: Mapping[str, Any], name: str) -> tuple[int, ...] | None:
    found = value.get(name)
    if not isinstance(found, list):
        return None
    return tuple(one for one in cast("list[Any]", found) if type(one) is int)


def _rows(
    value: Mapping[str, Any], topics: str, name: str, number: str, *, inner: str = "partitions"
) -> Iterator[tuple[_Tp, Mapping[str, Any]]]:
    """The partitions of a message that name their topic."""
    for topic in _objects(value.get(topics)):
        called = topic.get(name)
        for row in _objects(topic.get(inner)):
            partition = _number(row, number)
            if isinstance(called, str) and called and partition is not None:
                yield (called, partition), row


def _objects(found: object) -> Iterator[Mapping[str, Any]]:
    for one in cast("list[Any]", found) if isinstance(found, list) else ():
        if isinstance(one, dict):
            yield cast("Mapping[str, Any]", one)


def _json(api: str) -> str:
    return rf'Completed request:(?=\{{.*"requestApiKeyName": ?"{api}")(?P<json>\{{.*\}})'


REQUEST_LOG_RULES = (
    LineRule(
        "request-fetch",
        "2.8",
        "",
        _json("FETCH"),
        (
            'Completed request:{"isForwarded":false,"requestHeader":{"requestApiKey":1,"requestApiVersion":12,'
            '"correlationId":7,"clientId":"broker-2-fetcher-0","requestApiKeyName":"FETCH"},"request":{"replicaId":2,'
            '"maxWaitMs":500,"topics":[{"topic":"orders","partitions":[{"partition":0,"currentLeaderEpoch":3,'
            '"fetchOffset":30,"lastFetchedEpoch":3,"logStartOffset":0}]}]},"response":{"errorCode":0,"responses":'
            '[{"topic":"orders","partitions":[{"partitionIndex":0,"errorCode":0,"highWatermark":28}]}]},'
            '"totalTimeMs":1.2}',
            'Completed request:{"requestHeader":{"requestApiKeyName":"FETCH"},"request":{"replicaState":{"replicaId":3},'
            '"topics":[{"topic":"orders","partitions":[{"partition":0,"currentLeaderEpoch":3,"fetchOffset":36}]}]},'
            '"response":{"responses":[{"topic":"orders","partitions":[{"partitionIndex":0,"errorCode":0,'
            '"highWatermark":20,"divergingEpoch":{"epoch":1,"endOffset":24}}]}]}}',
            'Completed request:{"requestHeader":{"requestApiKeyName":"FETCH"},"request":{"replicaId":-1,"topics":[]}}',
            'Completed request:{"requestHeader":{"requestApiKeyName":"FETCH"},"request":{"replicaId":2,"topics":[{'
            '"topic":"orders","partitions":[{"partition":0,"currentLeaderEpoch":3,"fetchOffset":30}]}]},"response":{'
            '"responses":[{"topic":"orders","partitions":[{"partitionIndex":0,"errorCode":6,"highWatermark":-1}]}]}}',
        ),
        _fetch,
    ),
    LineRule(
        "request-fetch-struct",
        "1.0",
        "2.7",
        r"Completed request:RequestHeader\(apiKey=FETCH, (?>.*?\) -- \{replica_id=)(?P<follower>\d+),"
        r"(?P<asked>(?>.*?(?=,response:))),response:(?P<answered>.*) from connection .*",
        (
            "Completed request:RequestHeader(apiKey=FETCH, apiVersion=11, clientId=broker-2-fetcher-0, correlationId=7) "
            "-- {replica_id=2,max_wait_time=500,min_bytes=1,topics=[{topic=orders,partitions=[{partition=0,"
            "current_leader_epoch=3,fetch_offset=30,log_start_offset=0,partition_max_bytes=1048576}]}],rack_id=},"
            "response:{throttle_time_ms=0,responses=[{topic=orders,partition_responses=[{partition_header={partition=0,"
            "error_code=0,high_watermark=28,last_stable_offset=28},record_set=[]}]}]} from connection "
            "127.0.0.1:19092-127.0.0.1:40000-0;totalTime:1.2",
        ),
        _fetch_struct,
    ),
    LineRule(
        "request-epoch-end",
        "2.8",
        "",
        _json("OFFSET_FOR_LEADER_EPOCH"),
        (
            'Completed request:{"requestHeader":{"requestApiKeyName":"OFFSET_FOR_LEADER_EPOCH"},"request":{"replicaId":2,'
            '"topics":[{"topic":"orders","partitions":[{"partition":0,"currentLeaderEpoch":3,"leaderEpoch":1}]}]},'
            '"response":{"topics":[{"topic":"orders","partitions":[{"errorCode":0,"partition":0,"leaderEpoch":1,'
            '"endOffset":24}]}]}}',
        ),
        _epoch_end,
    ),
    LineRule(
        "request-leader-and-isr",
        "2.8",
        "3.9",
        _json("LEADER_AND_ISR"),
        (
            'Completed request:{"requestHeader":{"requestApiKeyName":"LEADER_AND_ISR"},"request":{"controllerId":1,'
            '"controllerEpoch":1,"topicStates":[{"topicName":"orders","partitionStates":[{"partitionIndex":0,"leader":2,'
            '"leaderEpoch":3,"isr":[2,1],"zkVersion":5,"replicas":[1,2,3],"isNew":false}]}]},"response":{"errorCode":0}}',
        ),
        _leader_and_isr,
    ),
    LineRule(
        "request-words",
        "0.8.2",
        "",
        r"(?:Completed|Handling) request:(?!RequestHeader\(apiKey=FETCH, .*?\) -- \{replica_id=\d)"
        r'(?!\{.*"requestApiKeyName": ?"(?:FETCH|OFFSET_FOR_LEADER_EPOCH|LEADER_AND_ISR)").*',
        (
            'Completed request:{"requestHeader":{"requestApiKeyName":"PRODUCE"},"request":{"acks":-1},"response":{}}',
            "Completed request:RequestHeader(apiKey=METADATA, apiVersion=8, clientId=c, correlationId=1) -- {topics=[]}",
            "Handling request:RequestHeader(apiKey=FETCH, apiVersion=8, clientId=c, correlationId=1)",
        ),
        why="requests of clients and of the control plane; what came of them has its own lines",
    ),
)
