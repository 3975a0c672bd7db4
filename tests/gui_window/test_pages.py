"""Pages are made when they are first asked for, and then are as if they had been there from the start."""

import secrets
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from core.sim.library import scenario
from db.document import create
from gui.window.main_window import MainWindow
from gui.window.settings import Settings
from gui.workspace.draft import Draft
from tests.by_hand import Clock, settle
from tests.gui_window.conftest import triaged_once
from tests.gui_window.test_monkey import hit_window
from tests.recordings.whole import sampled
from tests.visible_texts import texts

VIEWS = (
    *("incident", "triage", "query", "conformance", "course", "lessons"),
    *("articles", "counterexamples", "scenario", "report"),
)
_A_WHILE_MS = 1_000
"""Longer than any page waits before it asks for something."""


def test_a_window_has_the_page_that_it_shows_and_no_other(window: MainWindow) -> None:
    assert set(window.pages.made) == {"welcome"}

    window.actions_["course"].trigger()

    assert set(window.pages.made) == {"welcome", "course"}
    assert window.pages.page("course") is window.views.currentWidget()
    assert window.pages.page("timeline") is None


def test_the_keyboard_begins_on_the_first_page_and_goes_on_there(window: MainWindow) -> None:
    assert window.focusWidget() is window.pages.welcome.course

    window.focusNextChild()

    assert window.focusWidget() is window.pages.welcome.cards[0]


def test_a_window_that_opens_what_was_asked_for_makes_no_page(qtbot: QtBot, settings: Settings) -> None:
    window = MainWindow(settings, view="timeline")
    qtbot.addWidget(window)

    assert not window.pages.made
    assert window.viewing.lanes_shown()


@pytest.fixture(scope="module")
def losses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A document of a recording with a loss."""
    path = tmp_path_factory.mktemp("pages") / "loss.tide"
    trace = sampled("k0102-hw-loss")
    create(path, [trace], found=[triaged_once(trace)])
    return path


def seen(
    window: MainWindow, clock: Clock, losses: Path, *, early: bool
) -> dict[str, tuple[list[tuple[str, str]], QImage]]:
    """What each page says and looks like; `early` are those that were made before all that they tell of."""
    if early:
        for view in VIEWS:
            assert window.pages.page(view) is not None
    window.resize(1280, 800)
    window.session.set_theme("dark")
    window.session.set_scenario(Draft(scenario("hw-loss").text, eras=("2.8",), seed=3))
    window.store.open_groups(((str(losses),),))
    settle(window.jobs, clock)
    window.actions_["next-loss"].trigger()
    found: dict[str, tuple[list[tuple[str, str]], QImage]] = {}
    for view in VIEWS:
        window.show_view(view)
        # What a page waits for before it asks, as that of a script before it reads it, and the answer.
        settle(window.jobs, clock)
        clock.pass_by(_A_WHILE_MS, partial(settle, window.jobs, clock))
        page = window.pages.page(view)
        assert page is not None
        found[view] = (sorted(texts(page)), page.grab().toImage())
    return found


@pytest.mark.slow
def test_a_page_that_is_made_late_says_and_looks_as_one_that_was_there(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, losses: Path
) -> None:
    """What is open, the cursor, the script, the theme and what was reached in lessons came before it."""
    monkeypatch.setattr(secrets, "randbelow", lambda _below: 7)
    found: list[dict[str, tuple[list[tuple[str, str]], QImage]]] = []
    for early in (True, False):
        folder = tmp_path / f"{early}"
        folder.mkdir()
        with hit_window(folder) as (window, clock):
            window.settings.put("course", ("loss-by-truncation 2 1 1",))
            found.append(seen(window, clock, losses, early=early))
    was_there, late = found

    other_words = [view for view in VIEWS if was_there[view][0] != late[view][0]]
    other_looks = [view for view in VIEWS if was_there[view][1] != late[view][1]]
    assert (other_words, other_looks) == ([], [])
