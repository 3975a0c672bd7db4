"""A live lane for the card of a scenario: the lane in which most happens, where it goes wrong."""

from dataclasses import dataclass

from core.compare.comparison import Run
from core.picture.drawing import Drawing
from core.picture.marks import Box, Picture
from core.picture.timeline import TimelineView, lay_out
from core.picture.whole import history_window
from gui.text.spoken import language

GUTTER = 152.0
HEIGHT = 96
INSET = 8


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture and the part of it that a card shows."""

    picture: Picture
    left: float
    top: float


def preview(run: Run, width: int) -> Preview:
    """One lane of a run, `width` wide: of the replica that cut its log last, else of the last replica."""
    history = run.history
    cuts = [cut.broker for cut in run.verdict.truncations if cut.records]
    broker = cuts[-1] if cuts else list(history.replicas)[-1]
    view = TimelineView(
        history,
        run.verdict,
        None,
        history_window(history),
        GUTTER - INSET + width,
        0.0,
        gutter=GUTTER,
        drawing=Drawing(messages=False),
        with_overview=False,
        lang=language(),
    )
    picture = lay_out(view)
    lane = next(
        mark
        for mark in picture.marks()
        if isinstance(mark, Box)
        and mark.ref is not None
        and mark.ref.kind == "lane"
        and mark.ref.broker == broker
    )
    return Preview(picture, GUTTER - INSET, lane.y + 2)
