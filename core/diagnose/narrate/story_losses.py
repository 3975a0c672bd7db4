"""From losses to the head of a story, its ledger, and what would have prevented them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from core.diagnose.narrate.rules import switches_set
from core.diagnose.narrate.story_words import (
    CAUSES,
    CLASSES,
    PREVENTED_AS_RELEASED,
    PREVENTED_FROM,
    PREVENTION,
)
from core.diagnose.narrate.values import is_simulated, when
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.counted import each_once, is_compacted
from core.diagnose.verdict.facts import Loss, LossClass, PartitionVerdict, Severity, Shown
from core.diagnose.verdict.life_lines import LifeLine
from core.diagnose.verdict.made import number_value, who
from core.history.running import releases_of
from core.message import (
    AtLeast,
    Count,
    Listing,
    Message,
    Moment,
    Offsets,
    Sentences,
    Value,
    how_many,
    message,
)
from core.trace.times import day, zone_words

_STRONG: Final = (LossClass.COMMITTED, LossClass.ACKNOWLEDGED)
_TAKEN: Final = frozenset({"retention", "deleted", "reset", None})
"""What removes records that need not be kept, or that the leader has no more."""
_TOLD: Final[Mapping[str, Message]] = {
    "yes": message("story.acks.yes"),
    "no": message("story.acks.no"),
    "possibly": message("story.acks.possibly"),
    "nothing": message("story.acks.nothing"),
}
"""What a producer was told."""


def summary(
    case: Case,
    verdict: PartitionVerdict,
    losses: tuple[Loss, ...],
    lives: Sequence[LifeLine],
    *,
    whole: bool,
) -> Iterable[Message]:
    """What the story is of, and its outcome in one or two sentences."""
    yield _about(case, verdict)
    parts = each_once(losses)
    losses = tuple(
        replace(one.loss, first_offset=one.first_offset, end_offset=one.end_offset, at_least=one.at_least)
        for one in parts
    )
    strong = [one for one in losses if one.loss_class in _STRONG]
    doubtful = [one for one in losses if one.loss_class not in _STRONG and one.severity is Severity.DANGER]
    possible = [one for one in doubtful if not one.may_hold]
    kept = [one for one in doubtful if one.may_hold]
    tail = [
        one for one in losses if one.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED and one not in doubtful
    ]
    never = [one for one in losses if one.loss_class is LossClass.UNCOMMITTED and one not in doubtful]
    if strong:
        yield _lost(case, verdict, strong)
    without = _without_copy(case, verdict, lives) if whole else []
    if without:
        yield message("story.lost.no-copy", count=_count(without), ranges=_ranges(without))
    if whole and not strong and not doubtful and not without:
        yield message("story.lost.nothing")
    if possible:
        yield message("story.lost.possible", count=_count(possible), ranges=_ranges(possible))
    if kept:
        brokers = sorted({broker for one in kept for broker in one.may_hold})
        yield message(
            "story.lost.may-be-held", count=_count(kept), ranges=_ranges(kept), who=who(case, *brokers)
        )
    if tail:
        yield message("story.lost.tail", count=_count(tail), ranges=_ranges(tail))
    unread, read = ([one for one in never if one.read is was] for was in (False, True))
    if unread:
        yield message("story.lost.never", count=_count(unread), ranges=_ranges(unread))
    if read:
        yield message("story.lost.never.read", count=_count(read), ranges=_ranges(read))
    if whole and verdict.divergences:
        yield message("story.diverged")


def _lost(case: Case, verdict: PartitionVerdict, losses: list[Loss]) -> Message:
    """What was promised and is gone, with all its causes; of a compacted topic its offsets."""
    count, ranges = _count(losses), _ranges(losses)
    known = dict.fromkeys((*(one.cause for one in losses), *_before(verdict)))
    causes = tuple(CAUSES[one] for one in known if one in CAUSES)
    if is_compacted(case.history.trace, case.view.partition):
        return message("story.lost.offsets", count=count, ranges=ranges, cause=Sentences(causes))
    if not causes:
        return message("story.lost.unknown-cause", count=count, ranges=ranges)
    return message("story.lost", count=count, ranges=ranges, cause=Sentences(causes))


def _about(case: Case, verdict: PartitionVerdict) -> Message:
    """The first sentence: partition, replicas, release and time."""
    trace = case.history.trace
    rows = case.view.rows
    first, last = (rows[0].at, rows[-1].at) if rows else (0, 0)
    replicas = tuple(one.broker for one in verdict.final)
    partition, brokers = str(trace.partitions[case.view.partition].tp), who(case, *replicas)
    start, end = when(case, first), when(case, last)
    if is_simulated(case):
        release = ", ".join(releases_of(trace, brokers=replicas)) or trace.facts.get("release", "")
        if not release:
            return message(
                "story.about.simulated.unknown-release",
                partition=partition,
                who=brokers,
                first=start,
                last=end,
            )
        return message(
            "story.about.simulated",
            partition=partition,
            who=brokers,
            release=release,
            first=start,
            last=end,
        )
    date, zone = day(first), zone_words(last)
    start = Moment(first)  # Its date stands before it.
    versions = releases_of(trace, brokers=replicas)
    if not versions:
        return message(
            "story.about.unknown-release",
            partition=partition,
            who=brokers,
            day=date,
            first=start,
            last=end,
            zone=zone,
        )
    return message(
        "story.about",
        partition=partition,
        who=brokers,
        release=Listing(versions),
        day=date,
        first=start,
        last=end,
        zone=zone,
    )


def _without_copy(case: Case, verdict: PartitionVerdict, lives: Sequence[LifeLine]) -> list[LifeLine]:
    """In a simulation, what had been promised, was cut from all logs, and is not in the ledger.

    That has losses from when a leader takes over without them.
    """
    return [
        line
        for line in lives
        if case.view.exact and not line.held_by and (line.below or line.acknowledged)
        if all(copy.removed_by not in _TAKEN for copy in line.copies)
        if not any(
            one.epoch == line.epoch
            and one.first_offset < line.end_offset
            and line.first_offset < one.end_offset
            for one in verdict.losses
        )
    ]


def _count(losses: Sequence[Loss | LifeLine]) -> Count | AtLeast:
    """How many records losses have."""
    at_least = any(isinstance(one, Loss) and one.at_least for one in losses)
    return how_many(sum(one.end_offset - one.first_offset for one in losses), at_least=at_least)


def _ranges(losses: Sequence[Loss | LifeLine]) -> Value:
    """The offsets of losses, neighbours joined, as a value."""
    ranges: list[tuple[int, int]] = []
    for first, end in sorted((one.first_offset, one.end_offset) for one in losses):
        if ranges and ranges[-1][1] == first:
            ranges[-1] = ranges[-1][0], end
        else:
            ranges.append((first, end))
    return Listing(tuple(Offsets(*one) for one in ranges))


def loss_sentences(case: Case, losses: tuple[Loss, ...]) -> Iterable[Message]:
    """The ledger: what, which promise, why, how we know, and where the last copy is."""
    for place, loss in enumerate(losses, start=1):
        yield _entry(place, loss)
        yield message("story.entry.how", text=loss.message)
        if loss.told is not None:
            yield message(
                "story.entry.acks", acks_1=_TOLD[loss.told.acks_1], acks_all=_TOLD[loss.told.acks_all]
            )
        if loss.survives_on:
            yield message("story.entry.left", who=who(case, *loss.survives_on))
        else:
            yield message("story.entry.gone")


def _promise(loss: Loss) -> Message:
    """What had been promised, by the ledger's own evidence."""
    if loss.commit is Shown.SHOWN:
        return CLASSES["committed"]
    return CLASSES["uncommitted-read" if loss.read else loss.loss_class.value]


