"""What goes over the wire: camelCase JSON, strictly checked on the way in."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic.alias_generators import to_camel

from anonify.export import ExportOptions, methods_of

__all__ = [
    "Act",
    "ActOut",
    "AfterOut",
    "Artifact",
    "Category",
    "ChangedOut",
    "CreatedOut",
    "DocumentOut",
    "DocumentUsageOut",
    "DocumentsOut",
    "ExportIn",
    "ExportOut",
    "HealthOut",
    "HiddenOut",
    "IdsIn",
    "In",
    "LimitsOut",
    "ManualIn",
    "Method",
    "Out",
    "OutlineOut",
    "PageOut",
    "QuotaOut",
    "ReadyOut",
    "Reason",
    "RedactionId",
    "RedactionOut",
    "RedactionsOut",
    "RemovedOut",
    "ReserveIn",
    "ReservedOut",
    "RetentionIn",
    "RowOut",
    "RowsOut",
    "RunOut",
    "SectionOut",
    "ShareOut",
    "SheetOut",
    "SkippedOut",
    "SpanOut",
    "SpentOut",
    "Status",
    "SweptOut",
    "UnseenOut",
    "UploadedOut",
    "UsageOut",
]

Category = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z-]{1,31}$")]
Reason = Annotated[str, StringConstraints(pattern=r"^[\w .,:()§/\-]{1,32}$")]
RedactionId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Status = Literal["suggested", "accepted", "rejected"]
Method = Literal["mask", "pseudonymize", "tokenize", "encrypt"]
Retention = Literal[3_600, 21_600, 86_400, 259_200]
UploadEncryption = Literal["anfy1"]


class In(BaseModel):
    """A request body: camelCase only, no unknown fields, no coercion."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", strict=True)


class Out(BaseModel):
    """A response body."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True)


class ReserveIn(In):
    """Reserve a document.  `size` is the exact number of bytes of the file.

    `uploadEncryption`: the file will be sealed before it is sent; the answer holds the key.
    """

    filename: str = Field(min_length=1, max_length=255)
    size: int = Field(ge=0)
    content_type: str | None = Field(None, max_length=255, pattern=r"^[ -~]*$")
    preset: str = Field("everything", max_length=64)
    ttl_seconds: Retention | None = None
    upload_encryption: UploadEncryption | None = None


class RetentionIn(In):
    """Keep a document this long, counted from its upload."""

    ttl_seconds: Retention


class QuotaOut(Out):
    """What is left of one unit today; null means no limit."""

    allowance: int | None
    used: int
    left: int | None
    resets_at: int


class ReservedOut(Out):
    """A reserved document: PUT the bytes to `pathname`.

    Where `uploadEncryption` was asked for, they are the file sealed under `uploadKey` (base64url, 32 bytes, told only
    here) and the name `uploadName`.
    """

    id: str
    pathname: str
    expires_at: int
    quota: dict[str, QuotaOut]
    upload_mode: Literal["local"] = "local"
    upload_key: str | None = None
    upload_name: str | None = None


class UploadedOut(Out):
    """The upload is complete."""

    id: str
    size: int


class RunOut(Out):
    """The run that works on a document; `resumed` when it was there already."""

    run_id: str
    resumed: bool


class Artifact(Out):
    """A verified redacted file.  Links open for five minutes."""

    id: str
    filename: str
    size: int
    sha256: str
    created_at: int
    download_url: str
    report_url: str
    vault_url: str | None = None


class DocumentOut(Out):
    """A document's state.  `rows` are those of all sheets; null for what is no table.

    `children` counts the documents that came out of this one.  In a list of a batch `suggested`, `accepted` and
    `rejected` count its redactions and `parentKind` says what it came out of.
    """

    id: str
    filename: str
    kind: str | None
    status: str
    progress: int
    preset: str
    pages: int | None
    rows: int | None
    size: int
    sha256: str | None
    degraded: list[str]
    error_code: str | None
    error: str | None
    retryable: bool
    reviewable: bool
    parent_id: str | None
    part_path: str | None
    batch_id: str | None
    created_at: int
    finished_at: int | None
    expires_at: int
    counts: dict[str, int] | None = None
    artifacts: list[Artifact] | None = None
    upload_encryption: str | None = None
    parent_kind: str | None = None
    children: int | None = None
    suggested: int | None = None
    accepted: int | None = None
    rejected: int | None = None


class DocumentsOut(Out):
    """The caller's documents, newest first."""

    documents: list[DocumentOut]


class HiddenOut(Out):
    """Content a viewer does not show."""

    kind: str
    count: int


