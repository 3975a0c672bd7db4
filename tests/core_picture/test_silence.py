"""Between the last line of a broker and its return nobody knows whether it ran: no solid band says so."""

from core.diagnose.check import diagnose_partition
from core.picture.marks import Box, Text
from core.picture.timeline import TimelineView, lay_out
from core.trace.vocabulary import Basis
from tests.stories import SECOND, Story


def test_a_silent_leader_is_not_drawn_as_leading() -> None:
    story = Story()
    story.begin()
    story.process("broker_crashed", 1, basis=Basis.INFERRED)
    story.process("broker_starting", 1, wait=60 * SECOND)
    history = story.history()
    verdict = diagnose_partition(history)
    window = (0, story.now + 10 * SECOND)
    picture = lay_out(TimelineView(history, verdict, None, window, 1200, 400))

    words = [mark for mark in picture.marks() if isinstance(mark, Text)]
    silent = [mark for mark in words if mark.text == "no sign of life"]
    leading = [
        mark
        for mark in picture.marks()
        if isinstance(mark, Box) and mark.ref and "leader" in mark.ref.text and mark.opacity == 1.0
    ]

    assert len(silent) == 1
    assert leading, "it led before"
    assert max(mark.x + mark.w for mark in leading) < silent[0].x
