"""What the JSON of a document must look like: one small validator, a shape for each field.

A shape is a function of a value and of its path in words ("report.files"); it raises ValueError, which says
the path and what stands there. `loaded` reads a text by its shape, within the budgets of db.budgets.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeAlias, cast

from db.budgets import MOST_JSON_HELD, MOST_PROSE_BYTES

Shape: TypeAlias = Callable[[object, str], None]
MOST: Final = 2**63 - 1
"""The largest number that SQLite and the columns of a trace hold."""
_SMALL: Final = 1024**2
"""A text of so many bytes takes no more than MOST_JSON_HELD, whatever it holds."""
_BEYOND: Final = re.compile(r"\\u[dD][89abAB]")
_BEYOND_IN_BYTES: Final = re.compile(rb"[\xf0-\xff]|\\u[dD][89abAB]")
"""A character beyond U+FFFF as JSON and UTF-8 write it: all of its text is kept at 4 bytes a character."""
_WORD: Final = re.compile(r"(?=.{1,64}\Z)[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SHOWN: Final = 40
"""Characters of a wrong value that are repeated in the error."""


def integer(least: int = -MOST - 1, most: int = MOST) -> Shape:
    """A whole number from `least` to `most`, both included."""

    def check(value: object, path: str) -> None:
        if type(value) is not int or not least <= value <= most:
            _refuse(value, path, "a number" if least < 0 else f"a number from {least} on")

    return check


def text(most: int = MOST_PROSE_BYTES) -> Shape:
    """A text of at most `most` characters."""

    def check(value: object, path: str) -> None:
        if not isinstance(value, str) or len(value) > most:
            _refuse(value, path, "a text")

    return check


def matching(test: Callable[[str], object], what: str) -> Shape:
    """A text for which `test` is true; `what` it is, in words."""

    def check(value: object, path: str) -> None:
        if not isinstance(value, str) or not test(value):
            _refuse(value, path, what)

    return check


def anything(_value: object, _path: str) -> None:
    """Any JSON."""


def word(value: object, path: str) -> None:
    """A word as this program and its later versions make them: "hw-went-back", at most 64 characters."""
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        _refuse(value, path, "a word of any version of this program")


def yes_or_no(value: object, path: str) -> None:
    """True or false."""
    if not isinstance(value, bool):
        _refuse(value, path, "true or false")


def nothing_or(shape: Shape) -> Shape:
    """Null, or what `shape` says."""

    def check(value: object, path: str) -> None:
        if value is not None:
            shape(value, path)

    return check


def either(test: type, one: Shape, other: Shape) -> Shape:
    """`one` for a value of that type, else `other`."""

    def check(value: object, path: str) -> None:
        (one if isinstance(value, test) else other)(value, path)

    return check


def listed(shape: Shape, most: int = MOST) -> Shape:
    """A list of at most `most` values of one shape."""

    def check(value: object, path: str) -> None:
        if not isinstance(value, list):
            _refuse(value, path, "a list")
        values = cast("list[object]", value)
        if len(values) > most:
            message = f"{path} has {len(values):,} values, at most {most:,} are read"
            raise ValueError(message)
        for number, one in enumerate(values):
            shape(one, f"{path}[{number}]")

    return check


def row(*shapes: Shape) -> Shape:
    """A list that has a value of each shape, in their order."""

    def check(value: object, path: str) -> None:
        values = cast("list[object]", value) if isinstance(value, list) else []
        if len(values) != len(shapes):
            _refuse(cast("object", value), path, f"a list of {len(shapes)} values")
        for number, (shape, one) in enumerate(zip(shapes, values, strict=True)):
            shape(one, f"{path}[{number}]")

    return check


def record(
    needed: Mapping[str, Shape], more: Mapping[str, Shape] | None = None, others: Shape | None = None
) -> Shape:
    """An object with all keys of `needed`; those of `more` where it has them, and `others` for the rest.

    Without `others` any JSON may stand under other keys.
    """
    known = {**needed, **(more or {})}

    def check(value: object, path: str) -> None:
        if not isinstance(value, dict):
            _refuse(value, path, "an object")
        values = cast("dict[str, object]", value)
        missing = needed.keys() - values.keys()
        if missing:
            message = f"{path} lacks {', '.join(sorted(missing))}"
            raise ValueError(message)
        for key, one in values.items():
            shape = known.get(key, others)
            if shape is not None:
                shape(one, f"{path}.{key[:_SHOWN]}")

    return check


def loaded(raw: object, shape: Shape, path: str, most: int) -> Any:  # noqa: ANN401 - the shape says which
    """The value of a JSON text of at most `most` bytes. Raises ValueError where it has not that shape.

    What it takes as objects is reckoned before it is read: `[[],[],…]` takes 25 times its length.
    """
    if not isinstance(raw, (str, bytes)):
        _refuse(raw, path, "JSON")
    if len(raw) > most:
        message = f"{path} has {len(raw):,} bytes, at most {most:,} are read"
        raise ValueError(message)
    if len(raw) > _SMALL and _held(raw) > MOST_JSON_HELD:
        message = f"{path} holds more values than are read"
        raise ValueError(message)
    try:
        value = json.loads(raw, parse_constant=_no_number)
    except RecursionError:
        message = f"{path} is nested too deeply"
        raise ValueError(message) from None
    except ValueError as error:
        message = f"{path} is not JSON: {error}"
        raise ValueError(message) from error
    shape(value, path)
    return value


def _held(raw: str | bytes) -> int:
    """The bytes that JSON takes as objects, at most: an object, a list, and what stands between commas."""
    lists, objects, commas = (
        (raw.count("["), raw.count("{"), raw.count(","))
        if isinstance(raw, str)
        else (raw.count(b"["), raw.count(b"{"), raw.count(b","))
    )
    return _width(raw) * len(raw) + 64 * lists + 240 * objects + 64 * commas


def _width(raw: str | bytes) -> int:
    """The bytes that each character of a text takes, at most: 4 as soon as one of them is beyond U+FFFF."""
    if isinstance(raw, bytes):
        return 4 if _BEYOND_IN_BYTES.search(raw) else 2
    wide = sys.getsizeof(raw) >= 4 * len(raw) or _BEYOND.search(raw) is not None
    return 4 if wide else 2


def _no_number(name: str) -> NoReturn:
    message = f"{name} is not a number"
    raise ValueError(message)


def _refuse(value: object, path: str, wanted: str) -> NoReturn:
    shown = repr(value) if isinstance(value, (str, bytes, float, bool, type(None))) else type(value).__name__
    if type(value) is int:
        shown = str(value) if abs(value) <= 10 * MOST else "a number beyond all bounds"
    message = f"{path} is not {wanted}: {shown[:_SHOWN]}"
    raise ValueError(message)
