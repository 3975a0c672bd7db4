"""Several recordings, partitions and comparisons open at once, in the real window."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.trace.trace import Trace
from db.document import create
from gui.window.main_window import MainWindow
from gui.window.remembering import left_open
from gui.workspace import requests
from gui.workspace.edits import AddNote
from gui.workspace.jobs import JobRunner
from gui.workspace.one_or_two import Answer
from gui.workspace.pinned import PinnedNote
from gui.workspace.recall import Origins, Place, Remembered, to_text
from gui.workspace.simulating import PAIR
from tests.archives import unpack_recording
from tests.gui_window.conftest import Answers
from tests.recordings.whole import whole

Opened = Callable[[Callable[[], object]], MainWindow]
RECORDINGS: Final = ("k28-unclean-loss", "k28-kip279-fix", "k39-unclean-loss")

ROOT: Final = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.qt_log_ignore("does not support propagateSizeHints"), pytest.mark.broad(8)]


@pytest.fixture(scope="module")
def traces() -> dict[str, Trace]:
    return {name: whole(name).trace for name in RECORDINGS}


@pytest.fixture
def documents(traces: dict[str, Trace], tmp_path: Path) -> list[str]:
    """A document of each recording."""
    paths: list[str] = []
    for name, trace in traces.items():
        create(tmp_path / f"{name}.tide", [trace])
        paths.append(str(tmp_path / f"{name}.tide"))
    return paths


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the requests that read something, in their order."""
    asked: list[str] = []
    reading = (requests.Import, requests.OpenDocument, requests.OpenPartition, requests.Look)
    for way in ("in_thread", "in_process"):
        real = getattr(JobRunner, way)

        def counting(
            self: JobRunner, question: str, request: Any, done: Any, real: Callable[..., None] = real
        ) -> None:
            if isinstance(request, reading):
                asked.append(type(request).__name__)
            real(self, question, request, done)

        monkeypatch.setattr(JobRunner, way, counting)
    return asked


def turn() -> None:
    for _ in range(8):
        QApplication.processEvents()


def idle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.jobs.asked())
    turn()


def named(window: MainWindow) -> list[str]:
    return [tab.label.what for tab in window.tabs.open.tabs]


def note(window: MainWindow, text: str) -> None:
    session = window.session
    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, 1, text, 1)))


@pytest.mark.slow
def test_three_recordings_and_two_comparisons_side_by_side(
    window: MainWindow, opened: Opened, documents: list[str], answers: Answers, qtbot: QtBot, reads: list[str]
) -> None:
    session = window.session
    assert window.tab_row.isHidden()
    for path in documents:
        opened(lambda path=path: window.opening.open_paths((path,)))
    assert (len(window.tabs.open.tabs), window.tab_row.isVisible()) == (3, True)
    titles = [tab.label.of for tab in window.tabs.open.tabs]
    assert titles == [Path(path).name for path in documents]
    # The third beside a partition of the first, and that of the second beside it.
    for place, source in ((2, 0), (0, 1)):
        window.side_by_side.choose(window.tabs.open.tabs[place].key)
        one = window.tabs.open.tabs[source].label
        answers.choice = f"{one.what} — {one.of}"
        window.person.dialogs = answers.dialogs()
        with qtbot.waitSignal(window.store.opened):
            window.actions_["beside"].trigger()
        turn()
        assert session.content is not None
        assert session.content.comparison is not None
    assert [tab.label.compared for tab in window.tabs.open.tabs] == [False, True, False, False, True]
    assert reads == ["OpenDocument"] * 3

    # Each is where it was left, whichever way one comes to it.
    keys = [tab.key for tab in window.tabs.open.tabs]
    for position, key in enumerate(keys, start=1):
        window.side_by_side.choose(key)
        session.set_position(position)
    for _ in keys:
        window.actions_["next-tab"].trigger()
        turn()
        place = keys.index(window.tabs.open.current)
        assert session.position == place + 1
        assert window.viewing.lanes_shown() == (window.tabs.open.tabs[place].label.view == "")
    window.actions_["previous-tab"].trigger()
    assert window.tabs.open.current == keys[-2]
    assert reads == ["OpenDocument"] * 3


