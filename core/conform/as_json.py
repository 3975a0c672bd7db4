"""The answer as `tidegauge conform --json` prints it."""

from collections.abc import Callable
from typing import Any

from core.conform.answer import Break, Conformance, OfEra, Sought
from core.message import Message
from core.trace.evidence import evidence_list
from core.trace.times import rfc3339
from core.trace.trace import Trace


def conform_dict(trace: Trace, answer: Conformance, text: Callable[[Message], str]) -> dict[str, Any]:
    """The whole answer; `text` makes a sentence of a message."""
    return {
        "schema": 1,
        "own_release": answer.own,
        "eras": [_of_era(trace, one, text) for one in answer.eras],
        "unread": [{"rule": one.rule, "needs": text(one.needs)} for one in answer.unread],
    }


def _of_era(trace: Trace, one: OfEra, text: Callable[[Message], str]) -> dict[str, Any]:
    return {
        "era": one.era,
        "accepted": one.accepted,
        "breaks_at": None if one.breaks is None else _break(trace, one.breaks, text),
        "bounds": {
            "fitting": len(one.fits_at),
            "not_decided": len(one.open_at),
            "missing": [
                {"rule": open_.rule, "count": open_.count, "text": text(open_.missing)}
                for open_ in one.undecided
            ],
        },
        **({} if one.sought is None else {"search": _sought(one.sought, text)}),
    }


def _sought(found: Sought, text: Callable[[Message], str]) -> dict[str, Any]:
    said = found.sentence(found.era)
    return {
        "outcome": found.outcome,
        "era": found.era,
        "states": found.states,
        "late": [{"what": what, "after": after} for what, after in found.late],
        "in_time": found.outcome == "found" and found.in_time,
        "same_facts": found.outcome == "found" or found.alike,
        "text": None if said is None else text(said),
    }


def _break(trace: Trace, found: Break, text: Callable[[Message], str]) -> dict[str, Any]:
    return {
        "seq": found.seq,
        "at": rfc3339(found.at),
        "rule": found.rule,
        "text": text(found.sentence(found.era)),
        "evidence": evidence_list(trace, found.evidence),
    }
