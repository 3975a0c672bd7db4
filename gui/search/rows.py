"""What the palette lists, and what is left of it for what was typed. Values only."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from core.trace.times import clock, virtual_time
from core.trace.trace import Origin
from gui.actions import ACTIONS, is_enabled
from gui.text.spoken import language, tr, worded
from gui.workspace.session import Session

MOST: Final = 200
"""Rows that are shown at once: nobody reads more, the next letter leaves fewer."""
ACTION: Final = "search.action"
FINDING: Final = "search.finding"
PARTITION: Final = "search.partition"
SCENARIO: Final = "scenarios.scenario"


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that can be chosen. `target` is what its kind calls it.

    Of an action its id, of a finding its place in the list, of a partition its name, of a scenario its id.
    `aside` is its key, or where it is. `reason` says why it cannot be chosen now, "" where it can.
    """

    kind: str
    text: str
    target: str
    aside: str = ""
    reason: str = ""


def rows_of(session: Session) -> tuple[Row, ...]:
    """Everything that a person can do or open now; what cannot be done comes last."""
    actions = list(_actions(session))
    return (
        *(row for row in actions if not row.reason),
        *_findings(session),
        *_partitions(session),
        *_scenarios(),
        *(row for row in actions if row.reason),
    )


def _actions(session: Session) -> Iterable[Row]:
    from gui.actions import keys_text

    for spec in ACTIONS:
        reason = "" if is_enabled(spec, session) else tr("search.only-when", need=tr(spec.need.value))
        yield Row(ACTION, tr(spec.text), spec.id, keys_text(spec.keys), reason)


def _findings(session: Session) -> Iterable[Row]:
    content = session.content
    if content is None:
        return
    place = 0
    for run in content.runs:
        simulated = run.history.trace.origin == Origin.SIMULATED
        for finding in run.verdict.findings:
            when = virtual_time(finding.start) if simulated else clock(finding.start)
            aside = f"{run.title}, {when}" if len(content.runs) > 1 else when
            yield Row(FINDING, worded(finding.message), str(place), aside)
            place += 1


def _partitions(session: Session) -> Iterable[Row]:
    for name in session.partitions:
        yield Row(PARTITION, name, name)


def _scenarios() -> tuple[Row, ...]:
    return _scenarios_in(language())


@cache
def _scenarios_in(_language: str) -> tuple[Row, ...]:
    from gui.welcome.offers import scenario_offers

    return tuple(
        Row(SCENARIO, offer.title, offer.names[0], offer.names[0], "") for offer in scenario_offers()
    )


def matching(rows: Iterable[Row], typed: str) -> tuple[Row, ...]:
    """The rows that have every typed word in their text, kind, aside or target, the nearest first.

    Nearest: the text begins with what was typed, then a word of it does, then the others; within these the
    order of `rows`.
    """
    wanted = " ".join(typed.lower().split())
    if not wanted:
        return tuple(rows)
    words = wanted.split()
    found: list[tuple[int, Row]] = []
    for row in rows:
        text = row.text.lower()
        whole = f"{text} {row.kind} {row.aside} {row.target}".lower()
        if all(word in whole for word in words):
            begins = text.startswith(wanted) or row.target == wanted
            found.append((0 if begins else 1 if f" {wanted}" in text else 2, row))
    found.sort(key=lambda pair: (bool(pair[1].reason), pair[0]))
    return tuple(row for _, row in found)
