"""The words of a row: its promise, what off means, since when, and what a flip costs."""

import re

from core.kafka.held_words import HOLDS
from core.message import Listing, Message, message
from core.sim.ablation.outcome import Aspect, Outcome
from core.sim.ablation.protections import Protection
from core.sim.ablation.settings import SETTING
from core.sim.ablation.worst import Worst
from core.sim.truth import Promise
from gui.text.spoken import tr, worded
from gui.workspace.switchboard import Board, Row


def promise_of(row: Row) -> str:
    """What holds while it is on; of two rules their names."""
    one, *others = row.protections
    if others:
        names = Listing(tuple(each.switch.name for each in row.protections))
        return tr("switchboard.pair", names=names)
    return tr("switchboard.promise", what=HOLDS[one.switch.name][one.on])


def off_of(board: Board, row: Row) -> str:
    """What off means; what a protection that is not there yet is now."""
    one, *others = row.protections
    if others:
        return tr("switchboard.pair.why")
    what = HOLDS[one.switch.name][one.off]
    if one.is_on:
        return tr("switchboard.off", what=what)
    if one.switch.name in SETTING:
        return tr("switchboard.off.script", what=what)
    return tr("switchboard.off.release", release=board.setup.era.id, what=what)


def since_of(row: Row) -> tuple[str, str]:
    """(since when, ticket) of what a protection has when it is on; of a setting its name and value."""
    one, *others = row.protections
    if others:
        return "", ""
    if one.switch.name in SETTING:
        return tr("switchboard.script"), f"{one.switch.name}={one.on}"
    return _since(one)


def _since(one: Protection) -> tuple[str, str]:
    """Of a rule with several releases the one that brought this value: "0.11 (epoch-request), 2.8 (…)"."""
    found = re.findall(r"([^,()]+) \(([\w-]+)\)", one.switch.released)
    tickets = one.switch.ticket.split("; ")
    for place, (release, value) in enumerate(found):
        if value == one.on:
            return release.strip(), tickets[min(place, len(tickets) - 1)]
    return one.switch.released, one.switch.ticket


def cost_parts(outcome: Outcome) -> tuple[str, ...]:
    """What a run costs, in words, the worst first; nothing is ()."""
    lost, diverged, seconds = outcome.records_lost, outcome.offsets_diverged, outcome.leaderless_s
    committed = outcome.lost_of(Promise.COMMITTED)
    gone = message("switchboard.lost", number=lost)
    if committed < lost:
        gone = message("switchboard.lost.committed", number=lost, committed=committed)
    return tuple(
        worded(said)
        for number, said in (
            (lost, gone),
            (diverged, message("switchboard.diverged", number=diverged)),
            (seconds, message("switchboard.leaderless", number=seconds)),
        )
        if number
    )


def cost_of(outcome: Outcome) -> str:
    """The same in one line; "0" is nothing."""
    return ", ".join(cost_parts(outcome)) or "0"


def colour_of(outcome: Outcome, plain: Outcome) -> str:
    """Red is more records lost, or more of them committed; what costs the same is pale."""
    committed = outcome.lost_of(Promise.COMMITTED) > plain.lost_of(Promise.COMMITTED)
    if committed or outcome.records_lost > plain.records_lost:
        return "loss"
    return "text.3" if cost_parts(outcome) == cost_parts(plain) else "text"


def here_of(board: Board, row: Row) -> tuple[str, str, str]:
    """What a flip costs here: (first line, second line, colour).

    Of several that are flipped the figure is that of all together, and below it that of this one alone. Of a
    flip that keeps a step of the script from coming about the figure is pale, and the step stands below it.
    """
    together = board.flipped_outcome
    flipped = board.is_flipped(row)
    if flipped and together is not None and board.lacking is not None:
        number, _ = board.lacking
        return cost_of(together), tr("switchboard.lacking.short", number=number), "text.3"
    if flipped and together is not None and len(board.flipped) > len(row.settings):
        alone = tr("switchboard.alone", cost=cost_of(row.outcome))
        return cost_of(together), alone, colour_of(together, board.outcome)
    first, *rest = cost_parts(row.outcome) or ("0",)
    return first, ", ".join(rest), colour_of(row.outcome, board.outcome)


def worst_of_row(board: Board, row: Row) -> tuple[str, str, str]:
    """The scenario in which its flip does most: (what it costs there, which, colour)."""
    if len(row.protections) > 1 or board.setup.era.overrides:
        return "", "", "text.3"
    found = row.worst(board.setup.era)
    if found is None:
        return "0", "", "text.3"
    said = worded(_said(found, found.after))
    if found.before:
        said = tr("switchboard.worst.more", before=found.before, after=_said(found, found.after))
    return said, found.scenario, "loss" if found.aspect is Aspect.LOST else "text"


def _said(found: Worst, number: int) -> Message:
    if found.aspect is Aspect.LOST:
        return message("switchboard.lost", number=number)
    if found.aspect is Aspect.DIVERGED:
        return message("switchboard.diverged", number=number)
    return message("switchboard.leaderless", number=number)
