"""Logs whose times go back: the hour that a zone has twice in autumn, and files that are not in one order."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import CLOCK_SET_BACK_AT_MOST
from core.errors import Facts, at
from core.message import Count, message
from core.trace.units import HOUR_NS
from importers.lines.parsed import restamped
from importers.merge.arrival import (
    begins_older_part,
    by_own_stamps,
    is_mixed_up,
    is_newest_first,
    oldest_first,
)
from importers.merge.attribution import Owner
from importers.merge.files import ReadFile, Role, left_out, noted
from importers.merge.folds import later_by, told_apart
from importers.merge.parts import put_right
from importers.merge.zones import Zone, all_utc, to_utc

_NOON: Final = 12


def all_in_order(
    files: Sequence[ReadFile], owners: Sequence[Owner], zones: Sequence[Zone]
) -> tuple[tuple[ReadFile, Zone], ...]:
    """Each log with its zone, as `in_order` has it; logs of one broker vouch for each other's clock."""
    mixed = {
        owner.broker
        for file, owner in zip(files, owners, strict=True)
        if owner.broker is not None and file.drafts is not None and is_mixed_up(file.drafts)
    }
    newest_first = {
        owner.broker
        for file, owner in zip(files, owners, strict=True)
        if file.drafts is not None and is_newest_first(file.drafts.stamps)
    }
    found = [
        _sorted(file, zone)
        if owner.broker in mixed
        else in_order(file, zone, newest_first=owner.broker in newest_first)
        for file, owner, zone in zip(files, owners, zones, strict=True)
    ]
    vouched = [
        in_order(files[at], zone, _by_the_same_clock(at, found, owners))
        if file.drafts is None and files[at].drafts is not None
        else (file, zone)
        for at, (file, zone) in enumerate(found)
    ]
    return told_apart(vouched, owners)


def _sorted(file: ReadFile, zone: Zone) -> tuple[ReadFile, Zone]:
    """A log of a broker whose logs are mixed up, by its own stamps where it goes back at all."""
    found = by_own_stamps(file.drafts, as_others=True) if file.role is Role.LOG and file.drafts else None
    if found is None:
        return in_order(file, zone)
    told = message("report.by-arrival", file=file.path)
    return noted(file, told, drafts=found[0], parts=found[1]), zone


def _by_the_same_clock(
    at: int, found: Sequence[tuple[ReadFile, Zone]], owners: Sequence[Owner]
) -> list[NDArray[np.int64]]:
    """The stamps of the logs in order that a broker wrote beside this one, as it wrote this one."""
    mine, zone = found[at]
    return [
        file.drafts.stamps
        for (file, its), owner in zip(found, owners, strict=True)
        if file.drafts is not None
        and owner.broker is not None
        and (owner.broker, file.layout, its) == (owners[at].broker, mine.layout, zone)
    ]


def in_order(
    file: ReadFile, zone: Zone, others: Sequence[NDArray[np.int64]] = (), *, newest_first: bool = False
) -> tuple[ReadFile, Zone]:
    """A log with its zone: in UTC where its clock was changed in it, left out where it is in no order.

    The lines of a log are taken in the order in which they stand: a broker's own log has that of time. What a
    search gave with the newest line first is turned round. Where parts were surely joined in the wrong order,
    they are put right (merge/parts.py). Other files are given back as they are. `others` are the stamps of
    logs of the same broker, by the same clock; `newest_first`: so is one of its logs.
    """
    if file.role is not Role.LOG or file.drafts is None or not len(file.drafts.stamps):
        return file, zone
    stamps = file.drafts.stamps
    turned_round = oldest_first(file.drafts, as_others=newest_first)
    if turned_round is not None:
        told = message("report.newest-first", file=file.path)
        return noted(file, told, drafts=turned_round[0], parts=turned_round[1]), zone
    sorted_log = by_own_stamps(file.drafts)
    if sorted_log is not None:
        told = message("report.by-arrival", file=file.path)
        return noted(file, told, drafts=sorted_log[0], parts=sorted_log[1]), zone
    if not len(_falls(stamps)):
        return file, zone
    later = later_by(stamps, zone)
    fell = np.zeros_like(later)
    fell[_falls(stamps)] = later[_falls(stamps)]
    second = np.where(np.maximum.accumulate(fell) > 0, later, 0)
    utc = all_utc(stamps, to_utc(zone.name)) + second
    back = _falls(utc)
    if len(back):
        line = int(file.drafts.lines[back[0]])
        if _of_twelve_hours(stamps, int(_falls(stamps)[0])):
            return left_out(
                file,
                Facts(
                    message("error.log.twelve-hours", line=line),
                    why=message("error.log.twelve-hours.why"),
                    where=at(file.name),
                    advice=message("error.log.twelve-hours.way-out"),
                ),
            ), zone
        right = put_right(file.drafts, others)
        if right is not None and not len(_falls(right[0].stamps)):
            told = message(
                "report.parts-in-wrong-order",
                file=file.path,
                count=Count(len(right[1])),
                line=right[1][0].line,
            )
            return noted(file, told, drafts=right[0], parts=right[1]), zone
        return left_out(
            file,
            Facts(
                message("error.log.back", line=line),
                why=message("error.log.order"),
                where=at(file.name),
                advice=message("error.log.back.way-out"),
            ),
        ), zone
    line = int(file.drafts.lines[_falls(stamps)[0]])
    told = message("report.hour-twice", file=file.path, line=line, zone=zone.name)
    return noted(file, told, drafts=restamped(file.drafts, utc)), Zone("UTC", zone.basis)


def _falls(stamps: NDArray[np.int64]) -> NDArray[np.intp]:
    """The records that are long before one above them, or before the first with all that follow."""
    tops = np.maximum.accumulate(stamps)
    back_too_far = stamps[1:] < tops[:-1] - CLOCK_SET_BACK_AT_MOST.ns
    return np.flatnonzero(back_too_far | begins_older_part(stamps)) + 1


def _of_twelve_hours(stamps: NDArray[np.int64], fall: int) -> bool:
    """Whether hours are never but 1 to 12, and where times go back, it is from 12 to 1 on one day."""
    hours = stamps // HOUR_NS
    shown = hours % 24
    before, after = int(hours[:fall].max()), int(hours[fall])
    twelve = bool(((shown >= 1) & (shown <= _NOON)).all())
    return twelve and before % 24 == _NOON and after % 24 == 1 and before - after == _NOON - 1
