"""Sentences of the story of a real partition, held against what the recorder of its cluster saw."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from core.diagnose.narrate.story import tell
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import History
from core.message import Between, Listing, Message, Moment, Names, Offsets, Value
from core.trace.broker_names import broker_value
from core.trace.trace import Trace
from tests.claims.by_truth import every, meets, some_known
from tests.claims.claim import counts, messages_in
from tests.claims.control_by_truth import leads
from tests.claims.held import Tally
from tests.claims.seen import DOWN, TOLD, Seen
from tests.claims.stories import ENTRIES
from tests.claims.stories_held import STORY_PARTS

_NEAR: Final = 5_000_000_000


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence `message` within the sentence `root` of a story; `entry` is that of the ledger before it."""

    trace: Trace
    message: Message
    root: Message
    entry: Message | None = None

    @property
    def said(self) -> dict[str, Value]:
        return {**dict(self.root.values), **dict(self.message.values)}

    @property
    def at(self) -> int:
        """The time of the sentence, in ns."""
        moment = self.said["at"]
        if isinstance(moment, Message):
            moment = dict(moment.values)["at"]
        assert isinstance(moment, Moment)
        return moment.ns

    def number(self, name: str) -> int | None:
        value = self.said.get(name)
        return value if isinstance(value, int) else None

    def brokers(self, name: str = "who") -> tuple[int, ...]:
        value = self.said[name]
        named = value.items if isinstance(value, Names) else (value,)
        known = {
            broker_value(self.trace, int(one.broker_id)): int(one.broker_id) for one in self.trace.brokers
        }
        return tuple(known[one] for one in named)

    def offsets(self, name: str) -> set[int]:
        return {place for one in self._spans(name) for place in range(one.first, one.end)}

    def counts(self, name: str) -> bool:
        """Whether as many are counted as these ranges have; an offset may be lost in several epochs."""
        return counts(self.said["count"], sum(one.end - one.first for one in self._spans(name)))

    def _spans(self, name: str) -> tuple[Offsets, ...]:
        value = self.said[name]
        spans = value.items if isinstance(value, Listing) else (value,)
        return tuple(one for one in spans if isinstance(one, Offsets))

    def isr(self) -> tuple[int, ...]:
        """The in-sync set as it is printed."""
        return tuple(sorted(map(int, re.findall(r"\d+", str(self.said["isr"])))))


StoryByTruth = Callable[[Told, Seen], bool | None]
STORIES_BY_TRUTH: Final[dict[str, StoryByTruth]] = {}


def story(*ids: str) -> Callable[[StoryByTruth], StoryByTruth]:
    """The predicate of these sentences of a story."""

    def noted(predicate: StoryByTruth) -> StoryByTruth:
        for one in ids:
            assert one not in STORIES_BY_TRUTH, one
            STORIES_BY_TRUTH[one] = predicate
        return predicate

    return noted


def _gone(seen: Seen) -> set[int]:
    """Offsets whose records were lost, cut from some log, or differ at the end."""
    listed = (*seen.truth["lost"].get(seen.tp, ()), *seen.truth["diverged"].get(seen.tp, ()))
    gone = {one["offset"] for one in listed}
    for cut in seen.truth["truncations"]:
        if cut["tp"] == seen.tp:
            low = cut["to"] if cut.get("exact", True) else 0
            gone.update(range(low, cut["from"]))
    return gone


@story("story.lost", "story.lost.unknown-cause", "story.lost.never", "story.lost.tail")
def these_are_gone(told: Told, seen: Seen) -> bool | None:
    return told.counts("ranges") and told.offsets("ranges") <= _gone(seen) if seen.known else None


@story("story.entry", "story.entry.unknown-cause")
def the_entry_is_gone(told: Told, seen: Seen) -> bool | None:
    return told.counts("what") and told.offsets("what") <= _gone(seen) if seen.known else None


@story("story.lost.nothing")
def nothing_confirmed_is_lost(told: Told, seen: Seen) -> bool | None:
    """It says what is known: with acks=1 a loss may have left no sign."""
    if not seen.known:
        return None
    lost = seen.truth["lost"].get(seen.tp, [])
    return not any(one["acks"] == -1 for one in lost) and (not lost or None)


