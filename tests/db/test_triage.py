"""What triage shows is stored at import and read without events."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.summary import triage
from core.errors import DocumentError
from core.kafka.eras import era
from core.message import LEGACY, Message
from core.sim.library import scenario
from core.sim.run import simulate
from db.document import create, open_document
from db.engine import VERSION
from gui.text.render import renderer
from tests.db.conftest import make_older

pytestmark = pytest.mark.broad(4)


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


def test_counts_that_are_lower_bounds_stay_so(tmp_path: Path) -> None:
    path = tmp_path / "a.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    found = triage(trace, diagnose(trace))
    (summary,) = found.summaries
    found = replace(found, summaries=(replace(summary, lost_at_least=True, uncommitted_at_least=True),))
    create(path, [trace], found=[found])

    with open_document(path) as document:
        assert document.triage() == found


def test_a_document_from_before_there_were_lower_bounds_is_read(tmp_path: Path) -> None:
    """Its `detail` has no word of them."""
    path = tmp_path / "a.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    found = triage(trace, diagnose(trace))
    create(path, [trace], found=[found])
    with sqlite3.connect(path) as database:
        ((detail,),) = database.execute("SELECT detail FROM summary").fetchall()
    assert set(json.loads(detail)) == {"findings", "spells", "marks"}

    with open_document(path) as document:
        assert document.triage() == found


def test_a_lower_bound_that_is_neither_true_nor_false_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    create(path, [trace], found=[triage(trace, diagnose(trace))])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE summary SET detail = json_set(detail, '$.lost_at_least', 7)")

    with open_document(path) as document, pytest.raises(DocumentError, match="lost_at_least is not true"):
        document.triage()


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
        make_older(database, "0001")

    with open_document(path, write=write) as document:
        assert document.triage() is None
        assert len(document.trace()) == len(trace)

    with sqlite3.connect(path) as database:
        version = database.execute("SELECT version_num FROM alembic_version").fetchone()
    assert version == (VERSION if write else "0001",)


@pytest.mark.parametrize("write", [False, True])
def test_a_document_of_version_5_keeps_its_sentences_in_both_languages(
    tmp_path: Path, *, write: bool
) -> None:
    """The sentence holds what JSON must escape, and what is no Latin."""
    path = tmp_path / "old.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    found = triage(trace, diagnose(trace))
    create(path, [trace], found=[found])
    english, chinese = 'Two "records"\tare\\gone: größe.', "两条记录丢失。"
    with sqlite3.connect(path) as database:
        make_older(database, "0005", english=english, chinese=chinese)

    with open_document(path, write=write) as document:
        read = document.triage()

    legacy = Message(LEGACY, (("text", english), ("text_zh", chinese)))
    assert read is not None
    assert read.findings == tuple(replace(one, message=legacy) for one in found.findings)
    assert read.summaries == tuple(replace(one, reason=legacy) for one in found.summaries)
    assert renderer("en")(legacy) == english
    assert renderer("zh")(legacy) == chinese
    with open_document(path) as document:
        assert document.triage() == read


def test_a_healthy_partition_of_an_old_document_still_has_no_finding(tmp_path: Path) -> None:
    path = tmp_path / "old.tide"
    trace = simulate(scenario("hw-loss"), era("2.8"))
    found = triage(trace, diagnose(trace))
    healthy = replace(found, summaries=(replace(found.summaries[0], check=None, reason=None),), findings=())
    create(path, [trace], found=[healthy])
    with sqlite3.connect(path) as database:
        make_older(database, "0005")

    for write in (False, True):
        with open_document(path, write=write) as document:
            assert document.triage() == healthy


@pytest.mark.parametrize("version", ["0002", "0003", "0004", "0005"])
def test_old_sentences_are_read_in_every_version_that_has_them(tmp_path: Path, version: str) -> None:
    path = tmp_path / "old.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    create(path, [trace], found=[triage(trace, diagnose(trace))])
    with sqlite3.connect(path) as database:
        make_older(database, version)

    for write in (False, True):
        with open_document(path, write=write) as document:
            read = document.triage()
            assert read is not None
            assert renderer("en")(read.findings[0].message) == "Two records are gone."


@pytest.mark.parametrize("table", ["summary", "finding"])
@pytest.mark.parametrize(
    "message",
    [
        "not JSON",
        "[]",
        "{}",
        '{"id": ""}',
        '{"id": "finding.leaderless", "values": {"epoch": null}}',
        '{"id": "finding.leaderless", "values": {"epoch": 1e999}}',
        '{"id": "finding.leaderless", "values": {"epoch": 99999999999999999999}}',
        '{"id": "finding.leaderless", "values": {"epoch": {"moment": "now"}}}',
        '{"id": "finding.leaderless", "more": 1}',
        '{"id": "a.b", "values": {"x": {"names": ["' + "a" * 2**20 + '"]}}}',
        '{"id": "a.b", "values": {"x": {"listing": [' + "1," * 20_000 + "1]}}}",
        '{"id": "a.b", "values": {"x": ' + '{"names": [' * 50 + "]}" * 50 + "}}",
    ],
    ids=lambda text: text[:40],
)
def test_what_is_no_message_is_refused_in_words(tmp_path: Path, table: str, message: str) -> None:
    path = tmp_path / "a.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    create(path, [trace], found=[triage(trace, diagnose(trace))])
    with sqlite3.connect(path) as database:
        database.execute(f"UPDATE {table} SET message = ?", (message,))  # noqa: S608 - names of ours

    said = rf"is damaged: ({table}\.message|\d+ rows? of the table {table} cannot have that message)"
    with open_document(path) as document, pytest.raises(DocumentError, match=said):
        document.triage()


def test_a_message_with_values_of_other_types_is_shown_all_the_same(tmp_path: Path) -> None:
    """Made up by a stranger, but a message: it is text, however little sense it makes."""
    path = tmp_path / "a.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    create(path, [trace], found=[triage(trace, diagnose(trace))])
    odd = (
        '{"id":"finding.isr-flapping","values":{"who":7,"count":{"moment":9223372036854775807},"time":1e300}}'
    )
    with sqlite3.connect(path) as database:
        database.execute("UPDATE finding SET message = ?", (odd,))

    with open_document(path) as document:
        read = document.triage()

    assert read is not None
    for language in ("en", "zh"):
        assert "7" in renderer(language)(read.findings[0].message)
