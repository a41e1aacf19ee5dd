"""What becomes of cells, formulas and names, and what stays as it was."""

# ruff: noqa: E501  # markup is read whole

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest

from anonify.documents.plan import CellEdit, Edit
from tests.documents.ooxml.build import read

from .making import SPACES, extracted, grid, opened, plan_of, redacted, sheet, string_table, text_cell, workbook
from .test_xlsx_adversary import packed


def shared(*rows: str, strings: tuple[str, ...]) -> bytes:
    return workbook(
        {"Data": sheet("".join(rows))},
        [("sharedStrings.xml", "sharedStrings", string_table(*(f"<si><t>{text}</t></si>" for text in strings)))],
    )


def people() -> bytes:
    rows = [
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>',
        '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" s="0"><v>1984</v></c></row>',
        '<row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3"><v>1990</v></c><c r="C3" t="s"><v>3</v></c></row>',
    ]
    return shared(*rows, strings=("name", "year", "Li", "Bo"))


def test_a_cell_goes_whole_and_its_string_with_it_unless_a_kept_cell_uses_it() -> None:
    plan = plan_of(cells=[CellEdit(0, 2, 1, "[ONE]"), CellEdit(0, 3, 1, "[TWO]")])

    out, result = redacted(people(), plan)

    assert grid(out) == [["name", "year"], ["[ONE]", "1984"], ["[TWO]", "1990", "Bo"]]
    table = read(out, "xl/sharedStrings.xml").decode()
    assert "Li" not in table
    assert "Bo" in table
    assert result.edited == 2


def test_a_row_and_a_column_go_and_the_header_stays() -> None:
    out, _ = redacted(people(), plan_of(cells=[CellEdit(0, None, 1, "[NAME]"), CellEdit(0, 3, None, "[ROW]")]))

    assert extracted(people())[0].sheets[0].header_row == 1
    assert [line[:2] for line in grid(out)][:2] == [["name", "year"], ["[NAME]", "1984"]]
    assert set(grid(out)[2]) <= {"[NAME]", "[ROW]"}
    assert b"Bo" not in read(out, "xl/sharedStrings.xml")


def test_part_of_a_short_cell_goes_and_equal_cells_stay() -> None:
    out, _ = redacted(people(), plan_of(edits=[Edit("cell#0!R3C1", 0, 2, "[X]", 1)]))

    assert grid(out)[2] == ["[X]", "1990", "Bo"]


def test_part_of_a_number_goes() -> None:
    out, _ = redacted(people(), plan_of(edits=[Edit("cell#0!R2C2", 2, 4, "__", 1)]))

    assert grid(out)[1] == ["Li", "19__"]


def test_a_replacement_never_begins_a_formula() -> None:
    out, _ = redacted(people(), plan_of(cells=[CellEdit(0, 2, 1, "=cmd()")]))

    assert grid(out)[1][0] == "'=cmd()"


def test_formulas_that_name_a_changed_cell_lose_their_result_and_nothing_else() -> None:
    rows = (
        f'<row r="1">{text_cell("A1", "Greta Nordlund")}<c r="B1"><f>LEN(A1)</f><v>14</v></c><c r="C1"><f>B1*2</f><v>28</v></c>'
        f'<c r="D1"><f>LEN(E1)</f><v>4</v></c>{text_cell("E1", "kept")}<c r="F1" t="str"><f>A1</f><v>Greta Nordlund</v></c>'
        '<c r="G1"><f>SUM(Total)</f><v>77</v></c></row>'
    )
    data = workbook(
        {"Data": sheet(rows)},
        inside='<definedNames><definedName name="Total">Data!$A$1:$A$9</definedName></definedNames>',
    )

    out, _ = redacted(data, plan_of("Greta Nordlund"))

    markup = read(out, "xl/worksheets/sheet1.xml").decode()
    assert '<c r="B1"><f>LEN(A1)</f></c>' in markup
    assert '<c r="C1"><f>B1*2</f></c>' in markup
    assert '<c r="D1"><f>LEN(E1)</f><v>4</v></c>' in markup
    assert '<c r="F1"><f>A1</f></c>' in markup
    assert '<c r="G1"><f>SUM(Total)</f></c>' in markup
    assert b'fullCalcOnLoad="1"' in read(out, "xl/workbook.xml")


