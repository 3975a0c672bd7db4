"""Consumers and producers. Expected values are from the domain and Kafka's rules (KIP-98, 360, 392)."""

import pytest

from core.errors import ScenarioError
from core.kafka.eras import ERAS, era, with_switches
from core.sim.library import scenario
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Event, Trace
from tests.in_words import in_words
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

ALL_ERAS = tuple(one.id for one in ERAS)
FOLLOWER_READS = tuple(one.id for one in ERAS if one.switches.consumer_fetch == "any-replica")
LEADER_READS = tuple(one for one in ALL_ERAS if one not in FOLLOWER_READS)
NUMBERED = tuple(one.id for one in ERAS if one.switches.producer_sequence != "ignored")
STARTING_ANEW = tuple(one.id for one in ERAS if one.switches.producer_sequence == "starts-anew")
HEAD = """\
schema = 1
id = "small"
title = { en = "Small", zh = "小" }
story = { en = "Made by a test.", zh = "测试。" }
[cluster]
brokers = ["A", "B"]
fetching = "by-step"
"""
STEP = '[[step]]\nlabel = { en = "s", zh = "步" }\n'


def run(name: str, era_id: str, **switches: str) -> Trace:
    wanted = {switch.replace("_", "-"): value for switch, value in switches.items()}
    return simulated(name, with_switches(era(era_id), wanted))


def play_text(text: str, era_id: str = "2.8") -> Trace:
    return simulate(parse_scenario(HEAD + text), era(era_id))


def events(trace: Trace, *kinds: str, consumer: str | None = None, step: int | None = None) -> list[Event]:
    number = None if consumer is None else trace.facts["consumers"].split(",").index(consumer) + 1
    found = [trace.event(seq) for seq in range(len(trace))]
    return [
        one
        for one in found
        if one.kind in kinds
        and (number is None or one.get("aux") == number)
        and (step is None or one.position == step)
    ]


def position(trace: Trace, consumer: str, step: int) -> int | None:
    """Where a consumer stands after a step, by the events alone."""
    known = events(trace, "consumed", "consumer_positioned", consumer=consumer)
    told = [one.values["offset"] for one in known if one.position <= step]
    return told[-1] if told else None


def read_names(trace: Trace, consumer: str) -> list[str]:
    """The records that a consumer got, by what the broker that answered it held then."""
    names: list[str] = []
    log: dict[int, list[str]] = {one.broker_id: [] for one in trace.brokers}
    wanted = {one.seq for one in events(trace, "consumed", consumer=consumer)}
    for event in map(trace.event, range(len(trace))):
        if event.kind == "appended":
            first, count = event.values["aux"], event.values["offset"] - event.values["from_offset"]
            log[event.values["replica"]] += trace.records[first : first + count]
        elif event.kind == "truncated":
            del log[event.values["replica"]][event.values["offset"] :]
        elif event.seq in wanted:
            held = log[event.values["broker"]]
            names += held[event.values["from_offset"] : event.values["offset"]]
    return names


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestVisibility:
    def test_0_to_7_are_read_at_high_watermark_8_and_the_consumer_waits_for_8(self, era_id: str) -> None:
        trace = run("visibility", era_id)
        assert [position(trace, "reader", step) for step in (1, 2, 3)] == [8, 8, 8]
        (waiting,) = events(trace, "consume_parked", step=1)
        assert (waiting.values["offset"], waiting.values["hw"]) == (8, 8)
        assert position(trace, "reader", 4) == 15

    def test_at_high_watermark_13_all_are_read_and_13_is_waited_for(self, era_id: str) -> None:
        trace = run("visibility-13", era_id)
        assert position(trace, "reader", 2) == 13
        assert events(trace, "consume_parked")[-1].values["offset"] == 13

    def test_no_consumer_reads_at_or_above_the_high_watermark_that_it_is_told(self, era_id: str) -> None:
        for name in ("visibility", "consumer-out-of-range", "leader-failover-consistent", "follower-read"):
            for one in events(run(name, era_id), "consumed"):
                assert one.values["from_offset"] < one.values["offset"] <= one.values["hw"]


