"""What brokers print of their replicas: roles, cuts, fetchers, the in-sync set, epochs, high watermarks."""

from collections.abc import Mapping
from typing import Any, Final

from core.kafka import epochs
from core.sim.logs.control import done, isr_of, request
from core.sim.logs.protocols import Spoken
from core.sim.logs.scribe import NOBODY, Copy, Scribe, about, comma, say, setting
from core.sim.logs.wording import numbers
from core.trace.trace import Event
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import CutReason, StopReason


def _place(scribe: Scribe, event: Event) -> tuple[int, int, Copy]:
    partition, broker = event.values["partition"], event.values["replica"]
    return partition, broker, scribe.copy(partition, broker)


def _words(scribe: Scribe, event: Event) -> dict[str, Any]:
    """What every line of a follower names."""
    partition, _, copy = _place(scribe, event)
    last = epochs.latest_epoch(copy.entries)
    last_epoch = f"Optional[{last}]" if last >= 0 else "Optional.empty"
    return {**about(scribe, partition), "leader": copy.leader, "leo": copy.leo, "last_epoch": last_epoch}


def announce(scribe: Scribe, partition: int, broker: int, *, alone: bool = False) -> None:
    """A broker that is told of a partition creates its log, or takes the one that it loaded.

    To 2.3 it also makes an object for each other replica, which has no high watermark yet; not while there
    is no leader (`alone`).
    """
    copy = scribe.copy(partition, broker)
    words = {
        **about(scribe, partition),
        "leo": copy.leo,
        "log_start": copy.log_start,
        "local_start": copy.first_on_disk,
        "hw": copy.hw,
    }
    if not copy.announced:
        _announce_own(scribe, broker, copy, words)
    if not alone and not copy.knows_others:
        copy.knows_others = True
        for _ in range(len(scribe.trace.partitions[partition].replicas) - 1):
            say(scribe, broker, "other-replica-loaded", **words)


def _announce_own(scribe: Scribe, broker: int, copy: Copy, words: Mapping[str, Any]) -> None:
    if not copy.exists:
        say(scribe, broker, "producer-state", **words)
        say(scribe, broker, "log-opened", **words)
        say(
            scribe,
            broker,
            "log-created",
            format=setting(scribe, broker, "log.message.format.version"),
            **words,
        )
        say(scribe, broker, "hw-missing", **words)
    say(scribe, broker, "hw-loaded", **words)
    copy.exists = copy.announced = True


def _request_for(scribe: Scribe, event: Event) -> Mapping[str, Any]:
    """The request that is carried out. Before the first step none was told: it is made up from the state."""
    partition, broker, _ = _place(scribe, event)
    known = scribe.requests.get((partition, broker))
    if known is not None:
        return known
    held = scribe.control(partition)
    return request(scribe, partition, broker, (held.leader, held.epoch, held.isr, held.version), scribe.at)


def on_leader(scribe: Scribe, event: Event) -> None:
    """A broker leads."""
    partition, broker, copy = _place(scribe, event)
    words = _request_for(scribe, event)
    say(scribe, broker, "transition-begun", **words)
    say(scribe, broker, "leading-fetchers-stopped", **words)
    say(scribe, broker, "fetcher-removed", **words)
    announce(scribe, partition, broker)
    say(scribe, broker, "leader-starts", leo=copy.leo, hw=copy.hw, before=copy.leader_epoch, **words)
    if copy.role == "leader":
        say(scribe, broker, "already-leader", **words)
    else:
        copy.remote.clear()
    copy.role, copy.leader, copy.leader_epoch, copy.fetching = "leader", broker, words["epoch"], False
    copy.isr, copy.version = isr_of(scribe, event), event.get("partition_epoch") or 0
    done(scribe, partition, broker)


