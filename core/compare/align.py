"""From traces to a comparison: which partition of each, which runs stand side by side, and what differs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from shlex import quote
from typing import Final

from core.compare.comparison import Comparison, Run
from core.compare.differences import find_differences
from core.compare.judged import judged
from core.compare.landmarks import landmark_anchors, line_up
from core.compare.script import forked_anchors, rule_of, script_anchors, share_a_script, shared_steps
from core.compare.stops import merge
from core.compare.ties import with_ties
from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.summary import ranked, triage
from core.errors import QuestionError
from core.history.running import era_of, releases_of
from core.kafka.eras import era
from core.message import Listing, Message, message
from core.sim.ablation.settings import ACKS, FIELDS
from core.sim.ablation.setup import one_script, setup_of
from core.sim.script import Settings
from core.trace.trace import Origin, Trace

_FEWEST: Final = 2
_MOST: Final = 4


def make_run(trace: Trace, partition_name: str | None = None) -> Run:
    """A run of one partition, "orders-0"; None is the one with the worst finding. Raises QuestionError."""
    name = partition_name or _worst(trace, [str(partition.tp) for partition in trace.partitions])
    index = None if name is None else trace.partition_index(name)
    if name is None:
        raise QuestionError(
            message("error.trace.no-partition", name=trace.name), advice=message("error.trace.look")
        )
    if index is None:
        known = Listing(tuple(sorted(str(partition.tp) for partition in trace.partitions)[:12]))
        raise QuestionError(
            message("error.partition.none-in-trace", name=name, trace=trace.name),
            advice=message("error.there-are", names=known),
        )
    return Run(_title(trace), _rule(trace), *judged(trace, index))


def make_runs(
    traces: Sequence[Trace], partition_name: str | None = None, opened: Sequence[Run] = ()
) -> tuple[Run, ...]:
    """A run of each trace, all of the same partition.

    Where none is named it is the one that triage of the first trace lists first, of those that all have.
    Where they have none in common, each shows its own worst one. What is `opened` already is not opened and
    judged again. Raises QuestionError.
    """
    name = partition_name
    if name is None and traces:
        name = _worst(traces[0], sorted(partitions_of_all(traces)))
    known = {(run.history.trace, partition_of(run)): _alone(run) for run in opened}
    return tuple(known.get((trace, name or "")) or make_run(trace, name) for trace in traces)


def _alone(run: Run) -> Run:
    """A run by the title that it has beside no other one."""
    return replace(run, title=_title(run.history.trace))


def partition_of(run: Run) -> str:
    """The partition that a run shows: "orders-0"."""
    return str(run.history.trace.partitions[run.history.partition].tp)


def partitions_of_all(traces: Sequence[Trace]) -> tuple[str, ...]:
    """The names of the partitions that every trace has, in the order of the first."""
    others = [{str(one.tp) for one in trace.partitions} for trace in traces[1:]]
    names = (str(one.tp) for one in traces[0].partitions) if traces else ()
    return tuple(name for name in names if all(name in other for other in others))


def _worst(trace: Trace, names: Sequence[str]) -> str | None:
    """The partition that triage lists first, of those named; the first of them where nothing was found."""
    if len(names) > 1:
        called = {index: str(partition.tp) for index, partition in enumerate(trace.partitions)}
        wanted = set(names)
        for one in ranked(triage(trace, diagnose(trace)).summaries, called):
            if one.check is not None and called[one.partition] in wanted:
                return called[one.partition]
    return names[0] if names else None


def wrong_number(names: Sequence[str]) -> QuestionError:
    """What to say where so many runs make no comparison: which there are, and how some are chosen."""
    if len(names) < _FEWEST:
        return QuestionError(
            message("error.compare.number", number=len(names)), advice=message("error.compare.name-two")
        )
    first, last = quote(names[0]), quote(names[-1])
    return QuestionError(
        message("error.compare.number", number=len(names)),
        background=message("error.there-are", names=Listing(tuple(names))),
        advice=message("error.compare.choose", first=first, last=last),
    )


def is_too_many(runs: int) -> bool:
    """Whether a comparison has no place for so many runs."""
    return runs > _MOST


def compare(runs: Sequence[Run], ties: Sequence[Sequence[int]] = ()) -> Comparison:
    """Runs under one axis: the steps of their script, or the landmarks of their partitions.

    `ties` are made by hand: each a cursor per run of the same moment. They override. Raises QuestionError for
    fewer than two or more than four runs, and for ties that cannot be.
    """
    if not _FEWEST <= len(runs) <= _MOST:
        raise wrong_number([run.title for run in runs])
    told = _with_distinct_titles(_with_settings(runs))
    by_script = share_a_script(told)
    shared = 0 if by_script else shared_steps(told)
    exact = by_script or shared > 0
    lines = line_up(told, by_id=exact)
    anchors = script_anchors(told) if by_script else landmark_anchors(told, lines)
    if shared:
        anchors = forked_anchors(told, shared, anchors)
    if ties:
        anchors = with_ties(told, anchors, ties)
    stops, heads = merge(told, anchors)
    apart = find_differences(told, lines, stops, heads, exact=exact)
    axis = "hand" if ties else "script" if by_script else "landmarks"
    tied = tuple(tuple(tie) for tie in ties)
    return Comparison(told, axis, stops, apart.found, apart.differing, apart.between, tied)


def tied(comparison: Comparison, ties: Sequence[Sequence[int]]) -> Comparison:
    """The same runs with other ties. Raises QuestionError for ties that cannot be."""
    return compare([_alone(run) for run in comparison.runs], ties)


def _title(trace: Trace) -> str:
    """Names and numbers only, which are the same in every language."""
    if trace.origin == Origin.SIMULATED:
        if "era" not in trace.facts:
            return trace.name  # A behaviour of core/model.
        switches = trace.facts.get("switches", "")
        return f"Kafka {trace.facts['era']}" + (f", {switches.replace(',', ', ')}" if switches else "")
    versions = releases_of(trace)
    return f"Kafka {', '.join(versions)}" if versions else trace.name


def _rule(trace: Trace) -> Message | None:
    """Of a simulation its own; of logs that of the last era they can follow; None where they name no version.

    Followers go by leader epochs only where the version between brokers and the message format know them,
    so the oldest of the three decides.
    """
    if trace.origin == Origin.SIMULATED:
        return rule_of(trace)
    found = era_of(trace)
    return None if found is None else era(found).rule


def _with_distinct_titles(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Runs of one title get beside it what tells them apart: seed, scenario, the trace's name, a number."""
    titles = [run.title for run in runs]
    for beside in (_seed, _scenario, _name):
        longer = [f"{run.title} ({beside(run)})" for run in runs]
        told = [title if titles.count(title) == 1 else longer[place] for place, title in enumerate(titles)]
        if len(set(told)) == len(told):
            break
    else:
        told = [f"{title} ({place})" for place, title in enumerate(titles, start=1)]
    return tuple(replace(run, title=title) for run, title in zip(runs, told, strict=True))


def _with_settings(runs: Sequence[Run]) -> Sequence[Run]:
    """Where the settings of one script differ, the title of a run names those that it has."""
    setups = [setup_of(run.history.trace) for run in runs]
    if any(one is None or setups[0] is None or not one_script(setups[0], one) for one in setups):
        return runs
    scripts = [one.scenario.settings for one in setups if one is not None]
    differ = [name for name, field in FIELDS.items() if len({getattr(one, field) for one in scripts}) > 1]
    return [
        replace(run, title=", ".join((run.title, *_named(settings, differ))))
        for run, settings in zip(runs, scripts, strict=True)
    ]


def _named(settings: Settings, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        value = getattr(settings, FIELDS[name])
        if value is not None:
            yield f"{name}={'all' if name == ACKS and value == -1 else str(value).lower()}"


def _seed(run: Run) -> str:
    return f"seed={run.history.trace.facts.get('seed', '')}"


def _scenario(run: Run) -> str:
    return run.history.trace.facts.get("scenario", "")


def _name(run: Run) -> str:
    return run.history.trace.name
