"""Brokers with a protocol and a message format of their own, as in a rolling upgrade.

Read in Kafka at the tags 1.1.1, 2.0.0, 2.1.1, 2.4.1 and 2.8.2: ReplicaFetcherThread, AbstractFetcherThread,
Partition, Log and LeaderEpochFileCache.
"""

import pytest

from core.errors import ScenarioError
from core.history.running import rules_of_broker
from core.kafka.eras import ERAS, Era, era, with_switches
from core.sim.ablation.causes import Flips
from core.sim.ablation.setup import Setup
from core.sim.library import scenario
from core.sim.run import Played, play
from core.sim.scenario import parse_scenario
from core.trace.trace import Event
from core.trace.vocabulary import CutReason
from tests.core_sim.test_clients import events

pytestmark = pytest.mark.broad(3)

A, B = 1, 2
OVER_ZOOKEEPER = [one for one in ERAS if one.switches.controller == "zookeeper"]
OLD_AND_NEW = """
schema = 1
id = "x"
title = "x"
story = "x"
[cluster]
brokers = ["A", "B"]
"""
STEP = '[[step]]\ndo = "start"\nbroker = "A"\n'


def lost(played: Played) -> set[str]:
    return {played.truth.names[number] for number in played.truth.lost}


def cuts(played: Played) -> list[tuple[int, int, int, int]]:
    """Step, broker, from where and to where, of each cut of records."""
    return [
        (one.position, one.values["replica"], one.values["from_offset"], one.values["offset"])
        for one in events(played.trace, "truncated")
    ]


def of(played: Played, kind: str, broker: int, step: int) -> list[Event]:
    return [one for one in events(played.trace, kind, step=step) if one.values["replica"] == broker]


@pytest.mark.parametrize("one", OVER_ZOOKEEPER, ids=lambda one: one.id)
def test_an_old_protocol_loses_what_the_raised_one_keeps(one: Era) -> None:
    """ReplicaFetcherThread asks for the end of an epoch from protocol 0.11.0-IV2 on, whatever its release."""
    played = play(scenario("protocol-raised"), one)

    assert lost(played) == ({"m1", "m3"} if one.id == "0.10.2" else {"m1"})
    # The cut is B's, to its own high watermark, and the election that follows is a clean one.
    first = events(played.trace, "truncated", step=7)[0]
    assert (first.values["replica"], first.values["from_offset"], first.values["offset"]) == (B, 2, 1)
    assert first.values["aux"] == CutReason.LOCAL_HIGH_WATERMARK
    assert not of(played, "epoch_end_asked", B, 7)
    asks = one.switches.truncation == "epoch-request"
    assert bool(of(played, "epoch_end_asked", B, 23)) is asks
    names = [sent.get("aux") is not None for sent in of(played, "fetch_sent", B, 23)]
    assert any(names) is (one.switches.truncation == "fetch-divergence")


@pytest.mark.parametrize("one", [one for one in ERAS if one not in OVER_ZOOKEEPER], ids=lambda one: one.id)
@pytest.mark.parametrize("name", ["protocol-raised", "format-raised"])
def test_with_kraft_neither_setting_changes_anything(name: str, one: Era) -> None:
    text = scenario(name).text
    bare = [line for line in text.splitlines() if not line.startswith(("protocol", "message_format"))]

    plain = play(parse_scenario("\n".join(bare)), one).truth
    assert play(scenario(name), one).truth.lost == plain.lost


