"""Life lines: what became of the records of each offset range, from the append to the last copy.

A line is of a run of offsets of one leader epoch in which every record had the same fate, so that a billion
records cost as much as a few.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.commitment import Acknowledged, Watermark
from core.diagnose.verdict.facts import Copy, Told, Truncation
from core.diagnose.verdict.holdings import Holding
from core.diagnose.verdict.ranges import joined
from core.diagnose.verdict.takeovers import Takeover, returns_of
from core.history.tenures import Tenure
from core.trace.ids import Place

ACKS_ALL: Final = -1
"""`acks=all`, as the trace has it."""


@dataclass(frozen=True, slots=True)
class BelowWatermark:
    """A replica that held the range is known to have had a high watermark of `hw`, at or above its end."""

    broker: int
    hw: int
    seq: int


@dataclass(frozen=True, slots=True)
class LifeLine:
    """Offsets [first_offset, end_offset) of one epoch: one fate.

    `appended_by` is the leader of the epoch, None where no row names it. `copies` are in the order in which
    replicas came to hold the range, and say until when they did and by which rule it went. `below` has the
    first high watermark of each replica that is known to have passed the whole range: to consumers of such a
    leader the records were visible, and acks=all was answered. `acknowledged` are rows of answers to
    producers (simulation). `held_by` have it at the end of the trace; `gone` is the Seq of the row that took
    the last copy, None while there is one.
    """

    epoch: int | None
    first_offset: int
    end_offset: int
    appended_by: int | None
    copies: tuple[Copy, ...]
    below: tuple[BelowWatermark, ...]
    acknowledged: tuple[int, ...]
    told: Told
    held_by: tuple[int, ...]
    gone: int | None
    evidence: tuple[int, ...]


def life_lines(
    case: Case,
    held: Sequence[Holding],
    cuts: Sequence[Truncation],
    marks: Sequence[Watermark],
    acks: Sequence[Acknowledged],
) -> tuple[LifeLine, ...]:
    """The life lines of a partition, by epoch and offset, of what is proven to have been in a log."""
    returns = returns_by_epoch(case, {one.epoch for one in held})
    by_epoch: dict[tuple[int | None, int], list[Holding]] = defaultdict(list)
    for one in held:
        for part, number in by_writing(case, one, returns.get(one.epoch, ())):
            by_epoch[one.epoch, number].append(part)
    lines: list[LifeLine] = []
    for key in sorted(by_epoch, key=lambda one: (-1 if one[0] is None else one[0], one[1])):
        epoch, mine = key[0], by_epoch[key]
        fitting = [mark for mark in marks if _was_of(case, mark, mine, epoch)]
        answers = [ack for ack in acks if ack.epoch == epoch]
        for first, end in _parts(mine, fitting, answers):
            there = [one for one in mine if one.first < end and first < one.end]
            if there:
                # The leader that passed a watermark on may hold others at these offsets than further down.
                these = [mark for mark in fitting if _was_of(case, mark, there, epoch)]
                lines.append(_line(case, (epoch, first, end), there, cuts, these, answers))
    return tuple(lines)


def returns_by_epoch(case: Case, epochs: Collection[int | None]) -> dict[int | None, list[Takeover]]:
    """By epoch the times at which its leader led in it again, as logs tell of them.

    A simulation names each record.
    """
    tenures = () if case.view.exact else case.control.tenures
    return {
        one.epoch: returns_of(case, one, one.epoch, begun)
        for one in tenures
        if one.epoch is not None and one.epoch in epochs and (begun := case.led_from(one)) is not None
    }


def by_writing(case: Case, one: Holding, returns: Sequence[Takeover]) -> list[tuple[Holding, int]]:
    """A holding, divided where a leader came back with a shorter log; each part with how often it had.

    What the leader wrote in its epoch since then are others than the records that had been there.
    """
    parts: list[Holding] = []
    for back in returns:
        end, cursor = back.end or 0, int(case.view.cursors[back.place])
        ended = case.surely_ends_by(one.broker, back.place)
        there = one.until is None or one.until > cursor
        if one.first < end < one.end and there and ended is not None and ended <= end:
            parts.append(replace(one, end=end))
            one = replace(one, first=end, since=max(one.since, cursor))
    return [(part, _returned_before(case, part, returns)) for part in (*parts, one)]


def _returned_before(case: Case, one: Holding, returns: Sequence[Takeover]) -> int:
    """How often the leader had come back, with a log that ended before, when records were written."""
    came = case.history.rank(one.since)
    return sum(1 for back in returns if back.place <= came and (back.end or 0) <= one.first)


def _parts(
    mine: Sequence[Holding], marks: Sequence[Watermark], acks: Sequence[Acknowledged]
) -> list[tuple[int, int]]:
    """The ranges between all offsets at which copies, watermarks or answers begin or end."""
    edges = {edge for one in mine for edge in (one.first, one.end)}
    low, high = min(edges), max(edges)
    stated = [max((mark.value for mark in marks if _held_below(one, mark)), default=low) for one in mine]
    for first, end in joined([(ack.first, ack.end) for ack in acks]):
        stated += [first, end]
    edges.update(edge for edge in stated if low < edge < high)
    return list(pairwise(sorted(edges)))


def _was_of(case: Case, mark: Watermark, mine: Sequence[Holding], epoch: int | None) -> bool:
    """Whether a watermark was of a replica that held records of this epoch below it then.

    A watermark of a later epoch commits what the leader of that epoch holds: on a follower whose log differs
    it is above records that were never committed.
    """
    if epoch is None or mark.epoch < epoch:
        return False
    tenure = _tenure_of(case, mark.epoch)
    leader = mark.broker if tenure is None or mark.epoch == epoch else tenure.leader
    return all(
        any(_held_below(one, mark) for one in mine if one.broker == who) for who in (mark.broker, leader)
    )


def _held_below(one: Holding, mark: Watermark) -> bool:
    """Whether a holding was there, with records below a watermark, when that was reached."""
    there = one.since <= mark.seq + 1 and (one.until is None or mark.seq < one.until)
    return one.first < mark.value and there


def _line(
    case: Case,
    what: tuple[int | None, int, int],
    there: Sequence[Holding],
    cuts: Sequence[Truncation],
    marks: Sequence[Watermark],
    acks: Sequence[Acknowledged],
) -> LifeLine:
    """The life line of one range."""
    epoch, first, end = what
    copies = tuple(copy_of(case, one, cuts) for one in sorted(there, key=lambda one: one.since))
    below = _below(there, marks, end)
    answered = [ack for ack in acks if ack.first < end and first < ack.end]
    ends = [one.until for one in there if one.until is not None]
    held_by = tuple(sorted({one.broker for one in there if one.until is None}))
    tenure = _tenure_of(case, epoch)
    rows = [
        *(tenure.evidence if tenure is not None else ()),
        *(copy.seq for copy in copies),
        *(b.seq for b in below),
    ]
    return LifeLine(
        epoch=epoch,
        first_offset=first,
        end_offset=end,
        appended_by=None if tenure is None or tenure.leader == -1 else tenure.leader,
        copies=copies,
        below=below,
        acknowledged=tuple(dict.fromkeys(ack.seq for ack in answered)),
        told=told_of(case, committed=bool(below), never=_never(case, there, first), answers=answered),
        held_by=held_by,
        gone=None if held_by or not ends else max(ends) - 1,
        evidence=tuple(dict.fromkeys(seq for seq in rows if seq is not None)),
    )


def _tenure_of(case: Case, epoch: int | None) -> Tenure | None:
    """The tenure with an epoch, or None."""
    number = None if epoch is None else case.control.tenure_number(epoch)
    return None if number is None else case.control.tenures[number]


def copy_of(case: Case, one: Holding, cuts: Sequence[Truncation]) -> Copy:
    """A holding as the verdict lists it: times instead of cursors, and the rule by which it went."""
    at = case.history.trace.columns["at"]

    def moment(cursor: int | None) -> int | None:
        """The time of the last event before a cursor, in ns; None for the beginning."""
        return int(at[cursor - 1]) if cursor else None

    seq = one.seq
    cut = next((cut for cut in cuts if cut.seq == seq and cut.broker == one.broker), None)
    return Copy(
        broker=one.broker,
        first_offset=one.first,
        end_offset=one.end,
        since=moment(one.since),
        whole=moment(one.whole),
        until=moment(one.until),
        removed_by=cut.rule if cut is not None else _removed_by(case, seq),
        seq=seq,
    )


_REMOVERS: Final = {
    "log_start_moved": "retention",
    "log_deleted": "deleted",
    "log_created": "new-log",
    "log_loaded": "recovery",
    "log_reset": "reset",
}


def _removed_by(case: Case, seq: int | None) -> str | None:
    """What removed records without a truncation; None for nothing, "unknown" where no row states it."""
    if seq is None:
        return None
    return _REMOVERS.get(case.history.trace.event(seq).kind, "unknown")


def _below(there: Sequence[Holding], marks: Sequence[Watermark], end: int) -> tuple[BelowWatermark, ...]:
    """The first high watermark of each holder that passed the whole range."""
    found: dict[int, BelowWatermark] = {}
    for mark in sorted(marks, key=lambda one: one.seq):
        holds = any(
            one.broker == mark.broker
            and one.since <= mark.seq + 1
            and (one.until is None or mark.seq < one.until)
            for one in there
        )
        if holds and mark.value >= end:
            found.setdefault(mark.broker, BelowWatermark(mark.broker, mark.value, mark.seq))
    return tuple(found.values())


def _never(case: Case, there: Sequence[Holding], first: int) -> bool:
    """Whether no high watermark can have passed `first` while a replica held it.

    In real logs only where every replica is known to have held the records.
    """
    for one in there:
        place = Place(case.history.rank(one.since))
        last = case.end if one.until is None else Place(case.history.rank(one.until) - 1)
        high = case.highest_hw(one.broker, place, last)
        if high is None or high > first:
            return False
    return case.view.exact or len(there) == len(case.history.replicas)


def told_of(case: Case, *, committed: bool, never: bool, answers: Sequence[Acknowledged]) -> Told:
    """What producers were told of a range that a leader had in its log.

    acks=0 is never answered. acks=1 is answered when the leader has appended: surely where a row states it,
    else possibly, as the answer may not have left. acks=all is answered when the high watermark has passed.
    """
    acks = {case.history.trace.event(ack.seq).get("aux") for ack in answers}
    every = "yes" if committed or ACKS_ALL in acks else "no" if never else "possibly"
    return Told(acks_0="nothing", acks_1="yes" if acks or committed else "possibly", acks_all=every)
