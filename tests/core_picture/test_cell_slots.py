"""Cells of the logs: what is alike on every replica is folded, around what was lost nothing is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.compare.comparison import Run
from core.picture.cell_slots import FOLD, Slots, all_of, folded_slots
from core.picture.cells import CellsView, lay_out_cells
from core.picture.cuts import cuts_of
from core.picture.marks import Box, Ref, Text
from tests.core_picture.test_folds import opened


def lengths(slots: Slots | None) -> list[int]:
    assert slots is not None
    return [end - first for first, end in slots.spans]


def test_a_long_run_of_the_same_is_one_fold_with_two_cells_at_each_edge() -> None:
    """204 offsets that all hold, 48 that one has lost, 2 beyond: as in the picture of the visual design."""
    slots = folded_slots(0, 256, [206, 254], 32)

    assert lengths(slots) == [204, 1, 1, 1, 1, 44, 1, 1, 1, 1]
    assert slots is not None
    assert (slots.first, slots.end, slots.width) == (0, 256, 8 + 2 * FOLD)


def test_where_two_do_not_fit_one_stays_open_and_where_that_does_not_nothing_is_folded() -> None:
    assert lengths(folded_slots(0, 256, [206, 254], 13)) == [205, 1, 1, 46, 1, 1, 1]
    assert folded_slots(0, 256, [206, 254], 8) is None


def test_what_is_short_stays_open() -> None:
    assert lengths(folded_slots(0, 7, [3], 32)) == [1] * 7


@given(edges=st.sets(st.integers(1, 999), max_size=12), fitting=st.integers(4, 60))
def test_slots_touch_have_all_offsets_and_rise(edges: set[int], fitting: int) -> None:
    slots = folded_slots(0, 1000, edges, fitting)
    if slots is None:
        return
    assert (slots.first, slots.end) == (0, 1000)
    assert all(one[1] == other[0] for one, other in zip(slots.spans, slots.spans[1:], strict=False))
    assert slots.width <= fitting
    places = [slots.at(offset) for offset in range(1001)]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0.0, slots.width)
    for edge in edges:
        # An edge is never inside of a fold.
        assert not any(first < edge < end for first, end in slots.spans)


def test_cells_without_folds_stand_one_wide() -> None:
    slots = all_of(5, 9)

    assert [slots.at(offset) for offset in range(5, 10)] == [0, 1, 2, 3, 4]
    assert list(slots.open()) == [(5, 9)]


@pytest.mark.slow
def test_lost_records_of_a_recording_are_seen_beside_what_is_alike() -> None:
    """k0102-hw-loss, orders-0 at the cut that lost 206 to 253: both brokers have 204 records alike."""
    history, verdict = opened("k0102-hw-loss", "orders-0")
    (cut,) = [one.truncation for one in cuts_of(verdict) if one.lost]
    view = CellsView((Run("run", None, history, verdict),), (cut.seq + 1,), 800.0)

    marks = [mark for layer in lay_out_cells(view).layers for mark in layer.marks]
    texts = [mark.text for mark in marks if isinstance(mark, Text)]
    refs = {mark.ref for mark in marks if isinstance(mark, Box) and isinstance(mark.ref, Ref)}

    assert "0–203" in texts
    assert texts.count("204 alike") == len(history.replicas)
    lost = [ref for ref in refs if ref.kind == "cell" and "lost" in ref.text]
    assert {206, 253} <= {ref.key for ref in lost}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recording", "partition", "lost"),
    [
        # Broker 3 cut 256 to 208, and then 208 to 206: the two are one loss, that of broker 1.
        ("k0102-hw-loss", "audit-0", {"206–254"}),
        # At 90 to 100 broker 1 may hold others by then; 90 to 627 are lost, of them broker 2 had 90 to 344.
        ("k28-unclean-loss", "events-0", {"90–627", "90–344"}),
    ],
)
def test_rows_name_the_lost_offsets_that_are_counted(recording: str, partition: str, lost: set[str]) -> None:
    history, verdict = opened(recording, partition)
    at = max(one.truncation.seq for one in cuts_of(verdict) if one.lost) + 1
    view = CellsView((Run("run", None, history, verdict),), (at,), 1000.0)

    marks = [mark for layer in lay_out_cells(view).layers for mark in layer.marks]
    told = [mark.text for mark in marks if isinstance(mark, Text) and " lost" in mark.text]
    assert {text.partition(" ")[0] for text in told} == lost
