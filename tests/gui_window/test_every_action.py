"""Every action of the table changes what it says: the window, the session, the document. The table is read.

`effects.py` says for each what holds once it was done, and that does not hold before.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.exceptions import TimeoutError as NothingCame
from pytestqt.qtbot import QtBot

from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Trace
from db.document import create
from gui.actions import ACTION
from gui.search.overlay import find_overlay
from gui.window.main_window import MainWindow
from gui.workspace.loading import Loaded
from gui.workspace.simulating import PAIR
from gui.workspace.store import PREVIEWS
from importers.load import load
from tests.archives import unpack_two_brokers
from tests.by_hand import close_tabs
from tests.gui_window.conftest import Answers, triaged_once
from tests.gui_window.effects import EFFECTS
from tests.gui_window.standing import ALONE, BASES, LOGS, LOSS, Stand

pytestmark = [
    pytest.mark.slow,
    # What the offscreen platform says of menus, docks and dialogs.
    pytest.mark.qt_log_ignore("This plugin does not support", "does not support propagateSizeHints"),
]
Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server logs of two brokers of the shipped recording."""
    return unpack_two_brokers(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def recorded(logs: Path) -> Trace:
    """Of one broker only: the other's logs are there to be added."""
    return load([logs / "broker-1"])


@pytest.fixture
def stand(window: MainWindow, answers: Answers, logs: Path, tmp_path: Path, qtbot: QtBot) -> Stand:
    document = tmp_path / "run.tide"
    trace = simulate(scenario("hw-loss"), era("2.8"))
    create(document, [trace], found=[triaged_once(trace)])
    return Stand(window, answers, tmp_path, document, logs, qtbot)


@pytest.fixture
def menus_close(stand: Stand) -> Iterator[None]:
    """A menu waits for a person: it is noted that it was there, and closed."""
    timer = QTimer(stand.window)

    def close() -> None:
        popup = QApplication.activePopupWidget()
        if popup is not None:
            stand.menus.append(popup)
            popup.close()

    timer.timeout.connect(close)
    timer.start(5)
    yield
    timer.stop()


def open_base(stand: Stand, opened: Opened, base: str, recorded: Trace) -> Loaded | None:
    """Open what actions on this base need."""
    found: list[Loaded] = []
    stand.window.store.opened.connect(found.append)
    store = stand.window.store
    if base == LOSS:
        opened(lambda: store.open_simulated("hw-loss", PAIR))
    elif base == ALONE:
        opened(lambda: store.open_simulated("hw-loss", ("0.10.2",)))
    elif base == LOGS:
        document = stand.folder / "logs.tide"
        create(document, [recorded], found=[triaged_once(recorded)])
        opened(lambda: store.open_groups(((str(document),),)))
    stand.window.store.opened.disconnect(found.append)
    return found[0] if found else None


def begin_anew(stand: Stand, loaded: Loaded | None) -> None:
    """As if it was opened just now, with the keyboard in the timeline."""
    window, session = stand.window, stand.session
    for dialog in window.findChildren(QDialog):
        dialog.close()
    frame = find_overlay(window)
    if frame is not None:
        frame.leave()
    window.note_editor.hide()
    window.finder.panel.field.clear()
    window.finder.hide()
    if QApplication.activeWindow() is None:
        # There is no window manager to give the focus back after a dialog.
        window.activateWindow()
    for other in window.windows.others(window):
        other.close()
    session.set_theme("light")
    session.set_speed(1.0)
    close_tabs(window)
    if loaded is None:
        window.show_view("report")
    else:
        session.show(
            loaded.content,
            loaded.traces,
            path=loaded.path,
            triage=loaded.triage,
            position=loaded.position or 0,
        )
        window.show_view("timeline")
        window.docks.show()
        window.stage.canvas.setFocus()
    for _ in range(6):
        QApplication.processEvents()


def fault_of(stand: Stand, name: str) -> str:
    """What is wrong with an action, "" where nothing is."""
    effect = EFFECTS[name]
    effect.ready(stand)
    action = stand.window.actions_[name]
    if not action.isEnabled():
        return "is not enabled"
    if effect.holds(stand):
        return "what it does holds before it was done"
    stand.before = stand.session.position
    action.trigger()
    jobs = stand.window.jobs
    try:
        stand.bot.waitUntil(lambda: effect.holds(stand), timeout=20_000)
        stand.bot.waitUntil(lambda: not set(jobs.asked()) - {PREVIEWS}, timeout=20_000)
    except NothingCame:
        return "does nothing that one sees"
    return ""


def test_every_action_has_an_effect_that_is_looked_at() -> None:
    assert EFFECTS.keys() == ACTION.keys()
    assert {effect.on for effect in EFFECTS.values()} == set(BASES)


@pytest.mark.usefixtures("menus_close")
@pytest.mark.parametrize("base", BASES)
def test_every_action_does_what_it_is_for(base: str, stand: Stand, opened: Opened, recorded: Trace) -> None:
    loaded = open_base(stand, opened, base, recorded)
    faults: dict[str, str] = {}
    # Quitting is the last thing that one does.
    names = [name for name in EFFECTS if EFFECTS[name].on == base]
    for name in sorted(names, key="quit".__eq__):
        begin_anew(stand, loaded)
        fault = fault_of(stand, name)
        if fault:
            faults[name] = fault
    assert faults == {}
