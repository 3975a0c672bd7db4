"""Where a table or a number of a module is asked for: the tests of those lines judge a mutant of it."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tests.mutants.operators import Mutant

_DEPTH: Final = 4
"""How often a table may be built of another one."""


Lines = tuple[str, frozenset[int]]
"""A path, and lines of it."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where a rule is asked for: its own lines; and those that read what it made at import.

    The second are asked where the rule is a table or a number, or where no test runs the first.
    """

    own: tuple[Lines, ...]
    made: tuple[Lines, ...]


class Readers:
    """The statements of all modules by the names that stand in them, each module parsed once."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._uses: dict[str, list[tuple[str, frozenset[int], frozenset[str]]]] = {}
        for path, source in sources.items():
            for name, lines, made in _uses(ast.parse(source)):
                self._uses.setdefault(name, []).append((path, lines, made))
        self._imports = {path: _imported(ast.parse(source)) for path, source in sources.items()}

    def places(self, mutant: Mutant) -> Places:
        """Where a mutant is asked for."""
        if mutant.names:
            return Places((), self._readers(mutant.module, mutant.names))
        function = mutant.function.partition(".")[0]
        used = [more for path, _, more in self._uses.get(function, ()) if path == mutant.module]
        made = self._readers(mutant.module, frozenset().union(*used))
        return Places(((mutant.module, mutant.lines),), made)

    def _readers(self, module: str, first: frozenset[str]) -> tuple[Lines, ...]:
        """The lines that read some names of a module, or what is made of them at its level."""
        found: list[Lines] = []
        names, known = set(first), set[str]()
        for _ in range(_DEPTH):
            known |= names
            more: set[str] = set()
            for name in names:
                for path, lines, made in self._uses.get(name, ()):
                    if path == module or name in self._imports[path] or name not in first:
                        if made:
                            more |= made
                        else:
                            found.append((path, lines))
            names = more - known
        return tuple(found)


def _uses(tree: ast.Module) -> Iterable[tuple[str, frozenset[int], frozenset[str]]]:
    """(name, lines, names that are made of it), the last empty inside a function."""
    for statement in tree.body:
        yield from _of(statement, frozenset(_targets(statement)))


def _of(node: ast.stmt, made: frozenset[str]) -> Iterable[tuple[str, frozenset[int], frozenset[str]]]:
    if isinstance(node, ast.ClassDef):
        for inner in node.body:
            yield from _of(
                inner, frozenset() if isinstance(inner, ast.FunctionDef) else frozenset({node.name})
            )
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name | ast.Attribute):
                name = inner.id if isinstance(inner, ast.Name) else inner.attr
                yield (
                    name,
                    frozenset(range(inner.lineno, (inner.end_lineno or inner.lineno) + 1)),
                    frozenset(),
                )
        if node.body:
            first = node.body[-1]
            yield node.name, frozenset(range(node.body[0].lineno, (first.end_lineno or 0) + 1)), frozenset()
    else:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id not in made:
                yield inner.id, frozenset(), made


def _targets(node: ast.stmt) -> Iterable[str]:
    if isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def _imported(tree: ast.Module) -> frozenset[str]:
    return frozenset(
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    )
