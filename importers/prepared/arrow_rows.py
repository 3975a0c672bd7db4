"""The importers' values as Arrow rows and back. The columns are read off the types: they are stated once."""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

import json
import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import IntEnum, StrEnum
from functools import cache
from itertools import pairwise
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import pyarrow as pa

from core.message import Message
from core.message_json import from_plain, json_of
from core.work import without_collector

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
    Message: pa.string(),
}


@cache
def arrow_type(hint: Any) -> pa.DataType:  # noqa: ANN401 - a type hint has no type
    """The Arrow type of a type hint. Raises TypeError for what has none.

    A dataclass is a struct, `tuple[X, ...]` and an array of int64 are lists, a pair is a struct of `_0` and
    `_1`, an enum is what it is made of, and a mapping of no fixed shape or a message is JSON.
    """
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, (IntEnum, StrEnum)):
        return pa.int64() if issubclass(hint, IntEnum) else pa.string()
    if is_dataclass(hint):
        return pa.struct([pa.field(name, arrow_type(inner)) for name, inner in _hints(hint).items()])
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return arrow_type(_bare(hint))
    if origin is tuple and inner[-1] is Ellipsis:
        return pa.list_(arrow_type(inner[0]))
    if origin is tuple:
        return pa.struct([pa.field(f"_{place}", arrow_type(one)) for place, one in enumerate(inner)])
    if origin is np.ndarray:
        return pa.list_(pa.int64())
    if origin is not None and issubclass(origin, Mapping):
        return pa.map_(arrow_type(inner[0]), arrow_type(inner[1]))
    raise TypeError(f"no Arrow type for {hint}")


@cache
def schema_of(kind: type) -> pa.Schema:
    """The schema of a table whose rows are values of a dataclass."""
    return pa.schema(list(arrow_type(kind)))


def to_batch(kind: type, values: Sequence[Any]) -> pa.RecordBatch:
    """Values of a dataclass as rows, made column by column."""
    columns = [
        _array(inner, [getattr(value, name) for value in values]) for name, inner in _hints(kind).items()
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema_of(kind))


def _array(hint: Any, values: Sequence[Any]) -> pa.Array:  # noqa: ANN401
    kind, hint = arrow_type(hint), _bare(hint)
    if hint == _LOOSE:
        values = [None if value is None else json.dumps(value) for value in values]
    elif hint is Message:
        values = [None if value is None else json_of(value) for value in values]
    if not pa.types.is_nested(kind):
        return pa.array(values, kind)
    absent = [value is None for value in values]
    present = [value for value in values if value is not None]
    if pa.types.is_struct(kind):
        there = _struct(hint, kind, present)
        if not any(absent):
            return there
        places = np.cumsum([not one for one in absent]) - 1
        return there.take(pa.array(places, pa.int64(), mask=np.array(absent)))
    ends = np.cumsum([0 if value is None else len(value) for value in values])
    starts = pa.array([0, *ends.tolist()], pa.int32(), mask=np.array([*absent, False]))
    inner = get_args(hint)
    if pa.types.is_map(kind):
        keys = _array(inner[0], [key for value in present for key in value])
        items = _array(inner[1], [one for value in present for one in value.values()])
        return pa.MapArray.from_arrays(starts, keys, items)
    if get_origin(hint) is np.ndarray:
        flat = pa.array(np.concatenate(present) if present else [], pa.int64())
    else:
        flat = _array(inner[0], [one for value in present for one in value])
    return pa.ListArray.from_arrays(starts, flat)


def _struct(hint: Any, kind: pa.StructType, values: Sequence[Any]) -> pa.StructArray:  # noqa: ANN401
    """A dataclass or a pair, none of them absent."""
    if is_dataclass(hint):
        hints = _hints(hint)
        columns = [_array(inner, [getattr(one, name) for one in values]) for name, inner in hints.items()]
    else:
        columns = [_array(inner, [one[at] for one in values]) for at, inner in enumerate(get_args(hint))]
    return pa.StructArray.from_arrays(columns, fields=list(kind))


