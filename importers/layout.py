"""How a line begins: stamp, level, message, logger. Found once per file."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

PROBE_BYTES: Final = 256 * 1024
"""A file is judged by its beginning: a stack trace may come first, but not for this long."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout by name, with the pattern of a record's head; plain text, so that it can be sent to a worker.

    Groups: 1 stamp down to the minute, 2 seconds, 3 milliseconds, 4 level. What follows the head up to the
    end of the line is the message, with the logger in its last parentheses.
    """

    name: str
    head: str

    def pattern(self) -> re.Pattern[bytes]:
        """The head as a compiled pattern for bytes, anchored at the beginning of a line."""
        return _compiled(self.head)


@lru_cache
def _compiled(head: str) -> re.Pattern[bytes]:
    return re.compile(head.encode(), re.MULTILINE)


STOCK: Final = Layout(
    "stock",
    r"^\[(\d{4}-\d\d-\d\d \d\d:\d\d):(\d\d),(\d{3})\] (TRACE|DEBUG|INFO|WARN|ERROR|FATAL) +",
)
"""`[%d] %p %m (%c)%n`: what every release from 0.8 to 4.2 ships. No zone in it."""

LAYOUTS: Final = (STOCK,)


def find_layout(data: bytes) -> Layout | None:
    """The layout that explains the beginning of a file, or None: not a log that is known."""
    probe = data[:PROBE_BYTES]
    for layout in LAYOUTS:
        if layout.pattern().search(probe):
            return layout
    return None
