"""Tables: the value goes from every cell, the grid stays, and untouched bytes are the same bytes."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.format import Format
from anonify.documents.model import page_spans
from anonify.documents.plan import CellEdit, Edit
from anonify.documents.table import CSV, TSV
from anonify.errors import Code, FatalError
from tests.documents.text.helpers import MARKER, extract, process, span_edit

V = "Greta Nordlund"
TWIN = "Margreta Nordlunda"


def parsed(data: bytes, delimiter: str = ",", encoding: str = "utf-8-sig") -> list[list[str]]:
    """What a stranger reads."""
    return list(csv.reader(io.StringIO(data.decode(encoding), newline=""), delimiter=delimiter))


PLACES: dict[str, tuple[Format, bytes]] = {
    "cell": (CSV, b"id,name\n1,Greta Nordlund\n2,Margreta Nordlunda\n"),
    "header": (CSV, b"id,Greta Nordlund\n1,Margreta Nordlunda\n"),
    "last cell, no line end": (CSV, b"id,name\n1,Margreta Nordlunda\n2,Greta Nordlund"),
    "quoted": (CSV, b'id,name\r\n1,"Nordlund, Greta Nordlund"\r\n2,"Margreta Nordlunda"\r\n'),
    "broken over lines in quotes": (CSV, b'id,note\n1,"to Greta\r\nNordlund\nx"\n2,Margreta Nordlunda\n'),
    "among doubled quotes": (CSV, b'id,note\n1,"say ""Greta Nordlund"" twice"\n2,Margreta Nordlunda\n'),
    "split by a zero-width space": (CSV, "id,n\n1,Greta\u200b Nordlund\n2,Margreta Nordlunda\n".encode()),
    "formula": (CSV, b'id,f\n1,"=HYPERLINK(""mailto:x"",""Greta Nordlund"")"\n2,Margreta Nordlunda\n'),
    "encoded link": (CSV, b"id,u\n1,https://x.example/?q=Greta%20Nordlund\n2,Margreta Nordlunda\n"),
    "ragged row": (CSV, b"id,n\n1,a,,Greta Nordlund\n2\n,\n3,Margreta Nordlunda\n"),
    "comment line": (CSV, b"# by Greta Nordlund\nid,n\n1,Margreta Nordlunda\n"),
    "after sep=": (CSV, b"sep=;\nid;n\n1;Greta Nordlund\n2;Margreta Nordlunda\n"),
    "semicolons with commas inside": (CSV, b"a;b;c\n1,5;Greta Nordlund;[1, 2]\n2,5;Margreta Nordlunda;[1, 2]\n"),
    "pipes": (CSV, b"id|n\n1|Greta Nordlund\n2|Margreta Nordlunda\n"),
    "one column": (CSV, b"name\nGreta Nordlund\nMargreta Nordlunda\n"),
    "zero byte": (CSV, b"id,n\n1,Greta \0Nordlund\n2,Margreta Nordlunda\n"),
    "lone carriage returns": (CSV, b"id,n\r1,Greta Nordlund\r2,Margreta Nordlunda\r"),
    "lone quote in a cell": (CSV, b'id,n\n1,5" disk of Greta Nordlund\n2,Margreta Nordlunda\n'),
    "mark": (CSV, b'\xef\xbb\xbf"a,b",c\n"Greta Nordlund",Margreta Nordlunda\n'),
    "UTF-16": (CSV, "id,n\n1,Greta Nordlund\n2,Margreta Nordlunda\n".encode("utf-16")),
    "tabs": (TSV, b"id\tn\n1\tGreta Nordlund\n2\tMargreta Nordlunda\n"),
    "over two cells of a tab table": (TSV, b"first\tlast\nGreta\tNordlund\nMargreta\tNordlunda\n"),
    "tab table with stray quotes": (TSV, b'id\tn\n1\t"Greta Nordlund\n2\tMargreta Nordlunda\n'),
    "backslash escapes": (CSV, b'"a","b"\n"say \\"x, y\\" Greta Nordlund","z"\n"Margreta Nordlunda","w"\n'),
    "in a wide cell": (CSV, b'id,n\n1,"' + b"x, " * 80_000 + b'Greta Nordlund"\n2,Margreta Nordlunda\n'),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_no_hiding_place(place: str) -> None:
    form, data = PLACES[place]
    done = process(form, data, [V])
    assert done.passed, (done.own, done.independent)
    assert done.result.swept >= 1
    plain = done.data.decode("utf-16" if place == "UTF-16" else "utf-8").replace("\0", "").replace("\u200b", "")
    assert V not in " ".join(plain.split())
    assert "Margreta" in plain
    assert "Nordlunda" in plain
    assert len(plain.splitlines()) == len(data.decode("utf-16" if place == "UTF-16" else "utf-8").splitlines())


def test_only_touched_cells_change() -> None:
    data = b'\xef\xbb\xbf"id" ,n,"odd"x\r\n1,"Greta Nordlund"\n\n  2 , x,\'y\'\r3,Greta Nordlund,"a ""b"" c"\r\n'
    done = process(CSV, data, [V])
    assert done.data == data.replace(b"Greta Nordlund", b"[REDACTED]")
    assert done.passed


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "shift_jis", "gb18030", "cp1251"])
def test_encodings(encoding: str) -> None:
    name = {"shift_jis": "山田太郎", "gb18030": "张三丰先生", "cp1251": "Анна Каренина"}.get(encoding, "Jörg Schäfer")
    word = {"shift_jis": "電話番号です。", "gb18030": "如何在中国使用既有的资料", "cp1251": "пишет письмо другу"}.get(
        encoding, "über die Straße"
    )
    text = "id,name,note\r\n" + "".join(f'{number},{name},"{word}, x"\r\n' for number in range(30))
    done = process(CSV, text.encode(encoding), [name])
    assert done.data == text.replace(name, MARKER).encode(encoding)
    assert done.passed
    _extraction, pages = extract(CSV, text.encode(encoding))
    once = process(CSV, text.encode(encoding), edits=[span_edit(pages, name)])
    assert once.data == text.replace(name, MARKER, 1).encode(encoding)


@pytest.mark.parametrize(
    ("data", "note", "header"),
    [
        (b"id,name\n1,x\n", "dialect-comma", 1),
        (b"a;b\n1,5;2\n2,5;3\n", "dialect-semicolon", 1),
        (b"1,5;2\n2,5;3\n", "dialect-semicolon", None),
        (b"id\tname\n1\tx, y\n", "dialect-tab", 1),
        (b"id|name\n1|x\n", "dialect-pipe", 1),
        (b"sep=|\nid|name\n1|x\n", "dialect-pipe", 2),
        (b"# made 2020\n# by hand\nid,name\n1,x\n", "dialect-comma", 3),
        (b"1,2\n3,4\n", "dialect-comma", None),
        (b"ann@example.org,5\nbob@example.org,6\n", "dialect-comma", None),
        (b'name;tags\nx;["a", "b"]\ny;["c", "d", "e"]\n', "dialect-semicolon", 1),
    ],
)
def test_the_dialect_is_read_from_the_content(data: bytes, note: str, header: int | None) -> None:
    extraction, _pages = extract(CSV, data)
    assert note in extraction.notes
    assert extraction.sheets[0].header_row == header


@pytest.mark.parametrize("data", [b'a,b\n1,"open\n2,3\n', b'"', b'a\n"x""\n'])
def test_an_unclosed_quote_is_refused(data: bytes) -> None:
    with pytest.raises(FatalError) as refused:
        extract(CSV, data)
    assert refused.value.code is Code.MALFORMED
    with pytest.raises(FatalError):
        process(CSV, data, [V])


def test_the_grid_is_what_a_spreadsheet_shows() -> None:
    data = b'name,age\r\n"Nordlund, G.",41\r\n"two\nlines",\r\n\r\nonly\r\n'
    extraction, pages = extract(CSV, data)
    (sheet,) = extraction.sheets
    assert (sheet.rows, sheet.columns, sheet.header, sheet.header_row) == (5, 2, ("name", "age"), 1)
    assert pages[0].text == "name\tage\nNordlund, G.\t41\ntwo lines\t\n\nonly"
    shown = {span.id: pages[0].text[span.start : span.end] for span in page_spans(pages[0])}
    assert shown["cell#0!R2C1"] == "Nordlund, G."
    assert shown["cell#0!R5C1"] == "only"


def test_a_long_table_keeps_within_the_page_limit() -> None:
    data = b"".join(b"%d,x\n" % number for number in range(20_000))
    extraction, pages = extract(CSV, data, max_pages=20)
    assert extraction.pages == len(pages) <= 20
    assert extraction.sheets[0].first_rows == tuple(page.rows[0].number for page in pages)
    assert sum(len(page.rows) for page in pages) == 20_000


def test_a_column_goes_below_its_header_a_row_and_a_cell_whole() -> None:
    data = b'id,name,note\n1,"Ann, A",x\n2,Bo,"y"\n3,,z\n4,Cy,w\n'
    done = process(CSV, data, cells=[CellEdit(0, None, 2, "[NAME]"), CellEdit(0, 4, None, "#"), CellEdit(0, 5, 3, "-")])
    assert done.data == b'id,name,note\n1,"[NAME]",x\n2,[NAME],"y"\n#,,#\n4,[NAME],\'-\n'
    assert done.passed


@pytest.mark.parametrize("count", [1, 3, 6])
def test_few_and_many_columns_go_alike(count: int) -> None:
    cells = ["", " ", "plain", '"quo,ted"', '"say ""hi"""', '"two\r\nlines"', "é", '"abc"def', "7", "Greta Nordlund"]
    rows = [",".join(cells[(row + column) % len(cells)] for column in range(7)) for row in range(40)]
    data = ("a,b,c,d,e,f,g\n" + "".join(row + "\r\n" for row in [*rows, "short", "", "x,y"])).encode()
    done = process(
        CSV, data, ["Greta Nordlund"], cells=[CellEdit(0, None, column + 1, MARKER) for column in range(count)]
    )
    assert done.passed
    before, after = parsed(data), parsed(done.data)
    for old, new in zip(before[1:], after[1:], strict=True):
        blanked = [cell.replace("\r\n", "") for cell in new[:count]]
        assert blanked == [MARKER if cell.strip() else cell for cell in old[:count]]
        assert new[count:] == [cell.replace("Greta Nordlund", MARKER) for cell in old[count:]]


