"""`tidegauge info`: what is in it, where it came from, what is missing."""

from typing import Any

from core.message_json import stored
from core.words import text
from gui.commands import options, texts
from gui.commands.terminal import moment, print_facts, print_json, print_line, print_table, working

_COUNTS = ("files", "lines", "recognised", "noise", "unrecognised", "malformed")
_PLURALS = ("files", "lines")


@texts.command("info", "command.info.help")
@options.sources
@options.trace_name
@options.reading
@options.as_json
def command(paths: tuple[str, ...], trace_name: str | None, *, as_json: bool, **told: Any) -> int:  # noqa: ANN401 - the options of reading
    """Describe every trace, or the one that is named."""
    from gui.commands.describe import described
    from gui.commands.questions import opened

    with working("reading") as work, opened(paths, told, work) as thing:
        traces = thing.traces if trace_name is None else (thing.trace(trace_name),)
        name, notes = thing.path, thing.document.notes() if thing.document else ()
        later = len(thing.document.later_notes()) if thing.document else 0
    described_traces = [described(trace) for trace in traces]
    if as_json:
        counts = {"notes": len(notes), "later_notes": later}
        print_json({"schema": 1, "document": name, **counts, "traces": described_traces})
        return 0
    for place, values in enumerate(described_traces):
        if place:
            print_line()
        _print_trace(name, values)
    if notes:
        print_line(f"{len(notes)} {'note' if len(notes) == 1 else 'notes'}")
    if later:
        subject, verb = ("note was", "is") if later == 1 else ("notes were", "are")
        print_line(f"{later} {subject} written by a later version and {verb} not shown")
    return 0


def _print_trace(name: str, values: dict[str, Any]) -> None:
    brokers = [
        f"{b['broker']} ({b['version']})" if b["version"] else str(b["broker"]) for b in values["brokers"]
    ]
    print_line(f"{name}  {values['name']}", style="bold")
    facts = [
        ("origin", values["origin"]),
        ("events", f"{values['events']}, from {moment(values['from'])} to {moment(values['to'])}"),
        ("digest", values["digest"]),
        ("brokers", ", ".join(brokers) or "none found"),
    ]
    report = values["report"]
    if report:
        told = [
            f"{report[name]} {name[:-1] if name in _PLURALS and report[name] == 1 else name}"
            for name in _COUNTS
            if name in report
        ]
        facts.append(("report", ", ".join(told)))
    # Versions stand beside the brokers; settings are many, and `--json` has them.
    facts += [
        (key, value) for key, value in values["facts"].items() if not key.startswith(("version.", "config."))
    ]
    print_facts(facts)
    print_line()
    print_table(
        ("partition", "replicas", "events"),
        [
            (f"{p['topic']}-{p['partition']}", ", ".join(map(str, p["replicas"])) or "?", p["events"])
            for p in values["partitions"]
        ],
        right=(2,),
    )
    print_line()
    print_table(
        ("source", "broker", "zone", "bytes"),
        [
            (s["file"], "?" if s["broker"] is None else s["broker"], _zone(s), s["bytes"])
            for s in values["sources"]
        ],
        right=(3,),
    )
    for gap in report.get("gaps", ()):
        print_line(f"missing: {text(stored(gap))}")


def _zone(source: dict[str, Any]) -> str:
    return f"{source['zone']} ({source['zone_basis']})" if source["zone_basis"] else str(source["zone"])
