"""Edits of parts of cells: runs keep their formats, and nothing asked for is left to a sweep that does something else."""

# ruff: noqa: E501  # markup is read whole

from __future__ import annotations

import random

import pytest

from anonify.documents.plan import CellEdit, Edit
from anonify.documents.xlsx.quiet import Quiet
from tests.documents.ooxml.build import read

from .making import grid, opened, plan_of, redacted, sheet, string_table, text_cell, workbook

RICH = (
    '<r><t xml:space="preserve">Call </t></r><r><rPr><b/></rPr><t>Li Bo</t></r>'
    '<r><rPr><i/></rPr><t xml:space="preserve"> &amp; wait</t></r><rPh sb="5" eb="7"><t>lee</t></rPh><phoneticPr fontId="1"/>'
)


def rich(kind: str) -> bytes:
    if kind == "inline":
        return workbook({"Data": sheet(f'<row r="1"><c r="A1" t="inlineStr"><is>{RICH}</is></c></row>')})
    rows = '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>0</v></c></row>'
    return workbook({"Data": sheet(rows)}, [("sharedStrings.xml", "sharedStrings", string_table(f"<si>{RICH}</si>"))])


@pytest.mark.parametrize("kind", ["inline", "shared"])
@pytest.mark.parametrize(
    ("edits", "shown", "runs"),
    [
        ([(5, 7)], "Call [X] Bo & wait", ["Call ", "[X] Bo", " & wait"]),
        ([(8, 11)], "Call Li [X]& wait", ["Call ", "Li [X]", "& wait"]),
        ([(0, 4), (5, 7), (8, 10)], "[X] [X] [X] & wait", ["[X] ", "[X] [X]", " & wait"]),
    ],
)
def test_short_edits_keep_the_runs_formats_and_drop_the_reading(
    kind: str, edits: list[tuple[int, int]], shown: str, runs: list[str]
) -> None:
    plan = plan_of(edits=[Edit("cell#0!R1C1", start, end, "[X]", -1) for start, end in edits])

    out, result = redacted(rich(kind), plan)

    assert grid(out)[0] == [shown]
    markup = read(out, "xl/worksheets/sheet1.xml").decode()
    cell = markup[markup.index("<is>") : markup.index("</is>")]
    assert "lee" not in cell
    assert cell.count("<b/>") == cell.count("<i/>") == 1
    assert cell.index(runs[0]) < cell.index("<b/>") < cell.index(runs[1].replace("&", "&amp;")) < cell.index("<i/>")
    assert result.edited >= 1
    if kind == "shared":  # the cell below still uses the string
        assert grid(out)[1] == ["Call Li Bo & wait"]
    book = opened(out)
    assert book.active["A1"].value == shown


def test_what_an_edit_leaves_of_a_swept_value_goes_from_its_runs_too() -> None:
    runs = "<r><rPr><b/></rPr><t>Li</t></r><r><rPr><i/></rPr><t xml:space='preserve'> and Greta </t></r><r><t>Nordlund</t></r>"
    data = workbook({"Data": sheet(f'<row r="1"><c r="A1" t="inlineStr"><is>{runs}</is></c></row>')})

    out, _ = redacted(data, plan_of("Greta Nordlund", edits=[Edit("cell#0!R1C1", 0, 2, "[X]", -1)]))

    assert grid(out) == [["[X] and [REDACTED]"]]
    assert b"<b/>" in read(out, "xl/worksheets/sheet1.xml")
    assert b"<i/>" in read(out, "xl/worksheets/sheet1.xml")


@pytest.mark.parametrize("text", ["Li met Greta Nordlund", "Greta Nordlund met Li, Lisbeth"])
def test_a_short_edit_in_a_string_that_is_swept_is_made_as_well(text: str) -> None:
    rows = '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>0</v></c></row>'
    data = workbook(
        {"Data": sheet(rows)}, [("sharedStrings.xml", "sharedStrings", string_table(f"<si><t>{text}</t></si>"))]
    )
    start = text.index("Li")

    out, _ = redacted(data, plan_of("Greta Nordlund", edits=[Edit("cell#0!R1C1", start, start + 2, "[X]", -1)]))

    swept = text.replace("Greta Nordlund", "[REDACTED]")
    assert grid(out) == [[swept.replace("Li", "[X]", 1)], [swept]]


def test_an_edit_that_the_sweep_makes_leaves_the_cell_its_string() -> None:
    data = workbook(
        {"Data": sheet('<row r="1"><c r="A1" t="s"><v>0</v></c></row>')},
        [("sharedStrings.xml", "sharedStrings", string_table("<si><t>Greta Nordlund, Ystad</t></si>"))],
    )

    out, result = redacted(data, plan_of("Greta Nordlund", edits=[Edit("cell#0!R1C1", 0, 14, "[REDACTED]", 0)]))

    assert grid(out) == [["[REDACTED], Ystad"]]
    assert b'<c r="A1" t="s"><v>0</v></c>' in read(out, "xl/worksheets/sheet1.xml")
    assert result.edited == 1


