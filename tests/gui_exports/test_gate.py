"""An export that still holds a hidden name is refused, in every kind of file, and leaves nothing."""

import base64
import gzip
import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pyarrow import parquet

from core.errors import DocumentError
from core.kafka.eras import era
from core.picture.marks import Layer, Picture, Text
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.ids import BrokerId
from core.trace.redact import What, redaction_of
from core.trace.trace import Broker, KeptLine, Origin, Trace
from core.work import Work
from gui.exports import write as writing
from gui.exports.gate import Gate, gate_of, own_words
from gui.exports.material import Material, redacted
from gui.exports.plan import ENDINGS, Plan
from gui.exports.readings import readings
from gui.text.spoken import speak

# One worker has all of them: the words of the program are gathered once.
pytestmark = [pytest.mark.broad(72), pytest.mark.xdist_group("gate")]

HOST = "zeusgate-7.acme.example"
SHORT = "hera"
EVERY = tuple(What)


def trace_of(*lines: str) -> Trace:
    base = simulate(scenario("hw-loss"), era("0.10.2"))
    return replace(
        base,
        name=f"at {HOST}",
        origin=Origin.IMPORTED,
        brokers=(Broker(BrokerId(1), f"{HOST}:9092"), *base.brokers[1:]),
        lines=tuple(KeptLine(0, number, 0, line) for number, line in enumerate(lines, start=1)),
        sources=(replace(base.sources[0], path=f"{HOST}/server.log"),),
        facts={},
    )


@pytest.fixture(scope="module")
def gate() -> Gate:
    return gate_of(redaction_of([trace_of(f"INFO host={SHORT}", "clientId=ab of cursor and 12345")], EVERY))


def leaking(name: str) -> dict[str, Callable[[Path], object]]:
    """Files of each kind that hold a name, as the kind holds texts."""
    image = Image.new("P", (4, 4))
    told = PngInfo()
    told.add_text("Title", f"of {name}", zip=True)
    itxt = PngInfo()
    itxt.add_itxt("Title", f"of {name}", zip=True)
    packed = zlib.compress(f"BT (see {name}) Tj ET".encode())
    wide = b"\xfe\xff" + f"see {name}".encode("utf-16-be")
    pdf = (
        b"%%PDF-1.4\n1 0 obj <</Title (%s)>> endobj\n2 0 obj <</Filter/FlateDecode>>\nstream\n%s\nendstream\n"
    )
    escaped = "".join(f"\\{byte:03o}" for byte in wide)
    return {
        "zTXt.png": lambda path: image.save(path, "PNG", pnginfo=told),
        "iTXt.png": lambda path: image.save(path, "PNG", pnginfo=itxt),
        "comment.gif": lambda path: image.save(path, "GIF", comment=f"of {name}".encode()),
        "stream.pdf": lambda path: path.write_bytes(pdf % (b"x", packed)),
        "title.pdf": lambda path: path.write_bytes(pdf % (wide, b"")),
        "octal.pdf": lambda path: path.write_bytes(pdf % (escaped.encode(), b"")),
        "hex.pdf": lambda path: path.write_bytes(pdf % (b"x) /A <" + wide.hex().encode() + b"> (", b"")),
        "plain.csv": lambda path: path.write_text(f"a,{name},b"),
        "capitals.txt": lambda path: path.write_text(f"a {name.upper()} b"),
        "entities.svg": lambda path: path.write_text("".join(f"&#{ord(one)};" for one in name)),
        "escapes.json": lambda path: path.write_text("".join(f"\\u{ord(one):04x}" for one in name)),
        "percent.html": lambda path: path.write_text(
            f"<a href='x?{quote(name).replace('-', '%2D').replace('.', '%2E')}'>"
        ),
        "base64.html": lambda path: path.write_bytes(base64.b64encode(f"padding, {name} is here".encode())),
        "gzip.html": lambda path: path.write_bytes(
            base64.b64encode(gzip.compress((f"{name} " * 9).encode()))
        ),
        "zstd.html": lambda path: path.write_bytes(
            base64.b64encode(pa.compress(f"{name} is here".encode(), codec="zstd", asbytes=True))
        ),
        "column.parquet": lambda path: parquet.write_table(
            pa.table({"file": [f"{name}/x.log"]}), path, compression="zstd"
        ),
        "head.parquet": lambda path: parquet.write_table(
            pa.table({"a": [1]}).replace_schema_metadata({"by": name}), path
        ),
    }


