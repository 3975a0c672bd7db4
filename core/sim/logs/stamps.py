"""Times as the logs and properties of a broker print them, in UTC."""

import datetime as dt
from typing import Final

from core.trace.units import MILLISECOND_NS, SECOND_NS

_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def stamped(at: int) -> str:
    """2026-01-01 00:00:00,000: a time in ns UTC as log4j prints it, cut to milliseconds."""
    seconds, rest = divmod(at, SECOND_NS)
    return f"{_EPOCH + dt.timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S},{rest // MILLISECOND_NS:03d}"


def java_date(at: int) -> str:
    """Thu Jan 01 00:00:00 UTC 2026: the date at the head of a properties file, whatever the locale."""
    moment = _EPOCH + dt.timedelta(seconds=at // SECOND_NS)
    day, month = _DAYS[moment.weekday()], _MONTHS[moment.month - 1]
    return f"{day} {month} {moment:%d %H:%M:%S} UTC {moment.year}"
