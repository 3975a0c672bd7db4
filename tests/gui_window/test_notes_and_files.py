"""Notes, documents, exports, and what cannot be opened."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from gui.timeline.scenes import TraceScene
from gui.welcome.offers import sample_offers
from gui.window.dialogs import ASKING
from gui.window.main_window import MainWindow
from importers.samples import sample_path
from tests.gui_window.conftest import Answers, on_lanes

# Whole rounds with files: open, annotate, save, open again; together about forty seconds.
pytestmark = pytest.mark.slow

Opened = Callable[[Callable[[], None]], MainWindow]


def write_note(window: MainWindow, text: str) -> None:
    window.stage.canvas.setFocus()
    QTest.keyClick(window.stage.canvas, Qt.Key.Key_N)
    assert window.note_editor.isVisible()
    QTest.keyClicks(window.note_editor.field, text)
    QTest.keyClick(window.note_editor.field, Qt.Key.Key_Return)
    assert not window.note_editor.isVisible()


def texts(window: MainWindow) -> list[str]:
    return [note.text for note in window.session.notes]


def test_a_note_is_added_undone_and_redone(demo: MainWindow) -> None:
    where = demo.session.position
    write_note(demo, "B cuts to its own high watermark")
    assert texts(demo) == ["B cuts to its own high watermark"]
    assert demo.session.note_position(demo.session.notes[0]) == where
    # The Enter that ends it is not one of the lanes.
    assert (demo.session.position, demo.session.selection) == (where, None)
    assert demo.notes.list.count() == 1
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert texts(demo) == []
    QTest.keyClick(
        demo.stage.canvas,
        Qt.Key.Key_Z,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert texts(demo) == ["B cuts to its own high watermark"]


def test_a_note_is_drawn_and_deleted_with_the_key(demo: MainWindow) -> None:
    write_note(demo, "look here")
    picture = demo.stage.canvas.picture
    assert picture is not None
    assert any(getattr(mark, "ref", None) and mark.ref.kind == "note" for mark in picture.marks())  # type: ignore[union-attr]
    demo.notes.list.setCurrentRow(0)
    demo.notes.list.itemClicked.emit(demo.notes.list.item(0))
    assert demo.inspector.head.name.text() == "Note"
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_Delete)
    assert texts(demo) == []
    demo.actions_["undo"].trigger()
    assert texts(demo) == ["look here"]


def test_escape_throws_the_note_away_and_letters_stay_in_the_field(demo: MainWindow) -> None:
    where = demo.session.position
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_N)
    QTest.keyClicks(demo.note_editor.field, "let xtle [n] 123")
    assert demo.note_editor.field.toPlainText() == "let xtle [n] 123"
    assert demo.session.position == where
    QTest.keyClick(demo.note_editor.field, Qt.Key.Key_Escape)
    assert not demo.note_editor.isVisible()
    assert texts(demo) == []


def save(window: MainWindow, answers: Answers, qtbot: QtBot, path: Path) -> None:
    answers.save = str(path)
    with qtbot.waitSignal(window.store.saved, timeout=30_000):
        QTest.keyClick(window.stage.canvas, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)


def test_notes_are_saved_and_come_back_where_they_were(
    demo: MainWindow, answers: Answers, qtbot: QtBot, tmp_path: Path, opened: Opened
) -> None:
    first = demo.session.position
    write_note(demo, "the first difference")
    demo.actions_["next-loss"].trigger()
    at_loss = demo.session.position
    write_note(demo, "m1 is gone")
    assert demo.session.unsaved
    path = tmp_path / "case.tide"
    save(demo, answers, qtbot, path)
    assert not demo.session.unsaved
    assert demo.session.path == str(path)
    # From now on edits are written as they are made.
    demo.actions_["last"].trigger()
    write_note(demo, "the end")
    end = demo.session.position
    demo.actions_["close"].trigger()
    assert demo.session.content is None
    assert not demo.notices.text()
    assert path.name in [button.text() for button in demo.pages.welcome.findChildren(QPushButton)]
    again = opened(lambda: demo.opening.open_paths((str(path),)))
    assert again.session.path == str(path)
    placed = [(note.text, again.session.note_position(note)) for note in again.session.notes]
    assert placed == [("the first difference", first), ("m1 is gone", at_loss), ("the end", end)]
    assert [run.title for run in again.session.content.runs] == ["Kafka 0.10.2", "Kafka 0.11", "Kafka 2.8"]  # type: ignore[union-attr]


def test_a_deleted_note_is_gone_from_the_document(
    demo: MainWindow, answers: Answers, qtbot: QtBot, tmp_path: Path, opened: Opened
) -> None:
    write_note(demo, "one")
    path = tmp_path / "case.tide"
    save(demo, answers, qtbot, path)
    demo.actions_["undo"].trigger()
    demo.actions_["redo"].trigger()
    demo.actions_["undo"].trigger()
    demo.actions_["close"].trigger()
    again = opened(lambda: demo.opening.open_paths((str(path),)))
    assert texts(again) == []


def test_unsaved_notes_are_asked_about_before_they_go(demo: MainWindow, answers: Answers) -> None:
    write_note(demo, "not to be lost")
    answers.notes = ""
    demo.actions_["close"].trigger()
    assert texts(demo) == ["not to be lost"]
    answers.notes = "discard"
    demo.actions_["close"].trigger()
    assert demo.session.content is None


def test_save_where_one_may_not_write_is_told_and_nothing_is_lost(
    demo: MainWindow, answers: Answers, qtbot: QtBot, tmp_path: Path
) -> None:
    write_note(demo, "kept")
    answers.save = str(tmp_path / "no such folder" / "case.tide")
    with qtbot.waitSignal(demo.jobs.failed, timeout=30_000):
        demo.actions_["save"].trigger()
    assert demo.notices.text()
    assert texts(demo) == ["kept"]
    assert demo.session.path == ""


@pytest.mark.parametrize("name", ["picture.png", "empty", "torn.tar.xz", "other.log", "newer.tide"])
def test_what_cannot_be_opened_is_told_and_what_was_open_stays(
    demo: MainWindow, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    bad = tmp_path / name
    match name:
        case "picture.png":
            QImage(4, 4, QImage.Format.Format_RGB32).save(str(bad))
        case "empty":
            bad.mkdir()
        case "torn.tar.xz":
            bad.write_bytes(sample_path("k28-epoch-fix").read_bytes()[:5000])
        case "other.log":
            bad.write_text("Jan  1 00:00:00 host sshd[1]: Accepted publickey\n" * 50, encoding="utf-8")
        case _:
            bad.write_bytes(b"SQLite format 3\x00" + b"\x00" * 200)
    content, position = demo.session.content, demo.session.position
    with qtbot.waitSignal(demo.jobs.failed, timeout=60_000):
        demo.opening.open_paths((str(bad),))
    assert demo.notices.text().strip()
    assert "Traceback" not in demo.notices.text()
    assert demo.session.content is content
    assert demo.session.position == position


def test_the_real_loss_beside_the_real_fix(window: MainWindow, opened: Opened) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[0]))
    content = shown.session.content
    assert content is not None
    assert content.comparison is not None
    assert [run.title for run in content.runs] == ["Kafka 0.10.2.2", "Kafka 2.8.2"]
    assert content.comparison.axis == "landmarks"
    shown.actions_["first"].trigger()
    shown.actions_["next-truncation"].trigger()
    assert "206" in shown.inspector.text()
    rows = [row for row in shown.evidence.rows if row.seq is not None]
    shown.docks.drawer.show()
    rows = [row for row in shown.evidence.rows if row.seq is not None]
    assert any("server.log:" in row.place for row in rows)


def test_a_single_recording_can_be_zoomed_and_keeps_its_text(window: MainWindow, opened: Opened) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[1]))
    assert shown.views.currentWidget() is shown.pages.incident
    on_lanes(shown)
    content = shown.session.content
    assert content is not None
    assert content.comparison is None
    whole = shown.stage.look().window
    assert whole is None
    shown.actions_["zoom-in"].trigger()
    first = shown.session.window
    assert first is not None
    cursor = content.runs[0].history.at(shown.session.cursors[0]).at
    assert cursor is not None
    assert first[0] <= cursor <= first[1]
    shown.actions_["zoom-in"].trigger()
    shown.actions_["first"].trigger()
    shown.actions_["forward"].trigger()
    begin = content.runs[0].history.at(shown.session.cursors[0]).at
    followed = shown.session.window
    assert begin is not None
    assert followed is not None
    assert followed[0] <= begin <= followed[1]
    shown.actions_["next-loss"].trigger()
    shown.session.set_window(first)
    shown.actions_["pan-left"].trigger()
    second = shown.session.window
    assert second is not None
    assert second[0] < first[0]
    scene = shown.stage.scene
    assert isinstance(scene, TraceScene)
    folds = scene.folds(shown.stage.look())
    before, after = (folds.along(one[1]) - folds.along(one[0]) for one in (first, second))
    assert abs(after - before) <= before // 1000
    shown.actions_["fit-all"].trigger()
    assert shown.session.window is None
    assert "truncat" in shown.inspector.text().lower() or "cut" in shown.inspector.text().lower()
    assert shown.findings.list.count() >= 1
    shown.findings.go(0)
    assert shown.session.position > 0


def test_a_dropped_folder_is_opened(window: MainWindow, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(sample_path("k28-epoch-fix")))])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        window.dropEvent(event)
    assert window.session.content is not None
    assert len(window.session.traces) == 1


def test_an_import_can_be_cancelled(window: MainWindow, qtbot: QtBot) -> None:
    window.opening.open_offer(sample_offers()[0])
    with qtbot.waitSignal(window.jobs.ended, timeout=60_000):
        window.progress.cancelled.emit("content")
    assert window.session.content is None
    assert not window.progress.isVisible()


def test_a_run_put_beside_keeps_the_notes_that_are_there(
    window: MainWindow, opened: Opened, answers: Answers
) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[1]))
    on_lanes(shown)
    write_note(shown, "the cut")
    here = shown.session.notes[0]
    answers.files = (str(sample_path("k28-epoch-fix")),)
    opened(shown.actions_["add-run"].trigger)
    content = shown.session.content
    assert content is not None
    assert [run.title for run in content.runs] == ["Kafka 0.10.2.2", "Kafka 2.8.2"]
    assert [(note.text, note.run, note.cursor) for note in shown.session.notes] == [
        ("the cut", 0, here.cursor)
    ]
    assert shown.session.unsaved


def test_only_what_could_be_opened_is_remembered(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(window.jobs.failed, timeout=60_000):
        window.opening.open_paths((str(tmp_path / "not there"),))
    assert window.settings.get("recent") == ()
    assert window.views.currentWidget() is window.pages.welcome
    good = str(sample_path("k28-epoch-fix"))
    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        window.opening.open_paths((good,))
    assert window.settings.get("recent") == (good,)


def test_what_could_not_be_opened_is_not_remembered_with_what_is_opened_next(
    window: MainWindow, opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.jobs.failed, timeout=60_000):
        window.opening.open_paths((str(tmp_path / "not there"),))
    opened(lambda: window.store.open_groups(((str(sample_path("k28-epoch-fix")),),)))
    assert window.settings.get("recent") == ()


def test_the_file_dialogs_begin_at_home_and_then_where_one_was(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not in the folder in which the program was started, which says nothing to a person at a desktop."""
    begun: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *at: (begun.append(at[2]), ([], ""))[1])
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *at: (begun.append(at[2]), "")[1])
    monkeypatch.chdir(tmp_path)
    window.person.dialogs = ASKING
    for name in ("open", "open-folder"):
        window.actions_[name].trigger()
    window.settings.put("folder", "/logs")
    window.actions_["open"].trigger()
    assert begun == [str(Path.home()), str(Path.home()), "/logs"]


