"""From a verdict on a part of a trace to the same in other Seqs: those of the whole trace, say."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Final, TypeVar, cast

T = TypeVar("T")

_ONE: Final = frozenset({"seq", "cut_seq", "led_again"})
_MANY: Final = "evidence"
_PLAIN: Final = frozenset({int, str, bool, float, type(None)})
"""Values in which there is no Seq."""


def renumbered(value: T, seqs: Sequence[int] | Mapping[int, int]) -> T:
    """The same with every Seq n as `seqs[n]`, at any depth: `seq`, `cut_seq`, `led_again` and `evidence`."""
    return _renumbered(value, seqs.__getitem__)


def seqs_in(value: Any) -> Iterator[int]:  # noqa: ANN401 - a value of any of the verdict's types
    """Every Seq that a verdict names, in the fields that `renumbered` changes."""
    if isinstance(value, tuple):
        for one in cast("tuple[Any, ...]", value):
            yield from seqs_in(one)
        return
    for name in _names(value):
        own: Any = getattr(value, name)
        if name in _ONE:
            yield from () if own is None else (own,)
        elif name == _MANY:
            yield from own
        elif isinstance(own, tuple) or _names(own):
            yield from seqs_in(own)


def _renumbered(value: Any, new: Callable[[int], int]) -> Any:  # noqa: ANN401 - as above
    """The value with other Seqs, at any depth; itself where none is in it."""
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        made = [one if type(one) in _PLAIN else _renumbered(one, new) for one in items]
        same = all(one is other for one, other in zip(made, items, strict=True))
        return items if same else tuple(made)
    changes: dict[str, Any] = {}
    for name in _names(value):
        own: Any = getattr(value, name)
        if own is None or own == ():
            continue
        if name in _ONE:
            changes[name] = new(own)
        elif name == _MANY:
            changes[name] = tuple(map(new, own))
        elif type(own) not in _PLAIN:
            made = _renumbered(own, new)
            if made is not own:
                changes[name] = made
    return replace(value, **changes) if changes else value


def _names(value: object) -> tuple[str, ...]:
    """The fields of a value of a dataclass; none of any other."""
    return _names_of(type(value))


@cache
def _names_of(kind: type[object]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
