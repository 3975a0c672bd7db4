"""How a partition moves: KafkaController.onPartitionReassignment, PartitionReassignmentReplicas."""

from core.kafka.reassignment import is_reached, raises_epoch, replicas_meanwhile


def test_the_target_comes_first_in_its_order_and_then_those_that_go() -> None:
    """The example of KafkaController.updateCurrentReassignment: [1, 2, 3] to [3, 4, 2] is [3, 4, 2, 1]."""
    assert replicas_meanwhile((3, 4, 2), (1, 2, 3)) == (3, 4, 2, 1)
    assert replicas_meanwhile((1, 2), (1, 2)) == (1, 2)


def test_it_is_over_when_all_of_the_target_are_in_sync() -> None:
    assert is_reached((1, 2, 3), (3, 1))
    assert not is_reached((1, 2), (3, 1))


def test_zookeeper_raises_the_epoch_at_each_step_kraft_with_a_removal() -> None:
    assert raises_epoch("zookeeper", removes=False)
    assert raises_epoch("zookeeper", removes=True)
    assert not raises_epoch("kraft", removes=False)
    assert raises_epoch("kraft", removes=True)
