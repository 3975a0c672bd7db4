"""How far reading has come: what is read, how fast, and how long it will take."""

from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Final

from core.message import Message, message
from core.work import Work

_SETTLED: Final = 2.0
"""Seconds after which a rate means something."""
_KIB: Final = 1024


class Pace:
    """Progress over the bytes on disk of all sources. Steps are counted in KiB."""

    def __init__(self, work: Work, total: int) -> None:
        """Reading `total` bytes begins now."""
        self._work, self.total, self._begun = work, total, monotonic()

    def over(self, name: str, behind: Callable[[], int]) -> Work:
        """The work to hand to the reader of one member; `behind` tells how many bytes are read of all."""
        label = name.rsplit("/", 1)[-1]

        def progress(_done: int, _total: int, _what: Message | None) -> None:
            done = behind()
            seconds = monotonic() - self._begun
            what = said(label, done, self.total, seconds)
            self._work.progress(done // _KIB, self.total // _KIB, what)

        return replace(self._work, progress=progress)


def said(name: str, done: int, total: int, seconds: float) -> Message:
    """What is read, with the rate and the time left as soon as somebody can know."""
    if seconds < _SETTLED or done <= 0:
        return message("progress.named", name=name)
    speed = done / seconds
    left = max(0.0, total - done) / speed
    rate = f"{speed / 1e6:.1f}"
    if left >= 90:
        return message("progress.pace.minutes", name=name, rate=rate, left=round(left / 60))
    return message("progress.pace", name=name, rate=rate, left=round(left))
