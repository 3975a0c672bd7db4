"""What Alembic runs: upgrade on the connection that db.engine hands over."""

from alembic import context

from db.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
