"""Session, settings, content, welcome page, crash hook: the parts on their own."""

import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QPointF, QRect, QSettings, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from core.kafka.eras import ERAS
from core.picture.drawing import Drawing, Vertical
from core.picture.metrics import wrap
from core.sim.library import scenario_ids
from gui.app import crash_hooks
from gui.icons import STROKES, icon, stroke_path
from gui.panels import lists
from gui.panels.count_lists import add_row, filter_list
from gui.panels.evidence import elided_spans
from gui.panels.parts import BREAK, Elided, Flow, Paragraph, breakable, label
from gui.panels.rows import captured
from gui.style import style_sheet
from gui.theme import load_theme
from gui.timeline.canvas import strips_of
from gui.welcome.offers import beginning, sample_offers, scenario_offers
from gui.window.main_window import MainWindow
from gui.window.settings import SETTINGS, Settings
from gui.workspace.jobs import Failure
from gui.workspace.pinned import PinnedNote
from gui.workspace.simulating import PAIR
from tests.gui_window.conftest import Answers

pytestmark = pytest.mark.broad(6)

STILL = 96
"""So many pixels may stay empty above a table before it moves up."""


def stored(path: Path) -> QSettings:
    return QSettings(str(path), QSettings.Format.IniFormat)


def test_settings_give_their_defaults_and_what_was_put(tmp_path: Path) -> None:
    settings = Settings(stored(tmp_path / "s.ini"))
    assert {setting.key: settings.get(setting.key) for setting in SETTINGS} == {
        setting.key: setting.default for setting in SETTINGS
    }
    settings.put("theme", "dark")
    settings.put("cells", value=False)
    settings.put("geometry", QByteArray(b"abc"))
    settings.remember_path("/a")
    settings.remember_path("/b")
    settings.remember_path("/a")
    again = Settings(stored(tmp_path / "s.ini"))
    assert (again.get("theme"), again.get("cells"), again.get("recent")) == ("dark", False, ("/a", "/b"))
    assert again.get("geometry") == QByteArray(b"abc")


def test_settings_of_another_version_are_left_behind(tmp_path: Path) -> None:
    old = stored(tmp_path / "s.ini")
    old.setValue("version", 99)
    old.setValue("theme", "dark")
    old.sync()
    assert Settings(stored(tmp_path / "s.ini")).get("theme") == "system"


def test_a_setting_that_is_not_in_the_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        Settings(stored(tmp_path / "s.ini")).get("colour of the bike shed")


def test_notes_keep_the_order_of_their_positions(demo: MainWindow) -> None:
    session = demo.session
    cursors = demo.session.cursors
    session.put_note(PinnedNote(1, 0, cursors[0], "later", 1))
    session.put_note(PinnedNote(2, 0, 1, "earlier", 2))
    session.put_note(PinnedNote(3, 0, None, "nowhere", 3))
    assert [note.text for note in session.notes] == ["earlier", "later", "nowhere"]
    assert session.note_position(session.notes[2]) is None
    demo.notes.list.setCurrentRow(2)
    demo.notes.list.itemClicked.emit(demo.notes.list.item(2))
    assert "not in what is open" in demo.inspector.text()


def test_the_strips_cover_the_picture_without_gap_or_overlap(demo: MainWindow) -> None:
    picture = demo.stage.canvas.picture
    assert picture is not None
    strips = strips_of(picture, 58.0)
    assert strips[0].top == 0
    assert strips[-1].bottom == picture.height
    assert all(upper.bottom == lower.top for upper, lower in pairwise(strips))
    assert [(strip.run, strip.broker) for strip in strips if strip.broker >= 0] == [
        (0, 1),
        (0, 2),
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
    ]


def test_the_ruler_stays_in_sight_when_the_lanes_are_scrolled(demo: MainWindow, qapp: QApplication) -> None:
    demo.docks.drawer.show()
    qapp.processEvents()
    assert demo.stage.scrolls
    demo.stage.reveal(2)
    qapp.processEvents()
    assert demo.stage.canvas.y() < 0
    corner = demo.stage.mapTo(demo, QPoint(0, 0))
    ruler = QRect(corner, QSize(140, 50))
    scrolled = demo.grab(ruler).toImage()
    lanes = QRect(corner + QPoint(0, 150), QSize(140, 300))
    scrolled_lanes = demo.grab(lanes).toImage()
    demo.stage.reveal(0)
    qapp.processEvents()
    assert demo.grab(ruler).toImage() == scrolled
    assert demo.grab(lanes).toImage() != scrolled_lanes


