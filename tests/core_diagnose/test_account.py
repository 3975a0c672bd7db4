"""What belongs to one incident, how its records are counted, what is advised: verdicts written by hand."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.diagnose.account.fields import Room, account
from core.diagnose.account.find import find_incidents
from core.diagnose.verdict.check import diagnose, worst_partition
from core.diagnose.verdict.counted import each_once
from core.diagnose.verdict.facts import (
    Finding,
    Leadership,
    Loss,
    LossClass,
    PartitionVerdict,
    Severity,
    Shown,
    Verdict,
)
from core.diagnose.verdict.summary import sort_key, triage
from core.history.gaps_by_files import lost_ends, torn_tails
from core.message import Message
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import Broker, Partition, Trace
from core.trace.units import SECOND_NS
from core.trace.vocabulary import Basis
from gui.text.render import renderer
from importers.load import load
from tests.core_diagnose.test_taken import led_by_one
from tests.importers.test_logs_of_brokers import written
from tests.stories import Story

MINUTE = 60 * SECOND_NS
CLEANUP = "config.topic-state.cleanup.policy"
OWN = "config.topic-t.unclean.leader.election.enable"


def a_trace(*names: str, version: str = "2.8.2", **facts: str) -> Trace:
    story = Story(version, (1, 2, 3))
    story.begin()
    story.add("isr_committed", 1, isr=(1, 2), wait=30 * MINUTE)
    partitions = tuple(
        Partition(
            TopicPartition(*(name.rpartition("-")[0], int(name.rpartition("-")[2]))),
            tuple(map(BrokerId, (1, 2, 3))),
        )
        for name in names
    )
    brokers = tuple(Broker(BrokerId(one), version=version) for one in (1, 2, 3))
    return replace(story.trace(), partitions=partitions, brokers=brokers, facts=facts)


def a_loss(
    first: int,
    end: int,
    *,
    epoch: int = 0,
    at: int = MINUTE,
    cause: str = "unclean-election",
    severity: Severity = Severity.LOSS,
    removed_from: tuple[int, ...] = (1,),
    may_hold: tuple[int, ...] = (),
) -> Loss:
    committed = severity is Severity.LOSS
    return Loss(
        seq=0,
        first_offset=first,
        end_offset=end,
        epoch=epoch,
        removed_from=removed_from,
        survives_on=(),
        loss_class=LossClass.COMMITTED if committed else LossClass.POSSIBLY_ACKNOWLEDGED,
        cause=cause,
        at=at,
        message=Message("a.loss"),
        severity=severity,
        commit=Shown.SHOWN if committed else Shown.NOT_SHOWN,
        may_hold=may_hold,
        took_over=epoch + 1,
    )


def a_verdict(*losses: tuple[Loss, ...]) -> Verdict:
    led = Leadership(1, 2, 0, MINUTE, None, "unclean", Basis.REPORTED)
    return Verdict(
        tuple(PartitionVerdict(number, leadership=(led,), losses=mine) for number, mine in enumerate(losses))
    )


def lines(trace: Trace, verdict: Verdict, key: str) -> list[str]:
    words = renderer()
    (incident, *_) = find_incidents(trace, verdict)
    return [words(line) for field in account(trace, incident) if field.key == key for line in field.lines]


def test_partitions_that_lose_at_one_time_are_one_incident() -> None:
    trace = a_trace("t-0", "t-1")

    (incident,) = find_incidents(trace, a_verdict((a_loss(0, 10),), (a_loss(5, 8, at=MINUTE + 1),)))

    assert incident.totals.lost == 13
    assert incident.partitions == (0, 1)
    assert (incident.start, incident.end) == (MINUTE, MINUTE + 1)


def test_what_happens_long_after_is_another_incident() -> None:
    trace = a_trace("t-0", "t-1")
    early, late = a_loss(0, 4), replace(a_loss(0, 9, at=20 * MINUTE), took_over=7)

    worst, other = find_incidents(trace, a_verdict((early,), (late,)))

    assert (worst.totals.lost, other.totals.lost) == (9, 4)
    assert worst.partitions == (1,)


def test_brokers_that_share_nothing_have_incidents_of_their_own() -> None:
    trace = a_trace("t-0", "t-1")
    one, two = replace(a_loss(0, 4), took_over=7), replace(a_loss(0, 9, removed_from=(3,)), took_over=7)

    assert len(find_incidents(trace, a_verdict((one,), (two,)))) == 2


def test_a_record_that_was_lost_twice_counts_once() -> None:
    """Offsets 5 to 9 of one epoch are in both losses; those of another epoch are other records."""
    losses = (a_loss(0, 10), a_loss(5, 12, at=MINUTE + 1), a_loss(5, 12, epoch=3))
    trace = a_trace("t-0")

    (incident,) = find_incidents(trace, a_verdict(losses))

    assert incident.totals.lost == 12 + 7
    assert triage(trace, a_verdict(losses)).summaries[0].records_lost == 12 + 7
    assert sum(part.records for part in each_once(losses)) == 12 + 7


OFFLINE = (
    "[2026-11-21 03:02:00,000] WARN Logs for partitions {named} are offline and logs for future partitions  "
    "are offline due to failure on log directory /data/d{number} (kafka.log.LogManager)\n"
)
"""Of 3.9.0 (LogManager.handleLogDirFailure)."""


@pytest.mark.parametrize(("named", "told"), [("audit-0,orders-0", "/data/d2"), ("audit-0", None)])
def test_a_directory_that_failed_with_lost_records_is_named_with_its_line(
    named: str, told: str | None, tmp_path: Path
) -> None:
    """Of a directory with logs of other partitions nothing is said."""
    logs = led_by_one(OFFLINE.format(named=named, number=2) + OFFLINE.format(named="temp-0", number=3), 0, 42)
    trace = load([written(tmp_path, logs)])
    (line,) = (
        number for number, one in enumerate(logs["broker-1/server.log"].splitlines(), 1) if "/d2" in one
    )

    (incident, *_) = find_incidents(trace, diagnose(trace))

    words = renderer()
    when = [words(one) for field in account(trace, incident) if field.key == "when" for one in field.lines]
    failed = [one for one in when if "/data/d" in one]
    expected = (
        f"the log directory {told} of broker 1 failed, and with it orders-0 [broker-1/server.log:{line}]"
    )
    assert [one.partition("UTC: ")[2] for one in failed] == ([] if told is None else [expected])


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({lost_ends(2): str(50 * SECOND_NS)}, "incident.do.lost-end"),
        ({torn_tails(2): str(50 * SECOND_NS)}, "incident.do.lost-end"),
        ({lost_ends(2): str(5 * SECOND_NS)}, "incident.do.rule-held"),
        ({lost_ends(2): str(2 * MINUTE)}, "incident.do.rule-held"),
        ({lost_ends(1): str(50 * SECOND_NS)}, "incident.do.rule-held"),
        ({}, "incident.do.rule-held"),
    ],
    ids=["shorter", "damaged", "before-its-start", "after-its-election", "another-broker", "nothing"],
)
def test_a_member_that_lost_its_end_with_its_power_had_not_joined_too_early(
    facts: dict[str, str], told: str
) -> None:
    """Broker 2 started after 20 s and is elected after a minute. KAFKA-7128 is about joining the set."""
    trace = a_trace("t-0", version="3.7.2", **facts)

    (incident,) = find_incidents(trace, a_verdict((a_loss(0, 10, cause="stale-isr"),)))

    assert [one.id for one in incident.actions if not one.id.startswith("incident.do.not")] == [told]


def test_what_is_surely_lost_is_not_possibly_lost_beside() -> None:
    losses = (a_loss(3, 20, severity=Severity.DANGER), a_loss(0, 10))

    (incident,) = find_incidents(a_trace("t-0"), a_verdict(losses))

    assert (incident.totals.lost, incident.totals.possible) == (10, 10)


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("__consumer_offsets-7", {}),
        ("__transaction_state-0", {}),
        ("state-0", {CLEANUP: "compact,delete"}),
        ("state-0", {CLEANUP: "changed", f"{CLEANUP}.over-time": "0 compact 5 delete"}),
    ],
)
def test_of_compacted_topics_offsets_are_counted(name: str, facts: dict[str, str]) -> None:
    trace, verdict = a_trace(name, **facts), a_verdict((a_loss(0, 12_631),))

    (incident,) = find_incidents(trace, verdict)

    assert (incident.totals.lost, incident.totals.compacted_lost) == (0, 12_631)
    (told,) = lines(trace, verdict, "totals")
    assert "12,631 offsets" in told
    assert "records" not in told


def test_a_topic_that_is_not_compacted_has_records() -> None:
    trace = a_trace("state-0", **{CLEANUP: "delete"})

    (told,) = lines(trace, a_verdict((a_loss(0, 12),)), "totals")

    assert told == "Lost: 12 records that had been committed or acknowledged, in state-0."


def test_topics_of_users_come_before_those_of_kafka() -> None:
    trace = a_trace("__consumer_offsets-7", "t-0")
    verdict = a_verdict((a_loss(0, 500),), (a_loss(0, 3),))

    (incident,) = find_incidents(trace, verdict)

    assert incident.partitions == (1, 0)
    assert worst_partition(trace, verdict) == 1
    summaries = triage(trace, verdict).summaries
    names = {0: "__consumer_offsets-7", 1: "t-0"}
    assert min(summaries, key=lambda one: sort_key(one, names[one.partition])).partition == 1


def test_findings_in_topics_of_kafka_come_after_those_of_users() -> None:
    """Both are as serious, and that of the user's topic is of a check with a lower rank."""
    trace = a_trace("__transaction_state-0", "t-0")
    found = [
        Finding(check, Severity.DANGER, partition, (1,), MINUTE, None, 0, Message("a.danger"))
        for partition, check in ((1, "refused-to-truncate"), (0, "unclean-election"))
    ]

    (incident,) = find_incidents(trace, Verdict((PartitionVerdict(0), PartitionVerdict(1)), tuple(found)))

    assert [one.partition for one in incident.findings] == [1, 0]


