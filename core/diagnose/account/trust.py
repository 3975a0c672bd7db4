"""From a trace to how far its evidence can be trusted, and what to collect next."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any, Final

from core.diagnose.account.incident import ToCollect, Trust
from core.diagnose.verdict.seen import seen_in
from core.message import Count, Duration, Message, message
from core.message_json import stored
from core.trace.broker_names import broker_value, brokers_value
from core.trace.trace import Origin, Trace

_LOGS: Final = frozenset(
    {"report.further.state-change", "report.further.state-change-trace", "report.further.controller-log"}
)
"""Proposals of the import report that are logs of this incident."""


def trust_in(trace: Trace) -> Trust:
    """What was seen of what the evidence names; the same for all incidents of a trace."""
    seen = seen_in(trace)
    named = {int(one.broker_id) for one in trace.brokers}
    named.update(int(one) for partition in trace.partitions for one in partition.replicas)
    gaps = [end - start for spans in seen.silences.values() for start, end in spans]
    rows = list(trace.report.get("clocks", ()))
    known = [row["add_ns"] for row in rows if None not in row["add_ns"].values()]
    return Trust(
        named=tuple(sorted(named)),
        seen=tuple(sorted(named & seen.spans.keys())),
        left_out=len(trace.report.get("left_out", ())),
        clocks_within=max((one["hi"] - one["lo"] for one in known), default=None),
        untied=len(rows) - len(known),
        gaps=len(gaps),
        longest_gap=max(gaps, default=0),
        simulated=trace.origin is Origin.SIMULATED,
    )


def missing(trace: Trace, may_hold: AbstractSet[int]) -> tuple[ToCollect, ...]:
    """What to collect next: first what would settle a loss, then what the import report proposes."""
    if trace.origin is Origin.SIMULATED:
        return ()
    found: list[ToCollect] = []
    if may_hold:
        who = brokers_value(trace, sorted(may_hold))
        what = message("incident.collect.leaders.what", who=who)
        settles = message("incident.collect.leaders.settles")
        found.append(ToCollect(what, settles, message("incident.collect.leaders", who=who)))
    proposed = trace.report.get("further", ())
    found += [_further(trace, row) for row in proposed if row["broker"] not in may_hold]
    return tuple(dict.fromkeys(found))


def unseen_of(trace: Trace) -> tuple[Message, ...]:
    """What the evidence does not cover: nodes without files, gaps in logs, logs that were not given.

    That nothing was found does not speak of these. What was given and left out stands in the report.
    """
    one = trust_in(trace)
    if one.simulated:
        return ()
    found: list[Message] = []
    without = [node for node in one.named if node not in one.seen]
    if without:
        who = brokers_value(trace, without)
        found.append(
            message("incident.trust.nodes-missing", seen=len(one.seen), named=len(one.named), who=who)
        )
    if one.gaps:
        found.append(message("incident.trust.gaps", count=Count(one.gaps), time=Duration(one.longest_gap)))
    return (*found, *_logs_not_given(trace))


def _logs_not_given(trace: Trace) -> Iterator[Message]:
    """Logs without which elections, or what brokers were notified of, are not seen."""
    of: dict[Message, list[int]] = {}
    for row in trace.report.get("further", ()):
        what = stored(row["evidence"], row.get("evidence_zh"))
        if what.id in _LOGS:
            of.setdefault(what, []).extend(() if row["broker"] is None else (row["broker"],))
    for what, brokers in of.items():
        if brokers:
            who = brokers_value(trace, sorted(brokers))
            yield message("incident.unseen.log-of", proposal=what, who=who)
        else:
            yield message("incident.unseen.log", proposal=what)


def _further(trace: Trace, row: dict[str, Any]) -> ToCollect:
    """One proposal of the import report."""
    proposal = stored(row["evidence"], row.get("evidence_zh"))
    settles = stored(row["settles"], row.get("settles_zh"))
    if row["broker"] is None:
        sentence = message("incident.collect", proposal=proposal, settles=settles)
        return ToCollect(message("incident.collect.what", proposal=proposal), settles, sentence)
    who = broker_value(trace, row["broker"])
    sentence = message("incident.collect.of-broker", who=who, proposal=proposal, settles=settles)
    return ToCollect(
        message("incident.collect.of-broker.what", who=who, proposal=proposal), settles, sentence
    )
