"""The only list of event kinds, shared by importers, simulator, Parquet and the command line.

Verdicts (lost, diverged) are findings and never events. `number` is stored; it is never reused or changed.
Columns not named in `columns` are not said. See docs/trace.md for the meaning of each column.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class Basis(IntEnum):
    """How a value is known. The order is from strong to weak."""

    OBSERVED = 0
    """A line, file or record states it about the broker that wrote it."""
    REPORTED = 1
    """A line states it about another broker."""
    DERIVED = 2
    """It follows by a rule that cannot fail."""
    HELD = 3
    """Leader, epoch or ISR between two lines. Never a high watermark or a log end offset."""
    BOUNDED = 4
    """Between two statements of a value that can only grow, or stated from one side."""
    INFERRED = 5
    """By a rule that can fail."""
    UNKNOWN = 6
    """No evidence."""


class Election(IntEnum):
    """How a leader came to lead: `aux` of leader_elected."""

    UNKNOWN = 0
    FIRST = 1
    CLEAN = 2
    PREFERRED = 3
    CONTROLLED = 4
    UNCLEAN = 5
    ELR = 6
    LAST_KNOWN = 7


class CutReason(IntEnum):
    """Why a replica truncated: `aux` of truncation_decided, truncated, truncation_noop and log_reset."""

    UNKNOWN = 0
    LOCAL_HIGH_WATERMARK = 1
    LEADER_EPOCH = 2
    DIVERGING_EPOCH = 3
    LEADER_END = 4
    """A fetch out of range: the cut is to the leader's log end offset."""
    RESET = 5
    """The whole log was dropped and started anew."""
    RECOVERY = 6
    """A torn tail was removed while loading."""


class StopReason(IntEnum):
    """Why an answer does not come, or a request is refused: `aux` of fetch_failed and epoch_end_failed."""

    UNKNOWN = 0
    UNREACHABLE = 1
    FENCED_LEADER_EPOCH = 2
    UNKNOWN_LEADER_EPOCH = 3
    NOT_LEADER = 4
    OFFSET_OUT_OF_RANGE = 5


