"""The redaction test: of 500 names that were to be hidden, none is in any byte of any export."""

import base64
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from pyarrow import parquet

from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import KeptLine, Origin, Source, Trace
from db.anchors import anchor_of
from db.document import create
from db.notes import Note
from tests.cli.conftest import Tell

STEMS = ("zeusgate", "billing", "ibankey", "vaultdir", "purse")
SECRETS = tuple(f"{stem}{number:03}-x" for stem in STEMS for number in range(100))
HOSTS, CLIENTS, KEYS, FOLDERS, TOPICS = (SECRETS[start : start + 100] for start in range(0, 500, 100))


def secretive(which: str = "0.10.2") -> Trace:
    """The loss, as if imported: its brokers, sources, lines, facts, topics and report are full of names."""
    base = simulate(scenario("hw-loss"), era(which))
    topic = base.partitions[0].tp.topic
    lines = [
        f"[Consumer clientId={client}] at {host}:9092 key={key} dir=/srv/{folder}/x of {name}-0"
        for host, client, key, folder, name in zip(HOSTS, CLIENTS, KEYS, FOLDERS, TOPICS, strict=True)
    ]
    lines[0] += f" {topic}"
    more = [replace(base.partitions[0], tp=replace(base.partitions[0].tp, topic=name)) for name in TOPICS[1:]]
    first = replace(base.partitions[0], tp=replace(base.partitions[0].tp, topic=TOPICS[0]))
    paths = [f"{folder}/server.log" for folder in FOLDERS]
    return replace(
        base,
        name=f"incident of {HOSTS[5]}",
        origin=Origin.IMPORTED,
        brokers=tuple(
            replace(broker, name=f"{host}:9092") for broker, host in zip(base.brokers, HOSTS, strict=False)
        ),
        partitions=(first, *more),
        sources=(replace(base.sources[0], path=paths[0]), *(Source(path, path * 4, 9) for path in paths[1:])),
        lines=[KeptLine(0, number, 0, line) for number, line in enumerate(lines, start=1)],
        facts={"config": f"log.dirs=/srv/{FOLDERS[7]}/x", "title": f"What {HOSTS[9]} did"},
        report={
            "by_file": [{"file": path, "is": "log", "broker": None} for path in paths],
            "read_from": {"paths": [f"/a/{FOLDERS[3]}/b"]},
        },
    )


@pytest.fixture(scope="module")
def secret_document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("secret") / "case.tide"
    trace = secretive()
    text = f"{HOSTS[40]} fell while {CLIENTS[41]} wrote {KEYS[42]} to {TOPICS[43]}-0"
    here, there = anchor_of(trace, 60), anchor_of(trace, 80)
    notes = [
        Note(0, trace.name, here, text, author=HOSTS[44]),
        Note(0, trace.name, here, f"{HOSTS[45]} alone", kind="range", end=there),
        Note(0, trace.name, here, f"the disk {FOLDERS[46]}", kind="lane", broker=1),
        Note(0, trace.name, here, f"for {CLIENTS[47]}", kind="arrow", broker=1, end=there, end_broker=2),
    ]
    create(path, [trace], notes=notes)
    return path


