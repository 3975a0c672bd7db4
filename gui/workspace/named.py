"""What a person names in a trace: a partition, a moment."""

import re
from collections.abc import Sequence
from typing import Final

from core.errors import QuestionError
from core.message import Listing, Message, message
from core.trace.ids import Cursor
from core.trace.times import parse_time
from core.trace.trace import Trace

_MOST_NAMED: Final = 12
"""Partitions that an error names."""


def partitions_of(trace: Trace, name: str | None) -> tuple[int, ...]:
    """Indexes of all partitions, by name, or of the one of that name. Raises QuestionError."""
    if name is None:
        order = [(partition.tp, index) for index, partition in enumerate(trace.partitions)]
        return tuple(index for _tp, index in sorted(order))
    index = trace.partition_index(name)
    if index is None:
        known = sorted(str(partition.tp) for partition in trace.partitions)
        raise QuestionError(message("error.command.partition", name=name), advice=_known(known))
    return (index,)


def _known(names: Sequence[str]) -> Message:
    """Which partitions there are, the first of them."""
    some = Listing(tuple(names[:_MOST_NAMED]))
    if len(names) > _MOST_NAMED:
        return message("error.command.partitions.more", names=some, number=len(names) - _MOST_NAMED)
    return (
        message("error.command.partitions", names=some) if names else message("error.command.partitions.none")
    )


def position_of(trace: Trace, text: str) -> tuple[Cursor, int | None]:
    """`--at`: an integer is a cursor; anything else a time, in ns, after all events up to then."""
    if re.fullmatch(r"\d+", text.strip()):
        cursor = int(text)
        if cursor > len(trace):
            raise QuestionError(
                message("error.command.position", number=cursor),
                advice=message("error.command.positions", last=len(trace)),
            )
        return Cursor(cursor), None
    moment = parse_time(text)
    return trace.cursor_at(moment), moment
