"""Messages as JSON values, for documents, data sets and `--json`, and back."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from math import isfinite
from typing import Any, Final, cast

from core.message import (
    LEGACY,
    AtLeast,
    Between,
    Count,
    Duration,
    Listing,
    Message,
    Moment,
    Names,
    Offsets,
    Sentences,
    SimulatedMoment,
    Size,
    Value,
)

_KINDS: Final[Mapping[str, type[Any]]] = {
    "count": Count,
    "at-least": AtLeast,
    "offsets": Offsets,
    "between": Between,
    "moment": Moment,
    "simulated-moment": SimulatedMoment,
    "duration": Duration,
    "size": Size,
}
"""By name: values that are made of numbers."""
_LISTS: Final[Mapping[str, type[Names] | type[Listing] | type[Sentences]]] = {
    "names": Names,
    "listing": Listing,
    "sentences": Sentences,
}
_FIELDS: Final = {kind: tuple(field.name for field in fields(kind)) for kind in _KINDS.values()}
_NAME_OF: Final = {kind: name for name, kind in (*_KINDS.items(), *_LISTS.items())}
_DEEPEST: Final = 8
"""So many messages within messages are read."""
_LONGEST: Final = 10_000
"""So many things in a list are read: brokers, partitions, sentences."""
_LARGEST: Final = 2**63
"""Numbers are those of 64 bits, as Kafka's are."""


def plain(message: Message) -> dict[str, Any]:
    """A message as JSON values: `id`, and where there are some `values` by name and `evidence`."""
    found: dict[str, Any] = {"id": message.id}
    if message.values:
        found["values"] = {name: _plain(value) for name, value in message.values}
    if message.evidence:
        found["evidence"] = list(message.evidence)
    return found


def json_of(message: Message) -> str:
    """A message as the text of a cell."""
    return json.dumps(plain(message), ensure_ascii=False, separators=(",", ":"))


def _plain(value: Value) -> Any:  # noqa: ANN401 - a JSON value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, Message):
        return plain(value)
    name = _NAME_OF[type(value)]
    if isinstance(value, Names | Listing | Sentences):
        return {name: [_plain(item) for item in value.items]}
    parts = [getattr(value, field) for field in _FIELDS[type(value)]]
    return {name: parts[0] if len(parts) == 1 else parts}


def from_plain(raw: object) -> Message:
    """A message from JSON values. Raises `ValueError` for anything that `plain` does not make."""
    return _message(raw, _DEEPEST)


def _message(raw: object, deep: int) -> Message:
    parts = _object(raw)
    id_, values, evidence = parts.get("id"), _object(parts.get("values", {})), parts.get("evidence", [])
    if (
        not isinstance(id_, str)
        or not id_
        or not isinstance(evidence, list)
        or not set(parts) <= {"id", "values", "evidence"}
    ):
        raise ValueError("no message")
    read = tuple((name, _value(value, deep)) for name, value in values.items())
    return Message(id_, read, tuple(_whole(seq) for seq in cast("list[object]", evidence)))


def _value(raw: object, deep: int) -> Value:
    if isinstance(raw, str):
        return raw
    if isinstance(raw, float) and isfinite(raw):
        return raw
    if isinstance(raw, int):
        return _whole(raw)
    parts = _object(raw)
    if deep == 0:
        raise ValueError("messages within too many messages")
    if "id" in parts:
        return _message(parts, deep - 1)
    if len(parts) != 1:
        raise ValueError("no value of a message")
    ((name, inner),) = parts.items()
    numbers = cast("list[object]", inner) if isinstance(inner, list) else [inner]
    if len(numbers) > _LONGEST:
        raise ValueError("no value of a message: the list is too long")
    if name in _LISTS:
        return _LISTS[name](tuple(_value(item, deep - 1) for item in numbers))
    kind = _KINDS.get(name)
    if kind is None or len(numbers) != len(_FIELDS[kind]):
        raise ValueError("no value of a message")
    make = cast("Callable[..., Value]", kind)
    return make(*(None if kind is Between and one is None else _whole(one) for one in numbers))


def _object(raw: object) -> dict[str, object]:
    if not isinstance(raw, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - a wrong document, not a wrong call
    return cast("dict[str, object]", raw)


def _whole(raw: object) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool) or not -_LARGEST <= raw < _LARGEST:
        raise ValueError("no whole number of 64 bits")
    return raw


def stored(raw: object, chinese: object = None) -> Message:
    """A message that a report keeps. Never raises.

    What an earlier version wrote as text is that text, and `chinese` the same in Chinese, where it wrote it.
    """
    try:
        return from_plain(raw)
    except ValueError:
        values = (("text", _as_text(raw)), ("text_zh", chinese))
        return Message(LEGACY, tuple((name, text) for name, text in values if isinstance(text, str)))


def _as_text(raw: object) -> str:
    if isinstance(raw, Mapping):
        row = cast("Mapping[str, object]", raw)
        return ", ".join(f"{key} {value}" for key, value in row.items())
    return str(raw)


def is_message(raw: Mapping[str, object]) -> bool:
    """Whether JSON values have the form of a message."""
    return isinstance(raw.get("id"), str) and raw.keys() <= {"id", "values", "evidence"}