def on_follower(scribe: Scribe, event: Event) -> None:
    """A broker follows. What it cuts comes next; the request is done when its fetcher is there."""
    partition, broker, copy = _place(scribe, event)
    words = _request_for(scribe, event)
    leader = words["leader"]
    kept = copy.fetching and copy.leader == leader and scribe.runs_by(broker).switches.same_leader == "keep"
    before, copy.leader_epoch = copy.leader_epoch, words["epoch"]
    copy.role, copy.leader = "follower", leader
    say(scribe, broker, "transition-begun", **words)
    if leader == NOBODY:
        announce(scribe, partition, broker, alone=True)
        say(scribe, broker, "leader-unavailable", **words)
    elif kept:
        say(scribe, broker, "same-leader", **words)
    if leader == NOBODY or kept:
        done(scribe, partition, broker)
        return
    announce(scribe, partition, broker)
    say(scribe, broker, "follower-starts", leo=copy.leo, hw=copy.hw, before=before, **words)
    say(scribe, broker, "following-fetchers-stopped", **words)
    say(scribe, broker, "fetcher-removed", **words)


def on_fetcher(scribe: Scribe, event: Event) -> None:
    """A fetcher is there."""
    partition, broker, copy = _place(scribe, event)
    copy.fetching, copy.leader = True, event.values["leader"]
    first = _first_fetch(scribe.runs_by(broker), copy)
    words = {**_words(scribe, event), "epoch": copy.leader_epoch, "offset": first}
    say(scribe, broker, "fetcher-added", **words)
    asked = scribe.requests.get((partition, broker))
    if asked is not None:
        say(scribe, broker, "following-log-cut", **asked)
        say(scribe, broker, "following-fetcher-started", **asked)
        done(scribe, partition, broker)


def _first_fetch(mine: Spoken, copy: Copy) -> int:
    """The offset that is printed as the first to be fetched.

    To 1.0 the log end; from 1.1 the high watermark, from 2.7 only where no epoch is known
    (ReplicaManager.makeFollowers, KAFKA-6361; KAFKA-10554).
    """
    at_end = numbers(mine.release) < (1, 1) or (
        mine.switches.truncation == "fetch-divergence" and bool(copy.entries)
    )
    return copy.leo if at_end else copy.hw


def on_fetcher_removed(scribe: Scribe, event: Event) -> None:
    """Without a leader nothing is fetched. No line says so."""
    _place(scribe, event)[2].fetching = False


def on_cut_decided(scribe: Scribe, event: Event) -> None:
    """Why a follower cuts, where the release prints it."""
    _, broker, copy = _place(scribe, event)
    words = {**_words(scribe, event), "to": event.values["offset"], "hw": copy.hw}
    cause = scribe.trace.event(event.cause) if event.cause is not None else None
    answer = cause if cause is not None and cause.kind == "epoch_end_answered" else None
    answered = answer.get("aux") if answer is not None else None
    if event.get("aux") == CutReason.LOCAL_HIGH_WATERMARK:
        say(scribe, broker, "cut-to-hw" if answer is None else "epoch-unknown", **words)
        return
    if answered is not None and scribe.runs_by(broker).switches.epoch_answer == "epoch-and-offset":
        known = [epoch for epoch, _ in copy.entries if epoch <= answered]
        if not known:
            say(scribe, broker, "epoch-below-all", answered=answered, **words)
        elif known[-1] != answered:
            say(scribe, broker, "cut-then-ask", answered=answered, **words)
    if event.values["offset"] < copy.hw:
        say(scribe, broker, "cut-below-hw", **words)


def on_cut(scribe: Scribe, event: Event) -> None:
    """A log is cut. A tail that never reached the disk is just not there at a start: no line says so."""
    _, broker, copy = _place(scribe, event)
    if event.get("aux") == CutReason.RECOVERY:
        return
    to, was = _asked(scribe, event), event.values["from_offset"]
    words = {**_words(scribe, event), "to": to, "was": was, "leo": to, "hw": copy.hw}
    say(scribe, broker, "cut", **words)
    if to < copy.hw:
        say(scribe, broker, "cut-was-below-hw", **words)
    if copy.lowered is not None:
        say(scribe, broker, "hw-lowered", **{**words, "was": copy.lowered[0], "hw": copy.lowered[1]})
        copy.lowered = None
    say(scribe, broker, "producer-state", **words)
    if event.get("aux") == CutReason.LEADER_END:
        say(scribe, broker, "out-of-range", **words)


def _asked(scribe: Scribe, cut: Event) -> int:
    """The offset that a cut was asked for, which Kafka prints (Log.truncateTo, 0.11 to 4.1).

    Inside a batch the records begin to go before it, and the log ends at it.
    """
    decided = None if cut.cause is None else scribe.trace.event(cut.cause)
    return cut.values["offset"] if decided is None else decided.values["offset"]


