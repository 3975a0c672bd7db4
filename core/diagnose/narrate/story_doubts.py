"""What cannot be known from the evidence, and what would settle it."""

from collections.abc import Iterable
from typing import Final

from core.diagnose.narrate.sayings import Saying, seconds
from core.diagnose.narrate.story_teller import Sentence, Teller
from core.diagnose.verdict.facts import Loss, LossClass, PartitionVerdict, Severity
from core.trace.vocabulary import Basis

_ACKS: Final = Saying(
    "Whether a producer had been told that {what} of epoch {epoch} were written. What producers "
    "logged would settle it.",
    "生产者是否收到纪元 {epoch} 的{what} 已写入的应答。生产者自己的日志可澄清。",
)
_ALONE: Final = Saying(
    "How many of the records at {what} of epoch {epoch} had been committed: {who} wrote them alone in the "
    "in-sync set, and its release commits then what it appends. So all had been but those that it was about "
    "to append when its process ended; the last acknowledgements that producers logged would settle it.",
    "纪元 {epoch} 的{what} 中有多少已提交：{who} 在独自处于同步集合时写入它们，其版本此时写入即提交。"
    "因此除进程结束时正在写入的以外均已提交；生产者记录的最后应答可澄清。",
)
_LENGTH: Final = Saying(
    "How far the log of {who} reached before its cut to {to} at {at}: {known}. Its data directory "
    "copied before the "
    "cut, or TRACE of its fetcher, would settle it.",
    "{who} 的日志在 {at} 截断到 {to} 之前有多长：{known}。截断前复制的数据目录或其 fetcher 的 TRACE "
    "日志可澄清。",
)
_SILENCE: Final = Saying(
    "What {who} did between {first} and {last} ({time}): its log says nothing there, and when its "
    "process ended is not "
    "known.",
    "{who} 在 {first} 与 {last} 之间（{time}）做了什么：此间其日志没有内容，进程何时结束未知。",
)
_NO_LOG: Final = Saying(
    "What {who} said of itself: nothing of its own log was given. Give its server.log.",
    "{who} 自己的说法：没有提供它的日志。请提供其 server.log。",
)
_ELECTION: Final = Saying(
    "How {who} was elected in epoch {epoch}: no line names it. The controller's log or the metadata "
    "log would.",
    "{who} 如何在纪元 {epoch} 当选：没有任何行说明。控制器日志或元数据日志可说明。",
)
_END: Final = Saying(
    "Where the log of {who} ends: {known}. Its data directory would settle it.",
    "{who} 的日志末端：{known}。其数据目录可澄清。",
)
_ABOVE: Final = Saying(
    "How much more had been committed: a high watermark is known only where a line or a file states it.",
    "此外还提交了多少：高水位仅在某行或某文件说明时才可知。",
)
_FURTHER: Final = Saying(
    "Would settle more: {who}{what} ({settles}).", "可进一步澄清：{who}{what}（{settles}）。"
)


def doubts(teller: Teller, verdict: PartitionVerdict, losses: tuple[Loss, ...]) -> Iterable[Sentence]:
    """One sentence for each thing that is open. A simulation has none: all of it is known."""
    if teller.case.view.exact:
        return
    for loss in losses:
        if loss.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED:
            what = teller.offsets(loss.first_offset, loss.end_offset)
            yield teller.say(_ACKS, loss.evidence[:1], what=what, epoch=loss.epoch)
            alone = None if loss.severity is not Severity.DANGER else _alone(teller, loss.epoch)
            if alone is not None:
                yield teller.say(
                    _ALONE, loss.evidence[:1], what=what, epoch=loss.epoch, who=teller.who(alone)
                )
    for cut in verdict.truncations:
        if cut.from_offset is None or cut.basis is Basis.BOUNDED:
            known = _least(teller, cut.from_offset)
            at, who = teller.when(cut.at), teller.who(cut.broker)
            yield teller.say(_LENGTH, cut.evidence[:1], who=who, to=cut.to_offset, at=at, known=known)
    for term in verdict.leadership:
        if term.leader != -1 and term.election == "unknown":
            yield teller.say(_ELECTION, term.evidence[:1], who=teller.who(term.leader), epoch=term.epoch)
    for one in verdict.final:
        if one.leo.exact is None:
            yield teller.say(_END, who=teller.who(one.broker), known=teller.band(one.leo))
    yield from _of_brokers(teller)
    yield teller.say(_ABOVE)
    yield from _further(teller)


def _alone(teller: Teller, epoch: int | None) -> int | None:
    """The leader of an epoch that was alone in its in-sync set all the time, to 3.6; else None."""
    control = teller.case.control
    sets = {isr for isr, at in zip(control.isr_at, control.epoch_at, strict=True) if at == epoch}
    number = None if epoch is None else control.term_of(epoch)
    leader = -1 if number is None else control.terms[number].leader
    return leader if sets == {(leader,)} and teller.case.view.before(leader, 3, 7) else None


def _least(teller: Teller, value: int | None) -> str:
    if value is None:
        return "not known" if teller.lang == "en" else "未知"
    return f"to {value} at least" if teller.lang == "en" else f"至少到 {value}"


def _of_brokers(teller: Teller) -> Iterable[Sentence]:
    for broker, own in teller.case.roles.items():
        if own.first_word is None:
            yield teller.say(_NO_LOG, who=teller.who(broker))
    for row in teller.case.view.rows:
        if row.kind != "evidence_gap" or row.replica is None or row.aux is None:
            continue
        if row.replica in teller.case.roles:
            yield teller.say(
                _SILENCE,
                (row.seq,),
                who=teller.who(row.replica),
                first=teller.when(row.at),
                last=teller.when(row.at + row.aux),
                time=seconds(row.aux),
            )


def _further(teller: Teller) -> Iterable[Sentence]:
    """What the import report proposes for the whole incident or for a broker of this partition."""
    for one in teller.case.history.trace.report.get("further", ()):
        broker = one["broker"]
        if broker is None or broker in teller.case.roles:
            english = teller.lang == "en"
            who = "" if broker is None else f"{teller.who(broker)}{': ' if english else '：'}"
            # A document of an older release has the English alone.
            what, settles = one["evidence"], one["settles"]
            if not english:
                what, settles = one.get("evidence_zh", what), one.get("settles_zh", settles)
            yield teller.say(_FURTHER, who=who, what=what, settles=settles)
