"""The recipe for a language: German by name, English sentences with a word before them otherwise."""

import re
import shutil

import pytest

from tests.recipes.follow import Copy, follow


def translated(text: str) -> str:
    """A catalogue as a translator leaves it."""
    head, sentences = text.split("\n\n", 1)
    head = head.replace("Language: en", "Language: de")
    sentences = re.sub(r"^#.*\n", "", sentences, flags=re.MULTILINE)
    sentences = re.sub(r'^(msgstr(?:\[\d\])? ")', r"\1auf Deutsch: ", sentences, flags=re.MULTILINE)
    return f"{head}\n\n{sentences}".replace("auf Deutsch: English", "Deutsch")


def translate(copy: Copy) -> None:
    """All files; in between a sentence is forgotten, which is named."""
    (copy.root / "gui/locales/de").mkdir()
    for path in sorted((copy.root / "gui/locales/en").glob("*.po")):
        copy.put(f"gui/locales/de/{path.name}", translated(path.read_text(encoding="utf-8")))
    values = "gui/locales/de/values.po"
    whole = (copy.root / values).read_text(encoding="utf-8")
    copy.put(values, whole.replace('msgid "value.between.unknown"\n', 'msgid "value.between.forgotten"\n'))
    told = copy.run("make goldens ONLY=catalogues")
    assert told.returncode == 1
    assert "de/values.po: value.between.unknown is missing" in told.stdout
    assert "de/values.po: value.between.forgotten is not in en" in told.stdout
    assert not list((copy.root / "gui/locales/de").glob("*.mo"))
    copy.put(values, whole)


def translate_lessons(copy: Copy) -> None:
    shutil.copytree(copy.root / "core/lessons/zh", copy.root / "core/lessons/de")
    for path in (copy.root / "core/lessons/de").rglob("*.toml"):
        text = re.sub(r'^((?:title|".*") = ")', r"\1auf Deutsch: ", path.read_text(), flags=re.MULTILINE)
        path.write_text(text, encoding="utf-8")


@pytest.mark.long
@pytest.mark.slow
def test_a_language(copy: Copy) -> None:
    follow(
        copy,
        "Add a language",
        {1: translate, 2: translate_lessons},
        words={"code": "de"},
        left_out=3,
        reds={"test_each_catalogue_is_compiled"},
    )
    assert "Deutsch" in (copy.root / "gui/locales/de/values.mo").read_text(encoding="utf-8", errors="replace")
