"""`tidegauge query`: what it prints, and how it ends."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Tell

pytestmark = pytest.mark.broad(6)

LOST = "select sum(records) as records from losses where severity = 'loss'"


@pytest.mark.slow
def test_rows_as_a_table_as_json_and_as_csv(tell: Tell, kept: Path) -> None:
    """325 acknowledged records are lost: README.md of the recording."""
    table = tell("query", kept / "loss.tide", LOST)
    assert (table.code, table.out.split(), table.err) == (0, ["records", "325"], "")

    assert tell("query", kept / "loss.tide", LOST, "--json").json == {"records": 325}

    rows = csv.reader(io.StringIO(tell("query", kept / "loss.tide", LOST, "--csv").out))
    assert list(rows) == [["records"], ["325"]]


def test_json_is_one_object_a_line_with_times_in_utc(tell: Tell, kept: Path) -> None:
    told = tell(
        "query", kept / "loss.tide", "select time, isr from isrs where topic = 'audit' order by 1", "--json"
    )

    rows = [json.loads(line) for line in told.out.splitlines()]
    assert [row["isr"] for row in rows] == [[1, 3, 2], [2], [2, 1], [2, 1, 3]]
    assert rows[0]["time"].startswith("2026-11-21T03:28:42.")


def test_one_of_several_traces(tell: Tell, kept: Path) -> None:
    """The record m1 is lost under 0.10.2, and under no later era: docs/scenarios-by-era.md."""
    hw = kept / "hw.tide"
    count = "select count(*) as lost from losses where severity = 'loss'"
    names = [trace["name"] for trace in tell("info", hw, "--json").json["traces"]]

    assert tell("query", hw, count).code == 2
    assert [tell("query", hw, count, "--trace", name, "--json").json["lost"] for name in names] == [1, 0, 0]


def test_logs_are_read_first(tell: Tell) -> None:
    from importers.samples import sample_path

    told = tell("query", sample_path("k28-epoch-fix"), LOST, "--json")

    assert told.json == {"records": None}


def test_wrong_sql_is_one_message_and_code_two(tell: Tell, kept: Path) -> None:
    for sql in ("selct 1", "select nope from events", "drop view events", "select * from read_csv('x')", ""):
        told = tell("query", kept / "loss.tide", sql)

        assert (told.code, told.out) == (2, "")
        assert len(told.err.splitlines()) == 1


def test_two_forms_at_once_are_refused(tell: Tell, kept: Path) -> None:
    assert tell("query", kept / "loss.tide", "select 1", "--json", "--csv").code == 2
