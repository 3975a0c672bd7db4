"""All partitions at a glance: the worst first, chosen, sorted, opened; by keys alone too."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from core.diagnose.account.page import page_of
from core.diagnose.verdict.check import diagnose, triaged
from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.summary import Spell, Triage
from core.kafka.eras import era
from core.picture.marks import Box, Glyph, Picture, Sign
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.ids import TopicPartition
from core.trace.trace import Partition
from db.document import create
from gui.panels.count_lists import KEY
from gui.panels.same_cause import same_cause
from gui.theme import font
from gui.triage.rows import (
    Choice,
    Column,
    Table,
    by_check,
    by_leader,
    by_topic,
    choose,
    heat,
    in_order,
    leader_before,
    shade,
    table_of,
)
from gui.triage.small_lanes import SmallLanes
from gui.triage.strip import BrokersOverTime
from gui.welcome.offers import sample_offers
from gui.window.main_window import MainWindow
from tests.calls import calls_of
from tests.clipped import clipped
from tests.recordings.whole import whole

pytestmark = pytest.mark.broad(4)

Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture(scope="module")
def found() -> tuple[Triage, Partition]:
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    return triaged(trace), trace.partitions[0]


def many(found: tuple[Triage, Partition], count: int) -> Table:
    """A table of `count` partitions of ten topics, of which every hundredth has the loss."""
    triage, partition = found
    healthy = replace(triage.summaries[0], check=None, reason=None, records_lost=0, findings={}, marks=())
    summaries = tuple(
        replace(triage.summaries[0] if index % 100 == 7 else healthy, partition=index)
        for index in range(count)
    )
    partitions = [
        Partition(TopicPartition(f"topic-{index % 10}", index // 10), partition.replicas)
        for index in range(count)
    ]
    return table_of(Triage(summaries, triage.findings), partitions)


def test_rows_are_ranked_and_counts_add_up(found: tuple[Triage, Partition]) -> None:
    table = many(found, 1000)

    assert [row.summary.check for row in table.rows[:11]] == ["committed-loss"] * 10 + [None]
    assert by_check(table) == [("committed-loss", 10), ("", 990)]
    assert by_topic(table)[0] == ("topic-7", 10, 100)
    assert sum(every for _, _, every in by_topic(table)) == 1000


def led(*spells: tuple[int, int | None, int | None]) -> tuple[Spell, ...]:
    """Terms as (begin, leader, epoch); each ends where the next begins."""
    ends = [start for start, _, _ in spells[1:]] + [1000]
    return tuple(Spell(start, end, *who) for (start, *who), end in zip(spells, ends, strict=True))


def test_who_led_before_a_loss_led_the_term_before_it_shows(found: tuple[Triage, Partition]) -> None:
    table = many(found, 100)
    (row, *_) = table.rows

    def before(*spells: tuple[int, int | None, int | None]) -> int | None:
        return leader_before(replace(row, summary=replace(row.summary, at=500, spells=led(*spells))))

    # hw-loss itself: A (1) leads epoch 0, B (2) is elected, and A's return shows what is gone.
    assert leader_before(row) == 1
    assert before((0, 1, 0), (200, -1, 1), (300, 2, 2)) == 1
    assert before((0, 3, 0), (100, 1, 1), (200, None, None), (300, 2, 2), (600, 3, 3)) == 1
    assert before((0, 4, 0)) == 4
    assert before((0, None, None)) is None
    assert before((600, 4, 0)) is None
    assert leader_before(table.rows[-1]) is None


def test_leaders_before_losses_are_counted_and_chosen(found: tuple[Triage, Partition]) -> None:
    table = many(found, 1000)
    changed = [
        replace(row, summary=replace(row.summary, check="possible-loss", spells=led((0, place % 2 + 5, 0))))
        for place, row in enumerate(table.rows[:3])
    ]
    table = replace(table, rows=(*changed, *table.rows[3:]))
    assert by_leader(table) == [(1, 7, 0), (5, 0, 2), (6, 0, 1)]
    assert choose(table, Choice(leader=5)) == [0, 2]
    assert len(choose(table, Choice(leader=1))) == 7


def test_a_choice_takes_words_check_and_topic(found: tuple[Triage, Partition]) -> None:
    table = many(found, 1000)

    assert len(choose(table, Choice("committed"))) == 10
    assert len(choose(table, Choice("TOPIC-7 loss"))) == 10
    assert len(choose(table, Choice(check=""))) == 990
    assert len(choose(table, Choice("topic-7", check="committed-loss", topic="topic-3"))) == 0
    names = [table.rows[index].name for index in in_order(table, range(3), Column.PARTITION, falling=True)]
    assert names == sorted(names, reverse=True)


def test_a_stretch_of_time_takes_partitions_with_a_finding_in_it(found: tuple[Triage, Partition]) -> None:
    triage, partition = found
    table = table_of(triage, [partition])
    at = triage.findings[0].start

    assert choose(table, Choice(stretch=(at, at))) == [0]
    assert choose(table, Choice(stretch=(table.last + 1, table.last + 2))) == []


def test_findings_over_time_are_those_of_the_brokers(found: tuple[Triage, Partition]) -> None:
    triage, partition = found
    counts = heat(table_of(triage, [partition]), 10)

    assert sum(map(sum, counts.values())) == sum(len(finding.brokers) for finding in triage.findings)
    assert [shade(count) for count in (0, 1, 2, 4, 11, 31, 5000)] == [0, 1, 2, 3, 4, 5, 5]


@pytest.mark.slow
def test_rows_are_chosen_and_sorted_with_a_few_calls_each(found: tuple[Triage, Partition]) -> None:
    table = many(found, 100_000)

    calls = calls_of(
        lambda: in_order(table, choose(table, Choice("topic-7 4")), Column.RECORDS, falling=True)
    )

    # Measured were four a row.
    assert calls < 10 * len(table.rows)


@pytest.fixture(scope="module")
def losses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A document of a recording with a loss in some of its partitions."""
    place = tmp_path_factory.mktemp("night")
    trace = whole("k0102-hw-loss").trace
    create(place / "night.tide", [trace], found=[triaged(trace)])
    return place / "night.tide"