ASKED = {
    "column": [CellEdit(0, None, 2, "[X]")],
    "row": [CellEdit(0, 3, None, "[X]")],
    "cell": [CellEdit(0, 3, 2, "[X]")],
    "all three": [CellEdit(0, None, 2, "[X]"), CellEdit(0, 3, None, "[X]"), CellEdit(0, 4, 1, "[X]")],
}


@pytest.mark.parametrize("wish", ASKED)
@pytest.mark.parametrize(
    "spoil",
    [
        "",  # written as usual
        '<c r="D2"><f>B2</f><v>1</v></c>',
        '<c s="0" r="D2"><v>1</v></c>',
        "<c r='D2' t='s'><v>0</v></c>",
        "<!-- aside -->",
        '<c r="D2" t="s"><v xml:space="preserve">0</v></c>',
        '<c r="D2" t="str"><v>t="s"></v></c>',
    ],
)
def test_cells_go_alike_however_their_neighbours_are_written(wish: str, spoil: str) -> None:
    strings = ("name", "town", "Li", "Ystad", "Bo", "Lund", "kept")
    rows = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>6</v></c></row>'
        f'<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>3</v></c>{spoil}</row>'
        '<row r="3"><c r="A3" t="s"><v>4</v></c><c r="B3" s="0" t="s"><v>5</v></c><c r="C3"><v>7</v></c></row>'
        f'<row r="4"><c r="A4" t="s"><v>6</v></c>{text_cell("B4", "by itself")}<c r="C4" t="s"><v>3</v></c></row>'
    )
    data = workbook(
        {"Data": sheet(rows)},
        [("sharedStrings.xml", "sharedStrings", string_table(*(f"<si><t>{text}</t></si>" for text in strings)))],
    )
    expected = [line[:3] for line in grid(data)]
    for edit in ASKED[wish]:
        for row, line in enumerate(expected, 1):
            for column in range(1, len(line) + 1):
                asked = edit.row in (None, row) and edit.column in (None, column) and (row > 1 or edit.row == 1)
                if asked and line[column - 1]:
                    line[column - 1] = "[X]"

    out, _ = redacted(data, plan_of(cells=ASKED[wish]))

    assert [line[:3] for line in grid(out)] == expected
    table = read(out, "xl/sharedStrings.xml").decode()
    shown = {text for line in grid(out) for text in line}
    assert {text for text in strings if text in table} == {text for text in strings if text in shown}


def test_a_cell_of_a_row_written_elsewhere_goes_all_the_same() -> None:
    rows = (
        f'<row r="1">{text_cell("A1", "one")}</row><row r="2">{text_cell("A2", "two")}{text_cell("B7", "seven")}</row>'
    )
    data = workbook({"Data": sheet(rows)})

    out, _ = redacted(data, plan_of(cells=[CellEdit(0, 7, 2, "[X]")]))

    assert b"seven" not in read(out, "xl/worksheets/sheet1.xml")
    assert b"two" in read(out, "xl/worksheets/sheet1.xml")


@pytest.mark.parametrize("seed", range(4))
def test_looking_at_fewer_cells_gives_the_same_bytes(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    texts = [f"text {n}" for n in range(40)] + ["Greta Nordlund", "about Greta Nordlund"]
    strings = string_table(*(f"<si><t>{text}</t></si>" for text in texts))
    rows = "".join(
        f'<row r="{row}">'
        + "".join(
            f'<c r="{letter}{row}" t="s"><v>{chance.randrange(len(texts))}</v></c>'
            if chance.random() < 0.7
            else f'<c r="{letter}{row}"><v>{row}</v></c>'
            for letter in "ABCD"
            if chance.random() < 0.9
        )
        + "</row>"
        for row in range(1, 60)
    )
    data = workbook({"Data": sheet(rows)}, [("sharedStrings.xml", "sharedStrings", strings)])
    cells = [CellEdit(0, chance.randrange(1, 60), chance.randrange(1, 5), "[X]") for _ in range(chance.choice([0, 9]))]
    cells += [CellEdit(0, chance.randrange(1, 60), None, "[R]"), CellEdit(0, None, chance.randrange(1, 5), "[C]")]
    edits = [Edit(f"cell#0!R{chance.randrange(1, 60)}C1", 0, 1, "[N]", -1) for _ in range(9)]
    plan = plan_of("Greta Nordlund", cells=cells, edits=edits)

    quick, _ = redacted(data, plan)
    monkeypatch.setattr(Quiet, "look", lambda *_arguments: None)
    slow, _ = redacted(data, plan)

    for name in ("xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"):
        assert read(quick, name) == read(slow, name)
