"""Work on a trace in several processes, one for each core: the same results in the same order.

Columns are written to a temporary file once, which all processes look at, so that no process holds its own.
"""

import gc
import os
import shutil
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.synchronize import Event
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

import numpy as np

from core.errors import CancelledError
from core.leftovers import Scratch, scratch_folder
from core.message import message
from core.trace.trace import DTYPES, Column, Trace

T = TypeVar("T")
R = TypeVar("R")

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

    `function` is one of a module; items and results are pickled. While no result is there `waiting` is
    called again and again: what it raises ends all processes. Where there is no room for a temporary file
    this process does all of it.
    """
    try:
        shared = _shared(trace)
    except OSError:
        # No room for what they would all look at.
        yield from (function(trace, item) for item in items)
        return
    stop = _SPAWN.Event()
    rest = replace(trace, columns={}, facts=dict(trace.facts), report={})
    told = str(shared.path), rest, len(trace), function, stop
    with shared, ProcessPoolExecutor(jobs, _SPAWN, initializer=_begin, initargs=told) as pool:
        try:
            yield from _in_order(pool, items, jobs * _AHEAD, waiting)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def _in_order(
    pool: ProcessPoolExecutor, items: Iterable[T], most: int, waiting: Callable[[], None]
) -> Iterator[Any]:
    """The results of items in their order; at most so many are given out at a time."""
    left = iter(items)
    given: deque[Future[Any]] = deque(pool.submit(_one, item) for item in islice(left, most))
    while given:
        first = given.popleft()
        while not first.done():
            _wait(first)
            waiting()
        yield first.result()
        given.extend(pool.submit(_one, item) for item in islice(left, 1))


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


class _Worker:
    """What a process was told at its start."""

    trace: Trace
    function: Callable[[Trace, Any], Any]
    stop: Event


def _begin(folder: str, trace: Trace, rows: int, function: Callable[[Trace, Any], Any], stop: Event) -> None:
    """The start of a process."""
    # Ctrl+C reaches every process of a terminal: the first of them says what is to be done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # As in core/work.py: nothing that is made here is part of a cycle, and the process ends with its work.
    gc.disable()
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()
    _Worker.trace = replace(trace, columns=_read_columns(Path(folder), rows))
    _Worker.function = staticmethod(function)
    _Worker.stop = stop


def _end_with_parent(folder: str) -> None:
    """A process whose parent was killed has nobody to work for, and would wait for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)


def _one(item: object) -> object:
    """The result of one item."""
    if _Worker.stop.is_set():
        raise CancelledError(message("error.stopped.work"), background=message("error.stopped.nothing-kept"))
    return _Worker.function(_Worker.trace, item)