@pytest.mark.parametrize("name", sorted(STROKES))
def test_every_icon_can_be_drawn(name: str) -> None:
    outline, filled = stroke_path(STROKES[name])
    box = outline.boundingRect().united(filled.boundingRect())
    assert 4 <= box.width() <= 16
    assert 0 <= box.left() <= box.right() <= 16
    assert 0 <= box.top() <= box.bottom() <= 16


def test_an_icon_is_drawn_once_and_what_is_added_to_it_is_in_no_other(qapp: QApplication) -> None:
    close = icon("close", QColor("red"), 10)
    assert icon("close", QColor("red"), 10).cacheKey() == close.cacheKey()
    for other in (icon("close", QColor("red"), 16), icon("close", QColor("blue"), 10)):
        assert other.pixmap(16).toImage() != close.pixmap(16).toImage()
    close.addPixmap(icon("menu", QColor("blue")).pixmap(10), QIcon.Mode.Disabled)
    disabled = [made.pixmap(10, QIcon.Mode.Disabled) for made in (close, icon("close", QColor("red"), 10))]
    assert disabled[0].toImage() != disabled[1].toImage()


def test_the_welcome_page_offers_every_scenario_and_the_real_pair() -> None:
    offers = scenario_offers()
    assert {offer.names[0] for offer in offers} == set(scenario_ids())
    assert offers[0].names[0] == "hw-loss"
    assert set(PAIR) <= {era.id for era in ERAS}
    assert sample_offers()[0].names == ("k0102-hw-loss", "k28-epoch-fix")


def test_the_first_page_draws_a_live_lane_on_each_scenario(window: MainWindow, qtbot: QtBot) -> None:
    cards = [card for card in window.pages.welcome.cards if card.lane is not None]
    assert len(cards) == len(scenario_ids())
    qtbot.waitUntil(
        lambda: all(card.lane is not None and card.lane.run is not None for card in cards), timeout=30_000
    )
    lane = cards[0].lane
    assert lane is not None
    image = lane.grab().toImage()
    epoch = load_theme(window.session.theme).colour("e0")
    colours = {
        image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)
    }
    assert epoch.name() in colours


