"""Candidates: an era for all brokers, or of each broker the rules of its own release and protocol."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from core.history.running import rules_over_time
from core.kafka.eras import Era
from core.trace.trace import Origin, Trace


@dataclass(frozen=True, slots=True)
class Candidate:
    """Rules that a trace is held against. `by_broker` are those of single brokers, `eras` of all others."""

    name: str
    eras: tuple[Era, ...]
    by_broker: Mapping[int, tuple[tuple[int, Era | None], ...]]
    """Each with the time in ns from which on; None while they are not known."""

    def eras_of(self, broker: int | None, at: int) -> tuple[Era, ...]:
        """The eras of a broker at a time in ns; of the controller, which may be any broker, all."""
        own = None if broker is None else self.by_broker.get(broker)
        if own is None:
            return self.eras
        then = own[max(bisect_right(own, at, key=lambda one: one[0]) - 1, 0)][1]
        return tuple(dict.fromkeys(era for _, era in own if era is not None)) if then is None else (then,)


def candidate(era: Era) -> Candidate:
    """One era for all brokers."""
    return Candidate(era.name, (era,), {})


def own_candidate(trace: Trace) -> Candidate | None:
    """What ran: each broker's releases, with the protocols that it states; None where no release is known.

    A decision of a broker that was upgraded meanwhile is held against the rules that it had then.
    """
    if trace.origin is Origin.SIMULATED and "era" not in trace.facts:
        return None
    stated = {int(broker.broker_id): rules_over_time(trace, broker) for broker in trace.brokers}
    found = {broker: rules for broker, rules in stated.items() if any(era for _, era in rules)}
    eras = tuple(dict.fromkeys(era for rules in found.values() for _, era in rules if era is not None))
    return Candidate(", ".join(one.name for one in eras), eras, found) if eras else None
