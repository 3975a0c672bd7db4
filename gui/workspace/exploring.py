"""From a question to the model of replication to its answer: figures and verdict, or a behaviour in lanes."""

import time
from dataclasses import dataclass

from core.errors import QuestionError
from core.message import message
from core.model.as_trace import trace_of
from core.model.async_isr import AsyncState
from core.model.async_trace import async_trace_of
from core.model.exploration import Counterexample, Exploration, Limits
from core.model.fast_engine import FastEngine, fits, world_of
from core.model.invariants import Invariant
from core.model.plain_engine import explore
from core.model.state import Bounds, State
from core.model.step_words import step_message
from core.model.variants import Variant
from core.trace.trace import Trace
from core.words import Language, speaking, text
from core.work import Work
from gui.workspace.loading import Loaded, content_of, found_in

MOST_STATES = 20_000_000
"""They take less than a gigabyte."""


@dataclass(frozen=True, slots=True)
class Question:
    """Whether an invariant holds in all states of a variant within bounds."""

    variant: Variant
    bounds: Bounds
    invariant: Invariant[State]
    language: Language = "en"


def explored(asked: Question, work: Work) -> Exploration[State]:
    """All states, as far as they fit into memory. Raises CancelledError."""
    return _explored(asked, Limits(states=MOST_STATES), work)


def _explored(asked: Question, limits: Limits, work: Work) -> Exploration[State]:
    if fits(asked.bounds, asked.variant):
        return FastEngine(asked.bounds, asked.variant).explore((asked.invariant,), limits, work)
    return explore(world_of(asked.bounds, asked.variant), (asked.invariant,), limits, work)


def played(asked: Question, work: Work) -> Loaded:
    """A shortest behaviour that breaks the invariant, for lanes. Raises QuestionError where there is none."""
    begun = time.monotonic()
    limits = Limits(states=MOST_STATES, until_violation=True)
    found = _explored(asked, limits, work).verdicts[0].counterexample
    name = f"{asked.variant.name} {asked.invariant.name}"
    if found is None:
        raise QuestionError(message("error.model.holds", name=name))
    with speaking(asked.language):
        traces = (behaviour_trace(name, asked.variant, found),)
        seen = found_in(traces, None, work)
        content = content_of(traces, name, seen.worst, work)
    seconds = time.monotonic() - begun
    return Loaded(
        content,
        traces,
        seconds=seconds,
        triage=seen.triage,
        account=seen.account,
        position=content.last,
    )


def behaviour_trace(name: str, variant: Variant, found: Counterexample[State]) -> Trace:
    """A behaviour as a trace, whose lines say its steps in the language spoken now."""
    said = [text(step_message(step)) for step in found.steps]
    return trace_of(name, variant, found.states, found.steps, said)


def async_behaviour_trace(name: str, found: Counterexample[AsyncState]) -> Trace:
    """The same of the model of AlterPartition."""
    said = [text(step_message(step)) for step in found.steps]
    return async_trace_of(name, found.states, found.steps, said)
