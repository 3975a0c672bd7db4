"""The tables as they are, and the migrations that make them."""

from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import db
from db.engine import VERSION, make, migrate
from db.tables import Base


def test_the_migrations_make_the_tables(tmp_path: Path) -> None:
    engine = make(tmp_path / "new.tide")
    migrate(engine)

    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


def test_the_version_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(db.__file__).parent / "migrations"))

    assert ScriptDirectory.from_config(config).get_heads() == [VERSION]
