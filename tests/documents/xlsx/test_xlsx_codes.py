"""Codes, types and names around a value: what is printed goes, and what names something keeps naming it."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import io
import re
import zipfile

import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pytest

from anonify.documents.plan import Edit

from .making import SPACES, grid, opened, plan_of, redacted, rels, sheet, text_cell, workbook

V = "Zebulon Quarkman"
NUMBER = "48213977"


def part(data: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name).decode()


@pytest.mark.parametrize(
    "side",
    [
        '&amp;L&amp;"Arial,Bold"Zebulon&amp;"Arial,Regular" Quarkman kept',
        "&amp;L&amp;14Zebulon Quarkman kept",
        "&amp;L&amp;KFF0000Zebulon &amp;BQuarkman&amp;B kept",
        "&amp;LZebulon &amp;K04+012Quarkman&amp;R kept",
    ],
)
def test_a_header_whose_codes_cut_a_name_no_longer_prints_it(side: str) -> None:
    data = workbook({"Data": sheet("", after=f"<headerFooter><oddHeader>{side}</oddHeader></headerFooter>")})
    out, _ = redacted(data, plan_of(V))
    header = part(out, "xl/worksheets/sheet1.xml")
    assert "Zebulon" not in header
    assert "Quarkman" not in header
    assert "kept" in header
    assert "&amp;L" in header


def test_columns_of_a_header_stay_apart() -> None:
    side = "&amp;LZebulon&amp;RQuarkman kept"
    data = workbook({"Data": sheet("", after=f"<headerFooter><oddHeader>{side}</oddHeader></headerFooter>")})
    assert side in part(redacted(data, plan_of(V))[0], "xl/worksheets/sheet1.xml")


def properties(kind: str, text: str) -> bytes:
    name = "docProps/custom.xml"
    markup = (
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" '
        'xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">'
        f'<property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="2" name="Case"><vt:{kind}>{text}</vt:{kind}></property></Properties>'
    )
    made = io.BytesIO(workbook({"Data": sheet("")}))
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr(name, markup)
    parts = {}
    with zipfile.ZipFile(made) as archive:
        parts = {entry: archive.read(entry) for entry in archive.namelist()}
    parts["_rels/.rels"] = rels([("officeDocument", "xl/workbook.xml"), ("custom-properties", name)]).encode()
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(
        b"</Types>",
        b'<Override PartName="/docProps/custom.xml" ContentType="application/vnd.openxmlformats-officedocument.custom-properties+xml"/></Types>',
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for entry, content in parts.items():
            archive.writestr(entry, content)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["i4", "i8", "ui4", "r8"])
@pytest.mark.parametrize("precise", [False, True])
def test_a_property_that_is_a_number_stays_one(kind: str, precise: bool) -> None:
    edits = [Edit("docProps/custom.xml#p0r0", 0, len(NUMBER), "[REDACTED]", 0)] if precise else []
    out, _ = redacted(properties(kind, NUMBER), plan_of(NUMBER, edits=edits))
    assert NUMBER not in part(out, "docProps/custom.xml")
    assert re.search(rf"<vt:{kind}>[0-9]+<", part(out, "docProps/custom.xml"))
    if kind in ("i4", "r8"):  # the others openpyxl leaves out
        assert len(openpyxl.load_workbook(io.BytesIO(out)).custom_doc_props.props) == 1


def chart() -> bytes:
    numbers = f'<c:numCache><c:ptCount val="1"/><c:pt idx="0"><c:v>{NUMBER}</c:v></c:pt></c:numCache>'
    texts = numbers.replace("numCache", "strCache")
    markup = f"<c:chartSpace {SPACES}><c:cat><c:strRef>{texts}</c:strRef></c:cat><c:val><c:numRef>{numbers}</c:numRef></c:val></c:chartSpace>"
    return workbook({"Data": sheet("")}, of_sheet=[("charts/chart1.xml", "chart", markup)])


@pytest.mark.parametrize("precise", [False, True])
def test_a_number_in_a_chart_stays_one_and_a_text_becomes_the_marker(precise: bool) -> None:
    places = ("xl/charts/chart1.xml#p0r0", "xl/charts/chart1.xml#p1r0")
    edits = [Edit(place, 0, len(NUMBER), "[REDACTED]", 0) for place in places] if precise else []
    out, _ = redacted(chart(), plan_of(NUMBER, edits=edits))
    assert re.findall("<c:v>(.*?)</c:v>", part(out, "xl/charts/chart1.xml")) == ["[REDACTED]", "11111111"]


def named(formula: str) -> bytes:
    rows = f'<row r="1"><c r="A1"><f>{formula}</f></c></row>'
    return workbook(
        {V: sheet(f'<row r="1">{text_cell("A1", "5")}</row>'), "Sums": sheet(rows)},
        inside=f"<definedNames><definedName name=\"total\">'{V}'!$A$1</definedName></definedNames>",
    )


@pytest.mark.parametrize(
    ("formula", "after"),
    [
        (f"'{V}'!A1*2", "='REDACTED'!A1*2"),
        (f"SUM('{V}':Sums!B1)", "=SUM('REDACTED':Sums!B1)"),
        (f"INDIRECT(\"'{V}'!A1\")", "=INDIRECT(\"'REDACTED'!A1\")"),
        (f'IF(B1="{V}","kept","left")', '=IF(B1="[REDACTED]","kept","left")'),
    ],
)
def test_a_formula_nobody_computed_yet_follows_an_edit_of_what_it_spells(formula: str, after: str) -> None:
    data = named(formula.replace('"', "&quot;"))
    shown = grid(data, 1)[0][0]
    start = shown.index(V)
    edits = [
        Edit("cell#1!R1C1", start, start + len(V), "[REDACTED]", 0),
        Edit("xl/workbook.xml#p0r0", 1, 1 + len(V), "[REDACTED]", 0),
    ]
    out, _ = redacted(data, plan_of(V, edits=edits))
    assert opened(out, values=False)["Sums"]["A1"].value == after
    assert opened(out).defined_names["total"].value == "'REDACTED'!$A$1"


TOLD = [
    'LEFT("Zebulon Quarkmanxx",16)',
    'SUBSTITUTE("ZebulonXQuarkman","X"," ")',
    'REPLACE("Zebulon Xuarkman",9,1,"Q")',
    'CHAR(90)&"ebulon Quarkman"',
    '_xlfn.UNICHAR(90)&LOWER("EBULON ")&"Quarkman"',
    'RIGHT("xxZebulon Quark"&"man",16)',
    'MID("ZZebulon Quarkmann",2,2*8)',
    'PROPER("zebu"&"lon quark"&"man")',
    '_xlfn.TEXTJOIN(" ",TRUE,"Zebulon","Quark"&"man")',
    "48213976+1",
    "48213*1000+977",
    "(48213*10^3)+977",
    'INT("48213"&"977")',
    'TEXT(48213*1000+977,"0")',
    "DATE(1987,3,14)",
    'TEXT(DATE(1987,2+1,14),"yyyy-mm-dd")',
]


@pytest.mark.parametrize("formula", TOLD)
def test_a_formula_that_nobody_computed_does_not_show_the_value_once_somebody_does(formula: str) -> None:
    rows = f'<row r="1"><c r="A1"><f>{formula.replace("&", "&amp;")}</f><v></v></c>{text_cell("B1", "kept")}</row>'
    out, _ = redacted(workbook({"Data": sheet(rows)}), plan_of(V, NUMBER, "1987-03-14"))
    assert grid(out) == [["[REDACTED]", "kept"]]


@pytest.mark.parametrize(
    "formula",
    [
        "48213976+2",
        "1+2*3",
        'LEFT("Zebulon Quarkmanxx",5)',
        'SUBSTITUTE(REPT("a",32767),"a",REPT("b",32767))',
        "9^9^9^9",
        "1/0",
        'MID("x",0,1)',
        'TEXT("x","0")',
        "CHAR(-1)",
        "SUM(1,A1)",
        "LEFT()",
        "((((",
        '"a"&',
        "-" * 8000 + "1",
        "DATE(99999,1,1)",
        "ROUND(1.5,99)",
    ],
)
def test_any_other_formula_stays(formula: str) -> None:
    rows = f'<row r="1"><c r="A1"><f>{formula.replace("&", "&amp;")}</f><v></v></c>{text_cell("B1", V)}</row>'
    out, _ = redacted(workbook({"Data": sheet(rows)}), plan_of(V, NUMBER))
    assert opened(out, values=False)["Data"]["A1"].value == "=" + formula
