"""Records that no replica holds when the evidence ends, where nobody leads to that end.

No leader lacks them, so that no takeover shows the loss: the disk of the last copy did not come back with
them. Whoever leads next, they are gone, unless that disk is read again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import Finding, Loss
from core.diagnose.verdict.made import made, who
from core.diagnose.verdict.takeovers import Piece, Takeover
from core.history.positions import place_after
from core.history.state import Role
from core.history.tenures import Tenure
from core.history.validity import Validity
from core.history.view import Row
from core.message import message
from core.trace.ids import Place

NOBODY: Final = -1
"""The leader of a tenure without one."""
_CREATED: Final = frozenset({"log_created"})


def nobody_leads_from(case: Case) -> Tenure | None:
    """The first of the tenures without a leader that last to the end; None where one leads."""
    first: Tenure | None = None
    for tenure in reversed(case.control.tenures):
        if tenure.leader != NOBODY:
            break
        first = tenure
    return first


def gone_everywhere(case: Case, pieces: Iterable[Piece]) -> Iterator[tuple[Takeover, Piece]]:
    """What was cut away and is above the longest log that any replica can have at the end.

    Each piece with the tenure without a leader in the place of one whose leader lacks it.
    """
    tenure = nobody_leads_from(case)
    if tenure is None or tenure.epoch is None:
        return
    ends = [case.surely_ends_by(broker, case.end) for broker in case.history.replicas]
    if not ends or None in ends:
        return
    longest = max(end for end in ends if end is not None)
    for piece in pieces:
        cut = piece.cut
        last = cut is not None and cut.rule == "recovery" and case.place_of(cut.seq) > tenure.place
        if last and piece.sure and piece.epoch < tenure.epoch and longest < piece.end:
            yield Takeover(tenure, tenure.epoch, case.end, 0), replace(piece, first=max(piece.first, longest))


def last_copies_made_anew(case: Case, losses: Iterable[Loss]) -> Iterable[Finding]:
    """A replica that was alone in the in-sync set came back with a new log, and nobody leads to the end.

    Its broker has another directory than the one that the controller knows (KIP-858), or its unclean end took
    it out of the eligible replicas (KIP-966). What the ledger has of that is not said twice.
    """
    tenure = nobody_leads_from(case)
    last = None if tenure is None else _last_alone(case, tenure)
    if tenure is None or last is None or any(last in loss.removed_from for loss in losses):
        return
    made_anew = _made_anew(case, last, tenure.place)
    if made_anew is not None:
        sentence = message("finding.isr-empty-disk.last-copy", who=who(case, last))
        seqs = tenure.evidence
        yield made(case, "isr-empty-disk", made_anew, (last,), sentence, evidence=seqs)


def _last_alone(case: Case, tenure: Tenure) -> int | None:
    """Who led last before nobody did, if it was alone in the in-sync set that was stated last.

    Where lines are missing since, others may have joined: had one of them, it would have been elected when it
    is up, as the others are then.
    """
    before = [one for one in case.control.tenures if one.place < tenure.place and one.leader != NOBODY]
    if not before or before[-1].leader not in case.roles:
        return None
    leader, place = before[-1].leader, Place(tenure.place - 1)
    if case.control.isr_of_tenure[place] != (leader,):
        return None
    others = [own for broker, own in case.roles.items() if broker != leader]
    followed = all(own.role_at[case.end] is Role.FOLLOWER for own in others)
    return leader if followed or case.control.isr_known[place] != Validity.NO else None


def _made_anew(case: Case, broker: int, place: Place) -> Row | None:
    """The row after a place by which a replica made a new log."""
    rows = (row for row in case.of(_CREATED) if row.replica == broker)
    return next((row for row in rows if place_after(row.number) > place), None)
