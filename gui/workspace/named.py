"""What a person names in a trace: a partition, a moment."""

import re

from core.errors import QuestionError
from core.trace.ids import Cursor
from core.trace.times import parse_time
from core.trace.trace import Trace


def partitions_of(trace: Trace, name: str | None) -> tuple[int, ...]:
    """Indexes of all partitions, by name, or of the one of that name. Raises QuestionError."""
    if name is None:
        order = [(partition.tp, index) for index, partition in enumerate(trace.partitions)]
        return tuple(index for _tp, index in sorted(order))
    index = trace.partition_index(name)
    if index is None:
        known = sorted(str(partition.tp) for partition in trace.partitions)
        listed = ", ".join(known[:12]) + (f" and {len(known) - 12} more" if len(known) > 12 else "")
        raise QuestionError(f"There is no partition {name!r}", advice=f"There are {listed or 'none'}")
    return (index,)


def position_of(trace: Trace, text: str) -> tuple[Cursor, int | None]:
    """`--at`: an integer is a cursor; anything else a time, in ns, after all events up to then."""
    if re.fullmatch(r"\d+", text.strip()):
        cursor = int(text)
        if cursor > len(trace):
            raise QuestionError(f"There is no position {cursor}", advice=f"Positions are 0 to {len(trace)}")
        return Cursor(cursor), None
    moment = parse_time(text)
    return trace.cursor_at(moment), moment
