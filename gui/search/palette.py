"""Ctrl+K: everything that can be done or opened, by typing a part of its name."""

from functools import partial
from typing import TYPE_CHECKING

from gui.search.overlay import Answer, Overlay, OverlayLine, Shown
from gui.search.rows import ACTION, FINDING, MOST, PARTITION, Row, matching, rows_of
from gui.text.spoken import tr
from gui.window.opening import open_offer, open_partition

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def open_palette(window: "MainWindow") -> None:
    """Ask what to do, and do it."""
    rows = rows_of(window.session)
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
        return f"{row.text}: {row.reason}." if row.reason else partial(do, window, row)

    words = (tr("search.search-and-commands"), tr("search.type-an-action-a-partition-a"))
    Overlay(window, window.session.theme, words, look, take)


def _help(count: int) -> str:
    if not count:
        return tr("search.nothing-has-that-name")
    more = (
        tr("search.the-first-of-type-more-letters", most=MOST, count=count)
        if count > MOST
        else tr("search.found-2", count=count)
    )
    return tr("search.choose-enter-does-it-esc-goes", more=more)


def do(window: "MainWindow", row: Row) -> None:
    """What Enter on a row does."""
    if row.kind == ACTION:
        window.actions_[row.target].trigger()
    elif row.kind == FINDING:
        window.show_view("timeline")
        window.go_finding(int(row.target))
    elif row.kind == PARTITION:
        open_partition(window, row.target)
    else:
        from gui.welcome.offers import scenario_offers

        open_offer(window, next(one for one in scenario_offers() if one.names[0] == row.target))