@story("story.end.leader", "story.end.follower", "story.end.offline", "story.end.unknown")
def so_it_was_at_the_end(told: Told, seen: Seen) -> bool | None:
    (broker,) = told.brokers()
    if not seen.known or broker not in seen.final:
        return None
    final = seen.truth["final"][seen.tp]
    leo = seen.final[broker]["leo"]
    end = meets(told.said["leo"], (leo, leo))
    hw = meets(told.said["hw"], (0, leo))
    if told.message.id == "story.end.leader" and told.number("epoch") == final["epoch"]:
        return every(end, hw is not False, final["leader"] == broker)
    return False if hw is False else end


@story("story.end.absent")
def it_held_none_at_the_end(told: Told, seen: Seen) -> bool | None:
    """The recorder reads the logs that are there."""
    return False if seen.known and told.brokers()[0] in seen.final else None


@story(
    "story.was-cut", "story.was-cut.from", "story.was-cut.records", "story.was-cut.records-least", "story.cut"
)
def it_was_cut(told: Told, seen: Seen) -> bool | None:
    (broker,), to = told.brokers(), told.number("to")
    if not seen.known or to is None:
        return None
    cuts = seen.cuts(broker)
    if any(
        one["to"] == to and abs(one["at_ns"] - told.at) <= _NEAR for one in cuts if one.get("exact", True)
    ):
        return True
    vague = [one for one in cuts if not one.get("exact", True)]
    if any(to <= one["to"] for one in vague):
        return True
    return None if vague or seen.truth.get("controllers") else False


@story(*(f"story.{word}{end}" for word in ("led", "stayed") for end in ("", ".isr", ".start", ".start.isr")))
def it_led_from_there(told: Told, seen: Seen) -> bool | None:
    return _led(told, seen)


@story(*(f"story.led{end}.inferred" for end in (".isr", ".start", ".start.isr")))
def it_is_inferred_that_it_led(told: Told, seen: Seen) -> bool | None:
    return _led(told, seen)


def _led(told: Told, seen: Seen) -> bool | None:
    """In that epoch, from that offset on, and with a set that was answered about then.

    It begins to lead a little after the controller has decided: its log end lies between those two times.
    """
    (broker,), start = told.brokers(), told.number("start")
    right = leads(seen, told.number("epoch"), broker, told.at)
    ends = [seen.log_end(broker, when) for when in (told.at, told.at + 2 * TOLD)]
    low, high = ends
    end = None if start is None or low is None or high is None else low[0] <= start <= max(low[1], high[1])
    sets = {state[2] for state in seen.around(told.at)} if "isr" in told.said else set[Any]()
    isr = False if sets and seen.complete and told.isr() not in sets else None
    return some_known(right, end, isr)


@story("story.leaderless", "story.leaderless.until")
def nobody_led_the_epoch(told: Told, seen: Seen) -> bool | None:
    epoch = told.number("epoch")
    if not seen.known or epoch is None:
        return None
    return True if epoch in seen.leaderless else False if epoch in seen.led else None


@story("story.committed", "story.committed.exact", "story.committed.by-rule")
def its_log_reached_the_watermark(told: Told, seen: Seen) -> bool | None:
    """Some time its log ended there or above, and by rule it led that epoch."""
    (broker,), hw = told.brokers(), told.said["hw"]
    low = hw.lo if isinstance(hw, Between) else hw if isinstance(hw, int) else None
    if not seen.known or broker not in seen.final or low is None:
        return None
    ends = [value for _, value in seen.ends(broker)] + [seen.final[broker]["leo"]]
    by_rule = told.message.id == "story.committed.by-rule"
    leader = leads(seen, told.number("epoch"), broker, 0) is not False or not by_rule
    return every(low <= max(ends), leader)


@story("story.life.committed")
def the_records_were_committed(told: Told, seen: Seen) -> bool | None:
    """Some high watermark that was seen, or some log at the end, reached beyond them."""
    offsets = told.offsets("what")
    if not seen.known or not offsets:
        return None
    tops = [value for broker in seen.final for _, value in seen.watermarks(broker)]
    ends = [one["leo"] for one in seen.final.values()]
    return max(offsets) < max([*tops, *ends], default=0)


