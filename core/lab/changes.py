"""Single changes that might have prevented a loss: of a setting, of the release, of what an operator did."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from core.kafka.eras import ERAS, Era, era
from core.lab.lift import Lifted
from core.lab.material import CHECKPOINTS, CHECKPOINTS_MS, LAG_TIME, SESSION
from core.lab.releases import UNCLEAN
from core.message import Message, message
from core.sim.ablation.setup import Setup
from core.sim.scenario import parse_scenario
from core.sim.script_text import Plan, StepPlan, Value, as_toml

MIN_ISR: Final = "min.insync.replicas"
_COPIES: Final = 2
_TIMES_MS: Final[Mapping[str, tuple[int, ...]]] = {
    LAG_TIME: (10_000, 30_000),
    SESSION: (6_000, 18_000, 45_000),
    CHECKPOINTS: (1_000,),
}
"""10 s and 6 s to 2.4, 30 s and 18 s from 2.5 on (KIP-537)."""
_SAME: Final = 1.5
"""Within this factor a time is not tried anew."""
_SETTLES_MS: Final = 5_000
"""So long after a broker is back the next one is started."""


class Cost(IntEnum):
    """What a change asks for; the least first."""

    TOPIC = 1
    """A setting of the topic: it holds at once."""
    RESTART = 2
    """A setting of brokers or clients that they read when they start."""
    UPGRADE = 3
    AVAILABILITY = 4
    """It is paid with time without a leader, or with writes that are refused."""
    OPERATOR = 5
    """Somebody has to act otherwise in the incident."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `name` is stable, for programs; `steps` and `settings` are what is other in the plan."""

    name: str
    what: Message
    cost: Cost
    settings: Mapping[str, Value]
    era: Era | None = None
    steps: tuple[StepPlan, ...] | None = None
    acks: str | None = None
    is_time: bool = False
    """It changes when something happens, not whether: at another moment the same loss may come."""

    def applied(self, lifted: Lifted) -> Setup:
        """A lifted scenario with the change, as a run is made of it."""
        plan = lifted.plan
        steps = plan.steps if self.steps is None else self.steps
        if self.acks is not None:
            steps = tuple({**one, "acks": self.acks} if one["do"] == "produce" else one for one in steps)
        other = replace(plan, settings={**plan.settings, **self.settings}, steps=steps)
        text = as_toml(other, lifted.scenario.id, "", lifted.scenario.story["en"])
        return Setup(parse_scenario(text, lifted.scenario.path), self.era or lifted.era)


def changes(lifted: Lifted) -> Iterator[Change]:
    """The changes to try, the cheapest first. What an operator does refers to the steps of this script."""
    yield from _of_the_topic(lifted)
    yield from _with_a_restart(lifted)
    own = [one.id for one in ERAS].index(lifted.era.id)
    for one in ERAS[own + 1 :]:
        what = message("lab.change.release", release=one.id)
        yield Change(f"release={one.id}", what, Cost.UPGRADE, {}, era=one)
    yield from _of_an_operator(lifted.plan)


def _of_the_topic(lifted: Lifted) -> Iterator[Change]:
    settings, switches = lifted.plan.settings, lifted.era.switches
    unclean = settings.get(UNCLEAN, switches.unclean_election == "true")
    if unclean is True and switches.unclean_setting == "obeyed":
        yield Change(f"{UNCLEAN}=false", message("lab.change.unclean"), Cost.TOPIC, {UNCLEAN: False})
    holders = lifted.plan.cluster.get("replication_factor", len(lifted.plan.brokers))
    least = settings.get(MIN_ISR, 1)
    if isinstance(least, int) and isinstance(holders, int) and least < _COPIES <= holders:
        what = message("lab.change.min-isr", copies=_COPIES)
        yield Change(f"{MIN_ISR}={_COPIES}", what, Cost.TOPIC, {MIN_ISR: _COPIES})


def _with_a_restart(lifted: Lifted) -> Iterator[Change]:
    if lifted.era.overrides:
        newer = era(lifted.era.id)
        what = message("lab.change.protocol", release=newer.id)
        yield Change("inter.broker.protocol.version", what, Cost.RESTART, {}, era=newer)
    if any(one.get("acks") != "all" for one in lifted.plan.steps if one["do"] == "produce"):
        yield Change("acks=all", message("lab.change.acks"), Cost.RESTART, {}, acks="all")
    yield from _of_times(lifted)


