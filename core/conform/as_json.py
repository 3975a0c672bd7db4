"""Judgements as `tidegauge conform --json` prints them."""

from collections.abc import Callable, Sequence
from typing import Any

from core.conform.judge import Broken, Judgement
from core.conform.own import Candidate
from core.kafka.held_words import HOLDS
from core.kafka.switches import SWITCH
from core.message import Message, Value, message
from core.trace.evidence import evidence_list
from core.trace.times import rfc3339
from core.trace.trace import Trace


def conform_dict(
    trace: Trace, own: Candidate | None, found: Sequence[Judgement], text: Callable[[Message], str]
) -> dict[str, Any]:
    """The whole answer; `text` makes a sentence of a message."""
    return {
        "schema": 1,
        "own_release": None if own is None else own.name,
        "eras": [
            {
                "era": one.candidate.name,
                "accepted": one.accepted,
                "breaks_at": None if one.broken is None else _broken(trace, one.broken, text),
                "bounds": {"fitting": one.fitting, "not_decided": one.open},
            }
            for one in found
        ],
    }


def _broken(trace: Trace, broken: Broken, text: Callable[[Message], str]) -> dict[str, Any]:
    seq = broken.decision.seq
    return {
        "seq": seq,
        "at": rfc3339(int(trace.columns["at"][seq])),
        "rule": broken.rule.id,
        "text": text(broken_message(broken, broken.era.name)),
        "evidence": evidence_list(trace, (seq, *broken.decision.evidence)),
    }


def broken_message(broken: Broken, era: Value) -> Message:
    """What was done, and what an era does: `era` is what it is called."""
    decision, switch = broken.decision, broken.rule.switch
    if not switch:
        return message("conform.broken-line", what=decision.message, era=era)
    holds = HOLDS[switch][getattr(broken.era.switches, SWITCH[switch].field)]
    instead = None if decision.instead is None else decision.instead(broken.era)
    if instead is None:
        return message("conform.broken", what=decision.message, era=era, holds=holds)
    return message("conform.broken-instead", what=decision.message, era=era, holds=holds, instead=instead)
