"""The lines of a log that a trace keeps: each once, however many there are."""

import numpy as np

from importers.lines.evidence import Quotes, blocks_of


def test_more_lines_than_a_block_has_are_kept_once_each() -> None:
    """A block has 256 of them."""
    texts = [f"line {number}" for number in range(1, 601)]
    lengths = np.array([sum(len(text) + 1 for text in texts)])
    whole = Quotes(np.array([1]), np.array([0]), lengths, "".join(f"{text}\n" for text in texts).encode())

    blocks = list(blocks_of(0, [whole], np.arange(1, 601)))

    assert [number for block in blocks for number in block.lines.tolist()] == list(range(1, 601))
    assert [text for block in blocks for text in block.texts()] == texts
