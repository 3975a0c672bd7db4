"""Marks closer than 10 px become one with a count; none is dropped, and the worst is what is seen."""

import pytest

from core.picture.crowds import Member, crowds_of
from core.picture.hit import mark_at
from core.picture.marks import Box, Glyph, Picture, Sign, Text
from core.picture.timeline import lay_out, timeline_lanes
from tests.core_picture.test_density import run_of, view_of

_MS = 1_000_000


def drawn(picture: Picture) -> tuple[list[Sign | Box], list[Text]]:
    """Cuts and elections that are drawn, one mark each, and the counts."""
    glyphs = (Glyph.ELECTION, Glyph.UNCLEAN_ELECTION, Glyph.TRUNCATION)
    marks = [
        mark
        for mark in picture.marks()
        if (isinstance(mark, Sign) and mark.glyph in glyphs)
        or (isinstance(mark, Box) and mark.ref is not None and mark.ref.kind == "truncation")
    ]
    counts = [
        mark for mark in picture.marks() if isinstance(mark, Text) and mark.ref and mark.ref.kind == "group"
    ]
    return marks, counts


def test_the_highest_stands_for_all_within_ten_pixels_of_the_first() -> None:
    cut, flag, loss = Member(100, 6, "truncation", 5), Member(96, 8, "election", 4), Member(105, 2, "loss", 9)
    far = Member(106, 8, "election", 10)
    crowds = crowds_of((cut, flag, loss, far))
    assert crowds.counts == {loss: (flag, cut, loss)}
    assert crowds.hidden == {cut, flag}
    assert crowds_of((cut, far)).counts == {cut: (cut, far)}
    assert crowds_of((flag, far)).counts == crowds_of(()).counts == {}


@pytest.mark.slow
def test_zoomed_out_every_cut_and_election_is_drawn_or_counted() -> None:
    """A run of 8 s in a window of 200 s: ten terms and ten cuts within 30 px."""
    picture = lay_out(view_of(8_000, (0, 200_000 * _MS), with_overview=False))
    marks, counts = drawn(picture)
    verdict = run_of(8_000).verdict
    elections = len(verdict.leadership) - 1
    counted = sum(int(text.text.removeprefix("×")) for text in counts)
    assert len(counts) >= 3
    assert len(marks) - len(counts) + counted == len(verdict.truncations) + elections
    xs = sorted({round(mark.x) for mark in marks})
    assert len(xs) < 20
    text = counts[0]
    assert text.ref is not None
    assert text.ref.key < text.ref.last
    # Of two losses and an election the loss is what is seen.
    assert text.ref.text == "2 losses, 1 election: a click shows them apart"
    assert mark_at(picture, text.x, text.y - 20) != text.ref
    over = mark_at(picture, text.x, text.y - 20)
    assert over is not None
    assert over.kind == "loss"
    assert mark_at(picture, text.x, text.y - 3) == text.ref


def test_where_there_is_room_each_has_its_own_place() -> None:
    marks, counts = drawn(lay_out(view_of(8_000, with_overview=False)))
    verdict = run_of(8_000).verdict
    assert counts == []
    assert len(marks) == len(verdict.truncations) + len(verdict.leadership) - 1
    assert timeline_lanes(view_of(8_000))[0].bins is not None
