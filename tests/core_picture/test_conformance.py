"""The columns of the eras: green up to the event that an era could not have made, and a name for each."""

from itertools import pairwise
from typing import Final

import pytest

from core.conform.answer import Conformance, answer_of
from core.conform.judge import judge
from core.conform.own import candidate, own_candidate
from core.kafka.eras import ERAS, era
from core.picture.conformance import (
    HEAD,
    LEAST,
    ConformanceView,
    lay_out_conformance,
    least_width,
    outline_of_conformance,
)
from core.picture.hit import bounds, mark_at
from core.picture.marks import Box, Glyph, Picture, Sign, Text
from core.trace.builder import TraceBuilder
from core.trace.trace import Origin, Trace
from core.trace.units import SECOND_NS
from tests.runs import simulated

pytestmark = pytest.mark.broad(4)

WIDE, HIGH = 1000.0, 600.0
END: Final = HIGH - 14
"""Where the last decision lies."""


def answered(trace: Trace) -> Conformance:
    every = [candidate(one) for one in ERAS]
    return answer_of(trace, own_candidate(trace), judge(trace, every, range(len(trace.partitions))))


@pytest.fixture(scope="module")
def loss() -> Trace:
    """hw-loss in 0.10.2: at 12.005 s B cuts its log to its own high watermark."""
    return simulated("hw-loss", era("0.10.2"))


def drawn(trace: Trace, width: float = WIDE, selected: int = -1) -> Picture:
    return lay_out_conformance(ConformanceView(answered(trace), trace, 0, width, HIGH, selected))


def greens(picture: Picture) -> dict[int, Box]:
    """The green part of each column, by its place."""
    columns = {
        mark.ref.key: mark
        for mark in picture.marks()
        if isinstance(mark, Box) and mark.ref is not None and mark.ref.kind == "era"
    }
    return {
        place: mark
        for place, ground in columns.items()
        for mark in picture.marks()
        if isinstance(mark, Box) and mark.fill == "ok.soft" and ground.x < mark.x < ground.x + ground.w
    }


def diamonds(picture: Picture) -> dict[int, Sign]:
    return {
        mark.ref.broker: mark for mark in picture.marks() if isinstance(mark, Sign) and mark.ref is not None
    }


def test_an_era_is_green_up_to_the_event_that_it_could_not_have_made(loss: Trace) -> None:
    picture = drawn(loss)
    ids = [one.id for one in ERAS]
    own, other = ids.index("0.10.2"), ids.index("0.11")
    green, signs = greens(picture), diamonds(picture)

    assert green[own].y == green[other].y == HEAD + 8
    assert green[own].y + green[own].h == END
    assert own not in signs
    # 12.005 s of the time from the first decision to the last.
    found = answered(loss)
    seqs = [seq for one in found.eras for seq in (*one.fits_at, *one.open_at)]
    times = [int(loss.columns["at"][seq]) for seq in seqs]
    share = (12.005 * SECOND_NS - min(times)) / (max(times) - min(times))
    end = HEAD + 8 + share * (END - HEAD - 8)
    assert green[other].y + green[other].h == pytest.approx(end, abs=1)
    assert (signs[other].y, signs[other].glyph) == (pytest.approx(end, abs=1), Glyph.DIFFERENCE)


def test_no_red_and_no_blue_is_in_it(loss: Trace) -> None:
    """Red is for what is lost, blue for the high watermark (visual design, principles 2 and 6)."""
    roles = {
        role
        for mark in drawn(loss).marks()
        for name in ("fill", "edge", "role")
        if (role := getattr(mark, name, ""))
    }
    assert "ok" in roles
    assert not roles & {"loss", "loss.soft", "hw", "warn"}


def test_a_click_finds_the_column_and_the_diamond_before_it(loss: Trace) -> None:
    picture = drawn(loss)
    for place, sign in diamonds(picture).items():
        found = mark_at(picture, sign.x, sign.y)
        assert found is not None
        assert (found.kind, found.broker, found.key) == ("break", place, sign.ref.key if sign.ref else -1)
        ground = mark_at(picture, sign.x, HIGH - 20)
        assert ground is not None
        assert (ground.kind, ground.key) == ("era", place)


def test_columns_and_events_have_names_for_those_who_do_not_see_them(loss: Trace) -> None:
    parts = outline_of_conformance(drawn(loss, selected=1), 1)

    assert [part.ref.key for part in parts] == list(range(len(ERAS)))
    assert [part.current for part in parts].index(True) == 1
    assert parts[0].parts == ()
    (event,) = parts[1].parts
    assert event.name
    assert drawn(loss).alt


@pytest.mark.parametrize("width", [300.0, 610.0, 1000.0, 3000.0])
def test_columns_keep_their_least_width_and_stand_beside_each_other(loss: Trace, width: float) -> None:
    picture = drawn(loss, width)
    grounds = [part.box for part in outline_of_conformance(picture, -1)]

    assert all(box[2] >= LEAST - 2 for box in grounds)
    assert all(left[0] + left[2] <= right[0] for left, right in pairwise(grounds))
    assert picture.width >= max(box[0] + box[2] for box in grounds)
    assert least_width(answered(loss)) >= min(picture.width, 600.0)
    times = [bounds(mark) for mark in picture.marks() if isinstance(mark, Text) and mark.mono]
    assert times
    assert all(x >= 0 and x + w <= grounds[0][0] for x, _y, w, _h in times)


def test_a_trace_without_a_decision_is_hatched_and_has_no_green() -> None:
    trace = TraceBuilder().build("nothing", Origin.SIMULATED)
    picture = drawn(trace)

    assert greens(picture) == {}
    assert sum(isinstance(mark, Text) and mark.text == "?" for mark in picture.marks()) == len(ERAS)
