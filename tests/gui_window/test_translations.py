"""The window in Chinese: nothing is missing in the catalogue, and nothing is shown past it."""

import ast
import os
import re
import string
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from gui.text.spoken import language, tr
from PySide6.QtGui import QRawFont

from gui.i18n import use_language, wanted

ROOT = Path(__file__).parent.parent.parent
CATALOGUE = ROOT / "gui" / "translations" / "tidegauge_zh_CN.ts"
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
TABLES = {"ActionSpec": 1, "Choice": 1, "Page": 1}
"""Rows of tables with a text, and its place among the arguments."""
SIGNS = re.compile(r"[A-Za-z]{2}")
UNTRANSLATED = {"Description", "Esc", "Tidegauge", "Title"}
"""Names of keys, and of fields in a file."""


def messages() -> dict[str, str]:
    return {
        message.findtext("source", ""): message.findtext("translation", "")
        for message in ET.parse(CATALOGUE).iter("message")  # noqa: S314 - our own file
    }


@pytest.fixture
def chinese() -> Iterator[None]:
    use_language("zh")
    yield
    use_language("en")


def test_the_catalogue_has_every_text_in_chinese_and_is_what_the_tools_make() -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "translations.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.returncode, run.stderr) == (0, "")


def places(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


def test_a_translation_has_the_same_places_as_its_text() -> None:
    wrong = {text: zh for text, zh in messages().items() if places(text) != places(zh)}

    assert wrong == {}


def test_a_translation_is_chinese() -> None:
    # What has no Chinese in it is a name, a sign, or a place for a value.
    rest = [re.sub(r"\{[^}]*\}|Kafka|[Bb]roker|Tidegauge|ELR", "", zh) for zh in messages().values()]

    assert [zh for zh in rest if SIGNS.search(zh) and not re.search(r"[\u4e00-\u9fff]", zh)] == []


@pytest.mark.usefixtures("qapp", "chinese")
def test_a_text_is_said_in_the_chosen_language() -> None:
    assert language() == "zh"
    assert tr("Undo") == "撤销"

    use_language("en")

    assert (language(), tr("Undo")) == ("en", "Undo")


def test_a_choice_that_is_no_language_is_english() -> None:
    assert [wanted(choice) for choice in ("zh", "en", "klingon")] == ["zh", "en", "en"]


def chinese_texts() -> Iterator[str]:
    yield from messages().values()
    for folder, pattern in (("core", "*.py"), ("core/lessons", "*.toml"), ("gui/translations", "*.toml")):
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
        if name in SHOWN:
            # The second argument of `label` is its look, that of `addAction` a function.
            shown = node.args[:1] if name == "label" else node.args
        elif name in TABLES:
            shown = node.args[TABLES[name] : TABLES[name] + 1]
        else:
            continue
        for argument in shown:
            for literal in bare(argument):
                yield literal.lineno, ast.unparse(literal)


def test_no_text_goes_to_a_widget_past_the_catalogue() -> None:
    found = [f"{name}:{line} {text}" for name, tree in modules() for line, text in past_the_catalogue(tree)]

    assert found == []


def test_that_rule_sees_what_it_is_about() -> None:
    tree = ast.parse(
        'a.setText("Bare"); a.setText(tr("Good")); label(f"{n} files", "strong");'
        'a.setToolTip("One" if n else tr("Two"))'
    )

    assert [text for _, text in past_the_catalogue(tree)] == ["'Bare'", "f'{n} files'", "'One'"]


def test_every_argument_of_tr_can_be_found_by_lupdate() -> None:
    """A literal, or a value from a table of marked texts; never an f-string, a sum, or a choice inside."""
    wrong = [
        f"{name}:{node.lineno} {ast.unparse(node)}"
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and called(node) in ("tr", "mark")
        and name != "gui/i18n.py"
        and not isinstance(node.args[0], ast.Constant | ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    ]

    assert wrong == []


def test_a_catalogue_that_is_written_anew_does_not_end_a_program_that_speaks_from_it(tmp_path: Path) -> None:
    """Brought up to date, or installed anew, while a window is open."""
    program = """
import shutil, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from gui import i18n
kept, used = Path(sys.argv[1]), Path(sys.argv[2])
shutil.copy(kept, used)
i18n._FOLDER = used.parent
app = QCoreApplication([])
i18n.use_language("zh")
used.write_bytes(b"another")
print(i18n.tr("Cancel"))
i18n.use_language("en")
print(i18n.tr("Cancel"))
"""
    kept = CATALOGUE.with_suffix(".qm")
    told = subprocess.run(
        [sys.executable, "-c", program, kept, tmp_path / kept.name],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (told.returncode, told.stdout.split()) == (0, ["取消", "Cancel"]), told.stderr
