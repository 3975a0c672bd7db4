"""Times as text: RFC 3339 in UTC with nanoseconds, and back. Integers only."""

import datetime as dt
import re

from core.errors import QuestionError
from core.trace.ids import Nanos

_SECOND = 1_000_000_000
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_TEXT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?",
)


def rfc3339(at: int) -> str:
    """2026-11-21T03:29:10.161000000Z: always UTC, always nine digits."""
    seconds, rest = divmod(at, _SECOND)
    return f"{_EPOCH + dt.timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}.{rest:09d}Z"


def clock(at: int) -> str:
    """03:29:10.161: the time of day with milliseconds, as the window shows it."""
    seconds, rest = divmod(at, _SECOND)
    return f"{_EPOCH + dt.timedelta(seconds=seconds):%H:%M:%S}.{rest // 1_000_000:03d}"


def virtual_time(at: int) -> str:
    """12.005 s: the time of a simulation, which begins at 0 and has no date."""
    seconds, rest = divmod(at, _SECOND)
    return f"{seconds:,}.{rest // 1_000_000:03d} s"


def moment_words(at: int, *, simulated: bool) -> str:
    """A moment for a person: "2026-11-21 03:29:10.161 UTC", or "12.005 s" in a simulation."""
    if simulated:
        return virtual_time(at)
    return f"{_EPOCH + dt.timedelta(seconds=at // _SECOND):%Y-%m-%d} {clock(at)} UTC"


def parse_time(text: str) -> Nanos:
    """Nanoseconds of an RFC 3339 text; without a zone it is UTC. Raises QuestionError."""
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        raise QuestionError(f"{text!r} is not a time", advice="Write it as 2026-11-21T03:29:10.161Z")
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    try:
        moment = dt.datetime(year, month, day, hour, minute, second, tzinfo=dt.UTC)
    except ValueError as error:
        raise QuestionError(f"{text!r} is not a time", why=str(error)) from error
    nanos = int((match[7] or "").ljust(9, "0"))
    shift = 0
    if match[8] and match[8] != "Z":
        hours, minutes = int(match[8][1:3]), int(match[8][-2:])
        shift = (hours * 3600 + minutes * 60) * (-1 if match[8][0] == "-" else 1)
    seconds = (moment - _EPOCH) // dt.timedelta(seconds=1) - shift
    return Nanos(seconds * _SECOND + nanos)
