"""From tenures to the kind of election that began each, where no row names it."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from core.history.tenures import StatedIsr, Tenure
from core.history.view import View
from core.history.witnesses import Witnesses
from core.trace.vocabulary import Basis, Election

_ASSIGNED: Final = frozenset({"replicas_assigned"})


def _joinings_shown(
    tenures: Sequence[Tenure], stated_isrs: Sequence[StatedIsr], logs: Witnesses, number: int
) -> bool:
    """Whether a log would show each replica that joined the set between its last statement and a tenure."""
    tenure = tenures[number]
    last_stated = max((one.place for one in stated_isrs if one.place < tenure.place), default=None)
    if last_stated is None:
        return False
    for before, after in pairwise(tenures[: number + 1]):
        if after.place <= last_stated:
            continue
        if before.epoch is None or after.epoch != before.epoch + 1:
            return False
        span = range(max(last_stated, before.place), after.place)
        if before.leader != -1 and not all(logs.shows_joining(before.leader, place) for place in span):
            return False
    return True


def _preferred_at(view: View) -> Callable[[int], int | None]:
    """The first assigned replica at a place; None where it is not known, as before the first reassignment."""
    rows = [row for row in view.rows.of(_ASSIGNED) if row.partition == view.partition and row.isr]
    last = next(iter(view.trace.partitions[view.partition].replicas), None)
    if not rows:
        return lambda _place: last
    numbers = [row.number for row in rows]

    def at(place: int) -> int | None:
        known = bisect_left(numbers, place)
        return (rows[known - 1].isr or (None,))[0] if known else None

    return at


def name_elections(
    view: View,
    tenures: Sequence[Tenure],
    stated_isrs: Sequence[StatedIsr],
    isr_at: Sequence[tuple[int, ...] | None],
    logs: Witnesses,
) -> tuple[Tenure, ...]:
    """The tenures with the election of each: as a row names it, else from the in-sync set before it.

    A leader out of the set is an unclean election, but for one that may have been an eligible leader replica
    (KIP-966, from 4.0 on): none of its records is missing, and a row that names the election is needed. The
    first assigned replica that takes over from a leader
    which stays in the set is preferred; any other leader in the set is clean. What no row names is INFERRED.
    """
    preferred_at = _preferred_at(view)
    named: list[Tenure] = []
    isr: tuple[int, ...] | None = None
    last_leader: int | None = None
    for number, tenure in enumerate(tenures):
        election, basis = tenure.election, tenure.basis
        before = isr_at[tenure.place - 1] if tenure.place else None
        isr = before if before is not None else isr
        if election is Election.UNKNOWN and tenure.leader != -1 and tenure.epoch is not None:
            if last_leader is None:
                election = Election.FIRST if tenure.epoch == 0 else Election.UNKNOWN
            elif isr is not None:
                basis = Basis.INFERRED
                if tenure.leader not in isr:
                    # It may have joined where no log would show that.
                    certain = view.exact or (
                        any(view.before(one, 4, 0, at=view.seq_at(tenure.place)) for one in view.brokers)
                        and _joinings_shown(tenures, stated_isrs, logs, number)
                    )
                    election = Election.UNCLEAN if certain else Election.UNKNOWN
                elif (
                    tenure.leader == preferred_at(tenure.place) != last_leader
                    and last_leader in isr
                    and last_leader in (isr_at[tenure.place] or ())
                ):
                    election = Election.PREFERRED
                else:
                    election = Election.CLEAN
        named.append(replace(tenure, election=election, basis=basis))
        last_leader = tenure.leader if tenure.leader != -1 else last_leader
    return tuple(named)
