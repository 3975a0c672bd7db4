"""Work in several processes, one for each core: the same results in the same order.

The columns of a trace are written to a temporary file once, which all processes look at, so that no process
holds its own.
"""

import gc
import os
import shutil
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Generic, Self, TypeVar

import numpy as np

from core.errors import CancelledError, EndedError
from core.leftovers import Scratch, scratch_folder
from core.message import message
from core.trace.trace import DTYPES, Column, Trace

T = TypeVar("T")
R = TypeVar("R")
K = TypeVar("K")

_AHEAD: Final = 3
"""So many items a process are given out before their results are taken: what bounds the results held."""
_LOOKED_AFTER: Final = 0.1
"""Seconds between two looks whether a person stopped the work."""
_SPAWN: Final = get_context("spawn")


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(
    trace: Trace,
    function: Callable[[Trace, T], R],
    items: Iterable[T],
    jobs: int,
    waiting: Callable[[], None],
) -> Iterator[R]:
    """`function(trace, item)` of each item, in order, by so many processes.

    `waiting` is called as `Workers` does. Where there is no room for a temporary file this process does all
    of it.
    """
    try:
        shared = _shared(trace)
    except OSError:
        # No room for what they would all look at.
        yield from (function(trace, item) for item in items)
        return
    rest = replace(trace, columns={}, facts=dict(trace.facts), report={})
    begin = partial(_with_columns, str(shared.path), rest, len(trace))
    with shared, Workers(jobs, begin, function, waiting, str(shared.path)) as workers:
        for item in items:
            workers.give(item)
            if workers.full:
                yield workers.take()
        while workers.given:
            yield workers.take()


class Share:
    """What a process and the one that began it both see: whether it should stop, and how much is done.

    Cells without a lock: a process that is killed leaves none behind that others would wait for. One cell is
    written by the process that works on an item, and read by the one that gave it.
    """

    def __init__(self, items: int) -> None:
        """Nothing is done yet of so many items, which are worked on at a time."""
        self._cells: Any = _SPAWN.RawArray("q", items + 1)
        self._own = 0

    def step(self, count: int = 0) -> None:
        """So much more is done, in whatever it is counted. Raises CancelledError where it should stop."""
        if self._cells[-1]:
            raise CancelledError(
                message("error.stopped.work"), background=message("error.stopped.nothing-kept")
            )
        self._cells[self._own] += count

    def stop(self) -> None:
        """From now on each step raises."""
        self._cells[-1] = 1

    def begin(self, own: int) -> None:
        """What is done from now on belongs to this item."""
        self._own = own

    def done(self, own: int) -> int:
        """How much of an item is done."""
        return self._cells[own]

    def clear(self, own: int) -> None:
        """Another item takes this place."""
        self._cells[own] = 0


class Workers(Generic[T, R]):
    """So many processes, which end with its context. Results come in the order in which items were given."""

    def __init__(
        self,
        jobs: int,
        begin: Callable[[Share], K],
        function: Callable[[K, T], R],
        waiting: Callable[[], None],
        folder: str = "",
    ) -> None:
        """`function(begin(share), item)` for each item; `begin` is called once in each process.

        Both are functions of a module; items and results are pickled. While no result is there `waiting` is
        called again and again: what it raises ends all processes. `folder` is removed by them where this
        process is killed.
        """
        self._share = Share(jobs * _AHEAD)
        told = folder, begin, function, self._share
        self._pool = ProcessPoolExecutor(jobs, _SPAWN, initializer=_begin, initargs=told)
        self._waiting = waiting
        self._given: deque[tuple[int, Future[Any]]] = deque()
        self._free = [*range(jobs * _AHEAD)]
        self._done = 0

    @property
    def given(self) -> int:
        """How many items were given whose results were not taken yet."""
        return len(self._given)

    @property
    def full(self) -> bool:
        """Whether a result must be taken before the next item is given: no more are held."""
        return not self._free

    @property
    def ready(self) -> bool:
        """Whether the next result is there."""
        return bool(self._given) and self._given[0][1].done()

    @property
    def done(self) -> int:
        """How much all of them have done, as they count it (`Share.step`)."""
        return self._done + sum(self._share.done(own) for own, _ in self._given)

    def give(self, item: T) -> None:
        """One more item. Raises EndedError."""
        own = self._free.pop()
        try:
            self._given.append((own, self._pool.submit(_one, own, item)))
        except BrokenProcessPool as error:
            raise _ended() from error

    def take(self) -> R:
        """The next result. Raises EndedError, what the function raised, and what `waiting` raises."""
        own, first = self._given[0]
        while not first.done():
            _wait(first)
            self._waiting()
        self._given.popleft()
        self._done += self._share.done(own)
        self._share.clear(own)
        self._free.append(own)
        try:
            return first.result()
        except BrokenProcessPool as error:
            raise _ended() from error

    def __enter__(self) -> Self:
        """They begin with the first item."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Stop whatever they still do, and wait for their end."""
        self._share.stop()
        self._pool.shutdown(cancel_futures=True)


def _ended() -> EndedError:
    """What is told of a process that was killed, or had no memory left."""
    return EndedError(
        message("error.process-ended"),
        why=message("error.process-ended.one-of-several"),
        advice=message("error.process-ended.way-out"),
    )


def _wait(one: Future[Any]) -> None:
    """Until a result is there, or for a moment."""
    ready = threading.Event()
    one.add_done_callback(lambda _: ready.set())
    ready.wait(_LOOKED_AFTER)


def _shared(trace: Trace) -> Scratch:
    """A temporary folder with a file for each column. Raises OSError."""
    scratch = scratch_folder()
    try:
        for name in DTYPES:
            trace.columns[name].tofile(scratch.path / name)
    except OSError:
        scratch.close()
        raise
    return scratch


def _read_columns(folder: Path, rows: int) -> Mapping[str, Column]:
    """The columns of such a folder; the system reads them when they are looked at, once for all processes."""
    if not rows:
        return MappingProxyType({name: np.empty(0, dtype) for name, dtype in DTYPES.items()})
    return MappingProxyType(
        {
            name: np.asarray(np.memmap(folder / name, dtype, "r", shape=(rows,)))
            for name, dtype in DTYPES.items()
        }
    )


def _with_columns(folder: str, trace: Trace, rows: int, _share: Share) -> Trace:
    """The trace that a process looks at."""
    return replace(trace, columns=_read_columns(Path(folder), rows))


class _Worker:
    """What a process was told at its start."""

    told: Any
    function: Callable[[Any, Any], Any]
    share: Share


def _begin(
    folder: str, begin: Callable[[Share], Any], function: Callable[[Any, Any], Any], share: Share
) -> None:
    """The start of a process."""
    # Ctrl+C reaches every process of a terminal: the first of them says what is to be done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # As in core/work.py: nothing that is made here is part of a cycle, and the process ends with its work.
    gc.disable()
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()
    _Worker.told = begin(share)
    _Worker.function = staticmethod(function)
    _Worker.share = share


def _end_with_parent(folder: str) -> None:
    """A process whose parent was killed has nobody to work for, and would wait for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)


def _one(own: int, item: object) -> object:
    """The result of one item."""
    _Worker.share.begin(own)
    _Worker.share.step()
    return _Worker.function(_Worker.told, item)
