"""Sentences on producers and consumers."""

from collections.abc import Iterator

from core.trace.trace import Event
from tests.claims.claim import At, claim
from tests.claims.tiers import tier_has
from tests.claims.world import GAP


def _consumer(at: At) -> bool:
    """Whether it is the consumer of the event, by its name in the script."""
    place = at.event.get("aux")
    return at.said["consumer"] == [plan.name for plan in at.run.script.consumers][(place or 0) - 1]


@claim("why.produced.title", "why.produced")
def a_producer_sends(at: At) -> bool:
    if at.message.id == "why.produced":
        return at.said["acks"] == {0: "0", 1: "1", -1: "all"}[at.event.values["aux"]]
    count = at.event.values["offset"] - at.event.values["from_offset"]
    return at.number("count") == count and at.is_broker("who", at.who)


def _span(at: At) -> tuple[tuple[int, ...], int, int]:
    first, end = at.event.values["from_offset"], at.event.values["offset"]
    return at.before.of(at.who).records(first, end), first, end


@claim("why.acknowledged.title", "why.acknowledged")
def it_is_acknowledged(at: At) -> bool:
    """By the ledger, too: the producer is told, and the leader that says so has the records."""
    log, first, end = _span(at)
    column = at.run.truth.ledger.acknowledged
    told = all(0 <= column[record] <= at.event.seq for record in log if record != GAP)
    acks = "acks" not in at.said or at.said["acks"] == {1: "1", -1: "all"}[at.event.values["aux"]]
    return told and acks and len(log) == end - first and at.is_records("what", log, first, end)


@claim("why.acknowledged.all")
def the_high_watermark_has_passed(at: At) -> bool:
    log, _, end = _span(at)
    hw = at.before.of(at.who).hw
    return at.number("hw") == hw >= end and at.committed(log)


@claim("why.acknowledged.leader")
def the_leader_has_appended_it(at: At) -> bool:
    log, first, end = _span(at)
    return at.event.values["aux"] == 1 and len(log) == end - first


@claim("why.rule.acknowledged")
def all_waits_for_the_high_watermark(at: At) -> bool:
    return at.event.values["aux"] != -1 or at.before.of(at.who).hw >= at.event.values["offset"]


@claim("why.produce-failed.title", by_lines=True)
def no_confirmation(at: At) -> bool:
    return at.event.kind == "produce_failed"


@claim("why.produce-failed", "why.rule.produce-failed")
def the_records_stay(at: At) -> bool:
    first, end = at.event.get("from_offset"), at.event.get("offset")
    if first is None or end is None:
        return False
    return len(at.before.of(at.who).records(first, end)) == end - first


@claim("why.produce-refused.title", "why.produce-refused")
def nothing_was_appended(at: At) -> bool:
    return at.event.get("from_offset") is None and at.before == at.after


@claim("why.consumed.title", "why.consumed")
def it_reads_these(at: At) -> bool:
    """From the log of the broker that it asked; nothing of it stands at or above the high watermark."""
    log, first, end = _span(at)
    if at.message.id == "why.consumed.title":
        return at.is_records("what", log, first, end) or at.is_records("what", (), first, end)
    return at.number("hw") == at.event.values["hw"] >= end


@claim("why.consumed.log-end")
def it_reads_up_to_the_log_end(at: At) -> bool:
    return at.run.rules.switches.visible == "log-end"


@claim("why.rule.below-the-watermark")
def consumers_get_what_is_below(at: At) -> bool:
    return at.run.rules.switches.visible == "high-watermark"


@claim("why.rule.below-the-log-end")
def consumers_get_all(at: At) -> bool:
    return at.run.rules.switches.visible == "log-end"


@claim("why.consumer.waits.title", "why.consumer.waits.parked")
def it_waits_there(at: At) -> bool:
    if at.message.id == "why.consumer.waits.parked":
        return at.event.kind == "consume_parked" and at.run.rules.switches.visible == "high-watermark"
    return _consumer(at) and at.is_broker("who", at.who) and at.number("offset") == at.event.get("offset")


@claim("why.consumer.waits.watermark")
def nothing_from_there_on_may_be_read(at: At) -> bool:
    hw, offset = at.before.of(at.who).hw, at.event.values["offset"]
    visible = at.run.rules.switches.visible == "high-watermark"
    return (at.number("hw"), at.number("offset")) == (hw, offset) and offset >= hw and visible


@claim("why.consumer.waits.log-end", "why.consumer.waits.parked.log-end")
def the_log_ends_there(at: At) -> bool:
    right = at.event.values["offset"] >= at.before.of(at.who).end
    return right and at.run.rules.switches.visible == "log-end"


@claim("why.consumer.out-of-range.title", "why.consumer.out-of-range.log", "why.rule.out-of-range")
def its_position_is_not_in_the_log(at: At) -> bool:
    """Or, as the title has it too, nobody looks for it where it is (KAFKA-15695), or it is nowhere."""
    one, offset = at.before.of(at.who), at.event.values["offset"]
    out = not one.start <= offset <= one.end
    if at.message.id.endswith("title"):
        out = out or at.run.rules.switches.tiered_storage == "start-kept" or not tier_has(at, offset)
    if at.message.id == "why.consumer.out-of-range.log":
        return out and (at.number("start"), at.number("end")) == (one.start, one.end)
    return out and ("consumer" not in at.said or _consumer(at))


