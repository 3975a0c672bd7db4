"""What is seen of an import while it runs: held by an event between two files, or between two partitions.

It runs in the thread of documents, where it can be held; that a child tells the same is held by
tests/gui_workspace/test_jobs.py.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QTableWidget
from pytestqt.qtbot import QtBot

from core import work
from core.diagnose.verdict import check
from gui.text.spoken import tr
from gui.window.main_window import MainWindow
from importers.containers.containers import Member
from importers.merge import by_processes
from tests.importers.test_so_far import FIRST, SECOND


class Gate:
    """Holds the work on an import until it is opened."""

    def __init__(self) -> None:
        self.event = threading.Event()

    def before(self, step: Callable[..., Any], held: Callable[..., bool]) -> Callable[..., Any]:
        """The step, before which the work waits where `held` says so."""

        def waiting(*asked: Any, **how: Any) -> Any:
            if held(*asked):
                assert self.event.wait(240)
            return step(*asked, **how)

        return waiting


@pytest.fixture
def gate(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """All that is known is told, however little the time that passed."""
    monkeypatch.setattr(window.jobs, "in_process", window.jobs.in_thread)
    monkeypatch.setattr(work, "_TOLD_EVERY", 0.0)
    monkeypatch.setattr(work, "_MOST_OF_WORK", 1e9)
    made = Gate()
    yield made
    made.event.set()


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "cluster"
    for broker, text in ((1, FIRST), (2, SECOND)):
        (folder / f"node-{broker}").mkdir(parents=True)
        (folder / f"node-{broker}" / "server.log").write_text(text)
    return folder


@pytest.fixture
def half_read(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """An import stops before it reads what broker 2 wrote."""

    def of_second(member: Member, *_more: object) -> bool:
        return member.path.startswith("node-2")

    monkeypatch.setattr(by_processes, "read_files", gate.before(by_processes.read_files, of_second))
    return gate


def cells(table: QTableWidget) -> list[list[str]]:
    rows: list[list[str]] = []
    for row in range(table.rowCount()):
        items = [table.item(row, column) for column in range(table.columnCount())]
        rows.append([item.text() if item is not None else "" for item in items])
    return rows


def test_what_is_read_is_seen_while_the_rest_is_read(
    window: MainWindow, qtbot: QtBot, half_read: Gate, logs: Path
) -> None:
    window.store.open_groups(((str(logs),),))
    qtbot.waitUntil(lambda: window.viewing.name == "reading")
    page = window.pages.reading

    assert cells(page.logs) == [
        ["node-1/server.log", "1", "2.8.2", "2026-03-02 08:00:00 – 08:00:04", "5", "100 %"]
    ]
    assert cells(page.partitions) == [["orders-0", "0", "2"], ["clicks-1", "0", "1"]]
    assert page.state.text() == tr("reading.no-verdict")
    assert "5 lines" in page.totals.text()

    with qtbot.waitSignal(window.store.opened):
        half_read.event.set()
    assert window.viewing.name == "incident"
    assert not window.progress.isVisible()


def test_its_tables_take_the_keyboard_and_have_names(
    window: MainWindow, qtbot: QtBot, half_read: Gate, logs: Path
) -> None:
    window.store.open_groups(((str(logs),),))
    qtbot.waitUntil(lambda: window.viewing.name == "reading")
    page = window.pages.reading

    assert page.logs.hasFocus()
    assert page.logs.accessibleName() == tr("reading.logs")
    assert page.partitions.accessibleName() == tr("reading.partitions")
    qtbot.keyClick(page.logs, Qt.Key.Key_Tab)
    assert page.partitions.hasFocus()
    qtbot.keyClick(page.partitions, Qt.Key.Key_Down)
    assert page.partitions.currentRow() >= 0
    # The window would wait for it when it is closed.
    half_read.event.set()


def test_a_row_that_is_selected_stays_selected_as_more_is_read(
    window: MainWindow, qtbot: QtBot, half_read: Gate, logs: Path
) -> None:
    window.store.open_groups(((str(logs),),))
    qtbot.waitUntil(lambda: window.viewing.name == "reading")
    page = window.pages.reading
    page.logs.setCurrentCell(0, 0)
    half_read.event.set()
    qtbot.waitUntil(lambda: page.logs.rowCount() == 2)

    assert [row[0] for row in cells(page.logs)] == ["node-2/server.log", "node-1/server.log"]
    assert page.logs.currentRow() == 1


def test_what_is_open_stays_in_front_and_the_bar_leads_to_what_is_read(
    demo: MainWindow, qtbot: QtBot, half_read: Gate, logs: Path
) -> None:
    demo.store.open_groups(((str(logs),),))
    qtbot.waitUntil(demo.progress.look.isVisible)
    assert demo.viewing.lanes_shown()

    qtbot.mouseClick(demo.progress.look, Qt.MouseButton.LeftButton)
    assert demo.viewing.name == "reading"
    assert not demo.progress.look.isVisible()
    assert [row[0] for row in cells(demo.pages.reading.logs)] == ["node-1/server.log"]
    demo.jobs.cancel("content")
    half_read.event.set()
    qtbot.waitUntil(demo.viewing.lanes_shown)


def test_an_import_that_is_stopped_leads_back_and_leaves_nothing(
    window: MainWindow, qtbot: QtBot, half_read: Gate, logs: Path
) -> None:
    window.store.open_groups(((str(logs),),))
    qtbot.waitUntil(lambda: window.viewing.name == "reading")
    (cancel,) = (one for one in window.progress.findChildren(QPushButton) if one is not window.progress.look)
    qtbot.mouseClick(cancel, Qt.MouseButton.LeftButton)
    half_read.event.set()
    qtbot.waitUntil(lambda: window.viewing.name == "welcome")

    window.actions_["reading"].trigger()
    assert window.pages.reading.state.text() == tr("reading.nothing")
    assert not window.pages.reading.logs.isVisible()


def test_partitions_that_are_judged_are_seen_while_others_are_judged(
    window: MainWindow, qtbot: QtBot, gate: Gate, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []

    def third(_trace: object, rows: Sequence[object]) -> bool:
        told.append(len(rows))
        return len(rows) == 2

    monkeypatch.setattr(check, "judged_so_far", gate.before(check.judged_so_far, third))
    window.store.open_groups(((str(logs),),))
    qtbot.waitUntil(lambda: window.viewing.name == "reading")
    page = window.pages.reading

    assert page.state.text() == tr("reading.judging", judged=1, partitions=2)
    assert len(cells(page.partitions)) == 1
    assert page.partitions.accessibleName() == tr("reading.judged")
    with qtbot.waitSignal(window.store.opened):
        gate.event.set()
