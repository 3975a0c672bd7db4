"""Ctrl+K: everything that can be done or opened, by typing a part of its name."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QWidget

from gui.search.overlay import Answer, Overlay, OverlayLine, Shown
from gui.search.rows import ACTION, FINDING, MOST, PARTITION, Row, matching, rows_of
from gui.text.spoken import tr
from gui.welcome.offers import Offer, scenario_offers
from gui.workspace.session import Session


@dataclass(frozen=True, slots=True)
class Ways:
    """What can be done from a row."""

    trigger: Callable[[str], object]
    """An action, by its id."""
    go_finding: Callable[[int], object]
    open_partition: Callable[[str], object]
    open_offer: Callable[[Offer], object]


def open_palette(over: QWidget, session: Session, ways: Ways) -> None:
    """Ask what to do, over a widget, and do it."""
    rows = rows_of(session)
    shown: list[Row] = []

    def look(typed: str) -> Shown:
        found = matching(rows, typed)
        shown[:] = found[:MOST]
        lines = tuple(
            OverlayLine(tr(row.kind), row.text, row.reason or row.aside, bool(row.reason)) for row in shown
        )
        return Shown(lines, _help(len(found)))

    def take(_typed: str, place: int) -> Answer:
        if not 0 <= place < len(shown):
            return tr("search.nothing-has-that-name-try-fewer")
        row = shown[place]
        return f"{row.text}: {row.reason}." if row.reason else partial(do, ways, row)

    words = (tr("search.search-and-commands"), tr("search.type-an-action-a-partition-a"))
    Overlay(over, session.theme, words, look, take)


def _help(count: int) -> str:
    if not count:
        return tr("search.nothing-has-that-name")
    if count > MOST:
        return tr("search.choose.first-of", most=MOST, count=count)
    return tr("search.choose.found", count=count)


def do(ways: Ways, row: Row) -> None:
    """What Enter on a row does."""
    if row.kind == ACTION:
        ways.trigger(row.target)
    elif row.kind == FINDING:
        ways.go_finding(int(row.target))
    elif row.kind == PARTITION:
        ways.open_partition(row.target)
    else:
        ways.open_offer(next(one for one in scenario_offers() if one.names[0] == row.target))