class TestOutOfRange:
    def test_where_m1_is_lost_all_three_stand_above_the_log_end(self) -> None:
        trace = run("consumer-out-of-range", "0.10.2")
        told = events(trace, "consumer_out_of_range")
        assert [(one.values["aux"], one.values["offset"], one.values["leo"]) for one in told] == [
            (1, 2, 1),
            (2, 2, 1),
            (3, 2, 1),
        ]
        assert {one.values["broker"] for one in told} == {2}

    def test_earliest_reads_again_latest_goes_on_at_the_high_watermark_none_stops(self) -> None:
        trace = run("consumer-out-of-range", "0.10.2")
        assert read_names(trace, "early") == ["m0", "m1", "m0", "m2"]
        assert read_names(trace, "late") == ["m0", "m1", "m2"]
        assert read_names(trace, "strict") == ["m0", "m1"]
        assert not events(trace, "consumer_positioned", consumer="strict")[1:]

    @pytest.mark.parametrize("era_id", ALL_ERAS[1:])
    def test_where_nothing_is_lost_all_go_on(self, era_id: str) -> None:
        trace = run("consumer-out-of-range", era_id)
        assert not events(trace, "consumer_out_of_range")
        for consumer in ("early", "late", "strict"):
            assert read_names(trace, consumer) == ["m0", "m1", "m2"]

    def test_without_a_position_auto_offset_reset_says_where_to_begin(self) -> None:
        start = '[[start.replica]]\nbroker = "A"\nlog = [{ epoch = 0, records = ["a", "b"] }]\n'
        start += "high_watermark = 2\n"
        begin = [
            f'[[consumer]]\nname = "{reset}"\n"auto.offset.reset" = "{reset}"\n'
            for reset in ("earliest", "latest")
        ]
        trace = play_text(f'{start}{"".join(begin)}{STEP}do = "wait"\nfor_ms = 100\n')
        assert [one.values["offset"] for one in events(trace, "consumer_positioned")] == [0, 2]
        assert read_names(trace, "earliest") == ["a", "b"]
        assert read_names(trace, "latest") == []


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestFailover:
    def test_below_the_high_watermark_a_and_b_before_and_then_c(self, era_id: str) -> None:
        trace = run("leader-failover-consistent", era_id)
        assert position(trace, "reader", 1) == 2
        assert read_names(trace, "reader") == ["a", "b", "c"]
        assert not events(trace, "consumer_out_of_range")

    def test_up_to_the_log_end_d_is_seen_and_after_the_failover_only_c(self, era_id: str) -> None:
        trace = run("leader-failover-consistent", era_id, visible="log-end")
        assert position(trace, "reader", 1) == 4
        (refused,) = events(trace, "consumer_out_of_range")
        assert (refused.values["offset"], refused.values["leo"]) == (4, 3)
        assert read_names(trace, "reader") == ["a", "b", "c", "d", "a", "b", "c"]


