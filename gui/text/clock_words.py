"""From a row on a clock in an import report to words: what must be added to the stamps of that clock."""

from collections.abc import Mapping
from typing import Any

from core.message import Message, message
from core.trace.units import HOUR_NS, MILLISECOND_NS, MINUTE_NS, SECOND_NS


def duration(nanos: int) -> str:
    """A difference of clocks with its sign: "+37 ms", "−2 s", "+1 h"."""
    sign = "−" if nanos < 0 else "+" if nanos > 0 else ""
    size = abs(nanos)
    for unit, of in (
        ("h", HOUR_NS),
        ("min", MINUTE_NS),
        ("s", SECOND_NS),
        ("ms", MILLISECOND_NS),
        ("µs", 1_000),
    ):
        if size >= of and (size % of == 0 or unit in ("s", "ms", "µs")):
            return f"{sign}{size / of:.3f}".rstrip("0").rstrip(".") + f" {unit}"
    return f"{sign}{size} ns" if size else "0"


def to_be_added(row: Mapping[str, Any]) -> Message | None:
    """The bounds of what is added to a clock, from `clocks` of a report; None where nothing bounds it."""
    lo, hi = row["add_ns"]["lo"], row["add_ns"]["hi"]
    if lo is None and hi is None:
        return None
    if lo is None:
        return message("clock-words.at-most", hi=duration(hi))
    if hi is None:
        return message("clock-words.at-least", lo=duration(lo))
    return message("clock-words.between", lo=duration(lo), hi=duration(hi))