def test_the_texts_of_the_first_page_are_broken_into_lines_once_a_width(
    qtbot: QtBot, undressed: None, settings: Settings, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Layouts of the page, the grid and the card ask again and again for the same widths."""
    broken: Counter[tuple[QLabel, int]] = Counter()
    measured = QLabel.heightForWidth

    def counted(shown: QLabel, width: int) -> int:
        broken[shown, width] += 1
        return measured(shown, width)

    monkeypatch.setattr(QLabel, "heightForWidth", counted)
    window = MainWindow(settings, answers.dialogs())
    window.resize(1600, 1000)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    QApplication.processEvents()
    for card in window.pages.welcome.cards:
        for shown in card.findChildren(Paragraph):
            times = [count for (asked, _), count in broken.items() if asked is shown]
            assert 0 < len(times) <= 5, shown.text()
            assert set(times) == {1}, shown.text()


def test_one_click_on_the_first_card_opens_the_three_eras(window: MainWindow, qtbot: QtBot) -> None:
    card = next(card for card in window.pages.welcome.cards if card.offer.names[0] == "hw-loss")
    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    content = window.session.content
    assert content is not None
    assert len(content.runs) == 3
    assert window.views.currentWidget() is window.shown
    assert window.inspector.head.name.text() == "First difference"


def test_a_story_is_cut_at_a_sentence() -> None:
    assert beginning("One. Two is a longer sentence.  Three.", 8) == "One. Two is a longer sentence."
    assert beginning("Only one") == "Only one"


def test_long_words_may_break_and_copies_do_not_have_the_breaks() -> None:
    text = "only with unclean.leader.election.enable=true"
    assert breakable(text).replace(BREAK, "") == text
    assert BREAK in breakable(text)
    assert breakable("short words only") == "short words only"


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 800), (1600, 1000)])
def test_nothing_in_the_inspector_is_cut_off(
    demo: MainWindow, qapp: QApplication, size: tuple[int, int]
) -> None:
    demo.resize(*size)
    demo.docks.place()
    for landmark in ("first", "next-difference", "next-loss", "last"):
        demo.actions_[landmark].trigger()
        qapp.processEvents()
        body = demo.inspector.body
        for child in [found for found in body.findChildren(QLabel) if found.isVisible()]:
            assert child.mapTo(body, QPoint(child.width(), 0)).x() <= demo.inspector.width(), child.text()
            # As Qt reckons it: not what a paragraph asks for, but its longest word, and its lines.
            assert QLabel.minimumSizeHint(child).width() <= child.width(), (landmark, child.text())
            assert QLabel.heightForWidth(child, child.width()) <= child.height(), (landmark, child.text())


class _CutTexts(QObject):
    """Collects the paragraphs that are painted where they have less room than their lines need."""

    def __init__(self) -> None:
        super().__init__()
        self.painted = 0
        self.found: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - a name of Qt
        if event.type() == QEvent.Type.Paint and isinstance(watched, Paragraph):
            self.painted += 1
            if QLabel.heightForWidth(watched, watched.width()) > watched.height():
                self.found.append(watched.text())
        return False


def test_no_frame_of_a_step_shows_a_text_of_the_inspector_cut(demo: MainWindow, qapp: QApplication) -> None:
    content, cut = demo.session.content, _CutTexts()
    assert content is not None
    qapp.installEventFilter(cut)
    for position in range(content.last + 1):
        demo.session.set_position(position)
        qapp.processEvents()
    qapp.removeEventFilter(cut)
    assert cut.painted > content.last
    assert cut.found == []


def test_the_tables_of_the_inspector_stay_where_they_are_while_sentences_differ_in_lines(
    demo: MainWindow, qapp: QApplication
) -> None:
    """They moved with each step that says a sentence in fewer lines, and all labels were painted anew."""
    content = demo.session.content
    assert content is not None
    places: list[tuple[int, int]] = []
    for position in range(content.last + 1):
        demo.session.set_position(position)
        qapp.processEvents()
        body, told = demo.inspector.body, demo.inspector.explanation
        assert told is not None
        table = next(one for one in body.findChildren(Flow) if one.accessibleName() == told.tables[0].title
                     and one.isVisible())  # fmt: skip
        over = [
            one for one in body.findChildren(Paragraph) if one.isVisible() and not table.isAncestorOf(one)
        ]
        end = max(one.mapTo(body, QPoint(0, one.height())).y() for one in over)
        places.append((end, table.mapTo(body, QPoint()).y()))

    steps = list(pairwise(places))
    shorter = [(one, other) for one, other in steps if one[0] > other[0] and one[1] - other[0] < STILL]
    assert len(shorter) > 3
    assert [other[1] - one[1] for one, other in shorter] == [0] * len(shorter)
    assert all(end <= top for end, top in places)


def test_a_paragraph_is_as_high_as_its_lines_whatever_it_says(window: MainWindow, qtbot: QtBot) -> None:
    """It remembers its height: not beyond another text, nor beyond another font."""
    sheet = QWidget(window)
    column = QVBoxLayout(sheet)
    shown = Paragraph("short", "body")
    column.addWidget(shown)
    column.addStretch(1)
    sheet.resize(200, 400)
    sheet.show()
    heights = [shown.heightForWidth(150)]
    for text in ("twenty words " * 10, "short"):
        shown.setText(text)
        heights.append(shown.heightForWidth(150))
    larger = shown.font()
    larger.setPixelSize(40)
    shown.setFont(larger)
    heights.append(shown.heightForWidth(150))
    assert heights[0] == heights[2] < heights[1]
    assert heights[3] > heights[2]
    qtbot.waitUntil(lambda: shown.height() == shown.heightForWidth(shown.width()))


def over(shown: QWidget, *, is_over: bool) -> None:
    """The mouse comes over a widget, or leaves it."""
    here = QPointF(shown.rect().center())
    told = QEnterEvent(here, here, here) if is_over else QEvent(QEvent.Type.Leave)
    QApplication.sendEvent(shown, told)


@pytest.mark.parametrize("style", ["title", "strong", "body", "value", "raw", "secondaryMono"])
@pytest.mark.parametrize(
    "text",
    [
        "Broker 1 returns as a follower, learns that epoch 0 ends at 30, and cuts. 日志末端为 23。",
        "min.insync.replicas=2, /var/lib/kafka/broker-5/d2 " * 3,
    ],
    ids=["words", "paths"],
)
def test_a_paragraph_is_selected_by_mouse_and_looks_the_same_all_the_time(
    window: MainWindow, style: str, text: str
) -> None:
    """A text that can be selected is laid out otherwise by Qt. What is selected stays to be copied."""
    sheet = QWidget(window)
    shown = Paragraph(text, style)
    column = QVBoxLayout(sheet)
    column.addWidget(shown)
    column.addStretch(1)
    sheet.resize(300, 400)
    sheet.show()
    before, height = shown.grab().toImage(), shown.heightForWidth(260)

    over(shown, is_over=True)
    assert shown.grab().toImage() == before
    shown.setText(text + ".")
    shown.setText(text)
    assert (shown.grab().toImage(), shown.heightForWidth(260)) == (before, height)
    left, right = QPoint(2, 8), QPoint(shown.width() - 2, shown.height() - 4)
    QTest.mousePress(shown, Qt.MouseButton.LeftButton, pos=left)
    QTest.mouseMove(shown, right)
    QTest.mouseRelease(shown, Qt.MouseButton.LeftButton, pos=right)
    over(shown, is_over=False)
    QTest.keyClick(shown, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QApplication.clipboard().text()
    assert len(copied.replace(BREAK, "")) > len(text) / 2

    shown.setText("another")
    assert not shown.hasSelectedText()
    shown.setText(text)
    assert shown.grab().toImage() == before


def test_a_crash_is_shown_and_the_window_lives_on(
    window: MainWindow, qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[object] = []
    in_main, _ = crash_hooks(told.append)
    error = RuntimeError("a defect")
    in_main(RuntimeError, error, None)
    failure = told[0]
    assert isinstance(failure, Failure)
    window.show_failure(failure)
    assert "a defect" in window.notices.text()
    assert "Traceback" not in window.notices.text()
    assert "RuntimeError" in failure.report
    assert "a defect" in capsys.readouterr().err


@pytest.mark.slow
def test_going_to_another_partition_keeps_notes_and_document(window: MainWindow, qtbot: QtBot) -> None:

    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        window.opening.open_offer(sample_offers()[1])
    content = window.session.content
    assert content is not None
    trace = window.session.traces[0]
    names = [str(partition.tp) for partition in trace.partitions]
    assert len(names) > 1
    here = content.runs[0].history.partition
    window.session.put_note(PinnedNote(1, 0, window.session.cursors[0], "kept", 1))
    other = next(name for place, name in enumerate(names) if place != here)
    window.session.set_drawing(Drawing(Vertical.LAG))
    with qtbot.waitSignal(window.session.content_changed, timeout=60_000):
        window.store.show_partition(other)
    shown = window.session.content
    assert shown is not None
    assert str(trace.partitions[shown.runs[0].history.partition].tp) == other
    assert shown.title == content.title != other
    assert [note.text for note in window.session.notes] == ["kept"]
    assert window.session.drawing == Drawing(Vertical.LAG)


def test_the_docks_leave_the_lanes_their_room(demo: MainWindow, qapp: QApplication) -> None:
    demo.resize(1280, 800)
    demo.docks.place()
    qapp.processEvents()
    assert demo.width() == 1280
    assert demo.stage.width() >= 640 + 152
    assert not demo.docks.drawer.isVisible()
    assert demo.docks.right.isHidden()
    demo.resize(1600, 1000)
    qapp.processEvents()
    assert abs(demo.docks.right.width() - 356) <= 4


@pytest.mark.slow
def test_the_demo_runs_as_the_command_starts_it() -> None:
    program = """
from PySide6.QtCore import QTimer
from gui.app import application, run_window
app = application()
def look():
    window = app.topLevelWidgets()
    mains = [w for w in window if w.metaObject().className() == "MainWindow"]
    if mains and mains[0].session.content is not None:
        print(mains[0].transport.place.text())
        mains[0].close()
        app.quit()
timer = QTimer()
timer.timeout.connect(look)
timer.start(50)
raise SystemExit(run_window(demo=True, size=(1280, 800)))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=900, check=False
    )
    assert (run.stdout.strip(), run.stderr, run.returncode) == ("step 8 of 13", "", 0)


