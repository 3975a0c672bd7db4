"""From a finding to how it is listed and explained: a headline with its number, and lines of fact."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.counted import LostPart, amount_of, cut_of, each_once
from core.diagnose.verdict.facts import Loss, Severity
from core.message import AtLeast, Count, Message
from core.picture.lane import offset_range
from core.picture.marks import Ref
from core.trace.broker_names import broker_name
from core.trace.times import clock, virtual_time
from core.trace.trace import Origin
from gui.panels.explanation import Explanation, Section
from gui.terms import check_words, term
from gui.text.spoken import tr, worded
from gui.workspace.content import Content


@dataclass(frozen=True, slots=True)
class Claim:
    """A row of the list. `fact` is said in at most two lines, `words` in full by the tip."""

    title: str
    fact: str
    when: str
    words: str
    ref: Ref
    """What is selected by a click."""


def claims_of(content: Content, number: int) -> list[Claim]:
    """The rows of a run's findings, in their order."""
    run = content.runs[number]
    losses: dict[Message, Loss] = {}
    parts: dict[Message, list[LostPart]] = {}
    for loss in run.verdict.losses:
        losses.setdefault(loss.message, loss)
    for part in each_once(run.verdict.losses):
        parts.setdefault(part.loss.message, []).append(part)
    return [
        _claim(
            content,
            Ref("finding", number, place),
            losses.get(finding.message),
            parts.get(finding.message, []),
        )
        for place, finding in enumerate(run.verdict.findings)
    ]


def _claim(content: Content, ref: Ref, loss: Loss | None, parts: Sequence[LostPart]) -> Claim:
    """The row of the finding `ref`; `loss` is the one that it tells of, `parts` those that it alone has."""
    run = content.runs[ref.run]
    finding = run.verdict.findings[ref.key]
    simulated = run.history.trace.origin == Origin.SIMULATED
    at = virtual_time(finding.start) if simulated else clock(finding.start)
    when = f"{run.title}, {at}" if len(content.runs) > 1 else at
    words = worded(finding.message)
    if loss is None:
        return Claim(check_words(finding.check), words, when, words, ref)
    cut = cut_of(loss, run.verdict.truncations)
    if cut is not None and loss.severity is not Severity.NOTICE:
        ref = Ref("loss", ref.run, cut.seq, cut.broker)
    where = offset_range(loss.first_offset, loss.end_offset)
    cause = term(loss.cause.replace("-", " "))
    fact = (
        tr("claims.loss.unknown-epoch", where=where, cause=cause)
        if loss.epoch is None
        else tr("claims.loss", where=where, epoch=loss.epoch, cause=cause)
    )
    return Claim(loss_title(loss, amount_of(parts) if parts else loss.amount), fact, when, words, ref)


def possibly_lost(count: Count | AtLeast) -> str:
    """How many records may be lost."""
    if isinstance(count, AtLeast):
        return tr("explain.records-possibly-lost-least", count=count)
    return tr("explain.records-possibly-lost", count=count)


def loss_title(loss: Loss, count: Count | AtLeast) -> str:
    """How many records of a loss, or of a part of it, are lost, or may be."""
    if loss.severity is Severity.LOSS:
        return tr("explain.records-lost-of-kind", count=count, kind=term(str(loss.loss_class)))
    if loss.severity is Severity.DANGER:
        return possibly_lost(count)
    return tr("claims.removed-only", count=count)


def explain_finding(content: Content, ref: Ref, where: str) -> Explanation | None:
    """What a finding claims, what its check looks for, what to do, and the evidence."""
    run = content.runs[ref.run]
    if not 0 <= ref.key < len(run.verdict.findings):
        return None
    finding = run.verdict.findings[ref.key]
    check = CHECK[finding.check]
    who = ", ".join(broker_name(run.history.trace, broker) for broker in finding.brokers)
    section = Section(
        title=worded(check.title),
        aside=run.title if len(content.runs) > 1 else "",
        sentences=(worded(finding.message), worded(check.advice)),
        facts=((tr("claims.brokers"), who),) if who else (),
        run=ref.run,
        evidence=finding.evidence or (finding.seq,),
    )
    evidence = tuple((ref.run, seq) for seq in section.evidence if seq < len(run.history.trace))
    return Explanation(tr("claims.finding"), where, (section,), (), evidence)