@pytest.mark.slow
def test_notes_of_a_comparison_are_asked_about_and_come_back_with_the_tab(
    window: MainWindow, opened: Opened, answers: Answers
) -> None:
    opened(lambda: window.store.open_simulated("hw-loss", PAIR))
    opened(lambda: window.store.open_simulated("overview", PAIR))
    key = window.tabs.open.current
    note(window, "nowhere else")
    answers.notes = ""
    window.actions_["close"].trigger()
    assert window.tabs.open.current == key
    answers.notes = "discard"
    window.actions_["close"].trigger()
    assert len(window.tabs.open.tabs) == 1
    assert window.session.notes == ()
    answers.notes = None
    window.actions_["reopen-tab"].trigger()
    assert [one.text for one in window.session.notes] == ["nowhere else"]
    # The other one has none: nobody is asked.
    window.side_by_side.close(window.tabs.open.tabs[0].key)
    assert window.tabs.open.current == key
    answers.notes = "discard"


def test_a_window_with_notes_in_a_tab_behind_asks_before_it_closes(
    window: MainWindow, opened: Opened, answers: Answers
) -> None:
    opened(lambda: window.store.open_simulated("hw-loss", PAIR))
    key = window.tabs.open.current
    note(window, "behind")
    opened(lambda: window.store.open_simulated("overview", PAIR))
    answers.notes = ""
    assert not window.close()
    assert window.tabs.open.current == key, "the notes that are asked about are in sight"
    answers.notes = "discard"
    assert window.close()


def test_back_and_forward_go_through_the_tabs(window: MainWindow, opened: Opened) -> None:
    opened(lambda: window.store.open_simulated("hw-loss", PAIR))
    first = window.tabs.open.current
    window.visits.settle()
    window.session.set_position(9)
    window.visits.settle()
    opened(lambda: window.store.open_simulated("overview", PAIR))
    second = window.tabs.open.current
    window.visits.settle()
    window.actions_["visit-back"].trigger()
    assert (window.tabs.open.current, window.session.position) == (first, 9)
    window.actions_["visit-forward"].trigger()
    assert window.tabs.open.current == second
    window.actions_["visit-back"].trigger()
    window.side_by_side.close(second)
    window.actions_["visit-forward"].trigger()
    assert window.tabs.open.current == first


def test_tabs_by_mouse(window: MainWindow, opened: Opened) -> None:
    for name in ("hw-loss", "overview", "hw-loss"):
        opened(lambda name=name: window.store.open_simulated(name, PAIR))
    bar, keys = window.tab_row.bar, window.tab_row.keys
    none = Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, none, bar.tabRect(0).center())
    assert window.tabs.open.current == keys[0]
    bar.moveTab(0, 2)
    assert [tab.key for tab in window.tabs.open.tabs] == [keys[1], keys[2], keys[0]]
    QTest.mouseClick(bar, Qt.MouseButton.MiddleButton, none, bar.tabRect(1).center())
    assert [tab.key for tab in window.tabs.open.tabs] == [keys[1], keys[0]]
    assert window.tabs.open.current == keys[0]
    assert not window.tab_row.all.isVisible()
    for _ in range(12):
        opened(lambda: window.store.open_simulated("overview", PAIR))
    turn()
    assert window.tab_row.all.isVisible()
    widths = [bar.tabRect(at).width() for at in range(bar.count())]
    assert min(widths) >= 120
    assert max(widths) <= 300
    front = bar.tabRect(bar.currentIndex())
    assert 0 <= front.left() < front.right() <= bar.width(), "the tab in front is in sight"


@pytest.mark.slow
def test_two_sources_are_two_until_somebody_says_otherwise(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, reads: list[str]
) -> None:
    paths = tuple(str(unpack_recording(name, tmp_path / name)[0]) for name in RECORDINGS[::2])
    window.opening.open_paths(paths)
    qtbot.waitUntil(lambda: len(window.tabs.open.tabs) == 3)
    idle(window, qtbot)
    assert reads == ["Import", "OpenDocument"]
    content, compared = window.session.content, window.tabs.open.current
    assert content is not None
    assert content.comparison is not None
    # 2.8.2 and 3.9.1, hours apart, each from epoch 0 on: two clusters.
    assert window.asking.isVisible()
    assert "proposed as a second one" in window.asking.text()
    assert "Kafka 2.8" in window.asking.text()
    window.asking.answered.emit(Answer.TWO)
    assert window.asking.undo.isVisible()
    window.asking.undo.click()
    assert window.asking.two.isVisible()

    window.asking.one.click()
    qtbot.waitUntil(lambda: len(window.tabs.open.tabs) == 4)
    idle(window, qtbot)
    merged = window.session.traces
    assert len(merged) == 1
    assert window.asking.undo.isVisible()
    before = len(reads)
    window.asking.undo.click()
    assert (window.tabs.open.current, len(window.tabs.open.tabs)) == (compared, 3)
    window.asking.one.click()
    assert window.session.traces == merged
    # Both again: what is open is not read again.
    window.opening.open_paths((paths[0],))
    assert window.session.content is not content
    assert len(reads) == before