def test_cells_that_share_a_formula_keep_theirs_when_the_first_loses_it() -> None:
    rows = (
        '<row r="1"><c r="A1" t="str"><f t="shared" ref="A1:A3" si="0">B1&amp;"!"</f><v>Greta Nordlund!</v></c></row>'
        '<row r="2"><c r="A2" t="str"><f t="shared" si="0"/><v>x!</v></c></row>'
        '<row r="3"><c r="A3" t="str"><f t="shared" si="0"/><v>y!</v></c></row>'
    )

    out, _ = redacted(workbook({"Data": sheet(rows)}), plan_of("Greta Nordlund"))

    page = opened(out, values=False).active
    assert page["A1"].value == "[REDACTED]!"
    assert page["A2"].value == '=B2&"!"'
    assert page["A3"].value == '=B3&"!"'


def test_the_calculation_chain_goes_with_a_formula_it_names() -> None:
    rows = f'<row r="1"><c r="A1" t="str"><f>B1&amp;C1</f><v>Greta Nordlund</v></c>{text_cell("B1", "x")}</row>'
    chain = ("calcChain.xml", "calcChain", f'<calcChain {SPACES}><c r="A1" i="1"/></calcChain>')

    lost, _ = redacted(workbook({"Data": sheet(rows)}, [chain]), plan_of("Greta Nordlund"))
    kept, _ = redacted(workbook({"Data": sheet(rows)}, [chain]), plan_of("Somebody Else"))

    assert "xl/calcChain.xml" not in zipfile.ZipFile(BytesIO(lost)).namelist()
    assert b"calcChain" not in read(lost, "[Content_Types].xml") + read(lost, "xl/_rels/workbook.xml.rels")
    assert "xl/calcChain.xml" in zipfile.ZipFile(BytesIO(kept)).namelist()


def test_a_sheet_named_after_a_person_is_renamed_everywhere() -> None:
    chart = f"<c:chartSpace {SPACES}><c:f>'Greta Nordlund'!$A$1</c:f></c:chartSpace>"
    data = workbook(
        {
            "Greta Nordlund": sheet(f'<row r="1">{text_cell("A1", "x")}</row>'),
            "Other": sheet(
                '<row r="1"><c r="A1" t="str"><f>\'Greta Nordlund\'!A1</f><v>x</v></c></row>',
                after='<hyperlinks><hyperlink ref="A1" location="\'Greta Nordlund\'!A1"/></hyperlinks>',
            ),
        },
        inside="<definedNames><definedName name=\"Greta_Nordlund\">'Greta Nordlund'!$A$1</definedName></definedNames>",
        more={"xl/charts/chart1.xml": chart.encode()},
    )

    out, _ = redacted(data, plan_of("Greta Nordlund"))

    book = opened(out, values=False)
    assert book.sheetnames == ["REDACTED", "Other"]
    assert book["Other"]["A1"].value == "='REDACTED'!A1"
    assert book["Other"]["A1"].hyperlink.location == "'REDACTED'!A1"
    assert [name.attr_text for name in book.defined_names.values()] == ["'REDACTED'!$A$1"]
    assert b"'REDACTED'!$A$1" in read(out, "xl/charts/chart1.xml").replace(b"&apos;", b"'")


def test_a_sheets_short_name_can_be_edited_where_it_stands() -> None:
    data = workbook({"Li": sheet(""), "Sum": sheet('<row r="1"><c r="A1"><f>Li!A1+Li!A2</f><v>3</v></c></row>')})
    page = next(page for page in extracted(data)[1] if "Li" in page.text and page.sheet is None)
    span = next(span for span in page.spans if page.text[span.start : span.end] == "Li")

    out, _ = redacted(data, plan_of(edits=[Edit(span.id, 0, 2, "[NAME]", page.number)]))

    assert opened(out).sheetnames == ["NAME", "Sum"]
    assert opened(out, values=False)["Sum"]["A1"].value == "='NAME'!A1+'NAME'!A2"


