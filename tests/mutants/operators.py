"""What can be broken in a module: each mutant is one small change of its syntax tree, never of its file."""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

Change = tuple[str, ast.AST]
"""The name of an operator, and the node that stands where the old one stood."""

_ORDER: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
"""The first is the bound moved by one, the second the condition turned round."""
_CALLS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_METHODS: Final = {"minimum": "maximum", "maximum": "minimum", "before": "since", "since": "before"}
_SIDES: Final = {"left": "right", "right": "left"}
_GATES: Final = ("before", "since")
"""Functions that compare a release with (major, minor): core/history/view.py."""
_BUILT_IN: Final = frozenset(
    {
        *("bool", "bytes", "dict", "enumerate", "float", "frozenset", "int", "isinstance", "iter", "len"),
        *("list", "next", "print", "range", "repr", "reversed", "set", "sorted", "str", "sum", "super"),
        *("tuple", "type", "zip"),
    }
)
_SILENT: Final = frozenset({"strict", "default_factory", "maxsize", "slots", "frozen", "kw_only", "repr"})
"""Keywords whose values are no rule: `strict` of zip holds by construction."""
_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_SHORT: Final = (ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign)
_LARGE: Final = 1000


@dataclass(frozen=True, slots=True)
class Mutant:
    """One broken rule. `before` and `after` are code, as short as shows the change.

    `lines` are those that run when the rule is asked; `names` is what a table or number of the module is
    called, where the rule stands outside of functions. `path` is the way to the node from the module's tree.
    `nth` counts equal changes of one function.
    """

    module: str
    function: str
    operator: str
    before: str
    after: str
    nth: int
    line: int
    lines: frozenset[int]
    names: frozenset[str]
    path: tuple[tuple[str, int | None], ...]
    which: int

    @property
    def package(self) -> str:
        """The package of the module: a folder of core, or one beside core."""
        parts = self.module.split("/")
        return "/".join(parts[:2]) if parts[0] == "core" else parts[0]

    @property
    def key(self) -> str:
        """What stays the same while other code of the module changes."""
        return "|".join((self.module, self.function, self.before, self.after, str(self.nth)))


def mutants_of(module: str, source: str) -> list[Mutant]:
    """All of one module, in the order of its lines. `module` is its path from the root."""
    walk = _Walk(module, ast.parse(source))
    walk.visit(walk.tree, (), _Place())
    return walk.found


