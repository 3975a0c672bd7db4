"""Incidents as plain values: `incidents` of `tidegauge check --json`. Not known is None, never 0."""

from functools import partial
from typing import Any

from core.diagnose.account.fields import account
from core.diagnose.account.find import find_incidents
from core.diagnose.account.incident import Incident, LostRange, PartitionLoss, Totals
from core.diagnose.account.trust import unseen_of
from core.diagnose.verdict.as_json import copy_dict, verdict_dict
from core.diagnose.verdict.facts import Verdict
from core.message import Message
from core.message_json import plain
from core.trace.evidence import evidence_list
from core.trace.times import rfc3339
from core.trace.trace import Trace
from core.words import Words


def check_dict(
    trace: Trace, verdict: Verdict, words: Words, *, document: str | None = None
) -> dict[str, Any]:
    """The whole answer of `check`: the verdict, and its incidents, the worst first."""
    incidents = [incident_dict(trace, one, words) for one in find_incidents(trace, verdict)]
    unseen = [_told(one, words) for one in unseen_of(trace)]
    answer = verdict_dict(trace, verdict, words, document=document)
    return {**answer, "unseen": unseen, "incidents": incidents}


def incident_dict(trace: Trace, one: Incident, words: Words) -> dict[str, Any]:
    """One incident."""
    told, trust = partial(_told, words=words), one.trust
    return {
        "severity": one.severity.value,
        "from": rfc3339(one.start),
        "to": rfc3339(one.end),
        "partitions": [_name(trace, partition) for partition in one.partitions],
        "totals": _totals(one.totals),
        "losses": [_loss(trace, lost) for lost in one.losses],
        "divergences": [
            {
                **_place(trace, apart.partition),
                "brokers": list(apart.divergence.brokers),
                "first_offset": apart.divergence.first_offset,
                "end_offset": apart.divergence.end_offset,
                "evidence": evidence_list(trace, apart.divergence.evidence),
            }
            for apart in one.apart
        ],
        "findings": [
            {"check": found.check, **told(found.message), "evidence": evidence_list(trace, found.evidence)}
            for found in one.findings
        ],
        "unavailable": [
            {
                **_place(trace, span.partition),
                "from": rfc3339(span.start),
                "to": None if span.end is None else rfc3339(span.end),
            }
            for span in one.unavailable
        ],
        "now": [
            {
                **_place(trace, now.partition),
                "leader": now.leader,
                "epoch": now.epoch,
                "isr": None if now.isr is None else list(now.isr),
                "stated_isr": None if now.stated_isr is None else list(now.stated_isr),
                "last_leader": now.last_leader,
                "led_until": None if now.led_until is None else rfc3339(now.led_until),
            }
            for now in one.now
        ],
        "end_of_evidence": rfc3339(one.end_of_evidence),
        "actions": [told(action) for action in one.actions],
        "trust": {
            "nodes_named": list(trust.named),
            "nodes_seen": list(trust.seen),
            "left_out": trust.left_out,
            "clocks_within_ns": trust.clocks_within,
            "clocks_untied": trust.untied,
            "gaps": trust.gaps,
            "longest_gap_ns": trust.longest_gap,
        },
        "missing": [told(proposal.sentence) for proposal in one.missing],
        "account": [
            {"field": field.key, "lines": [told(line) for line in field.lines]}
            for field in account(trace, one)
        ],
    }


def _told(message: Message, words: Words) -> dict[str, Any]:
    """A sentence with its message."""
    return {"text": words(message), "message": plain(message)}


def _name(trace: Trace, partition: int) -> str:
    return str(trace.partitions[partition].tp)


def _place(trace: Trace, partition: int) -> dict[str, Any]:
    """The topic and the number of a partition."""
    tp = trace.partitions[partition].tp
    return {"topic": tp.topic, "partition": tp.partition}


def _totals(totals: Totals) -> dict[str, Any]:
    """The sums of an incident, and of each whether more may have gone."""
    return {
        "records_lost": totals.lost,
        "records_possibly_lost": totals.possible,
        "compacted_offsets_lost": totals.compacted_lost,
        "compacted_offsets_possibly_lost": totals.compacted_possible,
        "at_least": {
            "records_lost": totals.lost_at_least,
            "records_possibly_lost": totals.possible_at_least,
            "compacted_offsets_lost": totals.compacted_lost_at_least,
            "compacted_offsets_possibly_lost": totals.compacted_possible_at_least,
        },
    }


def _loss(trace: Trace, lost: PartitionLoss) -> dict[str, Any]:
    """What one partition lost by one cause."""
    cut, election = lost.cut, lost.election
    return {
        **_place(trace, lost.partition),
        "cause": lost.cause,
        "counted": "offsets" if lost.compacted else "records",
        "lost": lost.lost,
        "possibly_lost": lost.possible,
        "lost_at_least": lost.lost_at_least,
        "possibly_lost_at_least": lost.possible_at_least,
        "ranges": [_range(trace, one) for one in lost.ranges],
        "cut": None
        if cut is None
        else {
            "broker": cut.broker,
            "at": rfc3339(cut.at),
            "from_offset": cut.from_offset,
            "to_offset": cut.to_offset,
            "rule": cut.rule,
            "evidence": evidence_list(trace, cut.evidence),
        },
        "election": None
        if election is None
        else {
            "leader": election.leader,
            "epoch": election.epoch,
            "at": rfc3339(election.start),
            "election": election.election,
            "basis": election.basis.name.lower(),
            "evidence": evidence_list(trace, election.evidence),
        },
    }


def _range(trace: Trace, one: LostRange) -> dict[str, Any]:
    """A range of offsets of one epoch."""
    return {
        "epoch": one.epoch,
        "first_offset": one.first_offset,
        "end_offset": one.end_offset,
        "at_least": one.at_least,
        "lost": one.severity.value == "loss",
        "class": one.loss_class.value,
        "commit": one.commit.value,
        "acknowledgement": one.acknowledgement.value,
        "may_be_held_by": list(one.may_hold),
        "last_copy": None if one.last_copy is None else copy_dict(one.last_copy),
        "left_on": list(one.left_on),
        "evidence": evidence_list(trace, one.evidence),
    }
