"""The real window on the offscreen platform, with its settings in a folder of the test."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final

import pytest
from PySide6.QtCore import QEvent, QObject, QSettings
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from core.compare.comparison import Run
from core.diagnose.verdict.check import triaged
from core.diagnose.verdict.summary import Triage
from core.picture.memo import Same, keeping
from core.sim.ablation.outcome import Outcome
from core.sim.ablation.protections import Ablation
from core.trace.digest import content_digest
from core.trace.times import zone_shown
from core.trace.trace import Trace
from core.work import QUIET, Work
from gui.app import application
from gui.search.overlay import find_overlay
from gui.text.spoken import language
from gui.window import causing
from gui.window.dialogs import ASKING, Dialogs
from gui.window.garbage import collect, collect_here
from gui.window.main_window import MainWindow
from gui.window.settings import Settings
from gui.window.text_size import asked_for, use_text_size
from gui.workspace import jobs, loading, requests, simulating, switchboard
from gui.workspace.draft import Draft
from gui.workspace.loading import Found, Loaded
from gui.workspace.simulating import PAIR, Asked, runs_of
from gui.workspace.store import PREVIEWS
from tests.by_hand import close_tabs
from tests.forked import Forked
from tests.monkey import going_back

PATIENCE_MS: Final = 240_000
FIRST: Final = frozenset(f"test_{name}" for name in ("every_action", "pages", "reflow", "screens", "tasks"))
"""Modules whose windows have the first page: they go from it, or measure all that a window may have in it."""
BY_HAND: Final = frozenset(
    f"test_{name}"
    for name in (
        *("causes", "counterexamples", "import_dialog", "ladder", "lesson_writer", "lessons", "presenter"),
        *("process", "stage", "switchboard", "watchdog"),
    )
)
"""Modules that open something in their own way, and tell nothing of the first page."""
JUDGING: Final = frozenset(
    f"test_{name}" for name in ("causes", "process", "reading", "switchboard", "watchdog")
)
"""Modules that tell of the judging: how far it is, how long it takes, what it is asked for."""


def patient(wait: Callable[..., Any]) -> Callable[..., Any]:
    """One of pytest-qt's ways to wait, that gives up only where a test hangs, however busy the machine is.

    A wait that is not to raise expects nothing to come (`assertNotEmitted`): it takes as long as it was told.
    """

    @wraps(wait)
    def waiting(*asked: Any, timeout: int = 0, raising: bool = True, **how: Any) -> Any:
        if not raising:
            return wait(*asked, timeout=timeout, raising=False, **how)
        return wait(*asked, timeout=max(timeout, PATIENCE_MS), **how)

    return waiting


for _name in ("waitSignal", "waitSignals", "waitUntil", "waitActive", "waitExposed"):
    setattr(QtBot, _name, patient(getattr(QtBot, _name)))


class Answers:
    """What the person would answer; a dialog that nobody expected fails the test."""

    def __init__(self) -> None:
        self.files: tuple[str, ...] | None = None
        self.folder: str | None = None
        self.save: str | None = None
        self.export: str | None = None
        self.scenario: str | None = None
        self.table: str | None = None
        self.lesson: str | None = None
        self.choice: str | None = None
        self.notes: str | None = None
        self.text: str | None = None

    def discard(self) -> None:
        """The window is closed whatever would be lost."""
        self.notes = self.text = "discard"

    def take(self, name: str) -> object:
        answer = getattr(self, name)
        assert answer is not None, f"nobody expected to be asked for {name}"
        return answer

    def dialogs(self) -> Dialogs:
        return replace(
            ASKING,
            open_files=lambda *_: self.take("files"),
            open_folder=lambda *_: self.take("folder"),
            save_document=lambda *_: self.take("save"),
            save_scenario=lambda *_: self.take("scenario"),
            save_table=lambda *_: self.take("table"),
            save_lesson=lambda *_: self.take("lesson"),
            export_to=lambda *_: self.take("export"),
            choose=lambda *_: self.take("choice"),
            lose_notes=lambda *_: self.take("notes"),
            lose_text=lambda *_: self.take("text"),
        )


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return application()


@pytest.fixture(scope="session", autouse=True)
def imported_before() -> Iterator[None]:
    """Imports are read by children that need not import our modules first."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(jobs, "_SPAWN", Forked())
        yield


@pytest.fixture(autouse=True)
def garbage_goes_here(qapp: QApplication) -> Iterator[None]:
    """As in the program: what a window left in cycles goes in its thread, not in that of the documents."""
    timed = QObject()
    collect_here(timed)
    yield
    collect()


@pytest.fixture(scope="session")
def replayed() -> dict[str, Loaded]:
    """Runs by what was asked: a run is a value, and a hundred windows show the same one."""
    return {}


@pytest.fixture(autouse=True)
def replay_once(monkeypatch: pytest.MonkeyPatch, replayed: dict[str, Loaded]) -> None:
    replay_from(replayed, monkeypatch)


@pytest.fixture(scope="session")
def judged_before() -> dict[str, Found]:
    """What was found of traces, by all that they hold: many windows open the same few."""
    return {}


@pytest.fixture(autouse=True)
def judge_once(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, judged_before: dict[str, Found]
) -> None:
    """Window after window opens the same documents: they are judged once, but where that is told of."""
    if request.path.stem in JUDGING:
        return
    find = loading.found_in

    def found_in(traces: Sequence[Trace], stored: Triage | None, work: Work) -> Found:
        if len(traces) != 1:
            return find(traces, stored, work)
        name = _all_of(traces[0])
        if name not in judged_before:
            judged_before[name] = find(traces, None, work)
        known = judged_before[name]
        return replace(known, triage=stored or known.triage)

    monkeypatch.setattr(loading, "found_in", found_in)