def test_copy_in_the_drawer_gives_lines_with_their_place(demo: MainWindow) -> None:
    from PySide6.QtWidgets import QApplication

    from gui.panels.evidence import ONE_ROW

    demo.docks.drawer.show()
    demo.evidence.refresh()
    demo.evidence.table.setFocus()
    demo.evidence.table.selectionModel().setCurrentIndex(demo.evidence.table.model().index(0, 0), ONE_ROW)
    QTest.keyClick(demo.evidence.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    row = demo.evidence.rows[0]
    assert QApplication.clipboard().text() == f"{row.place}\t{row.text}"


def test_nothing_of_an_import_is_left_on_the_disk(window: MainWindow, opened: Opened) -> None:
    folder = Path(window.store._scratches.own.path)
    opened(lambda: window.opening.open_offer(sample_offers()[2]))
    assert list(folder.rglob("*.tide")) == []
    window.close()
    assert not folder.exists()


def test_the_report_says_what_was_read_of_each_file(window: MainWindow, opened: Opened) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[1]))
    shown.actions_["report"].trigger()
    assert shown.views.currentWidget() is shown.pages.report
    table = shown.pages.report.files
    rows = [
        [cell.text() if (cell := table.item(row, column)) is not None else "" for column in range(4)]
        for row in range(table.rowCount())
    ]
    (read,) = [row[2] for row in rows if row[0].endswith("broker-1/logs/server.log")]
    assert int(read.replace(",", "")) > 0
    shown.actions_["timeline"].trigger()
    assert shown.views.currentWidget() is shown.shown


def test_a_note_is_changed_with_f2_and_the_change_is_undone(demo: MainWindow) -> None:
    write_note(demo, "first wording")
    demo.notes.list.itemClicked.emit(demo.notes.list.item(0))
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_F2)
    assert demo.note_editor.field.toPlainText() == "first wording"
    QTest.keyClicks(demo.note_editor.field, "second wording")
    QTest.keyClick(demo.note_editor.field, Qt.Key.Key_Return)
    assert texts(demo) == ["second wording"]
    demo.actions_["undo"].trigger()
    assert texts(demo) == ["first wording"]


def test_the_timeline_follows_the_arrow_keys_in_the_findings(window: MainWindow, opened: Opened) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[1]))
    shown.docks.left.show()
    findings = shown.findings.list
    findings.setFocus()
    findings.setCurrentRow(0)
    seen = [shown.session.position]
    for _ in range(findings.count() - 1):
        QTest.keyClick(findings, Qt.Key.Key_Down)
        seen.append(shown.session.position)
    content = shown.session.content
    assert content is not None
    expected = [content.position_of(0, finding.seq + 1) for finding in content.runs[0].verdict.findings]
    assert seen == expected