@story("story.started")
def its_process_was_started(told: Told, seen: Seen) -> bool | None:
    (broker,) = told.brokers()
    starts = [when for when, do in seen.steps(broker) if do == "start"]
    return any(0 <= told.at - when + TOLD <= 12 * _NEAR for when in starts) if starts else None


@story("story.stopped")
def it_was_told_to_stop(told: Told, seen: Seen) -> bool | None:
    (broker,) = told.brokers()
    stops = [when for when, do in seen.steps(broker) if do == "term"]
    return any(0 <= told.at - when + TOLD <= 12 * _NEAR for when in stops) or (None if not stops else False)


@story("story.ended.between")
def it_ended_in_that_time(told: Told, seen: Seen) -> bool | None:
    (broker,), till = told.brokers(), told.said["till"]
    if isinstance(till, Message):
        till = dict(till.values)["at"]
    assert isinstance(till, Moment)
    stops = [when for when, do in seen.steps(broker) if do in DOWN]
    return any(told.at - TOLD <= when <= till.ns + TOLD for when in stops) if stops else None


@story("story.isr.joined", "story.isr.left")
def the_set_was_answered(told: Told, seen: Seen) -> bool | None:
    sets = {state[2] for state in seen.around(told.at)} - {None}
    if not seen.known or not sets:
        return None
    return True if told.isr() in sets else False if seen.complete else None


@story("story.unlike")
def they_differ_there(told: Told, seen: Seen) -> bool | None:
    if not seen.known:
        return None
    return told.offsets("what") <= {one["offset"] for one in seen.truth["diverged"].get(seen.tp, ())}


@story("story.diverged")
def some_differ(told: Told, seen: Seen) -> bool | None:
    return bool(seen.truth["diverged"].get(seen.tp)) if seen.known else None


@story("story.contents.all-equal", "story.contents.all-equal.known-by")
def none_differ(told: Told, seen: Seen) -> bool | None:
    return not seen.truth["diverged"].get(seen.tp) if seen.known else None


def _holds(seen: Seen, broker: int, what: tuple[set[int], int | None]) -> bool | None:
    """Whether a replica held all of these records of an epoch at the end; None where it held some."""
    offsets, epoch = what
    held = seen.offsets.get(broker, {})
    there = {one for one in offsets if one in held and held[one] in (None, epoch)}
    return True if there == offsets else None if there else False


@story("story.life", "story.life.removed", "story.life.by", "story.life.by.removed")
def its_leader_appended_them(told: Told, seen: Seen) -> bool | None:
    by = told.brokers("by") if "by" in told.said else ()
    return leads(seen, told.number("epoch"), by[0], 0) if by else None


@story("story.life.held")
def they_have_them_at_the_end(told: Told, seen: Seen) -> bool | None:
    """What lies below the log start of a replica is not there to be seen."""
    what = told.offsets("what"), told.number("epoch")
    if not seen.known or not set(told.brokers()) <= set(seen.final):
        return None
    begin = max(seen.final[one].get("log_start") or 0 for one in told.brokers())
    kept = {one for one in what[0] if one >= begin}
    return every(*(_holds(seen, one, (kept, what[1])) for one in told.brokers())) if kept else None


@story("story.life.nobody")
def nobody_has_them_at_the_end(told: Told, seen: Seen) -> bool | None:
    what = told.offsets("what"), told.number("epoch")
    return _nobody_has(seen, what) if seen.known else None


def _nobody_has(seen: Seen, what: tuple[set[int], int | None]) -> bool:
    """Of that epoch; a record of which no epoch is known may be of another one.

    What lies below the log start of a replica may stand in its segment all the same, and nobody can read it.
    """
    begins = {broker: one.get("log_start") or 0 for broker, one in seen.final.items()}
    return not any(
        seen.offsets[broker].get(one) == what[1] and one >= begin
        for broker, begin in begins.items()
        for one in what[0]
        if one in seen.offsets[broker]
    )


