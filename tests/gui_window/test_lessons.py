"""The page of questions and scenarios: filter, open, and what is seen at the place that opens.

The numbers are the domain's (its third and fourth section): "at the cursor, does the state show the answer?"
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.history.state import PartitionState, ReplicaState, Role
from core.kafka.eras import era_named
from core.sim.articles import claims
from core.sim.library import scenario, scenario_ids
from core.sim.questions import Question, questions
from core.trace.trace import Event
from core.work import QUIET
from gui.i18n import use_language
from gui.lessons.rows import chosen, question_entries, scenario_entries
from gui.window.main_window import MainWindow
from gui.workspace.loading import Loaded
from gui.workspace.simulating import PAIR, Asked, replay

pytestmark = pytest.mark.broad(36)

Opened = Callable[[Callable[[], None]], MainWindow]


@dataclass(frozen=True)
class Shown:
    """What a person sees at the place of a question: a state of each run, and the event that is selected."""

    states: tuple[PartitionState, ...]
    event: Event | None

    def of(self, broker: str, run: int = 0) -> ReplicaState:
        return self.states[run].replica("ABCDE".index(broker) + 1)

    def records(self, broker: str, run: int = 0) -> list[str]:
        return [name for part in self.of(broker, run).runs for name in part.records]

    def leo(self, broker: str, run: int = 0) -> int | None:
        return self.of(broker, run).leo.exact

    def hw(self, broker: str, run: int = 0) -> int | None:
        return self.of(broker, run).hw.exact

    def told(self, kind: str, **values: int) -> None:
        assert self.event is not None
        assert self.event.kind == kind
        assert {name: self.event.get(name) for name in values} == values


def ask_for_leo(seen: Shown) -> None:
    assert (seen.leo("A", 0), seen.leo("B", 0)) == (10, 10)
    assert seen.records("A", 0)[8:] == ["r8", "r9"]
    assert seen.records("B", 0)[8:] == ["n8", "n9"]
    assert seen.leo("A", 1) == 8
    seen.told("truncated", from_offset=10, offset=8)


def keep_everything(seen: Shown) -> None:
    assert (seen.records("A", 0)[2], seen.records("B", 0)[2]) == ("m5", "m4")
    assert (seen.records("A", 1)[2], seen.records("B", 1)[2]) == ("m5", "m5")
    seen.told("truncation_noop", offset=3)


def nobody_to_ask(seen: Shown) -> None:
    assert seen.of("A").alive is False
    assert seen.of("B").alive is True
    assert seen.leo("B") == 1
    seen.told("epoch_end_failed")


def copied_uncommitted(seen: Shown) -> None:
    assert seen.records("B") == ["m0"]
    assert (seen.hw("A"), seen.hw("B")) == (0, 0)


def slower_fetch(seen: Shown) -> None:
    assert (seen.leo("A"), seen.hw("A")) == (10, 3)
    assert dict(seen.of("A").remote)[2] == 7
    assert dict(seen.of("A").remote)[3] == 5


def slowest_moves(seen: Shown) -> None:
    assert seen.hw("A") == 8
    assert dict(seen.of("A").remote) == {2: 9, 3: 8}


def above_a_returning_follower(seen: Shown) -> None:
    assert (seen.hw("A"), seen.leo("B")) == (4, 1)
    assert seen.of("B").role == Role.FOLLOWER
    assert seen.states[0].isr == (1,)


def union(seen: Shown) -> None:
    assert [state.isr for state in seen.states] == [(1,), (1,)]
    assert (seen.leo("A", 0), seen.hw("A", 0)) == (2, 2)
    assert (seen.leo("A", 1), seen.hw("A", 1)) == (2, 1)


def acks_all(seen: Shown) -> None:
    assert seen.hw("B") == 2
    assert seen.records("B")[1] == "n2"
    seen.told("acknowledged", from_offset=1, offset=2)


def entry_is_the_log_end(seen: Shown) -> None:
    assert seen.of("B").epochs == ((0, 0), (1, 2))
    assert (seen.leo("B"), seen.hw("B")) == (2, 1)


def hears_late(seen: Shown) -> None:
    assert (seen.of("A").epoch, seen.of("B").epoch) == (2, 1)
    assert seen.of("B").role == Role.LEADER


def nothing_above_two(seen: Shown) -> None:
    assert (seen.leo("B", 0), seen.leo("B", 1)) == (1, 2)
    assert seen.of("A", 1).epochs == ((0, 0),)
    seen.told("truncation_not_needed", offset=2)


def starts_are_enough(seen: Shown) -> None:
    assert seen.of("B").epochs == ((1, 0), (2, 8))
    seen.told("epoch_end_answered", offset=8)


def same_for_consumers(seen: Shown) -> None:
    assert seen.states[0].leader == seen.states[1].leader == 2
    assert seen.hw("B", 0) == seen.hw("B", 1)
    assert seen.leo("C", 0) != seen.leo("C", 1)


def cut_at_own_hw(seen: Shown) -> None:
    assert (seen.hw("A", 0), seen.leo("B", 0), seen.hw("B", 0)) == (2, 1, 1)
    assert seen.leo("B", 1) == 2
    seen.told("truncated", from_offset=2, offset=1)


def lost_with_the_cache(seen: Shown) -> None:
    assert (seen.hw("A"), seen.leo("B")) == (2, 1)
    seen.told("truncated", from_offset=2, offset=1)


def in_the_batch(seen: Shown) -> None:
    assert seen.of("A").role == Role.FOLLOWER
    assert seen.records("A")[-1] == "m2"
    assert seen.of("A").epochs == ((0, 0), (1, 2))


def stands_still(seen: Shown) -> None:
    assert (seen.leo("A"), seen.hw("A")) == (10, 6)
    assert dict(seen.of("A").remote) == {2: 8, 3: None}


ANSWERS = (
    ask_for_leo,
    keep_everything,
    nobody_to_ask,
    copied_uncommitted,
    slower_fetch,
    slowest_moves,
    above_a_returning_follower,
    union,
    acks_all,
    entry_is_the_log_end,
    hears_late,
    nothing_above_two,
    starts_are_enough,
    same_for_consumers,
    cut_at_own_hw,
    lost_with_the_cache,
    in_the_batch,
    stands_still,
)


def replayed(question: Question) -> Loaded:
    eras = tuple(era_named(name) for name in question.runs)
    return replay(Asked(scenario(question.scenario), eras, place=question.place), QUIET)


@pytest.mark.parametrize("number", range(1, len(questions()) + 1))
def test_the_place_that_opens_shows_the_answer(number: int) -> None:
    question = questions()[number - 1]
    loaded = replayed(question)
    assert loaded.position is not None
    cursors = loaded.content.cursors(loaded.position)
    states = tuple(run.history.at(cursor) for run, cursor in zip(loaded.content.runs, cursors, strict=True))
    selected = loaded.selection
    event = None if selected is None else loaded.traces[selected.run].event(selected.key)

    ANSWERS[number - 1](Shown(states, event))


@pytest.mark.slow
def test_every_row_opens_its_place(window: MainWindow, opened: Opened) -> None:
    window.actions_["lessons"].trigger()
    for question, row in zip(questions(), window.pages.lessons.questions.rows, strict=True):
        expected = replayed(question)
        opened(row.click)

        session = window.session
        assert session.position == expected.position
        assert session.selection == expected.selection
        assert [trace.name for trace in session.traces] == list(question.runs)
        window.show_view("lessons")


@pytest.mark.slow
def test_a_click_on_a_question_opens_its_comparison(qtbot: QtBot, window: MainWindow, opened: Opened) -> None:
    window.actions_["lessons"].trigger()
    row = window.pages.lessons.questions.rows[14]
    assert row.entry.title.startswith("The data at a high watermark of 1")

    opened(lambda: qtbot.mouseClick(row, Qt.MouseButton.LeftButton))

    assert window.views.currentWidget() is window.shown
    assert [trace.facts["era"] for trace in window.session.traces] == ["0.10.2", "0.11"]
    assert window.session.traces[0].facts["scenario"] == "hw-loss"
    cut = window.session.selection
    assert cut is not None
    assert window.session.traces[cut.run].event(cut.key).kind == "truncated"


def test_the_question_and_its_answer_stay_over_the_lanes_until_something_else_opens(
    window: MainWindow, opened: Opened
) -> None:
    bar, question = window.lesson, questions()[2]
    assert bar.isHidden()
    window.actions_["lessons"].trigger()
    opened(window.pages.lessons.questions.rows[2].click)

    assert bar.isVisible()
    assert bar.ask.text() == question.ask["en"]
    assert bar.answer.text() == question.answer["en"]

    window.actions_["lessons"].trigger()
    opened(window.pages.lessons.scenarios.rows[1].click)
    assert bar.isHidden()


def test_a_claim_of_the_articles_opens_both_rules_with_both_sentences(
    window: MainWindow, opened: Opened
) -> None:
    window.actions_["lessons"].trigger()
    window.pages.lessons.articles.click()
    assert window.views.currentWidget() is window.pages.articles
    claim = claims()[0]

    opened(window.pages.articles.claims.rows[0].click)

    assert [trace.facts["era"] for trace in window.session.traces] == ["0.10.2", "0.10.2"]
    content = window.session.content
    assert content is not None
    cursors = content.cursors(window.session.position)
    seen = [run.history.replicas[2].at(at).hw.exact for run, at in zip(content.runs, cursors, strict=True)]
    assert seen == [1, 0]
    assert claim.article["en"] in window.lesson.answer.text()
    assert claim.kafka["en"] in window.lesson.answer.text()


def test_a_scenario_of_the_table_of_risks_opens_in_its_eras(window: MainWindow, opened: Opened) -> None:
    window.actions_["articles"].trigger()
    opened(window.pages.articles.outcomes[0].click)

    assert [trace.facts["era"] for trace in window.session.traces] == ["0.10.2", "0.11", "2.0", "2.1"]
    assert window.session.traces[0].facts["scenario"] == "hw-loss"
    assert window.lesson.isHidden()


@pytest.mark.slow
def test_a_shorter_run_opens_at_its_place_and_keeps_it(window: MainWindow, opened: Opened) -> None:
    window.actions_["lessons"].trigger()
    rows = window.pages.lessons.questions.rows
    opened(rows[0].click)
    window.show_view("lessons")
    opened(rows[2].click)
    place = replayed(questions()[2]).position
    assert window.session.position == place

    window.show_view("lessons")

    assert window.session.position == place


def test_a_scenario_opens_by_keys_alone(qtbot: QtBot, window: MainWindow, opened: Opened) -> None:
    window.actions_["lessons"].trigger()
    page = window.pages.lessons
    qtbot.keyClicks(page.field, "two-replica-sync first fetch")
    assert [row.entry.head for row in page.scenarios.shown()] == ["two-replica-sync"]
    assert not page.questions.shown()

    qtbot.keyClick(page.field, Qt.Key.Key_Down)
    assert page.scenarios.rows.index(page.scenarios.shown()[0]) >= 0
    opened(lambda: qtbot.keyClick(page.scenarios.shown()[0], Qt.Key.Key_Return))

    assert window.session.traces[0].facts["scenario"] == "two-replica-sync"


def test_enter_in_the_field_opens_the_first_row(qtbot: QtBot, window: MainWindow, opened: Opened) -> None:
    window.actions_["lessons"].trigger()
    qtbot.keyClicks(window.pages.lessons.field, "page cache or disk")
    opened(lambda: qtbot.keyClick(window.pages.lessons.field, Qt.Key.Key_Return))

    assert window.session.traces[0].facts["scenario"] == "lost-tail"


def test_arrows_go_from_row_to_row(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_["lessons"].trigger()
    page = window.pages.lessons
    qtbot.keyClick(page.field, Qt.Key.Key_Down)
    first, second = page.questions.rows[:2]
    qtbot.waitUntil(first.hasFocus)
    qtbot.keyClick(first, Qt.Key.Key_Down)
    qtbot.waitUntil(second.hasFocus)
    qtbot.keyClick(second, Qt.Key.Key_Up)
    qtbot.waitUntil(first.hasFocus)


def test_words_that_nothing_has_are_said(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_["lessons"].trigger()
    qtbot.keyClicks(window.pages.lessons.field, "zebra")

    assert window.pages.lessons.questions.head.fact.text() == "0 of 18"
    assert window.pages.lessons.questions.none.isVisible()
    assert window.pages.lessons.scenarios.none.isVisible()


def test_every_scenario_is_listed_with_its_story_in_the_language_of_the_window() -> None:
    entries = scenario_entries("zh")

    assert sorted(entry.scenario for entry in entries) == list(scenario_ids())
    assert entries[0].scenario == "hw-loss"
    assert all(entry.text == scenario(entry.scenario).story["zh"] for entry in entries)


def test_words_are_found_in_both_languages() -> None:
    entries = question_entries("en")

    assert chosen(entries, "页缓存") == chosen(entries, "page cache OR")
    assert sum(chosen(entries, "页缓存")) == 1
    assert all(chosen(entries, ""))


def test_the_page_speaks_chinese(window: MainWindow) -> None:
    use_language("zh")
    try:
        window.actions_["lessons"].trigger()
    finally:
        use_language("en")
    page = window.pages.lessons

    texts = [row.entry.title for part in (page.questions, page.scenarios) for row in part.rows]

    assert len(texts) == len(questions()) + len(scenario_ids())
    assert all(any("\u4e00" <= sign <= "\u9fff" for sign in text) for text in texts)


def test_a_scenario_opens_in_releases_without_and_with_the_rule_that_it_tells() -> None:
    """KIP-966, KIP-704, KIP-890, KIP-405, KAFKA-7897, 15695, 15046: the usual three have none of them."""
    entries = {one.scenario: one for one in scenario_entries("en")}

    told = {
        **dict.fromkeys(("s8", "s9", "s10", "min-isr-lowered"), "eligible_leaders"),
        "recovering-leader": "leader_recovery",
        "hanging-transaction": "transactions",
        "tiered-new-disk": "tiered_storage",
        "tiered-stale-start": "tiered_storage",
        "stale-epoch-file": "epoch_file_flush",
        "format-raised": "epoch_old_format",
    }
    for name, switch in told.items():
        seen = {getattr(era_named(run).switches, switch) for run in entries[name].runs}
        usual = {getattr(era_named(run).switches, switch) for run in PAIR}
        assert len(seen) > 1, name
        assert seen - usual, name
    assert entries["hw-loss"].runs == ()


def test_a_scenario_has_chips_of_what_it_costs_and_one_opens_it_in_its_era(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.actions_["lessons"].trigger()
    page = window.pages.lessons
    qtbot.waitUntil(lambda: bool(page.scenarios.rows))
    row = next(one for one in page.scenarios.rows if one.entry.scenario == "hw-loss")

    # 0.10.2 loses m1; from 3.3 on (KRaft) nobody leads until the old leader is back.
    assert [one.accessibleName() for one in row.chips[:2]] == [
        "0.10.2: 1 record lost that had been committed",
        "0.11–2.8: nothing is lost",
    ]
    assert row.chips[2].accessibleName().startswith("3.3–4.1: ")
    assert "without a leader" in row.chips[2].accessibleName()
    assert all(one.theme is not None for one in row.chips)
    row.chips[1].click()
    qtbot.waitUntil(lambda: window.session.content is not None)
    content = window.session.content
    assert content is not None
    assert [run.title for run in content.runs] == ["Kafka 0.11"]
