"""The incidents of a trace in a terminal: six named fields, within twenty lines unless all is wanted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from sys import maxsize
from typing import Any, Final

from core.diagnose.account.fields import EVERYTHING, Room, account
from core.diagnose.account.find import find_incidents
from core.diagnose.account.incident import Incident
from core.diagnose.verdict.counted import LostPart, amount_of_partitions, left_to_acks_1
from core.diagnose.verdict.facts import Verdict
from core.message import Count, Listing, Sentences, message
from core.message_json import from_plain
from core.trace.trace import Trace
from gui.commands.terminal import folded_lines, labelled_lines, print_laid_out
from gui.text.spoken import tr, worded

LINES: Final = 20
"""What fits on a terminal of 24 lines with a prompt above and below."""
_LEAST: Final = Room(cause=1, when=1, now=1, do=1, trust=1, names=1)
_MORE: Final = (
    {"names": 2},
    {"when": 2},
    {"cause": 2},
    {"do": 2},
    {"names": 4},
    {"do": 3},
    {"when": 3},
    {"cause": 4},
    {"now": 2},
    {"names": 12},
    {"when": 6},
    {"trust": 2},
    {"now": 4},
)
"""What is told beside, in this order, as far as it fits."""
_FILES: Final = 5
_FEW_FILES: Final = 2
"""Files left out that are named, with `--all` and without."""
_PARTITIONS: Final = 4
"""Partitions that are named."""


def print_account(trace: Trace, verdict: Verdict, answer: dict[str, Any], *, everything: bool) -> None:
    """What was left out, then the worst incident, in `LINES` lines; with `everything` all of them."""
    incidents = find_incidents(trace, verdict)
    left_out = _left_out(answer["left_out"], _FILES if everything else _FEW_FILES)
    left = left_to_acks_1(trace, verdict.partitions)
    removed = _tail_removed(trace, left)
    if not incidents:
        lines = [*left_out, *folded_lines(_nothing(answer, everything=everything)), *_unseen(answer)]
        print_laid_out([*lines, *removed])
    elif everything:
        lines = left_out
        for number, one in enumerate(incidents, start=1):
            lines += [*_head(number, len(incidents)), *_lines(trace, one, EVERYTHING), ""]
        print_laid_out([*lines, *removed] if removed else lines[:-1])
    else:
        first = [*left_out, *_head(1, len(incidents))]
        last = _hint(len(incidents) - 1, left)
        print_laid_out([*first, *_fitting(trace, incidents[0], LINES - len(first) - len(last)), *last])


def _fitting(trace: Trace, one: Incident, most: int) -> list[str]:
    """As much of an incident as fits on so many lines."""
    room, every = _LEAST, [len(field.lines) for field in account(trace, one)]
    lines = _lines(trace, one, room, every)
    if len(lines) > most:
        lines = _lines(trace, one, room, sentences=1)
        return lines if len(lines) <= most else [*lines[: most - 1], tr("incident.cut-short")]
    for more in _MORE:
        wider = replace(room, **more)
        told = _lines(trace, one, wider, every)
        if len(told) <= most:
            room, lines = wider, told
    return lines


def _lines(
    trace: Trace, one: Incident, room: Room, every: Sequence[int] = (), sentences: int = maxsize
) -> list[str]:
    """The six fields, each with its label once, and at most so many sentences.

    With `every`, how many sentences each field has, one that has no room for all ends with how many more.
    """
    rows: list[tuple[str, str]] = []
    for place, field in enumerate(account(trace, one, room)):
        told = [worded(line) for line in field.lines[:sentences]]
        more = every[place] - len(told) if every else 0
        if more:
            told[-1] = tr("incident.field.more", told=told[-1], count=Count(more))
        rows += [("" if number else worded(field.label), line) for number, line in enumerate(told)]
    return labelled_lines(rows)


def _head(number: int, number_of_all: int) -> list[str]:
    """Which incident it is, where there are several."""
    if number_of_all == 1:
        return []
    return folded_lines(tr("incident.heading", number=number, all=number_of_all), style="bold")


def _nothing(answer: dict[str, Any], *, everything: bool) -> str:
    """What there is to say without an incident."""
    notices, whole = len(answer["findings"]), answer["complete"] and not answer["unseen"]
    if notices and not everything:
        return tr("incident.notices-only" if whole else "incident.notices-in-rest", count=Count(notices))
    if notices or (answer["complete"] and not whole):
        return tr("incident.nothing" if whole else "incident.nothing-in-rest")
    return tr("command.check.nothing-found" if whole else "command.check.nothing-in-rest")


def _unseen(answer: dict[str, Any]) -> list[str]:
    """What was not given, or not written down, and so not looked at."""
    told = tuple(from_plain(one["message"]) for one in answer["unseen"])
    return folded_lines(tr("incident.unseen", told=Sentences(told))) if told else []


def _tail_removed(trace: Trace, found: Mapping[int, Sequence[LostPart]]) -> list[str]:
    """Which records went that only producers with acks=1 may have been told of: no alarm, and not nothing."""
    if not found:
        return []
    where = [str(trace.partitions[partition].tp) for partition in found]
    named = Listing(tuple(where[:_PARTITIONS]))
    more = Count(len(where) - _PARTITIONS)
    names = named if more.number <= 0 else message("incident.and-more", named=named, count=more)
    return folded_lines(tr("incident.tail-removed", count=amount_of_partitions(found), where=names))


def _hint(others: int, found: Mapping[int, Sequence[LostPart]]) -> list[str]:
    """What `--all` prints beside: other incidents, and records that went and are no alarm."""
    hint = message("incident.others", count=Count(others)) if others else message("incident.no-others")
    told = (
        message("incident.tail-removed-beside", count=amount_of_partitions(found), hint=hint)
        if found
        else hint
    )
    return folded_lines(worded(told), style="dim")


def _left_out(rows: Sequence[dict[str, Any]], most: int) -> list[str]:
    """What was given and could not be used, before all that follows from the rest."""
    if not rows:
        return []
    lines = folded_lines(tr("command.check.left-out", count=Count(len(rows))), style="bold")
    for row in rows[:most]:
        told = {"file": row["file"], "reason": from_plain(row["message"])}
        if row["lines"] is None:
            lines += folded_lines(tr("command.check.left-out.file", **told))
        else:
            lines += folded_lines(tr("command.check.left-out.lines", count=Count(row["lines"]), **told))
    if len(rows) > most:
        lines += folded_lines(tr("command.check.left-out.more", count=Count(len(rows) - most)))
    return [*lines, ""]
