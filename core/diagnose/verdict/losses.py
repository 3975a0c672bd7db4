"""From pieces of logs to the ledger of lost records: what some log held, and no later leader holds.

A record is (leader epoch, offset). The leader of a later epoch does not hold it if its own log was not longer
than the offset when it took over. It is lost if no leader after that brings it back.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.causes import cause_of
from core.diagnose.verdict.commitment import Acknowledged, Marks, Watermark
from core.diagnose.verdict.facts import Divergence, Loss, LossClass, Severity, Shown, Truncation, shown
from core.diagnose.verdict.later_leaders import (
    leaders_that_may_hold,
    leads_after,
    may_bring,
    on_disk,
    unnamed_leader_after,
)
from core.diagnose.verdict.loss_sentences import loss_sentence
from core.diagnose.verdict.nowhere import NOBODY, gone_everywhere
from core.diagnose.verdict.open_ends import end_is_open
from core.diagnose.verdict.ranges import joined, without
from core.diagnose.verdict.reads import read_of
from core.diagnose.verdict.taken import taken_below
from core.diagnose.verdict.takeovers import (
    Piece,
    Takeover,
    came_back_between,
    find_pieces,
    find_takeovers,
    led_before,
    never_committed,
    split_at_returns,
    takeovers_without,
    took_a_role_after,
)
from core.history.epoch_runs import epoch_at, slice_runs
from core.message import Message
from core.trace.vocabulary import Basis, Election

_NOT_WRITTEN: Final = Message("")
"""The message of a loss that has no sentences yet."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Records [first, end) that the leader of a takeover does not hold, and no later one brings back."""

    takeover: Takeover
    epoch: int
    first: int
    end: int
    pieces: tuple[Piece, ...]
    sure: bool = True
    """The records are of `epoch`; else of it or of earlier ones."""
    unsure: bool = False
    """A later leader's own log was not given: it may hold them."""
    unlike: Divergence | None = None
    """The last leader holds other records at these offsets."""


@dataclass(frozen=True, slots=True)
class _ExplainedLoss:
    """A loss with what its sentences are made from."""

    loss: Loss
    part: _Part
    own: Truncation | None
    mark: Watermark | None


def _lost_parts(case: Case, takeovers: list[Takeover], cuts: tuple[Truncation, ...]) -> list[_Part]:
    """The parts that no later leader holds, joined over the replicas that held them."""
    groups: dict[tuple[bool, int, int, bool], list[tuple[int, int, Piece]]] = defaultdict(list)
    number_of = {id(takeover): number for number, takeover in enumerate(takeovers)}
    pieces = find_pieces(case, cuts)
    for piece in split_at_returns(case, takeovers, pieces):
        # What a later leader brings back may be lost by one after that.
        left = [(piece.first, piece.end)]
        for takeover, held in takeovers_without(case, takeovers, piece):
            if takeover.epoch <= piece.after or (piece.cut is None and unnamed_leader_after(case, takeover)):
                continue
            for first, end in [(max(first, held), end) for first, end in left if end > held]:
                part = replace(piece, first=first, end=end)
                for unsure in (False, True):
                    for gone in _still_gone(case, takeover, part, unsure=unsure):
                        key = not piece.sure, number_of[id(takeover)], piece.epoch, unsure
                        groups[key].append((*gone, piece))
                        left = without(left, [gone])
            if not left:
                break
    parts: list[_Part] = []
    for (guessed, later, epoch, unsure), found in sorted(groups.items(), key=lambda item: item[0]):
        ranges = joined([(a, b) for a, b, _ in found])
        if guessed:
            # What is known to be lost there may be the same records.
            for part in parts:
                ranges = without(ranges, [(part.first, part.end)])
        for first, end in ranges:
            held = tuple(piece for a, b, piece in found if a < end and b > first)
            parts.append(_Part(takeovers[later], epoch, first, end, held, sure=not guessed, unsure=unsure))
    return [*parts, *_nowhere(case, pieces, parts)]


