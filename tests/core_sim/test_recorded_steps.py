"""What real brokers did, told to the simulator: the same epochs, cuts, losses and log ends come out.

The counts of records are those of the recording, taken from its README; the outcome is its truth.json. A step
of a driver that waits for a clock becomes one that waits for what the driver waited for. Where timing decided
(how many unacknowledged records the old leader still took), the count is told and not found.
"""

import json
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from core.kafka.eras import era, with_switches
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace
from core.trace.vocabulary import CutReason
from tests.goldens import updating

RECORDINGS = Path(__file__).parents[1] / "recordings"
TABLE = Path(__file__).parents[2] / "docs" / "recorded-steps.md"
INTRO = """\
# What real clusters did, told to the simulator

Made by tests/core_sim/test_recorded_steps.py, which tells the steps of recordings of real clusters to the
simulator and compares leaders with epochs, cuts, losses, log ends, epoch caches and divergence with the
recording's truth. They are equal in every row.

Told, and not found, is what timing decided in the recording: how many records the old leader took that nobody
acknowledged, where the last checkpoint stood, which of two sessions ended first, and which broker led the
controller. In another run of the same steps on real brokers these may differ; the simulator gives each
outcome for its own timing.
"""
Begin = Callable[[Trace], Any]
Line = tuple[str, Mapping[str, object]]


def step(do: str, **keys: object) -> Line:
    return do, ({"within_ms": 120_000, **keys} if "until" in keys else keys)


def produce(count: int, acks: str) -> Line:
    return step("produce", count=count, acks=acks)


def toml_of(value: object) -> str:
    return "true" if value is True else json.dumps(value)


@dataclass(frozen=True)
class Story:
    """One partition of a recording."""

    recording: str
    partition: str
    era: str
    steps: tuple[Line, ...]
    brokers: tuple[str, ...] = ("1", "2")
    switches: Mapping[str, str] = field(default_factory=dict[str, str])
    settings: Mapping[str, object] = field(default_factory=dict[str, object])
    first_epoch: int = 0

    @property
    def name(self) -> str:
        return f"{self.recording} {self.partition}"

    def script(self) -> str:
        said = '{ en = "as recorded", zh = "与录制一致" }'
        lines = ["schema = 1", 'id = "recorded"', f"title = {said}", f"story = {said}", "[cluster]"]
        lines += [f"brokers = {[f'b{one}' for one in self.brokers]}", "[settings]"]
        lines += [f"{json.dumps(key)} = {toml_of(value)}" for key, value in self.settings.items()]
        for do, keys in self.steps:
            lines += ["[[step]]", f"label = {said}", f'do = "{do}"']
            lines += [f"{key} = {toml_of(value)}" for key, value in keys.items()]
        return "\n".join(lines) + "\n"


def restart_before_the_leader_dies(
    at_checkpoint: int, copied: int, tail: int, *rest: Line
) -> tuple[Line, ...]:
    """Broker 2 is killed with an old checkpoint and comes back; broker 1 dies before it has answered it."""
    return (
        produce(at_checkpoint, "all"),
        step("wait", until=f"b2 has high watermark {at_checkpoint}"),
        step("checkpoint", brokers=["b2"]),
        step("produce", count=copied - at_checkpoint, acks="all", until=f"b1 has high watermark {copied}"),
        step("crash", broker="b2", controller_fails_over=True),
        step("produce", count=tail, acks="all") if tail else step("wait", for_ms=1),
        step("wait", until=f"b1 has checkpointed high watermark {copied}"),
        step("start", broker="b2", until="b2 sends a fetch"),
        # The controller had moved to it when broker 3 was killed, and moves once more.
        step("crash", broker="b1", controller_fails_over=True),
        step("wait", until="b2 leads"),
        *rest,
    )


