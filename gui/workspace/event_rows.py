"""One event as JSON, and as a line of text."""

from typing import Any

from core.trace.broker_names import numbered_name
from core.trace.ids import NO_INDEX
from core.trace.times import rfc3339
from core.trace.trace import VALUES, Event, Trace
from core.words import text


def event_json(trace: Trace, event: Event) -> dict[str, Any]:
    """Everything that an event says. Columns that it does not say are left out; `seq` counts from 0."""
    place, isr = event.get("partition"), event.get("isr")
    row: dict[str, Any] = {
        "seq": event.seq,
        "at": rfc3339(event.at),
        "kind": event.kind,
        "basis": event.basis.name.lower(),
        "partition": None if place is None else str(trace.partitions[place].tp),
        "broker": event.get("broker"),
        "replica": event.get("replica"),
    }
    row.update({name: event.values[name] for name in VALUES if name in event.values})
    if isr is not None:
        row["isr"] = list(trace.isrs[isr])
    for sided in ("at_least", "at_most"):
        bits = int(trace.columns[sided][event.seq])
        if bits:
            row[sided] = [name for number, name in enumerate(VALUES) if bits >> number & 1]
    row["cause"] = event.cause
    row["evidence"] = (
        None
        if event.source == NO_INDEX
        else {
            "file": trace.sources[event.source].path,
            "line": event.line or None,
            "byte": None if trace.origin == "simulated" else event.position,
        }
    )
    return row


def event_line(trace: Trace, event: Event) -> str:
    """The same for a person: number, time, partition, who, what, and the values as name=value."""
    row = event_json(trace, event)
    told = [f"{name}={row[name]}" for name in VALUES if name in row]
    if "isr" in row:
        told.append(f"isr={','.join(map(str, row['isr']))}")
    who = "" if row["broker"] is None else text(numbered_name(trace, row["broker"]))
    if row["replica"] not in (None, row["broker"]):
        who += f" of {row['replica']}"
    place = row["partition"] or ""
    return f"{event.seq:>6}  {row['at']}  {place:<14} {who:<14} {event.kind:<24} {' '.join(told)}".rstrip()