SIM: Final = "simulator"
LOG: Final = "importer"
BOTH: Final = "both"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of event: its stored number, name, the columns it may use, what `aux` means, who may emit it."""

    number: int
    name: str
    group: str
    columns: tuple[str, ...] = ()
    aux: str = ""
    emitter: str = BOTH


def _kinds() -> tuple[Kind, ...]:
    who = ("broker",)
    of = ("broker", "replica")
    return (
        # process: `replica` is the broker that it is about, `broker` the one that said it
        Kind(1, "broker_starting", "process", of),
        Kind(2, "broker_started", "process", of),
        Kind(3, "broker_registered", "process", of),
        Kind(4, "broker_fenced", "process", of),
        Kind(5, "broker_unfenced", "process", of),
        Kind(6, "shutdown_requested", "process", of),
        Kind(7, "controlled_shutdown_begun", "process", of),
        Kind(8, "controlled_shutdown_ended", "process", of, "1 granted, 0 failed"),
        Kind(9, "broker_stopped", "process", of),
        Kind(10, "broker_crashed", "process", of),
        Kind(11, "unclean_restart_detected", "process", of),
        Kind(12, "broker_frozen", "process", of),
        Kind(13, "broker_thawed", "process", of),
        Kind(14, "broker_exited", "process", of),
        Kind(15, "broker_failure_noticed", "process", of),
        Kind(16, "session_expired", "process", of),
        Kind(17, "evidence_gap", "process", of, "length of the gap, ns"),
        # control plane
        Kind(30, "controller_elected", "control", (*of, "epoch")),
        Kind(31, "controller_resigned", "control", (*of, "epoch")),
        Kind(32, "partition_created", "control", (*who, "leader", "epoch", "isr")),
        Kind(33, "leader_and_isr_sent", "control", (*of, "leader", "epoch", "isr", "partition_epoch")),
        Kind(34, "leader_and_isr_received", "control", (*of, "leader", "epoch", "isr", "partition_epoch")),
        Kind(35, "metadata_applied", "control", (*of, "leader", "epoch", "isr", "partition_epoch")),
        Kind(36, "stale_request_ignored", "control", (*of, "leader", "epoch")),
        # leadership
        Kind(50, "leader_elected", "leadership", (*who, "leader", "epoch", "isr", "partition_epoch"), "Election"),
        Kind(51, "leaderless", "leadership", (*who, "leader", "epoch", "isr", "partition_epoch")),
        Kind(52, "became_leader", "leadership", (*of, "leader", "epoch", "leo", "hw", "isr", "partition_epoch")),
        Kind(53, "became_follower", "leadership", (*of, "leader", "epoch", "leo", "hw", "partition_epoch")),
        # in-sync replicas
        Kind(60, "isr_shrink_proposed", "isr", (*of, "leader", "epoch", "isr", "leo", "hw")),
        Kind(61, "isr_expand_proposed", "isr", (*of, "leader", "epoch", "isr", "leo", "hw")),
        Kind(62, "isr_committed", "isr", (*who, "leader", "epoch", "isr", "partition_epoch")),
        Kind(63, "isr_update_rejected", "isr", (*who, "epoch", "isr")),
        # fetching: `replica` is the follower, `leader` the broker asked
        Kind(70, "fetcher_added", "fetch", (*of, "leader", "epoch", "offset")),
        Kind(71, "fetcher_removed", "fetch", of),
        Kind(72, "fetch_sent", "fetch", (*of, "leader", "epoch", "offset"), "last fetched epoch, or not said"),
        Kind(73, "fetch_received", "fetch", (*of, "leader", "epoch", "offset")),
        Kind(74, "fetch_parked", "fetch", (*of, "leader", "offset")),
        Kind(75, "fetch_answered", "fetch", (*of, "leader", "epoch", "from_offset", "offset", "hw"), "records"),
        Kind(76, "fetch_failed", "fetch", (*of, "leader", "epoch", "offset"), "StopReason"),
        Kind(77, "fetch_diverged", "fetch", (*of, "leader", "epoch", "offset"), "diverging epoch"),
        Kind(78, "epoch_end_asked", "fetch", (*of, "leader", "epoch"), "epoch asked for"),
        Kind(79, "epoch_end_answered", "fetch", (*of, "leader", "epoch", "offset"), "epoch of the answer"),
        Kind(80, "epoch_end_failed", "fetch", (*of, "leader", "epoch"), "StopReason"),
        Kind(81, "fetch_offset_reset", "fetch", (*of, "leader", "from_offset", "offset")),
        Kind(82, "fetch_delivered", "fetch", (*of, "leader", "from_offset", "offset", "hw"), "records"),
        # the log: `replica` is whose log
        Kind(90, "appended", "log", (*of, "epoch", "from_offset", "offset", "leo"), "number of the first record"),
        Kind(91, "leo_sample", "log", (*of, "leo")),
        Kind(92, "follower_leo_recorded", "log", (*of, "leader", "leo")),
        Kind(93, "log_loaded", "log", (*of, "leo", "hw", "log_start")),
        Kind(94, "log_created", "log", (*of, "leo", "log_start")),
        Kind(95, "log_deleted", "log", of),
        Kind(96, "log_start_moved", "log", (*of, "log_start")),
        Kind(97, "segment_rolled", "log", (*of, "offset")),
        Kind(98, "log_dir_failed", "log", of),
        Kind(99, "batch_on_disk", "log", (*of, "epoch", "from_offset", "offset", "stamp"), "CRC of the content"),
        Kind(100, "log_end_on_disk", "log", (*of, "leo", "log_start")),
        Kind(101, "flushed", "log", (*of, "offset")),
        # truncation
        Kind(110, "truncation_decided", "truncation", (*of, "epoch", "from_offset", "offset", "hw"), "CutReason"),
        Kind(111, "truncated", "truncation", (*of, "epoch", "from_offset", "offset", "leo"), "CutReason"),
        Kind(112, "truncation_noop", "truncation", (*of, "from_offset", "offset", "leo"), "CutReason"),
        Kind(113, "truncation_not_needed", "truncation", (*of, "epoch", "offset", "leo"), "CutReason"),
        Kind(114, "log_reset", "truncation", (*of, "from_offset", "offset"), "CutReason"),
        # leader epochs
        Kind(120, "epoch_cache_loaded", "epoch", of, "entries that follow as epoch_assigned"),
        Kind(121, "epoch_assigned", "epoch", (*of, "epoch", "offset")),
        Kind(122, "epoch_cache_cut", "epoch", (*of, "offset")),
        # high watermark
        Kind(130, "hw_loaded", "high watermark", (*of, "hw")),
        Kind(131, "hw_sample", "high watermark", (*of, "hw")),
        Kind(132, "hw_moved", "high watermark", (*of, "hw")),
        Kind(133, "hw_checkpointed", "high watermark", (*of, "hw")),
        # clients
        Kind(150, "produced", "client", (*of, "from_offset", "offset"), "acks"),
        Kind(151, "acknowledged", "client", (*of, "from_offset", "offset"), "acks"),
        Kind(152, "produce_failed", "client", (*of, "from_offset", "offset"), "acks"),
        Kind(153, "consumed", "client", (*of, "from_offset", "offset", "hw")),
        # the script of a simulation
        Kind(170, "step", "script", ("broker", "replica"), "number of the step", SIM),
        Kind(171, "condition_not_met", "script", ("broker", "replica"), "number of the step", SIM),
    )


KINDS: Final[tuple[Kind, ...]] = _kinds()
KIND: Final[dict[str, Kind]] = {kind.name: kind for kind in KINDS}
NUMBER: Final[dict[str, int]] = {kind.name: kind.number for kind in KINDS}
NAME: Final[dict[int, str]] = {kind.number: kind.name for kind in KINDS}
