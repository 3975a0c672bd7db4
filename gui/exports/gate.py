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
from collections.abc import Iterable
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

_SHORTEST: Final = 4
_ANYWHERE: Final = 8
_ROOT: Final = Path(__file__).parent.parent.parent
_SPEAKING: Final = (
    *("core/picture", "core/diagnose", "core/history", "core/compare", "core/kafka", "core/trace"),
    *("core/words", "gui/exports", "gui/scrub", "gui/commands"),
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_FORMATS: Final = frozenset(
    """
    arrow base baseline bold bottom bounding box build catalog char cidfont circle class clip color
    colour content contents count created creation creator date default desc descendant device dominant
    encoding endobj endstream entity evenodd false family fill filter first flate font fontfamily fonts
    fontsize fontstyle fontweight footer format generator gray group height http https identity info
    inter italic jetbrains kids length line linecap linejoin list matrix media medium metadata mode mono
    name names none normal noto null number object opacity order outline page pages pandas parent
    parquet path pattern points polygon polyline position preserve producer profile rect resources root
    rule sans schema semibold size span startxref state stream stroke style subset subtype table text
    tiny title trailer transform true type unicode unit version viewbox white width writer www xlink
    xmlns xref
    """.split()  # noqa: SIM905 - a text of words
)
"""Words of the formats themselves: SVG, PDF, Parquet."""


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
    for folder in _SPEAKING:
        place = _ROOT / folder
        paths = sorted(place.rglob("*")) if place.is_dir() else [place.with_suffix(".py")]
        for path in paths:
            if path.suffix == ".py":
                for text in _said(path):
                    found.update(_WORD.findall(text.lower()))
            elif path.suffix in (".html", ".css", ".js"):
                found.update(_WORD.findall(path.read_text(encoding="utf-8").lower()))
    return frozenset(found)


def _said(path: Path) -> Iterable[str]:
    """The texts in a module, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value
        elif isinstance(node, ast.Name):
            yield node.id.replace("_", " ")
