"""From a moment of a real trace to a scenario: its state is the start, its later faults are the script."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.kafka.eras import Era
from core.lab.choices import Choice, Stance
from core.lab.faults import BACK, Fault
from core.lab.growth import Growth, growth_of
from core.lab.material import Material
from core.lab.script import steps_of, voter_name
from core.lab.world import Held, LiftedState, leader_at, least_log_end, state_at
from core.message import Between, Message, Moment, message
from core.sim.scenario import parse_scenario
from core.sim.script import Scenario
from core.sim.script_text import Plan, StepPlan, Value, as_toml, toml_value
from core.trace.times import rfc3339
from core.trace.units import MILLISECOND_NS
from core.words import text


@dataclass(frozen=True, slots=True)
class Lifted:
    """A scenario that goes on where a real trace stood, and what was taken where that is left open.

    `era` are the rules that the real cluster ran under. `at` is the moment, in ns since 1970.
    """

    partition: str
    cursor: int
    at: int
    stance: Stance
    era: Era
    plan: Plan
    scenario: Scenario
    choices: tuple[Choice, ...]
    left_out: tuple[Message, ...]
    """What the incident had and the scenario has not."""


def lift(
    material: Material,
    cursor: int,
    stance: Stance,
    *,
    at: int | None = None,
    until: int | None = None,
    redacted: bool = False,
) -> Lifted:
    """The partition at a cursor, and what happened from there until a time, as a scenario.

    `at` is a moment before the next event. Redacted it names no topic and no time of the incident. Raises
    QuestionError where nobody led then.
    """
    trace = material.trace
    now = at if at is not None else (material.history.time_of(cursor) or int(trace.columns["at"][0]))
    end = int(trace.columns["at"][-1]) if until is None else until
    leader_at(material, cursor)
    growth = growth_of(material, cursor, (now, end), stance, least_log_end(material, cursor, now))
    state = state_at(material, cursor, now, _leader_leo(material, cursor, growth, stance), stance)
    steps = steps_of(material, (now, end), growth, stance, redacted=redacted)
    faults = [one for one in material.faults if now < one.at <= end]
    plan = _plan(material, state, steps, now, redacted=redacted)
    choices = (*state.choices, *_choices(growth, faults, stance), *_of_controllers(material, plan, now))
    return Lifted(
        partition=material.name,
        cursor=cursor,
        at=now,
        stance=stance,
        era=material.era,
        plan=plan,
        scenario=_written(material, plan, now, choices, stance, redacted=redacted),
        choices=choices,
        left_out=tuple(_left_out(material, now, end)),
    )


def _written(
    material: Material, plan: Plan, at: int, choices: Sequence[Choice], stance: Stance, *, redacted: bool
) -> Scenario:
    """The scenario of a plan; its text says above it what was chosen."""
    if redacted:
        name, story = "incident", message("lab.story.redacted")
    else:
        name, story = material.name, message("lab.story", name=material.name, at=rfc3339(at))
    comment = "\n".join(map(text, _comment(choices, stance, redacted=redacted)))
    return parse_scenario(as_toml(plan, name, comment, text(story)), f"{name}.toml")


def _leader_leo(material: Material, cursor: int, growth: Sequence[Growth], stance: Stance) -> int:
    """The leader's log end at the start, as what it appends from there on wants it."""
    leader = leader_at(material, cursor)
    if growth and growth[0].leader == leader:
        return growth[0].log_end - growth[0].count
    band = material.history.at(cursor).replica(leader).leo
    high = band.lo if band.hi is None else band.hi
    return (high if stance is Stance.WORST else band.lo) or 0


def _choices(growth: Iterable[Growth], faults: Iterable[Fault], stance: Stance) -> Iterable[Choice]:
    """What was taken of the incident's course."""
    acks = "1" if stance is Stance.WORST else "all"
    yield Choice(message("lab.choice.acks", acks=acks), None, None, None)
    for one in faults:
        if not one.is_exact and one.kind in _TIMED:
            yield Choice(_TIMED[one.kind](one.broker), one.lo, one.hi, one.at, is_time=True)
    for one in growth:
        if one.lo != one.hi:
            yield Choice(message("lab.choice.appended", who=one.leader), one.lo, one.hi, one.log_end)


def _of_controllers(material: Material, plan: Plan, at: int) -> Iterator[Choice]:
    """When controllers ended or were cut off; and that who leads them then is nobody's choice."""
    if material.quorum is None or not plan.voters:
        return
    yield Choice(message("lab.choice.quorum"), None, None, None)
    end = at + int(str(plan.steps[-1].get("at_ms", 0))) * MILLISECOND_NS
    for one in material.quorum.between(at, end):
        if not one.is_exact and one.kind in _OF_CONTROLLERS:
            yield Choice(_OF_CONTROLLERS[one.kind](one.broker), one.lo, one.hi, one.at, is_time=True)


_OF_CONTROLLERS: Final[Mapping[str, Callable[[int], Message]]] = {
    "crash": lambda who: message("lab.choice.controller-crash", who=who),
    "cut": lambda who: message("lab.choice.controller-cut", who=who),
    "heal": lambda who: message("lab.choice.controller-heal", who=who),
}
_TIMED: Final[Mapping[str, Callable[[int], Message]]] = {
    "crash": lambda who: message("lab.choice.crash", who=who),
    "freeze": lambda who: message("lab.choice.freeze", who=who),
    "thaw": lambda who: message("lab.choice.thaw", who=who),
    "cut": lambda who: message("lab.choice.cut", who=who),
    "heal": lambda who: message("lab.choice.heal", who=who),
}
"""A start is taken where its broker served again; that is stated."""


