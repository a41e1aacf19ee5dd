"""Names that allow no space hold a value with a line where its space was."""

# ruff: noqa: E501  # markup is read whole

from __future__ import annotations

from anonify.documents.ooxml.sweep import Sweeper
from anonify.documents.plan import SweepValue
from tests.documents.ooxml.build import docx, paragraph, read, run, swept
from tests.documents.xlsx.making import SPACES, opened, plan_of, redacted, sheet, text_cell, workbook

V = "Zebulon Quarkman"


def test_a_sweeper_finds_and_replaces_words_joined_by_lines() -> None:
    sweeper = Sweeper([SweepValue(V, "[NAME]")])
    assert sweeper.found("for_Zebulon_Quarkman.png")
    assert sweeper.replace("to Zebulon_Quarkman, Zebulon Quarkman") == "to [NAME], [NAME]"
    assert not sweeper.found("Zebulon_Quarkmann_und_Zebulon")


def test_a_bookmark_and_what_names_it_lose_the_value_alike() -> None:
    marked = '<w:bookmarkStart w:id="1" w:name="Zebulon_Quarkman"/><w:bookmarkEnd w:id="1"/><w:hyperlink w:anchor="Zebulon_Quarkman">'
    body = paragraph(marked + run("jump") + "</w:hyperlink>") + paragraph(
        run("see Zebulon_Quarkman_final.docx, kept_too")
    )
    text = read(swept(docx(body), V), "word/document.xml").decode()
    assert "Quarkman" not in text
    assert 'w:name="[REDACTED]"' in text
    assert 'w:anchor="[REDACTED]"' in text
    assert "kept_too" in text


def test_defined_names_and_tables_get_other_names_wherever_they_are_used() -> None:
    rows = f'<row r="1">{text_cell("A1", "Id")}{text_cell("C1", "kept")}</row><row r="2"><c r="A2"><v>1</v></c><c r="C2"><f>Zebulon_Quarkman+1</f></c><c r="D2"><f>SUM(Tab_Zebulon_Quarkman[Id])</f></c></row>'
    table = f'<table {SPACES} id="1" name="Tab_Zebulon_Quarkman" displayName="Tab_Zebulon_Quarkman" ref="A1:A2"><autoFilter ref="A1:A2"/><tableColumns count="1"><tableColumn id="1" name="Id"/></tableColumns></table>'
    data = workbook(
        {"Data": sheet(rows, after='<tableParts count="1"><tablePart r:id="rId1"/></tableParts>')},
        of_sheet=[("tables/table1.xml", "table", table)],
        inside='<definedNames><definedName name="Zebulon_Quarkman">Data!$A$2</definedName></definedNames>',
    )
    out, _ = redacted(data, plan_of(V))
    book = opened(out, values=False)
    (name,) = book.defined_names
    (tab,) = book["Data"].tables
    assert "Quarkman" not in name + tab
    assert book["Data"]["C2"].value == f"={name}+1"
    assert book["Data"]["D2"].value == f"=SUM({tab}[Id])"
