"""The real window on the offscreen platform, with its settings in a folder of the test."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.compare.comparison import Run
from core.work import QUIET, Work
from gui import simulating, store
from gui.app import application
from gui.dialogs import ASKING, Dialogs
from gui.i18n import language
from gui.loading import Loaded
from gui.main_window import MainWindow
from gui.previews import runs_of
from gui.settings import Settings
from gui.simulating import Asked
from gui.welcome import PAIR


class Answers:
    """What the person would answer; a dialog that nobody expected fails the test."""

    def __init__(self) -> None:
        self.files: tuple[str, ...] | None = None
        self.folder: str | None = None
        self.save: str | None = None
        self.export: str | None = None
        self.scenario: str | None = None
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
            export_to=lambda *_: self.take("export"),
            choose=lambda *_: self.take("choice"),
            lose_notes=lambda *_: self.take("notes"),
            lose_text=lambda *_: self.take("text"),
        )


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return application()


@pytest.fixture(scope="session")
def replayed() -> dict[str, Loaded]:
    """Runs by what was asked: a run is a value, and a hundred windows show the same one."""
    return {}


@pytest.fixture(autouse=True)
def replay_once(monkeypatch: pytest.MonkeyPatch, replayed: dict[str, Loaded]) -> None:
    def replay(asked: Asked, work: Work) -> Loaded:
        name = f"{language()} {asked}"
        if name not in replayed:
            replayed[name] = simulating.replay(asked, work)
        return replayed[name]

    monkeypatch.setattr(store, "replay", replay)
    monkeypatch.setattr(store, "runs_of", _runs_of)


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
def window(qtbot: QtBot, undressed: None, settings: Settings, answers: Answers) -> Iterator[MainWindow]:
    made = MainWindow(settings, answers.dialogs())
    made.resize(1600, 1000)
    qtbot.addWidget(made, before_close_func=lambda _: answers.discard())
    made.show()
    qtbot.waitExposed(made)
    yield made
    answers.discard()
    made.close()


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


@pytest.fixture
def demo(opened: Callable[[Callable[[], None]], MainWindow], window: MainWindow) -> MainWindow:
    """The comparison of hw-loss in three eras, as `tidegauge demo` opens it."""
    return opened(lambda: window.store.open_simulated("hw-loss", PAIR))
