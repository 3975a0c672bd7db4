"""Terms of leadership and spans of the in-sync set, as the verdict lists them."""

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


def _start_offset(case: Case, term: Tenure) -> int | None:
    """The log end with which the leader took over: the first offset of its epoch."""
    place = case.led_from(term)
    if place is None:
        return None
    band = case.leo(term.leader, place)
    return None if band.basis is Basis.INFERRED else band.exact


def leadership(case: Case) -> tuple[Leadership, ...]:
    """One entry an epoch, in order; leaderless epochs have leader -1.

    A term ends with the next one, or where nobody speaks any more who would have been told of that.
    """
    at = case.history.trace.columns["at"]
    terms = case.control.tenures
    found: list[Leadership] = []
    for number, term in enumerate(terms):
        begins = int(at[case.view.seqs[term.place - 1]])
        later = terms[number + 1].place if number + 1 < len(terms) else None
        ends = _stands_until(case.control.leader_known, term.place, later)
        found.append(
            Leadership(
                epoch=term.epoch,
                leader=term.leader,
                start_offset=_start_offset(case, term) if term.leader != -1 else None,
                start=begins,
                end=None if ends is None else int(at[case.view.seqs[ends - 1]]),
                election="unknown" if term.leader == -1 else ELECTIONS[term.election],
                basis=term.basis,
                evidence=term.evidence,
            ),
        )
    return tuple(found)


def _stands_until(known: NDArray[np.int8], first: int, last: int | None) -> int | None:
    """The place at which something ends: where it is known no more, or `last`; None for the end of the trace.

    Known is what was confirmed later, too.
    """
    stop = len(known) if last is None else last
    sure = max(stop - 1, first)
    if not known[sure]:
        stands = known[first:stop].nonzero()[0]
        sure = first + int(stands[-1]) if len(stands) else first
    if known[sure] == Validity.JUST_STATED:
        return sure
    return last if sure + 1 >= stop else sure + 1


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
        ends = _stands_until(case.control.isr_known, change.place, ends)
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

    None where one of them was not stopped cleanly, or where its own words on that are missing.
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
