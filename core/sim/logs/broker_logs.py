"""From a simulated trace to the files that real brokers of that era would have left."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from core.errors import QuestionError
from core.kafka.epochs import Entries
from core.kafka.eras import Era, era, with_switches
from core.sim.logs import control, data, life, replicas
from core.sim.logs.disk import data_files, requests, seqs_of
from core.sim.logs.scribe import Scribe, comma, say
from core.sim.logs.settings import properties, settings_of
from core.sim.logs.tables import LINES
from core.sim.logs.wording import CONTROLLER, SERVER, STATE, lines_of
from core.sim.scenario import parse_scenario
from core.trace.times import parse_time
from core.trace.trace import Event, Origin, Trace

Handler: TypeAlias = Callable[[Scribe, Event], None]

WRITTEN: Final = ("0.10.2", "0.11", "1.1", "2.0", "2.1", "2.4", "2.8")
"""Eras whose lines the tables hold."""
_UNWRITTEN: Final = ("log_deleted",)
"""Events for whose lines there are no words."""
BEGINNING: Final = int(parse_time("2026-01-01T00:00:00Z"))
"""The time that virtual time 0 has in the files."""
_STARTED: Final = -30_000_000_000
"""When the brokers were started, in virtual time: well before the run begins."""
_CREATED: Final = -20_000_000_000
"""When the partitions got the leaders that they have as the run begins."""

_DATA: Final[Mapping[str, Handler]] = {
    "appended": data.on_appended,
    "hw_checkpointed": data.on_checkpointed,
    "flushed": data.on_flushed,
    "log_start_moved": data.on_log_start,
    "log_created": data.on_created,
    "follower_leo_recorded": data.on_remote,
}
_QUIET_AT_FIRST: Final[Mapping[str, Handler]] = {
    **_DATA,
    "epoch_assigned": replicas.on_epoch_assigned,
    "hw_moved": replicas.on_hw,
}
"""What makes the state before the first step: the brokers of the files found it on their disks."""
_SAID: Final[Mapping[str, tuple[Handler, ...]]] = {
    **{kind: (handler,) for kind, handler in _DATA.items()},
    "broker_starting": (life.on_starting,),
    "log_loaded": (data.on_loaded, life.on_loaded),
    "broker_registered": (life.on_registered,),
    "broker_started": (life.on_started,),
    "broker_crashed": (life.on_gone,),
    "broker_exited": (life.on_exited,),
    "shutdown_requested": (life.on_shutdown,),
    "controlled_shutdown_begun": (life.on_shutdown,),
    "controlled_shutdown_ended": (life.on_shutdown,),
    "broker_stopped": (life.on_shutdown,),
    "broker_failure_noticed": (life.on_failure_noticed,),
    "controller_elected": (life.on_controller_elected,),
    "partition_created": (control.on_created,),
    "leader_elected": (control.on_elected,),
    "leaderless": (control.on_leaderless,),
    "isr_committed": (control.on_isr_committed,),
    "leader_and_isr_received": (control.on_request,),
    "stale_request_ignored": (control.on_stale,),
    "became_leader": (replicas.on_leader,),
    "became_follower": (replicas.on_follower,),
    "fetcher_added": (replicas.on_fetcher,),
    "fetcher_removed": (replicas.on_fetcher_removed,),
    "fetch_failed": (replicas.on_fetch_failed,),
    "fetch_offset_reset": (replicas.on_reset,),
    "epoch_end_failed": (replicas.on_epoch_failed,),
    "isr_shrink_proposed": (replicas.on_isr_proposed,),
    "isr_expand_proposed": (replicas.on_isr_proposed,),
    "isr_update_rejected": (replicas.on_isr_rejected,),
    "truncation_decided": (replicas.on_cut_decided,),
    "truncated": (replicas.on_cut, data.on_truncated),
    "log_reset": (data.on_reset,),
    "truncation_noop": (replicas.on_noop,),
    "truncation_not_needed": (replicas.on_not_needed,),
    "epoch_cache_loaded": (replicas.on_epochs_loaded,),
    "epoch_assigned": (replicas.on_epoch_assigned,),
    "epoch_cache_cut": (replicas.on_epochs_cut,),
    "hw_loaded": (replicas.on_hw,),
    "hw_moved": (replicas.on_hw,),
}


def broker_logs(trace: Trace) -> Mapping[str, bytes]:
    """Path -> content: for each broker its logs, its data directory and its settings. Nothing is written.

    Virtual time 0 is 2026-01-01, 00:00 UTC; the brokers were started 30 s before, with the records of earlier
    leader epochs than those of the start; the others came since. A controller outside of the picture is a
    broker of its own, with the ids after the last.

    Raises QuestionError for a trace that was not simulated, for an era without wordings, and for a run in
    which a broker lets go of a partition.
    """
    if trace.origin is not Origin.SIMULATED or "script" not in trace.facts:
        raise QuestionError(
            "Only a simulated run can be written as brokers' logs", advice="Name a trace that `simulate` made"
        )
    if trace.facts["era"] not in WRITTEN:
        raise QuestionError(
            f"Logs of the era {trace.facts['era']} cannot be written yet",
            advice=f"Eras with logs are {', '.join(WRITTEN)}",
        )
    if seqs_of(trace, *_UNWRITTEN):
        raise QuestionError(
            "Logs of a run in which a partition moves to other brokers cannot be written yet",
            advice="Name a run without reassignment",
        )
    scribe = _scribe(trace)
    told = [trace.event(seq) for seq in seqs_of(trace, *_SAID)]
    _begin(scribe, [event for event in told if event.position == 0])
    for event in told:
        if event.position == 0:
            continue
        scribe.at = event.at
        for handler in _SAID.get(event.kind, ()):
            handler(scribe, event)
    return _files(scribe)


def ended_at(trace: Trace) -> int:
    """When the run ended, in ns UTC: the modification time that the files should be given."""
    return BEGINNING + int(trace.columns["at"][-1])


def _era_of(trace: Trace) -> Era:
    chosen = (text.partition("=") for text in trace.facts["switches"].split(",") if text)
    return with_switches(era(trace.facts["era"]), {name: value for name, _, value in chosen})


def _scribe(trace: Trace) -> Scribe:
    rules = _era_of(trace)
    scenario = parse_scenario(trace.facts["script"], f"{trace.facts['scenario']}.toml")
    return Scribe(
        trace=trace,
        release=rules.release,
        switches=rules.switches,
        lines=lines_of(rules.release, LINES),
        settings=settings_of(scenario, rules),
        origin=BEGINNING,
        controller=max(int(one.broker_id) for one in trace.brokers) + 1,
        created_at=_CREATED,
    )


def _begin(scribe: Scribe, beginning: list[Event]) -> None:
    """The state before the first step: the starts of all brokers, the first elections, what came since."""
    trace, lines = scribe.trace, scribe.lines
    for index, partition in enumerate(trace.partitions):
        for replica in partition.replicas:
            scribe.copy(index, int(replica))
    scribe.lines = {}
    for event in beginning:
        handler = _QUIET_AT_FIRST.get(event.kind)
        if handler is not None:
            handler(scribe, event)
    scribe.lines, scribe.at = lines, _STARTED
    epochs = {
        event.values["partition"]: event.values["epoch"]
        for event in beginning
        if event.kind == "leader_elected"
    }
    since = {place: _turn_back(scribe, place, epochs[place[0]]) for place in sorted(scribe.copies)}
    _start_all(scribe)
    scribe.at = _CREATED
    for event in beginning:
        if event.kind not in {*_QUIET_AT_FIRST, "broker_started"}:
            for handler in _SAID.get(event.kind, ()):
                handler(scribe, event)
    for (partition, broker), (log, hw, entries) in since.items():
        copy = scribe.copy(partition, broker)
        for epoch, offset in entries[len(copy.entries) :]:
            replicas.assign_epoch(scribe, partition, broker, epoch, offset)
        copy.log, copy.hw = log, hw


def _turn_back(
    scribe: Scribe, place: tuple[int, int], epoch: int
) -> tuple[list[tuple[int, int]], int, Entries]:
    """Take from a replica what came in its leader's epoch. Gives log, high watermark and epochs of now."""
    copy = scribe.copies[place]
    now = copy.log, copy.hw, copy.entries
    copy.log = [one for one in copy.log if one[1] < epoch]
    copy.hw = min(copy.hw, copy.leo)
    copy.entries = tuple(one for one in copy.entries if one[0] < epoch)
    return now


