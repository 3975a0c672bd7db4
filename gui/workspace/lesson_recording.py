"""A lesson's skeleton from stops in a run: where somebody pressed a key while a scenario played. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.compare.comparison import Run
from core.compare.script import script_of, step_cursors
from core.errors import QuestionError
from core.message import message
from core.sim.library import scenario, scenario_ids
from core.sim.script import Scenario, in_language
from core.teaching.answers import answer_of
from core.teaching.facts import broker_ids
from core.teaching.generated import questions_of
from core.teaching.lesson import Ask, AskKind, Scene, Spot
from core.words import Language, said, speaking, text
from gui.workspace.lesson_final import question_words
from gui.workspace.lesson_runs import runs_of

_FIRST: Final = (AskKind.CUT, AskKind.LEADER, AskKind.IN_SYNC, AskKind.WATERMARK)
"""What is asked at a stop, if the run answers it before the end of the next step."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A step of the script at whose end the lesson stops, and whether it asks there."""

    step: int
    asks: bool = False


def stops_of(words: str) -> tuple[Stop, ...]:
    """Stops as "3,5?,8" names them; one with a question mark asks. Raises QuestionError."""
    found: list[Stop] = []
    for part in words.split(","):
        number = part.strip().removesuffix("?")
        if not (number.isdecimal() and number.isascii() and len(number) < 5):
            raise QuestionError(
                message("error.lesson.stops", said=part.strip()), advice=message("error.lesson.stops.form")
            )
        found.append(Stop(int(number), part.strip().endswith("?")))
    return tuple(sorted(found, key=lambda one: one.step))


def with_stop(stops: Sequence[Stop], step: int) -> tuple[Stop, ...]:
    """One more stop; a second press at a step makes it ask there, a third takes it away."""
    before = next((one for one in stops if one.step == step), None)
    others = tuple(one for one in stops if one.step != step)
    if before is None:
        others = (*others, Stop(step))
    elif not before.asks:
        others = (*others, Stop(step, asks=True))
    return tuple(sorted(others, key=lambda one: one.step))


def step_at(run: Run, cursor: int) -> int:
    """The step of the script that is on at a cursor; 0 before the first."""
    return max(
        (step for step, begun in step_cursors(run.history.trace).items() if begun <= cursor), default=0
    )


def library_id(run: Run) -> str:
    """The scenario of the library that a run is of; "" for another script."""
    script = script_of(run.history.trace)
    same = (one for one in scenario_ids() if script is not None and scenario(one).steps == script.steps)
    return next(same, "")


def skeleton(scenario_id: str, era: str, stops: Sequence[Stop], lang: Language) -> str:
    """The text of a lesson that holds, to be written on: a step a stop, with its place and its question.

    Raises QuestionError for a scenario, era or step that there is not, or without a stop.
    """
    if not stops:
        raise QuestionError(message("error.lesson.no-stops"), advice=message("error.lesson.stops.form"))
    script = scenario(scenario_id)
    (run,) = runs_of(Scene(scenario_id, "", "", (era,), Spot()))
    with speaking(lang):
        title = in_language(script.title, lang)
        parts = [
            "+++",
            f"title = {_quoted(title)}",
            f"line = {_quoted(said('lesson.record.line'))}",
            f"minutes = {max(len(stops) * 2, 2)}",
            f"scenario = {_quoted(scenario_id)}",
            f"runs = [{_quoted(era)}]",
            "+++",
        ]
        before = 0
        for stop in stops:
            parts += _step(script, run, stop, before + 1, lang)
            before = stop.step
    return "\n".join(parts) + "\n"


def _step(script: Scenario, run: Run, stop: Stop, first: int, lang: Language) -> list[str]:
    step = next((one for one in script.steps if one.number == stop.step), None)
    if step is None:
        raise QuestionError(message("error.lesson.no-step", step=stop.step, run=run.title))
    effect = in_language(step.effect, lang)
    parts = [
        f"\n## {in_language(step.label, lang)}\n",
        f"```show\nstep = {stop.step}\nfrom = {min(first, stop.step)}\nto = {stop.step}\n```\n",
        f"{effect}\n",
    ]
    ask = _ask(run, stop.step) if stop.asks else None
    if ask is not None:
        broker = f"broker = {_quoted(ask.broker)}\n" if ask.broker else ""
        head = f'kind = "{ask.kind}"\nquestion = {_quoted(text(question_words(ask)))}\n'
        parts.append(f"```ask\n{head}{broker}judged = {{ step = {stop.step + 1} }}\n```\n")
        parts.append(f"```reveal\n{said('lesson.record.reveal')}\n```\n")
    parts.append(f"```note\n{said('lesson.record.note')}\n```")
    return parts


def _ask(run: Run, step: int) -> Ask | None:
    """What the run answers between the end of a step and that of the next one; None after the last."""
    begun = step_cursors(run.history.trace)
    if step + 1 not in begun:
        return None
    first = begun[step + 1] - 1
    last = begun.get(step + 2, len(run.history.trace) + 1) - 1
    spot, judged = Spot(step=step), Spot(step=step + 1)
    inside = [one.ask for one in questions_of(run) if first <= (one.stop.cursor or 0) < last]
    leader = run.history.leader.at(first)
    names = [name for name, number in broker_ids(run).items() if number == leader]
    asked = [
        Ask(one.kind, "", judged, broker=one.broker) for kind in _FIRST for one in inside if one.kind is kind
    ]
    asked += [Ask(AskKind.WATERMARK, "", judged, broker=name) for name in names[-1:]]
    return next((one for one in asked if answer_of(one, spot, run).known), None)


def _quoted(words: str) -> str:
    """A string of TOML."""
    told = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{told}"'