@pytest.mark.parametrize("kind", leaking(""))
def test_a_name_is_found_in_every_kind_of_file_and_never_told(gate: Gate, tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    leaking(HOST)[kind](path)
    with pytest.raises(DocumentError) as caught:
        gate.check_file(path, path.suffix)
    assert "host names" in str(caught.value)
    assert HOST not in str(caught.value).lower()
    leaking("host-1")[kind](path)
    gate.check_file(path, path.suffix)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (f"x{HOST}y", True),
        (f"of {SHORT}, too", True),
        (f"of {SHORT.upper()}-1", True),
        (f"ad{SHORT}ents", False),  # four letters inside of a longer word
        ("ab 12345", False),  # two letters; a number
        ("the cursor", False),  # what the program says of itself
        ("a leader", False),
    ],
)
def test_what_counts_as_found(gate: Gate, tmp_path: Path, text: str, *, refused: bool) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="utf-8")
    if refused:
        with pytest.raises(DocumentError):
            gate.check_file(path, ".txt")
    else:
        gate.check_file(path, ".txt")


def test_words_are_looked_at_before_they_are_drawn(gate: Gate) -> None:
    def drawn(title: str = "", alt: str = "", text: str = "") -> Picture:
        return Picture(9, 9, (Layer("a", (Text(0, 0, text, "text"),)),), title, alt)

    gate.check_picture(drawn("a", "b", "host-1"))
    for leak in ({"title": HOST}, {"alt": HOST}, {"text": f"see {HOST}"}):
        with pytest.raises(DocumentError):
            gate.check_picture(drawn(**leak))


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_export_that_forgot_to_hide_is_refused_and_leaves_what_was_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ending: str
) -> None:
    """As if the hiding were broken: the names are known, and nothing was replaced."""

    def broken(material: Material, plan: Plan, work: Work) -> object:
        return material, plan, redacted(material, plan, work)[2]

    monkeypatch.setattr(writing, "redacted", broken)
    # What the text of a timeline says of names is the brokers' numbers alone.
    monkeypatch.setattr(writing, "text_of", lambda *_: f"told by {HOST}")
    target = tmp_path / f"a{ending}"
    target.write_text("before")
    plan = Plan(redact=EVERY, window=(None, "1970-01-01T00:00:02Z") if ending != ".txt" else (None, None))
    material = Material((trace_of("INFO a line"),))
    with pytest.raises(DocumentError, match="still holds something that was to be hidden"):
        writing.write(material, plan, target, replace=True)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [(target.name, "before")]


def test_the_words_of_the_program_are_no_names() -> None:
    assert {"legend", "cursor", "truncation"} <= own_words()
    assert own_words().isdisjoint({"zeusgate", "acme", "hera", "berlin", "staging"})


SAID = ("acknowledges", "becomes", "learns", "measurements", "proposes", "scrubbing")
"""Words of the page and of the legend that stand in catalogues alone."""


def says(*words: str) -> Trace:
    """A trace whose hosts, clients, keys and topics are called as the words, each of every kind in turn."""
    lines = [f"INFO host={one} clientId={one} key={one} topic={one}" for one in words]
    return trace_of(*lines)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_hidden_name_that_is_a_word_of_the_export_refuses_nothing(
    tmp_path: Path, ending: str, language: str
) -> None:
    trace = says(*SAID, "author", "registry", "square", "高水位", "日志起点")
    assert set(SAID) <= redaction_of([trace], EVERY).names.keys()
    plan = Plan(redact=EVERY, window=(None, "1970-01-01T00:00:02Z") if ending == ".gif" else (None, None))
    speak(language)
    try:
        writing.write(Material((trace,)), plan, tmp_path / f"a{ending}")
    finally:
        speak("en")
    assert (tmp_path / f"a{ending}").stat().st_size


@pytest.mark.parametrize("ending", [".html", ".svg", ".txt"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_word_of_an_export_is_known_as_the_programs_own(
    tmp_path: Path, ending: str, language: str
) -> None:
    target = tmp_path / f"a{ending}"
    speak(language)
    try:
        writing.write(Material((trace_of("INFO a line"),)), Plan(redact=EVERY), target)
    finally:
        speak("en")
    words = {word for _, text in readings(target, ending) for word in re.findall(r"[a-z]{4,}", text.lower())}
    assert len(words) > 5
    assert words - own_words() - {"ffffff"} == set()


def test_the_words_of_patterns_and_samples_of_logs_are_no_words_of_the_program() -> None:
    assert own_words().isdisjoint({"orders", "clicks", "dashboards", "bookings"})


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"not a picture")
    with pytest.raises(DocumentError):
        list(readings(path, ".png"))
