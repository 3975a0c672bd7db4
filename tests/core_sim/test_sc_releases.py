"""Brokers with releases of their own, as in a rolling upgrade: who decides goes by its own release.

Read in Kafka at the tags 2.0.0 and 2.1.1 (Partition.makeLeader, Partition.maybeExpandIsr,
LeaderEpochFileCache.endOffsetFor), and 3.5.2, 3.6.2 and 3.7.1 (Partition.maybeIncrementLeaderHW,
Partition.isBrokerEpochIsrEligible, MetadataVersion.isLeaderEpochBumpRequiredOnIsrShrink).
"""

import pytest

from core.errors import ScenarioError
from core.history.running import era_of, rules_of_broker
from core.kafka.eras import ERAS, Era, era
from core.sim.library import scenario
from core.sim.run import Played, engine_of, play
from core.sim.scenario import parse_scenario
from core.sim.script import Scenario
from core.sim.truth import Promise
from core.trace.vocabulary import CutReason
from tests.core_sim.test_clients import events
from tests.in_words import in_words

pytestmark = pytest.mark.broad(3)

A, B, C = 1, 2, 3
BY_ID = {one.id: one for one in ERAS}
TO_2_0 = ("0.10.2", "0.11", "1.1", "2.0")
FROM_2_1 = ("2.1", "2.4", "2.8")
KRAFT = [one.id for one in ERAS if one.switches.controller == "kraft"]
TO_3_6 = [one.id for one in ERAS if one.id not in ("3.7", "4.0", "4.1")]


def lost(played: Played, promise: Promise) -> set[str]:
    return {one.name for one in played.truth.fates() if one.lost and one.promise is promise}


def with_cluster(name: str, *rows: str, without: tuple[str, ...] = ()) -> Scenario:
    """A scenario of the library with other rows in its `[cluster]`."""
    lines = [line for line in scenario(name).text.splitlines() if not line.startswith(without or ("\0",))]
    place = lines.index("[cluster]") + 1
    return parse_scenario("\n".join((*lines[:place], *rows, *lines[place:])), f"{name}.toml")


@pytest.mark.parametrize("one", ERAS, ids=lambda one: one.id)
def test_a_leader_of_2_0_makes_a_newer_follower_cut_until_it_is_replaced(one: Era) -> None:
    """KAFKA-7415: what A does not know of epoch 1 costs B the record m0; once A is new, m3 stands."""
    played = play(scenario("upgrade-unknown-epoch"), one)

    committed = {"m0", "m3"} if one.id in TO_2_0 else {"m0"} if one.id in FROM_2_1 else set[str]()
    assert lost(played, Promise.COMMITTED) == committed
    # Who wrote to a leader that nobody else followed was promised nothing that holds.
    acknowledged = set[str]() if one.id in KRAFT else {"m1", "m4"}
    assert lost(played, Promise.ACKNOWLEDGED) == acknowledged
    assert not played.truth.diverged


@pytest.mark.parametrize("one", FROM_2_1)
def test_the_answer_is_by_the_release_of_the_leader(one: str) -> None:
    trace = play(scenario("upgrade-unknown-epoch"), era(one)).trace

    answers = {step: events(trace, "epoch_end_answered", step=step) for step in (10, 25)}
    assert [told.values["offset"] for told in answers[10]] == [-1]
    # The epoch in which m3 was written, and where A's next one begins: behind m2 and m3.
    assert [(told.values["offset"], told.values["aux"]) for told in answers[25]] == [(2, 4)]
    cuts = {told.position: told.values for told in events(trace, "truncated")}
    assert (cuts[10]["offset"], cuts[10]["aux"]) == (0, CutReason.LOCAL_HIGH_WATERMARK)
    assert (cuts[25]["offset"], cuts[25]["aux"]) == (2, CutReason.LEADER_EPOCH)


@pytest.mark.parametrize("one", FROM_2_1)
def test_a_follower_of_2_0_loses_nothing_by_a_leader_that_is_new(one: str) -> None:
    text = scenario("upgrade-unknown-epoch").text
    turned = text.replace('releases = { A = "2.0" }', 'releases = { B = "2.0" }')

    assert lost(play(parse_scenario(turned), era(one)), Promise.COMMITTED) == set()


@pytest.mark.parametrize(
    ("one", "old", "gone"),
    [
        ("2.1", "C", {"m0"}),
        ("2.8", "C", {"m0"}),
        # A of 2.4 answers C as soon as its high watermark has risen (KIP-392): that of C is not stale.
        ("2.4", "C", set[str]()),
        ("2.1", "B", set[str]()),
        ("2.8", "B", set[str]()),
    ],
)
def test_who_joins_is_up_to_the_leader(one: str, old: str, gone: set[str]) -> None:
    """KAFKA-7128: C leads with a stale high watermark, and B joins by it only where C is still 2.0."""
    played = play(with_cluster("stale-hw-isr", f'releases = {{ {old} = "2.0" }}'), era(one))

    assert lost(played, Promise.COMMITTED) == gone


@pytest.mark.parametrize("one", ERAS, ids=lambda one: one.id)
def test_below_min_isr_the_old_leader_commits_and_the_new_one_does_not(one: Era) -> None:
    """KAFKA-15583: from 3.7 on Partition.maybeIncrementLeaderHW returns while under min ISR."""
    played = play(scenario("upgrade-min-isr"), one)

    old, new = ({"m1", "m3"}, set[str]()) if one.id in TO_3_6 else ({"m1"}, {"m3"})
    assert lost(played, Promise.COMMITTED) == old
    assert lost(played, Promise.ACKNOWLEDGED) == new
    moved = [told.values["replica"] for told in events(played.trace, "hw_moved", step=10)]
    assert moved == ([B] if one.id in TO_3_6 else [])


