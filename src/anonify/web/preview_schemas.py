"""What goes over the wire when a rule is tried out."""

from __future__ import annotations

from typing import Literal

from .schemas import In, Out
from .search_schemas import Action, Pattern, ShownOut

__all__ = ["PreviewIn", "PreviewOut", "PreviewPlaceOut"]


class PreviewIn(In):
    """A rule to try: nothing is stored, nothing is decided."""

    kind: Literal["literal", "regex"] = "literal"
    pattern: Pattern
    match_case: bool = False
    whole_word: bool = True
    action: Action = "redact"


class PreviewPlaceOut(ShownOut):
    """A place, and the document it is in."""

    document_id: str
    filename: str


class PreviewOut(Out):
    """What a rule would do now: `count` places in `documents`, the first 20 of them.

    With `action` `redact` these are all places it matches; with `keep` the undecided suggestions it would hold back.
    `refused`: documents it matches beyond its budget.  `searched` of `documentsInAll` were looked at in time.
    """

    count: int
    documents: int
    first: list[PreviewPlaceOut]
    refused: int
    searched: int
    documents_in_all: int