def _nowhere(case: Case, pieces: list[Piece], known: list[_Part]) -> Iterator[_Part]:
    """What no replica holds where nobody leads to the end, without what some leader lacked already."""
    found = list(gone_everywhere(case, pieces))
    for epoch in sorted({piece.epoch for _, piece in found}):
        mine = tuple(piece for _, piece in found if piece.epoch == epoch)
        ranges = [(piece.first, piece.end) for piece in mine]
        left = without(joined(ranges), [(part.first, part.end) for part in known if part.epoch == epoch])
        yield from (_Part(found[0][0], epoch, first, end, mine) for first, end in left)


def _unlike_the_last_leader(
    case: Case, takeovers: list[Takeover], unlike: tuple[Divergence, ...], known: list[_Part]
) -> list[_Part]:
    """Records at whose offsets the last leader holds others.

    They are on a follower's disk, where no client can read them.
    """
    last = case.control.tenures[-1] if case.control.tenures else None
    if last is None or not takeovers or takeovers[-1].tenure is not last:
        return []
    held: list[tuple[Piece, Divergence]] = []
    for one in unlike:
        if last.leader not in one.brokers:
            continue
        other = one.brokers[1] if one.brokers[0] == last.leader else one.brokers[0]
        for run in slice_runs(case.runs(other, case.end), one.first_offset, one.end_offset):
            listed = any(
                part.epoch == run.epoch and part.first < run.end and run.start < part.end for part in known
            )
            if run.epoch is not None and not listed:
                held.append((Piece(run.epoch, run.start, run.end, other, None), one))
    return [
        part
        for epoch in sorted({piece.epoch for piece, _ in held})
        for part in _each_range_once(takeovers[-1], epoch, held)
    ]


def _each_range_once(takeover: Takeover, epoch: int, held: list[tuple[Piece, Divergence]]) -> Iterator[_Part]:
    """The records of an epoch, each range once, however many replicas hold it."""
    mine = [(piece, one) for piece, one in held if piece.epoch == epoch]
    for first, end in pairwise(sorted({edge for piece, _ in mine for edge in (piece.first, piece.end)})):
        over = [(piece, one) for piece, one in mine if piece.first <= first and end <= piece.end]
        if over:
            yield _Part(takeover, epoch, first, end, tuple(piece for piece, _ in over), unlike=over[0][1])


def _still_gone(
    case: Case,
    takeover: Takeover,
    piece: Piece,
    *,
    unsure: bool,
) -> list[tuple[int, int]]:
    """The parts of a piece that no leader after a takeover brings back, and the last log does not hold.

    With `unsure` those of which this is not known, because a later leader's own log was not given.
    """
    first, end = piece.first, piece.end
    later = [(t.leader, case.led_from(t)) for t in case.control.tenures if leads_after(t, takeover.epoch)]
    if case.view.exact:
        # Who was elected and never led has brought nothing back. Of real logs it is not sure that he never
        # led.
        later = [(leader, place) for leader, place in later if place is not None]
    last = case.control.tenures[-1].leader
    if last != -1:
        later.append((last, case.end))
    led = next((tenure.leader for tenure in reversed(case.control.tenures) if tenure.leader != -1), -1)
    edges = {first, end}
    for replica in case.history.replicas.values():
        runs = replica.runs.at(case.view.cursors[takeover.place])
        edges.update(edge for run in runs for edge in (run.start, run.end))
    edges.update(cut.to for cuts in case.cuts.values() for cut in cuts)
    points = sorted(edge for edge in edges if first <= edge <= end)
    gone: list[tuple[int, int]] = []
    for begun, ended in pairwise(points):
        answers = {may_bring(case, takeover, broker, place, piece, begun) for broker, place in later}
        # Who leads again may have written another record under the same epoch and offset since.
        same = not (takeover.again and takeover.epoch == piece.epoch)
        if same and led != -1 and on_disk(case, led, piece, begun):
            continue
        if True not in answers and (None in answers) == unsure:
            gone.append((begun, ended))
    return joined(gone)


