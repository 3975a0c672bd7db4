"""Which files of a data set are opened for some partitions: each says which ones its rows are of."""

import pytest

from importers.prepared.data_set import _holds


@pytest.mark.parametrize(
    ("span", "wanted", "opened"),
    [
        (None, [3], True),  # a data set of before spans were written
        ((2, 5, False), [2], True),
        ((2, 5, False), [5], True),
        ((2, 5, False), [1, 6], False),
        ((2, 5, True), [9], True),  # rows of no partition tell of the brokers of all
        ((None, None, True), [9], True),
        ((None, None, False), [9], False),
        ((-1, 5, False), [9], True),  # a partition that the manifest does not name: it is looked at
    ],
)
def test_a_file_is_opened_where_it_may_hold_rows(
    span: tuple[int | None, int | None, bool] | None, wanted: list[int], *, opened: bool
) -> None:
    assert bool(_holds(span, wanted)) is opened
