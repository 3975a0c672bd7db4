"""What is left of the in-sync set when its last member is gone.

KafkaController.removeReplicaFromIsr of 0.10.2.2, 0.11.0.3 and 1.0.2: "Retaining last ISR %d of partition %s
since unclean leader election is disabled"; else the set is empty. In 1.1.1 doRemoveReplicasFromIsr of
ReplicaStateMachine keeps a set of one as it is.
"""

import pytest

from core.diagnose.verdict.check import judge_partitions
from core.kafka.eras import era
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Event, Trace
from core.trace.vocabulary import Election

TEXT = """
schema = 1
id = "last-member"
title = "The last member returns first"
story = "B leaves the set, A goes on alone, dies and comes back."

[cluster]
brokers = ["A", "B"]

[settings]
"unclean.leader.election.enable" = {unclean}
"zookeeper.session.timeout.ms" = 3_000

[[step]]
do = "produce"
records = ["m0"]
acks = "1"
for_ms = 600

[[step]]
do = "crash"
broker = "B"
until = "B is not in the ISR"
within_ms = 30_000

[[step]]
do = "produce"
records = ["m1"]
acks = "1"
for_ms = 600

[[step]]
do = "crash"
broker = "A"
for_ms = 6_000

[[step]]
do = "start"
broker = "A"
for_ms = 6_000

[[step]]
do = "start"
broker = "B"
for_ms = 10_000
"""


def run(which: str, *, unclean: bool) -> Trace:
    text = TEXT.replace("{unclean}", str(unclean).lower())
    return simulate(parse_scenario(text), era(which))


def of(trace: Trace, kind: str) -> list[Event]:
    return [one for one in map(trace.event, range(len(trace))) if one.kind == kind]


def last_set(trace: Trace) -> tuple[int, ...]:
    """The in-sync set while nobody leads."""
    (leaderless,) = of(trace, "leaderless")
    return trace.isrs[leaderless.values["isr"]]


def election(trace: Trace) -> int | None:
    return of(trace, "leader_elected")[-1].get("aux")


@pytest.mark.parametrize("which", ["0.10.2", "0.11"])
def test_to_1_0_nobody_is_left_where_unclean_elections_are_allowed(which: str) -> None:
    trace = run(which, unclean=True)

    assert last_set(trace) == ()
    assert election(trace) == Election.UNCLEAN


@pytest.mark.parametrize(
    ("which", "unclean"), [("0.10.2", False), ("0.11", False), ("1.1", True), ("1.1", False), ("2.8", True)]
)
def test_else_the_last_member_stays_and_is_elected_cleanly(which: str, *, unclean: bool) -> None:
    trace = run(which, unclean=unclean)

    assert last_set(trace) == (1,)
    assert election(trace) == Election.CLEAN


@pytest.mark.parametrize("which", ["0.10.2", "0.11", "1.1"])
def test_an_unclean_election_of_the_last_member_loses_nothing(which: str) -> None:
    """Kafka warns "There's potential data loss" then; A has all that there was."""
    trace = run(which, unclean=True)

    ((_, verdict),) = judge_partitions(trace, [0])
    assert verdict.losses == ()
    assert 1 not in [one.get("replica") for one in of(trace, "truncated")]
