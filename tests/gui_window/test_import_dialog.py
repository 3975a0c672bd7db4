"""The look before an import, what a person puts right in it, and logs that come later."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from gui.window.import_dialog import ImportDialog
from gui.window.main_window import MainWindow
from tests.archives import unpack_two_brokers
from tests.clipped import clipped
from tests.gui_window.conftest import Answers
from tests.in_words import gaps_of

# Each looks and imports in processes of their own: seconds each.
pytestmark = [
    pytest.mark.slow,
    # The platform without a screen says it for every window that is not the first.
    pytest.mark.qt_log_ignore("does not support propagateSizeHints"),
]

Opened = Callable[[Callable[[], None]], MainWindow]
HOUR = 3600 * 1_000_000_000


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return unpack_two_brokers(tmp_path / "logs")


@pytest.fixture
def asked(window: MainWindow, qtbot: QtBot) -> Callable[[Callable[[], None]], ImportDialog]:
    """Do something that leads to the dialog, and wait for it."""

    def run(begin: Callable[[], None]) -> ImportDialog:
        begin()
        qtbot.waitUntil(lambda: window.findChild(ImportDialog) is not None, timeout=60_000)
        dialog = window.findChild(ImportDialog)
        assert isinstance(dialog, ImportDialog)
        qtbot.waitExposed(dialog)
        return dialog

    return run


Asked = Callable[[Callable[[], None]], ImportDialog]


def enter(dialog: ImportDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Return)


def cells(dialog: ImportDialog, column: int) -> list[str]:
    table = dialog.files
    return [item.text() for row in range(table.rowCount()) if (item := table.item(row, column)) is not None]


def row_of(dialog: ImportDialog, name: str) -> int:
    return next(row for row, text in enumerate(cells(dialog, 0)) if text.endswith(name))


def zone_box(dialog: ImportDialog, row: int) -> QComboBox:
    box = dialog.brokers.cellWidget(row, 5)
    assert isinstance(box, QComboBox)
    return box


def times(window: MainWindow) -> dict[tuple[int, int], int]:
    """The time of each event that a line of a log says, by file and line."""
    trace = window.session.traces[0]
    names = ("source", "line", "at", "basis")
    rows = zip(*(trace.columns[name].tolist() for name in names), strict=True)
    found: dict[tuple[int, int], int] = {}
    for source, line, at, _ in rows:
        if line > 0:
            found.setdefault((trace.sources[source].path, line), at)  # type: ignore[arg-type]
    return found


def test_enter_imports_what_was_shown(window: MainWindow, asked: Asked, opened: Opened, logs: Path) -> None:
    dialog = asked(lambda: window.opening.open_paths((str(logs),)))
    assert window.session.content is None
    assert "2 brokers" in dialog.headline.text()
    assert "Kafka 0.10.2.2" in dialog.headline.text()
    assert "brokers 1, 2" in dialog.doubts.text()
    assert clipped(dialog) == []
    assert [dialog.brokers.item(row, 0).text() for row in range(2)] == ["broker 1", "broker 2"]  # type: ignore[union-attr]
    assert dialog.focusWidget() is dialog.import_button
    opened(lambda: enter(dialog))
    trace = window.session.traces[0]
    assert [broker.broker_id for broker in trace.brokers if broker.version] == [1, 2]
    assert trace.report["read_from"]["paths"] == [str(logs)]
    assert window.settings.get("recent")[0] == str(logs)


def test_escape_leaves_everything_as_it_was(demo: MainWindow, asked: Asked, logs: Path) -> None:
    content, position = demo.session.content, demo.session.position
    dialog = asked(lambda: demo.opening.open_paths((str(logs),)))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert demo.session.content is content
    assert demo.session.position == position
    assert demo.jobs.asked() == ()
    assert str(logs) not in demo.settings.get("recent")
    assert demo.store.wanted == ()


def test_a_zone_that_is_put_right_moves_the_events_of_that_broker_alone(
    window: MainWindow, asked: Asked, opened: Opened, logs: Path
) -> None:
    opened(lambda: enter(asked(lambda: window.opening.open_paths((str(logs),)))))
    before = times(window)
    dialog = asked(lambda: window.opening.open_paths((str(logs),)))
    first = dialog.brokers.item(1, 4).text()  # type: ignore[union-attr]
    for row in range(2):
        field = zone_box(dialog, row).lineEdit()
        assert field is not None
        field.selectAll()
        QTest.keyClicks(field, "+02:00")
    assert dialog.brokers.item(1, 4).text() != first  # type: ignore[union-attr]
    assert dialog.brokers.item(1, 6).text() == "as you said"  # type: ignore[union-attr]
    assert dialog.doubts.text() == ""
    opened(lambda: enter(dialog))
    after = times(window)
    assert set(after) == set(before)
    assert {before[place] - after[place] for place in before} == {2 * HOUR}
    assert {source.zone_basis for source in window.session.traces[0].sources if source.zone == "+02:00"} == {
        "stated"
    }


def test_a_zone_that_is_none_stops_the_import_and_says_how_to_write_one(
    window: MainWindow, asked: Asked, logs: Path
) -> None:
    dialog = asked(lambda: window.opening.open_paths((str(logs),)))
    zone_box(dialog, 0).setEditText("Mars/Olympus")
    assert "zone of broker 1" in dialog.refusal.text()
    assert "Europe/Berlin" in dialog.refusal.text()
    enter(dialog)
    assert dialog.isVisible()
    zone_box(dialog, 0).setEditText("UTC")
    assert dialog.refusal.text() == ""
    assert dialog.import_button.isEnabled()


def test_a_file_is_left_out_with_space(window: MainWindow, asked: Asked, opened: Opened, logs: Path) -> None:
    dialog = asked(lambda: window.opening.open_paths((str(logs),)))
    dialog.files.setFocus()
    dialog.files.setCurrentCell(row_of(dialog, "broker-2/logs/server.log"), 3)
    QTest.keyClick(dialog.files, Qt.Key.Key_Space)
    opened(lambda: enter(dialog))
    trace = window.session.traces[0]
    used = {trace.sources[source].path for source in trace.columns["source"].tolist() if source >= 0}
    assert "broker-1/logs/server.log" in used
    assert "broker-2/logs/server.log" not in used
    assert "broker-2/logs/server.log was left out: as asked" in gaps_of(trace.report)


def test_nothing_left_is_nothing_to_import(window: MainWindow, asked: Asked, logs: Path) -> None:
    dialog = asked(lambda: window.opening.open_paths((str(logs / "broker-1" / "logs" / "server.log"),)))
    dialog.files.item(0, 0).setCheckState(Qt.CheckState.Unchecked)  # type: ignore[union-attr]
    assert not dialog.import_button.isEnabled()
    assert "tick" in dialog.refusal.text()


def test_whose_a_file_is_can_be_said_where_no_line_says_it(
    window: MainWindow, asked: Asked, opened: Opened, tmp_path: Path
) -> None:
    line = "[2026-03-01 10:00:0{},000] INFO Completed load of log orders-0 with 1 log segments, "
    line += "log start offset 0 and log end offset 7 in 3 ms (kafka.log.Log)\n"
    path = tmp_path / "mail-attachment.log"
    path.write_text("".join(line.format(n) for n in range(5)), encoding="utf-8")
    dialog = asked(lambda: window.opening.open_paths((str(path),)))
    assert "no known broker" in dialog.doubts.text()
    item = dialog.files.item(0, 2)
    assert item is not None
    assert item.flags() & Qt.ItemFlag.ItemIsEditable
    item.setText("4")
    assert dialog.brokers.item(0, 0).text() == "broker 4"  # type: ignore[union-attr]
    item = dialog.files.item(0, 2)
    assert item is not None
    item.setText("four")
    assert cells(dialog, 2) == ["4"]
    opened(lambda: enter(dialog))
    assert [broker.broker_id for broker in window.session.traces[0].brokers] == [4]


def test_only_the_wanted_topics_are_imported(
    window: MainWindow, asked: Asked, opened: Opened, logs: Path
) -> None:
    dialog = asked(lambda: window.opening.open_paths((str(logs),)))
    QTest.keyClicks(dialog.topic, "order*")
    opened(lambda: QTest.keyClick(dialog.topic, Qt.Key.Key_Return))
    assert {partition.tp.topic for partition in window.session.traces[0].partitions} == {"orders"}


def test_a_dropped_folder_is_looked_at_first(window: MainWindow, asked: Asked, logs: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(logs))])
    where = (QPointF(5, 5), Qt.DropAction.CopyAction, data)
    event = QDropEvent(*where, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    dialog = asked(lambda: window.dropEvent(event))
    assert dialog.windowTitle() == "Import k0102-hw-loss"


def test_everything_in_it_has_a_name_for_those_who_do_not_see_it(
    window: MainWindow, asked: Asked, logs: Path
) -> None:
    dialog = asked(lambda: window.opening.open_paths((str(logs),)))
    assert zone_box(dialog, 1).accessibleName().startswith("Time zone of broker 2")
    for part in (dialog.brokers, dialog.files, dialog.topic):
        assert part.accessibleName()


def first_broker(asked: Asked, opened: Opened, window: MainWindow, logs: Path) -> None:
    opened(lambda: enter(asked(lambda: window.opening.open_paths((str(logs / "broker-1"),)))))
    QTest.keyClick(window.stage.canvas, Qt.Key.Key_N)
    QTest.keyClicks(window.note_editor.field, "the cut")
    QTest.keyClick(window.note_editor.field, Qt.Key.Key_Return)


def evidence(window: MainWindow) -> tuple[str, int]:
    """File and line on which the only note stands."""
    (note,) = window.session.notes
    trace = window.session.traces[note.run]
    assert note.cursor is not None
    event = trace.event(note.cursor - 1)
    return trace.sources[event.source].path, event.line


@pytest.mark.parametrize("document", ["", "case.tide"])
def test_logs_that_come_later_are_added_and_the_notes_stay(
    window: MainWindow,
    asked: Asked,
    opened: Opened,
    logs: Path,
    answers: Answers,
    qtbot: QtBot,
    document: str,
) -> None:
    first_broker(asked, opened, window, logs)
    where = evidence(window)
    path = str(logs.parent / document) if document else ""
    if path:
        answers.save = path
        with qtbot.waitSignal(window.store.saved, timeout=30_000):
            window.actions_["save"].trigger()
    assert {broker.broker_id for broker in window.session.traces[0].brokers if broker.version} == {1}
    answers.folder = str(logs / "broker-2")
    dialog = asked(window.actions_["add-folder"].trigger)
    assert "2 brokers" in dialog.headline.text()
    opened(lambda: enter(dialog))
    trace = window.session.traces[0]
    assert {broker.broker_id for broker in trace.brokers if broker.version} == {1, 2}
    assert [note.text for note in window.session.notes] == ["the cut"]
    file, line = evidence(window)
    assert (file.removeprefix("broker-1/"), line) == where
    assert window.session.path == path
    if path:
        from db.document import open_document

        with open_document(path) as kept:
            assert len(kept.infos()) == 1
            assert kept.trace(None).report["read_from"]["paths"] == [
                str(logs / "broker-1"),
                str(logs / "broker-2"),
            ]
            assert [note.text for note in kept.notes()] == ["the cut"]


def test_what_was_chosen_before_holds_when_logs_are_added(
    window: MainWindow, asked: Asked, opened: Opened, logs: Path, answers: Answers
) -> None:
    """A file that was left out of one source stays out when that source is read among others."""
    dialog = asked(lambda: window.opening.open_paths((str(logs / "broker-1"),)))
    dialog.files.item(row_of(dialog, "logs/server.log"), 0).setCheckState(Qt.CheckState.Unchecked)  # type: ignore[union-attr]
    zone_box(dialog, 0).setEditText("+02:00")
    opened(lambda: enter(dialog))
    answers.files = (str(logs / "broker-2" / "logs" / "server.log"),)
    dialog = asked(window.actions_["add-logs"].trigger)
    ticks = {
        item.text(): item.checkState()
        for row in range(dialog.files.rowCount())
        if (item := dialog.files.item(row, 0)) is not None
    }
    assert ticks["broker-1/logs/server.log"] == Qt.CheckState.Unchecked
    assert ticks["server.log"] == Qt.CheckState.Checked
    assert zone_box(dialog, 0).currentText() == "+02:00"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert len(window.session.traces[0].report["read_from"]["paths"]) == 1


def test_to_a_simulation_nothing_can_be_added(demo: MainWindow) -> None:
    assert not demo.actions_["add-logs"].isEnabled()
    assert not demo.actions_["add-folder"].isEnabled()
