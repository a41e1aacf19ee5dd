"""What goes over the wire about batches and rules."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .schemas import Category, DocumentOut, In, Method, Out, QuotaOut, Reason, Retention, UploadEncryption
from .search_schemas import Action, Pattern, ShownOut

__all__ = [
    "AcceptIn",
    "AcceptedOut",
    "BatchExportOut",
    "BatchExportStartedOut",
    "BatchIn",
    "BatchOut",
    "BatchReservedOut",
    "BatchSummaryOut",
    "BatchesOut",
    "ExportItemOut",
    "FileIn",
    "FileOut",
    "FoundDocumentOut",
    "FoundOut",
    "FoundPlaceOut",
    "RuleChangeIn",
    "RuleIn",
    "RuleMadeOut",
    "RuleOut",
    "RulesOut",
    "ScopedRuleIn",
    "SearchIn",
    "StartedOut",
]

MAX_FILES = 1_000
"""Files of one batch."""


class FileIn(In):
    """One file that is to be uploaded.  `filename` may be a path; its last part is kept."""

    filename: str = Field(min_length=1, max_length=4_096)
    size: int = Field(ge=0)
    content_type: str | None = Field(None, max_length=255, pattern=r"^[ -~]*$")


class BatchIn(In):
    """Reserve up to 1,000 documents that belong together.  `uploadEncryption`: each is sealed before it is sent."""

    files: list[FileIn] = Field(min_length=1, max_length=MAX_FILES)
    preset: str = Field("everything", max_length=64)
    ttl_seconds: Retention | None = None
    upload_encryption: UploadEncryption | None = None


class FileOut(Out):
    """The verdict on one file, in the order they were named: PUT its bytes to `pathname`, or why it is not taken.

    `uploadKey` and `uploadName` as for a document that is reserved by itself.
    """

    filename: str
    accepted: bool
    id: str | None = None
    pathname: str | None = None
    code: str | None = None
    error: str | None = None
    upload_key: str | None = None
    upload_name: str | None = None


class BatchReservedOut(Out):
    """A batch and a verdict for each file."""

    id: str
    expires_at: int
    quota: dict[str, QuotaOut]
    files: list[FileOut]


class RuleIn(In):
    """A rule: what it matches is redacted wherever it stands, also in documents that are still being read.

    With `action` `keep` it is never suggested: undecided suggestions inside of what it matches are rejected, unless
    another rule redacts them.  `reason` is written to what it redacts.

    `kind`: a literal of 2–500 characters, also found when written another way, or a regular expression (RE2).
    """

    kind: Literal["literal", "regex"] = "literal"
    pattern: Pattern
    match_case: bool = False
    whole_word: bool = True
    category: Category = "other"
    method: Method = "mask"
    action: Action = "redact"
    reason: Reason | None = None


class ScopedRuleIn(RuleIn):
    """A rule for this document, for its batch, or for everything that is yours, now and later."""

    scope: Literal["document", "batch", "global"] = "document"


class RuleChangeIn(In):
    """Switch a rule off, which takes back what it decided and nobody touched, or on again."""

    enabled: bool


class RuleOut(Out):
    """A rule.  `documents` and `places`: where it redacts or holds suggestions back now.

    `pending`: ready documents it has yet to reach.
    """

    id: str
    scope: str
    kind: str
    pattern: str
    match_case: bool
    whole_word: bool
    category: str
    method: str
    action: Action
    reason: str | None
    enabled: bool
    source_rule_id: str | None
    created_at: int
    documents: int = 0
    places: int = 0
    pending: int = 0


class RulesOut(Out):
    """Rules, oldest first."""

    rules: list[RuleOut]


class RuleMadeOut(Out):
    """The rule, and what it has done so far.  While `pending` is above 0 it is still at work."""

    rule: RuleOut
    documents: int
    places: int
    pending: int


class ExportItemOut(Out):
    """What became of one document.  `error` is the sentence of `code`; `vaultUrl` opens for five minutes."""

    document_id: str
    filename: str
    state: str
    code: str | None
    error: str | None
    vault_url: str | None = None


class BatchExportOut(Out):
    """Where an export has got to.

    `status`: `running`, `done`, `stopped` or `failed`.  `stopping`: it was told to stop and what is in hand is
    finished.  `counts`: `waiting`, `exported`, `failed`, `skipped`, `stopped`.  `left`: documents that are left out,
    and why.  `downloadUrl` opens for five minutes; add `&output=original`, `processed` or `both`, or `vaults` for the
    `vaults` that lie beside the files until they expire.
    """

    export_id: str
    run_id: str
    status: str
    stopping: bool
    cancel_requested: bool
    created_at: int
    finished_at: int | None
    error_code: str | None
    counts: dict[str, int]
    left: list[ExportItemOut]
    items: list[ExportItemOut] | None = None
    vaults: int = 0
    download_url: str | None = None


class BatchExportStartedOut(Out):
    """The export; `resumed` when it was under way already."""

    export_id: str
    run_id: str
    resumed: bool


class BatchSummaryOut(Out):
    """A batch in a list.  `counts`: `total`, `uploading`, `working`, `ready`, `expanded`, `failed`."""

    id: str
    created_at: int
    expires_at: int
    counts: dict[str, int]


class BatchesOut(Out):
    """Your batches, newest first."""

    batches: list[BatchSummaryOut]


class BatchOut(BatchSummaryOut):
    """A batch.

    `documents` is a stretch of the batch's tree: each document before what came out of it.  `matching` counts all
    that the question matches, `total` all there are.  `suggested` counts undecided suggestions by category and
    `suggestions` all of them; `counts.undecided` counts documents that have some.
    """

    documents: list[DocumentOut]
    total: int
    matching: int
    suggested: dict[str, int]
    suggestions: int
    rules: list[RuleOut]
    export: BatchExportOut | None


class StartedOut(Out):
    """How many documents' runs were started now, and how many have yet to be."""

    started: int
    left: int


class AcceptIn(In):
    """Accept the undecided suggestions of the batch: all, or of some categories, or from a confidence on.

    With `dryRun` nothing changes; the answer says what would.
    """

    categories: list[Category] | None = Field(None, min_length=1, max_length=64)
    min_confidence: float | None = Field(None, ge=0, le=1)
    dry_run: bool = False


class AcceptedOut(Out):
    """How many suggestions were accepted, in how many documents, and how many are undecided now."""

    accepted: int
    documents: int
    suggestions: int


class SearchIn(In):
    """What to look for: a value in every way it may be written, or a regular expression (RE2).

    Never in an address: addresses are logged.
    """

    query: Pattern
    kind: Literal["literal", "regex"] = "literal"
    match_case: bool = False
    whole_word: bool = False
    offset: int = Field(0, ge=0, le=1_000_000)


class FoundPlaceOut(ShownOut):
    """A place that matches, in code points of its page, with the text around it; in a grid also its cell."""


class FoundDocumentOut(Out):
    """The matches of one document: how many, and the first few."""

    document_id: str
    filename: str
    count: int
    places: list[FoundPlaceOut]


class FoundOut(Out):
    """What was found.  Ask again with `offset=next` until that is null.  `refused`: documents it matches too often."""

    documents: list[FoundDocumentOut]
    total: int
    refused: int
    next: int | None
    searched: int
