import tarfile
from functools import cache
from pathlib import Path

import pytest

from importers.lines.layout import STOCK, find_layout
from importers.lines.parser import parse
from importers.lines.records import next_record, records
from importers.samples import sample_path

pytestmark = pytest.mark.broad(3)

SMALL = (
    b"OpenJDK says something before the log begins\n"
    b"[2026-11-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\r\n"
    b"[2026-11-21 03:29:10,193] WARN [ReplicaFetcherThread-0-1], Error in fetch x (kafka.server.X)\n"
    b"java.io.IOException: Connection to 1 failed\n"
    b"\tat [2026-11-21 03:29:10,193] INFO not a head, it does not begin the line\n"
    b"\n"
    b"[2026-11-21 03:29:10,200] INFO Truncating log orders-1 to offset 7. (kafka.log.Log)"
)


@cache
def log(sample: str, path: str) -> bytes:
    with tarfile.open(sample_path(sample)) as archive:
        stream = archive.extractfile(f"{sample}/{path}")
        assert stream is not None
        return stream.read()


def in_ranges(data: bytes, size: int) -> list:
    """All drafts, parsed range by range, as workers would that know nothing of each other."""
    drafts = []
    for start in range(0, len(data), size):
        begin, end = next_record(data, STOCK, start), next_record(data, STOCK, start + size)
        if begin < end:
            first_line = data.count(b"\n", 0, begin) + 1
            drafts += parse(data[begin:end], STOCK, first_line=first_line, base=begin).drafts
    return drafts


@pytest.mark.parametrize("size", range(1, len(SMALL) + 2, 7))
def test_any_ranges_give_the_same_drafts(size: int) -> None:
    whole = list(parse(SMALL, STOCK).drafts)

    assert [(draft.line, draft.said.kind) for draft in whole] == [
        (2, "truncated"),
        (3, "fetch_failed"),
        (7, "truncated"),
    ]
    assert in_ranges(SMALL, size) == whole


@pytest.mark.parametrize("sample", ["k0102-hw-loss", "k28-epoch-fix"])
@pytest.mark.parametrize("size", [997, 4096, 20_000, 10_000_000])
@pytest.mark.parametrize("name", ["server.log", "state-change.log", "controller.log"])
def test_ranges_of_real_logs_give_the_same_drafts(sample: str, size: int, name: str) -> None:
    data = log(sample, f"broker-2/logs/{name}")

    whole = list(parse(data, STOCK).drafts)

    assert whole
    assert in_ranges(data, size) == whole


def test_a_record_belongs_to_the_range_in_which_its_first_byte_lies() -> None:
    heads = [record.start for record in records(SMALL, STOCK)]

    assert [next_record(SMALL, STOCK, head) for head in heads] == heads
    assert [next_record(SMALL, STOCK, head + 1) for head in heads] == [*heads[1:], len(SMALL)]
    assert next_record(SMALL, STOCK, 0) == 0


def test_continuation_lines_belong_to_the_record_before() -> None:
    found = list(records(SMALL, STOCK))

    assert [(record.line, record.lines) for record in found] == [(2, 1), (3, 4), (7, 1)]
    assert found[1].tail.startswith(b"java.io.IOException")
    assert found[0].message == b"Truncating log orders-0 to offset 206."
    assert found[0].logger == b"kafka.log.Log"


def test_a_place_points_at_the_head_of_its_line() -> None:
    data = log("k0102-hw-loss", "broker-1/logs/server.log")
    lines = data.split(b"\n")

    for draft in parse(data, STOCK).drafts:
        at = data[draft.byte :].split(b"\n", 1)[0]
        assert at == lines[draft.line - 1]
        assert at.startswith(b"[2026-11-21 ")


def test_a_stamp_is_read_to_the_millisecond() -> None:
    (first, *_) = records(SMALL, STOCK)

    # 2026-11-21 03:29:10.161 UTC, as `date -u -d '2026-11-21 03:29:10' +%s` says
    assert first.local_ns == 1_795_231_750_161_000_000


def test_a_text_without_a_known_head_has_no_layout() -> None:
    assert find_layout(b"Nov 20 17:31:54 host sshd[1]: hello\n") is None
    assert find_layout(b"") is None
    assert find_layout(SMALL) is STOCK


def test_the_samples_are_small() -> None:
    for sample in ("k0102-hw-loss", "k28-epoch-fix"):
        assert Path(sample_path(sample)).stat().st_size < 1_000_000
