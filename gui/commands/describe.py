"""What is in a trace, as plain values for `info` and `import`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.trace.digest import content_digest
from core.trace.ids import NO_INDEX
from core.trace.times import rfc3339
from core.trace.trace import Broker, Origin, Partition, Source, Trace
from importers.prepared.stored import Described


def described(trace: Trace, digest: str | None = None) -> dict[str, Any]:
    """Name, origin, size, digest, times, dictionaries, facts and report. Not known is None."""
    at, owner = trace.columns["at"], trace.columns["partition"]
    counts = np.bincount(owner[owner != NO_INDEX], minlength=len(trace.partitions)).tolist()
    span = (int(at[0]), int(at[-1])) if len(at) else None
    head = {
        "name": trace.name,
        "origin": str(trace.origin),
        "events": len(trace),
        "digest": digest or content_digest(trace),
    }
    return {
        **head,
        **_times(span),
        **_small(trace.brokers, trace.partitions, counts, trace.sources),
        **_told(trace.facts, trace.report),
    }


def described_set(found: Described) -> dict[str, Any]:
    """The same of a data set, by what stands in it."""
    small = found.dictionaries
    head = {
        "name": found.name,
        "origin": str(Origin.PREPARED),
        "events": found.events,
        "digest": found.digest,
    }
    return {
        **head,
        **_times(found.span),
        **_small(small["brokers"], small["partitions"], found.counts, small["sources"]),
        **_told(small["facts"], found.report),
    }


def _times(span: tuple[int, int] | None) -> dict[str, Any]:
    first, last = (None, None) if span is None else map(rfc3339, span)
    return {"from": first, "to": last}


def _small(
    brokers: Sequence[Broker],
    partitions: Sequence[Partition],
    counts: Sequence[int],
    sources: Sequence[Source],
) -> dict[str, Any]:
    return {
        "brokers": [
            {"broker": broker.broker_id, "name": broker.name or None, "version": broker.version or None}
            for broker in brokers
        ],
        "partitions": [
            {
                "topic": partition.tp.topic,
                "partition": partition.tp.partition,
                "replicas": list(partition.replicas),
                "events": count,
            }
            for partition, count in zip(partitions, counts, strict=True)
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
            for source in sources
        ],
    }


def _told(facts: Mapping[str, str], report: Mapping[str, Any]) -> dict[str, Any]:
    return {
        # The script of a simulation is a source; `events` and evidence lead into it.
        "facts": {name: value for name, value in facts.items() if name != "script"},
        "report": dict(report),
    }
