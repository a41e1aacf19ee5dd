"""Batches, their exports, and the order of a container's children."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what one decision over many documents needs."""
    op.add_column("documents", sa.Column("batch_id", sa.String(length=32), nullable=True))
    op.add_column("documents", sa.Column("position", sa.Integer(), server_default="0", nullable=False))
    op.create_index("documents_batch", "documents", ["batch_id", "position"], unique=False)
    op.add_column("rules", sa.Column("batch_id", sa.String(length=32), nullable=True))
    op.create_index("rules_batch", "rules", ["batch_id"], unique=False)
    op.add_column("artifacts", sa.Column("fingerprint", sa.String(length=64), nullable=True))
    op.create_table(
        "batches",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner_key", sa.String(length=64), nullable=False),
        sa.Column("quota_key", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("batches_owner", "batches", ["owner_key", "created_at"], unique=False)
    op.create_table(
        "batch_exports",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("batch_id", sa.String(length=32), nullable=False),
        sa.Column("owner_key", sa.String(length=64), nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("width", sa.Integer(), server_default="0", nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("error_code", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("batch_exports_batch", "batch_exports", ["batch_id", "created_at"], unique=False)
    op.create_table(
        "batch_export_items",
        sa.Column("export_id", sa.String(length=32), nullable=False),
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("wave", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=True),
        sa.Column("artifact_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(["export_id"], ["batch_exports.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("export_id", "document_id"),
    )
    op.create_index("batch_export_items_order", "batch_export_items", ["export_id", "position"], unique=False)
