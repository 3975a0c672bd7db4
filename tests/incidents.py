"""Random incidents as evidence: what brokers would have left of them, and what diagnosis may say of that.

What the evidence *could show* of a lost record, `could_show`: three things must have been said by somebody.
That the record stood: a broker named a log end above it while its log held it, or its disk holds it still.
That the next leader had none: it printed that it takes over at that offset or below; to 0.10, where a leader
prints no offset, a follower was told to go back to there. That is a loss. That it was a committed one: some
broker named a high watermark above it while that held.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import LossClass, PartitionVerdict
from core.history.epoch_runs import epoch_at
from core.history.open import open_history
from core.history.state import History
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.sim.script_text import Plan, as_toml
from core.trace.trace import Trace
from tests.incident_plans import Draw, cluster, incident_of
from tests.trips import classes, denied, outside_bands, read_again, since, states_log_end, stronger, told

MEASURES = (
    "false loss",
    "loss stronger than the truth",
    "truncation invented",
    "truncation from too far",
    "true value outside its band",
    "false divergence",
    "false leader",
    "another leader, epoch or set at a moment",
    "missed loss",
)
"""What must not be."""


@dataclass(slots=True)
class Judged:
    """What was found wrong, a sentence each, by measure; and how much there was of what."""

    wrong: dict[str, list[str]] = field(default_factory=lambda: {one: list[str]() for one in MEASURES})
    counts: Counter[str] = field(default_factory=Counter[str])

    def add(self, other: "Judged") -> None:
        for measure, found in other.wrong.items():
            self.wrong[measure] += found
        self.counts += other.counts

    @property
    def bad(self) -> list[str]:
        return [f"{measure}: {one}" for measure, found in self.wrong.items() for one in found]


def run_of(seed: int, shape_of: Callable[[Draw], Plan] = cluster) -> Trace:
    """The complete trace of the incident of a seed, in a cluster of a shape."""
    plan, rules = incident_of(seed, shape_of)
    return simulate(parse_scenario(as_toml(plan, f"incident-{seed}")), rules)


def judged(run: Trace, *, data: bool) -> Judged:
    """A run against what is said of the logs that it leaves, with or without data directories."""
    read = read_again(run, data=data)
    true, found = diagnose(run), diagnose(read)
    result = Judged(counts=Counter({"incidents": 1}))
    for index, partition in enumerate(run.partitions):
        here = read.partition_index(str(partition.tp))
        if here is None:
            result.counts["partitions that nothing tells of"] += 1
            claims = PartitionVerdict(index)
        else:
            claims = found.partitions[here]
            result.wrong["true value outside its band"] += [
                f"{partition.tp} {one}" for one in outside_bands(run, read, index, here)
            ]
            result.wrong["another leader, epoch or set at a moment"] += [
                f"{partition.tp} {one}" for one in denied(run, read, index, here)
            ]
        truth = true.partitions[index]
        judge_claims(result, truth, claims)
        judge_missed(result, run, truth, claims, data=data)
    return result


def judge_claims(result: Judged, truth: PartitionVerdict, claims: PartitionVerdict) -> None:
    """What is claimed of a partition and is not so. What is missing is another question."""
    held = classes(truth)
    for offset, kind in classes(claims).items():
        if offset not in held:
            result.wrong["false loss"].append(f"partition {truth.partition} offset {offset} {kind}")
        elif stronger(kind, held[offset]):
            text = f"partition {truth.partition} offset {offset} {kind}, it is {held[offset]}"
            result.wrong["loss stronger than the truth"].append(text)
    _judge_cuts(result, truth, claims)
    _judge_rest(result, truth, claims)


def judge_missed(
    result: Judged, run: Trace, truth: PartitionVerdict, claims: PartitionVerdict, *, data: bool
) -> None:
    """Which of the lost records the evidence could show, and which of those are claimed."""
    held, claimed = classes(truth), classes(claims)
    split = {place for one in claims.divergences for place in range(one.first_offset, one.end_offset)}
    shown, committed = could_show(run, truth, data=data)
    lost = {offset for offset, kind in held.items() if kind is LossClass.COMMITTED}
    told_of = set(claimed) | split
    result.counts["committed records lost"] += len(lost)
    result.counts["of these, found as lost"] += len(lost & told_of)
    result.counts["that the evidence could show"] += len(shown)
    result.counts["of these, found"] += len(shown & told_of)
    result.counts["shown as committed"] += len(committed)
    strong = {offset for offset, kind in claimed.items() if kind is LossClass.COMMITTED} | split
    result.counts["of these, found as committed"] += len(committed & strong)
    result.wrong["missed loss"] += [
        f"partition {truth.partition} offset {offset}" for offset in sorted(shown - told_of)
    ]


def _judge_cuts(result: Judged, truth: PartitionVerdict, claims: PartitionVerdict) -> None:
    true = Counter((cut.broker, cut.to_offset) for cut in truth.truncations)
    claimed = Counter((cut.broker, cut.to_offset) for cut in claims.truncations)
    result.counts["truncations"] += true.total()
    result.counts["truncations found"] += (true & claimed).total()
    result.wrong["truncation invented"] += [
        f"partition {truth.partition} broker {broker} to {to}" for broker, to in (claimed - true).elements()
    ]
    for cut in claims.truncations:
        most = [
            one.from_offset or 0
            for one in truth.truncations
            if (one.broker, one.to_offset) == (cut.broker, cut.to_offset)
        ]
        if most and cut.from_offset is not None and cut.from_offset > max(most):
            text = f"partition {truth.partition} broker {cut.broker} {cut.from_offset} to {cut.to_offset}"
            result.wrong["truncation from too far"].append(f"{text}, it was from {max(most)}")


def _judge_rest(result: Judged, truth: PartitionVerdict, claims: PartitionVerdict) -> None:
    def places(verdict: PartitionVerdict) -> set[tuple[tuple[int, int], int]]:
        return {
            (one.brokers, offset)
            for one in verdict.divergences
            for offset in range(one.first_offset, one.end_offset)
        }

    false = places(claims) - places(truth)
    result.wrong["false divergence"] += [f"partition {truth.partition} {one}" for one in sorted(false)]
    known = {(term.epoch, term.leader) for term in truth.leadership}
    leaders = [(term.epoch, term.leader) for term in claims.leadership]
    result.wrong["false leader"] += [
        f"partition {truth.partition} epoch {epoch} broker {leader}"
        for epoch, leader in leaders
        if (epoch, leader) not in known
    ]


def could_show(run: Trace, truth: PartitionVerdict, *, data: bool) -> tuple[set[int], set[int]]:
    """Offsets of committed records that were lost, as far as the evidence could show it; and as committed."""
    history = open_history(run, truth.partition)
    shown: set[int] = set()
    committed: set[int] = set()
    for loss in truth.losses:
        if loss.loss_class is not LossClass.COMMITTED or loss.epoch is None:
            continue
        for offset in range(loss.first_offset, loss.end_offset):
            if _stood(run, history, loss.epoch, offset, data=data) and _missing(
                run, history, loss.epoch, offset
            ):
                shown.add(offset)
                if _watermark(run, history, loss.epoch, offset):
                    committed.add(offset)
    return shown, committed


def _stood(run: Trace, history: History, epoch: int, offset: int, *, data: bool) -> bool:
    """Whether somebody named a log end above a record that its log then held, or its disk holds it still."""
    for event in told(run, *STATED, partition=history.partition):
        end = states_log_end(run, event)
        # What stands on the disks as a run begins was written without a line.
        if end is not None and end > offset and event.position:
            before = history.at(event.seq).replica(event.values["replica"])
            if epoch_at(before.runs, offset) == epoch:
                return True
    last = history.at(len(run))
    return data and any(epoch_at(replica.runs, offset) == epoch for replica in last.replicas)


STATED = (
    "log_loaded",
    "truncated",
    "became_leader",
    "became_follower",
    "truncation_noop",
    "truncation_not_needed",
    "isr_shrink_proposed",
    "fetch_offset_reset",
    "fetcher_added",
)


def _missing(run: Trace, history: History, epoch: int, offset: int) -> bool:
    """Whether a later leader named a log end that does not reach a record."""
    if since(run, 0, 11):
        return any(
            (event.get("leo") or 0) <= offset
            for event in told(run, "became_leader", partition=history.partition)
            if (event.get("epoch") or 0) > epoch
        )
    resets = told(run, "fetch_offset_reset", partition=history.partition)
    return any(
        event.values["offset"] <= offset and (history.at(event.seq).leader_epoch or 0) > epoch
        for event in resets
    )


def _watermark(run: Trace, history: History, epoch: int, offset: int) -> bool:
    """Whether a line names a high watermark above a record while the log held it."""
    for event in told(run, "became_leader", "isr_shrink_proposed", "hw_loaded", partition=history.partition):
        hw = event.get("hw")
        if hw is not None and hw > offset and event.position:
            here = history.at(event.seq).replica(event.values["replica"])
            if epoch_at(here.runs, offset) == epoch:
                return True
    return False
