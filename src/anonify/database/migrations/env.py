"""Alembic runs this on the connection :func:`anonify.database.migrate` hands over."""

from __future__ import annotations

from alembic import context

from anonify.database.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