def _start_all(scribe: Scribe) -> None:
    """The starts of all brokers, those that are only controllers first."""
    others = [scribe.controller]
    for seq in seqs_of(scribe.trace, "controller_elected"):
        if scribe.trace.event(seq).get("broker") is None:
            others.append(others[-1] + 1)
    for broker in others:
        life.start_at_once(scribe, broker)
    life.take_over(scribe)
    for one in scribe.trace.brokers:
        broker = int(one.broker_id)
        life.boot(scribe, broker)
        for (partition, owner), copy in sorted(scribe.copies.items()):
            if owner == broker and copy.leo:
                copy.exists = True
                life.load(scribe, partition, broker, copy.leo)
        life.register(scribe, broker)
        life.finish(scribe, broker)
        say(
            scribe, scribe.controller, "brokers-changed", added=broker, gone="", live=comma(life.live(scribe))
        )


def _files(scribe: Scribe) -> dict[str, bytes]:
    sent = requests(scribe.trace)
    files: dict[str, bytes] = {}
    for broker in sorted(scribe.lives):
        folder = f"broker-{broker}"
        names = {SERVER, STATE, CONTROLLER, *(name for owner, name in scribe.written if owner == broker)}
        for name in sorted(names):
            rows = sorted(scribe.written.get((broker, name), []), key=_when)
            files[f"{folder}/logs/{name}"] = "".join(text for _, text in rows).encode()
        files[f"{folder}/config/server.properties"] = properties(scribe.settings, broker)
        for path, content in data_files(scribe, broker, sent):
            files[f"{folder}/data/{path}"] = content
    return files


def _when(row: tuple[int, str]) -> int:
    return row[0]
