"""The page for questions in SQL: by keys, with examples, and back to the timeline."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.errors import DocumentError
from core.message import message
from db.document import create
from gui.query.asking import AskInSql, Place, place_of
from gui.query.examples import examples
from gui.window.main_window import MainWindow
from gui.workspace.query_answer import Answer
from tests.gui_window.conftest import Answers, triaged_once
from tests.recordings.whole import sampled

pytestmark = pytest.mark.broad(12)

Opened = Callable[[Callable[[], None]], MainWindow]
GUIDE = Path(__file__).parents[2] / "docs" / "query.md"


@pytest.fixture(scope="module")
def losses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("query") / "loss.tide"
    trace = sampled("k0102-hw-loss")
    create(path, [trace], found=[triaged_once(trace)])
    return path


@pytest.fixture
def asking(window: MainWindow, opened: Opened, losses: Path) -> MainWindow:
    """The recorded loss is open, and the page is seen."""
    opened(lambda: window.store.open_groups(((str(losses),),)))
    window.actions_["query"].trigger()
    return window


def ask(qtbot: QtBot, window: MainWindow, sql: str) -> None:
    """Type a question and ask it with the keyboard alone."""
    page = window.pages.query
    page.field.selectAll()
    page.field.insertPlainText(sql)
    with qtbot.waitSignal(window.jobs.ended, timeout=60_000):
        QTest.keyClick(page.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.told.isHidden() or page.told.text() != "Asking…")


def cells(window: MainWindow) -> list[list[str]]:
    model = window.pages.query.model
    return [
        [str(model.data(model.index(row, column))) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_the_head_of_the_rows_begins_where_that_of_the_page_does(asking: MainWindow) -> None:
    page = asking.pages.query
    (title,) = (one for one in page.findChildren(QLabel) if one.text() == "Ask in SQL")
    name = page.head.name
    assert name.mapTo(page, QPoint()).x() == title.mapTo(page, QPoint()).x()


@pytest.mark.slow
def test_rows_by_keys_alone(qtbot: QtBot, asking: MainWindow) -> None:
    page = asking.pages.query
    assert page.field.hasFocus()

    ask(qtbot, asking, "select sum(records) as records from losses where severity = 'loss'")

    assert cells(asking) == [["325"]]
    assert page.model.headerData(0, Qt.Orientation.Horizontal) == "records"
    assert page.head.fact.text() == "1 row"
    assert not page.show_button.isEnabled()


def test_wrong_sql_is_told_beside_the_field_and_nothing_else_changes(
    qtbot: QtBot, asking: MainWindow
) -> None:
    ask(qtbot, asking, "select 1 as one")
    ask(qtbot, asking, "select nope from events")

    assert "nope" in asking.pages.query.told.text()
    assert asking.pages.query.told.isVisible()
    assert cells(asking) == [["1"]]
    assert asking.notices.isHidden()


def test_a_row_is_shown_on_the_timeline(qtbot: QtBot, asking: MainWindow) -> None:
    ask(
        qtbot,
        asking,
        "select topic, partition, time from cuts where topic = 'clicks' and partition = 1 and broker = 2",
    )
    page = asking.pages.query
    assert page.show_button.isEnabled()

    with qtbot.waitSignal(asking.store.partition_shown, timeout=60_000):
        page.table.setFocus()
        QTest.keyClick(page.table, Qt.Key.Key_Return)

    content = asking.session.content
    assert content is not None
    assert content.partition == "clicks-1"
    assert asking.views.currentWidget() is asking.shown
    cut = 1795231750_162_000_000
    assert content.runs[0].history.time_of(asking.session.cursors[0]) == cut


def test_rows_are_copied_and_saved(
    qtbot: QtBot, asking: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    ask(qtbot, asking, "select topic, replicas from partitions where topic = 'audit'")
    page = asking.pages.query

    page.copy_button.click()
    told = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert told == [["topic", "replicas"], ["audit", "[1, 3, 2]"]]

    answers.table = str(tmp_path / "rows.csv")
    page.save_button.click()
    assert (tmp_path / "rows.csv").read_text(encoding="utf-8") == QGuiApplication.clipboard().text()


def test_names_are_offered_as_one_types(qtbot: QtBot, asking: MainWindow) -> None:
    field = asking.pages.query.field

    qtbot.keyClicks(field, "select high_w")
    assert field.textCursor().selectedText() == "atermark"
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    qtbot.keyClicks(field, ", par")
    assert field.textCursor().selectedText() == "titions"
    qtbot.keyClick(field, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    qtbot.keyClicks(field, " from events")

    assert field.toPlainText() == "select high_watermark, partition from events"
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert not field.hasFocus()


def test_what_is_only_offered_is_not_asked(qtbot: QtBot, asking: MainWindow) -> None:
    field = asking.pages.query.field

    qtbot.keyClicks(field, "select count(*) from event")
    assert field.textCursor().selectedText() == "s"
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    assert field.toPlainText() == "select count(*) from event"


@pytest.mark.slow
def test_an_example_is_asked_at_once(qtbot: QtBot, asking: MainWindow) -> None:
    page = asking.pages.query
    with qtbot.waitSignal(asking.jobs.ended, timeout=60_000):
        page.examples.activated.emit(5)

    assert page.field.toPlainText() == examples()[4].sql
    qtbot.waitUntil(page.told.isHidden)
    assert [row[0] for row in cells(asking)] == ["audit", "clicks", "orders"]


def test_triage_leads_to_it(asking: MainWindow) -> None:
    asking.actions_["triage"].trigger()
    asking.pages.triage.sql.click()

    assert asking.views.currentWidget() is asking.pages.query


def test_rows_go_with_what_is_open(qtbot: QtBot, asking: MainWindow) -> None:
    ask(qtbot, asking, "select 1 as one")

    asking.actions_["close"].trigger()

    assert cells(asking) == []


def test_place_of_a_row() -> None:
    answer = Answer(
        ("topic", "partition", "time"),
        (
            ("t", 0, "1970-01-01T00:00:01.000000000Z"),
            ("t", 0, None),
            (None, None, "1970-01-01T00:00:02.000000000Z"),
            (None, None, None),
        ),
    )

    assert [place_of(answer, row) for row in range(4)] == [
        Place("t-0", 1_000_000_000),
        Place("t-0", None),
        Place("", 2_000_000_000),
        None,
    ]
    assert place_of(Answer(("count",), ((3,),)), 0) is None


def test_the_examples_are_the_questions_of_the_guide() -> None:
    told = re.findall(r"```sql\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)

    assert [one.sql for one in examples()] == [sql.strip() for sql in told]


def test_what_fails_otherwise_is_told_and_the_page_waits_no_longer(
    qtbot: QtBot, asking: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_asked: object, _work: object) -> Answer:
        raise DocumentError(message("error.document.none"))

    monkeypatch.setattr(AskInSql, "answer", refuse)
    page = asking.pages.query
    page.field.setPlainText("select 1")
    with qtbot.waitSignal(asking.jobs.failed, timeout=60_000):
        page.ask()

    qtbot.waitUntil(page.told.isHidden)
    assert asking.notices.isVisible()
