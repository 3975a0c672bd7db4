"""Sentences on logs and high watermarks of real clusters, held against what their recorder saw."""

from collections.abc import Callable
from typing import Final, TypeAlias

from core.message import Between, Count, Offsets, Value
from core.trace.evidence import evidence_of
from tests.claims.claim import At
from tests.claims.seen import AFTER, BEFORE, Bounds, Seen

ByTruth: TypeAlias = Callable[[At, Seen], bool | None]
"""Whether a sentence is so; None where the truth of the recording does not decide."""
BY_TRUTH: Final[dict[str, ByTruth]] = {}


def truth(*ids: str) -> Callable[[ByTruth], ByTruth]:
    """The predicate of these sentences over the truth of a recording."""

    def noted(predicate: ByTruth) -> ByTruth:
        for one in ids:
            assert one not in BY_TRUTH, one
            BY_TRUTH[one] = predicate
        return predicate

    return noted


def meets(said: Value | None, bounds: Bounds | None) -> bool | None:
    """Whether a number, or bounds, that a sentence names can be so; None where nothing is named or known."""
    if isinstance(said, Count):
        said = said.number
    if isinstance(said, int):
        said = Between(said, said)
    if bounds is None or not isinstance(said, Between) or (said.lo, said.hi) == (None, None):
        return None
    low = bounds[0] if said.lo is None else said.lo
    high = bounds[1] if said.hi is None else said.hi
    return low <= bounds[1] and high >= bounds[0]


def every(*answers: bool | None) -> bool | None:
    """False if one is, else None if one is, else True."""
    return False if False in answers else None if None in answers else True


def some_known(*answers: bool | None) -> bool | None:
    """False if one is, True if another one is, None if nothing is known."""
    return False if False in answers else True if True in answers else None


def _file(at: At) -> str:
    found = evidence_of(at.run.trace, at.event.seq)
    return "" if found is None else found.file


def of_the_end(at: At) -> bool:
    """Whether the event comes from a data directory as it was at the end."""
    return "/data/" in _file(at)


def span(value: Value) -> tuple[int, int] | None:
    """The offsets [first, end) that a sentence names."""
    return (value.first, value.end) if isinstance(value, Offsets) else None


def in_the_dump(seen: Seen, first: int, end: int, epoch: int | None) -> bool | None:
    """Whether the metadata log has records at offsets [first, end) of this epoch; None beyond the dump."""
    known = seen.metadata_epochs
    if not all(one in known for one in range(first, end)):
        return None
    return epoch is None or all(known[one] == epoch for one in range(first, end))


@truth("why.batch.title", "why.batch", "why.batch.unknown-epoch")
def its_disk_holds_the_batch(at: At, seen: Seen) -> bool | None:
    """In the epoch that the sentence names; what a copy from before the end held may have been cut since."""
    offsets = span(at.said["what"])
    if offsets is not None and seen.batches:
        return in_the_dump(seen, *offsets, at.event.get("epoch"))
    if offsets is None or not seen.known or at.who not in seen.final:
        return None
    held = seen.offsets[at.who]
    begin = seen.final[at.who].get("log_start") or 0
    wanted = [offset for offset in range(*offsets) if offset >= begin]
    epoch = at.number("epoch") if at.message.id == "why.batch" else None
    right = all(offset in held and (epoch is None or held[offset] in (None, epoch)) for offset in wanted)
    if not wanted:
        return None
    return True if right else False if of_the_end(at) else None


@truth("why.appended.title", "why.appended.by-leader", "why.appended.by-follower", "why.rule.appended")
def its_log_grew_to_there(at: At, seen: Seen) -> bool | None:
    first, till = at.event.get("from_offset"), at.event.get("offset")
    if first is not None and till is not None and seen.batches:
        return in_the_dump(seen, first, till, at.event.get("epoch"))
    if till is None or not seen.known:
        return None
    end = meets(till, seen.log_end(at.who, at.event.at))
    epoch = at.number("epoch") if "epoch" in at.said else None
    leader = None if epoch is None else seen.led.get(epoch)
    if at.message.id == "why.appended.by-leader":
        near = {state[0] for state in seen.around(at.event.at)}
        return every(end, (at.who in near or None) if leader is None else leader == at.who)
    if at.message.id in ("why.appended.by-follower", "why.rule.appended"):
        leaders = {state[0] for state in seen.around(at.event.at)}
        return every(
            end, False if leaders == {at.who} and seen.complete and "follower" in at.message.id else end
        )
    return end


