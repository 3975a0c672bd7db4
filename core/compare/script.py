"""Anchors of simulated runs: the steps of the script that they share."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

import numpy as np

from core.compare.comparison import Run
from core.compare.stops import Anchor
from core.errors import ScenarioError
from core.language import say, spoken
from core.sim.scenario import parse_scenario
from core.sim.script import Scenario
from core.trace.trace import Origin, Trace
from core.trace.vocabulary import NUMBER


def share_a_script(runs: Sequence[Run]) -> bool:
    """Whether all are simulations of the same script, to the letter."""
    scripts = {run.history.trace.facts.get("script", "") for run in runs}
    simulated = all(run.history.trace.origin == Origin.SIMULATED for run in runs)
    return simulated and len(scripts) == 1 and bool(scripts.pop())


def shared_steps(runs: Sequence[Run]) -> int:
    """How many steps at the beginning simulations have in common, of scripts that part later; else 0.

    They are the same world then: brokers, settings, limits, consumers and the state at the start are equal.
    """
    scripts: list[Scenario] = []
    for run in runs:
        trace = run.history.trace
        try:
            scripts.append(
                parse_scenario(trace.facts.get("script", "") if trace.origin == Origin.SIMULATED else "")
            )
        except ScenarioError:
            return 0
    worlds = [
        replace(script, id="", title={}, story={}, start_line=0, steps=(), text="") for script in scripts
    ]
    if any(world != worlds[0] for world in worlds[1:]):
        return 0
    rows = zip(*([replace(step, line=0) for step in script.steps] for script in scripts), strict=False)
    return sum(1 for _ in takewhile(lambda row: all(step == row[0] for step in row[1:]), rows))


def forked_anchors(runs: Sequence[Run], shared: int, later: Sequence[Anchor]) -> tuple[Anchor, ...]:
    """The steps that runs share, the place where their scripts part, and those of `later` that come after."""
    by_step = script_anchors(runs)
    anchors = list(by_step[: shared + 1])
    anchors += [
        replace(anchor, key="fork", label=say("the scripts part", "脚本分开"), detail="")
        for anchor in by_step[shared + 1 : shared + 2]
    ]
    last = anchors[-1].cursors
    anchors += [one for one in later if all(mine > old for mine, old in zip(one.cursors, last, strict=True))]
    return tuple(anchors)


def script_anchors(runs: Sequence[Run]) -> tuple[Anchor, ...]:
    """The beginning, and each step that every run came to."""
    traces = [run.history.trace for run in runs]
    cursors = [step_cursors(trace) for trace in traces]
    texts = step_texts(traces[0])
    anchors = [Anchor("start", say("start", "开始"), "", (0,) * len(runs))]
    for number in sorted(set(cursors[0]).intersection(*cursors[1:])):
        label, detail = texts.get(number, (say(f"step {number}", f"步骤 {number}"), ""))
        anchors.append(Anchor(f"step {number}", label, detail, tuple(found[number] for found in cursors)))
    return tuple(anchors)


def step_cursors(trace: Trace) -> dict[int, int]:
    """The cursor just after each step, by number."""
    seqs = np.flatnonzero(trace.columns["kind"] == NUMBER["step"])
    return {int(trace.columns["aux"][seq]): int(seq) + 1 for seq in seqs}


def step_texts(trace: Trace) -> Mapping[int, tuple[str, str]]:
    """Label and effect of each step as spoken now; none where the script is of a later schema."""
    try:
        scenario = parse_scenario(
            trace.facts.get("script", ""), trace.sources[0].path if trace.sources else ""
        )
    except ScenarioError:
        return {}
    return {step.number: (spoken(step.label), spoken(step.effect)) for step in scenario.steps}
