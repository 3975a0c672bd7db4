"""The document: one SQLite file through SQLAlchemy."""
