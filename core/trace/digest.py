"""The content digest: equal content gives equal digests, whatever made it and wherever it is stored."""

import hashlib
import json
from dataclasses import asdict

import numpy as np

from core.trace.trace import DTYPES, Trace


def content_digest(trace: Trace) -> str:
    """SHA-256, as hex, over the decoded columns in Seq order and the dictionaries.

    The name of the trace, the import report and kept lines are not content: they may differ between two ways
    of reading the same evidence.
    """
    digest = hashlib.sha256()
    for name, dtype in DTYPES.items():
        digest.update(f"{name}:{dtype.str}:{len(trace)}\n".encode())
        digest.update(np.ascontiguousarray(trace.columns[name], dtype=dtype.newbyteorder("<")).data)
    dictionaries = {
        "origin": str(trace.origin),
        "brokers": [asdict(broker) for broker in trace.brokers],
        "partitions": [asdict(partition) for partition in trace.partitions],
        "sources": [asdict(source) for source in trace.sources],
        "isrs": trace.isrs,
        "records": trace.records,
        "facts": dict(trace.facts),
    }
    digest.update(json.dumps(dictionaries, sort_keys=True, ensure_ascii=True).encode())
    return digest.hexdigest()
