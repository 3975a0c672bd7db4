"""`tidegauge info`: what is in it, where it came from, what is missing."""

from collections.abc import Mapping
from typing import Any, Final, LiteralString

from core.message import Count, Listing, message
from core.message_json import stored
from gui.commands import options, texts
from gui.commands.terminal import moment, print_facts, print_json, print_line, print_table, working
from gui.text.spoken import tr

_COUNTS: Final[Mapping[str, LiteralString]] = {
    "files": "command.info.files",
    "lines": "command.info.lines",
    "recognised": "command.info.recognised",
    "noise": "command.info.noise",
    "unrecognised": "command.info.unrecognised",
    "malformed": "command.info.malformed",
}
_PARTITIONS: Final = ("command.head.partition", "command.head.replicas", "command.head.events")
_SOURCES: Final = ("command.head.source", "command.head.broker", "command.head.zone", "command.head.bytes")


@texts.command("info", "command.info.help")
@options.sources
@options.trace_name
@options.reading
@options.as_json
def command(paths: tuple[str, ...], trace_name: str | None, *, as_json: bool, **told: Any) -> int:  # noqa: ANN401 - the options of reading
    """Describe every trace, or the one that is named."""
    from gui.commands.describe import described, described_set
    from gui.commands.questions import opened, stored
    from importers.prepared.stored import describe

    name, notes, later = ", ".join(paths), (), 0
    with working("command.working.reading") as work:
        found = stored(paths, trace_name, told, describe)
        if found is not None:
            described_traces = [described_set(found)]
        else:
            with opened(paths, told, work) as thing:
                traces = thing.traces if trace_name is None else (thing.trace(trace_name),)
                notes = thing.document.notes() if thing.document else ()
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
        print_line(tr("command.info.notes", count=Count(len(notes)), number=len(notes)))
    if later:
        print_line(tr("command.info.later-notes", count=Count(later), number=later))
    return 0


def _print_trace(name: str, values: dict[str, Any]) -> None:
    brokers = tuple(
        f"{b['broker']} ({b['version']})" if b["version"] else str(b["broker"]) for b in values["brokers"]
    )
    first, last = moment(values["from"]), moment(values["to"])
    print_line(f"{name}  {values['name']}", style="bold")
    facts = [
        (tr("command.info.origin"), values["origin"]),
        (
            tr("command.info.events"),
            tr("command.info.events.when", number=values["events"], first=first, last=last),
        ),
        (tr("command.info.digest"), values["digest"]),
        (
            tr("command.info.brokers"),
            tr("command.listed", items=Listing(brokers)) if brokers else tr("command.info.brokers.none"),
        ),
    ]
    report = values["report"]
    if report:
        told = tuple(
            message(id_, count=Count(report[name]), number=report[name])
            for name, id_ in _COUNTS.items()
            if name in report
        )
        facts.append((tr("command.info.report"), tr("command.listed", items=Listing(told))))
    # Versions stand beside the brokers; settings are many, and `--json` has them.
    facts += [
        (key, value) for key, value in values["facts"].items() if not key.startswith(("version.", "config."))
    ]
    print_facts(facts)
    print_line()
    print_table(
        _PARTITIONS,
        [
            (f"{p['topic']}-{p['partition']}", ", ".join(map(str, p["replicas"])) or "?", p["events"])
            for p in values["partitions"]
        ],
        right=(2,),
    )
    print_line()
    print_table(
        _SOURCES,
        [
            (s["file"], "?" if s["broker"] is None else s["broker"], _zone(s), s["bytes"])
            for s in values["sources"]
        ],
        right=(3,),
    )
    for gap in report.get("gaps", ()):
        print_line(tr("command.report.line", head=message("command.report.missing"), line=stored(gap)))


def _zone(source: dict[str, Any]) -> str:
    return f"{source['zone']} ({source['zone_basis']})" if source["zone_basis"] else str(source["zone"])
