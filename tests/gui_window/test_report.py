"""The import report in the window: what it says, and where a file's row leads."""

import gzip
import os
import re
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from core.compare.comparison import Run
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.open import open_history
from core.trace.times import parse_time
from core.trace.trace import Trace
from gui.panels.coverage import SPANS, shares
from gui.panels.report_rows import as_text, report_view, simulation_rows
from gui.welcome.offers import sample_offers
from gui.window.main_window import MainWindow
from gui.workspace.content import alone
from importers.load import load
from importers.options import ImportOptions
from importers.samples import sample_path
from tests.recordings.whole import sampled

SECOND = 1_000_000_000


@pytest.fixture(scope="module")
def trace() -> Trace:
    return sampled("k0102-hw-loss")


def test_logs_come_first_with_the_counts_of_their_lines(trace: Trace) -> None:
    """The lines of every log are counted here as a person counts them: by newlines."""
    view = report_view(trace)
    with tarfile.open(sample_path("k0102-hw-loss")) as archive:
        newlines = {
            member.name: file.read().count(b"\n")
            for member in archive.getmembers()
            if member.isfile()
            and "/logs/" in member.name
            and (file := archive.extractfile(member)) is not None
        }
    logs = [line for line in view.files if line.read_as == "log"]
    assert {line.name: sum(line.counts) for line in logs} == newlines
    assert view.files[: len(logs)] == tuple(logs)
    assert [line.broker for line in logs] == [1] * 5 + [2] * 5 + [3] * 5
    assert {line.name for line in view.files if line.read_as == "data directory"} >= {
        "k0102-hw-loss/broker-1/data",
        "k0102-hw-loss/broker-2/data",
    }


@pytest.mark.slow
def test_files_are_counted_alike_everywhere(trace: Trace, window: MainWindow) -> None:
    """Those that were read, of those in the archive; the others stand as not read in the table."""
    with tarfile.open(sample_path("k0102-hw-loss")) as archive:
        found = sum(member.isfile() for member in archive.getmembers())
    view = report_view(trace)
    read = {number for line in view.files for number in line.sources}
    (rest,) = [line for line in view.files if line.read_as == "not read"]
    assert rest.name == f"{found - len(read)} other files"
    assert f"{len(read)} of {found} files read" in view.headline
    run = Run("run", None, open_history(trace, 0), PartitionVerdict(0))
    window.session.show(alone("run", run), (trace,))
    assert f"{len(read)} files read, " in window.status.left.text()


def test_a_crash_is_a_gap_in_the_bars_of_that_broker_alone(trace: Trace) -> None:
    """Each broker of the recording is killed once, at another time."""
    gaps = {line.broker: line.gaps for line in report_view(trace).files if line.read_as == "log"}
    assert sorted(gaps) == [1, 2, 3]  # type: ignore[type-var]
    assert [len(found) for found in gaps.values()] == [1, 1, 1]
    assert len(set(gaps.values())) == 3


def test_rotated_files_are_one_row_with_the_hole_between_them(tmp_path: Path) -> None:
    line = "[2026-03-0{} 10:00:0{},000] INFO Completed load of log orders-0 with 1 log segments, "
    line += "log start offset 0 and log end offset 7 in 3 ms (kafka.log.Log)\n"
    for day, name in ((1, "server.log.2026-03-01-10"), (3, "server.log")):
        (tmp_path / name).write_text("".join(line.format(day, n) for n in range(5)), encoding="utf-8")
    (row,) = report_view(load([tmp_path], ImportOptions(broker=4))).files
    assert row.name == "server.log"
    assert row.counts == (10, 0, 0, 0)
    assert len(row.spans) == 2
    assert row.gaps == ((row.spans[0][1], row.spans[1][0]),)
    assert "2 files, rotated" in row.told


def test_a_damaged_file_is_a_row_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(
        "[2026-03-01 10:00:00,000] INFO Completed load of log orders-0 with 1 log segments, "
        "log start offset 0 and log end offset 7 in 3 ms (kafka.log.Log)\n",
        encoding="utf-8",
    )
    (tmp_path / "old.tar.gz").write_bytes(gzip.compress(os.urandom(5_000))[:2_000])
    view = report_view(load([tmp_path]))
    (bad,) = [row for row in view.files if row.faults]
    assert bad.name.startswith("old.tar.gz")
    assert bad.told == "; ".join(bad.faults)
    assert any(bad.name in row.what for row in view.missing if row.kind == "gap")


def test_lines_that_were_not_understood_come_before_gaps(trace: Trace) -> None:
    told = [
        {"file": "a.log", "line": 3, "fate": "malformed", "text": "[2026"},
        {"file": "a.log", "line": 9, "fate": "unrecognised", "text": "replica of the future"},
    ]
    odd = replace(trace, report=MappingProxyType({**trace.report, "examples": told}))
    missing = report_view(odd).missing
    assert [(row.kind, row.where) for row in missing[:2]] == [
        ("not understood", "a.log:9"),
        ("damaged line", "a.log:3"),
    ]
    assert {row.kind for row in missing[2:]} == {"gap"}


