"""Sentences on a log that moves to another directory of its broker (KIP-113, KAFKA-15608)."""

from core.trace.vocabulary import StopReason
from tests.claims.claim import At, claim
from tests.claims.world import Replica


def _then(at: At) -> Replica:
    """The replica once the cache of the moved log is told."""
    one = at.after.of(at.who)
    for event, _, world in at.later():
        if event.get("replica") == at.who:
            if event.kind not in ("epoch_cache_loaded", "epoch_assigned"):
                break
            one = world.of(at.who)
    return one


@claim("why.log-moved.title", by_lines=True)
def a_log_moves(at: At) -> bool:
    return at.event.kind == "log_moved" and at.is_broker("who", at.who)


@claim("why.log-moved")
def it_has_the_same_records(at: At) -> bool:
    was, now = at.before.of(at.who), _then(at)
    return (was.log, was.start, was.hw) == (now.log, now.start, now.hw) and at.is_broker("who", at.who)


@claim("why.log-moved.forgotten")
def its_last_epoch_is_gone(at: At) -> bool:
    was, now = at.before.of(at.who), _then(at)
    last = (at.number("epoch"), at.number("offset"))
    return was.entries[-1] == last and last[0] not in {epoch for epoch, _ in (*now.entries, *_epochs(was))}


def _epochs(one: Replica) -> list[tuple[int, int]]:
    return [(epoch, record) for record, epoch in one.log]


@claim("why.rule.log-moved")
def it_knows_the_epochs_of_its_records(at: At) -> bool:
    now = _then(at)
    if not now.entries:
        return at.run.rules.switches.epoch_entry == "none" or not now.log
    firsts: dict[int, int] = {}
    for place, (record, epoch) in enumerate(now.log):
        if record >= 0:
            firsts.setdefault(epoch, now.start + place)
    return now.entries == tuple(firsts.items())


@claim("why.since.log-moved")
def the_release_can_move_it(at: At) -> bool:
    return at.run.rules.switches.directory_move != "none"


@claim("why.fetch.out-of-range.epoch", "why.rule.out-of-range.epoch")
def the_leader_does_not_know_the_epoch(at: At) -> bool:
    """Its fetch named its last epoch; no entry of the leader's cache is of that or a later one."""
    one, leader = at.before.of(at.who), at.before.of(at.event.get("leader"))
    named = one.entries[-1][0]
    if "epoch" in at.said and at.number("epoch") != named:
        return False
    failed = next(event for event in at.caused() if event.kind == "fetch_failed")
    in_range = leader.start <= failed.values["offset"] <= leader.end
    unknown = all(epoch < named for epoch, _ in leader.entries)
    return unknown and in_range and failed.get("aux") == StopReason.OFFSET_OUT_OF_RANGE
