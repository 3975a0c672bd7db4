"""The window in Chinese: every page, panel and dialog over three documents, and what of it is English."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.diagnose.verdict.check import triaged
from core.errors import Facts, at
from core.kafka.switches import SWITCHES
from core.message import Listing, message
from core.model.invariants import INVARIANTS
from core.model.variants import ABLATIONS
from core.model.variants import NAMES as VARIANT_NAMES
from core.picture.marks import Ref
from core.sim.library import scenario_ids
from db.document import create
from gui.i18n import use_language
from gui.window.import_dialog import ImportDialog
from gui.window.main_window import MainWindow
from gui.window.settings import Settings
from gui.workspace.conforming import CONFORM
from gui.workspace.jobs import Failure
from gui.workspace.simulating import PAIR
from importers.load import load
from tests.archives import unpack_recording
from tests.monkey import going_back
from tests.visible_texts import english_in, texts

pytestmark = [
    pytest.mark.slow,
    # What the offscreen platform says of menus and windows that are not the first.
    pytest.mark.qt_log_ignore("This plugin does not support"),
]
KNOWN = """
Kafka KRaft ZooKeeper broker Broker Leader Follower Epoch ISR LEO HW ELR KIP PR acks lag fence fenced unclean
Tidegauge Python Qt Linux Windows Darwin TOML PNG SVG PDF GIF HTML CSV JSON Parquet UTC Wiki English offscreen
Apache Spark local License Inter JetBrains Mono Noto Sans SC SIL Open Font Software Foundation
Ctrl Shift Alt Esc Space Enter Return Tab Del Delete Home End Up Down Backspace ms min kB MB step
DEBUG TRACE
"""
"""Kafka's words as engineers say them in Chinese too; names of programs, formats and licences; keys, units,
levels of logs, what is typed at "go to", and the master of Spark that is this machine."""
WORDS = frozenset(KNOWN.split())
NAMES = frozenset(
    (
        *(*scenario_ids(), "orders", "clicks", "audit", "events", "ledger", "hw-counts", "pay", "SQL"),
        *(
            word
            for name in (*VARIANT_NAMES, *(f"without {one}" for one in ABLATIONS))
            for word in name.split()
        ),
        *(one.name for one in INVARIANTS),
    )
)
"""Of scenarios, topics, switches, variants of the model and its invariants, within sentences."""
IDENTIFIERS = frozenset(
    text
    for switch in SWITCHES
    for text in (
        switch.name,
        *switch.values,
        *((f"{switch.release} · {switch.ticket}",) if isinstance(switch.release, str) else ()),
    )
)
"""Texts that are nothing but names of switches, of their values, of releases and tickets."""
PAGES = (
    *("welcome", "triage", "report", "lessons", "articles", "counterexamples"),
    *("conformance", "scenario", "timeline"),
)
ONCE = ("about", "keys", "settings", "process", "palette", "go-to", "find")
"""Dialogs and overlays that say the same of every document."""
PLACES = ("first", "next-loss", "select", "next-truncation", "next-difference", "last")
ASKING = ("last-change", "note", "export")


@pytest.fixture
def hit(qtbot: QtBot, undressed: None, settings: Settings) -> Iterator[MainWindow]:
    use_language("zh")
    window = MainWindow(settings, going_back())
    window.resize(1600, 1000)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()
    use_language("en")


class Reader:
    """Goes through a window, and keeps what is English in it."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.read: set[str] = set()
        self.english: dict[str, str] = {}

    def look(self, state: str) -> None:
        QApplication.processEvents()
        raw = {line.text for trace in self.window.session.traces for line in trace.lines}
        for top in QApplication.topLevelWidgets():
            if top.isVisible():
                self._look_at(top, state, raw)

    def _look_at(self, top: QWidget, state: str, raw: set[str]) -> None:
        for where, text in texts(top):
            if text not in self.read and text not in IDENTIFIERS:
                self.read.add(text)
                said = "\n".join(line for line in text.splitlines() if line not in raw)
                words = english_in(said, WORDS | NAMES)
                if words:
                    self.english[f"{state}, {where}: {text[:160]}"] = " ".join(words)

    def act(self, name: str, state: str) -> None:
        action = self.window.actions_[name]
        if not action.isEnabled():
            return
        action.trigger()
        self.window.jobs.wait_for(CONFORM)
        self.look(f"{state}, {name}")

    def ask(self, name: str, state: str) -> None:
        """Open what an action opens beside or above the window, and close it."""
        self.act(name, state)
        for top in QApplication.topLevelWidgets():
            if top.isVisible() and top is not self.window:
                top.close()
        self.window.actions_["clear"].trigger()

    def _select_lanes(self, state: str) -> None:
        session = self.window.session
        before, content = session.selection, session.content
        for broker in content.runs[0].history.replicas if content else ():
            session.select(Ref("lane", 0, broker, broker))
            self.look(f"{state}, broker {broker}")
        session.select(before)

    def go_through(self, state: str) -> None:
        for dock in (self.window.docks.left, self.window.docks.right, self.window.docks.drawer):
            dock.show()
        for page in PAGES:
            self.act(page, state)
        for dock in (self.window.docks.left, self.window.docks.right, self.window.docks.drawer):
            dock.show()
        for place in PLACES:
            self.act(place, state)
            self._select_lanes(f"{state}, {place}")
        self.act("narration", state)
        for dialog in ASKING:
            self.ask(dialog, state)


