"""Make gui/fonts from the Debian packages fonts-inter, fonts-jetbrains-mono and fonts-noto-cjk.

Run by hand, once, when a font is to be renewed; needs fontTools, which the program itself does not.
gui/fonts/README.md says how to call it.
"""

import argparse
import shutil
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

WINDOWS, UNICODE_BMP, ENGLISH = 3, 1, 0x409
INTER = Path("opentype/inter")
JETBRAINS_MONO = Path("truetype/jetbrains-mono")
NOTO_CJK = Path("opentype/noto")
WEIGHTS = ("Regular", "Medium", "SemiBold", "Bold")


def gb2312() -> list[int]:
    """Return the code points of GB 2312: both levels of hanzi and its punctuation, and ASCII and Latin-1."""
    points = [*range(0x20, 0x7F), *range(0xA0, 0x100), 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026]
    for row in range(0xA1, 0xF8):
        for cell in range(0xA1, 0xFF):
            text = bytes((row, cell)).decode("gb2312", errors="ignore")
            points += [ord(char) for char in text]
    return sorted(set(points))


def rename(font: TTFont, family: str, style: str) -> None:
    """Give `font` a family that holds all weights, and the four-style family that old Windows reads."""
    names = font["name"]
    plain = style in {"Regular", "Bold"}
    for number in (1, 2, 3, 4, 6, 16, 17, 21, 22):
        names.removeNames(nameID=number)
    compact = family.replace(" ", "")
    texts = {
        1: family if plain else f"{family} {style}",
        2: style if plain else "Regular",
        3: f"{compact}-{style};tidegauge",
        4: f"{family} {style}",
        6: f"{compact}-{style}",
    }
    if not plain:
        texts |= {16: family, 17: style}
    for number, text in texts.items():
        names.setName(text, number, WINDOWS, UNICODE_BMP, ENGLISH)
    if "CFF " in font:
        top = font["CFF "].cff
        top.fontNames = [texts[6]]
        top.topDictIndex[0].FullName = texts[4]
        top.topDictIndex[0].FamilyName = family


def without_ligatures(source: Path, target: Path, style: str) -> None:
    """Write JetBrains Mono without contextual alternates: what its makers call JetBrains Mono NL."""
    font = TTFont(source)
    options = Options()
    options.layout_features = ["aalt", "case", "ccmp", "frac", "locl", "ordn", "subs", "sups", "zero"]
    options.glyph_names = True
    options.name_IDs = ["*"]
    options.hinting = True
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=sorted(font.getBestCmap()))
    subsetter.subset(font)
    rename(font, "JetBrains Mono NL", style)
    font.save(target)


def simplified_chinese(source: Path, target: Path, style: str) -> None:
    """Write the SC face of a Noto CJK collection, cut down to GB 2312."""
    face = next(f for f in TTCollection(source).fonts if f["name"].getDebugName(1) == "Noto Sans CJK SC")
    options = Options()
    options.layout_features = ["kern", "ccmp", "locl"]
    options.hinting = False
    options.name_IDs = ["*"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=gb2312())
    subsetter.subset(face)
    rename(face, "Noto Sans SC", style)
    face.save(target)


def main() -> None:
    """Read the fonts below SHARE/fonts and write the chosen ones into TARGET."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("share", type=Path, help="the folder fonts/ of the unpacked packages")
    arguments.add_argument("target", type=Path, help="gui/fonts")
    chosen = arguments.parse_args()
    for weight in WEIGHTS:
        shutil.copy(chosen.share / INTER / f"Inter-{weight}.otf", chosen.target)
        shutil.copy(chosen.share / JETBRAINS_MONO / f"JetBrainsMono-{weight}.ttf", chosen.target)
    for weight in ("Regular", "SemiBold"):
        source = chosen.share / JETBRAINS_MONO / f"JetBrainsMono-{weight}.ttf"
        without_ligatures(source, chosen.target / f"JetBrainsMonoNL-{weight}.ttf", weight)
    for weight in ("Regular", "Bold"):
        source = chosen.share / NOTO_CJK / f"NotoSansCJK-{weight}.ttc"
        simplified_chinese(source, chosen.target / f"NotoSansSC-{weight}.otf", weight)


if __name__ == "__main__":
    main()
