"""The dialog of an export: what it asks for is what is written, as the command writes it."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.document.lane_order import LaneOrder
from core.kafka.eras import era
from core.picture.drawing import Drawing, Vertical
from core.picture.figure import Part
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.redact import USUAL, What
from db.anchors import anchor_of
from db.document import create
from db.notes import Note
from gui.cli import run
from gui.exports.dialog import KINDS, SLIDE, ExportDialog
from gui.exports.plan import ENDINGS
from gui.window.exporting import EXPORT, PREVIEW
from gui.window.main_window import MainWindow
from tests.gui_window.conftest import Answers, anew
from tests.gui_window.watchdog import MOST_CALLS, longest_turn_calls

pytestmark = [
    pytest.mark.broad(18),
    # Of the offscreen platform: it has no window manager to tell how small a dialog may become.
    pytest.mark.qt_log_ignore("does not support propagateSizeHints"),
]
Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The loss with a note, as a document."""
    path = tmp_path_factory.mktemp("case") / "case.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    create(path, [trace], notes=[Note(0, trace.name, anchor_of(trace, 64), "here it is cut")])
    return path


@pytest.fixture
def shown(opened: Opened, window: MainWindow, case: Path) -> MainWindow:
    return opened(lambda: window.store.open_groups(((str(case),),)))


def ask(window: MainWindow, ending: str) -> ExportDialog:
    window.actions_["export"].trigger()
    dialog = window.findChildren(ExportDialog)[-1]
    dialog.kind.setCurrentIndex(dialog.kind.findData(ending))
    return dialog


def export(qtbot: QtBot, window: MainWindow, answers: Answers, dialog: ExportDialog, target: Path) -> None:
    answers.export = str(target)
    dialog.export_button.click()
    qtbot.waitUntil(lambda: EXPORT not in window.jobs.asked(), timeout=60_000)
    assert window.notices.text() == f"Exported\n{target}"


def timeless(raw: bytes) -> bytes:
    """A PDF without its moment of writing and its id, which are those of one file."""
    raw = re.sub(rb"/(?:CreationDate|ModDate) ?\([^)]*\)", b"", raw)
    raw = re.sub(rb"/ID \[[^\]]*\]", b"", raw)
    raw = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d|Z)", b"", raw)
    return re.sub(rb"uuid:[0-9a-f-]{36}", b"", raw)


def test_every_kind_has_a_name() -> None:
    assert set(KINDS) == set(ENDINGS)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_the_dialog_writes_the_bytes_of_the_command(
    qtbot: QtBot, shown: MainWindow, answers: Answers, case: Path, tmp_path: Path, ending: str
) -> None:
    """Once as the dialog suggests, once with everything that the kind takes changed."""
    by_dialog, by_command = tmp_path / f"dialog{ending}", tmp_path / f"command{ending}"
    export(qtbot, shown, answers, ask(shown, ending), by_dialog)
    assert run(["export", str(case), "--redact", "-o", str(by_command)]) == 0
    assert timeless(by_dialog.read_bytes()) == timeless(by_command.read_bytes())

    told = ["export", str(case), "--redact=hosts,topics", "--replace", "-o", str(by_command)]
    dialog = ask(shown, ending)
    for what, box in dialog.redact.items():
        box.setChecked(what in (What.HOSTS, What.TOPICS))
    if dialog.stretch.isEnabled():
        dialog.stretch.setCurrentIndex(dialog.stretch.findText("These times"))
        dialog.first.setText("1970-01-01T00:00:01Z")
        dialog.last.setText("1970-01-01T00:00:06Z")
        told += ["--from", "1970-01-01T00:00:01Z", "--to", "1970-01-01T00:00:06Z"]
    if dialog.title.isEnabled():
        dialog.title.setText("What was lost")
        dialog.parts[Part.LEGEND].setChecked(False)
        dialog.parts[Part.SOURCES].setChecked(False)
        dialog.width_.setCurrentIndex(dialog.width_.findData(826))
        told += ["--title", "What was lost", "--without", "sources,legend", "--width", "826"]
    dialog.patterns.setChecked(True)
    told += ["--patterns"] if dialog.patterns.isEnabled() else []
    if dialog.cursor_.isEnabled():
        dialog.cursor_.setChecked(True)
        told += ["--at", str(shown.session.cursors[0])]
    if dialog.speed.isEnabled():
        dialog.speed.setCurrentIndex(dialog.speed.findData(4.0))
        told += ["--speed", "4"]
    if dialog.theme.isEnabled():
        dialog.theme.setCurrentIndex(dialog.theme.findData("dark"))
        told += ["--theme", "dark"]
    before = by_dialog.read_bytes()
    export(qtbot, shown, answers, dialog, by_dialog)
    assert run(told) == 0
    assert timeless(by_dialog.read_bytes()) == timeless(by_command.read_bytes())
    # The text of a timeline names neither hosts nor topics, and is always whole.
    assert ending == ".txt" or timeless(by_dialog.read_bytes()) != timeless(before)


