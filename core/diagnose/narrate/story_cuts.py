"""From cuts to sentences: each with its rule, its release, and what other releases would have done."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final

from core.diagnose.narrate.rules import switches_set
from core.diagnose.narrate.story_words import RULES
from core.diagnose.narrate.values import when
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import LossClass, PartitionVerdict, Truncation, XRay
from core.diagnose.verdict.made import who
from core.history.running import releases_of
from core.kafka.protocols import era_of_release
from core.message import Listing, Message, Value, message

_WHY: Final[Mapping[str, Message]] = {
    "high-watermark": message("story.cut.why.high-watermark"),
    "leader-epoch": message("story.cut.why.leader-epoch"),
    "diverging-epoch": message("story.cut.why.diverging-epoch"),
    "leader-end": message("story.cut.why.leader-end"),
    "reset": message("story.cut.why.reset"),
    "recovery": message("story.cut.why.recovery"),
    "unknown": message("story.cut.why.unknown"),
}
_OF_QUORUM: Final = message("story.rule.quorum")
_BELOW: Final[Mapping[bool | None, Message]] = {
    True: message("story.cut.committed.some"),
    False: message("story.cut.committed.nothing"),
    None: message("story.cut.committed.unknown"),
}


def cut_sentences(case: Case, verdict: PartitionVerdict, window: tuple[int, int] | None) -> Iterable[Message]:
    """Two sentences a cut at most, each rule once, and whether the rule of the run was set by hand."""
    rays = {ray.seq: ray for ray in verdict.x_rays}
    told: set[str] = set()
    for cut in verdict.truncations:
        if window is not None and not window[0] <= cut.at <= window[1]:
            continue
        rule = cut.rule
        yield message(
            "story.cut",
            evidence=cut.evidence,
            at=when(case, cut.at),
            who=who(case, cut.broker),
            to=cut.to_offset,
            why=_WHY[rule],
            below=_below(verdict, cut),
        )
        if rule not in told:
            told.add(rule)
            yield _OF_QUORUM if case.view.of_quorum and rule == "diverging-epoch" else RULES[rule]
        others = _others(rays.get(cut.seq), _eras_at(case, cut.at))
        if others is not None:
            yield others
    by_hand = tuple(one for one in switches_set(case) if one.startswith("truncation="))
    if told and by_hand and not case.view.of_quorum:
        yield message("story.rule.set", switches=Listing(by_hand))


def _below(verdict: PartitionVerdict, cut: Truncation) -> Message:
    """Whether some of what went had been committed; where the log ended before the leader's begins, that."""
    if cut.rule == "reset" and cut.from_offset is not None and cut.from_offset <= cut.to_offset:
        return message("story.cut.committed.below-start")
    return _BELOW[_committed(verdict, cut)]


def _committed(verdict: PartitionVerdict, cut: Truncation) -> bool | None:
    """Whether some of what went had been committed: by the cut itself, else by the ledger.

    What the ledger has at these offsets may be of another epoch.
    """
    if cut.below_high_watermark is not None:
        return cut.below_high_watermark
    end = cut.to_offset + (cut.records or 0)
    lost = any(
        loss.loss_class is LossClass.COMMITTED
        and cut.broker in loss.removed_from
        and loss.first_offset < end
        and loss.end_offset > cut.to_offset
        for loss in verdict.losses
    )
    return True if lost else None


def _eras_at(case: Case, at: int) -> frozenset[str]:
    """The eras of the releases that brokers ran at a time, whatever their protocol."""
    eras = map(era_of_release, releases_of(case.history.trace, at))
    return frozenset(one.id for one in eras if one is not None)


def _others(ray: XRay | None, own: frozenset[str]) -> Message | None:
    """Runs of eras with the same outcome; nothing where all agree or one is not known.

    Nor where the own release is found to end the broker: it went on, as its leader wrote more meanwhile.
    """
    if ray is None or any(
        one.leo_lo is None or one.leo_lo != one.leo_hi or one.exits is None for one in ray.outcomes
    ):
        return None
    if any(one.exits and one.era in own for one in ray.outcomes):
        return None
    runs: list[Message] = []
    for end, group in groupby(ray.outcomes, key=lambda one: None if one.exits else one.leo_lo):
        span = _span([one.era for one in group])
        runs.append(
            message("story.cut.release.exits", span=span)
            if end is None
            else message("story.cut.release.end", span=span, end=end)
        )
    if len(runs) < 2:
        return None
    joined = runs[0]
    for one in runs[1:]:
        joined = message("story.cut.releases.more", head=joined, last=one)
    return message("story.cut.releases", outcomes=joined)


def _span(eras: list[str]) -> Value:
    """The eras as a value: one of them, or the first and the last."""
    if len(eras) == 1:
        return eras[0]
    return message("story.cut.releases.span", first=eras[0], last=eras[-1])
