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
    """While loading: a torn tail was removed, or the whole log is gone with its disk (log_reset)."""


class StopReason(IntEnum):
    """Why an answer does not come, or a request is refused: `aux` of fetch_failed and epoch_end_failed."""

    UNKNOWN = 0
    UNREACHABLE = 1
    FENCED_LEADER_EPOCH = 2
    UNKNOWN_LEADER_EPOCH = 3
    NOT_LEADER = 4
    OFFSET_OUT_OF_RANGE = 5
    OFFSET_MOVED_TO_TIERED_STORAGE = 6
    """The log has the offset, the disk of its leader has not (KIP-405)."""
    REMOTE_STATE_MISSING = 7
    """What the remote tier should hold below the leader's disk was not found there (KIP-405)."""


class TierDeletion(IntEnum):
    """Why a leader deletes a segment from the remote tier: `aux` of tier_deleted (KIP-405)."""

    UNKNOWN = 0
    RETENTION = 1
    """It is old, or too much, by retention.ms or retention.bytes."""
    LOG_START = 2
    """The log begins above it."""
    NO_EPOCH = 3
    """All of its leader epochs are earlier than the first that the leader knows."""


class QuorumRole(IntEnum):
    """What a member of the metadata quorum is without a leader: `aux` of quorum_role_changed (KIP-595)."""

    UNATTACHED = 1
    """It has seen an epoch, and no leader in it."""
    VOTED = 2
    """To 3.8: it has voted in the epoch."""
    PROSPECTIVE = 3
    """It asks for votes before it raises the epoch (KIP-996, 4.0)."""
    CANDIDATE = 4
    RESIGNED = 5
    """It led the epoch, and does so no more: it was restarted, or a majority fetched no more (3.7)."""


class VoterRefusal(IntEnum):
    """Why the voters of the metadata quorum are not changed: `aux` of voter_change_refused (KIP-853)."""

    UNSUPPORTED = 1
    """kraft.version is 0, or the release has no such command (to 3.8)."""
    PENDING = 2
    """A change of before is not committed, or the leader has committed nothing in its epoch."""
    ALREADY = 3
    """The one to be added is a voter."""
    NONE_SUCH = 4
    """The one to be removed is no voter, or the only one."""
    UNREACHABLE = 5
    """The one to be added does not answer."""
    LAGGING = 6
    """The one to be added has not caught up with the leader."""


