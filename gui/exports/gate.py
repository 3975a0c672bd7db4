"""The last look at an export whose names are hidden: none of them may be in the finished bytes. No Qt.

Looked for is every name that was replaced, in any capitals, in each text that `readings` finds. Not looked
for is what would be found by chance or stands there anyway:

- a name under four letters, or without a letter: numbers and single letters are everywhere
- a name of four to seven letters inside of a longer word: it counts where it stands alone
- a word of Kafka's: behind `password=` it is hidden, elsewhere it stays (core/trace/known_words.py)
- a word that the program itself says in every export, such as "legend" or "stroke"
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from core.errors import DocumentError
from core.message import Message, message
from core.picture.marks import Picture, Text
from core.trace.redact import CALLED, Redaction
from core.trace.redact_names import trie_pattern
from gui.exports.readings import readings
from gui.text.catalogues import all_forms

_SHORTEST: Final = 4
_ANYWHERE: Final = 8
_ROOT: Final = Path(__file__).parent.parent.parent
_SPEAKING: Final = (
    *("core/picture", "core/diagnose", "core/history", "core/compare", "core/kafka", "core/trace"),
    *("core/words", "gui/exports", "gui/scrub", "gui/commands"),
)
"""What is written there, and the sentences whose ids stand there, may be in any export."""
_NAMING: Final = ("core/sim", "gui/text", "importers")
"""Of these the sentences alone: their other texts are patterns and samples of logs."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_FORMATS: Final = frozenset(
    """
    adobe aiim annots arrow ascent author base basefont baseline beginbfrange begincmap begincodespacerange
    bevel black bold bottom bounding box build butt capheight catalog char cidfont cidfonttype cidinit
    cidset cidsysteminfo cidtogidmap circle class clip cmap cmapname cmaptype color colorspace colour
    content contents count created createdate creation creationdate creator creatortool cspcmyk cspg
    currentdict dasharray dashoffset date default defineresource defs derived desc descendant
    descendantfonts descent device devicecmyk devicegray devicergb documentid dominant effect elements
    encoding endbfrange endcmap endcodespacerange endobj endstream entity evenodd extgstate false family
    fill filter findresource first flate flatedecode font fontbbox fontdescriptor fontfamily fontfile
    fontname fonts fontsize fontstyle fontweight footer format generator gray group gstate height http https
    identity imageb imagec info inter italic italicangle jetbrains jetbrainsmono kids length line linecap
    linejoin list matrix media mediabox medium metadata metadatadate miter miterlimit moddate mode
    modifydate mono name names netscape none normal noto npes null number object opacity order ordering
    outline page pages pandas parent parquet path pattern pcsp pcspcmyk pcspg pdfa pdfaid pdfx pdfxid points
    polygon polyline position preserve procset producer profile purl rect registry renditionclass resources
    root rule sans schema semibold size smask span square standalone startxref state stemv stream stroke
    style subset subtype supplement syntax table text tiny title tounicode trailer transform trapped trimbox
    true type unicode unit version versionid viewbox white width writer www xlink xmlns xmpmeta xmpmm
    xobject xpacket xref
    """.split()  # noqa: SIM905 - a text of words
)
"""Words of the formats themselves: SVG, PDF with its font tables and metadata, GIF, Parquet."""
_ID: Final = re.compile(r"[a-z][a-z\d-]*(?:\.[a-z\d-]+)+")
_NEVER_EXPORTED: Final = ("error.", "command.", "progress.")
"""Rooms of the catalogues whose sentences stand in a terminal or a dialog, and in no exported file."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What must not be found, as one pattern; None where nothing was hidden."""

    redaction: Redaction
    pattern: re.Pattern[str] | None

    def check_file(self, path: Path, ending: str) -> None:
        """Raise DocumentError where a finished file holds a hidden name; it does not tell which."""
        self._check(readings(path, ending))

    def check_picture(self, picture: Picture) -> None:
        """The same for the words of a picture, before they are drawn as shapes or pixels."""
        texts = [mark.text for layer in picture.layers for mark in layer.marks if isinstance(mark, Text)]
        self._check(
            (message("error.leak.place.figure"), text)
            for text in (picture.title, picture.alt, "\n".join(texts))
        )

    def _check(self, told: Iterable[tuple[Message, str]]) -> None:
        if self.pattern is None:
            return
        for where, text in told:
            for match in self.pattern.finditer(text.lower()):
                if not _is_own(match[0]):
                    kind = self.redaction.kind_of(match[0])
                    called = message(CALLED[kind])
                    raise DocumentError(
                        message("error.leak"),
                        why=message("error.leak.why", kind=called, place=where),
                        background=message("error.leak.background"),
                        advice=message("error.leak.way-out"),
                    )


def gate_of(redaction: Redaction) -> Gate:
    """The gate for what was hidden."""
    names = {name.lower() for name in redaction.names if _can_be_told_apart(name)}
    anywhere = [name for name in names if len(name) >= _ANYWHERE]
    alone = [name for name in names if len(name) < _ANYWHERE]
    parts = [trie_pattern(anywhere)] if anywhere else []
    parts += [rf"(?<![^\W_]){trie_pattern(alone)}(?![^\W_])"] if alone else []
    return Gate(redaction, re.compile("|".join(parts)) if parts else None)


def _can_be_told_apart(name: str) -> bool:
    return len(name) >= _SHORTEST and _WORD.search(name) is not None


def _is_own(name: str) -> bool:
    """Whether the program, or the format, says such a word of itself. Asked only of what was found."""
    words = _WORD.findall(name)
    own = own_words()
    return not any(letter.isdigit() for letter in name) and all(word in own for word in words)


@cache
def own_words() -> frozenset[str]:
    """The words of the sentences, legends and pages that every export may have, in small letters."""
    found = set(_FORMATS)
    for text in _spoken():
        found.update(_WORD.findall(text.lower()))
    return frozenset(found)


def _spoken() -> Iterator[str]:
    """The texts of the modules and pages, and the sentences of every language that they name by id."""
    said = {text for path in _files(_SPEAKING, ".py") for text in _said(path)}
    named = said.union(*(_said(path) for path in _files(_NAMING, ".py")))
    ids = [id_ for id_ in named if _ID.fullmatch(id_) and not id_.startswith(_NEVER_EXPORTED)]
    told = {id_: texts for id_ in ids if (texts := all_forms(id_))}
    yield from (text for text in said if not _ID.fullmatch(text))
    for texts in told.values():
        yield from texts
    for path in _files(_SPEAKING, ".html", ".css", ".js"):
        yield path.read_text(encoding="utf-8")


def _files(folders: Iterable[str], *endings: str) -> Iterator[Path]:
    for folder in folders:
        place = _ROOT / folder
        paths = sorted(place.rglob("*")) if place.is_dir() else [place.with_suffix(".py")]
        yield from (path for path in paths if path.suffix in endings)


def _said(path: Path) -> Iterable[str]:
    """The texts in a module, without its docstrings."""
    docs: set[int] = set()
    # A node comes before what it holds.
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr):
            docs.add(id(node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value
