"""Clocks that were set back while a broker ran: what it printed afterwards gets times that go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.assumptions import CLOCK_SET_BACK_AT_MOST, FILES_OUT_OF_ORDER_WITHIN
from core.message import Duration, message
from importers.lines.parsed import restamped
from importers.merge.arrival import is_mixed_up
from importers.merge.attribution import Owner
from importers.merge.files import ReadFile, Role, noted
from importers.merge.folds import later_by
from importers.merge.zones import Zone, to_utc

_STAYS: Final = 3
"""So many records stay below the time from which the clock went back; a late thread prints one or two."""
_ROLES: Final = frozenset(
    {
        "leader_and_isr_received", "became_leader", "became_follower",
        "fetcher_added", "fetcher_removed", "truncated",
    }
)  # fmt: skip
_MOST: Final = 8
"""Times at which one clock is set back."""


class SetBack(NamedTuple):
    """From a time on, ns UTC, by how much a broker's clock was set back is added to what it printed."""

    broker: int
    since: int


@dataclass(frozen=True, slots=True)
class _Step:
    """A log goes back from `top` to `bottom`, ns, at a record."""

    place: int
    top: int
    bottom: int


def with_clocks_going_on(
    files: Sequence[ReadFile], owners: Sequence[Owner], zones: Sequence[Zone]
) -> tuple[tuple[ReadFile, ...], tuple[SetBack, ...]]:
    """The files, those of a broker whose clock was set back with times that go on from there; and when.

    All its logs have one clock: the deepest fall that one of them shows is added to what each printed
    afterwards. What a log without a fall printed around that time was printed afterwards if it is of a change
    of roles of which another log told afterwards. How far that clock is then ahead of the others follows from
    what the protocol orders (merge/clock.py). A fall of more than a minute counts where two logs show it; the
    second hour of a night in autumn is none, and logs whose lines are mixed up show none.
    """
    given = list(files)
    found: list[SetBack] = []
    clocks: dict[tuple[int, str], list[int]] = {}
    for place, (file, owner, zone) in enumerate(zip(files, owners, zones, strict=True)):
        if file.role is Role.LOG and file.drafts is not None and owner.broker is not None:
            clocks.setdefault((owner.broker, zone.name), []).append(place)
    for (broker, name), logs in clocks.items():
        if any(
            drafts is not None and is_mixed_up(drafts) for drafts in (given[place].drafts for place in logs)
        ):
            continue
        for _ in range(_MOST):
            steps = {place: step for place in logs if (step := _first_step(given[place], name)) is not None}
            since = _go_on(given, logs, steps) if steps else None
            if since is None:
                break
            found.append(SetBack(broker, to_utc(name)(since)))
    return tuple(given), tuple(found)


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


def _go_on(given: list[ReadFile], logs: Sequence[int], steps: Mapping[int, _Step]) -> int | None:
    """Add the deepest of the falls that belong to the first one. From when on; None if it is not believed."""
    first = min(steps.values(), key=lambda step: step.top)
    same = {
        place: step for place, step in steps.items() if step.bottom <= first.top and first.bottom <= step.top
    }
    back = max(step.top - step.bottom for step in same.values())
    if back > CLOCK_SET_BACK_AT_MOST.ns and len(same) < 2:
        return None
    for place, step in same.items():
        _add(given, place, back, _from(step.place, _stamps(given[place])))
    told = np.sort(np.concatenate([_roles_told(given[place]) for place in same]))
    span = min(step.bottom for step in same.values()), max(step.top for step in same.values())
    for place in logs:
        if place not in same and given[place].drafts is not None:
            since = _since(_roles_told(given[place]), span, back, told)
            _add(given, place, back, _stamps(given[place]) > since)
    return min(step.bottom for step in same.values()) + back


def _stamps(file: ReadFile) -> NDArray[np.int64]:
    """When each record was printed; none of what is no log."""
    return np.zeros(0, np.int64) if file.drafts is None else file.drafts.stamps


def _roles_told(file: ReadFile) -> NDArray[np.int64]:
    """When a log told of changes of roles: state-change.log and server.log do, at one time."""
    if file.drafts is None:
        return np.zeros(0, np.int64)
    return file.drafts.drafts.of_kinds(_ROLES).columns["local_ns"]


def _since(own: NDArray[np.int64], span: tuple[int, int], back: int, told: NDArray[np.int64]) -> int:
    """After which time a log without a fall was printed by the clock that had been set back.

    `own` is when it told of roles, `told` when others did by a clock that goes on. Between the ends of
    `span` it may have been printed before or afterwards.
    """
    bottom, top = span
    own = own[(own >= bottom) & (own <= top)]
    before, afterwards = _is_near(own, told), _is_near(own + back, told)
    moved, stays = own[afterwards & ~before], own[before & ~afterwards]
    if not len(moved) or (len(stays) and stays.max() >= moved.min()):
        return top
    return int(moved.min()) - FILES_OUT_OF_ORDER_WITHIN.ns


def _is_near(times: NDArray[np.int64], told: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether something was told at each time, in the order of two files of one broker."""
    slack = FILES_OUT_OF_ORDER_WITHIN.ns
    return np.searchsorted(told, times - slack) < np.searchsorted(told, times + slack, side="right")


def _add(given: list[ReadFile], place: int, back: int, after: NDArray[np.bool_]) -> None:
    """Give the records that were printed afterwards times that go on."""
    file = given[place]
    if file.drafts is None or not after.any():
        return
    line = int(file.drafts.lines[after.argmax()])
    told = message("report.set-back", file=file.path, line=line, back=Duration(back))
    given[place] = noted(
        file, told, drafts=restamped(file.drafts, file.drafts.stamps + np.where(after, back, 0))
    )


def _from(place: int, stamps: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.arange(len(stamps)) >= place
