"""From a verdict on a part of a trace to the same in the Seqs of the whole trace."""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

T = TypeVar("T")


def renumbered(value: T, seqs: Sequence[int]) -> T:
    """The same with every Seq n as `seqs[n]`: the fields `seq`, `cut_seq` and `evidence`, at any depth."""
    return _renumbered(value, seqs)


def _renumbered(value: Any, seqs: Sequence[int]) -> Any:  # noqa: ANN401 - a value of any of the verdict's types
    """The value with other Seqs, at any depth."""
    if isinstance(value, tuple):
        return tuple(_renumbered(one, seqs) for one in cast("tuple[Any, ...]", value))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes: dict[str, Any] = {}
    for field in fields(value):
        own: Any = getattr(value, field.name)
        if field.name in ("seq", "cut_seq"):
            changes[field.name] = None if own is None else seqs[own]
        elif field.name == "evidence":
            changes["evidence"] = tuple(seqs[one] for one in cast("tuple[int, ...]", own))
        elif isinstance(own, tuple) or is_dataclass(own):
            changes[field.name] = _renumbered(own, seqs)
    return replace(value, **changes)
