"""How long work will still take, from its reports and a clock: the window and the terminal say the same."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.message import Message, message
from core.work import Progress

SETTLED: Final = 2.0
"""Seconds of a part of work before which nobody can know how long it takes."""
_OF_ITSELF: Final = "progress.pace"
"""Messages of work that tells its time left by itself begin so (importers/containers/pace.py)."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A part of work: its total, how far it was when it was first heard of, and when that was in seconds."""

    total: int
    done: int
    at: float


def part_of(begun: Begun | None, done: int, total: int, at: float) -> Begun:
    """The part that a report belongs to: another total or a step back begins a new one."""
    same = begun is not None and begun.total == total and done >= begun.done
    return begun if begun is not None and same else Begun(total, done, at)


def seconds_left(begun: Begun, done: int, at: float) -> float | None:
    """Seconds until a part of work is done, if it goes on as it went; None where nobody can know."""
    gone, made = at - begun.at, done - begun.done
    if begun.total <= 0 or made <= 0 or gone < SETTLED or done >= begun.total:
        return None
    return (begun.total - done) * gone / made


def with_time_left(send: Progress, clock: Callable[[], float]) -> Progress:
    """Hand on reports with the time that is left, where it can be known and the work does not say it."""
    begun: Begun | None = None

    def progress(done: int, total: int, what: Message | None) -> None:
        nonlocal begun
        at = clock()
        begun = part_of(begun, done, total, at)
        left = seconds_left(begun, done, at)
        if what is not None and left is not None and not what.id.startswith(_OF_ITSELF):
            what = told_with(what, left)
        send(done, total, what)

    return progress


def told_with(what: Message, left: float) -> Message:
    """What is done, and how long it will still take: in minutes where it is long."""
    if left >= 90:
        return message("progress.left.minutes", what=what, left=round(left / 60))
    return message("progress.left", what=what, left=max(1, round(left)))
