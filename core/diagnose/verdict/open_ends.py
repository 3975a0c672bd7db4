"""Whether more records may have gone with those that are known to be lost: where logs ended is not known."""

from collections.abc import Sequence
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import Truncation
from core.diagnose.verdict.takeovers import AGREED, Piece, Takeover, place_before_cut
from core.history.state import Role
from core.trace.ids import Place
from core.trace.vocabulary import Basis

_APPENDS: Final = frozenset({Role.LEADER, Role.FOLLOWER, Role.UNKNOWN})
"""Roles in which a replica's log may grow."""
_BEFORE_THE_FIRST_FETCH: Final = AGREED | {"high-watermark"}
"""Rules of cuts that a follower makes before it appends what its leader has (AbstractFetcherThread)."""


def end_is_open(case: Case, takeover: Takeover, pieces: Sequence[Piece], end: int) -> bool:
    """Whether records at and behind `end` may have been cut with `pieces`, which a takeover lost up to there.

    The log of the last leader before it tells, where its cut was read: the others copied from it.
    """
    if case.view.exact:
        return False
    last = [(piece.cut, piece.broker) for piece in pieces if piece.end == end and piece.cut is not None]
    led = [one.leader for one in case.control.tenures if _is_before(one.epoch, takeover)]
    own = [cut for cut, broker in last if led and broker == led[-1]]
    return any(_may_have_been_longer(case, takeover, cut, end) for cut in own or [cut for cut, _ in last])


def _is_before(epoch: int | None, takeover: Takeover) -> bool:
    """Whether records of a leader epoch may be lost by a takeover: those of its own, where it led again."""
    return epoch is not None and (epoch < takeover.epoch or (takeover.again and epoch == takeover.epoch))


def _may_have_been_longer(case: Case, takeover: Takeover, cut: Truncation, end: int) -> bool:
    """Whether a log that was cut may have gone on behind `end`, in epochs that the new leader lacks.

    It cannot where its end is known at some place after it had last grown in such an epoch.
    """
    if cut.from_offset != end or cut.basis is not Basis.BOUNDED:
        return False
    before = place_before_cut(case, cut)
    grew = [
        min(span.end, before)
        for span in case.roles[cut.broker].spans
        if span.first <= before
        and span.role in _APPENDS
        and (span.epoch is None or _is_before(span.epoch, takeover))
        and not (span.end > before and cut.rule in _BEFORE_THE_FIRST_FETCH)
    ]
    shortest = case.shortest(cut.broker, max(grew, default=Place(0)), before)
    return shortest is None or shortest > end
