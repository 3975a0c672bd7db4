"""From tenures and in-sync sets to the entries that the verdict lists, with times."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import NEXT_STOP_OF_SHUTDOWN_WITHIN
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import IsrSpan, Leadership
from core.history.tenures import Tenure
from core.history.validity import Validity
from core.trace.vocabulary import Basis, Election

_STOPPING: Final = frozenset({"shutdown_requested", "controlled_shutdown_begun"})
ELECTIONS = {
    Election.UNKNOWN: "unknown",
    Election.FIRST: "first",
    Election.CLEAN: "clean",
    Election.PREFERRED: "preferred",
    Election.CONTROLLED: "controlled",
    Election.UNCLEAN: "unclean",
    Election.ELR: "elr",
    Election.LAST_KNOWN: "last-known",
}


def _start_offset(case: Case, tenure: Tenure) -> int | None:
    """The log end with which the leader took over: the first offset of its epoch."""
    place = case.led_from(tenure)
    if place is None:
        return None
    band = case.leo(tenure.leader, place)
    return None if band.basis is Basis.INFERRED else band.exact


def leadership(case: Case) -> tuple[Leadership, ...]:
    """One entry an epoch, in order; leaderless epochs have leader -1.

    A tenure ends with the next one, or where no log would show the next one any more.
    """
    at = case.history.trace.columns["at"]
    tenures = case.control.tenures
    found: list[Leadership] = []
    for number, tenure in enumerate(tenures):
        begins = int(at[case.view.seqs[tenure.place - 1]])
        later = tenures[number + 1].place if number + 1 < len(tenures) else None
        ends = _known_until(case.control.leader_known, tenure.place, later)
        found.append(
            Leadership(
                epoch=tenure.epoch,
                leader=tenure.leader,
                start_offset=_start_offset(case, tenure) if tenure.leader != -1 else None,
                start=begins,
                end=None if ends is None else int(at[case.view.seqs[ends - 1]]),
                election="unknown" if tenure.leader == -1 else ELECTIONS[tenure.election],
                basis=tenure.basis,
                evidence=tenure.evidence,
            ),
        )
    return tuple(found)


def _known_until(known: NDArray[np.int8], first: int, last: int | None) -> int | None:
    """The place at which a value ends: where it is not known any more, or `last`; None for the trace's end.

    What a later row confirms is known up to that row.
    """
    stop = len(known) if last is None else last
    last_known = max(stop - 1, first)
    if not known[last_known]:
        known_places = known[first:stop].nonzero()[0]
        last_known = first + int(known_places[-1]) if len(known_places) else first
    if known[last_known] == Validity.JUST_STATED:
        return last_known
    return last if last_known + 1 >= stop else last_known + 1


def isr_spans(case: Case) -> tuple[IsrSpan, ...]:
    """The in-sync set over time. A new order of the same members is no change.

    It ends where the whole cluster is shut down: that the brokers leave the set one after the other, to the
    last, is no event of replication.
    """
    at = case.history.trace.columns["at"]
    closing = shutdown_of_all(case)
    changes = [change for change in case.control.isr_changes if closing is None or change.place <= closing]
    spans: list[IsrSpan] = []
    for number, change in enumerate(changes):
        ends = changes[number + 1].place if number + 1 < len(changes) else closing
        ends = _known_until(case.control.isr_known, change.place, ends)
        spans.append(
            IsrSpan(
                isr=change.isr,
                start=int(at[case.view.seqs[change.place - 1]]),
                end=None if ends is None else int(at[case.view.seqs[ends - 1]]),
                basis=change.basis,
                evidence=change.evidence,
            ),
        )
    return tuple(spans)


def shutdown_of_all(case: Case) -> int | None:
    """The place from which all replicas were stopped, one soon after the other, never to start again.

    None where one of them was not stopped cleanly, or where its own lines on that are missing.
    """
    stops: list[tuple[int, int]] = []
    for own in case.roles.values():
        last = own.deaths[-1] if own.deaths else None
        if last is None or not last.clean or any(start > last.last for start in own.starts):
            return None
        begun = max((start for start in own.starts if start <= last.last), default=0)
        asked = [
            row.number + 1
            for row in case.view.rows.of(_STOPPING)
            if begun <= row.number <= last.last and row.replica == own.broker
        ]
        stops.append((last.noticed, asked[-1] if asked else last.noticed))
    place: int | None = None
    for ended, begun in sorted(stops, reverse=True):
        late = case.view.rows[ended - 1].at + NEXT_STOP_OF_SHUTDOWN_WITHIN.ns
        if place is not None and case.view.rows[place - 1].at > late:
            break
        place = begun if place is None else min(place, begun)
    return place
