"""Every page, panel and dialog on each screen, in each language and theme: no text that cannot be read.

Nothing lies over something else, and nothing is out of reach. In the made-up language (tests/pseudo.py)
sentences are a third longer, and what comes past the catalogues is seen.

A screen with a scale is laid out as one that is smaller by it: tests/gui_window/test_reflow.py holds that.
"""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QDeadlineTimer, QSize, Qt
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.errors import Facts, at
from core.message import message
from core.teaching.library import lesson
from db.document import create
from gui.i18n import use_language
from gui.panels.lists import LedgerPanel
from gui.panels.partition_head import head_tags
from gui.panels.parts import Elided
from gui.search.overlay import find_overlay
from gui.style import style_sheet
from gui.text.spoken import language
from gui.theme import THEMES, load_theme
from gui.window.main_window import MainWindow
from gui.window.reflow import Side
from gui.window.settings import Settings
from gui.workspace.conforming import CONFORM
from gui.workspace.jobs import Failure
from gui.workspace.lesson_player import Player, at_step
from gui.workspace.simulating import PAIR
from tests import pseudo
from tests.clipped import clipped, outside, unreadable
from tests.gui_window.conftest import triaged_once
from tests.gui_window.test_all_chinese import IDENTIFIERS, NAMES
from tests.monkey import going_back
from tests.recordings.whole import sampled
from tests.visible_texts import texts

pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support", "does not support propagateSizeHints"),
    pytest.mark.broad(9),
]
SCREENS = (
    (960, 540, 100),
    (1280, 720, 100),
    (1366, 768, 100),
    (1920, 1080, 100),
    (1920, 1080, 150),
    (3840, 2160, 200),
    (3840, 2160, 300),
)
"""Width and height in pixels of the screen, and its scale in percent."""
SIZES = sorted({(width * 100 // scale, height * 100 // scale) for width, height, scale in SCREENS})
"""In logical pixels."""
FOLDER = "a folder whose name is as long as the story of an incident sometimes is"
FOUR = ("0.10.2", "0.11", "2.8", "4.1")
_ASKS = 4
"""The step of the lesson on the loss by truncation that asks where broker B will cut."""


@pytest.fixture(params=[pseudo.LANGUAGE, "zh", "en"])
def spoken(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with pseudo.dropped(tmp_path) if request.param == pseudo.LANGUAGE else nullcontext():
        assert use_language(request.param) == request.param
        yield request.param
        use_language("en")


@pytest.fixture(scope="session")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording that the program brings along, as a document."""
    trace = sampled("k0102-hw-loss")
    made = tmp_path_factory.mktemp(FOLDER) / "night.tide"
    create(made, [trace], found=[triaged_once(trace)])
    return made


_TURNS = 12
"""So many turns of the loop are waited for at least: on a busy machine one look takes seconds."""


class Viewer:
    """Goes through a window at each size, and keeps what cannot be read."""

    def __init__(self, window: MainWindow, *, every: bool) -> None:
        """`every`: each state at each size; else at the smallest, and at a third of the others in turn."""
        self.window = window
        self.every = every
        self.states = 0
        self.faults: list[str] = []
        self.looks = 0
        self.reads = language() == pseudo.LANGUAGE
        self.read: set[str] = set()
        self.plain: dict[str, str] = {}
        """Texts that came past the catalogues, with their words: told apart in the made-up language alone."""

    def look(self, state: str) -> None:
        self.looks += 1
        if self.reads:
            self._read(state)
        found: list[str] = []
        patience, turns = QDeadlineTimer(4_000), 0
        while turns < _TURNS or not patience.hasExpired():
            # Labels that wrap, and docks, find their sizes over some turns.
            turns += 1
            QApplication.processEvents()
            found = [
                fault
                for top in QApplication.topLevelWidgets()
                if top.isVisible()
                for fault in (*unreadable(top), *self._of_lanes(top))
            ]
            if not found:
                return
        self.faults.extend(f"{state}: {fault}" for fault in found)

    def _of_lanes(self, top: QWidget) -> list[str]:
        """What is wrong with the marks of the lanes, where they are what is open."""
        canvas = self.window.stage.canvas
        if top is not self.window or canvas.picture is None or not canvas.isVisible() or not canvas.answers:
            return []
        look = self.window.stage.look()
        if canvas.picture.width != look.width:
            return [f"the lanes are drawn {canvas.picture.width} wide in {look.width}"]
        return outside(canvas.picture, look.gutter)

    def _read(self, state: str) -> None:
        raw = {line.text for trace in self.window.session.traces for line in trace.lines}
        for top in QApplication.topLevelWidgets():
            for where, text in texts(top) if top.isVisible() else ():
                if text not in self.read and text not in IDENTIFIERS:
                    self.read.add(text)
                    said = "\n".join(line for line in text.splitlines() if line not in raw)
                    said = said.replace(FOLDER, "")
                    words = pseudo.plain_words(pseudo.without_lessons(said), pseudo.KNOWN | NAMES)
                    if words:
                        self.plain[f"{where}: {text[:160]}"] = f"{state}: {' '.join(words)}"

    def at_each_size(self, state: str, *actions: str) -> None:
        """Trigger the actions, and look at what is shown then, with all docks where there are some."""
        for action in actions:
            self.window.actions_[action].trigger()
        self.states += 1
        for place, size in enumerate(SIZES):
            if not self.every and place and (place + self.states) % 3:
                continue
            self.window.resize(*size)
            docks = self.window.docks
            if self.window.views.currentWidget() is not self.window.shown:
                self.look(f"{state} at {size[0]}")
            elif docks.room.side is Side.BESIDE:
                for dock in (docks.left, docks.right):
                    dock.show()
                # What is looked for stands in the place of the drawer.
                docks.drawer.setVisible(self.window.finder.isHidden())
                self.look(f"{state} at {size[0]}")
            else:
                self.look(f"{state} at {size[0]}")
                # One after the other lies over the lanes.
                dock = (docks.left, docks.right, docks.drawer)[self.looks % 3]
                dock.show()
                self.look(f"{state} with {dock.objectName()} at {size[0]}")
                dock.hide()
            least = self._least(QSize(*size))
            if self.window.size() != QSize(*size) or least.boundedTo(QSize(*size)) != least:
                self.faults.append(f"{state} at {size[0]} needs {least.width()}x{least.height()}")

    def _least(self, room: QSize) -> QSize:
        """The size that the window needs at the least; a page takes some turns to give up its wide sides."""
        least = QSize()
        for _ in range(_TURNS):
            layout = self.window.layout()
            least = QSize() if layout is None else layout.totalMinimumSize()
            if least.boundedTo(room) == least:
                break
            QApplication.processEvents()
        return least

    def ask(self, action: str) -> None:
        """Look at a dialog over the largest window, and close it."""
        self.window.resize(*SIZES[-1])
        self.window.actions_[action].trigger()
        self.look(action)
        for dialog in self.window.findChildren(QDialog):
            dialog.close()


def go_through(viewer: Viewer, opened_in: Callable[[Callable[[], None]], None], document: Path) -> None:
    window = viewer.window
    viewer.at_each_size("welcome")
    for page in ("lessons", "articles", "counterexamples", "scenario"):
        viewer.at_each_size(page, page)
    for dialog in ("settings", "about", "keys", "process"):
        viewer.ask(dialog)
    # What a lesson and a command say is in no catalogue.
    viewer.reads = False
    window.pages.course.remember((f"loss-by-truncation {_ASKS} 1 1",))
    viewer.at_each_size("course", "course")
    asking = at_step(Player(lesson("loss-by-truncation", language())), _ASKS)
    window.pages.course.begin(asking.lesson, _ASKS)
    viewer.at_each_size("a lesson that asks")
    window.pages.course.player.ended.emit(asking)
    viewer.at_each_size("the result of a lesson")
    window.pages.course.show_list()
    opened_in(lambda: window.store.open_simulated("hw-loss", ("2.8",)))
    viewer.at_each_size("switchboard", "switchboard")
    window.actions_["switchboard"].trigger()
    # Of more tabs than fit the last are in the list at the end alone.
    window.actions_["close"].trigger()
    viewer.reads = language() == pseudo.LANGUAGE
    opened_in(lambda: window.store.open_simulated("hw-loss", FOUR))
    viewer.at_each_size("four runs")
    opened_in(lambda: window.store.open_simulated("hw-loss", PAIR))
    for landmark in ("first", "next-truncation", "select", "next-loss", "last"):
        viewer.at_each_size(f"three runs, {landmark}", landmark)
    opened_in(lambda: window.store.open_groups(((str(document),),)))
    window.actions_["conformance"].trigger()
    window.jobs.wait_for(CONFORM)
    assert window.pages.conformance.details.go.isVisible()
    viewer.at_each_size("conformance")
    for page in ("incident", "triage", "report"):
        viewer.at_each_size(page, page)
    window.pages.triage.as_grid.click()
    viewer.at_each_size("grid of brokers and partitions", "triage")
    for landmark in ("timeline", "next-loss", "select", "next-isr", "note", "find"):
        viewer.at_each_size(f"timeline, {landmark}", landmark)
    window.note_editor.hide()
    viewer.ask("export")
    window.show_failure(Failure(Facts(message("error.document.none"), where=at("/a/b.tide")), "a report"))
    window.progress.report("content", 1, 2, message("progress.order"))
    window.progress.show()
    viewer.at_each_size("a failure and progress")


@pytest.mark.slow
@pytest.mark.thinned(5)
@pytest.mark.parametrize("theme", THEMES)
def test_every_text_can_be_read(
    qtbot: QtBot,
    settings: Settings,
    spoken: str,
    theme: str,
    document: Path,
    request: pytest.FixtureRequest,
) -> None:
    """Where room is least all states are looked at; of other sizes a third, all with --every-case."""
    settings.put("theme", theme)
    window = MainWindow(settings, going_back())
    qtbot.addWidget(window)
    window.resize(*SIZES[0])
    window.show()
    qtbot.waitExposed(window)

    def opened_in(begin: Callable[[], None]) -> None:
        with qtbot.waitSignal(window.store.opened, timeout=60_000):
            begin()

    viewer = Viewer(window, every=bool(request.config.getoption("--every-case")))
    go_through(viewer, opened_in, document)
    assert viewer.looks > 30
    window.close()
    assert viewer.read if spoken == pseudo.LANGUAGE else not viewer.read
    assert viewer.plain == {}, "\n".join(f"{words} <- {text}" for text, words in viewer.plain.items())
    assert viewer.faults == [], "\n".join(viewer.faults)


def test_a_text_that_is_cut_is_found(qtbot: QtBot) -> None:
    cut, wrapped, button, told = QLabel("a long text"), QLabel("words " * 20), QPushButton("Export"), Elided()
    wrapped.setWordWrap(True)
    told.setText("a long text")
    top = QDialog()
    qtbot.addWidget(top)
    for child, width in ((cut, 30), (wrapped, 80), (button, 20), (told, 30)):
        child.setParent(top)
        child.resize(width, 18)
    outside = QLabel("beside", top)
    outside.move(390, 0)
    top.resize(400, 200)
    top.show()
    qtbot.waitExposed(top)

    assert [fault.split(" ", 1)[0] for fault in clipped(top)] == ["QLabel", "QLabel", "QPushButton", "QLabel"]
    assert told.shown() != told.text() == told.toolTip()
    told.resize(300, 18)
    assert (told.shown(), told.toolTip()) == (told.text(), "")


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_less_important_has_the_colour_that_can_be_read(theme: str, qtbot: QtBot) -> None:
    label = QLabel("a line around the one that is meant")
    qtbot.addWidget(label)
    label.setStyleSheet(style_sheet(load_theme(theme)))
    label.ensurePolished()
    assert label.palette().placeholderText().color() == load_theme(theme).colour("text.3")


def test_the_ledger_has_room_for_a_font_that_comes_after_its_width(demo: MainWindow) -> None:
    demo.resize(*SIZES[0])
    demo.docks.left.show()
    QApplication.processEvents()
    ledger, *_ = demo.docks.left.findChildren(LedgerPanel)
    ledger.setStyleSheet("QLabel { font-size: 19px; }")
    QApplication.processEvents()
    assert clipped(ledger) == []


def test_the_head_and_the_title_bar_name_the_partition(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        window.store.open_simulated("hw-loss", ("2.8",))
    head, content = window.partition_head, window.session.content
    assert content is not None
    history = content.runs[0].history
    assert window.title_bar.name.text() == head.name.text() == str(history.trace.partitions[0].tp)
    assert [tag.text() for tag in head.tags] == ["replicas 1, 2", "Kafka 2.8"]
    window.session.set_window((1_500_000_000, 91_500_000_000))
    assert head.when.text() == "1.500 s – 91.500 s, 1 min 30 s"
    jumps = window.transport.jumps
    assert (jumps["difference"].isHidden(), jumps["isr"].isHidden()) == (True, False)

    qtbot.mouseClick(window.title_bar.search, Qt.MouseButton.LeftButton)
    assert find_overlay(window) is not None


def test_the_head_names_settings_that_all_brokers_have_alike(demo: MainWindow) -> None:
    content = demo.session.content
    assert content is not None
    run = content.runs[0]
    facts = {
        "config.broker-1.min.insync.replicas": "2",
        "config.broker-2.min.insync.replicas": "2",
        "config.broker-1.unclean.leader.election.enable": "true",
        "config.broker-2.unclean.leader.election.enable": "false",
    }
    history = replace(run.history, trace=replace(run.history.trace, facts=facts))
    tags = head_tags(replace(content, runs=(replace(run, history=history),), comparison=None))
    assert tags == ("replicas 1, 2", "Kafka 0.10.2", "min.insync.replicas=2")
    topic = history.trace.partitions[history.partition].tp.topic
    own = {**facts, f"config.topic-{topic}.unclean.leader.election.enable": "true"}
    of_topic = replace(history, trace=replace(history.trace, facts=own))
    tags = head_tags(replace(content, runs=(replace(run, history=of_topic),), comparison=None))
    assert tags[2:] == ("min.insync.replicas=2", "unclean.leader.election.enable=true")
    many = replace(history, replicas=dict.fromkeys(range(1, 13), history.replicas[1]))
    (tag, *_) = head_tags(replace(content, runs=(replace(run, history=many),), comparison=None))
    assert tag == "12 replicas"


def test_a_comparison_has_no_head_of_one_partition(demo: MainWindow) -> None:
    assert demo.partition_head.isHidden()
    jumps = demo.transport.jumps
    assert (jumps["difference"].isHidden(), jumps["isr"].isHidden()) == (False, True)


@pytest.mark.slow
def test_lines_around_the_one_that_is_meant_follow_the_theme(demo: MainWindow) -> None:
    demo.actions_["next-loss"].trigger()
    demo.docks.drawer.show()
    QApplication.processEvents()
    (around, *_) = (place for place, row in enumerate(demo.evidence.rows) if row.seq is None)
    for theme in ("dark", "light"):
        demo.session.set_theme(theme)
        item = demo.evidence.table.item(around, 0)
        assert item is not None
        assert item.foreground().color() == load_theme(theme).colour("text.3")
