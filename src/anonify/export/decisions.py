"""Accepted redactions as plain data, and what an export may be asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from anonify.documents import Box

__all__ = ["Decision", "ExportOptions"]


class Decision(msgspec.Struct, frozen=True):
    """One accepted redaction.

    A decision names a stretch of text (`page`, `start`, `end`), a part of a grid (`sheet` with `row` and `column`; a
    whole row has no `column`, a whole column no `row`), a rectangle (`page`, `box`), or nothing but a `value`, which is
    then removed wherever it stands.

    Attributes:
        id: the redaction's id.
        category: what it is (`person`, …).
        method: the method asked for.
        value: the accepted text, or None for a target without text.
        page: page number, from 1.
        start: offset of the first code point in the page's text.
        end: offset past the last one.
        sheet: index of the sheet, from 0.
        row: row number, from 1.
        column: column number, from 1.
        box: rectangle in page units, top-left origin.
        origin: who decided: a `detection` somebody accepted, a `person` who drew it, or a `rule`.
    """

    id: str
    category: str = "other"
    method: str = "mask"
    value: str | None = None
    page: int | None = None
    start: int | None = None
    end: int | None = None
    sheet: int | None = None
    row: int | None = None
    column: int | None = None
    box: Box | None = None
    origin: str = "person"


class ExportOptions(msgspec.Struct, frozen=True):
    """What an export may be asked for.

    Attributes:
        keep_metadata: leave author, title and the like where they hold no accepted value.
        labels: write `[PERSON]` instead of the marker, and draw it on painted boxes.
        image_style: how rectangles without text are painted.
        marker: what stands where a value was.
        methods: method by category, for redactions of the usual method; see :mod:`.methods`.
        together: the same value has the same surrogate in everything that is exported so from one state, as it has in a
            batch anyway.
    """

    keep_metadata: bool = False
    labels: bool = False
    image_style: Literal["solid", "blur", "pixelate"] = "solid"
    marker: str = "[REDACTED]"
    methods: Mapping[str, str] = {}
    together: bool = False
