"""What was found late is looked for on every page, cells included."""

from __future__ import annotations

from anonify.detection import Detection, spread
from anonify.documents.model import Extraction, GridRow, ModelReader, ModelWriter, Page, Sheet
from anonify.sandbox import BytesSource, MemorySink

NAMED = "the tall man"
EXTRACTION = Extraction(2, 2, (Sheet("s", 2, 2, 2, 1),))
FRESH = Detection(1, 0, 12, NAMED, "person", 0.8, "context-model", "context-model")


def _model() -> ModelReader:
    sink = MemorySink()
    writer = ModelWriter(sink)
    writer.page(Page(1, f"{NAMED} rang. Later {NAMED} left."))
    rows = (GridRow(1, (12, 12)), GridRow(2, (4, 12)))
    writer.page(Page(2, f"{NAMED}\t{NAMED}\nrent\t{NAMED}", sheet=0, rows=rows))
    return ModelReader(BytesSource(sink.getvalue()), writer.lengths)


def _places(found: list[Detection]) -> list[tuple[int, int, int | None, int | None]]:
    return [(one.page, one.start, one.row, one.column) for one in found]


def test_it_is_found_on_its_own_page_and_in_cells_but_not_twice() -> None:
    more = spread(_model(), EXTRACTION, [FRESH], [FRESH], 9)

    assert _places(more) == [(1, 25, None, None), (2, 0, 1, 1), (2, 13, 1, 2), (2, 31, 2, 2)]
    assert {one.detector for one in more} == {"context-model+expanded"}


def test_nothing_is_suggested_in_a_column_that_is_suggested_whole() -> None:
    column = Detection(2, 0, 0, "", "person", 0.9, "column", "column-header", sheet=0, column=2)

    assert _places(spread(_model(), EXTRACTION, [column, FRESH], [FRESH], 9)) == [(1, 25, None, None), (2, 0, 1, 1)]


def test_it_ends_one_beyond_the_room_there_is() -> None:
    assert len(spread(_model(), EXTRACTION, [FRESH], [FRESH], 1)) == 2
