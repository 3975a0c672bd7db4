"""A lesson as what a handout is made of: each step with its pictures, question and answer. No Qt."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from core.compare.comparison import Run
from core.diagnose.narrate.why import why
from core.errors import QuestionError
from core.message import message
from core.picture.comparison import ComparisonView, lay_out_comparison
from core.picture.letters import lettered
from core.picture.marks import Picture
from core.picture.timeline import TimelineView, lay_out
from core.teaching.answers import Answer
from core.teaching.lesson import Block, Lesson, Pointer, Step, pointers_of
from core.teaching.places import cursor_of
from core.words import Language, speaking, text
from gui.exports.plan import Plan
from gui.exports.views import comparison_view, timeline_view
from gui.workspace.lesson_player import Player, Shown, answered, highest_end, points_of, right_answer, shown
from gui.workspace.lesson_runs import runs_of
from gui.workspace.script_lines import script_lines

FIGURE: Final = 826
"""How wide a figure is laid out, in logical pixels: 170 mm of a page then have letters of 8 points."""
_LOWER: Final = 0.66
"""Of the usual height."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter of the text, and in words what it points at."""

    letter: str
    words: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a step with a question has more: the runs' answer, and the picture after the reveal."""

    answer: Answer
    run: Run
    """The run that answers, whole."""
    most: int
    """The highest log end offset that is seen before the reveal."""
    revealed: Picture
    letters: tuple[Letter, ...]
    """Those of the text that is hidden until then."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One step of a handout. Its picture ends where its question is asked."""

    number: int
    step: Step
    picture: Picture
    letters: tuple[Letter, ...]
    asked: Asked | None = None


def sheets_of(lesson: Lesson, lang: Language) -> tuple[Sheet, ...]:
    """Every step, as one sees it who answers each question in turn. Raises QuestionError."""
    player = Player(lesson)
    sheets: list[Sheet] = []
    with speaking(lang):
        for place, step in enumerate(lesson.steps):
            player = replace(player, step=place)
            seen = shown(player)
            letters = tuple(_letters(step.blocks, step, lang))
            sheet = Sheet(place + 1, step, _picture(step, seen, lang), letters)
            if step.ask is not None:
                answer = right_answer(step)
                if not answer.known:
                    raise QuestionError(
                        message("lesson.problem.no-answer", run=runs_of(step.scene)[0].title),
                        where=f"{lesson.id}, {step.title}",
                    )
                player = answered(player, None)
                behind = shown(player)
                asked = Asked(
                    answer,
                    runs_of(step.scene)[0],
                    highest_end(seen.content.runs[0]),
                    _picture(step, behind, lang),
                    tuple(_letters(step.revealed, step, lang)),
                )
                sheet = replace(sheet, asked=asked)
            sheets.append(sheet)
    return tuple(sheets)


def view_of(seen: Shown, lang: Language) -> TimelineView | ComparisonView:
    """The lanes of what is seen of a step, with the cursor where it stands."""
    plan, content = Plan(width=FIGURE, lang=lang), seen.content
    if content.comparison is not None:
        return replace(comparison_view(content.comparison, (), plan), stop=seen.position)
    return timeline_of(seen, lang)


def timeline_of(seen: Shown, lang: Language) -> TimelineView:
    """The lanes of a single run, with the cursor where it stands."""
    (cursor,) = seen.content.cursors(seen.position)
    return replace(timeline_view(seen.content.runs[0], (), Plan(width=FIGURE, lang=lang)), cursor=cursor)


def _picture(step: Step, seen: Shown, lang: Language) -> Picture:
    view = view_of(seen, lang)
    view = replace(view, height=view.height * _LOWER)
    if isinstance(view, ComparisonView):
        return lettered(lay_out_comparison(view), view, points_of(step, seen.content))
    flat = replace(view, with_overview=False)
    return lettered(lay_out(flat), flat, points_of(step, seen.content))


def _letters(blocks: tuple[Block, ...], step: Step, lang: Language) -> Iterator[Letter]:
    """What each letter points at, in the first run that comes so far."""
    for pointer in pointers_of(blocks):
        yield Letter(pointer.letter, _words_of(pointer, step, lang))


def _words_of(pointer: Pointer, step: Step, lang: Language) -> str:
    spot = pointer.spot
    if spot.step is None and spot.at_ns is None:
        spot = replace(spot, step=step.scene.spot.step)
    run = runs_of(step.scene)[0]
    history = run.history
    return text(why(history, run.verdict, cursor_of(spot, run), script_lines(history.trace, lang)).title)
