"""How far somebody came in the lessons, as values and as the words that settings keep."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gui.workspace.lesson_player import Player


@dataclass(frozen=True, slots=True)
class Progress:
    """In one lesson: the step where one was, from 0, and how many questions were answered right at best."""

    lesson: str
    step: int
    right: int
    answered: int


def with_player(known: Mapping[str, Progress], player: Player) -> dict[str, Progress]:
    """The same with what a lesson that is on says; it is the first, and what was reached before stays."""
    name = player.lesson.id
    before = known.get(name, Progress(name, 0, 0, 0))
    now = Progress(
        name,
        player.step,
        max(before.right, player.right),
        max(before.answered, len(player.attempts)),
    )
    return {name: now, **{other: one for other, one in known.items() if other != name}}


def as_words(known: Mapping[str, Progress]) -> tuple[str, ...]:
    """One line each, the lesson that was on last first."""
    return tuple(f"{one.lesson} {one.step} {one.right} {one.answered}" for one in known.values())


def of_words(lines: Iterable[str]) -> dict[str, Progress]:
    """What `as_words` wrote; a line that is none is left out."""
    found: dict[str, Progress] = {}
    for line in lines:
        name, *numbers = line.split(" ")
        if name and len(numbers) == 3 and all(one.isdecimal() and one.isascii() for one in numbers):
            step, right, answered = map(int, numbers)
            found[name] = Progress(name, step, right, answered)
    return found
