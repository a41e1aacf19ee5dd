"""Cases from the field: B19 (pivot caches), B21 (shown is not stored) and B23 (hidden sheets)."""

# ruff: noqa: E501  # markup is read whole

from __future__ import annotations

import io
import re

import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pytest
from openpyxl.comments import Comment  # type: ignore[import-untyped]  # as above
from openpyxl.utils.datetime import CALENDAR_MAC_1904  # type: ignore[import-untyped]  # as above

from anonify.documents.plan import CellEdit
from tests.documents.ooxml.build import read, seen

from .making import SPACES, extracted, grid, opened, plan_of, redacted, sheet, styles, text_cell, workbook
from .test_xlsx_adversary import pivot


def saved(book: openpyxl.Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


# B19


def test_people_in_a_pivot_cache_are_counted_and_go() -> None:
    items = (
        '<sharedItems count="3"><s v="Greta Nordlund"/><s v="Otto Berg"/><s v="Greta Nordlund (aunt)"/></sharedItems>'
    )
    records = "".join(f'<r><x v="{n % 3}"/></r>' for n in range(214)) + '<r><s v="Greta Nordlund"/></r>'
    data = pivot(items, records)

    extraction, pages = extracted(data)
    out, _ = redacted(data, plan_of("Greta Nordlund"))

    assert {kind.kind: kind.count for kind in extraction.hidden}["pivot-cache-records"] == 215
    assert "pivot-cache" in extraction.notes
    assert any("Greta Nordlund" in page.text and page.sheet is None for page in pages)
    definition = read(out, "xl/pivotCache/pivotCacheDefinition1.xml").decode()
    assert "Greta" not in definition
    assert "Otto Berg" in definition
    listed = re.findall(r'<s v="([^"]*)"', definition)
    assert len(listed) == 3
    assert len({name.casefold() for name in listed}) == 3  # a spreadsheet takes two items of one name for damage
    assert read(out, "xl/pivotCache/pivotCacheRecords1.xml").count(b"<r>") == 215


def test_a_pivot_of_a_redacted_column_loses_its_copy() -> None:
    rows = "".join(
        f'<row r="{n}">{text_cell(f"A{n}", name)}{text_cell(f"B{n}", town)}</row>'
        for n, (name, town) in enumerate([("Name", "Town"), ("Li", "Ystad"), ("Bo", "Lund")], 1)
    )
    definition = (
        f'<pivotCacheDefinition {SPACES} recordCount="2"><cacheSource type="worksheet"><worksheetSource ref="A1:B3" sheet="Data"/></cacheSource>'
        '<cacheFields count="2"><cacheField name="Name"><sharedItems count="2"><s v="Li"/><s v="Bo"/></sharedItems></cacheField>'
        '<cacheField name="Town"><sharedItems count="2"><s v="Ystad"/><s v="Lund"/></sharedItems></cacheField></cacheFields></pivotCacheDefinition>'
    )
    data = workbook(
        {"Data": sheet(rows)}, [("pivotCache/pivotCacheDefinition1.xml", "pivotCacheDefinition", definition)]
    )

    out, _ = redacted(data, plan_of(cells=[CellEdit(0, None, 1, "[NAME]")]))

    kept = read(out, "xl/pivotCache/pivotCacheDefinition1.xml").decode()
    assert '"Li"' not in kept
    assert '"Bo"' not in kept
    assert '"Ystad"' in kept
    assert '"Lund"' in kept
    assert 'count="2"' in kept
    assert grid(out) == [["Name", "Town"], ["[NAME]", "Ystad"], ["[NAME]", "Lund"]]


def test_a_chart_of_a_redacted_column_loses_its_copy() -> None:
    rows = "".join(
        f'<row r="{n}"><c r="A{n}"><v>{n * 7}</v></c><c r="B{n}"><v>{n * 9}</v></c></row>' for n in range(1, 4)
    )
    series = "".join(
        f"<c:val><c:numRef><c:f>Data!${letter}$1:${letter}$3</c:f><c:numCache>"
        + "".join(f'<c:pt idx="{n - 1}"><c:v>{n * factor}</c:v></c:pt>' for n in range(1, 4))
        + "</c:numCache></c:numRef></c:val>"
        for letter, factor in (("A", 7), ("B", 9))
    )
    chart = f"<c:chartSpace {SPACES}>{series}</c:chartSpace>"
    data = workbook({"Data": sheet(rows)}, more={"xl/charts/chart1.xml": chart.encode()})

    out, _ = redacted(data, plan_of(cells=[CellEdit(0, None, 1, "[SUM]"), CellEdit(0, 2, 2, "[SUM]")]))

    points = re.findall(r"<c:v>(\d+)</c:v>", read(out, "xl/charts/chart1.xml").decode())
    assert points == ["0", "0", "0", "9", "0", "27"]


# B21


def masked() -> bytes:
    book = openpyxl.Workbook()
    page = book.active
    page["A1"], page["A1"].number_format = 417023, "00000000"
    page["A2"] = 417023
    page["A3"] = "account 00417023 as typed"
    page["A4"] = 4170231
    page["B1"] = "=A1*2"
    page["B2"] = "=IF(A2=417023,1,2)"
    page["B3"] = "=A4+1"
    return saved(book)


def test_a_masked_number_is_shown_as_displayed_and_goes_with_what_is_stored() -> None:
    data = masked()
    assert grid(data)[0][0] == "00417023"

    out, _ = redacted(data, plan_of("00417023"))

    texts = seen(out)
    assert "00417023" not in texts
    assert not re.search(r"(?<!\d)417023(?!\d)", texts)
    page = opened(out, values=False).active
    assert page["A1"].value == page["A2"].value == "[REDACTED]"
    assert page["A3"].value == "account [REDACTED] as typed"
    assert page["A4"].value == 4170231
    assert page["B3"].value == "=A4+1"
    assert page["B1"].value == "=A1*2"
    assert page["B2"].value == "[REDACTED]"


@pytest.mark.parametrize(
    ("stored", "code", "shown"),
    [
        (2065550100, "(000) 000-0000", "(206) 555-0100"),
        (30756, "dd/mm/yyyy", "15/03/1984"),
        (0.125, "0.0%", "12.5%"),
        (123456789012, "0.00E+00", "1.23E+11"),
        (12500000, '0.0,," M"', "12.5 M"),
        (78051120, "000-00-0000", "078-05-1120"),
        (0.75, "h:mm AM/PM", "6:00 PM"),
        (-1234.5, "#,##0.00;[Red](#,##0.00)", "(1,234.50)"),
    ],
)
def test_numbers_are_shown_in_their_format_and_go_whole(stored: float, code: str, shown: str) -> None:
    book = openpyxl.Workbook()
    page = book.active
    page["A1"], page["A1"].number_format = stored, code
    page["A2"], page["A2"].number_format = 5, code
    data = saved(book)
    assert grid(data)[0][0] == shown

    out, _ = redacted(data, plan_of(shown))

    assert opened(out).active["A1"].value == "[REDACTED]"
    assert opened(out).active["A2"].value is not None
    assert f"<v>{stored}</v>".encode() not in read(out, "xl/worksheets/sheet1.xml")


def test_dates_count_from_1904_where_the_workbook_says_so() -> None:
    book = openpyxl.Workbook()
    book.epoch = CALENDAR_MAC_1904
    page = book.active
    page["A1"], page["A1"].number_format = 29294, "yyyy-mm-dd"
    data = saved(book)

    assert grid(data) == [["1984-03-15"]]

    out, _ = redacted(data, plan_of("1984-03-15"))

    assert grid(out) == [["[REDACTED]"]]
    assert b"29294" not in read(out, "xl/worksheets/sheet1.xml")


def test_a_number_in_caches_goes_with_the_cell_that_shows_it() -> None:
    chart = f"<c:chartSpace {SPACES}><c:ser><c:val><c:numRef><c:f>Data!$A$1:$A$2</c:f><c:numCache><c:pt idx='0'><c:v>30756</c:v></c:pt><c:pt idx='1'><c:v>30757</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:chartSpace>"
    data = workbook(
        {
            "Data": sheet(
                '<row r="1"><c r="A1" s="1"><v>30756</v></c></row><row r="2"><c r="A2" s="1"><v>30757</v></c></row>'
            )
        },
        [("styles.xml", "styles", styles("yyyy\\-mm\\-dd"))],
        more={"xl/charts/chart1.xml": chart.encode()},
    )

    out, _ = redacted(data, plan_of("1984-03-15"))

    assert b"30756" not in read(out, "xl/charts/chart1.xml")
    assert b"30757" in read(out, "xl/charts/chart1.xml")
    assert b"30756" not in read(out, "xl/worksheets/sheet1.xml")
    assert b"<v>30757</v>" in read(out, "xl/worksheets/sheet1.xml")


def test_rich_text_and_results_of_formulas_are_shown_and_go() -> None:
    rows = (
        '<row r="1"><c r="A1" t="str"><f>B1&amp;" "&amp;C1</f><v>Greta Nordlund</v></c>'
        '<c r="B1" t="inlineStr"><is><r><t>Gre</t></r><r><rPr><b/></rPr><t xml:space="preserve">ta Nord</t></r><r><t>lund</t></r></is></c></row>'
    )
    data = workbook({"Data": sheet(rows)})
    assert grid(data) == [["Greta Nordlund", "Greta Nordlund"]]

    out, _ = redacted(data, plan_of("Greta Nordlund"))

    assert grid(out) == [["[REDACTED]", "[REDACTED]"]]
    assert b"<b/>" in read(out, "xl/worksheets/sheet1.xml")


# B23


def test_hidden_sheets_rows_columns_and_formats_are_in_the_grid_and_counted() -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "nothing to see"
    for name, state in (("Staff", "veryHidden"), ("Old", "hidden")):
        page = book.create_sheet(name)
        page.sheet_state = state
        page["A1"] = f"Greta Nordlund in {name}"
    page = book.create_sheet("Rows")
    page["A3"] = "Greta Nordlund in a row"
    page.row_dimensions[3].hidden = True
    page["C1"] = "Greta Nordlund in a column"
    page.column_dimensions["C"].hidden = True
    page["A4"], page["A4"].number_format = 20250117, ";;;"
    page["A5"] = "Greta Nordlund in white"
    page["A5"].font = openpyxl.styles.Font(color="FFFFFF")
    page["A1048576"] = "Greta Nordlund at the end"
    data = saved(book)

    extraction, pages = extracted(data)
    out, _ = redacted(data, plan_of("Greta Nordlund", "20250117"))

    assert [each.hidden for each in extraction.sheets] == ["", "very-hidden", "hidden", ""]
    counts = {kind.kind: kind.count for kind in extraction.hidden}
    assert counts["hidden-sheets"] == 2
    assert counts["hidden-rows"] == 1
    assert counts["hidden-columns"] == 1
    assert sum(page.text.count("Greta Nordlund") for page in pages) == 6
    assert any("20250117" in page.text for page in pages)
    assert extraction.sheets[3].rows == 1_048_576
    assert "gretanordlund" not in seen(out)
    assert "20250117" not in seen(out)
    after = opened(out)
    assert [after[name].sheet_state for name in after.sheetnames] == ["visible", "veryHidden", "hidden", "visible"]
    assert after["Rows"]["A1048576"].value == "[REDACTED] at the end"
    assert after["Rows"].row_dimensions[3].hidden


def test_comments_that_lie_in_a_folder_of_their_own_are_shown_counted_and_go() -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "Town"
    book.active["A1"].comment = Comment("ask Greta Nordlund", "Otto Berg")
    data = saved(book)
    assert b"Greta" in read(data, "xl/comments/comment1.xml")

    extraction, pages = extracted(data)
    out, _ = redacted(data, plan_of("Greta Nordlund"))

    assert {kind.kind: kind.count for kind in extraction.hidden}["comments"] == 1
    assert any("Greta Nordlund" in page.text for page in pages)
    assert b"Greta" not in read(out, "xl/comments/comment1.xml")
    assert b"Otto Berg" in read(out, "xl/comments/comment1.xml")
