"""Byte ranges: wherever a file is cut, each record is read once and whole."""

import gzip
import io
import random
import tarfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SourceError
from core.words import text
from core.work import QUIET
from importers.containers.containers import members
from importers.lines.layout import STOCK
from importers.lines.parser import parse
from importers.lines.records import records
from importers.merge.files import read_files
from spark.parse import Read, pack
from spark.ranges import File, Range, cut, cut_out, list_files, open_file, unpack
from tests.in_words import in_words

HEAD = b"[2026-11-21 03:29:10,161] INFO "
LINES = (
    HEAD + b"Truncating log orders-0 to offset 206. (kafka.log.Log)\n",
    HEAD + b"x\n",
    HEAD + b"\n",
    b"\tat kafka.server.KafkaServer.startup(KafkaServer.scala:1)\n",
    b"\n",
    b"[not a head\n",
    b"[2026-11-21 03:29\n",
    b"caf\xc3\xa9 \xff\n",
    b"y" * 70_000 + b"\n",
)


def pieces(data: bytes, cuts: list[int]) -> list[tuple[int, bytes]]:
    edges = [0, *sorted({cut for cut in cuts if 0 < cut < len(data)}), len(data)]
    opened = io.BytesIO(data)
    return [cut_out(opened, Range(0, start, end), STOCK, len(data)) for start, end in pairwise(edges)]


@given(
    st.lists(st.sampled_from(LINES), min_size=1, max_size=12).map(b"".join),
    st.lists(st.integers(0, 80_000), max_size=8),
    st.booleans(),
)
def test_pieces_are_the_file(data: bytes, cuts: list[int], torn: bool) -> None:  # noqa: FBT001
    data = data[:-1] if torn else data
    if not data:
        return
    found = pieces(data, cuts)
    place = 0
    for base, piece in found:
        if piece:
            assert base == place
            place += len(piece)
    assert place == len(data)
    starts = [base + record.start for base, piece in found for record in records(piece, STOCK)]
    assert starts == [record.start for record in records(data, STOCK)]


@pytest.mark.slow
def test_every_cut_of_a_small_log_gives_the_same_drafts() -> None:
    rows = [LINES[0], LINES[3], LINES[1], LINES[0], LINES[6], LINES[4], LINES[0]]
    data = LINES[3] + b"".join(rows)
    whole = parse(data, STOCK)
    assert len(whole.drafts) == 3
    for at in range(1, len(data)):
        found, line = [], 1
        for base, piece in pieces(data, [at]):
            found += parse(piece, STOCK, first_line=line, base=base).drafts
            line += piece.count(b"\n")
        assert found == list(whole.drafts), at


def test_files_have_the_labels_and_the_order_of_the_importers(tmp_path: Path) -> None:
    names = ["b/z.log", "b-2/a.log", "b/a b/é%20.log", "a.log", "b/sub/x"]
    random.Random(3).shuffle(names)  # noqa: S311
    for name in names:
        (tmp_path / "one" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "one" / name).write_text(name)
    (tmp_path / "two.log").write_text("two")
    for sources in (
        [tmp_path / "one"],
        [tmp_path / "one", tmp_path / "two.log"],
        [tmp_path / "two.log"],
        [f"file://{tmp_path}/one"],
    ):
        files = list_files(sources, QUIET)
        plain = [Path(str(source).removeprefix("file://")) for source in sources]
        expected = [(member.path, member.data, member.mtime_ns) for member in members(plain)]
        found = []
        for file in files:
            with open_file(file) as opened:
                found.append((file.label, bytes(opened.read()), file.mtime_ns))
        assert found == expected
        assert [file.alone for file in files] == [sources == [tmp_path / "two.log"]] * len(files)


@pytest.mark.parametrize("uri", [False, True])
def test_nothing_to_read_is_one_message(tmp_path: Path, *, uri: bool) -> None:
    prefix = "file://" if uri else ""
    (tmp_path / "empty" / "inner").mkdir(parents=True)
    with pytest.raises(SourceError, match="folder is empty"):
        list_files([f"{prefix}{tmp_path}/empty"], QUIET)
    with pytest.raises(SourceError, match="nothing to open"):
        list_files([f"{prefix}{tmp_path}/nowhere"], QUIET)
    with pytest.raises(SourceError, match="cannot be read"):
        list_files(["gopher://somewhere/logs"], QUIET)


def test_only_large_logs_are_cut(tmp_path: Path) -> None:
    log = LINES[0] * 10
    (tmp_path / "orders-0").mkdir()
    contents = {
        "a-large.log": log,
        "b-small.log": LINES[1],
        "c.log.gz": gzip.compress(log * 100, compresslevel=0),
        "d.tar": b"",
        "e-empty.log": b"",
        "f.txt": b"no log at all\n" * 100,
        "orders-0/00000000000000000206.log": log,
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    with tarfile.open(tmp_path / "d.tar", "w") as archive:
        archive.add(tmp_path / "a-large.log", "inside.log")
    files = list_files([tmp_path], QUIET)
    ranges = cut(files, len(log) // 3)
    assert [file.label for file in files] == list(contents)
    assert [one.file for one in ranges] == [0, 0, 0, 0, 1, 2, 3, 4, 5, 6]
    assert [one.layout for one in ranges] == [STOCK] * 4 + [None] * 6
    assert [(one.start, one.end) for one in ranges if one.file == 0] == [
        (start, min(start + len(log) // 3, len(log))) for start in range(0, len(log), len(log) // 3)
    ]
    assert all((one.start, one.end) == (0, files[one.file].size) for one in ranges if one.file)


def test_what_a_file_contains_has_the_labels_of_the_importers(tmp_path: Path) -> None:
    (tmp_path / "in" / "b-1").mkdir(parents=True)
    (tmp_path / "in" / "b-1" / "server.log.gz").write_bytes(gzip.compress(LINES[0]))
    (tmp_path / "in" / "plain.log").write_bytes(LINES[1])
    with tarfile.open(tmp_path / "in" / "b-1" / "all.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "in" / "plain.log", "logs/plain.log")
    for source in (tmp_path / "in", tmp_path / "in" / "b-1" / "all.tar.gz"):
        found = [
            (member.path, member.data) for file in list_files([source], QUIET) for member in unpack(file)
        ]
        assert found == [(member.path, member.data) for member in members([source])]


def test_a_damaged_file_is_told_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "b-1").mkdir()
    broken = tmp_path / "b-1" / "server.log.gz"
    broken.write_bytes(gzip.compress(LINES[0] * 50)[:-12])
    (file,) = list_files([broken], QUIET)
    with pytest.raises(SourceError, match="damaged") as caught:
        [read for member in unpack(file) for read in read_files(member)]
    assert in_words(caught.value).where == str(broken)

    # In a folder it costs only itself.
    (file,) = list_files([tmp_path], QUIET)
    (read,) = [read for member in unpack(file) for read in read_files(member)]
    assert read.fault is not None
    assert read.fault.where is not None
    assert str(broken) in text(read.fault.where)


def test_tasks_are_grouped_in_order_and_none_is_left() -> None:
    file = File("a.log", "file:///", "/a.log", 80, 0)
    tasks = [Read(file, Range(0, at, at + 10)) for at in range(0, 80, 10)]
    groups = pack(tasks, 1)
    assert [task for group in groups for task in group] == tasks
    assert [len(group) for group in groups] == [2, 2, 2, 2]
    assert pack([], 1) == ()
    empty = [Read(file, Range(0, 0, 0))] * 3
    assert [task for group in pack(empty, 2) for task in group] == empty