@pytest.fixture(scope="module")
def secret_pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs that are compared."""
    path = tmp_path_factory.mktemp("pair") / "pair.tide"
    runs = [replace(secretive(which), name=f"{HOSTS[5]} on {which}") for which in ("0.10.2", "2.8")]
    create(path, runs, notes=[Note(0, runs[1].name, anchor_of(runs[1], 60), f"{KEYS[3]} is back")])
    return path


def readings(raw: bytes) -> Iterator[bytes]:
    """The bytes, and every deflated stream in them, inflated (PDF, PNG and its text, HTML, Parquet)."""
    yield raw
    for start in re.finditer(rb"\x78[\x01\x5e\x9c\xda]", raw):
        try:
            yield zlib.decompressobj().decompress(raw[start.start() :])
        except zlib.error:
            continue


def spellings(name: str) -> Iterator[bytes]:
    """A name as bytes in each encoding that a file may use."""
    for plain in (name.encode(), name.encode("utf-16-le"), name.encode("utf-16-be")):
        yield plain
        yield plain.hex().encode()
        yield plain.hex().upper().encode()
        for shift in range(3):
            # Only the letters that depend on nothing but the name.
            coded = base64.b64encode(b"\0" * shift + plain)
            yield coded[-(-shift * 8 // 6) : (shift + len(plain)) * 8 // 6]
    yield name.encode("utf-32-le")
    yield name.encode("utf-32-be")
    # Letters by their number, in XML, JSON and PDF.
    yield "".join(f"&#x{byte:x};" for byte in name.encode()).encode()
    yield "".join(f"\\u{byte:04x}" for byte in name.encode()).encode()
    yield "".join(f"\\{byte:03o}" for byte in name.encode()).encode()
    yield quote(name, safe="").replace("-", "%2D").encode()
    yield "".join(f"%{byte:02X}" for byte in name.encode()).encode()
    yield "".join(f"&#{byte};" for byte in name.encode()).encode()


def leaks(raw: bytes, names: tuple[str, ...] = SECRETS) -> list[str]:
    """The names that are in a file in any spelling."""
    joined = b"\n".join(readings(raw)).lower()
    spelled, begins = spelled_of(names)
    begun = begun_in(joined, begins)
    # Of 13,000 spellings hardly one begins as anything in a file does: for those alone it is read through.
    found = (name for name, begin, one in spelled if (begin is None or begin in begun) and one in joined)
    return list(dict.fromkeys(found))


_BEGIN: Final = 6
Spelled = tuple[str, int | None, bytes]
"""A name, its first bytes as a number (None where it has fewer), and one of its spellings."""


@cache
def spelled_of(names: tuple[str, ...]) -> tuple[tuple[Spelled, ...], NDArray[np.uint64]]:
    """All spellings of names in small letters, and what they begin with, in order."""
    lower = [(name, one.lower()) for name in names for one in spellings(name)]
    spelled = tuple(
        (name, int.from_bytes(one[:_BEGIN], "little") if len(one) >= _BEGIN else None, one)
        for name, one in lower
    )
    return spelled, np.unique(np.array([one[1] for one in spelled if one[1] is not None], np.uint64))


def begun_in(text: bytes, begins: NDArray[np.uint64]) -> set[int]:
    """Those of the beginnings that are anywhere in a text."""
    letters = np.frombuffer(text, np.uint8).astype(np.uint64)
    count = max(len(letters) - _BEGIN + 1, 0)
    runs = np.zeros(count, np.uint64)
    for place in range(_BEGIN):
        runs |= letters[place : place + count] << np.uint64(8 * place)
    nearest = begins[np.searchsorted(begins, runs).clip(max=len(begins) - 1)]
    return set(runs[nearest == runs].tolist())


@pytest.mark.slow
def test_the_search_finds_a_name_in_every_spelling() -> None:
    for one in spellings("zeusgate001-x"):
        assert leaks(b"ab" + one + b"cd") == ["zeusgate001-x"]
    assert leaks(zlib.compress(b"of zeusgate001-x")) == ["zeusgate001-x"]


ENDINGS = (".png", ".svg", ".pdf", ".html", ".gif", ".txt", ".csv", ".json", ".parquet")


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_no_name_is_in_any_byte_of_an_export(
    tell: Tell, secret_document: Path, tmp_path: Path, ending: str
) -> None:
    told = tmp_path / f"told{ending}"
    hidden = tmp_path / f"hidden{ending}"
    what = "hosts,clients,keys,paths,topics"

    # The first partition has the events, and the note, which names four.
    place = ("--partition", f"{TOPICS[0]}-0")
    # What a person writes for a figure names things too.
    words = (
        () if ending in UNWORDED else ("--title", f"{HOSTS[60]} lost it", "--caption", f"See {FOLDERS[61]}")
    )
    # A second of it moves: a moving picture of all of it takes long.
    words += ("--to", "1970-01-01T00:00:02Z") if ending == ".gif" else ()
    assert tell("export", secret_document, *place, *words, "-o", told).code == 0
    assert tell("export", secret_document, *place, *words, f"--redact={what}", "-o", hidden).code == 0

    assert leaks(told.read_bytes()) or ending == ".pdf"
    assert leaks(hidden.read_bytes()) == []
    assert leaks(b"\n".join(readings_by_tools(hidden))) == []
    # Without poppler's tools a PDF is read by its inflated bytes alone.
    read = [".png", ".gif", ".parquet", *([".pdf"] if shutil.which("pdftotext") else [])]
    assert leaks(b"\n".join(readings_by_tools(told))) or ending not in read


UNWORDED = (".txt", ".csv", ".json", ".parquet")


def readings_by_tools(path: Path) -> Iterator[bytes]:
    """What the programs that such files are for read in them: texts, and what they say of themselves."""
    match path.suffix:
        case ".pdf":
            for name, options in (("pdftotext", ("-raw",)), ("pdfinfo", ()), ("pdfinfo", ("-meta",))):
                if tool := shutil.which(name):
                    ask = [tool, *options, str(path), *(["-"] if name == "pdftotext" else [])]
                    yield subprocess.run(ask, capture_output=True, check=True).stdout
        case ".png" | ".gif":
            with Image.open(path) as image:
                yield repr((image.info, getattr(image, "text", {}), dict(image.getexif()))).encode()
        case ".parquet":
            yield repr(parquet.read_table(path).to_pylist()).encode()
            yield repr(parquet.read_metadata(path).metadata).encode()
        case _:
            yield b""


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf", ".html", ".gif", ".txt"])
def test_no_name_is_in_any_byte_of_a_comparison(
    tell: Tell, secret_pair: Path, tmp_path: Path, ending: str
) -> None:
    target = tmp_path / f"a{ending}"
    stops = ("--stops", "2-6") if ending == ".gif" else ()
    what = "--redact=hosts,clients,keys,paths,topics"
    place = ("--partition", f"{TOPICS[0]}-0")
    assert tell("export", secret_pair, *place, *stops, what, "-o", target).code == 0
    assert leaks(target.read_bytes()) == []
    assert leaks(b"\n".join(readings_by_tools(target))) == []


@pytest.mark.slow
def test_no_name_is_in_a_mark_of_the_picture() -> None:
    from core.compare.align import make_run
    from core.picture.figure import timeline_figure
    from core.picture.text import to_text
    from core.picture.timeline import TimelineView
    from core.picture.whole import history_window
    from core.trace.redact import What, redaction_of

    trace = secretive()
    for name in TOPICS[:1]:
        hidden = redaction_of([trace], tuple(What)).trace(trace)
        place = trace.partition_index(f"{name}-0") or 0
        run = make_run(hidden, str(hidden.partitions[place].tp))
        view = TimelineView(
            history=run.history,
            verdict=run.verdict,
            cursor=None,
            window=history_window(run.history),
            width=1600,
            height=700,
        )
        picture = timeline_figure(view)
        assert leaks(f"{to_text(picture)}{picture.title}{picture.alt}{picture.layers!r}".encode()) == []


@pytest.mark.slow
def test_redact_alone_is_followed_by_a_document_and_keeps_topics(
    tell: Tell, secret_document: Path, tmp_path: Path
) -> None:
    target = tmp_path / "a.svg"
    assert (
        tell("export", "--redact", secret_document, "--partition", f"{TOPICS[0]}-0", "-o", target).code == 0
    )

    text = target.read_text(encoding="utf-8")
    assert leaks(text.encode(), HOSTS + CLIENTS + KEYS + FOLDERS) == []
    assert TOPICS[0] in text
    assert "host-" in text
    assert "Replaced: host names (100)" in text


def test_an_unknown_thing_to_hide_is_told(tell: Tell, secret_document: Path, tmp_path: Path) -> None:
    told = tell("export", secret_document, "--redact=names", "-o", tmp_path / "a.svg")
    assert told.code == 2
    assert "'names' cannot be hidden" in told.err
    assert not list(tmp_path.iterdir())
