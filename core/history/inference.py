"""The rules of inference: what each concludes of a log end offset or a high watermark, from what, and why.

A bound that no line states was set by one of them. They are applied where their docstrings stand
(core/history/statements.py, rules.py, isr_rules.py, leader_watermarks.py, bands.py, record_times.py), each
under its entry here. docs/inference.md is the same as a table, with what each carries.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.errors import QuestionError
from core.history.state import Band
from core.message import Listing, Message, message


class Quantity(StrEnum):
    """What a rule reads and bounds."""

    LINE = "line"
    """A line of the replica's broker, of another broker, or a file of a data directory."""
    ROLE = "role"
    IN_SYNC_SET = "in-sync set"
    LOG_START = "log start"
    LOG_END = "log end offset"
    HIGH_WATERMARK = "high watermark"
    TIME_STAMP = "time stamp"
    """The time stamps of the records in segments."""


_LINE, _ROLE, _SET, _START, _LEO, _HW, _TIME = Quantity


@dataclass(frozen=True, slots=True)
class InferenceRule:
    """One rule. `can_fail`: hard evidence overrides it. `source`: code of Kafka, with releases, tickets."""

    id: str
    says: Message
    reads: tuple[Quantity, ...]
    bounds: tuple[Quantity, ...]
    source: str
    can_fail: bool = False
    always: bool = False
    """It says how a bound is to be read, and cannot be taken away."""
    kinds: frozenset[str] = frozenset()
    """The kinds of the rows that it reads; empty for any kind, and where it reads none."""
    own: bool = False
    """The bounds that it reads are those of the same replica."""