@pytest.mark.parametrize("ending", [".svg", pytest.param(".html", marks=pytest.mark.slow)])
def test_lanes_are_drawn_as_they_are_shown_and_by_the_command_alike(
    qtbot: QtBot,
    opened: Opened,
    window: MainWindow,
    answers: Answers,
    case: Path,
    tmp_path: Path,
    ending: str,
) -> None:
    """Once told to the command lane by lane, once as the document has kept them."""
    mine = tmp_path / "mine.tide"
    shutil.copyfile(case, mine)
    opened(lambda: window.store.open_groups(((str(mine),),)))
    usual, by_dialog, by_command = (tmp_path / f"{name}{ending}" for name in ("usual", "dialog", "command"))
    export(qtbot, window, answers, ask(window, ending), usual)
    window.session.set_lanes(LaneOrder(pinned=frozenset({2})).resize(2, 90).fold(1))
    window.session.set_drawing(Drawing(Vertical.LAG, messages=False, boxes=False))
    export(qtbot, window, answers, ask(window, ending), by_dialog)
    told = ["export", str(mine), "--redact", "--vertical", "lag", "--no-messages", "--bounds", "edges"]
    for lanes in ("2:90,1:folded", "kept"):
        assert run([*told, "--lanes", lanes, "--replace", "-o", str(by_command)]) == 0
        assert by_command.read_bytes() == by_dialog.read_bytes() != usual.read_bytes()
    dialog = ask(window, ending)
    dialog.arranged.setChecked(False)
    export(qtbot, window, answers, dialog, by_dialog)
    assert by_dialog.read_bytes() == usual.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_slide_of_the_dialog_is_that_of_the_command(
    qtbot: QtBot, shown: MainWindow, answers: Answers, case: Path, tmp_path: Path, ending: str
) -> None:
    by_dialog, by_command = tmp_path / f"dialog{ending}", tmp_path / f"command{ending}"
    dialog = ask(shown, ending)
    dialog.width_.setCurrentIndex(dialog.width_.findData(SLIDE))
    export(qtbot, shown, answers, dialog, by_dialog)
    assert run(["export", str(case), "--redact", "--slide", "-o", str(by_command)]) == 0
    if ending == ".svg":
        assert by_dialog.read_bytes() == by_command.read_bytes()
        return
    one, two = (pixels(path) for path in (by_dialog, by_command))
    assert one.shape == two.shape == (2160, 3840)
    # Shapes of letters differ in their last digits after what a thread drew before: nobody sees it.
    assert np.abs(one - two).max() <= 8


