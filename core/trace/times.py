"""Times as text: RFC 3339 in UTC with nanoseconds, and back; for a person in the zone that was chosen.

Integers only. What is stored or read by programs is UTC; which zone a person sees is decided at the top, as
the language is (core/words.py), and what nobody decides is UTC too.
"""

import datetime as dt
import re
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Final

from core.errors import QuestionError, because
from core.message import message
from core.trace.ids import Nanos
from core.trace.units import MILLISECOND_NS, QUARTER_NS, SECOND_NS

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_TEXT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?",
)


_ZONE: Final[ContextVar[dt.tzinfo | None]] = ContextVar("zone", default=dt.UTC)
"""None is the zone of this machine."""


def show_in(zone: dt.tzinfo | None) -> None:
    """Show times in a zone from now on, in this thread; None is that of the machine."""
    _ZONE.set(zone)


def zone_shown() -> dt.tzinfo | None:
    """The zone in which times are shown now, in this thread; None is that of the machine."""
    return _ZONE.get()


@contextmanager
def in_zone(zone: dt.tzinfo | None) -> Generator[None]:
    """Within it times are shown in a zone; afterwards as before."""
    token = _ZONE.set(zone)
    try:
        yield
    finally:
        _ZONE.reset(token)


def ahead(at: int) -> int:
    """By how many nanoseconds the zone that is shown is ahead of UTC at a moment."""
    zone = _ZONE.get()
    return 0 if zone is dt.UTC else _ahead(zone, at // QUARTER_NS)


@lru_cache(maxsize=4096)
def _ahead(zone: dt.tzinfo | None, quarter: int) -> int:
    moment = (_EPOCH + dt.timedelta(seconds=quarter * 900)).astimezone(zone)
    return round((moment.utcoffset() or dt.timedelta()).total_seconds()) * SECOND_NS


def from_shown(local: int) -> int:
    """The moment of a time as it is shown, read as if it were UTC. Of one that comes twice the second."""
    return local - ahead(local - ahead(local))


def zone_words(at: int) -> str:
    """The zone in which a moment is shown: "UTC", or how far ahead it is, "+01:00"."""
    seconds = ahead(at) // SECOND_NS
    minutes = abs(seconds) // 60
    return f"{'+' if seconds > 0 else '−'}{minutes // 60:02d}:{minutes % 60:02d}" if seconds else "UTC"


def rfc3339(at: int) -> str:
    """2026-11-21T03:29:10.161000000Z: always UTC, always nine digits."""
    seconds, rest = divmod(at, SECOND_NS)
    return f"{_EPOCH + dt.timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}.{rest:09d}Z"


def clock(at: int) -> str:
    """03:29:10.161: the time of day with milliseconds, in the zone that is shown."""
    return utc_clock(at + ahead(at))


def day(at: int) -> str:
    """2026-11-21: the date in the zone that is shown."""
    return f"{_EPOCH + dt.timedelta(seconds=(at + ahead(at)) // SECOND_NS):%Y-%m-%d}"


def utc_clock(at: int) -> str:
    """03:29:10.161: the time of day in UTC, for what is kept."""
    seconds, rest = divmod(at, SECOND_NS)
    return f"{_EPOCH + dt.timedelta(seconds=seconds):%H:%M:%S}.{rest // MILLISECOND_NS:03d}"


def virtual_time(at: int) -> str:
    """12.005 s: the time of a simulation, which begins at 0 and has no date."""
    seconds, rest = divmod(at, SECOND_NS)
    return f"{seconds:,}.{rest // MILLISECOND_NS:03d} s"


def moment_words(at: int, *, simulated: bool) -> str:
    """A moment for a person: "2026-11-21 03:29:10.161 UTC", or "… +01:00", or "12.005 s" in a simulation."""
    if simulated:
        return virtual_time(at)
    return f"{day(at)} {clock(at)} {zone_words(at)}"


def parse_time(text: str) -> Nanos:
    """Nanoseconds of an RFC 3339 text; without a zone it is UTC. Raises QuestionError."""
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        raise QuestionError(message("error.time.none", text=text), advice=message("error.time.form"))
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    try:
        moment = dt.datetime(year, month, day, hour, minute, second, tzinfo=dt.UTC)
    except ValueError as error:
        raise QuestionError(message("error.time.none", text=text), why=because(error)) from error
    nanos = int((match[7] or "").ljust(9, "0"))
    shift = 0
    if match[8] and match[8] != "Z":
        hours, minutes = int(match[8][1:3]), int(match[8][-2:])
        shift = (hours * 3600 + minutes * 60) * (-1 if match[8][0] == "-" else 1)
    seconds = (moment - _EPOCH) // dt.timedelta(seconds=1) - shift
    return Nanos(seconds * SECOND_NS + nanos)
