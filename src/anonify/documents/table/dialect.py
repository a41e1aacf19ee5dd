"""How a table's text is cut into cells (RFC 4180 and what is met in practice), decided from its beginning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from anonify.documents.text.coding import Coding
from anonify.documents.text.detect import detect
from anonify.sandbox.source import Source

__all__ = ["Cell", "Dialect", "Shape", "decide", "is_header"]

_SAMPLE: Final = 256 * 1024
_SAMPLE_ROWS: Final = 400
_DELIMITERS: Final = ",;\t|"
_SEP_LINE: Final = re.compile(r"sep=([^\r\n])\s*(?=[\r\n])", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\s*[-+(]?[$€£]?\s*\d[\d\s.,:/%)T+-]*\s*")
_HEADER_WORD: Final = re.compile(r"[^\W\d_][\w .#/()%&?'-]{0,39}")
_TYPICAL: Final = re.compile(
    r"\b(?:id|name|first|last|email|e-mail|mail|phone|tel|mobile|date|day|year|time|address|street|city|town|zip|post|code|"
    r"country|state|amount|total|price|type|status|gender|sex|age|birth|dob|iban|account|company|title|notes?|comment|"
    r"vorname|nachname|strasse|straße|ort|plz|datum|nom|prénom|ville|nombre|apellidos?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a row.

    Attributes:
        start: offset of its first raw character, the opening quote included, in the text the row was cut from.
        end: offset past its last.
        text: the cell's content, unquoted.
        quoted: whether it stands in quotes.
    """

    start: int
    end: int
    text: str
    quoted: bool


@dataclass(frozen=True)
class Dialect:
    """What separates and what quotes.

    Attributes:
        delimiter: one character.
        quotes: whether `"` at a cell's beginning quotes it.
        escapes: whether a backslash escapes a quote inside quotes (as some databases export).
    """

    delimiter: str
    quotes: bool = True
    escapes: bool = False

    @cached_property
    def _field(self) -> str:
        other = f"[^{re.escape(self.delimiter)}\\r\\n]"
        if not self.quotes:
            return f"{other}*"
        return f'(?>"{self._inside}"{other}*|(?!"){other}*)'

    @property
    def _inside(self) -> str:
        # Possessive: a doubled quote is never taken for a closing one when the real one is missing.
        return r'(?:[^"\\]|\\[\s\S]|"")*+' if self.escapes else r'[^"]*+(?:""[^"]*+)*+'

    @cached_property
    def stray(self) -> re.Pattern[str]:
        """An odd run of quotes inside a cell: it may end a quoted part that more text follows."""
        other = f'[^"{re.escape(self.delimiter)}\\r\\n]'
        return re.compile(f'(?<={other})"(?:"")*+(?={other})')

    def nth(self, column: int) -> re.Pattern[str]:
        """From a row's beginning to cell `column`, counted from 1, which is the group."""
        return re.compile(f"(?:{self._field}{re.escape(self.delimiter)}){{{column - 1}}}+({self._field})")

    @cached_property
    def row(self) -> re.Pattern[str]:
        """A row and its line end; no match where a quote is not closed."""
        field = self._field
        return re.compile(f"({field}(?:{re.escape(self.delimiter)}{field})*+)(\\r\\n|\\r|\\n|\\Z)")

    @cached_property
    def _fields(self) -> re.Pattern[str]:
        return re.compile(self._field)

    @cached_property
    def _closing(self) -> re.Pattern[str]:
        return re.compile(f'"({self._inside})"')

    def cells(self, text: str, start: int, end: int) -> list[Cell]:
        """The cells of the row `text[start:end]`."""
        found: list[Cell] = []
        place = start
        while True:
            match = self._fields.match(text, place, end)
            stop = match.end() if match else end
            found.append(self.cell(text, place, stop))
            if stop >= end:
                return found
            place = stop + 1

    def count(self, row: str) -> int:
        """How many cells a row, without its line end, has."""
        if not self.quotes or '"' not in row:
            return row.count(self.delimiter) + 1
        return len(self.cells(row, 0, len(row)))

    def cell(self, text: str, start: int, end: int) -> Cell:
        """The cell whose raw text is `text[start:end]`."""
        if self.quotes and start < end and text[start] == '"':
            match = self._closing.match(text, start, end)
            if match:
                inner = match[1].replace('""', '"')
                if self.escapes:
                    inner = re.sub(r'\\(["\\])', r"\1", inner)
                return Cell(start, end, inner + text[match.end() : end], quoted=True)
        return Cell(start, end, text[start:end], quoted=False)

    def write(self, content: str, *, quoted: bool) -> str:
        """`content` as a cell of this dialect.

        A quote inside a cell that was written without quotes stays as it stood: quoting the cell would give whoever
        reads the table, and has to guess its dialect, other evidence than its other cells do.
        """
        if not self.quotes:
            return re.sub(f"[{re.escape(self.delimiter)}\\r\\n]", " ", content)
        if not quoted and not content.startswith('"') and not (set(content) & {self.delimiter, "\r", "\n"}):
            return content
        if self.escapes:
            return '"' + content.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return '"' + content.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class Shape:
    """What a table's beginning says about the whole.

    Attributes:
        first_row: the number of the first row that is data or a header: lines saying `sep=` and comments go before.
        header_row: the header's number, or None.
    """

    coding: Coding
    dialect: Dialect
    first_row: int
    header_row: int | None


