"""Columns on disk are the columns that were put there, and what is made of them lies there too."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import DocumentError
from core.trace.columns import Columns
from core.trace.trace import DTYPES
from core.work import QUIET
from importers.lines.statements import TYPES, Statements, joined_statements
from importers.load import assemble
from importers.options import ImportOptions
from importers.samples import SAMPLES
from spark.merge import Merged, merge
from spark.parse import Read
from spark.ranges import cut, list_files
from spark.shelf import Shelf, Shelved
from spark.store import shelved
from tests.in_words import in_words
from tests.spark.compare import assert_same_columns

pytestmark = pytest.mark.spark
ROWS = 10_000


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Shelf(tmp_path) as opened:
        yield opened
    assert list(tmp_path.glob("tmp*")) == []


def test_columns_come_back_whole_in_part_and_in_their_types(shelf: Shelf) -> None:
    chance = np.random.default_rng(1)
    columns = {
        "many": chance.integers(-(2**62), 2**62, ROWS),
        "small": chance.integers(0, 9, ROWS).astype(np.int8),
        "one": np.full(ROWS, 7, dtype=np.int32),
        "spread": np.broadcast_to(np.int64(-1), ROWS),
        "every other": np.arange(2 * ROWS)[::2],
    }
    found = [shelf.put(columns), shelf.put({name: column[:0] for name, column in columns.items()})]
    assert [one.rows for one in found] == [ROWS, 0]
    for name, column in columns.items():
        assert found[0][name].dtype == found[1][name].dtype == column.dtype
        assert np.array_equal(found[0][name], column)
        assert len(found[1][name]) == 0
    part = found[0].part(4_000, 4_100)
    assert all(np.array_equal(part[name], column[4_000:4_100]) for name, column in columns.items())
    assert list(found[0]) == list(columns)
    with pytest.raises(KeyError):
        found[0]["none"]


def test_a_full_disk_is_one_message(tmp_path: Path) -> None:
    with Shelf(tmp_path) as shelf:
        shelf._file.close()
        shelf._file = Path("/dev/full").open("r+b", buffering=0)  # noqa: SIM115
        with pytest.raises(DocumentError, match="No space left on device") as caught:
            shelf.put({"many": np.arange(ROWS)})
    assert in_words(caught.value).where == str(tmp_path)
    with pytest.raises(DocumentError, match="No such file"):
        Shelf(tmp_path / "none")


def said(shelf: Shelf | None, seed: int, rows: int) -> Statements:
    """Statements of numbers at random, on a shelf or in memory."""
    chance = np.random.default_rng(seed)
    columns = {name: chance.integers(-1, 3, rows).astype(kind) for name, kind in TYPES.items()}
    texts, lists = (f"{seed}", "a", "b"), ((seed,), (1, 2), ())
    return Statements(columns if shelf is None else shelf.put(columns), texts, lists)


def test_what_is_made_of_statements_on_a_shelf_is_what_is_made_in_memory(shelf: Shelf) -> None:
    made: list[Statements] = []
    for home in (shelf, None):
        parts = [said(home, 1, 500), said(None, 2, 300), said(home, 3, 0), said(home, 4, 200)]
        whole = joined_statements([parts[0].shifted("line", 5), *parts[1:]])
        some = whole.taken(whole.columns["epoch"] == 1).taken(np.arange(40, 2, -3))
        made.append(some.moved(topic_id=np.full(len(some), -1)).kept())
    lazy, held = made
    assert isinstance(lazy.columns, Shelved)
    assert not isinstance(held.columns, Columns)
    assert (lazy.texts, lazy.lists, len(lazy)) == (held.texts, held.lists, len(held))
    assert_same_columns(lazy.columns, held.columns)
    assert_same_columns(lazy.part(3, 9).columns, held.part(3, 9).columns)
    assert held.columns["line"].dtype == TYPES["line"]


def test_a_trace_of_what_is_on_a_shelf_is_there_too_and_the_same(recordings: Path, shelf: Shelf) -> None:
    source = recordings / SAMPLES[0].id
    files = list_files([source], QUIET)
    ranges = cut(files, 64 * 1024)
    pieces = [piece for one in ranges for piece in Read(files[one.file], one)()]

    def merged(home: Shelf | None) -> Merged:
        return merge([piece if home is None else shelved(piece, home) for piece in pieces], files, ranges)

    on_disk, in_memory = (
        assemble(merged(home).files, [source], ImportOptions(), QUIET) for home in (shelf, None)
    )
    assert isinstance(on_disk.columns, Shelved)
    assert len(on_disk) == len(in_memory) > 1_000
    assert [*on_disk.columns] == [*DTYPES]
    assert_same_columns(on_disk.columns, in_memory.columns)
    assert (on_disk.isrs, on_disk.report, on_disk.facts) == (
        in_memory.isrs,
        in_memory.report,
        in_memory.facts,
    )
