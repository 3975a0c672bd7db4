"""Sentences on lost records: who led without them, what had been promised, who holds them; simulated runs."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from core.message import Message
from core.sim.truth import Fate
from core.trace.trace import Event
from core.trace.vocabulary import Election
from tests.claims.stories import Told, tells
from tests.claims.stories_lives import ACKS_ALL, CUTS, records_of
from tests.claims.world import EVERY, NOBODY, World

_ELECTIONS = ("first", "clean", "preferred", "controlled", "unclean", "elr", "last-known", "unknown")


def _lost(told: Told) -> Mapping[int, tuple[Fate, ...]]:
    """The records of the entry of the ledger that a sentence is about.

    Where a leader wrote others of the same epoch at their offsets, those that are lost.
    """
    found = records_of(told, told.entry())
    lost = {offset: tuple(one for one in fates if one.lost) for offset, fates in found.items()}
    return {offset: lost[offset] or fates for offset, fates in found.items()}


@tells("story.entry.gone")
def no_copy_is_left(told: Told) -> bool:
    return not any(one.held_by for fates in _lost(told).values() for one in fates)


@tells("story.entry.left", "loss.left.on-one", "loss.left.on-many")
def these_still_hold_them(told: Told) -> bool:
    """Each of them holds some; and the last that led has none."""
    named = set(told.brokers())
    held = [{broker for one in fates for broker in one.held_by} for fates in _lost(told).values()]
    last = told.run.truth.ledger.leaders[told.run.partition][1]
    return all(any(broker in holders for holders in held) for broker in named) and not any(
        last in holders for holders in held
    )


@tells("loss.removed")
def these_removed_them(told: Told) -> bool:
    """The log of each had one of the records, and has it no more."""
    numbers = {one.number for fates in _lost(told).values() for one in fates}
    last = told.run.worlds[-1]
    return all(
        any(numbers & set(world.of(broker).records(0, EVERY)) for world in told.run.worlds)
        and not numbers <= set(last.of(broker).records(0, EVERY))
        for broker in told.brokers()
    )


@tells(
    "story.class.committed",
    "story.class.acknowledged",
    "story.class.uncommitted",
    "story.class.uncommitted.read",
)
def so_they_had_been_promised(told: Told) -> bool:
    way = told.message.id.split(".", 2)[2]
    for fates in _lost(told).values():
        committed = any(one.committed is not None for one in fates)
        acknowledged = any(one.acknowledged is not None for one in fates)
        read = any(one.read is not None for one in fates)
        right = {
            "committed": committed,
            "acknowledged": acknowledged,
            "uncommitted": any(one.promise == "uncommitted" for one in fates)
            and (len(fates) > 1 or not read),
            "uncommitted.read": any(one.promise == "uncommitted" and one.read is not None for one in fates),
        }
        if not right[way]:
            return False
    return True


@tells("story.entry.acks")
def a_producer_would_have_been_told_so(told: Told) -> bool:
    """With acks=1 as soon as the leader appends; with acks=all when it was committed."""
    ways = {}
    for name in ("acks_1", "acks_all"):
        way = told.said[name]
        assert isinstance(way, Message)
        ways[name] = way.id.rsplit(".", 1)[1]
    all_of_them = _answered(told, ACKS_ALL)
    for offset, fates in _lost(told).items():
        committed = any(one.committed is not None for one in fates)
        answered = any(one.acknowledged is not None for one in fates)
        told_all = committed or (answered and offset in all_of_them)
        if ways["acks_all"] in ("yes", "no") and told_all != (ways["acks_all"] == "yes"):
            return False
        if ways["acks_1"] == "yes" and not (committed or answered):
            return False
        if ways["acks_1"] == "no" and answered:
            return False
    return True


def _answered(told: Told, acks: int) -> set[int]:
    """Offsets that a producer was told of in the epoch of the entry."""
    epoch = Told(told.run, told.entry(), told.entry()).number("epoch")
    return {
        offset
        for event, before, _ in told.run.between(0, len(told.run.events))
        if event.kind == "acknowledged" and event.get("aux") == acks
        if before.of(event.get("replica")).epoch == epoch
        for offset in range(event.values["from_offset"], event.values["offset"])
    }


@tells("story.acks.yes", "story.acks.no", "story.acks.possibly", "story.acks.nothing")
def its_sentence_is_so(told: Told) -> bool:
    return a_producer_would_have_been_told_so(Told(told.run, told.root, told.root, told.story, told.place))


def _elections(told: Told, epoch: int | None, way: str) -> Iterator[int]:
    """Who was elected so in an epoch; a leader of the metadata quorum by votes, in no way that has a name.

    Nor has the way in which one takes over in an epoch that rose before it was notified of its election.
    """
    kind = None if way == "unknown" else Election[way.replace("-", "_").upper()]
    for event in told.run.events:
        if event.kind == "leader_elected" and event.get("epoch") == epoch and event.get("aux") == kind:
            yield event.values["leader"]
    elected = any(one.kind == "leader_elected" and one.get("epoch") == epoch for one in told.run.events)
    if kind is None and not elected:
        for event in told.run.events:
            if event.kind == "became_leader" and event.get("epoch") == epoch:
                yield event.values["leader"]


@tells("loss.led.again", "loss.led-from.again")
def someone_led_again(told: Told) -> bool:
    """It had led last, too, and its process ended between."""
    epoch, start = told.number("epoch"), told.number("start")
    led = [one for one in told.run.events if one.kind == "became_leader"]
    return any(
        one.get("replica") == before.get("replica")
        and one.get("epoch") == epoch
        and start in (None, one.get("leo"))
        and any(
            event.kind in ("broker_crashed", "broker_exited", "broker_stopped")
            for event in told.run.events
            if before.seq < event.seq < one.seq and event.get("replica") == one.get("replica")
        )
        for before, one in pairwise(led)
    )


@tells(*(f"loss.{led}.{way}" for led in ("led", "led-from") for way in _ELECTIONS))
def someone_was_elected_so(told: Told) -> bool:
    way = told.message.id.rsplit(".", 1)[1]
    return any(_elections(told, told.number("epoch"), way))


def _took_over(told: Told) -> Iterator[tuple[Event, World]]:
    """With the world before: the broker begins to lead in the epoch, elected as the sentence says."""
    led = told.said["led"]
    assert isinstance(led, Message)
    (broker,) = told.brokers()
    inner = Told(told.run, led, led)
    epoch, start, way = inner.number("epoch"), inner.number("start"), led.id.rsplit(".", 1)[1]
    if way != "again" and broker not in _elections(told, epoch, way):
        return
    first = True
    for event, before, _ in told.run.between(0, len(told.run.events)):
        led_so = event.kind == "became_leader" and event.get("replica") == broker
        if led_so and event.get("epoch") == epoch:
            if first and start in (None, event.get("leo")):
                yield event, before
            # It is elected once: what it leads with after that is said otherwise.
            first = way == "again"


@tells("loss.led")
def it_led_without_them(told: Told) -> bool:
    """As it took over its log held none of the records that are lost."""
    numbers = {one.number for fates in _lost(told).values() for one in fates}
    (broker,) = told.brokers()
    return any(not numbers <= set(before.of(broker).records(0, EVERY)) for _, before in _took_over(told))


@tells("loss.led.others")
def it_led_and_holds_others(told: Told) -> bool:
    (broker,), offsets = told.brokers(), told.offsets("offsets")
    end = told.run.worlds[-1].of(broker)
    numbers = {one.number for fates in _lost(told).values() for one in fates if one.lost}
    held = set(end.records(min(offsets), max(offsets) + 1))
    return any(_took_over(told)) and bool(held) and not held & numbers


@tells("loss.led.cut", "loss.led.cut-to")
def it_cut_and_then_led(told: Told) -> bool:
    """By the rule that is named, from and to these offsets, before it took over or within its tenure."""
    rule = told.said["rule"]
    assert isinstance(rule, Message)
    reason = CUTS[rule.id.rsplit(".", 1)[1]]
    (broker,), start, to = told.brokers(), told.number("start"), told.number("to")
    led = any(_took_over(told))
    return any(
        event.kind in ("truncated", "log_reset")
        and (event.get("replica"), event.get("offset"), event.get("aux")) == (broker, to, reason)
        and start in (None, before.of(broker).end)
        and led
        for event, before, _ in told.run.between(0, len(told.run.events))
    )


@tells("loss.told", "loss.told.left")
def a_leader_has_none_of_them(told: Told) -> bool:
    """The log of the last that led lacks each of them."""
    last = told.run.truth.ledger.leaders[told.run.partition][1]
    held = told.run.worlds[-1].of(last if last != NOBODY else None).records(0, EVERY)
    return all(any(one.number not in held for one in fates) for fates in _lost(told).values())