_KILLED: Final = """
import json, os, signal, sys
from pathlib import Path
from PySide6.QtCore import QSettings
from gui.app import application
from gui.window.main_window import MainWindow
from gui.window.settings import Settings
from gui.workspace.requests import Side

app = application()
folder = Path(sys.argv[1])
settings = Settings(QSettings(str(folder / "s.ini"), QSettings.Format.IniFormat))
window = MainWindow(settings, view="timeline")
window.show()
tabs, store, session = window.tabs, window.store, window.session
traces = []
for number, path in enumerate(sys.argv[2:], start=1):
    store.open_groups(((path,),))
    window.desk.wait()
    session.set_position(number)
    traces.append(session.traces[0])
partition = session.content.partition
other = next(name for name in session.partitions if name != partition)
store.show_partition(other)
window.desk.wait()
session.set_position(7)
names = [tab.label.what for tab in tabs.open.tabs]
store.compare(tuple(Side(name, trace) for name, trace in zip(names, traces)))
window.desk.wait()
window.side_by_side.choose(tabs.open.tabs[1].key)
while not window.remembering._timer.isActive():
    app.processEvents()
while window.remembering._timer.isActive():
    app.processEvents()
print(json.dumps([tab.label.what for tab in tabs.open.tabs]), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_what_a_killed_window_had_open_is_open_again(
    window: MainWindow, documents: list[str], tmp_path: Path, qtbot: QtBot, reads: list[str]
) -> None:
    """A real process, ended as a crash or a power cut ends it; then the next start of another."""
    child = subprocess.run(
        [sys.executable, "-c", _KILLED, str(tmp_path), *documents],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == -9, child.stderr
    names = json.loads(child.stdout.splitlines()[-1])
    assert len(names) == 4
    what = left_open()
    assert what is not None
    assert left_open() is None, "it is offered once"

    window.side_by_side.restore(what)
    qtbot.waitUntil(lambda: "Restored" in window.notices.text())
    assert window.notices.text() == "Restored 4 tabs"
    assert named(window) == names
    assert reads.count("OpenDocument") == 3
    assert window.tabs.open.place(window.tabs.open.current) == 1
    assert window.session.position == 2
    window.side_by_side.choose(window.tabs.open.tabs[2].key)
    assert window.session.position == 7
    assert window.session.path == documents[2]
    window.side_by_side.choose(window.tabs.open.tabs[3].key)
    assert window.tabs.open.tabs[3].label.compared
    window.notices.hide()
    window.close()
    assert left_open() is None, "a window that was closed leaves nothing"


def test_imports_stay_for_whoever_opens_the_newest_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three killed windows: the newest had two imports, one had nothing, one left only its folder."""
    monkeypatch.setenv("TIDEGAUGE_STATE", str(tmp_path))
    folder = tmp_path / "windows"
    for name in ("0" * 16, "1" * 16, "2" * 16):
        (folder / f"{name}.imports" / "a").mkdir(parents=True)
    place = Place((0,), ("t-0",), 3)
    (folder / f"{'0' * 16}.open").write_text(to_text(Remembered()), encoding="utf-8")
    what = Remembered((Origins(paths=("/logs",)),), (place,))
    (folder / f"{'1' * 16}.open").write_text(to_text(what), encoding="utf-8")

    found = left_open()

    assert found is not None
    assert found.places == (place,)
    assert [path.name for path in folder.glob("*.imports")] == [Path(found.imports).name]
    assert Path(found.imports).name == f"{'1' * 16}.imports"
    assert left_open() is None