def test_the_values_read_from_a_line_are_found_and_nothing_else() -> None:
    line = "[2026-11-21 03:29:20,206] INFO Truncating log orders-206 to offset 206. (kafka.log.Log)"
    start = line.index("offset 206") + 7
    assert captured(line, {"206"}) == ((start, start + 3),)
    assert captured(line, {"254"}) == ()


def test_a_value_keeps_its_place_in_an_elided_line() -> None:
    assert elided_spans("a12 long text 34z", "a12 l…t 34z", ((1, 3), (5, 8), (14, 16))) == ((1, 3), (8, 10))
    assert elided_spans("12", "12", ((0, 2),)) == ((0, 2),)


@pytest.mark.slow
def test_every_row_of_findings_has_room_for_its_text(demo: MainWindow, qapp: QApplication) -> None:
    """With a scroll bar there is less room, and more lines are needed."""
    demo.docks.left.show()
    qapp.processEvents()
    rows = demo.findings.list
    found = rows.count()
    for number in range(40):
        # Texts of every length: some of them need a line more.
        rows.add("已丢失的记录。" * 2 + "记" * number, "10:00:00", 0)
    qapp.processEvents()
    assert rows.verticalScrollBar().isVisible()
    for place in range(found, rows.count()):
        seen, text = rows.visualItemRect(rows.item(place)), rows.item(place).text()
        lines = min(5, len(wrap(text, seen.width() - 36.0, 12, 600)))
        assert seen.height() == 16 + lines * 17 + 16, (place, text)