@truth(
    "why.appended.end.only",
    "why.loaded",
    "why.loaded.title",
    "why.log-end.title",
    "why.elected.log.only",
    "why.stopped.log",
    "why.crashed.log",
    "why.crashed.log.start",
    "why.crashed.log.only",
    "why.cut.decided",
    "why.cut.decided.nothing-above",
    "why.watermark.counted",
    "why.watermark.own",
    "why.watermark.alone",
    "why.not-cut",
    "why.not-cut.leader-epoch",
)
def its_log_ended_there(at: At, seen: Seen) -> bool | None:
    """After an append to the metadata log: a batch ends there."""
    first, till = at.event.get("from_offset"), at.event.get("offset")
    if at.event.kind == "appended" and first in seen.batches:
        return till == at.event.get("leo") and till in {end for end, _ in seen.batches.values()}
    return meets(at.said["end"], seen.log_end(_replica(at), at.event.at))


def _replica(at: At) -> int:
    """The replica that a sentence is about: a new leader, or the one of the event."""
    leader = at.event.get("leader")
    return leader if at.message.id.startswith("why.elected") and leader is not None else at.who


@truth("why.log-end", "why.rule.loaded")
def the_log_end_is_what_is_stated(at: At, seen: Seen) -> bool | None:
    return meets(at.event.get("leo"), seen.log_end(at.who, at.event.at)) if at.event.get("leo") else None


@truth("why.log-end.at-least", "why.log-end.at-least.title")
def the_log_reached_so_far(at: At, seen: Seen) -> bool | None:
    bounds, end = seen.log_end(at.who, at.event.at), at.event.get("leo")
    return None if bounds is None or end is None else end <= bounds[1]


@truth("why.log-end.on-disk", "why.log-end.on-disk.title")
def its_copy_holds_no_more(at: At, seen: Seen) -> bool | None:
    end = at.event.get("leo")
    if of_the_end(at) and seen.known and at.who in seen.final:
        return seen.final[at.who]["leo"] == end
    marked = [one["leo"] for _, who, one in seen.marks if who == at.who] if seen.known else []
    return True if end in marked else meets(end, seen.log_end(at.who, at.event.at))


@truth("why.appended.end", "why.leads", "why.follows", "why.elected.log", "why.elected.log.first")
def log_end_and_high_watermark_were_so(at: At, seen: Seen) -> bool | None:
    replica = _replica(at)
    end = meets(at.said["end"], seen.log_end(replica, at.event.at))
    return some_known(end, meets(at.said["hw"], seen.high_watermark(replica, at.event.at)))


@truth("why.watermark.is.title", "why.watermark.rises.title", "why.watermark.falls.title")
def its_high_watermark_was_that(at: At, seen: Seen) -> bool | None:
    return meets(at.said["hw"], seen.high_watermark(at.who, at.event.at))


@truth("why.watermark.fetched")
def it_had_fetched_so_far(at: At, seen: Seen) -> bool | None:
    (broker,) = at.brokers("broker")
    bounds = seen.log_end(broker, at.event.at)
    said = at.said["end"]
    low = said.lo if isinstance(said, Between) else at.number("end")
    return None if bounds is None or low is None else low <= bounds[1]


@truth("why.watermark.committed")
def it_was_committed(at: At, seen: Seen) -> bool | None:
    offsets = span(at.said["what"])
    bounds = seen.high_watermark(at.who, at.event.at)
    return None if offsets is None or bounds is None else offsets[1] <= bounds[1]


@truth("why.watermark.follower", "why.rule.watermark.follower")
def as_far_as_its_own_log_reaches(at: At, seen: Seen) -> bool | None:
    """It did not lead, and its high watermark is not above its own log end."""
    hw, end = at.event.get("hw"), seen.log_end(at.who, at.event.at)
    if hw is None or end is None:
        return None
    leaders = {state[0] for state in seen.around(at.event.at)}
    return hw <= end[1] and leaders != {at.who}


