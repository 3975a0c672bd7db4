"""What a verdict and its bands say that the truth of a recording denies. Missing is allowed, false is not."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from core.diagnose.verdict.check import judge_partitions
from core.diagnose.verdict.facts import LossClass, PartitionVerdict, Truncation, Verdict
from core.history.coarse_times import state_at
from core.history.open import open_history
from core.history.state import Band, History
from core.trace.evidence import evidence_of
from core.trace.ids import METADATA_TOPIC, Nanos
from core.trace.trace import Trace
from core.trace.vocabulary import Basis

BEFORE, AFTER = 50_000_000, 100_000_000
"""Samples are polls: the hull of the bands from this long before to this long after, in ns, counts."""
TOLD = 500_000_000
"""Brokers are told later than the controller decides, and answer as they were told: at most so many ns."""
STRONG = (LossClass.COMMITTED, LossClass.ACKNOWLEDGED)
Truth = dict[str, Any]
Miss = tuple[str, int, str, int, int, int | None, int | None]
"""(partition, broker, "leo" or "hw", time, true value, lowest and highest that was said)."""


class Heard:
    """What the program says of some evidence, by partition."""

    def __init__(self, trace: Trace, verdict: Verdict | None = None) -> None:
        """Open every partition once, and diagnose it where there is no verdict yet."""
        numbers = range(len(trace.partitions))
        judged = (
            judge_partitions(trace, numbers)
            if verdict is None
            else zip((open_history(trace, one) for one in numbers), verdict.partitions, strict=True)
        )
        self.trace = trace
        self.ends = int(trace.columns["at"][-1]) if len(trace) else 0
        self.verdicts: dict[str, PartitionVerdict] = {}
        self.histories: dict[str, History] = {}
        for partition, (history, found) in zip(trace.partitions, judged, strict=True):
            self.verdicts[str(partition.tp)] = found
            self.histories[str(partition.tp)] = history


def of_the_last_topics(truth: Truth) -> Truth:
    """Without the samples of a topic from before it was deleted and made again: those are of another one."""
    made = {step["topic"]: step["at_ns"] for step in truth["steps"] if step.get("do") == "create_topic"}
    kept = [
        sample
        for sample in truth["samples"]
        if not sample.get("tp") or sample["at_ns"] >= made.get(sample["tp"].rsplit("-", 1)[0], 0)
    ]
    return truth | {"samples": kept}


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


def printed(heard: Heard, cut: Truncation) -> bool:
    """Whether a line of the broker says that it cut there, or goes to."""
    lines = [evidence_of(heard.trace, seq) for seq in cut.evidence]
    words = (
        f"Truncating to offset {cut.to_offset} ",
        f"TruncationState(offset={cut.to_offset}, completed=true)",
    )
    return any(line is not None and any(one in line.text for one in words) for line in lines)


def invented_cuts(truth: Truth, heard: Heard) -> list[object]:
    """Cuts that no disk saw: a beginning that is a lower bound may be lower.

    Where the truth only polls (KRaft) it has an upper bound of the end, it may have missed a cut that a line
    tells of, and a log that was dropped whole stands there as one that grew.
    """
    polled = bool(truth.get("controllers"))
    dropped = {(one["tp"], one["replica"]) for one in truth["truncations"] if one["to"] >= one["from"]}
    found: list[object] = []
    for tp, verdict in heard.verdicts.items():
        if tp.startswith(f"{METADATA_TOPIC}-"):
            # Nobody watched the log of the metadata quorum.
            continue
        real = [cut for cut in truth["truncations"] if cut["tp"] == tp]
        for cut in verdict.truncations:
            fits = any(
                one["replica"] == cut.broker
                and (
                    one["to"] == cut.to_offset or (not one.get("exact", True) and cut.to_offset <= one["to"])
                )
                and (
                    cut.from_offset in (None, one["from"])
                    or not one.get("exact", True)
                    or (cut.basis is Basis.BOUNDED and (cut.from_offset or 0) <= one["from"])
                )
                for one in real
            )
            excused = polled and (printed(heard, cut) or (tp, cut.broker) in dropped)
            if cut.from_offset != cut.to_offset and not fits and not excused:
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


def around(heard: Heard, at: int) -> list[int]:
    """The cursors around an answer on the control plane."""
    first, last = heard.trace.first_cursor_at(Nanos(at - TOLD)), heard.trace.cursor_at(Nanos(at + TOLD))
    return list(range(first, last + 1))


def asked(truth: Truth) -> Iterator[dict[str, Any]]:
    """What the cluster answered when it was asked for leader and in-sync set."""
    for sample in truth["samples"]:
        if sample.get("tp") and sample.get("leader") is not None:
            yield sample


def wrong_control(truth: Truth, heard: Heard) -> list[object]:
    """Answers that the program denies: another leader, epoch or in-sync set, all around that time.

    Behind the end of the evidence it says what stood there, and nothing of later.
    """
    found: list[object] = []
    for sample in asked(truth):
        history = heard.histories.get(sample["tp"])
        if history is None or sample["at_ns"] > heard.ends + TOLD:
            continue
        cursors = around(heard, sample["at_ns"])
        told: dict[str, tuple[Any, set[Any]]] = {
            "leader": (sample["leader"], {history.leader.at(one) for one in cursors}),
            "epoch": (sample.get("leader_epoch"), {history.leader_epoch.at(one) for one in cursors}),
        }
        if sample.get("isr") is not None:
            sets = {history.isr.at(one) for one in cursors}
            told["isr"] = (
                tuple(sorted(sample["isr"])),
                {None if one is None else tuple(sorted(one)) for one in sets},
            )
        for name, (true, said) in told.items():
            if true is not None and None not in said and true not in said:
                found.append((sample["tp"], name, sample["at_ns"], true, said))
    return found


def wrong_end(truth: Truth, heard: Heard) -> list[object]:
    """What is said of the end, of log ends and epoch caches, and was not so."""
    found: list[object] = []
    for tp, final in truth["final"].items():
        verdict = heard.verdicts.get(tp)
        if verdict is None:
            continue
        for one in verdict.final:
            true = final["replicas"].get(str(one.broker))
            if true is None:
                continue
            if (one.leo.lo or 0) > true["leo"] or (one.leo.hi is not None and one.leo.hi < true["leo"]):
                found.append((tp, one.broker, "leo", true["leo"], str(one.leo)))
            cache = true["epoch_checkpoint"]
            if one.epochs is not None and cache is not None and [list(e) for e in one.epochs] != cache:
                found.append((tp, one.broker, "epochs", cache, one.epochs))
    return found


def values(truth: Truth, step: int) -> Iterator[tuple[str, int, str, int, int]]:
    """(partition, broker, "leo" or "hw", time, true value) of every `step`-th sample."""
    asked = [s for s in truth["samples"] if s.get("tp") and s.get("replica") is not None]
    for sample in asked[::step]:
        for value in ("leo", "hw"):
            if sample.get(value) is not None:
                yield sample["tp"], sample["replica"], value, sample["at_ns"], sample[value]


def band_of(history: History, broker: int, value: str, moment: int) -> Band:
    """A band at a moment."""
    trace, replica = history.trace, history.replicas[broker]
    steps = replica.leo if value == "leo" else replica.hw
    cursor = trace.cursor_at(Nanos(moment))
    if trace.first_cursor_at(Nanos(moment)) == cursor:
        return steps.at(cursor)
    told = state_at(history, cursor, moment).replica(broker)
    return told.leo if value == "leo" else told.hw


def outside(truth: Truth, heard: Heard, step: int = 7) -> tuple[list[Miss], int, int]:
    """Samples outside of their bands; how many bands are open; how many samples were held against one.

    What directories held in the end is told at the end of the evidence, where nobody knows of a later time.
    """
    misses: list[Miss] = []
    unknown = count = 0
    for tp, broker, value, at, true in values(truth, step):
        history = heard.histories.get(tp)
        if history is None or broker not in history.replicas:
            continue
        bands = [band_of(history, broker, value, moment) for moment in (at - BEFORE, at, at + AFTER)]
        count += 1
        unknown += bands[1].lo is None or bands[1].hi is None
        lows = [band.lo for band in bands if band.lo is not None]
        highs = [band.hi for band in bands if band.hi is not None]
        # A bound holds against the sample only if it is there all around the time of the poll.
        low = min(lows) if len(lows) == len(bands) else None
        high = max(highs) if len(highs) == len(bands) else None
        denied = (low is not None and true < low) or (high is not None and true > high)
        if denied and at <= heard.ends:
            misses.append((tp, broker, value, at, true, low, high))
    return misses, unknown, count