@pytest.mark.slow
def test_the_worst_partition_is_first_and_enter_opens_it_at_its_loss(
    qtbot: QtBot, window: MainWindow, opened: Opened, losses: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(losses),),)))
    window.actions_["triage"].trigger()

    page = window.pages.triage
    assert window.views.currentWidget() is page
    row = page.selected()
    assert row is not None
    assert CHECK[row.summary.check or ""].id == "committed-loss"
    last = page.model.row(page.model.rowCount() - 1)
    assert last is not None

    page.find()
    qtbot.keyClicks(page.field, last.name)
    assert page.model.rowCount() == 1
    with qtbot.waitSignal(window.store.partition_shown, timeout=20_000):
        qtbot.keyClick(page.field, Qt.Key.Key_Return)

    # What it is of stays in sight.
    assert window.title_bar.place.text().startswith(losses.name)
    assert losses.name in window.windowTitle()
    content = window.session.content
    assert content is not None
    history = content.runs[0].history
    assert str(history.trace.partitions[history.partition].tp) == last.name
    assert window.views.currentWidget() is window.shown


@pytest.mark.slow
def test_a_dragged_stretch_and_a_click_on_a_topic_choose_rows(
    qtbot: QtBot, window: MainWindow, opened: Opened, losses: Path
) -> None:
    opened(lambda: window.store.open_groups(((str(losses),),)))
    window.actions_["triage"].trigger()
    page = window.pages.triage
    every = page.model.rowCount()
    qtbot.waitExposed(page.strip)

    left, right = QPoint(80, 10), QPoint(80 + page.strip.width() // 6, 10)
    qtbot.mousePress(page.strip, Qt.MouseButton.LeftButton, pos=left)
    qtbot.mouseRelease(page.strip, Qt.MouseButton.LeftButton, pos=right)
    assert page.strip.stretch is not None
    assert page.model.rowCount() < every
    qtbot.mouseClick(page.strip, Qt.MouseButton.LeftButton, pos=left)
    assert page.strip.stretch is None
    assert page.model.rowCount() == every

    page.topics.setCurrentRow(1)
    names = {page.model.row(number).topic for number in range(page.model.rowCount())}  # pyright: ignore[reportOptionalMemberAccess]
    assert len(names) == 1


def test_the_lines_of_brokers_begin_right_of_their_names(qtbot: QtBot) -> None:
    """ "controller 100" is wider than "broker 1"."""
    one = whole("k43-chaos")
    strip = BrokersOverTime()
    qtbot.addWidget(strip)
    strip.show_table(table_of(triaged(one.trace), one.trace.partitions), one.trace)

    assert "controller 100" in strip.names.values()
    widest = max(QFontMetrics(font(11)).horizontalAdvance(name) for name in strip.names.values())
    assert strip.plot().left() >= widest + 4


def test_a_comparison_has_no_triage(demo: MainWindow) -> None:
    assert not demo.actions_["triage"].isEnabled()
    assert demo.pages.triage.model.rowCount() == 0


def test_the_side_has_small_lanes_and_who_shares_the_cause(
    window: MainWindow, opened: Opened, qtbot: QtBot
) -> None:
    """k0102-hw-loss: seven partitions lost by the same cuts, 48 records of orders-0 (truth.json)."""
    shown = opened(lambda: window.opening.open_offer(sample_offers()[1]))
    shown.actions_["triage"].trigger()
    page = shown.pages.triage
    lanes, shared = page.side.lanes, page.side.shared
    assert shown.session.content is not None

    other = next(
        row
        for row in range(page.model.rowCount())
        if (found := page.model.row(row)) is not None and found.name == "orders-0"
    )
    assert shown.session.content.partition != "orders-0"
    page.rows.selectRow(other)
    qtbot.waitUntil(lambda: lanes.picture is not None and lanes.isVisible())

    assert lanes.picture is not None
    marks = lanes.picture.marks()
    brokers = {mark.ref.broker for mark in marks if isinstance(mark, Box) and mark.ref}
    assert {1, 2} <= brokers
    pills = [mark.label for mark in marks if isinstance(mark, Sign) and mark.glyph is Glyph.LOSS]
    assert "−48" in pills
    names = [shared.item(row).data(KEY) for row in range(shared.count())]
    assert sorted(names) == ["audit-0", "clicks-0", "clicks-1", "clicks-2", "orders-1", "orders-2"]

    with qtbot.waitSignal(shown.store.partition_shown):
        shared.itemActivated.emit(shared.item(names.index("orders-2")))
    assert shown.session.content.partition == "orders-2"

    # The same beside the findings of the partition.
    beside = shown.shared_cause
    assert not beside.isHidden()
    # A bar comes over more rows than are seen at once.
    qtbot.waitUntil(lambda: clipped(beside) == [])
    names = [beside.list.item(row).data(KEY) for row in range(beside.list.count())]
    assert sorted(names) == ["audit-0", "clicks-0", "clicks-1", "clicks-2", "orders-0", "orders-1"]
    with qtbot.waitSignal(shown.store.partition_shown):
        beside.list.itemClicked.emit(beside.list.item(names.index("clicks-1")))
    assert shown.session.content.partition == "clicks-1"


def test_small_lanes_are_seen_where_they_can_be_read(
    window: MainWindow, opened: Opened, qtbot: QtBot
) -> None:
    """audit-0 of k0102-hw-loss has a story of seven steps: at 960 it had 72 pixels."""
    shown = opened(lambda: window.opening.open_offer(sample_offers()[1]))
    shown.actions_["triage"].trigger()
    lanes = shown.pages.triage.side.lanes
    qtbot.waitUntil(lanes.isVisible)

    for width, seen in ((960, False), (1280, True), (960, False), (1600, True)):
        shown.resize(width, 720)
        qtbot.waitUntil(lanes.isVisible if seen else lanes.isHidden)
        if seen:
            bands = [mark for mark in drawn(lanes).marks() if isinstance(mark, Box) and mark.ref]
            assert max(mark.x + mark.w for mark in bands) - min(mark.x for mark in bands) >= 100
            assert drawn(lanes).width == lanes.width()
        assert clipped(shown.pages.triage.side) == []


def drawn(lanes: SmallLanes) -> Picture:
    assert lanes.picture is not None
    return lanes.picture


def test_a_partition_with_a_cause_of_its_own_shares_none(found: tuple[Triage, Partition]) -> None:
    trace = simulate(scenario("hw-loss"), era("0.10.2"))

    assert same_cause(page_of(trace, diagnose(trace)), 0) is None
