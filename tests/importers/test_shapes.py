"""What a shape says holds for its lines: the parser gives what reading each record for itself gives."""

import re
import tarfile
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers.kafka.drafts import Fate, Said
from importers.kafka.grammar import RULES
from importers.lines import shapes as shapes_module
from importers.lines.layout import STOCK, find_layout
from importers.lines.parsed import Drafts, joined
from importers.lines.parser import parse
from importers.lines.reading import LogReader
from importers.lines.records import next_record
from importers.lines.shapes import ZEROS, Shapes, shapes_of
from importers.lines.statements import LISTS, SAID_NUMBERS, TEXTS
from tests.importers.record_by_record import assert_same, parse_singly

ARCHIVES = sorted((Path(__file__).parents[1] / "recordings").glob("*.tar.xz"))
HEAD = b"[2026-11-21 03:29:10,161] INFO "
ODD = (
    HEAD + b"Truncating log orders-0 to offset 206. (kafka.log.Log)\n",
    HEAD + b"Truncating log orders-0 to offset 206. (kafka.log.Log)\r\n",
    HEAD + b"Truncating log orders-0 to offset 99999999999999999999. (kafka.log.Log)\n",
    HEAD + b"Truncating log orders-0 to offset " + b"9" * 5_000 + b". (kafka.log.Log)\n",
    HEAD + b"Truncating log __cluster_metadata-0 to offset 206. (kafka.log.Log)\n",
    HEAD + b"Truncating log orders-0 to offset 2\x0006. (kafka.log.Log)\n",
    HEAD + b"   an offset that no rule knows (org.example.Other)\n",
    HEAD + b"Registered kafka:type=kafka.Log4jController MBean (kafka.utils.Log4jControllerRegistration$)\n",
    HEAD + b"Registered kafka:type=kafka.Log5jController MBean (kafka.utils.Log4jControllerRegistration$)\n",
    HEAD + b"y" * 9_000 + b" offset \n",
    HEAD + b"\n",
    b"[2026-13-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n",
    b"[2026-11-21 03:29:99,999] ERROR Truncating log orders-0 to offset 7. (kafka.log.Log)\n",
    b"[2026-11-21 03:30:00,000] FATAL   Truncating log orders-0 to offset 8.\n",
    b"[2026-11-21 03:29:10,161] INFO\n",
    b"\tat kafka.server.KafkaServer.startup(KafkaServer.scala:1)\n",
    b"\n",
    b"\0\0\n",
    b"caf\xc3\xa9 \xff\n",
)


