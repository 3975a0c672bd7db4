"""Candidates: an era for all brokers, or of each broker the rules of its own release and protocol."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.history.running import rules_of_broker
from core.kafka.eras import Era, era_named
from core.trace.trace import Origin, Trace


@dataclass(frozen=True, slots=True)
class Candidate:
    """Rules that a trace is held against. `by_broker` are those of single brokers, `eras` of all others."""

    name: str
    eras: tuple[Era, ...]
    by_broker: Mapping[int, tuple[Era, ...]]

    def eras_of(self, broker: int | None) -> tuple[Era, ...]:
        """The eras of a broker; of the controller, which may be any broker, all."""
        own = None if broker is None else self.by_broker.get(broker)
        return self.eras if own is None else own


def candidate(era: Era) -> Candidate:
    """One era for all brokers."""
    return Candidate(era.name, (era,), {})


def own_candidate(trace: Trace) -> Candidate | None:
    """What ran: each broker's releases, with the protocols that it states; None where no release is known.

    Of a broker that was upgraded meanwhile any of its releases may have made a decision.
    """
    if trace.origin is Origin.SIMULATED:
        if "era" not in trace.facts:
            return None
        return candidate(era_named("+".join([trace.facts["era"], *_set_by_hand(trace)])))
    stated = {int(broker.broker_id): rules_of_broker(trace, broker) for broker in trace.brokers}
    found = {broker: rules for broker, rules in stated.items() if rules}
    eras = tuple(dict.fromkeys(era for rules in found.values() for era in rules))
    return Candidate(", ".join(one.name for one in eras), eras, found) if eras else None


def _set_by_hand(trace: Trace) -> list[str]:
    return [one for one in trace.facts.get("switches", "").split(",") if one]
