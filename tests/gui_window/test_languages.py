"""The languages of the window: what is chosen is spoken, and nothing is shown past the catalogues."""

import ast
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
WITHOUT_WIDGETS = ("gui/commands/", "gui/cli.py")
SHOWN = frozenset(
    (
        "QAction",
        "QCheckBox",
        "QDockWidget",
        "QGroupBox",
        "QLabel",
        "QListWidgetItem",
        "QPushButton",
        "QRadioButton",
        "QTableWidgetItem",
        "QToolButton",
        "addAction",
        "addMenu",
        "addRow",
        "addTab",
        "label",
        "panel_head",
        "setAccessibleDescription",
        "setAccessibleName",
        "setHeaderLabels",
        "setHorizontalHeaderLabels",
        "setPlaceholderText",
        "setStatusTip",
        "setText",
        "setTitle",
        "setToolTip",
        "setWhatsThis",
        "setWindowTitle",
        "showMessage",
        "tell",
    )
)
"""Calls that put a text before a person."""
NAMES = (
    r"\{[^}]*\}|Kafka|KRaft|KIP|[Bb]roker|Tidegauge|ELR|JAVA_HOME|state-change\.log|\b(byte|ms|min|[KMG]iB)\b"
)
TERMS = r"\b(ISR|LEO|HW|all)\b|zh-Hans"
"""Kafka's own terms, and the code of a page's language."""
SIGNS = re.compile(r"[A-Za-z]{2}")
UNTRANSLATED = {"Description", "Esc", "Tidegauge", "Title"}
"""Names of keys, and of fields in a file."""


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


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / "gui").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(WITHOUT_WIDGETS):
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def bare(node: ast.expr) -> Iterator[ast.expr]:
    """Literals in an argument that no `tr` is around, with those of lists and of either branch."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if SIGNS.search(node.value) and node.value not in UNTRANSLATED:
            yield node
    elif isinstance(node, ast.JoinedStr):
        said = " ".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        if SIGNS.search(said.replace("UTC", "").replace("Tidegauge", "").replace("Kafka", "")):
            yield node
    elif isinstance(node, ast.IfExp):
        yield from bare(node.body)
        yield from bare(node.orelse)
    elif isinstance(node, ast.List | ast.Tuple):
        for element in node.elts:
            yield from bare(element)
    elif isinstance(node, ast.BinOp):
        yield from bare(node.left)
        yield from bare(node.right)


def past_the_catalogue(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = called(node)
        if name not in SHOWN:
            continue
        # The second argument of `label` is its look, that of `addAction` a function.
        shown = node.args[:1] if name == "label" else node.args
        for argument in shown:
            for literal in bare(argument):
                yield literal.lineno, ast.unparse(literal)


def test_no_text_goes_to_a_widget_past_the_catalogue() -> None:
    found = [f"{name}:{line} {text}" for name, tree in modules() for line, text in past_the_catalogue(tree)]

    assert found == []


def test_that_rule_sees_what_it_is_about() -> None:
    tree = ast.parse(
        'a.setText("Bare"); a.setText(tr("a.good")); label(f"{n} files", "strong");'
        'a.setToolTip("One" if n else tr("a.two"))'
    )

    assert [text for _, text in past_the_catalogue(tree)] == ["'Bare'", "f'{n} files'", "'One'"]