def test_a_loss_of_kafkas_own_topic_is_worse_than_none() -> None:
    trace = a_trace("t-0", "__consumer_offsets-7")
    lost = a_verdict((), (a_loss(0, 5),))
    found = Finding("committed-loss", Severity.LOSS, 1, (1,), MINUTE, None, 0, Message("a.loss"))
    with_its_finding = replace(lost.partitions[1], findings=(found,))

    verdict = Verdict((lost.partitions[0], with_its_finding), (found,))

    assert worst_partition(trace, verdict) == 1


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"config.topic-t.unclean.leader.election.enable": "true"}, "on topic t"),
        ({"config.broker-1.unclean.leader.election.enable": "true"}, "on the brokers (t)"),
        ({"config.broker-1.unclean.leader.election.enable": "false"}, "that were read forbid"),
        (
            {
                "config.broker-1.unclean.leader.election.enable": "true",
                "config.topic-t.unclean.leader.election.enable": "false",
            },
            "that were read forbid",
        ),
        ({}, "no setting of it was read"),
        ({OWN: "changed", f"{OWN}.over-time": "0 true"}, "on topic t"),
        ({OWN: "changed"}, "was changed on topic t"),
        # By hand, before the election and taken back after it; or after it.
        ({OWN: "changed", f"{OWN}.over-time": f"0 - {MINUTE - 1} true {MINUTE + 1} -"}, "leave it so"),
        ({OWN: "changed", f"{OWN}.over-time": f"0 false {MINUTE + 1} true"}, "that were read forbid"),
        ({OWN: "changed", f"{OWN}.over-time": f"0 false {MINUTE + 1} true"}, "=false on topic t"),
        ({OWN: "changed", f"{OWN}.over-time": f"0 false {MINUTE - 1} ? {MINUTE + 1} true"}, "was changed on"),
    ],
)
def test_what_to_do_about_an_unclean_election_follows_from_the_settings(
    facts: dict[str, str], told: str
) -> None:
    *said, _ = lines(a_trace("t-0", **facts), a_verdict((a_loss(0, 5),)), "do")

    assert told in " ".join(said)