def losses(
    case: Case,
    cuts: tuple[Truncation, ...],
    marks: Marks,
    acknowledged: tuple[Acknowledged, ...],
    unlike: tuple[Divergence, ...],
) -> tuple[Loss, ...]:
    """The ledger, in order of time and offset."""
    found: list[_ExplainedLoss] = []
    takeovers = find_takeovers(case, cuts)
    parts = _lost_parts(case, takeovers, cuts)
    for part in _not_taken(case, [*parts, *_unlike_the_last_leader(case, takeovers, unlike, parts)]):
        anew = [one for one in takeovers if one.again and not one.idle and one.epoch == part.epoch]
        mark = _highest(case, marks, part, anew)
        answers = _answers_on(case, acknowledged, part, anew)
        committed_to = min(max(mark.value if mark is not None else part.first, part.first), part.end)
        points = {part.first, part.end, committed_to}
        points.update(point for point in _kept_below(part) if part.first < point < part.end)
        read = read_of(case, part.takeover, part.epoch, part.first, part.end)
        for one in (*((ack.first, ack.end) for ack in answers), *read):
            points.update(point for point in one if part.first < point < part.end)
        ordered = sorted(points)
        for first, end in pairwise(ordered):
            found.append(_loss(case, part, first, end, mark, answers))
    whole = [_explained(case, one) for one in _merged(found)]
    return tuple(sorted(whole, key=lambda loss: (loss.seq, loss.first_offset)))


def _kept_below(part: _Part) -> set[int]:
    """The offsets at which a replica cut records and below which it has others of the part to the end."""
    kept = {(piece.broker, piece.end) for piece in part.pieces if piece.cut is None}
    cut = {(piece.broker, piece.first) for piece in part.pieces if piece.cut is not None}
    return {offset for _, offset in kept & cut}


def _not_taken(case: Case, parts: list[_Part]) -> Iterator[_Part]:
    """The parts without what retention, or whoever deleted records, had taken before."""
    for part in parts:
        taken = taken_below(case, part.epoch, part.takeover.place)
        if taken < part.end:
            yield replace(part, first=max(part.first, taken))


def _answers_on(
    case: Case, acknowledged: tuple[Acknowledged, ...], part: _Part, anew: list[Takeover]
) -> tuple[Acknowledged, ...]:
    """The answers to producers that were on the records of a part.

    Where a leader came back in its epoch with a shorter log (`anew`), it wrote others at their offsets.
    """
    return tuple(
        ack
        for ack in acknowledged
        if part.sure and ack.epoch == part.epoch
        if not any(
            (one.end or 0) < ack.end and came_back_between(case, one, ack.seq, part.takeover, part.pieces)
            for one in anew
        )
    )


def _highest(case: Case, marks: Marks, part: _Part, anew: list[Takeover]) -> Watermark | None:
    """The highest watermark reached between the records' epoch and the takeover that lost them."""
    takeover = part.takeover
    if not part.sure:
        return None
    fitting = [
        _of_records(case, mark, part, anew)
        for mark in marks()
        if part.epoch <= mark.epoch < takeover.epoch
        or (takeover.again and mark.epoch == takeover.epoch and case.place_of(mark.seq) <= takeover.place)
    ]
    return max(fitting, key=lambda mark: mark.value, default=None)


def _of_records(case: Case, mark: Watermark, part: _Part, anew: list[Takeover]) -> Watermark:
    """A watermark as far as it is of these records: where its broker holds others it is of those.

    What was committed in a later epoch may be another branch; and a leader that comes back in its epoch with
    an empty disk writes other records of that epoch where older ones had been committed.
    """
    runs = case.runs(mark.broker, case.place_of(mark.seq))
    others = (run for run in runs if run.epoch not in (None, part.epoch))
    begins = [max(run.start, part.first) for run in others if run.start < part.end and run.end > part.first]
    begins += [
        one.end or 0 for one in anew if came_back_between(case, one, mark.seq, part.takeover, part.pieces)
    ]
    return replace(mark, value=min([mark.value, *begins]))


