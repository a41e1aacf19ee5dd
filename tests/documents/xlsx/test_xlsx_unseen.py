"""What a spreadsheet program does not show is marked with the reason and counted (case B23)."""

# ruff: noqa: E501  # markup is read whole

from __future__ import annotations

import io

import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pytest
from openpyxl.styles.colors import Color  # type: ignore[import-untyped]  # as above

from anonify.documents.xlsx.lines import MAX_MARKS

from .making import SPACES, extracted, sheet, text_cell, workbook


def saved(book: openpyxl.Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def marks(data: bytes, number: int = 0) -> dict[str, list[tuple[int, int, int, int]]]:
    """Where cells cannot be seen, by reason."""
    found: dict[str, list[tuple[int, int, int, int]]] = {}
    for mark in extracted(data)[0].sheets[number].unseen:
        found.setdefault(mark.reason, []).append((mark.first_row, mark.last_row, mark.first_column, mark.last_column))
    return found


def count_of(data: bytes, kind: str) -> int:
    return next((item.count for item in extracted(data)[0].hidden if item.kind == kind), 0)


def test_hidden_rows_and_columns_are_marked_with_the_reason() -> None:
    frame = '<cols><col min="2" max="3" hidden="1" width="9"/><col min="4" max="4" width="0" customWidth="1"/><col min="5" max="5" width="9"/></cols>'
    looks = ("", ' hidden="1"', ' hidden="true"', ' ht="0" customHeight="1"', ' ht="15"', ' ht="0.5"')
    rows = "".join(
        f'<row r="{n}"{how}>' + "".join(f'<c r="{letter}{n}"><v>{n}</v></c>' for letter in "ABCDE") + "</row>"
        for n, how in enumerate(looks, 1)
    )
    data = workbook({"Data": sheet(rows, frame)})

    listed = extracted(data)[0].sheets[0]

    assert [(each.first, each.last, each.reason) for each in listed.hidden_rows] == [
        (2, 3, "hidden"),
        (4, 4, "no-size"),
        (6, 6, "no-size"),
    ]
    assert [(each.first, each.last, each.reason) for each in listed.hidden_columns] == [
        (2, 3, "hidden"),
        (4, 4, "no-size"),
    ]
    assert (count_of(data, "hidden-rows"), count_of(data, "hidden-columns")) == (4, 3)


@pytest.mark.parametrize(
    ("value", "code", "unseen"),
    [
        (20250117, ";;;", True),
        ("Greta Nordlund", ";;;", True),
        (20250117, '"on file"', True),
        (-5, "0;;", True),
        (0, "#,##0;-#,##0;", False),  # zeros that are left out hide nobody
        (20250117, "0", False),
        ("Greta Nordlund", "0;0;0;@", False),
        ("Greta Nordlund", "General", False),
    ],
)
def test_formats_that_show_nothing_are_marked(value: int | str, code: str, unseen: bool) -> None:
    book = openpyxl.Workbook()
    book.active["B2"], book.active["B2"].number_format = value, code
    data = saved(book)

    assert marks(data) == ({"empty-format": [(2, 2, 2, 2)]} if unseen else {})
    assert count_of(data, "hidden-cells") == unseen


@pytest.mark.parametrize(
    ("ink", "ground", "unseen"),
    [
        ("FFFFFFFF", None, True),
        ("FFFDFDFD", None, True),
        (Color(theme=0), None, True),
        (Color(indexed=9), None, True),
        (Color(theme=1, tint=1.0), None, True),
        ("FF000000", "FF000000", True),
        (Color(theme=4), Color(theme=4), True),
        ("FFFFFFFF", "FF1F4E78", False),
        ("FF000000", None, False),
        (Color(theme=0, tint=-0.5), None, False),
        (Color(theme=1), None, False),
    ],
)
def test_texts_in_the_colour_of_their_ground_are_marked(ink: object, ground: object, unseen: bool) -> None:
    book = openpyxl.Workbook()
    page = book.active
    for place in ("A1", "B1", "A2", "B2"):
        page[place] = "Greta Nordlund"
        page[place].font = openpyxl.styles.Font(color=ink)
        if ground is not None:
            page[place].fill = openpyxl.styles.PatternFill("solid", fgColor=ground)
    page["C1"] = "seen"
    page["A4"].font = openpyxl.styles.Font(color="FFFFFFFF")  # blank: nothing to see
    data = saved(book)

    assert marks(data) == ({"same-colour": [(1, 2, 1, 2)]} if unseen else {})
    assert count_of(data, "hidden-cells") == (4 if unseen else 0)


def test_cells_under_merged_ones_and_behind_drawings_are_marked() -> None:
    point = "<xdr:{0}><xdr:col>{1}</xdr:col><xdr:colOff>{2}</xdr:colOff><xdr:row>{3}</xdr:row><xdr:rowOff>{4}</xdr:rowOff></xdr:{0}>"
    anchor = f"<xdr:wsDr {SPACES}><xdr:twoCellAnchor>{point.format('from', 4, 0, 1, 9)}{point.format('to', 6, 5, 5, 5)}<xdr:sp/></xdr:twoCellAnchor></xdr:wsDr>"
    rows = "".join(
        f'<row r="{n}">' + "".join(text_cell(f"{letter}{n}", f"{letter} {n}") for letter in "ABCDEFGH") + "</row>"
        for n in range(1, 8)
    )
    merged = '<mergeCells count="2"><mergeCell ref="A1:B2"/><mergeCell ref="C7:C7"/></mergeCells><drawing r:id="rId1"/>'
    data = workbook({"Data": sheet(rows, after=merged)}, of_sheet=[("drawings/drawing1.xml", "drawing", anchor)])

    assert extracted(data)[0].sheets[0].merges == ((1, 2, 1, 2),)
    assert marks(data) == {"merged": [(1, 1, 2, 2), (2, 2, 1, 2)], "behind-drawing": [(3, 5, 5, 6)]}
    assert count_of(data, "hidden-cells") == 3 + 6


def test_more_marks_than_are_worth_listing_are_counted() -> None:
    rows = "".join(f'<row r="{n}" hidden="1"><c r="A{n}"><v>1</v></c></row>' for n in range(1, 2 * MAX_MARKS + 3, 2))
    data = workbook({"Data": sheet(rows)})

    listed = extracted(data)[0].sheets[0]

    assert len(listed.hidden_rows) == MAX_MARKS
    assert listed.unmarked
    assert count_of(data, "hidden-rows") == MAX_MARKS + 1
