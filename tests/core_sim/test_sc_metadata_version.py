"""metadata.version is raised while a cluster runs: what the controller decides, and whom a leader lets in.

Read in Kafka at the tags 3.5.2, 3.6.2 and 3.7.1
(MetadataVersion.isLeaderEpochBumpRequiredOnIsrShrink, 3.6-IV0;
Partition.isBrokerEpochIsrEligible, 3.5-IV1).
"""

from pathlib import Path

import pytest

from core.conform.judge import conform
from core.conform.own import candidate, own_candidate
from core.errors import ScenarioError
from core.history.running import rules_over_time
from core.kafka.eras import era
from core.sim.logs.broker_logs import broker_logs
from core.sim.run import Played, play
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace
from importers.load import load
from tests.claims.stories_held import hold_script
from tests.core_sim.test_clients import events
from tests.core_sim.test_sc_releases import with_cluster
from tests.in_words import in_words

HEAD = """
schema = 1
id = "raised"
title = "A metadata.version is raised"
story = "B leaves the in-sync set in order, before and after."

[cluster]
brokers = ["A", "B", "C"]
"""
STOP_AND_START = """
[[step]]
do = "stop"
broker = "B"

[[step]]
do = "start"
broker = "B"
for_ms = 2000
"""
RAISE = """
[[step]]
do = "configure"
metadata_version = "{version}"
"""
IN_3_5 = 'metadata_version = "3.5"\n'


def raised_by_shrinks(trace: Trace) -> list[bool]:
    """Of each time that B leaves the in-sync set in order: whether the leader epoch rises."""
    epochs, found = [0], list[bool]()
    for told in events(trace, "isr_committed", "leader_elected"):
        epochs.append(told.values["epoch"])
        if (
            told.kind == "isr_committed"
            and told.get("broker") is None
            and 2 not in trace.isrs[told.values["isr"]]
        ):
            found.append(epochs[-1] > epochs[-2])
    return found


def of_two_stops(one: str, of_cluster: str, version: str) -> Played:
    text = HEAD + of_cluster + STOP_AND_START + RAISE.format(version=version) + STOP_AND_START
    return play(parse_scenario(text), era(one))


@pytest.mark.parametrize(
    ("one", "of_cluster", "version", "raised"),
    [
        ("3.7", IN_3_5, "3.6", [True, False]),
        ("3.6", IN_3_5, "3.6", [True, False]),
        # The release knows no later one.
        ("3.5", IN_3_5, "3.6", [True, True]),
        # Nothing is left to be raised.
        ("3.7", "", "3.6", [False, False]),
        ("3.7", 'metadata_version = "3.3"\n', "3.5", [True, True]),
    ],
)
def test_from_then_on_the_epoch_stays_as_a_follower_leaves(
    one: str, of_cluster: str, version: str, raised: list[bool]
) -> None:
    assert raised_by_shrinks(of_two_stops(one, of_cluster, version).trace) == raised


def test_with_zookeeper_nothing_changes() -> None:
    plain = play(parse_scenario(HEAD + STOP_AND_START), era("2.8")).trace
    other = of_two_stops("2.8", IN_3_5, "3.6").trace

    kinds = [event.kind for event in (plain.event(seq) for seq in range(len(plain))) if event.kind != "step"]
    assert (
        kinds
        == [other.event(seq).kind for seq in range(len(other)) if other.event(seq).kind != "step"][
            : len(kinds)
        ]
    )
    assert not [name for name in other.facts if "metadata.version" in name]


@pytest.mark.parametrize(("steps", "gone"), [("", 3), (RAISE.format(version="3.5"), 0)])
def test_an_empty_disk_is_not_let_in_once_it_is_raised(steps: str, gone: int) -> None:
    """KIP-903, KAFKA-14139: three records, of a cluster whose brokers are new and whose version is old."""
    text = with_cluster("disk-replaced", 'metadata_version = "3.3"').text
    place = text.index("[[step]]")

    played = play(parse_scenario(text[:place] + steps + text[place:]), era("3.5"))

    assert len(played.truth.lost) == gone


def shrinks_over_time(trace: Trace) -> list[str]:
    """What the rules of the first broker say of the epoch as the in-sync set shrinks, one after the other."""
    said = [rules.switches.epoch_on_shrink for _, rules in rules_over_time(trace, trace.brokers[0]) if rules]
    return [one for place, one in enumerate(said) if not place or said[place - 1] != one]


@pytest.mark.parametrize("data", [True, False], ids=["data", "logs-alone"])
def test_logs_tell_when(tmp_path: Path, *, data: bool) -> None:
    run = of_two_stops("3.7", IN_3_5, "3.6").trace
    for name, content in broker_logs(run).items():
        if data or "/data/" not in name:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    read = load([tmp_path])

    assert shrinks_over_time(run) == shrinks_over_time(read) == ["bumped", "kept"]
    levels = read.facts.get("feature.metadata.version.over-time", "").split()[1::2]
    assert levels == (["11", "14"] if data else [])


@pytest.mark.parametrize(
    ("of_cluster", "version", "what"),
    [
        (IN_3_5, "3.3", "metadata.version 3.5 by then, which is not lowered"),
        ('releases = { B = "3.5" }\n', "3.6", "The release 3.5 of broker B does not know this version"),
    ],
)
def test_what_no_controller_takes_is_refused(of_cluster: str, version: str, what: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        parse_scenario(HEAD + of_cluster + STOP_AND_START + RAISE.format(version=version), "x.toml")

    assert what in in_words(refused.value).what
    assert "metadata_version" in str(in_words(refused.value))


def test_sentences_and_decisions_hold_before_and_after() -> None:
    text = HEAD + IN_3_5 + STOP_AND_START + RAISE.format(version="3.6") + STOP_AND_START
    played_by = era("3.7")
    trace = play(parse_scenario(text), played_by).trace
    own = own_candidate(trace)
    assert own is not None

    (mine, later, before) = conform(trace, [own, candidate(played_by), candidate(era("3.5"))], [0])

    assert mine.accepted is True
    # The epoch rises as B leaves, which 3.6 does not do; later it stays, which 3.5 does not do.
    assert [one.broken.rule.id for one in (later, before) if one.broken] == ["epochs.on-shrink"] * 2
    assert hold_script(text, played_by).broken == []
