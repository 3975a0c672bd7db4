"""Units of time in nanoseconds, the unit of every time in a trace.

A unit converts, and no more: how long something lasts is an assumption (core/assumptions.py).
"""

from typing import Final

MICROSECOND_NS: Final = 1_000
MILLISECOND_NS: Final = 1_000_000
SECOND_NS: Final = 1_000_000_000
MINUTE_NS: Final = 60 * SECOND_NS
QUARTER_NS: Final = 15 * MINUTE_NS
"""A quarter of an hour: zones are ahead of UTC by whole ones, and change their clocks only at them."""
HOUR_NS: Final = 60 * MINUTE_NS
DAY_NS: Final = 24 * HOUR_NS
