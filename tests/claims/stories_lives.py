"""Sentences on what became of records, and where logs differed, held against simulated runs."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final

from core.message import Message, SimulatedMoment
from core.sim.truth import Fate
from core.trace.trace import Event
from core.trace.vocabulary import CutReason
from tests.claims.stories import Told, tells
from tests.claims.world import GAP, Replica, Run, World

ACKS_ALL: Final = -1
CUTS: Final[Mapping[str, CutReason]] = {
    "high-watermark": CutReason.LOCAL_HIGH_WATERMARK,
    "leader-epoch": CutReason.LEADER_EPOCH,
    "diverging-epoch": CutReason.DIVERGING_EPOCH,
    "leader-end": CutReason.LEADER_END,
    "recovery": CutReason.RECOVERY,
    "reset": CutReason.RESET,
    "unknown": CutReason.UNKNOWN,
}
"""By what a sentence calls a cut: the reason that the simulator gives."""
_REMOVERS: Final[Mapping[str, str]] = {
    "retention": "log_start_moved",
    "deleted": "log_deleted",
    "new-log": "log_created",
}
"""By what a sentence calls it: what removed records without a cut."""


def records_of(told: Told, what: Message) -> Mapping[int, tuple[Fate, ...]]:
    """By offset: the records that came into a log in the epoch that a sentence names, at its offsets."""
    named = Told(told.run, what, what)
    epoch, offsets = named.number("epoch"), named.offsets("what")
    found: dict[int, list[Fate]] = {offset: [] for offset in offsets}
    for one in told.fates():
        if one.epoch == epoch and one.offset in found:
            found[one.offset].append(one)
    return {offset: tuple(fates) for offset, fates in found.items()}


def _mine(told: Told) -> Mapping[int, tuple[Fate, ...]]:
    return records_of(told, told.root)


@tells("story.life", "story.life.removed", "story.life.by", "story.life.by.removed")
def such_records_there_were(told: Told) -> bool:
    """At each offset one of that epoch, from the broker that is named, or from before the first step."""
    by = told.brokers("by")[0] if "by" in told.said else None
    appended = _appended(told.run)
    return all(
        any(by is None or one.broker == by or one.number not in appended for one in fates)
        for fates in _mine(told).values()
    )


@lru_cache(maxsize=2)
def _appended(run: Run) -> frozenset[int]:
    """The records that a leader appended in the run."""
    return frozenset(
        event.values["aux"] + place
        for event in run.events
        if event.kind == "appended"
        for place in range(event.values["offset"] - event.values["from_offset"])
    )


@tells("story.life.committed")
def they_were_committed(told: Told) -> bool:
    """And the broker that is named had that high watermark some time."""
    (broker,), hw = told.brokers(), told.number("hw")
    reached = any(world.of(broker).hw == hw for world in told.run.worlds)
    return reached and all(any(one.committed is not None for one in fates) for fates in _mine(told).values())


@tells("story.life.not-shown.yes", "story.life.not-shown.no", "story.life.not-shown.possibly")
def they_were_not_committed(told: Told) -> bool:
    """Nor does an answer to a producer with acks=all say otherwise than the sentence."""
    offsets, epoch = told.offsets("what"), told.number("epoch")
    answered: set[int] = set()
    for event, before, _ in told.run.between(0, len(told.run.events)):
        right = event.kind == "acknowledged" and event.get("aux") == ACKS_ALL
        if right and before.of(event.get("replica")).epoch == epoch:
            answered.update(range(event.values["from_offset"], event.values["offset"]))
    way = told.message.id.rsplit(".", 1)[1]
    right = {"yes": offsets <= answered, "no": not offsets & answered}.get(way, True)
    return right and all(any(one.committed is None for one in fates) for fates in _mine(told).values())


def _holders(told: Told) -> list[set[int]]:
    """By offset: who holds a record of that epoch there at the end."""
    return [{broker for one in fates for broker in one.held_by} for fates in _mine(told).values()]


@tells("story.life.held")
def these_hold_them_and_no_other(told: Told) -> bool:
    named = set(told.brokers())
    return told.number("count") == len(named) and all(holders == named for holders in _holders(told))


@tells("story.life.nobody")
def nobody_holds_them(told: Told) -> bool:
    return not any(_holders(told))


def _held(one: Replica, offsets: set[int], epoch: int | None) -> set[int]:
    """The offsets at which a log holds a record of an epoch."""
    return {
        offset
        for offset in offsets
        if one.start <= offset < one.end
        and one.log[offset - one.start][1] == epoch
        and one.log[offset - one.start][0] != GAP
    }


def _lost_by(told: Told) -> Iterator[Event]:
    """The events at the time of the sentence with which the broker's log lost all of the records."""
    (broker,), at, offsets, epoch = told.brokers(), told.at, told.offsets("what"), told.number("epoch")
    for event, before, world in told.run.between(0, len(told.run.events)):
        if event.at == at and event.get("replica") == broker:
            held = _held(before.of(broker), offsets, epoch)
            if held and not _held(world.of(broker), offsets, epoch):
                yield event


