"""A verdict as the plain dict that `tidegauge check --json` prints. Not known is None, never 0.

Beside each text stands its message: which sentence, with which values.
"""

from typing import Any

from core.diagnose.verdict.counted import is_compacted
from core.diagnose.verdict.facts import (
    Collect,
    Copy,
    Divergence,
    Finding,
    LogThen,
    Loss,
    PartitionVerdict,
    Truncation,
    Verdict,
    XRay,
)
from core.history.as_json import band_dict
from core.message_json import plain, stored
from core.trace.evidence import evidence_list
from core.trace.times import rfc3339
from core.trace.trace import Trace
from core.words import Words

_REPORT = ("files", "lines", "recognised", "noise", "unrecognised", "malformed")


def _time(at: int | None) -> str | None:
    """A time, in ns, as RFC 3339; None stays None."""
    return None if at is None else rfc3339(at)


def _truncation(trace: Trace, cut: Truncation, ray: XRay, words: Words) -> dict[str, Any]:
    """One entry of "truncations", with its x-ray."""
    return {
        "broker": cut.broker,
        "at": _time(cut.at),
        "from_offset": cut.from_offset,
        "to_offset": cut.to_offset,
        "records": cut.records,
        "rule": cut.rule,
        "below_high_watermark": cut.below_high_watermark,
        "basis": cut.basis.name.lower(),
        "evidence": evidence_list(trace, cut.evidence),
        "x_ray": _x_ray(ray, words),
    }


def _x_ray(ray: XRay, words: Words) -> dict[str, Any]:
    """The x-ray of a cut."""
    messages = {"question": ray.question, "answer": ray.answer, "branch": ray.branch}
    return {
        "leader": ray.leader,
        "follower_log": _log_then(ray.own),
        "leader_log": None if ray.other is None else _log_then(ray.other),
        **{name: words(message) for name, message in messages.items()},
        "release": None if ray.release is None else words(ray.release),
        "messages": {
            **{name: plain(message) for name, message in messages.items()},
            "release": None if ray.release is None else plain(ray.release),
        },
        "tickets": list(ray.tickets),
        "hw_before": band_dict(ray.hw_before),
        "hw_after": band_dict(ray.hw_after),
        "eras": [
            {
                "era": one.era,
                "leo": None if one.leo_lo is None else {"lo": one.leo_lo, "hi": one.leo_hi},
                "exits": one.exits,
                "text": words(one.message),
                "message": plain(one.message),
            }
            for one in ray.outcomes
        ],
    }


def _log_then(log: LogThen) -> dict[str, Any]:
    """One side of a cut."""
    return {
        "broker": log.broker,
        "epochs": None if log.entries is None else [list(entry) for entry in log.entries],
        "epochs_basis": log.entries_basis.name.lower(),
        "log_start": band_dict(log.log_start),
        "leo": band_dict(log.leo),
        "hw": band_dict(log.hw),
    }


def _loss(trace: Trace, partition: int, loss: Loss, words: Words) -> dict[str, Any]:
    """One entry of "losses"."""
    return {
        "first_offset": loss.first_offset,
        "end_offset": loss.end_offset,
        "records": loss.end_offset - loss.first_offset,
        "at_least": loss.at_least,
        "counted": "offsets" if is_compacted(trace, partition) else "records",
        "epoch": loss.epoch,
        "removed_from": list(loss.removed_from),
        "survives_on": list(loss.survives_on),
        "class": loss.loss_class.value,
        "cause": loss.cause,
        "at": _time(loss.at),
        "explanation": words(loss.message),
        "message": plain(loss.message),
        "evidence": evidence_list(trace, loss.evidence),
        "copies": [copy_dict(copy) for copy in loss.copies],
        "told": None
        if loss.told is None
        else {"acks_0": loss.told.acks_0, "acks_1": loss.told.acks_1, "acks_all": loss.told.acks_all},
        "collect": [_collect(trace, one, words) for one in loss.collect],
    }


def copy_dict(copy: Copy) -> dict[str, Any]:
    """A copy as the ledger lists it."""
    return {
        "broker": copy.broker,
        "first_offset": copy.first_offset,
        "end_offset": copy.end_offset,
        "since": _time(copy.since),
        "whole": _time(copy.whole),
        "until": _time(copy.until),
        "removed_by": copy.removed_by,
    }