def logs_of(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Every log in the stock layout of a recording."""
    with tarfile.open(archive) as opened:
        for member in opened:
            stream = opened.extractfile(member) if member.isfile() else None
            data = b"" if stream is None else stream.read()
            if find_layout(data) == STOCK:
                yield member.name, data


def in_ranges(data: bytes, size: int) -> Drafts:
    """A log, range by range, as workers would that know nothing of each other."""
    starts = sorted({next_record(data, STOCK, at) for at in (*range(0, len(data), size), len(data))})
    return joined(
        [
            parse(data[begin:end], STOCK, first_line=data.count(b"\n", 0, begin) + 1, base=begin)
            for begin, end in pairwise(starts)
        ]
    )


def in_pieces(data: bytes, size: int) -> Drafts:
    """A log that comes in pieces."""
    reader = LogReader(STOCK)
    for at in range(0, len(data), size):
        reader.feed(data[at : at + size])
    return reader.end()[0]


@pytest.mark.slow
@pytest.mark.thinned(5)
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda archive: archive.name.removesuffix(".tar.xz"))
def test_real_logs_give_the_same_columns_on_all_paths(archive: Path) -> None:
    logs = list(logs_of(archive))
    assert logs
    for _, data in logs:
        expected = parse_singly(data)

        assert_same(parse(data, STOCK), expected)
        assert_same(in_ranges(data, 7_001), expected)
        assert_same(in_ranges(data, 200_003), expected)
        assert_same(in_pieces(data, 65_537), expected)


@pytest.mark.slow
@given(st.lists(st.sampled_from(ODD), max_size=14).map(b"".join), st.booleans())
def test_odd_lines_give_the_same_columns(data: bytes, torn: bool) -> None:  # noqa: FBT001
    data = data[:-1] if torn else data

    assert_same(parse(data, STOCK), parse_singly(data))


def test_the_samples_of_all_rules_give_the_same_columns() -> None:
    data = b"".join(HEAD + sample.encode() + b"\n" for rule in RULES for sample in rule.samples)

    found = parse(data, STOCK)

    assert found.counts[Fate.RECOGNISED] > 150
    assert_same(found, parse_singly(data))


@pytest.mark.parametrize("seed", range(4))
def test_lines_of_one_shape_with_other_digits_give_the_same_columns(seed: int) -> None:
    """What is read from a line must not be what the first line of its shape said."""
    chance = Random(seed)  # noqa: S311 - no secret
    digits = [b"0123456789", b"01", b"9"]

    def other(match: re.Match[bytes]) -> bytes:
        return bytes(chance.choices(chance.choice(digits), k=len(match[0])))

    samples = [sample.encode() for rule in RULES for sample in rule.samples]
    texts = [re.sub(rb"\d+", other, sample) for sample in samples for _ in range(3)]
    data = b"".join(HEAD + text + b"\n" for text in texts)

    assert_same(parse(data, STOCK), parse_singly(data))


FREQUENT = (
    "follower-recorded", "appended", "appended-0.8", "hw-set", "hw-set-2.4", "hw-stepped", "hw-stays",
    "fetch-delivered", "follower-appended", "follower-hw-set", "fetch-sent", "fetcher-removed", "isr-updated",
    "isr-expanding", "became", "truncated", "metadata-applied", "leader-and-isr-sent",
    "leader-and-isr-received", "transition", "log-loaded",
)  # fmt: skip


@pytest.mark.parametrize("name", FREQUENT)
def test_frequent_lines_are_read_by_columns(name: str) -> None:
    """A builder that asks for digits is right, and slow."""
    shapes = Shapes(STOCK)
    (rule,) = (rule for rule in RULES if rule.name == name)
    lines = [(HEAD + sample.encode()).translate(ZEROS) for sample in rule.samples]

    codes = np.array([shapes[line] for line in lines])

    assert shapes.templates.known(codes, np.ones(len(codes), dtype=np.int64)).any()


def test_digits_decide_where_a_rule_names_them() -> None:
    right = HEAD + b"Registered kafka:type=kafka.Log4jController MBean\n"
    other = right.replace(b"Log4j", b"Log5j")

    for data in (right + other, other + right):
        assert_same(parse(data, STOCK), parse_singly(data))
    assert parse(right, STOCK).facts
    assert not parse(other, STOCK).facts


@pytest.mark.parametrize("most", [0, 1, 40])
def test_shapes_that_are_too_many_are_not_kept(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importers.lines.shapes._MOST_SHAPES", most)
    data = b"".join(HEAD + sample.encode() + b"\n" for rule in RULES for sample in rule.samples)

    first, again = parse(data, STOCK), parse(data, STOCK)

    assert len(shapes_of(STOCK)) <= most + 1
    assert_same(first, parse_singly(data))
    assert_same(again, first)


def test_every_field_of_a_statement_has_a_column() -> None:
    plain = {"kind", "basis", "at_least"}
    in_columns = {*SAID_NUMBERS, *TEXTS, *LISTS, *plain, "tp"} - {"rule", "topic"}

    assert in_columns == {field.name for field in fields(Said)}


def test_shapes_are_full_beyond_their_bytes_and_not_at_them(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = b"one shape", b"another"
    monkeypatch.setattr(shapes_module, "_MOST_BYTES", len(one))
    known = Shapes(STOCK)

    assert known[one] == shapes_module.CONTINUES
    assert not known.full
    assert known[other] == shapes_module.CONTINUES
    assert known.full


def test_a_record_behind_an_empty_first_line_begins_at_byte_1() -> None:
    line = b"[2026-11-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"

    assert next_record(b"\n" + line, STOCK, 1) == 1