def _loss(
    case: Case,
    part: _Part,
    first: int,
    end: int,
    mark: Watermark | None,
    acknowledged: tuple[Acknowledged, ...],
) -> _ExplainedLoss:
    """One loss of a part, without its sentences."""
    ack = next((a for a in acknowledged if a.first <= first and end <= a.end), None)
    commit = shown(mark is not None and mark.value >= end, possible=mark is not None)
    told = shown(ack is not None, possible=bool(acknowledged) or case.view.exact)
    doubtful = part.unsure and not (commit is Shown.SHOWN and _lacks_at_the_end(case, part, first, end))
    loss_class = _class(case, commit, told, doubtful=doubtful)
    here = [p for p in part.pieces if p.first < end and p.end > first]
    cuts = [p.cut for p in here if p.cut is not None]
    deleted = {p.broker: p.deleted for p in here if p.deleted is not None}
    last = max(cuts, key=lambda cut: cut.seq, default=None)
    begun = case.view.seqs[(part.takeover.place if part.takeover.again else part.takeover.tenure.place) - 1]
    seq = int(last.seq if last is not None and last.seq > begun else begun)
    own = _own_cut(case, part, first)
    evidence = [*(last.evidence if last is not None else ()), *(own.evidence if own is not None else ())]
    evidence += [
        *part.takeover.tenure.evidence,
        *([mark.seq] if commit is Shown.SHOWN and mark else []),
    ]
    evidence += part.unlike.evidence if part.unlike is not None else ()
    evidence += deleted.values()
    evidence += [ack.seq] if loss_class is LossClass.ACKNOWLEDGED and ack is not None else []
    loss = Loss(
        seq=seq,
        first_offset=first,
        end_offset=end,
        epoch=part.epoch if part.sure else None,
        removed_from=tuple(sorted({*(cut.broker for cut in cuts), *deleted})),
        survives_on=_survivors(case, part, first) if part.sure else (),
        loss_class=loss_class,
        cause=_cause(case, part, first, own, loss_class),
        at=int(case.history.trace.columns["at"][seq]),
        message=_NOT_WRITTEN,
        severity=Severity.DANGER if doubtful else _severity(case, part, first, loss_class, own),
        evidence=tuple(dict.fromkeys(evidence)),
        commit=commit,
        acknowledgement=told,
        may_hold=leaders_that_may_hold(case, part.takeover) if doubtful else (),
        took_over=part.takeover.tenure.epoch,
        led_again=int(begun) if part.takeover.again else None,
        cut_seq=own.seq if own is not None else last.seq if last is not None else None,
        read=loss_class is LossClass.UNCOMMITTED
        and bool(read_of(case, part.takeover, part.epoch, first, end)),
        at_least=end == part.end and end_is_open(case, part.takeover, part.pieces, end),
    )
    return _ExplainedLoss(loss, part, own, mark)


def _class(case: Case, commit: Shown, told: Shown, *, doubtful: bool) -> LossClass:
    """How strong the promise was; `doubtful`: a later leader may hold the records, so no loss is claimed."""
    if doubtful:
        return LossClass.POSSIBLY_ACKNOWLEDGED
    if commit is Shown.SHOWN:
        return LossClass.COMMITTED
    if told is Shown.SHOWN:
        return LossClass.ACKNOWLEDGED
    return LossClass.UNCOMMITTED if case.view.exact else LossClass.POSSIBLY_ACKNOWLEDGED


def _lacks_at_the_end(case: Case, part: _Part, first: int, end: int) -> bool:
    """Whether the last leader surely lacks records at the end: its log is shorter, or holds others there.

    Then they are lost, whatever leaders before it held whose logs were not given.
    """
    leader = case.control.tenures[-1].leader
    own = case.roles.get(leader)
    again = part.takeover.again and part.takeover.epoch == part.epoch
    if again or own is None or own.first_own_line is None:
        return False
    ends_by = case.surely_ends_by(leader, case.end)
    reached = first
    for run in slice_runs(case.runs(leader, case.end), first, end):
        if run.start != reached or run.basis > Basis.DERIVED or run.epoch in (None, part.epoch):
            break
        reached = run.end
    return reached >= end or (ends_by is not None and ends_by <= reached)


def _explained(case: Case, found: _ExplainedLoss) -> Loss:
    """The loss with its sentences."""
    tenure, own, unlike = found.part.takeover.tenure, found.own, found.part.unlike is not None
    led = tenure.leader != NOBODY
    start = case.leo(tenure.leader, found.part.takeover.place).exact if led else None
    before = led_before(case, tenure)
    ended = before is not None and own is not None and before.place < case.place_of(own.seq)
    again = found.part.takeover.again or (ended and own is not None and own.rule == "recovery")
    if before is not None and tenure.basis is Basis.INFERRED:
        # The epoch rose while its leader stayed: no election began it.
        tenure = replace(tenure, election=Election.UNKNOWN)
    sentence = loss_sentence(case, found.loss, tenure, start, own, found.mark, unlike=unlike, again=again)
    return replace(found.loss, message=sentence)


