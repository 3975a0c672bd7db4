"""Whether a leader after a takeover may hold what its leader lacks, and so bring it back."""

from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.nowhere import NOBODY
from core.diagnose.verdict.takeovers import Piece, Takeover
from core.history.epoch_runs import epoch_at
from core.history.positions import place_after, place_before
from core.history.tenures import Tenure
from core.trace.ids import Place
from core.trace.vocabulary import Basis

_FETCHES: Final = frozenset({"fetcher_added"})


def unnamed_leader_after(case: Case, takeover: Takeover) -> bool:
    """Whether no row names the leader of some later epoch: it may hold what some replica holds to the end.

    Epochs are given out one by one. A KRaft broker is not notified of one that ended before it was up to
    date.
    """
    if case.view.exact:
        return False
    named = {tenure.epoch for tenure in case.control.tenures if tenure.epoch is not None}
    return any(epoch not in named for epoch in range(takeover.epoch + 1, max(named)))


def on_disk(case: Case, broker: int, piece: Piece, offset: int) -> bool:
    """Whether the segments at the end show that a replica may hold a record, however it came by it."""
    if broker not in case.history.replicas:
        return False
    return any(
        run.basis is Basis.OBSERVED and piece.may_be(run.epoch) and run.start <= offset < run.end
        for run in case.runs(broker, case.end)
    )


def leads_after(tenure: Tenure, epoch: int) -> bool:
    """Whether a tenure is of a later epoch, and has a leader."""
    return tenure.epoch is not None and tenure.epoch > epoch and tenure.leader != NOBODY


def _copies_from(case: Case, takeover: Takeover, broker: int) -> Place:
    """The place from which a replica grows only by what it copies from this leader, or from a later one.

    From its own line on the fetcher of that epoch on, which may come before the leader's own line. From a
    leader that came back in its epoch with less it may have copied more before.
    """
    if takeover.again:
        return takeover.place
    own = case.roles[broker]
    for row in case.of(_FETCHES):
        if row.number >= takeover.place:
            break
        epoch = own.epoch_at[place_after(row.number)]
        if row.broker == broker and epoch is not None and epoch >= takeover.epoch:
            return place_before(row.number)
    return takeover.place


def may_bring(
    case: Case,
    takeover: Takeover,
    broker: int,
    place: Place | None,
    piece: Piece,
    offset: int,
) -> bool | None:
    """Whether a later leader may hold a record that `takeover` lacks; None where its own log was not given.

    It can only have kept it: only a leader that kept it could give it back. A cut below it ends that.
    """
    if broker == takeover.tenure.leader:
        return False
    if place is None or broker not in case.roles or case.roles[broker].first_own_line is None:
        return None
    if any(takeover.place < cut.row.number + 1 <= place and cut.to <= offset for cut in case.cuts[broker]):
        return False
    shortest = case.shortest(broker, _copies_from(case, takeover, broker), place)
    if shortest is not None and shortest <= offset:
        return False
    return piece.may_be(epoch_at(case.runs(broker, takeover.place), offset))


def leaders_that_may_hold(case: Case, takeover: Takeover) -> tuple[int, ...]:
    """The leaders after a takeover of which no line shows what they held when they led."""
    later = [tenure for tenure in case.control.tenures if leads_after(tenure, takeover.epoch)]
    lacking = {
        tenure.leader
        for tenure in later
        if case.led_from(tenure) is None or case.roles[tenure.leader].first_own_line is None
    }
    return tuple(sorted(lacking - {takeover.tenure.leader}))
