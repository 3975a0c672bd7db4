"""The dialog of an export lists, before anything is written, what stays in clear and what is replaced."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.ids import BrokerId
from core.trace.trace import Broker, KeptLine, Origin
from db.document import create
from gui.exports.dialog import ExportDialog
from gui.window.exporting import PREVIEW
from gui.window.main_window import MainWindow
from tests.gui_window.conftest import Answers, anew

pytestmark = [
    # Of the offscreen platform: it has no window manager to tell how small a dialog may become.
    pytest.mark.qt_log_ignore("does not support propagateSizeHints"),
]
Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


@pytest.fixture
def shown(opened: Opened, window: MainWindow, tmp_path: Path) -> MainWindow:
    base = simulate(scenario("hw-loss"), era("0.10.2"))
    trace = replace(
        base,
        origin=Origin.IMPORTED,
        brokers=(Broker(BrokerId(1), "zeus-1.acme.example:9092"), *base.brokers[1:]),
        lines=(KeptLine(0, 1, 0, "INFO leader epoch 4 of Frodo"),),
        facts={},
    )
    path = tmp_path / "case.tide"
    create(path, [trace])
    return opened(lambda: window.store.open_groups(((str(path),),)))


@pytest.mark.slow
def test_the_review_stands_where_the_preview_stood(qtbot: QtBot, shown: MainWindow) -> None:
    shown.actions_["export"].trigger()
    dialog = shown.findChildren(ExportDialog)[-1]
    qtbot.waitUntil(lambda: PREVIEW not in shown.jobs.asked(), timeout=60_000)
    assert dialog.picture.isVisibleTo(dialog)
    assert not dialog.review_text.isVisibleTo(dialog)

    dialog.review_button.click()
    assert dialog.review_text.isVisibleTo(dialog)
    assert not dialog.picture.isVisibleTo(dialog)
    clear, _, replaced = dialog.review_text.text().partition("Replaced: ")
    assert "leader" in clear
    assert "Frodo" not in clear
    assert "zeus-1.acme.example → host-1" in replaced

    for box in dialog.redact.values():
        box.setChecked(False)
    qtbot.waitUntil(lambda: PREVIEW not in shown.jobs.asked(), timeout=60_000)
    assert not dialog.review_button.isEnabled()
    assert dialog.picture.isVisibleTo(dialog)
    dialog.reject()