def on_noop(scribe: Scribe, event: Event) -> None:
    """A cut that removes nothing."""
    _, broker, copy = _place(scribe, event)
    words = {**_words(scribe, event), "to": event.values["offset"], "last": copy.leo - 1}
    say(scribe, broker, "cut-asked", **words)
    say(scribe, broker, "cut-at-end", **words)
    if event.values["offset"] > copy.leo:
        say(scribe, broker, "cut-beyond-end", **words)


def on_not_needed(scribe: Scribe, event: Event) -> None:
    """The leader's answer is the log end or beyond (0.11 prints it, and then a cut of nothing)."""
    _, broker, copy = _place(scribe, event)
    asks = scribe.runs_by(broker).switches.truncation == "epoch-request"
    if event.get("aux") == CutReason.LEADER_EPOCH and asks:
        words = {**_words(scribe, event), "to": event.values["offset"], "last": copy.leo - 1}
        say(scribe, broker, "cut-not-needed", **words)
        say(scribe, broker, "cut-at-end", **{**words, "to": copy.leo})


def on_reset(scribe: Scribe, event: Event) -> None:
    """A follower beyond its leader's log end goes back to it; one below the log start begins there anew."""
    partition, broker, copy = _place(scribe, event)
    was, to = event.values["from_offset"], event.values["offset"]
    start = scribe.copy(partition, copy.leader).log_start
    words = {**_words(scribe, event), "was": was, "to": to, "leader_start": start}
    name = "offset-reset" if to < was else "offset-reset-to-start" if to > was else "offset-reset-to-itself"
    say(scribe, broker, name, **words)


def on_fetch_failed(scribe: Scribe, event: Event) -> None:
    """A fetch is not answered, or is refused."""
    _, broker, copy = _place(scribe, event)
    epoch = event.get("epoch")
    words = {
        **_words(scribe, event),
        "offset": event.values["offset"],
        "epoch": copy.leader_epoch if epoch is None else epoch,
        "mark": f"{0x1000000 + event.seq:x}",
    }
    reason = event.get("aux")
    if reason == StopReason.UNREACHABLE:
        say(scribe, broker, "fetch-unreachable", **words)
    elif reason == StopReason.NOT_LEADER:
        say(scribe, broker, "fetch-not-leader", **words)
    elif reason == StopReason.FENCED_LEADER_EPOCH:
        say(scribe, broker, "fetch-fenced", **words)
        say(scribe, broker, "fetch-failed", **words)
    elif reason == StopReason.UNKNOWN_LEADER_EPOCH:
        say(scribe, broker, "fetch-ahead", **words)


def on_epoch_failed(scribe: Scribe, event: Event) -> None:
    """A leader does not say where an epoch ends."""
    _, broker, copy = _place(scribe, event)
    last_epoch = epochs.latest_epoch(copy.entries)
    words = {**_words(scribe, event), "last_epoch": last_epoch, "epoch": copy.leader_epoch}
    reason = event.get("aux")
    if reason == StopReason.FENCED_LEADER_EPOCH:
        say(scribe, broker, "fetch-fenced", **words)
        say(scribe, broker, "fetch-failed", **words)
        return
    if reason == StopReason.UNREACHABLE:
        say(scribe, broker, "epoch-unreachable", **words)
    unknown = "UNKNOWN" if scribe.release_of(broker) < (1, 0) else "UNKNOWN_SERVER_ERROR"
    say(scribe, broker, "epoch-retry", error=_ERRORS.get(StopReason(reason or 0), unknown), **words)


_ERRORS: Final = {
    StopReason.NOT_LEADER: "NOT_LEADER_FOR_PARTITION",
    StopReason.UNKNOWN_LEADER_EPOCH: "UNKNOWN_LEADER_EPOCH",
}


