"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create every table of the first release."""
    op.create_table(
        "documents",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner_key", sa.String(length=64), nullable=False),
        sa.Column("quota_key", sa.String(length=64), nullable=False),
        sa.Column("parent_id", sa.String(length=32), nullable=True),
        sa.Column("part_path", sa.String(length=512), nullable=True),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("declared_type", sa.Text(), nullable=True),
        sa.Column("declared_size", sa.BigInteger(), nullable=False),
        sa.Column("preset", sa.String(length=64), server_default="everything", nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("progress", sa.Integer(), server_default="0", nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("wrapped_key", sa.LargeBinary(), nullable=False),
        sa.Column("upload_handle", sa.Text(), nullable=True),
        sa.Column("source_handle", sa.Text(), nullable=True),
        sa.Column("model_handle", sa.Text(), nullable=True),
        sa.Column("model_index", sa.LargeBinary(), nullable=True),
        sa.Column("extraction", sa.Text(), nullable=True),
        sa.Column("pages", sa.Integer(), nullable=True),
        sa.Column("degraded", sa.Text(), server_default="[]", nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=True),
        sa.Column("attempt", sa.Integer(), server_default="0", nullable=False),
        sa.Column("charged_unit", sa.String(length=16), nullable=True),
        sa.Column("charged_amount", sa.BigInteger(), nullable=True),
        sa.Column("error_code", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("queued_at", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["parent_id"], ["documents.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("parent_id", "part_path"),
    )
    op.create_index("documents_expiry", "documents", ["expires_at"], unique=False)
    op.create_index("documents_owner", "documents", ["owner_key", "created_at"], unique=False)
    op.create_index("documents_status", "documents", ["status"], unique=False)
    op.create_table(
        "limit_overrides",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "quota_usage",
        sa.Column("quota_key", sa.String(length=64), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("unit", sa.String(length=16), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("quota_key", "day", "unit"),
    )
    op.create_table(
        "rate_buckets",
        sa.Column("key", sa.String(length=96), nullable=False),
        sa.Column("tokens", sa.Float(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "workers",
        sa.Column("executor_id", sa.String(length=128), nullable=False),
        sa.Column("beats", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("executor_id"),
    )
    op.create_table(
        "artifacts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("report_handle", sa.Text(), nullable=False),
        sa.Column("report_size", sa.BigInteger(), nullable=False),
        sa.Column("report_sha256", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("artifacts_document", "artifacts", ["document_id"], unique=False)
    op.create_table(
        "redactions",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("touched", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("category", sa.String(length=32), nullable=False),
        sa.Column("detector", sa.String(length=64), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("end", sa.Integer(), nullable=True),
        sa.Column("sheet", sa.Integer(), nullable=True),
        sa.Column("row", sa.Integer(), nullable=True),
        sa.Column("column", sa.Integer(), nullable=True),
        sa.Column("box", sa.Text(), nullable=True),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("group_key", sa.String(length=64), nullable=True),
        sa.Column("method", sa.String(length=16), server_default="mask", nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=True),
        sa.Column("rule_id", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("redactions_document", "redactions", ["document_id", "page", "start"], unique=False)
    op.create_index("redactions_rule", "redactions", ["rule_id"], unique=False)
    op.create_table(
        "rules",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("scope", sa.String(length=16), nullable=False),
        sa.Column("owner_key", sa.String(length=64), nullable=False),
        sa.Column("document_id", sa.String(length=32), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("match_case", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("whole_word", sa.Boolean(), server_default="1", nullable=False),
        sa.Column("category", sa.String(length=32), server_default="other", nullable=False),
        sa.Column("method", sa.String(length=16), server_default="mask", nullable=False),
        sa.Column("enabled", sa.Boolean(), server_default="1", nullable=False),
        sa.Column("source_rule_id", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("document_id", "source_rule_id"),
    )
    op.create_index("rules_owner", "rules", ["owner_key", "scope"], unique=False)
