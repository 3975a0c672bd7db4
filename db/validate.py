"""A document is input from strangers: what is asked of a file before anything of it is believed.

`harden` belongs on every connection, right after it is made (db.engine). `checked` is called once for each
opening, after the version is known and before anything else is read (db.document). What it does not look at,
as it would have to read the whole file for it, is checked where it is read: columns of chunks (db.chunks,
db.codec), kept lines (db.lines), dictionaries, triage, notes, ties and lanes, each by db.allowed and
db.shapes. All of them raise ValueError, which db.engine.told tells as "It is damaged".
"""

import re
import sqlite3
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from core.errors import DocumentError
from core.message import message
from db import budgets
from db.allowed import check_rows
from db.tables import Base, ChunkRow, DocumentRow, TraceRow, table_of

_SINCE: Final = {"summary": "0002", "finding": "0002", "tie": "0003", "lane": "0005"}
"""The version since which a document has a table, where not since the first."""
_UNTIL: Final = {"rare_event": ("0007", "ix_rare_event_kind")}
"""The version since which a document has a table and its index no more. Nothing of them is read."""
_NEW_COLUMNS: Final = {
    "note": (
        "0004",
        ("end_key", "end_position", "end_partition", "end_ordinal", "end_broker", "colour", "shape"),
    ),
    "summary": ("0006", ("message",)),
    "finding": ("0006", ("message",)),
}
"""By table: columns that it has since a version."""
_OLD_COLUMNS: Final = {
    "summary": ("0006", ("reason", "reason_zh")),
    "finding": ("0006", ("text", "text_zh")),
}
"""By table: columns that it had before a version."""
_OWN_OF_SQLITE: Final = frozenset({"sqlite_sequence", "sqlite_stat1", "sqlite_stat4"})
"""Tables that SQLite makes itself, for ids that are not used again and after ANALYZE."""
_VERSION_TABLE: Final = "alembic_version"
_STRANGE: Final = re.compile(r"\b(CHECK|COLLATE|GENERATED|VIRTUAL)\b", re.IGNORECASE)
"""What no table of ours says: it would run when a row is checked or compared."""
_SMALL_TABLES: Final = (_VERSION_TABLE, "document", "trace", "broker", "note")
"""Tables whose pages are checked in a document of any size."""
_LIMITS: Final = (
    (sqlite3.SQLITE_LIMIT_LENGTH, budgets.MOST_CELL_BYTES),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 1024**2),
    (sqlite3.SQLITE_LIMIT_COLUMN, 200),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 200),
    (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 50),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 10),
)
"""What our statements need, with room; a schema made by a stranger is held to it, too."""
_EVERY: Final = 100_000
"""Steps of SQLite's machine after which it asks whether to go on."""


def harden(connection: sqlite3.Connection) -> None:
    """Set up a connection for a file of a stranger: nothing in its schema is run, cells are checked.

    For each connection that db.engine makes, before any other statement. Nothing is read for it.
    """
    for limit, value in _LIMITS:
        connection.setlimit(limit, value)
    for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0"):
        connection.execute(f"PRAGMA {pragma}")


def checked(connection: sa.Connection, path: Path, version: str) -> None:
    """Raise DocumentError unless a file has the tables of that version, nothing else, and plausible sizes.

    A document within the budgets of db.budgets passes, whatever it holds: rows are checked as they are read.
    Raises sqlite3.Error or SQLAlchemy's where SQLite itself finds damage, which db.engine.told tells.
    """
    try:
        with bounded(connection, path):
            _check_schema(connection, version)
            _check_pages(connection)
            _check_traces(connection)
    except ValueError as error:
        raise _damaged(path, str(error)) from error


def _damaged(path: Path, why: str) -> DocumentError:
    return DocumentError(
        message("error.document.cannot-open"),
        why=message("error.document.damaged.why", why=why),
        where=str(path),
        advice=message("error.document.damaged.way-out"),
    )


@contextmanager
def bounded(connection: sa.Connection, path: Path) -> Generator[None]:
    """Within it SQLite takes at most MOST_STEPS steps; then DocumentError is raised.

    For whatever is asked of a file before `checked` has passed: a table may be a view that never ends.
    """
    raw = connection.connection.driver_connection
    if not isinstance(raw, sqlite3.Connection):
        message = f"a document is read by {type(raw)}"
        raise TypeError(message)
    left = budgets.MOST_STEPS // _EVERY

    def step() -> int:
        nonlocal left
        left -= 1
        return left < 0

    raw.set_progress_handler(step, _EVERY)
    try:
        yield
    except DBAPIError as error:
        if left >= 0:
            raise
        raise _damaged(path, "to check it takes longer than any document needs") from error
    finally:
        raw.set_progress_handler(None, 0)


