"""What brokers print of tiered storage: copied segments, disks that begin later, logs behind the tier."""

from core.kafka.tiers import epoch_before
from core.sim.logs.names import segment_id
from core.sim.logs.scribe import Scribe, about, say
from core.trace.trace import Event
from core.trace.vocabulary import StopReason


def on_copied(scribe: Scribe, event: Event) -> None:
    """A leader has copied a segment to the remote tier."""
    partition, broker = event.values["partition"], event.values["broker"]
    segment = f"{event.values['from_offset']:020d}.log"
    words = {
        **about(scribe, partition),
        "segment": segment,
        "segment_id": segment_id(f"{partition} {segment}"),
    }
    say(scribe, broker, "tier-copying", **words)
    say(scribe, broker, "tier-copied", **words)


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