@truth("why.rule.watermark.leader")
def it_leads_and_counts(at: At, seen: Seen) -> bool | None:
    """It led, and no member of the in-sync set had a log that ended below."""
    hw, states = at.event.get("hw"), seen.around(at.event.at)
    if hw is None or not states:
        return None
    members = [set(isr) for _, _, isr in states if isr]
    sure = set.intersection(*members) if members else set[int]()
    ends = [seen.log_end(one, at.event.at) for one in (*sure, at.who)]
    if at.who not in {state[0] for state in states}:
        return False if seen.complete else None
    return some_known(*(None if one is None else hw <= one[1] for one in ends))


@truth("why.fetch.delivered.title")
def the_answer_says_no_more_than_is_committed(at: At, seen: Seen) -> bool | None:
    if not seen.known:
        return None
    bounds = [seen.high_watermark(one, at.event.at) for one in seen.final]
    tops = [one[1] for one in bounds if one is not None]
    hw = at.number("hw")
    return hw <= max(tops) if hw is not None and tops else None


@truth("why.fetch.delivered.nothing")
def it_takes_the_lower_one(at: At, seen: Seen) -> bool | None:
    end, hw = seen.log_end(at.who, at.event.at), at.number("hw")
    bounds = seen.high_watermark(at.who, at.event.at + AFTER)
    if end is None or hw is None or bounds is None:
        return None
    return min(hw, end[0]) <= bounds[1] and min(hw, end[1]) >= bounds[0]


@truth(
    "why.fetch.sent.title",
    "why.fetch.sent",
    "why.rule.fetch-sent",
    "why.fetcher.added.at.title",
    "why.follower-end.title",
    "why.follower-end",
    "why.follower-end.nothing",
)
def there_the_followers_log_ended(at: At, seen: Seen) -> bool | None:
    offset = at.event.get("leo") if at.event.kind == "follower_leo_recorded" else at.event.get("offset")
    return meets(offset, seen.log_end(at.who, at.event.at)) if offset is not None else None


@truth(
    *("why.epoch.noted", "why.epoch.noted.title", "why.rule.epoch.noted"),
    *("why.epoch.on-disk", "why.epoch.on-disk.title"),
)
def no_record_of_the_epoch_stands_below(at: At, seen: Seen) -> bool | None:
    """Of what its disk was seen to hold, and what the cache had at the end."""
    epoch, offset = at.event.get("epoch"), at.event.get("offset")
    if not seen.known or epoch is None or offset is None or at.who not in seen.final:
        return None
    mine = [place for one, place in seen.epoch_ranges.get(at.who, ()) if one == epoch]
    cached = [list(one) for one in seen.final[at.who].get("epoch_checkpoint") or ()]
    if not mine:
        return True if [epoch, offset] in cached else None
    begin = seen.final[at.who].get("log_start") or 0
    deleted = not at.message.id.startswith("why.epoch.noted")
    return min(mine) >= offset or (deleted and 0 < offset <= begin)


@truth("why.fetcher.added.cuts")
def no_fetch_begins_below_the_log_end(at: At, seen: Seen) -> bool | None:
    bounds, offset = seen.log_end(at.who, at.event.at), at.event.get("offset")
    return None if bounds is None or offset is None else offset < bounds[1]


@truth("why.epoch-cache.entries", "why.epoch-cache.on-disk", "why.epoch-cache.on-disk.title")
def the_cache_had_so_many(at: At, seen: Seen) -> bool | None:
    """At the end, or when its disk was looked at while it was down."""
    count = at.event.get("aux")
    if not seen.known or at.who not in seen.final:
        return None
    if of_the_end(at):
        cached = seen.final[at.who].get("epoch_checkpoint")
        return None if cached is None else len(cached) == count
    before = [(when, one) for when, who, one in seen.marks if who == at.who and when <= at.event.at]
    last = seen.last_step(at.who, at.event.at)
    if not before or last is None or last[1] != "start" or "epochs" not in before[-1][1]:
        return None
    down = [when for when, do in seen.steps(at.who) if do in ("kill", "term") and when <= last[0]]
    epochs = before[-1][1]["epochs"]
    settled = bool(down) and down[-1] <= before[-1][0] <= last[0]
    return len(epochs) == count if settled and epochs and len(epochs[0]) == 2 else None


