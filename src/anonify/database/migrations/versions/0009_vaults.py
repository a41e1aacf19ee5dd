"""Vaults beside the artifacts of a batch, and the secret its surrogates are drawn with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; no artifact of before has a vault."""
    op.add_column("artifacts", sa.Column("vault_handle", sa.Text()))
    op.add_column("artifacts", sa.Column("vault_size", sa.BigInteger()))
    op.add_column("artifacts", sa.Column("vault_sha256", sa.String(64)))
    op.add_column("batches", sa.Column("secret", sa.LargeBinary()))
