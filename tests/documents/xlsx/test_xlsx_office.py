"""Other programs open what we write: LibreOffice and openpyxl, with the kept cells and without the value."""

# ruff: noqa: E501  # markup is read whole

from __future__ import annotations

import io
from functools import cache

import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pypdfium2
import pytest
from openpyxl.chart import BarChart, Reference  # type: ignore[import-untyped]  # as above
from openpyxl.comments import Comment  # type: ignore[import-untyped]  # as above
from openpyxl.worksheet.table import Table  # type: ignore[import-untyped]  # as above

from anonify.documents.plan import CellEdit
from tests.documents.docx.making import SOFFICE, converted
from tests.documents.ooxml.build import folded, seen

from .making import SPACES, opened, plan_of, redacted, rels, sheet, text_cell, workbook

needs_office = pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed: no soffice on the path")

GONE = "Zebulon Quarkman"
KEPT = "Petronella Vandersloot"
_EVERY_SHEET = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"


def made() -> bytes:
    """By openpyxl: shared strings, formulas, merged cells, a table, a chart, a comment, formats, a hidden sheet."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = "People"
    page.append(["Name", "Town", "Amount", "Twice", "Greeting"])
    for row, name in enumerate((GONE, KEPT, GONE, "Ida Moe"), 2):
        page.append([name, f"Town {row}", row * 100.5, f"=C{row}*2", f'="Dear "&A{row}'])
        page.cell(row, 3).number_format = "#,##0.00"
    page.add_table(Table(displayName="Members", ref="A1:E5"))
    page["G1"] = f"Merged for {KEPT}"
    page.merge_cells("G1:H2")
    page["G4"] = f"mentions {GONE} and {KEPT}"
    page["G4"].comment = Comment(f"ask {GONE}", "Author")
    chart = BarChart()
    chart.add_data(Reference(page, min_col=3, min_row=1, max_row=5), titles_from_data=True)
    chart.set_categories(Reference(page, min_col=1, min_row=2, max_row=5))
    page.add_chart(chart, "G8")
    other = book.create_sheet("Hidden")
    other.sheet_state = "hidden"
    other["B3"] = GONE
    other["B4"] = KEPT
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def inline() -> bytes:
    """Texts in their cells, in runs, results without their formulas' cells, a shared formula."""
    runs = "".join(f'<r><rPr><b/></rPr><t xml:space="preserve">{char}</t></r>' for char in GONE)
    rows = (
        f'<row r="1">{text_cell("A1", GONE)}{text_cell("B1", KEPT)}<c r="C1" t="str"><f>A1&amp;"!"</f><v>{GONE}!</v></c></row>'
        f'<row r="2"><c r="A2" t="inlineStr"><is>{runs}</is></c>{text_cell("B2", "second")}<c r="C2"><f t="shared" ref="C2:C3" si="0">LEN(B2)</f><v>6</v></c></row>'
        f'<row r="3">{text_cell("A3", "third")}{text_cell("B3", "kept words")}<c r="C3"><f t="shared" si="0"/><v>10</v></c></row>'
    )
    return workbook({"Data": sheet(rows)})


def pivot() -> bytes:
    """A pivot table with its cache, on a sheet of its own."""
    names = (GONE, KEPT, "Ida Moe")
    rows = f'<row r="1">{text_cell("A1", "Name")}{text_cell("B1", "Sum")}</row>' + "".join(
        f'<row r="{n}">{text_cell(f"A{n}", name)}<c r="B{n}"><v>{n * 111}</v></c></row>'
        for n, name in enumerate(names, 2)
    )
    shown = f'<row r="3">{text_cell("A3", "Name")}{text_cell("B3", "Sum of Sum")}</row>' + "".join(
        f'<row r="{n}">{text_cell(f"A{n}", name)}<c r="B{n}"><v>{(n - 2) * 111}</v></c></row>'
        for n, name in enumerate(names, 4)
    )
    shown += f'<row r="7">{text_cell("A7", "Total Result")}<c r="B7"><v>999</v></c></row>'
    items = "".join(f'<s v="{name}"/>' for name in names)
    definition = (
        f'<pivotCacheDefinition {SPACES} r:id="rId1" recordCount="3"><cacheSource type="worksheet"><worksheetSource ref="A1:B4" sheet="Data"/></cacheSource>'
        f'<cacheFields count="2"><cacheField name="Name" numFmtId="0"><sharedItems count="3">{items}</sharedItems></cacheField>'
        '<cacheField name="Sum" numFmtId="0"><sharedItems containsSemiMixedTypes="0" containsString="0" containsNumber="1" containsInteger="1" minValue="222" maxValue="444"/></cacheField></cacheFields></pivotCacheDefinition>'
    )
    records = "".join(f'<r><x v="{n}"/><n v="{(n + 2) * 111}"/></r>' for n in range(3))
    table = (
        f'<pivotTableDefinition {SPACES} name="P" cacheId="1" dataCaption="Values"><location ref="A3:B7" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/>'
        '<pivotFields count="2"><pivotField axis="axisRow" showAll="0"><items count="4"><item x="0"/><item x="1"/><item x="2"/><item t="default"/></items></pivotField><pivotField dataField="1" showAll="0"/></pivotFields>'
        '<rowFields count="1"><field x="0"/></rowFields><rowItems count="4"><i><x/></i><i><x v="1"/></i><i><x v="2"/></i><i t="grand"><x/></i></rowItems><colItems count="1"><i/></colItems>'
        '<dataFields count="1"><dataField name="Sum of Sum" fld="1" baseField="0" baseItem="0"/></dataFields></pivotTableDefinition>'
    )
    return workbook(
        {"Totals": sheet(shown), "Data": sheet(rows)},
        [("pivotCache/pivotCacheDefinition1.xml", "pivotCacheDefinition", definition)],
        of_sheet=[("pivotTables/pivotTable1.xml", "pivotTable", table)],
        inside='<pivotCaches><pivotCache cacheId="1" r:id="rId3"/></pivotCaches>',
        more={
            "xl/pivotTables/_rels/pivotTable1.xml.rels": rels(
                [("pivotCacheDefinition", "../pivotCache/pivotCacheDefinition1.xml")]
            ).encode(),
            "xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels": rels(
                [("pivotCacheRecords", "pivotCacheRecords1.xml")]
            ).encode(),
            "xl/pivotCache/pivotCacheRecords1.xml": f'<pivotCacheRecords {SPACES} count="3">{records}</pivotCacheRecords>'.encode(),
        },
    )


