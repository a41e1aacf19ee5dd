"""What the review workspace asks and is told: values, acts on them, marks on a page."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from .schemas import ActOut, Category, In, Method, Out, Reason, Status

__all__ = [
    "ActsOut",
    "CodeOut",
    "CodeSetOut",
    "CodesOut",
    "DecideIn",
    "DecidedOut",
    "FacetsOut",
    "FilterIn",
    "FirstOut",
    "KeepIn",
    "KeepOnlyIn",
    "KeptOut",
    "ListIn",
    "MarkOut",
    "MarksOut",
    "RailOut",
    "Search",
    "Sort",
    "Sure",
    "UndoneOut",
    "ValueKey",
    "ValueOut",
    "ValueSource",
    "ValuesOut",
    "WhereIn",
]

ValueKey = Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{32}|[0-9a-f]{64})$")]
ValueSource = Literal["pattern", "names-model", "context-model", "vision", "person", "rule"]
Sure = Literal["certain", "likely", "possible"]
Sort = Literal["place", "sure", "often"]
Search = Annotated[str, StringConstraints(max_length=200)]


class FirstOut(Out):
    """The first place of a value; as in `RedactionOut`."""

    id: str
    page: int | None
    start: int | None
    end: int | None
    sheet: int | None
    row: int | None
    column: int | None
    box: list[float] | None


class ValueOut(Out):
    """One value with all its places: those that the filter's `status`, `page` and `sheet` name.

    `key` with `category` names it; a redaction without text (a region, a row, a column) stands alone under its own id.
    `status` is `suggested` while one of the places is undecided.  `pages` counts pages.  `methods` and `reasons` are
    there when the places differ.  `source` says who found it: of several the first of `person`, `rule`, `pattern`,
    `names-model`, `context-model`, `vision`.  `certainty` and `confidence` are of its surest place; `why`,
    `explanation`, `before` and `after` of its first.  `header` is the header of a whole column.
    """

    key: str
    person_key: str | None
    value: str | None
    category: str
    places: int
    status: str
    first: FirstOut
    pages: int
    method: str
    methods: list[str] | None = None
    reason: str | None
    reasons: list[str] | None = None
    source: str
    why: str | None
    explanation: str | None
    certainty: str | None
    confidence: float | None
    before: str | None
    after: str | None
    rule_id: str | None
    header: str | None = None


class FacetsOut(Out):
    """How many values each facet would show, the other filters kept."""

    category: dict[str, int]
    source: dict[str, int]
    certainty: dict[str, int]


class ValuesOut(Out):
    """A stretch of the values.  Ask again with `after=next` until `next` is null.

    `totalValues`, `totalPlaces` and `facets` are of the filter; `decidedValues` of `allValues` and the `counts` of
    redactions are of the whole document.
    """

    values: list[ValueOut]
    next: str | None
    total_values: int
    total_places: int
    decided_values: int
    all_values: int
    counts: dict[str, int]
    facets: FacetsOut


class FilterIn(In):
    """What narrows a list of values; `q` stands in the value."""

    category: Category | None = None
    source: ValueSource | None = None
    certainty: Sure | None = None
    page: int | None = Field(None, ge=1, le=2**31 - 1)
    sheet: int | None = Field(None, ge=0, le=2**31 - 1)
    q: Search | None = None


class ListIn(FilterIn):
    """Which values to list, as the parameters of the list without a text say it; `q` stands in the value."""

    status: Status | None = None
    sort: Sort = "place"
    after: str | None = Field(None, max_length=300)
    limit: int = Field(100, ge=1, le=500)


class WhereIn(FilterIn):
    """Which redactions: everything named narrows, nothing named is all.

    `source`, `certainty` and `certaintyAtLeast` are of the value, as the list of values says them; the others are of
    each place.
    """

    keys: list[ValueKey] | None = Field(None, max_length=500)
    person_key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None
    certainty_at_least: Sure | None = None
    when_status: Status | None = None


class DecideIn(In):
    """Decide on, or change, everything that `where` names; a `reason` of null takes it away.

    A new `status` reaches the undecided only, unless `where` names `keys` or a `whenStatus`.  `dryRun` only counts.
    """

    where: WhereIn
    status: Status | None = None
    method: Method | None = None
    category: Category | None = None
    reason: Reason | None = None
    dry_run: bool = False

    @model_validator(mode="after")
    def _something(self) -> DecideIn:
        given = {name for name in ("status", "method", "category") if getattr(self, name) is not None}
        if not given and "reason" not in self.model_fields_set:
            raise ValueError("nothing to change")
        return self


class DecidedOut(Out):
    """How many redactions changed, or would; `counts` are of the whole document afterwards.  `act` takes it back."""

    changed: int
    act: ActOut | None
    counts: dict[str, int]


class ActsOut(Out):
    """A document's acts, the newest first.  The newest 200 are kept."""

    acts: list[ActOut]


class UndoneOut(Out):
    """What taking an act back did: `refused` redactions had moved on and are left as they are.

    `act` is the inverse: taking that back does the act again.  It is null when everything was refused; the act can
    then be taken back later.
    """

    changed: int
    refused: int
    act: ActOut | None
    counts: dict[str, int]


class MarkOut(Out):
    """A suggested or accepted redaction to draw.

    `boxes` are [x0, y0, x1, y1] in page units, top-left origin: exactly what an export would cover; empty where there
    is no picture.  `key` names its value.  A whole column has no `row`, a whole row no `column`.
    """

    id: str
    key: str
    status: str
    category: str
    page: int | None
    start: int | None
    end: int | None
    sheet: int | None
    row: int | None
    column: int | None
    boxes: list[list[float]]
    method: str
    reason: str | None
    origin: str


class MarksOut(Out):
    """What is marked on a page or in rows of a sheet; the rejected are left out.  `more` when the list was cut."""

    marks: list[MarkOut]
    more: bool


class RailOut(Out):
    """How many redactions are suggested and accepted on each page, from page `from` on, in order."""

    pages: list[tuple[int, int]]


class KeepIn(In):
    """Something that stays: `start` and `end` in a page's text, or a `box` on a page."""

    page: int = Field(ge=1)
    start: int | None = Field(None, ge=0)
    end: int | None = Field(None, ge=1)
    box: list[float] | None = Field(None, min_length=4, max_length=4)

    @model_validator(mode="after")
    def _one_place(self) -> KeepIn:
        text = (self.start is not None, self.end is not None)
        if text not in ((True, True), (False, False)) or text[0] == (self.box is not None):
            raise ValueError("name one place")
        return self


class KeepOnlyIn(In):
    """Everything on a `page` goes, without one in the whole document, but for what `keep` names.  `dryRun` counts."""

    page: int | None = Field(None, ge=1)
    keep: list[KeepIn] = Field(max_length=500)
    category: Category | None = None
    method: Method | None = None
    reason: Reason | None = None
    dry_run: bool = False

    @model_validator(mode="after")
    def _something(self) -> KeepOnlyIn:
        if self.page is None and not self.keep:
            raise ValueError("nothing would be left")
        return self


class KeptOut(DecidedOut):
    """As of a decision.

    `clashing` places hold a text that also stands in what stays: a value accepted once is removed wherever it stands.
    """

    clashing: int


class CodeOut(Out):
    """One exemption code, and what it is for."""

    code: str
    title: str


class CodeSetOut(Out):
    """The exemption codes of one law."""

    id: str
    name: str
    law: str
    codes: list[CodeOut]


class CodesOut(Out):
    """Exemption codes by law."""

    sets: list[CodeSetOut]
