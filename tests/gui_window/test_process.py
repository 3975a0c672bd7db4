"""The dialog that starts Spark, what it refuses, and its job in the window; at the end one real run."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

import spark.job
from core.message import message
from core.work import Work
from gui.i18n import use_language
from gui.window.importing import Importing
from gui.window.main_window import MainWindow
from gui.window.process_dialog import PROCESS, ProcessDialog
from gui.window.processing import Plan, Process, proposed_output, refusal
from gui.workspace.jobs import Failure, Progress
from gui.workspace.store import CONTENT
from importers.load import load
from importers.prepared.data_set import load_prepared
from tests.archives import unpack_two_brokers
from tests.gui_window.conftest import Answers
from tests.in_words import in_words
from tests.spark.compare import assert_same_trace

pytestmark = [pytest.mark.qt_log_ignore("does not support propagateSizeHints"), pytest.mark.broad(12)]
_PATIENCE_MS = 240_000
"""Java alone takes a minute to start on a machine that has other work."""


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return unpack_two_brokers(tmp_path / "logs")


@pytest.fixture
def dialog(window: MainWindow, qtbot: QtBot) -> ProcessDialog:
    window.actions_["process"].trigger()
    found = window.findChild(ProcessDialog)
    assert isinstance(found, ProcessDialog)
    qtbot.waitExposed(found)
    return found


def enter(dialog: ProcessDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Return)


@pytest.fixture
def begun(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Jobs that would run in a process of their own; none runs."""
    seen: list[tuple[Any, ...]] = []
    monkeypatch.setattr(window.jobs, "in_process", lambda *told: seen.append(told))
    return seen


def test_the_folder_is_chosen_and_the_data_set_goes_beside_it(
    dialog: ProcessDialog, answers: Answers, logs: Path, begun: list[tuple[Any, ...]]
) -> None:
    assert not dialog.start_button.isEnabled()
    answers.folder = str(logs)
    dialog.choose_button.click()
    enter(dialog)
    ((question, request, _),) = begun
    assert question == PROCESS
    assert request == Process(Plan(str(logs), f"{logs}.parquet", "local[*]", replace=False))


def test_what_is_typed_is_what_is_done(
    window: MainWindow, dialog: ProcessDialog, logs: Path, tmp_path: Path, begun: list[tuple[Any, ...]]
) -> None:
    QTest.keyClicks(dialog.output, str(tmp_path / "night.parquet"))
    QTest.keyClicks(dialog.source, str(logs))
    dialog.master.selectAll()
    QTest.keyClicks(dialog.master, "spark://host:7077")
    QTest.keyClick(dialog.replace_, Qt.Key.Key_Space)
    enter(dialog)
    expected = Plan(str(logs), str(tmp_path / "night.parquet"), "spark://host:7077", replace=True)
    assert begun[0][1] == Process(expected)
    assert window.settings.get("master") == "spark://host:7077"


def test_esc_begins_nothing(dialog: ProcessDialog, logs: Path, begun: list[tuple[Any, ...]]) -> None:
    dialog.source.setText(str(logs))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert begun == []


def test_the_data_set_of_a_source_is_beside_it_or_in_the_folder_for_an_address() -> None:
    assert proposed_output("", "/mine") == ""
    assert proposed_output("/", "/mine") == str(Path("/logs.parquet"))
    assert proposed_output("/data/night/", "/mine") == str(Path("/data/night.parquet"))
    assert proposed_output("s3://me:key@bucket/cases/night?region=x", "/mine") == str(
        Path("/mine/night.parquet")
    )


