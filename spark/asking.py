"""What each partition tells of clocks and order, found by workers: most of the work of ordering is that.

The driver puts the columns of the items that tell something, sorted by partition, beside the output. A worker
takes a part of them, makes values of it, asks (importers/merge/apart.py) and answers with numbers alone.
"""

# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import SparkSession

from core.errors import DocumentError, Facts
from core.message import message
from core.trace.columns import Columns
from core.work import Work, without_collector
from importers.lines.items import Items
from importers.lines.statements import NONE, TEXTS, TYPES, Statements
from importers.merge.apart import Ask, Question, ask_here, parts_of
from importers.prepared.arrow_rows import from_table, schema_of, to_batch
from spark.session import told_to_all
from spark.shelf import Lent, Shelf
from spark.target import cannot_write
from spark.watch import watched
from spark.workers import in_workers

_ITEMS: Final = ".items"
_PLACE: Final = ("at", "rank", "source", "broker")


@dataclass(frozen=True, slots=True)
class Asked:
    """What every worker is told once: where the items lie, of which part, and what is asked.

    `edges` are where the parts begin, and the end. `rules` are the texts that a question reads.
    """

    folder: str
    places: Lent
    said: Lent
    rules: Mapping[int, str]
    lists: tuple[tuple[int, ...], ...]
    edges: Sequence[int]
    question: Question


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker answers of a part: its number, and the rows as bytes, or why it found no items."""

    part: int
    rows: bytes = b""
    fault: Facts | None = None


def by_workers(session: SparkSession, folder: Path, part_items: int, work: Work) -> Ask:
    """Has workers ask of parts of about so many items; fewer are asked of here, as a job would cost more.

    What is asked raises DocumentError where a worker does not find the items.
    """

    def ask(items: Items, question: Question) -> Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        if len(items) <= part_items:
            return ask_here(items, question)
        order, edges = parts_of(items, part_items)
        with Shelf(folder, _ITEMS) as shelf:
            answers = _answers(session, asked_of(items, order, edges, question, shelf, folder), work)
        for one in answers:
            if one.fault is not None:
                raise DocumentError.of(one.fault)
        rows = {one.part: one.rows for one in answers}
        width = question(()).shape[1]
        return [
            (order[first:end], np.frombuffer(rows[part], np.int64).reshape(-1, width))
            for part, (first, end) in enumerate(pairwise(edges))
        ]

    return ask


def asked_of(
    items: Items,
    order: NDArray[np.int64],
    edges: Sequence[int],
    question: Question,
    shelf: Shelf,
    folder: Path,
) -> Asked:
    """Items in an order, on a shelf with a name."""
    said = items.said.taken(order)

    # One column after the other: together they would be most of the driver's memory.
    def make(name: str) -> NDArray[Any]:
        return said.columns[name]

    places = shelf.put({name: getattr(items, name)[order] for name in _PLACE})
    columns = shelf.put(Columns(TYPES, len(order), make))
    rules = {number: said.texts[number] for number in np.unique(said.columns["rule"]).tolist()}
    lent = shelf.lent(places), shelf.lent(columns)
    return Asked(str(folder), *lent, rules, said.lists, edges, question)


def _answers(session: SparkSession, asked: Asked, work: Work) -> list[Answer]:
    told = told_to_all(session, asked)
    parts = len(asked.edges) - 1
    numbers = session.range(0, parts, 1, parts)
    done = in_workers(numbers, partial(in_worker, told=told), schema_of(Answer))
    table = watched(session, done.toArrow, message("progress.order"), work)
    told.unpersist()
    return from_table(Answer, table)


def in_worker(batches: Iterable[pa.RecordBatch], told: Any) -> Iterator[pa.RecordBatch]:  # noqa: ANN401
    """For mapInArrow: rows are numbers of parts; out comes what was found."""
    for batch in batches:
        for part in batch.column(0).to_pylist():
            yield to_batch(Answer, [answer(told.value, part)])


def answer(asked: Asked, part: int) -> Answer:
    """Ask of one part."""
    first, end = asked.edges[part], asked.edges[part + 1]
    try:
        places, said = asked.places.part(first, end), asked.said.part(first, end)
    except OSError as error:
        return Answer(part, fault=cannot_write(Path(asked.folder), error).facts)
    at, rank, source, broker = (places[name] for name in _PLACE)
    items = Items(at, rank, source, broker, _statements(said, asked))
    with without_collector():
        rows = asked.question(list(items))
    return Answer(part, np.ascontiguousarray(rows, dtype=np.int64).tobytes())


def _statements(columns: dict[str, NDArray[Any]], asked: Asked) -> Statements:
    """Rows with texts: rules as they are called, all others by their number, which tells them apart."""
    known = np.unique(np.concatenate([columns[name] for name in TEXTS]))
    known = known[known != NONE]
    for name in TEXTS:
        columns[name] = np.where(columns[name] == NONE, NONE, np.searchsorted(known, columns[name]))
    texts = tuple(asked.rules.get(number, str(number)) for number in known.tolist())
    return Statements(columns, texts, asked.lists)