def _entry(place: int, loss: Loss) -> Message:
    """The sentence of one entry of the ledger."""
    what = Offsets(loss.first_offset, loss.end_offset)
    count, epoch = loss.amount, number_value(loss.epoch)
    promise, cause = _promise(loss), CAUSES.get(loss.cause)
    if cause is None:
        return message(
            "story.entry.unknown-cause",
            evidence=loss.evidence,
            number=place,
            count=count,
            epoch=epoch,
            what=what,
            cls=promise,
        )
    return message(
        "story.entry",
        evidence=loss.evidence,
        number=place,
        count=count,
        epoch=epoch,
        what=what,
        cls=promise,
        cause=cause,
    )


def divergence_sentences(case: Case, verdict: PartitionVerdict) -> Iterable[Message]:
    """Where two replicas differ at the end."""
    for one in verdict.divergences:
        what = Offsets(one.first_offset, one.end_offset)
        yield message("story.unlike", evidence=one.evidence, who=who(case, *one.brokers), what=what)


def _before(verdict: PartitionVerdict) -> tuple[str, ...]:
    """What comes before a divergence: a replica cut committed records to its own high watermark, and led."""
    led = {term.leader for term in verdict.leadership}
    cut = any(
        one.rule == "high-watermark" and one.below_high_watermark is True and one.broker in led
        for one in verdict.truncations
    )
    return ("high-watermark-truncation",) if cut and verdict.divergences else ()


def prevention(case: Case, verdict: PartitionVerdict, losses: tuple[Loss, ...]) -> Iterable[Message]:
    """The setting or release for each cause, once, the worst first.

    A release is no advice to brokers that all run it or a later one, nor to a run with switches set by hand.
    """
    releases = [numbers for numbers in case.view.versions.values() if numbers]
    by_hand = switches_set(case)
    order = sorted(losses, key=lambda one: (list(Severity).index(one.severity), one.seq))
    causes = dict.fromkeys(one.cause for one in order if one.loss_class is not LossClass.UNCOMMITTED)
    for cause in _before(verdict):
        causes.setdefault(cause)
    if verdict.divergences:
        causes.setdefault("divergence")
    for cause in causes:
        since = (PREVENTED_AS_RELEASED if by_hand else PREVENTED_FROM).get(cause)
        if by_hand and since is not None and min(releases, default=()) >= since:
            yield message("story.prevention.set-by-hand", switches=Listing(by_hand))
        elif since is not None and releases and min(releases) >= since:
            yield message("story.prevention.release-has-it")
        elif cause in PREVENTION:
            yield PREVENTION[cause]
