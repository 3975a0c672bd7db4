"""From losses to their details: the copies, what producers were told, and what can be saved."""

from collections.abc import Sequence
from dataclasses import replace

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.commitment import Acknowledged
from core.diagnose.verdict.facts import Collect, Copy, Loss, LossClass, Severity, Shown, Truncation
from core.diagnose.verdict.holdings import Holding
from core.diagnose.verdict.life_lines import ACKS_ALL, by_writing, copy_of, returns_by_epoch, told_of
from core.diagnose.verdict.made import who
from core.message import Offsets, message


def with_details(
    case: Case,
    losses: Sequence[Loss],
    held: Sequence[Holding],
    cuts: Sequence[Truncation],
    acks: Sequence[Acknowledged],
) -> tuple[Loss, ...]:
    """The losses, each with its copies, what producers were told, and what can be saved."""
    anew = {loss.epoch for loss in losses if loss.took_over == loss.epoch}
    returns = returns_by_epoch(case, anew) if anew else {}
    found: list[Loss] = []
    for loss in losses:
        back = returns.get(loss.epoch, ()) if loss.took_over == loss.epoch else ()
        # What the leader wrote at these offsets after it had come back for the last time, nobody has lost.
        parts = (part for one in held if one.epoch == loss.epoch for part in by_writing(case, one, back))
        these = [one for one, number in parts if not back or number < len(back)]
        found.append(_detailed(case, loss, these, cuts, acks))
    return tuple(found)


def _detailed(
    case: Case,
    loss: Loss,
    held: Sequence[Holding],
    cuts: Sequence[Truncation],
    acks: Sequence[Acknowledged],
) -> Loss:
    """One loss with its details."""
    copies = [
        _clipped(copy_of(case, one, cuts), loss)
        for one in held
        if one.epoch == loss.epoch and one.first < loss.end_offset and loss.first_offset < one.end
    ]
    answers = [
        ack
        for ack in acks
        if ack.epoch == loss.epoch and ack.first < loss.end_offset and loss.first_offset < ack.end
        # Of none an answer was on these: it was on what a leader that came back wrote at their offsets.
        if loss.loss_class is not LossClass.UNCOMMITTED
    ]
    committed = loss.commit is Shown.SHOWN
    never = loss.loss_class is LossClass.UNCOMMITTED or (
        loss.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED and loss.severity is Severity.NOTICE
    )
    if loss.loss_class is LossClass.ACKNOWLEDGED:
        every = any(case.history.trace.event(ack.seq).get("aux") == ACKS_ALL for ack in answers)
        never = not every and case.view.exact
    return replace(
        loss,
        copies=tuple(sorted(copies, key=lambda copy: (copy.until is None, copy.until or 0, copy.broker))),
        told=told_of(case, committed=committed, never=never, answers=answers),
        collect=tuple(
            _collect(case, copy)
            for copy in sorted(copies, key=lambda copy: (copy.broker, copy.first_offset))
            if copy.until is None
        ),
    )


def _clipped(copy: Copy, loss: Loss) -> Copy:
    """The part of a copy that was lost."""
    return replace(
        copy,
        first_offset=max(copy.first_offset, loss.first_offset),
        end_offset=min(copy.end_offset, loss.end_offset),
    )


def _collect(case: Case, copy: Copy) -> Collect:
    """Where lost records still are, and what would remove them."""
    broker, offsets = who(case, copy.broker), Offsets(copy.first_offset, copy.end_offset)
    folder = str(case.history.trace.partitions[case.history.partition].tp)
    seen = _last_row_of(case, copy.broker)
    leads = case.history.leader.at(len(case.history.trace)) == copy.broker
    return Collect(
        broker=copy.broker,
        first_offset=copy.first_offset,
        end_offset=copy.end_offset,
        seen=None if seen is None else int(case.history.trace.columns["at"][seen]),
        message=message("collect.from-leader", who=broker, offsets=offsets, folder=folder)
        if leads
        else message("collect.from-follower", who=broker, offsets=offsets, folder=folder),
        evidence=() if seen is None else (seen,),
    )


def _last_row_of(case: Case, broker: int) -> int | None:
    """The last row about a replica's own log or process."""
    for row in reversed(case.view.rows):
        if row.replica == broker:
            return row.seq
    return None
