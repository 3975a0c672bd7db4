"""The scenario page: edit with live errors, choose how it is run, run, fork, open and save."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from core.diagnose.verdict.facts import LossClass
from core.kafka.eras import era_named
from core.kafka.switches import SWITCHES
from core.sim.library import scenario
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.sim.step_words import label_of
from core.work import QUIET
from gui.scenarios.page import Check, ScenarioPage
from gui.window.main_window import MainWindow
from gui.workspace.draft import NEW_TEXT, Draft, draft_of_run, eras_of
from gui.workspace.simulating import step_at
from gui.workspace.store import CONTENT
from importers.samples import sample_path
from tests.gui_window.conftest import Answers, anew

pytestmark = pytest.mark.broad(6)

Opened = Callable[[Callable[[], None]], MainWindow]
GOOD = 'do = "produce"'


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow) -> ScenarioPage:
    """The page with the canonical loss, read and found good."""
    with qtbot.waitSignal(window.pages.scenario.checked, timeout=20_000):
        window.actions_["scenario"].trigger()
    return window.pages.scenario


def put(qtbot: QtBot, page: ScenarioPage, text: str) -> None:
    """Type a text in place of what is there, and wait until it was read."""
    with qtbot.waitSignal(page.checked, timeout=20_000):
        cursor = page.editor.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)


def test_a_fault_names_its_line_and_what_is_allowed() -> None:
    checked = Check(NEW_TEXT.replace('do = "crash"', 'do = "explode"'), "").answer(QUIET)

    assert checked.line == NEW_TEXT.splitlines().index('do = "crash"') + 1
    assert "do cannot be 'explode'" in checked.fault
    assert "crash" in checked.fault


def test_text_that_is_no_toml_names_its_line_too() -> None:
    assert Check("schema = 1\nid = \n", "").answer(QUIET).line == 2
    assert Check('schema = 1\n[cluster\nbrokers = ["A"]\n', "").answer(QUIET).line == 2
    assert Check('schema = 1\nid = """never ends', "").answer(QUIET).line == 2


def test_a_new_scenario_is_a_valid_one() -> None:
    checked = Check(NEW_TEXT, "").answer(QUIET)

    assert (checked.fault, checked.steps, checked.brokers) == ("", 2, 2)


def test_switches_are_set_in_each_era() -> None:
    draft = Draft(eras=("0.11", "2.8"), switches=(("truncation", "leader-end"),))

    assert [era.name for era in eras_of(draft)] == ["0.11+truncation=leader-end", "2.8+truncation=leader-end"]


def test_a_draft_of_a_run_is_run_as_that_was() -> None:
    trace = simulate(scenario("hw-loss"), era_named("0.11+truncation=leader-end"), seed=5)
    draft = draft_of_run(trace, "text")

    assert [era.name for era in eras_of(draft)] == [trace.name]
    assert (draft.seed, draft.origin, draft.room) == (5, trace, 3)


def test_the_page_opens_with_the_canonical_loss(page: ScenarioPage, window: MainWindow) -> None:
    assert window.views.currentWidget() is page
    assert window.session.scenario.text == scenario("hw-loss").text
    assert page.library.currentData() == "hw-loss"
    assert page.state.text() == "13 steps, 2 brokers"
    assert page.editor.fault is None


def test_the_page_opens_with_the_script_of_what_is_open(window: MainWindow, opened: Opened) -> None:
    opened(lambda: window.store.open_simulated("hw-is-min", ("2.8",)))
    window.actions_["scenario"].trigger()

    assert window.session.scenario.text == scenario("hw-is-min").text


def test_a_fault_is_shown_while_typing_and_goes_when_it_is_mended(
    qtbot: QtBot, page: ScenarioPage, window: MainWindow
) -> None:
    text = scenario("hw-loss").text
    bad = text.replace('fetching = "by-step"', 'fetching = "now"')
    line = text.splitlines().index('fetching = "by-step"') + 1

    put(qtbot, page, bad)
    assert page.editor.fault == line
    assert page.state.text().startswith(f"Line {line}: fetching cannot be 'now'")
    assert window.session.scenario.text == bad

    qtbot.mouseClick(page.state, Qt.MouseButton.LeftButton)
    assert page.editor.textCursor().blockNumber() + 1 == line

    put(qtbot, page, text)
    assert page.editor.fault is None