def from_table(kind: type[T], table: pa.Table) -> list[T]:
    """The values that `to_batch` made rows of, made column by column. Columns are found by name.

    A field with a default may have no column: a table that was written before the field was added.
    """
    with without_collector():
        return list(map(kind, *(_column_of(kind, name, table) for name in _hints(kind))))


def _column_of(kind: Any, name: str, table: pa.Table) -> list[Any]:  # noqa: ANN401
    """The values of a field; its default where the table has no column of that name."""
    (default,) = (one.default for one in fields(kind) if one.name == name)
    if default is not MISSING and name not in table.column_names:
        return [default] * len(table)
    return values_of(_hints(kind)[name], table.column(name))


def values_of(hint: Any, column: pa.ChunkedArray) -> list[Any]:  # noqa: ANN401
    """The values of a column; `hint` is their type, or None for numbers and texts."""
    whole = column.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = pa.concat_arrays(whole.chunks) if whole.num_chunks else pa.array([], whole.type)
    return _values(hint, whole)


def _values(hint: Any, array: pa.Array) -> list[Any]:  # noqa: ANN401
    hint = _bare(hint)
    if array.null_count:
        found = iter(_present_values(hint, array.drop_null()))
        there = array.is_valid().to_numpy(zero_copy_only=False).tolist()
        return [next(found) if one else None for one in there]
    return _present_values(hint, array)


def _present_values(hint: Any, array: pa.Array) -> list[Any]:  # noqa: ANN401
    """Values of an array without nulls."""
    kind = array.type
    if pa.types.is_struct(kind):
        inner = list(_hints(hint).values()) if is_dataclass(hint) else get_args(hint)
        columns = [_values(one, column) for one, column in zip(inner, array.flatten(), strict=True)]
        return list(map(hint, *columns)) if isinstance(hint, type) else list(zip(*columns, strict=True))
    if pa.types.is_map(kind) or pa.types.is_list(kind):
        return _collections(hint, array)
    raw: list[Any] = array.to_numpy(zero_copy_only=False).tolist()
    if hint == _LOOSE:
        return [json.loads(one) for one in raw]
    if hint is Message:
        # The same is said of thousands of partitions: that a broker stopped.
        told = {one: from_plain(json.loads(one)) for one in set(raw)}
        return [told[one] for one in raw]
    if isinstance(hint, type) and issubclass(hint, (IntEnum, StrEnum)):
        members = {one.value: one for one in hint}
        return [members[one] for one in raw]
    return raw


def _collections(hint: Any, array: pa.Array) -> list[Any]:  # noqa: ANN401
    inner = get_args(hint)
    edges = array.offsets.to_numpy()
    first, last = int(edges[0]), int(edges[-1])
    spans = list(pairwise((edges - first).tolist()))
    if pa.types.is_map(array.type):
        keys = _values(inner[0], array.keys.slice(first, last - first))
        items = _values(inner[1], array.items.slice(first, last - first))
        return [dict(zip(keys[begin:end], items[begin:end], strict=True)) for begin, end in spans]
    flat = array.values.slice(first, last - first)
    if get_origin(hint) is np.ndarray:
        numbers = flat.to_numpy()
        return [numbers[begin:end].copy() for begin, end in spans]
    values = _values(inner[0], flat)
    return [tuple(values[begin:end]) for begin, end in spans]


@cache
def _hints(kind: Any) -> dict[str, Any]:  # noqa: ANN401
    """The fields of a dataclass with their types, in order."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


@cache
def _bare(hint: Any) -> Any:  # noqa: ANN401
    """X of `X | None`, and any other hint as it is."""
    if get_origin(hint) not in (Union, types.UnionType):
        return hint
    (inner,) = (one for one in get_args(hint) if one is not type(None))
    return inner