def pixels(path: Path) -> NDArray[np.int32]:
    """The grey of each pixel, 0 to 255."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_Grayscale8)
    grey = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return grey[:, : image.width()].astype(np.int32)


def test_the_command_writes_shapes_instead_of_letters(case: Path, tmp_path: Path) -> None:
    told = ["export", str(case), "-o", str(tmp_path / "shapes.svg"), "--outlines"]
    assert run(told) == 0
    assert "<text" not in (tmp_path / "shapes.svg").read_text("utf-8")


def test_what_is_for_paper_has_no_place_in_a_page(shown: MainWindow) -> None:
    dialog = ask(shown, ".svg")
    dialog.width_.setCurrentIndex(dialog.width_.findData(SLIDE))
    dialog.patterns.setChecked(True)
    dialog.outlines.setChecked(True)
    told = []
    for ending in (".svg", ".png", ".html", ".csv"):
        dialog.kind.setCurrentIndex(dialog.kind.findData(ending))
        plan = dialog.plan()
        told.append((plan.slide, plan.patterns, plan.outlines))
    assert told == [(True, True, True), (True, True, False), (False,) * 3, (False,) * 3]
    dialog.reject()


def test_its_key_opens_it(shown: MainWindow) -> None:
    QTest.keyClick(shown.stage.canvas, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    (dialog,) = shown.findChildren(ExportDialog)
    assert dialog.isVisible()
    dialog.reject()


def test_the_usual_names_are_hidden_unless_somebody_unticks_them(shown: MainWindow) -> None:
    dialog = ask(shown, ".png")
    assert dialog.plan().redact == USUAL
    dialog.redact[What.HOSTS].setChecked(False)
    assert What.HOSTS not in dialog.plan().redact
    dialog.reject()


@pytest.mark.slow
def test_the_preview_shows_what_will_come_out(qtbot: QtBot, shown: MainWindow) -> None:
    dialog = ask(shown, ".png")
    qtbot.waitUntil(lambda: PREVIEW not in shown.jobs.asked(), timeout=60_000)
    whole = dialog.picture.pixmap().height()
    assert whole > 200
    assert "m1 lost" in dialog.title.placeholderText()
    dialog.parts[Part.LEGEND].setChecked(False)
    dialog.parts[Part.CAPTION].setChecked(False)
    qtbot.waitUntil(lambda: PREVIEW not in shown.jobs.asked(), timeout=60_000)
    assert dialog.picture.pixmap().height() < whole
    dialog.kind.setCurrentIndex(dialog.kind.findData(".csv"))
    qtbot.waitUntil(lambda: PREVIEW not in shown.jobs.asked(), timeout=60_000)
    assert dialog.text.text().startswith("trace,seq,at,kind")
    dialog.reject()


def test_times_that_are_none_are_told_and_cannot_be_exported(qtbot: QtBot, shown: MainWindow) -> None:
    dialog = ask(shown, ".png")
    dialog.stretch.setCurrentIndex(dialog.stretch.findText("These times"))
    dialog.first.setText("yesterday")
    dialog.first.editingFinished.emit()
    qtbot.waitUntil(lambda: bool(dialog.refusal.text()), timeout=60_000)
    assert "'yesterday' is not a time" in dialog.refusal.text()
    assert not dialog.export_button.isEnabled()
    dialog.reject()


def test_the_marked_range_is_drawn_with_room_and_listed_exactly(shown: MainWindow) -> None:
    content = shown.session.content
    assert content is not None
    shown.session.set_range((20, 30))
    times = content.runs[0].history.trace.columns["at"]
    first, last = (int(times[content.cursors(place)[0] - 1]) for place in (20, 30))
    dialog = ask(shown, ".png")
    drawn = dialog.plan().window
    dialog.kind.setCurrentIndex(dialog.kind.findData(".json"))
    listed = dialog.plan().window
    dialog.reject()
    from core.trace.times import parse_time

    assert [parse_time(text or "") for text in listed] == [first, last]
    begin, end = (parse_time(text or "") for text in drawn)
    assert begin < first
    assert end > last


def test_what_is_visible_is_the_first_choice_of_a_zoomed_timeline(shown: MainWindow) -> None:
    shown.session.set_window((1_000_000_000, 5_000_000_000))
    dialog = ask(shown, ".svg")
    assert dialog.plan().window == ("1970-01-01T00:00:01.000000000Z", "1970-01-01T00:00:05.000000000Z")
    dialog.reject()


def test_a_cancelled_export_leaves_nothing(
    qtbot: QtBot, shown: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    dialog = ask(shown, ".png")
    answers.export = str(tmp_path / "a.png")
    dialog.export_button.click()
    with qtbot.waitSignal(shown.jobs.ended, timeout=60_000):
        shown.progress.cancelled.emit(EXPORT)
    qtbot.waitUntil(lambda: EXPORT not in shown.jobs.asked(), timeout=60_000)
    assert list(tmp_path.glob("a.png*")) == []
    assert "Exported" not in shown.notices.text()


def test_a_folder_where_one_may_not_write_is_told(
    qtbot: QtBot, shown: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    dialog = ask(shown, ".svg")
    answers.export = str(tmp_path / "no such folder" / "a.svg")
    with qtbot.waitSignal(shown.jobs.failed, timeout=60_000):
        dialog.export_button.click()
    assert "no such folder" in shown.notices.text()


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".pdf", ".gif"])
def test_the_window_answers_while_it_exports(
    qtbot: QtBot, shown: MainWindow, answers: Answers, tmp_path: Path, ending: str
) -> None:
    """In one turn of its loop the window's thread does little; its time is measured by the bench."""
    dialog = ask(shown, ending)
    qtbot.waitUntil(lambda: PREVIEW not in shown.jobs.asked(), timeout=60_000)
    answers.export = str(tmp_path / f"a{ending}")
    worst = longest_turn_calls(dialog.export_button.click, lambda: EXPORT not in shown.jobs.asked())
    assert (tmp_path / f"a{ending}").exists()
    assert worst < MOST_CALLS


def test_copy_as_picture_puts_the_figure_on_the_clipboard(qtbot: QtBot, shown: MainWindow) -> None:
    QGuiApplication.clipboard().clear()
    QTest.keyClick(
        shown.stage.canvas,
        Qt.Key.Key_E,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.waitUntil(lambda: "Copied" in shown.notices.text(), timeout=60_000)
    image = QGuiApplication.clipboard().image()
    assert image.width() == 3200
    assert image.height() > 600
    assert "hosts, clients, keys, paths" in shown.notices.text()


def test_a_comparison_is_exported_whole(
    qtbot: QtBot, demo: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    demo.session.set_range((3, 9))
    dialog = ask(demo, ".svg")
    assert not dialog.stretch.isEnabled()
    assert dialog.plan().stops is None
    export(qtbot, demo, answers, dialog, tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "Run 3" in text
