"""What there is to say, as a fact: which sentence, with which values, proved by which events.

No language stands here. Sentences stand in catalogues keyed by id (gui/locales), and gui/text makes text of a
message. A message can be compared, kept, and sent to another process.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, LiteralString, TypeAlias


@dataclass(frozen=True, slots=True)
class Count:
    """How many things. The value named `count` chooses between singular and plural."""

    number: int


@dataclass(frozen=True, slots=True)
class AtLeast:
    """How many things there are at least: there may be more. It chooses the plural as `Count` does."""

    number: int


@dataclass(frozen=True, slots=True)
class Offsets:
    """Offsets [first, end) of records, at least one."""

    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Between:
    """Bounds of a value, both included; None is no bound."""

    lo: int | None
    hi: int | None


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time: ns since 1970 in UTC. Shown as time of day in the zone that is shown."""

    ns: int


@dataclass(frozen=True, slots=True)
class SimulatedMoment:
    """A point in time of a simulation: ns since its start."""

    ns: int


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in ns."""

    ns: int


@dataclass(frozen=True, slots=True)
class Size:
    """A number of bytes."""

    byte_count: int


@dataclass(frozen=True, slots=True)
class Names:
    """Things that are named one after the other: A, B and C."""

    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Things in a list without a last word between them: A, B, C."""

    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Sentences:
    """Whole sentences, one after the other."""

    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence or a part of one.

    `id` is dotted and stable; `values` fill the places of its text, by name; `evidence` are the Seqs of the
    events that prove it, strongest first.
    """

    id: str
    values: tuple[tuple[str, "Value"], ...] = ()
    evidence: tuple[int, ...] = ()


Value: TypeAlias = (
    int
    | float
    | str
    | Count
    | AtLeast
    | Offsets
    | Between
    | Moment
    | SimulatedMoment
    | Duration
    | Size
    | Names
    | Listing
    | Sentences
    | Message
)
"""An `int` is an offset, an epoch or another number that is not counted; a `float` is one
that its sentence rounds; a `str` comes from the evidence."""


def how_many(number: int, *, at_least: bool) -> Count | AtLeast:
    """A number of things as sentences tell it: exact, or so many at least."""
    return AtLeast(number) if at_least else Count(number)


LEGACY: Final = "legacy"
"""The id of a sentence that a file holds as text: its value `text`, in Chinese `text_zh`."""


def message(id_: LiteralString, /, *, evidence: tuple[int, ...] = (), **values: Value) -> Message:
    """A message. The id is a literal, so that a test finds every id that is in use."""
    return Message(id_, tuple(values.items()), evidence)


def in_languages(texts: Mapping[str, str]) -> Message:
    """A text that a file holds in several languages, by their codes; English for those that lack."""
    others = ((f"text_{language}", text) for language, text in texts.items() if language != "en")
    return Message(LEGACY, (("text", texts.get("en", "")), *others))


def changed(one: Message, change: Callable[[str], Value]) -> Message:
    """The message with every text from the evidence changed, also within lists and other messages."""
    return replace(one, values=tuple((name, _changed(value, change)) for name, value in one.values))


def _changed(value: Value, change: Callable[[str], Value]) -> Value:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Message):
        return changed(value, change)
    if isinstance(value, Names | Listing | Sentences):
        return replace(value, items=tuple(_changed(item, change) for item in value.items))
    return value
