"""Texts of an SVG are as wide as they were laid out, whatever fonts the reader's machine has."""

import re
from html import unescape
from pathlib import Path

import pytest

from core.picture.marks import Layer, Picture, Text
from gui.exports.devices import export_picture

TEXTS = (
    Text(10, 20, "628 → 90 · to the diverging epoch's end", "text", 10),
    Text(10, 40, "Broker 1 cuts, 538 gone & more", "text", 11, 600),
    Text(10, 60, "02:59:42.908", "text", 12, 600, mono=True),
    Text(10, 80, "领导者 · 纪元 0", "text", 12),
)
WIDTHS = {
    TEXTS[0].text: 189.5,
    TEXTS[1].text: 166.4,
    TEXTS[2].text: 12 * 7.2,
    TEXTS[3].text: 80.9,
}
"""Advances of Inter and JetBrains Mono in units of their fonts, by size; a Chinese sign is a square."""


def test_each_text_says_its_width(tmp_path: Path) -> None:
    """As in the tables of the fonts. Where the script changes Qt begins another text."""
    export_picture(Picture(400, 100, (Layer("static", TEXTS),)), tmp_path / "x.svg")

    svg = (tmp_path / "x.svg").read_text("utf-8")
    told = [
        (unescape(words), float(width))
        for width, words in re.findall(r'textLength="([\d.]+)" lengthAdjust="\w+">([^<]+)</text>', svg)
    ]
    assert "".join(words for words, _ in told) == "".join(text.text for text in TEXTS)
    for text in TEXTS:
        width, words = 0.0, ""
        while words != text.text:
            part, more = told.pop(0)
            words, width = words + part, width + more
        assert width == pytest.approx(WIDTHS[text.text], abs=0.2), text.text