def decide(source: Source, kind: Literal["csv", "tsv"]) -> Shape:
    """Encoding, dialect and header of a table."""
    coding = detect(source)
    head = source.read(len(coding.mark), _SAMPLE)
    whole = len(head) + len(coding.mark) >= source.size
    text = coding.decode(head, final=whole).text
    declared = _SEP_LINE.match(text)
    if declared:
        delimiter = declared[1]
    elif kind == "tsv":
        delimiter = "\t"
    else:
        delimiter = _delimiter(_without_preface(text), whole=whole)
    dialect = _quoting(text, delimiter, lenient=kind == "tsv")
    rows = _rows(dialect, text, whole=whole)
    first = 1 if declared else 0
    while first < len(rows) and rows[first][0].startswith("#") and first < _SAMPLE_ROWS // 2:
        first += 1
    header = first + 1 if is_header(rows[first:]) else None
    return Shape(coding, dialect, first + 1, header)


def _without_preface(text: str) -> str:
    match = re.match(r"(?:#[^\r\n]*(?:\r\n|\r|\n))+", text)
    return text[match.end() :] if match and match.end() < len(text) else text


def _rows(dialect: Dialect, text: str, *, whole: bool) -> list[list[str]]:
    rows: list[list[str]] = []
    place = 0
    while place < len(text) and len(rows) < _SAMPLE_ROWS:
        match = dialect.row.match(text, place)
        if not match or (match.end() == len(text) and not whole and rows):
            break
        rows.append([cell.text for cell in dialect.cells(text, match.start(), match.end(1))])
        place = match.end()
    return rows


def _quoting(text: str, delimiter: str, *, lenient: bool) -> Dialect:
    border = f"[{re.escape(delimiter)}\\r\\n]"
    plain = Dialect(delimiter)
    if '"' not in text:
        return plain
    escaped = len(re.findall(f'(?<!\\\\)(?:\\\\\\\\)*+\\\\"(?!{border}|\\Z|")', text))
    doubled = len(re.findall(f'(?<!{border[:-1]}])(?<!\\A)""(?!{border}|\\Z)', text))
    if escaped and escaped > doubled:
        return Dialect(delimiter, escapes=True)
    if lenient:
        opened = len(re.findall(f'(?:\\A|{border})"', text))
        closed = len(re.findall(f'"(?={border}|\\Z)', text))
        if min(opened, closed) * 2 < max(opened, closed, 1):
            return Dialect(delimiter, quotes=False)
    return plain


def _delimiter(text: str, *, whole: bool) -> str:
    """The character that cuts the most rows into the same number of cells."""
    best, best_score = ",", (0.0, 0)
    for candidate in _DELIMITERS:
        if candidate not in text:
            continue
        rows = [row for row in _rows(_quoting(text, candidate, lenient=False), text, whole=whole) if row != [""]]
        if not rows:
            continue
        (width, count), *_rest = Counter(map(len, rows)).most_common(1)
        if width == 1:
            wider = sum(len(row) > 1 for row in rows)
            score = (wider / len(rows) / 4, 1)
        else:
            score = (count / len(rows) - _decimal_share(candidate, text), width)
        if score > best_score:
            best, best_score = candidate, score
    return best


def _decimal_share(candidate: str, text: str) -> float:
    """Up to a half, when the commas are those of decimals and thousands, and another delimiter is there."""
    if candidate != "," or not re.search("[;\t|]", text):
        return 0.0
    commas = text.count(",")
    return len(re.findall(r"\d,(?=\d)", text)) / commas / 2


def is_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names what stands below it."""
    if len(rows) < 2:
        return False
    head, body = rows[0], [row for row in rows[1:60] if row != [""]]
    names = [name.strip() for name in head]
    filled = [name for name in names if name]
    if not filled or len(set(filled)) < len(filled) or any(_NUMBER.fullmatch(name) or "@" in name for name in filled):
        return False
    if not all(_HEADER_WORD.fullmatch(name.replace("_", " ").strip() or "x") for name in filled):
        return False
    if any(_TYPICAL.search(name.replace("_", " ")) for name in filled):
        return True
    for column, name in enumerate(names):
        values = [row[column] for row in body if column < len(row) and row[column].strip()]
        special = sum(bool(_NUMBER.fullmatch(value)) or "@" in value for value in values)
        if name and values and special * 5 >= len(values) * 4:
            return True
    return all(name == name.lower() or "_" in name for name in filled)
