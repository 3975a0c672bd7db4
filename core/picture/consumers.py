"""How far consumers have read, in simulated runs: positions under the high watermark of who serves them."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.picture.lane import Lane, seqs_of_kind
from core.picture.marks import Line, Text
from core.picture.sheet import Depth, Sheet
from core.trace.broker_names import broker_name
from core.trace.trace import Event
from core.words import said

_DOTS = (1.0, 3.0)
_RANK = 14
"""Behind what happens to the log itself."""


def consumers(lane: Lane, sheet: Sheet) -> None:
    """The position of each consumer, while this replica serves it: a dotted line that rises with each answer.

    A position is the offset that a consumer asks for next. It stands until the next answer, whoever gives it.
    """
    for number, reads in _reads(lane).items():
        ends = [lane.axis.x(read.seq + 1) for read in reads[1:]] + [lane.axis.right]
        for at, (read, end) in enumerate(zip(reads, ends, strict=True)):
            position = read.get("offset")
            if read.get("replica") != lane.broker or position is None or end < lane.axis.left:
                continue
            served = at and reads[at - 1].get("replica") == lane.broker
            before = reads[at - 1].get("offset") if served else read.get("from_offset")
            _reading_span(lane, number, read, (before or 0, position), end, sheet)


def _reads(lane: Lane) -> Mapping[int, Sequence[Event]]:
    """By consumer its answers on the axis, after the last one before them: that one still stands."""
    seqs, whose = seqs_of_kind(lane.history, "consumed"), lane.trace.columns["aux"]
    first, end = seqs.searchsorted([lane.axis.first, lane.axis.last])
    before = seqs[:first][::-1]
    _, last = np.unique(whose[before], return_index=True)
    found: dict[int, list[Event]] = {}
    for seq in (*before[last].tolist(), *seqs[first:end].tolist()):
        read = lane.trace.event(seq)
        found.setdefault(read.get("aux") or 0, []).append(read)
    return found


def _reading_span(
    lane: Lane, number: int, read: Event, values: tuple[int, int], end: float, sheet: Sheet
) -> None:
    first, position = values
    x = max(lane.axis.x(read.seq + 1), lane.axis.left)
    below, y = lane.offsets.y(first), lane.offsets.y(position)
    who = broker_name(lane.trace, lane.broker)
    ref = lane.event_ref(
        read.seq,
        said("picture.consumer.read", number=number, position=position, who=who),
    )
    sheet.add(
        Depth.BOUND,
        Line(((x, below), (x, y)), "text", dash=_DOTS, ref=ref),
        Line(((x, y + 2.5), (end, y + 2.5)), "text", 1.5, dash=_DOTS, ref=ref),
    )
    words = said("picture.consumer.at", number=number, position=position)
    sheet.wish(_RANK, [Text(x + 4, y + 13, words, "text.2", 10, plate=True, ref=ref)])
