"""A run of a comparison is read once: its history and verdict are what each gives alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from core.compare import judged as judged_module
from core.compare.align import compare, make_run, make_runs
from core.compare.judged import judged
from core.diagnose.verdict.check import diagnose_partition, open_and_judge
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.open import open_history
from core.history.rows import Rows
from core.history.state import History
from core.history.state_rows import state_changes
from core.kafka.eras import era
from core.sim.ablation.settings import with_values
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Trace
from tests.recordings.whole import sampled
from tests.runs import simulated

pytestmark = pytest.mark.broad(2)

TRACES: dict[str, tuple[Callable[[], Trace], str]] = {
    "loss": (lambda: simulated("hw-loss", era("0.10.2")), ""),
    "quorum": (lambda: simulated("two-controllers", era("3.7")), "t-0"),
    "real": (lambda: sampled("k0102-hw-loss"), "orders-0"),
}


@pytest.mark.parametrize("which", TRACES)
def test_history_and_verdict_are_those_of_each_alone(which: str) -> None:
    made, name = TRACES[which]
    trace = made()
    run = make_run(trace, name or None)
    history = open_history(trace, run.history.partition)

    assert list(state_changes(run.history)) == list(state_changes(history))
    assert run.verdict == diagnose_partition(history)


@pytest.mark.parametrize("which", TRACES)
def test_its_rows_are_read_once(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made, name = TRACES[which]
    trace, read = made(), 0
    before = Rows.__init__

    def counted(self: Rows, *values: Any) -> None:
        nonlocal read
        read += 1
        before(self, *values)

    monkeypatch.setattr(Rows, "__init__", counted)
    open_and_judge(trace, trace.partition_index(name) or 0)
    assert read == 1


def test_a_run_is_judged_once_under_each_of_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A switch that is flipped back shows a run again, with a number behind its name where others have it."""
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    asked: list[str] = []

    def counted(trace: Trace, partition: int) -> tuple[History, PartitionVerdict]:
        asked.append(trace.name)
        return open_and_judge(trace, partition)

    monkeypatch.setattr(judged_module, "open_and_judge", counted)
    first, again, renamed, other = (
        judged(one, 0)
        for one in (trace, trace, replace(trace, name="again"), simulate(scenario("hw-loss"), era("0.10.2")))
    )
    assert asked == [trace.name, trace.name], "another run of the same is not this one"
    assert again[0] is first[0]
    assert renamed[0].trace.name == "again"
    assert renamed[1] == first[1] == other[1]


def test_no_more_runs_are_kept_than_the_last_ones() -> None:
    traces = [simulate(scenario("one-fetch"), era("2.8"), seed=seed) for seed in range(1, 19)]
    first = judged(traces[0], 0)
    for trace in traces[1:]:
        judged(trace, 0)
    assert judged(traces[0], 0)[0] is not first[0]


def test_a_run_that_is_open_is_not_opened_again_and_called_as_if_it_were() -> None:
    """Beside a run of other settings its title had them; it must not have them beside the next one."""
    shipped = scenario("hw-loss")
    one, two, three = (
        simulate(with_values(shipped, {"acks": acks}), rules)
        for acks, rules in (("1", era("2.8")), ("all", era("2.8")), ("all", era("0.11")))
    )
    before = compare(make_runs([one, two]))
    assert [run.title for run in before.runs] == ["Kafka 2.8, acks=1", "Kafka 2.8, acks=all"]

    anew, kept = make_runs([two, three]), make_runs([two, three], opened=before.runs)
    assert kept[0].history is before.runs[1].history
    assert [run.title for run in kept] == [run.title for run in anew]
    assert [run.verdict for run in kept] == [run.verdict for run in anew]
    assert compare(kept).stops == compare(anew).stops
