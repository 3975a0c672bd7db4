"""What all lines of a shape state, found out once: which numbers stand at which places of the line."""

import re
from array import array
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from importers.kafka.blanks import MARK, OpenMatch, OpenNumber
from importers.kafka.drafts import Said
from importers.kafka.rule import LineRule, Message
from importers.lines.digits import numbers_at, spread
from importers.lines.statements import COLUMN, LISTS, SAID_NUMBERS, TEXTS, TYPES, Names

_MOST_DIGITS: Final = 18
_MOST_ID_DIGITS: Final = 9
_ANY_HEIGHT: Final = 1 << 62
_MOST_ID: Final = (1 << 31) - 1
_IDS: Final = ("number", "broker", "replica", "leader", *LISTS)


@dataclass(frozen=True, slots=True)
class Template:
    """One statement of every line of a shape: what is the same in all, and what is to be read from each.

    `numbers` are pairs of column and number, `texts` of column and text with marks, as
    importers/kafka/blanks.py makes them; a list is a text of numbers with commas.
    """

    same: Said
    numbers: tuple[tuple[str, OpenNumber], ...]
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What lines of a shape state; `alone` where that is known only of those that no lines follow."""

    templates: tuple[Template, ...]
    alone: bool


class _OpenMessage(Message):
    """A message of which the digits are not known, and that no lines follow."""

    __slots__ = ("asked",)

    def __init__(self, match: re.Match[str], begin: int) -> None:
        super().__init__(cast("re.Match[str]", OpenMatch(match, begin)), "")
        self.asked = False

    @property
    def tail(self) -> str:
        self.asked = True
        return self.following


def templates_of(rule: LineRule, match: re.Match[str], begin: int) -> Found | None:
    """What a rule makes of every message of a shape, which begins at byte `begin` of its line.

    None where the digits decide, where a number may be larger than Kafka's are, or where more than statements
    is made of them: then each line is read for itself.
    """
    if rule.build is None or not match.string.isascii():
        return None
    try:
        message = _OpenMessage(match, begin)
        reading = rule.build(message)
        found = tuple(_template(said) for said in reading.said)
    except (TypeError, ValueError, AttributeError, LookupError):
        # A blank was asked for its digits.
        return None
    return None if reading.facts else Found(found, message.asked)


def _template(said: Said) -> Template:
    """Raises TypeError for what has no template."""
    numbers: list[tuple[str, OpenNumber]] = []
    texts: list[tuple[str, str]] = []
    same: dict[str, Any] = {
        "kind": said.kind, "basis": said.basis, "at_least": said.at_least, "tp": None,
    }  # fmt: skip
    open_tp: Any = said.tp
    parts = [(name, getattr(said, name)) for name in SAID_NUMBERS]
    if open_tp is not None:
        topic, number = open_tp
        texts.append(("topic", f"{topic}"))
        parts.append(("number", number))
    for name, value in parts:
        if isinstance(value, OpenNumber):
            numbers.append((name, _bounded(name, value)))
        elif value is not None and not -1 <= value <= _MOST_ID:
            raise TypeError("too large")
        elif name == "number":
            raise TypeError("a partition without a number in the line")
        else:
            same[name] = value
    named = ((name, getattr(said, name)) for name in TEXTS[2:])
    texts += [(name, f"{text}") for name, text in named if text is not None]
    for name in LISTS:
        members = getattr(said, name)
        if members is not None:
            texts.append((name, ",".join(f"{_bounded(name, one)}" for one in members)))
    if any(sum(int(mark[3]) for mark in MARK.finditer(text)) > _MOST_DIGITS for _, text in texts):
        raise TypeError("too many digits")
    return Template(Said(**same), tuple(numbers), tuple(texts))


def _bounded(name: str, value: Any) -> Any:  # noqa: ANN401 - a number, open or not
    """The number, where it cannot be too large for its column. Raises TypeError."""
    if isinstance(value, OpenNumber):
        if value.digits > (_MOST_ID_DIGITS if name in _IDS else _MOST_DIGITS) or (
            value.signed and name in _IDS
        ):
            raise TypeError("may be too large")
    elif not -1 <= value <= _MOST_ID:
        raise TypeError("too large")
    return value


class _Texts(dict[tuple[int, int], int]):
    """The numbers of texts, by the number of a text with marks, and by all digits in it as one number."""

    def __init__(self, names: Names) -> None:
        """None yet."""
        super().__init__()
        self.names = names
        self.marked: list[tuple[str, str]] = []

    def __missing__(self, key: tuple[int, int]) -> int:
        """The number of a text that was not asked for yet."""
        column, marked = self.marked[key[0]]
        rest = iter(f"{key[1]:0{_digits_in(marked)}}")

        def filled(mark: re.Match[str]) -> str:
            digits = "".join(next(rest) for _ in range(int(mark[3])))
            return str(int(digits)) if mark[1] == "n" else digits

        self[key] = _number(self.names, column, MARK.sub(filled, marked))
        return self[key]


def _digits_in(marked: str) -> int:
    return sum(int(mark[3]) for mark in MARK.finditer(marked))


def _number(names: Names, column: str, text: str) -> int:
    if column in LISTS:
        return names.members([int(one) for one in text.split(",") if one])
    return names.text(text)


class _Table:
    """Rows of integers that grow, and columns of them."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._held = array("q")

    def __len__(self) -> int:
        return len(self._held) // self._width

    def append(self, *row: int) -> None:
        self._held.extend(row)

    def columns(self) -> NDArray[np.int64]:
        return np.array(self._held, dtype=np.int64).reshape(-1, self._width).T