PROTOCOL = "config.broker-1.inter.broker.protocol.version"


@pytest.mark.parametrize(
    ("version", "facts", "told"),
    [
        # KIP-101 came with 0.11; where the protocol or the format is older, brokers do without it.
        ("0.10.2.2", {}, "Kafka 0.11 or later prevents this by leader epochs"),
        ("2.8.2", {PROTOCOL: "0.10.2"}, "Raise inter.broker.protocol.version to 0.11 or later"),
        ("2.8.2", {PROTOCOL: "2.8-IV1"}, "why it did not hold is not shown"),
    ],
)
def test_what_prevents_a_cut_to_the_high_watermark_depends_on_the_release(
    version: str, facts: dict[str, str], told: str
) -> None:
    trace = a_trace("t-0", version=version, **facts)
    verdict = a_verdict((a_loss(0, 5, cause="high-watermark-truncation"),))

    line, _ = lines(trace, verdict, "do")

    assert told in line


def test_a_leader_that_may_hold_the_records_is_to_be_collected_from() -> None:
    loss = a_loss(0, 5, severity=Severity.DANGER, may_hold=(3,))

    trust = lines(a_trace("t-0"), a_verdict((loss,)), "trust")

    assert (
        "To collect: logs and data directory of broker 3; they would show whether the records are lost."
        in trust
    )


