"""Texts that errors, progress and reports are made with, found in the source of the program."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
FOLDERS: Final = ("core", "db", "importers", "spark", "gui")
"""What works for the window. The commands speak English alone."""
_LEFT_OUT: Final = ("gui/commands/", "gui/cli.py", "core/sim/logs/", "core/sim/search.py")
_ERRORS: Final[Mapping[str, tuple[int, ...]]] = {
    "BadBatchError": (0,),
    "CancelledError": (0,),
    "DamagedError": (0,),
    "DocumentError": (0,),
    "Facts": (0,),
    "QuestionError": (0,),
    "ScenarioError": (0,),
    "SourceError": (0,),
    "TidegaugeError": (0,),
    "fail": (1, 2),
    "step": (2,),
    "watched": (2,),
    "_each": (3,),
    "too_much": (1,),
}
"""Calls, and which of their arguments a person reads."""
_KEYWORDS: Final = ("why", "background", "advice")
_MAKERS: Final[Mapping[str, Mapping[str, str]]] = {
    "db/engine.py": {"_advice": ""},
    "importers/disk/checkpoints.py": {"_doubt": "x7 "},
    "importers/load.py": {"_fitting": ""},
    "importers/merge/report.py": {"_gaps_in": "", "_missing": "", "import_report": ""},
    "spark/session.py": {"_last_words": ""},
    "spark/store.py": {"_kept": ""},
}
"""Functions whose every text of several words is shown, and what stands before it then."""
PLACE: Final = "x7"
"""What stands where the program puts a value."""


@cache
def said_texts() -> tuple[tuple[str, str], ...]:
    """(file:line, text) of each, with PLACE for every value."""
    return tuple(_in_program())


def _in_program() -> Iterator[tuple[str, str]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(_LEFT_OUT):
                for line, text in _in_module(name, ast.parse(path.read_text(encoding="utf-8"))):
                    yield f"{name}:{line}", text


def _in_module(name: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        local = _assigned(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Call):
                for argument in _shown(node):
                    for text in _texts(argument, local):
                        yield node.lineno, text
        before = _MAKERS.get(name, {}).get(function.name)
        if before is not None:
            for node in _made(function):
                yield from ((node.lineno, before + text) for text in _texts(node, local) if " " in text)


def _made(function: ast.FunctionDef) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.JoinedStr):
            yield node
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Constant):
            yield node.value


def _shown(call: ast.Call) -> Iterator[ast.expr]:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if name not in _ERRORS:
        return
    yield from (call.args[place] for place in _ERRORS[name] if place < len(call.args))
    yield from (keyword.value for keyword in call.keywords if keyword.arg in _KEYWORDS)


def _assigned(function: ast.FunctionDef) -> Mapping[str, list[ast.expr]]:
    """What is assigned to each name in a function."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


def _texts(node: ast.expr, local: Mapping[str, list[ast.expr]]) -> Iterator[str]:
    """What an expression may be; nothing where it is a value that was made elsewhere."""
    match node:
        case ast.Constant(value=str(text)):
            yield from (text,) if text else ()
        case ast.JoinedStr(values=parts):
            choices = [
                [str(part.value)]
                if isinstance(part, ast.Constant)
                else _inner(part.value, local)
                if isinstance(part, ast.FormattedValue)
                else [""]
                for part in parts
            ]
            yield from ("".join(chosen) for chosen in product(*choices))
        case ast.IfExp(body=body, orelse=other):
            yield from _texts(body, local)
            yield from _texts(other, local)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            both = product(_inner(left, local), _inner(right, local))
            yield from (first + second for first, second in both)
        case ast.BoolOp(values=values):
            yield from _texts(values[-1], local)
        case ast.Name(id=name):
            for value in local.get(name, ()):
                yield from _texts(value, {})
        case _:
            pass


def _inner(node: ast.expr, local: Mapping[str, list[ast.expr]]) -> list[str]:
    return list(_texts(node, local)) or [PLACE]
