"""The page on the incident: what is seen first of an import, its numbers, its keys, its place behind."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import Severity
from db.document import create
from gui.incident import page as page_module
from gui.panels.parts import Elided, Paragraph
from gui.window.main_window import MainWindow
from tests.archives import unpack_sample
from tests.numbers import records_by_hand
from tests.recordings.whole import whole

pytestmark = pytest.mark.broad(12)

Opened = Callable[[Callable[[], None]], MainWindow]


def document(name: str, folder: Path) -> str:
    """A document with a recording, as an import leaves it."""
    path = str(folder / f"{name}.tide")
    create(path, (whole(name).trace,))
    return path


def shown(opened: Opened, window: MainWindow, path: str) -> MainWindow:
    return opened(lambda: window.opening.open_path(path))


def texts(inside: QWidget) -> list[str]:
    return [one.text() for one in inside.findChildren(QLabel) if one.isVisible()]


def press(qtbot: QtBot, key: Qt.Key) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, key)


@pytest.fixture
def loss(tmp_path: Path, opened: Opened, window: MainWindow) -> MainWindow:
    return shown(opened, window, document("k0102-hw-loss", tmp_path))


def test_chips_that_go_on_in_the_next_row_do_not_stand_under_the_caption_of_another_group(
    loss: MainWindow,
) -> None:
    """In a window of 1366 the three partitions of one range do not fit beside the four others."""
    loss.resize(1366, 768)
    QApplication.processEvents()
    field = loss.pages.incident.causes[0].field
    assert field is not None
    groups = [(caption, [chip for chip in chips if chip.isVisible()]) for caption, chips in field._groups]
    assert len({chips[0].y() for _, chips in groups}) == 2
    for _, chips in groups:
        assert len({chip.y() for chip in chips}) == 1


@pytest.mark.parametrize("size", [(960, 540), (1366, 768), (1920, 1080)])
def test_the_decisive_line_is_read_whole(loss: MainWindow, size: tuple[int, int]) -> None:
    loss.resize(*size)
    for _ in range(4):
        QApplication.processEvents()
    decisive = loss.pages.incident.causes[0].decisive
    assert decisive is not None
    (line,) = decisive.findChildren(Paragraph)
    assert line.text().replace("\u200b", "").endswith("to offset 206. (kafka.log.Log)")
    assert line.height() >= line.heightForWidth(line.width())
    assert decisive.width() >= line.sizeHint().width()
    (place,) = decisive.findChildren(Elided)
    assert place.shown() == place.text()


def test_what_is_to_be_collected_is_said_once(loss: MainWindow) -> None:
    """Under its heading each row begins with the file; what it would settle stands below."""
    said = texts(loss.pages.incident)
    heading = said.index("What to collect next")
    assert not any(text.startswith("To collect") for text in said)
    assert "Broker 1: its zone: --zone 1=ZONE" in [text.replace("\u200b", "") for text in said[heading:]]
    assert "all its times: UTC is assumed" in said[heading:]


@pytest.mark.slow
def test_an_import_opens_on_its_incident_with_the_numbers_of_its_losses(loss: MainWindow) -> None:
    page = loss.pages.incident
    verdict = diagnose(loss.session.traces[0])
    by_hand = {
        str(loss.session.traces[0].partitions[one.partition].tp): records_by_hand(one, Severity.LOSS)
        for one in verdict.partitions
    }

    assert loss.views.currentWidget() is page
    assert sum(by_hand.values()) == 325
    assert page.headline.text() == "325 committed records lost in 7 partitions, one cause"
    said = texts(page)
    assert {"325", "?", "10.1 s", "7 partitions, 325 records"} <= set(said)
    assert "acknowledgement unknown (no producer's log)" in said
    (cause,) = page.causes
    assert {chip.name: int(chip.count.removeprefix("−")) for chip in cause.chips} == by_hand
    assert page.story is not None
    assert [step.words.text() for step in page.story.steps][-2:] == [
        "Broker 1 cuts, 276 gone",
        "Broker 3 cuts, 49 gone",
    ]


def test_keys_go_through_causes_chips_and_steps_and_enter_opens(qtbot: QtBot, loss: MainWindow) -> None:
    page = loss.pages.incident
    assert page.headline.hasFocus()

    press(qtbot, Qt.Key.Key_Down)
    assert page.causes[0].name.hasFocus()
    press(qtbot, Qt.Key.Key_Down)
    press(qtbot, Qt.Key.Key_Down)
    assert page.causes[0].chips[1].hasFocus()
    press(qtbot, Qt.Key.Key_Home)
    assert page.headline.hasFocus()
    stops = page.stops()
    for _ in stops:
        press(qtbot, Qt.Key.Key_Down)
    assert page.story is not None
    assert page.story.steps[-1].hasFocus()
    with qtbot.waitSignal(loss.store.partition_shown):
        press(qtbot, Qt.Key.Key_Return)
        # A step of the partition that is open is a move of the cursor alone.
        if loss.viewing.lanes_shown():
            loss.store.partition_shown.emit("")

    assert loss.viewing.lanes_shown()
    assert loss.session.content is not None
    assert loss.session.content.partition == "audit-0"


def test_one_key_opens_the_worst_and_back_leads_to_the_page(qtbot: QtBot, loss: MainWindow) -> None:
    press(qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(loss.viewing.lanes_shown)
    loss.visits.settle()

    loss.actions_["visit-back"].trigger()

    assert loss.views.currentWidget() is loss.pages.incident


def test_the_account_is_copied(loss: MainWindow) -> None:
    loss.actions_["copy"].trigger()

    copied = QGuiApplication.clipboard().text()
    assert "325 committed records lost in 7 partitions, one cause" in copied
    assert "server.log:394" in copied


def test_the_key_of_the_page_leads_back_to_it(loss: MainWindow) -> None:
    loss.show_view("timeline")

    loss.actions_["incident"].trigger()

    assert loss.views.currentWidget() is loss.pages.incident
    assert loss.pages.incident.headline.hasFocus()


def test_another_partition_changes_nothing_of_the_page(qtbot: QtBot, loss: MainWindow) -> None:
    before = loss.pages.incident.body
    with qtbot.waitSignal(loss.store.partition_shown):
        loss.opening.open_partition("orders-1")

    loss.show_view("incident")

    assert loss.pages.incident.body is before


@pytest.mark.slow
def test_where_there_is_no_room_trust_is_below(loss: MainWindow) -> None:
    page = loss.pages.incident
    loss.resize(1900, 1000)
    QApplication.processEvents()
    assert page.side.x() >= 1900 - 600

    page._reflow(1000)
    QApplication.processEvents()

    assert page.side.x() == 0
    assert page.side.y() > 0


def test_a_part_that_fails_says_so_and_the_others_stand(
    tmp_path: Path, opened: Opened, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> QWidget:
        raise ValueError("broken on purpose")

    monkeypatch.setattr(page_module, "trust_section", broken)

    page = shown(opened, window, document("k0102-hw-loss", tmp_path)).pages.incident

    assert "This part could not be shown." in texts(page)
    assert len(page.causes) == 1
    button = next(one for one in page.findChildren(QPushButton) if one.text() == "Copy report")
    button.click()
    assert "broken on purpose" in QGuiApplication.clipboard().text()


@pytest.mark.slow
def test_the_command_that_says_the_same_names_the_archive(
    tmp_path: Path, opened: Opened, window: MainWindow
) -> None:
    folder = unpack_sample("k0102-hw-loss", tmp_path / "logs")
    archive = shutil.make_archive(str(tmp_path / "night"), "zip", folder)

    page = opened(lambda: window.store.open_groups(((archive,),))).pages.incident

    assert "tidegauge check night.zip" in texts(page)


def test_where_nothing_was_found_the_page_says_in_what(
    tmp_path: Path, opened: Opened, window: MainWindow
) -> None:
    page = shown(opened, window, document("k28-rolling-restart", tmp_path)).pages.incident

    count = len(window.session.traces[0].partitions)
    # The truth of the recording: a record of acks=1 was cut, and no line says whether it had been answered.
    assert page.headline.text() == f"No committed record is shown to be lost in {count} partitions"
    told = next(one for one in page.findChildren(QLabel) if one.text().startswith("1 record was removed"))
    at = page.headline.mapTo(page, page.headline.rect().topLeft()).y()
    assert told.mapTo(page, told.rect().bottomRight()).y() > at
    assert page.story is None


def test_a_simulation_opens_on_its_lanes_and_has_a_page(demo: MainWindow, opened: Opened) -> None:
    assert demo.viewing.lanes_shown()
    assert not demo.actions_["incident"].isEnabled()

    opened(lambda: demo.store.open_simulated("hw-loss", ("0.10.2",)))

    assert demo.viewing.lanes_shown()
    demo.actions_["incident"].trigger()
    assert demo.pages.incident.headline.text() == "1 committed record lost in 1 partition, one cause"


def test_everything_that_can_be_reached_has_a_name(loss: MainWindow) -> None:
    page = loss.pages.incident

    nameless = [
        one for one in page.stops() if not (one.accessibleName() or getattr(one, "text", lambda: "")())
    ]

    assert nameless == []
    assert page.story is not None
    assert "held 325 of 325" in page.story.lanes.accessibleDescription()


def test_what_the_inspector_says_is_made_of_widgets_when_it_is_seen(loss: MainWindow) -> None:
    """An import opens on its page: most of that turn of the window went to an inspector that nobody saw."""
    body = loss.inspector.body
    assert loss.inspector.explanation is not None
    assert not loss.inspector.isVisible()
    assert body.findChildren(QLabel) == []

    loss.show_view("timeline")
    loss.docks.right.show()
    QApplication.processEvents()
    assert loss.inspector.isVisible()
    assert any(one.text() for one in body.findChildren(QLabel) if one.isVisible())
