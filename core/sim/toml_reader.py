"""Reads a TOML table key by key, and says file, line, key and what is allowed where something is wrong."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn, cast

from core.errors import ScenarioError, because
from core.message import Listing, Message, message
from core.sim.toml_lines import Path, line_of, lines_of

Table = Mapping[str, Any]
_MOST: Final = 10**9
_AT_LINE: Final = re.compile(r"at line (\d+)")
"""Where the standard parser names a line; else it is the end of the text."""
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_CHINESE_BREAK: Final = re.compile(
    # Between two Chinese signs, or beside a Chinese punctuation mark, a line break is no space.
    r"(?<=[\u4e00-\u9fff])\s*\n\s*(?=[\u4e00-\u9fff])"
    r"|(?<=[\u3000-\u303f\uff00-\uffef])\s*\n\s*|\s*\n\s*(?=[\u3000-\u303f\uff00-\uffef])"
)


@dataclass(frozen=True, slots=True)
class Reader:
    """A table of the text and where it stands. Every method raises ScenarioError for what does not fit."""

    values: Table
    path: Path
    file: str
    lines: Mapping[Path, int]

    def fail(self, key: str, what: Message, allowed: Message) -> NoReturn:
        """Raise the error for a key of this table ("" is the table itself)."""
        path = (*self.path, key) if key else self.path
        name = ".".join(str(part + 1) if isinstance(part, int) else part for part in path)
        line = line_of(self.lines, path)
        where = (
            message("error.place.key", file=self.file, line=line, key=name)
            if name
            else message("error.place.line", file=self.file, line=line)
        )
        error = ScenarioError(what, where=where, advice=message("error.scenario.allowed", allowed=allowed))
        error.line = line
        raise error

    @property
    def line(self) -> int:
        """The line at which the table begins."""
        return line_of(self.lines, self.path)

    def only(self, *keys: str) -> None:
        """Every key of the table must be one of these."""
        for key in self.values:
            if key not in keys:
                self.fail(key, message("error.scenario.key-unknown", key=key), names_allowed(keys))

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not empty."""
        value = self.values.get(key, default)
        if not isinstance(value, str) or not value.strip():
            self.fail(key, message("error.scenario.no-text-value", key=key), message("allowed.text"))
        return value

    def choice(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        """One of a few texts."""
        value = self.values.get(key, default)
        if not isinstance(value, str) or value not in allowed:
            self.fail(
                key,
                _wrong(key, value),
                names_allowed(allowed),
            )
        return value

    def number(self, key: str, default: int | None = None, *, least: int = 0, most: int = _MOST) -> int:
        """A whole number in least..most."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.fail(key, _wrong(key, value), message("allowed.number", first=least, last=most))
        return value

    def maybe_number(self, key: str, *, least: int = 0, most: int = _MOST) -> int | None:
        """A whole number in least..most, or None where the key is not there."""
        return self.number(key, least=least, most=most) if key in self.values else None

    def flag(self, key: str, *, default: bool | None) -> bool | None:
        """True or false."""
        value = self.values.get(key, default)
        if value is not None and not isinstance(value, bool):
            self.fail(key, message("error.scenario.no-flag", key=key), names_allowed(("true", "false")))
        return value

    def names(
        self, key: str, allowed: Sequence[str] = (), default: Sequence[str] | None = None
    ) -> tuple[str, ...]:
        """A list of different texts, each one of `allowed` unless that is empty."""
        value: Any = self.values.get(key, default)
        rule = (
            message("allowed.list-of", names=Listing(tuple(allowed)))
            if allowed
            else message("allowed.list-of-texts")
        )
        if not isinstance(value, (list, tuple)) or not value:
            self.fail(key, message("error.scenario.no-list", key=key), rule)
        names = cast("Sequence[Any]", value)
        for name in names:
            if not isinstance(name, str) or not name.strip() or (allowed and name not in allowed):
                self.fail(key, message("error.scenario.in-list", key=key, value=repr(name)), rule)
        if len(set(names)) != len(names):
            self.fail(key, message("error.scenario.twice", key=key), rule)
        return tuple(names)

    def numbers(self, key: str, default: Sequence[int], *, least: int = 0, most: int) -> tuple[int, ...]:
        """A list of whole numbers in least..most."""
        value: Any = self.values.get(key, default)
        rule = message("allowed.list-of-numbers", first=least, last=most)
        if not isinstance(value, (list, tuple)) or not value:
            self.fail(key, message("error.scenario.not-list", key=key), rule)
        numbers = cast("Sequence[Any]", value)
        for number in numbers:
            if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
                self.fail(key, message("error.scenario.in-list", key=key, value=repr(number)), rule)
        return tuple(numbers)

    def languages(self, key: str, *, needed: bool = True) -> dict[str, str]:
        """A text by language; one that stands alone is the English one, and a table has an English one.

        An absent one is {}, if it is not needed.
        """
        value: Any = self.values.get(key)
        if value is None and not needed:
            return {}
        if not isinstance(value, dict):
            return {"en": one_line(self.text(key))}
        inner = self.table(key)
        for language in inner.values:
            if not _LANGUAGE.fullmatch(language):
                inner.fail(
                    language,
                    message("error.scenario.no-language", name=language),
                    message("allowed.languages"),
                )
        return {language: one_line(inner.text(language)) for language in ("en", *inner.values)}

    def table(self, key: str) -> "Reader":
        """A table below this one; an absent one is empty."""
        value: Any = self.values.get(key, {})
        if not isinstance(value, dict):
            self.fail(key, message("error.scenario.not-table", key=key), words_allowed(f"[{key}]"))
        return Reader(cast("Table", value), (*self.path, key), self.file, self.lines)

    def tables(self, key: str) -> tuple["Reader", ...]:
        """A list of tables below this one; an absent one is empty."""
        value: Any = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in cast("list[Any]", value)):
            self.fail(key, message("error.scenario.not-tables", key=key), words_allowed(f"[[{key}]]"))
        inner = cast("list[Table]", value)
        return tuple(
            Reader(one, (*self.path, key, at), self.file, self.lines) for at, one in enumerate(inner)
        )


def names_allowed(names: Sequence[str]) -> Message:
    """What is allowed: one of these."""
    return message("allowed.names", names=Listing(tuple(names)))


def words_allowed(words: str) -> Message:
    """What is allowed: this, as it is."""
    return message("allowed.words", words=words)


def _wrong(key: str, value: object) -> Message:
    if value is None:
        return message("error.scenario.missing", key=key)
    return message("error.scenario.value", key=key, value=repr(value))


def one_line(text: str) -> str:
    """A text of several lines as one, also where it is Chinese."""
    return " ".join(_CHINESE_BREAK.sub("", text.strip()).split())


def read_toml(text: str, file: str) -> Reader:
    """The top table of a text. Raises ScenarioError where it is not TOML."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        wrong = ScenarioError(message("error.scenario.invalid"), why=because(error), where=file)
        told = _AT_LINE.search(str(error))
        wrong.line = int(told[1]) if told else max(len(text.splitlines()), 1)
        raise wrong from error
    except RecursionError as error:
        raise ScenarioError(message("error.scenario.nested"), where=file) from error
    return Reader(values, (), file, lines_of(text))
