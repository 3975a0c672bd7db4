"""The leader epoch cache. Cases: the articles, KIP-101, KIP-279, KAFKA-7415 and recorded clusters."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kafka.epochs import NO_END, Entries, EpochEnd, assign, cut_end, end_of_epoch, latest_epoch
from core.kafka.switches import LookupBelow

ARTICLE: Entries = ((0, 0), (1, 100), (2, 250))
GAPS: Entries = ((2, 6), (4, 11), (7, 19))


@pytest.mark.parametrize(
    ("entries", "leo", "asked", "end"),
    [
        pytest.param(((0, 0), (1, 120)), 150, 0, EpochEnd(0, 120), id="epoch 0 holds 120 records"),
        pytest.param(ARTICLE, 300, 1, EpochEnd(1, 250), id="it ends where the next begins"),
        pytest.param(ARTICLE, 300, 2, EpochEnd(2, 300), id="the latest ends at the log end"),
        pytest.param(((0, 0),), 2, 0, EpochEnd(0, 2), id="hw-loss: B hears 2 for its epoch"),
        pytest.param(GAPS, 25, 5, EpochEnd(4, 19), id="an epoch in a gap: the one below, to the next start"),
        pytest.param(GAPS, 25, 4, EpochEnd(4, 19), id="an epoch before a gap"),
        pytest.param(((0, 0), (3, 30)), 36, 1, EpochEnd(0, 30), id="recorded: asked for 1, knows 0 and 3"),
        pytest.param(ARTICLE, 300, 3, NO_END, id="above all known: nobody can say"),
        pytest.param(ARTICLE, 300, -1, NO_END, id="the undefined epoch"),
        pytest.param((), 10, 0, NO_END, id="an empty cache"),
    ],
)
@pytest.mark.parametrize("below", ["undefined", "lowest-start"])
def test_where_an_epoch_ends(
    entries: Entries, leo: int, asked: int, end: EpochEnd, below: LookupBelow
) -> None:
    assert end_of_epoch(entries, leo, asked, below) == end


def test_an_epoch_below_all_known_was_undefined_until_kafka_7415() -> None:
    assert end_of_epoch(GAPS, 25, 1, "undefined") == NO_END
    assert end_of_epoch(GAPS, 25, 1, "lowest-start") == EpochEnd(1, 6)


def test_to_1_0_1_a_leader_without_entries_took_the_undefined_epoch_for_its_latest() -> None:
    assert end_of_epoch((), 10, -1, "undefined", "log-end").offset == 10
    assert end_of_epoch((), 10, 0, "undefined", "log-end") == NO_END
    assert end_of_epoch(ARTICLE, 300, -1, "undefined", "log-end") == NO_END


@pytest.mark.parametrize(
    ("entries", "epoch", "start", "after"),
    [
        pytest.param((), 0, 0, ((0, 0),), id="the first"),
        pytest.param(((0, 0),), 1, 2, ((0, 0), (1, 2)), id="a new epoch"),
        pytest.param(((0, 0), (1, 2)), 1, 5, ((0, 0), (1, 2)), id="the same epoch again"),
        pytest.param(((0, 0), (1, 186)), 2, 186, ((0, 0), (2, 186)), id="recorded: nothing written under 1"),
        pytest.param(((0, 0), (1, 10), (2, 20)), 3, 10, ((0, 0), (3, 10)), id="a start at or below others"),
        pytest.param(((0, 0), (4, 10)), 2, 20, ((0, 0), (2, 20)), id="a later epoch gives way"),
    ],
)
def test_an_entry_is_put_in(entries: Entries, epoch: int, start: int, after: Entries) -> None:
    assert assign(entries, epoch, start, "replaces") == after


@pytest.mark.parametrize(
    ("entries", "epoch", "start", "after"),
    [
        pytest.param((), 2, 9, ((2, 9),), id="the first"),
        pytest.param(((0, 0),), 1, 2, ((0, 0), (1, 2)), id="a new epoch"),
        pytest.param(((2, 9),), 3, 9, ((2, 9), (3, 9)), id="the same start: both stay"),
        pytest.param(((2, 6),), 3, 5, ((2, 6),), id="a smaller start is left out"),
        pytest.param(((1, 5), (2, 6)), 1, 7, ((1, 5), (2, 6)), id="an older epoch is left out"),
    ],
)
def test_to_2_0_0_a_contradicting_entry_is_left_out(
    entries: Entries, epoch: int, start: int, after: Entries
) -> None:
    assert assign(entries, epoch, start, "ignored") == after


def test_a_cut_drops_the_entries_that_start_at_or_above_it() -> None:
    assert cut_end(ARTICLE, 250) == ((0, 0), (1, 100))
    assert cut_end(ARTICLE, 251) == ARTICLE
    assert cut_end(ARTICLE, 0) == ()


def test_the_latest_epoch() -> None:
    assert latest_epoch(ARTICLE) == 2
    assert latest_epoch(()) == -1


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=12))
def test_entries_always_rise_in_both(puts: list[tuple[int, int]]) -> None:
    entries: Entries = ()
    for epoch, start in puts:
        entries = assign(entries, epoch, start, "replaces")
        assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(entries))
