"""Where runs meet, and the decision that parts them. Numbers are the articles' and the recordings'."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from core.compare.align import compare, make_run, make_runs
from core.compare.as_json import compare_json
from core.compare.comparison import Comparison
from core.errors import QuestionError
from core.kafka.eras import era
from core.message_json import from_plain
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.trace.builder import TraceBuilder
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import Broker, Origin, Partition, Trace
from core.words import text
from gui.text.render import renderer
from tests.recordings.whole import sampled
from tests.runs import simulated

pytestmark = pytest.mark.broad(6)

ERAS = ("0.10.2", "0.11", "2.8")


@cache
def runs_of(script: str, *eras: str) -> Comparison:
    return compare(make_runs([simulated(script, era(name)) for name in eras]))


@pytest.fixture(scope="module")
def recorded() -> Comparison:
    traces = [sampled(name) for name in ("k0102-hw-loss", "k28-epoch-fix")]
    return compare(make_runs(traces, "orders-0"))


def cursors_of_views(comparison: Comparison) -> Iterator[tuple[int, set[int]]]:
    for index, run in enumerate(comparison.runs):
        yield index, {int(seq) + 1 for seq in run.history.seqs}


@pytest.mark.parametrize("script", scenario_ids())
def test_every_event_of_every_run_is_a_stop_and_no_run_goes_back(script: str) -> None:
    comparison = runs_of(script, *ERAS)

    for index, wanted in cursors_of_views(comparison):
        assert wanted <= {stop.cursors[index] for stop in comparison.stops}
    for before, after in pairwise(comparison.stops):
        moved = [now - then for then, now in zip(before.cursors, after.cursors, strict=True)]
        assert min(moved) >= 0
        # Between two anchors one run advances, and it does.
        assert after.anchor or sum(1 for step in moved if step) == 1


@pytest.mark.parametrize("script", scenario_ids())
def test_simulations_meet_at_each_step_of_their_script(script: str) -> None:
    comparison = runs_of(script, *ERAS)
    steps = scenario(script).steps

    anchors = [stop for stop in comparison.stops if stop.anchor]

    assert comparison.axis == "script"
    assert [stop.anchor for stop in anchors] == ["start", *(f"step {step.number}" for step in steps)]
    assert [stop.label and text(stop.label) for stop in anchors[1:]] == [step.label["en"] for step in steps]
    for index, run in enumerate(comparison.runs):
        for stop, step in zip(anchors[1:], steps, strict=True):
            event = run.history.trace.event(stop.cursors[index] - 1)
            assert (event.kind, event.get("aux")) == ("step", step.number)


def test_the_first_difference_of_the_loss_and_the_fix_is_what_b_cuts_to() -> None:
    comparison = runs_of("hw-loss", *ERAS)

    first = comparison.first

    assert first is not None
    assert first.runs == (0, 1)
    assert text(first.decision) == "Broker B (2) starts and follows broker A. How far back does it cut?"
    assert text(first.left) == "2 → 1: cut to its own high watermark"
    assert text(first.right) == "keeps 2: the leader says that its epoch ends at 2"
    assert tuple(map(text, first.rules)) == (text(era("0.10.2").rule), text(era("0.11").rule))


def test_at_the_first_difference_both_runs_have_decided() -> None:
    comparison = runs_of("hw-loss", "0.10.2", "2.8")
    first = comparison.first
    assert first is not None
    stop = comparison.stops[first.stop]

    left, right = (run.history.at(cursor) for run, cursor in zip(comparison.runs, stop.cursors, strict=True))

    assert (left.replica(2).leo.exact, left.replica(2).hw.exact) == (1, 1)
    assert (right.replica(2).leo.exact, right.replica(2).hw.exact) == (2, 1)
    assert text(first.right) == "keeps 2: its fetch at 2 is not answered"
    # It lies in the column of step 8, in which B starts.
    anchors = [one.anchor for one in comparison.stops[: first.stop + 1] if one.anchor]
    assert anchors[-1] == "step 8"


def test_what_differs_is_marked_from_the_first_difference_to_the_end() -> None:
    comparison = runs_of("hw-loss", *ERAS)
    first = comparison.first
    assert first is not None

    marked = [2 in brokers for brokers in comparison.differing]

    assert marked == [stop >= first.stop for stop in range(len(comparison.stops))]
    assert comparison.between[0] == comparison.differing
    assert not any(comparison.between[1])  # 0.11 and 2.8 hold the same throughout


def test_logs_of_one_length_with_other_records_differ() -> None:
    comparison = runs_of("hw-divergence", "0.10.2", "0.11")

    # KIP-101, second example: by its high watermark B keeps m4, by epochs it drops m4 and copies m5.
    ends = [run.history.at(len(run.history.trace)).replica(2) for run in comparison.runs]
    assert [replica.leo.exact for replica in ends] == [3, 3]
    assert [replica.runs[-1].records[-1] for replica in ends] == ["m4", "m5"]
    assert comparison.differing[-1] == (2,)
    first = comparison.first
    assert first is not None
    assert all(2 in brokers for brokers in comparison.differing[first.stop :])


def test_runs_that_decide_alike_have_no_difference() -> None:
    for script in ("two-replica-sync", "three-replica-sync", "isr-shrink"):
        comparison = runs_of(script, *ERAS)

        assert comparison.first is None
        assert not any(comparison.differing)


def test_divergence_begins_where_b_keeps_or_cuts_m4() -> None:
    first = runs_of("hw-divergence", *ERAS).first

    assert first is not None
    assert text(first.subject) == "broker B"
    assert text(first.left).startswith("keeps 3")
    assert text(first.right) == "3 → 2: cut to where the leader says that its epoch ends"


def test_the_recorded_loss_and_the_recorded_fix_part_at_the_returning_follower(recorded: Comparison) -> None:
    first = recorded.first

    assert recorded.axis == "landmarks"
    assert first is not None
    assert text(first.decision) == "Broker 2 starts and follows broker 1. How far back does it cut?"
    # The truth of the recording: orders-0 on broker 2, 254 -> 206; in the other one broker 2 cuts nothing.
    assert text(first.left) == "254 → 206: cut to its own high watermark"
    assert text(first.right) == "keeps 254: its fetch at 254 is not answered"
    assert [run.title for run in recorded.runs] == ["Kafka 0.10.2.2", "Kafka 2.8.2"]


def test_a_difference_of_the_in_sync_set_is_named_by_it() -> None:
    """Of audit-0 run 1 has three replicas in sync while run 2 has two; its leader is the same."""
    traces = [sampled(name) for name in ("k0102-hw-loss", "k28-epoch-fix")]
    first = compare(make_runs(traces, "audit-0")).first

    assert first is not None
    assert text(first.decision) == "Which replicas are in sync?"
    assert text(first.subject) == "in-sync set"


def test_recordings_meet_at_what_was_done_to_both(recorded: Comparison) -> None:
    anchors = [stop.anchor for stop in recorded.stops if stop.anchor]

    # The driver's steps, the same in both: 2 is killed and started, 1 is killed; 2 leads; 1 returns.
    wanted = [
        "replica 0 leads, 1st",
        "replica 1 stops, 1st",
        "replica 1 starts, 2nd",
        "replica 0 stops, 1st",
        "replica 1 leads, 1st",
        "replica 0 starts, 2nd",
        "in sync [0 1], 1st",
    ]
    assert [anchor for anchor in anchors if anchor in wanted] == wanted
    assert (anchors[0], anchors[-1]) == ("start", "end")
    assert [len(run.history.trace) for run in recorded.runs] == list(recorded.stops[-1].cursors)


def test_recordings_stop_at_every_event_too(recorded: Comparison) -> None:
    for index, wanted in cursors_of_views(recorded):
        assert wanted <= {stop.cursors[index] for stop in recorded.stops}
    for before, after in pairwise(recorded.stops):
        assert all(then <= now for then, now in zip(before.cursors, after.cursors, strict=True))


def test_the_json_has_what_the_command_promises() -> None:
    comparison = runs_of("hw-loss", "0.10.2", "0.11")

    answer = compare_json(comparison, text)

    assert answer["schema"] == 2
    assert set(answer) >= {"traces", "axis", "anchors", "differences", "first"}
    assert answer["anchors"][8]["key"] == "step 8"
    assert answer["anchors"][8]["left"] == comparison.stops[answer["anchors"][8]["stop"]].cursors[0]
    assert answer["first"] == answer["differences"][0]
    assert set(answer["first"]) >= {"stop", "left", "right", "subject", "decision", "rules"}


def test_beside_each_text_of_the_answer_stands_its_message() -> None:
    comparison = runs_of("hw-loss", "0.10.2", "2.8")
    answer = compare_json(comparison, text)

    first = answer["first"]
    assert first["left"] == "2 → 1: cut to its own high watermark"
    assert first["messages"]["left"]["id"] == "compare.answer"
    for name in ("left", "right", "subject", "decision"):
        assert text(from_plain(first["messages"][name])) == first[name]
    assert [text(from_plain(rule)) for rule in first["messages"]["rules"]] == first["rules"]
    for anchor in answer["anchors"]:
        assert text(from_plain(anchor["message"])) == anchor["label"]


def test_one_comparison_is_told_in_each_language() -> None:
    first = runs_of("hw-loss", "0.10.2", "2.8").first

    assert first is not None
    assert renderer("zh")(first.left) == "2 → 1: 截断到自己的高水位"
    assert renderer("en")(first.left) == "2 → 1: cut to its own high watermark"
    assert renderer("zh")(first.rules[0]).startswith("成为跟随者的副本")


def test_one_run_or_five_are_no_comparison() -> None:
    run = make_run(simulated("hw-loss", era("2.8")))

    for count in (1, 5):
        with pytest.raises(QuestionError, match="two to four"):
            compare([run] * count)


def test_runs_of_one_title_are_told_apart() -> None:
    one = simulated("hw-loss", era("2.8"))
    two = simulate(scenario("hw-loss"), era("2.8"), seed=2)

    def titles(*traces: Trace) -> list[str]:
        return [run.title for run in compare(make_runs(traces)).runs]

    assert titles(one, two) == ["Kafka 2.8 (seed=1)", "Kafka 2.8 (seed=2)"]
    assert titles(one, replace(one, name="again")) == ["Kafka 2.8 (2.8)", "Kafka 2.8 (again)"]
    assert titles(one, one) == ["Kafka 2.8 (1)", "Kafka 2.8 (2)"]


def empty_trace(version: str, facts: dict[str, str] | None = None) -> Trace:
    return TraceBuilder().build(
        "empty",
        Origin.IMPORTED,
        brokers=[Broker(BrokerId(1), "", version)],
        partitions=[Partition(TopicPartition("t", 0), (BrokerId(1),))],
        facts=facts or {},
    )


@pytest.mark.parametrize(
    ("version", "protocol", "rule_of"),
    [
        ("0.10.2.2", "", "0.10.2"),
        ("1.1.1", "", "0.11"),
        ("2.8.2", "", "2.8"),
        ("4.1.0", "", "2.8"),
        ("2.8.2", "0.10.2-IV0", "0.10.2"),  # recorded in k28-ibp0102-hw-loss: it loses as 0.10.2 does
        ("0.9.0.1", "", None),
        ("", "", None),
    ],
)
def test_logs_follow_the_rule_of_their_oldest_version(
    version: str, protocol: str, rule_of: str | None
) -> None:
    facts = {"config.broker-1.inter.broker.protocol.version": protocol} if protocol else {}

    run = make_run(empty_trace(version, facts))

    assert (run.rule and text(run.rule)) == (None if rule_of is None else text(era(rule_of).rule))


def shown(*traces: Trace, name: str | None = None) -> list[str]:
    runs = make_runs(traces, name)
    return [str(run.history.trace.partitions[run.history.partition].tp) for run in runs]


@pytest.mark.slow
def test_all_runs_show_the_worst_partition_that_all_have() -> None:
    loss, fix = (sampled(name) for name in ("k0102-hw-loss", "k28-epoch-fix"))
    other = empty_trace("2.8.2")
    # Only in the loss do the partitions differ in what was found; the fix is shown where the loss is.
    partitions = [Partition(TopicPartition("clicks", 2), (BrokerId(1),)), *other.partitions]
    renamed = replace(other, partitions=tuple(partitions))

    assert len(set(shown(loss, fix))) == 1
    assert shown(loss, renamed) == ["clicks-2", "clicks-2"]
    assert shown(loss, other)[1] == "t-0"
    assert shown(loss, fix, name="audit-0") == ["audit-0", "audit-0"]


def test_a_partition_that_is_not_there_is_told() -> None:
    with pytest.raises(QuestionError, match="t-0"):
        make_runs([simulated("hw-loss", era("0.10.2"))], "x-7")


def test_two_empty_traces_agree() -> None:
    comparison = compare(make_runs([empty_trace("2.8.2"), empty_trace("2.8.1")]))

    assert comparison.first is None
    assert [stop.anchor for stop in comparison.stops] == ["start", "end"]
