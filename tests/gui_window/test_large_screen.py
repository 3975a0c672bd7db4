"""What was seen wrong on a large screen: rows cut off, a lane in another language, a column too narrow."""

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit, QStyleOptionViewItem, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from core.compare.align import make_run
from core.kafka.eras import era
from core.picture.hit import bounds
from core.picture.labels import overlap
from core.picture.marks import Box, Glyph, Line, Sign, Text
from core.picture.timeline import TimelineView, lay_out, timeline_lanes
from core.picture.whole import history_window
from core.sim.library import scenario
from core.sim.run import simulate
from gui.i18n import use_language
from gui.panels.lists import FindingsPanel
from gui.panels.previews import HEIGHT, preview
from gui.panels.report import ReportPage
from gui.style import style_sheet
from gui.theme import load_theme
from gui.window.main_window import MainWindow
from gui.workspace.session import Session

FLAGS = (Glyph.ELECTION, Glyph.UNCLEAN_ELECTION)

pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")


def test_rows_are_as_high_as_their_text_where_a_scroll_bar_makes_their_list_narrower(qtbot: QtBot) -> None:
    panel = FindingsPanel(Session())
    qtbot.addWidget(panel)
    panel.list.set_theme(load_theme("light"))
    panel.resize(272, 1000)
    panel.show()
    qtbot.waitExposed(panel)
    for count in range(12):
        panel.list.add("w " * (14 + count), "t", 0)
    row = panel.list.itemDelegate()
    indexes = [panel.list.model().index(place, 0) for place in range(12)]

    def settled() -> bool:
        # Asking for a row's place would lay the list out: only what it already did is looked at.
        needed = sum(row.sizeHint(QStyleOptionViewItem(), index).height() for index in indexes)
        return panel.list.verticalScrollBar().maximum() + panel.list.viewport().height() == needed

    panel.resize(272, 300)
    qtbot.waitUntil(settled, timeout=2000)
    panel.resize(232, 300)
    qtbot.waitUntil(settled, timeout=2000)


def test_the_lane_of_a_card_speaks_the_language_of_the_window() -> None:
    run = make_run(simulate(scenario("hw-loss"), era("0.10.2")))
    try:
        use_language("zh")
        words = {mark.text for mark in preview(run, 300).picture.marks() if isinstance(mark, Text)}
    finally:
        use_language("en")
    assert "领导者 · 纪元 0" in words
    assert not any("leader" in text or "crashed" in text for text in words)


def test_folds_on_a_card_have_their_slashes_whole_in_its_lane() -> None:
    shown = preview(make_run(simulate(scenario("hw-loss"), era("0.10.2"))), 400)
    columns = [
        (box.x, box.x + box.w)
        for box in shown.picture.marks()
        if isinstance(box, Box) and box.fill == "bg.sunken" and shown.top < box.y < shown.top + HEIGHT
    ]
    strokes = [
        bounds(mark)
        for mark in shown.picture.marks()
        if isinstance(mark, Line) and mark.ref is not None and mark.ref.kind == "fold"
    ]
    assert columns
    for first, last in columns:
        inside = [(x, y, w, h) for x, y, w, h in strokes if first <= x and x + w <= last]
        assert len(inside) == 2
        assert all(shown.top <= y and y + h <= shown.top + HEIGHT for _, y, _, h in inside)


def test_slashes_stand_whole_on_the_ruler_under_which_lanes_are_scrolled() -> None:
    run = make_run(simulate(scenario("hw-loss"), era("0.10.2")))
    view = TimelineView(run.history, run.verdict, None, history_window(run.history), 544.0, 500.0)
    strokes = [
        bounds(mark)
        for mark in lay_out(view).marks()
        if isinstance(mark, Line) and mark.ref is not None and mark.ref.kind == "fold"
    ]
    assert strokes
    top = timeline_lanes(view)[0].box.top
    assert all(y + h <= top for _, y, _, h in strokes)


def test_what_was_found_of_a_file_is_read_whole_on_a_large_screen(qtbot: QtBot) -> None:
    report = ReportPage(Session())
    qtbot.addWidget(report)
    report.show()
    report.resize(1230, 700)
    QApplication.processEvents()
    words = report.files.fontMetrics().horizontalAdvance("日志, 标准布局  UTC（假定）")
    narrow = report.files.columnWidth(7)
    report.resize(1870, 1000)
    QApplication.processEvents()
    assert narrow < words + 16 <= report.files.columnWidth(7)


@pytest.mark.slow
def test_a_page_that_nobody_sees_asks_for_no_room(demo: MainWindow) -> None:
    demo.resize(1280, 800)
    QApplication.processEvents()
    demo.pages.triage.strip.setMinimumWidth(2000)
    QApplication.processEvents()
    assert demo.minimumSizeHint().width() <= 1280
    demo.show_view("triage")
    QApplication.processEvents()
    assert demo.minimumSizeHint().width() >= 2000


def test_the_ring_of_focus_is_whole_and_goes_with_it(qtbot: QtBot) -> None:
    both = QWidget()
    qtbot.addWidget(both)
    both.setStyleSheet(style_sheet(load_theme("light")))
    field, table = QLineEdit(both), QTableWidget(3, 2, both)
    field.move(0, 0)
    table.setGeometry(0, 40, 300, 160)
    table.selectRow(0)
    both.resize(320, 220)
    both.show()
    qtbot.waitExposed(both)
    both.activateWindow()
    qtbot.waitUntil(both.isActiveWindow, timeout=5000)

    def edge() -> set[str]:
        image = table.grab().toImage()
        right, bottom = image.width() - 1, image.height() - 1
        around = [(x, y) for x in range(right + 1) for y in (0, 1, bottom - 1, bottom)]
        around += [(x, y) for x in (0, 1, right - 1, right) for y in range(bottom + 1)]
        return {image.pixelColor(x, y).name() for x, y in around}

    blue = load_theme("light").colour("focus").name()
    table.setFocus()
    assert edge() == {blue}
    table.resize(260, 130)
    assert edge() == {blue}
    field.setFocus()
    assert blue not in edge()


def test_a_cut_of_a_low_lane_hides_no_flag() -> None:
    picture = preview(make_run(simulate(scenario("elections"), era("0.10.2"))), 300).picture
    flags = [bounds(mark) for mark in picture.marks() if isinstance(mark, Sign) and mark.glyph in FLAGS]
    cuts = [bounds(mark) for mark in picture.marks() if isinstance(mark, Text) and "cut " in mark.text]
    assert cuts
    assert flags
    assert all(overlap(cut, flag) == 0 for cut in cuts for flag in flags)