def test_names_are_as_many_as_there_is_room_for() -> None:
    trace = a_trace("t-0", "t-1", "t-2")
    (incident,) = find_incidents(trace, a_verdict(*[(a_loss(0, 5),)] * 3))

    (totals, *_) = account(trace, incident, Room(names=2))

    assert renderer()(totals.lines[0]).endswith("in t-0, t-1 and 1 more.")


def test_a_loss_without_any_time_begins_and_ends_at_none() -> None:
    """Neither its cut nor its election is in the evidence: 0 stands for no time."""
    untimed = replace(a_loss(0, 4), at=None, took_over=None)

    (incident,) = find_incidents(a_trace("t-0"), a_verdict((untimed,)))

    assert (incident.start, incident.end) == (0, 0)


@pytest.mark.parametrize(
    ("ended_s", "told"),
    [
        (
            0,
            (
                "Broker 2 was the last known leader of t-0; whether it still led at the end, {end}, "
                "is not known."
            ),
        ),
        (1, "Broker 2 led t-0 to {until} at least; who led at the end, {end}, is not known."),
    ],
)
def test_a_leader_that_is_not_known_to_the_end_is_named_with_until_when(ended_s: int, told: str) -> None:
    trace = a_trace("t-0")
    end = int(trace.columns["at"][-1])
    until = end - ended_s * SECOND_NS
    led = Leadership(1, 2, 0, min(MINUTE, until), until, "unclean", Basis.REPORTED)
    verdict = Verdict((PartitionVerdict(0, leadership=(led,), losses=(a_loss(0, 10),)),))
    moments = {"end": stamp(end), "until": stamp(until)}
    assert lines(trace, verdict, "now")[0] == told.format(**moments)


def test_where_nobody_led_last_the_leader_at_the_end_is_not_known() -> None:
    trace = a_trace("t-0")
    led = Leadership(1, -1, 0, 0, int(trace.columns["at"][-1]), "unclean", Basis.REPORTED)
    verdict = Verdict((PartitionVerdict(0, leadership=(led,), losses=(a_loss(0, 10),)),))
    assert lines(trace, verdict, "now")[0].startswith("Who led t-0 at the end, ")


def stamp(at: int) -> str:
    """A moment as the account writes it."""
    seconds, ns = divmod(at, SECOND_NS)
    day = datetime.fromtimestamp(seconds, UTC)
    return f"{day:%Y-%m-%d %H:%M:%S}.{ns // 10**6:03} UTC"