def test_what_cannot_be_is_refused_in_one_sentence(logs: Path, tmp_path: Path) -> None:
    source, free = str(logs), str(tmp_path / "free.parquet")
    (tmp_path / "text").write_text("mine", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    in_the_way = str(tmp_path / "text")
    assert refusal(Plan(source, free)) == ""
    assert refusal(Plan("s3://bucket/logs", free)) == ""
    assert "Choose the folder" in refusal(Plan("", free))
    assert refusal(Plan(f"{source}-gone", free)) == f"There is nothing at {source}-gone"
    assert "Name the data set" in refusal(Plan(source, ""))
    assert refusal(Plan(source, "s3://bucket/x.parquet")) == "A data set is written into a folder"
    assert refusal(Plan(source, in_the_way)) == f"{in_the_way} exists"
    assert "no" in refusal(Plan(source, in_the_way, replace=True))
    assert refusal(Plan(source, str(tmp_path / "empty"))) == f"{tmp_path / 'empty'} exists"
    assert refusal(Plan(source, str(tmp_path / "empty"), replace=True)) == ""


def test_enter_does_not_start_what_is_refused(
    dialog: ProcessDialog, logs: Path, begun: list[tuple[Any, ...]]
) -> None:
    dialog.source.setText(f"{logs}-gone")
    enter(dialog)
    dialog.source.setText(str(logs))
    # It came while the dialog was open.
    Path(f"{logs}.parquet").mkdir()
    assert dialog.start_button.isEnabled()
    enter(dialog)
    assert begun == []
    assert "exists" in dialog.refusal.text()
    dialog.replace_.setChecked(True)
    enter(dialog)
    assert begun[0][1].plan.replace


@pytest.fixture
def made(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Spark has a stand-in, and its job runs in a thread. What the window opens is noted."""

    def process(sources: list[str], out: str, *, master: str, replace: bool, work: Work) -> dict[str, Any]:
        work.step(1, 2, message("progress.spark.logs"))
        Path(out).write_text(f"{sources} {master} {replace}", encoding="utf-8")
        return {}

    seen: list[tuple[str, ...]] = []
    monkeypatch.setattr(spark.job, "process", process)
    monkeypatch.setattr(window.jobs, "in_process", window.jobs.in_thread_beside)
    monkeypatch.setattr(Importing, "open_or_look", lambda _self, paths, **_: seen.append(paths))
    return seen


def test_the_choices_reach_the_job_and_the_finished_data_set_is_opened(
    window: MainWindow, dialog: ProcessDialog, logs: Path, made: list[tuple[str, ...]], qtbot: QtBot
) -> None:
    told: list[Progress] = []
    window.jobs.progressed.connect(told.append)
    dialog.source.setText(str(logs))
    dialog.master.setText("local[3]")
    dialog.replace_.setChecked(True)
    enter(dialog)
    qtbot.waitUntil(lambda: bool(made), timeout=10_000)
    out = Path(f"{logs}.parquet")
    assert made == [(str(out),)]
    assert out.read_text(encoding="utf-8") == f"['{logs}'] local[3] True"
    assert told == [Progress(PROCESS, 1, 2, message("progress.spark.logs"))]


def test_what_is_on_its_way_meanwhile_is_not_stopped_by_the_data_set(
    window: MainWindow, dialog: ProcessDialog, logs: Path, made: list[tuple[str, ...]], qtbot: QtBot
) -> None:
    dialog.source.setText(str(logs))
    asked = window.jobs.asked
    window.jobs.asked = lambda: (*asked(), CONTENT)  # type: ignore[method-assign]
    with qtbot.waitSignal(window.jobs.ended, timeout=10_000):
        enter(dialog)
    qtbot.waitUntil(lambda: bool(window.notices.text()))
    assert window.notices.text() == f"The data set is there\n{logs}.parquet"
    assert made == []


def test_one_job_of_spark_at_a_time(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window.jobs, "asked", lambda: (PROCESS,))
    window.actions_["process"].trigger()
    assert window.findChild(ProcessDialog) is None
    assert "already" in window.notices.text()


@pytest.mark.slow
def test_where_java_is_missing_the_window_says_so(
    window: MainWindow,
    dialog: ProcessDialog,
    logs: Path,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    dialog.source.setText(str(logs))
    use_language("zh")
    try:
        with qtbot.waitSignal(window.jobs.failed, timeout=60_000) as caught:
            enter(dialog)
    finally:
        use_language("en")
    assert caught.args is not None
    failure: Failure = caught.args[0]
    assert in_words(failure).what == "Spark needs Java 17 or later"
    assert window.notices.text().startswith("Spark 需要 Java 17 或更高版本\n没有找到可运行的 Java。")
    assert not Path(f"{logs}.parquet").exists()


@pytest.mark.spark
def test_a_run_that_is_stopped_leaves_no_data_set_and_the_next_one_is_opened(
    window: MainWindow, dialog: ProcessDialog, logs: Path, qtbot: QtBot
) -> None:
    out = Path(f"{logs}.parquet")
    stop_at = [message("progress.spark.judging")]

    def stop(how: Progress) -> None:
        if how.what in stop_at:
            window.progress.cancelled.emit(how.question)

    window.jobs.progressed.connect(stop)
    dialog.source.setText(str(logs))
    dialog.master.setText("local[2]")
    with qtbot.waitSignal(window.jobs.stopped, timeout=_PATIENCE_MS):
        enter(dialog)
    assert {file.name for file in out.parent.iterdir()} == {logs.name, f".{out.name}.parsed"}
    assert "What was read is kept" in window.notices.text()
    assert window.progress.isHidden()

    stop_at.clear()
    window.actions_["process"].trigger()
    again = window.findChildren(ProcessDialog)[-1]
    assert again.master.text() == "local[2]"
    again.source.setText(str(logs))
    with qtbot.waitSignal(window.store.opened, timeout=_PATIENCE_MS):
        enter(again)
    imported = load([logs])
    assert_same_trace(load_prepared(out), imported)
    triage = window.session.triage
    assert triage is not None
    assert {one.partition for one in triage.summaries} == set(range(len(imported.partitions)))
    assert window.views.currentWidget() is window.pages.triage
    assert window.store.source == str(out)

    # Of the same logs only what is new would be read; of others nothing may be written there.
    assert refusal(Plan(str(logs), str(out))) == ""
    assert refusal(Plan(str(logs.parent), str(out))) == f"{out} holds other logs"
    assert refusal(Plan(str(logs.parent), str(out), replace=True)) == ""
