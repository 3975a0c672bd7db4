"""Names of releases, as brokers print them, as numbers."""

import pytest

from core.kafka.protocols import era_of_release
from core.kafka.releases import version_numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0.10.2.2", (0, 10, 2, 2)),
        ("2.8.2", (2, 8, 2)),
        ("4.2.0-SNAPSHOT", (4, 2, 0)),
        # Confluent Platform to 5.2, Strimzi and Red Hat, Cloudera: Kafka's own numbers come first.
        ("2.0.0-cp1", (2, 0, 0)),
        ("2.8.0.redhat-00005", (2, 8, 0)),
        ("2.5.0.7.1.7.0-551", (2, 5, 0, 7, 1, 7, 0)),
        ("unknown", ()),
        ("", ()),
        ("9" * 5_000, ()),
    ],
)
def test_a_release_is_told_by_its_numbers(text: str, numbers: tuple[int, ...]) -> None:
    assert version_numbers(text) == numbers


@pytest.mark.parametrize(
    ("text", "kafka"),
    [
        # The table of Confluent's documentation, and the branches of its repository: 3.9 is 7.9.0-0-ccs.
        ("5.3.1-ccs", (2, 3)),
        ("5.4.0-ce", (2, 4)),
        ("5.5.15-ccs", (2, 5)),
        ("6.0.1-ce", (2, 6)),
        ("6.2.0-ccs", (2, 8)),
        ("7.0.1-ccs", (3, 0)),
        ("7.4.0-ccs", (3, 4)),
        ("7.9.0-0-ccs", (3, 9)),
        ("8.1.0-ccs-SNAPSHOT", (4, 1)),
    ],
)
def test_a_release_of_confluent_platform_is_that_of_its_kafka(text: str, kafka: tuple[int, ...]) -> None:
    assert version_numbers(text) == kafka


def test_its_brokers_have_the_rules_of_their_kafka() -> None:
    eras = [era_of_release(one) for one in ("5.4.3-ccs", "6.2.0-ccs", "7.9.0-ce")]

    assert [one.id for one in eras if one is not None] == ["2.4", "2.8", "3.7"]