class SheetOut(Out):
    """A grid.  `index` counts from 0; its text is on `pages` pages from `firstPage` on."""

    index: int
    name: str
    rows: int
    columns: int
    header: list[str]
    header_row: int | None
    hidden: str
    first_page: int
    pages: int


class OutlineOut(Out):
    """A document without its text."""

    kind: str | None
    pages: int
    sheets: list[SheetOut]
    hidden: list[HiddenOut]
    notes: list[str]
    degraded: list[str]
    pictured: bool


class SectionOut(Out):
    """A named stretch of a page, in code points."""

    name: str
    start: int
    end: int


class SpanOut(Out):
    """A stretch of a page's text with its place.  `box` is [x0, y0, x1, y1] in page units, top-left origin."""

    start: int
    end: int
    style: str
    source: str
    box: list[float] | None


class UnseenOut(Out):
    """Cells of a sheet that its program does not show.

    `reason`: `hidden-row`, `no-height`, `hidden-column`, `no-width`, `empty-format`, `same-colour`, `merged` or
    `behind-drawing`.
    """

    reason: str
    first_row: int
    last_row: int
    first_column: int
    last_column: int


class PageOut(Out):
    """One page.  All offsets are Unicode code points of `text`.

    On a page of a sheet cells are joined by tabs and rows, numbered in `rowNumbers`, by newlines; `unseen` says which
    of them the sheet does not show.
    """

    number: int
    text: str
    width: float | None
    height: float | None
    sheet: int | None
    row_numbers: list[int]
    needs_ocr: bool
    sections: list[SectionOut]
    spans: list[SpanOut]
    unseen: list[UnseenOut]


class AfterOut(Out):
    """A page of a verified export, and how many it has."""

    number: int
    pages: int
    text: str
    width: float | None
    height: float | None


class RowOut(Out):
    """One row of a grid.  `page` and `start` say where its text begins in the model."""

    number: int
    page: int
    start: int
    cells: list[str]


class RowsOut(Out):
    """Rows of a sheet; `unseen` says which cells of these rows the sheet does not show."""

    sheet: int
    rows: list[RowOut]
    unseen: list[UnseenOut]


class RedactionOut(Out):
    """One redaction.  Redactions of one value share `groupKey`; `before` and `after` are the text around it.

    Names of one person share `personKey`, which is the `groupKey` of the fullest form of the name.

    `why` is the reason of a suggestion as data (an id, with at most one argument after a colon), `explanation` the same
    in English, `certainty` its `confidence` in a word: `certain`, `likely` or `possible`.  What a person marked has
    none of them.
    """

    id: str
    status: str
    origin: str
    category: str
    detector: str | None
    confidence: float | None
    page: int | None
    start: int | None
    end: int | None
    sheet: int | None
    row: int | None
    column: int | None
    box: list[float] | None
    value: str | None
    group_key: str | None
    person_key: str | None
    method: str
    reason: str | None
    rule_id: str | None
    why: str | None = None
    explanation: str | None = None
    certainty: str | None = None
    before: str | None = None
    after: str | None = None


class RedactionsOut(Out):
    """A stretch of the list.  Ask again with `after=next` until `next` is null; `counts` are of the whole document."""

    redactions: list[RedactionOut]
    next: str | None
    counts: dict[str, int]


class ManualIn(In):
    """Mark a place, or a value wherever the text shows it.

    One of: `page`+`start`+`end` (code points) · `sheet` with `row` and/or `column` · `page`+`box` · `value`.
    `everywhere` marks every occurrence of what stands at a text place; `everyPage` repeats a box on every page of the
    same size; `anywhere` accepts a `value` that no page shows.
    A place that is marked already is accepted as it is, unless `category` or `method` say otherwise; a new one is
    `other` and `mask` when they say nothing.
    """

    page: int | None = Field(None, ge=1)
    start: int | None = Field(None, ge=0)
    end: int | None = Field(None, ge=1)
    sheet: int | None = Field(None, ge=0)
    row: int | None = Field(None, ge=1)
    column: int | None = Field(None, ge=1)
    box: list[float] | None = Field(None, min_length=4, max_length=4)
    value: str | None = Field(None, min_length=1, max_length=1_000, pattern=r"^[^\x00]+$")  # no column holds NUL
    category: Category | None = None
    method: Method | None = None
    reason: Reason | None = None
    everywhere: bool = False
    anywhere: bool = False
    every_page: bool = False

    @model_validator(mode="after")
    def _one_place(self) -> ManualIn:
        names = ("page", "start", "end", "sheet", "row", "column", "box", "value")
        given = {name for name in names if getattr(self, name) is not None}
        allowed: tuple[set[str], ...] = (
            {"page", "start", "end"},
            {"page", "box"},
            {"sheet", "row"},
            {"sheet", "column"},
            {"sheet", "row", "column"},
            {"value"},
        )
        if given not in allowed:
            raise ValueError("name one place")
        if self.every_page and self.box is None:
            raise ValueError("every page takes a box")
        return self


