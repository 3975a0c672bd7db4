"""Presenting a lesson: which step is on, what the room sees of it, and what lies over that. No Qt.

What the room sees is a lesson's step and nothing else: notes, clock and keys are no part of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.picture.viewing import USUAL, Room
from core.teaching.lesson import Lesson
from gui.workspace.lesson_player import Player, answered, at_step

Point = tuple[float, float]
"""A place in the picture of the room: parts of its width and of its height."""


_ROOMS_MOST: Final = 8
"""So many displays of rooms are remembered."""
_BUILT_IN: Final = ("edp", "lvds", "dsi", "built-in")
"""What the names of displays begin with that are part of a computer: of Linux three, of macOS one."""


@dataclass(frozen=True, slots=True)
class Display:
    """A display: what the system calls it, and its place on the desktop (x, y, width, height)."""

    name: str
    box: tuple[int, int, int, int]


def displays_of(displays: Sequence[Display], rooms: Sequence[str]) -> tuple[Display, Display | None]:
    """The display of the speaker and that of the room, of those that there are, the primary one first.

    `rooms` are names of displays that were the room's before, the last one first. None for the room where
    there is one display, or all show the same.
    """
    first, *more = displays
    apart = [first, *(one for one in more if one.box != first.box)]
    if len(apart) == 1:
        return first, None
    known = [one for name in rooms for one in apart if one.name == name]
    outside = [one for one in (*apart[1:], first) if not one.name.lower().startswith(_BUILT_IN)]
    room = (known or outside or apart[1:])[0]
    return next(one for one in apart if one is not room), room


def is_room_known(displays: Sequence[Display], rooms: Sequence[str]) -> bool:
    """Whether nobody has to say which display is the room's: one was before, or there is none of its own."""
    return displays_of(displays, rooms)[1] is None or any(one.name in rooms for one in displays)


def with_room(rooms: Sequence[str], name: str) -> tuple[str, ...]:
    """The displays of rooms with this one as the last one that was."""
    return (name, *(one for one in rooms if one != name))[:_ROOMS_MOST]


@dataclass(frozen=True, slots=True)
class Sight:
    """What the room sees: a step as far as it is revealed, and how it is shown."""

    player: Player
    framed: int | None = None
    """The option that the speaker points at."""
    counts: tuple[int, ...] = ()
    """Hands for each option; the room sees them with the answer."""
    alone: int | None = None
    """The broker whose lane is enlarged; None is all of them."""
    page: int = 0
    """Which of the pictures of the step, from 0: what does not fit one has several."""
    larger: int = 0
    """How many steps the letters are larger than the room needs, or smaller."""
    room: Room = USUAL
    """How wide the picture is, and how far the last row sits."""
    dark: bool = False


@dataclass(frozen=True, slots=True)
class Presenting:
    """A lesson that is presented. `asked` is whether the speaker was asked once more before a reveal."""

    now: Sight
    asked: bool = False
    kept: Sight | None = None
    """What a frozen picture keeps."""
    blank: bool = False
    laser: bool = False
    pen: bool = False
    strokes: tuple[tuple[Point, ...], ...] = field(default=())

    @property
    def seen(self) -> Sight:
        """What the room sees."""
        return self.kept or self.now

    @property
    def ahead(self) -> int:
        """How many steps the speaker is ahead of a frozen picture."""
        return self.now.player.step - self.seen.player.step


def begun(lesson: Lesson, step: int = 0, room: Room = USUAL) -> Presenting:
    """A lesson from a step on, with nothing revealed."""
    return Presenting(Sight(at_step(Player(lesson), step), room=room))


def measured(state: Presenting, room: Room) -> Presenting:
    """The same for a room of other measures, from the first picture of the step on."""
    kept = None if state.kept is None else replace(state.kept, room=room)
    return replace(state, now=replace(state.now, room=room, page=0), kept=kept, strokes=())


def onward(state: Presenting, pages: int = 1) -> Presenting:
    """The next of the `pages` of this step, then the next step.

    At a question the first press after its last page only asks the speaker, the second reveals.
    """
    if state.blank:
        return replace(state, blank=False)
    if state.now.page + 1 < pages:
        return to_page(state, state.now.page + 1)
    if state.now.player.asks is None:
        return to_step(state, state.now.player.step + 1)
    return revealed(state) if state.asked else replace(state, asked=True)


def revealed(state: Presenting) -> Presenting:
    """The same with the question of this step answered by the run."""
    if state.now.player.asks is None:
        return state
    now = replace(state.now, player=answered(state.now.player, None), page=0)
    return replace(state, now=now, asked=False, strokes=())


def to_page(state: Presenting, page: int) -> Presenting:
    """Another picture of the same step; what was drawn is gone."""
    return replace(state, now=replace(state.now, page=page), asked=False, blank=False, strokes=())


def to_step(state: Presenting, step: int) -> Presenting:
    """Another step, the nearest that there is; what is revealed stays so, what was drawn is gone."""
    player = at_step(state.now.player, step)
    if player is state.now.player:
        return replace(state, asked=False, blank=False)
    now = replace(state.now, player=player, framed=None, counts=(), alone=None, page=0)
    return replace(state, now=now, asked=False, blank=False, strokes=())


def frozen(state: Presenting) -> Presenting:
    """The room keeps what it sees now; or sees the present again."""
    return replace(state, kept=None if state.kept is not None else state.now)


def enlarged(state: Presenting, brokers: tuple[int, ...]) -> Presenting:
    """The lane of the next of these brokers alone; after the last one all of them again."""
    at = -1 if state.now.alone is None else brokers.index(state.now.alone)
    alone = brokers[at + 1] if at + 1 < len(brokers) else None
    return replace(state, now=replace(state.now, alone=alone, page=0))
