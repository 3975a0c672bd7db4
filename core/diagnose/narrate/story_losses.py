"""What is lost and how that is known: the head of a story, its ledger, and what would have prevented it."""

from collections.abc import Iterable
from typing import Any, Final

from core.diagnose.narrate.sayings import Saying
from core.diagnose.narrate.story_teller import Sentence, Teller
from core.diagnose.narrate.story_words import CAUSES, CLASSES, PREVENTION
from core.diagnose.verdict.facts import Loss, LossClass, PartitionVerdict, Severity
from core.trace.times import moment_words

_STRONG: Final = (LossClass.COMMITTED, LossClass.ACKNOWLEDGED)
_OF: Final = Saying(
    "Partition {tp} with replicas on {who}{release}, from {first} to {last}{zone}.",
    "分区 {tp}，副本位于 {who}{release}，时间从 {first} 到 {last}{zone}。",
)
_LOST: Final = Saying(
    "**Lost: {count} that had been committed or acknowledged, {ranges}.** {cause}",
    "**丢失：{count}（已提交或已确认），{ranges}。**{cause}",
)
_POSSIBLE: Final = Saying(
    "**Possibly lost: {count}, {ranges}.** No later leader holds them, and whether they had been "
    "committed is not "
    "shown.",
    "**可能丢失：{count}，{ranges}。**后来的领导者都没有它们，是否已提交未能显示。",
)
_TAIL: Final = Saying(
    "{count}, {ranges}, removed: with acks=1 a producer may have been told of them, with acks=all not.",
    "{count}（{ranges}）已被删除：acks=1 的生产者可能收到过应答，acks=all 没有。",
)
_NEVER: Final = Saying(
    "{count}, {ranges}, removed: nobody had ever been told of them.",
    "{count}（{ranges}）从未向任何人确认过，已被删除。",
)
_NOTHING: Final = Saying(
    "**Nothing that is known to have been committed or acknowledged is lost.**",
    "**已知已提交或已确认的记录没有丢失。**",
)
_DIVERGED: Final = Saying(
    "**Replicas hold different records at the same offsets, and Kafka does not repair that.**",
    "**副本在相同偏移量上保存着不同的记录，Kafka 不会修复。**",
)
_ENTRY: Final = Saying(
    "Entry {number}: {records} of epoch {epoch}, {what}. {cls} {cause}",
    "条目 {number}：纪元 {epoch} 的 {records}，{what}。{cls}{cause}",
)
_HOW: Final = Saying("How we know: {text}", "如何得知：{text}")
_GONE: Final = Saying(
    "No copy is left in any log that this evidence covers.", "在证据所涵盖的日志中已没有副本。"
)
_LEFT: Final = Saying(
    "{who} still had them at the end; no leader serves them. Collect that log before it is cut: "
    "kafka-dump-log reads "
    "it.",
    "{who} 在结束时仍保存着它们，但没有领导者提供。请在被截断前收集该日志：可用 kafka-dump-log 读取。",
)
_ACKS: Final = Saying(
    "What a producer would have been told: with acks=1 {one}; with acks=all {all}.",
    "生产者会收到的应答：acks=1 {one}；acks=all {all}。",
)
_TOLD: Final = {
    "yes": Saying("yes, written", "是，已写入"),
    "no": Saying("no", "否"),
    "possibly": Saying("possibly", "可能"),
    "nothing": Saying("nothing", "无"),
}
_UNLIKE: Final = Saying(
    "At the end {who} hold different records at {what}.",
    "结束时 {who} 在{what} 上保存着不同的记录。",
)


def summary(
    teller: Teller, verdict: PartitionVerdict, losses: tuple[Loss, ...], *, whole: bool
) -> Iterable[Sentence]:
    """What the story is of, and its outcome in one or two sentences."""
    yield _about(teller, verdict)
    strong = [one for one in losses if one.loss_class in _STRONG]
    possible = [one for one in losses if one.loss_class not in _STRONG and one.severity is Severity.DANGER]
    tail = [
        one for one in losses if one.loss_class is LossClass.POSSIBLY_ACKNOWLEDGED and one not in possible
    ]
    never = [one for one in losses if one.loss_class is LossClass.UNCOMMITTED and one not in possible]
    if strong:
        causes = dict.fromkeys((*(one.cause for one in strong), *_before(verdict)))
        cause = " ".join(teller.words(CAUSES[one]) for one in causes if one in CAUSES)
        yield teller.say(_LOST, cause=cause, **_amount(teller, strong))
    if whole and not strong and not possible:
        yield teller.say(_NOTHING)
    for group, saying in ((possible, _POSSIBLE), (tail, _TAIL), (never, _NEVER)):
        if group:
            yield teller.say(saying, **_amount(teller, group))
    if whole and verdict.divergences:
        yield teller.say(_DIVERGED)


