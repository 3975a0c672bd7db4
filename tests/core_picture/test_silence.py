"""Between the last line of a broker and its return nobody knows whether it ran: no solid band says so."""

from core.diagnose.verdict.check import diagnose_partition
from core.picture.hit import bounds
from core.picture.marks import Box, Glyph, Sign, Text
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


def test_the_word_for_silence_stands_clear_of_the_sign_of_the_gap() -> None:
    story = Story()
    story.begin()
    story.process("broker_crashed", 1, basis=Basis.INFERRED)
    story.process("evidence_gap", 1, wait=4 * SECOND)
    story.process("broker_starting", 1, wait=90 * SECOND)
    history = story.history()
    window = (0, story.now + 10 * SECOND)
    picture = lay_out(TimelineView(history, diagnose_partition(history), None, window, 1200, 400))

    (word,) = (m for m in picture.marks() if isinstance(m, Text) and m.text == "no sign of life")
    (sign,) = (m for m in picture.marks() if isinstance(m, Sign) and m.glyph is Glyph.GAP)
    left, _, wide, _ = bounds(word)
    assert abs(sign.y - word.y) < 10, "both in the band"
    assert sign.x + sign.size / 2 <= left or left + wide <= sign.x - sign.size / 2