def two_failovers(unreplicated: int, second: int, third: int, last: int) -> tuple[Line, ...]:
    """Broker 1 dies with records that 2 has not fetched; 2 leads and dies; 1 leads uncleanly; 2 returns."""
    return (
        produce(20, "all"),
        step("wait", until="b2 has high watermark 20"),
        # What was parked when it froze is answered with nothing.
        step("fetch-by-step", brokers=["b2"], for_ms=700),
        produce(unreplicated, "1"),
        step("crash", broker="b1"),
        step("wait", until="b2 leads"),
        produce(second, "1"),
        step("crash", broker="b2"),
        step("wait", for_ms=20_000),
        step("start", broker="b1", until="b1 leads"),
        produce(third, "1"),
        step("fetch-freely", brokers=["b2"]),
        step("start", broker="b2", until="b2 is in the ISR"),
        step("produce", count=last, acks="all", for_ms=1_000),
    )


BACK = step("start", broker="b1", until="b1 is in the ISR")
PREFERRED = step("elect", broker="b1", until="b1 leads")
TWELVE = step("produce", count=12, acks="all", for_ms=1_000)
AS_0102 = {
    "truncation": "high-watermark",
    "epoch-entry": "none",
    "fencing": "none",
    "isr-change": "zookeeper",
}
UNCLEAN = {"unclean.leader.election.enable": True}
STORIES = (
    Story(
        "k0102-hw-loss",
        "orders-0",
        "0.10.2",
        restart_before_the_leader_dies(206, 254, 2, BACK, TWELVE, PREFERRED),
    ),
    Story(
        "k0102-hw-loss",
        "clicks-0",
        "0.10.2",
        restart_before_the_leader_dies(205, 249, 0, BACK, TWELVE, PREFERRED),
    ),
    Story(
        "k0102-divergence",
        "payments-0",
        "0.10.2",
        restart_before_the_leader_dies(
            207, 259, 3, produce(70, "all"), BACK, produce(6, "all"), PREFERRED, step("wait", for_ms=1_000)
        ),
    ),
    Story(
        "k011-epoch-fix",
        "orders-0",
        "0.11",
        restart_before_the_leader_dies(206, 257, 2, BACK, TWELVE, PREFERRED),
    ),
    Story(
        "k28-epoch-fix",
        "orders-0",
        "2.8",
        restart_before_the_leader_dies(206, 254, 5, BACK, PREFERRED, TWELVE),
    ),
    Story(
        "k28-ibp0102-hw-loss",
        "orders-0",
        "2.8",
        restart_before_the_leader_dies(201, 251, 7, BACK, TWELVE),
        switches=AS_0102,
    ),
    Story("k111-kip279-divergence", "trades-0", "1.1", two_failovers(10, 16, 5, 4), settings=UNCLEAN),
    Story("k28-kip279-fix", "trades-0", "2.8", two_failovers(10, 16, 5, 4), settings=UNCLEAN),
    Story(
        "k28-unclean-loss",
        "events-0",
        "2.8",
        (
            produce(90, "all"),
            step("crash", broker="b3"),
            step("wait", until="b3 is not in the ISR"),
            produce(255, "1"),
            step("crash", broker="b2"),
            step("wait", until="b2 is not in the ISR"),
            produce(283, "1"),
            step("crash", broker="b1"),
            step("wait", for_ms=20_000),
            step("start", broker="b3", until="b3 leads"),
            produce(6, "1"),
            step("start", broker="b2", until="b2 is in the ISR"),
            produce(5, "all"),
            step("start", broker="b1", until="b1 is in the ISR"),
            step("produce", count=6, acks="all", for_ms=1_000),
        ),
        brokers=("1", "2", "3"),
        settings=UNCLEAN,
    ),
    Story(
        # 3.9 is between the eras: as 3.7, but the controller obeys the setting (KAFKA-12670).
        "k39-unclean-loss",
        "events-0",
        "3.7",
        (
            produce(20, "all"),
            step("wait", until="b2 has high watermark 20"),
            step("freeze", brokers=["b2", "b3"]),
            step("wait", until="b2 is not in the ISR"),
            step("wait", until="b3 is not in the ISR"),
            produce(15, "1"),
            step("crash", broker="b1"),
            step("thaw", brokers=["b2", "b3"], until="b2 leads"),
            step("wait", until="b3 is in the ISR"),
            produce(5, "all"),
            BACK,
            step("produce", count=2, acks="all", for_ms=1_000),
        ),
        brokers=("1", "2", "3"),
        switches={"unclean-setting": "obeyed"},
        settings=UNCLEAN,
    ),
    Story(
        "k43-elr",
        "accounts-0",
        "4.1",
        (
            produce(12, "all"),
            step("freeze", brokers=["b3"], until="b3 is not in the ISR"),
            step("produce", count=4, acks="all", until="b2 has high watermark 16"),
            step("stop", broker="b2", until="b2 is not in the ISR"),
            produce(3, "1"),
            step("crash", broker="b1"),
            step("wait", for_ms=20_000),
            step("start", broker="b2", until="b2 leads"),
            step("thaw", brokers=["b3"], until="b3 is in the ISR"),
            produce(3, "all"),
            BACK,
            produce(2, "all"),
            step("crash", broker="b3"),
            step("wait", until="b3 is not in the ISR"),
            produce(2, "all"),
            step("crash", broker="b1"),
            step("wait", until="b1 is not in the ISR"),
            produce(2, "1"),
            BACK,
            produce(2, "all"),
            step("crash", broker="b1"),
            step("wait", until="b1 is not in the ISR"),
            step("crash", broker="b2"),
            step("wait", for_ms=20_000),
            step("start", broker="b1", for_ms=5_000),
            step("start", broker="b3", for_ms=5_000),
            step("start", broker="b2", until="b2 leads"),
            step("wait", until="b3 is in the ISR"),
            step("wait", until="b1 is in the ISR"),
            step("produce", count=3, acks="all", for_ms=1_000),
        ),
        brokers=("1", "2", "3"),
        settings={"min.insync.replicas": 2},
    ),
    Story(
        "k43-failover",
        "orders-0",
        "4.1",
        (
            produce(12, "1"),
            produce(1, "1"),
            # Whose session ends first is a matter of when each sent its last heartbeat: that of broker 2.
            step("crash", broker="b2"),
            step("wait", for_ms=3_000),
            step("freeze", brokers=["b1"]),
            step("start", broker="b2", until="b2 is not in the ISR"),
            step("crash", broker="b1"),
            step("wait", for_ms=20_000),
            step("start", broker="b1", until="b1 leads"),
            step("wait", until="b2 is in the ISR"),
            step("produce", count=6, acks="1", for_ms=1_000),
            # It had a fetch waiting when it froze: the first of the next records reached it.
            step("produce", count=1, acks="1", until="b2 has log end offset 20"),
            step("freeze", brokers=["b2"]),
            produce(4, "1"),
            step("crash", broker="b1"),
            step("thaw", brokers=["b2"], until="b2 leads"),
            produce(3, "1"),
            BACK,
            step("produce", count=2, acks="1", for_ms=1_000),
        ),
        switches={"eligible-leaders": "off"},
    ),
)


