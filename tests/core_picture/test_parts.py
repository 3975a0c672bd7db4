"""The parts that everything in a picture stands on: scales, hatches, labels, words."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kafka.eras import era
from core.picture.gutter import name_within
from core.picture.hatch import hatch_segments, hatched
from core.picture.hit import bounds
from core.picture.labels import Wish, place
from core.picture.lane import offset_range
from core.picture.marks import Box, Hatch, Segments, Sign, Text
from core.picture.metrics import elide, elide_partition, text_width, wrap
from core.picture.notes import TAG, PlacedNote, note_list, note_tags
from core.picture.scale import OffsetScale, TimeScale
from core.picture.sheet import Sheet
from core.trace.ids import BrokerId
from core.trace.times import clock, in_zone, parse_time
from tests.runs import simulated

DAY = 86_400_000_000_000


@given(st.integers(0, 2**62), st.integers(1, DAY), st.integers(0, DAY))
def test_time_goes_to_x_and_back_within_a_pixel(first: int, span: int, ahead: int) -> None:
    scale = TimeScale(first, first + span, 100.0, 1100.0)
    at = first + ahead % (span + 1)

    assert abs(scale.at(scale.x(at)) - at) <= span / 1000 + 1


def test_a_nanosecond_of_2026_is_not_lost_in_a_double() -> None:
    start = 1_795_000_000_000_000_000
    scale = TimeScale(start, start + 10, 0.0, 10.0)

    assert [scale.x(start + ns) for ns in range(11)] == [float(ns) for ns in range(11)]


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("Asia/Kolkata", ["06:00", "09:00", "12:00", "15:00", "18:00", "21:00"]),
        ("Asia/Kathmandu", ["09:00", "12:00", "15:00", "18:00", "21:00"]),
        ("Europe/Berlin", ["03:00", "06:00", "09:00", "12:00", "15:00", "18:00"]),
    ],
)
def test_time_ticks_are_round_on_the_clock_that_is_read(zone: str, shown: list[str]) -> None:
    """From 00:30 to 17:00 UTC of a summer's day: +05:30, +05:45 and +02:00."""
    first, last = parse_time("2026-07-01T00:30:00Z"), parse_time("2026-07-01T17:00:00Z")
    with in_zone(ZoneInfo(zone)):
        ticks = TimeScale(first, last, 0.0, 600.0).ticks()
        assert [clock(at)[:5] for at in ticks] == shown
        assert all(clock(at)[5:] == ":00.000" for at in ticks)


def test_ticks_are_round_on_both_sides_of_a_change_of_clocks() -> None:
    """Berlin, where 02:00 was 03:00, at 01:00 UTC."""
    first, last = parse_time("2026-03-28T22:00:00Z"), parse_time("2026-03-29T04:00:00Z")
    with in_zone(ZoneInfo("Europe/Berlin")):
        ticks = TimeScale(first, last, 0.0, 1000.0).ticks()
        shown = [clock(at)[:5] for at in ticks]
    assert shown == ["23:00", "00:00", "01:00", "03:00", "04:00", "05:00", "06:00"]