@pytest.mark.parametrize("replacement", ["=1+1", "+44 1", "-x", "@sum", 'a"b', "a,b", "two\nlines"])
def test_replacements_neither_start_formulas_nor_break_the_grid(replacement: str) -> None:
    data = b'id,name\n1,Greta Nordlund\n2,"Greta Nordlund"\n'
    rows = parsed(process(CSV, data, [V], replacement=replacement).data)
    assert [len(row) for row in rows] == [2, 2, 2]
    assert rows[1][1] == rows[2][1]
    assert rows[1][1][0] not in "=+-@"
    assert rows[1][1].removeprefix("'") == replacement


def test_removing_what_stands_before_a_formula_does_not_arm_it() -> None:
    rows = parsed(process(CSV, b"id,n\n1,Greta Nordlund=cmd\n", [V], replacement="").data)
    assert rows[1][1] == "'=cmd"


def test_a_value_with_the_delimiter_in_it() -> None:
    data = b'name,n\n"Nordlund, Greta",1\nNordlund, Greta\n"Nordlund","Greta"\n'
    done = process(CSV, data, ["Nordlund, Greta"])
    assert parsed(done.data) == [["name", "n"], [MARKER, "1"], [MARKER, ""], ["Nordlund", "Greta"]]
    assert done.passed


