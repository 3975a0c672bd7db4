"""A log that ends in the middle of a line: it was cut off there, and its broker went on."""

from dataclasses import replace
from typing import Final

import numpy as np

from importers.kafka.drafts import Fact
from importers.lines.arrangements import split_ending
from importers.lines.layout import STOCK, Layout
from importers.lines.parsed import Drafts

CUT_OFF: Final = "cut_off"
"""The fact that a log was cut off, at the time of its last record."""


def told_of_its_end(drafts: Drafts, data: bytes, layout: Layout, base: int) -> Drafts:
    """The drafts of a text, with the fact that it was cut off where it ends in the middle of a line.

    What was to follow a number is missing then, and so may be its last digits: the line states nothing. In
    the stock layout a line ends with its logger. In others a last line without its end may be whole, as text
    is pasted: it states nothing only if it ends with a digit.
    """
    if data.endswith(b"\n") or not len(drafts.stamps):
        return drafts
    last = int(drafts.bytes[-1])
    text = data[last - base :]
    stock = layout.name == STOCK.name
    alone = b"\n" not in text
    if alone and stock and split_ending(text.rstrip(b"\r"))[1]:
        return drafts
    told = Fact(CUT_OFF, "", int(drafts.stamps[-1]), last, int(drafts.lines[-1]))
    drafts = replace(drafts, facts=(*drafts.facts, told))
    if alone and (stock or text[-1:].isdigit()):
        kept = np.flatnonzero(drafts.drafts.columns["byte"] != last)
        return replace(
            drafts,
            drafts=drafts.drafts.taken(kept),
            facts=tuple(one for one in drafts.facts if one.byte != last or one is told),
        )
    return drafts
