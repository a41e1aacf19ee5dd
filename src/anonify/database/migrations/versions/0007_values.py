"""Redactions by value, and which acts were taken back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index and the columns."""
    op.create_index("redactions_group", "redactions", ["document_id", "group_key"])
    op.add_column("acts", sa.Column("changed", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("acts", sa.Column("undone_by", sa.String(32)))
