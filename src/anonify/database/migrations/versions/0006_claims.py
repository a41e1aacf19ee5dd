"""Reasons of rules, and which further rules match a place that one of them has decided."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table; rules that matched the same place before have left no trace of it."""
    op.add_column("rules", sa.Column("reason", sa.String(32)))
    op.create_table(
        "rule_claims",
        sa.Column("redaction_id", sa.String(32), sa.ForeignKey("redactions.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("rule_id", sa.String(32), primary_key=True),
    )
    op.create_index("rule_claims_rule", "rule_claims", ["rule_id"])
