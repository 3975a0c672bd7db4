"""The importers' values as Arrow rows and back. The columns are read off the types: they are stated once."""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import IntEnum, StrEnum
from functools import cache
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import pyarrow as pa

T = TypeVar("T")

_LOOSE: Final[Any] = Mapping[str, Any]
"""A decoded record: names, numbers, texts, lists of these. It travels as JSON."""
_PLAIN: Mapping[Any, pa.DataType] = {
    int: pa.int64(),
    str: pa.string(),
    bytes: pa.binary(),
    bool: pa.bool_(),
    float: pa.float64(),
    _LOOSE: pa.string(),
}


def arrow_type(hint: Any) -> pa.DataType:  # noqa: ANN401 - a type hint has no type
    """The Arrow type of a type hint. Raises TypeError for what has none.

    A dataclass is a struct, `tuple[X, ...]` and an array of int64 are lists, a pair is a struct of `_0` and
    `_1`, an enum is what it is made of, and a mapping of no fixed shape is JSON.
    """
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, (IntEnum, StrEnum)):
        return pa.int64() if issubclass(hint, IntEnum) else pa.string()
    if is_dataclass(hint):
        return pa.struct([pa.field(name, arrow_type(inner)) for name, inner in _hints(hint).items()])
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return arrow_type(_present(hint))
    if origin is tuple and inner[-1] is Ellipsis:
        return pa.list_(arrow_type(inner[0]))
    if origin is tuple:
        return pa.struct([pa.field(f"_{place}", arrow_type(one)) for place, one in enumerate(inner)])
    if origin is np.ndarray:
        return pa.list_(pa.int64())
    if origin is not None and issubclass(origin, Mapping):
        return pa.map_(arrow_type(inner[0]), arrow_type(inner[1]))
    raise TypeError(f"no Arrow type for {hint}")


def schema_of(kind: type) -> pa.Schema:
    """The schema of a table whose rows are values of a dataclass."""
    return pa.schema(list(arrow_type(kind)))


def to_row(hint: Any, value: Any) -> Any:  # noqa: ANN401
    """A value of the hinted type as pyarrow takes it."""
    if hint in _PLAIN or value is None:
        return json.dumps(value) if hint == _LOOSE and value is not None else value
    if is_dataclass(hint):
        return {name: to_row(inner, getattr(value, name)) for name, inner in _hints(hint).items()}
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return to_row(_present(hint), value)
    if origin is tuple and inner[-1] is Ellipsis:
        return [to_row(inner[0], one) for one in value]
    if origin is tuple:
        return {f"_{place}": to_row(*pair) for place, pair in enumerate(zip(inner, value, strict=True))}
    if isinstance(value, Mapping):
        return [(to_row(inner[0], key), to_row(inner[1], one)) for key, one in value.items()]
    # An array of numbers, or an enum, which is one.
    return value


def from_row(kind: type[T], row: Mapping[str, Any]) -> T:
    """The value of a dataclass that `to_row` made a row of."""
    return _value(kind, row)


def _value(hint: Any, row: Any) -> Any:  # noqa: ANN401
    if hint in _PLAIN or row is None:
        return json.loads(row) if hint == _LOOSE and row is not None else row
    if isinstance(hint, type) and is_dataclass(hint):
        return hint(**{name: _value(inner, row[name]) for name, inner in _hints(hint).items()})
    if isinstance(hint, type) and issubclass(hint, (IntEnum, StrEnum)):
        return hint(row)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _value(_present(hint), row)
    if origin is tuple and inner[-1] is Ellipsis:
        return tuple(_value(inner[0], one) for one in row)
    if origin is tuple:
        return tuple(_value(one, row[f"_{place}"]) for place, one in enumerate(inner))
    if origin is np.ndarray:
        return np.array(row, dtype=np.int64)
    return {_value(inner[0], key): _value(inner[1], one) for key, one in row}


@cache
def _hints(kind: Any) -> dict[str, Any]:  # noqa: ANN401
    """The fields of a dataclass with their types, in order."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


@cache
def _present(hint: Any) -> Any:  # noqa: ANN401
    """X of `X | None`."""
    (inner,) = (one for one in get_args(hint) if one is not type(None))
    return inner