def test_the_first_half_is_what_a_whole_run_with_old_switches_does() -> None:
    """2.8 with the protocol of 0.10.2 is 2.8 with the switches that follow the protocol."""
    text = scenario("protocol-raised").text
    old = {
        "truncation": "high-watermark",
        "epoch-answer": "offset",
        "fencing": "none",
        "isr-change": "zookeeper",
        "epoch-entry": "none",
        "log-start": "own",
    }
    before = "\n".join(line for line in text.splitlines() if not line.startswith("protocols"))
    by_protocol = play(scenario("protocol-raised"), era("2.8"))
    by_switches = play(parse_scenario(before), with_switches(era("2.8"), old))

    first = [one for one in cuts(by_protocol) if one[0] <= 10]
    assert first == [one for one in cuts(by_switches) if one[0] <= 10] == [(7, B, 2, 1), (9, A, 2, 1)]


@pytest.mark.parametrize("one", ["0.11", "1.1", "2.0"])
def test_to_2_0_a_leader_of_the_old_format_takes_its_records_for_an_older_epoch(one: str) -> None:
    """LeaderEpochFileCache.endOffsetFor: the latest epoch that it knows ends at its log end."""
    played = play(scenario("format-raised"), era(one))

    answer = of(played, "epoch_end_answered", A, 6)
    assert [told.values["offset"] for told in answer] == [4]
    assert cuts(played) == []
    assert [(part.first_offset, part.end_offset) for part in played.truth.diverged] == [(2, 3)]


@pytest.mark.parametrize("one", ["2.1", "2.4"])
def test_from_2_1_a_leader_of_the_old_format_knows_no_epochs(one: str) -> None:
    """Log.initializeLeaderEpochCache: none; so the answer is undefined, and A cuts to its high watermark."""
    played = play(scenario("format-raised"), era(one))

    assert [told.values["offset"] for told in of(played, "epoch_end_answered", A, 6)] == [-1]
    assert cuts(played) == [(6, A, 3, 2)]
    assert [told.values["aux"] for told in events(played.trace, "truncated")] == [
        CutReason.LOCAL_HIGH_WATERMARK
    ]
    assert not played.truth.diverged
    # KAFKA-7601, 2.2.1: with the records of the old format A forgets its epochs.
    assert bool(of(played, "epoch_cache_cut", A, 6)) is (one == "2.4")


def of_a(played: Played) -> list[tuple[int, int]]:
    """Where A cuts as it is back, and by what."""
    told = of(played, "truncated", A, 13)
    return [(one.values["offset"], one.values["aux"]) for one in told]


def test_in_2_1_an_entry_beside_records_of_the_old_format_keeps_what_one_broker_holds_alone() -> None:
    """KAFKA-7601. Log.append at 2.1.1: batches of an old magic leave the cache as it is.

    C's cache begins with the epoch that it leads in, and endOffsetFor an earlier epoch is the start of that.
    """
    played = play(scenario("old-records-kept"), era("2.1"))

    assert [one.values["offset"] for one in of(played, "epoch_end_answered", A, 13)] == [3]
    assert of_a(played) == []
    assert {(part.first_offset, part.end_offset) for part in played.truth.diverged} == {(2, 3)}


@pytest.mark.parametrize("one", [era("2.4"), with_switches(era("2.1"), {"epoch-old-format": "cleared"})])
def test_from_2_2_1_such_a_record_clears_all_entries(one: Era) -> None:
    """Log.append at 2.2.1: cache.clearAndFlush(). Nothing is asked, and the cut is to the high watermark."""
    played = play(scenario("old-records-kept"), one)

    assert not of(played, "epoch_end_asked", A, 13)
    assert of_a(played) == [(2, CutReason.LOCAL_HIGH_WATERMARK)]
    assert not played.truth.diverged


def test_in_2_8_a_fetch_that_names_an_epoch_is_out_of_range_again_and_again() -> None:
    """Partition.readRecords: "Could not determine the end offset of the last fetched epoch"."""
    played = play(scenario("format-raised"), era("2.8"))

    refused, reset = of(played, "fetch_failed", A, 6), of(played, "fetch_offset_reset", A, 6)
    assert len(refused) >= 3
    assert {told.values["offset"] for told in (*refused, *reset)} == {3}, "it stays where it is"
    assert not of(played, "appended", A, 6)
    # B is raised: its cache begins with the epoch that it leads in, at its log end.
    assert [(told.values["epoch"], told.values["offset"]) for told in of(played, "epoch_assigned", B, 8)] == [
        (1, 4)
    ]
    assert [(part.first_offset, part.end_offset) for part in played.truth.diverged] == [(2, 3)]


