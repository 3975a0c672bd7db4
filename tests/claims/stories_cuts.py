"""Sentences on cuts, processes and in-sync sets, held against the truth of a simulated run."""

from collections.abc import Iterator

from core.kafka.releases import version_numbers
from core.message import Message, SimulatedMoment
from core.sim.protocols import base_of
from core.sim.script import BrokerPlan, Start
from core.trace.broker_names import broker_value
from core.trace.trace import Event
from tests.claims.stories import Told, tells
from tests.claims.stories_lives import CUTS
from tests.claims.world import EVERY, GAP, Run, World

_KINDS = ("truncated", "log_reset")
_DOWN = ("broker_stopped", "broker_crashed", "broker_exited")


def _cuts(told: Told, root: Message) -> Iterator[tuple[Event, World, World]]:
    """The cuts of the broker to the offset and at the time of a sentence."""
    named = Told(told.run, root, root)
    (broker,), to, at = named.brokers(), named.number("to"), named.at
    for event, before, world in told.run.between(0, len(told.run.events)):
        right = event.kind in _KINDS and event.get("replica") == broker and event.get("offset") == to
        if right and (at is None or event.at == at):
            yield event, before, world


@tells("story.cut")
def it_was_cut_then(told: Told) -> bool:
    return any(_cuts(told, told.root))


@tells(*(f"story.cut.why.{way}" for way in CUTS))
def by_that_rule(told: Told) -> bool:
    way = told.message.id.rsplit(".", 1)[1]
    return any(
        event.get("aux") == CUTS[way] or (way == "reset" and event.kind == "log_reset")
        for event, _, _ in _cuts(told, told.root)
    )


@tells(*(f"cut.rule.{way}" for way in CUTS))
def some_cut_was_by_that_rule(told: Told) -> bool:
    way = told.message.id.rsplit(".", 1)[1]
    return any(event.kind in _KINDS and event.get("aux") == CUTS[way] for event in told.run.events)


@tells("story.cut.committed.some", "story.cut.committed.nothing")
def some_or_nothing_of_it_had_been_committed(told: Told) -> bool:
    """By the time of the cut."""
    column = told.run.truth.ledger.committed
    found: list[bool] = []
    for event, before, world in _cuts(told, told.root):
        who = event.get("replica")
        gone = set(before.of(who).records(0, EVERY)) - set(world.of(who).records(0, EVERY)) - {GAP}
        found.append(any(0 <= column[record] <= event.seq for record in gone))
    return told.message.id.endswith("some") in found


@tells("story.cut.committed.below-start")
def the_leaders_log_begins_above(told: Told) -> bool:
    """Where a leader's log, or what is on its disk, begins when the log is dropped; none of it ends there."""
    return any(
        event.kind == "log_reset"
        and (event.get("offset") or 0) >= before.of(event.get("replica")).end
        and event.get("aux") == CUTS["reset"]
        for event, before, _ in _cuts(told, told.root)
    )


@tells(
    "story.rule.high-watermark",
    "story.rule.leader-end",
    "story.rule.reset",
    "story.rule.recovery",
    "story.rule.unknown",
)
def a_cut_was_by_that_rule(told: Told) -> bool:
    way = told.message.id.rsplit(".", 1)[1]
    return any(
        event.kind in _KINDS
        and (event.get("aux") == CUTS[way] or (way, event.kind) == ("reset", "log_reset"))
        for event in told.run.events
    )


@tells("story.cut.release.end", "story.cut.release.exits")
def so_it_ended_in_the_release_of_the_run(told: Told) -> bool:
    """Of a sentence on the release that all had, without switches set by hand: where the log did end."""
    span = told.message.values and dict(told.message.values)["span"]
    names = [str(value) for _, value in span.values] if isinstance(span, Message) else [str(span)]
    numbers = [tuple(map(int, name.split("."))) for name in (names[0], names[-1])]
    release = tuple(map(int, told.run.rules.id.split(".")))
    if told.run.rules.overrides or told.run.is_mixed or not numbers[0] <= release <= numbers[1]:
        return True
    cut = next(one for one in reversed(told.story[: told.place]) if one.id == "story.cut")
    ends = {_end_after(told, event) for event, _, _ in _cuts(told, cut)}
    return told.message.id.endswith("end") and told.number("end") in ends


def _end_after(told: Told, cut: Event) -> int | None:
    """Where a log ends after a cut; of a batch that it falls into nothing is left below it."""
    for event in told.run.events[told.run.place_of(cut) + 1 :]:
        if event.get("replica") == cut.get("replica") and event.kind in ("log_gap", "appended"):
            return event.get("offset") if event.kind == "log_gap" else cut.get("offset")
    return cut.get("offset")


