"""What a reviewer sees of a workbook, and column suggestions from it."""

# ruff: noqa: E501  # markup is read whole

from __future__ import annotations

import io
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pytest

from anonify import redact_file
from anonify.documents.model import page_spans
from anonify.documents.xlsx.numbers import look_of

from .making import SPACES, extracted, grid, sheet, string_table, styles, text_cell, workbook


@pytest.mark.parametrize(
    ("stored", "code", "shown"),
    [
        ("1234567.891", "#,##0.00", "1,234,567.89"),
        ("0.5", "# ?/?", "1/2"),
        ("1.25", "# ?/?", "1 1/4"),
        ("1.5", "[h]:mm", "36:00"),
        ("44197.5", "d mmmm yyyy hh:mm", "1 January 2021 12:00"),
        ("44197", "ddd, dd-mmm-yy", "Fri, 01-Jan-21"),
        ("60", "yyyy-mm-dd", "1900-02-29"),
        ("1", "yyyy-mm-dd", "1900-01-01"),
        ("2.675", "0.00", "2.68"),
        ("0.30000000000000004", "General", "0.3"),
        ("1E10", "General", "10000000000"),
        ("0", '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', "-"),
        ("150", '[>100]"many";0', "many"),
        ("50", '[>100]"many";0', "50"),
        ("7", "[$€-407] #,##0.00", "€ 7.00"),
        ("12", "0000 0000", "0000 0012"),
        ("-3", "0.0", "-3.0"),
        ("0.000123", "0.0E+00", "1.2E-04"),
        ("99.96", "0.0", "100.0"),
        ("0.5208333333", "mm:ss.0", "30:00.0"),
        ("0.99999999", "h:mm:ss", "0:00:00"),
        ("-1", "yyyy-mm-dd", "-1"),
        ("5", ";;;", "5"),
        ("nonsense", "0.00", "nonsense"),
        ("5", "0.00!!!\\", "5.00!!!\\"),
    ],
)  # fmt: skip
def test_numbers_show_as_in_a_spreadsheet(stored: str, code: str, shown: str) -> None:
    assert look_of(code).number(stored) == shown


def test_cells_of_every_type_show_their_value() -> None:
    rows = (
        '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" t="e"><v>#N/A</v></c>'
        '<c r="E2" t="d"><v>2024-05-01</v></c><c r="F2" s="1"><v>45413</v></c><c r="G2" t="str"><f>A2</f><v>a&amp;b</v></c>'
        '<c r="H2"><f>SUM(A1)</f></c><c r="I2" t="inlineStr"><is><t>in_x000D_line</t></is></c></row>'
    )
    strings = string_table("<si><r><t>ri</t></r><r><t>ch</t></r><rPh sb='0' eb='1'><t>reading</t></rPh></si>")
    data = workbook(
        {"Data": sheet(rows)},
        [("sharedStrings.xml", "sharedStrings", strings), ("styles.xml", "styles", styles("yyyy\\-mm\\-dd"))],
    )

    assert grid(data) == [["rich", "", "TRUE", "#N/A", "2024-05-01", "2024-05-01", "a&b", "=SUM(A1)", "in line"]]
    extraction, pages = extracted(data)
    spans = {span.id: pages[0].text[span.start : span.end] for span in page_spans(pages[0])}
    assert spans["cell#0!R2C1"] == "rich"
    assert spans["cell#0!R2C7"] == "a&b"
    assert extraction.units == 8
    assert extraction.sheets[0].first_rows == (2,)


