"""The languages of the window: what is chosen is spoken, and the font has it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from PySide6.QtGui import QRawFont

from core import words
from core.message import message
from gui.i18n import use_language, wanted
from gui.text.spoken import language, tr

ROOT = Path(__file__).parent.parent.parent
NAMES = (
    r"\{[^}]*\}|Kafka|KRaft|KIP|KAFKA-\d+|[Bb]roker|Tidegauge|ELR|JAVA_HOME|state-change\.log"
    r"|\b(byte|ms|min|[KMG]iB)\b"
)
TERMS = r"\b(ISR|LEO|LSO|HW|all)\b|zh-Hans|[a-z.]+=(all|false|\d)"
"""Kafka's own terms and settings with their values, and the code of a page's language."""
SIGNS = re.compile(r"[A-Za-z]{2}")


def chinese_sentences() -> Iterator[str]:
    for path in sorted((ROOT / "gui" / "locales" / "zh").glob("*.po")):
        with path.open("rb") as file:
            for entry in read_po(file):
                if entry.id and entry.string:
                    yield from (entry.string,) if isinstance(entry.string, str) else entry.string


@pytest.fixture
def chinese() -> Iterator[None]:
    use_language("zh")
    yield
    use_language("en")


def test_a_translation_is_chinese() -> None:
    # What has no Chinese in it is a name, a sign, or a place for a value.
    rest = [re.sub(f"{NAMES}|{TERMS}", "", zh) for zh in chinese_sentences()]

    assert [zh for zh in rest if SIGNS.search(zh) and not re.search(r"[\u4e00-\u9fff]", zh)] == []


@pytest.mark.usefixtures("qapp", "chinese")
def test_a_text_is_said_in_the_chosen_language() -> None:
    assert language() == "zh"
    assert tr("actions.undo") == "撤销"
    assert words.text(message("value.names.none")) == "无"

    use_language("en")

    assert (language(), tr("actions.undo")) == ("en", "Undo")


def test_a_choice_that_is_no_language_is_english() -> None:
    assert [wanted(choice) for choice in ("zh", "en", "klingon")] == ["zh", "en", "en"]


def chinese_texts() -> Iterator[str]:
    yield from chinese_sentences()
    for folder, pattern in (("core", "*.py"), ("core/lessons", "*.toml")):
        for path in (ROOT / folder).rglob(pattern):
            yield path.read_text(encoding="utf-8")


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("weight", ["Regular", "Bold"])
def test_the_font_that_is_shipped_has_every_character(weight: str) -> None:
    font = QRawFont(str(ROOT / "gui" / "fonts" / f"NotoSansSC-{weight}.otf"), 12)
    used = {sign for text in chinese_texts() for sign in text if ord(sign) > 0x2E7F}

    assert len(used) > 500
    assert sorted(sign for sign in used if not font.supportsCharacter(ord(sign))) == []