def on_isr_proposed(scribe: Scribe, event: Event) -> None:
    """A leader wants another in-sync set."""
    _, broker, copy = _place(scribe, event)
    isr = isr_of(scribe, event)
    gone = [one for one in copy.isr if one not in isr]
    late = [f"(brokerId: {one}, endOffset: {copy.remote.get(one, -1)}" for one in gone]
    # The last moment at which they can have caught up: the run does not keep the true one.
    lag_ms = int(setting(scribe, broker, "replica.lag.time.max.ms"))
    since_ms = (scribe.origin + scribe.at) // MILLISECOND_NS - lag_ms
    words = {
        **_words(scribe, event),
        "was": comma(copy.isr),
        "isr": comma(isr),
        "late": " ".join(f"{one})" for one in late),
        "late_since": " ".join(f"{one}, lastCaughtUpTimeMs: {since_ms})" for one in late),
        "hw": copy.hw,
    }
    say(scribe, broker, "isr-shrinking" if event.kind == "isr_shrink_proposed" else "isr-expanding", **words)


def on_isr_rejected(scribe: Scribe, event: Event) -> None:
    """A leader that knows an old state of the partition may not change the in-sync set."""
    partition, broker = event.values["partition"], event.values["broker"]
    words = {**about(scribe, partition), "version": scribe.copy(partition, broker).version}
    say(scribe, broker, "isr-rejected", **words)


def on_epoch_assigned(scribe: Scribe, event: Event) -> None:
    """An entry is put into the epoch cache. While it is loaded from its file nothing is printed."""
    partition, broker, copy = _place(scribe, event)
    epoch, offset = event.values["epoch"], event.values["offset"]
    if event.cause is not None and scribe.trace.event(event.cause).kind == "epoch_cache_loaded":
        copy.entries = epochs.assign(
            copy.entries, epoch, offset, scribe.runs_by(broker).switches.epoch_conflict
        )
    else:
        assign_epoch(scribe, partition, broker, epoch, offset)


def assign_epoch(scribe: Scribe, partition: int, broker: int, epoch: int, offset: int) -> None:
    """Put an entry into the epoch cache of a replica, and print it where the release does."""
    copy = scribe.copy(partition, broker)
    before = copy.entries
    copy.entries = epochs.assign(before, epoch, offset, scribe.runs_by(broker).switches.epoch_conflict)
    say_assigned(scribe, partition, broker, before, copy.entries, (epoch, offset))


def say_assigned(
    scribe: Scribe,
    partition: int,
    broker: int,
    before: epochs.Entries,
    after: epochs.Entries,
    entry: tuple[int, int],
) -> None:
    """Print that an entry, of an epoch and its start offset, was put into an epoch cache."""
    last_epoch, last_start = before[-1] if before else epochs.NO_END
    gone = [one for one in before if one not in after]
    words = {
        **about(scribe, partition),
        "epoch": entry[0],
        "offset": entry[1],
        "last_epoch": last_epoch,
        "last_start": last_start,
        "removed": ", ".join(f"EpochEntry(epoch={one}, startOffset={start})" for one, start in gone),
    }
    say(scribe, broker, "epoch-assigned", count=len(before), **words)
    if gone:
        say(scribe, broker, "epochs-conflict", count=len(after), **words)


def on_epochs_loaded(scribe: Scribe, event: Event) -> None:
    """The epoch cache is read from its file: the entries follow."""
    _place(scribe, event)[2].entries = ()


def on_epochs_cut(scribe: Scribe, event: Event) -> None:
    """Entries of epochs that begin at or above a cut go."""
    partition, broker, copy = _place(scribe, event)
    offset, before = event.values["offset"], copy.entries
    copy.entries = epochs.cut_end(before, offset)
    gone = ", ".join(f"EpochEntry({one},{start})" for one, start in before if start >= offset)
    words = {**about(scribe, partition), "removed": gone, "offset": offset, "count": len(copy.entries)}
    of_append = event.cause is not None and scribe.trace.event(event.cause).kind == "appended"
    say(scribe, broker, "epochs-cleared" if of_append else "epochs-cut", **words)


def on_hw(scribe: Scribe, event: Event) -> None:
    """A high watermark moves. Only that one goes back is printed, after the cut that it comes with."""
    partition, broker, copy = _place(scribe, event)
    was, copy.hw = copy.hw, event.values["hw"]
    if event.kind != "hw_moved" or was <= copy.hw:
        return
    if event.cause is not None and scribe.trace.event(event.cause).kind == "truncation_decided":
        copy.lowered = (was, copy.hw)
    else:
        say(scribe, broker, "hw-lowered", **about(scribe, partition), was=was, hw=copy.hw)
