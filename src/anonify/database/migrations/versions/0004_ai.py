"""What a language model was seen to do, what it cost, and what it was not asked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the three tables of the contextual pass; documents of before were never asked about."""
    op.create_table(
        "ai_verifications",
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("model", sa.String(255), primary_key=True),
        sa.Column("address", sa.String(512), primary_key=True),
        sa.Column("can", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "ai_usage",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("owner_key", sa.String(64), nullable=False),
        sa.Column("document_id", sa.String(32), sa.ForeignKey("documents.id", ondelete="SET NULL")),
        sa.Column("task", sa.String(16), nullable=False),
        sa.Column("model", sa.String(255), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("milliseconds", sa.BigInteger(), nullable=False),
        sa.Column("dollars", sa.Float(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ai_usage_at", "ai_usage", ["at"])
    op.create_index("ai_usage_owner", "ai_usage", ["owner_key", "at"])
    op.create_index("ai_usage_document", "ai_usage", ["document_id"])
    op.create_table(
        "ai_skips",
        sa.Column("document_id", sa.String(32), sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("task", sa.String(16), primary_key=True),
        sa.Column("reason", sa.String(16), primary_key=True),
        sa.Column("calls", sa.Integer(), nullable=False),
    )