class TestFollowerReads:
    @pytest.mark.parametrize("era_id", FOLLOWER_READS)
    def test_a_follower_serves_up_to_its_own_high_watermark(self, era_id: str) -> None:
        trace = run("follower-read", era_id)
        first = [one.values for one in events(trace, "consumed", step=1)]
        assert [(one["broker"], one["aux"], one["offset"], one["hw"]) for one in first] == [
            (1, 1, 2, 2),
            (2, 2, 1, 1),
        ]
        (later,) = events(trace, "consumed", consumer="beside-B", step=2)
        assert (later.values["broker"], later.values["offset"], later.values["hw"]) == (2, 2, 2)

    @pytest.mark.parametrize("era_id", LEADER_READS)
    def test_before_2_4_the_leader_serves_all(self, era_id: str) -> None:
        assert {one.values["broker"] for one in events(run("follower-read", era_id), "consumed")} == {1}

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_when_the_follower_dies_its_consumer_goes_back_to_the_leader(self, era_id: str) -> None:
        (last,) = events(run("follower-read", era_id), "consumed", consumer="beside-B", step=4)
        assert (last.values["broker"], last.values["offset"]) == (1, 3)


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestAcknowledgements:
    def test_acks_all_with_the_leader_alone_protects_nothing_from_a_lost_tail(self, era_id: str) -> None:
        trace = run("acks-min-1", era_id)
        told = [(one.position, one.values["from_offset"]) for one in events(trace, "acknowledged")]
        assert told == [(2, 0), (4, 1), (7, 1)]
        (cut,) = events(trace, "truncated")
        assert (cut.values["from_offset"], cut.values["offset"]) == (2, 1)

    def test_with_min_insync_2_it_is_refused_instead(self, era_id: str) -> None:
        text = scenario("acks-min-1").text.replace('"min.insync.replicas" = 1', '"min.insync.replicas" = 2')
        trace = simulate(parse_scenario(text), era(era_id))
        assert [one.values["from_offset"] for one in events(trace, "acknowledged")] == [0]
        if era(era_id).switches.hw_below_min_isr == "moves":  # else it may wait for its timeout
            assert len(events(trace, "produce_failed", step=4)) == 1

    def test_with_more_in_sync_asked_for_than_there_are_replicas(self, era_id: str) -> None:
        """To 3.6 such a topic takes no acks=all; from 3.7 all of its replicas are enough."""
        text = '[settings]\n"min.insync.replicas" = 3\n'
        text += f'{STEP}do = "produce"\nrecords = ["m"]\nacks = "all"\n{STEP}do = "wait"\nfor_ms = 3_000\n'
        trace = simulate(parse_scenario(HEAD.replace('fetching = "by-step"\n', "") + text), era(era_id))
        old = era_id in ALL_ERAS[: ALL_ERAS.index("3.7")]
        assert bool(events(trace, "produce_failed")) == old
        assert bool(events(trace, "acknowledged")) != old

    def test_a_timeout_takes_nothing_back(self, era_id: str) -> None:
        trace = run("acks-timeout", era_id)
        (appended, *_), (failed,) = events(trace, "appended"), events(trace, "produce_failed")
        assert failed.at - appended.at == 1_000_000_000
        assert (failed.values["from_offset"], failed.values["offset"]) == (0, 1)
        assert not events(trace, "acknowledged")
        assert read_names(trace, "reader") == ["m0"]

    def test_a_commit_below_min_insync_is_no_acknowledgement(self, era_id: str) -> None:
        """NOT_ENOUGH_REPLICAS_AFTER_APPEND: appended with two in sync, committed with one."""
        text = '[settings]\n"min.insync.replicas" = 2\n[start]\nremote = { B = 0 }\n'
        text += f'{STEP}do = "produce"\nrecords = ["m"]\nacks = "all"\n'
        text += f'{STEP}do = "crash"\nbroker = "B"\nuntil = "A has high watermark 1"\nwithin_ms = 25_000\n'
        trace = play_text(text, era_id)
        if era(era_id).switches.hw_below_min_isr == "moves":
            assert [one.values["offset"] for one in events(trace, "produce_failed")] == [1]
        assert not events(trace, "acknowledged")


@pytest.mark.parametrize("era_id", ALL_ERAS)
def test_a_fetch_waits_for_min_bytes_or_500_ms(era_id: str) -> None:
    trace = run("fetch-min-bytes", era_id)
    answers = [(one.position, one.values["aux"]) for one in events(trace, "fetch_answered")]
    assert answers[0] == (4, 3)
    parked = events(trace, "fetch_parked", step=6)
    waits = era(era_id).switches.hw_sending == "with-data"
    if waits:  # 2.4 answers at once as long as the follower has not heard of the high watermark
        assert answers[1] == (6, 1)
        (last,) = events(trace, "fetch_answered", step=6)
        assert last.at - parked[0].at == 500_000_000


class TestProducers:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_a_retry_without_numbers_stands_twice(self, era_id: str) -> None:
        trace = run("retry-duplicate", era_id)
        assert read_names(trace, "reader") == ["m0", "m1", "m1"]
        (told,) = events(trace, "acknowledged")
        assert (told.values["broker"], told.values["from_offset"]) == (2, 2)

    @pytest.mark.parametrize("era_id", NUMBERED)
    def test_with_numbers_the_new_leader_knows_the_batch_from_its_log(self, era_id: str) -> None:
        trace = run("idempotent-producer", era_id)
        (dropped,) = events(trace, "duplicate_dropped")
        assert (dropped.values["broker"], dropped.values["from_offset"]) == (2, 1)
        assert read_names(trace, "reader")[:2] == ["m0", "m1"]
        assert [one.values["from_offset"] for one in events(trace, "acknowledged", step=6)] == [1]

    @pytest.mark.parametrize("era_id", NUMBERED)
    def test_after_the_loss_of_m2_the_number_of_m3_is_out_of_order(self, era_id: str) -> None:
        trace = run("idempotent-producer", era_id)
        (refused,) = events(trace, "sequence_refused")
        assert (refused.values["broker"], refused.values["aux"]) == (1, 3)
        anew = era_id in STARTING_ANEW
        assert read_names(trace, "reader") == ["m0", "m1", *(["m3"] if anew else [])]
        assert len(events(trace, "produce_failed", step=11)) == (not anew)

    def test_before_0_11_nobody_notices(self) -> None:
        trace = run("idempotent-producer", "0.10.2")
        assert read_names(trace, "reader") == ["m0", "m1", "m1", "m3"]
        assert not events(trace, "sequence_refused", "duplicate_dropped", "produce_failed")

    def test_acks_0_is_never_sent_again(self) -> None:
        text = f'{STEP}do = "crash"\nbroker = "A"\n'
        text += f'{STEP}do = "produce"\nrecords = ["m"]\nacks = "0"\nretries = 9\n'
        trace = play_text(f'[start]\nremote = {{ B = 0 }}\n{text}{STEP}do = "wait"\nfor_ms = 60_000\n')
        assert len(events(trace, "produce_failed")) == 1
        assert not events(trace, "appended", "produce_retried")

    def test_a_timed_out_batch_is_sent_again_and_stands_twice(self) -> None:
        text = '[settings]\n"request.timeout.ms" = 1_000\n[start]\nremote = { B = 0 }\n'
        text += f'{STEP}do = "produce"\nrecords = ["m"]\nacks = "all"\nretries = 1\nfor_ms = 1_500\n'
        trace = play_text(text)
        assert [one.values["offset"] for one in events(trace, "appended")] == [1, 2]
        assert trace.records == ("m", "m")