def test_by_a_protocol_of_2_6_the_same_brokers_ask_and_agree() -> None:
    """Fetches name epochs from protocol 2.7-IV1 on. What was A's alone is cut."""
    text = scenario("format-raised").text.replace(
        "message_formats =", 'protocols = { A = "2.6", B = "2.6" }\nmessage_formats ='
    )
    played = play(parse_scenario(text), era("2.8"))

    assert cuts(played) == [(6, A, 3, 2)]
    assert not played.truth.diverged


def test_a_follower_of_an_old_protocol_gets_records_without_epochs() -> None:
    """Its fetches are of version 3: the leader converts down, and names no epochs to it."""
    text = OLD_AND_NEW + 'protocols = { B = "0.10.2" }\n'
    text += '[[step]]\ndo = "produce"\nrecords = ["m"]\nacks = "all"\n'
    played = play(parse_scenario(text), era("2.8"))

    assert [one.values["replica"] for one in events(played.trace, "epoch_assigned")] == [A]
    sent = events(played.trace, "fetch_sent")
    assert {one.get("aux") for one in sent} == {None}
    assert {one.get("epoch") for one in sent} == {None}, "no fetch is fenced by its epoch (2.1-IV1)"


def test_the_trace_says_what_each_broker_had_and_when() -> None:
    played = play(scenario("protocol-raised"), era("2.8"))

    rules = {one.name: rules_of_broker(played.trace, one) for one in played.trace.brokers}
    for broker in ("A", "B"):
        assert [one.switches.truncation for one in rules[broker]] == ["high-watermark", "fetch-divergence"]
        assert rules[broker][1] == era("2.8")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (OLD_AND_NEW + 'protocols = { C = "2.8" }\n' + STEP, "'C' is not known here"),
        (OLD_AND_NEW + 'protocols = { A = "new" }\n' + STEP, "'new' is not a release of Kafka"),
        (
            OLD_AND_NEW + STEP + 'message_format = "2.8"\nprotocol = "2.0"\n',
            "above its inter-broker protocol",
        ),
    ],
)
def test_what_no_broker_can_have_is_refused(text: str, what: str) -> None:
    with pytest.raises(ScenarioError, match=what):
        parse_scenario(text)


PROTOCOL_IN_A_STEP = """
[[step]]
do = "stop"
broker = "B"
[[step]]
do = "start"
broker = "B"
protocol = "0.10.2"
[[step]]
do = "produce"
count = 2
acks = "all"
"""


def test_a_protocol_that_only_a_step_names_holds_from_there_on() -> None:
    """KIP-98: by a protocol before 0.11.0-IV2 a follower is sent records without their leader epoch."""
    script = parse_scenario(OLD_AND_NEW + PROTOCOL_IN_A_STEP)
    played = play(script, era("2.4"))

    assert script.has_own_releases
    assert of(played, "appended", B, 3)
    assert not of(played, "epoch_assigned", B, 3)
    plain = parse_scenario(OLD_AND_NEW + PROTOCOL_IN_A_STEP.replace('protocol = "0.10.2"\n', ""))
    assert not plain.has_own_releases
    assert of(play(plain, era("2.4")), "epoch_assigned", B, 3)


def test_between_two_eras_no_switches_are_named_where_a_step_names_a_protocol() -> None:
    """More than switches tells such runs apart."""
    script = parse_scenario(OLD_AND_NEW + PROTOCOL_IN_A_STEP)
    assert Flips(Setup(script, era("2.4")), Setup(script, era("2.8"))).by_release