def test_an_address_outside_the_table_is_an_error() -> None:
    for address in ("cell#0!R9C1", "cell#0!R1C9", "text#0"):
        with pytest.raises(FatalError):
            process(CSV, b"a,b\n1,2\n", edits=[Edit(address, 0, 1, "x", 1)])


def test_the_gate_refuses_a_changed_grid() -> None:
    from anonify.documents.plan import RedactionPlan
    from tests.documents.text.helpers import verify

    source = b"a,b\r\n1,2\r\n"
    for artifact in (b"a,b\r\n1\r\n", b"a,b\r\n", b"a,b\n1,2\r\n", b"a,b\r\n1,2\r\n3,4\r\n"):
        own, _independent = verify(CSV, source, artifact, RedactionPlan())
        assert own.failed
    assert not verify(CSV, source, source, RedactionPlan())[0].failed


def test_rows_over_window_borders() -> None:
    line = b'%d,"multi\nline, cell",Greta Nordlund,' + b"f" * 700 + b"\r\n"
    data = b"id,note,name,filler\r\n" + b"".join(line % number for number in range(6_000))
    done = process(CSV, data, [V])
    assert done.data == data.replace(b"Greta Nordlund", b"[REDACTED]")
    assert done.result.swept == 6_000
    assert done.passed


CELLS = st.one_of(
    st.sampled_from(
        [V, f"to {V}.", TWIN, "", "x", 'a "b" c', "1,5", "two\nlines", "tab\there", '"', "é", "=1", " pad "]
    ),
    st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\r"), max_size=8),
)


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=8),
    st.sampled_from([",", ";", "|", "\t"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_any_table_written_by_the_standard_library(
    rows: list[list[str]], delimiter: str, quoting: int, end: str
) -> None:
    out = io.StringIO(newline="")
    out.write(f"sep={delimiter}{end}")
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)  # type: ignore[arg-type]  # typeshed wants literals
    data = out.getvalue().encode()
    extraction, pages = extract(CSV, data)
    assert extraction.sheets[0].rows == len(rows) + 1
    shown = [row.lengths for page in pages for row in page.rows][1:]
    assert shown == [tuple(map(len, row)) for row in rows]
    done = process(CSV, data, [V])
    after = parsed(done.data, delimiter)[1:]
    assert [len(row) for row in after] == [len(row) for row in rows]
    for old, new in zip(rows, after, strict=True):
        for before, now in zip(old, new, strict=True):
            assert now == before.replace(V, MARKER)
