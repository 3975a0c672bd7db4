"""Logs of one broker that somebody joined without headings: `cat *.log > all.log`."""

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest

from core.trace.trace import Trace
from importers.load import load

CONTROLS = "kafka.controller.KafkaController"
STATE = "state.change.logger"
ELECTED = "successfully elected as the controller. Epoch incremented to 1 and epoch zk version is now 1"
FOLLOWS = (
    "[Broker id=1] Follower t-0 starts at leader epoch 4 from offset 3 with high watermark 3. "
    "Previous leader epoch was 3."
)
RECEIVED = (
    "[Broker id=1] Received LeaderAndIsr request LeaderAndIsrPartitionState(topicName='t', partitionIndex=0, "
    "controllerEpoch=2, leader=2, leaderEpoch=5, isr=[1, 2], zkVersion=7, replicas=[1, 2], "
    "addingReplicas=[], removingReplicas=[], isNew=false) correlation id 3 from controller 2 epoch 2"
)


def line(clock: str, said: str, logger: str = "kafka.server.KafkaServer") -> str:
    return f"[2026-11-21 10:{clock},000] INFO {said} ({logger})"


SERVER = (
    line("00:00", "starting"),
    line("00:05", "[KafkaServer id=1] started"),
    line("00:20", "[Log partition=t-0, dir=/d] Truncating to offset 3", "kafka.log.Log"),
    line("01:00", "[Log partition=t-0, dir=/d] Truncating to offset 2", "kafka.log.Log"),
)
CONTROLLER = (
    line("00:04", f"[Controller id=1] 1 {ELECTED}", CONTROLS),
    line("00:30", "[Controller id=1] Resigned", CONTROLS),
)
STATES = (line("00:10", FOLLOWS, STATE), line("00:40", RECEIVED, STATE))


def told(folder: Path, logs: dict[str, Sequence[str]]) -> Trace:
    for name, lines in logs.items():
        place = folder / "broker-1" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load([folder])


def events(trace: Trace) -> list[tuple[str, int, dict[str, object]]]:
    found = [trace.event(seq) for seq in range(len(trace))]
    return [(one.kind, one.at, dict(one.values)) for one in found]


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_joined_logs_say_what_the_files_say(order: Sequence[int], tmp_path: Path) -> None:
    logs = (SERVER, CONTROLLER, STATES)
    apart = told(
        tmp_path / "apart", {"server.log": SERVER, "controller.log": CONTROLLER, "state-change.log": STATES}
    )
    joined = told(tmp_path / "joined", {"all.log": [one for place in order for one in logs[place]]})

    assert len(events(apart)) > 6
    assert events(joined) == events(apart)
    assert not joined.report["left_out"]


def test_each_event_leads_to_its_line(tmp_path: Path) -> None:
    lines = [*STATES, *SERVER]
    trace = told(tmp_path, {"all.log": lines})

    for seq in range(len(trace)):
        event = trace.event(seq)
        if event.kind in ("truncated", "leader_and_isr_received"):
            assert f"{event.at // 1_000_000_000 % 60:02}" == lines[event.line - 1][18:20]


def test_a_log_that_goes_on_with_its_clock_set_back_is_one_log(tmp_path: Path) -> None:
    """What is printed after the step is of the same log: nothing is sorted."""
    back = [one.replace("10:01:00", "10:00:15") for one in SERVER]
    trace = told(tmp_path, {"server.log": back})

    assert not any(
        "one after the other" in str(gap) or "several-logs" in str(gap) for gap in trace.report["gaps"]
    )
    offsets = [event["offset"] for kind, _, event in events(trace) if kind == "truncated"]
    assert offsets == [3, 2]
