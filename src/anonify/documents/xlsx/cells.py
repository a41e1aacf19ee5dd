"""The cells of a worksheet, a segment at a time (ECMA-376 part 1, 18.3.1.4 and 18.3.1.73)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.sweep import xstring
from anonify.errors import Code, FatalError

from .lines import Lines
from .places import MAX_COLUMN, MAX_ROW, column_number
from .streamed import ATTRIBUTES, Segment, plain
from .strings import rich_text

__all__ = [
    "Body",
    "Cell",
    "Rows",
    "body_of",
    "is_usual_row",
    "row_number",
    "simple_cell",
]

_FAST: Final = re.compile(
    r'<c r="([A-Z]{1,3})([0-9]{1,7})"(?: s="([0-9]{1,6})")?(?: t="(\w{1,9})")?'
    r"(?:/>|>(?:<f>([^<]*)</f>)?(?:<v>([^<]*)</v>|<is><t(?: xml:space=\"preserve\")?>([^<]*)</t></is>)?</c>)"
)
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_HIDDEN: Final = re.compile(r"\shidden\s*=\s*[\"'](?:1|true)[\"']|(\sht\s*=\s*[\"']0?(?:\.\d*)?[\"'])")
"""A row that is hidden, or less than a point high."""
_NUMBER: Final = re.compile(r"\sr\s*=\s*[\"']\s*([0-9]{1,7})\s*[\"']")
_ROW_NUMBER: Final = re.compile(r"\sr\s*=")
_USUAL: Final = re.compile(
    r"(?:\s+(?:r\s*=\s*[\"']\d{1,7}[\"']|(?:spans|s|customFormat|ht|hidden|customHeight|outlineLevel|collapsed"
    r"|thickTop|thickBot|ph|[\w-]+:dyDescent)\s*=\s*[\"'](?:[\d.:\s-]{0,20}|true|false)[\"']))*\s*"
)
"""A row's attributes, none of which is anybody's text."""
_TYPES: Final = frozenset({"b", "d", "e", "inlineStr", "n", "s", "str"})
_FORMULA_TYPES: Final = frozenset({"array", "dataTable", "normal", "shared"})


class Cell(NamedTuple):
    """One cell as written.

    Attributes:
        row: from 1.
        column: from 1.
        start: where it is written in its segment.
        end: past its end.
        type: `n`, `s`, `str`, `inlineStr`, `b`, `e` or `d` (18.18.11).
        style: number of its format.
        formula: text of a plain formula, or None.
        value: the stored value.
        plain: whether nothing else is in it; if not, see :func:`body_of`.
    """

    row: int
    column: int
    start: int
    end: int
    type: str
    style: int
    formula: str | None
    value: str
    plain: bool


@dataclass(frozen=True, slots=True)
class Body:
    """What a cell holds.

    Attributes:
        formula: its text, "" for one told by another cell, None without one.
        formula_attributes: the formula's attributes by name.
        value: the stored value.
        text: the inline string.
        formula_span: where the formula element is written.
        value_span: where the value element is written.
        text_span: where the inline string's content is written.
    """

    formula: str | None
    formula_attributes: dict[str, str]
    value: str
    text: str
    formula_span: tuple[int, int] = (-1, -1)
    value_span: tuple[int, int] = (-1, -1)
    text_span: tuple[int, int] = (-1, -1)


def row_number(tag: str) -> int | None:
    """The number a text that begins with a row's tag gives the row, or None."""
    match = _NUMBER.search(tag, 0, tag.find(">") + 1)
    return int(match[1]) if match else None


def is_usual_row(tag: str) -> bool:
    """Whether a row's tag, without its end, says only what rows usually say."""
    return _USUAL.fullmatch(tag.removeprefix("<row").removesuffix("/")) is not None


class _Shapes(NamedTuple):
    row: re.Pattern[str]
    end: re.Pattern[str]
    cell: re.Pattern[str]
    formula: re.Pattern[str]
    value: re.Pattern[str]
    text: re.Pattern[str]


@lru_cache(maxsize=64)
def _shapes(prefix: str) -> _Shapes:
    p = re.escape(prefix)
    element = rf"<{p}{{}}(?=[\s/>])({ATTRIBUTES})(?:/>|>(.*?)</{p}{{}}\s*>)"
    return _Shapes(
        re.compile(rf"<{p}row(?=[\s/>])({ATTRIBUTES})(/?)>"),
        re.compile(rf"</{p}row\s*>"),
        *(re.compile(element.format(name, name), re.DOTALL) for name in ("c", "f", "v", "is")),
    )


def _simple(match: re.Match[str], row: int) -> Cell:
    """The cell of a match of :data:`_FAST`, most likely in row `row`."""
    letters, digits, style, kind, formula, value, inline = match.groups()
    column = column_number(letters)
    if column > MAX_COLUMN:
        raise FatalError(Code.MALFORMED, column=column)
    if digits != str(row):
        row = _row(digits)
    if inline is not None:
        value = xstring(inline)
    if value and "&" in value:
        value = xml.unescape(value)
    if formula:
        formula = xml.unescape(formula)
    if kind and kind not in _TYPES:
        raise FatalError(Code.MALFORMED, row=row)
    look = int(style) if style else 0
    start, end = match.span()
    return Cell(row, column, start, end, kind or "n", look, formula, value or "", plain=True)


def _row(digits: str) -> int:
    row = int(digits)
    if not 1 <= row <= MAX_ROW:
        raise FatalError(Code.MALFORMED, row=row)
    return row


