"""Sentences on fetches and on questions about epochs."""

from core.trace.vocabulary import StopReason
from tests.claims.claim import At, claim
from tests.claims.control import parted
from tests.claims.world import Replica

_REASONS = {
    "why.failed.unknown": StopReason.UNKNOWN,
    "why.failed.unreachable": StopReason.UNREACHABLE,
    "why.failed.fenced-epoch": StopReason.FENCED_LEADER_EPOCH,
    "why.failed.unknown-epoch": StopReason.UNKNOWN_LEADER_EPOCH,
    "why.failed.not-leader": StopReason.NOT_LEADER,
    "why.failed.out-of-range": StopReason.OFFSET_OUT_OF_RANGE,
    "why.failed.moved": StopReason.OFFSET_MOVED_TO_TIERED_STORAGE,
    "why.failed.no-remote-state": StopReason.REMOTE_STATE_MISSING,
}


def _leader(at: At) -> int:
    found = at.event.get("leader")
    return found if found is not None else at.event.values["broker"]


def _names_both(at: At) -> bool:
    said = at.said
    follower = "follower" not in said or at.is_broker("follower", at.event.get("replica"))
    return follower and ("leader" not in said or at.is_broker("leader", _leader(at)))


@claim("why.fetch.sent.title", "why.fetch.sent")
def it_asks_for_what_follows_its_log(at: At) -> bool:
    one = at.before.of(at.who)
    return _names_both(at) and at.number("offset") == one.end


@claim("why.rule.fetch-sent")
def the_offset_is_its_log_end(at: At) -> bool:
    return at.event.get("offset") == at.before.of(at.who).end


@claim("why.fetch.received.title", by_lines=True)
def it_receives_a_fetch(at: At) -> bool:
    return _names_both(at) and at.number("offset") == at.event.get("offset")


def _when_sent(at: At) -> tuple[Replica, int]:
    """The follower as it was when it sent the fetch, and the offset of the fetch."""
    offset = at.event.get("offset")
    wanted = at.event.values["leo"] if offset is None else offset
    for event, before, _ in at.earlier():
        if event.kind == "fetch_sent" and event.get("replica") == at.who and event.get("offset") == wanted:
            return before.of(at.who), wanted
    return at.before.of(at.who), wanted


def _known_from_the_start(at: At, offset: int) -> bool:
    """Whether the script says that the leader knew this log end before the first step."""
    named = at.run.script.start.remote
    return offset in named.values() and at.run.partition == 0


@claim("why.fetch.received", "why.fetch.received.nothing", "why.follower-end", "why.follower-end.nothing")
def its_log_ended_there(at: At) -> bool:
    """When it sent the fetch; what it holds below may be other records than the leader's."""
    one, offset = _when_sent(at)
    named = [at.number(name) for name in ("offset", "end") if name in at.said]
    ended = one.end == offset or _known_from_the_start(at, offset)
    return _names_both(at) and ended and named in ([], [offset])


@claim("why.follower-end.title")
def the_leader_knows_its_end(at: At) -> bool:
    return _names_both(at) and at.after.of(_leader(at)).remote.get(at.who) == at.number("end")


@claim("why.rule.fetch-received")
def a_served_offset_is_recorded_before_the_answer(at: At) -> bool:
    offset, leader = at.event.get("offset"), _leader(at)
    for event, _, world in at.later():
        if event.get("replica") == at.who and event.get("broker") == leader:
            if event.kind in ("fetch_answered", "fetch_parked"):
                return world.of(leader).remote.get(at.who) == offset
            if event.kind != "follower_leo_recorded":
                break
    return True


@claim("why.fetch.parked.title", by_lines=True)
def it_parks_the_fetch(at: At) -> bool:
    return (
        _names_both(at) and at.event.kind == "fetch_parked" and at.number("offset") == at.event.get("offset")
    )


@claim("why.fetch.parked")
def there_is_nothing_yet(at: At) -> bool:
    """And it is over within the wait of the script, which is 500 ms unless it says otherwise."""
    leader = at.before.of(_leader(at))
    enough = at.run.script.settings.fetch_min_bytes
    return at.number("offset") == leader.end or enough > 1


@claim("why.rule.parked")
def a_rise_alone_does_not_wake_it(at: At) -> bool:
    """2.4 and 2.5 answer it when the high watermark rises (KIP-392)."""
    return at.run.rules.switches.hw_sending == "with-data"


@claim("why.rule.parked.woken")
def a_rise_wakes_it(at: At) -> bool:
    return at.run.rules.switches.hw_sending == "when-behind"


@claim("why.fetch.answered.title", "why.fetch.answered")
def it_sends_these(at: At) -> bool:
    first, end = at.event.values["from_offset"], at.event.values["offset"]
    log = at.before.of(_leader(at)).records(first, end)
    return (
        _names_both(at) and at.is_records("what", log, first, end) and at.number("hw") == at.event.get("hw")
    )


