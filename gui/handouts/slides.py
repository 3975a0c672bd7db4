"""Each step of a lesson as a slide for a room: what the audience is shown, and nothing else."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.picture.comparison import verdict_words
from core.picture.projector import Projected, paged, projected, smallest_letters
from core.picture.viewing import USUAL, Room, letters_of
from core.shown import shown_in_line
from core.teaching.facts import broker_ids
from core.teaching.lesson import AskKind, Block, Lesson, Scene, Step
from core.teaching.markdown import plain_text
from core.words import Language, said, speaking
from gui.handouts.handout import timeline_of
from gui.handouts.prose import labels_of
from gui.text.sentences import first_sentence_of
from gui.workspace.content import alone, marked_times, with_room
from gui.workspace.lesson_player import (
    Player,
    Shown,
    answered,
    as_scene_shown,
    highest_end,
    points_of,
    right_answer,
    shown,
    spoken_of,
)
from gui.workspace.lesson_runs import runs_of
from gui.workspace.lesson_words import answer_words, rule_words

_OPTIONS_MOST: Final = 4
"""So many options are shown, to raise a hand for."""


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide: of which step, whether its question is answered on it, and what the room is shown.

    A step that does not fit one slide has several; `page` counts them from 1.
    """

    number: int
    step: Step
    revealed: bool
    shown: Projected
    page: int = 1


def slides_of(lesson: Lesson, lang: Language, room: Room = USUAL) -> Iterator[Slide]:
    """Every step in turn; a question and what happened are slides of their own. Raises QuestionError.

    `room` says how much fits one slide.
    """
    player = Player(lesson)
    for place, step in enumerate(lesson.steps):
        player = replace(player, step=place)
        yield from _numbered(player, step, lang, room, revealed=False)
        if step.ask is not None:
            player = answered(player, None)
            yield from _numbered(player, step, lang, room, revealed=True)


def _numbered(player: Player, step: Step, lang: Language, room: Room, *, revealed: bool) -> Iterator[Slide]:
    for page, made in enumerate(pages_of(player, lang, room=room), start=1):
        yield Slide(player.step + 1, step, revealed, made, page)


def pages_of(
    player: Player,
    lang: Language,
    *,
    framed: int | None = None,
    counts: Sequence[int] = (),
    alone: int | None = None,
    room: Room = USUAL,
) -> tuple[Projected, ...]:
    """What a room is shown of the step that is on, one picture after the other.

    Each of several runs has a picture of its own, and words that have no room beside the lanes follow on one.
    `framed` is an option that the speaker points at. `counts` are the hands for each option; they are seen
    with the answer alone. `alone` is the broker whose lane is enlarged.
    """
    seen = shown(player)
    several = len(seen.content.runs) > 1
    pages: list[Projected] = []
    for place, run in enumerate(seen.content.runs):
        made = _page(player, lang, seen, place, alone)
        if several and player.asks is None:
            with speaking(lang):
                made = replace(made, verdict=verdict_words(run)[0])
        if player.asks is None and not counts:
            made = replace(made, options=())
        pages.append(replace(made, framed=framed, counts=tuple(map(str, counts))))
    split = [paged(one, room) for one in pages]
    # The words are the same beside each run: they follow once, after all of them.
    words = [replace(parts[1], runs=_runs(player.now.scene)) for parts in split if len(parts) > 1]
    return (*(parts[0] for parts in split), *words[:1])


def _page(player: Player, lang: Language, seen: Shown, place: int, enlarged: int | None) -> Projected:
    """One run of a step with all of its words."""
    step, waits = player.now, player.asks is not None
    run = seen.content.runs[place]
    content = alone(player.lesson.title, run)
    cursor = seen.content.cursors(seen.position)[place]
    view = timeline_of(Shown(content, content.position_of(0, cursor)), lang)
    lanes = {broker_ids(run)[name] for name in step.scene.brokers} if enlarged is None else {enlarged}
    if lanes:
        others = frozenset(run.history.replicas) - lanes
        view = replace(view, lanes=replace(view.lanes, folded=others))
    spoken = spoken_of(step.scene, content)
    if spoken is not None:
        view = replace(view, window=with_room(marked_times(content, *spoken)))
    with speaking(lang):
        return Projected(
            title=shown_in_line(player.lesson.title),
            runs=_runs(step.scene, place),
            view=view,
            heading=shown_in_line(step.title),
            sentence=_sentence(step, waits=waits),
            question="" if step.ask is None else shown_in_line(step.ask.question),
            options=options_of(player),
            answer="" if step.ask is None or waits else answer_of(step, lang),
            veil=said("lesson.veil") if waits else "",
            points=points_of(step, content),
        )


def _runs(scene: Scene, place: int | None = None) -> str:
    """Which run the lanes are of, where there are several; all of them where no place is said."""
    if place is not None and len(scene.runs) > 1:
        one = _runs(replace(scene, runs=(scene.runs[place],)))
        return said("lesson.slide.one-of", runs=one, place=place + 1, most=len(scene.runs))
    runs = as_scene_shown(scene)
    return said("lesson.slide.runs", runs=runs) if scene.scenario else runs


def _sentence(step: Step, *, waits: bool) -> str:
    """One sentence: the rule once it may be seen, else the first of the text; none beside a question."""
    if waits:
        return ""
    if step.rule is not None:
        return rule_words(step)
    return first_sentence(step.blocks if step.ask is None else step.revealed)


def first_sentence(blocks: Sequence[Block]) -> str:
    """The first sentence of a text, without its letters."""
    return first_sentence_of(" ".join(re.sub(r"\([A-F]\)", "", plain_text(blocks)).split()))


def options_of(player: Player) -> tuple[str, ...]:
    """What hands are raised for; () where there is too much to choose from."""
    ask, run = player.now.ask, runs_of(player.now.scene)[0]
    if ask is None:
        return ()
    attempts = {place: one for place, one in player.attempts.items() if place != player.step}
    most = highest_end(shown(replace(player, attempts=attempts)).content.runs[0])
    if ask.kind in (AskKind.CUT, AskKind.WATERMARK, AskKind.LOST):
        offsets = range(most if ask.kind is AskKind.LOST else most + 1)
        few = offsets if len(offsets) <= _OPTIONS_MOST else ()
        return tuple(said("lesson.slide.offset", offset=one) for one in few)
    labels = tuple(labels_of(ask, run, most).values())
    return labels if len(labels) <= _OPTIONS_MOST else ()


def answer_of(step: Step, lang: Language) -> str:
    """What the run answers to the question of a step."""
    if step.ask is None:
        return ""
    with speaking(lang):
        answer = answer_words(step.ask, right_answer(step), runs_of(step.scene)[0])
        return said("lesson.handout.happened", answer=answer)


def too_full(lesson: Lesson, lang: Language, room: Room = USUAL) -> Iterator[tuple[Slide, int]]:
    """The slides that do not fit with the letters that a room needs, and the size of their smallest ones."""
    least = round(letters_of(room))
    for slide in slides_of(lesson, lang, room):
        size = smallest_letters(projected(slide.shown, room=room))
        if size < least:
            yield slide, size
