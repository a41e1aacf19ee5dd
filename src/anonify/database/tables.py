"""The tables.  SQLAlchemy Core, the same on SQLite and PostgreSQL.

Times are UTC epoch milliseconds: both databases compare them the same way, and no driver guesses a zone.
`value` of a redaction and `before` of a change of one are the only columns that may hold document text.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = [
    "act_changes",
    "acts",
    "ai_skips",
    "ai_usage",
    "ai_verifications",
    "artifacts",
    "batch_export_items",
    "batch_exports",
    "batches",
    "documents",
    "limit_overrides",
    "metadata",
    "quota_usage",
    "rate_buckets",
    "redactions",
    "rule_claims",
    "rules",
    "workers",
]

metadata = MetaData()

documents = Table(
    "documents",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner_key", String(64), nullable=False),
    Column("quota_key", String(64), nullable=False),
    Column("parent_id", String(32), ForeignKey("documents.id", ondelete="CASCADE")),
    Column("part_path", String(512)),
    Column("filename", Text, nullable=False),
    Column("declared_type", Text),
    Column("declared_size", BigInteger, nullable=False),
    Column("preset", String(64), nullable=False, server_default="everything"),
    Column("status", String(16), nullable=False),
    Column("progress", Integer, nullable=False, server_default="0"),
    Column("kind", String(16)),
    Column("size", BigInteger),
    Column("sha256", String(64)),
    Column("wrapped_key", LargeBinary, nullable=False),
    Column("upload_handle", Text),
    Column("source_handle", Text),
    Column("model_handle", Text),
    Column("model_index", LargeBinary),  # page lengths, 32-bit little endian each
    Column("extraction", Text),  # JSON of documents.Extraction; headers of grids are shown, so capped and pending only
    Column("pages", Integer),
    Column("degraded", Text, nullable=False, server_default="[]"),  # JSON list of reasons
    Column("run_id", String(64)),
    Column("attempt", Integer, nullable=False, server_default="0"),
    Column("charged_unit", String(16)),
    Column("charged_amount", BigInteger),
    Column("error_code", String(32)),
    Column("created_at", BigInteger, nullable=False),
    Column("queued_at", BigInteger),
    Column("finished_at", BigInteger),
    Column("expires_at", BigInteger, nullable=False),
    Column("batch_id", String(32)),  # children are in their parent's batch
    Column(
        "position", Integer, nullable=False, server_default="0"
    ),  # place among the parent's children, or in the batch
    Column("upload_encryption", String(8)),  # how its sender sealed the upload; null: sent plain
    Column("upload_key", LargeBinary),  # the key it was sealed under, wrapped; gone once the source is sealed
    UniqueConstraint("parent_id", "part_path"),
    Index("documents_owner", "owner_key", "created_at"),
    Index("documents_expiry", "expires_at"),
    Index("documents_status", "status"),
    Index("documents_batch", "batch_id", "position"),
)

batches = Table(
    "batches",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner_key", String(64), nullable=False),
    Column("quota_key", String(64), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("secret", LargeBinary),  # wrapped; what the surrogates of its documents are drawn with
    Index("batches_owner", "owner_key", "created_at"),
)

redactions = Table(
    "redactions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("document_id", String(32), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("status", String(16), nullable=False),  # suggested | accepted | rejected
    Column("origin", String(16), nullable=False),  # detection | person | rule
    Column("touched", Boolean, nullable=False, server_default="0"),  # a person decided; a retry keeps the row
    Column("category", String(32), nullable=False),
    Column("detector", String(64)),
    Column("confidence", Float),
    Column("page", Integer),
    Column("start", Integer),
    Column("end", Integer),
    Column("sheet", Integer),
    Column("row", Integer),
    Column("column", Integer),
    Column("box", Text),  # JSON [x0, y0, x1, y1] of a region without text
    Column("value", Text),
    Column("group_key", String(64)),  # salted hash of the folded value: occurrences of one value share it
    Column("method", String(16), nullable=False, server_default="mask"),
    Column("reason", String(32)),
    Column("rule_id", String(32)),
    Column("created_at", BigInteger, nullable=False),
    Column("decided_at", BigInteger),
    Column("why", String(64)),  # why detection suggested it: a reason of detection.reasons, never the value
    Column("version", Integer, nullable=False, server_default="0"),  # one more with every change
    Column("person_key", String(64)),  # as group_key, of the fullest form of the person whose name this is
    Index("redactions_document", "document_id", "page", "start"),
    Index("redactions_rule", "rule_id"),
    Index("redactions_group", "document_id", "group_key"),
)

rules = Table(
    "rules",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("scope", String(16), nullable=False),  # document | batch | global
    Column("owner_key", String(64), nullable=False),
    Column("document_id", String(32), ForeignKey("documents.id", ondelete="CASCADE")),
    Column("kind", String(16), nullable=False),  # literal | regex
    Column("pattern", Text, nullable=False),
    Column("match_case", Boolean, nullable=False, server_default="0"),
    Column("whole_word", Boolean, nullable=False, server_default="1"),
    Column("category", String(32), nullable=False, server_default="other"),
    Column("method", String(16), nullable=False, server_default="mask"),
    Column("enabled", Boolean, nullable=False, server_default="1"),
    Column("source_rule_id", String(32)),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger, nullable=False),
    Column("batch_id", String(32)),
    Column("action", String(8), nullable=False, server_default="redact"),  # redact | keep
    Column("reason", String(32)),  # written to what it redacts
    Index("rules_owner", "owner_key", "scope"),
    Index("rules_batch", "batch_id"),
    UniqueConstraint("document_id", "source_rule_id"),
)

rule_claims = Table(
    "rule_claims",
    metadata,
    Column("redaction_id", String(32), ForeignKey("redactions.id", ondelete="CASCADE"), primary_key=True),
    Column("rule_id", String(32), primary_key=True),  # matches it too, and decides when the one that did is gone
    Index("rule_claims_rule", "rule_id"),
)

acts = Table(
    "acts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("document_id", String(32), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("at", BigInteger, nullable=False),  # no two acts of a document have the same
    Column("changed", Integer, nullable=False, server_default="0"),
    Column("undone_by", String(32)),  # the act that took it back
    Index("acts_document", "document_id", "at"),
)

act_changes = Table(
    "act_changes",
    metadata,
    Column("act_id", String(32), ForeignKey("acts.id", ondelete="CASCADE"), primary_key=True),
    Column("redaction_id", String(32), primary_key=True),
    Column("before", Text),  # the row as JSON before the act; null when the act made it
    Column("version", Integer, nullable=False),  # the row's version after the act; -1 when the act removed it
)

artifacts = Table(
    "artifacts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("document_id", String(32), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("filename", Text, nullable=False),
    Column("handle", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("report_handle", Text, nullable=False),
    Column("report_size", BigInteger, nullable=False),
    Column("report_sha256", String(64), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("fingerprint", String(64)),  # of the decisions, options and enclosures it was made from
    Column("vault_handle", Text),  # of the artifacts of a batch; other vaults are kept nowhere
    Column("vault_size", BigInteger),
    Column("vault_sha256", String(64)),
    Index("artifacts_document", "document_id"),
)

batch_exports = Table(
    "batch_exports",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("batch_id", String(32), ForeignKey("batches.id", ondelete="CASCADE"), nullable=False),
    Column("owner_key", String(64), nullable=False),
    Column("run_id", String(64), nullable=False),
    Column("status", String(16), nullable=False),  # running | done | stopped | failed
    Column("options", Text, nullable=False),  # JSON of export.ExportOptions
    Column("width", Integer, nullable=False, server_default="0"),  # documents a wave, read once by the plan step
    Column("cancel_requested", Boolean, nullable=False, server_default="0"),
    Column("error_code", String(32)),
    Column("created_at", BigInteger, nullable=False),
    Column("finished_at", BigInteger),
    Index("batch_exports_batch", "batch_id", "created_at"),
)

batch_export_items = Table(
    "batch_export_items",
    metadata,
    Column("export_id", String(32), ForeignKey("batch_exports.id", ondelete="CASCADE"), primary_key=True),
    Column("document_id", String(32), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("wave", Integer, nullable=False),
    Column("state", String(16), nullable=False),  # waiting | exported | failed | skipped | stopped
    Column("code", String(32)),
    Column("artifact_id", String(32)),
    Index("batch_export_items_order", "export_id", "position"),
)

rate_buckets = Table(
    "rate_buckets",
    metadata,
    Column("key", String(96), primary_key=True),  # <bucket>:<networkKey>
    Column("tokens", Float, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)

quota_usage = Table(
    "quota_usage",
    metadata,
    Column("quota_key", String(64), primary_key=True),
    Column("day", Integer, primary_key=True),  # days since the epoch, UTC
    Column("unit", String(16), primary_key=True),
    Column("used", BigInteger, nullable=False),
)

limit_overrides = Table(
    "limit_overrides",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", BigInteger, nullable=False),
)

workers = Table(
    "workers",
    metadata,
    Column("executor_id", String(128), primary_key=True),
    Column("beats", BigInteger, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
)

ai_verifications = Table(
    "ai_verifications",
    metadata,
    Column("kind", String(32), primary_key=True),
    Column("model", String(255), primary_key=True),
    Column("address", String(512), primary_key=True),
    Column("can", Text, nullable=False),  # JSON list of providers.ABILITIES
    Column("at", BigInteger, nullable=False),
)

ai_usage = Table(
    "ai_usage",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner_key", String(64), nullable=False),
    # A deleted document leaves what was spent: the day's budget must not grow again.
    Column("document_id", String(32), ForeignKey("documents.id", ondelete="SET NULL")),
    Column("task", String(16), nullable=False),
    Column("model", String(255), nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("milliseconds", BigInteger, nullable=False),
    Column("dollars", Float, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ai_usage_at", "at"),
    Index("ai_usage_owner", "owner_key", "at"),
    Index("ai_usage_document", "document_id"),
)

ai_skips = Table(
    "ai_skips",
    metadata,
    Column("document_id", String(32), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("task", String(16), primary_key=True),
    Column("reason", String(16), primary_key=True),
    Column("calls", Integer, nullable=False),
)
