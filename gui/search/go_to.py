"""Ctrl+G: to a time, position, offset, epoch, step or line that is typed."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QWidget

from core.errors import QuestionError
from gui.search.overlay import Answer, Overlay, Shown
from gui.search.places import FORMS, parse_place, position_of
from gui.text.errors import one_line
from gui.text.spoken import tr, words
from gui.workspace.session import Session


def open_go_to(over: QWidget, session: Session, show_lanes: Callable[[], object]) -> None:
    """Ask for a place, over a widget, and move the cursor there."""

    def look(_typed: str) -> Shown:
        return Shown(help=tr("search.enter-goes-there-esc-goes-back", forms=FORMS))

    def take(typed: str, _place: int) -> Answer:
        if session.content is None:
            return tr("search.nothing-is-open")
        try:
            place = position_of(session.content, session.position, parse_place(typed))
        except QuestionError as error:
            return one_line(error.facts, words())
        return partial(go, place)

    def go(place: int) -> None:
        show_lanes()
        session.set_position(place)

    labels = (tr("search.go-to"), tr("search.a-time-position-offset-epoch-step"))
    Overlay(over, session.theme, labels, look, take)