@pytest.mark.parametrize(
    ("span_s", "expected_step_s"),
    [(5, 0.5), (60, 10), (240, 30), (3600, 600), (DAY // 10**9, 3 * 3600)],
)
def test_time_ticks_are_round_and_few(span_s: int, expected_step_s: float) -> None:
    ticks = TimeScale(0, span_s * 10**9, 0.0, 1000.0).ticks()

    assert ticks[1] - ticks[0] == expected_step_s * 10**9
    assert len(ticks) <= 12


@pytest.mark.parametrize(("top", "height", "expected"), [(2, 80, (0, 1, 2)), (45, 64, (0, 15, 30, 45))])
def test_offset_ticks_are_those_of_the_design(top: int, height: float, expected: tuple[int, ...]) -> None:
    assert OffsetScale(0, top, height, 0.0).ticks() == expected


def test_a_broken_axis_keeps_what_is_below_in_a_sill() -> None:
    """Offsets from 0 to 200 in 14 px, a gap of 7, and from there to 300 one record a pixel."""
    scale = OffsetScale(200, 300, 121.0, 0.0, foot=0)

    assert [scale.y(offset) for offset in (0, 100, 199, 200, 201, 300)] == [121, 114, 107, 100, 99, 0]
    offsets = np.arange(301)
    assert scale.ys(offsets).tolist() == [scale.y(offset) for offset in range(301)]
    assert min(scale.ticks()) >= 200


def test_offsets_rise_upwards_on_whole_pixels() -> None:
    scale = OffsetScale(100, 103, 97.0, 20.0)

    heights = [scale.y(offset) for offset in (90, 100, 101, 102, 103)]
    assert heights == [97.0, 97.0, 71.0, 46.0, 20.0]


@given(
    st.tuples(*(st.integers(-50, 200) for _ in range(2)), *(st.integers(1, 120) for _ in range(2))),
    st.sampled_from(list(Hatch)),
)
def test_a_hatch_stays_inside_its_box(rect: tuple[int, int, int, int], pattern: Hatch) -> None:
    x, y, w, h = rect
    for x1, y1, x2, y2 in hatch_segments(rect, pattern, 6.0, (0.0, 0.0)):
        assert x - 1e-6 <= min(x1, x2) <= max(x1, x2) <= x + w + 1e-6
        assert y - 1e-6 <= min(y1, y2) <= max(y1, y2) <= y + h + 1e-6


def test_hatches_of_neighbours_join() -> None:
    left = hatch_segments((0, 0, 30, 20), Hatch.RISING, 6.0, (0.0, 0.0))
    right = hatch_segments((30, 0, 30, 20), Hatch.RISING, 6.0, (0.0, 0.0))
    whole = hatch_segments((0, 0, 60, 20), Hatch.RISING, 6.0, (0.0, 0.0))

    assert {round(x + y, 6) for x, y, _, _ in left + right} == {round(x + y, 6) for x, y, _, _ in whole}


def test_a_box_too_small_for_a_hatch_gets_a_tint() -> None:
    (small,) = hatched((0, 0, 11, 5), Hatch.RISING, 6.0, (0, 0), "e0")
    (large,) = hatched((0, 0, 12, 6), Hatch.RISING, 6.0, (0, 0), "e0")

    assert isinstance(small, Box)
    assert small.opacity == 0.4
    assert isinstance(large, Segments)


def test_a_label_moves_to_its_second_place_and_is_dropped_after_it() -> None:
    def wish(rank: int, words: str) -> Wish:
        return Wish(rank, ((Text(10, 20, words),), (Text(10, 60, words),)))

    placed = place([wish(16, "third"), wish(9, "first"), wish(12, "second")], (0, 0, 200, 100))

    assert [(mark.text, mark.y) for mark in placed if isinstance(mark, Text)] == [
        ("first", 20),
        ("second", 60),
    ]


def test_a_label_that_must_cover_something_spares_the_flag() -> None:
    sheet = Sheet()
    flag, curve = Text(10, 50, "cut 2 → 1", "text", 11), Text(10, 90, "cut 2 → 1", "text", 11)
    x, y, wide, high = bounds(flag)
    sheet.keep_clear((x, y, wide / 2, high), weight=4)
    sheet.keep_clear(bounds(curve))
    sheet.wish(6, [flag], [curve])
    sheet.settle((0, 0, 400, 400))
    assert sheet.marks() == (curve,)


def test_the_label_of_a_loss_is_never_dropped() -> None:
    everywhere = (0.0, 0.0, 200.0, 100.0)

    assert place([Wish(2, ((Text(10, 20, "lost"),),))], everywhere, [everywhere])
    assert not place([Wish(16, ((Text(10, 20, "e0"),),))], everywhere, [everywhere])


@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x9FFF), max_size=40), st.floats(0, 200))
def test_an_elided_text_fits(words: str, width: float) -> None:
    assert text_width(elide(words, width, 11), 11) <= width or not words


