"""The rules that brokers ran by, from what they state: release, protocol and message format."""

from core.kafka.eras import Era
from core.kafka.protocols import FORMAT, PROTOCOL, era_of_release, under_protocol
from core.kafka.releases import version_numbers
from core.trace.trace import Origin, Trace


def era_of(trace: Trace) -> str | None:
    """The era whose rules all brokers had: by the oldest release, protocol or format that one states.

    None where no release is known, and for a run with a switch that was set by hand.
    """
    if trace.origin is Origin.SIMULATED:
        return None if trace.facts.get("switches") else trace.facts.get("era")
    versions = [one.version for one in trace.brokers if version_numbers(one.version)]
    running = era_of_release(min(versions, key=version_numbers, default=""))
    if running is None:
        return None
    protocol, message_format = oldest_stated(trace, PROTOCOL), oldest_stated(trace, FORMAT)
    if not under_protocol(running, protocol, message_format).overrides:
        return running.id
    older = era_of_release(min(filter(None, (protocol, message_format)), key=version_numbers))
    return None if older is None else older.id


def oldest_stated(trace: Trace, setting: str) -> str:
    """The oldest release that a broker states for a setting; "" where none does."""
    stated = [value for key, value in trace.facts.items() if key.endswith(f".{setting}")]
    return min(filter(version_numbers, stated), key=version_numbers, default="")


def rules_of_broker(trace: Trace, broker: int, version: str) -> Era | None:
    """The rules of one broker: those of its release under the protocol and format that it states.

    None where its release is before all eras, or not known.
    """
    base = era_of_release(version)
    if base is None:
        return None
    protocol, stated = (trace.facts.get(f"config.broker-{broker}.{name}", "") for name in (PROTOCOL, FORMAT))
    return under_protocol(base, protocol, stated)
