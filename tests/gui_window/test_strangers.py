"""Names and notes of a stranger are shown as they are written: no character and no tag in them is obeyed."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtGui import Qt as RichText
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,
    QPlainTextEdit,
    QStatusBar,
    QTableView,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from core.diagnose.verdict.check import triaged
from core.diagnose.verdict.summary import Triage
from core.kafka.eras import era
from core.message import LEGACY, Message
from core.picture.hit import bounds
from core.picture.marks import Ref
from core.shown import shown
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.ids import TopicPartition
from core.trace.trace import Trace
from db.anchors import anchor_of
from db.document import create
from db.notes import Note
from gui.exports.dialog import ExportDialog
from gui.panels.parts import BREAK, Label
from gui.search.overlay import find_overlay
from gui.window.import_dialog import ImportDialog
from gui.window.main_window import MainWindow
from gui.workspace.conforming import CONFORM
from tests.archives import unpack_recording
from tests.recordings.whole import whole
from tests.visible_texts import texts

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

HOSTILE: Final = "\u202e\x1b[31m<b>bold</b><img src=x>\u2066red\na line\0&lt;i&gt;"
"""What a stranger may call a topic, a broker, a file, or write into a note."""
TRACE_NAME: Final = f"night {HOSTILE}"
FILE_NAME: Final = HOSTILE.replace("\0", "").replace("/", "") + ".tide"
"""A file can be called so on Linux."""
SEEN: Final = "bold"
SAID: Final = Message(LEGACY, (("text", HOSTILE), ("text_zh", HOSTILE)))
NOTE: Final = f"first line\n{HOSTILE}"
PLAINLY: Final = "<p style='white-space: pre-wrap'>"
"""How a tip begins that says tags as text."""
PAGES: Final = (
    "welcome",
    "triage",
    "report",
    "lessons",
    "articles",
    "counterexamples",
    "conformance",
    "scenario",
    "timeline",
)
PLACES: Final = ("first", "next-loss", "select", "next-truncation", "next-isr", "last")
BESIDE: Final = ("palette", "go-to", "find", "last-change", "note", "export", "bookmark")
MOST_ROWS: Final = 40
ROLES: Final = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)


def hostile(trace: Trace, name: str = TRACE_NAME) -> Trace:
    """The same trace, with names and lines of a stranger."""
    report = {
        **trace.report,
        "gaps": [f"{HOSTILE} is missing"],
        "examples": [{"file": HOSTILE, "line": 1, "fate": "malformed", "text": HOSTILE}],
        "further": [{"broker": 1, "evidence": HOSTILE, "settles": HOSTILE}],
    }
    for rows in (report.get("by_file", ()), report.get("contradictions", ())):
        for row in rows:
            row["file"] = f"{HOSTILE}/{row['file']}"
    for row in report.get("by_broker", ()):
        row["zones"] = [HOSTILE]
    return replace(
        trace,
        name=name,
        brokers=tuple(replace(one, name=f"{HOSTILE}{one.broker_id}", version="2.8") for one in trace.brokers),
        partitions=tuple(
            replace(one, tp=TopicPartition(f"{HOSTILE}{one.tp.topic}", one.tp.partition))
            for one in trace.partitions
        ),
        sources=tuple(
            replace(one, path=f"{HOSTILE}/{one.path}", zone=f"Mars/{HOSTILE}") for one in trace.sources
        ),
        records=tuple(f"{HOSTILE}{one}" for one in trace.records),
        facts=MappingProxyType({**trace.facts, "title": HOSTILE, HOSTILE: HOSTILE}),
        lines=tuple(replace(line, text=f"{HOSTILE} {line.text}") for line in trace.lines),
        report=MappingProxyType(report),
    )


def said_by_a_stranger(found: Triage) -> Triage:
    """The same rows and findings, with a stranger's reasons."""
    return Triage(
        tuple(replace(one, reason=SAID) for one in found.summaries),
        tuple(replace(one, message=SAID) for one in found.findings),
    )


