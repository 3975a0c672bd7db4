"""How an answer was come to, in words."""

from core.message import Count
from gui.text.spoken import tr
from gui.workspace.lesson_player import Attempt


def how_words(attempt: Attempt) -> str:
    """Hints and seconds, "1 hint, 24 s"; of a later try its number, too."""
    hints = tr("lesson.hints", count=Count(attempt.hints))
    took = tr("lesson.took", hints=hints, seconds=round(attempt.seconds))
    return took if attempt.number == 1 else tr("lesson.of-try", number=attempt.number, took=took)