@truth("why.watermark.checkpoint.title", "why.watermark.checkpoint", "why.rule.checkpoint")
def it_was_written_to_the_checkpoint(at: At, seen: Seen) -> bool | None:
    """It is what the checkpoint had at the end, or at a look, or no more than the high watermark was."""
    hw = at.event.get("hw")
    if not seen.known or hw is None or at.who not in seen.final:
        return None
    if of_the_end(at) and seen.final[at.who].get("hw_checkpoint") is not None:
        return seen.final[at.who]["hw_checkpoint"] == hw
    if hw in [one.get("hw_checkpoint") for _, who, one in seen.marks if who == at.who]:
        return True
    bounds = seen.high_watermark(at.who, at.event.at)
    return None if bounds is None else hw <= bounds[1]


@truth("why.watermark.loaded.title", "why.rule.watermark.loaded", "why.watermark.loaded.zero")
def its_checkpoint_said_so(at: At, seen: Seen) -> bool | None:
    """When its disk was looked at while it was down; before its first start there is none."""
    hw = at.event.get("hw")
    if not seen.known or hw is None:
        return None
    starts = [when for when, do in seen.steps(at.who) if do == "start" and when <= at.event.at]
    down = [when for when, do in seen.steps(at.who) if do in ("kill", "term") and when <= at.event.at]
    if starts and not down:
        return hw == 0
    looked = [
        one["hw_checkpoint"]
        for when, who, one in seen.marks
        if who == at.who and down and starts and down[-1] <= when <= starts[-1] and "hw_checkpoint" in one
    ]
    if not looked or looked[-1] is None:
        return None
    end = seen.log_end(at.who, at.event.at)
    return hw == looked[-1] or (end is not None and end[0] <= hw < looked[-1])


@truth("why.watermark.loaded")
def it_was_written_at_most_five_seconds_before_the_stop(at: At, seen: Seen) -> bool | None:
    """So it is no less than the high watermark was a little more than five seconds before the stop."""
    hw = at.event.get("hw")
    down = [when for when, do in seen.steps(at.who) if do in ("kill", "term") and when <= at.event.at]
    if not seen.known or hw is None or not down:
        return None
    before = seen.high_watermark(at.who, down[-1] - 5_000_000_000 - AFTER - 500_000_000)
    end = seen.log_end(at.who, at.event.at)
    return None if before is None or end is None else hw >= min(before[0], end[0])


@truth("why.flushed.title", "why.flushed")
def its_log_reached_so_far(at: At, seen: Seen) -> bool | None:
    bounds, offset = seen.log_end(at.who, at.event.at), at.event.get("offset")
    return None if bounds is None or offset is None else offset <= bounds[1]


@truth("why.log-created.title", "why.log-created")
def its_log_was_empty(at: At, seen: Seen) -> bool | None:
    bounds = seen.log_end(at.who, at.event.at)
    begin = at.number("start") if "start" in at.said else 0
    return None if bounds is None or begin is None else bounds[0] <= begin


@truth("why.log-start.title", "why.log-start.offset")
def the_log_begins_no_earlier(at: At, seen: Seen) -> bool | None:
    start = at.event.get("log_start") or at.event.get("offset")
    if not seen.known or at.who not in seen.final or start is None:
        return None
    begin = seen.final[at.who].get("log_start")
    return None if begin is None else start <= begin


def cut_to(at: At, seen: Seen, to: int | None) -> bool | None:
    """Whether a cut to this offset was seen about that time, or a lower one where only looks tell."""
    if not seen.known or to is None:
        return None
    near = 3_000_000_000
    mine = [one for one in seen.cuts(at.who) if abs(one["at_ns"] - at.event.at) <= near]
    if any(one["to"] == to and one.get("exact", True) for one in mine):
        return True
    every_cut = seen.cuts(at.who)
    if any(not one.get("exact", True) and to <= one["to"] <= one["from"] for one in every_cut):
        return True
    return (
        None
        if any(not one.get("exact", True) for one in every_cut) or seen.truth.get("controllers")
        else False
    )


