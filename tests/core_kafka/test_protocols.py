"""What a broker does with an older protocol, read in ReplicaFetcherThread, ApiVersion and Log."""

import pytest

from core.kafka.eras import era
from core.kafka.protocols import by_protocol, era_of_release, under_protocol

WHOLE = ("truncation", "epoch-answer", "fencing", "isr-change", "epoch-entry")


@pytest.mark.parametrize(
    ("base", "protocol", "expected"),
    [
        # Before 0.11.0-IV2 no follower asks for the end of an epoch; before format 0.11 no batch names one.
        ("2.8", "0.10.2", ("high-watermark", "offset", "none", "zookeeper", "none")),
        ("1.1", "0.10.2-IV0", ("high-watermark", "offset", "none", "zookeeper", "none")),
        # The lowest protocol that asks; the release makes the entries of its cache, at each election.
        ("2.8", "0.11.0", ("epoch-request", "offset", "none", "zookeeper", "election")),
        ("2.1", "1.1", ("epoch-request", "offset", "none", "zookeeper", "election")),
        ("2.0", "1.0", ("epoch-request", "offset", "none", "zookeeper", "first-write")),
        # 2.0-IV0: the answer names the epoch; 2.1-IV1: the request names that of the leader.
        ("2.8", "2.0", ("epoch-request", "epoch-and-offset", "none", "zookeeper", "election")),
        ("2.8", "2.1", ("epoch-request", "epoch-and-offset", "leader-epoch", "zookeeper", "election")),
        ("2.8", "2.6", ("epoch-request", "epoch-and-offset", "leader-epoch", "zookeeper", "election")),
        # 2.7-IV1 and 2.7-IV2: the divergence on the fetch, and AlterIsr.
        ("2.8", "2.7", ("fetch-divergence", "epoch-and-offset", "leader-epoch", "alter-isr", "election")),
        # Its own, none, and one that is newer than the release.
        ("2.8", "2.8", ("fetch-divergence", "epoch-and-offset", "leader-epoch", "alter-isr", "election")),
        ("2.4", "", ("epoch-request", "epoch-and-offset", "leader-epoch", "zookeeper", "election")),
        ("0.10.2", "2.8", ("high-watermark", "offset", "none", "zookeeper", "none")),
        ("0.11", "2.1", ("epoch-request", "offset", "none", "zookeeper", "first-write")),
    ],
)
def test_what_brokers_send_each_other_follows_the_protocol(
    base: str, protocol: str, expected: tuple[str, ...]
) -> None:
    found = by_protocol(era(base), protocol)

    assert tuple(found[name] for name in WHOLE) == expected


@pytest.mark.parametrize(
    ("protocol", "message_format", "entry"),
    [
        ("2.8", "0.10.2", "none"),
        ("2.8", "0.11.0", "election"),
        ("2.4", "", "election"),
        # From protocol 3.0 on the format is ignored (KIP-724).
        ("3.0", "0.10.2", "election"),
    ],
)
def test_epochs_are_known_from_the_format_of_0_11_on(protocol: str, message_format: str, entry: str) -> None:
    assert by_protocol(era("2.8"), protocol, message_format)["epoch-entry"] == entry


def test_a_protocol_that_changes_nothing_leaves_the_era_as_it_is() -> None:
    """A 2.8 that still speaks 2.7, as many do, has the rules of 2.8."""
    assert under_protocol(era("2.8"), "2.7").overrides == ()
    assert under_protocol(era("2.8"), "2.4").overrides == (
        ("truncation", "epoch-request"),
        ("isr-change", "zookeeper"),
    )


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("2.7.2", "2.4"),
        ("2.8.0", "2.8"),
        ("0.10.2.2", "0.10.2"),
        ("4.3.1", "4.1"),
        ("0.9.0", None),
        ("x", None),
    ],
)
def test_a_release_has_the_rules_of_the_last_era_before_it(release: str, expected: str | None) -> None:
    found = era_of_release(release)

    assert (None if found is None else found.id) == expected