@given(st.from_regex(r"[a-z._]{1,40}-[0-9]{1,4}", fullmatch=True), st.floats(0, 200))
def test_a_shortened_partition_keeps_its_number(name: str, width: float) -> None:
    """Where a letter of its topic, the ellipsis and the number have room."""
    topic, _, number = name.rpartition("-")

    shown = elide_partition(name, width, 12, 600)

    assert text_width(shown, 12, 600) <= width
    if text_width(f"{topic[0]}…-{number}", 12, 600) <= width:
        assert shown.endswith(f"-{number}")
        head, _, tail = shown.partition("…")
        assert shown == name or (name.startswith(head) and name.endswith(tail))


def test_a_name_without_a_number_loses_its_end() -> None:
    assert elide_partition("a-document-of-last-night", 80, 12, 600).endswith("…")
    assert elide_partition("orders-12", 200, 12, 600) == "orders-12"


def test_brokers_are_told_apart_by_their_ids_where_their_names_have_no_room() -> None:
    run = simulated("hw-loss", era("2.8"))
    large = tuple(replace(one, broker_id=BrokerId(1000 + one.broker_id), name="") for one in run.brokers)
    trace = replace(run, brokers=large)
    room = text_width("broker 1001", 11, 600) - 1

    assert [name_within(trace, broker, 200, 11, 600) for broker in (1001, 1002)] == [
        "broker 1001",
        "broker 1002",
    ]
    assert [name_within(trace, broker, room, 11, 600) for broker in (1001, 1002)] == ["1001", "1002"]


def test_wrapped_lines_fit_and_lose_nothing() -> None:
    words = "Broker 1 returns as a follower, learns that epoch 0 ends at 30, and cuts 45 to 30."

    lines = wrap(words, 200, 12)

    assert " ".join(lines) == words
    assert all(text_width(line, 12) <= 200 for line in lines)


@pytest.mark.parametrize(
    ("first", "end", "words"), [(30, 45, "30–44"), (30, 31, "30"), (999, 2001, "999–2,000")]
)
def test_ranges_are_read_with_both_ends(first: int, end: int, words: str) -> None:
    assert offset_range(first, end) == words


def test_notes_below_a_figure_stand_in_two_columns() -> None:
    notes = [PlacedNote(n, n, f"note {n}", where=f"step {n}") for n in (1, 2, 3)]

    marks, height = note_list(notes, 0, 0, 800)

    heads = {m.text: (m.x, m.y) for m in marks if isinstance(m, Text) and m.text.startswith("step")}
    assert heads["step 1"][1] == heads["step 2"][1] < heads["step 3"][1]
    assert heads["step 1"][0] == heads["step 3"][0] < heads["step 2"][0]
    assert height >= heads["step 3"][1]


def test_tags_of_notes_at_one_place_stand_beside_it_and_one_another() -> None:
    notes = [PlacedNote(number, 3, "x") for number in (1, 2, 3)]
    marks = note_tags([(notes[0], 100.0), (notes[1], 100.0), (notes[2], 195.0)], 40.0, 200.0, 300.0)
    first, second, last = (mark for mark in marks if isinstance(mark, Sign))

    assert first.x - TAG / 2 > 100 + 4.5, "the cursor's mark is 9 wide"
    assert second.x - first.x > TAG
    assert last.x + TAG / 2 <= 200
    assert last.x < 195


def test_no_line_of_chinese_begins_with_a_sign_that_closes() -> None:
    text = "高于其日志末端。它在运行中，并且（见上）退回到该处。" * 3
    for width in range(40, 200, 7):
        lines = wrap(text, float(width), 12)
        assert "".join(lines) == text
        assert [line for line in lines if line[0] in "。，）"] == []