def _check_schema(connection: sa.Connection, version: str) -> None:
    tables = {
        table.name: table
        for table in Base.metadata.sorted_tables
        if version >= _SINCE.get(table.name, version)
    }
    indexes = {str(index.name) for table in tables.values() for index in table.indexes}
    gone = {name: index for name, (until, index) in _UNTIL.items() if version < until}
    indexes.update(gone.values())
    found: set[str] = set()
    # The list of the schema may be longer than any that is ours.
    most = 4 * (len(tables) + len(gone) + len(indexes))
    asked = f"SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT {most}"  # noqa: S608 - a number
    for kind, name, table, sql in connection.exec_driver_sql(asked):
        if kind == "table" and (name in tables or name in gone or name == _VERSION_TABLE):
            found.add(name)
        elif not (
            (kind == "table" and name in _OWN_OF_SQLITE)
            or (kind == "index" and (name in indexes or str(name).startswith("sqlite_autoindex_")))
        ):
            message = f"it has a {kind} {name}, which no version of this program makes"
            raise ValueError(message)
        if _STRANGE.search(sql or "") or (kind == "table" and name != table):
            message = f"the {kind} {name} was not made by this program"
            raise ValueError(message)
    missing = (tables.keys() | gone.keys()) - found
    if missing:
        message = f"it lacks the table {', '.join(sorted(missing))}"
        raise ValueError(message)
    for name, table in tables.items():
        later = _changed_since(version, name, _NEW_COLUMNS)
        _check_columns(connection, table, later, _changed_since(version, name, _OLD_COLUMNS))


def _changed_since(
    version: str, table: str, columns: Mapping[str, tuple[str, tuple[str, ...]]]
) -> tuple[str, ...]:
    """Those of some columns that came to a table, or went, after a version."""
    changed, names = columns.get(table, ("", ()))
    return names if version < changed else ()


def _check_columns(
    connection: sa.Connection, table: sa.Table, later: Iterable[str], earlier: Iterable[str]
) -> None:
    """Names, keys, and that each is stored. Types of values are checked row by row: SQLite does not.

    `later` are columns that the document has not yet, `earlier` those that it still has.
    """
    rows = connection.exec_driver_sql(f'PRAGMA table_xinfo("{table.name}")').all()
    found = {row[1]: (row[5], row[6]) for row in rows}
    keys = {column.name: place for place, column in enumerate(table.primary_key, start=1)}
    wanted = {column.name: (keys.get(column.name, 0), 0) for column in table.columns}
    for name in later:
        del wanted[name]
    wanted.update(dict.fromkeys(earlier, (0, 0)))
    odd = {name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name)}
    if odd:
        message = f"the table {table.name} has other columns or keys: {', '.join(sorted(map(str, odd)))}"
        raise ValueError(message)


def _check_pages(connection: sa.Connection) -> None:
    """SQLite's own check: of all pages of a small document, of the small tables of a large one."""
    pages, size = (
        connection.exec_driver_sql(f"PRAGMA {what}").scalar_one() for what in ("page_count", "page_size")
    )
    whole = pages * size <= budgets.CHECKED_WHOLE_BYTES
    for pragma in ("quick_check(1)",) if whole else tuple(f"quick_check({name})" for name in _SMALL_TABLES):
        said = connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()
        if said != "ok":
            message = str(said).replace("*** in database main ***", "").strip()
            raise ValueError(message)


def _check_traces(connection: sa.Connection) -> None:
    """That the chunks and their parts hold as many events as the traces say."""
    for table in map(table_of, (DocumentRow, TraceRow, ChunkRow)):
        check_rows(connection, table)
    said = {row[0]: row[1] for row in connection.exec_driver_sql("SELECT id, events FROM trace")}
    for name in ("chunk", "chunk_part"):
        summed = f"SELECT trace_id, total(events) FROM {name} GROUP BY trace_id"  # noqa: S608 - our own names
        held = {row[0]: row[1] for row in connection.exec_driver_sql(summed)}
        for trace_id in said.keys() | held.keys():
            if said.get(trace_id, 0) != held.get(trace_id, 0):
                message = (
                    f"trace {trace_id} should have {said.get(trace_id, 0):,} events, "
                    f"its chunks hold {held.get(trace_id, 0):,.0f}"
                )
                raise ValueError(message)
