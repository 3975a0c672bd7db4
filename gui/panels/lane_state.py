"""A replica's state in one sentence, as it is heard; and the part of a picture that is told with it."""

from dataclasses import replace

from core.history.state import Band
from core.message import how_many
from core.picture.cuts import cuts_of
from core.picture.lane import number
from core.picture.marks import Ref
from core.picture.outline import Part
from core.shown import shown_in_line
from core.trace.broker_names import broker_name
from gui.terms import term
from gui.text.spoken import tr
from gui.workspace.content import EVENTS, Content


def state_sentence(content: Content, ref: Ref, position: int) -> str:
    """What the replica of a lane is and holds at a position; what is not known is called so."""
    history = content.runs[ref.run].history
    state = history.at(content.cursors(position)[ref.run]).replica(ref.broker)
    member = {
        True: tr("explain.in-the-isr"),
        False: tr("explain.not-in-the-isr"),
        None: tr("explain.isr-unknown"),
    }[state.in_isr]
    return tr(
        "lane-state.sentence",
        role=term(str(state.role)),
        epoch=term("unknown") if state.epoch is None else number(state.epoch),
        log_end=bounds_in_words(state.leo),
        watermark=bounds_in_words(state.hw),
        member=member,
    )


def bounds_in_words(band: Band) -> str:
    """A value as it is spoken: 30, between 30 and 35, at least 30, at most 35, unknown."""
    if band.lo is None and band.hi is None:
        return term("unknown")
    if band.lo is None:
        return tr("lane-state.at-most", most=number(band.hi or 0))
    if band.hi is None:
        return tr("lane-state.at-least", least=number(band.lo))
    if band.lo == band.hi:
        return number(band.lo)
    return tr("lane-state.between", least=number(band.lo), most=number(band.hi))


def told_part(content: Content, part: Part, position: int) -> Part:
    """A lane with its run and its state at a position; what belongs to the event at the cursor is current."""
    ref = part.ref
    if ref.kind != "lane" or not content.has(ref):
        return replace(part, current=ref.kind == "stop" and ref.key == position)
    cursor = content.cursors(position)[ref.run]
    name = broker_name(content.runs[ref.run].history.trace, ref.broker)
    if len(content.runs) > 1:
        name = tr("lane-state.of-run", run=ref.run + 1, title=content.runs[ref.run].title, name=name)
    lost = {
        cut.truncation.seq: how_many(cut.records_lost, at_least=cut.lost_at_least)
        for cut in cuts_of(content.runs[ref.run].verdict)
    }
    marks = tuple(
        replace(
            one,
            about=tr("lane-state.lost", count=lost[one.ref.key]) if one.ref.kind == "loss" else "",
            current=one.ref.kind in EVENTS and one.ref.key == cursor - 1,
        )
        for one in part.parts
    )
    return replace(part, name=shown_in_line(name), about=state_sentence(content, ref, position), parts=marks)
