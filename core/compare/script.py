"""Anchors of simulated runs: the steps of the script that they share."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

import numpy as np

from core.compare.comparison import Run
from core.compare.stops import Anchor
from core.errors import QuestionError, ScenarioError
from core.kafka.eras import era, with_switches
from core.message import Message, in_languages, message
from core.sim.scenario import parse_scenario
from core.sim.script import Scenario, Settings
from core.sim.step_words import label_message
from core.sim.translations import translated
from core.trace.trace import Origin, Trace
from core.trace.vocabulary import NUMBER
from core.words import text


def share_a_script(runs: Sequence[Run]) -> bool:
    """Whether all are simulations of the same script.

    Settings may differ, and titles and labels, as between versions.
    """
    scripts = {run.history.trace.facts.get("script", "") for run in runs}
    simulated = all(run.history.trace.origin == Origin.SIMULATED for run in runs)
    if not simulated or "" in scripts:
        return False
    if len(scripts) == 1:
        return True
    lengths = {len(found.steps) for run in runs if (found := script_of(run.history.trace)) is not None}
    return lengths == {shared_steps(runs)}


def shared_steps(runs: Sequence[Run]) -> int:
    """How many steps at the beginning simulations have in common, of scripts that part later; else 0.

    They are the same world then: brokers, limits, consumers and the state at the start are equal.
    """
    scripts: list[Scenario] = []
    for run in runs:
        trace = run.history.trace
        script = script_of(trace) if trace.origin == Origin.SIMULATED else None
        if script is None:
            return 0
        scripts.append(script)
    worlds = [
        replace(script, id="", title={}, story={}, start_line=0, steps=(), text="", settings=Settings())
        for script in scripts
    ]
    if any(world != worlds[0] for world in worlds[1:]):
        return 0
    rows = zip(
        *([replace(step, line=0, label={}, effect={}) for step in script.steps] for script in scripts),
        strict=False,
    )
    return sum(1 for _ in takewhile(lambda row: all(step == row[0] for step in row[1:]), rows))


def forked_anchors(runs: Sequence[Run], shared: int, later: Sequence[Anchor]) -> tuple[Anchor, ...]:
    """The steps that runs share, the place where their scripts part, and those of `later` that come after."""
    by_step = script_anchors(runs)
    anchors = list(by_step[: shared + 1])
    anchors += [
        replace(anchor, key="fork", label=message("compare.parted"), detail=None)
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
    anchors = [Anchor("start", message("compare.start"), None, (0,) * len(runs))]
    for number in sorted(set(cursors[0]).intersection(*cursors[1:])):
        label, detail = texts.get(number, (message("compare.step", number=number), None))
        anchors.append(Anchor(f"step {number}", label, detail, tuple(found[number] for found in cursors)))
    return tuple(anchors)


def step_cursors(trace: Trace) -> dict[int, int]:
    """The cursor just after each step, by number."""
    seqs = np.flatnonzero(trace.columns["kind"] == NUMBER["step"])
    return {int(trace.columns["aux"][seq]): int(seq) + 1 for seq in seqs}


def step_texts(trace: Trace) -> Mapping[int, tuple[Message | None, Message | None]]:
    """Label and effect of each step; none where the script is of a later schema."""
    scenario = script_of(trace)
    return (
        {}
        if scenario is None
        else {one.number: (label_message(one), _text_of(one.effect)) for one in scenario.steps}
    )


def _text_of(texts: Mapping[str, str]) -> Message | None:
    return in_languages(texts) if any(texts.values()) else None


def script_title(trace: Trace) -> str:
    """The title of the scenario; "" for a trace that was not simulated."""
    title, scenario = trace.facts.get("title", ""), script_of(trace)
    # Where names were hidden in one of the two, it is the fact that is shown.
    if scenario is None or scenario.title["en"].split() != title.split():
        return title
    return text(in_languages(scenario.title))


def rule_of(trace: Trace) -> Message | None:
    """The rule of truncation of a simulated run.

    With a switch set that decides on it, it is that of an era with these switches, or what the switch says.
    Of an era that is not known here it is what the run itself says, as earlier versions wrote it, or None.
    """
    pairs = (text.partition("=") for text in trace.facts.get("switches", "").split(",") if text)
    try:
        return with_switches(
            era(trace.facts.get("era", "")), {name: value for name, _, value in pairs}
        ).rule_in_force
    except QuestionError:
        rule = trace.facts.get("rule", "")
        return in_languages({"en": rule}) if rule else None


def script_of(trace: Trace) -> Scenario | None:
    """The scenario that a simulated trace was made from, with the texts that the library has of it.

    None where the trace keeps none, or one of a later schema.
    """
    script = trace.facts.get("script", "")
    try:
        return _parsed(script) if script else None
    except ScenarioError:
        return None


@lru_cache(maxsize=8)
def _parsed(script: str) -> Scenario:
    return translated(parse_scenario(script))
