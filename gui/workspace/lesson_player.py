"""Going through a lesson: which step is on, what was answered, and what may be seen of the run by now.

Until a question is answered, the run that is shown ends where it is asked: what comes later is not loaded.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from types import MappingProxyType
from typing import Final

import numpy as np

from core.compare.align import compare, make_run
from core.compare.comparison import Run
from core.compare.script import step_cursors
from core.errors import QuestionError
from core.kafka.eras import ERAS, era_named
from core.kafka.switches import SWITCH
from core.picture.letters import Pointed
from core.picture.memo import Same, keeping
from core.teaching.answers import UNKNOWN, Answer, Given, Judged, Mark, answer_of, judge
from core.teaching.lesson import Ask, AskKind, Lesson, Pointer, Rule, Scene, Step, pointers_of
from core.teaching.places import cursor_of
from core.trace.part import part_of
from gui.workspace.content import Content, alone, compared
from gui.workspace.lesson_runs import runs_of

_KEPT: Final = 16
"""So many runs that end at a question are kept: the same step is asked for again and again."""
AFTER_HINT: Final = 0.5
"""What a right answer is worth after a hint, or after another try."""

CELLS_MOST: Final = 24
"""So many offsets are shown as cells to mark; more are told as a range."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer that was given: what, how it was judged, how many hints came before, how long it took."""

    given: Given | None
    judged: Judged
    hints: int = 0
    seconds: float = 0.0
    number: int = 1
    """Which try it is, from 1."""

    @property
    def points(self) -> float:
        """Of one."""
        return self.judged.share * (AFTER_HINT if self.hints or self.number > 1 else 1.0)