@dataclass(frozen=True)
class Outcome:
    """What came out, in the terms of truth.json."""

    leaders: list[tuple[int, int]]
    cuts: list[tuple[int, int, int]]
    lost: set[int]
    ends: dict[int, int]
    caches: dict[int, list[tuple[int, int]]]
    diverged: set[int]
    acknowledged: set[int]
    """The offsets of records that were acknowledged before the first cut, and before the last election."""


def simulated(story: Story, begin: Begin) -> Outcome:
    script = parse_scenario(story.script())
    trace = simulate(script, with_switches(era(story.era), dict(story.switches)))
    state = begin(trace)
    leaders: list[tuple[int, int]] = []
    cuts: list[tuple[int, int, int]] = []
    acknowledged: dict[tuple[int, str], None] = {}
    for event in map(trace.event, range(len(trace))):
        state.apply(event)
        assert event.kind != "condition_not_met", story.steps[event.position - 1]
        values = event.values
        if event.kind in ("leader_elected", "leaderless", "isr_committed"):
            told = (values["leader"], values["epoch"])
            leaders += [told] if told not in leaders else []
        elif event.kind == "truncated" and values["aux"] != CutReason.RECOVERY:
            cuts.append((values["replica"], values["from_offset"], values["offset"]))
        elif event.kind == "acknowledged":
            held = state.replicas[state.name(values["replica"])].records
            span = range(values["from_offset"], values["offset"])
            acknowledged.update(dict.fromkeys((offset, held[offset]) for offset in span))
    logs = {int(name[1:]): seen for name, seen in state.replicas.items()}
    last = logs[leaders[-1][0]].records
    return Outcome(
        leaders=leaders,
        cuts=cuts,
        lost={offset for offset, name in acknowledged if last[offset : offset + 1] != [name]},
        ends={broker: seen.leo for broker, seen in logs.items()},
        caches={broker: list(seen.entries) for broker, seen in logs.items()},
        diverged={
            offset
            for one in logs.values()
            for offset, (mine, led) in enumerate(zip(one.records, last, strict=False))
            if mine != led
        },
        acknowledged={offset for offset, _ in acknowledged},
    )


