from collections import Counter

import pytest

from gui.actions import ACTION, ACTIONS, MENUS, is_enabled, keys_text
from gui.window.dialogs import KeySheet
from gui.window.main_window import MainWindow
from gui.workspace.session import Session

pytestmark = pytest.mark.broad(9)


def test_every_action_has_a_text_and_a_key_or_a_reason() -> None:
    for spec in ACTIONS:
        assert spec.text.strip()
        assert spec.menu in MENUS
        assert bool(spec.keys) != bool(spec.reason), spec.id


def test_no_key_is_given_twice() -> None:
    keys = Counter(key for spec in ACTIONS for key in spec.keys)
    assert [key for key, count in keys.items() if count > 1] == []


def test_no_key_switches_an_input_method() -> None:
    assert not {"Ctrl+Space", "Shift+Space"} & {key for spec in ACTIONS for key in spec.keys}


@pytest.mark.slow
def test_each_action_has_a_handler_and_each_handler_an_action(window: MainWindow) -> None:
    assert set(window.handlers) == set(ACTION)


@pytest.mark.slow
def test_the_window_has_each_action_with_its_keys(window: MainWindow) -> None:
    for spec in ACTIONS:
        shortcuts = [key.toString() for key in window.actions_[spec.id].shortcuts()]
        assert len(shortcuts) == len(spec.keys), spec.id
        assert all(shortcuts), spec.id


def test_with_nothing_open_only_what_needs_nothing_is_enabled(window: MainWindow) -> None:
    enabled = {spec.id for spec in ACTIONS if window.actions_[spec.id].isEnabled()}
    assert {"open", "open-folder", "quit", "keys", "theme"} <= enabled
    assert not enabled & {"save", "export", "forward", "next-loss", "note", "undo", "close"}


@pytest.mark.slow
def test_a_comparison_enables_stepping_zoom_and_folds(demo: MainWindow) -> None:
    enabled = {spec.id for spec in ACTIONS if demo.actions_[spec.id].isEnabled()}
    assert {"save", "export", "forward", "next-loss", "note", "compare", "add-run"} <= enabled
    assert {"zoom-in", "pan-left", "fit-all", "quiet-time", "fit-incident"} <= enabled
    assert not enabled & {"undo", "redo", "delete-note"}


def test_enabled_follows_the_session_alone() -> None:
    session = Session()
    assert is_enabled(ACTION["open"], session)
    assert not is_enabled(ACTION["undo"], session)


def test_the_sheet_lists_every_action_and_filters(window: MainWindow) -> None:
    sheet = KeySheet(window)
    assert sheet.table.rowCount() == len(ACTIONS)
    sheet.field.setText("truncation")
    shown = [row for row in range(sheet.table.rowCount()) if not sheet.table.isRowHidden(row)]
    texts = [item.text() for row in shown if (item := sheet.table.item(row, 1)) is not None]
    assert texts == ["Next truncation", "Previous truncation"]
    sheet.close()


def test_keys_are_shown_as_on_the_keyboard() -> None:
    assert keys_text(("Ctrl+Right",)) == "Ctrl+→"
    assert keys_text(("W", "+")) == "W, +"
    assert keys_text(("Return", "Enter")) == "Enter"
