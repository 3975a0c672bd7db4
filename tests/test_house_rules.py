"""Rules that no tool knows. They read the files that git tracks: what lies about unfinished is no concern."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPen

pytestmark = pytest.mark.xdist_group("house rules")
"""One worker reads all files: it is most of the work."""

ROOT = Path(__file__).parent.parent
PACKAGES = ("core", "db", "gui", "importers", "spark")
LONGEST_FUNCTION = 70
LONGEST_MODULE = 500
LONGEST_MAIN_WINDOW = 400

# Kept as they were found: they are evidence, or another's text.
EVIDENCE = ("importers/samples/", "tests/recordings/", "LICENSE", "gui/fonts/")

# Each with a letter in brackets, so that this file does not break its own rule.
LEFTOVERS = re.compile(r"\b(T[O]DO|F[I]XME|X[X]X|N[o]tImplementedError)\b")
MACHINE_PATHS = re.compile(r"(?<![\w.~/-])/(w[o]rk|r[o]ot|h[o]me/\w+|U[s]ers/\w+|t[m]p/w)(/|\b(?![\w-]))")
INDEX_HOSTS = re.compile(
    r"p[y]pi\.org|p[y]thonhosted|i[n]dex[-_]url|n[p]mjs\.(org|com)|p[k]g\.dev|a[r]tifactory"
)
LAYOUT_ITEMS = re.compile(r"\w\.i[t]emAt\(")
CHINESE = re.compile("[\u3400-\u9fff]")


@cache
def tracked_files() -> tuple[Path, ...]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    return tuple(path for path in files if path.is_file())


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def our_texts() -> tuple[tuple[str, list[str]], ...]:
    contents = (
        (place(path), path.read_bytes()) for path in tracked_files() if not place(path).startswith(EVIDENCE)
    )
    return tuple(
        (name, content.decode("utf-8").splitlines()) for name, content in contents if b"\0" not in content
    )


def lines_that_match(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()}"
        for name, lines in our_texts()
        for number, line in enumerate(lines, start=1)
        if pattern.search(line)
    ]


@dataclass(frozen=True, slots=True)
class Module:
    """What the rules ask of a module. Its tree is not kept: 700 of them are a million objects."""

    name: str
    length: int
    functions: tuple[tuple[str, int, int], ...]
    """(name, first line, lines)"""
    relative_imports: tuple[int, ...]
    """Lines."""


@cache
def our_modules() -> tuple[Module, ...]:
    return tuple(module(name, lines) for name, lines in our_texts() if name.endswith(".py"))


def module(name: str, lines: list[str]) -> Module:
    functions: list[tuple[str, int, int]] = []
    relative: list[int] = []
    for node in statements(ast.parse("\n".join(lines)).body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            functions.append((node.name, node.lineno, node.end_lineno - node.lineno + 1))
        elif isinstance(node, ast.ImportFrom) and node.level > 0:
            relative.append(node.lineno)
    return Module(name, len(lines), tuple(functions), tuple(relative))


def statements(block: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Those of a block and of the blocks in it. Expressions, nine of ten nodes, hold none."""
    for one in block:
        yield one
        for field in ("body", "orelse", "handlers", "finalbody", "cases"):
            inner = getattr(one, field, None)
            if isinstance(inner, list):
                yield from statements(inner)


def test_the_rules_see_the_files() -> None:
    assert {one.name.split("/")[0] for one in our_modules()} >= {*PACKAGES, "tests"}


def test_every_folder_with_code_says_what_belongs_there() -> None:
    folders = {
        path.parent
        for path in tracked_files()
        if path.suffix == ".py" and place(path).split("/")[0] in PACKAGES
    }

    # The revisions of a migration are a list, told in the README of the folder above them.
    silent = {
        place(folder)
        for folder in folders
        if folder.name != "versions" and not (folder / "README.md").is_file()
    }
    assert silent == set()


def test_no_function_is_longer_than_a_page() -> None:
    long = [
        f"{one.name}:{line} {name} has {length} lines"
        for one in our_modules()
        for name, line, length in one.functions
        if length > LONGEST_FUNCTION
    ]

    assert long == []


