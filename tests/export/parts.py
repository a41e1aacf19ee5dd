"""Small models and a spool for the export's tests."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from anonify.documents import (
    Box,
    BytesSource,
    Extraction,
    Format,
    GridRow,
    Head,
    MemorySink,
    ModelReader,
    ModelWriter,
    Page,
    PageSink,
    Piece,
    RedactionPlan,
    RedactionResult,
    Sheet,
    Sink,
    Source,
    Span,
    StructureCheck,
    read_all,
)
from anonify.documents.format import ExtractOptions
from anonify.documents.matching import Matcher

__all__ = ["Faults", "Spool", "grid", "model_of", "toy", "words_page"]


def model_of(*pages: Page) -> ModelReader:
    """A reader over pages, through the real encoding."""
    sink = MemorySink()
    writer = ModelWriter(sink)
    for page in pages:
        writer.page(page)
    return ModelReader(BytesSource(sink.getvalue()), writer.lengths)


def words_page(number: int, *lines: str) -> Page:
    """A page with geometry: one span a word, ten units a glyph, twenty a line."""
    spans: list[Span] = []
    text = ""
    for row, line in enumerate(lines):
        offset = 0
        for word in line.split(" "):
            start = len(text) + offset
            boxes = tuple(
                Box(10.0 * (offset + i), 20.0 * row, 10.0 * (offset + i) + 10, 20.0 * row + 12)
                for i in range(len(word))
            )
            spans.append(Span(f"w{len(spans)}", start, start + len(word), None, boxes))
            offset += len(word) + 1
        text += line + "\n"
    return Page(number, text, tuple(spans), width=600.0, height=800.0)


def grid(rows: Sequence[Sequence[str]], *, per_page: int = 100) -> tuple[ModelReader, Extraction]:
    """A grid with a header row, in pages of `per_page` rows."""
    pages: list[Page] = []
    for first in range(0, len(rows), per_page):
        block = rows[first : first + per_page]
        pages.append(
            Page(
                len(pages) + 1,
                "\n".join("\t".join(row) for row in block) + "\n",
                sheet=0,
                rows=tuple(GridRow(first + i + 1, tuple(map(len, row))) for i, row in enumerate(block)),
            )
        )
    sheet = Sheet("data", len(rows), max(map(len, rows)), 1, len(pages), tuple(rows[0]), 1)
    return model_of(*pages), Extraction(len(pages), len(rows), (sheet,))


class Spool:
    """A spool in memory that remembers whether it was closed."""

    def __init__(self) -> None:
        self._sink = MemorySink()
        self._data = b""
        self.closed = False

    def write(self, data: bytes, /) -> None:
        self._sink.write(data)

    def finish(self) -> None:
        self._data = self._sink.getvalue()

    @property
    def size(self) -> int:
        return len(self._data)

    def read(self, offset: int, length: int) -> bytes:
        assert not self.closed
        return self._data[offset : offset + length]

    def close(self) -> None:
        self.closed = True


class Faults:
    """How a deliberately faulty format misbehaves."""

    NONE = "none"
    KEEPS_A_COPY = "keeps-a-copy"
    KEEPS_A_HIDDEN_COPY = "keeps-a-hidden-copy"
    DROPS_A_ROW = "drops-a-row"
    WRITES_RUBBISH = "writes-rubbish"
    NAMES_THE_VALUE = "names-the-value"


def toy(fault: str) -> Format:
    """A format of comma separated lines whose redactor has one fault; one reader misses lines with a #."""

    def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
        text = read_all(source, 1 << 20).decode()
        sink.page(Page(1, text, (Span("all", 0, len(text)),)))
        return Extraction(1, 1)

    def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
        text = read_all(source, 1 << 20).decode()
        done, count = Matcher(plan.values).replace(text, [value.replacement for value in plan.sweep])
        if fault == Faults.KEEPS_A_COPY:
            done += plan.values[0].upper() + ",\n"
        if fault == Faults.KEEPS_A_HIDDEN_COPY:
            done = done.replace("\n", "\n#" + plan.values[0] + ",\n", 1)
        if fault == Faults.DROPS_A_ROW:
            done = done.split("\n", 1)[1]
        sink.write(b"\xff\xfe\xfa" if fault == Faults.WRITES_RUBBISH else done.encode())
        from anonify.documents import Named

        kind = f"copy of {plan.values[0]}" if fault == Faults.NAMES_THE_VALUE else "attachment"
        return RedactionResult(len(plan.edits), count, (Named(kind, "removed"),))

    def own(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
        for number, line in enumerate(read_all(source, 1 << 20).decode().splitlines(), 1):
            if not line.startswith("#"):
                yield Piece(f"line {number}", line)

    def independent(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
        for number, row in enumerate(csv.reader(io.StringIO(read_all(source, 1 << 20).decode())), 1):
            yield Piece(f"row {number}", " ".join(row))

    def structure(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
        before, after = (read_all(one, 1 << 20).count(b"\n") for one in (source, artifact))
        yield StructureCheck("same-rows", before <= after)

    def sniff(head: Head) -> float:
        return 0.0

    names, words = (("text/x-toy",), (".toy",)), frozenset(("attachment", "same-rows"))
    return Format("toy", "toy", *names, "kib", sniff, extract, redact, own, independent, structure, words)