def test_a_tables_columns_are_renamed_with_their_header_cells() -> None:
    table = f'<table {SPACES} id="1" name="T" displayName="T" ref="A1:B2"><tableColumns count="2"><tableColumn id="1" name="Greta Nordlund"/><tableColumn id="2" name="Sum"><calculatedColumnFormula>T[[#This Row],[Greta Nordlund]]*2</calculatedColumnFormula></tableColumn></tableColumns></table>'
    rows = f'<row r="1">{text_cell("A1", "Greta Nordlund")}{text_cell("B1", "Sum")}</row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>T[[#This Row],[Greta Nordlund]]*2</f><v>2</v></c></row>'
    data = workbook(
        {"Data": sheet(rows, after='<tableParts count="1"><tablePart r:id="rId1"/></tableParts>')},
        of_sheet=[("tables/table1.xml", "table", table)],
    )

    out, _ = redacted(data, plan_of("Greta Nordlund"))

    page = opened(out, values=False).active
    column = page.tables["T"].tableColumns[0].name
    assert page["A1"].value == column == "REDACTED"
    assert page["B2"].value == "=T[[#This Row],[REDACTED]]*2"


def test_a_row_number_or_string_number_is_not_taken_for_a_value() -> None:
    strings = tuple(f"word {n}" for n in range(1300))
    rows = [f'<row r="{n}"><c r="A{n}" t="s"><v>{n - 1}</v></c></row>' for n in range(1, 1301)]
    data = shared(*rows, '<row r="1301"><c r="A1301"><f>A1234+1</f><v>5</v></c></row>', strings=strings)

    out, _ = redacted(data, plan_of("1234"))

    assert grid(out)[1234] == ["word [REDACTED]"]
    assert grid(out)[1233] == ["word 1233"]
    assert len(grid(out)) == 1301


def test_an_empty_plan_with_metadata_kept_changes_nothing() -> None:
    data = people()
    from anonify.documents.plan import RedactionPlan

    out, result = redacted(data, RedactionPlan(keep_metadata=True))

    before, after = zipfile.ZipFile(BytesIO(data)), zipfile.ZipFile(BytesIO(out))
    assert before.namelist() == after.namelist()
    for name in before.namelist():
        assert packed(data, before, name) == packed(out, after, name)
    assert (result.edited, result.swept) == (0, 0)


@pytest.mark.parametrize("prefix", ["", "s:"])
def test_untouched_sheets_keep_their_packed_bytes(prefix: str) -> None:
    namespace = "xmlns:s" if prefix else "xmlns"
    other = f'<{prefix}worksheet {namespace}="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><{prefix}sheetData><{prefix}row r="1"><{prefix}c r="A1"><{prefix}v>7</{prefix}v></{prefix}c></{prefix}row></{prefix}sheetData></{prefix}worksheet>'
    data = workbook({"Data": sheet(f'<row r="1">{text_cell("A1", "Greta Nordlund")}</row>'), "Other": other})

    out, _ = redacted(data, plan_of("Greta Nordlund"))

    before, after = zipfile.ZipFile(BytesIO(data)), zipfile.ZipFile(BytesIO(out))
    assert packed(data, before, "xl/worksheets/sheet2.xml") == packed(out, after, "xl/worksheets/sheet2.xml")
    assert grid(out) == [["[REDACTED]"]]
    assert grid(out, 1) == [["7"]]


@pytest.mark.parametrize("place", ["@<c r='A1'><v>1</v></c>", "<c r='A1'><v>1</v></c>@", "<c r='A1'>@<v>1</v></c>"])
def test_digits_that_stand_between_cells_go(place: str) -> None:
    rows = f'<row r="1">{place.replace("@", "5512345")}</row><row r="2"><c r="A2"><v>5512346</v></c></row>'.replace(
        "'", '"'
    )

    out, _ = redacted(workbook({"Data": sheet(rows)}), plan_of("5512345"))

    assert b"5512345" not in read(out, "xl/worksheets/sheet1.xml")
    assert grid(out)[1] == ["5512346"]