class Templates:
    """The templates of many shapes as tables; a shape is called by its code."""

    def __init__(self) -> None:
        """None yet."""
        self.names = Names()
        self._texts = _Texts(self.names)
        self._shapes = _Table(5)
        """First statement, how many (-1: none known), where the message begins and ends, how high at most."""
        self._rows = _Table(len(TYPES))
        """What is the same in all lines."""
        self._reads = _Table(4)
        """First number, how many, first text, how many."""
        self._numbers = _Table(5)
        """Column, where it ends, how many digits, sign, what is added."""
        self._marked = _Table(3)
        """Column, first part, how many."""
        self._parts = _Table(3)
        """Where it ends, how many digits, by how much it counts."""
        self._kept: tuple[int, dict[str, NDArray[np.int64]]] = (-1, {})

    def add(self, code: int, rule: str, found: Found | None, message: tuple[int, int]) -> None:
        """What lines with a code state; None: they are read for themselves.

        `message` is where their message begins and ends, without blanks behind it.
        """
        while len(self._shapes) < code:
            self._shapes.append(0, -1, 0, 0, 0)
        if found is None:
            self._shapes.append(0, -1, *message, 0)
            return
        self._shapes.append(
            len(self._reads), len(found.templates), *message, 1 if found.alone else _ANY_HEIGHT
        )
        for one in found.templates:
            row = self.names.row(rule, one.same)
            marked = [(column, text) for column, text in one.texts if _digits_in(text)]
            for column, text in one.texts:
                if (column, text) not in marked:
                    row[COLUMN[column]] = _number(self.names, column, text)
            self._rows.append(*row)
            self._reads.append(len(self._numbers), len(one.numbers), len(self._marked), len(marked))
            for column, number in one.numbers:
                end = number.begin + number.digits
                self._numbers.append(
                    COLUMN[column], end, number.digits, -1 if number.signed else 1, number.plus
                )
            for column, text in marked:
                self._add_marked(column, text)

    def _add_marked(self, column: str, text: str) -> None:
        marks = list(MARK.finditer(text))
        self._marked.append(COLUMN[column], len(self._parts), len(marks))
        self._texts.marked.append((column, text))
        after = _digits_in(text)
        for mark in marks:
            begin, digits = int(mark[2]), int(mark[3])
            after -= digits
            self._parts.append(begin + digits, digits, 10**after)

    def _tables(self) -> dict[str, NDArray[np.int64]]:
        """All tables as arrays, made anew where one has grown."""
        if self._kept[0] != len(self._shapes):
            tables = {
                name: getattr(self, f"_{name}").columns()
                for name in ("shapes", "rows", "reads", "numbers", "marked", "parts")
            }
            self._kept = len(self._shapes), tables
        return self._kept[1]

    def known(self, codes: NDArray[np.int64], heights: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which records have a template, by their codes and how many lines they are."""
        highest = self._tables()["shapes"][4]
        found = np.zeros(len(codes), dtype=bool)
        inside = np.flatnonzero(codes < len(highest))
        found[inside] = heights[inside] <= highest[codes[inside]]
        return found

    def messages(
        self, codes: NDArray[np.int64], starts: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the messages of lines with templates begin and end."""
        begins, ends = self._tables()["shapes"][2:4, codes]
        return starts + begins, starts + ends

    def rows(
        self, data: bytes, codes: NDArray[np.int64], starts: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """What lines with templates state, as rows (importers/lines/statements.py) without their place.

        With each row the number of its line, and its own among those of the line.
        """
        tables = self._tables()
        first, count = tables["shapes"][:2, codes]
        line, statement = spread(first, count)
        rows = np.ascontiguousarray(tables["rows"].T[statement])
        begins = starts[line]
        first_number, numbers, first_text, texts = tables["reads"][:, statement]
        owner, number = spread(first_number, numbers)
        column, end, digits, sign, plus = tables["numbers"][:, number]
        rows[owner, column] = numbers_at(data, begins[owner] + end, digits) * sign + plus
        owner, marked = spread(first_text, texts)
        if len(owner):
            column, first_part, parts = tables["marked"][:, marked]
            of_text, part = spread(first_part, parts)
            end, digits, weight = tables["parts"][:, part]
            value = numbers_at(data, begins[owner[of_text]] + end, digits) * weight
            keys = np.add.reduceat(value, np.cumsum(parts) - parts)
            pairs = zip(marked.tolist(), keys.tolist(), strict=True)
            rows[owner, column] = np.fromiter(
                map(self._texts.__getitem__, pairs), dtype=np.int64, count=len(owner)
            )
        return rows, line, statement - first[line]
