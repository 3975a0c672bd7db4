"""Forms in which logs write a moment, and from text to nanoseconds."""

import datetime as dt
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from core.trace.units import DAY_NS, MILLISECOND_NS, SECOND_NS

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH: Final = "(?:" + "|".join(_MONTHS) + ")"
_CLOCK: Final = r"\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AaPp][Mm]\b)?"
_ZONE: Final = r" ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)(?![\w:])"
ZONED: Final = "iso with zone"
EPOCH_TIME: Final = "epoch"
YEARLESS: Final = "without year"
MONTH_DAY: Final = "month-day"
DATELESS: Final = "without date"
DAY_FIRST: Final = "day/month/year"
MONTH_FIRST: Final = "month/day/year"
"""Written like `DAY_FIRST`: which one it is, days after the 12th tell (`order_of_days`)."""
FORMS: Final = {
    ZONED: rf"\d{{4}}[-/]\d\d[-/]\d\d[ T]{_CLOCK}{_ZONE}",
    "iso": rf"\d{{4}}[-/]\d\d[-/]\d\d[ T]{_CLOCK}",
    "compact": r"\d{8}(?:T\d{6}(?:[.,]\d{1,9})?|\d{9})",
    "words": rf"(?:\d{{1,2}} {_MONTH} \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}},?) {_CLOCK}",
    DAY_FIRST: rf"\d\d/\d\d/\d{{4}}[ T]{_CLOCK}",
    EPOCH_TIME: r"1\d{12}|1\d{9}(?:\.\d{1,9})?",
    YEARLESS: rf"{_MONTH} [ \d]\d {_CLOCK}",
    "day.month.year": rf"\d{{1,2}}\.\d{{1,2}}\.\d{{4}},?[ T]{_CLOCK}",
    MONTH_DAY: rf"\d\d-\d\d {_CLOCK}",
    DATELESS: r"\d\d:\d\d:\d\d[.,]\d{1,9}",
}
"""Name -> pattern without groups. What a form does not say (zone, year, day) is found out later."""
REFERENCE_YEAR: Final = 1972
"""Stamps without a year are read in this one: it has a 29 February. merge/years.py has the real year."""
_REFERENCE_DAY: Final = (dt.date(REFERENCE_YEAR, 1, 1) - dt.date(1970, 1, 1)).days
"""Stamps without a date are read on this day."""
FIRST_YEAR: Final = 1971
_MONTHS_A_YEAR: Final = 12
LAST_YEAR: Final = 2200
"""A stamp outside of these is damage; nanoseconds end in 2262."""
_NAMED_ONLY: Final = {0: DATELESS, 5: MONTH_DAY}
"""By length, dates that are none unless the layout says so."""
_START: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_TEXT: Final = re.compile(
    r"(?P<date>\d{4}[-/]?\d\d[-/]?\d\d|\d\d/\d\d/\d{4}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2} [A-Z][a-z]{2} \d{4}|"
    r"[A-Z][a-z]{2} \d{1,2}, \d{4}|[A-Z][a-z]{2} [ \d]\d|\d\d-\d\d|),?[ T]?"
    r"(?P<h>\d\d|\d(?=:)):?(?P<m>\d\d):?(?P<s>\d\d)[.,]?(?P<f>\d{0,9})(?P<half>(?: ?[AaPp][Mm])?)"
    r"(?P<z>(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?)"
)


def nanos(text: str, form: str = "") -> int | None:
    """A stamp of any form, read as UTC where it has no zone; None where the calendar has no such moment.

    `form` is asked for only where numbers alone do not say which of them is the month.
    """
    if re.fullmatch(r"[0-9]{13}", text):
        return int(text) * MILLISECOND_NS
    if re.fullmatch(r"[0-9]{10}(\.[0-9]{1,9})?", text):
        whole, _, part = text.partition(".")
        return int(whole) * SECOND_NS + int(part.ljust(9, "0"))
    match = _TEXT.fullmatch(text)
    if match is None or form != _NAMED_ONLY.get(len(match["date"]), form):
        return None
    day = _day(match["date"], form)
    hours, minutes, seconds = _hours(int(match["h"]), match["half"]), int(match["m"]), int(match["s"])
    # 60 is a leap second.
    if day is None or hours is None or hours > 23 or minutes > 59 or seconds > 60:
        return None
    clock = (hours * 60 + minutes) * 60 + seconds - _ahead(match["z"])
    return day * DAY_NS + clock * SECOND_NS + int(match["f"].ljust(9, "0"))


def order_of_days(stamps: Sequence[str]) -> str | None:
    """`DAY_FIRST` or `MONTH_FIRST`, as days after the 12th tell; None where none does, or they disagree."""
    first = any(int(stamp[:2]) > _MONTHS_A_YEAR for stamp in stamps)
    second = any(int(stamp[3:5]) > _MONTHS_A_YEAR for stamp in stamps)
    return None if first == second else DAY_FIRST if first else MONTH_FIRST


def _hours(shown: int, half: str) -> int | None:
    """Hours since midnight of a clock that has twelve of them if it says which half of the day it is."""
    if not half:
        return shown
    return shown % 12 + (12 if half.strip()[0] in "Pp" else 0) if 1 <= shown <= 12 else None


@lru_cache(maxsize=1024)
def _day(text: str, form: str) -> int | None:
    """Days since 1970 of a date in one of the forms."""
    try:
        if not text:
            return _REFERENCE_DAY
        if "." in text:
            day, month, year = map(int, text.split("."))
        elif len(text) == 5:
            year, month, day = REFERENCE_YEAR, int(text[:2]), int(text[3:])
        elif "," in text:
            name, first, last = text.replace(",", "").split(" ")
            year, month, day = int(last), _MONTHS.index(name) + 1, int(first)
        elif text[2] == "/":
            one, two, year = map(int, text.split("/"))
            day, month = (two, one) if form == MONTH_FIRST else (one, two)
        elif text[0].isalpha():
            year, month, day = REFERENCE_YEAR, _MONTHS.index(text[:3]) + 1, int(text[4:])
        elif " " in text:
            first, name, last = text.split(" ")
            year, month, day = int(last), _MONTHS.index(name) + 1, int(first)
        else:
            digits = text.replace("-", "").replace("/", "")
            year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:])
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return None
        return (dt.datetime(year, month, day, tzinfo=dt.UTC) - _START).days
    except ValueError:
        return None


@lru_cache(maxsize=64)
def _ahead(zone: str) -> int:
    """Seconds that a zone's clocks are ahead of UTC."""
    digits = zone.strip().replace(":", "")
    if digits in ("", "Z", "UTC", "GMT"):
        return 0
    ahead = int(digits[1:3]) * 3600 + int(digits[3:5]) * 60
    return -ahead if digits[0] == "-" else ahead


@lru_cache(maxsize=4096)
def minute_ns(text: bytes) -> int | None:
    """Nanoseconds of "2026-11-21 03:29" read as UTC; None if the calendar has no such minute."""
    try:
        moment = dt.datetime.strptime(text.decode(), "%Y-%m-%d %H:%M").replace(tzinfo=dt.UTC)
    except ValueError:
        return None
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        return None
    return ((moment - _START) // dt.timedelta(seconds=1)) * SECOND_NS
