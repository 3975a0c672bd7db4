"""Terms of leadership and spans of the in-sync set, as the verdict lists them."""

from core.diagnose.case import Case
from core.diagnose.verdict import IsrSpan, Leadership
from core.history.control import Term
from core.trace.vocabulary import Basis, Election

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


def _start_offset(case: Case, term: Term) -> int | None:
    """The log end with which the leader took over: the first offset of its epoch."""
    place = case.led_from(term)
    if place is None:
        return None
    band = case.leo(term.leader, place)
    return None if band.basis is Basis.INFERRED else band.exact


def leadership(case: Case) -> tuple[Leadership, ...]:
    """One entry an epoch, in order; leaderless epochs have leader -1."""
    at = case.history.trace.columns["at"]
    terms = case.control.terms
    found: list[Leadership] = []
    for number, term in enumerate(terms):
        begins = int(at[case.view.seqs[term.place - 1]])
        later = terms[number + 1] if number + 1 < len(terms) else None
        found.append(
            Leadership(
                epoch=term.epoch,
                leader=term.leader,
                start_offset=_start_offset(case, term) if term.leader != -1 else None,
                start=begins,
                end=None if later is None else int(at[case.view.seqs[later.place - 1]]),
                election="unknown" if term.leader == -1 else ELECTIONS[term.election],
                basis=term.basis,
                evidence=term.evidence,
            ),
        )
    return tuple(found)


def isr_spans(case: Case) -> tuple[IsrSpan, ...]:
    """The in-sync set over time. A new order of the same members is no change."""
    at = case.history.trace.columns["at"]
    changes = case.control.isr_changes
    spans: list[IsrSpan] = []
    for number, change in enumerate(changes):
        later = changes[number + 1] if number + 1 < len(changes) else None
        spans.append(
            IsrSpan(
                isr=change.isr,
                start=int(at[case.view.seqs[change.place - 1]]),
                end=None if later is None else int(at[case.view.seqs[later.place - 1]]),
                basis=change.basis,
                evidence=change.evidence,
            ),
        )
    return tuple(spans)
