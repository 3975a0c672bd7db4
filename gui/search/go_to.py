"""Ctrl+G: to a time, position, offset, epoch, step or line that is typed."""

from functools import partial
from typing import TYPE_CHECKING

from core.errors import QuestionError
from gui.search.overlay import Answer, Overlay, Shown
from gui.search.places import FORMS, parse_place, position_of
from gui.text.errors import one_line
from gui.text.spoken import tr, words

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def open_go_to(window: "MainWindow") -> None:
    """Ask for a place, and move the cursor there."""
    session = window.session

    def look(_typed: str) -> Shown:
        return Shown(help=tr("search.enter-goes-there-esc-goes-back", forms=FORMS))

    def take(typed: str, _place: int) -> Answer:
        if session.content is None:
            return tr("search.nothing-is-open")
        try:
            place = position_of(session.content, session.position, parse_place(typed))
        except QuestionError as error:
            return one_line(error.facts, words())
        return partial(_go, window, place)

    labels = (tr("search.go-to"), tr("search.a-time-position-offset-epoch-step"))
    Overlay(window, session.theme, labels, look, take)


def _go(window: "MainWindow", place: int) -> None:
    if window.views.currentWidget() is not window.shown:
        window.show_view("timeline")
    window.session.set_position(place)