_ENTRIES: Final = (
    InferenceRule("stated", message("inference.stated"), (_LINE,), (_LEO, _HW), "", always=True),
    InferenceRule(
        "kept",
        message("inference.kept"),
        (_LINE, _LEO, _HW),
        (_LEO, _HW),
        "UnifiedLog.truncateTo",
        always=True,
    ),
    InferenceRule(
        "grows", message("inference.grows"), (_LINE,), (_LEO, _HW), "UnifiedLog.append", always=True
    ),
    InferenceRule(
        "log-start", message("inference.log-start"), (_START,), (_LEO, _HW), "UnifiedLog", always=True
    ),
    InferenceRule(
        "contradiction", message("inference.contradiction"), (_LINE,), (_LEO, _HW), "", always=True
    ),
    InferenceRule("at-least", message("inference.at-least"), (_LINE,), (_LEO, _HW), "LogLoader.load"),
    InferenceRule(
        "fetch-at-log-end",
        message("inference.fetch-at-log-end"),
        (_LINE,),
        (_LEO,),
        "AbstractFetcherThread.processFetchRequest",
        kinds=frozenset({"fetch_offset_reset", "fetch_received"}),
    ),
    InferenceRule(
        "fetch-start",
        message("inference.fetch-start"),
        (_LINE,),
        (_LEO,),
        "AbstractFetcherManager: from the log end to 1.0, the high watermark to 2.7, either of them later",
        kinds=frozenset({"fetcher_added"}),
    ),
    InferenceRule(
        "remembered-log-end",
        message("inference.remembered-log-end"),
        (_LINE,),
        (_LEO,),
        "Replica.updateFetchState",
        kinds=frozenset({"follower_leo_recorded"}),
    ),
    InferenceRule(
        "out-of-range-answer",
        message("inference.out-of-range-answer"),
        (_LINE,),
        (_LEO,),
        "AbstractFetcherThread.fetchOffsetAndTruncate",
        kinds=frozenset({"fetch_offset_reset"}),
    ),
    InferenceRule(
        "records-sent",
        message("inference.records-sent"),
        (_LINE,),
        (_LEO,),
        "Partition.readRecords",
        kinds=frozenset({"fetch_answered"}),
    ),
    InferenceRule(
        "load-adds-nothing",
        message("inference.load-adds-nothing"),
        (_LINE,),
        (_LEO,),
        "LogLoader.load",
        kinds=frozenset({"log_loaded"}),
    ),
    InferenceRule(
        "new-log-is-empty",
        message("inference.new-log-is-empty"),
        (_LINE,),
        (_LEO,),
        "LogManager.getOrCreateLog",
        kinds=frozenset({"log_created"}),
    ),
    InferenceRule(
        "cut-removes",
        message("inference.cut-removes"),
        (_LINE,),
        (_LEO,),
        "UnifiedLog.truncateTo, from 0.11",
        kinds=frozenset({"truncated"}),
    ),
    InferenceRule(
        "cut-within-log",
        message("inference.cut-within-log"),
        (_LINE,),
        (_LEO,),
        "UnifiedLog.truncateTo",
        kinds=frozenset({"truncated"}),
    ),
    InferenceRule(
        "cut-to-high-watermark",
        message("inference.cut-to-high-watermark"),
        (_LINE,),
        (_LEO,),
        "AbstractFetcherThread.truncateToHighWatermark",
        kinds=frozenset({"truncation_decided"}),
    ),
    InferenceRule(
        "epoch-has-record",
        message("inference.epoch-has-record"),
        (_LINE,),
        (_LEO,),
        "LeaderEpochFileCache.assign, to 2.0.0: later at the takeover, KAFKA-7415",
        kinds=frozenset({"epoch_assigned"}),
    ),
    InferenceRule(
        "epoch-within-log",
        message("inference.epoch-within-log"),
        (_LINE,),
        (_LEO,),
        "LeaderEpochFileCache.assign",
        kinds=frozenset({"epoch_assigned"}),
    ),
    InferenceRule(
        "roll-at-log-end",
        message("inference.roll-at-log-end"),
        (_LINE,),
        (_LEO,),
        "UnifiedLog.roll",
        kinds=frozenset({"segment_rolled"}),
    ),
    InferenceRule(
        "flush-within-log",
        message("inference.flush-within-log"),
        (_LINE,),
        (_LEO,),
        "UnifiedLog.flush",
        kinds=frozenset({"flushed"}),
    ),
    InferenceRule(
        "sent-to-follower",
        message("inference.sent-to-follower"),
        (_LINE,),
        (_HW,),
        "Partition.fetchRecords",
        kinds=frozenset({"fetch_answered", "fetch_delivered"}),
    ),
    InferenceRule(
        "cut-lowers-high-watermark",
        message("inference.cut-lowers-high-watermark"),
        (_LINE,),
        (_HW,),
        "Log.truncateTo, from 2.4",
        kinds=frozenset({"truncated"}),
    ),
    InferenceRule(
        "checkpoint",
        message("inference.checkpoint"),
        (_LINE,),
        (_HW,),
        "ReplicaManager.checkpointHighWatermarks",
        kinds=frozenset({"hw_checkpointed"}),
    ),
    InferenceRule(
        "high-watermark-within-log",
        message("inference.high-watermark-within-log"),
        (_LEO, _HW),
        (_LEO, _HW),
        "UnifiedLog.updateHighWatermark",
        own=True,
    ),
    InferenceRule(
        "high-watermark-over-cut",
        message("inference.high-watermark-over-cut"),
        (_LEO, _HW),
        (_HW,),
        "Log.truncateTo to 2.3",
        own=True,
    ),
    InferenceRule(
        "alone-in-sync",
        message("inference.alone-in-sync"),
        (_ROLE, _SET, _LEO),
        (_HW,),
        "Partition.maybeIncrementLeaderHW to 3.6; from 3.7 min.insync.replicas may hold it, KAFKA-15583",
        own=True,
    ),
    InferenceRule(
        "quorum-majority",
        message("inference.quorum-majority"),
        (_ROLE, _LEO),
        (_HW,),
        "LeaderState.maybeUpdateHighWatermark, KIP-595",
    ),
    InferenceRule(
        "quorum-only-voter",
        message("inference.quorum-only-voter"),
        (_ROLE, _LEO),
        (_HW,),
        "LeaderState.maybeUpdateHighWatermark, KIP-595",
        own=True,
    ),
    InferenceRule(
        "quorum-committed",
        message("inference.quorum-committed"),
        (_ROLE, _LEO),
        (_HW,),
        "LeaderState.timeUntilCheckQuorumExpires, from 3.7: KAFKA-15489",
        own=True,
    ),
    InferenceRule(
        "quorum-leader-log",
        message("inference.quorum-leader-log"),
        (_ROLE, _LEO),
        (_LEO,),
        "KafkaRaftClient.handleFetchResponse, KIP-595",
    ),
    InferenceRule(
        "quorum-leader-high-watermark",
        message("inference.quorum-leader-high-watermark"),
        (_ROLE, _HW),
        (_HW,),
        "FollowerState.updateHighWatermark, KIP-595",
    ),
    InferenceRule(
        "first-leader-log",
        message("inference.first-leader-log"),
        (_ROLE, _LEO),
        (_LEO,),
        "ReplicaFetcherThread.processPartitionData",
    ),
    InferenceRule(
        "first-leader-high-watermark",
        message("inference.first-leader-high-watermark"),
        (_ROLE, _HW),
        (_HW,),
        "ReplicaFetcherThread.processPartitionData",
    ),
    InferenceRule(
        "in-sync-holds-committed",
        message("inference.in-sync-holds-committed"),
        (_ROLE, _SET, _HW),
        (_LEO,),
        "Partition.maybeExpandIsr, maybeIncrementLeaderHW",
    ),
    InferenceRule(
        "within-in-sync-logs",
        message("inference.within-in-sync-logs"),
        (_ROLE, _SET, _LEO),
        (_HW,),
        "Partition.maybeIncrementLeaderHW",
    ),
    InferenceRule(
        "high-watermark-of-leader",
        message("inference.high-watermark-of-leader"),
        (_ROLE, _HW),
        (_HW,),
        "ReplicaFetcherThread.processPartitionData",
    ),
    InferenceRule(
        "sent-with-later-record",
        message("inference.sent-with-later-record"),
        (_ROLE, _LEO, _HW),
        (_HW,),
        "ReplicaFetcherThread.processPartitionData",
    ),
    InferenceRule(
        "log-survives-process",
        message("inference.log-survives-process"),
        (_LINE, _LEO),
        (_LEO,),
        "LogLoader.load; a power loss may take what was not flushed",
        can_fail=True,
        own=True,
    ),
    InferenceRule(
        "time-stamps",
        message("inference.time-stamps"),
        (_TIME,),
        (_LEO, _HW),
        "RecordBatch.maxTimestamp; a client may set it",
        can_fail=True,
        kinds=frozenset({"batch_on_disk"}),
    ),
)
RULES: Final[Mapping[str, InferenceRule]] = {one.id: one for one in _ENTRIES}
"""All of them, by id."""
REMOVABLE: Final = tuple(one.id for one in _ENTRIES if not one.always)
"""The ids of those that can be taken away."""


def rules_of(band: Band) -> tuple[str, ...]:
    """The ids of the rules that set the bounds of a band, that of the upper bound first; () for none."""
    return tuple(filter(None, band.rule.split("; ")))


def removable(ids: Iterable[str]) -> frozenset[str]:
    """Ids of rules that can be taken away. Raises QuestionError for another one."""
    asked = frozenset(ids)
    for one in sorted(asked - set(REMOVABLE)):
        raise QuestionError(
            message("error.inference.unknown", rule=one),
            advice=message("error.inference.unknown.way-out", rules=Listing(REMOVABLE)),
        )
    return asked
