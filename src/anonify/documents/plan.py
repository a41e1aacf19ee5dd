"""What a redactor is told to do, and what it says it did.

A plan is made once (`export.plan`) from accepted redactions and the model; a redactor never decides anything.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from .enclosures import PartEdit
from .model import Box

__all__ = ["CellEdit", "Edit", "Named", "PagePicture", "RedactionPlan", "RedactionResult", "RegionEdit", "SweepValue"]


class Edit(msgspec.Struct, frozen=True):
    """Replace part of one span.

    Attributes:
        address: the span's id.
        start: first code point inside the span's text.
        end: past the last code point inside the span's text.
        replacement: what stands there afterwards.  A value split over several spans has its replacement in the first
            span's edit and an empty one in the others.
        page: the page's number, from 1.
        boxes: what to paint when the format has geometry: one box a line, glyphs joined.
        value: the accepted value this edit belongs to, index into `RedactionPlan.sweep`, or -1.
        drawn: the replacement is a surrogate: it is written on the painted box, whether or not labels are.
    """

    address: str
    start: int
    end: int
    replacement: str
    page: int
    boxes: tuple[Box, ...] = ()
    value: int = -1
    drawn: bool = False


class CellEdit(msgspec.Struct, frozen=True):
    """Replace whole cells of a grid: one cell, a row (`column` None) or a column below its header (`row` None).

    Rows and columns count from 1.
    """

    sheet: int
    row: int | None
    column: int | None
    replacement: str


class RegionEdit(msgspec.Struct, frozen=True):
    """Paint one rectangle of a page; there is no text behind it."""

    page: int
    box: Box
    style: Literal["solid", "blur", "pixelate"] = "solid"
    label: str = ""


class PagePicture(msgspec.Struct, frozen=True):
    """Which picture a page is, where other pages are text; see `Page.picture`.

    Attributes:
        page: the page's number, from 1.
        address: the picture's address.
        read: somebody has read its words.
    """

    page: int
    address: str
    read: bool = True


class SweepValue(msgspec.Struct, frozen=True):
    """A value to remove wherever it stands in the file, seen or not.

    Attributes:
        value: the text to remove.
        replacement: what stands there afterwards.
        drawn: as for :class:`Edit`.
    """

    value: str
    replacement: str
    drawn: bool = False


class RedactionPlan(msgspec.Struct, frozen=True):
    """Everything a redactor needs besides the source.

    Attributes:
        edits: precise edits, in order of page and place.
        cells: whole cells, rows and columns of grids.
        regions: rectangles without text.
        sweep: accepted values of at least :data:`matching.MIN_SWEEP` characters, longest first.
        keep_metadata: leave author, title, XMP and the like where they hold no accepted value.
        marker: what a replacement looks like when nothing else is said.
        draw_labels: write the replacement on painted boxes.
        pictures: the pages that are pictures among pages of text.
        parts: what becomes of the documents inside this one, in their order.
        restoring: originals take the place of surrogates: what is put in is written as it is, also where it reads as
            a formula.  A plan without edits is legal: the file is given back whole, sanitised only.
    """

    edits: tuple[Edit, ...] = ()
    cells: tuple[CellEdit, ...] = ()
    regions: tuple[RegionEdit, ...] = ()
    sweep: tuple[SweepValue, ...] = ()
    keep_metadata: bool = False
    marker: str = "[REDACTED]"
    draw_labels: bool = False
    pictures: tuple[PagePicture, ...] = ()
    parts: tuple[PartEdit, ...] = ()
    restoring: bool = False

    @property
    def draws(self) -> bool:
        """Whether anything is written on painted boxes."""
        return self.draw_labels or any(one.drawn for one in self.edits) or any(one.drawn for one in self.sweep)

    def label(self, of: Edit | SweepValue) -> str:
        """What is written on the painted box of an edit or a value."""
        return of.replacement if self.draw_labels or of.drawn else ""

    @property
    def values(self) -> tuple[str, ...]:
        """The accepted values, for matcher and gate."""
        return tuple(value.value for value in self.sweep)

    @property
    def empty(self) -> bool:
        """Whether nothing was accepted."""
        return not (self.edits or self.cells or self.regions or self.sweep)


class Named(msgspec.Struct, frozen=True):
    """Something the report names: metadata removed, an attachment dropped, an object carried through.

    Attributes:
        kind: a fixed identifier (`metadata`, `attachment`, `embedded-object`, `signature`, `thumbnail`, …).
        disposition: `removed`, `redacted`, `carried-through` or `emptied`.
        count: how many.
    """

    kind: str
    disposition: Literal["removed", "redacted", "carried-through", "emptied"]
    count: int = 1


class RedactionResult(msgspec.Struct, frozen=True):
    """What a redactor did.

    Attributes:
        edited: precise edits applied, cells and regions included.
        swept: further occurrences removed by the sweep.
        named: what else was removed or carried through.
        rebuilt_pages: numbers of the pages that were rebuilt from pixels.
    """

    edited: int
    swept: int
    named: tuple[Named, ...] = ()
    rebuilt_pages: tuple[int, ...] = ()