def test_with_another_kind_of_controller_nothing_is_replaced() -> None:
    plain = with_cluster("upgrade-unknown-epoch", without=("releases", "release =", "protocol"))
    for one in KRAFT:
        played = play(scenario("upgrade-unknown-epoch"), BY_ID[one])
        assert played.truth.lost == play(plain, BY_ID[one]).truth.lost
        assert {broker.version for broker in played.trace.brokers} == {BY_ID[one].release}


def test_a_broker_has_the_defaults_of_its_release() -> None:
    """KIP-537 (2.5): replica.lag.time.max.ms, zookeeper.session.timeout.ms; KIP-106: unclean elections."""
    engine = engine_of(with_cluster("hw-loss", 'releases = { A = "0.10.2" }'), era("2.8"), 1)

    found = {
        broker.name: (broker.rules.lag_time, broker.rules.session_timeout, broker.rules.unclean_allowed)
        for broker in engine.brokers.values()
    }
    assert found == {
        "A": (10_000_000_000, 6_000_000_000, True),
        "B": (30_000_000_000, 18_000_000_000, False),
    }
    # Nobody talks by a protocol that A does not know.
    assert {one.switches.truncation for one in engine.brokers.values()} == {"high-watermark"}
    assert engine.rules.era == era("2.8"), "the controller's"


@pytest.mark.parametrize(
    ("one", "row", "raised"),
    [
        ("3.5", "", True),
        ("3.6", "", False),
        ("3.6", 'metadata_version = "3.5"', True),
        ("3.6", 'releases = { B = "3.5" }', True),
        ("3.7", 'metadata_version = "3.6"', False),
    ],
)
def test_the_epoch_as_a_follower_leaves_is_by_the_metadata_version(one: str, row: str, raised: bool) -> None:  # noqa: FBT001
    """KAFKA-15021: MetadataVersion.isLeaderEpochBumpRequiredOnIsrShrink, to 3.6-IV0."""
    trace = play(with_cluster("isr-shrink", *filter(None, (row,))), era(one)).trace

    shrunk = [told for told in events(trace, "isr_committed") if told.get("broker") is None]
    first = next(told for told in shrunk if told.position > 0)
    before = [told.values["epoch"] for told in events(trace, "leader_elected") if told.seq < first.seq][-1]
    assert (first.values["epoch"] > before) is raised


@pytest.mark.parametrize(("row", "gone"), [("", 0), ('metadata_version = "3.3"', 3)])
def test_fetches_name_the_broker_epoch_by_the_metadata_version(row: str, gone: int) -> None:
    """KIP-903: 3.5-IV1; without it a broker with an empty disk joins, as in 3.3."""
    played = play(with_cluster("disk-replaced", *filter(None, (row,))), era("3.5"))

    assert len(played.truth.lost) == gone


def test_the_trace_says_which_release_ran_and_when() -> None:
    trace = play(scenario("upgrade-unknown-epoch"), era("2.8")).trace

    assert {one.name: one.version for one in trace.brokers} == {"A": "2.8.2", "B": "2.8.2"}
    by_2_0 = "2.8+truncation=epoch-request+fencing=none+isr-change=zookeeper"
    names = {one.name: [rules.name for rules in rules_of_broker(trace, one)] for one in trace.brokers}
    assert names == {"A": ["2.0", by_2_0], "B": [by_2_0]}
    assert era_of(trace) == "2.0"


HEAD = 'schema = 1\nid = "x"\ntitle = "x"\nstory = "x"\n[cluster]\nbrokers = ["A", "B"]\n'
START = '[[step]]\ndo = "start"\nbroker = "A"\n'


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        (HEAD + 'releases = { A = "2.0", B = "3.6" }\n' + START, "controllers of different kinds", (7, "B")),
        (
            HEAD + 'releases = { B = "2.0" }\n' + START + 'release = "3.3"\n',
            "different kinds",
            (11, "release"),
        ),
        (HEAD + 'releases = { A = "0.9" }\n' + START, "No era has the rules of Kafka 0.9", (7, "A")),
        (HEAD + 'releases = { A = "old" }\n' + START, "'old' is not a release of Kafka", (7, "A")),
        (
            HEAD + 'releases = { A = "2.0" }\nprotocols = { B = "2.1" }\n' + START,
            "The release 2.0 of broker A does not know this version",
            (7, "A"),
        ),
        (
            HEAD + 'releases = { B = "2.0" }\n' + START + 'protocol = "2.1"\nrelease = "2.1"\n',
            "The release 2.0 of broker B does not know this version",
            (11, "protocol"),
        ),
        (
            HEAD + 'releases = { A = "3.5" }\nmetadata_version = "3.6"\n' + START,
            "The release 3.5 of broker A does not know this version",
            (8, "metadata_version"),
        ),
    ],
)
def test_what_no_cluster_runs_is_refused(text: str, what: str, where: tuple[int, str]) -> None:
    with pytest.raises(ScenarioError) as refused:
        parse_scenario(text, "x.toml")

    line, key = where
    assert what in in_words(refused.value).what
    assert refused.value.line == line
    assert f"x.toml, line {line}" in str(in_words(refused.value))
    assert key in str(in_words(refused.value))
