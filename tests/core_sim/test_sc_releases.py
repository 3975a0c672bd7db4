"""Brokers with releases of their own, as in a rolling upgrade: who decides goes by its own release.

Read in Kafka at the tags 2.0.0 and 2.1.1 (Partition.makeLeader, Partition.maybeExpandIsr,
LeaderEpochFileCache.endOffsetFor), and 3.5.2, 3.6.2 and 3.7.1 (Partition.maybeIncrementLeaderHW,
Partition.isBrokerEpochIsrEligible, MetadataVersion.isLeaderEpochBumpRequiredOnIsrShrink).
"""

import pytest

from core.errors import ScenarioError
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import Played, engine_of, play
from core.sim.scenario import parse_scenario
from core.sim.script import Scenario
from core.sim.truth import Promise
from tests.core_sim.test_clients import events
from tests.in_words import in_words

pytestmark = pytest.mark.broad(3)

A, B, C = 1, 2, 3


def lost(played: Played, promise: Promise) -> set[str]:
    return {one.name for one in played.truth.fates() if one.lost and one.promise is promise}


def with_cluster(name: str, *rows: str, without: tuple[str, ...] = ()) -> Scenario:
    """A scenario of the library with other rows in its `[cluster]`."""
    lines = [line for line in scenario(name).text.splitlines() if not line.startswith(without or ("\0",))]
    place = lines.index("[cluster]") + 1
    return parse_scenario("\n".join((*lines[:place], *rows, *lines[place:])), f"{name}.toml")


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
