"""Everything by typing: the palette, and going to a place."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.errors import QuestionError
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.times import parse_time
from core.words import text
from core.work import QUIET
from gui.actions import ACTION, ACTIONS
from gui.search.overlay import Overlay, find_overlay
from gui.search.places import PlaceKind, parse_place, position_of
from gui.search.rows import ACTION as ACTION_ROW
from gui.search.rows import MOST, Row, matching, rows_of
from gui.window.main_window import MainWindow
from gui.workspace.content import Content
from gui.workspace.loading import content_of
from tests.gui_window.conftest import Answers, anew
from tests.recordings.whole import whole

pytestmark = pytest.mark.broad(6)

Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


def ask(window: MainWindow, key: Qt.Key) -> Overlay:
    window.activateWindow()
    QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
    overlay = find_overlay(window)
    assert overlay is not None
    assert overlay.field.hasFocus()
    return overlay


def chosen(overlay: Overlay) -> tuple[str, str]:
    line = overlay.lines[overlay.place]
    return line.kind, line.text


def test_the_palette_has_every_action_and_says_why_one_is_disabled(window: MainWindow) -> None:
    rows = {row.target: row for row in rows_of(window.session) if row.kind == ACTION_ROW}

    assert set(rows) == set(ACTION)
    assert rows["open"].reason == ""
    assert rows["open"].aside == "Ctrl+O"
    assert rows["undo"].reason == "only when there is something to undo"
    assert len([row for row in rows.values() if row.reason]) > len(ACTIONS) / 2


def test_rows_are_found_by_words_of_any_part_and_the_nearest_are_first() -> None:
    rows = (
        Row("Action", "To the next loss", "b", "L"),
        Row("Action", "Next loss", "a", "L"),
        Row("Action", "Next lossless thing", "c", "", "only when it rains"),
        Row("Partition", "orders-3", "orders-3"),
    )

    assert [row.target for row in matching(rows, "next los")] == ["a", "b", "c"]
    assert [row.target for row in matching(rows, "loss  TO")] == ["b"]
    assert [row.target for row in matching(rows, "part 3")] == ["orders-3"]
    assert matching(rows, "") == rows
    assert matching(rows, "nothing of it") == ()


def test_an_action_is_run_from_the_palette_by_keys_alone(demo: MainWindow) -> None:
    demo.session.set_position(0)
    overlay = ask(demo, Qt.Key.Key_K)
    QTest.keyClicks(overlay.field, "last pos")
    assert chosen(overlay) == ("Action", "Last position")
    QTest.keyClick(overlay.field, Qt.Key.Key_Return)

    assert demo.session.content is not None
    assert demo.session.position == demo.session.content.last
    assert find_overlay(demo) is None


def test_arrows_choose_escape_goes_back_and_the_cursor_stays(demo: MainWindow) -> None:
    demo.stage.canvas.setFocus()
    where = demo.session.position
    overlay = ask(demo, Qt.Key.Key_K)
    QTest.keyClick(overlay.field, Qt.Key.Key_Down)
    QTest.keyClick(overlay.field, Qt.Key.Key_Down)
    QTest.keyClick(overlay.field, Qt.Key.Key_Up)
    assert overlay.place == 1
    QTest.keyClick(overlay.field, Qt.Key.Key_Left)
    QTest.keyClick(overlay.field, Qt.Key.Key_Escape)

    assert find_overlay(demo) is None
    assert demo.stage.canvas.hasFocus()
    assert demo.session.position == where


def test_what_is_disabled_is_not_run_and_says_why(demo: MainWindow) -> None:
    overlay = ask(demo, Qt.Key.Key_K)
    QTest.keyClicks(overlay.field, "pin the lane")
    assert overlay.lines[0].faint
    QTest.keyClick(overlay.field, Qt.Key.Key_Return)

    assert find_overlay(demo) is overlay
    assert overlay.help.text() == "Pin the lane on top, or let go of it: only when one timeline is open."


def test_a_finding_is_gone_to_from_the_palette(demo: MainWindow) -> None:
    content = demo.session.content
    assert content is not None
    finding = content.runs[0].verdict.findings[0]
    demo.session.set_position(0)
    overlay = ask(demo, Qt.Key.Key_K)
    said = text(finding.message)
    QTest.keyClicks(overlay.field, said)
    assert chosen(overlay) == ("Finding", said)
    QTest.keyClick(overlay.field, Qt.Key.Key_Return)

    assert demo.session.position == content.position_of(0, finding.evidence[0] + 1)


def test_a_scenario_is_opened_from_the_palette(qtbot: QtBot, window: MainWindow) -> None:
    overlay = ask(window, Qt.Key.Key_K)
    QTest.keyClicks(overlay.field, "hw-loss")
    assert chosen(overlay)[0] == "Scenario"
    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        QTest.keyClick(overlay.field, Qt.Key.Key_Return)

    assert [trace.facts["scenario"] for trace in window.session.traces] == ["hw-loss"] * 3


def test_a_list_of_many_is_cut_and_says_so(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tuple(Row("Partition", f"orders-{number}", f"orders-{number}") for number in range(5_000))
    monkeypatch.setattr("gui.search.palette.rows_of", lambda _session: rows)
    overlay = ask(window, Qt.Key.Key_K)

    assert len(overlay.lines) == MOST
    assert "The first 200 of 5,000" in overlay.help.text()
    QTest.keyClicks(overlay.field, "orders-4999")
    assert [line.text for line in overlay.lines] == ["orders-4999"]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("47", PlaceKind.POSITION, 47),
        (" p 1,047 ", PlaceKind.POSITION, 1_047),
        ("#3", PlaceKind.POSITION, 3),
        ("+5", PlaceKind.MOVE, 5),
        ("-12", PlaceKind.MOVE, -12),
        ("o 206", PlaceKind.OFFSET, 206),
        ("offset 1,206", PlaceKind.OFFSET, 1_206),
        ("e3", PlaceKind.EPOCH, 3),
        ("Epoch 3", PlaceKind.EPOCH, 3),
        ("step 8", PlaceKind.STEP, 8),
        ("12.005 s", PlaceKind.TIME, 12_005_000_000),
        ("350ms", PlaceKind.TIME, 350_000_000),
        ("10:04", PlaceKind.CLOCK, 36_240 * 10**9),
        ("10:04:13.5", PlaceKind.CLOCK, 36_253_500_000_000),
        ("10:04:13,549", PlaceKind.CLOCK, 36_253_549_000_000),
        ("2026-11-21 10:04", PlaceKind.TIME, parse_time("2026-11-21T10:04:00Z")),
        ("2026-11-21T10:04:13.549Z", PlaceKind.TIME, parse_time("2026-11-21T10:04:13.549Z")),
        ("2026-11-21T12:04:13+02:00", PlaceKind.TIME, parse_time("2026-11-21T10:04:13Z")),
        ("server.log:1234", PlaceKind.LINE, 1_234),
    ],
)
def test_a_place_is_written_in_many_ways(text: str, kind: PlaceKind, value: int) -> None:
    place = parse_place(text)
    assert (place.kind, place.value) == (kind, value)


@pytest.mark.parametrize(
    "text", ["", "  ", "soon", "25:00", "10:61", "o", "e x", "2026-02-30 10:00", "2026-11-21"]
)
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(QuestionError):
        parse_place(text)


def test_a_millisecond_means_all_of_it_and_a_second_its_beginning() -> None:
    assert parse_place("10:04:13.549").until == 36_253_549_999_999
    assert parse_place("10:04:13").until == 36_253 * 10**9
    assert parse_place("12.005 s").until == 12_005_999_999


@pytest.fixture(scope="module")
def loss() -> Content:
    """hw-loss as Kafka 0.10.2 plays it: m1 is offset 1, the terms are 0 and 1."""
    return content_of((simulate(scenario("hw-loss"), era("0.10.2")),), "", None, QUIET)


def go(content: Content, text: str, position: int = 0) -> int:
    return position_of(content, position, parse_place(text))


def test_positions_and_moves(loss: Content) -> None:
    assert go(loss, "7") == 7
    assert go(loss, "+3", 7) == 10
    assert go(loss, "-30", 7) == 0
    with pytest.raises(QuestionError, match=f"Positions are 0 to {loss.last:,}"):
        go(loss, str(loss.last + 1))


def test_an_epoch_is_where_it_is_first_known(loss: Content) -> None:
    history = loss.runs[0].history
    place = go(loss, "e 1")
    assert history.at(loss.cursors(place)[0]).leader_epoch == 1
    assert history.at(loss.cursors(place - 1)[0]).leader_epoch == 0
    with pytest.raises(QuestionError, match="Leader epochs are 0 to 1"):
        go(loss, "e 7")


def test_an_offset_is_visited_at_each_of_its_turns(loss: Content) -> None:
    """m1 at offset 1: written by the leader, copied, passed by high watermarks, and cut."""
    seen = [go(loss, "o 1")]
    while (place := go(loss, "o 1", seen[-1])) != seen[0]:
        seen.append(place)
    kinds = {
        loss.runs[0].history.trace.event(int(loss.runs[0].history.seqs[place - 1])).kind for place in seen
    }
    assert seen == sorted(seen)
    assert {"appended", "truncated"} <= kinds
    with pytest.raises(QuestionError, match="Nothing is said of offset 99"):
        go(loss, "o 99")


def test_a_time_is_the_last_position_before_it(loss: Content) -> None:
    times = loss.runs[0].history.trace.columns["at"]
    place = loss.last // 2
    at = int(times[loss.runs[0].history.seqs[place - 1]])
    found = go(loss, f"{at} ns")
    assert int(times[loss.runs[0].history.seqs[found - 1]]) == at
    assert found == loss.last or int(times[loss.runs[0].history.seqs[found]]) > at
    with pytest.raises(QuestionError, match=r"The events are from .* to .* s"):
        go(loss, "9999 s")


def test_a_step_is_one_of_the_script(demo: MainWindow) -> None:
    content = demo.session.content
    assert content is not None
    assert go(content, "step 3") == content.landmarks["anchor"][3]
    with pytest.raises(QuestionError, match="Steps are 1 to"):
        go(content, "step 99")


@pytest.fixture(scope="module")
def recorded() -> Content:
    return content_of((whole("k28-unclean-loss").trace,), "", "events-0", QUIET)


def test_a_time_of_day_and_a_line_of_a_recording(recorded: Content) -> None:
    history = recorded.runs[0].history
    trace = history.trace
    seq = next(int(one) for one in history.seqs if trace.event(int(one)).kind == "truncated")
    event = trace.event(seq)
    of_day = event.at % (86_400 * 10**9)
    text = f"{of_day // 3_600_000_000_000}:{of_day // 60_000_000_000 % 60:02}:{of_day / 1e9 % 60:06.3f}"
    assert recorded.position_of(0, seq + 1) <= go(recorded, text)
    assert int(trace.columns["at"][history.seqs[go(recorded, text) - 1]]) == event.at
    name = Path(trace.sources[event.source].path)
    first = go(recorded, f"{name.parent.name}/{name.name}:{event.line}")
    landed = trace.event(int(history.seqs[first - 1]))
    assert (landed.source, landed.line) == (event.source, event.line)
    with pytest.raises(QuestionError, match="No event here comes from line 7"):
        go(recorded, "nothing.log:7")


def test_go_to_moves_the_cursor_or_says_why_not(demo: MainWindow) -> None:
    overlay = ask(demo, Qt.Key.Key_G)
    QTest.keyClicks(overlay.field, "nowhere")
    QTest.keyClick(overlay.field, Qt.Key.Key_Return)
    assert overlay.help.text().startswith("'nowhere' is no place.")
    assert find_overlay(demo) is overlay
    overlay.field.setText("4")
    QTest.keyClick(overlay.field, Qt.Key.Key_Return)
    assert demo.session.position == 4
    assert find_overlay(demo) is None
