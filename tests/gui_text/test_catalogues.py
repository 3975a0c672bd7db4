"""The catalogues are whole, compiled, and what the code says."""

import ast
import importlib.util
import re
import sys
from dataclasses import dataclass
from datetime import timedelta, timezone
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.xdist_group("catalogues")
"""One worker reads catalogues and code: it is most of the work."""

ROOT = Path(__file__).parent.parent.parent
CODE = ("core", "db", "gui", "importers", "spark")
MAKERS = {"message", "said", "tr"}
"""Functions whose first argument is an id (core/message.py, core/words.py, gui/text/spoken.py)."""


@cache
def tool() -> ModuleType:
    """The module of `make catalogues`."""
    spec = importlib.util.spec_from_file_location("catalogues_tool", ROOT / ".ci" / "catalogues.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def entries() -> dict[str, frozenset[str]]:
    """The places of each sentence, by id, of the English catalogues."""
    found: dict[str, frozenset[str]] = {}
    for path in sorted((tool().LOCALES / "en").glob("*.po")):
        for id_, entry in tool().sentences(tool().read(path)).items():
            found[id_] = tool().all_places(entry)
    return found


@dataclass(frozen=True, slots=True)
class Made:
    """Where a message is made. The tree is not kept: those of 900 modules are millions of objects."""

    where: str
    id: str
    """Empty where it is no literal."""
    values: frozenset[str] | None
    """Names of its values; None where they come as `**values`."""
    built: bool
    """Whether its id is put together at run time."""


def made_by(where: str, call: ast.Call) -> Made:
    first = call.args[0]
    id_ = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
    keywords = [keyword.arg for keyword in call.keywords if keyword.arg != "evidence"]
    named = frozenset(one for one in keywords if one is not None)
    built = isinstance(first, ast.JoinedStr | ast.BinOp)
    return Made(where, id_, None if None in keywords else named, built)


@cache
def code() -> tuple[tuple[Made, ...], frozenset[str]]:
    """Where messages are made, and every literal: one walk for all tests."""
    made: list[Made] = []
    literals: set[str] = set()
    for path in (path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py"))):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                if isinstance(node.func, ast.Name) and node.func.id in MAKERS and node.args:
                    made.append(made_by(f"{name}:{node.lineno}", node))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                literals.add(node.value)
    return tuple(made), frozenset(literals)


def made_by_literals() -> list[Made]:
    return [one for one in code()[0] if one.id]


def test_nothing_is_wrong_with_the_catalogues() -> None:
    assert tool().faults() == []


def test_an_id_that_stands_twice_in_a_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two options with one id the help of the first one said what the second one does."""
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "a.po").write_text(
        f'{head}\nmsgid "a.one"\nmsgstr "First"\n\nmsgid "a.one"\nmsgstr "Second"\n', encoding="utf-8"
    )
    monkeypatch.setattr(tool(), "LOCALES", tmp_path)

    assert tool().faults() == ["en/a.po: a.one stands there 2 times"]


def test_each_catalogue_is_compiled() -> None:
    for path in sorted(tool().LOCALES.glob("*/*.po")):
        assert path.with_suffix(".mo").read_bytes() == tool().compiled(path), f"{path.name}: make catalogues"
    stray = {path.with_suffix(".po") for path in tool().LOCALES.glob("*/*.mo")}
    assert stray == set(tool().LOCALES.glob("*/*.po"))


def test_what_is_compiled_is_the_same_at_every_time_and_place(monkeypatch: pytest.MonkeyPatch) -> None:
    path = tool().LOCALES / "en" / "values.po"
    here = tool().compiled(path)
    monkeypatch.setattr("babel.messages.catalog.LOCALTZ", timezone(timedelta(hours=13)))

    assert tool().compiled(path) == here


@pytest.mark.slow
def test_every_id_that_is_made_is_in_the_catalogue() -> None:
    assert [f"{one.where} {one.id}" for one in made_by_literals() if one.id not in entries()] == []


def test_every_message_has_the_values_of_its_sentence() -> None:
    wrong = [
        f"{one.where} {one.id}: {sorted(one.values)}, the sentence has {sorted(entries()[one.id])}"
        for one in made_by_literals()
        if one.values is not None and one.id in entries() and not entries()[one.id] <= one.values
    ]

    assert wrong == []


def test_every_sentence_is_used() -> None:
    used = code()[1]
    assert sorted(id_ for id_ in entries() if id_ not in used) == []


def test_no_id_is_built_at_run_time() -> None:
    assert [one.where for one in code()[0] if one.built] == []


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ('msgid "a.b"\nmsgstr "no comment on {x}"\n', "does not say what x is"),
        ('msgid "Sentence"\nmsgstr "text"\n', "is no id"),
    ],
)
def test_a_fault_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sentence: str, fault: str) -> None:
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "a.po").write_text(head + sentence, encoding="utf-8")
    monkeypatch.setattr(tool(), "LOCALES", tmp_path)

    assert re.search(fault, "\n".join(tool().faults()))


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ('msgid "a.b"\nmsgstr "texte {y}"\n', "no value y"),
        ('msgid "a.b"\nmsgstr ""\n', "no text"),
        ('msgid "a.c"\nmsgstr "texte"\n', "a.c is not in en"),
        ("", "a.b is missing"),
    ],
)
def test_a_fault_of_a_translation_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sentence: str, fault: str
) -> None:
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    english = '#. x: a number\nmsgid "a.b"\nmsgstr "text {x}"\n'
    for language, text in (("en", english), ("fr", sentence)):
        (tmp_path / language).mkdir()
        (tmp_path / language / "a.po").write_text(head + text, encoding="utf-8")
    monkeypatch.setattr(tool(), "LOCALES", tmp_path)

    assert re.search(fault, "\n".join(tool().faults()))
