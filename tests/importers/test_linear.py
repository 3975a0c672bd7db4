"""Every pattern of the importers is linear in the length of the text: proved from the pattern itself."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import importers
from importers.kafka.grammar import RULES
from importers.kafka.rule import LineRule
from importers.lines.layout import find_layout
from importers.lines.stamps import FORMS
from importers.lines.transports import PREFIXES
from tests.importers.ambiguity import superlinear

pytestmark = pytest.mark.broad(4)

MATCHED_AT_ONE_PLACE: Final = {
    "_LOKI": "tried with match() by is_object_export",
    "_CLOUD": "tried with match() by is_object_export",
    "_ARRAY": "tried with match() by is_object_export",
    "_FROM": "tried with match() by is_object_export",
    "_JOURNALED": "tried with match() by is_object_export",
    "_OF_POD": "tried with match() by is_object_export",
    "_ANSWER": "tried with match() by is_object_export and object_rows",
    "_SPREAD": "tried with match() by is_object_export",
}
"""Patterns whose use the search below does not see."""


@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        (r"a*b", "fullmatch"),
        (r"(?:ab|a)*", "fullmatch"),
        (r"[^a]*a.*b", "fullmatch"),
        (r".*a.*", "fullmatch"),
        (r"a*+a*b", "fullmatch"),
        (r"(?>.*?a)[^b]*b", "fullmatch"),
        (r"(?:\.\w++)++", "match"),
        (r"(?<!\w)\w+:", "search"),
        (r"^a+b", "match"),
    ],
)
def test_patterns_that_are_linear_are_let_pass(pattern: str, use: str) -> None:
    assert superlinear(pattern, use=use) == ""


@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        (r"a*a*b", "fullmatch"),
        (r"(?:a*)*b", "fullmatch"),
        (r"(?:a|ab|b)*c", "fullmatch"),
        (r".*a.*b", "fullmatch"),
        (r".*a.*$", "match"),
        (r"\w+:", "search"),
        (r"^\s+b", "search"),
        (r"[^\s]*?(?P<topic>[\w.\-]+)-\d+\.x", "fullmatch"),
    ],
)
def test_patterns_that_are_not_linear_are_found(pattern: str, use: str) -> None:
    assert superlinear(pattern, re.MULTILINE, use=use)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_of_the_grammar_is_linear(rule: LineRule) -> None:
    assert superlinear(rule.pattern, use="fullmatch") == ""


def test_every_pattern_of_the_modules_is_linear() -> None:
    slow = {
        f"{module}.{name}": why
        for module, name, pattern, use in patterns_of_modules()
        if (why := superlinear(pattern.pattern, pattern.flags, use=use))
    }
    assert slow == {}


def patterns_of_modules() -> Iterator[tuple[str, str, re.Pattern[str] | re.Pattern[bytes], str]]:
    """Each compiled pattern that a module defines, with how its text uses it."""
    for info in pkgutil.walk_packages(importers.__path__, "importers."):
        module = importlib.import_module(info.name)
        text = Path(str(module.__file__)).read_text(encoding="utf-8")
        for name, value in vars(module).items():
            if not re.search(rf"^{name}\b[^\n=]* = ", text, re.MULTILINE):
                continue
            for one in value.values() if isinstance(value, dict) else (value,):
                if isinstance(one, re.Pattern):
                    yield info.name, name, one, use_of(name, text)


def use_of(name: str, text: str) -> str:
    uses = set(re.findall(rf"(?<!^)\b{name}\b(\.\w+)?", text, re.MULTILINE))
    if uses == {".fullmatch"}:
        return "fullmatch"
    return "match" if uses <= {".match", ".fullmatch"} or name in MATCHED_AT_ONE_PLACE else "search"


@pytest.mark.parametrize("name", PREFIXES)
def test_every_prefix_is_linear(name: str) -> None:
    assert superlinear(PREFIXES[name].encode(), use="match") == ""
    assert superlinear(f"^{PREFIXES[name]}".encode(), re.MULTILINE, use="search") == ""


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_stamp_is_linear(form: str) -> None:
    assert superlinear(FORMS[form].encode(), use="search") == ""


MESSAGE: Final = "[Log partition=t-0, dir=/d] Truncating to offset 5"
LAYOUTS: Final = {
    "level": "2026-11-21T03:29:10.161Z INFO {}",
    "in brackets": "[2026-11-21 03:29:10,161] INFO [main] {} (kafka.log.Log)",
    "thread and logger": "2026-11-21 03:29:10.161 [main] INFO kafka.log.Log - {}",
    "logger in brackets": "2026-11-21 03:29:10.161 INFO [kafka.log.Log] (main) {}",
    "Spring": "2026-11-21 03:29:10.161  INFO 1 --- [main] kafka.log.Log : {}",
    "docker": '{{"log":"[2026-11-21 03:29:10.161] INFO [main] {}\\n","time":"2026-11-21T03:29:10Z"}}',
    "MESSAGE": '{{"PRIORITY":"6","MESSAGE":"INFO [2026-11-21 03:29:10,161] {}"}}',
    "compose": "kafka-1  | [2026-11-21 03:29:10,161] INFO [main] - {}",
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_learnt_layout_is_linear(name: str) -> None:
    lines = "".join(LAYOUTS[name].format(MESSAGE) + "\n" for _ in range(5))
    layout = find_layout(lines.encode())
    assert layout is not None, name
    assert not layout.plain
    assert superlinear(layout.head.encode(), re.MULTILINE, use="search") == ""
    assert superlinear(layout.body.encode(), use="match") == ""