def _collect(trace: Trace, one: Collect, words: Words) -> dict[str, Any]:
    """What is to be collected of a loss, and where."""
    return {
        "broker": one.broker,
        "first_offset": one.first_offset,
        "end_offset": one.end_offset,
        "seen": _time(one.seen),
        "text": words(one.message),
        "message": plain(one.message),
        "evidence": evidence_list(trace, one.evidence),
    }


def _divergence(trace: Trace, one: Divergence) -> dict[str, Any]:
    """One entry of "divergences"."""
    return {
        "brokers": list(one.brokers),
        "first_offset": one.first_offset,
        "end_offset": one.end_offset,
        "basis": one.basis.name.lower(),
        "evidence": evidence_list(trace, one.evidence),
    }


def partition_verdict_dict(trace: Trace, verdict: PartitionVerdict, words: Words) -> dict[str, Any]:
    """One entry of "partitions"."""
    partition = trace.partitions[verdict.partition]
    return {
        "topic": partition.tp.topic,
        "partition": partition.tp.partition,
        "replicas": [int(broker) for broker in partition.replicas] or [one.broker for one in verdict.final],
        "leadership": [
            {
                "epoch": tenure.epoch,
                "leader": tenure.leader,
                "start_offset": tenure.start_offset,
                "from": _time(tenure.start),
                "to": _time(tenure.end),
                "election": tenure.election,
                "basis": tenure.basis.name.lower(),
            }
            for tenure in verdict.leadership
        ],
        "isr": [
            {"isr": list(s.isr), "from": _time(s.start), "to": _time(s.end), "basis": s.basis.name.lower()}
            for s in verdict.isr
        ],
        "truncations": [
            _truncation(trace, cut, ray, words)
            for cut, ray in zip(verdict.truncations, verdict.x_rays, strict=True)
        ],
        "losses": [_loss(trace, verdict.partition, loss, words) for loss in verdict.losses],
        "divergences": [_divergence(trace, one) for one in verdict.divergences],
        "final": [
            {
                "broker": one.broker,
                "role": one.role,
                "epoch": one.epoch,
                "log_start": one.log_start,
                "leo": band_dict(one.leo),
                "hw": band_dict(one.hw),
                "epochs": None if one.epochs is None else [list(entry) for entry in one.epochs],
            }
            for one in verdict.final
        ],
    }


def _finding(trace: Trace, finding: Finding, words: Words) -> dict[str, Any]:
    """One entry of "findings"."""
    tp = None if finding.partition is None else trace.partitions[finding.partition].tp
    return {
        "check": finding.check,
        "severity": finding.severity.value,
        "topic": None if tp is None else tp.topic,
        "partition": None if tp is None else tp.partition,
        "brokers": list(finding.brokers),
        "from": _time(finding.start),
        "to": _time(finding.end),
        "text": words(finding.message),
        "message": plain(finding.message),
        "evidence": evidence_list(trace, finding.evidence),
    }


def left_out_of(trace: Trace, words: Words) -> list[dict[str, Any]]:
    """[{"file", "lines", "reason", "message"}]: what was given, and not read or not placed."""
    rows = trace.report.get("left_out")
    if rows is None:
        # Documents before 0.2 list the fault of each file alone.
        files = trace.report.get("by_file", ())
        rows = [
            {"file": row["file"], "lines": None, "reason": row["fault"]} for row in files if "fault" in row
        ]
    return [
        {
            "file": row["file"],
            "lines": row["lines"],
            "reason": words(stored(row["reason"])),
            "message": plain(stored(row["reason"])),
        }
        for row in rows
    ]


def verdict_dict(
    trace: Trace, verdict: Verdict, words: Words, *, document: str | None = None
) -> dict[str, Any]:
    """The whole answer of `check`. `words` makes its texts; `document` is what the person named."""
    report = {key: trace.report.get(key) for key in _REPORT}
    report["gaps"] = [words(stored(gap)) for gap in trace.report.get("gaps", ())]
    left_out = left_out_of(trace, words)
    return {
        "schema": 2,
        "document": document,
        "origin": trace.origin.value,
        "complete": not left_out,
        "left_out": left_out,
        "kafka_versions": {str(int(broker.broker_id)): broker.version or None for broker in trace.brokers},
        "partitions": [partition_verdict_dict(trace, one, words) for one in verdict.partitions],
        "findings": [_finding(trace, finding, words) for finding in verdict.findings],
        "report": report,
    }
