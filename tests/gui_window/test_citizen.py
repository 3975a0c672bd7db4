"""What a desktop expects: settings, versions, the language, reports of defects without anything private."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMessageLogContext, QSettings, QtMsgType
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from gui.commands.export import command as export_command
from gui.exports.dialog import ExportDialog
from gui.i18n import use_language
from gui.theme import THEMES
from gui.window.crash import SAID_BY_QT, crash_report, qt_messages, without_paths
from gui.window.dialogs import AboutBox
from gui.window.main_window import MainWindow
from gui.window.settings import SETTINGS, Settings
from gui.window.settings_dialog import SettingsDialog
from gui.workspace.jobs import failure_of
from gui.workspace.simulating import PAIR

pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")


def opened_dialog(
    window: MainWindow, kind: type[SettingsDialog] | type[AboutBox]
) -> SettingsDialog | AboutBox:
    (dialog,) = (one for one in window.findChildren(kind) if one.isVisible())
    return dialog


@pytest.mark.slow
def test_the_settings_dialog_has_each_setting_with_choices_and_they_hold(window: MainWindow) -> None:
    window.actions_["settings"].trigger()
    dialog = opened_dialog(window, SettingsDialog)
    assert isinstance(dialog, SettingsDialog)
    assert set(dialog.boxes) == {setting.key for setting in SETTINGS if setting.choices}

    dialog.boxes["theme"].setCurrentIndex(dialog.boxes["theme"].findData("dark"))
    assert (window.session.theme, window.settings.get("theme")) == ("dark", "dark")
    assert dialog.later.text() == ""

    dialog.boxes["text_size"].setCurrentIndex(dialog.boxes["text_size"].findData(130))
    assert window.settings.get("text_size") == 130
    assert dialog.later.text() == "", "it holds at once"
    dialog.accept()


@pytest.mark.slow
def test_a_setting_is_there_again_at_the_next_start(tmp_path: Path) -> None:
    path = str(tmp_path / "kept.ini")
    kept = QSettings(path, QSettings.Format.IniFormat)
    for setting in SETTINGS:
        for value, _ in setting.offered():
            Settings(kept).put(setting.key, value)
            kept.sync()
            assert Settings(QSettings(path, QSettings.Format.IniFormat)).get(setting.key) == value


@pytest.mark.slow
def test_the_about_box_names_the_versions_and_copies_them(window: MainWindow) -> None:
    window.actions_["about"].trigger()
    box = opened_dialog(window, AboutBox)
    assert isinstance(box, AboutBox)
    shown = " ".join(label.text() for label in box.findChildren(QLabel))
    assert all(word in shown for word in ("Python", sys.version.split()[0], "Qt", "SIL Open Font License"))

    (copy,) = (button for button in box.findChildren(QPushButton) if button.text() == "Copy versions")
    copy.click()

    assert QGuiApplication.clipboard().text() == box.text()
    box.accept()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('File "/srv/people/anna/tidegauge/gui/app.py", line 3', 'File "…/app.py", line 3'),
        ("cannot read /var/kafka/orders-0/00000000.log: denied", "cannot read …/00000000.log: denied"),
        (r"open 'C:\Users\anna\My logs\server.log'", "open '…/server.log'"),
        (r"at C:\kafka\logs\server.log", "at …/server.log"),
        ("1/2 of it, and/or 3.5", "1/2 of it, and/or 3.5"),
    ],
)
def test_a_report_has_no_paths(text: str, told: str) -> None:
    assert without_paths(text) == told


def test_a_report_does_not_name_the_person() -> None:
    inside = Path.home() / "incidents" / "customer" / "server.log"

    report = without_paths(f"{inside} and '{inside}'")

    assert "customer" not in report
    assert str(Path.home()) not in report


@pytest.mark.slow
def test_copy_report_gives_versions_traceback_and_what_qt_said(window: MainWindow) -> None:
    SAID_BY_QT.clear()
    told: list[str] = []
    handle = qt_messages(told.append)
    handle(QtMsgType.QtWarningMsg, QMessageLogContext(), "QPainter: something odd")
    handle(QtMsgType.QtCriticalMsg, QMessageLogContext(), "something worse")
    assert told == ["something worse"]
    try:
        int("/srv/secret/place.log")
    except ValueError as error:
        window.show_failure(failure_of(error))
    copy = next(one for one in window.notices.findChildren(QPushButton) if one.text() == "Copy report")
    assert copy.isVisible()

    copy.click()
    report = QGuiApplication.clipboard().text()

    assert "Traceback" in report
    assert "PySide6: " in report
    assert "QPainter: something odd" in report
    assert "/srv/secret" not in report
    assert str(Path(__file__).parent) not in report
    SAID_BY_QT.clear()


def test_a_report_without_anything_from_qt_says_nothing_of_it() -> None:
    SAID_BY_QT.clear()

    assert "Qt said" not in crash_report("It broke", "Traceback: none")


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    use_language("zh")
    yield
    use_language("en")


NAMES = re.compile(
    r"Kafka|Tidegauge|[Bb]roker [A-Z]|broker|Ctrl|Shift|Alt|Enter|Esc|Delete|F\d+"
    r"|ISR|LEO|HW|Leader|Follower|Epoch"
    r"|acks|min\.insync\.replicas|Apache License|KIP|KAFKA"
    r"|[\w.-]*\.(?:log|toml|tide|tar|zip|gz|xz)\w*|[a-z]+-[a-z-]+"
)
"""What has the same name in Chinese."""


def english_texts(window: MainWindow) -> list[str]:
    """What is shown and has two Latin words beside each other that are no names."""
    labels = [one for one in window.findChildren(QLabel) if one.isVisible()]
    # A raw line is shown as it was written.
    shown = [one.text() for one in labels if one.property("look") != "raw"]
    shown += [one.text() for one in window.findChildren(QPushButton) if one.isVisible()]
    return [text for text in shown if re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", NAMES.sub("", text))]


@pytest.mark.slow
@pytest.mark.usefixtures("chinese")
def test_the_window_in_chinese_shows_no_english_sentence(
    settings: Settings, qtbot: QtBot, answers: object
) -> None:
    made = MainWindow(settings)
    qtbot.addWidget(made)
    made.resize(1600, 1000)
    made.show()
    qtbot.waitExposed(made)
    assert english_texts(made) == []
    with qtbot.waitSignal(made.store.opened, timeout=60_000):
        made.store.open_simulated("hw-loss", PAIR)
    content = made.session.content
    assert content is not None
    for position in range(content.last + 1):
        made.session.set_position(position)
        assert english_texts(made) == [], position
    made.close()


def test_the_help_names_the_language_option() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "gui.cli", "open", "--help"], capture_output=True, text=True, check=True
    )

    assert "--lang [en|zh]" in told.stdout


@pytest.mark.slow
def test_high_contrast_is_worn_and_taken_off_and_every_place_names_it(window: MainWindow) -> None:
    window.actions_["high-contrast"].trigger()
    assert (window.session.theme, window.settings.get("theme")) == ("contrast", "contrast")
    assert "High contrast" in [button.text() for button in window.statusBar().findChildren(QToolButton)]

    window.actions_["high-contrast"].trigger()
    # The desktop of the tests is a light one without wishes.
    assert (window.session.theme, window.settings.get("theme")) == ("light", "system")


@pytest.mark.slow
def test_settings_exports_and_the_command_line_offer_every_theme(window: MainWindow) -> None:
    (setting,) = (one for one in SETTINGS if one.key == "theme")
    assert [value for value, _ in setting.offered()] == ["system", *THEMES]
    dialog = ExportDialog(timed=True, choices=())
    assert [dialog.theme.itemData(place) for place in range(dialog.theme.count())] == list(THEMES)
    (option,) = (one for one in export_command.params if one.name == "theme")
    assert option.to_info_dict()["type"]["choices"] == THEMES
    dialog.close()
