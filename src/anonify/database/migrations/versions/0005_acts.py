"""Acts that can be taken back, forms of one person as one, and rules that keep a value."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the tables; what was decided before cannot be taken back by an act."""
    op.add_column("redactions", sa.Column("version", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("redactions", sa.Column("person_key", sa.String(64)))
    op.add_column("rules", sa.Column("action", sa.String(8), nullable=False, server_default="redact"))
    op.create_table(
        "acts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("document_id", sa.String(32), sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("acts_document", "acts", ["document_id", "at"])
    op.create_table(
        "act_changes",
        sa.Column("act_id", sa.String(32), sa.ForeignKey("acts.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("redaction_id", sa.String(32), primary_key=True),
        sa.Column("before", sa.Text()),
        sa.Column("version", sa.Integer(), nullable=False),
    )