@tells("story.life.lost")
def it_lost_them_then_and_so(told: Told) -> bool:
    how = told.said["how"]
    assert isinstance(how, Message)
    way = how.id.rsplit(".", 1)[1]
    return any(_is_so(event, way) for event in _lost_by(told))


def _is_so(event: Event, way: str) -> bool:
    if way in _REMOVERS:
        return event.kind == _REMOVERS[way]
    if way == "reset":
        return event.kind == "log_reset"
    return event.kind in ("truncated", "log_reset") and event.get("aux") == CUTS[way]


@tells(*(f"story.life.how.{way}" for way in (*CUTS, *_REMOVERS)))
def something_removed_records_so(told: Told) -> bool:
    way = told.message.id.rsplit(".", 1)[1]
    return any(_is_so(event, way) for event in told.run.events)


Difference = tuple[tuple[int, int], int, tuple[int, int]]
"""Two brokers, an offset at which they hold different records, and the epochs of these."""


@lru_cache(maxsize=2)
def differences(run: Run) -> Mapping[Difference, tuple[int, ...]]:
    """Where logs differed, with the places of the events that made it so. Only an append or a join can."""
    found: dict[Difference, list[int]] = {}
    for place, (event, before, world) in enumerate(run.between(0, len(run.events))):
        who = event.get("replica")
        if who is None or event.get("partition") is None or before.of(who).log is world.of(who).log:
            continue
        for key in _made(world, before, who):
            found.setdefault(key, []).append(place)
    return {key: tuple(places) for key, places in found.items()}


def _made(world: World, before: World, who: int) -> Iterator[Difference]:
    """The differences of a log from the others that its last event may have made."""
    mine, old = world.of(who), before.of(who)
    same = old.start == mine.start and mine.log[: len(old.log)] == old.log
    for other, log in world.replicas.items():
        first = max(mine.start, log.start, old.end if same else 0)
        for offset in range(first, min(mine.end, log.end)):
            one, another = mine.log[offset - mine.start], log.log[offset - log.start]
            if other != who and GAP not in (one[0], another[0]) and one[0] != another[0]:
                swap = other < who
                epochs = (another[1], one[1]) if swap else (one[1], another[1])
                yield (other, who) if swap else (who, other), offset, epochs


@tells(
    "story.contents.different",
    "story.contents.different.same-epoch",
)
def they_held_different_records(told: Told) -> bool:
    """Of these epochs, at each of these offsets, some time."""
    one, other = told.brokers()
    first, last = told.number("one"), told.number("other") if "other" in told.said else told.number("one")
    epochs = (-1 if first is None else first, -1 if last is None else last)
    known = differences(told.run)
    return all(((one, other), offset, epochs) in known for offset in told.offsets("what"))


@tells("story.contents.all-equal")
def they_never_differed(told: Told) -> bool:
    return not differences(told.run)


@tells("story.contents.equal")
def they_differed_nowhere_else(told: Told) -> bool:
    """Each difference is in a sentence of the story, or these are too many to be listed."""
    listed: set[tuple[tuple[int, ...], int]] = set()
    for root in told.story:
        if root.id == "story.more":
            return True
        if root.id.startswith(("story.contents.different", "story.contents.unknown")):
            named = Told(told.run, root, root)
            listed.update((named.brokers(), offset) for offset in named.offsets("what"))
    return all((pair, offset) in listed for pair, offset, _ in differences(told.run))


@tells("story.time.to-the-end", "story.time.until", "story.time.from-to-the-end", "story.time.from-until")
def they_began_and_ceased_to_differ_then(told: Told) -> bool:
    """From when the first of the records was on both; until one of them had them no more, or the end."""
    pair, offsets = told.brokers(), told.offsets("what")
    times = {name: value.ns for name, value in told.said.items() if isinstance(value, SimulatedMoment)}
    states = [
        (None if place == 0 else told.run.events[place - 1].at, _differ(world, pair, offsets))
        for place, world in enumerate(told.run.worlds)
    ]
    begun = [at for (_, before), (at, now) in pairwise(states) if now and not before]
    ended = [at for (_, before), (at, now) in pairwise(states) if before and not now]
    if "since" in times and times["since"] not in begun:
        return False
    return times["until"] in ended if "until" in times else states[-1][1]


def _differ(world: World, pair: tuple[int, ...], offsets: set[int]) -> bool:
    """Whether two logs differ at one of these offsets."""
    one, other = (world.of(broker) for broker in pair)
    return any(
        one.log[offset - one.start][0] != other.log[offset - other.start][0]
        for offset in offsets
        if one.start <= offset < one.end and other.start <= offset < other.end
    )
