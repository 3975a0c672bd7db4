"""The tables as they are, and the migrations that make them."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import db
from db.engine import VERSION, make, make_tables, migrate
from db.tables import Base


def test_the_migrations_make_the_tables(tmp_path: Path) -> None:
    engine = make(tmp_path / "new.tide")
    migrate(engine)

    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


def _schema(path: Path) -> dict[str, str | None]:
    """By name how each table and index was made, without blanks and quotation marks."""
    with closing(sqlite3.connect(path)) as database:
        made = database.execute("SELECT name, sql FROM sqlite_schema").fetchall()
        version = database.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    plain = {name: sql and re.sub(r'[\s"]', "", sql) for name, sql in made}
    return {**plain, "version": version}


def test_a_new_document_has_the_tables_that_all_migrations_make(tmp_path: Path) -> None:
    for name, fill in (("new.tide", make_tables), ("old.tide", migrate)):
        engine = make(tmp_path / name)
        fill(engine)
        engine.dispose()

    assert _schema(tmp_path / "new.tide") == _schema(tmp_path / "old.tide")


def test_the_version_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(db.__file__).parent / "migrations"))

    assert ScriptDirectory.from_config(config).get_heads() == [VERSION]