class Reader:
    """Looks at all that a window shows or paints, and keeps what it should not."""

    def __init__(self, window: MainWindow, tips: list[str], painted: set[str]) -> None:
        self.window, self.tips, self.painted = window, tips, painted
        self.obeyed: dict[str, str] = {}
        self.seen: set[str] = set()

    def look(self, state: str) -> None:
        for _ in range(3):
            QApplication.processEvents()
        for top in QApplication.topLevelWidgets():
            if top.isVisible():
                self._look_at(top, state)
        for text in self.painted:
            self._keep(f"{state}: painted", text, one_line=True)
        for text in self.tips:
            self._keep_tip(f"{state}: tip of a mark", text)
        self.painted.clear()
        self.tips.clear()

    def _look_at(self, top: QWidget, state: str) -> None:
        top.grab()
        self._keep(f"{state}: title", top.windowTitle(), one_line=True)
        for where, text in texts(top):
            self._keep(f"{state}: {where}", text)
        for widget in (top, *top.findChildren(QWidget)):
            if widget is top or widget.isVisibleTo(top):
                self._look_into(widget, f"{state}: {type(widget).__name__} {widget.objectName()}")

    def _look_into(self, widget: QWidget, where: str) -> None:
        self._keep_tip(where, widget.toolTip())
        match widget:
            case QLabel():
                several = widget.wordWrap() or (isinstance(widget, Label) and widget.lines)
                self._keep(where, widget.text(), one_line=not several)
                if SEEN in widget.text() and widget.textFormat() != Qt.TextFormat.PlainText:
                    self.obeyed[where] = f"as HTML: {widget.text()!r}"
            case QAbstractItemView():
                self._keep_items(where, widget)
            case QStatusBar():
                self._keep(where, widget.currentMessage(), one_line=True)
            case QPlainTextEdit():
                self._keep(where, widget.toPlainText())
            case _:
                pass

    def _keep_items(self, where: str, view: QAbstractItemView) -> None:
        model, columns = view.model(), 1
        rows = min(model.rowCount(), MOST_ROWS)
        if isinstance(view, QTableView):
            columns = view.horizontalHeader().count()
            for way, count in ((Qt.Orientation.Horizontal, columns), (Qt.Orientation.Vertical, rows)):
                for section, role in product(range(count), ROLES):
                    self._keep_item(f"{where} {way.name}", role, model.headerData(section, way, role))
        for row, column, role in product(range(rows), range(columns), ROLES):
            self._keep_item(where, role, model.index(row, column).data(role))

    def _keep_item(self, where: str, role: Qt.ItemDataRole, said: object) -> None:
        if role == Qt.ItemDataRole.ToolTipRole:
            self._keep_tip(f"{where} {role.name}", str(said or ""))
        else:
            # Rows of findings and notes have several lines.
            self._keep(f"{where} {role.name}", str(said or ""), one_line="_RowList" not in where)

    def _keep_tip(self, where: str, text: str) -> None:
        """A tip is plain, or it says tags as text."""
        self._keep(where, text)
        inside = text.removeprefix(PLAINLY).removesuffix("</p>")
        plainly = text.startswith(PLAINLY) and "<" not in inside
        if SEEN in text and RichText.mightBeRichText(text) and not plainly:
            self.obeyed[f"{where}, tip"] = f"as HTML: {text!r}"

    def _keep(self, where: str, text: str, *, one_line: bool = False) -> None:
        said = text.replace(BREAK, "")
        if SEEN in said:
            self.seen.add(" ".join(where.partition(": ")[2].split()))
        if shown(said) != said or (one_line and "\n" in said):
            self.obeyed[where] = repr(said[:300])

    def act(self, name: str, state: str) -> None:
        action = self.window.actions_[name]
        if action.isEnabled():
            action.trigger()
            self.window.jobs.wait_for(CONFORM)
            self.look(f"{state}, {name}")

    def show_panels(self) -> None:
        for dock in (self.window.docks.left, self.window.docks.right, self.window.docks.drawer):
            dock.show()

    def point_at_marks(self, state: str) -> None:
        """Ask for the tip of each mark that has one."""
        stage = self.window.stage
        for canvas in (stage.canvas, stage.cells):
            picture = canvas.picture
            for mark in () if picture is None else tuple(picture.marks())[:400]:
                if getattr(mark, "ref", None) is not None:
                    self._hover(canvas, mark)
        self.look(f"{state}, tips")

    def _hover(self, canvas: Any, mark: Any) -> None:
        at = QPoint(*(round(value) for value in _middle(mark)))
        event = QHelpEvent(QHelpEvent.Type.ToolTip, at, canvas.mapToGlobal(at))
        (canvas.viewportEvent if hasattr(canvas, "viewportEvent") else canvas.event)(event)

    def go_through(self, state: str) -> None:
        window = self.window
        for page in PAGES:
            self.act(page, state)
        window.actions_["triage"].trigger()
        window.pages.triage.as_grid.click()
        self.look(f"{state}, grid")
        window.pages.triage.as_list.click()
        window.actions_["timeline"].trigger()
        self.show_panels()
        for name in ("narration", "cells"):
            if not window.actions_[name].isChecked():
                window.actions_[name].trigger()
        for place in PLACES:
            self.act(place, state)
            self._select_lanes(f"{state}, {place}")
        self._select_notes(state)
        self.point_at_marks(state)
        for name in BESIDE:
            self.act(name, state)
            for top in QApplication.topLevelWidgets():
                if top.isVisible() and top is not window:
                    top.close()
            window.note_editor.cancel()
            window.actions_["clear"].trigger()

    def search(self, qtbot: QtBot) -> None:
        """What the palette, the field of a place and the search say of names."""
        window = self.window
        for name in ("palette", "go-to"):
            window.actions_[name].trigger()
            frame = find_overlay(window)
            assert frame is not None
            for typed in ("red", "e 1", f"{HOSTILE}:1"):
                frame.field.setText(typed)
                self.look(f"{name}, {typed!r}")
            frame.leave()
        window.actions_["find"].trigger()
        window.finder.panel.field.setText("red")
        qtbot.waitUntil(lambda: len(window.finder.panel.hits) > 0)
        self.look("find")
        window.finder.leave()

    def export(self, qtbot: QtBot) -> None:
        """What is proposed as title and caption, and the text of an export."""
        self.window.actions_["export"].trigger()
        dialog = self.window.findChild(ExportDialog)
        assert isinstance(dialog, ExportDialog)
        qtbot.waitUntil(lambda: dialog.title.placeholderText() != "")
        self.look("export")
        dialog.review_button.click()
        self.look("review")
        dialog.kind.setCurrentIndex(dialog.kind.findData(".txt"))
        qtbot.waitUntil(lambda: dialog.text.text() != "")
        self.look("export of a text")
        dialog.reject()

    def _select_lanes(self, state: str) -> None:
        session = self.window.session
        content = session.content
        for broker in content.runs[0].history.replicas if content else ():
            session.select(Ref("lane", 0, broker, broker))
            self.look(f"{state}, broker {broker}")

    def _select_notes(self, state: str) -> None:
        session = self.window.session
        for note in session.notes:
            session.set_position(session.note_position(note) or 0)
            session.select(Ref("note", note.run, note.key, text=note.text))
            self.look(f"{state}, note {note.kind}")
            self.act("edit-note", f"{state}, note {note.kind}")
            self.window.note_editor.cancel()