def truth_of(story: Story) -> dict[str, Any]:
    with tarfile.open(RECORDINGS / f"{story.recording}.tar.xz") as archive:
        member = archive.extractfile(f"{story.recording}/truth.json")
        assert member is not None
        return json.load(member)


def recorded(story: Story) -> Outcome:
    truth, name = truth_of(story), story.partition
    since: dict[tuple[int, int], int] = {}
    for sample in truth["samples"]:
        if sample.get("tp") == name and "leader" in sample:
            since.setdefault((sample["leader"], sample["leader_epoch"]), sample["at_ns"])
    leaders = list(since)
    replicas = truth["final"][name]["replicas"]
    cuts_at = [one["at_ns"] for one in truth["truncations"] if one["tp"] == name]
    before = min(since[leaders[-1]], *cuts_at)
    return Outcome(
        leaders=leaders,
        cuts=[(one["replica"], one["from"], one["to"]) for one in truth["truncations"] if one["tp"] == name],
        lost={one["offset"] for one in truth["lost"].get(name, [])},
        ends={int(broker): one["leo"] for broker, one in replicas.items()},
        caches={
            int(broker): [(entry[0], entry[1]) for entry in one["epoch_checkpoint"] or []]
            for broker, one in replicas.items()
        },
        diverged={one["offset"] for one in truth["diverged"].get(name, [])},
        acknowledged={one["offset"] for one in truth["acked"][name] if one["at_ns"] < before},
    )


@pytest.mark.parametrize("story", STORIES, ids=lambda one: one.name)
def test_the_simulator_does_what_the_brokers_did(story: Story, start_replay: Begin) -> None:
    found, real = simulated(story, start_replay), recorded(story)
    assert found.cuts == real.cuts
    # A moment without a leader may lie between two polls; the epoch that it took shows in the next one.
    assert [one for one in found.leaders if one[0] > 0] == [one for one in real.leaders if one[0] > 0]
    assert found.ends == real.ends
    assert found.caches == real.caches
    assert found.diverged == real.diverged
    # Every produce of the story is acknowledged; of the recording's, some acks=all ones were not.
    assert found.lost & real.acknowledged == real.lost


def row(story: Story, found: Outcome) -> str:
    switches = ", ".join(f"{name}={value}" for name, value in story.switches.items())
    leaders = ", ".join(f"{'none' if who < 0 else who} in {epoch}" for who, epoch in found.leaders)
    cuts = ", ".join(f"{who}: {start} → {end}" for who, start, end in found.cuts)
    lost = f"{min(found.lost)} to {max(found.lost)}" if found.lost else "-"
    diverged = f"{min(found.diverged)} to {max(found.diverged)}" if found.diverged else "-"
    rules = f"{story.era}{' with ' + switches if switches else ''}"
    cells = (story.recording, story.partition, rules, leaders, cuts or "-", lost, diverged)
    return f"| {' | '.join(cells)} |"


def test_the_table_of_the_documentation_is_what_the_runs_give(start_replay: Begin) -> None:
    head = "| recording | partition | rules | leader in epoch | broker: cut | lost offsets | diverged |"
    rows = [row(story, simulated(story, start_replay)) for story in STORIES]
    text = "\n".join([INTRO, head, f"|{' --- |' * 7}", *rows]) + "\n"
    if updating():
        TABLE.write_text(text, encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == text
