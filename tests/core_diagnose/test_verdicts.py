"""Verdicts as a whole on hand-written traces: terms, ranks, names of the JSON, what is not said."""

from dataclasses import replace

from core.diagnose.verdict.as_json import verdict_dict
from core.diagnose.verdict.case import open_case
from core.diagnose.verdict.check import diagnose, diagnose_partition
from core.diagnose.verdict.checks import CHECK, CHECKS
from core.diagnose.verdict.facts import Severity
from core.diagnose.verdict.findings_logs import members_behind_the_watermark
from core.diagnose.verdict.takeovers import find_pieces
from core.history.open import open_history
from core.kafka.eras import era
from core.trace.ids import BrokerId, Place, TopicPartition
from core.trace.trace import Partition
from core.words import text
from tests.runs import simulated
from tests.stories import Story, loss_of_0_10


def test_a_high_watermark_above_the_log_end_is_reported_not_rejected() -> None:
    story = Story("0.10.2.2", simulated=True)
    story.begin()
    story.add("hw_moved", 1, hw=0)
    story.add("appended", 1, epoch=0, from_offset=0, offset=254, leo=254)
    story.add("hw_moved", 1, hw=254)
    story.add("truncated", 1, from_offset=254, offset=206, leo=206, aux=4)

    texts = [text(finding.message) for finding in story.verdict().findings if finding.check == "hw-above-leo"]

    assert texts == ["Broker 1 had a high watermark of 254 above its log end offset 206."]


def test_a_leaderless_epoch_is_a_term_and_a_finding() -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leaderless", 2, leader=-1, epoch=1, isr=(1,), partition_epoch=1)

    found = story.verdict()

    assert [(term.epoch, term.leader) for term in found.leadership] == [(0, 1), (1, -1)]
    assert [finding.check for finding in found.findings] == ["leaderless", "last-replica-standing"]


def test_ranks_and_severities_come_from_one_table() -> None:
    assert [check.rank for check in CHECKS] == list(range(1, len(CHECKS) + 1))
    order = [Severity.LOSS, Severity.DANGER, Severity.NOTICE]
    # One notice stands above a danger: triage lists a watermark that moved back before unclean elections.
    severities = [order.index(check.severity) for check in CHECKS if check.id != "hw-went-back"]
    assert severities == sorted(severities)
    assert set(CHECK) == {check.id for check in CHECKS}


def test_ranks_are_in_the_order_of_triage() -> None:
    # The order that triage states: proven loss, possible loss, differing logs, HW moved back, and so on.
    stated = (
        "committed-loss",
        "acknowledged-loss",
        "possible-loss",
        "divergence",
        "hw-went-back",
        "unclean-election",
        "epoch-storm",
        "isr-flapping",
        "cut-below-hw",
    )
    ranks = [CHECK[check].rank for check in stated]
    assert ranks == sorted(ranks)
    assert ranks[:6] == [1, 2, 3, 4, 5, 6]


def test_the_verdict_as_json_has_the_names_of_the_design() -> None:
    story = Story("0.10.2.2")
    loss_of_0_10(story)
    trace = story.trace()

    answer = verdict_dict(trace, diagnose(trace), text, document="case")
    partition = answer["partitions"][0]

    assert set(answer) == {
        "schema",
        "document",
        "origin",
        "complete",
        "left_out",
        "kafka_versions",
        "partitions",
        "findings",
        "report",
    }
    assert set(partition) == {
        "topic",
        "partition",
        "replicas",
        "leadership",
        "isr",
        "truncations",
        "losses",
        "divergences",
        "final",
    }
    evidence = partition["losses"][0]["evidence"]
    assert evidence
    assert all(set(one) == {"file", "line", "byte", "text"} for one in evidence)
    assert partition["truncations"][0]["evidence"][0]["text"].endswith("truncated")
    assert answer["findings"][0]["severity"] == "loss"


def test_a_follower_that_was_not_told_of_an_epoch_may_be_in_it() -> None:
    """Its own lines state the epoch before, and go on."""
    story = Story("2.8.2", (1, 2, 3))
    story.begin()
    elected = story.add("leader_elected", 1, leader=1, epoch=1, isr=(1, 2, 3), partition_epoch=1)
    for _ in range(3):
        story.add("leo_sample", 2, leo=0)
    case = open_case(story.history())

    assert not case.may_be_past(case.roles[2], Place(elected))
    assert case.may_be_past(case.roles[2], Place(elected + 1))


def test_a_partition_of_which_nothing_is_said_has_nothing_to_tell() -> None:
    story = Story("2.8.2")
    story.add("leo_sample", 1, leo=3)
    trace = story.trace()
    silent = Partition(TopicPartition("t", 1), (BrokerId(1), BrokerId(2)))
    trace = replace(trace, partitions=(*trace.partitions, silent))

    found = diagnose_partition(open_history(trace, 1))

    assert (found.losses, found.truncations, found.findings) == ((), (), ())
    assert list(members_behind_the_watermark(open_case(open_history(trace, 1)))) == []


def test_no_piece_of_a_log_is_empty() -> None:
    """No line shows how far the leader's log went when it took over: nothing is surely of its epoch."""
    story = Story("2.8.2")
    story.add("leader_elected", 1, leader=1, epoch=0, isr=(1, 2), partition_epoch=0, aux=1)
    story.add("log_created", 2)
    story.add("became_follower", 2, leader=1, epoch=0, leo=0, hw=0)
    story.add("fetcher_added", 2, leader=1, epoch=0, offset=0)
    story.add("leo_sample", 2, leo=30)
    case = open_case(story.history())

    assert find_pieces(case, ()) == []


def test_a_member_that_is_behind_at_the_last_event_of_a_run_is_told() -> None:
    """Broker 2 has nothing since its log was created, and the high watermark is 10 all the same."""
    story = Story("2.8.2", simulated=True)
    story.begin()
    story.add("appended", 1, epoch=0, from_offset=0, offset=10, leo=10)
    last = story.add("hw_moved", 1, hw=10)

    told = [one.seq for one in story.verdict().findings if one.check == "isr-empty-disk"]

    assert told == [last]


def test_a_simulation_does_not_contradict_itself() -> None:
    """Script s1 has a leader whose high watermark rises with its followers, up to its log end."""
    found = diagnose_partition(open_history(simulated("s1", era("2.8")), 0))

    assert "sources-disagree" not in {one.check for one in found.findings}