def _about(teller: Teller, verdict: PartitionVerdict) -> Sentence:
    trace = teller.case.history.trace
    rows = teller.case.view.rows
    first, last = (rows[0].at, rows[-1].at) if rows else (0, 0)
    replicas = tuple(one.broker for one in verdict.final)
    versions = sorted(
        {one.version for one in trace.brokers if one.version and int(one.broker_id) in replicas}
    )
    release = trace.facts.get("release", "") if teller.simulated else ", ".join(versions)
    return teller.say(
        _OF,
        tp=str(trace.partitions[teller.case.view.partition].tp),
        who=teller.who(*replicas),
        release="" if not release else f", Kafka {release}" if teller.lang == "en" else f"，Kafka {release}",
        first=moment_words(first, simulated=teller.simulated).removesuffix(" UTC"),
        last=teller.when(last),
        zone="" if teller.simulated else " UTC",
    )


def _amount(teller: Teller, losses: list[Loss]) -> dict[str, Any]:
    """Records and their offsets, neighbours joined."""
    ranges: list[tuple[int, int]] = []
    for first, end in sorted((one.first_offset, one.end_offset) for one in losses):
        if ranges and ranges[-1][1] == first:
            ranges[-1] = ranges[-1][0], end
        else:
            ranges.append((first, end))
    count = sum(one.end_offset - one.first_offset for one in losses)
    joined = (", " if teller.lang == "en" else "，").join(teller.offsets(*one) for one in ranges)
    return {"count": teller.records(count), "ranges": joined}


def loss_sentences(teller: Teller, losses: tuple[Loss, ...]) -> Iterable[Sentence]:
    """The ledger: what, which promise, why, how we know, and where the last copy is."""
    for number, loss in enumerate(losses, start=1):
        yield teller.say(
            _ENTRY,
            loss.evidence,
            number=number,
            records=teller.records(loss.end_offset - loss.first_offset),
            epoch="?" if loss.epoch is None else loss.epoch,
            what=teller.offsets(loss.first_offset, loss.end_offset),
            cls=teller.words(CLASSES[loss.loss_class.value]),
            cause=teller.words(CAUSES[loss.cause]) if loss.cause in CAUSES else "",
        )
        yield teller.say(_HOW, text=teller.text(loss.message))
        if loss.told is not None:
            one, every = teller.words(_TOLD[loss.told.acks_1]), teller.words(_TOLD[loss.told.acks_all])
            yield teller.say(_ACKS, one=one, all=every)
        if loss.survives_on:
            yield teller.say(_LEFT, who=teller.who(*loss.survives_on))
        else:
            yield teller.say(_GONE)


def divergence_sentences(teller: Teller, verdict: PartitionVerdict) -> Iterable[Sentence]:
    """Where two replicas differ at the end."""
    for one in verdict.divergences:
        what = teller.offsets(one.first_offset, one.end_offset)
        yield teller.say(_UNLIKE, one.evidence, who=teller.who(*one.brokers), what=what)


def _before(verdict: PartitionVerdict) -> tuple[str, ...]:
    """What comes before a divergence: a replica cut committed records to its own high watermark, and led."""
    led = {term.leader for term in verdict.leadership}
    cut = any(
        one.rule == "high-watermark" and one.below_high_watermark is True and one.broker in led
        for one in verdict.truncations
    )
    return ("high-watermark-truncation",) if cut and verdict.divergences else ()


def prevention(teller: Teller, verdict: PartitionVerdict, losses: tuple[Loss, ...]) -> Iterable[Sentence]:
    """The setting or release for each cause, once, the worst first."""
    order = sorted(losses, key=lambda one: (list(Severity).index(one.severity), one.seq))
    causes = dict.fromkeys(one.cause for one in order if one.loss_class is not LossClass.UNCOMMITTED)
    for cause in _before(verdict):
        causes.setdefault(cause)
    if verdict.divergences:
        causes.setdefault("divergence")
    for cause in causes:
        if cause in PREVENTION:
            yield teller.say(PREVENTION[cause])
