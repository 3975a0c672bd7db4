"""What a search over logs exported is read whole, as archives are, and says what the local import says."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from pyspark.sql import SparkSession

from core.trace.trace import KeptLine, Trace
from core.work import QUIET
from importers.lines.evidence import around
from importers.load import assemble, load
from importers.options import ImportOptions
from importers.prepared.data_set import load_prepared
from spark.job import process
from spark.merge import Merged, merge
from spark.parse import Read
from spark.quote import events_of, quotes
from spark.ranges import File, cut, list_files
from tests.importers.test_exported_objects import cloud, grafana, journal, logcli, loki
from tests.importers.test_exports import Record, folder, records, table
from tests.spark.compare import assert_same_columns, assert_same_trace

__all__ = ["folder"]
pytestmark = pytest.mark.spark

RANGE = 4 * 1024
OBJECTS = (loki, logcli, grafana, cloud, journal)


def splunk(place: Path, told: Sequence[Record]) -> Path:
    """A table with the newest line first."""
    cells = [(text[1:24], host, name, text) for host, name, text in reversed(told)]
    return table(place, ("_time", "host", "source", "_raw"), cells)


def grep(place: Path, told: Sequence[Record]) -> Path:
    """`grep -rn`: the lines of several files with their names."""
    lines = [
        f"{host}/{name}:{at}:{line}"
        for at, (host, name, text) in enumerate(told, 1)
        for line in text.split("\n")[:1]
    ]
    place.write_text("\n".join(lines) + "\n")
    return place


def by_tasks(place: Path, expected: Trace) -> Trace:
    """What workers find with the smallest ranges, here. They read the lines that are expected again."""
    files = list_files([place], QUIET)
    ranges = cut(files, RANGE)
    assert len(ranges) == len(files)
    merged = merge((piece for one in ranges for piece in Read(files[one.file], one)()), files, ranges)
    trace = assemble(merged.files, [str(place)], ImportOptions(), QUIET)
    assert lines_of(trace, merged, files) == [*expected.lines]
    return trace


def lines_of(trace: Trace, merged: Merged, files: Sequence[File]) -> list[KeptLine]:
    """The lines that workers read again, here."""
    columns, begins = events_of(trace)
    found: list[KeptLine] = []
    for quote in quotes(trace, merged, files, columns["line"], begins):
        own = [quote.own(ask, around(columns["line"][ask.first : ask.end])) for ask in quote.of]
        for _, rows in quote.read(dict(enumerate(own))):
            found += [KeptLine(**row) for row in rows.to_pylist()]
    return sorted(found, key=lambda one: (one.source, one.line))


@pytest.mark.parametrize("kind", ["table", "grep", *(one.__name__ for one in OBJECTS)])
def test_an_export_is_read_whole_whatever_the_range(folder: Path, tmp_path: Path, kind: str) -> None:
    told = records(folder)
    place = tmp_path / ("search.csv" if kind == "table" else "search.txt")
    match kind:
        case "table":
            splunk(place, told)
        case "grep":
            grep(place, told)
        case _:
            place.write_bytes({one.__name__: one for one in OBJECTS}[kind](told))
    expected = load([place])
    found = by_tasks(place, expected)
    assert len(expected) > 100
    assert_same_columns(found.columns, expected.columns)
    assert (found.sources, found.report) == (expected.sources, expected.report)
    assert np.unique(expected.columns["broker"]).tolist()[-3:] == [1, 2, 3]


def test_a_folder_of_exports_is_the_local_import(session: SparkSession, folder: Path, tmp_path: Path) -> None:
    told = records(folder)
    exports = tmp_path / "exports"
    exports.mkdir()
    splunk(exports / "broker-1.csv", [one for one in told if one[0] == "broker-1"])
    (exports / "broker-2.json").write_bytes(loki([one for one in told if one[0] == "broker-2"]))
    (exports / "broker-3.json").write_bytes(cloud([one for one in told if one[0] == "broker-3"]))
    process([exports], tmp_path / "out.parquet", master="local[2]", range_bytes=RANGE)
    assert_same_trace(load_prepared(tmp_path / "out.parquet"), load([exports]))
