"""Which rules a broker keeps by an older inter.broker.protocol.version or log.message.format.version.

During a rolling upgrade the new release runs with the protocol of the old one, until an operator raises it,
broker by broker. What brokers send each other follows the protocol, what they do with it the release. With
KRaft one metadata.version of the whole cluster is in the place of the protocol.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from core.kafka.eras import ERAS, Era, with_switches
from core.kafka.releases import version_numbers
from core.kafka.switches import SWITCH

PROTOCOL: Final = "inter.broker.protocol.version"
FORMAT: Final = "log.message.format.version"
METADATA_VERSION: Final = "metadata.version"

_Steps: TypeAlias = Mapping[str, tuple[tuple[tuple[int, ...], str], ...]]
"""By switch: each version with which a later value begins, and the latest value below it."""
_BY_PROTOCOL: Final[_Steps] = {
    "truncation": (((0, 11), "high-watermark"), ((2, 7), "epoch-request")),
    "epoch-answer": (((2, 0), "offset"),),
    "fencing": (((2, 1), "none"),),
    "isr-change": (((2, 7), "zookeeper"),),
    "log-start": (((0, 11), "own"),),
}
"""ReplicaFetcherThread (2.0.1, 2.1.1, 2.8.2): OffsetsForLeaderEpoch from 0.11.0-IV2, with an epoch in the
answer from 2.0-IV0, with the epoch of the leader in the request from 2.1-IV1. ApiVersion (2.8.2): the
divergence on the fetch from 2.7-IV1, changes of the in-sync set through the controller from 2.7-IV2. Fetches
of version 5, whose answers name the log start of the leader, from 0.11.0-IV1 (KIP-107).
"""
_BY_METADATA_VERSION: Final[_Steps] = {
    "isr-eligible": (((3, 5), "not-fenced"),),
    "epoch-on-shrink": (((3, 6), "bumped"),),
    "transactions": (((4, 0), "verified"),),
    "eligible-leaders": (((4, 1), "off"),),
}
"""MetadataVersion (3.6.2): fetches name the broker epoch from 3.5-IV1 on; one that names none is let in
(Partition.isBrokerEpochIsrEligible, 3.5.2); the controller raises no epoch as the in-sync set shrinks from
3.6-IV0 on. transaction.version 2 and eligible.leader.replicas.version 1 come with it (KIP-890, KIP-966).
In all else the release of the broker decides, or of the controller, that does it.
"""
_NAMES_EPOCHS: Final = (0, 11)
"""Batches name leader epochs from message format 0.11 on, and fetches take such ones from 0.11.0-IV0.

To a fetch of an older version the leader converts them down (ReplicaManager and KafkaApis, 0.11.0.3, 2.8.2).
"""
_FORMAT_IGNORED: Final = (3, 0)
"""From this protocol on all is written in the format of 0.11, whatever is set (KIP-724)."""


def default_of(protocol: str) -> str:
    """The release whose default a printed protocol is; "" where an operator has set it.

    A broker prints its default with the version within the release ("2.8-IV1"), and what is set as it is set
    (KafkaConfig, 0.10.2.2 to 3.9.1); the documents say to set "2.8".
    """
    release, _, within = protocol.partition("-IV")
    return release if within.isdecimal() and version_numbers(release) else ""


def own_protocol(base: Era) -> str:
    """The protocol that a broker of an era has by default, without the version within the release."""
    numbers = version_numbers(base.release)
    return ".".join(map(str, numbers[: 3 if numbers[0] == 0 else 2]))


def era_of_release(version: str) -> Era | None:
    """The last era that is not after a release; None where the text is no release, or one before all eras."""
    numbers = version_numbers(version)
    fitting = [one for one in ERAS if version_numbers(one.id) <= numbers]
    return fitting[-1] if numbers and fitting else None


def under_protocol(base: Era, protocol: str, message_format: str = "") -> Era:
    """The rules of a broker of an era with that protocol and message format, by Kafka's names for releases.

    "" is the era's own; by default the format is that of the protocol. What is newer than the era changes
    nothing.
    """
    return with_switches(base, by_protocol(base, protocol, message_format))


def by_protocol(base: Era, protocol: str, message_format: str = "") -> Mapping[str, str]:
    """The values of the switches that follow protocol and format, by the name of the switch."""
    found = _at_most(base, version_numbers(protocol), _BY_PROTOCOL)
    kept = base.switches.epoch_old_format == "trusted" and not fetches_old_records(protocol)
    found["epoch-entry"] = base.switches.epoch_entry
    if writes_old_records(protocol, message_format) and not kept:
        found["epoch-entry"] = "none"
    return found


def under_metadata_version(base: Era, version: str) -> Era:
    """The rules of a release with KRaft in a cluster of that metadata.version; "" is its own.

    With ZooKeeper there is none. One that is newer than the era changes nothing.
    """
    if base.switches.controller != "kraft" or not version:
        return base
    return with_switches(base, _at_most(base, version_numbers(version), _BY_METADATA_VERSION))


def _at_most(base: Era, numbers: tuple[int, ...], table: _Steps) -> dict[str, str]:
    """The values of the switches of a table, none later than that version has; () is the era's own."""
    found: dict[str, str] = {}
    for switch, steps in table.items():
        values, own = SWITCH[switch].values, str(getattr(base.switches, SWITCH[switch].field))
        most = next((value for first, value in steps if numbers and numbers < first), own)
        found[switch] = min(own, most, key=values.index)
    return found


def writes_old_records(protocol: str, message_format: str = "") -> bool:
    """Whether a leader writes records without leader epochs, whatever its release."""
    numbers = version_numbers(protocol)
    formatted = version_numbers(message_format) or numbers
    return () < formatted < _NAMES_EPOCHS and numbers < _FORMAT_IGNORED


def fetches_old_records(protocol: str) -> bool:
    """Whether a follower gets all records without leader epochs, whatever its leader holds."""
    return () < version_numbers(protocol) < _NAMES_EPOCHS
