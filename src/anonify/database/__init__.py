"""Tables, migrations and typed queries.  Everyone above speaks to the database through the functions of this room."""

from . import artifacts, batches, claims, documents, redactions, rules, usage, values, verifications, work, workers
from .artifacts import ArtifactRow
from .batches import BatchRow
from .connect import Database, open_database
from .documents import DocumentRow
from .migrate import migrate
from .redactions import RedactionRow
from .rows import new_id, now_ms
from .rules import RuleRow
from .usage import SkipRow, Totals, UsageRow
from .verifications import VerificationRow
from .workers import WorkerRow

__all__ = [
    "ArtifactRow",
    "BatchRow",
    "Database",
    "DocumentRow",
    "RedactionRow",
    "RuleRow",
    "SkipRow",
    "Totals",
    "UsageRow",
    "VerificationRow",
    "WorkerRow",
    "artifacts",
    "batches",
    "claims",
    "documents",
    "migrate",
    "new_id",
    "now_ms",
    "open_database",
    "redactions",
    "rules",
    "usage",
    "values",
    "verifications",
    "work",
    "workers",
]
