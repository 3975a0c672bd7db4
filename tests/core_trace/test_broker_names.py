"""What nodes are called: a controller that is no broker is no "broker"."""

import pytest

from core.kafka.eras import era
from core.message import Names, message
from core.trace.broker_names import (
    abridged,
    broker_name,
    broker_text,
    broker_value,
    brokers_value,
    numbered_name,
    short_name,
    short_names,
)
from core.trace.builder import TraceBuilder
from core.trace.ids import METADATA_TOPIC, BrokerId, TopicPartition
from core.trace.trace import Broker, Origin, Partition, Trace
from core.words import speaking
from tests.runs import simulated


def imported(voters: tuple[int, ...], replicas: tuple[int, ...], *registered: int) -> Trace:
    """A trace as logs give it: nodes have ids and no names."""
    builder = TraceBuilder()
    for at, node in enumerate(registered):
        builder.add(at, "broker_registered", replica=node)
    return builder.build(
        name="case",
        origin=Origin.IMPORTED,
        brokers=[Broker(BrokerId(one)) for one in sorted({*voters, *replicas})],
        partitions=[
            Partition(TopicPartition(METADATA_TOPIC, 0), tuple(map(BrokerId, voters))),
            Partition(TopicPartition("orders", 0), tuple(map(BrokerId, replicas))),
        ],
    )


def test_in_a_simulation_voters_are_controllers_by_their_names() -> None:
    # The scenario's brokers are A and B, its voters K, L and M; they have the ids after the greatest.
    trace = simulated("quorum-majority-lost", era("4.1"))
    ids = [int(one.broker_id) for one in trace.brokers]

    assert [broker_name(trace, one) for one in ids] == [
        "broker A",
        "broker B",
        "controller K",
        "controller L",
        "controller M",
    ]
    assert [broker_text(trace, one) for one in ids] == ["A", "B", "K", "L", "M"]
    assert [short_name(trace, one) for one in ids] == ["A", "B", "K", "L", "M"]
    assert broker_value(trace, ids[2]) == abridged(broker_value(trace, ids[2])) == "K"
    assert numbered_name(trace, ids[2]) == message("controller.number", number=ids[2])
    with speaking("zh"):
        assert [broker_name(trace, one) for one in ids[1:3]] == ["broker B", "控制器 K"]


def test_in_logs_a_voter_without_a_replica_is_a_controller() -> None:
    trace = imported((100,), (1, 2))

    assert [broker_name(trace, one) for one in (1, 2, 100)] == ["broker 1", "broker 2", "controller 100"]
    assert broker_text(trace, 100) == "controller 100"
    assert short_names(trace) == {1: "1", 2: "2", 100: "100"}
    assert abridged(broker_value(trace, 100)) == message("controller.abridged", number=100)
    assert abridged(broker_value(trace, 1)) == message("broker.abridged", number=1)
    assert brokers_value(trace, (2,)) == message("broker.number", number=2)
    assert brokers_value(trace, (2, 100)) == Names(
        (message("broker.number", number=2), message("controller.number", number=100))
    )


@pytest.mark.parametrize(
    ("replicas", "registered"), [((1, 2, 3), ()), ((1, 2), (3,))], ids=["replica", "registration"]
)
def test_a_node_with_both_roles_is_a_broker(replicas: tuple[int, ...], registered: tuple[int, ...]) -> None:
    trace = imported((1, 2, 3), replicas, *registered)

    assert broker_name(trace, 3) == "broker 3"


def test_a_node_of_which_nothing_is_known_is_a_broker() -> None:
    assert broker_name(imported((), (1, 2)), 7) == "broker 7"


@pytest.mark.parametrize(
    ("name", "full", "short"),
    [("A", "broker A", "A"), ("2", "broker 1", "1"), ("Broker-7", "Broker-7", "Broker-7")],
)
def test_names_of_a_data_set_are_kept(name: str, full: str, short: str) -> None:
    trace = TraceBuilder().build(
        name="case", origin=Origin.PREPARED, brokers=[Broker(BrokerId(1), name)], partitions=[]
    )

    assert broker_name(trace, 1) == full
    assert short_name(trace, 1) == short
