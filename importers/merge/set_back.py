"""Clocks that were set back while a broker ran: what it printed afterwards gets times that go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import CLOCK_SET_BACK_AT_MOST, FILES_OUT_OF_ORDER_WITHIN
from core.message import Duration, message
from importers.lines.parsed import restamped
from importers.merge.arrival import is_mixed_up
from importers.merge.attribution import Owner
from importers.merge.files import ReadFile, Role, noted
from importers.merge.folds import later_by
from importers.merge.zones import Zone

_STAYS: Final = 3
"""So many records stay below the time from which the clock went back; a late thread prints one or two."""
_MOST: Final = 8
"""Times at which one clock is set back."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A log goes back from `top` to `bottom`, ns, at a record."""

    place: int
    top: int
    bottom: int


def with_clocks_going_on(
    files: Sequence[ReadFile], owners: Sequence[Owner], zones: Sequence[Zone]
) -> tuple[ReadFile, ...]:
    """The files, those of a broker whose clock was set back with times that go on from there.

    All its logs have one clock: the deepest fall that one of them shows is added to what each printed
    afterwards. How far that clock is then ahead of the others follows from what the protocol orders
    (merge/clock.py). A fall of more than a minute counts where two logs show it; the second hour of a night
    in autumn is none, and logs whose lines are mixed up show none.
    """
    given = list(files)
    clocks: dict[tuple[int, str], list[int]] = {}
    for place, (file, owner, zone) in enumerate(zip(files, owners, zones, strict=True)):
        if file.role is Role.LOG and file.drafts is not None and owner.broker is not None:
            clocks.setdefault((owner.broker, zone.name), []).append(place)
    for (_, name), logs in clocks.items():
        if any(
            drafts is not None and is_mixed_up(drafts) for drafts in (given[place].drafts for place in logs)
        ):
            continue
        for _ in range(_MOST):
            steps = {place: step for place in logs if (step := _first_step(given[place], name)) is not None}
            if not steps or not _go_on(given, logs, steps):
                break
    return tuple(given)


def _first_step(file: ReadFile, zone: str) -> _Step | None:
    """Where a log goes back for the first time, and stays there."""
    if file.drafts is None or len(file.drafts.stamps) <= _STAYS:
        return None
    stamps = file.drafts.stamps
    tops = np.maximum.accumulate(stamps)[:-1]
    for place in (np.flatnonzero(stamps[1:] < tops - FILES_OUT_OF_ORDER_WITHIN.ns) + 1).tolist():
        top = int(tops[place - 1])
        stays = stamps[place : place + _STAYS]
        if len(stays) == _STAYS and (stays < top - FILES_OUT_OF_ORDER_WITHIN.ns).all():
            step = _Step(place, top, int(stays.min()))
            second_hour = later_by(stays, Zone(zone, "")).any()
            # A part that was joined in the wrong order begins before all others.
            joined = step.bottom <= int(stamps[:place].min())
            return None if second_hour or joined else step
    return None


def _go_on(given: list[ReadFile], logs: Sequence[int], steps: Mapping[int, _Step]) -> bool:
    """Add the deepest of the falls that belong to the first one; whether one was believed."""
    first = min(steps.values(), key=lambda step: step.top)
    same = {
        place: step for place, step in steps.items() if step.bottom <= first.top and first.bottom <= step.top
    }
    back = max(step.top - step.bottom for step in same.values())
    if back > CLOCK_SET_BACK_AT_MOST.ns and len(same) < 2:
        return False
    top = max(step.top for step in same.values())
    for place in logs:
        file = given[place]
        if file.drafts is None:
            continue
        stamps = file.drafts.stamps
        after = _from(same[place].place, stamps) if place in same else stamps > top
        if after.any():
            told = message(
                "report.set-back",
                file=file.path,
                line=int(file.drafts.lines[after.argmax()]),
                back=Duration(back),
            )
            given[place] = noted(file, told, drafts=restamped(file.drafts, stamps + np.where(after, back, 0)))
    return True


def _from(place: int, stamps: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.arange(len(stamps)) >= place
