"""What a typed place means: a time, a position, an offset, an epoch, a step or a line. No widgets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from core.errors import QuestionError
from core.history.state import Band, History, Steps
from core.message import message
from core.trace.times import ahead, clock, day, from_shown, parse_time, virtual_time
from core.trace.trace import Origin
from core.trace.units import DAY_NS, MICROSECOND_NS, MILLISECOND_NS, MINUTE_NS, SECOND_NS
from gui.workspace.content import Content

_ZONED: Final = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$")
"""A time that names its zone; a date alone ends like none."""
FORMS: Final = "47, +5, 10:04:13.5, 2026-11-21 10:04, 12.5 s, o 206, e 3, step 8, server.log:1234"
"""Examples of every form."""

_UNITS: Final = {
    "ns": 1,
    "us": MICROSECOND_NS,
    "µs": MICROSECOND_NS,
    "ms": MILLISECOND_NS,
    "s": SECOND_NS,
    "min": MINUTE_NS,
}
_POSITION = re.compile(r"(?:p|pos|position|#)?\s*([+-]?)\s*([\d,]+)", re.IGNORECASE)
_NAMED = re.compile(r"(o|offset|e|epoch|step|landmark)\.?\s*:?\s*([\d,]+)", re.IGNORECASE)
_CLOCK = re.compile(r"(?:(\d{4}-\d\d-\d\d)[T ])?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?")
_SPAN = re.compile(r"(\d+)(?:\.(\d{1,9}))?\s*(ns|us|µs|ms|s|min)", re.IGNORECASE)
_LINE = re.compile(r"(\S.*):(\d+)")


class PlaceKind(StrEnum):
    """What a place is counted in."""

    POSITION = "position"
    MOVE = "positions from here"
    TIME = "time"
    CLOCK = "time of day"
    OFFSET = "offset"
    EPOCH = "epoch"
    STEP = "step"
    LINE = "line of a file"


@dataclass(frozen=True, slots=True)
class Place:
    """A place as it was typed. `value` is in ns for times; of a line its number, with the file in `name`.

    A time means everything up to and including its last written digit: `until` is the end of that.
    """

    kind: PlaceKind
    value: int
    until: int = 0
    name: str = ""


def parse_place(text: str) -> Place:
    """What was typed. Raises QuestionError, with every form, for what is none of them."""
    typed = " ".join(text.split())
    named = _NAMED.fullmatch(typed)
    if named:
        kinds = {"o": PlaceKind.OFFSET, "e": PlaceKind.EPOCH}
        kind = kinds.get(named[1][0].lower(), PlaceKind.STEP)
        return Place(kind, _number(named[2]))
    position = _POSITION.fullmatch(typed)
    if position:
        count = _number(position[2])
        if position[1]:
            return Place(PlaceKind.MOVE, -count if position[1] == "-" else count)
        return Place(PlaceKind.POSITION, count)
    span = _SPAN.fullmatch(typed)
    if span:
        unit = _UNITS[span[3].lower()]
        digits = span[2] or ""
        at = int(span[1]) * unit + int(digits or 0) * unit // 10 ** len(digits)
        # A millisecond is what the window writes: a text as precise as that means all of it.
        fine = unit // 10 ** len(digits) <= MILLISECOND_NS
        return Place(PlaceKind.TIME, at, at + (max(unit // 10 ** len(digits), 1) - 1 if fine else 0))
    if _CLOCK.fullmatch(typed) or re.match(r"\d{4}-\d\d-\d\d", typed):
        return _time(typed)
    line = _LINE.fullmatch(typed)
    if line:
        return Place(PlaceKind.LINE, int(line[2]), name=line[1])
    raise QuestionError(
        message("error.go-to.no-place", typed=typed) if typed else message("error.go-to.nothing"),
        advice=message("error.go-to.forms", forms=FORMS),
    )


def _number(text: str) -> int:
    return int(text.replace(",", "") or 0)


def _time(typed: str) -> Place:
    found = _CLOCK.fullmatch(typed)
    if found is None:
        at = parse_time(typed)
        if not _ZONED.search(typed):
            at = from_shown(at)
        return Place(PlaceKind.TIME, at, at + _rest(re.search(r"[.,](\d+)", typed)))
    date, hour, minute = found[1], int(found[2]), int(found[3])
    second, digits = int(found[4] or 0), found[5] or ""
    if hour > 23 or minute > 59 or second > 59:
        raise QuestionError(
            message("error.go-to.no-time", typed=typed), advice=message("error.go-to.time-form")
        )
    at = (hour * 3600 + minute * 60 + second) * SECOND_NS + int(digits.ljust(9, "0"))
    rest = 10 ** (9 - len(digits)) - 1 if len(digits) >= 3 else 0
    if not date:
        return Place(PlaceKind.CLOCK, at, at + rest)
    at = from_shown(parse_time(f"{date}T00:00:00Z") + at)
    return Place(PlaceKind.TIME, at, at + rest)


def _rest(fraction: re.Match[str] | None) -> int:
    digits = len(fraction[1]) if fraction else 0
    return 10 ** (9 - digits) - 1 if digits >= 3 else 0


def position_of(content: Content, position: int, place: Place) -> int:
    """The position that a place means, seen from another. Raises QuestionError where it is not there."""
    if place.kind is PlaceKind.POSITION:
        if not 0 <= place.value <= content.last:
            raise QuestionError(
                message("error.go-to.position", number=place.value),
                advice=message("error.go-to.positions", last=content.last),
            )
        return place.value
    if place.kind is PlaceKind.MOVE:
        return max(0, min(position + place.value, content.last))
    if place.kind is PlaceKind.STEP:
        return _step(content, place.value)
    if place.kind in (PlaceKind.TIME, PlaceKind.CLOCK):
        return _moment(content, position, place)
    if place.kind is PlaceKind.LINE:
        return _line(content, place)
    if place.kind is PlaceKind.EPOCH:
        return _epoch(content, place.value)
    return _offset(content, position, place.value)


def _step(content: Content, number: int) -> int:
    if content.comparison is None:
        raise QuestionError(message("error.go-to.no-steps"), advice=message("error.go-to.no-steps.way-out"))
    steps = [stop for stop in content.landmarks.get("anchor", ()) if stop > 0]
    if number == 0:
        return 0
    if not 0 < number <= len(steps):
        raise QuestionError(
            message("error.go-to.step", number=number),
            advice=message("error.go-to.steps", last=len(steps)),
        )
    return steps[number - 1]


def _moment(content: Content, position: int, place: Place) -> int:
    """The last position at or before a moment; of a time of day the one that is nearest to the cursor."""
    run = next((run for run, _, _ in content.moved(position)), 0)
    history = content.runs[run].history
    times = history.trace.columns["at"]
    seqs = history.seqs
    if not len(seqs):
        raise QuestionError(message("error.go-to.no-event"))
    first, last = int(times[seqs[0]]), int(times[seqs[-1]])
    simulated = history.trace.origin is Origin.SIMULATED
    at, until = place.value, place.until
    if place.kind is PlaceKind.CLOCK:
        here = history.at(content.cursors(position)[run]).at or first
        at, until = _nearest(at, until, (first, last), here, simulated=simulated)
    if until < first or at > last:
        dated = at // DAY_NS != first // DAY_NS or first // DAY_NS != last // DAY_NS
        said, begin, end = (_words(one, simulated=simulated, dated=dated) for one in (at, first, last))
        raise QuestionError(
            message("error.go-to.not-then", when=said),
            advice=message("error.go-to.not-then.span", begin=begin, end=end),
        )
    cursor = int(np.searchsorted(times, until, side="right"))
    return content.position_of(run, cursor)


def _nearest(at: int, until: int, span: tuple[int, int], here: int, *, simulated: bool) -> tuple[int, int]:
    """A time of day on that day of the span, in the zone that is shown, which is nearest to a moment."""
    shift = 0 if simulated else ahead(here)
    first, last = span[0] + shift, span[1] + shift
    days = range(first // DAY_NS, last // DAY_NS + 1)
    within = [one for one in days if first <= one * DAY_NS + until and one * DAY_NS + at <= last]
    chosen = min(within or days, key=lambda one: abs(one * DAY_NS + at - here - shift))
    moment = chosen * DAY_NS + at
    at_utc = moment if simulated else from_shown(moment)
    return at_utc, at_utc + until - at


def _words(at: int, *, simulated: bool, dated: bool) -> str:
    if simulated:
        return virtual_time(at)
    return f"{day(at)} {clock(at)}" if dated else clock(at)


def _line(content: Content, place: Place) -> int:
    """The first event that comes from a line."""
    for run, one in enumerate(content.runs):
        trace, seqs = one.history.trace, one.history.seqs
        files = [
            number
            for number, source in enumerate(trace.sources)
            if source.path == place.name or source.path.endswith(f"/{place.name}")
        ]
        found = seqs[
            np.isin(trace.columns["source"][seqs], files) & (trace.columns["line"][seqs] == place.value)
        ]
        if len(found):
            return content.position_of(run, int(found[0]) + 1)
    raise QuestionError(
        message("error.go-to.no-line", line=place.value, name=place.name),
        advice=message("error.go-to.no-line.way-out"),
    )


def _epoch(content: Content, epoch: int) -> int:
    """Where the partition first is in a leader epoch."""
    known: set[int] = set()
    found: list[int] = []
    for run, one in enumerate(content.runs):
        steps = one.history.leader_epoch
        known.update(value for value in steps.values if value is not None)
        cursors = [
            cursor for cursor, value in zip(steps.cursors, steps.values, strict=True) if value == epoch
        ]
        if cursors:
            found.append(content.position_of(run, cursors[0]))
    if not found:
        there = (
            message("error.go-to.epochs", first=min(known), last=max(known))
            if known
            else message("error.go-to.epochs.none")
        )
        raise QuestionError(message("error.go-to.epoch", epoch=epoch), advice=there)
    return min(found)


def _offset(content: Content, position: int, offset: int) -> int:
    """The next place where a record is written, cut, or passed by a high watermark; at the end the first."""
    places = sorted(
        {
            content.position_of(run, cursor)
            for run, one in enumerate(content.runs)
            for cursor in _crossings(one.history, offset)
        }
    )
    if not places:
        raise QuestionError(
            message("error.go-to.offset", offset=offset),
            advice=message("error.go-to.offset.why"),
        )
    return next((place for place in places if place > position), places[0])


def _crossings(history: History, offset: int) -> Iterator[int]:
    for replica in history.replicas.values():
        for steps in (replica.leo, replica.hw):
            yield from _passed(steps, offset)


def _passed(steps: Steps[Band], offset: int) -> Iterator[int]:
    """The cursors at which a value gets over an offset or falls below it again."""
    above: bool | None = None
    for cursor, band in zip(steps.cursors, steps.values, strict=True):
        if band.lo is None:
            continue
        now = band.lo > offset
        if (above is None and now and cursor) or (above is not None and now != above):
            yield cursor
        above = now