@story("story.entry.gone")
def no_copy_of_the_entry_is_left(told: Told, seen: Seen) -> bool | None:
    if not seen.known or told.entry is None:
        return None
    entry = Told(told.trace, told.entry, told.entry)
    return _nobody_has(seen, (entry.offsets("what"), entry.number("epoch")))


@story("story.entry.left")
def these_have_the_entry(told: Told, seen: Seen) -> bool | None:
    if not seen.known or told.entry is None:
        return None
    entry = Told(told.trace, told.entry, told.entry)
    what = entry.offsets("what"), entry.number("epoch")
    return every(*(_holds(seen, one, what) for one in told.brokers()))


@story(*(f"story.election.{one}" for one in ("first", "clean", "preferred", "controlled", "unclean", "elr")))
def so_it_came_to_lead(told: Told, seen: Seen) -> bool | None:
    """It led that epoch; and had been in the set that was answered before, or had not."""
    (broker,), epoch, way = told.brokers(), told.number("epoch"), told.message.id.rsplit(".", 1)[1]
    led = leads(seen, epoch, broker, told.at)
    sets = [state[2] for _, state in seen.control if state[1] is not None and state[1] < (epoch or 0)]
    if way == "first":
        return every(led, not any(one < (epoch or 0) for one in seen.led)) if led is not None else None
    if not sets or sets[-1] is None or led is None or way == "elr" or not seen.complete:
        return False if led is False else None
    return every(led, (broker in sets[-1]) == (way != "unclean"))


@story("loss.led", "loss.led.cut", "loss.led.cut-to", "loss.led.others")
def it_led_without_them(told: Told, seen: Seen) -> bool | None:
    led = told.said["led"]
    assert isinstance(led, Message)
    return leads(seen, Told(told.trace, led, led).number("epoch"), told.brokers()[0], 0)


@story("loss.committed", "loss.committed.derived")
def the_lost_records_were_committed(told: Told, seen: Seen) -> bool | None:
    """Some replica's high watermark was seen above them, or a producer with acks=all was answered."""
    offsets = told.offsets("offsets")
    if not seen.known or not offsets:
        return None
    tops = [value for broker in seen.final for _, value in seen.watermarks(broker)]
    acked = {one["offset"] for one in seen.truth["lost"].get(seen.tp, ()) if one["acks"] == -1}
    return max(offsets) < max(tops, default=0) or max(offsets) in acked or None


@story(
    "finding.last-replica-standing",
    "finding.last-replica-standing.min-unknown",
    "finding.last-replica-standing.to-the-end",
)
def it_was_alone_in_the_set(told: Told, seen: Seen) -> bool | None:
    return _answered(told, seen, tuple(told.brokers()))


@story("finding.under-min-isr")
def the_set_was_that(told: Told, seen: Seen) -> bool | None:
    return _answered(told, seen, told.isr())


def _answered(told: Told, seen: Seen, isr: tuple[int, ...]) -> bool | None:
    """Whether the cluster answered with this set about the time of the note."""
    sets = {state[2] for state in seen.around(told.at)} - {None}
    if not seen.known or not sets:
        return None
    return True if isr in sets else False if seen.complete else None


def hold_story_of(history: History, verdict: PartitionVerdict, seen: Seen, name: str) -> Tally:
    """The sentences of the story of a partition of a recording."""
    told = tell(history, verdict)
    tally = Tally()
    entry: Message | None = None
    for root in (*told.summary, *(one for section in told.sections for one in section.sentences)):
        entry = root if root.id in ENTRIES else entry
        for one in messages_in(root):
            if one.id in STORY_PARTS:
                continue
            predicate = STORIES_BY_TRUTH.get(one.id)
            answer = None if predicate is None else predicate(Told(history.trace, one, root, entry), seen)
            tally.said[one.id] += 1
            if answer is None:
                tally.undecided[one.id] += 1
            elif answer:
                tally.held[one.id] += 1
            else:
                tally.broken.append(f"{one.id}: {name} {seen.tp}, {dict(root.values)}")
    return tally
