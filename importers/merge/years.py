"""The year of logs that print none, and the day: counted on where a new one has begun."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import LOG_LATER_THAN_ITS_FILE_BY, NEW_DAY_GOES_BACK_BY, NEW_YEAR_GOES_BACK_BY
from core.errors import Facts, at
from core.message import message
from core.trace.units import DAY_NS, SECOND_NS
from importers.lines.parsed import Drafts, restamped
from importers.lines.stamps import REFERENCE_YEAR
from importers.merge.files import ReadFile, left_out, noted

_MARCH: Final = 60
"""The day of the reference year, counted from 0, on which March begins."""


def dated(file: ReadFile, year: int | None, day: date | None = None) -> ReadFile:
    """A log whose stamps have no year, or no date, with those at which it begins.

    Where nobody says them the year follows from the time at which the file was last written, and the report
    says so. A day does not: copies have the day of the copy. What stays without one is left out, with the
    reason. Other files are given back as they are.
    """
    if file.layout is None or file.drafts is None:
        return file
    if file.layout.dateless:
        return _without_day(file) if day is None else replace(file, drafts=_from_day(file.drafts, day))
    if not file.layout.yearless:
        return file
    if year is not None:
        return replace(file, drafts=_in_year(file.drafts, year))
    written = year_by_file_time(file)
    if written is None:
        return _without_year(file)
    note = message("report.year-by-file", file=file.path, year=written)
    return noted(file, note, drafts=_in_year(file.drafts, written))


def year_by_file_time(file: ReadFile) -> int | None:
    """The year in which a log without one begins, so that it ends before it was last written, or None."""
    if file.layout is None or not file.layout.yearless or file.mtime_ns is None or file.drafts is None:
        return None
    written = datetime.fromtimestamp(file.mtime_ns // SECOND_NS, tz=UTC).year
    for year in (written, written - 1):
        stamps = _in_year(file.drafts, year).stamps
        if not len(stamps) or int(stamps.max()) <= file.mtime_ns + LOG_LATER_THAN_ITS_FILE_BY.ns:
            return year
    return None


def _without_year(file: ReadFile) -> ReadFile:
    fault = Facts(
        message("error.log.no-year"),
        why=message("error.log.no-year.why"),
        where=at(file.path),
        advice=message("error.log.no-year.way-out"),
    )
    return left_out(file, fault)


def _without_day(file: ReadFile) -> ReadFile:
    fault = Facts(
        message("error.log.no-day"),
        why=message("error.log.no-day.why"),
        where=at(file.path),
        advice=message("error.log.no-day.way-out"),
    )
    return left_out(file, fault)


def _from_day(drafts: Drafts, day: date) -> Drafts:
    """Every stamp moved from the reference day. A log that goes back by half a day has begun a new one."""
    if not len(drafts.stamps):
        return drafts
    turns = np.concatenate([[0], np.cumsum(np.diff(drafts.stamps) < -NEW_DAY_GOES_BACK_BY.ns)])
    first = (day - date(REFERENCE_YEAR, 1, 1)).days
    return restamped(drafts, drafts.stamps + (first + turns) * DAY_NS)


def _in_year(drafts: Drafts, year: int) -> Drafts:
    """Every stamp moved from the reference year. A log that goes back by half a year has begun a new one."""
    if not len(drafts.stamps):
        return drafts
    turns = np.concatenate([[0], np.cumsum(np.diff(drafts.stamps) < -NEW_YEAR_GOES_BACK_BY.ns)])
    years = year + turns
    moved = drafts.stamps + _shifts(drafts.stamps, years)
    return restamped(drafts, moved)


def _shifts(stamps: NDArray[np.int64], years: NDArray[np.int64]) -> NDArray[np.int64]:
    """What to add to stamps of the reference year, which is a leap year, to be in the years given."""
    start = _first_of(REFERENCE_YEAR)
    shift = np.array([_first_of(int(one)) - start for one in np.unique(years)], dtype=np.int64)
    found = shift[np.searchsorted(np.unique(years), years)]
    leap = np.array(
        [_first_of(int(one) + 1) - _first_of(int(one)) == 366 * DAY_NS for one in np.unique(years)]
    )
    after_february = stamps - start >= _MARCH * DAY_NS
    return found - DAY_NS * (after_february & ~leap[np.searchsorted(np.unique(years), years)])


def _first_of(year: int) -> int:
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) * SECOND_NS
