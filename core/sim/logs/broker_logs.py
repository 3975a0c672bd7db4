"""From a simulated trace to the files that real brokers of that era would have left."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from core.errors import QuestionError
from core.kafka.eras import Era, era, with_switches
from core.message import message
from core.sim.logs import raft
from core.sim.logs.beginning import CREATED, begin
from core.sim.logs.disk import controller_files, data_files, requests, seqs_of
from core.sim.logs.handlers import Handler, handlers
from core.sim.logs.kraft import log_of, raise_version
from core.sim.logs.life import role_of
from core.sim.logs.producers import writers
from core.sim.logs.protocols import Spoken, metadata_versions, spoken_over_time
from core.sim.logs.quorum_book import book_of, is_of_quorum
from core.sim.logs.scribe import Scribe
from core.sim.logs.settings import properties, settings_of
from core.sim.logs.tables import LINES
from core.sim.logs.wording import CONTROLLER, SERVER, STATE, lines_of
from core.sim.scenario import parse_scenario
from core.trace.times import parse_time
from core.trace.trace import Event, Origin, Trace

_OF_QUORUM: Final = (
    *("quorum_role_changed", "vote_answered", "voters_changed", "voter_change_refused"),
    "snapshot_written",
)
_UNWRITTEN: Final = ("log_deleted",)
"""Events for whose lines there are no words."""
BEGINNING: Final = int(parse_time("2026-01-01T00:00:00Z"))
"""The time that virtual time 0 has in the files."""


def broker_logs(trace: Trace) -> Mapping[str, bytes]:
    """Path -> content: for each broker its logs, its data directory and its settings. Nothing is written.

    Virtual time 0 is 2026-01-01, 00:00 UTC; the brokers were started 30 s before, with the records of earlier
    leader epochs than those of the start; the others came since. A controller outside of the picture is a
    broker of its own, with the ids after the last.

    Raises QuestionError for a trace that was not simulated, for another controller than the era's, and for a
    run in which a broker lets go of a partition.
    """
    if trace.origin is not Origin.SIMULATED or "script" not in trace.facts:
        raise QuestionError(
            message("error.logs.not-simulated"), advice=message("error.logs.not-simulated.way-out")
        )
    if seqs_of(trace, *_UNWRITTEN):
        raise QuestionError(
            message("error.logs.reassignment"),
            advice=message("error.logs.reassignment.way-out"),
        )
    scribe = _scribe(trace)
    own = era(trace.facts["era"]).switches.controller
    if scribe.switches.controller != own:
        raise QuestionError(
            message("error.logs.controller", era=trace.facts["era"], controller=scribe.switches.controller),
            why=message("error.logs.controller.why"),
            advice=message("error.logs.controller.way-out", controller=own),
        )
    said = handlers(scribe)
    also = () if scribe.quorum is None else _OF_QUORUM
    told = [trace.event(seq) for seq in seqs_of(trace, *said, *also)]
    book = scribe.quorum
    first = [event for event in told if event.position == 0]
    begin(scribe, [event for event in first if not is_of_quorum(book, event)])
    if book is not None:
        raft.settle(scribe, book, first)
    for event in told[len(first) :]:
        scribe.at = event.at
        _tell(scribe, said, event)
    return _files(scribe)


def _tell(scribe: Scribe, said: Mapping[str, tuple[Handler, ...]], event: Event) -> None:
    """Write what an event leads to."""
    book = scribe.quorum
    if book is not None and is_of_quorum(book, event):
        raft.on_event(scribe, book, event)
        return
    before = 0 if book is None else log_of(scribe).end
    while scribe.raises and scribe.raises[0][0] <= event.at:
        raise_version(scribe, scribe.raises.pop(0)[1])
    for handler in said.get(event.kind, ()):
        handler(scribe, event)
    if book is not None:
        raft.stamp(scribe, book, before)


def ended_at(trace: Trace) -> int:
    """When the run ended, in ns UTC: the modification time that the files should be given."""
    return BEGINNING + int(trace.columns["at"][-1])


def _era_of(trace: Trace) -> Era:
    chosen = (text.partition("=") for text in trace.facts["switches"].split(",") if text)
    return with_switches(era(trace.facts["era"]), {name: value for name, _, value in chosen})


def _scribe(trace: Trace) -> Scribe:
    rules = _era_of(trace)
    scenario = parse_scenario(trace.facts["script"], f"{trace.facts['scenario']}.toml")
    own = Spoken(
        rules.release,
        rules.switches,
        lines_of(rules.release, LINES),
        writes_old=rules.switches.epoch_entry == "none",
    )
    book, next_id = book_of(trace, scenario.quorum), max(int(one.broker_id) for one in trace.brokers) + 1
    return Scribe(
        trace=trace,
        own=own,
        settings=settings_of(scenario, rules),
        spoken=spoken_over_time(trace, rules, partial(settings_of, scenario)),
        origin=BEGINNING,
        controller=next_id if book is None else min(book.members),
        quorum=book,
        created_at=CREATED,
        writers=writers(trace),
        moves=bool(seqs_of(trace, "log_moved")),
        raises=list(metadata_versions(trace)[1:]),
    )


def _files(scribe: Scribe) -> dict[str, bytes]:
    sent = requests(scribe.trace)
    files: dict[str, bytes] = {}
    for node in sorted(scribe.lives):
        role = role_of(scribe, node)
        folder = f"{role or 'broker'}-{node}"
        names = {SERVER, STATE, CONTROLLER, *(name for owner, name in scribe.written if owner == node)}
        for name in sorted(names):
            rows = sorted(scribe.written.get((node, name), []), key=_when)
            files[f"{folder}/logs/{name}"] = "".join(text for _, text in rows).encode()
        files[f"{folder}/config/server.properties"] = properties(
            {**scribe.settings, **scribe.runs_by(node).settings}, node, role, moves=scribe.moves
        )
        held = controller_files(scribe, node) if role == "controller" else data_files(scribe, node, sent)
        for path, content in held:
            files[f"{folder}/{path}"] = content
    return files


def _when(row: tuple[int, str]) -> int:
    return row[0]