@pytest.mark.parametrize(
    ("formula", "kept", "shown"),
    [
        (
            'HYPERLINK("mailto:Greta Nordlund","Greta Nordlund")',
            'HYPERLINK("mailto:[REDACTED]","[REDACTED]")',
            "[REDACTED]",
        ),
        ('"Greta Nordlund"', '"[REDACTED]"', "[REDACTED]"),
        ('IF(B1="Greta Nordlund",C1&" "&D1,"Greta Nordlund")', None, "[REDACTED]"),
        ('"Gre"&"ta Nordlund"', None, "[REDACTED]"),
    ],
)
def test_a_formula_stays_where_it_can_show_only_what_it_spells(formula: str, kept: str | None, shown: str) -> None:
    written = formula.replace("&", "&amp;")
    rows = f'<row r="1"><c r="A1" t="str"><f>{written}</f><v>Greta Nordlund</v></c>{text_cell("B1", "x")}</row>'

    out, _ = redacted(workbook({"Data": sheet(rows)}), plan_of("Greta Nordlund"))

    assert opened(out).active["A1"].value == shown
    assert opened(out, values=False).active["A1"].value == (f"={kept}" if kept else shown)


def test_an_edit_of_a_name_where_it_is_listed_is_followed_by_everything_that_uses_it() -> None:
    table = f'<table {SPACES} id="1" name="Li" displayName="Li" ref="A1:B2"><tableColumns count="2"><tableColumn id="1" name="Bo"/><tableColumn id="2" name="Sum"/></tableColumns></table>'
    rows = f'<row r="1">{text_cell("A1", "Bo")}{text_cell("B1", "Sum")}</row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>SUM(Li[Bo])+Moe</f><v>2</v></c></row>'
    data = workbook(
        {"Data": sheet(rows, after='<tableParts count="1"><tablePart r:id="rId1"/></tableParts>')},
        of_sheet=[("tables/table1.xml", "table", table)],
        inside='<definedNames><definedName name="Moe">Data!$A$2</definedName></definedNames>',
    )
    edits = []
    for page in extracted(data)[1]:
        for span in page.spans if page.sheet is None else ():
            text = page.text[span.start : span.end]
            if text in ("Li", "Bo", "Moe"):
                edits.append(Edit(span.id, 0, len(text), "[NAME]", page.number))
    assert len(edits) >= 3

    out, _ = redacted(data, plan_of(edits=edits))

    book = opened(out, values=False)
    page = book.active
    listed = next(iter(page.tables.values()))
    assert page["A1"].value == listed.tableColumns[0].name == "NAME"
    assert page["B2"].value == f"=SUM({listed.displayName}[NAME])+{next(iter(book.defined_names))}"
    assert not {"Li", "Moe"} & {listed.displayName, listed.name, *book.defined_names}


@pytest.mark.parametrize("name", ["Greta's [net] salary", "Greta's salary", "salary #1 @Greta"])
def test_names_with_signs_that_formulas_escape_go_from_formulas(name: str) -> None:
    escaped = "".join("'" + sign if sign in "'[]#@" else sign for sign in name)
    table = f'<table {SPACES} id="1" name="T" displayName="T" ref="A1:B2"><tableColumns count="2"><tableColumn id="1" name="{name}"/><tableColumn id="2" name="Sum"/></tableColumns></table>'
    rows = f'<row r="1">{text_cell("A1", name)}{text_cell("B1", "Sum")}</row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>SUM(T[{escaped}])</f><v>2</v></c><c r="C2"><f>SUM(Gone[{escaped}])</f><v>2</v></c></row>'
    data = workbook(
        {"Data": sheet(rows, after='<tableParts count="1"><tablePart r:id="rId1"/></tableParts>')},
        of_sheet=[("tables/table1.xml", "table", table)],
    )

    out, _ = redacted(data, plan_of(name))

    page = opened(out, values=False).active
    assert page["A1"].value == page.tables["T"].tableColumns[0].name == "REDACTED"
    assert page["B2"].value == "=SUM(T[REDACTED])"
    assert "salary" not in read(out, "xl/worksheets/sheet1.xml").decode()