@claim("why.fetch.answered.behind")
def the_leaders_own_is_higher(at: At) -> bool:
    leader = at.before.of(_leader(at))
    return at.number("own") == leader.hw > at.event.values["hw"]


@claim("why.rule.answer")
def it_carries_what_was_before_the_fetch(at: At) -> bool:
    """The high watermark at the moment at which the fetch was received."""
    for event, _, world in at.earlier():
        if (
            event.kind == "fetch_received"
            and event.get("replica") == at.who
            and event.get("broker") == _leader(at)
        ):
            return world.of(_leader(at)).hw == at.event.values["hw"]
    return False


@claim("why.rule.answer.after")
def it_carries_what_is_after_the_fetch(at: At) -> bool:
    right = at.run.rules.switches.fetch_answer_hw == "after"
    return right and at.before.of(_leader(at)).hw == at.event.values["hw"]


@claim("why.rule.parked-answer")
def it_carries_what_is_now(at: At) -> bool:
    return at.before.of(_leader(at)).hw == at.event.values["hw"]


@claim("why.fetch.delivered.title", "why.fetch.delivered", "why.fetch.delivered.nothing")
def it_appends_and_takes_over(at: At) -> bool:
    first, end = at.event.values["from_offset"], at.event.values["offset"]
    hw, last = at.event.values["hw"], at.before.of(at.who)
    if not _names_both(at) or at.number("hw") != hw:
        return False
    if at.message.id.endswith(".nothing") and end != first:
        return False
    now = last
    for event, _, world in at.later():
        if event.kind == "fetch_sent" and event.get("replica") == at.who:
            break
        if event.at != at.event.at:
            break
        if event.cause == at.event.seq and event.get("replica") == at.who:
            now = world.of(at.who)
    return now.end == end and (now.hw == min(hw, now.end) or last.hw == min(hw, end))


@claim(*_REASONS, by_lines=True)
def it_failed_for_that(at: At) -> bool:
    return at.event.get("aux") == _REASONS[at.message.id] or (
        at.message.id == "why.failed.unknown" and at.event.get("aux") is None
    )


@claim("why.failed.again")
def it_keeps_its_log(at: At) -> bool:
    """Until it follows or leads anew, or asks again; nothing is cut for this answer."""
    for event, before, _ in at.later():
        if event.get("replica") == at.who:
            if event.kind in ("truncated", "log_reset"):
                return False
            if event.kind.startswith(("became_", "fetch_sent", "epoch_end_asked", "broker_", "fetch_failed")):
                return before.of(at.who).log == at.before.of(at.who).log
    return True


@claim("why.failed.gives-up")
def it_fetches_no_more(at: At) -> bool:
    """Its fetcher goes at once, and it asks nothing before it is a follower anew, or down."""
    mine = (event for event, _, _ in at.later() if event.get("replica") == at.who)
    first = next(mine, None)
    after = next((one for one in mine if not one.kind.startswith(("hw_", "metadata"))), None)
    gone = first is not None and first.kind == "fetcher_removed"
    return gone and (after is None or after.kind not in ("fetch_sent", "epoch_end_asked"))


@claim("why.failed.asks-end")
def it_asks_for_the_end(at: At) -> bool:
    for event, _, _ in at.later():
        if event.kind == "broker_crashed" and event.get("replica") == at.event.get("leader"):
            return True  # Whom it asked has died.
        if event.get("replica") == at.who:
            if event.kind in ("fetch_sent", "epoch_end_asked"):
                return False
            if event.get("aux") == StopReason.UNREACHABLE:
                return True  # Whom it asked has died.
            return event.kind in (
                "fetch_offset_reset",
                "broker_exited",
                "became_leader",
                "became_follower",
            ) or (
                event.kind.startswith(
                    ("broker_", "leader_and_isr", "metadata", "hw_checkpointed", "session", "shut")
                )
            )
    return True


@claim(
    "why.fetch.failed.title",
    "why.fetch.failed",
    "why.fetch.failed.at.title",
    "why.fetch.failed.at",
    by_lines=True,
)
def a_fetch_failed(at: At) -> bool:
    said = "offset" not in at.said or at.number("offset") == at.event.get("offset")
    return said and at.event.kind == "fetch_failed" and at.is_broker("who", at.who)


@claim("why.epoch-end.failed.title", "why.epoch-end.failed", by_lines=True)
def a_question_failed(at: At) -> bool:
    return at.event.kind == "epoch_end_failed" and at.is_broker("who", at.who)


@claim("why.fetcher.added.title", "why.fetcher.added", "why.fetcher.added.at.title")
def it_fetches_from_now_on(at: At) -> bool:
    said = "offset" not in at.said or at.number("offset") == at.before.of(at.who).end
    return said and at.is_broker("who", at.who) and at.is_broker("leader", at.before.of(at.who).leader)


