"""What a person names in a trace: a partition, a moment."""

import re
from collections.abc import Sequence
from typing import Final

from core.errors import QuestionError
from core.message import Listing, Message, message
from core.trace.ids import Cursor, Nanos
from core.trace.times import parse_time, rfc3339
from core.trace.trace import Trace
from core.trace.units import DAY_NS

_MOST_NAMED: Final = 12
"""Partitions that an error names."""
_WITHOUT_DATE: Final = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d")
"""How a time of day begins."""


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
    """`--at`: an integer is a cursor; anything else a time, in ns, after all events up to then.

    A time without a date is that of the day on which the trace has it. Raises QuestionError, also where no
    day of the trace has it, or several have.
    """
    if re.fullmatch(r"\d+", text.strip()):
        cursor = int(text)
        if cursor > len(trace):
            raise QuestionError(
                message("error.command.position", number=cursor),
                advice=message("error.command.positions", last=len(trace)),
            )
        return Cursor(cursor), None
    moment = _on_its_day(trace, text.strip()) if _WITHOUT_DATE.match(text.strip()) else parse_time(text)
    return trace.cursor_at(moment), moment


def _on_its_day(trace: Trace, text: str) -> Nanos:
    """The moment of a time of day between the first and the last event of a trace."""
    times = trace.columns["at"]
    first, last = (int(times.min()), int(times.max())) if len(times) else (0, 0)
    days = range(first // DAY_NS - 1, last // DAY_NS + 2)
    moments = [parse_time(f"{rfc3339(day * DAY_NS)[:10]}T{text}") for day in days]
    within = [moment for moment in moments if first <= moment <= last]
    if len(within) != 1:
        raise QuestionError(
            message("error.command.time.days", text=text)
            if within
            else message("error.command.time.no-day", text=text),
            advice=message("error.command.time.date", first=rfc3339(first), last=rfc3339(last)),
        )
    return within[0]
