"""Ties by hand are kept in a document, on their evidence."""

import sqlite3
from pathlib import Path

import pytest

from core.compare.align import compare, make_runs
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Trace
from db.document import create, open_document
from db.rebuild import rebuild
from db.ties import cursors_of, tie_of
from tests.db.conftest import make_older


@pytest.fixture
def traces() -> list[Trace]:
    return [simulate(scenario("hw-loss"), era(name)) for name in ("0.10.2", "2.8")]


def test_a_tie_comes_back_as_it_was_made(tmp_path: Path, traces: list[Trace]) -> None:
    create(tmp_path / "a.tide", traces)
    with open_document(tmp_path / "a.tide", write=True) as document:
        document.put_ties([tie_of(traces, (17, 23)), tie_of(traces, (30, 31))])

    with open_document(tmp_path / "a.tide") as document:
        read = [document.trace(trace.name) for trace in traces]
        assert cursors_of(document.ties(), read) == ((17, 23), (30, 31))
        assert cursors_of(document.ties(), read[::-1]) == ((23, 17), (31, 30))


def test_a_tie_is_of_all_its_traces_and_of_no_other(traces: list[Trace]) -> None:
    tie = tie_of(traces, (17, 23))
    third = simulate(scenario("hw-loss"), era("4.1"))

    assert cursors_of([tie], traces[:1]) == ()
    assert cursors_of([tie], [*traces, third]) == ()
    # A run with another seed is another simulation: its events are not the evidence.
    other = simulate(scenario("hw-loss"), era("2.8"), seed=99)
    assert cursors_of([tie], [traces[0], other]) == ()


def test_ties_are_exchanged_as_a_whole_and_outlive_a_rebuild(tmp_path: Path, traces: list[Trace]) -> None:
    create(tmp_path / "a.tide", traces, ties=[tie_of(traces, (17, 23))])
    rebuild(tmp_path / "a.tide", traces[0])
    with open_document(tmp_path / "a.tide", write=True) as document:
        assert cursors_of(document.ties(), traces) == ((17, 23),)
        document.put_ties([])

    with open_document(tmp_path / "a.tide") as document:
        assert document.ties() == ()


@pytest.mark.parametrize("write", [False, True])
def test_a_document_from_before_has_no_ties_and_can_get_some(
    tmp_path: Path, traces: list[Trace], *, write: bool
) -> None:
    path = tmp_path / "old.tide"
    create(path, traces)
    with sqlite3.connect(path) as database:
        make_older(database, "0002")

    with open_document(path, write=write) as document:
        assert document.ties() == ()
        if write:
            document.put_ties([tie_of(traces, (17, 23))])
            assert cursors_of(document.ties(), traces) == ((17, 23),)


def test_what_comes_back_ties_the_comparison(traces: list[Trace]) -> None:
    made = cursors_of([tie_of(traces, (17, 23))], traces)

    assert any(stop.cursors == (17, 23) for stop in compare(make_runs(traces), made).stops)