SOURCES = {"made": made, "inline": inline, "pivot": pivot}


@cache
def artifacts() -> dict[str, tuple[bytes, bytes]]:
    """Every workbook before and after: the value swept, and of one a column gone as well."""
    found = {}
    for name, make in SOURCES.items():
        data = make()
        found[name] = data, redacted(data, plan_of(GONE))[0]
    data = made()
    found["column"] = data, redacted(data, plan_of(GONE, cells=[CellEdit(0, None, 2, "[TOWN]")]))[0]
    return found


@cache
def texts() -> dict[str, str]:
    """What LibreOffice shows of every artifact: all sheets as CSV, then the printed pages."""
    files = [(f"{name}.xlsx", after) for name, (_, after) in artifacts().items()]
    tables, printed = converted(files, _EVERY_SHEET), converted(files, "pdf")
    found = {}
    for name in artifacts():
        sheets = [data.decode() for stem, data in sorted(tables.items()) if stem.startswith(f"{name}-")]
        pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(printed[name])]
        found[name] = "\n".join([*sheets, *pages])
        assert len(sheets) == len(opened(artifacts()[name][1]).sheetnames), name
    return found


KEEPS = {
    "made": [KEPT, "Town 2", "[REDACTED]", "Dear " + KEPT, "Dear [REDACTED]", "804", "Merged for " + KEPT, "mentions [REDACTED] and", "Ida Moe"],
    "inline": [KEPT, "second", "kept words", "[REDACTED]!", "10"],
    "pivot": [KEPT, "[REDACTED]", "Ida Moe", "999", "333", "Sum of Sum"],
    "column": [KEPT, "Town\n", "[TOWN]", "Dear " + KEPT, "Ida Moe"],
}  # fmt: skip


@needs_office
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", KEEPS)
def test_libreoffice_shows_the_kept_cells_and_not_the_value(name: str) -> None:
    shown = folded(texts()[name])

    assert folded(GONE) not in shown
    assert folded("Quarkman") not in shown
    assert [words for words in KEEPS[name] if folded(words) not in shown] == []
    if name == "column":
        assert folded("Town 3") not in shown


@needs_office
@pytest.mark.timeout(300)
def test_libreoffice_shows_the_value_before_redaction() -> None:
    """Else the tests above could not fail."""
    tables = converted([("made.xlsx", made()), ("pivot.xlsx", pivot())], _EVERY_SHEET)

    assert all(
        any(folded(GONE) in folded(data.decode()) for stem, data in tables.items() if stem.startswith(name))
        for name in ("made", "pivot")
    )


@pytest.mark.parametrize("name", KEEPS)
def test_openpyxl_finds_the_same_sheets_and_dimensions(name: str) -> None:
    before, after = (opened(data, values=False) for data in artifacts()[name])

    assert after.sheetnames == before.sheetnames
    assert [page.dimensions for page in after] == [page.dimensions for page in before]
    assert [page.sheet_state for page in after] == [page.sheet_state for page in before]
    assert [sorted(map(str, page.merged_cells.ranges)) for page in after] == [
        sorted(map(str, page.merged_cells.ranges)) for page in before
    ]
    assert [list(page.tables) for page in after] == [list(page.tables) for page in before]
    assert [len(page._charts) for page in after] == [len(page._charts) for page in before]
    assert [len(page._pivots) for page in after] == [len(page._pivots) for page in before]
    assert folded(GONE) not in seen(artifacts()[name][1])
