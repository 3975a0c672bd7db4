"""What a verdict and its bands say that the truth of a recording denies. Missing is allowed, false is not."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from core.diagnose.check import diagnose
from core.diagnose.verdict import LossClass, PartitionVerdict
from core.history.open import open_history
from core.history.state import Band, History
from core.trace.trace import Trace
from core.trace.vocabulary import Basis

BEFORE, AFTER = 50_000_000, 100_000_000
"""Samples are polls: the hull of the bands from this long before to this long after, in ns, counts."""
STRONG = (LossClass.COMMITTED, LossClass.ACKNOWLEDGED)
Truth = dict[str, Any]


class Heard:
    """What the program says of some evidence, by partition."""

    def __init__(self, trace: Trace) -> None:
        """Diagnose and open every partition."""
        names = [str(partition.tp) for partition in trace.partitions]
        self.trace = trace
        self.verdicts: dict[str, PartitionVerdict] = dict(zip(names, diagnose(trace).partitions, strict=True))
        self.histories: dict[str, History] = {
            name: open_history(trace, number) for number, name in enumerate(names)
        }


def lost(truth: Truth, tp: str) -> set[int]:
    return {record["offset"] for record in truth["lost"].get(tp, [])}


def claimed(heard: Heard, tp: str, *, strong: bool) -> set[int]:
    verdict = heard.verdicts.get(tp)
    return {
        offset
        for loss in (verdict.losses if verdict is not None else ())
        if loss.loss_class is not LossClass.UNCOMMITTED and (loss.loss_class in STRONG or not strong)
        for offset in range(loss.first_offset, loss.end_offset)
    }


def false_losses(truth: Truth, heard: Heard) -> list[object]:
    """Claims over records that were neither lost nor cut from any replica; strong ones over any not lost."""
    top: dict[str, int] = defaultdict(int)
    for sample in truth["samples"]:
        if sample.get("hw") is not None and sample.get("tp"):
            top[sample["tp"]] = max(top[sample["tp"]], sample["hw"])
    found: list[object] = []
    for tp in truth["final"]:
        gone = lost(truth, tp) | {record["offset"] for record in truth["diverged"].get(tp, [])}
        for cut in truth["truncations"]:
            if cut["tp"] == tp:
                slack = 0 if cut.get("exact", True) else 40
                gone.update(range(max(0, cut["to"] - slack), cut["from"]))
        strong = claimed(heard, tp, strong=True) - lost(truth, tp)
        found += [(tp, "strong", o) for o in strong if not (o in gone and o < top[tp])]
        found += [(tp, "weak", o) for o in claimed(heard, tp, strong=False) - gone]
    return found


def invented_cuts(truth: Truth, heard: Heard) -> list[object]:
    """Cuts that no disk saw: a beginning that is a lower bound may be lower."""
    found: list[object] = []
    for tp, verdict in heard.verdicts.items():
        real = [cut for cut in truth["truncations"] if cut["tp"] == tp]
        for cut in verdict.truncations:
            fits = any(
                (one["replica"], one["to"]) == (cut.broker, cut.to_offset)
                and (
                    cut.from_offset in (None, one["from"])
                    or (cut.basis is Basis.BOUNDED and (cut.from_offset or 0) <= one["from"])
                )
                for one in real
            )
            if cut.from_offset != cut.to_offset and not fits:
                found.append((tp, cut.broker, cut.from_offset, cut.to_offset))
    return found


def wrong_leaders(truth: Truth, heard: Heard) -> list[object]:
    """Epochs whose leader is said to be another than it was."""
    led = {
        (sample["tp"], sample["leader_epoch"]): sample["leader"]
        for sample in truth["samples"]
        if sample.get("tp") and sample.get("leader_epoch") is not None and sample.get("leader") is not None
    }
    return [
        (tp, term.epoch, term.leader)
        for tp, verdict in heard.verdicts.items()
        for term in verdict.leadership
        if led.get((tp, term.epoch), term.leader) != term.leader
    ]


def values(truth: Truth, step: int) -> Iterator[tuple[str, int, str, int, int]]:
    """(partition, broker, "leo" or "hw", time, true value) of every `step`-th sample."""
    asked = [s for s in truth["samples"] if s.get("tp") and s.get("replica") is not None]
    for sample in asked[::step]:
        for value in ("leo", "hw"):
            if sample.get(value) is not None:
                yield sample["tp"], sample["replica"], value, sample["at_ns"], sample[value]


def outside(truth: Truth, heard: Heard, step: int = 7) -> tuple[list[object], int, int]:
    """Samples outside of their bands; how many bands are open; how many samples were held against one."""
    times = heard.trace.columns["at"]
    misses: list[object] = []
    unknown = count = 0
    for tp, broker, value, at, true in values(truth, step):
        history = heard.histories.get(tp)
        if history is None or broker not in history.replicas:
            continue
        steps = history.replicas[broker].leo if value == "leo" else history.replicas[broker].hw
        bands: list[Band] = [
            steps.at(int(bisect_right(times, moment))) for moment in (at - BEFORE, at, at + AFTER)
        ]
        count += 1
        if bands[1].lo is None or bands[1].hi is None:
            unknown += 1
            continue
        low = min(band.lo for band in bands if band.lo is not None)
        high = max(band.hi for band in bands if band.hi is not None)
        if not low <= true <= high:
            misses.append((tp, broker, value, at, true, low, high))
    return misses, unknown, count