@pytest.mark.slow
def test_rows_that_are_painted_again_are_not_broken_into_lines_anew(
    demo: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo.docks.left.show()
    rows = demo.findings.list
    rows.grab()
    asked: list[str] = []

    def noted(text: str, *how: float) -> tuple[str, ...]:
        asked.append(text)
        return (text,)

    monkeypatch.setattr(lists, "wrap", noted)
    rows.grab()
    assert rows.count()
    assert asked == []


@pytest.mark.parametrize("made", ["elided", "label"])
def test_a_pill_has_the_same_room_on_both_sides(qtbot: QtBot, made: str) -> None:
    pill = Elided("replicas 1, 3, 2", "tag") if made == "elided" else label("replicas 1, 3, 2", "tag")
    qtbot.addWidget(pill)
    pill.setStyleSheet(style_sheet(load_theme("light")))
    pill.ensurePolished()
    sides = pill.contentsMargins()

    assert sides.left() == sides.right() == 8
    assert pill.sizeHint().width() == pill.fontMetrics().horizontalAdvance(pill.text()) + 16


def test_a_count_has_its_room_before_a_name_that_is_long(qtbot: QtBot) -> None:
    rows = filter_list("Topics")
    qtbot.addWidget(rows)
    add_row(rows, "a-topic-with-a-name-longer-than-the-list-is-wide", "1,204 of 3,000", None)
    rows.resize(220, 60)
    rows.show()
    qtbot.waitExposed(rows)
    line = rows.itemWidget(rows.item(0))
    assert line is not None
    name, count = line.findChildren(QLabel)

    assert count.geometry().right() <= rows.viewport().width()
    assert count.width() >= count.sizeHint().width()
    assert name.toolTip() == "a-topic-with-a-name-longer-than-the-list-is-wide"