class TestBatches:
    @pytest.mark.parametrize("era_id", ["0.11", "1.1"])
    def test_a_cut_inside_a_batch_takes_it_whole_and_leaves_a_gap(self, era_id: str) -> None:
        trace = run("batch-truncation", era_id)
        (cut,), (gap,) = events(trace, "truncated"), events(trace, "log_gap")
        assert (cut.values["from_offset"], cut.values["offset"]) == (4, 1)
        assert (gap.values["from_offset"], gap.values["offset"], gap.values["leo"]) == (1, 2, 2)
        assert events(trace, "fetch_sent", step=10)[0].values["offset"] == 2

    @pytest.mark.parametrize("era_id", [one for one in ALL_ERAS if one not in ("0.11", "1.1")])
    def test_else_the_cut_is_at_the_start_of_the_batch(self, era_id: str) -> None:
        trace = run("batch-truncation", era_id)
        (cut,) = events(trace, "truncated")
        assert (cut.values["from_offset"], cut.values["offset"]) == (4, 1)
        assert not events(trace, "log_gap")

    def test_an_answer_carries_whole_batches_within_its_limit_and_one_at_least(self) -> None:
        text = "[limits]\nrecords_per_fetch = { B = 3 }\n[start]\nremote = { B = 0 }\n"
        text += f'{STEP}do = "produce"\nrecords = ["a", "b", "c", "d", "e"]\nbatch = 5\nacks = "1"\n'
        text += f'{STEP}do = "produce"\nrecords = ["f", "g", "h", "i"]\nbatch = 2\nacks = "1"\n'
        text += f'{STEP}do = "fetch"\nbrokers = ["B"]\ntimes = 3\n'
        trace = play_text(text)
        assert [one.values["aux"] for one in events(trace, "fetch_answered")] == [5, 2, 2]

    def test_a_torn_batch_is_gone_as_a_whole(self) -> None:
        text = "[start]\nremote = { B = 0 }\n"
        text += f'{STEP}do = "produce"\nrecords = ["a", "b", "c"]\nbatch = 3\nacks = "1"\n'
        text += f'{STEP}do = "crash"\nbroker = "A"\ntail_lost = 1\n{STEP}do = "start"\nbroker = "A"\n'
        (cut,) = events(play_text(text), "truncated")
        assert (cut.values["from_offset"], cut.values["offset"]) == (3, 0)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (
            '[[consumer]]\nname = "c"\n"auto.offset.reset" = "never"\n',
            "consumer.1.auto.offset.reset",
            "'never'",
        ),
        ('[[consumer]]\nname = "c"\nnear = "Z"\n', "consumer.1.near", "'Z'"),
        ('[[consumer]]\nname = "c"\n"auto.offset.reset" = "none"\n', "consumer.1.position", "no position"),
        ('[[consumer]]\nname = "c"\n[[consumer]]\nname = "c"\n', "consumer.2.name", "given twice"),
        (f'{STEP}do = "consume"\nconsumers = ["c"]\n', "step.1.do", "no consumer"),
    ],
)
def test_what_does_not_fit_is_named(text: str, where: str, what: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(f'{HEAD}{text}{STEP}do = "wait"\nfor_ms = 1\n', "small.toml")
    assert where in in_words(caught.value).where
    assert what in in_words(caught.value).what
