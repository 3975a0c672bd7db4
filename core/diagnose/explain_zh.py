"""What core/diagnose/explain.py says, in Simplified Chinese. Kafka's own terms stay as Kafka writes them."""

from collections.abc import Mapping, Sequence
from typing import Final

from core.diagnose.verdict import Divergence, Leadership, Loss, LossClass, Truncation
from core.trace.vocabulary import Basis

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

_CAUSES: Final = {
    "high-watermark-truncation": "新领导者先前已截断到它自己的高水位",
    "unknown-epoch": "领导者不认识新领导者所问的纪元，它因而截断到自己的高水位",
    "stale-isr": "新领导者在同步集合中，但没有这些记录",
    "stale-leader": "任期已结束的领导者写入了它们，或告知新领导者在何处截断",
    "not-replicated": "新领导者尚未抓取这些记录",
    "unclean-election": "选出了不同步的副本",
    "disk-loss": "记录没有写入磁盘",
    "divergence": "最后的领导者在这些偏移量上保存着其他记录",
}
_PROMISES: Final = {
    LossClass.COMMITTED: "它们已提交：某副本的高水位曾在其之上。",
    LossClass.ACKNOWLEDGED: "生产者曾收到它们已写入的应答。",
    LossClass.POSSIBLY_ACKNOWLEDGED: "它们在领导者的日志中，没有证据表明已提交。",
    LossClass.UNCOMMITTED: "它们从未被确认，也从未可见。",
}


def offsets_zh(first: int, end: int) -> str:
    """Half-open offsets, the last one included."""
    return f"偏移量 {first}" if end - first == 1 else f"偏移量 {first} 至 {end - 1}"


def brokers_zh(names: Mapping[int, str], brokers: Sequence[int]) -> str:
    """The names, one after the other."""
    return "、".join(names.get(broker, f"broker {broker}") for broker in brokers) or "无"


def loss_zh(loss: Loss, names: Mapping[int, str]) -> str:
    """A loss: what, why, which promise, and where the last copy is."""
    what = f"纪元 {loss.epoch} 的{offsets_zh(loss.first_offset, loss.end_offset)}"
    cause = _CAUSES.get(loss.cause, "原因未知")
    text = f"{what} 的记录不在后来的领导者上：{cause}。{_PROMISES[loss.loss_class]}"
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
