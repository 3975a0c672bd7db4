"""From life lines to sentences: what became of each range of records, and where replicas differ."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, LiteralString

from core.diagnose.narrate.values import is_simulated, when
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.divergence_map import Content, Region
from core.diagnose.verdict.facts import Copy, Loss
from core.diagnose.verdict.life_lines import LifeLine
from core.diagnose.verdict.made import number_value, who
from core.message import Count, Message, Offsets, Value, message
from core.trace.vocabulary import Basis

_MANY: Final = 40
"""More sentences than that are counted, not told: JSON has all."""
_NOT_SHOWN: Final[Mapping[str, Message]] = {
    "yes": message("story.life.not-shown.yes"),
    "no": message("story.life.not-shown.no"),
    "possibly": message("story.life.not-shown.possibly"),
}
"""By what a producer with acks=all was told."""
_HOW: Final[Mapping[str, Message]] = {
    "high-watermark": message("story.life.how.high-watermark"),
    "leader-epoch": message("story.life.how.leader-epoch"),
    "diverging-epoch": message("story.life.how.diverging-epoch"),
    "leader-end": message("story.life.how.leader-end"),
    "recovery": message("story.life.how.recovery"),
    "reset": message("story.life.how.reset"),
    "retention": message("story.life.how.retention"),
    "deleted": message("story.life.how.deleted"),
    "new-log": message("story.life.how.new-log"),
    "unknown": message("story.life.how.unknown"),
}
"""By what removed a copy: in brackets after the time."""
_DIFFERENT: Final[Mapping[tuple[bool, bool], LiteralString]] = {
    (False, False): "story.contents.different",
    (False, True): "story.contents.different.known-by",
    (True, False): "story.contents.different.same-epoch",
    (True, True): "story.contents.different.same-epoch.known-by",
}
"""By whether both are of one epoch, and whether there is to say how that is known."""


def life_sentences(case: Case, lines: Sequence[LifeLine], loss: Loss | None) -> Iterable[Message]:
    """One sentence a range: who appended it, whether it was committed, where it is and where it was removed.

    Offsets whose epoch is not known yet have no line of their own: once it is, they are in that one's.
    """
    named = [line for line in lines if line.epoch is not None]
    told = _joined(case, (line for line in named if loss is None or _overlaps(line, loss)))
    yield from told[:_MANY]
    if len(told) > _MANY:
        yield message("story.more", count=Count(len(told) - _MANY))


def _joined(case: Case, lines: Iterable[LifeLine]) -> list[Message]:
    """The sentence of each range; neighbours of which the same is said are one."""
    found: list[Message] = []
    first = end = None
    for line in lines:
        one = _of(case, line)
        said = [value for value in one.values if value[0] != "what"]
        if found and end == line.first_offset and first is not None:
            last = found[-1]
            if (last.id, [value for value in last.values if value[0] != "what"]) == (one.id, said):
                evidence = tuple(dict.fromkeys((*last.evidence, *one.evidence)))
                whole = (("what", Offsets(first, line.end_offset)), *said)
                found[-1], end = Message(one.id, whole, evidence), line.end_offset
                continue
        found.append(one)
        first, end = line.first_offset, line.end_offset
    return found


def _overlaps(line: LifeLine, loss: Loss) -> bool:
    """Whether a life line has records of a loss."""
    within = line.first_offset < loss.end_offset and loss.first_offset < line.end_offset
    return line.epoch == loss.epoch and within


def _of(case: Case, line: LifeLine) -> Message:
    """The sentence of one range."""
    what, epoch = Offsets(line.first_offset, line.end_offset), number_value(line.epoch)
    by = None if line.appended_by is None else who(case, line.appended_by)
    committed, left, gone = _committed(case, line), _left(case, line), _gone(case, line)
    seqs = line.evidence
    if gone is None:
        if by is None:
            return message(
                "story.life", evidence=seqs, what=what, epoch=epoch, committed=committed, left=left
            )
        return message(
            "story.life.by", evidence=seqs, what=what, epoch=epoch, by=by, committed=committed, left=left
        )
    if by is None:
        return message(
            "story.life.removed",
            evidence=seqs,
            what=what,
            epoch=epoch,
            committed=committed,
            left=left,
            gone=gone,
        )
    return message(
        "story.life.by.removed",
        evidence=seqs,
        what=what,
        epoch=epoch,
        by=by,
        committed=committed,
        left=left,
        gone=gone,
    )


def _committed(case: Case, line: LifeLine) -> Message:
    """Whether the records were committed, as a part of the sentence."""
    if not line.below:
        return _NOT_SHOWN[line.told.acks_all]
    best = line.below[0]
    return message("story.life.committed", who=who(case, best.broker), hw=best.hw)


def _left(case: Case, line: LifeLine) -> Message:
    """Which replicas still hold the records, as a part of the sentence."""
    if not line.held_by:
        return message("story.life.nobody")
    return message("story.life.held", count=Count(len(line.held_by)), who=who(case, *line.held_by))


def _gone(case: Case, line: LifeLine) -> Message | None:
    """Which replicas lost the records, one after the other; None for none."""
    joined: Message | None = None
    for copy in line.copies:
        if copy.until is not None:
            one = _lost(case, copy, copy.until)
            joined = one if joined is None else message("story.life.lost.more", head=joined, last=one)
    return joined


def _lost(case: Case, copy: Copy, at: int) -> Message:
    """When and how one replica lost the records."""
    how = copy.removed_by or "unknown"
    return message("story.life.lost", who=who(case, copy.broker), at=when(case, at), how=_HOW[how])


def content_sentences(case: Case, regions: Sequence[Region]) -> Iterable[Message]:
    """Each range of offsets at which two replicas differed, for how long, and how that is known."""
    unlike = [one for one in regions if one.content is Content.DIFFERENT]
    unknown = [one for one in regions if one.content is Content.UNKNOWN]
    equal = [one for one in regions if one.content is Content.EQUAL]
    for region in unlike[:_MANY]:
        yield _unlike(case, region)
    for pair, group in groupby(unknown, key=lambda one: one.brokers):
        mine = list(group)
        first, end = min(one.first_offset for one in mine), max(one.end_offset for one in mine)
        yield message("story.contents.unknown", who=who(case, *pair), what=Offsets(first, end))
    if len(unlike) > _MANY:
        yield message("story.more", count=Count(len(unlike) - _MANY))
    if equal:
        yield _equal(_basis(case, max(one.basis for one in equal)), every=not unlike and not unknown)


def _equal(basis: Message | None, *, every: bool) -> Message:
    """The sentence that replicas hold the same, at all offsets or at all others, and how that is known."""
    if basis is None:
        return message("story.contents.all-equal") if every else message("story.contents.equal")
    if every:
        return message("story.contents.all-equal.known-by", basis=basis)
    return message("story.contents.equal.known-by", basis=basis)


def _unlike(case: Case, region: Region) -> Message:
    """The sentence of a range at which two replicas differ."""
    one, other = (number_value(epoch) for epoch in region.epochs)
    basis = _basis(case, region.basis)
    values: dict[str, Value] = {
        "who": who(case, *region.brokers),
        "what": Offsets(region.first_offset, region.end_offset),
        "one": one,
        "time": _time(case, region),
    }
    if one != other:
        values["other"] = other
    if basis is not None:
        values["basis"] = basis
    return Message(_DIFFERENT[one == other, basis is not None], tuple(values.items()), region.seqs)


def _time(case: Case, region: Region) -> Message:
    """How long two replicas differed."""
    if region.until is None:
        if region.since is None:
            return message("story.time.to-the-end")
        return message("story.time.from-to-the-end", since=when(case, region.since))
    until = when(case, region.until)
    if region.since is None:
        return message("story.time.until", until=until)
    return message("story.time.from-until", since=when(case, region.since), until=until)


def _basis(case: Case, basis: Basis) -> Message | None:
    """How it is known; nothing in a simulation."""
    if is_simulated(case):
        return None
    if basis is Basis.OBSERVED:
        return message("story.basis.headers")
    return message("story.basis.epochs")
