"""Random search: many short scenarios under one era, and the shortest one that breaks a promise.

A scenario comes from its seed alone and is always run with the luck of seed 1, so that the file that is found
breaks the promise again when it is simulated as it stands.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.kafka.eras import Era
from core.kafka.promises import INVARIANTS, Invariant
from core.message import message
from core.sim.invariants import Violation, violations
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.sim.script_text import Plan, StepPlan, as_toml
from core.sim.search_moves import random_plan
from core.trace.trace import Trace
from core.words import text
from core.work import QUIET, Work

_SHORTENED: Final = 5
"""The scripts of so many seeds are shortened: one that cannot be made shorter may be longer than another."""
_SHORTER_MS: Final = (0, 1, 3)
_LISTS: Final = ("brokers", "from", "to")
_OPTIONAL: Final = ("controller_fails_over", "newest_first", "both_ways", "every_ms", "for_ms")


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found: the seeds that break each promise, and the shortest script of the worst."""

    era: Era
    first_seed: int
    runs: int
    broken: Mapping[Invariant, tuple[int, ...]]
    """The worst promise first. Empty where none was broken."""
    seed: int | None = None
    """The one whose script could be made the shortest."""
    violation: Violation | None = None
    """How it breaks the worst promise."""
    text: str = ""
    """That script, as TOML."""


def search(era: Era, runs: int, *, seed: int = 1, work: Work = QUIET) -> Found:
    """Run the scenarios of `runs` seeds from `seed` on, and shorten what breaks the worst promise.

    Raises CancelledError if `work` was stopped.
    """
    broken: dict[Invariant, list[int]] = {}
    for number in range(runs):
        work.step(
            number,
            runs,
            message("progress.search.found", era=era.name, number=sum(map(len, broken.values()))),
        )
        for violation in violations(_run(random_plan(seed + number), era)):
            seeds = broken.setdefault(violation.invariant, [])
            if seed + number not in seeds:
                seeds.append(seed + number)
    found = Found(era, seed, runs, {one: tuple(broken[one]) for one in INVARIANTS if one in broken})
    if not found.broken:
        return found
    worst: Invariant = next(iter(found.broken))
    shrunk = [
        (shrink(random_plan(one), lambda shorter: _breach(shorter, era, worst) is not None, work), one)
        for one in found.broken[worst][:_SHORTENED]
    ]
    plan, best = min(shrunk, key=lambda pair: (len(pair[0].steps), len(as_toml(pair[0], "search")), pair[1]))
    violation = _breach(plan, era, worst)
    story = message("script.story.found")
    if violation is not None:
        story = message("script.story.breach", sentence=violation.sentence)
    script = as_toml(plan, f"search-{era.id}-{best}", _comment(found, best, violation), text(story))
    return replace(found, seed=best, violation=violation, text=script)


def _comment(found: Found, seed: int, violation: Violation | None) -> str:
    if violation is None:
        return ""
    rules = " ".join(f"--set {switch}={value}" for switch, value in found.era.overrides)
    command = f"tidegauge simulate --search 1 --seed {seed} --era {found.era.id} {rules}".rstrip()
    broken = message(
        "script.comment.broken",
        promise=INVARIANTS[violation.invariant],
        step=violation.step,
        era=found.era.name,
    )
    return f"{text(broken)}\n{text(message('script.comment.found', command=command))}"


def _run(plan: Plan, era: Era) -> Trace:
    return simulate(parse_scenario(as_toml(plan, "search")), era)


def _breach(plan: Plan, era: Era, invariant: Invariant) -> Violation | None:
    return next((one for one in violations(_run(plan, era)) if one.invariant == invariant), None)


def shrink(plan: Plan, fails: Callable[[Plan], bool], work: Work = QUIET) -> Plan:
    """A plan that still fails, of which no part can be left out or made simpler (delta debugging).

    `plan` itself must fail. First whole runs of steps go, the long ones first; then single steps and values.
    """
    size = max(len(plan.steps) // 2, 1)
    while True:
        smaller = _first(_without(plan, size), fails, work)
        if smaller is None and size == 1:
            smaller = _first(_simpler(plan), fails, work)
            if smaller is None:
                return plan
        if smaller is None:
            size //= 2
        else:
            plan = smaller
            size = min(size, max(len(plan.steps) // 2, 1))


def _first(plans: Iterable[Plan], fails: Callable[[Plan], bool], work: Work) -> Plan | None:
    for plan in plans:
        work.step(0, 0, message("progress.search.shortening", number=len(plan.steps)))
        if fails(plan):
            return plan
    return None


def _without(plan: Plan, size: int) -> Iterable[Plan]:
    """The plan without `size` steps in a row, the last ones first."""
    for start in range(len(plan.steps) - size, -1, -1):
        steps = (*plan.steps[:start], *plan.steps[start + size :])
        if steps:
            yield replace(plan, steps=steps)


def _simpler(plan: Plan) -> Iterable[Plan]:
    """The plan without one broker, one setting, the jitter or one key of a step, or with a smaller number."""
    last = plan.brokers[-1]
    if len(plan.brokers) > 1 and not any(_names(step, last) for step in plan.steps):
        yield replace(plan, brokers=plan.brokers[:-1])
    if plan.jitter_us:
        yield replace(plan, jitter_us=0)
    for name in plan.settings:
        yield replace(plan, settings={key: value for key, value in plan.settings.items() if key != name})
    for place, step in enumerate(plan.steps):
        for simpler in _simpler_steps(step):
            yield replace(plan, steps=(*plan.steps[:place], simpler, *plan.steps[place + 1 :]))


def _names(step: StepPlan, broker: str) -> bool:
    lists = (step.get(key, ()) for key in _LISTS)
    return step.get("broker") == broker or any(isinstance(one, tuple) and broker in one for one in lists)


def _simpler_steps(step: StepPlan) -> Iterable[StepPlan]:
    for key in _OPTIONAL:
        if key in step and not (key == "for_ms" and step["do"] == "wait"):
            yield {name: value for name, value in step.items() if name != key}
    count, lasts = step.get("count", 0), step.get("for_ms", 0)
    if isinstance(count, int) and count > 1:
        yield {**step, "count": count - 1}
    for key in _LISTS:
        named = step.get(key, ())
        if isinstance(named, tuple) and len(named) > 1:
            for left_out in named:
                yield {**step, key: tuple(name for name in named if name != left_out)}
    if isinstance(lasts, int):
        for shorter in (*_SHORTER_MS, lasts // 2):
            if shorter < lasts:
                yield {**step, "for_ms": shorter}
