"""A question in SQL about tables of the contract: DuckDB answers; it can write nothing and read nothing else.

The question is planned over empty tables first. What the plan reads is then read, and nothing else: tables
and columns that it does not name stay where they are.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

import datetime as dt
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from threading import Event, Thread
from typing import Any, Final

import duckdb
import pyarrow as pa

from core.errors import CancelledError, QuestionError
from core.message import message
from core.trace.times import rfc3339
from core.work import QUIET, Work
from gui.workspace.query_answer import Answer
from gui.workspace.query_tables import Tables
from importers.contract.columns import TABLES, arrow_type

_TYPES: Final = {
    "time": "TIMESTAMPTZ",
    "text": "VARCHAR",
    "int": "INTEGER",
    "long": "BIGINT",
    "flag": "BOOLEAN",
    "share": "DOUBLE",
    "ints": "INTEGER[]",
    "longs": "BIGINT[]",
    "texts": "VARCHAR[]",
}
"""What DuckDB calls the types of columns. It subtracts times of microseconds, and none of nanoseconds."""
_SETTINGS: Final = {
    "enable_external_access": "false",
    "python_enable_replacements": "false",
    "max_memory": "4GB",
}
_PLANNED: Final = re.compile(rf"\b({'|'.join(TABLES)})\.([a-z0-9_]+)")
_ASKS: Final = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
_POLL_S: Final = 0.1
_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_PLACE: Final = re.compile(r"\n+LINE \d+:.*", re.DOTALL)
"""How DuckDB shows where in the question it stopped."""


def ask(tables: Tables, sql: str, work: Work = QUIET) -> Answer:
    """What a question gives, all of it.

    Raises QuestionError for what is no question, for wrong SQL and where memory does not suffice;
    CancelledError from `work`; SourceError and DocumentError where what is stored is damaged.
    """
    with _understood(sql):
        read = _read_by(sql)
    with _connected() as connection:
        for table, columns in TABLES.items():
            needed = read.get(table, frozenset())
            there = tables.read(table, needed) if needed else None
            if there is not None:
                connection.register(_inner(table), there)
            # Names and types are those of the contract: nothing in it comes from outside.
            shown = (
                f'"{one.name}"::{_TYPES[one.kind]} AS "{one.name}"'
                if one.name in needed
                else f'NULL::{_TYPES[one.kind]} AS "{one.name}"'
                for one in columns
            )
            source = f'FROM "{_inner(table)}"' if there is not None else "WHERE false"
            connection.execute(f'CREATE VIEW "{table}" AS SELECT {", ".join(shown)} {source}')
        _lock(connection)
        with _understood(sql), _stopped_by(work, connection):
            found = connection.sql(sql).to_arrow_table()
    return _answer(found)


def _read_by(sql: str) -> Mapping[str, frozenset[str]]:
    """The columns that a question reads, by table. Raises duckdb.Error, QuestionError."""
    with _connected() as connection:
        for table, columns in TABLES.items():
            # A scan tells the names of its columns, and not that of its table.
            empty = pa.schema(
                [(f"{table}.{one.name}", arrow_type(one.kind)) for one in columns]
            ).empty_table()
            connection.register(_inner(table), empty)
            shown = (f'"{table}.{one.name}"::{_TYPES[one.kind]} AS "{one.name}"' for one in columns)
            connection.execute(f'CREATE VIEW "{table}" AS SELECT {", ".join(shown)} FROM "{_inner(table)}"')  # noqa: S608 - names are ours
        _lock(connection)
        statements = connection.extract_statements(sql)
        if len(statements) != 1 or statements[0].type not in _ASKS:
            raise QuestionError(
                message("error.query.no-question"), advice=message("error.query.no-question.way-out")
            )
        if statements[0].type == duckdb.StatementType.EXPLAIN:
            return {}
        plan = connection.execute(f"EXPLAIN (FORMAT JSON) {sql}").fetchall()
    read: dict[str, set[str]] = {}
    for table, column in _PLANNED.findall("\n".join(str(cell) for row in plan for cell in row)):
        if any(one.name == column for one in TABLES[table]):
            read.setdefault(table, set()).add(column)
    return {table: frozenset(columns) for table, columns in read.items()}


def _inner(table: str) -> str:
    return f"{table} as read"


@contextmanager
def _connected() -> Generator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect(":memory:", config=dict(_SETTINGS))
    try:
        connection.execute("SET TimeZone = 'UTC'")
        yield connection
    finally:
        connection.close()


def _lock(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("SET lock_configuration = true")


@contextmanager
def _understood(sql: str) -> Generator[None]:
    """DuckDB's errors as ours."""
    try:
        yield
    except duckdb.InterruptException as error:
        raise CancelledError(message("error.stopped.work")) from error
    except duckdb.OutOfMemoryException as error:
        raise QuestionError(
            message("error.query.memory"), advice=message("error.query.memory.way-out")
        ) from error
    except duckdb.Error as error:
        raise QuestionError(
            message("error.query.sql"),
            why=message("error.query.sql.why", words=_PLACE.sub("", str(error)).strip()),
            where=message("error.query.sql.where", sql=sql),
            advice=message("error.query.sql.way-out"),
        ) from error


@contextmanager
def _stopped_by(work: Work, connection: duckdb.DuckDBPyConnection) -> Generator[None]:
    """In the block a person who stops the work stops the question."""
    done = Event()

    def watch() -> None:
        while not done.wait(_POLL_S):
            if work.stopped():
                connection.interrupt()

    watching = Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def _answer(found: pa.Table) -> Answer:
    columns: Sequence[list[Any]] = [_plain_column(found.column(place)) for place in range(found.num_columns)]
    return Answer(tuple(found.column_names), tuple(zip(*columns, strict=True)))


def _plain_column(column: pa.ChunkedArray) -> list[Any]:
    return [_plain(value) for value in column.to_pylist()]


def _plain(value: Any) -> Any:  # noqa: ANN401 - any cell
    """A cell as JSON has it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dt.datetime):
        return rfc3339(_nanoseconds(value))
    if isinstance(value, pa.MonthDayNano):
        return _length(*value)
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    return value.hex() if isinstance(value, bytes) else str(value)


def _nanoseconds(value: dt.datetime) -> int:
    """Since 1970; without a zone it is UTC. Pandas' times, which are datetimes, have nanoseconds."""
    since = (value if value.tzinfo is not None else value.replace(tzinfo=dt.UTC)) - _EPOCH
    whole = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    return whole * 1_000 + int(getattr(value, "nanosecond", 0))


def _length(months: int, days: int, nanoseconds: int) -> str:
    """A length of time: 0:00:09.161, with a minus before it where it is negative."""
    sign = "-" if nanoseconds < 0 or days < 0 or months < 0 else ""
    rest = dt.timedelta(days=abs(days), microseconds=abs(nanoseconds) // 1_000)
    return f"{sign}{f'{abs(months)} months ' if months else ''}{rest}"
