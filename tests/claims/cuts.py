"""Sentences on cuts of a log: what went, why, and what became of it."""

from core.message import Listing, Offsets
from core.sim.truth import Promise
from core.trace.vocabulary import CutReason, StopReason
from tests.claims.claim import At, claim
from tests.claims.world import GAP, Replica

_CUT = ("truncated", "log_reset")


def _span(at: At) -> tuple[int, int]:
    """Offsets [to, from) that the event took."""
    return at.event.values["offset"], at.before.of(at.who).end


def _taken(at: At) -> tuple[int, ...]:
    """The records that the event took."""
    one = at.before.of(at.who)
    if at.event.kind == "log_reset":
        return tuple(record for record, _ in one.log if record != GAP)
    return tuple(record for record in one.records(*_span(at)) if record != GAP)


def _decided_on(at: At) -> Replica:
    """The replica as it was when the cut was decided."""
    cause = next(at.caused(), None)
    if at.event.kind == "truncation_decided" or cause is None or cause.kind != "truncation_decided":
        return at.before.of(at.who)
    return at.run.worlds[at.run.place_of(cause)].of(at.who)


@claim("why.cut.title", "why.cut")
def is_cut(at: At) -> bool:
    to, end = _span(at)
    named = at.event.kind in _CUT and at.is_broker("who", at.who)
    if not named or (at.number("start"), at.number("to")) != (end, to):
        return False
    if at.message.id == "why.cut.title":
        return True
    log = at.before.of(at.who).records(to, end)
    return at.number("count") == end - to and at.is_records("what", log, to, end)


@claim("why.reset.title", "why.reset")
def it_begins_anew(at: At) -> bool:
    one = at.after.of(at.who)
    start = "start" not in at.said or at.number("start") == at.before.of(at.who).end
    return at.event.kind == "log_reset" and not one.log and at.number("to") == one.start and start


@claim("why.cut.nothing.title", "why.not-cut.kept")
def nothing_is_cut(at: At) -> bool:
    return at.is_broker("who", at.who) and at.before.of(at.who).log == at.after.of(at.who).log


@claim("why.cut.was-told", "why.cut.not-longer")
def told_to_cut_where_nothing_is(at: At) -> bool:
    return at.before.of(at.who).end <= at.event.values["offset"]


@claim("why.not-cut", "why.not-cut.high-watermark", "why.not-cut.leader-epoch")
def not_below_the_log_end(at: At) -> bool:
    one, to = at.before.of(at.who), at.number("to")
    if at.number("end") != one.end or to is None or to < one.end:
        return False
    if at.message.id == "why.not-cut.high-watermark":
        return to == one.hw and at.event.get("aux") == CutReason.LOCAL_HIGH_WATERMARK
    return to == at.event.get("offset")


@claim("why.cut.because.high-watermark")
def it_cut_to_its_own_high_watermark(at: At) -> bool:
    one = _decided_on(at)
    return at.number("hw") == one.hw == at.event.values["offset"] and one.role == "follower"


@claim("why.cut.because.answered")
def the_leader_answered_so(at: At) -> bool:
    kinds = ("epoch_end_answered", "fetch_diverged")
    for event, _, _ in at.earlier():
        if event.kind in kinds and event.get("replica") == at.who:
            asked = (event.get("aux"), event.get("offset"))
            return asked == (at.number("epoch"), at.number("end")) and at.is_broker(
                "leader", event.get("leader")
            )
    return False


@claim("why.cut.because.leader-epoch", "why.cut.because.diverging-epoch")
def the_answer_gave_that_offset(at: At) -> bool:
    """It is the answer, or a start of an epoch in the own cache below it, or the high watermark."""
    kind = "epoch_end_answered" if at.message.id.endswith("leader-epoch") else "fetch_diverged"
    answers = [event for event, _, _ in at.earlier() if event.kind == kind and event.get("replica") == at.who]
    return bool(answers) and at.number("to") == at.event.get("offset")


@claim("why.cut.because.leader-end")
def the_fetch_was_beyond_the_leader(at: At) -> bool:
    came, to = at.number("came"), at.number("to")
    if came is None or to is None or came <= to:
        return False
    for event, before, _ in at.earlier():
        failed = event.kind == "fetch_failed" and event.get("replica") == at.who
        if failed and event.get("aux") == StopReason.OFFSET_OUT_OF_RANGE:
            leader = event.get("leader")
            ends = [before.of(leader).end, at.before.of(leader).end]
            return (
                event.get("offset") == came
                and at.is_broker("leader", leader)
                and min(ends) <= to <= max(ends)
            )
    return False


@claim("why.cut.because.reset")
def the_leader_began_above(at: At) -> bool:
    one = at.before.of(at.who)
    return one.end < at.before.of(one.leader).start and at.is_broker("leader", one.leader)


@claim("why.cut.because.recovery", "why.rule.cut.recovery")
def it_is_loaded_after_a_crash(at: At) -> bool:
    """A broker loads its logs while it starts; what the disk has not is not in the log then."""
    starts = [event for event in at.caused() if event.kind == "broker_starting"]
    kept = at.message.id != "why.cut.because.recovery" or at.after.of(at.who).end == at.number("to")
    return bool(starts) and at.event.get("aux") == CutReason.RECOVERY and kept


@claim("why.cut.because.unknown", "why.rule.cut.unknown")
def no_event_says_why(at: At) -> bool:
    return at.event.get("aux") in (None, CutReason.UNKNOWN)


