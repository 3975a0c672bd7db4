"""A log that went through a mail, a document, a viewer or a rotation while it was written says the same."""

import html
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import SourceError
from importers.containers.worn_text import WornText, is_worn
from importers.limits import Budget, Stream, Total
from importers.load import load
from tests.archives import unpack_sample


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A part of a broker's log, with settings and stack traces in it."""
    folder = unpack_sample("k0102-hw-loss", tmp_path_factory.mktemp("sample"))
    text = (folder / "broker-1" / "logs" / "server.log").read_text()
    return "".join(text.splitlines(keepends=True)[:400])


def told(place: Path) -> list:
    trace = load([place])
    return [(one.at, one.kind, one.values) for one in (trace.event(seq) for seq in range(len(trace)))]


def half(text: str) -> tuple[str, str]:
    lines = text.splitlines(keepends=True)
    return "".join(lines[: len(lines) // 2]), "".join(lines[len(lines) // 2 :])


WORN: dict[str, Callable[[str], bytes]] = {
    "no-break spaces": lambda text: text.replace(" ", "\u00a0").encode(),
    "quotes, dots and arrows": lambda text: text.replace('"', "\u201c").replace("...", "\u2026").encode(),
    "no width": lambda text: "".join(f"\u200b{line}\n" for line in text.splitlines()).encode(),
    "written for a page": lambda text: html.escape(text).encode(),
    "a mark in the middle": lambda text: "\ufeff".join(("", *half(text))).encode(),
    "carriage returns alone": lambda text: text.replace("\n", "\r").encode(),
    "two carriage returns": lambda text: text.replace("\n", "\r\r\n").encode(),
    "grep --color": lambda text: text.replace("offset", "\x1b[01;31m\x1b[Koffset\x1b[m\x1b[K").encode(),
    "cut while it was written": lambda text: bytes(400_000) + text.encode(),
    "UTF-16 added": lambda text: half(text)[0].encode() + half(text)[1].encode("utf-16-le"),
    "lost by a power failure": lambda text: half(text)[0].encode() + bytes(4096) + half(text)[1].encode(),
}


@pytest.mark.parametrize("name", WORN)
def test_a_worn_log_says_the_same(log: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "plain.log").write_text(log)
    (tmp_path / "worn.log").write_bytes(WORN[name](log))

    assert told(tmp_path / "worn.log") == told(tmp_path / "plain.log")


@pytest.mark.parametrize("count", range(4, 20))
def test_signs_are_whole_whatever_the_pieces_are(count: int) -> None:
    text = "03:29:10 \u2018a\u2019\u00a0\u00a0b\u200b\u2026\u4e2d\u2192c&gt;&amp;lt;&#39;".encode() * 3
    budget = Budget("text", io.BytesIO(), len(text), Total("text"))
    worn = WornText(Stream(io.BytesIO(text), budget, "text"), text)
    pieces = []
    while piece := worn.read(count):
        assert len(piece) <= count
        pieces.append(piece)

    assert b"".join(pieces).decode() == "03:29:10 'a'  b...\u4e2d->c>&lt;'" * 3


def test_a_log_or_data_is_not_worn(log: str) -> None:
    assert not is_worn(log.encode())
    assert not is_worn("\ufeff".encode() + log.encode())
    assert not is_worn(bytes(60) + log.encode().replace(b" ", b"\xc2\xa0"))
    assert not is_worn(b"0\n1\nt 0 7\r")


@pytest.mark.parametrize(
    "written",
    [
        lambda number, text: f"<p id=L{number}><i>{number}</i>{html.escape(text)}</p>",
        lambda _, text: f"time={text[1:11]}T{text[12:20]} level=info msg={text[26:]!r}",
        lambda _, text: f"I1121 {text[12:20]}.123456 12 Log.scala:12] {text[26:]}",
    ],
)
def test_a_log_of_an_unknown_layout_is_named(
    log: str, written: Callable[[int, str], str], tmp_path: Path
) -> None:
    lines = [line for line in log.splitlines() if line.startswith("[")]
    text = "".join(written(number, line) + "\n" for number, line in enumerate(lines))
    (tmp_path / "odd.txt").write_text(text)
    (tmp_path / "log4j.properties").write_text("# 12:00:00\nlog4j.logger.kafka.server.KafkaApis=TRACE\n" * 9)

    with pytest.raises(SourceError) as caught:
        load([tmp_path])
    assert caught.value.facts.what.id == "error.log.layout"

    (tmp_path / "server.log").write_text(log)
    assert [row["file"] for row in load([tmp_path]).report["left_out"]] == ["odd.txt"]
