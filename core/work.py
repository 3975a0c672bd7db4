"""How long work reports progress and learns that it should stop."""

import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Final, TypeAlias

from core.errors import CancelledError
from core.message import Message, message

Progress: TypeAlias = Callable[[int, int, Message | None], None]
_TOLD_EVERY: Final = 0.25
"""Seconds between two tellings of what is known so far: time to read a row."""
_MOST_OF_WORK: Final = 0.005
"""The share of its time that work may spend on telling."""


def _no_progress(_done: int, _total: int, _what: Message | None) -> None:
    """Report to nobody."""


def _never() -> bool:
    """Never asked to stop."""
    return False


@dataclass(frozen=True, slots=True)
class Work:
    """Passed into every long function. `progress(done, total, what)` has total 0 where it is not known.

    `what` is None where nothing new is said of what is done. `found` is told a value of what is known so
    far, while the rest is still worked on; None where nobody looks at it.
    """

    progress: Progress = _no_progress
    stopped: Callable[[], bool] = _never
    found: Callable[[object], None] | None = None

    def step(self, done: int, total: int, what: Message | None = None) -> None:
        """Report progress, and raise CancelledError if the person stopped the work."""
        if self.stopped():
            raise CancelledError(
                message("error.stopped.work"), background=message("error.stopped.nothing-kept")
            )
        self.progress(done, total, what)


QUIET = Work()


class Teller:
    """Tells what is known so far now and then: of the time of the work it takes at most a small share."""

    def __init__(self, work: Work, clock: Callable[[], float] = monotonic) -> None:
        """Nothing was told yet."""
        self._found, self._clock, self._due = work.found, clock, clock()

    @property
    def is_heard(self) -> bool:
        """Whether somebody looks at what is told."""
        return self._found is not None

    def tell(self, make: Callable[[], object], *, last: bool = False) -> None:
        """Tell what `make` gives where it is time for it; `last` is told in any case."""
        if self._found is None:
            return
        begun = self._clock()
        if begun >= self._due or last:
            self._found(make())
            ended = self._clock()
            self._due = ended + max(_TOLD_EVERY, (ended - begun) / _MOST_OF_WORK)


class _Frozen:
    """Whether somebody has frozen objects: asked of Python until it is so.

    It counts them one by one, a million in 10 ms. Where there are none it takes no time.
    """

    seen = False

    @classmethod
    def any(cls) -> bool:
        cls.seen = cls.seen or gc.get_freeze_count() > 0
        return cls.seen


@contextmanager
def without_collector() -> Generator[None]:
    """Nothing made within is part of a cycle, and the search for cycles would cost a fifth of it, or more.

    What was made is put with the oldest objects at the end, else the next search would go through all of it.
    Nothing is put there where somebody has frozen objects: they are to stay frozen.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            if not _Frozen.any():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
