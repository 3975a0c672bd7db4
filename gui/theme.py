"""Themes: from colour roles to colours; and the fonts that pictures are set in."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import get_ident
from typing import Any, Final

from PySide6.QtGui import QColor, QFont, QFontDatabase

from core.errors import QuestionError
from core.message import Listing, message

THEME_NAMES: Final = {"light": "theme.light", "dark": "theme.dark", "contrast": "theme.high-contrast"}
THEMES: Final = tuple(THEME_NAMES)
TEXT_FAMILIES: Final = ("Inter", "Noto Sans SC", "Noto Sans CJK SC", "DejaVu Sans", "sans-serif")
MONO_FAMILIES: Final = ("JetBrains Mono", "Noto Sans SC", "DejaVu Sans Mono", "monospace")
RAW_FAMILIES: Final = ("JetBrains Mono NL", "JetBrains Mono", "Noto Sans SC", "DejaVu Sans Mono", "monospace")
"""For raw log lines: the cut without ligatures, as SVG does not store that they are off."""

_HERE = Path(__file__).parent
_OFF = ("calt", "liga", "clig", "dlig")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by role. Epoch roles are "e0" to "e5" with the parts "ink", "edge", "committed" and "open"."""

    name: str
    colours: Mapping[str, QColor]

    def colour(self, role: str, opacity: float = 1.0) -> QColor:
        """The colour of a role, its own strength times `opacity`. Raises KeyError for a role that is none."""
        colour = QColor(self.colours[role])
        if opacity < 1.0:
            colour.setAlphaF(colour.alphaF() * opacity)
        return colour


@cache
def load_theme(name: str) -> Theme:
    """One of THEMES, from its file in gui/themes. Raises QuestionError for another name."""
    if name not in THEMES:
        raise QuestionError(
            message("error.theme.none", name=name),
            advice=message("error.theme.known", names=Listing(tuple(THEMES))),
        )
    with (_HERE / "themes" / f"{name}.toml").open("rb") as file:
        raw = tomllib.load(file)
    return Theme(name, _colours(raw))


def _colours(raw: Mapping[str, Any]) -> dict[str, QColor]:
    colours = {role: QColor(value) for role, value in raw["roles"].items()}
    area = raw["area"]
    for number, epoch in enumerate(raw["epochs"]):
        name, fill = f"e{number}", QColor(epoch["fill"])
        committed = area["committed_odd" if number % 2 else "committed_even"]
        colours[name] = fill
        colours[f"{name}.ink"] = QColor(epoch["ink"])
        colours[f"{name}.edge"] = QColor(epoch.get("edge", epoch["fill"]))
        colours[f"{name}.committed"] = _with_alpha(fill, committed)
        colours[f"{name}.open"] = _with_alpha(fill, area["open"])
    neutral = colours["unknown"]
    colours["unknown.edge"] = neutral
    colours["unknown.committed"] = _with_alpha(neutral, 0.35)
    colours["unknown.open"] = _with_alpha(neutral, area["open"])
    return colours


def _with_alpha(colour: QColor, alpha: float) -> QColor:
    made = QColor(colour)
    made.setAlphaF(alpha)
    return made


@cache
def load_fonts() -> tuple[str, ...]:
    """Register the fonts of gui/fonts with Qt, once; gives the families. Needs a QGuiApplication."""
    families: list[str] = []
    for file in sorted((_HERE / "fonts").glob("*.[ot]tf")):
        number = QFontDatabase.addApplicationFont(str(file))
        if number >= 0:
            families.extend(QFontDatabase.applicationFontFamilies(number))
    return tuple(dict.fromkeys(families))


def font(size: float, weight: int = 400, *, mono: bool = False, raw: bool = False) -> QFont:
    """The font of a text.

    Size in logical pixels, no ligatures, so that text can be read back from PDF and SVG. Each thread has
    fonts of its own: Qt keeps inside of a font what the thread that last used it found out.
    """
    families = RAW_FAMILIES if raw else MONO_FAMILIES if mono else TEXT_FAMILIES
    return _font(get_ident(), families, size, weight)


@cache
def _font(_thread: int, families: tuple[str, ...], size: float, weight: int) -> QFont:
    made = QFont()
    made.setFamilies(list(families))
    made.setPixelSize(max(round(size), 1))
    made.setWeight(QFont.Weight(weight))
    made.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    for tag in _OFF:
        made.setFeature(QFont.Tag(tag), 0)
    return made
