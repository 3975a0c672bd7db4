"""Connections to a document's file, its version, and the errors of a database told in words."""

import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, LiteralString, TypeAlias

import sqlalchemy as sa
from sqlalchemy.event import listen
from sqlalchemy.exc import DBAPIError

from core.errors import DocumentError, because
from core.message import message
from core.system_errors import reason
from db.owner import InUseError, keeps_wal, may_write
from db.recognise import APPLICATION_ID
from db.sqlite_errors import sqlite_advice, sqlite_reason
from db.tables import Base
from db.validate import bounded, harden

VERSION: Final = "0007"
"""The newest migration in db/migrations/versions: the version of documents that this program writes."""
_READ: Final = ("0001", "0002", "0003", "0004", "0005", "0006", VERSION)
"""Versions that are read as they are; one that is opened for writing becomes VERSION first."""
_VERSION_TABLE: Final = """
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL,
CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))
"""
"""What Alembic makes to know the version of a file."""
Doing: TypeAlias = Literal["opened", "read", "written"]
_CANNOT: Final[Mapping[Doing, LiteralString]] = {
    "opened": "error.document.cannot-open",
    "read": "error.document.cannot-read",
    "written": "error.document.cannot-write",
}
_WAIT_S: Final = 30.0
"""How long a change waits for those who read: one who reads all lines of a large document takes seconds."""


def connect(path: Path, *, write: bool) -> sa.Engine:
    """An engine on an existing file.

    Where the file can be written, reading opens it so, too, and then refuses every change: only so SQLite may
    take back what a killed process left half written. A change is on the disk when its transaction ends, and
    so is the end of its journal (synchronous=EXTRA): a note that was shown as saved outlives a power loss.
    """
    query = "mode=rw" if write or may_write(path) else "mode=ro"
    if not write and not may_write(path) and keeps_wal(path):
        # Without a folder to write into SQLite reads such a file only where nothing can change it.
        query = "mode=ro&immutable=1"
    uri = f"{path.absolute().as_uri()}?{query}"

    def open_hardened() -> sqlite3.Connection:
        connection = sqlite3.connect(uri, uri=True, timeout=_WAIT_S, check_same_thread=False)
        harden(connection)
        return connection

    engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)), creator=open_hardened)
    _set_up(
        engine,
        ("PRAGMA journal_mode=DELETE", "PRAGMA synchronous=EXTRA") if write else ("PRAGMA query_only=ON",),
    )
    return engine


def make(path: Path) -> sa.Engine:
    """An engine on a file that nobody else sees yet: no journal, since a failure throws the file away."""
    engine = sa.create_engine(sa.URL.create("sqlite", database=str(path)))
    _set_up(
        engine,
        ("PRAGMA journal_mode=OFF", "PRAGMA synchronous=OFF", f"PRAGMA application_id={APPLICATION_ID}"),
    )
    return engine


def make_tables(engine: sa.Engine) -> None:
    """Give a new file the tables of VERSION, in one transaction: those that all migrations would make."""
    with engine.begin() as connection:
        Base.metadata.create_all(connection, checkfirst=False)
        connection.exec_driver_sql(_VERSION_TABLE)
        connection.exec_driver_sql("INSERT INTO alembic_version (version_num) VALUES (?)", (VERSION,))


def migrate(engine: sa.Engine) -> None:
    """Bring an older file to VERSION, in one transaction."""
    from alembic import command  # noqa: PLC0415 - slow to import, and only needed for an older document
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def check_version(engine: sa.Engine, path: Path) -> str:
    """The version of the document. Raises DocumentError unless this program knows it."""
    with engine.connect() as connection, bounded(connection, path):
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    if found not in _READ:
        raise DocumentError(
            message("error.document.newer"),
            why=message("error.document.newer.why", found=str(found), known=VERSION),
            where=str(path),
            advice=message("error.document.newer.way-out"),
        )
    return str(found)


@contextmanager
def told(path: Path, doing: Doing) -> Generator[None]:
    """Tell what the database or the disk says as one DocumentError."""
    what = message(_CANNOT[doing])
    try:
        yield
    except InUseError as error:
        raise DocumentError(
            what, why=because(error), where=str(path), advice=message("error.document.locked.advice")
        ) from error
    except (DBAPIError, sqlite3.Error) as error:
        own = (error.orig or error) if isinstance(error, DBAPIError) else error
        raise DocumentError(
            what, why=sqlite_reason(own), where=str(path), advice=sqlite_advice(own)
        ) from error
    except OSError as error:
        raise DocumentError(
            what,
            why=reason(error),
            where=str(path),
            advice=message("error.document.choose-folder") if doing == "written" else None,
        ) from error
    except ValueError as error:
        if doing == "written":
            raise  # No damage on the disk, but a defect of ours.
        raise DocumentError(
            what,
            why=message("error.document.damaged.why", why=str(error)),
            where=str(path),
            advice=message("error.document.damaged.way-out"),
        ) from error


def _set_up(engine: sa.Engine, pragmas: tuple[str, ...]) -> None:
    def on_connect(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in ("PRAGMA foreign_keys=ON", *pragmas):
            connection.execute(pragma)

    listen(engine, "connect", on_connect)