def broken(source: str, mutant: Mutant) -> ast.Module:
    """The tree of a module with one rule broken; lines stay where they were.

    Raises LookupError where the source has no such place: it is not that of the mutant.
    """
    tree = ast.parse(source)
    parents = _nodes(tree, mutant.path)
    changes = list(_changes(parents[-1], parents))
    if mutant.which >= len(changes):
        raise LookupError(mutant.key)
    _put(parents[-2], mutant.path[-1], changes[mutant.which][1])
    return ast.fix_missing_locations(tree)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a walk is: the name of the function, the statement, and what its value is called."""

    function: str = ""
    inside: bool = False
    lines: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()


class _Walk:
    def __init__(self, module: str, tree: ast.Module) -> None:
        self.module = module
        self.tree = tree
        self.found: list[Mutant] = []
        self.seen: Counter[tuple[str, str, str]] = Counter()

    def visit(self, node: ast.AST, path: tuple[tuple[str, int | None], ...], place: _Place) -> None:
        place = _place(node, place)
        if path and (place.inside or place.names):
            self._mutate(node, path, place)
        for name, value in ast.iter_fields(node):
            if _no_rule(node, name):
                continue
            if isinstance(value, list):
                for number, one in enumerate(value):
                    if isinstance(one, ast.AST):
                        self.visit(one, (*path, (name, number)), _inner(node, name, place))
            elif isinstance(value, ast.AST):
                self.visit(value, (*path, (name, None)), _inner(node, name, place))

    def _mutate(self, node: ast.AST, path: tuple[tuple[str, int | None], ...], place: _Place) -> None:
        parents = _nodes(self.tree, path)
        for which, (operator, new) in enumerate(_changes(node, parents)):
            before, after = _shown(parents, path, new)
            if before == after:
                continue
            self.seen[place.function, before, after] += 1
            self.found.append(
                Mutant(
                    self.module,
                    place.function or "(module)",
                    operator,
                    before,
                    after,
                    self.seen[place.function, before, after],
                    getattr(node, "lineno", 0),
                    place.lines,
                    frozenset() if place.inside else place.names,
                    path,
                    which,
                )
            )


def _place(node: ast.AST, place: _Place) -> _Place:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        name = f"{place.function}.{node.name}" if place.function else node.name
        inside = place.inside or not isinstance(node, ast.ClassDef)
        return _Place(name, inside, _span(node, node), frozenset({node.name}))
    if isinstance(node, ast.stmt):
        names = place.names
        if not place.inside and isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        end = {"If": "test", "While": "test", "For": "iter", "With": "items"}.get(type(node).__name__)
        last = getattr(node, end) if end else node
        last = last[-1].context_expr if isinstance(last, list) else last
        return _Place(place.function, place.inside, _span(node, last), names)
    return place


def _inner(node: ast.AST, field: str, place: _Place) -> _Place:
    """Defaults of arguments are made when the module is: what asks for them is the function."""
    if isinstance(node, ast.FunctionDef) and field == "args":
        return _Place(place.function, place.inside, place.lines, place.names)
    return place


def _span(first: ast.AST, last: ast.AST) -> frozenset[int]:
    end = getattr(last, "end_lineno", None) or getattr(last, "lineno", 0)
    return frozenset(range(getattr(first, "lineno", 0), end + 1))


def _no_rule(node: ast.AST, field: str) -> bool:
    """Types, decorators and texts are held by other tools than tests."""
    if field in {"annotation", "returns", "decorator_list", "bases", "type_params"}:
        return True
    if isinstance(node, ast.keyword) and node.arg in _SILENT:
        return True
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return True
    return isinstance(node, ast.Assign) and any(
        isinstance(one, ast.Name) and one.id == "__all__" for one in node.targets
    )


def _nodes(tree: ast.AST, path: tuple[tuple[str, int | None], ...]) -> list[ast.AST]:
    found = [tree]
    for name, number in path:
        value = getattr(found[-1], name)
        found.append(value if number is None else value[number])
    return found


def _put(parent: ast.AST, step: tuple[str, int | None], new: ast.AST) -> None:
    name, number = step
    if number is None:
        setattr(parent, name, new)
    else:
        getattr(parent, name)[number] = new


def _shown(parents: list[ast.AST], path: tuple[tuple[str, int | None], ...], new: ast.AST) -> tuple[str, str]:
    """A change as code: as much around it as tells a number or an end of a slice from others."""
    top = len(parents) - 1
    while top > 1 and isinstance(
        parents[top], ast.Constant | ast.Slice | ast.UnaryOp | ast.Tuple | ast.keyword
    ):
        if isinstance(parents[top - 1], ast.stmt) and not isinstance(parents[top - 1], _SHORT):
            break
        top -= 1
    node = parents[top]
    if isinstance(node, ast.If):
        return f"if {_text(node.test)}:", f"if {_text(getattr(new, 'test', new))}:"
    before = parents[top]
    after = copy.deepcopy(before)
    if top == len(parents) - 1:
        after = new
    else:
        steps = path[top:]
        inner = _nodes(after, steps)
        _put(inner[-2], steps[-1], new)
    texts = (_text(before), _text(ast.fix_missing_locations(after)))
    return texts if max(map(len, texts)) < 200 else _around(*texts)


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _around(before: str, after: str) -> tuple[str, str]:
    """The part of two long texts in which they differ, with sixty characters on both sides."""
    first = next((n for n, pair in enumerate(zip(before, after, strict=False)) if len(set(pair)) > 1), 0)
    back = 0
    while back < min(len(before), len(after)) - first and before[-1 - back] == after[-1 - back]:
        back += 1
    start = max(0, first - 60)
    return tuple(f"…{text[start : len(text) - back + 60]}…" for text in (before, after))  # type: ignore[return-value]


def _changes(node: ast.AST, parents: list[ast.AST]) -> Iterator[Change]:
    for kind, make in _MAKERS:
        if isinstance(node, kind):
            yield from make(node, parents)


def _compare(node: ast.Compare, parents: list[ast.AST]) -> Iterator[Change]:
    for number, old in enumerate(node.ops):
        others = _ORDER[type(old)]
        for new in others:
            made = copy.deepcopy(node)
            made.ops[number] = new()
            yield "turned" if new is others[-1] else "bound", made


def _both(node: ast.BoolOp, parents: list[ast.AST]) -> Iterator[Change]:
    other = copy.deepcopy(node)
    other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield "and-or", other
    for number in range(len(node.values)):
        left = [copy.deepcopy(one) for place, one in enumerate(node.values) if place != number]
        yield "dropped", left[0] if len(left) == 1 else ast.BoolOp(node.op, left)


def _unary(node: ast.UnaryOp, parents: list[ast.AST]) -> Iterator[Change]:
    if isinstance(node.op, ast.Not | ast.Invert):
        yield "not", copy.deepcopy(node.operand)


def _binary(node: ast.BinOp, parents: list[ast.AST]) -> Iterator[Change]:
    number = any(
        isinstance(one, ast.Constant) and isinstance(one.value, int) for one in (node.left, node.right)
    )
    swaps: dict[type[ast.operator], type[ast.operator]] = {
        ast.Sub: ast.Add,
        ast.BitAnd: ast.BitOr,
        ast.BitOr: ast.BitAnd,
    }
    if number:
        swaps[ast.Add] = ast.Sub
    new = swaps.get(type(node.op))
    if new is not None:
        made = copy.deepcopy(node)
        made.op = new()
        yield "sign" if new in (ast.Add, ast.Sub) else "and-or", made


def _added(node: ast.AugAssign, parents: list[ast.AST]) -> Iterator[Change]:
    swaps: dict[type[ast.operator], type[ast.operator]] = {
        ast.Add: ast.Sub,
        ast.Sub: ast.Add,
        ast.BitAnd: ast.BitOr,
        ast.BitOr: ast.BitAnd,
    }
    if type(node.op) in swaps:
        made = copy.deepcopy(node)
        made.op = swaps[type(node.op)]()
        yield "sign", made


def _number(node: ast.Constant, parents: list[ast.AST]) -> Iterator[Change]:
    parent = parents[-2]
    if isinstance(node.value, bool):
        yield "truth", ast.Constant(not node.value)
    elif isinstance(node.value, int) and not _in_gate(parent, node):
        negative = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)
        yield "by-one", ast.Constant(node.value + 1)
        if node.value >= _LARGE:
            yield "doubled", ast.Constant(node.value * 2)
        elif isinstance(parent, ast.Slice) and node.value and not negative:
            yield "slice", ast.Constant(node.value - 1)
    elif isinstance(node.value, str) and node.value in _SIDES:
        yield "side", ast.Constant(_SIDES[node.value])


def _in_gate(parent: ast.AST, node: ast.Constant) -> bool:
    return (
        isinstance(parent, ast.Call)
        and isinstance(parent.func, ast.Attribute)
        and parent.func.attr in _GATES
        and node in parent.args[1:]
    )


def _slice(node: ast.Slice, parents: list[ast.AST]) -> Iterator[Change]:
    for end in ("lower", "upper"):
        if getattr(node, end) is not None:
            made = copy.deepcopy(node)
            setattr(made, end, None)
            yield "slice", made


def _call(node: ast.Call, parents: list[ast.AST]) -> Iterator[Change]:
    made = copy.deepcopy(node)
    if isinstance(made.func, ast.Name) and made.func.id in _CALLS:
        made.func.id = _CALLS[made.func.id]
        yield "min-max", made
    elif isinstance(made.func, ast.Attribute) and made.func.attr in _METHODS:
        numbers = [one.value for one in made.args[1:] if isinstance(one, ast.Constant)]
        if made.func.attr in _GATES and len(numbers) >= 2:
            major, minor = numbers[0], numbers[1]
            last = {0: 11, 1: 1, 2: 8, 3: 9}.get(int(str(major)), 0)
            later = (
                (int(str(major)) + 1, 0) if minor == last or major else (int(str(major)), int(str(minor)) + 1)
            )
            for number, value in enumerate(later, start=1):
                made.args[number] = ast.Constant(value)
            yield "era", made
        elif made.func.attr not in _GATES:
            made.func.attr = _METHODS[made.func.attr]
            yield "min-max", made
    elif isinstance(made.func, ast.Name) and len(made.args) == 1 and not made.keywords:
        plain = made.func.id.lstrip("_")[:1].islower() and made.func.id not in _BUILT_IN
        if plain and not isinstance(made.args[0], ast.GeneratorExp | ast.Starred):
            yield "call", made.args[0]


def _guard(node: ast.If, parents: list[ast.AST]) -> Iterator[Change]:
    if isinstance(node.body[-1], _LEAVES) and not node.orelse:
        made = copy.deepcopy(node)
        made.test = ast.copy_location(ast.Constant(value=False), node.test)
        yield "guard", made


def _either(node: ast.IfExp, parents: list[ast.AST]) -> Iterator[Change]:
    made = copy.deepcopy(node)
    made.body, made.orelse = made.orelse, made.body
    yield "either", made


def _statement(node: ast.Expr, parents: list[ast.AST]) -> Iterator[Change]:
    if isinstance(node.value, ast.Call):
        yield "left-out", ast.Pass()


def _jump(node: ast.stmt, parents: list[ast.AST]) -> Iterator[Change]:
    yield "jump", ast.Break() if isinstance(node, ast.Continue) else ast.Continue()


_MAKERS: Final[tuple[tuple[type[ast.AST], Callable[..., Iterator[Change]]], ...]] = (
    (ast.Compare, _compare),
    (ast.BoolOp, _both),
    (ast.UnaryOp, _unary),
    (ast.BinOp, _binary),
    (ast.AugAssign, _added),
    (ast.Constant, _number),
    (ast.Slice, _slice),
    (ast.Call, _call),
    (ast.If, _guard),
    (ast.IfExp, _either),
    (ast.Expr, _statement),
    (ast.Continue, _jump),
    (ast.Break, _jump),
)


NO_RULES: Final = ("importers/kafka/", "importers/samples/", "db/migrations/")
"""Folders of patterns, which their own samples prove, of recordings, and of steps that never change again."""


def modules(root: Path, package: str) -> list[str]:
    """The modules of a package as paths from the root, without those of NO_RULES."""
    names = (path.relative_to(root).as_posix() for path in (root / package).rglob("*.py"))
    return sorted(name for name in names if not name.startswith(NO_RULES))