def _lost(at: At, promise: Promise) -> bool:
    fates = [at.run.truth.fate(record) for record in _taken(at)]
    lost = [one for one in fates if one is not None and one.lost and one.promise is promise]
    if not lost:
        return False
    gone = {one.number for one in lost}
    names = {one.name for one in lost}
    for event, _, world in at.later():
        if event.kind == "became_leader" and gone & set(world.of(event.get("replica")).records(0, 10**9)):
            return False
    offsets = {one.offset for one in lost}
    value = at.said["what"]
    if isinstance(value, Listing):
        return set(value.items) <= names
    return isinstance(value, Offsets) and set(range(value.first, value.end)) <= offsets


@claim("why.cut.lost.committed")
def committed_and_lost(at: At) -> bool:
    return _lost(at, Promise.COMMITTED)


@claim("why.cut.lost.acknowledged")
def acknowledged_and_lost(at: At) -> bool:
    return _lost(at, Promise.ACKNOWLEDGED)


def _leader_holds(at: At) -> bool:
    """The leader that the sentence names leads, and holds the very records that went."""
    (leader,) = at.brokers("leader")
    held = set(at.after.of(leader).records(0, 10**9))
    return at.after.of(leader).role == "leader" and set(_taken(at)) <= held


@claim("why.cut.held")
def the_leader_holds_what_was_cut(at: At) -> bool:
    return _leader_holds(at)


@claim("why.cut.held-for-now")
def the_leader_holds_it_and_a_later_one_does_not(at: At) -> bool:
    lost = [record for record in _taken(at) if record in at.run.truth.lost]
    return _leader_holds(at) and bool(lost)


@claim("why.cut.not-committed")
def none_of_it_was_committed(at: At) -> bool:
    column = at.run.truth.ledger.committed
    return not any(0 <= column[record] <= at.event.seq for record in _taken(at))


@claim("why.cut.decided.title", "why.cut.decided", "why.cut.decided.nothing-above")
def it_decides_to_cut(at: At) -> bool:
    one, to = at.before.of(at.who), at.number("to")
    right = at.is_broker("who", at.who) and to == at.event.get("offset")
    if at.message.id == "why.cut.decided.title":
        return right and at.event.kind == "truncation_decided"
    above = to is not None and to < one.end
    return right and at.number("end") == one.end and above == (at.message.id == "why.cut.decided")


@claim("why.fetch.out-of-range.title", "why.fetch.out-of-range")
def a_fetch_was_out_of_range(at: At) -> bool:
    one = at.before.of(at.who)
    if at.number("came") != one.end or not at.is_broker("who", at.who):
        return False
    if at.message.id == "why.fetch.out-of-range.title":
        return True
    leader = at.before.of(one.leader)
    return at.is_broker("leader", one.leader) and at.number("to") in (leader.end, at.event.get("offset"))


@claim("why.fetch.out-of-range.then")
def it_goes_back_and_cuts(at: At) -> bool:
    to = at.number("to")
    if to is None or to > at.before.of(at.who).end:
        return False
    for event, _, world in at.later():
        if event.get("replica") == at.who and event.kind in ("truncated", "log_reset", "fetch_sent"):
            return world.of(at.who).end <= to
    return True


@claim("why.fetch.out-of-range.below")
def a_fetch_was_below_the_log(at: At) -> bool:
    one = at.before.of(at.who)
    leader = at.before.of(one.leader)
    said = (at.number("came"), at.number("to"))
    return said == (one.end, leader.start) and at.is_broker("leader", one.leader) and one.end < leader.start


@claim("why.fetch.out-of-range.anew")
def it_drops_its_log(at: At) -> bool:
    for event, _, world in at.later():
        if event.get("replica") == at.who and event.kind in ("log_reset", "fetch_sent"):
            return event.kind == "log_reset" and world.of(at.who).start == at.number("to")
    return False


@claim("why.fetch.out-of-range.again")
def nothing_is_cut_and_it_fetches_again(at: At) -> bool:
    one = at.before.of(at.who)
    right = at.number("to") == one.end <= at.before.of(one.leader).end
    for event, before, _ in at.later():
        if event.get("replica") == at.who and event.kind in ("truncated", "fetch_sent", "became_follower"):
            return right and event.kind != "truncated" and before.of(at.who).end == one.end
    return right


@claim("why.rule.gap")
def a_batch_goes_as_a_whole(at: At) -> bool:
    return at.event.kind == "log_gap" and at.after.of(at.who).end == at.event.values["offset"]


@claim("why.gap.title", "why.gap.because", "why.gap.then")
def a_gap_is_left(at: At) -> bool:
    """Nothing stands at these offsets, now and for as long as the log is not cut below them."""
    start, to = at.event.values["from_offset"], at.event.values["offset"]
    if at.message.id == "why.gap.title" and (at.number("start"), at.number("to")) != (start, to):
        return False
    if at.message.id == "why.gap.because" and at.number("to") != to:
        return False
    if at.message.id == "why.gap.then" and at.number("end") != at.after.of(at.who).end:
        return False
    for _, _, world in at.later():
        one = world.of(at.who)
        if one.end < to or one.start > start:
            break
        if set(one.records(start, to)) != {GAP}:
            return False
    return set(at.after.of(at.who).records(start, to)) == {GAP}