def triaged_once(trace: Trace) -> Triage:
    """What `triaged` finds of a trace, found once for the last traces that tests share."""
    return _triaged(Same((trace,), trace))


@keeping(8)
def _triaged(same: Same[Trace]) -> Triage:
    return triaged(same.value)


def _all_of(trace: Trace) -> str:
    """A name for what a trace holds, with what its digest leaves out: its name, its report and kept lines."""
    report = json.dumps(trace.report, sort_keys=True, default=repr)
    return f"{language()} {zone_shown()} {trace.name} {content_digest(trace)} {report} {list(trace.lines)}"


@pytest.fixture(autouse=True)
def causes_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the tests of causes wait for them: what comes when it is found moves under no other test."""
    monkeypatch.setattr(causing.FindCauses, "answer", lambda asked, _work: asked.comparison)


@pytest.fixture(autouse=True)
def protections_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the tests of the switchboard wait until each rule was flipped once."""

    def answer(asked: switchboard.FindProtections, _work: Work) -> Ablation:
        return Ablation(asked.setup, Outcome(), (), (), ())

    monkeypatch.setattr(switchboard.FindProtections, "answer", answer)


def replay_from(replayed: dict[str, Loaded], patched: pytest.MonkeyPatch) -> None:
    def replay(asked: Asked, work: Work) -> Loaded:
        name = f"{language()} {asked}"
        if name not in replayed:
            replayed[name] = simulating.replay(asked, work)
        return replayed[name]

    patched.setattr(requests, "replay", replay)
    patched.setattr(requests, "runs_of", _runs_of)


@cache
def _previews(names: tuple[str, ...], era: str) -> dict[str, Run]:
    return runs_of(names, era, QUIET)


def _runs_of(names: tuple[str, ...], era: str, _work: Work) -> dict[str, Run]:
    return _previews(names, era)


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def undressed(qapp: QApplication) -> None:
    """The application as the program finds it at its start: the window brings its style sheet.

    Under a sheet each widget that is put into another is styled again: a window takes three times as long.
    Windows of earlier tests are deleted first: otherwise they wait for a loop of events, and are styled too.
    """
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.setStyleSheet("")


@pytest.fixture
def first_view(request: pytest.FixtureRequest) -> str:
    """What a window begins with: as the program, which makes no first page where it is told what to open."""
    module, told = request.path.stem, bool({"opened", "demo"} & set(request.fixturenames))
    return "timeline" if module in BY_HAND or (told and module not in FIRST) else "welcome"


@pytest.fixture
def window(
    qtbot: QtBot, undressed: None, settings: Settings, answers: Answers, first_view: str
) -> Iterator[MainWindow]:
    made = MainWindow(settings, answers.dialogs(), view=first_view)
    made.resize(1600, 1000)
    qtbot.addWidget(made, before_close_func=lambda _: answers.discard())
    made.show()
    qtbot.waitExposed(made)
    yield made
    answers.discard()
    made.close()
    if settings.get("text_size") != 100:
        # It holds for the whole application: the next test would have it, too.
        use_text_size(round(100 / asked_for()), lambda: None)


@pytest.fixture(scope="module")
def standing(
    qapp: QApplication, replayed: dict[str, Loaded], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MainWindow]:
    """A window for all tests of a file: one costs a quarter of a second. Each test begins with `anew`."""
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.setStyleSheet("")
    file = tmp_path_factory.mktemp("settings") / "settings.ini"
    made = MainWindow(Settings(QSettings(str(file), QSettings.Format.IniFormat)), going_back())
    with pytest.MonkeyPatch.context() as patched:
        replay_from(replayed, patched)
        made.resize(1600, 1000)
        made.show()
        while PREVIEWS in made.jobs.asked():
            QApplication.processEvents()
    yield made
    made.person.dialogs = going_back()
    made.close()
    made.deleteLater()


def anew(window: MainWindow, answers: Answers) -> MainWindow:
    """The window as at its first start, whatever a test did to it: nothing open, nothing remembered."""
    window.person.dialogs = going_back()
    for dialog in window.findChildren(QDialog):
        dialog.close()
    frame = find_overlay(window)
    if frame is not None:
        frame.leave()
    window.finder.hide()
    close_tabs(window)
    window.show_view("welcome")
    window.notices.hide()
    window.resize(1600, 1000)
    window.restoreState(window.first_layout[0])
    window.docks.panels.restoreState(window.first_layout[1])
    window.settings._store.clear()
    window.session.set_speed(1.0)
    window.session.set_scenario(Draft())
    window.person.dialogs = answers.dialogs()
    # Where the mouse of another test was is nowhere.
    QApplication.sendEvent(window.stage.canvas, QEvent(QEvent.Type.Leave))
    window.activateWindow()
    QApplication.processEvents()
    return window


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow) -> Callable[[Callable[[], None]], MainWindow]:
    """Do something that opens content, and wait for it."""

    def run(begin: Callable[[], None]) -> MainWindow:
        with qtbot.waitSignal(window.store.opened, timeout=60_000):
            begin()
        # The timeline is laid out in a turn of the loop that follows.
        for _ in range(6):
            QApplication.processEvents()
        return window

    return run


def on_lanes(window: MainWindow) -> MainWindow:
    """The lanes of what is open, drawn: an import opens on the page of its incident."""
    window.actions_["timeline"].trigger()
    for _ in range(6):
        QApplication.processEvents()
    return window


@pytest.fixture
def demo(opened: Callable[[Callable[[], None]], MainWindow], window: MainWindow) -> MainWindow:
    """The comparison of hw-loss in three eras, as `tidegauge demo` opens it."""
    return opened(lambda: window.store.open_simulated("hw-loss", PAIR))
