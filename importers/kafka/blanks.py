"""What the shape of a line leaves open: texts and numbers of which only the place is known.

A builder of the grammar can be given blanks where a line has digits. What it makes of them is a template: it
says at which places of every line of the shape the values stand. A blank can be put into a `Said`, into a
list and into a text, and asked for nothing else: whoever asks which digits it holds gets a TypeError, and
then the lines of this shape are read one by one.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NoReturn

_HARMLESS: Final = re.compile(r"(\{\d+(?:,\d*)?\}|0-9|\(\?P<\w+>)")
"""What has digits in a pattern and yet treats all digits alike: counts, the range of all of them, names."""
_DIGITS: Final = re.compile("0+")
_NUMBER: Final = re.compile("-?0+")
MARK: Final = re.compile("\0([nt])([0-9]+),([0-9]+)\0")
"""A blank in a text: whether it is a number, where it begins in the line, and how many digits it has."""


def parts_of(pattern: str) -> list[str]:
    """A pattern cut where digits in it treat all digits of a text alike; what does so at every second place."""
    return _HARMLESS.split(pattern)


def is_blind(pattern: str) -> bool:
    """Whether a pattern fits all texts of a shape or none: it names no digit and repeats no group."""
    rest = "".join(parts_of(pattern)[::2])
    return not any(one in "0123456789" for one in rest) and "(?P=" not in rest


class Blank:
    """A text that begins at byte `begin` of a line; `shape` is the text with every digit as 0."""

    __slots__ = ("begin", "shape")

    def __init__(self, begin: int, shape: str) -> None:
        """A text of a shape with digits."""
        self.begin = begin
        self.shape = shape

    def __format__(self, form: str, /) -> str:
        """The text with marks where its digits stand."""
        if form:
            self._refuse()
        return _DIGITS.sub(lambda run: f"\0t{self.begin + run.start()},{len(run[0])}\0", self.shape)

    def __bool__(self) -> bool:
        """A text with digits is not empty."""
        return True

    def found(self, matches: Iterable[re.Match[str]]) -> "Iterator[OpenMatch]":
        """Matches in the shape of this text as matches in the text. Raises TypeError where digits decide."""
        for match in matches:
            if not is_blind(match.re.pattern):
                self._refuse()
            yield OpenMatch(match, self.begin)

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("the digits of a blank are not known")

    __str__ = __repr__ = __eq__ = __ne__ = __hash__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse


class OpenNumber:
    """A number whose first of so many digits is at byte `begin` of a line, and to which `plus` is added.

    It is `signed` where a minus precedes.
    """

    __slots__ = ("begin", "digits", "plus", "signed")

    def __init__(self, begin: int, digits: int, *, signed: bool, plus: int = 0) -> None:
        """A number that is not known."""
        self.begin = begin
        self.digits = digits
        self.signed = signed
        self.plus = plus

    def __add__(self, more: int, /) -> "OpenNumber":
        """The sum."""
        return OpenNumber(self.begin, self.digits, signed=self.signed, plus=self.plus + more)

    def __format__(self, form: str, /) -> str:
        """A mark."""
        if form or self.signed or self.plus:
            self._refuse()
        return f"\0n{self.begin},{self.digits}\0"

    def __ge__(self, other: object, /) -> bool:
        """What has no sign is at least 0."""
        if other != 0 or self.signed or self.plus < 0:
            self._refuse()
        return True

    def __lt__(self, other: object, /) -> bool:
        """What has no sign is not below 0."""
        return not self >= other

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("the digits of a blank are not known")

    __str__ = __repr__ = __eq__ = __ne__ = __hash__ = __bool__ = __le__ = __gt__ = _refuse


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """In place of a match: the groups of a message of which the digits are not known, `begin` in its line."""

    match: re.Match[str]
    begin: int

    @property
    def re(self) -> re.Pattern[str]:
        """The pattern."""
        return self.match.re

    def __getitem__(self, name: str | int) -> Any:  # noqa: ANN401 - a text or a blank
        """A group: a text where it has no digits, else a blank."""
        text = self.match[name]
        return Blank(self.begin + self.match.start(name), text) if "0" in (text or "") else text

    def groupdict(self) -> dict[str, Any]:
        """All named groups."""
        return {name: self[name] for name in self.match.re.groupindex}


def number_in(blank: Blank) -> OpenNumber:
    """The number that a blank is. Raises TypeError where it is more than a number."""
    if _NUMBER.fullmatch(blank.shape) is None:
        raise TypeError(f"not a number: {blank.shape}")
    signed = blank.shape.startswith("-")
    return OpenNumber(blank.begin + signed, len(blank.shape) - signed, signed=signed)


def numbers_in(blank: Blank) -> tuple[OpenNumber, ...]:
    """The numbers of a list like `1, 2`. Raises TypeError where it is another text."""
    if re.fullmatch(r"[0, ]+", blank.shape) is None:
        raise TypeError(f"not a list of numbers: {blank.shape}")
    runs = _DIGITS.finditer(blank.shape)
    return tuple(OpenNumber(blank.begin + run.start(), len(run[0]), signed=False) for run in runs)
