"""The year of logs that print none: said by a person, and counted on where December becomes January."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import NEW_YEAR_GOES_BACK_BY
from core.errors import Facts, at
from core.message import message
from core.trace.units import DAY_NS, SECOND_NS
from importers.lines.parsed import Drafts, restamped
from importers.lines.stamps import REFERENCE_YEAR
from importers.merge.files import ReadFile, left_out

_MARCH: Final = 60
"""The day of the reference year, counted from 0, on which March begins."""


def dated(file: ReadFile, year: int | None) -> ReadFile:
    """A log whose stamps have no year, with the year in which it begins.

    Without one it is left out, with the reason. Other files are given back as they are.
    """
    if file.layout is None or not file.layout.yearless or file.drafts is None:
        return file
    if year is None:
        fault = Facts(
            message("error.log.no-year"),
            why=message("error.log.no-year.why"),
            where=at(file.path),
            advice=message("error.log.no-year.way-out"),
        )
        return left_out(file, fault)
    return replace(file, drafts=_in_year(file.drafts, year))


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