def simple_cell(text: str, place: int) -> Cell | None:
    """The cell written at `place` of an items segment, if it is written in the simplest way."""
    match = _FAST.match(text, place) if place >= 0 else None
    return _simple(match, 0) if match else None


class Rows:
    """Goes through the rows of a sheet, segment after segment.

    Attributes:
        last_row: number of the row that was begun last; to be set where segments are left out.
        hidden: the rows that are not shown, so far.
        odd: whether the last segment held anything but rows and cells.
    """

    def __init__(self) -> None:
        self.last_row = 0
        self.hidden = Lines()
        self.odd = False

    def cells(self, segment: Segment) -> Iterator[Cell]:
        """The cells of the next segment, in order.

        Raises:
            FatalError: `malformed` when a cell lies outside every sheet.
        """
        shapes = _shapes(segment.prefix)
        text = segment.masked
        self.odd = segment.has_remarks
        place, size = 0, len(text)
        while place < size:
            row = shapes.row.search(text, place)
            if row is None:
                self.odd = self.odd or bool(text[place:].strip())
                return
            self._begin(row, text[place : row.start()])
            place = row.end()
            if not row[2]:
                found: list[Cell] = []
                place = self._in_row(segment, shapes, place, found)
                yield from found

    def _in_row(self, segment: Segment, shapes: _Shapes, place: int, found: list[Cell]) -> int:
        """Take the cells of a row whose first may begin at `place`; where the row ends."""
        text = segment.masked
        fast = None if segment.prefix or text is not segment.text else _FAST.match
        column, number = 0, self.last_row
        while True:
            match = fast(text, place) if fast else None
            if match:
                cell = _simple(match, number)
                found.append(cell)
                number, column, place = cell.row, cell.column, cell.end
                continue
            end = shapes.end.match(text, place)
            if end:
                return end.end()
            match = shapes.cell.match(text, place)
            if match:
                found.append(self._general(match, segment, number, column))
                number, column, place = found[-1].row, found[-1].column, found[-1].end
            else:
                place = self._stray(text, place, segment.prefix)
                if place == len(text):
                    return place

    def _stray(self, text: str, place: int, prefix: str) -> int:
        """Pass over what is no cell."""
        following = _next_tag(text, place, prefix)
        if text[place:following].strip():
            self.odd = True
        return following

    def _begin(self, row: re.Match[str], before: str) -> None:
        attributes = row[1]
        if before.strip() or not _USUAL.fullmatch(attributes):
            self.odd = True
        number = _NUMBER.search(attributes)
        if number is None and _ROW_NUMBER.search(attributes):
            raise FatalError(Code.MALFORMED, row=self.last_row)
        self.last_row = int(number[1]) if number else self.last_row + 1
        if not 1 <= self.last_row <= MAX_ROW:
            raise FatalError(Code.MALFORMED, row=self.last_row)
        unseen = _HIDDEN.search(attributes)
        if unseen:
            self.hidden.add(self.last_row, self.last_row, "no-size" if unseen[1] else "hidden")

    def _general(self, match: re.Match[str], segment: Segment, row: int, column: int) -> Cell:
        attributes = {name: xml.unescape(match[1][start:end]) for name, start, end in xml.attributes(match[1])}
        reference = _REFERENCE.fullmatch(attributes.get("r", "").strip())
        column += 1
        if reference:
            column, row = column_number(reference[1]), _row(reference[2])
        if not 1 <= column <= MAX_COLUMN:
            raise FatalError(Code.MALFORMED, column=column)
        style, kind = attributes.get("s", "0").strip(), attributes.get("t", "n").strip()
        body = body_of(segment, match.start(), match.end())
        known = kind in _TYPES and body.formula_attributes.get("t", "normal").strip() in _FORMULA_TYPES
        if not (known and style.isdigit() and len(style) < 7 and (reference or "r" not in attributes)):
            raise FatalError(Code.MALFORMED, row=row)  # no reader would know what is where
        return Cell(
            row,
            column,
            match.start(),
            match.end(),
            kind,
            int(style),
            body.formula,
            body.value or body.text,
            plain=False,
        )


def _next_tag(text: str, place: int, prefix: str) -> int:
    match = re.compile(rf"<{re.escape(prefix)}c(?=[\s/>])|</{re.escape(prefix)}row\s*>").search(text, place + 1)
    return match.start() if match else len(text)


def body_of(segment: Segment, start: int, end: int) -> Body:
    """What the cell written at `[start, end)` holds."""
    shapes = _shapes(segment.prefix)
    masked, text = segment.masked, segment.text
    formula = shapes.formula.search(masked, start, end)
    value = shapes.value.search(masked, formula.end() if formula else start, end)
    inline = shapes.text.search(masked, start, end)
    inner = (-1, -1) if inline is None or inline[2] is None else inline.span(2)
    attributes: dict[str, str] = {}
    formula_text = None
    if formula:
        attributes = {name: xml.unescape(formula[1][a:b]) for name, a, b in xml.attributes(formula[1])}
        formula_text = plain(text[slice(*formula.span(2))]) if formula[2] else ""
    stored = plain(text[slice(*value.span(2))]) if value and value[2] else ""
    shown = xstring(rich_text(masked, text, *inner, segment.prefix)) if inner[0] >= 0 else ""
    return Body(
        formula_text,
        attributes,
        stored,
        shown,
        formula.span() if formula else (-1, -1),
        value.span() if value else (-1, -1),
        inner,
    )