@dataclass(frozen=True, slots=True)
class Player:
    """A lesson that somebody goes through. `step` counts from 0."""

    lesson: Lesson
    step: int = 0
    attempts: Mapping[int, Attempt] = field(default_factory=lambda: MappingProxyType({}))
    """By step; what is in it is revealed."""
    hints: int = 0
    """How many hints of the question of this step were asked for."""
    earlier: Mapping[int, tuple[Attempt, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """By step, the tries before the one that stands, or before the question that waits once more."""
    missed: tuple[int, ...] = ()
    """The steps that are practised: their questions were not answered right. () is the whole lesson."""

    @property
    def now(self) -> Step:
        """The step that is on."""
        return self.lesson.steps[self.step]

    @property
    def asks(self) -> Ask | None:
        """The question that waits for an answer; None where nothing is hidden."""
        return None if self.step in self.attempts else self.now.ask

    @property
    def points(self) -> float:
        """Of one a question, the most of all tries."""
        steps = {*self.attempts, *self.earlier}
        return sum(max(one.points for one in self.tries(step)) for step in steps)

    def tries(self, step: int) -> tuple[Attempt, ...]:
        """Every try at the question of a step, the one that stands last."""
        last = (self.attempts[step],) if step in self.attempts else ()
        return (*self.earlier.get(step, ()), *last)

    @property
    def right(self) -> int:
        """How many questions were answered right."""
        return sum(1 for one in self.attempts.values() if one.judged.mark is Mark.RIGHT)


def at_step(player: Player, step: int) -> Player:
    """The same at another step, the nearest that there is."""
    place = max(0, min(step, len(player.lesson.steps) - 1))
    return player if place == player.step else replace(player, step=place, hints=0)


def following(player: Player, by: int) -> Player:
    """The same a step further or back; of what is practised, at the next question that was missed.

    The same player where there is none.
    """
    if not player.missed:
        return at_step(player, player.step + by)
    ahead = [one for one in player.missed if (one > player.step if by > 0 else one < player.step)]
    return at_step(player, (ahead[0] if by > 0 else ahead[-1])) if ahead else player


def missed_in(player: Player) -> tuple[int, ...]:
    """The steps whose question was answered, and not right at last."""
    steps = sorted({*player.attempts, *player.earlier})
    return tuple(step for step in steps if player.tries(step)[-1].judged.mark is not Mark.RIGHT)


def practised(player: Player) -> Player:
    """The same with what was missed asked again, from its first question on; the tries so far are kept."""
    missed = missed_in(player)
    if not missed:
        return player
    attempts = {at: one for at, one in player.attempts.items() if at not in missed}
    earlier = {**player.earlier, **{at: player.tries(at) for at in missed}}
    again = replace(player, attempts=MappingProxyType(attempts), earlier=MappingProxyType(earlier))
    return replace(again, step=missed[0], missed=missed, hints=0)


def with_hint(player: Player) -> Player:
    """The same with one more hint shown, where there is one."""
    most = 0 if player.asks is None else len(player.asks.hints)
    return replace(player, hints=min(player.hints + 1, most))


def answered(player: Player, given: Given | None, seconds: float = 0.0) -> Player:
    """The same with the question of this step answered, or skipped, and revealed.

    Where the lesson is for practice, the first answer that is not right is kept, and the question waits once
    more.
    """
    ask, before = player.asks, player.earlier.get(player.step, ())
    if ask is None:
        return player
    answer = right_answer(player.now)
    attempt = Attempt(given, judge(ask, given, answer), player.hints, seconds, len(before) + 1)
    not_right = attempt.judged.mark in (Mark.PARTLY, Mark.WRONG)
    if player.lesson.practice and not_right and not before:
        return replace(player, earlier=MappingProxyType({**player.earlier, player.step: (attempt,)}))
    return replace(player, attempts=MappingProxyType({**player.attempts, player.step: attempt}))


def right_answer(step: Step) -> Answer:
    """What the run of a step answers to its question."""
    if step.ask is None:
        raise TypeError(step.title)
    return answer_of(step.ask, step.scene.spot, runs_of(step.scene)[0])


@dataclass(frozen=True, slots=True)
class Shown:
    """What is seen of a step: the content, and the position at which it stands."""

    content: Content
    position: int


def shown(player: Player) -> Shown:
    """The runs of the step that is on, up to where its question is asked until that is answered."""
    scene = player.now.scene
    spot = scene.spot
    if player.now.ask is not None and player.asks is None:
        spot = player.now.ask.judged
    runs = tuple(_until(run, _hidden_from(player, run, cursor_of(spot, run))) for run in runs_of(scene))
    if any(one.kind is AskKind.LOST for one, _ in _waiting(player)):
        runs = tuple(_without_losses(run) for run in runs)
    title = player.lesson.title
    content = alone(title, runs[0]) if len(runs) == 1 else compared(title, compare(runs))
    return Shown(content, content.position_of(0, min(cursor_of(spot, runs[0]), len(runs[0].history.trace))))


def highest_end(run: Run) -> int:
    """The highest log end offset of any replica at the end of a run, as far as its evidence allows.

    Of a recording that stops at a question the upper bound may be unknown: the lower one is reached at least.
    """
    state = run.history.at(len(run.history.trace))
    return max((max(one.leo.lo or 0, one.leo.hi or 0) for one in state.replicas), default=0)


def _hidden_from(player: Player, run: Run, stands: int) -> int:
    """The cursor from which on a run is hidden: where the next question about it is asked.

    Never before the place where the step stands; the end of the run where no question is left.
    """
    for _, asked_in in _waiting(player):
        return max(stands, cursor_of(asked_in.spot, run))
    return len(run.history.trace)


def _waiting(player: Player) -> Iterator[tuple[Ask, Scene]]:
    """The questions about what is shown that are not answered yet, from the step that is on."""
    here = player.now.scene
    for place in range(player.step, len(player.lesson.steps)):
        step = player.lesson.steps[place]
        same = (step.scene.scenario, step.scene.recording) == (here.scenario, here.recording)
        if step.ask is not None and same and place not in player.attempts:
            yield step.ask, step.scene


def _without_losses(run: Run) -> Run:
    """A run whose losses are not told: they may be proven before it is asked which records are lost."""
    return replace(run, verdict=replace(run.verdict, losses=(), findings=()))


def spoken_of(scene: Scene, content: Content) -> tuple[int, int] | None:
    """The positions between which the steps lie that the text speaks of; None where it speaks of all."""
    run = content.runs[0]
    begun, end = step_cursors(run.history.trace), len(run.history.trace)
    if scene.first_step is None and scene.last_step is None:
        return None
    first = begun.get(scene.first_step or 0, 0)
    last = end if scene.last_step is None else begun.get(scene.last_step + 1, end + 1) - 1
    return content.position_of(0, min(first, end)), content.position_of(0, min(last, end))


def pointed_at(pointer: Pointer, scene: Scene, content: Content) -> tuple[int, int] | None:
    """The run, and the place in its trace, of the event that a letter points at; None where none shows it."""
    spot = pointer.spot
    if spot.step is None and spot.at_ns is None:
        spot = replace(spot, step=scene.spot.step)
    for number, run in enumerate(content.runs):
        try:
            seq = cursor_of(spot, run) - 1
        except QuestionError:
            continue
        if 0 <= seq < len(run.history.trace):
            return number, seq
    return None


def points_of(step: Step, content: Content) -> tuple[Pointed, ...]:
    """The letters of the text of a step, and the events that they stand beside."""
    points: list[Pointed] = []
    for pointer in pointers_of(step.blocks):
        found = pointed_at(pointer, step.scene, content)
        if found is not None:
            run, seq = found
            columns = content.runs[run].history.trace.columns
            broker = max(int(columns["replica"][seq]), int(columns["broker"][seq]))
            position = seq + 1 if content.comparison is None else content.position_of(run, seq + 1)
            points.append(Pointed(pointer.letter, run, seq, broker, position))
    return tuple(points)


def _until(run: Run, cursor: int) -> Run:
    """A run that ends at a cursor: what it may do later is not in it."""
    return run if cursor >= len(run.history.trace) else _cut(Same((run,), run), cursor)


@keeping(_KEPT)
def _cut(same: Same[Run], cursor: int) -> Run:
    run = same.value
    trace, history = run.history.trace, run.history
    before = part_of(trace, np.arange(cursor, dtype=np.int64))
    return make_run(before, str(trace.partitions[history.partition].tp))


@dataclass(frozen=True, slots=True)
class OfEras:
    """Eras that answer a question alike, and what they answer; `first` to `last` are their ids."""

    first: str
    last: str
    answer: Answer


def other_eras(step: Step) -> tuple[OfEras, ...]:
    """What the same script answers in every era, neighbours that agree together; () for a recording.

    Of an era whose run has no such moment, and of one in which no option is so, the answer is UNKNOWN. A
    question that was made from a run stands at one of its events, which no other run has: there it is what
    the rules of each era cut in the same state, and () of what is no cut.
    """
    ask, scene = step.ask, step.scene
    if ask is None or not scene.scenario:
        return ()
    made = ask.judged.cursor is not None or scene.spot.cursor is not None
    answers = _same_state(ask, runs_of(scene)[0]) if made else _same_script(ask, scene)
    found: list[OfEras] = []
    for era, answer in answers:
        if found and found[-1].answer == answer:
            found[-1] = replace(found[-1], last=era)
        else:
            found.append(OfEras(era, era, answer))
    return tuple(found)


def _same_script(ask: Ask, scene: Scene) -> Iterator[tuple[str, Answer]]:
    """What the run of each era answers."""
    for one in ERAS:
        (run,) = runs_of(replace(scene, runs=(one.id,)))
        try:
            yield one.id, answer_of(ask, scene.spot, run)
        except QuestionError:
            yield one.id, UNKNOWN


def _same_state(ask: Ask, run: Run) -> Iterator[tuple[str, Answer]]:
    """Where the rules of each era cut the log in the state from which the run cut it."""
    if ask.kind is not AskKind.CUT or ask.judged.cursor is None:
        return
    x_rays = (one for one in run.verdict.x_rays if one.seq == (ask.judged.cursor or 0) - 1)
    for outcome in (one for x_ray in x_rays for one in x_ray.outcomes):
        bounds = outcome.leo_lo, outcome.leo_hi
        known = not outcome.exits and bounds != (None, None)
        yield outcome.era, Answer(lo=bounds[0], hi=bounds[1]) if known else UNKNOWN


def rule_eras(scene: Scene, rule: Rule) -> tuple[str, str] | None:
    """The first and last of the eras next to that of the rule in which its switch has the same value.

    The era of a rule that names none is that of the last run of the scene. None where every era has it.
    """
    if not rule.switch:
        return None
    name, named = SWITCH[rule.switch].field, rule.era or scene.runs[-1]
    value = getattr(era_named(named).switches, name)
    same = [
        [one.id for one in neighbours]
        for has, neighbours in groupby(ERAS, lambda one: getattr(one.switches, name) == value)
        if has
    ]
    if not same or len(same[0]) == len(ERAS):
        return None
    ids = next((ids for ids in same if named in ids), same[-1])
    return ids[0], ids[-1]


def as_scene_shown(scene: Scene) -> str:
    """The runs of a scene in words: "0.10.2" or "0.10.2, 0.11"; the name of a recording."""
    return ", ".join(scene.runs) or scene.recording