def test_a_text_that_nobody_sees_is_not_read(qtbot: QtBot, page: ScenarioPage, window: MainWindow) -> None:
    window.show_view("welcome")
    with qtbot.assertNotEmitted(page.checked, wait=400):
        window.session.set_scenario(Draft("schema = "))
    assert page.editor.fault is None

    with qtbot.waitSignal(page.checked, timeout=20_000):
        window.actions_["scenario"].trigger()
    assert page.editor.fault == 1


def test_a_faulty_text_is_not_run_and_not_lost(qtbot: QtBot, page: ScenarioPage, window: MainWindow) -> None:
    put(qtbot, page, "schema = 1\nid = \n")
    window.actions_["run-scenario"].trigger()

    assert window.session.content is None
    assert window.views.currentWidget() is page
    assert window.session.scenario.text == "schema = 1\nid = \n"
    assert page.editor.textCursor().blockNumber() == 1
    assert "The scenario is not valid TOML" in window.notices.text()


def test_undo_brings_back_what_a_chosen_scenario_replaced(
    qtbot: QtBot, page: ScenarioPage, window: MainWindow, answers: Answers
) -> None:
    put(qtbot, page, "# mine\n")
    answers.text = "discard"
    place = page.library.findData("acks")
    page.library.setCurrentIndex(place)
    page.library.activated.emit(place)
    assert window.session.scenario.text == scenario("acks").text

    page.focus()
    qtbot.keyClick(page.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert window.session.scenario.text == "# mine\n"


def test_letters_and_arrows_are_the_fields_own(qtbot: QtBot, page: ScenarioPage, demo: MainWindow) -> None:
    demo.actions_["scenario"].trigger()
    before = demo.session.position
    page.editor.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClicks(page.editor, "# n1 ")
    qtbot.keyClick(page.editor, Qt.Key.Key_Left)

    assert demo.session.scenario.text.startswith("# n1 #")
    assert page.editor.textCursor().position() == 4
    assert demo.session.position == before
    assert not demo.session.notes


def test_at_most_four_eras_can_be_ticked(page: ScenarioPage, window: MainWindow) -> None:
    for name in ("0.11", "4.1"):
        page.eras.boxes[name].click()

    assert window.session.scenario.eras == ("0.10.2", "0.11", "2.8", "4.1")
    assert not page.eras.boxes["2.0"].isEnabled()
    page.eras.boxes["4.1"].click()
    assert window.session.scenario.eras == ("0.10.2", "0.11", "2.8")
    assert page.eras.boxes["2.0"].isEnabled()


def test_every_switch_can_be_flipped(qtbot: QtBot, page: ScenarioPage, window: MainWindow) -> None:
    assert list(page.switches.rows) == [switch.name for switch in SWITCHES]
    row = page.switches.rows["truncation"]
    row.values.setCurrentIndex(row.values.findData("leader-end"))
    page.seed.clear()
    qtbot.keyClicks(page.seed, "x7")

    assert window.session.scenario.switches == (("truncation", "leader-end"),)
    assert window.session.scenario.seed == 7
    row.values.setCurrentIndex(0)
    assert window.session.scenario.switches == ()


def test_a_run_opens_as_comparison(
    qtbot: QtBot, page: ScenarioPage, window: MainWindow, opened: Opened
) -> None:
    row = page.switches.rows["fetch-answer-hw"]
    row.values.setCurrentIndex(row.values.findData("after"))
    page.seed.clear()
    qtbot.keyClicks(page.seed, "3")
    opened(window.actions_["run-scenario"].trigger)

    traces = window.session.traces
    assert [trace.name for trace in traces] == ["0.10.2+fetch-answer-hw=after", "2.8+fetch-answer-hw=after"]
    assert {trace.facts["seed"] for trace in traces} == {"3"}
    assert window.views.currentWidget() is window.shown
    assert window.session.content is not None
    assert window.session.content.comparison is not None


def test_a_run_in_one_era_opens_as_timeline(page: ScenarioPage, window: MainWindow, opened: Opened) -> None:
    page.eras.boxes["2.8"].click()
    opened(window.actions_["run-scenario"].trigger)

    assert [trace.name for trace in window.session.traces] == ["0.10.2"]
    assert window.session.triage is not None


def test_without_an_era_nothing_runs(page: ScenarioPage, window: MainWindow) -> None:
    for name in ("0.10.2", "2.8"):
        page.eras.boxes[name].click()
    window.actions_["run-scenario"].trigger()

    assert window.session.content is None
    assert "No era is chosen" in window.notices.text()


@pytest.mark.slow
def test_a_long_run_is_cancelled_and_leaves_what_was_open(
    qtbot: QtBot, page: ScenarioPage, window: MainWindow
) -> None:
    put(qtbot, page, scenario("hw-loss").text.replace('records = ["m0"]', "count = 400_000\nevery_ms = 1"))
    with qtbot.waitSignal(window.jobs.progressed, timeout=20_000):
        window.actions_["run-scenario"].trigger()
    with qtbot.waitSignal(window.jobs.ended, timeout=20_000):
        window.jobs.cancel("content")

    assert window.session.content is None
    assert window.views.currentWidget() is page


def test_a_new_scenario_takes_the_place_of_the_text(page: ScenarioPage, window: MainWindow) -> None:
    window.actions_["new-scenario"].trigger()

    assert window.session.scenario == Draft()
    assert page.editor.toPlainText() == NEW_TEXT


def test_a_scenario_is_saved_and_opened_again(
    page: ScenarioPage, window: MainWindow, answers: object, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    answers.scenario = str(path)  # pyright: ignore[reportAttributeAccessIssue]
    window.actions_["save-scenario"].trigger()
    assert path.read_text(encoding="utf-8") == scenario("hw-loss").text
    assert window.session.scenario.path == str(path)

    path.write_text("# broken\nschema = ", encoding="utf-8")
    answers.files = (str(path),)  # pyright: ignore[reportAttributeAccessIssue]
    window.actions_["open-scenario"].trigger()
    assert window.session.scenario == Draft("# broken\nschema = ", str(path))
    assert page.name.text() == "mine.toml"


def test_a_file_that_cannot_be_read_is_said_and_the_text_stays(
    page: ScenarioPage, window: MainWindow, answers: object, tmp_path: Path
) -> None:
    (tmp_path / "raw.toml").write_bytes(b"\xff\xfe\x00")
    answers.files = (str(tmp_path / "raw.toml"),)  # pyright: ignore[reportAttributeAccessIssue]
    window.actions_["open-scenario"].trigger()

    assert "The scenario cannot be read" in window.notices.text()
    assert page.editor.toPlainText() == scenario("hw-loss").text


def test_a_run_is_forked_at_the_cursor_and_compared_with_where_it_came_from(
    window: MainWindow, opened: Opened, answers: object
) -> None:
    opened(lambda: window.store.open_simulated("hw-loss", ("0.10.2",)))
    session = window.session
    content = session.content
    assert content is not None
    history = content.runs[0].history
    while step_at(history, session.cursors[0]) > 6:
        session.set_position(session.position - 1)
    assert step_at(history, session.cursors[0]) == 6

    answers.choice = "A is killed"  # pyright: ignore[reportAttributeAccessIssue]
    window.actions_["fork"].trigger()

    draft = session.scenario
    script = parse_scenario(draft.text)
    assert [step.label["en"] for step in script.steps[:6]] == [
        step.label["en"] for step in scenario("hw-loss").steps[:6]
    ]
    assert [label_of(step) for step in script.steps[6:]] == ["A crashes"]
    assert (draft.eras, draft.origin) == (("0.10.2",), history.trace)
    assert window.views.currentWidget() is window.pages.scenario
    assert window.pages.scenario.editor.textCursor().blockNumber() + 1 == script.steps[-1].line

    opened(window.actions_["run-scenario"].trigger)

    assert session.traces[0] is history.trace
    assert [trace.facts["scenario"] for trace in session.traces] == ["hw-loss", "hw-loss-fork"]
    assert session.content is not None
    comparison = session.content.comparison
    assert comparison is not None
    assert comparison.first is not None
    assert session.position == comparison.first.stop


def test_an_incident_goes_on_as_a_simulation_beside_what_really_happened(
    window: MainWindow, opened: Opened, answers: object
) -> None:
    opened(lambda: window.store.open_groups(((str(sample_path("k0102-hw-loss")),),)))
    session = window.session
    window.store.show_partition("orders-2")
    window.jobs.wait_for(CONTENT)
    real = session.traces[0]

    answers.choice = "From before the incident, at the worst for the records"  # pyright: ignore[reportAttributeAccessIssue]
    window.actions_["continue-incident"].trigger()
    window.jobs.wait_for("lift")

    draft = session.scenario
    assert (draft.eras, draft.origin) == (("0.10.2",), real)
    assert "orders-2 is now a scenario" in window.notices.text()
    assert window.views.currentWidget() is window.pages.scenario
    session.set_scenario(replace(draft, eras=("0.10.2", "2.8")))

    opened(window.actions_["run-scenario"].trigger)

    assert session.content is not None
    comparison = session.content.comparison
    assert comparison is not None
    partitions = {str(run.history.trace.partitions[run.history.partition].tp) for run in comparison.runs}
    assert partitions == {"orders-2"}
    ranges = [
        [
            (one.first_offset, one.end_offset)
            for one in run.verdict.losses
            if one.loss_class is LossClass.COMMITTED
        ]
        for run in comparison.runs
    ]
    # truth.json of the recording: 48 records that producers had been told of, 206 to 253.
    assert ranges == [[(206, 254)], [(206, 254)], []]


def test_logs_cannot_be_forked(window: MainWindow) -> None:
    assert not window.actions_["fork"].isEnabled()


def dropped(window: MainWindow, target: QWidget, *paths: Path) -> bool:
    """Drag files over a widget and drop them; whether somebody took them."""
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    at, copy = QPoint(40, 40), Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at, copy, files, left, none)
    QApplication.sendEvent(target, enter)
    drop = QDropEvent(QPointF(at), copy, files, left, none)
    QApplication.sendEvent(target, drop)
    return enter.isAccepted() and drop.isAccepted()


def test_a_typed_text_is_asked_about_before_another_takes_its_place(
    qtbot: QtBot, page: ScenarioPage, window: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    assert not window.session.scenario.unsaved
    put(qtbot, page, "# mine\n")
    assert window.session.scenario.unsaved
    other = tmp_path / "other.toml"
    other.write_text(NEW_TEXT, encoding="utf-8")
    answers.files, answers.text = (str(other),), ""
    ways = (
        window.actions_["new-scenario"].trigger,
        window.actions_["open-scenario"].trigger,
        lambda: page.library.activated.emit(page.library.findData("acks")),
        window.close,
    )
    for way in ways:
        way()
        assert (window.session.scenario.text, page.editor.toPlainText()) == ("# mine\n", "# mine\n")
        assert page.library.currentData() == ""
        assert window.isVisible()

    answers.text = "save"
    answers.scenario = str(tmp_path / "mine.toml")
    window.actions_["open-scenario"].trigger()
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == "# mine\n"
    assert page.editor.toPlainText() == NEW_TEXT
    assert not window.session.scenario.unsaved

    put(qtbot, page, "# mine again\n")
    answers.text = "discard"
    window.actions_["new-scenario"].trigger()
    assert page.editor.toPlainText() == NEW_TEXT


def test_going_back_from_the_file_dialog_keeps_the_text(
    qtbot: QtBot, page: ScenarioPage, window: MainWindow, answers: Answers
) -> None:
    put(qtbot, page, "# mine\n")
    answers.text, answers.scenario = "save", ""
    window.actions_["new-scenario"].trigger()
    assert page.editor.toPlainText() == "# mine\n"
    assert window.session.scenario.unsaved


def test_what_nobody_typed_or_what_was_undone_is_not_asked_about(
    qtbot: QtBot, page: ScenarioPage, window: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    put(qtbot, page, "# mine\n")
    with qtbot.waitSignal(page.checked, timeout=20_000):
        page.editor.undo()
    assert page.editor.toPlainText() == scenario("hw-loss").text
    assert not window.session.scenario.unsaved
    answers.scenario = str(tmp_path / "kept.toml")
    put(qtbot, page, "# kept\n")
    window.actions_["save-scenario"].trigger()
    window.actions_["new-scenario"].trigger()
    assert page.editor.toPlainText() == NEW_TEXT


def test_a_dropped_scenario_is_edited(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """Wherever it is dropped: on the window, or on the text of another scenario, which stays a text."""
    first, second = tmp_path / "first.toml", tmp_path / "second.TOML"
    first.write_text(NEW_TEXT, encoding="utf-8")
    second.write_text("# second\n", encoding="utf-8")
    assert dropped(window, window, first)
    assert window.views.currentWidget() is window.pages.scenario
    assert (window.session.scenario.text, window.session.scenario.path) == (NEW_TEXT, str(first))
    assert window.settings.get("recent")[0] == str(first)

    assert dropped(window, window.pages.scenario.editor.viewport(), second)
    assert window.pages.scenario.editor.toPlainText() == "# second\n"


def test_a_scenario_on_the_command_line_is_edited(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(NEW_TEXT, encoding="utf-8")
    window.opening.open_paths((str(path),))
    assert window.views.currentWidget() is window.pages.scenario
    assert window.session.scenario.path == str(path)

    window.opening.open_paths((str(tmp_path / "gone.toml"),))
    assert "cannot be read" in window.notices.text()
