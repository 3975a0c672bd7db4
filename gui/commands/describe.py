"""What is in a trace, as plain values for `info` and `import`."""

from typing import Any

from core.trace.digest import content_digest
from core.trace.ids import NO_INDEX
from core.trace.times import rfc3339
from core.trace.trace import Trace


def described(trace: Trace, digest: str | None = None) -> dict[str, Any]:
    """Name, origin, size, digest, times, dictionaries, facts and report. Not known is None."""
    at = trace.columns["at"]
    owner = trace.columns["partition"]
    return {
        "name": trace.name,
        "origin": str(trace.origin),
        "events": len(trace),
        "digest": digest or content_digest(trace),
        "from": rfc3339(int(at[0])) if len(at) else None,
        "to": rfc3339(int(at[-1])) if len(at) else None,
        "brokers": [
            {"broker": broker.broker_id, "name": broker.name or None, "version": broker.version or None}
            for broker in trace.brokers
        ],
        "partitions": [
            {
                "topic": partition.tp.topic,
                "partition": partition.tp.partition,
                "replicas": list(partition.replicas),
                "events": int((owner == place).sum()),
            }
            for place, partition in enumerate(trace.partitions)
        ],
        "sources": [
            {
                "file": source.path,
                "sha256": source.sha256,
                "bytes": source.size,
                "broker": None if source.broker == NO_INDEX else source.broker,
                "zone": source.zone,
                "zone_basis": source.zone_basis or None,
            }
            for source in trace.sources
        ],
        # The script of a simulation is a source; `events` and evidence lead into it.
        "facts": {name: value for name, value in trace.facts.items() if name != "script"},
        "report": dict(trace.report),
    }
