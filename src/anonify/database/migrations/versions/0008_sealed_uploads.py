"""Uploads that their senders have sealed, each under a key of its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; every upload of before was sent plain."""
    op.add_column("documents", sa.Column("upload_encryption", sa.String(8)))
    op.add_column("documents", sa.Column("upload_key", sa.LargeBinary()))
