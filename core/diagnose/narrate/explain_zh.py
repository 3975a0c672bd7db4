"""What narrate/explain.py says, in Simplified Chinese. Kafka's own terms stay as Kafka writes them."""

from collections.abc import Mapping, Sequence
from typing import Final

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


def offsets_zh(first: int, end: int) -> str:
    """Half-open offsets, the last one included."""
    return f"偏移量 {first}" if end - first == 1 else f"偏移量 {first} 至 {end - 1}"


def brokers_zh(names: Mapping[int, str], brokers: Sequence[int]) -> str:
    """The names, one after the other."""
    return "、".join(names.get(broker, f"broker {broker}") for broker in brokers) or "无"
