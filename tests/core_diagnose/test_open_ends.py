"""Every count of a loss says whether it is exact: where nothing tells where a log ended, more may be gone.

A leader begins at offset 42, writes on, and comes back with an empty disk: no line states its log end since.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.compare.comparison import Run
from core.diagnose.account.as_json import check_dict
from core.diagnose.account.fields import account
from core.diagnose.account.find import find_incidents
from core.diagnose.account.page import page_of
from core.diagnose.narrate.story import tell
from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.counted import sums_of
from core.diagnose.verdict.facts import Verdict
from core.diagnose.verdict.summary import triage
from core.history.open import open_history
from core.message import AtLeast, Count, how_many, message
from core.message_json import from_plain, plain
from core.picture.cuts import cuts_of
from core.picture.incident import lay_out_story
from core.picture.marks import Glyph, Ref, Sign
from core.picture.outline import Part
from core.trace.trace import Trace
from gui.panels.lane_state import told_part
from gui.text.render import renderer
from gui.text.spoken import worded
from gui.triage.rows import table_of
from gui.triage.side import facts_of
from gui.workspace.content import alone
from gui.workspace.query_tables import TraceTables
from importers.load import load
from tests.core_diagnose.test_power_loss import shorter_leader
from tests.core_diagnose.test_taken import Logs, led_by_one, with_follower
from tests.importers.test_logs_of_brokers import written
from tests.numbers import disagreements


def wiped(folder: Path) -> tuple[Trace, Verdict]:
    """Broker 1 led epoch 4 from offset 42, and leads epoch 5 from 0; broker 2 had copied 42 records."""
    return judged(folder, with_follower(led_by_one("", 0, 42)))


def judged(folder: Path, logs: Logs) -> tuple[Trace, Verdict]:
    trace = load([written(folder, logs)])
    return trace, diagnose(trace)


def test_a_leader_that_wrote_on_and_was_wiped_lost_at_least_what_is_known(tmp_path: Path) -> None:
    _, verdict = wiped(tmp_path)

    (one,) = verdict.partitions
    sums = sums_of(one)
    assert (sums.lost, sums.lost_at_least) == (42, True)
    assert [(loss.end_offset, loss.at_least) for loss in one.losses if loss.end_offset == 42] == [(42, True)]


def test_a_log_that_was_opened_again_and_then_cut_tells_how_much_went(tmp_path: Path) -> None:
    """Broker 2 opens 60 records after its process had ended, and appends none before it cuts to 53."""
    _, verdict = judged(tmp_path, shorter_leader())

    (one,) = verdict.partitions
    assert {loss.end_offset for loss in one.losses} >= {60}
    assert not any(loss.at_least for loss in one.losses)


def test_the_account_says_at_least(tmp_path: Path) -> None:
    trace, verdict = wiped(tmp_path)

    (incident,) = find_incidents(trace, verdict)
    told = {field.key: [worded(line) for line in field.lines] for field in account(trace, incident)}
    assert told["totals"][0] == (
        "Lost: at least 42 records that had been committed or acknowledged, in orders-0."
    )
    assert told["cause"][0].startswith("orders-0 (at least 42 lost): ")


def test_the_page_says_at_least_in_its_headline_its_total_its_cause_and_its_chip(tmp_path: Path) -> None:
    trace, verdict = wiped(tmp_path)

    (page,) = page_of(trace, verdict).pages
    assert worded(page.headline).startswith("At least 42 ")
    assert {total.key: worded(total.value) for total in page.totals}["lost"] == "≥ 42"
    (cause,) = (one for one in page.causes if one.proven)
    assert "at least 42 records" in worded(cause.size)
    (chip,) = (chip for group in cause.groups for chip in group.chips)
    assert (chip.lost, chip.at_least) == (42, True)


def test_the_json_says_at_least(tmp_path: Path) -> None:
    trace, verdict = wiped(tmp_path)

    answer: dict[str, Any] = check_dict(trace, verdict, worded)
    (incident,) = answer["incidents"]
    assert incident["totals"]["at_least"]["records_lost"] is True
    (loss,) = incident["losses"]
    assert (loss["lost"], loss["lost_at_least"]) == (42, True)
    (of_partition,) = answer["partitions"]
    assert [one["at_least"] for one in of_partition["losses"] if one["end_offset"] == 42] == [True]


def test_the_story_and_the_ledger_say_at_least(tmp_path: Path) -> None:
    trace, verdict = wiped(tmp_path)

    story = tell(open_history(trace, 0), verdict.partitions[0])
    sections = (line for section in story.sections for line in section.sentences)
    text = " ".join(map(worded, (*story.summary, *sections)))
    assert "Lost: at least 42 records" in text
    assert "Entry 1: at least 42 records" in text


def test_the_pill_of_the_cut_says_at_least(tmp_path: Path) -> None:
    _, verdict = wiped(tmp_path)

    assert {cut.lost_at_least for cut in cuts_of(verdict.partitions[0]) if cut.records_lost} == {True}


def test_every_surface_counts_the_same(tmp_path: Path) -> None:
    trace, verdict = wiped(tmp_path)

    assert disagreements(open_history(trace, 0), verdict.partitions[0]) == []


def test_a_cut_says_at_least_to_ears(tmp_path: Path) -> None:
    trace, verdict = wiped(tmp_path)
    content = alone("run", Run("run", None, open_history(trace, 0), verdict.partitions[0]))
    (seq,) = (cut.truncation.seq for cut in cuts_of(verdict.partitions[0]) if cut.records_lost)
    mark = Part(Ref("loss", 0, seq, 1), (0, 0, 1, 1), "cut")

    lane = told_part(content, Part(Ref("lane", 0, 1, 1), (0, 0, 1, 1), "lane", parts=(mark,)), 1)

    assert [part.about for part in lane.parts] == ["at least 42 records lost"]


def test_the_last_copy_that_went_says_at_least_in_the_picture_of_the_incident(tmp_path: Path) -> None:
    trace, verdict = wiped(tmp_path)
    (page,) = page_of(trace, verdict).pages
    assert page.story is not None

    marks = lay_out_story(trace, page.story, 900.0).marks()

    assert {mark.label for mark in marks if isinstance(mark, Sign) and mark.glyph is Glyph.LOSS} == {"≥42"}


def test_triage_says_at_least_in_its_table_and_beside_it(tmp_path: Path) -> None:
    trace, verdict = wiped(tmp_path)

    (row,) = table_of(triage(trace, verdict), trace.partitions).rows

    assert row.records == "≥ 42"
    assert dict(facts_of(row))["Records lost"] == "≥ 42"


def test_triage_calls_no_possible_loss_with_an_open_end_a_most(tmp_path: Path) -> None:
    """Where more may have gone, the number of those that may be lost is no upper bound."""
    trace, verdict = wiped(tmp_path)
    (row,) = table_of(triage(trace, verdict), trace.partitions).rows
    numbers = {"records_lost": 0, "records_possible": 42, "lost_at_least": False}

    bounded = replace(row, summary=replace(row.summary, **numbers))
    open_ended = replace(row, summary=replace(bounded.summary, possible_at_least=True))

    assert (bounded.records, open_ended.records) == ("≤ 42", "≥ 42")
    assert dict(facts_of(bounded))["possibly lost, at most"] == "42"
    assert dict(facts_of(open_ended))["possibly lost"] == "≥ 42"


def test_the_tables_of_the_contract_name_the_columns_that_are_lower_bounds(tmp_path: Path) -> None:
    """As in events: `at_least` has the names of columns that are bounds and not values."""
    trace, _ = wiped(tmp_path)
    tables = TraceTables(trace)

    (summary,) = tables.read("summaries", ["records_lost", "at_least"]).to_pylist()
    losses = tables.read("losses", ["first_offset", "end_offset", "at_least"]).to_pylist()

    assert summary == {"records_lost": 42, "at_least": ["records_lost"]}
    assert {"first_offset": 0, "end_offset": 42, "at_least": ["end_offset", "records"]} in losses


def test_the_tables_of_the_contract_name_none_where_counts_are_exact(tmp_path: Path) -> None:
    trace, _ = judged(tmp_path, shorter_leader())
    tables = TraceTables(trace)

    assert tables.read("summaries", ["at_least"]).column("at_least").to_pylist() == [None]
    assert set(tables.read("losses", ["at_least"]).column("at_least").to_pylist()) == {None}


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "At least 1,200 records possibly lost"), ("zh", "至少 1,200 条记录可能丢失")],
)
def test_a_lower_bound_is_written_in_each_language(language: str, text: str) -> None:
    told = message("explain.records-possibly-lost-least", count=how_many(1200, at_least=True))

    assert renderer(language)(told) == text
    assert from_plain(plain(told)) == told


def test_an_exact_number_stays_a_count() -> None:
    assert how_many(3, at_least=False) == Count(3)
    assert how_many(3, at_least=True) == AtLeast(3)
