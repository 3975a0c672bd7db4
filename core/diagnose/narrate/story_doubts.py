"""From a verdict to sentences on what the evidence does not show, and what would show it."""

from collections.abc import Iterable

from core.diagnose.narrate.values import number, when
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import Loss, LossClass, PartitionVerdict, Severity, Shown
from core.diagnose.verdict.made import number_value, who
from core.message import Duration, Message, Offsets, message
from core.message_json import stored
from core.trace.vocabulary import Basis


def doubts(case: Case, verdict: PartitionVerdict, losses: tuple[Loss, ...]) -> Iterable[Message]:
    """One sentence for each thing that is not known. A simulation has none."""
    if case.view.exact:
        return
    for loss in losses:
        if loss.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED and loss.commit is not Shown.SHOWN:
            yield from _promised(case, loss)
        if loss.may_hold:
            what = Offsets(loss.first_offset, loss.end_offset)
            yield message(
                "story.doubt.may-be-held",
                evidence=loss.evidence[:1],
                what=what,
                epoch=number_value(loss.epoch),
                who=who(case, *loss.may_hold),
            )
    for cut in verdict.truncations:
        if cut.from_offset is None or cut.basis is Basis.BOUNDED:
            yield message(
                "story.doubt.length",
                evidence=cut.evidence[:1],
                who=who(case, cut.broker),
                to=cut.to_offset,
                at=when(case, cut.at),
                known=number(None)
                if cut.from_offset is None
                else message("story.doubt.length.least", end=cut.from_offset),
            )
    for tenure in verdict.leadership:
        if tenure.leader != -1 and tenure.election == "unknown":
            leader = who(case, tenure.leader)
            yield message(
                "story.doubt.election", evidence=tenure.evidence[:1], who=leader, epoch=number(tenure.epoch)
            )
    for one in verdict.final:
        if one.leo.exact is None:
            yield message("story.doubt.end", who=who(case, one.broker), known=number(one.leo))
    yield from _of_brokers(case)
    yield message("story.doubt.above")
    yield from _further(case)


def _promised(case: Case, loss: Loss) -> Iterable[Message]:
    """The sentences on whether the records were acknowledged, and how many of them were committed."""
    what, epoch = Offsets(loss.first_offset, loss.end_offset), number_value(loss.epoch)
    yield message("story.doubt.acks", evidence=loss.evidence[:1], what=what, epoch=epoch)
    alone = None if loss.severity is not Severity.DANGER else _alone(case, loss.epoch)
    if alone is not None:
        yield message(
            "story.doubt.alone", evidence=loss.evidence[:1], what=what, epoch=epoch, who=who(case, alone)
        )


def _alone(case: Case, epoch: int | None) -> int | None:
    """The leader of an epoch that was alone in its in-sync set all the time, to 3.6; else None."""
    control = case.control
    sets = {isr for isr, at in zip(control.isr_at, control.epoch_at, strict=True) if at == epoch}
    place = None if epoch is None else control.tenure_number(epoch)
    if place is None:
        return None
    leader, at = control.tenures[place].leader, case.view.seq_at(control.tenures[place].place)
    return leader if sets == {(leader,)} and case.view.before(leader, 3, 7, at=at) else None


def _of_brokers(case: Case) -> Iterable[Message]:
    """The sentences on brokers without a log, and on gaps."""
    for broker, own in case.roles.items():
        if own.first_own_line is None:
            yield message("story.doubt.no-log", who=who(case, broker))
    for row in case.view.rows:
        if row.kind != "evidence_gap" or row.replica is None or row.aux is None:
            continue
        if row.replica in case.roles:
            yield message(
                "story.doubt.silence",
                evidence=(row.seq,),
                who=who(case, row.replica),
                first=when(case, row.at),
                last=when(case, row.at + row.aux),
                time=Duration(row.aux),
            )


def _further(case: Case) -> Iterable[Message]:
    """What the import report proposes for the whole incident or for a broker of this partition."""
    for one in case.history.trace.report.get("further", ()):
        broker = one["broker"]
        # A document of an older release has texts, the oldest in English alone.
        proposal = stored(one["evidence"], one.get("evidence_zh"))
        settles = stored(one["settles"], one.get("settles_zh"))
        if broker is None:
            yield message("story.doubt.further", proposal=proposal, settles=settles)
        elif broker in case.roles:
            yield message(
                "story.doubt.further.of-broker", who=who(case, broker), proposal=proposal, settles=settles
            )
