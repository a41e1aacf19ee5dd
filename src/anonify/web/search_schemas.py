"""What goes over the wire about searching."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from .schemas import Category, In, Method, Out, Reason, Status

__all__ = ["Action", "LookIn", "LookOut", "Pattern", "PlaceOut", "ShownOut", "TakeIn", "TakenOut"]

Pattern = Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=r"^[^\x00]+$")]

Action = Literal["redact", "keep"]


class _QueryIn(In):
    query: Pattern
    kind: Literal["literal", "regex"] = "literal"
    match_case: bool = False
    whole_word: bool = False


class LookIn(_QueryIn):
    """What to look for in a document: a value in every way it may be written, or a regular expression (RE2).

    Never in an address: addresses are logged.  `limit` and `offset` choose the places that are shown.
    """

    limit: int = Field(200, ge=1, le=1_000)
    offset: int = Field(0, ge=0, le=1_000_000)


class ShownOut(Out):
    """A place with the text around it, in code points of its page; in a grid also its cell."""

    page: int
    start: int
    end: int
    sheet: int | None
    row: int | None
    column: int | None
    before: str
    text: str
    after: str


class PlaceOut(ShownOut):
    """A place that matches.  `marked`: what was decided about all of it, by the redaction `id`."""

    marked: Status | None
    id: str | None


class LookOut(Out):
    """What was found: `total` places, and how many on each page that has some.

    `places` are those from `offset` on, at most `limit`; `truncated` when more follow, from `next` on.
    """

    total: int
    places: list[PlaceOut]
    truncated: bool
    next: int | None
    pages: dict[int, int]


class TakeIn(_QueryIn):
    """Redact everything that a search finds.  `limit` and `offset` of the search do not matter here.

    Places that are marked already keep their category, method and reason unless something else is said.
    """

    limit: int = Field(200, ge=1, le=1_000)
    offset: int = Field(0, ge=0, le=1_000_000)
    category: Category | None = None
    method: Method | None = None
    reason: Reason | None = None


class TakenOut(Out):
    """How many redactions were made or changed."""

    changed: int
    counts: dict[str, int]
