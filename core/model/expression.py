"""A user's own invariant: one Python expression over the state, read with care.

What may stand in it is a list; everything else is refused before anything runs. So the file of a stranger
can say true or false of a state, and do nothing else.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from core.errors import QuestionError, because
from core.message import Listing, Message, message
from core.model.invariants import Invariant
from core.model.state import State

S = TypeVar("S")

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "all": all,
    "any": any,
    "len": len,
    "max": max,
    "min": min,
    "range": range,
    "set": set,
    "sorted": sorted,
    "sum": sum,
    "zip": zip,
}
NAMES: Final = (
    "brokers",
    "end",
    "epoch",
    "hw",
    "isr",
    "leader",
    "log",
    "next_epoch",
    "next_record",
    "quorum_epoch",
    "quorum_isr",
    "quorum_leader",
    "requests",
)
"""What of a state can be named. `hw[1]` is that of broker 1; a record of `log[1]` is (number, epoch)."""


@dataclass(frozen=True, slots=True)
class Vocabulary(Generic[S]):
    """What of a state of some model can be named, and its values by name."""

    names: tuple[str, ...]
    values: Callable[[S], Mapping[str, Any]]


MOST_CHARACTERS: Final = 10_000
LARGEST_NUMBER: Final = 1_000
_NODES: Final = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.IfExp),
    *(ast.BinOp, ast.Add, ast.Sub, ast.BitAnd, ast.BitOr),
    *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn),
    *(ast.Call, ast.Name, ast.Load, ast.Store, ast.Constant, ast.Subscript, ast.Slice),
    *(ast.Tuple, ast.List, ast.Set, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.comprehension),
)


def invariant_of(text: str, file: str) -> Invariant[State]:
    """The invariant that a text states; its name is the file's. Raises QuestionError, also from `holds`."""
    return own_invariant(text, file, Vocabulary(NAMES, _values))


def own_invariant(text: str, file: str, words: Vocabulary[S]) -> Invariant[S]:
    """The same for the states of any model."""
    if len(text) > MOST_CHARACTERS:
        raise _refused(message("error.model.expression.long", most=MOST_CHARACTERS), file)
    try:
        tree = ast.parse(text.strip(), file, mode="eval")
        _check(tree, file, words.names)
        code = compile(tree, file, "eval")
    except SyntaxError as error:
        where = _place(file, error.lineno or 1, error.offset or 1)
        raise QuestionError(
            message("error.model.expression.no-expression"), why=because(error.msg), where=where
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise _refused(message("error.model.expression.no-expression"), file) from error

    def holds(state: S) -> bool:
        try:
            # The tree was checked node by node: it reads values, and calls the functions above.
            found = eval(code, {"__builtins__": {}, **FUNCTIONS, **words.values(state)})  # noqa: S307
        except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError) as error:
            why = f"{type(error).__name__}: {error}"
            raise QuestionError(
                message("error.model.expression.fails"), why=because(why), where=file
            ) from error
        if not isinstance(found, bool):
            kind = type(found).__name__
            raise QuestionError(message("error.model.expression.no-truth", kind=kind), where=file)
        return found

    return Invariant(file, holds, message("model.invariant.own"))


def _place(file: str, line: int, column: int) -> Message:
    return message("error.model.expression.place", file=file, line=line, column=column)


def _refused(what: Message, where: Message | str) -> QuestionError:
    return QuestionError(what, where=where, advice=message("error.model.expression.allowed"))


def _check(tree: ast.Expression, file: str, names: tuple[str, ...]) -> None:
    """Raise QuestionError at the first thing that may not stand there."""
    own = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        what = _what_is_wrong(node, own, names)
        if what is not None:
            line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
            raise _refused(what, _place(file, line, column))


def _what_is_wrong(node: ast.AST, own: set[str], names: tuple[str, ...]) -> Message | None:
    if not isinstance(node, _NODES):
        return message("error.model.expression.node", kind=type(node).__name__)
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            taken = node.id in FUNCTIONS or node.id in names or node.id.startswith("__")
            return message("error.model.expression.taken", name=node.id) if taken else None
        if node.id not in own and node.id not in names and node.id not in FUNCTIONS:
            return message("error.model.expression.name", name=node.id, names=Listing(names))
    elif isinstance(node, ast.Call):
        known = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS and not node.keywords
        functions = Listing(tuple(FUNCTIONS))
        return None if known else message("error.model.expression.call", names=functions)
    elif isinstance(node, ast.Constant):
        number = isinstance(node.value, int) and abs(node.value) <= LARGEST_NUMBER
        return None if number else message("error.model.expression.constant", most=LARGEST_NUMBER)
    elif isinstance(node, ast.comprehension) and node.is_async:
        return message("error.model.expression.node", kind="async")
    return None


def _values(state: State) -> dict[str, Any]:
    """The state by the names of the expression."""
    brokers = range(1, len(state.replicas) + 1)
    replicas = dict(zip(brokers, state.replicas, strict=True))
    return {
        "brokers": tuple(brokers),
        "log": {broker: one.log for broker, one in replicas.items()},
        "end": {broker: one.end for broker, one in replicas.items()},
        "hw": {broker: one.high_watermark for broker, one in replicas.items()},
        "epoch": {broker: one.epoch for broker, one in replicas.items()},
        "leader": {broker: one.leader for broker, one in replicas.items()},
        "isr": {broker: one.isr for broker, one in replicas.items()},
        "next_record": state.next_record,
        "next_epoch": state.next_epoch,
        "requests": state.requests,
        "quorum_epoch": state.quorum.epoch,
        "quorum_leader": state.quorum.leader,
        "quorum_isr": state.quorum.isr,
    }
