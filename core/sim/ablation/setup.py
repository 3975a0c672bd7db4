"""What a simulated run is made from, and in what two runs of one script differ: switches, settings, seed."""

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import numpy as np

from core.errors import QuestionError, ScenarioError
from core.kafka.eras import Era, changed, era, with_switches
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.sim.script import Scenario, Settings
from core.trace.trace import Origin, Trace
from core.work import QUIET, Work

Kind: TypeAlias = Literal["switch", "setting", "seed"]
Key: TypeAlias = tuple[object, ...]
SEED: Final = "seed"
LINE: Final = "line"
"""The column of the script's lines: a setting that is written into the text moves those behind it."""
_KEPT: Final = 64
"""Runs that are kept: those that are open, and with their switches flipped those that came before."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A script, the rules that it runs under, and the seed of what it leaves to chance."""

    scenario: Scenario
    era: Era
    seed: int = 1

    @property
    def key(self) -> Key:
        """Two setups with the same key give the same events."""
        return (self.scenario.text, self.scenario.settings, self.era.switches, self.seed)

    def run(self, work: Work = QUIET) -> Trace:
        """Simulate it. Raises CancelledError if `work` was stopped."""
        return simulate(self.scenario, self.era, seed=self.seed, work=work)


_RUNS: OrderedDict[Key, Trace] = OrderedDict()


def run_once(setup: Setup, work: Work = QUIET) -> Trace:
    """Simulate it, or give the run that was made of the same before: of the last ones, each is made once.

    Raises CancelledError if `work` was stopped.
    """
    # A run also names its script and its era, which two with the same events may not share.
    key = (*setup.key, setup.scenario.id, setup.era.id, setup.era.overrides)
    made = _RUNS.get(key)
    # Two threads ask: what one of them throws away, the other one puts back or makes again.
    _RUNS[key] = made = setup.run(work) if made is None else made
    while len(_RUNS) > _KEPT:
        _RUNS.popitem(last=False)
    return made


@dataclass(frozen=True, slots=True, order=True)
class Factor:
    """Something in which two setups differ, with the value of each as text; "" is the era's default."""

    name: str
    """The name of a switch, a field of `Settings`, or "seed"."""
    kind: Kind
    left: str
    right: str


def setup_of(trace: Trace) -> Setup | None:
    """What a simulated trace was made from; None for logs, and for a run that this program does not know."""
    if trace.origin != Origin.SIMULATED:
        return None
    facts = trace.facts
    pairs = (text.partition("=") for text in facts.get("switches", "").split(",") if text)
    try:
        rules = with_switches(era(facts.get("era", "")), {name: value for name, _, value in pairs})
        script = _parsed(facts.get("script", ""), f"{facts.get('scenario', '')}.toml")
        return Setup(script, rules, int(facts.get("seed", "1")))
    except (QuestionError, ScenarioError, ValueError):
        return None


@lru_cache(maxsize=8)
def _parsed(script: str, path: str) -> Scenario:
    return parse_scenario(script, path)


def one_script(left: Setup, right: Setup) -> bool:
    """Whether two setups differ in nothing but rules, settings and seed. Titles and labels may differ."""
    return _bare(left.scenario) == _bare(right.scenario)


def _bare(script: Scenario) -> Scenario:
    steps = tuple(replace(step, line=0, label={}, effect={}) for step in script.steps)
    return replace(
        script, id="", title={}, story={}, start_line=0, steps=steps, text="", path="", settings=Settings()
    )


def factors_between(left: Setup, right: Setup) -> tuple[Factor, ...]:
    """All in which two setups of one script differ: switches in the order of their table, settings, seed."""
    found = [
        Factor(name, "switch", getattr(left.era.switches, name.replace("-", "_")), value)
        for name, value in changed(left.era.switches, right.era.switches)
    ]
    for one in fields(Settings):
        mine, others = (getattr(setup.scenario.settings, one.name) for setup in (left, right))
        if mine != others:
            found.append(Factor(one.name, "setting", _text(mine), _text(others)))
    if left.seed != right.seed:
        found.append(Factor(SEED, "seed", str(left.seed), str(right.seed)))
    return tuple(found)


def _text(value: object) -> str:
    return "" if value is None else str(value).lower()


def flipped(left: Setup, right: Setup, chosen: Collection[Factor]) -> Setup:
    """`left` with the chosen factors as in `right`."""
    switches = {one.name: one.right for one in chosen if one.kind == "switch"}
    settings = {
        one.name: getattr(right.scenario.settings, one.name) for one in chosen if one.kind == "setting"
    }
    script = left.scenario
    if settings:
        script = replace(script, settings=replace(script.settings, **settings))
        # With all of its settings it is the other script, whose text has them: a run says what made it.
        script = right.scenario if script.settings == right.scenario.settings else script
    seed = right.seed if any(one.kind == "seed" for one in chosen) else left.seed
    return Setup(script, with_switches(left.era, switches), seed)


def same_events(one: Trace, other: Trace) -> bool:
    """Whether two runs have the same events, in all columns but that of the script's lines."""
    return len(one) == len(other) and all(
        np.array_equal(one.columns[name], other.columns[name]) for name in one.columns if name != LINE
    )
