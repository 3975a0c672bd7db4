"""The rules that brokers ran by, from what they state: release, protocol and message format, over time."""

from core.kafka.eras import Era
from core.kafka.protocols import FORMAT, PROTOCOL, era_of_release, under_protocol
from core.kafka.releases import version_numbers
from core.trace.settings import of_broker, over_time, stated_at, stated_over_time
from core.trace.trace import Broker, Origin, Trace


def releases_of(
    trace: Trace, at: int | None = None, brokers: tuple[int, ...] | None = None
) -> tuple[str, ...]:
    """The releases that these brokers (None is all) state, oldest first: at a time in ns, or all they had."""
    found = {
        release
        for broker in trace.brokers
        if brokers is None or int(broker.broker_id) in brokers
        for release in _releases(trace, broker, at)
    }
    return tuple(sorted(found, key=lambda one: (version_numbers(one), one)))


def _releases(trace: Trace, broker: Broker, at: int | None) -> tuple[str, ...]:
    name = _version_of(broker.broker_id)
    if over_time(name) in trace.facts:
        return stated_at(trace, name, at)
    return (broker.version,) if broker.version else ()


def _version_of(broker: int) -> str:
    return f"version.broker-{broker}"


def era_of(trace: Trace, at: int | None = None) -> str | None:
    """The era whose rules all brokers had: by the oldest release, protocol or format that one states.

    At a time in ns, else of all times. None where no release is known, and for a run with a switch that was
    set by hand.
    """
    if trace.origin is Origin.SIMULATED:
        return None if trace.facts.get("switches") else trace.facts.get("era")
    releases = [one for one in releases_of(trace, at) if version_numbers(one)]
    running = era_of_release(releases[0]) if releases else None
    if running is None:
        return None
    protocol, message_format = oldest_stated(trace, PROTOCOL, at), oldest_stated(trace, FORMAT, at)
    if not under_protocol(running, protocol, message_format).overrides:
        return running.id
    older = era_of_release(min(filter(None, (protocol, message_format)), key=version_numbers))
    return None if older is None else older.id


def oldest_stated(trace: Trace, setting: str, at: int | None = None) -> str:
    """The oldest release that a broker states for a setting, at a time in ns or at any; else ""."""
    stated = [
        value
        for broker in trace.brokers
        for value in stated_at(trace, of_broker(broker.broker_id, setting), at)
        if version_numbers(value)
    ]
    return min(stated, key=version_numbers, default="")


def rules_of_broker(trace: Trace, broker: Broker) -> tuple[Era, ...]:
    """The rules that one broker had, one after the other: of its release under its protocol and format.

    Nothing where its release is before all eras, or not known.
    """
    settings = [of_broker(broker.broker_id, one) for one in (PROTOCOL, FORMAT)]
    names = _version_of(broker.broker_id), *settings
    times = sorted({at for name in names for at, _ in stated_over_time(trace, name)} or {0})
    found: dict[Era, None] = {}
    for at in times:
        base = next((era_of_release(one) for one in _releases(trace, broker, at)), None)
        if base is not None:
            protocol, message_format = ("".join(stated_at(trace, name, at)) for name in settings)
            found[under_protocol(base, protocol, message_format)] = None
    return tuple(found)