class ActOut(Out):
    """Something done at once to redactions: `changed` of them, at `at`; `undone` when it was taken back.

    `kind`: `accept`, `reject`, `reopen`, `change`, `mark`, `remove`, `keep-only`, `repeat`, `undo` or `redo`.
    """

    id: str
    kind: str
    changed: int
    at: int
    undone: bool


class CreatedOut(Out):
    """The redactions made, or accepted where the place was marked already; `more` when the list was cut.

    `places` counts all of them.  `act` takes it back.
    """

    redactions: list[RedactionOut]
    more: bool
    places: int
    counts: dict[str, int]
    act: ActOut | None


class Act(In):
    """Change 1–2,000 redactions.  With `whenStatus` only those that still have that status."""

    ids: list[RedactionId] = Field(min_length=1, max_length=2_000)
    status: Status | None = None
    method: Method | None = None
    category: Category | None = None
    reason: Reason | None = None
    when_status: Status | None = None

    @model_validator(mode="after")
    def _something(self) -> Act:
        given = {name for name in ("status", "method", "category") if getattr(self, name) is not None}
        if not given and "reason" not in self.model_fields_set:  # only a reason can be taken away again
            raise ValueError("nothing to change")
        return self


class IdsIn(In):
    """1–2,000 redactions."""

    ids: list[RedactionId] = Field(min_length=1, max_length=2_000)


class ChangedOut(Out):
    """Which redactions changed; `skipped` were unknown or had moved on.  `act` takes it back."""

    changed: list[str]
    skipped: int
    counts: dict[str, int]
    act: ActOut | None


class RemovedOut(Out):
    """How many redactions are gone.  `act` brings them back."""

    removed: int
    counts: dict[str, int]
    act: ActOut | None


class ExportIn(In):
    """How the export should look."""

    labels: bool = False
    image_style: Literal["solid", "blur", "pixelate"] = "solid"
    keep_metadata: bool = False
    methods: dict[Category, Method] = {}

    @model_validator(mode="after")
    def _gates(self) -> Self:
        if any(method not in methods_of(category) for category, method in self.methods.items()):
            raise ValueError("a category may not be given this method")
        return self

    def options(self) -> ExportOptions:
        """As the export takes them."""
        return ExportOptions(
            keep_metadata=self.keep_metadata, labels=self.labels, image_style=self.image_style, methods=self.methods
        )


class ExportOut(Out):
    """A verified export.  `vault` (see docs/vault.schema.json) is given with this answer and kept nowhere."""

    artifact: Artifact
    accepted: int
    undecided: int
    vault: dict[str, Any] | None = None


class LimitsOut(Out):
    """What this network may do."""

    profile: str
    max_upload_bytes: int
    rates: dict[str, dict[str, int]]
    quota: dict[str, QuotaOut]


class SpentOut(Out):
    """What calls of a language model cost together; dollars by the list of prices installed then."""

    calls: int
    input_tokens: int
    output_tokens: int
    milliseconds: int
    dollars: float


class ShareOut(Out):
    """What one model was asked of one kind."""

    task: str
    model: str
    spent: SpentOut


class SkippedOut(Out):
    """Calls that were left out, and why."""

    task: str
    reason: str
    calls: int


class DocumentUsageOut(Out):
    """What analysis of a document cost.  Holds nothing of the document."""

    total: SpentOut
    tasks: list[ShareOut]
    skipped: list[SkippedOut]


class UsageOut(Out):
    """What analysis of all your documents cost; `today` began at midnight, UTC.

    `provider` and `model` are the ones asked now, null when none is set; `dailySpendUsd` is what all owners together
    may spend in a day, null for no bound.
    """

    total: SpentOut
    today: SpentOut
    tasks: list[ShareOut]
    provider: str | None
    model: str | None
    daily_spend_usd: float | None


class HealthOut(Out):
    """The process answers."""

    status: Literal["ok"] = "ok"


class ReadyOut(Out):
    """The process can work; `degraded` says what is missing."""

    ready: bool
    degraded: list[str]


class SweptOut(Out):
    """What a sweep did, counted."""

    swept: dict[str, int]
