"""Candidates: an era for all brokers, or of each broker the rules of its own release and protocol."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.history.view import version_numbers
from core.kafka.eras import ERAS, Era, era_named, with_switches
from core.kafka.switches import SWITCH
from core.trace.trace import Origin, Trace

_BY_PROTOCOL: Final = ("truncation", "epoch-answer", "fencing", "isr-change")
"""Switches that follow inter.broker.protocol.version: what brokers send each other."""
_BY_FORMAT: Final = ("epoch-entry",)
"""Records name epochs, and so caches fill, from message format 0.11 on: by default the protocol's."""
_PROTOCOL: Final = "inter.broker.protocol.version"
_FORMAT: Final = "log.message.format.version"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Rules that a trace is held against. `by_broker` are those of single brokers, `eras` of all others."""

    name: str
    eras: tuple[Era, ...]
    by_broker: Mapping[int, Era]

    def eras_of(self, broker: int | None) -> tuple[Era, ...]:
        """The eras of a broker; of the controller, which may be any broker, all."""
        own = None if broker is None else self.by_broker.get(broker)
        return self.eras if own is None else (own,)


def candidate(era: Era) -> Candidate:
    """One era for all brokers."""
    return Candidate(era.name, (era,), {})


def own_candidate(trace: Trace) -> Candidate | None:
    """What ran: each broker's release, with the protocol that it states; None where no release is known."""
    if trace.origin is Origin.SIMULATED:
        if "era" not in trace.facts:
            return None
        return candidate(era_named("+".join([trace.facts["era"], *_set_by_hand(trace)])))
    found: dict[int, Era] = {}
    for broker in trace.brokers:
        number = int(broker.broker_id)
        era = _of_broker(trace, number, broker.version)
        if era is not None:
            found[number] = era
    eras = tuple(dict.fromkeys(found.values()))
    return Candidate(", ".join(one.name for one in eras), eras, found) if eras else None


def _set_by_hand(trace: Trace) -> list[str]:
    return [one for one in trace.facts.get("switches", "").split(",") if one]


def _of_broker(trace: Trace, broker: int, version: str) -> Era | None:
    base = _of_release(version)
    if base is None:
        return None
    protocol = trace.facts.get(f"config.broker-{broker}.{_PROTOCOL}", "")
    stated = trace.facts.get(f"config.broker-{broker}.{_FORMAT}", "") or protocol
    return with_switches(base, by_protocol(base, protocol, stated))


def by_protocol(base: Era, protocol: str, message_format: str) -> dict[str, str]:
    """The values of the switches that follow inter.broker.protocol.version and log.message.format.version."""
    return {
        **{name: _older(base, protocol, name) for name in _BY_PROTOCOL},
        **{name: _older(base, message_format, name) for name in _BY_FORMAT},
    }


def _of_release(version: str) -> Era | None:
    """The last era that is not after a release."""
    numbers = version_numbers(version)
    fitting = [one for one in ERAS if version_numbers(one.id) <= numbers]
    return fitting[-1] if numbers and fitting else None


def _older(base: Era, protocol: str, switch: str) -> str:
    """The value of a switch that an older protocol leaves, else the era's own."""
    numbers = version_numbers(protocol)
    era = _of_release(protocol) or ERAS[0]
    if not numbers or numbers >= version_numbers(base.id):
        era = base
    value: str = getattr(era.switches, SWITCH[switch].field)
    return value
