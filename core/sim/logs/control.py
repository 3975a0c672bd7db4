"""What the controller decides, and what it tells the brokers."""

from collections.abc import Mapping
from typing import Any, Final

from core.sim.logs.life import live
from core.sim.logs.scribe import NOBODY, Scribe, about, comma, say, say_at
from core.trace.trace import Event
from core.trace.vocabulary import Election

_ONLINE: Final = "OnlinePartition"
_FROM_STATE: Final = {
    Election.FIRST: "NewPartition",
    Election.PREFERRED: _ONLINE,
    Election.CONTROLLED: _ONLINE,
}
_OFFLINE: Final = (Election.CLEAN, Election.UNCLEAN)


def isr_of(scribe: Scribe, event: Event) -> tuple[int, ...]:
    """The in-sync set that an event names."""
    return scribe.trace.isrs[event.values["isr"]]


def state_words(
    scribe: Scribe, partition: int, leader: int, epoch: int, isr: tuple[int, ...], version: int
) -> dict[str, Any]:
    """How lines tell the state of a partition."""
    running = live(scribe)
    replicas = [int(one) for one in scribe.trace.partitions[partition].replicas]
    offline = tuple(one for one in replicas if one not in running)
    return {
        **about(scribe, partition),
        "leader": leader,
        "epoch": epoch,
        "isr": comma(isr),
        "isr_list": comma(isr, ", "),
        "version": version,
        "offline": comma(offline, ", "),
    }


def _decide(scribe: Scribe, event: Event) -> dict[str, Any]:
    """Take over what the controller has decided. Gives it in words."""
    partition, get = event.values["partition"], event.get
    control = scribe.control(partition)
    leader, epoch = get("leader"), get("epoch")
    control.leader = control.leader if leader is None else leader
    control.epoch = control.epoch if epoch is None else epoch
    control.isr = isr_of(scribe, event)
    control.version = get("partition_epoch") or 0
    control.decided_at = scribe.at
    return state_words(scribe, partition, control.leader, control.epoch, control.isr, control.version)


def on_created(scribe: Scribe, event: Event) -> None:
    """A partition is created."""
    _decide(scribe, event)
    say(scribe, scribe.controller, "partition-created", **about(scribe, event.values["partition"]))


def on_elected(scribe: Scribe, event: Event) -> None:
    """The controller elects a leader."""
    before = scribe.control(event.values["partition"]).leader
    words = _decide(scribe, event)
    election, by = Election(event.get("aux") or 0), scribe.controller
    # The leadership moves away from a leader that stays in sync: nobody was offline.
    moved = election is Election.CLEAN and before in isr_of(scribe, event)
    if election in _OFFLINE and not moved:
        clean = election is Election.CLEAN
        replicas = [int(one) for one in scribe.trace.partitions[event.values["partition"]].replicas]
        alive = tuple(one for one in replicas if one in live(scribe))
        words["live"] = words["isr"] if clean else comma(alive)
        say(scribe, by, "election-begun", **words)
        say(scribe, by, "leader-clean" if clean else "leader-unclean", **words)
        say(scribe, by, "leader-selected", **words)
        say(scribe, by, "leader-offline", **words)
    elif election is Election.FIRST:
        say(scribe, by, "first-leader", **words)
    elif election is Election.PREFERRED:
        say(scribe, by, "leader-preferred", **words)
    from_state = _ONLINE if moved else _FROM_STATE.get(election, "OfflinePartition")
    say(scribe, by, "leader-changed", from_state=from_state, **words)
    _tell_all(scribe, words)


def on_leaderless(scribe: Scribe, event: Event) -> None:
    """The leader is gone and nobody may lead."""
    before = scribe.control(event.values["partition"]).leader
    words = _decide(scribe, event)
    say(scribe, scribe.controller, "replica-removed", removed=before, **words)
    _tell_all(scribe, words)


def on_isr_committed(scribe: Scribe, event: Event) -> None:
    """The in-sync set has changed: the leader did it, or the controller took a dead replica out."""
    partition, leader = event.values["partition"], event.get("broker")
    before = scribe.control(partition).isr
    words = _decide(scribe, event)
    if leader is None:
        removed = [one for one in before if one not in scribe.control(partition).isr]
        say(scribe, scribe.controller, "replica-removed", removed=comma(tuple(removed)), **words)
        _tell_all(scribe, words)
        return
    copy = scribe.copy(partition, leader)
    copy.isr, copy.version = scribe.control(partition).isr, scribe.control(partition).version
    say(scribe, scribe.controller, "isr-altered", **words)
    say(scribe, leader, "isr-updated", **words)


def _tell_all(scribe: Scribe, words: Mapping[str, Any]) -> None:
    say(scribe, scribe.controller, "metadata-sent", live_list=comma(live(scribe), ", "), **words)


def on_request(scribe: Scribe, event: Event) -> None:
    """A broker hears from the controller who leads."""
    get = event.get
    sent = scribe.at
    if event.cause is not None:
        cause = scribe.trace.event(event.cause)
        # What led to it happened at the controller when it was sent; or on the broker, one way before.
        sent = cause.at if cause.get("broker") is None else (cause.at + scribe.at) // 2
        control = scribe.control(event.values["partition"])
        if control.epoch == get("epoch"):
            # Nor before it was decided, where that took a part of the way.
            sent = max(sent, control.decided_at)
    request(
        scribe,
        event.values["partition"],
        event.values["broker"],
        (get("leader") or NOBODY, get("epoch") or 0, isr_of(scribe, event), get("partition_epoch") or 0),
        sent,
    )


def request(
    scribe: Scribe, partition: int, broker: int, state: tuple[int, int, tuple[int, ...], int], sent: int
) -> Mapping[str, Any]:
    """A LeaderAndIsr request as both sides print it. Gives it in words, for what the broker does next."""
    leader, epoch, isr, version = state
    correlation = scribe.correlations[broker] = scribe.correlations.get(broker, 0) + 1
    leads = leader == broker
    words = {
        **state_words(scribe, partition, leader, epoch, isr, version),
        "correlation": correlation,
        "controller": scribe.controller,
        "controller_epoch": scribe.controller_epoch,
        "role": "leader" if leads else "follower",
        "is_new": "true" if scribe.at == scribe.created_at else "false",
        "with_leader": "" if leads else f" with leader {leader}",
        "leaders": int(leads),
        "followers": int(not leads),
    }
    say_at(scribe, sent, scribe.controller, "request-sent", **{**words, "broker": broker})
    say(scribe, broker, "request-received", **words)
    scribe.requests[partition, broker] = words
    return words


def done(scribe: Scribe, partition: int, broker: int) -> None:
    """The broker has done what a request asked for, and takes the metadata over."""
    words = scribe.requests.pop((partition, broker), None)
    if words is not None:
        say(scribe, broker, "transition-done", **words)
        cached(scribe, broker, words)


def cached(scribe: Scribe, broker: int, words: Mapping[str, Any]) -> None:
    """The metadata that follows every request."""
    scribe.correlations[broker] += 1
    say(scribe, broker, "metadata-cached", **{**words, "correlation": scribe.correlations[broker]})


def on_stale(scribe: Scribe, event: Event) -> None:
    """A request is ignored: its leader epoch is known already, or older."""
    partition, broker = event.values["partition"], event.values["broker"]
    words = scribe.requests.pop((partition, broker), None)
    if words is None:
        return
    current = scribe.copy(partition, broker).leader_epoch
    name = "request-repeated" if words["epoch"] == current else "request-stale"
    say(scribe, broker, name, current=current, **words)
    cached(scribe, broker, words)