def test_nothing_that_is_shown_is_english(
    qtbot: QtBot, hit: MainWindow, opened_in: Callable[[Callable[[], None]], None], tmp_path: Path
) -> None:
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    # What an import cannot read has to be said, too.
    (folder / "server.log.broken").write_bytes(b"[2026-01-01 00:00:00,000] what is this\n" * 5)
    trace = load([folder])
    document = tmp_path / "night.tide"
    create(document, [trace], found=[triaged(trace)])
    reader = Reader(hit)
    reader.look("welcome")
    hit.opening.open_paths((str(folder),))
    qtbot.waitUntil(lambda: hit.findChild(ImportDialog) is not None, timeout=60_000)
    dialog = hit.findChild(ImportDialog)
    assert isinstance(dialog, ImportDialog)
    reader.look("import")
    dialog.reject()
    opened_in(lambda: hit.store.open_simulated("hw-loss", PAIR))
    reader.go_through("comparison")
    for dialog in ONCE:
        reader.ask(dialog, "comparison")
    opened_in(lambda: hit.store.open_groups(((str(document),),)))
    reader.go_through("document")
    opened_in(lambda: hit.store.open_simulated("overview", ("2.8",)))
    reader.go_through("run")
    hit.actions_["triage"].trigger()
    hit.pages.triage.as_grid.click()
    reader.look("grid")

    assert len(reader.read) > 1_000
    assert reader.english == {}


def test_an_error_and_progress_are_told_in_chinese(hit: MainWindow, qtbot: QtBot) -> None:
    facts = Facts(
        message("error.document.none"),
        where=at("/a/b.tide"),
        advice=message("error.choose-from", names=Listing(("a", "b"))),
    )
    hit.show_failure(Failure(facts))
    hit.progress.report("content", 1, 2, message("progress.order"))
    qtbot.waitUntil(hit.progress.isVisible)
    reader = Reader(hit)
    reader.look("failure")

    assert hit.notices.text() == "没有这个文档\n位置：/a/b.tide。\n可选：a、b。"
    assert reader.english == {}


@pytest.fixture
def opened_in(qtbot: QtBot, hit: MainWindow) -> Callable[[Callable[[], None]], None]:
    def run(begin: Callable[[], None]) -> None:
        with qtbot.waitSignal(hit.store.opened, timeout=120_000):
            begin()

    return run
