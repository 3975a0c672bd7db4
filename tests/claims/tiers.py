"""Sentences on tiered storage. What the remote tier holds is what leaders were seen to copy there."""

from collections.abc import Iterator

from core.trace.trace import Event
from core.trace.vocabulary import StopReason, TierDeletion
from tests.claims.claim import At, claim


def _copies(at: At) -> Iterator[tuple[int, int, tuple[tuple[int, int], ...]]]:
    """Each copy so far, the latest first: its offsets, and (record, epoch) at each."""
    for event, before, _ in at.earlier():
        if event.kind == "tier_copied":
            one = before.of(event.values["replica"])
            first, end = event.values["from_offset"], event.values["offset"]
            yield first, end, one.log[first - one.start : end - one.start]


def _copied(at: At) -> dict[int, tuple[int, int]]:
    """(record, epoch) by offset of all that was copied."""
    return {first + place: held for first, _, log in _copies(at) for place, held in enumerate(log)}


def _span(event: Event) -> tuple[int, int]:
    return event.values["from_offset"], event.values["offset"]


def _in_tier(at: At) -> list[tuple[tuple[int, int], tuple[tuple[int, int], ...]]]:
    """The segments that are in the tier before this event, oldest copy first: their offsets and their log."""
    found = [((first, end), log) for first, end, log in _copies(at)]
    for event, _, _ in at.earlier():
        if event.kind == "tier_deleted":
            found.remove(next(one for one in found if one[0] == _span(event)))
    return found[::-1]


def tier_has(at: At, offset: int) -> bool:
    """Whether some segment in the tier has an offset, of whatever epoch."""
    return any(first <= offset < end for (first, end), _ in _in_tier(at))


def _own_epochs(at: At) -> set[int]:
    """The leader epochs of the records in the segment that is deleted."""
    return {epoch for span, log in _in_tier(at) if span == _span(at.event) for _, epoch in log}


@claim("why.tier.deleted.title")
def the_segment_was_there(at: At) -> bool:
    first, end = _span(at.event)
    leads = at.before.of(at.who).role == "leader" and at.is_broker("who", at.who)
    there = any(span == (first, end) for span, _ in _in_tier(at))
    return leads and there and (at.number("first"), at.number("end")) == (first, end)


@claim("why.tier.deleted.retention")
def its_log_has_begun_higher_for_it(at: At) -> bool:
    """And all of it had been committed: retention takes nothing else. To 3.7 the log may begin within it."""
    moved, (first, _), one = next(at.caused()), _span(at.event), at.before.of(at.who)
    logs = [log for span, log in _in_tier(at) if span == _span(at.event)]
    committed = at.committed(tuple(record for record, _ in logs[0]))
    return moved.kind in ("log_start_moved", "step") and committed and first < one.start


@claim("why.tier.deleted.log-start")
def its_log_begins_above(at: At) -> bool:
    return _span(at.event)[1] <= at.before.of(at.who).start


@claim("why.tier.deleted.no-epoch", "why.rule.tier.deleted.no-epoch")
def no_epoch_of_its_leads_there(at: At) -> bool:
    """And its log start stays."""
    one = at.before.of(at.who)
    return max(_own_epochs(at)) < one.entries[0][0] and one.start == at.after.of(at.who).start


@claim("why.tier.deleted.unknown", by_lines=True)
def no_reason_is_said(at: At) -> bool:
    return at.event.get("aux") in (None, TierDeletion.UNKNOWN)


@claim("why.rule.tier.deleted")
def its_epochs_lead_there(at: At) -> bool:
    """Or led there, where the log begins above by now."""
    one = at.before.of(at.who)
    known = {epoch for epoch, _ in one.entries}
    return all(epoch in known or epoch < one.entries[0][0] for epoch in _own_epochs(at))


@claim("why.tier.copied.title")
def the_leader_copies_what_it_holds(at: At) -> bool:
    first, end = at.event.values["from_offset"], at.event.values["offset"]
    leader = at.before.of(at.who)
    holds = at.is_records("what", leader.records(first, end), first, end)
    return holds and leader.role == "leader" and at.is_broker("who", at.who) and end <= leader.end


@claim("why.tier.copied")
def the_tier_has_all_below(at: At) -> bool:
    """From the log start on, each copy begins where the one before ends."""
    first, end = at.event.values["from_offset"], at.event.values["offset"]
    missing = set(range(at.before.of(at.who).start, first)) - set(_copied(at))
    return at.number("end") == end and not missing


@claim("why.rule.tier.copied")
def only_what_is_committed(at: At) -> bool:
    first, end = at.event.values["from_offset"], at.event.values["offset"]
    return at.committed(at.before.of(at.who).records(first, end))


