"""What brokers print of tiered storage: segments copied and deleted, disks and logs that begin later."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from core.kafka.tiers import RemoteSegment, epoch_before, with_records
from core.sim.logs.names import segment_id
from core.sim.logs.scribe import Scribe, about, say
from core.trace.ids import Seq
from core.trace.trace import Event
from core.trace.vocabulary import NUMBER, StopReason, TierDeletion

_REASONS: Final[Mapping[str, str]] = {
    "step": "segment deletion",
    "fetch_delivered": "leader offset increment",
}
"""By what moved a log start: what the line on it says (LogStartOffsetIncrementReason)."""
_NAMES: Final[Mapping[TierDeletion, str]] = {
    TierDeletion.RETENTION: "tier-deleted-retention",
    TierDeletion.LOG_START: "tier-deleted-log-start",
    TierDeletion.NO_EPOCH: "tier-deleted-no-epoch",
}
_DELETED: Final = NUMBER["tier_deleted"]


def on_copied(scribe: Scribe, event: Event) -> None:
    """A leader has copied a segment to the remote tier."""
    partition, broker = event.values["partition"], event.values["broker"]
    entries = scribe.copy(partition, broker).entries
    scribe.tier[partition, *_span(event)] = RemoteSegment(*_span(event), entries).epochs
    words = {**about(scribe, partition), **_segment(event)}
    say(scribe, broker, "tier-copying", **words)
    say(scribe, broker, "tier-copied", **words)


def _segment(event: Event) -> dict[str, Any]:
    """How lines name a segment in the tier: by its file, and by an id."""
    first, end = _span(event)
    segment = f"{first:020d}.log"
    made = segment_id(f"{event.values['partition']} {segment} to {end}")
    return {"segment": segment, "segment_id": made, "last": end - 1}


def on_log_start(scribe: Scribe, event: Event) -> None:
    """A log with remote segments begins higher: its leader deletes some, a follower hears of it."""
    partition, broker = event.values["partition"], event.values["replica"]
    tiered = any(one == partition for one, _, _ in scribe.tier)
    if not tiered or event.cause is None:
        return
    cause = scribe.trace.event(event.cause).kind
    if cause not in _REASONS:
        return
    for deletion in _deleted_for(scribe, event.seq):
        _say_deleted(scribe, deletion)
    words = {"to": event.values["log_start"], "reason": _REASONS[cause]}
    say(scribe, broker, "tier-log-start", **about(scribe, partition), **words)


def _deleted_for(scribe: Scribe, log_start: Seq) -> Iterator[Event]:
    """The deletions for which a log begins higher: they are announced before it does, and done after.

    Those of segments to which no epoch leads are found after it, by the epochs that are left then
    (RemoteLogManager.cleanupExpiredRemoteLogSegments).
    """
    columns = scribe.trace.columns
    found = np.flatnonzero((columns["cause"] == log_start) & (columns["kind"] == _DELETED))
    for event in scribe.trace.events(found):
        if event.values["aux"] != TierDeletion.NO_EPOCH:
            yield event


def on_deleted(scribe: Scribe, event: Event) -> None:
    """A leader deletes a remote segment. If its log begins higher for it, it has announced that before."""
    of_step = event.cause is None or scribe.trace.event(event.cause).kind != "log_start_moved"
    if of_step or event.values["aux"] == TierDeletion.NO_EPOCH:
        _say_deleted(scribe, event)


def _say_deleted(scribe: Scribe, event: Event) -> None:
    partition, broker = event.values["partition"], event.values["replica"]
    reason = TierDeletion(event.values["aux"])
    if reason not in _NAMES:
        return
    copy, own = scribe.copy(partition, broker), scribe.tier[partition, *_span(event)]
    of_records = reason is TierDeletion.LOG_START
    epoch, start = (with_records(copy.entries) if of_records else copy.entries)[0]
    words = {
        **about(scribe, partition),
        **_segment(event),
        "log_start": copy.log_start,
        "epoch": epoch,
        "start": start,
        "epochs": "{" + ", ".join(f"{one}={begins}" for one, begins in own) + "}",
        "own": f"[{', '.join(str(one) for one, _ in own)}]",
    }
    say(scribe, broker, _NAMES[reason], **words)


def _span(event: Event) -> tuple[int, int]:
    return event.values["from_offset"], event.values["offset"]


def on_local_start(scribe: Scribe, event: Event) -> None:
    """Segments are deleted from a disk, or a follower was built behind the remote tier.

    In 3.6 and 3.7 no line of INFO tells of the latter.
    """
    partition, broker, offset = event.values["partition"], event.values["replica"], event.values["offset"]
    copy = scribe.copy(partition, broker)
    copy.disk_start = offset
    words = {**about(scribe, partition), "to": offset}
    if event.cause is not None and scribe.trace.event(event.cause).kind == "step":
        say(scribe, broker, "local-start-moved", **words)
        return
    words |= {
        "to": scribe.copy(partition, copy.leader).first_on_disk,
        "count": len(copy.entries),
        "leader": copy.leader,
        "recovery": "RECOVERING" if scribe.control(partition).recovering else "RECOVERED",
    }
    say(scribe, broker, "tier-state-built", **words)


def on_state_missing(scribe: Scribe, event: Event) -> None:
    """A follower does not find in the remote tier what lies before the disk of its leader."""
    if event.get("aux") != StopReason.REMOTE_STATE_MISSING:
        return
    partition, broker = event.values["partition"], event.values["replica"]
    copy = scribe.copy(partition, broker)
    leader = scribe.copy(partition, copy.leader)
    say(
        scribe,
        broker,
        "tier-state-missing",
        **about(scribe, partition),
        leader=copy.leader,
        epoch=copy.leader_epoch,
        local_start=leader.first_on_disk,
        leader_start=leader.log_start,
        before=epoch_before(leader.entries, leader.leo, leader.first_on_disk),
    )