@truth("why.cut.title", "why.cut", "why.cut.title.unknown-end", "why.cut.unknown-end")
def its_log_was_cut_there(at: At, seen: Seen) -> bool | None:
    """From where it ended, where the sentence says so."""
    found = cut_to(at, seen, at.number("to"))
    if found is not True or "start" not in at.said:
        return found
    start, to = at.said["start"], at.number("to")
    froms = [one["from"] for one in seen.cuts(at.who) if one["to"] == to and one.get("exact", True)]
    if not froms:
        return True
    return any(meets(start, (one, one)) for one in froms)


@truth("why.cut.nothing.title", "why.not-cut.kept", "why.failed.again")
def nothing_was_cut(at: At, seen: Seen) -> bool | None:
    """No cut was seen right then, and the log end is known before and after."""
    bounds = seen.log_end(at.who, at.event.at)
    near = [
        one
        for one in seen.cuts(at.who)
        if abs(one["at_ns"] - at.event.at) <= BEFORE and one.get("exact", True)
    ]
    return None if bounds is None or near else True


@truth("why.cut.was-told", "why.cut.not-longer")
def it_held_no_more(at: At, seen: Seen) -> bool | None:
    """The log did not end above the offset to which it was to be cut, as far as the samples show."""
    bounds, to = seen.log_end(at.who, at.event.at), at.event.get("offset")
    return None if bounds is None or to is None else bounds[0] <= to


@truth("why.cut.because.high-watermark", "why.cut.because.diverging-epoch", "why.cut.because.leader-epoch")
def the_offset_of_the_cut_was_that(at: At, seen: Seen) -> bool | None:
    """Its own high watermark, where that is named; its log did not end below."""
    to = at.event.get("offset")
    bounds = seen.log_end(at.who, at.event.at)
    if bounds is None or to is None:
        return None
    if at.message.id.endswith("high-watermark"):
        return some_known(
            meets(at.said["hw"], seen.high_watermark(at.who, at.event.at)), to <= bounds[1] or None
        )
    return cut_to(at, seen, to)


@truth("why.fetch.out-of-range.title", "why.fetch.out-of-range", "why.cut.because.leader-end")
def its_log_reached_beyond_the_leader(at: At, seen: Seen) -> bool | None:
    """It fetched where its own log ended; where the leader's ended is in no sample just then."""
    bounds, came = seen.log_end(at.who, at.event.at), at.number("came") if "came" in at.said else None
    return None if bounds is None or came is None else bounds[0] <= came <= bounds[1]


@truth("why.fetch.out-of-range.then")
def it_was_cut_there(at: At, seen: Seen) -> bool | None:
    return cut_to(at, seen, at.number("to"))


@truth("why.watermark.stated")
def it_was_no_higher_than_the_log_end(at: At, seen: Seen) -> bool | None:
    hw, bounds = at.event.get("hw"), seen.high_watermark(at.who, at.event.at)
    return meets(hw, bounds) if hw is not None else None


@truth("why.cut.held", "why.cut.held-for-now", "why.cut.not-committed")
def what_became_of_the_records(at: At, seen: Seen) -> bool | None:
    """What was cut, and held by the leader all the same, is there at the end; for now: it is not."""
    cut = next((one for one in seen.cuts(at.who) if one["to"] == at.event.get("offset")), None)
    if cut is None or not seen.known:
        return None
    gone = set(range(cut["to"], cut["from"]))
    if at.message.id == "why.cut.not-committed":
        lost = {one["offset"] for one in seen.truth["lost"].get(seen.tp, ()) if one["acks"] == -1}
        return not gone & lost
    (leader,) = at.brokers("leader")
    bounds = seen.log_end(leader, at.event.at)
    return (
        None
        if bounds is None
        else bounds[1] >= cut["to"] and leader in {one[0] for one in seen.around(at.event.at)}
    )
