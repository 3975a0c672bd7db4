"""No sentence reaches a person past the catalogues: what widgets, the terminal, errors and help are given.

Asked is the syntax tree: a literal that is handed to one of the calls below, in either branch, in a list, or
put together. A text to a widget may have no word of its own at all; elsewhere two words in a row are a
sentence.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from core import errors

ROOT = Path(__file__).parent.parent
CODE = ("core", "db", "gui", "importers", "spark")
WITHOUT_WIDGETS = ("gui/commands/", "gui/cli.py")
WIDGETS = frozenset(
    (
        "Elided",
        "EntryList",
        "Explanation",
        "PanelHead",
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
        "Tick",
        "addAction",
        "addButton",
        "addItem",
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
"""Calls that put a text before a person, in the window."""
STYLED = frozenset(("Elided", "label"))
"""Of those, calls whose second argument is a style."""
TERMINAL = frozenset(
    (
        *("echo", "fail", "print", "secho", "style", "write_heading", "write_text"),
        *("print_facts", "print_line", "print_table", "print_text"),
    )
)
"""Calls that put a text before a person, in the terminal, and how click refuses a value."""
ERRORS = frozenset(
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)
) | {"BadParameter", "ClickException", "UsageError", "because"}
"""What a person reads as an error. Others, as ValueError, are for those who write code."""
HELP = frozenset(("epilog", "help", "short_help"))
"""Keywords of commands and options."""
SIGNS = re.compile(r"[A-Za-z]{2}")
SENTENCE = re.compile(r"[A-Za-z]+[,;:]? +[A-Za-z]{2,}|[A-Za-z]{2,}[,;:]? +[A-Za-z]+")
UNTRANSLATED = {"Description", "Esc", "Tidegauge", "Title"}
"""Names of keys, and of fields in a file."""


SPEAKING = re.compile(rf"\b(?:{'|'.join(sorted(WIDGETS | TERMINAL | ERRORS | HELP))})\b *[(=]")


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Every module that has one of those calls in its text, as a tree."""
    paths = [path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py"))]
    texts = ((path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in paths)
    return tuple((name, ast.parse(text)) for name, text in texts if SPEAKING.search(text))


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def literals(node: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """Literals in an argument that no other call is around, with the text that they say."""
    match node:
        case ast.Constant(value=str(text)):
            yield node, text
        case ast.JoinedStr(values=parts):
            said = [str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts]
            yield node, "".join(said)
        case ast.IfExp(body=body, orelse=other) | ast.BinOp(left=body, right=other):
            yield from literals(body)
            yield from literals(other)
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            for element in elements:
                yield from literals(element)
        case ast.Call(func=ast.Attribute(value=ast.Constant() as text, attr="format" | "join")):
            yield from literals(text)
        case _:
            pass


def is_of_its_own(text: str) -> bool:
    """Whether a text has words that are no names."""
    return text not in UNTRANSLATED and SIGNS.search(re.sub("UTC|Tidegauge|Kafka", "", text)) is not None


def past_the_catalogue(name: str, tree: ast.Module) -> Iterator[str]:
    in_window = name.startswith("gui/") and not name.startswith(WITHOUT_WIDGETS)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        to = called(node)
        given: list[ast.expr] = [keyword.value for keyword in node.keywords if keyword.arg in HELP]
        if to in WIDGETS or to in TERMINAL or to in ERRORS:
            given += node.args
        if to in ERRORS:
            given += [keyword.value for keyword in node.keywords]
        for argument in given:
            for literal, text in literals(argument):
                # What is short has a name in the window only; the look of a label is no text.
                look = to in STYLED and argument is not node.args[0]
                strict = in_window and to in WIDGETS and not look
                if SENTENCE.search(text) or (strict and is_of_its_own(text)):
                    yield f"{name}:{literal.lineno} {ast.unparse(literal)}"


@pytest.mark.slow
def test_no_literal_reaches_a_person() -> None:
    assert len(modules()) > 100

    assert [line for name, tree in modules() for line in past_the_catalogue(name, tree)] == []


@pytest.mark.parametrize(
    "code",
    [
        "a.setText('Bare')",
        "label(f'{n} files', 'strong')",
        "a.setToolTip('One' if n else tr('a.two'))",
        "a.setText('of ' + name)",
        "QPushButton('Go on')",
        "click.echo('all is well')",
        "print_line(f'{n} records lost')",
        "print_table(('lost records',), rows)",
        "PanelHead('Partitions')",
        "print(f'{n} records lost')",
        "click.echo('{} records lost'.format(n))",
        "raise SourceError('no such file')",
        "raise click.UsageError(f'{name} is wrong')",
        "raise DocumentError(message('error.document.none'), advice='look again')",
        "self.fail(f'not a number: {text}')",
        "option('--x', help='what it does')",
    ],
)
def test_a_literal_is_seen(code: str) -> None:
    assert len(list(past_the_catalogue("gui/window/a.py", ast.parse(code)))) == 1


@pytest.mark.parametrize(
    "code",
    [
        "a.setText(tr('a.good'))",
        "label(name, 'strong')",
        "Elided(name, 'secondary')",
        "print(tr('a.good'), end='')",
        "click.echo(f'{n}  {name}')",
        "raise SourceError(message('error.source.nothing'), where=at(path))",
        "raise ValueError('no such era')",
        "option('--x', help='command.option.x')",
    ],
)
def test_an_id_a_name_and_what_programmers_read_are_no_faults(code: str) -> None:
    assert list(past_the_catalogue("gui/window/a.py", ast.parse(code))) == []
