"""From a row to a finding, and from brokers and numbers to values of its message."""

from collections.abc import Mapping
from typing import Final, LiteralString

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Finding
from core.history.state import Band
from core.history.view import Row
from core.message import Between, Message, Value, message
from core.trace.broker_names import broker_value, brokers_value

RULES: Final[Mapping[str, LiteralString]] = {
    "high-watermark": "cut.rule.high-watermark",
    "leader-epoch": "cut.rule.leader-epoch",
    "diverging-epoch": "cut.rule.diverging-epoch",
    "leader-end": "cut.rule.leader-end",
    "reset": "cut.rule.reset",
    "recovery": "cut.rule.recovery",
    "unknown": "cut.rule.unknown",
}
"""By rule of truncation: why a replica cut to an offset, in brackets after it."""


def who(case: Case, *brokers: int) -> Value:
    """Brokers as a value of a message."""
    return brokers_value(case.history.trace, brokers)


def printed_isr(case: Case, members: tuple[int, ...]) -> str:
    """An in-sync set as Kafka prints it, [1, 2], with the names of a simulation."""
    named = ((one, broker_value(case.history.trace, one)) for one in members)
    return f"[{', '.join(name if isinstance(name, str) else str(one) for one, name in named)}]"


def number_value(value: int | Band | None) -> Value:
    """A number as a value of a message, where it may not be known, or only between bounds."""
    if isinstance(value, Band):
        if value.exact is not None or (value.lo is None and value.hi is None):
            return number_value(value.exact)
        return Between(value.lo, value.hi)
    return message("number.unknown") if value is None else value


def made(
    case: Case,
    check: str,
    row: Row,
    brokers: tuple[int, ...],
    sentence: Message,
    *,
    end: int | None = None,
    evidence: tuple[int, ...] = (),
) -> Finding:
    """A finding that begins at a row; `end` is a time, the row's own where not given."""
    return Finding(
        check=check,
        severity=CHECK[check].severity,
        partition=case.view.partition,
        brokers=brokers,
        start=row.at,
        end=row.at if end is None else end,
        seq=row.seq,
        message=sentence,
        evidence=tuple(dict.fromkeys((row.seq, *evidence))),
    )