def _middle(mark: Any) -> tuple[float, float]:
    x, y, wide, high = bounds(mark)
    return x + wide / 2, y + high / 2


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording of an unclean election, as a stranger would have named everything in it."""
    folder = tmp_path_factory.mktemp("hostile")
    trace = whole("k28-unclean-loss").trace
    # Rows of the report are changed.
    trace = hostile(replace(trace, report=MappingProxyType(deepcopy(dict(trace.report)))))
    path = folder / FILE_NAME
    places = (len(trace) // 3, len(trace) // 2)
    first, last = (anchor_of(trace, place) for place in places)
    brokers = [int(one.broker_id) for one in trace.brokers]
    create(
        path,
        [trace],
        notes=[
            Note(0, trace.name, first, NOTE, HOSTILE),
            Note(0, trace.name, first, HOSTILE, kind="bookmark"),
            Note(0, trace.name, first, HOSTILE, kind="range", end=last),
            Note(0, trace.name, first, HOSTILE, kind="lane", broker=brokers[0]),
        ],
        found=[said_by_a_stranger(triaged(trace))],
    )
    return path


@pytest.fixture
def reader(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Reader:
    tips: list[str] = []
    painted: set[str] = set()
    draw = QPainter.drawText

    def drawing(painter: QPainter, *told: Any) -> Any:
        painted.update(one for one in told if isinstance(one, str))
        return draw(painter, *told)

    monkeypatch.setattr(QPainter, "drawText", drawing)
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, *_rest: tips.append(text))
    return Reader(window, tips, painted)


@pytest.mark.slow
def test_nothing_of_a_document_steers_the_window(
    reader: Reader, opened: Callable[[Callable[[], None]], MainWindow], document: Path, qtbot: QtBot
) -> None:
    window = opened(lambda: reader.window.store.open_groups(((str(document),),)))
    reader.go_through("document")
    reader.search(qtbot)
    reader.export(qtbot)

    assert reader.obeyed == {}
    # What it looked at is what there is to see.
    assert window.session.content is not None
    assert {"title", "painted", "tip of a mark", "StatusBar", "QLineEdit"} <= reader.seen
    assert {"QTableView roles Vertical DisplayRole", "QTableView narration DisplayRole"} <= reader.seen
    assert {"QListView DisplayRole", "_RowList DisplayRole", "QTableWidget ToolTipRole"} <= reader.seen


@pytest.mark.slow
def test_nothing_of_a_comparison_steers_the_window(
    reader: Reader, opened: Callable[[Callable[[], None]], MainWindow], tmp_path: Path
) -> None:
    """The script of a run is text of a stranger, too: here its first line is turned around."""
    runs: list[Trace] = []
    for name in ("0.10.2", "2.8"):
        run = hostile(simulate(scenario("hw-loss"), era(name)), f"{HOSTILE} {name}")
        script = f"# \u202e{run.facts['script']}"
        runs.append(replace(run, facts=MappingProxyType({**run.facts, "script": script})))
    path = tmp_path / FILE_NAME
    create(path, runs, notes=[Note(0, runs[0].name, anchor_of(runs[0], 5), NOTE)])
    window = opened(lambda: reader.window.store.open_groups(((str(path),),)))
    window.actions_["report"].trigger()
    reader.look("report")
    window.actions_["compare"].trigger()
    reader.show_panels()
    for place in ("first", "next-difference", "select", "next-loss", "last"):
        reader.act(place, "comparison")
    reader.point_at_marks("comparison")
    reader.act("scenario", "comparison")

    assert reader.obeyed == {}
    assert r"\u202e" in window.pages.scenario.editor.toPlainText()
    assert {"title", "painted", "Choice"} <= reader.seen


@pytest.mark.slow
def test_a_note_in_which_nobody_typed_is_kept_as_it_was(
    opened: Callable[[Callable[[], None]], MainWindow], window: MainWindow, document: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(document),),)))
    note = next(note for note in window.session.notes if note.kind == "position")
    window.session.select(Ref("note", note.run, note.key, text=note.text))

    window.actions_["edit-note"].trigger()
    assert window.note_editor.field.toPlainText() == shown(NOTE)
    window.note_editor._keep()
    assert window.session.note(note.key) == note

    window.actions_["edit-note"].trigger()
    window.note_editor.field.setPlainText(" typed ")
    window.note_editor._keep()
    typed = window.session.note(note.key)
    assert typed is not None
    assert typed.text == "typed"


@pytest.mark.slow
def test_nothing_of_a_folder_steers_the_import(reader: Reader, tmp_path: Path, qtbot: QtBot) -> None:
    folder = tmp_path / FILE_NAME
    (folder / FILE_NAME).mkdir(parents=True)
    unpack_recording("k28-unclean-loss", folder / FILE_NAME)
    reader.window.opening.open_paths((str(folder),))
    qtbot.waitUntil(lambda: reader.window.findChild(ImportDialog) is not None)
    reader.look("import")
    dialog = reader.window.findChild(ImportDialog)
    assert isinstance(dialog, ImportDialog)
    dialog.reject()

    assert reader.obeyed == {}
    assert {"title", "Label", "_Files ToolTipRole"} <= reader.seen