def _own_cut(case: Case, part: _Part, first: int) -> Truncation | None:
    """The cut by which the new leader itself lost the records before it led, or may have.

    Where nobody leads, it is that of the last replica that had them.
    """
    place = part.takeover.place
    leader = part.takeover.tenure.leader
    cuts = [p.cut for p in part.pieces if leader in (p.broker, NOBODY) and p.cut is not None]
    fitting = [
        cut
        for cut in cuts
        if case.place_of(cut.seq) <= place
        and cut.to_offset <= first
        and (cut.from_offset is None or first < cut.from_offset or cut.basis is Basis.BOUNDED)
    ]
    return max(fitting, key=lambda cut: cut.seq, default=None)


def _survivors(case: Case, part: _Part, offset: int) -> tuple[int, ...]:
    """The replicas that hold a record of a part at the end.

    A leader that came back in its epoch may have written another record there: the pieces are known by name.
    Of real logs only who has taken no role since has none of those.
    """
    found: list[int] = []
    epoch = part.epoch
    anew = part.takeover.again and part.takeover.epoch == epoch
    if case.view.exact and anew:
        held = (one for one in part.pieces if one.cut is None and one.first <= offset < one.end)
        return tuple(sorted({one.broker for one in held}))
    for broker in case.history.replicas:
        if anew and took_a_role_after(case, broker, part.takeover.place):
            continue
        low = case.leo(broker, case.end).lo
        if low is not None and offset < low and epoch_at(case.runs(broker, case.end), offset) == epoch:
            found.append(broker)
    return tuple(sorted(found))


def _cause(case: Case, part: _Part, first: int, own: Truncation | None, loss_class: LossClass) -> str:
    """The name of the cause."""
    if part.unlike is not None and part.takeover.tenure.election is not Election.UNCLEAN:
        return "divergence"
    if part.takeover.tenure.leader == NOBODY:
        return "last-copy-gone"
    return cause_of(case, part.takeover, (part.epoch, first), own, loss_class)


def _severity(case: Case, part: _Part, first: int, loss_class: LossClass, own: Truncation | None) -> Severity:
    """LOSS for committed and acknowledged records.

    Else DANGER where they may have been committed, and NOTICE where not.
    """
    if loss_class in (LossClass.COMMITTED, LossClass.ACKNOWLEDGED):
        return Severity.LOSS
    if loss_class is LossClass.UNCOMMITTED or (
        part.sure and never_committed(case, part.takeover, part.epoch, first)
    ):
        return Severity.NOTICE
    doubtful = part.takeover.tenure.election in (Election.UNCLEAN, Election.UNKNOWN, Election.LAST_KNOWN)
    return Severity.DANGER if doubtful or own is not None else Severity.NOTICE


def _merged(found: list[_ExplainedLoss]) -> list[_ExplainedLoss]:
    """Neighbours that differ in nothing but their offsets become one."""
    whole: list[_ExplainedLoss] = []
    for one in sorted(found, key=lambda one: (one.loss.epoch or 0, one.loss.first_offset)):
        last = whole[-1] if whole else None
        if last is None or last.loss.end_offset != one.loss.first_offset or _kind(last) != _kind(one):
            whole.append(one)
            continue
        evidence = tuple(dict.fromkeys([*last.loss.evidence, *one.loss.evidence]))
        joined = replace(
            last.loss, end_offset=one.loss.end_offset, evidence=evidence, at_least=one.loss.at_least
        )
        whole[-1] = replace(last, loss=joined)
    return whole


def _kind(found: _ExplainedLoss) -> tuple[object, ...]:
    """What is the same of neighbours that are one loss."""
    loss = found.loss
    same = loss.epoch, loss.loss_class, loss.commit, loss.acknowledgement, loss.may_hold, loss.cause
    return *same, loss.seq, loss.removed_from, loss.survives_on, loss.read
