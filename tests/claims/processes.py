"""Sentences on brokers as processes, and on what they are told."""

from collections.abc import Callable

from core.trace.trace import Event
from tests.claims.claim import At, claim
from tests.claims.world import NOBODY, World


def _until_then(at: At, kinds: tuple[str, ...]) -> tuple[tuple[Event, World, World], ...]:
    """What happens until an event of these kinds about the same broker."""
    found: list[tuple[Event, World, World]] = []
    for one in at.later():
        if one[0].get("replica") == at.who and one[0].kind in kinds:
            break
        found.append(one)
    return tuple(found)


def _title(kind: str) -> Callable[[At], bool]:
    def names_it(at: At) -> bool:
        return at.event.kind == kind and at.is_broker("who", at.who)

    return names_it


for id_, kind in {
    "why.process.starting.title": "broker_starting",
    "why.process.started.title": "broker_started",
    "why.process.registered.title": "broker_registered",
    "why.process.fenced.title": "broker_fenced",
    "why.process.unfenced.title": "broker_unfenced",
    "why.process.shutdown-requested.title": "shutdown_requested",
    "why.process.shutdown-begun.title": "controlled_shutdown_begun",
    "why.process.shutdown-ended.title": "controlled_shutdown_ended",
    "why.process.exited.title": "broker_exited",
    "why.process.unclean-restart.title": "unclean_restart_detected",
    "why.process.frozen.title": "broker_frozen",
    "why.process.thawed.title": "broker_thawed",
    "why.process.failure-noticed.title": "broker_failure_noticed",
    "why.process.session-expired.title": "session_expired",
    "why.process.resigned.title": "controller_resigned",
    "why.process.silent.title": "evidence_gap",
    "why.process.silent-for.title": "evidence_gap",
    "why.stopped.title": "broker_stopped",
    "why.stopped": "broker_stopped",
    "why.crashed.title": "broker_crashed",
    "why.crashed": "broker_crashed",
}.items():
    claim(id_, by_lines=True)(_title(kind))


@claim("why.process.controller.title", by_lines=True)
def a_controller_is_elected(at: At) -> bool:
    return at.event.kind == "controller_elected"


@claim("why.process.starting")
def memory_is_gone(at: At) -> bool:
    one = at.after.of(at.who)
    return one.role == "none" and not one.remote


@claim("why.process.started")
def it_takes_part_once_told(at: At) -> bool:
    """It leads or follows only after the controller's word has reached it."""
    for event, _, _ in at.later():
        if event.get("replica") == at.who:
            if event.kind in ("leader_and_isr_received", "metadata_applied"):
                return True
            if event.kind in ("became_leader", "became_follower"):
                return event.cause is not None and not any(one.kind == "step" for one, _, _ in at.earlier())
    return True


@claim("why.process.registered")
def it_is_entered_and_with_kraft_fenced(at: At) -> bool:
    """With KRaft it leads nothing until it is let in."""
    kraft = at.run.rules.switches.controller == "kraft"
    return kraft == (at.who in at.after.gone) and (not kraft or _leads_nothing(at))


@claim("why.process.session-expired")
def it_counts_as_dead(at: At) -> bool:
    return at.who in at.after.gone and _takes_no_part(at)


@claim("why.process.fenced")
def it_may_not_lead(at: At) -> bool:
    """It may join the set: a release before 3.3 lets it, and so does the switch (KIP-841)."""
    return at.who in at.after.gone and _leads_nothing(at)


def _leads_nothing(at: At) -> bool:
    """It is not elected until it is back."""
    return not any(
        event.kind == "leader_elected" and event.get("leader") == at.who
        for event, _, _ in _until_then(at, ("broker_unfenced", "broker_registered"))
    )


def _takes_no_part(at: At) -> bool:
    """It is not elected, and joins no set, until it is back."""
    for event, before, _ in _until_then(at, ("broker_unfenced", "broker_registered")):
        if event.kind == "leader_elected" and event.get("leader") == at.who:
            return False
        decided = event.kind == "isr_committed" and event.get("broker") is None
        if decided and at.who in set(at.run.isr(event)) - set(before.isr):
            return False
    return True


@claim("why.process.unfenced")
def it_may_lead_again(at: At) -> bool:
    return at.who not in at.after.gone


@claim("why.process.hands-over")
def it_asks_before_it_stops(at: At) -> bool:
    """The controller's answer comes before the stop, whether or not another could lead."""
    mine = [event.kind for event, _, _ in at.later() if event.get("replica") == at.who]
    ends = [kind for kind in mine if kind in ("controlled_shutdown_ended", "broker_stopped")]
    return not ends or ends[0] == "controlled_shutdown_ended"


@claim("why.process.shutdown-ended")
def granted_or_given_up(at: At) -> bool:
    return at.event.get("aux") == 0 or at.after.leader != at.who


@claim("why.process.exited")
def it_ended_by_its_own_decision(at: At) -> bool:
    return at.event.kind == "broker_exited" and at.who not in at.after.up


