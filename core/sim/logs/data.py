"""How events change what lies on a disk. They print nothing."""

from core.sim.logs.scribe import Scribe
from core.trace.trace import Event
from core.trace.vocabulary import CutReason

NOTHING = (-1, -1)
"""An offset that holds no record: a cut inside a batch has left it (see `log_gap` in docs/trace.md)."""


def on_appended(scribe: Scribe, event: Event) -> None:
    """Records are appended."""
    copy = scribe.copy(event.values["partition"], event.values["replica"])
    first, count = event.values["aux"], event.values["offset"] - event.values["from_offset"]
    copy.log += [NOTHING] * (event.values["from_offset"] - copy.leo)
    start = copy.leo
    copy.log += [(number, event.values["epoch"]) for number in range(first, first + count)]
    _note_format(scribe, event.values["partition"], event.values["replica"], range(start, copy.leo))


def _note_format(scribe: Scribe, partition: int, broker: int, offsets: range) -> None:
    """Which of the records just appended are in an old message format, by leader and fetch."""
    if not scribe.spoken:
        return
    copy, runs_by = scribe.copy(partition, broker), scribe.runs_by(broker)
    if copy.role != "follower":
        copy.old.update(offsets if runs_by.writes_old else ())
    else:
        leader = scribe.copy(partition, copy.leader)
        copy.old.update(offsets if runs_by.fetches_old else leader.old.intersection(offsets))


def on_joined(scribe: Scribe, event: Event) -> None:
    """What the remote tier holds belongs to the log, and takes the place of what was there (KIP-405)."""
    copy = scribe.copy(event.values["partition"], event.values["replica"])
    copy.drop_from(event.values["from_offset"])
    on_appended(scribe, event)


def on_truncated(scribe: Scribe, event: Event) -> None:
    """Records are removed from the end."""
    scribe.copy(event.values["partition"], event.values["replica"]).drop_from(event.values["offset"])


def on_loaded(scribe: Scribe, event: Event) -> None:
    """A log is loaded: what was not flushed may be gone."""
    scribe.copy(event.values["partition"], event.values["replica"]).drop_from(event.values["leo"])


def on_checkpointed(scribe: Scribe, event: Event) -> None:
    """A high watermark is written to disk."""
    scribe.copy(event.values["partition"], event.values["replica"]).checkpointed = event.values["hw"]


def on_flushed(scribe: Scribe, event: Event) -> None:
    """A log is flushed up to an offset."""
    scribe.copy(event.values["partition"], event.values["replica"]).flushed = event.values["offset"]


def on_log_start(scribe: Scribe, event: Event) -> None:
    """The log start moves: what is below is gone."""
    copy = scribe.copy(event.values["partition"], event.values["replica"])
    del copy.log[: max(event.values["log_start"] - copy.log_start, 0)]
    copy.log_start = event.values["log_start"]


def on_created(scribe: Scribe, event: Event) -> None:
    """A log begins empty, at its log start."""
    copy = scribe.copy(event.values["partition"], event.values["replica"])
    copy.log_start = copy.checkpointed = copy.hw = event.values["log_start"]


def on_reset(scribe: Scribe, event: Event) -> None:
    """A log is dropped whole and begins anew."""
    copy = scribe.copy(event.values["partition"], event.values["replica"])
    copy.log, copy.entries, copy.log_start = [], (), event.values["offset"]
    copy.old = set()
    copy.disk_start = copy.log_start
    if event.get("aux") == CutReason.RECOVERY:
        # The disk is a new one.
        copy.hw = copy.checkpointed = copy.flushed = 0
        copy.exists = False


def on_remote(scribe: Scribe, event: Event) -> None:
    """A leader hears of a follower's log end."""
    copy = scribe.copy(event.values["partition"], event.values["broker"])
    copy.remote[event.values["replica"]] = event.values["leo"]
