"""A log whose lines a terminal, `fold` or a mail broke at a width says the same."""

import io
from collections.abc import Callable
from pathlib import Path
from textwrap import wrap

import pytest

from importers.containers.wrapped_text import UnwrappedText, Wrap, wrap_of
from importers.limits import Budget, Stream, Total
from importers.load import load
from tests.archives import unpack_sample


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A part of a broker's log, with settings and stack traces in it."""
    folder = unpack_sample("k0102-hw-loss", tmp_path_factory.mktemp("sample"))
    text = (folder / "broker-1" / "logs" / "server.log").read_text()
    return "".join(text.splitlines(keepends=True)[:600])


def told(place: Path) -> list:
    trace = load([place])
    return [(one.at, one.kind, one.values) for one in (trace.event(seq) for seq in range(len(trace)))]


def anywhere(line: str) -> list[str]:
    return [line[at : at + 120] for at in range(0, len(line), 120)] or [""]


def between_words(line: str) -> list[str]:
    """As `fold -s` has it: the blank stays at the end of the line."""
    parts = []
    while len(line) > 100:
        cut = line.rfind(" ", 0, 100) + 1
        cut = cut if cut > 26 else 100
        parts.append(line[:cut])
        line = line[cut:]
    return [*parts, line]


def in_a_mail(line: str) -> list[str]:
    """The blank is gone; a word that is longer than a line stands alone."""
    if line.startswith(("\t", " ")):
        return [line]
    return wrap(line, 110, break_long_words=False, break_on_hyphens=False, drop_whitespace=True) or [""]


WRAPPED: dict[str, Callable[[str], list[str]]] = {
    "anywhere": anywhere, "between words": between_words, "in a mail": in_a_mail,
}  # fmt: skip


def wrapped(log: str, name: str) -> str:
    return "".join(f"{part}\n" for line in log.splitlines() for part in WRAPPED[name](line))


@pytest.mark.parametrize("name", ["anywhere", "between words"])
def test_a_wrapped_log_says_the_same(log: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "plain.log").write_text(log)
    (tmp_path / "wrapped.log").write_text(wrapped(log, name))

    assert told(tmp_path / "wrapped.log") == told(tmp_path / "plain.log")


def test_of_a_mail_the_blanks_come_back() -> None:
    line = "[2026-11-21 03:29:10,161] INFO Truncating log t-{} to offset 5, the end of the leader's log"
    lines = [f"{line.format(number)} for {'reasons ' * 9}".rstrip() for number in range(20)]
    text = "".join(f"{part}\n" for one in lines for part in in_a_mail(one))

    wrap_ = wrap_of(text.encode())

    assert wrap_ is not None
    assert wrap_.without_blanks
    assert unwrapped(text, wrap_, 1000) == "".join(f"{one}\n" for one in lines)


def unwrapped(text: str, how: Wrap, count: int) -> str:
    data = text.encode()
    stream = Stream(io.BytesIO(data), Budget("text", io.BytesIO(), len(data), Total("text")), "text")
    reader, pieces = UnwrappedText(stream, how), []
    while piece := reader.read(count):
        assert len(piece) <= count
        pieces.append(piece)
    return b"".join(pieces).decode()


@pytest.mark.parametrize("count", [1, 7, 120, 5000])
def test_lines_are_whole_whatever_the_pieces_are(log: str, count: int) -> None:
    short = log[:20_000].rpartition("\n")[0] + "\n"

    assert unwrapped(wrapped(short, "anywhere"), Wrap(120), count) == short


def test_a_log_that_is_not_wrapped_stays_as_it_is(log: str) -> None:
    assert wrap_of(log.encode()) is None
    # Lines that were cut at a width are not wrapped: what was behind it is gone.
    cut = "".join(f"{line[:100]}\n" for line in log.splitlines())
    assert wrap_of(cut.encode()) is None
    assert wrap_of(b"a line\n" * 40) is None
