"""Each cut with its rule: since which release it holds, and what other releases would have done."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from core.diagnose.narrate.sayings import Saying
from core.diagnose.narrate.story_teller import Sentence, Teller
from core.diagnose.narrate.story_words import RULES
from core.diagnose.verdict.facts import LossClass, PartitionVerdict, Truncation, XRay

_CUT: Final = Saying(
    "{at}, {who}, to {to}: {why}",
    "{at}，{who}，截断到 {to}：{why}",
)
_WHY: Final = {
    "high-watermark": Saying("to its own high watermark", "到它自己的高水位"),
    "leader-epoch": Saying("to where the leader said that its epoch ended", "到领导者所说其纪元的结束处"),
    "diverging-epoch": Saying("to where the leader said that the logs part", "到领导者所说的日志分歧处"),
    "leader-end": Saying(
        "to the leader's log end, as its fetch was out of range", "到领导者的日志末端，因其抓取越界"
    ),
    "reset": Saying("its whole log was dropped", "整个日志被丢弃"),
    "recovery": Saying("the log came back from the disk so short", "日志从磁盘恢复时就这么短"),
    "unknown": Saying("nothing names the rule", "没有任何行说明规则"),
}
_BELOW: Final = {
    True: Saying("Some of what went had been committed.", "其中一些已提交。"),
    False: Saying("Nothing of what went had been committed.", "其中没有已提交的。"),
    None: Saying(
        "Whether some of what went had been committed is not shown.", "其中是否有已提交的，证据未显示。"
    ),
}
_OTHERS: Final = Saying(
    "From the same state its log would have ended so in each release: {outcomes}.",
    "从相同状态出发，各版本中其日志末端会是：{outcomes}。",
)


def cut_sentences(
    teller: Teller, verdict: PartitionVerdict, window: tuple[int, int] | None
) -> Iterable[Sentence]:
    """Two sentences a cut at most, and each rule once."""
    rays = {ray.seq: ray for ray in verdict.x_rays}
    told: set[str] = set()
    for cut in verdict.truncations:
        if window is not None and not window[0] <= cut.at <= window[1]:
            continue
        yield _of(teller, verdict, cut)
        rule = _rule(teller, cut)
        if rule not in told:
            told.add(rule)
            yield Sentence(teller.words(RULES[rule]))
        others = _others(teller, rays.get(cut.seq))
        if others is not None:
            yield others


def _rule(teller: Teller, cut: Truncation) -> str:
    """The rule whose words fit: from 3.0 the fetch itself asks, and prints it as an answer on an epoch."""
    if cut.rule == "leader-epoch" and teller.case.view.since(cut.broker, 3, 0):
        return "diverging-epoch"
    return cut.rule


def _committed(verdict: PartitionVerdict, cut: Truncation) -> bool | None:
    """Whether some of what went had been committed: by the cut itself, or by the ledger."""
    end = cut.to_offset + (cut.records or 0)
    lost = any(
        loss.loss_class is LossClass.COMMITTED
        and cut.broker in loss.removed_from
        and loss.first_offset < end
        and loss.end_offset > cut.to_offset
        for loss in verdict.losses
    )
    return True if lost else cut.below_high_watermark


def _of(teller: Teller, verdict: PartitionVerdict, cut: Truncation) -> Sentence:
    why = f"{teller.words(_WHY[_rule(teller, cut)])}{'. ' if teller.lang == 'en' else '。'}"
    return teller.say(
        _CUT,
        cut.evidence,
        at=teller.when(cut.at),
        who=teller.who(cut.broker),
        to=cut.to_offset,
        why=why + teller.words(_BELOW[_committed(verdict, cut)]),
    )


def _others(teller: Teller, ray: XRay | None) -> Sentence | None:
    """Runs of eras with the same outcome; nothing where all agree or one is not known."""
    if ray is None or any(
        one.leo_lo is None or one.leo_lo != one.leo_hi or one.exits is None for one in ray.outcomes
    ):
        return None
    runs: list[str] = []
    exits = "it ends itself" if teller.lang == "en" else "自行退出"
    for result, group in groupby(ray.outcomes, key=lambda one: exits if one.exits else str(one.leo_lo)):
        eras = [one.era for one in group]
        span = eras[0] if len(eras) == 1 else f"{eras[0]}–{eras[-1]}"
        runs.append(f"{span} {result}" if teller.lang == "en" else f"{span} 为 {result}")
    if len(runs) < 2:
        return None
    joined = (", " if teller.lang == "en" else "，").join(runs)
    return teller.say(_OTHERS, outcomes=joined)