@claim("why.process.unclean-restart")
def it_checks_its_logs(at: At) -> bool:
    return at.event.kind == "unclean_restart_detected"


@claim("why.process.frozen")
def it_stands_still(at: At) -> bool:
    """Nothing happens in it until it runs again; what is told of it is told by others."""
    for event, _, _ in _until_then(at, ("broker_thawed", "broker_crashed")):
        if event.get("broker") == at.who == event.get("replica") and event.kind != "broker_fenced":
            return False
    return True


@claim("why.process.thawed")
def it_goes_on_where_it_stood(at: At) -> bool:
    for event, _, world in at.earlier():
        if event.kind == "broker_frozen" and event.get("replica") == at.who:
            was, now = world.of(at.who), at.after.of(at.who)
            return (was.role, was.epoch, was.log, was.hw) == (now.role, now.epoch, now.log, now.hw)
    return False


@claim("why.process.failure-noticed")
def its_leaderships_are_taken(at: At) -> bool:
    """At the same instant."""
    if at.before.leader != at.who:
        return True
    now = [world.leader for event, _, world in at.later() if event.at == at.event.at]
    return bool(now) and now[-1] != at.who


@claim("why.process.silent", "why.process.resigned")
def nothing_is_told(at: At) -> bool:
    return at.event.kind in ("evidence_gap", "controller_resigned")


@claim("why.process.controller")
def it_decides_from_now_on(at: At) -> bool:
    return at.event.kind == "controller_elected"


@claim("why.stopped.log")
def what_stays_on_the_disk(at: At) -> bool:
    """What it loads when it comes back with the same disk."""
    end = at.before.of(at.who).end
    if at.number("end") != end:
        return False
    for event, _, world in at.later():
        if event.kind == "log_reset" and event.get("replica") == at.who:
            break
        if event.kind == "log_loaded" and event.get("replica") == at.who:
            return world.of(at.who).end == end
    return True


@claim("why.crashed.log", "why.crashed.log.start", "why.crashed.log.only")
def at_most_that_is_on_the_disk(at: At) -> bool:
    """And the high watermark of the last checkpoint, when it is loaded again, on the same disk.

    Or the log start, where the sentence says so.
    """
    one = at.before.of(at.who)
    mine = [(event, world.of(at.who)) for event, _, world in at.later() if event.get("replica") == at.who]
    loaded = [(event, later) for event, later in mine if event.kind in ("hw_loaded", "log_reset")][:1]
    floor = one.start if at.message.id.endswith(".start") else 0
    return at.number("end") == one.end and all(
        later.end <= one.end
        and (event.kind == "log_reset" or later.hw == max(min(one.checkpoint, later.end), floor))
        for event, later in loaded
    )


@claim("why.stopped.led")
def nothing_is_written_until_an_election(at: At) -> bool:
    if at.before.of(at.who).role != "leader":
        return False
    for event, _, _ in at.later():
        if event.kind == "leader_elected" or (
            event.get("replica") == at.who and event.kind == "became_leader"
        ):
            break
        if event.kind == "acknowledged" and event.get("aux") == -1:
            return False
    return True


@claim("why.rule.stopped")
def the_checkpoint_is_written_at_a_stop(at: At) -> bool:
    one = at.before.of(at.who)
    return at.event.kind != "broker_stopped" or one.checkpoint == one.hw


@claim("why.stale-request.title", "why.stale-request", "why.rule.stale-request")
def the_epoch_is_known(at: At) -> bool:
    return (at.event.get("epoch") or 0) <= at.before.of(at.who).epoch and at.before.of(at.who) == at.after.of(
        at.who
    )


_ROLE = ("", ".isr", ".leaderless", ".leaderless-isr", ".leader", ".leader-isr", ".epoch", ".epoch-isr")
_ROLE_OF_EPOCH = (".epoch-leaderless", ".epoch-leaderless-isr", ".epoch-leader", ".epoch-leader-isr")


@claim(*(f"why.role{end}" for end in (*_ROLE, *_ROLE_OF_EPOCH)), by_lines=True)
def the_request_says_so(at: At) -> bool:
    said, event = at.said, at.event
    right = "epoch" not in said or at.number("epoch") == event.get("epoch")
    if "leader" in said:
        right = right and at.is_broker("leader", event.get("leader"))
    if "isr" in said:
        right = right and set(at.brokers("isr")) == set(at.run.isr(event))
    return right and ("leaderless" in at.message.id) == (event.get("leader") == NOBODY)


@claim("why.role-sent.title", "why.role-sent", "why.role-sent.to-all", by_lines=True)
def the_controller_sends_it(at: At) -> bool:
    return at.event.kind in ("leader_and_isr_sent", "metadata_sent")


@claim("why.role-told.title", "why.role-told", by_lines=True)
def it_heard_from_the_controller(at: At) -> bool:
    told = at.event.kind in ("leader_and_isr_received", "metadata_applied")
    return told and at.is_broker("who", at.who)