@tells("story.cut.releases")
def it_names_the_release_of_the_run(told: Told) -> bool:
    """The spans leave out no release between the first and the last of them."""
    return any(_cuts(told, next(one for one in reversed(told.story[: told.place]) if one.id == "story.cut")))


def _of_process(told: Told, *kinds: str) -> list[Event]:
    (broker,) = told.brokers()
    return [
        event
        for event in told.run.events
        if event.kind in kinds and event.get("replica") == broker and event.at == told.at
    ]


@tells("story.stopped")
def it_stopped_in_order(told: Told) -> bool:
    return bool(_of_process(told, "broker_stopped"))


@tells("story.started")
def it_started_after_an_end(told: Told) -> bool:
    (broker,) = told.brokers()
    down = [one for one in told.run.events if one.kind in _DOWN and one.get("replica") == broker]
    started = _of_process(told, "broker_starting", "broker_started")
    return any(one.seq > down[0].seq for one in started) if down else False


@tells("story.ended")
def its_process_ended_then(told: Told) -> bool:
    return bool(_of_process(told, "broker_crashed", "broker_exited"))


@tells("story.isr", "story.isr.left", "story.isr.joined", "story.isr.left-joined")
def the_set_became_that(told: Told) -> bool:
    """By an event of that time, which took out and in who is named, and no other."""
    left = set(told.brokers("left")) if "left" in told.said else set[int]()
    joined = set(told.brokers("joined")) if "joined" in told.said else set[int]()
    for event, before, world in told.run.between(0, len(told.run.events)):
        if event.at == told.at and world.isr != before.isr and _printed(told, world.isr) == told.said["isr"]:
            old, new = set(before.isr), set(world.isr)
            if (old - new, new - old) == (left, joined):
                return True
    return False


@tells("story.isr.heard")
def it_heard_of_that_set(told: Told) -> bool:
    """The broker was told of that set at that time, after a start, and not before."""
    heard = _of_process(told, "leader_and_isr_received", "became_leader", "became_follower")
    if not heard:
        return False
    (broker,), trace = told.brokers(), told.run.trace
    sets = [trace.isrs[place] for event in heard if (place := event.get("isr")) is not None]
    own = [one for one in told.run.events[: told.run.place_of(heard[0])] if one.get("replica") == broker]
    started = max((one.at for one in own if one.kind == "broker_started"), default=None)
    told_before = [one.at for one in own if one.get("isr") is not None]
    return (
        started is not None
        and max(told_before, default=-1) < started
        and told.said["isr"] in [_printed(told, members) for members in sets]
    )


def _printed(told: Told, members: tuple[int, ...]) -> str:
    """A set as stories print it."""
    named = ((one, broker_value(told.run.trace, one)) for one in members)
    return f"[{', '.join(name if isinstance(name, str) else str(one) for one, name in named)}]"


@tells("story.isr.many")
def it_changed_that_often(told: Told) -> bool:
    """At least so often, elections left out, from the first time to the last."""
    till = told.said["till"]
    changes = [
        event.at
        for event, before, world in told.run.between(0, len(told.run.events))
        if world.isr != before.isr
    ]
    inside = isinstance(till, SimulatedMoment) and till.ns in changes and told.at in changes
    return inside and (told.number("count") or 0) <= len(changes)


def _releases(run: Run) -> list[str]:
    """What its brokers ran, oldest first: as the script names it at the start and in steps, else the era."""
    starts = [one.action for one in run.script.steps if isinstance(one.action, Start)]
    plans = [run.script.plans.get(name, BrokerPlan()) for name in run.script.brokers]
    plans += [one.plan for one in starts if one.plan is not None]
    ran = {base_of(run.rules, plan.release).release for plan in plans}
    return sorted(ran, key=version_numbers)


@tells("story.about.simulated")
def such_a_run_it_is(told: Told) -> bool:
    names = {str(one.tp) for one in told.run.trace.partitions}
    first, last = told.said["first"], told.said["last"]
    times = [event.at for event in told.run.events]
    assert isinstance(first, SimulatedMoment)
    assert isinstance(last, SimulatedMoment)
    return (
        told.said["partition"] in names
        and told.said["release"] == ", ".join(_releases(told.run))
        and (first.ns, last.ns) == (times[0], times[-1])
        and set(told.brokers()) >= set(told.run.worlds[-1].replicas)
    )


@tells("story.note")
def something_was_then(told: Told) -> bool:
    return any(event.at == told.at for event in told.run.events)
