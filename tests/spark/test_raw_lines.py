"""Raw lines as workers put them, each group of tasks by itself: those that the local import keeps."""

import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import dataset

from core.diagnose.verdict.findings_evidence import ALARMS
from core.errors import DocumentError
from core.trace.trace import KeptLine, Trace
from core.words import text
from core.work import QUIET
from importers.load import assemble, load
from importers.options import ImportOptions
from importers.prepared.data_set import OF_MANY
from spark.clustered import LINE, RAW, SHARED_BY, file_of
from spark.merge import merge
from spark.parse import Read
from spark.quote import Quote, events_of, quotes
from spark.ranges import cut, list_files
from spark.raw_lines import Put, Shared, put
from spark.shelf import Shelf
from tests.in_words import in_words

pytestmark = pytest.mark.spark

NAME = "k0102-hw-loss"
RANGE = 4 * 1024
NONE_HELD = LINE.empty_table()


@pytest.fixture(scope="module")
def tree(recordings: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording that may be harmed."""
    return Path(shutil.copytree(recordings / NAME, tmp_path_factory.mktemp("tree") / NAME))


@pytest.fixture(scope="module")
def imported(tree: Path) -> Trace:
    return load([tree])


@pytest.fixture
def shared(tree: Path, tmp_path: Path) -> Iterator[Shared]:
    """What workers are told, with each task in a group of its own."""
    files = list_files([tree], QUIET)
    ranges = cut(files, RANGE)
    merged = merge((piece for one in ranges for piece in Read(files[one.file], one)()), files, ranges)
    trace = assemble(merged.files, [tree], ImportOptions(), QUIET)
    columns, begins = events_of(trace)
    asked = quotes(trace, merged, files, columns["line"], begins)
    (tmp_path / RAW).mkdir()
    partitions = len(trace.partitions)
    with Shelf(tmp_path, ".told") as shelf:
        yield Shared(
            str(tmp_path),
            [(one,) for one in asked],
            shelf.lent(shelf.put(columns)),
            partitions,
            file_of(columns["partition"], partitions),
        )


def put_all(shared: Shared, held: pa.Table = NONE_HELD) -> list[Put]:
    """All groups, the last one first."""
    return [one for number in reversed(range(len(shared.groups))) for one in put(shared, number, held)]


def rows_in(shared: Shared) -> set[tuple[int | None, KeptLine]]:
    """The lines that were put, with the partitions that need them, each pair once."""
    rows = dataset.dataset(Path(shared.folder) / RAW).to_table().to_pylist()
    found = [(row["partition"], KeptLine(*(row[name] for name in LINE.names))) for row in rows]
    assert len(found) == len(set(found))
    return set(found)


def needed(trace: Trace) -> set[tuple[int | None, KeptLine]]:
    """Each line with the partitions of the events that stand there or two lines beside it."""
    of_line: dict[tuple[int, int], set[int]] = defaultdict(set)
    columns = (trace.columns[name].tolist() for name in ("source", "line", "partition"))
    for source, line, partition in zip(*columns, strict=True):
        if source >= 0 and line > 0:
            for near in range(line - 2, line + 3):
                of_line[source, near].add(partition)
    found: set[tuple[int | None, KeptLine]] = set()
    for one in trace.lines:
        those = of_line[one.source, one.line]
        if -1 in those:
            found.add((None, one))
        elif len(those) > SHARED_BY:
            found.add((OF_MANY, one))
        else:
            found |= {(partition, one) for partition in those}
    return found


def test_workers_put_the_lines_of_the_local_import_for_whom_they_are(shared: Shared, imported: Trace) -> None:
    done = put_all(shared)
    assert len(shared.groups) > 2 * len({one.file for one in done})
    assert rows_in(shared) == needed(imported)
    assert sum(one.lines for one in done) == len(imported.lines) > 1_000
    assert None not in {one.opened for one in done if one.lines}


def test_the_lines_that_a_finding_reads_are_told_with_their_own_partition(
    shared: Shared, imported: Trace
) -> None:
    own: set[tuple[int, KeptLine]] = set()
    columns = imported.columns
    for line in imported.lines:
        if any(words in line.text for words in ALARMS):
            mine = columns["partition"][(columns["source"] == line.source) & (columns["line"] == line.line)]
            own |= {(partition, line) for partition in mine.tolist() if partition >= 0}
    told = [(alarm.partition, alarm.line) for one in put_all(shared) for alarm in one.alarms]
    assert set(told) == own
    assert len(told) == len(own)


def test_lines_that_were_kept_before_are_taken_once_and_no_log_is_opened(
    shared: Shared, imported: Trace
) -> None:
    # For two partitions each, and with a text that no log has.
    lines = [KeptLine(one.source, one.line, one.byte, f"kept {one.line}") for one in imported.lines]
    rows = [[getattr(one, name) for one in (*lines, *lines)] for name in LINE.names]
    done = put_all(shared, pa.table(rows, schema=LINE))
    assert {one.opened for one in done} == {None}
    assert {line for _, line in rows_in(shared)} == set(lines)
    assert sum(one.lines for one in done) == len(lines)


def test_of_a_range_that_lacks_one_line_that_line_is_read(shared: Shared, imported: Trace) -> None:
    gone = imported.lines[len(imported.lines) // 2]
    lines = [KeptLine(one.source, one.line, one.byte, "kept") for one in imported.lines if one is not gone]
    lines = [one for one in lines if (one.source, one.line) != (gone.source, gone.line)]
    done = put_all(shared, pa.table([[getattr(one, name) for one in lines] for name in LINE.names], LINE))
    assert len([one for one in done if one.opened is not None]) == 1
    assert {line for _, line in rows_in(shared) if line.text != "kept"} == {gone}


def test_a_log_that_is_not_what_it_was_is_told_with_the_reason(shared: Shared, tree: Path) -> None:
    log = tree / "broker-1" / "logs" / "server.log"
    whole = log.read_bytes()
    quotes_of_it: list[Quote] = [one for (one,) in shared.groups if one.file.path == str(log)]
    log.write_bytes(whole[: len(whole) // 2])
    try:
        done = put_all(shared)
    finally:
        log.write_bytes(whole)
    faults = [one for one in done if one.fault is not None]
    assert {one.file for one in faults} == {one.range.file for one in quotes_of_it}
    assert len(faults) == len(quotes_of_it) > 1
    assert faults[0].fault is not None
    assert "changed while it was read" in text(faults[0].fault.what)


def test_a_worker_that_cannot_write_says_why(shared: Shared) -> None:
    (Path(shared.folder) / RAW).rmdir()
    (answer,) = put(shared, 0, NONE_HELD)
    assert answer.unwritten is not None
    assert "No such file" in in_words(DocumentError.of(answer.unwritten)).why
