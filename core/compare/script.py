"""Anchors of simulated runs: the steps of the script that they share."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.compare.comparison import Run
from core.compare.stops import Anchor
from core.errors import ScenarioError
from core.language import say, spoken
from core.sim.scenario import parse_scenario
from core.trace.trace import Origin, Trace
from core.trace.vocabulary import NUMBER


def share_a_script(runs: Sequence[Run]) -> bool:
    """Whether all are simulations of the same script, to the letter."""
    scripts = {run.history.trace.facts.get("script", "") for run in runs}
    simulated = all(run.history.trace.origin == Origin.SIMULATED for run in runs)
    return simulated and len(scripts) == 1 and bool(scripts.pop())


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
        scenario = parse_scenario(trace.facts["script"], trace.sources[0].path if trace.sources else "")
    except ScenarioError:
        return {}
    return {step.number: (spoken(step.label), spoken(step.effect)) for step in scenario.steps}
