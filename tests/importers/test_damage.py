"""A damaged file costs only itself, a link leads nowhere, and a log in pieces is the log."""

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from core.errors import SourceError
from core.trace.digest import content_digest
from importers.containers.containers import members
from importers.lines import reading
from importers.load import load
from tests.archives import unpack_sample
from tests.in_words import gaps_of, in_words

HEAD = "[2026-11-21 03:29:10,161] INFO "
MS = ("161", "162", "163")
OF_1 = "".join(
    HEAD.replace("161", ms) + "[Kafka Server 1], started (kafka.server.KafkaServer)\n" for ms in MS
).encode()
OF_2 = "".join(
    HEAD.replace("161", ms) + "[Kafka Server 2], started (kafka.server.KafkaServer)\n" for ms in MS
).encode()


def packed(content: bytes, name: str = "server.log") -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def zipped(content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("server.log", content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("b2.tar.gz", packed(OF_2)[:-30]),
        ("b2.tar.gz", b"\x1f\x8b\x08 and no more"),
        ("b2.zip", b"PK\x03\x04 and then nothing"),
        ("b2.zip", zipped(OF_2).replace(b"started", b"stopped", 1)),
        ("b2.log.xz", lzma.compress(OF_2)[:-9]),
        ("b2.log.zst", zstandard.compress(OF_2)[:-5]),
        ("b2.log.bz2", bz2.compress(OF_2)[:-5]),
        ("b2.tar", gzip.decompress(packed(OF_2))[:1100]),
    ],
)
def test_a_damaged_file_in_a_folder_costs_only_itself(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / "server.log").write_bytes(OF_1)
    (tmp_path / name).write_bytes(data)

    trace = load([tmp_path])

    assert {int(broker) for broker in trace.columns["broker"]} >= {1}
    assert any(
        name in gap and ("not read to its end" in gap or "left out" in gap) for gap in gaps_of(trace.report)
    )
    with pytest.raises(SourceError) as caught:
        load([tmp_path / name])
    assert str(tmp_path / name) in in_words(caught.value).where


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_files_of_a_zip_without_its_end_are_read(method: int, tmp_path: Path) -> None:
    """A download that was broken off in the second file: the first is read, and the zip is left out."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("b1/server.log", OF_1)
        second = stream.tell()
        archive.writestr("b2/server.log", OF_2)
    (tmp_path / "case.zip").write_bytes(stream.getvalue()[: second + 50])

    trace = load([tmp_path / "case.zip"])

    assert {int(broker) for broker in trace.columns["broker"]} == {1}
    assert [source.path for source in trace.sources] == ["b1/server.log"]
    assert [row["file"] for row in trace.report["left_out"]] == ["case.zip"]


def test_what_stands_before_a_torn_end_is_read(tmp_path: Path) -> None:
    """A download that was broken off: a file with few lines, and one of which more than the head is read."""
    (tmp_path / "server.log.1").write_bytes(gzip.compress(OF_1)[:-8])
    stored = zlib.compressobj(level=0, wbits=31)
    long = stored.compress(OF_2 * 2_000) + stored.flush()
    (tmp_path / "b2.log.gz").write_bytes(long[: len(long) // 2])

    trace = load([tmp_path])

    assert {int(broker) for broker in trace.columns["broker"]} == {1, 2}
    assert {row["file"] for row in trace.report["left_out"]} == {"server.log.1", "b2.log.gz"}


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("broker-2.7z", b"7z\xbc\xaf\x27\x1c\0\4", "a 7-Zip archive"),
        ("broker-2.log.lz4", b"\x04\x22\x4d\x18@", "an LZ4 file"),
        ("broker-2.log.Z", b"\x1f\x9d\x90", "a file of compress (.Z)"),
        ("broker-2.pdf", b"%PDF-1.4\n", "a PDF"),
        (
            "broker-2.docx",
            b"PK\x03\x04" + b"\0" * 26 + b"[Content_Types].xml",
            "a document of an office program",
        ),
    ],
)
def test_what_may_hold_logs_and_is_not_unpacked_is_told(
    tmp_path: Path, name: str, data: bytes, what: str
) -> None:
    (tmp_path / "server.log").write_bytes(OF_1)
    (tmp_path / name).write_bytes(data + bytes(100))

    (row,) = load([tmp_path]).report["left_out"]

    assert row["file"] == name
    assert row["reason"]["id"] == "error.source.no-logs"
    with pytest.raises(SourceError, match=re.escape(f"{name} is {what}")):
        load([tmp_path / name])


def test_a_lzma_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "server.log.lzma").write_bytes(lzma.compress(OF_1, format=lzma.FORMAT_ALONE))

    assert {int(broker) for broker in load([tmp_path]).columns["broker"]} == {1}


def test_where_all_is_damaged_there_is_one_message(tmp_path: Path) -> None:
    for name in ("a.tar.gz", "b.tar.gz"):
        (tmp_path / name).write_bytes(packed(OF_1)[:20])

    with pytest.raises(SourceError, match=r"damaged or incomplete.*1 more file") as caught:
        load([tmp_path])
    assert "a.tar.gz" in in_words(caught.value).where


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress, zstandard.compress])
def test_each_compression_and_one_inside_the_other(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / "server.log.1").write_bytes(pack(OF_1))
    (tmp_path / "tarred").write_bytes(pack(gzip.decompress(packed(OF_1))))
    (tmp_path / "twice").write_bytes(pack(pack(OF_1)))
    # Parts that were compressed one by one and joined are one file.
    (tmp_path / "joined").write_bytes(pack(OF_1[:100]) + pack(OF_1[100:]))

    found = {member.path: member.data for member in members([tmp_path])}

    names = ("joined", "server.log.1", "tarred!/server.log", "twice")
    assert found == dict.fromkeys(names, OF_1)


def test_links_out_of_the_folder_are_told_and_not_followed(tmp_path: Path) -> None:
    case, secret = tmp_path / "case", tmp_path / "elsewhere"
    case.mkdir()
    secret.mkdir()
    (secret / "server.log").write_bytes(OF_2)
    (case / "server.log").write_bytes(OF_1)
    (case / "controller.log").symlink_to(secret / "server.log")
    (case / "more").symlink_to(secret)
    (case / "round").symlink_to(case)
    (case / "same.log").symlink_to(case / "server.log")

    trace = load([case])

    assert {int(broker) for broker in trace.columns["broker"]} == {1}
    told = [gap for gap in gaps_of(trace.report) if "link was not followed" in gap]
    assert [gap.split(" ")[0] for gap in told] == ["controller.log", "more", "round"]
    assert len(trace) == 3


@pytest.mark.slow
def test_a_log_in_pieces_is_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = unpack_sample("k0102-hw-loss", tmp_path)
    whole = load([folder])
    for size in (1000, 40_000):
        monkeypatch.setattr(reading, "PIECE", size)
        again = load([folder])
        assert content_digest(again) == content_digest(whole)
        assert again.lines == whole.lines
        assert again.report == whole.report


def test_a_record_without_end_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PIECE", 1000)
    monkeypatch.setattr(reading, "_MOST_RECORD", 5000)
    (tmp_path / "server.log").write_bytes(
        OF_1 + b"x" * 100_000 + b"\n" + b"\tat y\n" * 20_000 + OF_1.replace(b"10,", b"11,")
    )

    trace = load([tmp_path])

    assert len(trace) == 6
    assert trace.report["lines"] == 20_007
    assert trace.event(3).line == 20_005


def test_a_last_sign_of_life_is_shown_whatever_line_it_is(tmp_path: Path) -> None:
    noise = b"[2026-11-21 03:29:30,000] INFO a line that nobody knows (kafka.server.X)\n"
    starts = HEAD.encode() + b"starting (kafka.server.KafkaServer)\n" + OF_1
    text = starts + noise + starts.replace(b"03:29:10", b"03:30:10")
    (tmp_path / "server.log.gz").write_bytes(gzip.compress(text))

    trace = load([tmp_path])

    (crash,) = (event for seq in range(len(trace)) if (event := trace.event(seq)).kind == "broker_crashed")
    assert any(kept.line == crash.line and "nobody knows" in kept.text for kept in trace.lines)
