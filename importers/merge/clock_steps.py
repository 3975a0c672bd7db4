"""Clocks that were set while their broker was silent: what was printed before and after is of two clocks.

No line goes back then, or the pause looks hours long. One correction for both would put one of them wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.assumptions import FASTEST_MESSAGE_TAKES_LESS, SILENT_WHILE_SET_FOR
from importers.merge.files import Role
from importers.merge.gathered import Gathered
from importers.merge.tie import Clock
from importers.merge.tied import Bounds, Tied, closed, interval, most_trusted
from importers.merge.zones import all_utc, to_utc

_MOST_SILENCES: Final = 6
"""The longest silences of a broker in which its clock may have been set."""
_FEWEST: Final = 8
"""So many ties show that a part of a clock is right: messages that all took longer would be a rare thing."""
_WHOLE: Final = (0, 0)


@dataclass(frozen=True, slots=True)
class Step:
    """From a stamp on a clock is another one."""

    clock: Clock
    stamp: int

    @property
    def later(self) -> Clock:
        """The clock from there on."""
        return f"{self.clock[0]} later", self.clock[1]


@dataclass(frozen=True, slots=True, order=True)
class Silence:
    """A pause of all logs of a broker, in ns, and the first stamp after it, UTC."""

    pause: int
    broker: int
    stamp: int


def silences(gathered: Gathered) -> tuple[Silence, ...]:
    """The longest silences of each broker in all its logs together, the longest of any first."""
    stamps: dict[int, list[np.ndarray[tuple[int], np.dtype[np.int64]]]] = {}
    for file, owner, zone in zip(gathered.files, gathered.owners, gathered.zones, strict=True):
        if file.role is Role.LOG and file.drafts is not None and owner.broker is not None:
            stamps.setdefault(owner.broker, []).append(all_utc(file.drafts.stamps, to_utc(zone.name)))
    found: list[Silence] = []
    for broker, logs in stamps.items():
        shown = np.sort(np.concatenate(logs))
        pauses = np.diff(shown)
        longest = np.argsort(pauses, kind="stable")[::-1][:_MOST_SILENCES].tolist()
        found += [Silence(pauses.item(at), broker, shown.item(at + 1)) for at in longest]
    return tuple(sorted((one for one in found if one.pause > SILENT_WHILE_SET_FOR.ns), reverse=True))


def set_back_steps(gathered: Gathered) -> tuple[Step, ...]:
    """A step of each clock at each time from which its lines have times to which something was added.

    That is known to be no less than by how much it was set back.
    """
    return tuple(Step(("broker", one.broker), one.since) for one in gathered.set_back)


def find_step(
    names: Sequence[Clock], found: Tied, silent: Sequence[Silence], seen: Sequence[Step] = ()
) -> Step | None:
    """A step of one clock in a silence, where it explains what one correction does not, or not so well.

    So it is where the ties contradict each other or say that the clock was wrong all along, and with a step
    nothing is contradicted, one of its parts is right, as the fastest of many messages show, and the other is
    not; a step that leaves the other part bounded on both sides before one that does not. A clock that is set
    ahead makes the longest silences. One that is `seen` in the lines needs no such proof.
    """
    whole = closed(names, found)
    wrong = set(names) if whole is None else _wrong(names, whole)
    for step in seen:
        right = whole is not None and all(most >= 0 for pair, most in whole.items() if step.clock in pair)
        if not right and closed(*stepped(names, found, step)) is not None:
            return step
    one_sided: Step | None = None
    for one in silent:
        step = Step(("broker", one.broker), one.stamp)
        wrong_by = _wrong_by(step, one.pause, *stepped(names, found, step)) if step.clock in wrong else None
        if wrong_by is not None and None not in wrong_by:
            return step
        if wrong_by is not None:
            one_sided = one_sided or step
    return one_sided


def step_of_the_only_clock(names: Sequence[Clock], found: Tied, silent: Sequence[Silence]) -> Step | None:
    """The step in the longest silence that explains ties that contradict, where one clock alone can have one.

    Few ties do not show that either part of that clock is right, but those of all others agree.
    """
    if closed(names, found) is not None:
        return None
    steps = [Step(("broker", one.broker), one.stamp) for one in silent]
    explaining = [one for one in steps if closed(*stepped(names, found, one)) is not None]
    return explaining[0] if len({one.clock for one in explaining}) == 1 else None


def shows_step(names: Sequence[Clock], found: Tied, silent: Sequence[Silence]) -> bool:
    """Whether ties of which some are not certain show that a clock was set, and by how much.

    What was paired wrongly bounds a clock from one side. Here messages bound it from the other, and leave
    less than a fast one takes.
    """
    step = find_step(names, found, silent)
    if step is None:
        return False
    names, apart = stepped(names, found, step)
    bounds = closed(names, apart)
    others = [name for name in names if name not in (step.clock, step.later)]
    reference = None if bounds is None else most_trusted(others, [(_WHOLE, bounds)])
    if bounds is None or reference is None:
        return False
    (wrong,) = (one for one in (step.clock, step.later) if not _may_be_right(bounds, one, reference))
    lo, hi = interval(bounds, wrong, {reference: 0})
    return lo is not None and hi is not None and hi - lo < FASTEST_MESSAGE_TAKES_LESS.ns


def stepped(names: Sequence[Clock], found: Tied, step: Step) -> tuple[list[Clock], Tied]:
    """The clocks and ties with what a clock shows from a step on as another clock."""
    old, new = list(found.names).index(step.clock), len(found.names)
    apart = replace(
        found,
        names=[*found.names, step.later],
        ticks=np.append(found.ticks, found.ticks[old]),
        one=np.where((found.one == old) & (found.before >= step.stamp), new, found.one),
        other=np.where((found.other == old) & (found.after >= step.stamp), new, found.other),
    )
    return [*names, step.later], apart


def _wrong(names: Sequence[Clock], bounds: Bounds) -> set[Clock]:
    """The clocks for which one correction cannot be 0."""
    reference = most_trusted(names, [(_WHOLE, bounds)])
    if reference is None:
        return set()
    return {name for name in names if name != reference and not _may_be_right(bounds, name, reference)}


def _may_be_right(bounds: Bounds, name: Clock, reference: Clock) -> bool:
    lo, hi = interval(bounds, name, {reference: 0})
    return (lo is None or lo <= 0) and (hi is None or hi >= 0)


def _wrong_by(
    step: Step, pause: int, names: Sequence[Clock], found: Tied
) -> tuple[int | None, int | None] | None:
    """What bounds the correction of one part of a clock, where the other is right and shown to be so.

    A pause that is as long as the clock was set ahead by shows it, too. None: the step explains nothing.
    """
    bounds = closed(names, found)
    parts = (step.clock, step.later)
    others = [name for name in names if name not in parts]
    reference = None if bounds is None else most_trusted(others, [(_WHOLE, bounds)])
    if bounds is None or reference is None:
        return None
    right = [name for name in parts if _may_be_right(bounds, name, reference)]
    if len(right) != 1:
        return None
    (wrong,) = (name for name in parts if name not in right)
    lo, hi = interval(bounds, wrong, {reference: 0})
    most = SILENT_WHILE_SET_FOR.ns
    is_the_step = wrong == step.later and lo is not None and hi is not None and -hi <= pause <= most - lo
    return (lo, hi) if is_the_step or _is_shown(right[0], found, bounds, reference) else None


def _is_shown(name: Clock, found: Tied, bounds: Bounds, reference: Clock) -> bool:
    number = list(found.names).index(name)
    many = int(((found.one == number) | (found.other == number)).sum()) >= _FEWEST
    near = FASTEST_MESSAGE_TAKES_LESS.ns
    return many and any(
        bound is not None and abs(bound) < near for bound in interval(bounds, name, {reference: 0})
    )
