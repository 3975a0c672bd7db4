"""Which function tells of which kind of event: one table for ZooKeeper, and what is different in KRaft."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from core.sim.logs import control, data, directories, kraft, life, replicas, tiers
from core.sim.logs.scribe import Scribe
from core.trace.trace import Event

Handler: TypeAlias = Callable[[Scribe, Event], None]

_DATA: Final[Mapping[str, Handler]] = {
    "appended": data.on_appended,
    "hw_checkpointed": data.on_checkpointed,
    "flushed": data.on_flushed,
    "log_start_moved": data.on_log_start,
    "tier_joined": data.on_joined,
    "log_created": data.on_created,
    "follower_leo_recorded": data.on_remote,
}
QUIET_AT_FIRST: Final[Mapping[str, Handler]] = {
    **_DATA,
    "epoch_assigned": replicas.on_epoch_assigned,
    "hw_moved": replicas.on_hw,
}
"""What makes the state before the first step: the brokers of the files found it on their disks."""
_SAID: Final[Mapping[str, tuple[Handler, ...]]] = {
    **{kind: (handler,) for kind, handler in _DATA.items()},
    "broker_starting": (life.on_starting,),
    "log_loaded": (data.on_loaded, life.on_loaded),
    "broker_registered": (life.on_registered,),
    "broker_started": (life.on_started,),
    "broker_crashed": (life.on_gone,),
    "broker_exited": (life.on_exited,),
    "shutdown_requested": (life.on_shutdown,),
    "controlled_shutdown_begun": (life.on_shutdown,),
    "controlled_shutdown_ended": (life.on_shutdown,),
    "broker_stopped": (life.on_shutdown,),
    "broker_failure_noticed": (life.on_failure_noticed,),
    "controller_elected": (life.on_controller_elected,),
    "partition_created": (control.on_created,),
    "leader_elected": (control.on_elected,),
    "leaderless": (control.on_leaderless,),
    "isr_committed": (control.on_isr_committed,),
    "leader_and_isr_received": (control.on_request,),
    "stale_request_ignored": (control.on_stale,),
    "became_leader": (replicas.on_leader,),
    "became_follower": (replicas.on_follower,),
    "fetcher_added": (replicas.on_fetcher,),
    "fetcher_removed": (replicas.on_fetcher_removed,),
    "fetch_failed": (replicas.on_fetch_failed, tiers.on_state_missing),
    "fetch_offset_reset": (replicas.on_reset,),
    "epoch_end_failed": (replicas.on_epoch_failed,),
    "isr_shrink_proposed": (replicas.on_isr_proposed,),
    "isr_expand_proposed": (replicas.on_isr_proposed,),
    "isr_update_rejected": (replicas.on_isr_rejected,),
    "truncation_decided": (replicas.on_cut_decided,),
    "truncated": (replicas.on_cut, data.on_truncated),
    "log_reset": (data.on_reset,),
    "local_start_moved": (tiers.on_local_start,),
    "tier_copied": (tiers.on_copied,),
    "log_start_moved": (tiers.on_log_start, data.on_log_start),
    "tier_deleted": (tiers.on_deleted,),
    "log_moved": (directories.on_moved,),
    "truncation_noop": (replicas.on_noop,),
    "truncation_not_needed": (replicas.on_not_needed,),
    "epoch_cache_loaded": (replicas.on_epochs_loaded,),
    "epoch_assigned": (replicas.on_epoch_assigned,),
    "epoch_cache_cut": (replicas.on_epochs_cut,),
    "hw_loaded": (replicas.on_hw,),
    "hw_moved": (replicas.on_hw,),
}
_IN_KRAFT: Final[Mapping[str, tuple[Handler, ...]]] = {
    "broker_starting": (kraft.on_starting,),
    "broker_started": (kraft.on_started,),
    "broker_registered": (kraft.on_registered,),
    "broker_unfenced": (kraft.on_unfenced,),
    "broker_fenced": (kraft.on_fenced,),
    "broker_failure_noticed": (),
    "controlled_shutdown_begun": (kraft.on_leaving,),
    "controller_elected": (kraft.on_controller_elected,),
    "partition_created": (),
    "leader_elected": (kraft.on_decided,),
    "leaderless": (kraft.on_decided,),
    "isr_committed": (kraft.on_decided,),
    "elr_changed": (kraft.on_eligible,),
    "leader_and_isr_received": (),
    "metadata_applied": (kraft.on_applied,),
    "became_leader": (kraft.on_leader,),
    "became_follower": (kraft.on_follower,),
}


def handlers(scribe: Scribe) -> Mapping[str, tuple[Handler, ...]]:
    """What tells of each kind of event."""
    return {**_SAID, **_IN_KRAFT} if scribe.switches.controller == "kraft" else _SAID