@claim("why.consumer.out-of-range.gone")
def what_it_had_read_is_gone(at: At) -> bool:
    """It had read up to there, or the log starts above; a follower that is behind has not copied it yet."""
    one, offset = at.before.of(at.who), at.event.values["offset"]
    if offset < one.start:
        return True
    read = [
        event
        for event, _, _ in at.earlier()
        if event.kind == "consumed"
        and event.get("aux") == at.event.get("aux")
        and event.get("offset") == offset
    ]
    return bool(read) and one.end < offset and one.role == "leader"


@claim("why.consumer.begins.title", "why.consumer.begins", "why.consumer.goes.title")
def it_is_at_that_offset(at: At) -> bool:
    """Where a position is known: that of the script, or the first or last that the leader names."""
    if "consumer" not in at.said:
        return at.event.get("from_offset") is None
    to = at.number("to") if "to" in at.said else at.number("offset")
    return _consumer(at) and to == at.event.get("offset")


@claim("why.consumer.goes.because")
def it_was_out_of_range(at: At) -> bool:
    start = at.event.values["from_offset"]
    for event, _, _ in at.earlier():
        if event.kind == "consumer_out_of_range" and event.get("aux") == at.event.get("aux"):
            return event.get("offset") == start == at.number("start")
    return False


@claim("why.consumer.reads-again", "why.consumer.passes-over", "why.consumer.stays")
def it_moves_by_so_many(at: At) -> bool:
    moved = at.event.values["offset"] - at.event.values["from_offset"]
    if at.message.id == "why.consumer.stays":
        return not moved
    return at.number("count") == abs(moved) and (moved < 0) == at.message.id.endswith("again")


@claim("why.rule.offset-reset")
def by_auto_offset_reset(at: At) -> bool:
    plan = at.run.script.consumers[at.event.values["aux"] - 1]
    one = at.before.of(at.who)
    end = one.hw if at.run.rules.switches.visible == "high-watermark" else one.end
    near = {one.start} if plan.reset == "earliest" else {end, *_ends(at)}
    return at.event.values["offset"] in near


def _ends(at: At) -> set[int]:
    """High watermarks and log ends of the last moments: the answer was on its way."""
    found: set[int] = set()
    for event, before, _ in at.earlier():
        if event.at < at.event.at - 10_000_000:
            break
        found |= {before.of(at.who).hw, before.of(at.who).end}
    return found


@claim("why.producer.retries.title", by_lines=True)
def it_sends_again(at: At) -> bool:
    return at.event.kind == "produce_retried" and at.is_broker("who", at.who)


@claim("why.producer.retries.no-answer")
def it_was_not_told_of_success(at: At) -> bool:
    begun = at.event.cause
    for event, _, _ in at.earlier():
        if event.kind == "acknowledged" and any(one.seq == begun for one in _causes(at, event.seq)):
            return False
    return True


def _causes(at: At, seq: int) -> Iterator[Event]:
    event = at.run.trace.event(seq)
    while event.cause is not None:
        event = at.run.trace.event(event.cause)
        yield event


@claim("why.producer.retries.unnumbered", "why.rule.retries")
def a_retry(at: At) -> bool:
    return at.event.kind == "produce_retried"


@claim("why.duplicate.title", "why.duplicate.known", "why.duplicate.answered")
def the_batch_is_in_the_log(at: At) -> bool:
    log, first, end = _span(at)
    return len(log) == end - first and at.before == at.after


@claim("why.rule.duplicate")
def it_compares_with_five(at: At) -> bool:
    return at.run.release >= (1, 0)


@claim("why.rule.duplicate.last")
def it_compares_with_one(at: At) -> bool:
    return (0, 11) <= at.run.release < (1, 0)


@claim("why.sequence.title", "why.sequence.gap", "why.sequence.then", "why.rule.sequence")
def a_number_is_refused(at: At) -> bool:
    return at.event.kind == "sequence_refused" and at.before == at.after


@claim("why.nothing-yet.title", "why.nothing-yet")
def at_the_start(at: At) -> bool:
    return at.place < 0


@claim("why.step.title", "why.step.label.title", "why.step.begins", by_lines=True)
def a_step_begins(at: At) -> bool:
    return at.event.kind == "step" and at.number("step") == at.event.get("aux")


@claim("why.step.impossible.title", "why.step.impossible", by_lines=True)
def a_step_was_not_possible(at: At) -> bool:
    return at.event.kind == "condition_not_met"


@claim("why.created.title", "why.created")
def a_partition_is_made(at: At) -> bool:
    return at.event.kind == "partition_created" and at.before.leader < 0


@claim("why.isr-rejected.title", "why.isr-rejected", "why.isr-rejected.epoch")
def a_change_is_refused(at: At) -> bool:
    return at.event.kind == "isr_update_rejected" and at.before.isr == at.after.isr
