"""What a verdict is called, and how an answer was come to."""

from typing import Final

from core.message import Count, Message, message
from core.teaching.answers import Mark
from gui.text.spoken import tr
from gui.workspace.lesson_player import Attempt

_MARKS: Final = {
    Mark.RIGHT: message("lesson.mark.right"),
    Mark.PARTLY: message("lesson.mark.partly"),
    Mark.WRONG: message("lesson.mark.wrong"),
    Mark.SKIPPED: message("lesson.mark.skipped"),
}


def verdict_of(mark: Mark) -> Message:
    """Its word."""
    return _MARKS[mark]


def how_words(attempt: Attempt) -> str:
    """Hints and seconds: "1 hint, 24 s"."""
    hints = tr("lesson.hints", count=Count(attempt.hints))
    return tr("lesson.took", hints=hints, seconds=round(attempt.seconds))