def test_clocks_are_said_as_what_is_to_be_added(trace: Trace) -> None:
    rows = [
        {"clock": "broker 1", "reference": True, "from": None, "to": None, "add_ns": {"lo": 0, "hi": 0},
         "added_ns": 0},
        {"clock": "broker 2", "reference": False, "from": None, "to": None,
         "add_ns": {"lo": -3_600_004_000_000, "hi": None}, "added_ns": -3_600_000_000_000},
        {"clock": "broker 3", "reference": False, "from": None, "to": None,
         "add_ns": {"lo": None, "hi": None}, "added_ns": 0},
        {"clock": "broker 4", "reference": True, "from": "2026-11-21T03:29:10Z", "to": None,
         "add_ns": {"lo": 0, "hi": 0}, "added_ns": 0},
        {"clock": "broker 5", "reference": False, "from": "2026-11-21T03:29:10Z",
         "to": "2026-11-21T03:30:00Z", "add_ns": {"lo": None, "hi": None}, "added_ns": 0},
    ]  # fmt: skip
    told = report_view(replace(trace, report=MappingProxyType({**trace.report, "clocks": rows}))).brokers
    assert [row.clocks for row in told] == [
        ("clock: the measure of the others",),
        ("clock: at least −3600.004 s to be added; −1 h was",),
        ("clock: nothing ties it to the others",),
        ("clock: the measure of the others (03:29:10)",),
        ("clock: nothing ties it to the others (03:29:10 to 03:30:00)",),
    ]


def test_clocks_of_metadata_records_are_named_by_who_wrote_them(trace: Trace) -> None:
    row = {"clock": "records 3000", "reference": True, "from": None, "to": None,
           "add_ns": {"lo": 0, "hi": 0}, "added_ns": 0}  # fmt: skip
    told = report_view(replace(trace, report=MappingProxyType({**trace.report, "clocks": [row]}))).brokers

    assert told[-1].name == "Metadata records of broker 3000"


def test_bars_stand_where_the_events_stand_after_clocks_were_corrected(trace: Trace) -> None:
    rows = [
        {"clock": f"broker {broker}", "reference": broker == 1, "from": None, "to": None,
         "add_ns": {"lo": 0, "hi": 0}, "added_ns": 7 * SECOND * (broker == 2)}
        for broker in (1, 2, 3)
    ]  # fmt: skip
    moved = report_view(replace(trace, report=MappingProxyType({**trace.report, "clocks": rows}))).files
    told = {row["file"]: row.get("from") for row in trace.report["by_file"]}
    for line in moved:
        for span in line.spans:
            begin = parse_time(told[line.name])
            assert span[0] - begin == (7 * SECOND if line.broker == 2 else 0)


def test_stretches_of_time_are_shares_of_the_whole() -> None:
    assert shares([(10, 20), (25, 40), (50, 60)], (0, 40)) == ((0.25, 0.5), (0.625, 1.0))
    assert shares([(5, 5)], (5, 5)) == ((0.0, 0.0),)
    assert shares([(1, 2)], None) == ()


def test_the_text_has_every_file_and_what_would_settle_more(trace: Trace) -> None:
    view = report_view(trace)
    text = as_text(view)
    for line in view.files:
        assert line.name in text
    assert "its zone: --zone 1=ZONE" in text


@pytest.mark.slow
def test_a_row_leads_to_the_lines_of_its_file(
    window: MainWindow, opened: Callable[[Callable[[], None]], MainWindow]
) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[1]))
    shown.actions_["report"].trigger()
    table = shown.pages.report.files
    place = next(
        row
        for row in range(table.rowCount())
        if (item := table.item(row, 0)) is not None and item.text().endswith("broker-2/logs/server.log")
    )
    table.setFocus()
    table.setCurrentCell(place, 0)
    bar = table.item(place, 6)
    assert bar is not None
    assert len(bar.data(SPANS)[0]) == 1
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert shown.views.currentWidget() is shown.shown
    own = next(row for row in shown.evidence.rows if row.seq is not None)
    assert re.search(r"broker-2/logs/server\.log:\d+$", own.place)


@pytest.mark.slow
def test_the_report_is_copied_as_text(
    window: MainWindow, opened: Callable[[Callable[[], None]], MainWindow]
) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[0]))
    shown.actions_["report"].trigger()
    assert shown.pages.report.run.count() == 2
    shown.pages.report.run.setCurrentIndex(1)
    shown.pages.report.copy()
    text = QGuiApplication.clipboard().text()
    assert "2.8.2" in text
    assert "0.10.2.2" not in text


@pytest.mark.slow
def test_of_a_simulation_it_says_what_it_was_made_from(demo: MainWindow) -> None:
    facts = dict(simulation_rows(demo.session.traces[0]))
    assert facts["era"] == "0.10.2"
    demo.actions_["report"].trigger()
    assert demo.pages.report.view is None
    assert demo.pages.report.pages.currentWidget() is demo.pages.report.facts
    demo.pages.report.copy()
    assert "era: 0.10.2" in QGuiApplication.clipboard().text()
