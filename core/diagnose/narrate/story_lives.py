"""What became of each range of records, and which replicas differ where, in sentences."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from core.diagnose.narrate.explain import RULE_WORDS
from core.diagnose.narrate.explain_zh import RULE_WORDS_ZH
from core.diagnose.narrate.sayings import Saying
from core.diagnose.narrate.story_teller import Sentence, Teller
from core.diagnose.verdict.divergence_map import Content, Region
from core.diagnose.verdict.facts import Copy, Loss
from core.diagnose.verdict.life_lines import LifeLine
from core.trace.vocabulary import Basis

_MANY: Final = 40
"""More sentences than that are counted, not told: JSON has all."""
_LINE: Final = Saying(
    "{what} of epoch {epoch}{by}: {committed}. {left}{gone}",
    "纪元 {epoch} 的{what}{by}：{committed}。{left}{gone}",
)
_BELOW: Final = Saying("committed ({who} had a high watermark of {hw})", "已提交（{who} 的高水位曾为 {hw}）")
_NOT_SHOWN: Final = Saying(
    "nothing shows that they were committed, acks=all {all}", "没有证据表明已提交，acks=all {all}"
)
_TOLD: Final = {
    "yes": Saying("was answered", "已应答"),
    "no": Saying("was not answered", "未应答"),
    "possibly": Saying("may have been answered", "可能已应答"),
}
_HELD: Final = Saying("{who} {has} them at the end", "结束时 {who} 仍有")
_NOBODY: Final = Saying("No copy is left", "已没有副本")
_REMOVED: Final = Saying("; {who} lost them at {at} ({how})", "；{who} 于 {at} 失去它们（{how}）")
_HOW: Final = {
    "retention": Saying("retention or deletion of records", "保留策略或删除记录"),
    "deleted": Saying("its replica was deleted", "副本被删除"),
    "new-log": Saying("its log began anew", "日志重新开始"),
    "unknown": Saying("no line says why", "没有任何行说明原因"),
}
_MORE: Final = Saying("{count} more, listed by --json.", "另有 {count} 条，见 --json。")
_DIFFERENT: Final = Saying(
    "{who} held different records at {what}: of epoch {one} and of epoch {other}, {time}{basis}.",
    "{who} 在{what} 上保存过不同的记录：分别属于纪元 {one} 与纪元 {other}，{time}{basis}。",
)
_SAME_EPOCH: Final = Saying(
    "{who} held different records at {what}, both of epoch {one}, {time}{basis}.",
    "{who} 在{what} 上保存过不同的记录，均属于纪元 {one}，{time}{basis}。",
)
_UNKNOWN: Final = Saying(
    "Whether {who} held the same records at {what} is not known: batch headers or epochs of both are "
    "not here.",
    "{who} 在{what} 上的记录是否相同未知：没有双方的批次头或纪元。",
)
_EQUAL: Final = Saying(
    "At every other offset that two replicas both held, they held the same records{basis}.",
    "在两个副本都有的其他偏移量上，它们的记录相同{basis}。",
)
_ALL_EQUAL: Final = Saying(
    "At every offset that two replicas both held, they held the same records{basis}.",
    "在两个副本都有的每个偏移量上，它们的记录相同{basis}。",
)


def life_sentences(teller: Teller, lines: Sequence[LifeLine], loss: Loss | None) -> Iterable[Sentence]:
    """One sentence a range: who appended it, whether it was committed, where it is and where it went.

    Offsets whose epoch is not known yet are no records of their own: once it is, they are another line's.
    """
    named = [line for line in lines if line.epoch is not None]
    told = [line for line in named if loss is None or _overlaps(line, loss)]
    for line in told[:_MANY]:
        yield _of(teller, line)
    if len(told) > _MANY:
        yield teller.say(_MORE, count=len(told) - _MANY)


def _overlaps(line: LifeLine, loss: Loss) -> bool:
    within = line.first_offset < loss.end_offset and loss.first_offset < line.end_offset
    return line.epoch == loss.epoch and within


def _of(teller: Teller, line: LifeLine) -> Sentence:
    english = teller.lang == "en"
    by = ""
    if line.appended_by is not None:
        who = teller.who(line.appended_by)
        by = f", appended by {who}" if english else f"，由 {who} 写入"
    if line.below:
        best = line.below[0]
        committed = teller.words(_BELOW).format(who=teller.who(best.broker), hw=best.hw)
    else:
        committed = teller.words(_NOT_SHOWN).format(all=teller.words(_TOLD[line.told.acks_all]))
    left = teller.words(_NOBODY)
    if line.held_by:
        left = teller.words(_HELD).format(
            who=teller.who(*line.held_by), has="has" if len(line.held_by) == 1 else "have"
        )
    removed = [_removed(teller, copy) for copy in line.copies if copy.until is not None]
    return teller.say(
        _LINE,
        line.evidence,
        what=teller.offsets(line.first_offset, line.end_offset),
        epoch="?" if line.epoch is None else line.epoch,
        by=by,
        committed=committed,
        left=left[:1].upper() + left[1:],
        gone="".join(removed) + ("." if english else "。"),
    )


def _removed(teller: Teller, copy: Copy) -> str:
    how = copy.removed_by or "unknown"
    if how == "leader-epoch" and teller.case.view.since(copy.broker, 3, 0):
        how = "diverging-epoch"  # As `story_cuts` has it: the fetch itself asks.
    rules = RULE_WORDS if teller.lang == "en" else RULE_WORDS_ZH
    cut = f"cut to {rules.get(how, '')}" if teller.lang == "en" else f"截断到{rules.get(how, '')}"
    words = teller.words(_HOW[how]) if how in _HOW else cut
    if how in ("recovery", "reset"):
        words = rules[how]
    return teller.words(_REMOVED).format(
        who=teller.who(copy.broker), at=teller.when(copy.until or 0), how=words
    )


def content_sentences(teller: Teller, regions: Sequence[Region]) -> Iterable[Sentence]:
    """Each range of offsets at which two replicas differed, for how long, and how that is known."""
    unlike = [one for one in regions if one.content is Content.DIFFERENT]
    unknown = [one for one in regions if one.content is Content.UNKNOWN]
    equal = [one for one in regions if one.content is Content.EQUAL]
    for region in unlike[:_MANY]:
        yield _unlike(teller, region)
    for pair, group in groupby(unknown, key=lambda one: one.brokers):
        mine = list(group)
        first, end = min(one.first_offset for one in mine), max(one.end_offset for one in mine)
        yield teller.say(_UNKNOWN, who=teller.who(*pair), what=teller.offsets(first, end))
    if len(unlike) > _MANY:
        yield teller.say(_MORE, count=len(unlike) - _MANY)
    if equal:
        weakest = max(one.basis for one in equal)
        yield teller.say(_EQUAL if unlike or unknown else _ALL_EQUAL, basis=_basis(teller, weakest))


def _unlike(teller: Teller, region: Region) -> Sentence:
    english = teller.lang == "en"
    if region.until is None:
        time = "to the end" if english else "直到结束"
    else:
        time = f"until {teller.when(region.until)}" if english else f"到 {teller.when(region.until)} 为止"
    if region.since is not None:
        start = teller.when(region.since)
        time = f"from {start} {time}" if english else f"从 {start} 起，{time}"
    one, other = ("?" if epoch is None else epoch for epoch in region.epochs)
    return teller.say(
        _SAME_EPOCH if one == other else _DIFFERENT,
        region.seqs,
        who=teller.who(*region.brokers),
        what=teller.offsets(region.first_offset, region.end_offset),
        one=one,
        other=other,
        time=time,
        basis=_basis(teller, region.basis),
    )


def _basis(teller: Teller, basis: Basis) -> str:
    """How it is known, in brackets; nothing in a simulation."""
    if teller.simulated:
        return ""
    if basis is Basis.OBSERVED:
        return " (by the headers of their batches)" if teller.lang == "en" else "（依据批次头）"
    return " (by the leader epochs of the records)" if teller.lang == "en" else "（依据记录的领导者纪元）"
