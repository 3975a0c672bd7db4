"""Words of core's vocabularies as the window says them: kinds of events, checks, classes, certainties."""

from collections.abc import Mapping
from typing import Final

from gui.i18n import mark, tr

KINDS: Final[Mapping[str, str]] = {
    "broker_starting": mark("broker starting"),
    "broker_started": mark("broker started"),
    "broker_registered": mark("broker registered"),
    "broker_fenced": mark("broker fenced"),
    "broker_unfenced": mark("broker unfenced"),
    "shutdown_requested": mark("shutdown requested"),
    "controlled_shutdown_begun": mark("controlled shutdown begun"),
    "controlled_shutdown_ended": mark("controlled shutdown ended"),
    "broker_stopped": mark("broker stopped"),
    "broker_crashed": mark("broker crashed"),
    "unclean_restart_detected": mark("unclean restart detected"),
    "broker_frozen": mark("broker frozen"),
    "broker_thawed": mark("broker thawed"),
    "broker_exited": mark("broker exited"),
    "broker_failure_noticed": mark("broker failure noticed"),
    "session_expired": mark("session expired"),
    "evidence_gap": mark("evidence gap"),
    "controller_elected": mark("controller elected"),
    "controller_resigned": mark("controller resigned"),
    "partition_created": mark("partition created"),
    "leader_and_isr_sent": mark("leader and isr sent"),
    "leader_and_isr_received": mark("leader and isr received"),
    "metadata_applied": mark("metadata applied"),
    "stale_request_ignored": mark("stale request ignored"),
    "metadata_sent": mark("metadata sent"),
    "partition_state": mark("partition state"),
    "partition_removed": mark("partition removed"),
    "leader_elected": mark("leader elected"),
    "leaderless": mark("leaderless"),
    "became_leader": mark("became leader"),
    "became_follower": mark("became follower"),
    "isr_shrink_proposed": mark("isr shrink proposed"),
    "isr_expand_proposed": mark("isr expand proposed"),
    "isr_committed": mark("isr committed"),
    "isr_update_rejected": mark("isr update rejected"),
    "elr_changed": mark("elr changed"),
    "fetcher_added": mark("fetcher added"),
    "fetcher_removed": mark("fetcher removed"),
    "fetch_sent": mark("fetch sent"),
    "fetch_received": mark("fetch received"),
    "fetch_parked": mark("fetch parked"),
    "fetch_answered": mark("fetch answered"),
    "fetch_failed": mark("fetch failed"),
    "fetch_diverged": mark("fetch diverged"),
    "epoch_end_asked": mark("epoch end asked"),
    "epoch_end_answered": mark("epoch end answered"),
    "epoch_end_failed": mark("epoch end failed"),
    "fetch_offset_reset": mark("fetch offset reset"),
    "fetch_delivered": mark("fetch delivered"),
    "appended": mark("appended"),
    "leo_sample": mark("leo sample"),
    "follower_leo_recorded": mark("follower leo recorded"),
    "log_loaded": mark("log loaded"),
    "log_created": mark("log created"),
    "log_deleted": mark("log deleted"),
    "log_start_moved": mark("log start moved"),
    "segment_rolled": mark("segment rolled"),
    "log_dir_failed": mark("log dir failed"),
    "batch_on_disk": mark("batch on disk"),
    "log_end_on_disk": mark("log end on disk"),
    "flushed": mark("flushed"),
    "truncation_decided": mark("truncation decided"),
    "truncated": mark("truncated"),
    "truncation_noop": mark("truncation noop"),
    "truncation_not_needed": mark("truncation not needed"),
    "log_reset": mark("log reset"),
    "log_gap": mark("log gap"),
    "epoch_cache_loaded": mark("epoch cache loaded"),
    "epoch_assigned": mark("epoch assigned"),
    "epoch_cache_cut": mark("epoch cache cut"),
    "hw_loaded": mark("hw loaded"),
    "hw_sample": mark("hw sample"),
    "hw_moved": mark("hw moved"),
    "hw_checkpointed": mark("hw checkpointed"),
    "produced": mark("produced"),
    "acknowledged": mark("acknowledged"),
    "produce_failed": mark("produce failed"),
    "consumed": mark("consumed"),
    "consume_parked": mark("consume parked"),
    "consumer_out_of_range": mark("consumer out of range"),
    "consumer_positioned": mark("consumer positioned"),
    "produce_retried": mark("produce retried"),
    "duplicate_dropped": mark("duplicate dropped"),
    "sequence_refused": mark("sequence refused"),
    "step": mark("step"),
    "condition_not_met": mark("condition not met"),
}
"""What an event is called, by its kind."""
CHECKS: Final[Mapping[str, str]] = {
    "committed-loss": mark("Committed loss"),
    "acknowledged-loss": mark("Acknowledged loss"),
    "possible-loss": mark("Possible loss"),
    "divergence": mark("Divergence"),
    "hw-went-back": mark("HW went back"),
    "unclean-election": mark("Unclean election"),
    "isr-empty-disk": mark("ISR empty disk"),
    "refused-to-truncate": mark("Refused to truncate"),
    "isr-behind-hw": mark("ISR behind HW"),
    "broken-promise": mark("Broken promise"),
    "zombie-leader": mark("Zombie leader"),
    "leaderless": mark("Leaderless"),
    "epoch-storm": mark("Epoch storm"),
    "isr-flapping": mark("ISR flapping"),
    "last-replica-standing": mark("Last replica standing"),
    "under-min-isr": mark("Under min ISR"),
    "leader-paused": mark("Leader paused"),
    "follower-stuck": mark("Follower stuck"),
    "out-of-range-loop": mark("Out of range loop"),
    "leo-jumped-back": mark("LEO jumped back"),
    "hw-above-leo": mark("HW above LEO"),
    "hw-checkpoint-stale": mark("HW checkpoint stale"),
    "unclean-stop": mark("Unclean stop"),
    "cut-below-hw": mark("Cut below HW"),
    "uncommitted-tail": mark("Uncommitted tail"),
    "sources-disagree": mark("Sources disagree"),
    "clock-contradiction": mark("Clock contradiction"),
    "evidence-gap": mark("Evidence gap"),
    "false-alarm": mark("False alarm"),
}
"""A finding in two or three words, by its check."""
WORDS: Final = (
    mark("committed"),
    mark("acknowledged"),
    mark("possibly-acknowledged"),
    mark("uncommitted"),
    mark("loss"),
    mark("danger"),
    mark("notice"),
    mark("leader"),
    mark("follower"),
    mark("starting"),
    mark("offline"),
    mark("unknown"),
    mark("observed"),
    mark("reported"),
    mark("derived"),
    mark("held"),
    mark("bounded"),
    mark("inferred"),
    mark("printed"),
    mark("stated"),
    mark("assumed"),
    mark("first"),
    mark("clean"),
    mark("preferred"),
    mark("controlled"),
    mark("unclean"),
    mark("elr"),
    mark("last-known"),
    mark("none"),
    mark("yes"),
    mark("no"),
    mark("empty"),
    mark("high watermark truncation"),
    mark("unknown epoch"),
    mark("stale isr"),
    mark("stale leader"),
    mark("not replicated"),
    mark("unclean election"),
    mark("disk loss"),
    mark("divergence"),
    mark("Kafka log"),
    mark("data directory"),
    mark("settings"),
    mark("log of another program"),
    mark("not read"),
    mark("cannot be read"),
    mark("log"),
    mark("segment"),
    mark("offset checkpoint"),
    mark("leader epoch checkpoint"),
    mark("metadata log"),
    mark("partition metadata"),
    mark("clean shutdown marker"),
    mark("properties"),
    mark("output of a tool"),
    mark("ignored"),
    mark("offset"),
    mark("from offset"),
    mark("log end offset"),
    mark("log start offset"),
    mark("partition epoch"),
)
"""Values of enumerations and short answers. A word that is not here is shown as it is."""


def term(word: str) -> str:
    """One of WORDS in the chosen language."""
    return tr(word)


def kind_words(kind: str) -> str:
    """An event's kind for a person."""
    return tr(KINDS.get(kind, kind))


def check_words(check: str) -> str:
    """A check in two or three words; the initials of Kafka's terms stay capital."""
    return tr(CHECKS[check])


def lasting(ns: int) -> str:
    """How long something lasts: "1.5 s", "4 min 10 s", "3 h 20 min"."""
    seconds = ns / 1_000_000_000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def percent(share: float) -> str:
    """A share as people read it: 0.5 is "50 %"."""
    return f"{share * 100:.0f} %"
