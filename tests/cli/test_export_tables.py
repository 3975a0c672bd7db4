"""CSV, JSON and Parquet of the events: the same rows, and those that `events` prints."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from tests.cli.conftest import Tell

NUMBERS = ("seq", "broker", "replica", "leader", "epoch", "partition_epoch", "leo", "hw", "log_start")
MORE = ("from_offset", "offset", "aux", "stamp", "cause", "line", "byte")


def from_csv(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    with path.open(encoding="utf-8", newline="") as file:
        for cells in csv.DictReader(file):
            row: dict[str, Any] = {name: text or None for name, text in cells.items()}
            row.update({name: int(cells[name]) for name in (*NUMBERS, *MORE) if cells[name]})
            for name, kind in (("isr", int), ("at_least", str), ("at_most", str)):
                text = cells[name]
                row[name] = (
                    [kind(one) for one in text.split()] if text not in ("", "[]") else [] if text else None
                )
            rows.append(row)
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("place", [pytest.param((), marks=pytest.mark.slow), ("--partition", "orders-0")])
def test_the_three_files_say_what_events_says(
    tell: Tell, kept: Path, tmp_path: Path, place: tuple[str, ...]
) -> None:
    for ending in ("csv", "json", "parquet"):
        assert tell("export", kept / "loss.tide", *place, "-o", tmp_path / f"a.{ending}").code == 0
    as_json = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    told = [
        json.loads(line) for line in tell("events", kept / "loss.tide", *place, "--json").out.splitlines()
    ]

    assert from_csv(tmp_path / "a.csv") == as_json
    assert parquet.read_table(tmp_path / "a.parquet").to_pylist() == as_json
    assert [
        {name: row[name] for name in one if name != "evidence"}
        for one, row in zip(told, as_json, strict=True)
    ] == [{name: one[name] for name in one if name != "evidence"} for one in told]
    assert [row["file"] for row in as_json] == [(one["evidence"] or {}).get("file") for one in told]


@pytest.mark.slow
def test_a_stretch_holds_its_ends_and_nothing_else(tell: Tell, kept: Path, tmp_path: Path) -> None:
    tell("export", kept / "loss.tide", "-o", tmp_path / "all.json")
    rows = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    first, last = rows[20]["at"], rows[60]["at"]
    tell("export", kept / "loss.tide", "--from", first, "--to", last, "-o", tmp_path / "some.json")

    some = json.loads((tmp_path / "some.json").read_text(encoding="utf-8"))
    assert some == [row for row in rows if first <= row["at"] <= last]
    assert 40 < len(some) < len(rows)


def test_several_traces_are_told_apart(tell: Tell, kept: Path, tmp_path: Path) -> None:
    assert tell("export", kept / "hw.tide", "-o", tmp_path / "a.json").code == 0
    rows = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert list(dict.fromkeys(row["trace"] for row in rows)) == ["0.10.2", "0.11", "2.8"]


def test_a_stretch_that_ends_before_it_begins_leaves_nothing(tell: Tell, kept: Path, tmp_path: Path) -> None:
    asked = ("--from", "2026-01-02T00:00:00Z", "--to", "2026-01-01T00:00:00Z", "-o", tmp_path / "a.csv")
    told = tell("export", kept / "loss.tide", *asked)
    assert told.code == 2
    assert "ends before it begins" in told.err
    assert not list(tmp_path.iterdir())
