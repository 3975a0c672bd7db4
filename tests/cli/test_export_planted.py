"""Planted secrets in every kind of export with every kind of name hidden: none is in any byte."""

from pathlib import Path

import pytest

from core.trace.redact import What
from db.anchors import anchor_of
from db.document import create
from db.notes import Note
from gui.exports.plan import ENDINGS
from tests.cli.conftest import Tell
from tests.cli.test_export_redacted import leaks, readings, readings_by_tools
from tests.secrets_planted import Plant, planted_trace

EVERY = ",".join(What)


def make(folder: Path, seed: int, count: int) -> tuple[Path, tuple[str, ...]]:
    """A document full of secrets, and those of them that can be looked for in bytes."""
    trace, lines, fields = planted_trace(seed, count)
    path = folder / f"{seed}.tide"
    here, there = anchor_of(trace, 60), anchor_of(trace, 80)
    notes = [
        Note(0, trace.name, here, f"{fields['note']} did it", author=fields["author"]),
        Note(0, trace.name, here, f"after {lines[0].secret}", kind="range", end=there),
    ]
    create(path, [trace], notes=notes)
    return path, (*(one.secret for one in lines if searchable(one)), *fields.values())


def searchable(plant: Plant) -> bool:
    return plant.told_apart and len(plant.secret) > 5


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[str, ...]]:
    return make(tmp_path_factory.mktemp("planted"), 11, 200)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_none_of_200_secrets_is_in_any_byte_of_an_export(
    tell: Tell, planted: tuple[Path, tuple[str, ...]], tmp_path: Path, ending: str
) -> None:
    document, secrets = planted
    look(tell, document, secrets, tmp_path / f"hidden{ending}")


@pytest.mark.slow
def test_nor_of_a_slide_or_of_a_page_in_chinese(
    tell: Tell, planted: tuple[Path, tuple[str, ...]], tmp_path: Path
) -> None:
    document, secrets = planted
    look(tell, document, secrets, tmp_path / "a.svg", "--slide", "--without", "notes")
    look(tell, document, secrets, tmp_path / "a.html", "--lang", "zh")


@pytest.mark.slow
@pytest.mark.thinned(len(ENDINGS))
@pytest.mark.parametrize("ending", ENDINGS)
def test_none_of_1000_secrets_is_in_any_byte_of_an_export(tell: Tell, tmp_path: Path, ending: str) -> None:
    document, secrets = make(tmp_path, 1, 1000)
    assert len(secrets) > 950
    look(tell, document, secrets, tmp_path / f"hidden{ending}")


@pytest.mark.slow
@pytest.mark.thinned(10)
@pytest.mark.parametrize("seed", range(10))
def test_none_of_1000_secrets_is_in_a_page_that_shows_every_line(
    tell: Tell, tmp_path: Path, seed: int
) -> None:
    """A hundred a page: it has a line for each event."""
    document, secrets = make(tmp_path, 100 + seed, 100)
    look(tell, document, secrets, tmp_path / "hidden.html")


@pytest.mark.slow
def test_without_redaction_they_are_there(
    tell: Tell, planted: tuple[Path, tuple[str, ...]], tmp_path: Path
) -> None:
    """The search itself: what is found in an export that hides nothing."""
    document, secrets = planted
    told = tmp_path / "told.html"
    assert tell("export", document, "-o", told).code == 0
    assert len(leaks(told.read_bytes(), secrets)) > 80


def look(tell: Tell, document: Path, secrets: tuple[str, ...], target: Path, *more: str) -> None:
    """Export with every kind hidden, and search every byte, each stream unpacked."""
    moving = ("--to", "1970-01-01T00:00:02Z") if target.suffix == ".gif" else ()
    told = tell("export", document, f"--redact={EVERY}", "-o", target, *moving, *more)
    assert (told.code, told.err) == (0, told.err)
    assert leaks(target.read_bytes(), secrets) == []
    assert leaks(b"\n".join(readings_by_tools(target)), secrets) == []
    assert next(readings(target.read_bytes())) == target.read_bytes()
