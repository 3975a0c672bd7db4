"""How values are written. Words between them are sentences of the catalogue, so no language stands here."""

from collections.abc import Callable, Sequence
from typing import Any, Final, LiteralString

from core.message import (
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
    message,
)
from core.shown import shown
from core.trace.times import clock, virtual_time
from core.trace.units import MILLISECOND_NS, MINUTE_NS, SECOND_NS

Write = Callable[[Message], str]
_UNITS: Final[Sequence[tuple[int, LiteralString]]] = (
    (1 << 30, "value.size.gib"),
    (1 << 20, "value.size.mib"),
    (1 << 10, "value.size.kib"),
)


def _offsets(value: Offsets, write: Write) -> str:
    if value.end - value.first == 1:
        return write(message("value.offsets.one", first=value.first))
    if value.end - value.first == 2:
        return write(message("value.offsets.two", first=value.first, last=value.end - 1))
    return write(message("value.offsets.more", first=value.first, last=value.end - 1))


def _between(value: Between, write: Write) -> str:
    if value.lo is None and value.hi is None:
        return write(message("value.between.unknown"))
    if value.lo == value.hi:
        return str(value.lo)
    if value.lo is None:
        return f"≤ {value.hi}"
    return f"≥ {value.lo}" if value.hi is None else f"{value.lo}–{value.hi}"


def _duration(value: Duration, write: Write) -> str:
    if value.ns < SECOND_NS:
        return write(message("value.duration.milliseconds", number=value.ns // MILLISECOND_NS))
    if value.ns < MINUTE_NS:
        return write(message("value.duration.seconds", number=f"{value.ns / SECOND_NS:.1f}"))
    minutes, rest = divmod(value.ns // SECOND_NS, 60)
    if not rest:
        return write(message("value.duration.minutes", number=minutes))
    return write(message("value.duration.minutes-seconds", minutes=minutes, seconds=rest))


def _size(value: Size, write: Write) -> str:
    for unit, id_ in _UNITS:
        if value.byte_count >= unit:
            return write(message(id_, number=f"{value.byte_count / unit:.1f}"))
    return write(message("value.size.bytes", count=Count(value.byte_count)))


def _names(value: Names, write: Write) -> str:
    if not value.items:
        return write(message("value.names.none"))
    if len(value.items) == 1:
        return written(value.items[0], write)
    head = Listing(value.items[:-1])
    return write(message("value.names.more", head=head, last=value.items[-1]))


def _listing(value: Listing, write: Write) -> str:
    return _one_by_one("value.listing", value.items, write)


def _sentences(value: Sentences, write: Write) -> str:
    return _one_by_one("value.sentences", value.items, write)


def _one_by_one(id_: LiteralString, items: tuple[Value, ...], write: Write) -> str:
    if not items:
        return ""
    text = written(items[0], write)
    for item in items[1:]:
        text = write(Message(id_, (("head", Verbatim(text)), ("last", item))))
    return text


class Verbatim(str):
    """Text that is finished already."""

    __slots__ = ()


_WRITERS: Final[dict[type[Any], Callable[[Any, Write], str]]] = {
    int: lambda value, _: str(value),
    str: lambda value, _: shown(value),
    Verbatim: lambda value, _: str(value),
    Count: lambda value, _: f"{value.number:,}",
    AtLeast: lambda value, write: write(message("value.at-least", number=f"{value.number:,}")),
    Offsets: _offsets,
    Between: _between,
    Moment: lambda value, _: clock(value.ns),
    SimulatedMoment: lambda value, _: virtual_time(value.ns),
    Duration: _duration,
    Size: _size,
    Names: _names,
    Listing: _listing,
    Sentences: _sentences,
    Message: lambda value, write: write(value),
}


def written(value: Value, write: Write) -> str:
    """A value as text. `write` makes text of messages in the same language."""
    writer = _WRITERS.get(type(value))
    if writer is not None:
        return writer(value, write)
    # A member of an enumeration is a text, too.
    return shown(str(value)) if isinstance(value, str) else str(value)
