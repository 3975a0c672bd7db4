"""Sentences on rules, transactions, silence and the metadata log of real clusters, by steps and by lines."""

from core.trace.evidence import evidence_of
from core.trace.vocabulary import Basis
from tests.claims.by_truth import some_known, truth
from tests.claims.claim import At
from tests.claims.releases import release_of
from tests.claims.seen import DOWN, Seen

_INTERVAL = 5_600_000_000
"""A checkpoint is written every five seconds, and takes a moment."""


@truth("why.process.silent")
def no_line_of_it_is_there(at: At, seen: Seen) -> bool | None:
    """Of the lines of its own logs none is from this time."""
    length = at.event.get("aux")
    if length is None:
        return None
    for event in at.run.events[at.place + 1 :]:
        if event.at >= at.event.at + length:
            break
        if event.get("broker") == at.who and event.basis is Basis.OBSERVED and event.at > at.event.at:
            found = evidence_of(at.run.trace, event.seq)
            if found is not None and "/logs/" in found.file and f"broker-{at.who}/" in found.file:
                return False
    return True


@truth("why.flushed.nothing")
def nothing_is_flushed(at: At, seen: Seen) -> bool | None:
    return not at.event.get("offset")


@truth("why.cut.decided.title")
def its_line_says_so(at: At, seen: Seen) -> bool | None:
    """And the offset is not above what its log can have reached."""
    to = at.event.get("offset")
    named = at.event.kind == "truncation_decided" and at.number("to") == to and at.is_broker("who", at.who)
    bounds = seen.log_end(at.who, at.event.at)
    return False if not named else None if bounds is None or to is None else True


@truth("why.rule.stopped")
def the_checkpoint_was_written_before_the_stop(at: At, seen: Seen) -> bool | None:
    """What the disk had after it: at a clean stop the high watermark, else one of the last five seconds."""
    starts = [when for when, do in seen.steps(at.who) if do == "start" and when > at.event.at]
    down = [when for when, do in seen.steps(at.who) if do in DOWN and when <= min(starts, default=1 << 63)]
    if not seen.known or not down:
        return None
    looked = [
        one["hw_checkpoint"]
        for when, who, one in seen.marks
        if who == at.who and down[-1] <= when <= min(starts, default=1 << 63) and "hw_checkpoint" in one
    ]
    if not starts and at.who in seen.final and seen.final[at.who].get("hw_checkpoint") is not None:
        looked.append(seen.final[at.who]["hw_checkpoint"])
    if not looked or looked[-1] is None:
        return None
    before = seen.high_watermark(at.who, down[-1] - _INTERVAL)
    now = seen.high_watermark(at.who, down[-1])
    low = None if before is None else looked[-1] >= before[0]
    return some_known(low, None if now is None else looked[-1] <= now[1])


@truth("why.rule.cut.leader-end", "why.since.cut.leader-end")
def a_fetch_beyond_the_log_is_cut(at: At, seen: Seen) -> bool | None:
    """From 2.0.1 always (KAFKA-7414), before with unclean elections, the default to 0.10."""
    release = release_of(at.run, at.who)
    if release is None:
        return None
    topic = seen.tp.rsplit("-", 1)[0]
    configs = [one["config"] for one in seen.truth["topics"] if one["name"] == topic]
    allowed = any(one.get("unclean.leader.election.enable") in (True, "true") for one in configs)
    return release >= (2, 0, 1) or release < (0, 11) or allowed


@truth("why.since.transactions", "why.rule.stable")
def its_release_has_transactions(at: At, seen: Seen) -> bool | None:
    release = release_of(at.run, at.who)
    return None if release is None else release >= (0, 11)


@truth("why.since.recovery", "why.rule.recovery")
def its_release_marks_recoveries(at: At, seen: Seen) -> bool | None:
    release = release_of(at.run, at.who)
    return None if release is None else release >= (3, 2)


@truth("why.recovery.begins.title", "why.recovery.begins", "why.recovery.nothing")
def an_unclean_election_marked_it(at: At, seen: Seen) -> bool | None:
    """It led that epoch, and had not been in the set that was answered before."""
    epoch, leader = at.event.get("epoch"), at.event.get("leader")
    before = [state for _, state in seen.control if state[1] is not None and state[1] < (epoch or 0)]
    if not seen.known or epoch not in seen.led or not before:
        return None
    return seen.led[epoch] == leader and (leader not in (before[-1][2] or ()) or None)


@truth("why.recovery.ends.title", "why.recovery.ends")
def it_led_on(at: At, seen: Seen) -> bool | None:
    epoch = at.event.get("epoch")
    return seen.led[epoch] == at.event.get("leader") if seen.known and epoch in seen.led else None


@truth("why.transaction.committed.title", "why.transaction.committed")
def the_producer_committed(at: At, seen: Seen) -> bool | None:
    return _ended(at, seen, "commit")


@truth("why.transaction.aborted.title", "why.transaction.aborted")
def the_producer_aborted_or_was_late(at: At, seen: Seen) -> bool | None:
    """A transaction that was left open is aborted by the coordinator later."""
    ended = _ended(at, seen, "abort")
    left = [one["at_ns"] for one in seen.truth["steps"] if one["do"] == "txn" and "left open" in one["end"]]
    late = at.event.get("stamp")
    return True if left and late is not None and late > left[0] else ended


def _ended(at: At, seen: Seen, how: str) -> bool | None:
    """Whether a transaction was ended so when the marker was stamped: within a quarter of a second."""
    stamp = at.event.get("stamp")
    steps = [one for one in seen.truth["steps"] if one["do"] == "txn"]
    if stamp is None or not steps:
        return None
    nearest = min(steps, key=lambda one: abs(one["at_ns"] - stamp))
    return how in nearest["end"] if abs(nearest["at_ns"] - stamp) < 250_000_000 else None


@truth("why.transaction.written.title", "why.transaction.written", "why.transaction.written.on-disk")
def it_holds_the_records(at: At, seen: Seen) -> bool | None:
    """No sentence of a file says that it is open: its marker may stand in the same file."""
    first, end = at.event.get("from_offset"), at.event.get("offset")
    if at.message.id == "why.transaction.written":
        return False if evidence_of(at.run.trace, at.event.seq) is not None else None
    if not seen.known or at.who not in seen.final or first is None or end is None:
        return None
    return all(one in seen.offsets[at.who] for one in range(first, end))


@truth("why.stable")
def the_stable_offset_is_no_higher_than_the_log_end(at: At, seen: Seen) -> bool | None:
    bounds, lso = seen.log_end(at.who, at.event.at), at.number("lso")
    return None if bounds is None or lso is None else lso <= bounds[1]


@truth("why.producer.id")
def a_producer_wrote(at: At, seen: Seen) -> bool | None:
    return at.number("id") == at.event.get("aux")


@truth("why.process.resigned")
def another_is_the_controller_then(at: At, seen: Seen) -> bool | None:
    """Of those that were asked for it after it, the next is another broker."""
    asked = [(one["at_ns"], one["controller"]) for one in seen.truth["samples"] if "controller" in one]
    after = [who for when, who in asked if when > at.event.at]
    return at.who != after[0] if after else None
