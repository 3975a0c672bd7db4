"""What brokers print when a log moves to another of their directories (KIP-113)."""

from core.kafka import epochs
from core.kafka.epochs import Entries
from core.sim.logs.data import NOTHING
from core.sim.logs.names import name_of
from core.sim.logs.replicas import say_assigned
from core.sim.logs.scribe import Copy, Scribe, about, directory, say, setting
from core.trace.trace import Event


def on_moved(scribe: Scribe, event: Event) -> None:
    """A log is copied to the other directory of its broker, and the copy takes its place.

    The entries of its epoch cache follow as events of their own. To 2.0.0 each is printed as it is made.
    """
    partition, broker = event.values["partition"], event.values["replica"]
    copy, about_it = scribe.copy(partition, broker), about(scribe, partition)
    place = (broker, str(about_it["tp"]))
    here = directory(broker, second=place in scribe.aside)
    there = directory(broker, second=place not in scribe.aside)
    words = {
        **about_it,
        "leo": copy.leo,
        "log_start": copy.log_start,
        "hw": copy.hw,
        "current": f"{here}/{about_it['tp']}",
        "target": there,
        "future": f"{there}/{about_it['tp']}.{_mark(event)}-future",
        "format": setting(scribe, broker, "log.message.format.version"),
        "id": f"topicId={about_it['topic_id']}, " if scribe.release_of(broker) >= (3, 3) else "",
    }
    for name in ("copy-created", "copy-begun"):
        say(scribe, broker, name, **words)
    _say_entries(scribe, partition, broker, copy)
    for name in ("log-replacing", "log-replaced"):
        say(scribe, broker, name, **words)
    scribe.aside ^= {place}


def _say_entries(scribe: Scribe, partition: int, broker: int, copy: Copy) -> None:
    """What the copy knows of leader epochs, entry by entry."""
    entries: Entries = ()
    held = [(one, copy.log_start + at) for at, one in enumerate(copy.log) if one != NOTHING]
    for (_, epoch), offset in held:
        more = epochs.assign(entries, epoch, offset, scribe.runs_by(broker).switches.epoch_conflict)
        if more != entries:
            say_assigned(scribe, partition, broker, entries, more, (epoch, offset))
        entries = more


def _mark(event: Event) -> str:
    """32 signs that tell one copy from another (UnifiedLog.logFutureDirName)."""
    return name_of(f"copy {event.seq}").encode().hex()[:32]