@claim("why.fetcher.removed.title", by_lines=True)
def it_stops_fetching(at: At) -> bool:
    return at.event.kind == "fetcher_removed" and at.is_broker("who", at.who)


@claim("why.fetcher.added.cuts")
def no_fetch_begins_at_that_offset(at: At) -> bool:
    return at.number("offset") == at.event.values["offset"] < at.before.of(at.who).end


@claim("why.fetcher.removed.leads")
def it_leads_then(at: At) -> bool:
    return at.after.of(at.who).role == "leader"


@claim("why.fetcher.removed")
def its_log_does_not_grow(at: At) -> bool:
    for event, _, world in at.later():
        if event.get("replica") == at.who and event.kind in (
            "fetcher_added",
            "became_leader",
            "broker_starting",
        ):
            break
        now, was = world.of(at.who), at.before.of(at.who)
        if now.end > was.end:
            return False
    return True


@claim("why.epoch-end.asked.title", by_lines=True)
def it_asks_for_an_epoch(at: At) -> bool:
    right = at.is_broker("who", at.who) and at.is_broker("leader", at.event.get("leader"))
    return right and at.number("epoch") == at.event.get("aux")


@claim("why.epoch-end.asked")
def its_cache_ends_with_that_epoch(at: At) -> bool:
    entries = at.before.of(at.who).entries
    return (entries[-1][0] if entries else -1) == at.number("epoch")


@claim("why.epoch-end.asked.none")
def its_cache_is_empty(at: At) -> bool:
    return not at.before.of(at.who).entries


@claim("why.epoch-end.answered.title", by_lines=True)
def it_answers_with_an_offset(at: At) -> bool:
    offset = at.event.values["offset"]
    return offset >= 0 and at.is_broker("leader", at.event.get("leader")) and at.number("offset") == offset


@claim("why.epoch-end.answered")
def it_is_the_start_of_the_next_or_the_log_end(at: At) -> bool:
    leader = at.before.of(_leader(at))
    return at.event.values["offset"] in (leader.end, *(start for _, start in leader.entries))


@claim("why.epoch-end.undefined.title", "why.epoch-end.undefined")
def it_does_not_know_the_epoch(at: At) -> bool:
    return at.event.values["offset"] < 0


@claim("why.rule.epoch-end.asked", "why.rule.epoch-end.answered", "why.rule.cut.leader-epoch")
def followers_ask_in_this_release(at: At) -> bool:
    return at.run.switches_of(at.event.get("replica"), at.event.at).truncation == "epoch-request"


@claim("why.fetch.diverged.title", by_lines=True)
def it_answers_where_the_epoch_ends(at: At) -> bool:
    said = (at.number("epoch"), at.number("offset"))
    return said == (at.event.get("aux"), at.event.get("offset")) and _names_both(at)


@claim("why.fetch.diverged")
def the_logs_part_there_at_the_latest(at: At) -> bool:
    """The first offset at which they differ, or at which one of them ends."""
    return at.is_broker("who", at.who) and parted(at.before, at.who, _leader(at)) <= at.event.values["offset"]


@claim("why.rule.fetch-diverged", "why.rule.cut.diverging-epoch")
def divergence_is_found_on_the_fetch(at: At) -> bool:
    """The metadata quorum has a rule of its own (KIP-595)."""
    if at.run.trace.partitions[at.run.partition].tp.of_quorum:
        return False
    return at.run.switches_of(at.event.get("replica"), at.event.at).truncation == "fetch-divergence"


@claim("why.rule.follows", "why.rule.leads")
def of_roles(at: At) -> bool:
    """A new leader's own high watermark is not above what had been committed; a follower has a leader."""
    if at.message.id == "why.rule.leads":
        one = at.before.of(at.who)
        return at.committed(one.records(one.start, one.hw))
    return at.after.of(at.who).role == "follower"


_ROUND_ENDS = ("fetch_offset_reset", "truncation_not_needed", "truncated", "log_reset")


@claim("why.in-vain.title", "why.in-vain", "why.in-vain.then")
def it_was_as_often_where_it_is_now(at: At) -> bool:
    """So many of its rounds since it began to follow ended with the log end and high watermark of now."""
    now, found = at.before.of(at.who), 0
    for event, _, world in at.earlier():
        if event.get("replica") != at.who:
            continue
        if event.kind in ("fetcher_added", "fetcher_removed"):
            break
        then = world.of(at.who)
        found += event.kind in _ROUND_ENDS and (then.end, then.hw) == (now.end, now.hw)
    names = {"count": at.event.values["aux"], "end": now.end}
    said = all(at.number(name) == value for name, value in names.items() if name in at.said)
    return said and _names_both(at) and at.is_broker("who", at.who) and found >= at.event.values["aux"]
