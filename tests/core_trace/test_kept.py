"""Packed lines are the lines that were put in, wherever one looks."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.trace.kept import KeptLines, kept_block, with_more
from core.trace.trace import KeptLine

PLACES = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 30)), unique=True).map(sorted)


def line_at(source: int, line: int) -> KeptLine:
    return KeptLine(source, line, line * 7, f"{source}: Größe {line}\t")


def packed(places: list[tuple[int, int]], size: int) -> KeptLines:
    blocks = []
    for source in sorted({source for source, _ in places}):
        lines = [line for one, line in places if one == source]
        for at in range(0, len(lines), size):
            some = np.array(lines[at : at + size])
            texts = [line_at(source, line).text for line in some.tolist()]
            blocks.append(kept_block(source, some, some * 7, texts))
    return KeptLines(blocks)


@given(PLACES, PLACES, st.integers(1, 5))
def test_lines_are_found_by_number_and_by_place(
    places: list[tuple[int, int]], others: list[tuple[int, int]], size: int
) -> None:
    lines = packed(places, size)
    expected = tuple(line_at(*place) for place in places)

    assert tuple(lines) == expected
    assert lines == expected
    assert [lines[at] for at in range(len(lines))] == list(expected)
    assert lines[1:-1] == expected[1:-1]
    for place in (*places, *others):
        assert lines.place(*place) == len([one for one in places if one < place])

    more = with_more(lines, packed(others, 3).blocks)
    assert tuple(more) == tuple(line_at(*place) for place in sorted({*places, *others}))