SIM: Final = "simulator"
BOTH: Final = "both"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of event: stored number, name, the columns it may use, what `aux` means, who may emit it."""

    number: int
    name: str
    group: str
    columns: tuple[str, ...] = ()
    aux: str = ""
    emitter: str = BOTH


_TRANSACTION: Final = "broker replica epoch from_offset offset stamp"

# Number, name, group, columns, meaning of aux. `broker` said it, `replica` is the broker that it is about.
# fmt: off
_TABLE: Final[tuple[tuple[int, str, str, str, str], ...]] = (
    # process: `replica` is the broker that it is about, `broker` the one that said it
    (1, "broker_starting", "process", "broker replica", ""),
    (2, "broker_started", "process", "broker replica", ""),
    (3, "broker_registered", "process", "broker replica", ""),
    (4, "broker_fenced", "process", "broker replica", ""),
    (5, "broker_unfenced", "process", "broker replica", ""),
    (6, "shutdown_requested", "process", "broker replica", ""),
    (7, "controlled_shutdown_begun", "process", "broker replica", ""),
    (8, "controlled_shutdown_ended", "process", "broker replica", "1 granted, 0 failed"),
    (9, "broker_stopped", "process", "broker replica", ""),
    (10, "broker_crashed", "process", "broker replica", ""),
    (11, "unclean_restart_detected", "process", "broker replica offset", ""),
    (12, "broker_frozen", "process", "broker replica", ""),
    (13, "broker_thawed", "process", "broker replica", ""),
    (14, "broker_exited", "process", "broker replica", ""),
    (15, "broker_failure_noticed", "process", "broker replica", ""),
    (16, "session_expired", "process", "broker replica", ""),
    (17, "evidence_gap", "process", "broker replica", "length of the gap, ns"),
    # control plane
    (30, "controller_elected", "control", "broker replica epoch", ""),
    (31, "controller_resigned", "control", "broker replica epoch", ""),
    (32, "partition_created", "control", "broker leader epoch isr partition_epoch", ""),
    (33, "leader_and_isr_sent", "control", "broker replica leader epoch isr partition_epoch", ""),
    (34, "leader_and_isr_received", "control", "broker replica leader epoch isr partition_epoch", ""),
    (35, "metadata_applied", "control", "broker replica leader epoch isr partition_epoch", ""),
    (36, "stale_request_ignored", "control", "broker replica leader epoch", ""),
    (37, "metadata_sent", "control", "broker leader epoch isr partition_epoch", ""),
    (38, "partition_state", "control", "broker leader epoch isr partition_epoch", ""),
    (39, "partition_removed", "control", "broker", ""),
    # `isr` has the assigned replicas, not the in-sync ones: a reassignment begins, ends or is cancelled
    (40, "replicas_assigned", "control", "broker isr partition_epoch", ""),
    # leadership
    (50, "leader_elected", "leadership", "broker leader epoch isr partition_epoch", "Election"),
    (51, "leaderless", "leadership", "broker leader epoch isr partition_epoch", ""),
    (52, "became_leader", "leadership", "broker replica leader epoch leo hw isr partition_epoch", ""),
    (53, "became_follower", "leadership", "broker replica leader epoch leo hw partition_epoch", ""),
    (54, "leader_recovery_changed", "leadership", "broker leader epoch partition_epoch", "1 recovers, 0 not"),
    # in-sync replicas
    (60, "isr_shrink_proposed", "isr", "broker replica leader epoch isr leo hw", ""),
    (61, "isr_expand_proposed", "isr", "broker replica leader epoch isr leo hw", ""),
    (62, "isr_committed", "isr", "broker leader epoch isr partition_epoch", ""),
    (63, "isr_update_rejected", "isr", "broker epoch isr", ""),
    # `isr` is the new set of eligible leader replicas (KIP-966), not the in-sync one
    (64, "elr_changed", "isr", "broker isr partition_epoch", "the last known leader, or not said"),
    # fetching: `replica` is the follower, `leader` the broker asked
    (70, "fetcher_added", "fetch", "broker replica leader epoch offset", ""),
    (71, "fetcher_removed", "fetch", "broker replica", ""),
    (72, "fetch_sent", "fetch", "broker replica leader epoch offset", "last fetched epoch, or not said"),
    (73, "fetch_received", "fetch", "broker replica leader epoch offset", ""),
    (74, "fetch_parked", "fetch", "broker replica leader offset", ""),
    (75, "fetch_answered", "fetch", "broker replica leader epoch from_offset offset hw", "records"),
    (76, "fetch_failed", "fetch", "broker replica leader epoch offset", "StopReason"),
    (77, "fetch_diverged", "fetch", "broker replica leader epoch offset", "diverging epoch"),
    (78, "epoch_end_asked", "fetch", "broker replica leader epoch", "epoch asked for"),
    (79, "epoch_end_answered", "fetch", "broker replica leader epoch offset", "epoch of the answer"),
    (80, "epoch_end_failed", "fetch", "broker replica leader epoch", "StopReason"),
    (81, "fetch_offset_reset", "fetch", "broker replica leader from_offset offset", ""),
    (82, "fetch_delivered", "fetch", "broker replica leader from_offset offset hw", "records"),
    # the log: `replica` is whose log
    (90, "appended", "log", "broker replica epoch from_offset offset leo", "number of the first record"),
    (91, "leo_sample", "log", "broker replica leo", ""),
    (92, "follower_leo_recorded", "log", "broker replica leader leo", ""),
    (93, "log_loaded", "log", "broker replica leo hw log_start", ""),
    (94, "log_created", "log", "broker replica leo log_start", ""),
    (95, "log_deleted", "log", "broker replica", ""),
    (96, "log_start_moved", "log", "broker replica log_start", ""),
    (97, "segment_rolled", "log", "broker replica offset", ""),
    (98, "log_dir_failed", "log", "broker replica", ""),
    (99, "batch_on_disk", "log", "broker replica epoch from_offset offset stamp", "CRC of the content"),
    (100, "log_end_on_disk", "log", "broker replica leo log_start", "its batches are known from here on"),
    (101, "flushed", "log", "broker replica offset", ""),
    (102, "local_start_moved", "log", "broker replica offset", ""),
    (103, "tier_copied", "log", "broker replica from_offset offset", ""),
    (104, "tier_joined", "log", "broker replica epoch from_offset offset leo", "number of the first record"),
    (105, "log_moved", "log", "broker replica", ""),
    (106, "tier_deleted", "log", "broker replica from_offset offset", "TierDeletion"),
    # truncation
    (110, "truncation_decided", "truncation", "broker replica epoch from_offset offset hw", "CutReason"),
    (111, "truncated", "truncation", "broker replica epoch from_offset offset leo", "CutReason"),
    (112, "truncation_noop", "truncation", "broker replica from_offset offset leo", "CutReason"),
    (113, "truncation_not_needed", "truncation", "broker replica epoch offset leo", "CutReason"),
    (114, "log_reset", "truncation", "broker replica from_offset offset", "CutReason"),
    (115, "log_gap", "truncation", "broker replica from_offset offset leo", ""),
    # leader epochs
    (120, "epoch_cache_loaded", "epoch", "broker replica", "entries that follow as epoch_assigned"),
    (121, "epoch_assigned", "epoch", "broker replica epoch offset", "entries in the cache with it"),
    (122, "epoch_cache_cut", "epoch", "broker replica offset", "entries left in the cache"),
    # high watermark
    (130, "hw_loaded", "high watermark", "broker replica hw", ""),
    (131, "hw_sample", "high watermark", "broker replica hw", ""),
    (132, "hw_moved", "high watermark", "broker replica hw", ""),
    (133, "hw_checkpointed", "high watermark", "broker replica hw stamp", ""),
    # clients
    (150, "produced", "client", "broker replica from_offset offset", "acks"),
    (151, "acknowledged", "client", "broker replica from_offset offset", "acks"),
    (152, "produce_failed", "client", "broker replica from_offset offset", "acks"),
    (153, "consumed", "client", "broker replica from_offset offset hw", "number of the consumer"),
    (154, "consume_parked", "client", "broker replica offset hw", "number of the consumer"),
    (155, "consumer_out_of_range", "client", "broker replica offset log_start leo", "number of the consumer"),
    (156, "consumer_positioned", "client", "broker replica from_offset offset", "number of the consumer"),
    (157, "produce_retried", "client", "broker replica", "acks"),
    (158, "duplicate_dropped", "client", "broker replica from_offset offset", "acks"),
    (159, "sequence_refused", "client", "broker replica", "first sequence number"),
    # transactions in a log: `epoch` is the producer epoch, `aux` the producer id
    (180, "transaction_written", "transaction", _TRANSACTION, "producer id"),
    # `offset` is that of the marker, `from_offset` the first of the transaction in this log
    (181, "transaction_committed", "transaction", _TRANSACTION, "producer id"),
    (182, "transaction_aborted", "transaction", _TRANSACTION, "producer id"),
    (183, "lso_moved", "transaction", "broker replica offset", ""),
    (184, "transaction_refused", "transaction", "broker replica epoch", "producer id"),
    (185, "producer_fenced", "transaction", "broker replica epoch", "producer id"),
    (186, "transaction_timed_out", "transaction", "broker replica epoch", "producer id"),
    # the metadata quorum: `replica` is the member, `leader` of a vote who asks for it
    (190, "quorum_role_changed", "quorum", "broker replica epoch", "QuorumRole"),
    (191, "vote_answered", "quorum", "broker replica leader epoch", "1 granted, 0 not; 3, 2 of a pre-vote"),
    (192, "quorum_member_starting", "quorum", "broker replica", ""),
    (193, "quorum_member_stopped", "quorum", "broker replica", ""),
    # `isr` has the voters, `offset` is that of the record which names them
    (194, "voters_changed", "quorum", "broker replica offset isr", ""),
    (195, "voter_change_refused", "quorum", "broker replica", "VoterRefusal"),
    # `offset` is that after the snapshot's last record, `epoch` that record's (KIP-630)
    (196, "snapshot_written", "quorum", "broker replica epoch offset", ""),
    # the script of a simulation
    (170, "step", "script", "broker replica", "number of the step"),
    (171, "condition_not_met", "script", "broker replica", "number of the step"),
    (172, "rounds_in_vain", "script", "broker replica leader offset", "requests that came to nothing"),
)
# fmt: on


def _kind(number: int, name: str, group: str, columns: str, aux: str) -> Kind:
    """One row of the table; only a simulation has a script."""
    return Kind(number, name, group, tuple(columns.split()), aux, SIM if group == "script" else BOTH)


KINDS: Final[tuple[Kind, ...]] = tuple(_kind(*row) for row in _TABLE)
KIND: Final[dict[str, Kind]] = {kind.name: kind for kind in KINDS}
NUMBER: Final[dict[str, int]] = {kind.name: kind.number for kind in KINDS}
NAME: Final[dict[int, str]] = {kind.number: kind.name for kind in KINDS}
