"""What triage shows is stored at import and read without events."""

import sqlite3
from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.summary import triage
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from db.document import create, open_document
from db.engine import VERSION
from tests.db.conftest import forget_notes_of_today


def test_it_is_read_as_it_was_written_and_needs_no_chunk(tmp_path: Path) -> None:
    path = tmp_path / "a.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    found = triage(trace, diagnose(trace))
    create(path, [trace], found=[found])
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM chunk_column")

    with open_document(path) as document:
        read = document.triage()

    assert read == found
    assert read is not None
    assert read.summaries[0].records_lost == 1


def test_each_trace_has_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a.tide"
    traces = [simulate(scenario("hw-loss"), era(name)) for name in ("0.10.2", "2.8")]
    create(path, traces, found=[None, triage(traces[1], diagnose(traces[1]))])

    with open_document(path) as document:
        assert document.triage(traces[0].name) is None
        later = document.triage(traces[1].name)

    assert later is not None
    assert later.summaries[0].records_lost == 0


@pytest.mark.parametrize("write", [False, True])
def test_a_document_of_the_first_version_opens_and_becomes_a_new_one_when_it_is_written(
    tmp_path: Path, *, write: bool
) -> None:
    path = tmp_path / "old.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    create(path, [trace])
    with sqlite3.connect(path) as database:
        database.execute("DROP TABLE summary")
        database.execute("DROP TABLE finding")
        database.execute("DROP TABLE tie")
        forget_notes_of_today(database)
        database.execute("UPDATE alembic_version SET version_num = '0001'")

    with open_document(path, write=write) as document:
        assert document.triage() is None
        assert len(document.trace()) == len(trace)

    with sqlite3.connect(path) as database:
        version = database.execute("SELECT version_num FROM alembic_version").fetchone()
    assert version == (VERSION if write else "0001",)
