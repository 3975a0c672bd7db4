"""What a release leaves to people: rules that a setting, a feature or a protocol version decides.

A trace of one release may be what another one does with such a choice made otherwise than by default.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from core.kafka.eras import ERAS, Era, with_switches
from core.kafka.protocols import by_protocol

_SETTINGS: Final[Mapping[str, str]] = {
    "lag-time-ms": "replica.lag.time.max.ms",
    "session-timeout-ms": "zookeeper.session.timeout.ms, broker.session.timeout.ms",
    "unclean-election": "unclean.leader.election.enable",
}
"""Settings of every release, by switch."""
_TRANSACTIONS: Final = ("trusted", "verified", "new-epoch")
"""From 3.6 on transaction.partition.verification.enable turns the check off; from 4.0 on the feature
transaction.version leaves the producer epoch as it was (KIP-890)."""


def like(base: Era, own: Era) -> Era:
    """An era with its choices made as they come nearest to another era; itself where there is none."""
    return with_switches(base, dict(_choices(base, own)))


def without_one(chosen: Era) -> Iterator[Era]:
    """The same era with one choice less, for each choice."""
    base = next(one for one in ERAS if one.id == chosen.id)
    for left_out, _ in chosen.overrides:
        yield with_switches(base, {name: value for name, value in chosen.overrides if name != left_out})


def _choices(base: Era, own: Era) -> Iterator[tuple[str, str]]:
    mine, wanted = base.switches, own.switches
    for name in _SETTINGS:
        yield name, getattr(wanted, name.replace("-", "_"))
    if mine.controller == "kraft" and mine.unclean_setting == "obeyed":
        # From 4.0 on the feature eligible.leader.replicas.version (KIP-966).
        yield "eligible-leaders", wanted.eligible_leaders
    levels = (
        _TRANSACTIONS[: _TRANSACTIONS.index(mine.transactions) + 1] if mine.transactions != "none" else ()
    )
    if wanted.transactions in levels:
        yield "transactions", wanted.transactions
    if mine.controller == "zookeeper" and _is_older(own, base):
        yield from by_protocol(base, own.id).items()


def _is_older(one: Era, other: Era) -> bool:
    ids = [known.id for known in ERAS]
    return ids.index(one.id) < ids.index(other.id)
