"""What narrate/explain.py says, in Simplified Chinese. Kafka's own terms stay as Kafka writes them."""

from collections.abc import Mapping, Sequence
from typing import Final

from core.diagnose.verdict.commitment import Watermark
from core.diagnose.verdict.facts import Divergence, Leadership, Loss, LossClass, Truncation
from core.history.terms import Term
from core.trace.vocabulary import Basis, Election

RULE_WORDS_ZH: Final = {
    "high-watermark": "它自己的高水位",
    "leader-epoch": "领导者所说的其纪元结束处",
    "diverging-epoch": "领导者所说的日志分歧处",
    "leader-end": "领导者的日志末端，因为它的抓取越界",
    "reset": "整个日志，重新开始",
    "recovery": "这些记录不在磁盘上",
    "unknown": "没有任何行说明规则",
}
"""Why a replica cut to an offset, in brackets after it."""

_ELECTED: Final = {
    Election.CLEAN: "在纪元 {epoch} 从同步集合中当选",
    Election.PREFERRED: "在纪元 {epoch} 作为首选副本当选",
    Election.CONTROLLED: "在纪元 {epoch} 的受控关闭中接任",
    Election.UNCLEAN: "不同步，却在纪元 {epoch} 当选",
    Election.ELR: "在纪元 {epoch} 从合格领导者副本中当选",
    Election.LAST_KNOWN: "在纪元 {epoch} 作为最后已知的领导者当选",
    Election.FIRST: "是纪元 {epoch} 的首个领导者",
    Election.UNKNOWN: "在纪元 {epoch} 接任",
}


def offsets_zh(first: int, end: int) -> str:
    """Half-open offsets, the last one included."""
    return f"偏移量 {first}" if end - first == 1 else f"偏移量 {first} 至 {end - 1}"


def brokers_zh(names: Mapping[int, str], brokers: Sequence[int]) -> str:
    """The names, one after the other."""
    return "、".join(names.get(broker, f"broker {broker}") for broker in brokers) or "无"


def explain_loss_zh(
    loss: Loss,
    term: Term,
    start: int | None,
    own: Truncation | None,
    mark: Watermark | None,
    names: Mapping[int, str],
    *,
    unlike: bool = False,
) -> str:
    """The same statements as `core.diagnose.narrate.explain.explain_loss` makes."""
    what, leader = offsets_zh(loss.first_offset, loss.end_offset), brokers_zh(names, (term.leader,))
    led = _ELECTED[term.election].format(epoch=term.epoch)
    led = led if start is None else f"{led}，日志末端为 {start}"
    text = f"{leader} {led}。"
    if unlike:
        text = f"{leader} {led}，并在{what} 上保存着其他记录。"
    elif own is not None:
        came = "" if own.from_offset is None else f"从 {own.from_offset} "
        text = f"{leader} 曾将日志{came}截断到 {own.to_offset}（{RULE_WORDS_ZH[own.rule]}），之后{led}。"
    record = f"{what} 的记录" if loss.epoch is None else f"纪元 {loss.epoch} 中{what} 的记录"
    if loss.loss_class is LossClass.COMMITTED and mark is not None:
        why = "，由其日志末端与同步集合得知" if mark.derived else ""
        text += f"{record}已提交：{brokers_zh(names, (mark.broker,))} 的高水位曾为 {mark.value}{why}。"
    elif loss.loss_class is LossClass.ACKNOWLEDGED:
        text += f"生产者曾收到{record}已写入的应答。"
    elif loss.loss_class is LossClass.UNCOMMITTED:
        text += f"{record}从未被确认，也从未可见。"
    elif loss.epoch is None:
        text += f"{record}曾在某个日志中；属于哪个纪元、是否已提交，均不得而知。"
    else:
        text += f"{record}在领导者的日志中，没有证据表明已提交。"
    if loss.survives_on:
        return f"{text}{brokers_zh(names, loss.survives_on)} 仍保存着它们，但没有领导者提供。"
    if loss.removed_from:
        return f"{text}{brokers_zh(names, loss.removed_from)} 删除了它们。"
    return text


def divergence_zh(found: Divergence, names: Mapping[int, str]) -> str:
    """Two replicas that differ at the end."""
    where = offsets_zh(found.first_offset, found.end_offset)
    return f"记录结束时 {brokers_zh(names, found.brokers)} 在{where} 上保存着不同的记录。"


def leaderless_zh(epoch: int | None) -> str:
    """An epoch without a leader."""
    return f"分区在纪元 {epoch} 没有领导者。"


def unclean_zh(term: Leadership, names: Mapping[int, str]) -> str:
    """An election of a replica that was out of sync."""
    text = f"{brokers_zh(names, (term.leader,))} 不同步，却在纪元 {term.epoch} 当选。"
    return text if term.basis < Basis.INFERRED else f"{text}没有任何行说明这一点：由此前的同步集合得知。"


def cut_below_zh(cut: Truncation, names: Mapping[int, str]) -> str:
    """A cut of committed records that the leader still held."""
    came = "" if cut.from_offset is None else f"从 {cut.from_offset} "
    who, rule = brokers_zh(names, (cut.broker,)), RULE_WORDS_ZH[cut.rule]
    return f"{who} 将日志{came}截断到 {cut.to_offset}（{rule}）。其中一些记录已提交，领导者仍持有。"


def stop_zh(broker: int, names: Mapping[int, str]) -> str:
    """An end of a process that was no clean shutdown."""
    return f"{brokers_zh(names, (broker,))} 未干净关闭就停止。"
