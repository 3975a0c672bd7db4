"""The rules that brokers ran by, from what they state: release, protocol and message format, over time."""

from collections.abc import Iterator

from core.kafka.eras import Era, era_named
from core.kafka.metadata_versions import name_of
from core.kafka.protocols import (
    FORMAT,
    METADATA_VERSION,
    PROTOCOL,
    era_of_release,
    under_metadata_version,
    under_protocol,
    writes_old_records,
)
from core.kafka.releases import version_numbers
from core.trace.settings import (
    at_time,
    feature_level,
    of_broker,
    over_time,
    stated_at,
    stated_over_time,
    version_of,
)
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
    name = version_of(broker.broker_id)
    if over_time(name) in trace.facts:
        return stated_at(trace, name, at)
    return (broker.version,) if broker.version else ()


def era_of(trace: Trace, at: int | None = None) -> str | None:
    """The era whose rules all brokers had: by the oldest release, protocol or format that one states.

    At a time in ns, else of all times. None where no release is known, and for a run with a switch that was
    set by hand.
    """
    if trace.origin is Origin.SIMULATED and trace.facts.get("switches"):
        return None
    if trace.origin is Origin.SIMULATED and not is_mixed(trace):
        return trace.facts.get("era")
    releases = [one for one in releases_of(trace, at) if version_numbers(one)]
    running = era_of_release(releases[0]) if releases else None
    if running is None:
        return None
    protocol, message_format = oldest_stated(trace, PROTOCOL, at), oldest_stated(trace, FORMAT, at)
    if not under_protocol(running, protocol, message_format).overrides:
        return running.id
    older = era_of_release(min(filter(None, (protocol, message_format)), key=version_numbers))
    return None if older is None else older.id


def has_protocols(trace: Trace) -> bool:
    """Whether a broker states a protocol or a message format."""
    return any(
        stated_over_time(trace, of_broker(broker.broker_id, one))
        for broker in trace.brokers
        for one in (PROTOCOL, FORMAT)
    )


def metadata_version(trace: Trace, at: int) -> str:
    """The metadata.version of a cluster with KRaft at a time in ns; "" where nothing states it."""
    stated = (at_time(_metadata_versions(trace, broker), at) for broker in trace.brokers)
    return next((value for values in stated for _, value in values), "")


def _metadata_versions(trace: Trace, broker: Broker) -> tuple[tuple[int, str], ...]:
    """Those that a broker had, as its lines state them, else as the metadata log of its cluster does."""
    own = stated_over_time(trace, of_broker(broker.broker_id, METADATA_VERSION))
    levels = stated_over_time(trace, feature_level(METADATA_VERSION))
    return own or tuple((at, name_of(int(level))) for at, level in levels if level.isdecimal())


def is_mixed(trace: Trace) -> bool:
    """Whether brokers of a run state a release, a protocol or a message format beside the era of the run."""
    return has_protocols(trace) or bool({*releases_of(trace)} - {trace.facts.get("release", "")})


def mixes_formats(trace: Trace) -> bool:
    """Whether brokers state message formats, or protocols, with and without leader epochs."""
    return len({old for broker in trace.brokers for old in _old_formats(trace, broker)}) > 1


def _old_formats(trace: Trace, broker: Broker) -> Iterator[bool]:
    names = [of_broker(broker.broker_id, one) for one in (PROTOCOL, FORMAT)]
    for at in {at for name in names for at, _ in stated_over_time(trace, name)}:
        protocol, message_format = ("".join(stated_at(trace, name, at)) for name in names)
        if protocol or message_format:
            yield writes_old_records(protocol, message_format)


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
    return tuple(dict.fromkeys(era for _, era in rules_over_time(trace, broker) if era is not None))


def rules_over_time(trace: Trace, broker: Broker) -> tuple[tuple[int, Era | None], ...]:
    """The same, each with the time in ns from which on; None while they are not known."""
    settings = [of_broker(broker.broker_id, one) for one in (PROTOCOL, FORMAT)]
    versions = _metadata_versions(trace, broker)
    stated = (stated_over_time(trace, name) for name in (version_of(broker.broker_id), *settings))
    times = sorted({at for values in (*stated, versions) for at, _ in values} or {0})
    found: list[tuple[int, Era | None]] = []
    for at in times:
        base = _base_of(trace, broker, at)
        if base is not None:
            protocol, message_format = ("".join(stated_at(trace, name, at)) for name in settings)
            version = "".join(value for _, value in at_time(versions, at))
            base = under_metadata_version(under_protocol(base, protocol, message_format), version)
        found.append((at, base))
    return tuple(found)


def _base_of(trace: Trace, broker: Broker, at: int) -> Era | None:
    """The rules of a broker's release; of a run with the switches that were set by hand."""
    found = next((era_of_release(one) for one in _releases(trace, broker, at)), None)
    if trace.origin is Origin.SIMULATED and "era" in trace.facts:
        switches = filter(None, trace.facts.get("switches", "").split(","))
        return era_named("+".join([trace.facts["era"] if found is None else found.id, *switches]))
    return found
