"""From a script and eras to what is shown: the runs, and the place in them to look at first."""

import time
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from core.compare.align import make_run
from core.compare.comparison import Run
from core.compare.script import step_cursors
from core.errors import QuestionError
from core.history.state import History
from core.kafka.eras import Era, era
from core.message import in_languages, message
from core.picture.marks import Ref
from core.sim.ablation.setup import Setup, run_once
from core.sim.library import scenario
from core.sim.questions import Lesson, Place
from core.sim.run import simulate
from core.sim.script import Scenario
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER
from core.words import Language, speaking, text
from core.work import Work
from gui.workspace.loading import Loaded, content_of, found_in, unique_names

SHOWN_FIRST: Final = "hw-loss"
"""The scenario that is shown first."""
PAIR: Final = ("0.10.2", "0.11", "2.8")
"""The eras of the comparison that is shown first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A script to be run in each of these eras, and where to look then; None is the first difference.

    Without an era it is not run: what is `beside` is shown alone.
    """

    script: Scenario
    eras: tuple[Era, ...]
    seed: int = 1
    place: Place | None = None
    language: Language = "en"
    beside: Trace | None = None
    """A run that is shown first, with the new ones beside it."""
    opened: tuple[Run, ...] = field(default=(), repr=False)
    """Runs that are open: what is shown of their traces is not found out again."""
    lesson: Lesson | None = None
    """What the runs are to show."""


def replay(asked: Asked, work: Work) -> Loaded:
    """Simulate and check the runs. They are bounded by their script, so they need no process of their own."""
    with speaking(asked.language):
        return _replayed(asked, work)


def _replayed(asked: Asked, work: Work) -> Loaded:
    begun = time.monotonic()
    made = (run_once(Setup(asked.script, one, asked.seed), work) for one in asked.eras)
    traces = unique_names((*(() if asked.beside is None else (asked.beside,)), *made))
    title = text(in_languages(asked.script.title))
    found = found_in(traces, None, work)
    content = replace(content_of(traces, title, found.worst, work, opened=asked.opened), lesson=asked.lesson)
    seconds = time.monotonic() - begun
    loaded = Loaded(content, traces, seconds=seconds, triage=found.triage, account=found.account)
    return loaded if asked.place is None else at_place(loaded, asked.script, asked.place)


def runs_of(names: tuple[str, ...], first_era: str, work: Work) -> dict[str, Run]:
    """Each scenario replayed in one era, by its id."""
    made: dict[str, Run] = {}
    for place, name in enumerate(names):
        work.step(place, len(names), message("progress.scenarios"))
        made[name] = make_run(simulate(scenario(name), era(first_era), work=work))
    return made


def step_at(history: History, cursor: int) -> int:
    """How many steps of its script a simulated run has finished at a cursor, as its view shows it."""
    begun = step_cursors(history.trace)
    place = int(np.searchsorted(history.seqs, cursor))
    if place == len(history.seqs):
        return len(begun)
    following = int(history.seqs[place])
    now = sum(at <= following for at in begun.values())
    # What comes next belongs to a step that is not over, unless it is the beginning of one.
    return now if following + 1 in begun.values() else max(now - 1, 0)


def at_place(loaded: Loaded, script: Scenario, place: Place) -> Loaded:
    """What was loaded, opened at a place of its script: one run after the event, several after the step.

    The event is selected. Raises QuestionError where the runs have no such step or event.
    """
    content = loaded.content
    following = step_cursors(loaded.traces[0]).get(place.step + 1)
    position = content.last if following is None else content.position_of(0, following) - 1
    if not place.event:
        return replace(loaded, position=position)
    for run, trace in enumerate(loaded.traces):
        seq = _first_event(trace, script, place)
        if seq is not None:
            alone = content.comparison is None
            return replace(
                loaded,
                position=content.position_of(run, seq + 1) if alone else position,
                selection=Ref("event", run, seq),
            )
    raise QuestionError(
        message("error.scenario.no-run-has", event=place.event, broker=place.broker, step=place.step)
    )


def _first_event(trace: Trace, script: Scenario, place: Place) -> int | None:
    """The Seq of the event that a place names; None where this run does not have it."""
    cursors = step_cursors(trace)
    begin, end = cursors[place.step], cursors.get(place.step + 1, len(trace))
    columns = trace.columns
    found = (columns["kind"][begin:end] == NUMBER[place.event]) & (
        columns["replica"][begin:end] == script.broker_id(place.broker)
    )
    return begin + int(np.argmax(found)) if found.any() else None
