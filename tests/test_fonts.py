import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QRawFont

FONTS = Path(__file__).parent.parent / "gui" / "fonts"
FAMILIES = {
    "Inter": [400, 500, 600, 700],
    "JetBrains Mono": [400, 500, 600, 700],
    "JetBrains Mono NL": [400, 600],
    "Noto Sans SC": [400, 700],
}
FILES = sorted(path for path in FONTS.iterdir() if path.suffix in {".otf", ".ttf"})


LIST_FAMILIES = """
import json, sys
from PySide6.QtGui import QFontDatabase, QGuiApplication
app = QGuiApplication([])
for path in sys.argv[1:]:
    QFontDatabase.addApplicationFont(path)
weights = {
    family: sorted(QFontDatabase.weight(family, style) for style in QFontDatabase.styles(family))
    for family in QFontDatabase.families()
}
print(json.dumps(weights))
"""


def test_the_files_give_the_families_and_weights_that_the_theme_asks_for(tmp_path: Path) -> None:
    """Seen by a process that knows no font of this machine: a fontconfig without folders."""
    no_fonts = tmp_path / "fonts.conf"
    no_fonts.write_text("<fontconfig><cachedir>cache</cachedir></fontconfig>", encoding="utf-8")

    answer = subprocess.run(
        [sys.executable, "-c", LIST_FAMILIES, *map(str, FILES)],
        env=os.environ | {"FONTCONFIG_FILE": str(no_fonts)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    found = json.loads(answer.stdout)
    assert {family: found.get(family) for family in FAMILIES} == FAMILIES


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_font_has_the_signs_that_our_texts_use(path: Path) -> None:
    font = QRawFont(str(path), 12)
    signs = "Offset 0123456789 – — … × · é ü ¹ '\u2019"
    if path.stem.startswith("NotoSansSC"):
        signs += "高水位截断领导者纪元副本同步丢失，。：（）《》"

    assert [sign for sign in signs if not font.supportsCharacter(ord(sign))] == []


@pytest.mark.usefixtures("qapp")
def test_only_the_font_for_log_lines_has_no_contextual_alternates() -> None:
    """They are what draws the two characters of != as one sign; the layout table names them calt."""
    has_alternates = {
        path.name: b"calt" in QRawFont(str(path), 12).fontTable("GSUB").data()
        for path in FONTS.glob("JetBrainsMono*.ttf")
    }

    assert has_alternates == {name: "NL" not in name for name in has_alternates}
    assert len(has_alternates) == 6


def test_each_family_has_its_licence_beside_it_and_all_stay_below_ten_megabytes() -> None:
    makers = {path.stem.split("-")[0].removesuffix("NL") for path in FILES}
    licences = {path.name.removesuffix("-OFL.txt") for path in FONTS.glob("*-OFL.txt")}

    assert licences == makers
    assert sum(path.stat().st_size for path in FONTS.iterdir()) < 10_000_000
