"""What SQLite says of a failure and what helps, by its number (https://sqlite.org/rescode.html)."""

import sqlite3
from collections.abc import Mapping
from typing import Final, LiteralString

from core.errors import because
from core.message import Message, message

_WHY: Final[Mapping[int, LiteralString]] = {
    sqlite3.SQLITE_BUSY: "system.sqlite.locked",
    sqlite3.SQLITE_READONLY: "system.sqlite.read-only",
    sqlite3.SQLITE_NOTADB: "system.sqlite.no-database",
    sqlite3.SQLITE_FULL: "system.sqlite.full",
    sqlite3.SQLITE_IOERR: "system.sqlite.input-output",
    sqlite3.SQLITE_CANTOPEN: "system.sqlite.cannot-open",
    sqlite3.SQLITE_CORRUPT: "system.sqlite.malformed",
}
LOCKED: Final = "error.document.locked.advice"
_ADVICE: Final[Mapping[int, LiteralString]] = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_READONLY: "error.document.read-only.advice",
    sqlite3.SQLITE_FULL: "error.document.full.advice",
    # A table that is not there.
    sqlite3.SQLITE_ERROR: "error.document.malformed.advice",
    sqlite3.SQLITE_NOTADB: "error.document.malformed.advice",
    sqlite3.SQLITE_CORRUPT: "error.document.malformed.advice",
}
_PRIMARY: Final = 0xFF
"""Of a result code the part that names the kind."""


def sqlite_reason(error: BaseException) -> Message:
    """Why SQLite gave up; where the number is not known here, in its own words."""
    id_ = _WHY.get(_kind(error))
    return because(error) if id_ is None else message(id_)


def sqlite_advice(error: BaseException) -> Message | None:
    """What helps, where something does."""
    id_ = _ADVICE.get(_kind(error))
    return None if id_ is None else message(id_)


def _kind(error: BaseException) -> int:
    code = getattr(error, "sqlite_errorcode", 0)
    return code & _PRIMARY if isinstance(code, int) else 0