def _comment(choices: Iterable[Choice], stance: Stance, *, redacted: bool) -> Iterator[Message]:
    """The head of the file: what was chosen."""
    worst = stance is Stance.WORST
    yield message("lab.comment.worst") if worst else message("lab.comment.best")
    for one in choices:
        if not (redacted and one.is_time):
            yield choice_message(one)


def choice_message(one: Choice) -> Message:
    """A choice with its bounds and what was taken."""
    if one.taken is None:
        return one.what
    if one.is_time:
        lo, hi, taken = (value if value is None else Moment(value) for value in (one.lo, one.hi, one.taken))
        if lo is None or hi is None or taken is None:
            return one.what
        return message("lab.choice.time", what=one.what, taken=taken, lo=lo, hi=hi)
    return message("lab.choice", what=one.what, taken=one.taken, bounds=Between(one.lo, one.hi))


def _plan(
    material: Material, state: LiftedState, steps: Sequence[StepPlan], at: int, *, redacted: bool
) -> Plan:
    """The scenario as plain values."""
    voters = _voters(material, steps, at)
    named = {*(int(one) for one in _brokers_of(steps) if one not in voters), *state.down}
    assigned = tuple(one.broker for one in state.replicas)
    brokers = (*assigned, *sorted(named - set(assigned)))
    cluster: dict[str, Value] = {"topic": "t" if redacted else _topic(material)}
    number = material.trace.partitions[material.history.partition].tp.partition
    if number and not redacted:
        cluster["first_partition"] = number
    if 0 not in brokers and brokers != tuple(range(1, len(brokers) + 1)):
        cluster["ids"] = brokers
    if len(brokers) > len(assigned):
        cluster["replication_factor"] = len(assigned)
    return Plan(
        brokers=tuple(map(str, brokers)),
        settings=material.settings,
        jitter_us=0,
        steps=tuple(steps),
        cluster=cluster,
        start=tuple(_start_toml(state, brokers, at)),
        voters=voters,
    )


def _voters(material: Material, steps: Sequence[StepPlan], at: int) -> tuple[str, ...]:
    """The controllers by name, the one that led first; () where nothing happens to any of them."""
    if material.quorum is None:
        return ()
    voters = tuple(map(voter_name, material.quorum.in_order(at)))
    told = {str(step.get("broker")) for step in steps}
    told.update(str(end) for step in steps for end in _ends(step))
    return voters if told & set(voters) else ()


def _ends(step: StepPlan) -> tuple[str | int, ...]:
    """From where ways are cut in a step."""
    told = step.get("from", ())
    return told if isinstance(told, tuple) else ()


def _brokers_of(steps: Iterable[StepPlan]) -> Iterator[str]:
    """The brokers that steps are about."""
    for step in steps:
        for key in ("broker", "brokers"):
            told = step.get(key, ())
            yield from map(str, told) if isinstance(told, (tuple, list)) else (str(told),)


def _topic(material: Material) -> str:
    return material.trace.partitions[material.history.partition].tp.topic


def _start_toml(state: LiftedState, brokers: Sequence[int], at: int) -> Iterator[str]:
    """The lines of `[start]`."""
    leader = next(one for one in state.replicas if one.broker == state.leader)
    yield from ("[start]", f"leader = {toml_value(str(state.leader))}", f"epoch = {state.epoch}")
    yield f"isr = {toml_value(tuple(map(str, state.isr)))}"
    remote = [one for one in state.replicas if one.broker != state.leader and one.broker in state.isr]
    if remote:
        known = (f'"{one.broker}" = {min(one.leo, leader.leo)}' for one in remote)
        yield f"remote = {{ {', '.join(known)} }}"
    down = {broker: since for broker, since in state.down.items() if broker in brokers}
    if down:
        told = (f'"{broker}" = {since // MILLISECOND_NS}' for broker, since in down.items())
        yield f"down = {{ {', '.join(told)} }}"
    if state.controller_back is not None:
        yield f"controller_elected_ms = {(state.controller_back - at) // MILLISECOND_NS}"
    for one in state.replicas:
        yield from ("", *_replica_toml(one))


def _replica_toml(held: Held) -> Iterator[str]:
    """The lines of a replica. A record is called by its epoch and offset: it is one on all that hold it."""
    yield from ("[[start.replica]]", f"broker = {toml_value(str(held.broker))}")
    runs = (f'{{ epoch = {epoch}, count = {count}, name = "e{epoch}." }}' for epoch, count in held.runs)
    yield from ("log = [", *(f"    {run}," for run in runs), "]")
    if held.log_start:
        yield f"log_start = {held.log_start}"
    yield from (f"high_watermark = {held.hw}", f"checkpoint = {held.checkpoint}")
    if held.epochs is not None:
        entries = (f"{{ epoch = {epoch}, start = {start} }}" for epoch, start in held.epochs)
        yield f"epochs = [{', '.join(entries)}]"


def _left_out(material: Material, start: int, end: int) -> Iterator[Message]:
    """What happened and is no step: a member left the in-sync set, and no fault shows why."""
    spans = material.verdict.isr
    for before, after in pairwise(spans):
        for broker in sorted(set(before.isr) - set(after.isr)):
            away = [one for one in material.faults if one.broker == broker and one.at <= after.start]
            if start < after.start <= end and (not away or away[-1].kind in BACK):
                yield message("lab.left-out.isr", who=broker, at=Moment(after.start))