@claim("why.tier.local-start.title", "why.tier.local-start")
def its_disk_has_nothing_below(at: At) -> bool:
    """It answers no fetch of a follower from below any more; and the tier has what is there."""
    offset, one = at.event.values["offset"], at.after.of(at.who)
    if set(range(one.start, offset)) - set(_copied(at)):
        return False
    for event, _, _ in at.later():
        if event.kind in ("log_reset", "local_start_moved") and event.get("replica") == at.who:
            break
        answers = event.kind == "fetch_answered" and event.get("broker") == at.who
        if answers and event.values["from_offset"] < offset:
            return False
    return at.number("offset") == offset and at.is_broker("who", at.who)


@claim("why.rule.tier.local-start")
def its_log_is_as_long_as_before(at: At) -> bool:
    return at.before.of(at.who).log == at.after.of(at.who).log


@claim("why.tier.joined.title", "why.tier.joined")
def its_log_has_what_was_copied(at: At) -> bool:
    first, end = at.event.values["from_offset"], at.event.values["offset"]
    one, copied = at.after.of(at.who), _copied(at)
    held = one.log[first - one.start : end - one.start]
    if held != tuple(copied.get(offset) for offset in range(first, end)) or one.end != end:
        return False
    if at.message.id == "why.tier.joined.title":
        return at.is_records("what", one.records(first, end), first, end)
    return {epoch for _, epoch in held} == {at.number("epoch")} and at.number("end") == end


@claim("why.rule.tier.joined")
def it_had_heard_that_its_offset_was_moved(at: At) -> bool:
    """And the leader epochs come with it, before it fetches again."""
    reasons = [
        event.get("aux")
        for event, _, _ in at.earlier()
        if event.get("replica") == at.who and event.kind == "fetch_failed"
    ]
    for event, before, _ in at.later():
        if event.kind == "fetch_sent" and event.get("replica") == at.who:
            if at.event.values["epoch"] not in dict(before.of(at.who).entries):
                return False
            break
    return reasons[:1] == [StopReason.OFFSET_MOVED_TO_TIERED_STORAGE]


@claim("why.since.tier")
def the_release_has_tiered_storage(at: At) -> bool:
    rules = at.run.rules.switches
    return rules.tiered_storage != "none" and at.run.script.settings.tiered


@claim("why.failed.asks-local-start")
def it_joins_the_tier_next(at: At) -> bool:
    """Unless it hears that the tier lacks it, or of another leader; no fetch goes out in between."""
    for event, _, _ in at.later():
        if event.get("replica") == at.who:
            if event.kind == "fetch_failed":
                return event.get("aux") == StopReason.REMOTE_STATE_MISSING
            if event.kind in ("tier_joined", "log_start_moved", "became_leader", "became_follower"):
                return True
            if event.kind in ("fetch_sent", "appended", "truncated"):
                return False
    return True


@claim("why.watermark.tier", "why.rule.watermark.tier")
def it_is_where_the_tier_ends(at: At) -> bool:
    """Its log ends there, and all of it is committed."""
    moved, one = next(at.caused()), at.after.of(at.who)
    committed = at.committed(one.records(one.start, one.end))
    return moved.kind == "local_start_moved" and one.hw == one.end == moved.values["offset"] and committed


@claim("why.consumer.out-of-range.tier", "why.rule.out-of-range.tier", "why.since.tier.start-kept")
def it_looks_on_its_disk(at: At) -> bool:
    """The log has the offset, the disk has not; only 3.6 does so."""
    one, offset = at.before.of(at.who), at.event.values["offset"]
    disk = [
        event.values["offset"]
        for event, _, _ in at.earlier()
        if event.kind == "local_start_moved" and event.values["replica"] == at.who
    ]
    kept = at.run.rules.switches.tiered_storage == "start-kept" and tier_has(at, offset)
    return kept and bool(disk) and one.start <= offset < disk[0] <= one.end


@claim("why.consumer.out-of-range.deleted", "why.rule.out-of-range.deleted")
def neither_tier_nor_disk_has_it(at: At) -> bool:
    """The log should have the offset. No follower gets anything from there either."""
    one, offset = at.before.of(at.who), at.event.values["offset"]
    if tier_has(at, offset) or not one.start <= offset <= one.end:
        return False
    for event, _, _ in at.later():
        if event.kind == "log_start_moved" and event.get("replica") == at.who:
            break
        answers = event.kind == "fetch_answered" and event.get("broker") == at.who
        if answers and event.values["from_offset"] <= offset < event.values["offset"]:
            return False
    return "start" not in at.said or at.number("start") == one.start
