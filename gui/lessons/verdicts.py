"""How an answer was come to, in words."""

from core.message import Count
from gui.text.spoken import tr
from gui.workspace.lesson_player import Attempt


def how_words(attempt: Attempt) -> str:
    """Hints and seconds: "1 hint, 24 s"."""
    hints = tr("lesson.hints", count=Count(attempt.hints))
    return tr("lesson.took", hints=hints, seconds=round(attempt.seconds))