def _of_times(lifted: Lifted) -> Iterator[Change]:
    """Times that brokers read when they start: defaults of before and after KIP-537, and others."""
    for name, values in _TIMES_MS.items():
        # A lift always states the others.
        now = lifted.plan.settings.get(name, CHECKPOINTS_MS if name == CHECKPOINTS else None)
        for value in values:
            if isinstance(now, int) and not now / _SAME <= value <= now * _SAME:
                called = name
                if name == SESSION and lifted.era.switches.controller == "kraft":
                    called = "broker.session.timeout.ms"
                what = message("lab.change.brokers", name=called, value=str(value))
                yield Change(f"{called}={value}", what, Cost.RESTART, {name: value}, is_time=True)


def _of_an_operator(plan: Plan) -> Iterator[Change]:
    """Not to ask for an unclean election, not to stop a broker, to start another one first."""
    for place, step in enumerate(plan.steps):
        who = str(step.get("broker", ""))
        if who in plan.voters:
            # A controller: what else could have been done is about brokers.
            continue
        if step["do"] == "elect" and step.get("unclean"):
            what = message("lab.change.no-election", who=who)
            yield _by_hand(f"no-election={who}", what, _without(plan.steps, [place]))
        elif step["do"] == "stop":
            later = [at for at, one in _about(plan.steps, who) if at > place and one["do"] == "start"]
            what = message("lab.change.no-stop", who=who)
            yield _by_hand(f"no-stop={who}", what, _without(plan.steps, [place, *later[:1]]))
        elif step["do"] == "start":
            for other, back in _starts_after(plan, place):
                what = message("lab.change.later", who=who, first=other)
                yield _by_hand(f"start-later={who}>{other}", what, _moved(plan.steps, [place], back))
            sooner = _starts_before(plan, place)
            if len(sooner) > 1:
                what = message("lab.change.first", who=who)
                yield _by_hand(f"start-first={who}", what, _moved(plan.steps, sooner, place))


def _by_hand(name: str, what: Message, steps: Sequence[StepPlan]) -> Change:
    return Change(name, what, Cost.OPERATOR, {}, steps=tuple(steps))


def _about(steps: Sequence[StepPlan], who: str) -> Iterator[tuple[int, StepPlan]]:
    """The steps that happen to one broker, with their places."""
    return ((at, one) for at, one in enumerate(steps) if one.get("broker") == who)


def _starts_after(plan: Plan, place: int) -> Iterator[tuple[str, int]]:
    """The other brokers that come back after a start, each once, with the place."""
    steps = plan.steps
    seen: set[str] = {str(steps[place].get("broker")), *plan.voters}
    for at in range(place + 1, len(steps)):
        who = str(steps[at].get("broker"))
        if steps[at]["do"] == "start" and who not in seen:
            seen.add(who)
            yield who, at


def _starts_before(plan: Plan, place: int) -> list[int]:
    """The places of the other starts while the broker that comes back at `place` was down."""
    steps = plan.steps
    who = str(steps[place].get("broker"))
    down = [at for at, one in _about(steps, who) if at < place and one["do"] in ("crash", "stop")]
    begun = down[-1] if down else 0
    starts = (at for at in range(begun, place) if steps[at]["do"] == "start")
    return [at for at in starts if steps[at]["broker"] not in plan.voters]


def _without(steps: Sequence[StepPlan], places: Sequence[int]) -> list[StepPlan]:
    """The steps but for some. A step that followed at once on one of them gets its time."""
    kept: list[StepPlan] = []
    at: Value = 0
    for place, step in enumerate(steps):
        at = step.get("at_ms", at)
        if place not in places:
            kept.append({"do": step["do"], "at_ms": at, **step})
    return kept


def _moved(steps: Sequence[StepPlan], places: Sequence[int], behind: int) -> list[StepPlan]:
    """The steps with some of them some seconds behind another."""
    when = int(str(steps[behind].get("at_ms", 0))) + _SETTLES_MS
    others = _without(steps, places)
    later = [at for at, one in enumerate(others) if int(str(one["at_ms"])) > when]
    end = later[0] if later else len(others) - 1
    late = [
        {
            **{key: one for key, one in steps[place].items() if key not in ("until", "within_ms")},
            "at_ms": when,
        }
        for place in places
    ]
    return [*others[:end], *late, *others[end:]]
