"""Work counted in calls of functions: the same on every machine, however busy it is."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType


class Calls:
    """How many functions were called, of Python and of C, in the thread that counts."""

    def __init__(self) -> None:
        """None yet."""
        self.made = 0

    def seen(self, _frame: FrameType, event: str, _argument: object) -> None:
        """For sys.setprofile, which is told of each call and of each return."""
        if event in ("call", "c_call"):
            self.made += 1


@contextmanager
def counting() -> Generator[Calls]:
    """Count the calls that this thread makes within; those of other threads are not counted."""
    calls, before = Calls(), sys.getprofile()
    sys.setprofile(calls.seen)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def calls_of(work: Callable[[], object]) -> int:
    """How many calls a piece of work takes."""
    with counting() as calls:
        work()
    return calls.made