def test_no_module_is_too_long_to_know() -> None:
    long = {
        one.name: one.length
        for one in our_modules()
        if one.name.split("/")[0] in PACKAGES and one.length > LONGEST_MODULE
    }

    assert long == {}


def test_the_main_window_does_not_become_the_program() -> None:
    windows = {one.name: one.length for one in our_modules() if one.name.endswith("/main_window.py")}

    assert len(windows) == 1
    assert all(length < LONGEST_MAIN_WINDOW for length in windows.values()), windows


def test_no_package_under_tests_shadows_ours() -> None:
    assert [place(path) for path in (ROOT / "tests").rglob("__init__.py")] == []


def test_nothing_is_left_for_later() -> None:
    assert lines_that_match(LEFTOVERS) == []


def test_no_path_of_one_machine_is_written_down() -> None:
    assert lines_that_match(MACHINE_PATHS) == []


def test_no_translation_stands_in_code() -> None:
    found = [one for one in lines_that_match(CHINESE) if one.split("/")[0] in PACKAGES and ".py:" in one]

    assert found == [], "sentences stand in gui/locales"


def test_no_layout_is_asked_for_its_items() -> None:
    """Python keeps them after Qt has deleted them: the next object at such an address ends the program."""
    assert lines_that_match(LAYOUT_ITEMS) == [], "ask which widgets it has: `layout.indexOf(widget)`"


def test_where_packages_come_from_is_the_machines_matter() -> None:
    assert lines_that_match(INDEX_HOSTS) == []


def test_constraints_are_versions_and_nothing_else() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if not re.fullmatch(r"#.*|[A-Za-z0-9_.-]+==[0-9][0-9a-z.]*", line)] == []


def test_every_import_is_absolute() -> None:
    relative = [f"{one.name}:{line}" for one in our_modules() for line in one.relative_imports]

    assert relative == []


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    explained = (ROOT / "docs" / "adr" / "0003-dependencies.md").read_text(encoding="utf-8").lower()

    names = [re.split(r"[\[<>=~ ]", requirement)[0] for requirement in wanted]
    assert [name for name in names if f"| {name.lower()} |" not in explained] == []


def test_no_other_distribution_claims_our_names() -> None:
    owners = packages_distributions()

    strangers = {name: set(owners.get(name, ())) - {"tidegauge"} for name in PACKAGES}
    assert not any(strangers.values()), strangers


def paint(times: int) -> None:
    image = QImage(64, 64, QImage.Format.Format_ARGB32_Premultiplied)
    for _ in range(times):
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)
        painter.setPen(QPen(QColor("black")))
        painter.fillRect(QRectF(0, 0, 10, 10), QColor("white"))
        painter.drawLine(0, 0, 5, 5)
        painter.drawText(3, 3, "42")
        painter.end()


@pytest.mark.usefixtures("qapp")
def test_painting_leaves_the_reference_counts_of_none_and_true_alone() -> None:
    """PySide6 6.12.0 on Python 3.11 loses six references to None a round until the process dies."""
    paint(10)
    before = [sys.getrefcount(constant) for constant in (None, True, False)]
    paint(100)
    after = [sys.getrefcount(constant) for constant in (None, True, False)]

    drift = [now - then for now, then in zip(after, before, strict=True)]
    assert all(abs(count) < 50 for count in drift), drift


@pytest.mark.parametrize("arguments", [[], ["--help"]], ids=["import", "help"])
def test_the_command_line_starts_without_the_heavy_libraries(arguments: list[str]) -> None:
    heavy = ("PySide6", "alembic", "numba", "pandas", "pyarrow", "pyqtgraph", "pyspark", "sqlalchemy")
    program = f"""
import contextlib, io, sys
import gui.cli
if {arguments!r}:
    sys.argv = ["tidegauge", *{arguments!r}]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        gui.cli.main()
print([name for name in {heavy!r} if name in sys.modules])
"""

    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (run.stdout.strip(), run.stderr) == ("[]", "")