def test_a_header_below_titles_is_found_and_a_tables_own_is_believed() -> None:
    titled = workbook({"Data": sheet(
        f'<row r="1">{text_cell("A1", "Quarterly list of members")}</row>'
        f'<row r="4">{text_cell("A4", "Name")}{text_cell("B4", "Email")}{text_cell("C4", "Amount")}</row>'
        + "".join(f'<row r="{n}">{text_cell(f"A{n}", "Li")}{text_cell(f"B{n}", "li@example.org")}<c r="C{n}"><v>{n}</v></c></row>' for n in range(5, 9))
    )})  # fmt: skip
    table = f'<table {SPACES} id="1" name="T" displayName="T" ref="A2:B3"><tableColumns count="2"><tableColumn id="1" name="1"/><tableColumn id="2" name="2"/></tableColumns></table>'
    listed = workbook(
        {
            "Data": sheet(
                f'<row r="2">{text_cell("A2", "1")}{text_cell("B2", "2")}</row><row r="3"><c r="A3"><v>3</v></c></row>'
            )
        },
        of_sheet=[("tables/table1.xml", "table", table)],
    )

    assert extracted(titled)[0].sheets[0].header_row == 4
    assert extracted(titled)[0].sheets[0].header == ("Name", "Email", "Amount")
    assert extracted(listed)[0].sheets[0].header_row == 2


def test_texts_outside_cells_have_pages_of_their_own() -> None:
    comment = f'<comments {SPACES}><authors><author>Ann Author</author></authors><commentList><comment ref="A1" authorId="0"><text><t>ask about it</t></text></comment></commentList></comments>'
    data = workbook(
        {
            "Staff list": sheet(
                "", after="<headerFooter><oddFooter>&amp;LPrinted by Bo&amp;RPage &amp;P</oddFooter></headerFooter>"
            )
        },
        of_sheet=[("comments1.xml", "comments", comment)],
        inside='<definedNames><definedName name="Payroll" hidden="1">"secret words"</definedName></definedNames>',
    )

    extraction, pages = extracted(data)

    text = "\n".join(page.text for page in pages if page.sheet is None)
    for words in ("Ann Author", "ask about it", "Printed by Bo", "Payroll", "secret words", "Staff list"):
        assert words in text
    counts = {kind.kind: kind.count for kind in extraction.hidden}
    assert counts["comments"] == 1
    assert counts["hidden-names"] == 1
    assert [page.number for page in pages] == list(range(1, extraction.pages + 1))


def test_columns_are_suggested_as_for_other_tables_and_redacted_through_the_api(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    page = book.active
    page.append(["id", "email", "note"])
    for number in range(40):
        page.append([number, f"person{number}@example.org", "nothing"])
    book.save(tmp_path / "list.xlsx")

    result = redact_file(tmp_path / "list.xlsx", tmp_path / "out.xlsx", accept="high")

    assert result.status == "ready"
    out = openpyxl.load_workbook(io.BytesIO((tmp_path / "out.xlsx").read_bytes())).active
    assert out["B1"].value == "email"
    assert not any("@" in str(cell.value) for cell in out["B"])
    assert [cell.value for cell in out["A"]][1:] == list(range(40))
    assert {cell.value for cell in out["C"]} == {"note", "nothing"}


def test_a_rule_over_a_columns_header_renames_the_column_wherever_it_is_named(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    page = book.active
    page.append(["Greta's salary", "Town"])
    for number in range(1, 5):
        page.append([number * 100, "Lund"])
    page.add_table(openpyxl.worksheet.table.Table(displayName="Pay", ref="A1:B5"))
    page["D1"] = "=SUM(Pay[Greta's salary])".replace("'", "''")
    page["D2"] = "as in Greta's salary"
    book.save(tmp_path / "pay.xlsx")

    result = redact_file(tmp_path / "pay.xlsx", tmp_path / "out.xlsx", values=["Greta's salary"])

    assert result.status == "ready"
    out = openpyxl.load_workbook(tmp_path / "out.xlsx").active
    name = out.tables["Pay"].tableColumns[0].name
    assert out["A1"].value == name == "REDACTED"
    assert out["D1"].value == "=SUM(Pay[REDACTED])"
    assert out["D2"].value == "as in [REDACTED]"
    assert [out[f"A{row}"].value for row in range(2, 6)] == [100, 200, 300, 400]
    assert out["B1"].value == "Town"
