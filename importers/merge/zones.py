"""In which zone the stamps of a broker's logs were written, and stamps to UTC."""

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
from numpy.typing import NDArray

from core.assumptions import ZONE_AHEAD_AT_MOST, ZONE_OFF_QUARTERS_BY
from core.errors import QuestionError
from core.message import message
from core.trace.units import HOUR_NS, MILLISECOND_NS, MINUTE_NS, QUARTER_NS, SECOND_NS
from importers.kafka.drafts import Fact
from importers.lines.parser import CARRIED

_UTC_FACTS: Final[Mapping[str, int]] = {"start_time_ms": MILLISECOND_NS, CARRIED: 1}
"""Facts that are a moment in UTC, and their unit in ns."""
_LONGEST: Final = 20
SUMMER_TIME: Final = (
    "Europe/Berlin", "Europe/London", "Europe/Athens", "Asia/Jerusalem",
    "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Halifax",
    "Australia/Sydney", "Australia/Adelaide", "Pacific/Auckland", "America/Santiago",
)  # fmt: skip
"""One zone for each way in which clocks are changed; others that do the same are called by its name."""
_OFFSET: Final = re.compile(r"([+-])(\d\d):?(\d\d)")
_EPOCH: Final = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - local stamps have no zone; that is the point of this module


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone by name, and how it was found: "stated", "inferred" or "assumed".

    `shared` is for one that only the logs beside it in the folder show.
    """

    name: str
    basis: str
    shared: bool = False


ASSUMED: Final = Zone("UTC", "assumed")


def zone_of(broker: int | None, facts: tuple[Fact, ...], stated: Mapping[str | None, str]) -> Zone:
    """The zone of a broker's logs. Raises QuestionError for a stated zone that does not exist.

    Inferred from `Kafka startTimeMs` (2.2 and later) and from the time that a container's carrier writes
    beside a line: these are UTC, and the stamp of their line is not.
    """
    name = stated.get("" if broker is None else str(broker), stated.get(None))
    if name is not None:
        to_utc(name)
        return Zone(name, "stated")
    offsets = [(fact.local_ns, ahead) for fact in facts if (ahead := ahead_of_utc(fact)) is not None]
    if not offsets:
        return ASSUMED
    if any(ahead != offsets[0][1] for _, ahead in offsets):
        named = _with_summer_time(offsets)
        if named is not None:
            return Zone(named, "inferred")
    return Zone(offset_name(offsets[0][1]), "inferred")


def ahead_of_utc(fact: Fact) -> int | None:
    """By how much the stamp of a fact is ahead of the moment that it names; None where it says nothing."""
    if fact.name not in _UTC_FACTS or len(fact.value) > _LONGEST:
        return None
    ahead = fact.local_ns - int(fact.value) * _UTC_FACTS[fact.name]
    rounded = round(ahead / QUARTER_NS) * QUARTER_NS
    is_zone = abs(ahead - rounded) <= ZONE_OFF_QUARTERS_BY.ns and abs(rounded) <= ZONE_AHEAD_AT_MOST.ns
    return rounded if is_zone else None


def _with_summer_time(offsets: Sequence[tuple[int, int]]) -> str | None:
    """A zone whose clocks are changed as these logs show; None where none of the common ones is."""
    return next(
        (name for name in SUMMER_TIME if all(ahead in offsets_at(name, local) for local, ahead in offsets)),
        None,
    )


def offsets_at(name: str, local: int) -> tuple[int, int]:
    """By how many ns a zone is ahead of UTC when its clocks show a stamp: for the first and the second time.

    Both are the same but in the hour that comes twice; (0, 0) for a zone that this machine does not know.
    """
    return _offsets_in(name, local // QUARTER_NS)


@lru_cache(maxsize=1 << 14)
def _offsets_in(name: str, quarter: int) -> tuple[int, int]:
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return 0, 0
    shown = (_EPOCH + dt.timedelta(seconds=quarter * 900)).replace(tzinfo=zone)
    first, second = (shown.replace(fold=fold).utcoffset() or dt.timedelta() for fold in (0, 1))
    return round(first.total_seconds()) * SECOND_NS, round(second.total_seconds()) * SECOND_NS


def to_utc(name: str) -> Callable[[int], int]:
    """A function from a stamp read as if it were UTC to nanoseconds UTC. Raises QuestionError."""
    if name.upper() in ("UTC", "Z", "GMT"):
        return _same
    match = _OFFSET.fullmatch(name)
    if match:
        ahead = (int(match[2]) * HOUR_NS + int(match[3]) * MINUTE_NS) * (1 if match[1] == "+" else -1)
        return lambda local: local - ahead
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise QuestionError(
            message("error.zone.none", name=name), advice=message("error.zone.form")
        ) from error

    @lru_cache(maxsize=4096)
    def ahead_in(quarter: int) -> int:
        moment = (_EPOCH + dt.timedelta(seconds=quarter * 900)).replace(tzinfo=zone)
        return round((moment.utcoffset() or dt.timedelta()).total_seconds()) * SECOND_NS

    return lambda local: local - ahead_in(local // QUARTER_NS)


def all_utc(stamps: NDArray[np.int64], utc: Callable[[int], int]) -> NDArray[np.int64]:
    """Many stamps at once, by what `to_utc` gives. A zone changes its clocks only at quarters of an hour."""
    quarters, place = np.unique(stamps // QUARTER_NS, return_inverse=True)
    starts = [quarter * QUARTER_NS for quarter in quarters.tolist()]
    shifts = np.array([utc(start) - start for start in starts], dtype=np.int64)
    return stamps + shifts[place] if len(stamps) else stamps


def _same(local: int) -> int:
    return local


def offset_name(ahead: int) -> str:
    """The name of a zone whose clocks are ahead of UTC by so many ns: "UTC", "+01:00"."""
    if ahead == 0:
        return "UTC"
    minutes = abs(ahead) // MINUTE_NS
    return f"{'+' if ahead > 0 else '-'}{minutes // 60:02d}:{minutes % 60:02d}"
