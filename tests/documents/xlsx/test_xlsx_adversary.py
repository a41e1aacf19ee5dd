"""Every place a workbook can hide text: the value goes, its twin beside it stays."""

# ruff: noqa: E501  # a table of markup is read whole

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest

from tests.documents.ooxml.build import docx, folded, paragraph, seen

from .making import SPACES, opened, plan_of, redacted, rels, sheet, string_table, styles, text_cell, workbook

V = "Zebulon Quarkman"
K = "Petronella Vandersloot"


def both(template: str) -> str:
    return template.replace("@@", V) + template.replace("@@", K)


def pair(first: str, second: str) -> str:
    """Two rows, one with the value and one with its twin."""
    return f'<row r="1">{first}</row><row r="2">{second}</row>'


def cells(template: str) -> bytes:
    """`@@` stands for the text, `##` for the cell's place."""
    rows = pair(template.replace("@@", V).replace("##", "A1"), template.replace("@@", K).replace("##", "A2"))
    return workbook({"Data": sheet(rows)})


def frame(after: str = "", before: str = "") -> bytes:
    return workbook({"Data": sheet(pair(text_cell("A1", "one"), text_cell("A2", "two")), before, after)})


def strings(*items: str) -> bytes:
    rows = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>{n - 1}</v></c></row>' for n in range(1, len(items) + 1))
    return workbook({"Data": sheet(rows)}, [("sharedStrings.xml", "sharedStrings", string_table(*items))])


def with_part(name: str, kind: str, body: str) -> bytes:
    return workbook({"Data": sheet("")}, [(name, kind, body)])


def on_sheet(name: str, kind: str, body: str, after: str = "") -> bytes:
    return workbook({"Data": sheet("", after=after)}, of_sheet=[(name, kind, body)])


def chart(inner: str) -> bytes:
    drawing = f"<xdr:wsDr {SPACES}/>"
    return workbook(
        {"Data": sheet("", after='<drawing r:id="rId1"/>')},
        of_sheet=[("drawings/drawing1.xml", "drawing", drawing)],
        more={
            "xl/drawings/_rels/drawing1.xml.rels": rels([("chart", "../charts/chart1.xml")]).encode(),
            "xl/charts/chart1.xml": f"<c:chartSpace {SPACES}>{inner}</c:chartSpace>".encode(),
        },
    )


def pivot(items: str, records: str = "") -> bytes:
    definition = (
        f'<pivotCacheDefinition {SPACES} r:id="rId1" recordCount="2"><cacheSource type="worksheet"><worksheetSource ref="A1:B3" sheet="Gone"/></cacheSource>'
        f'<cacheFields count="1"><cacheField name="Name" numFmtId="0">{items}</cacheField></cacheFields></pivotCacheDefinition>'
    )
    return workbook(
        {"Data": sheet("")},
        [("pivotCache/pivotCacheDefinition1.xml", "pivotCacheDefinition", definition)],
        inside='<pivotCaches><pivotCache cacheId="1" r:id="rId2"/></pivotCaches>',
        more={
            "xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels": rels(
                [("pivotCacheRecords", "pivotCacheRecords1.xml")]
            ).encode(),
            "xl/pivotCache/pivotCacheRecords1.xml": f'<pivotCacheRecords {SPACES} count="2">{records}</pivotCacheRecords>'.encode(),
        },
    )


def letters(name: str) -> str:
    return "".join(f'<r><rPr><b/></rPr><t xml:space="preserve">{char}</t></r>' for char in name)


PLACES = {
    "shared string": lambda: strings(both("<si><t>@@</t></si>")[: both("<si><t>@@</t></si>").index("</si>") + 5], f"<si><t>{K}</t></si>"),
    "rich shared string, a run per letter": lambda: strings(f"<si>{letters(V)}</si>", f"<si>{letters(K)}</si>"),
    "phonetic reading": lambda: strings(f'<si><t>x</t><rPh sb="0" eb="1"><t>{V}</t></rPh></si>', f'<si><t>y</t><rPh sb="0" eb="1"><t>{K}</t></rPh></si>'),
    "string no cell uses": lambda: workbook({"Data": sheet("")}, [("sharedStrings.xml", "sharedStrings", string_table(f"<si><t>{V}</t></si>", f"<si><t>{K}</t></si>"))]),
    "escaped letters": lambda: strings(f"<si><t>{V.replace('e', '_x0065_')}</t></si>", f"<si><t>{K}</t></si>"),
    "character references": lambda: strings("<si><t>" + "".join(f"&#{ord(char)};" for char in V) + "</t></si>", f"<si><t>{K}</t></si>"),
    "CDATA in a string": lambda: strings(f"<si><t><![CDATA[{V}]]></t></si>", f"<si><t><![CDATA[{K}]]></t></si>"),
    "inline string": lambda: cells('<c r="##" t="inlineStr"><is><t>@@</t></is></c>'),
    "inline string, a run per letter": lambda: workbook({"Data": sheet(pair(f'<c r="A1" t="inlineStr"><is>{letters(V)}</is></c>', f'{text_cell("A2", K)}'))}),
    "cell without an address": lambda: cells('<c t="inlineStr"><is><t>@@</t></is></c>'),
    "prefixed sheet": lambda: workbook({"Data": f'<s:worksheet xmlns:s="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><s:sheetData><s:row r="1"><s:c r="A1" t="inlineStr"><s:is><s:t>{V}</s:t></s:is></s:c></s:row><s:row r="2"><s:c r="A2" t="inlineStr"><s:is><s:t>{K}</s:t></s:is></s:c></s:row></s:sheetData></s:worksheet>'}),
    "result of a formula": lambda: cells('<c r="##" t="str"><f>B1&amp;C1</f><v>@@</v></c>'),
    "text in a formula": lambda: cells('<c r="##" t="str"><f>IF(B1="@@",1,2)</f><v>x</v></c>'),
    "formula that puts it together": lambda: workbook({"Data": sheet(pair('<c r="A1" t="str"><f>"Zebulon"&amp;" "&amp;"Quarkman"</f></c>', text_cell("A2", K)))}),
    "link in a formula": lambda: cells('<c r="##" t="str"><f>HYPERLINK("https://example.test/?q=@@","x")</f><v>x</v></c>'),
    "comment among the rows": lambda: workbook({"Data": sheet(f"<!-- {V} --><row r='1'>{text_cell('A1', K)}<!-- {V} --></row>")}),
    "instruction in a sheet": lambda: frame(after=f"<?note {V}?><?note {K}?>"),
    "text between strings": lambda: strings(f"<si><t>x</t></si><note>{V}</note>", f"<si><t>{K}</t></si>"),
    "text inside a cell": lambda: cells('<c r="##" t="str">@@<f>B1</f><v>x</v></c>'),
    "attribute of a row": lambda: workbook({"Data": sheet(f'<row r="1" note="{V}"/><row r="2" note="{K}"/>')}),
    "attribute of a cell": lambda: cells('<c r="##" note="@@"><v>1</v></c>'),
    "extension in a cell": lambda: cells('<c r="##"><v>1</v><extLst><ext uri="x"><x14:a note="@@"/></ext></extLst></c>'),
    "header and footer": lambda: frame(after=f"<headerFooter><oddHeader>&amp;L{V}&amp;R{K}</oddHeader><evenFooter>&amp;C{V}</evenFooter></headerFooter>"),
    "validation list": lambda: frame(after=f'<dataValidations count="1"><dataValidation type="list" sqref="A1"><formula1>"{V},{K}"</formula1></dataValidation></dataValidations>'),
    "validation messages": lambda: frame(after=f'<dataValidations count="1"><dataValidation sqref="A1" promptTitle="{V}" prompt="{V}" errorTitle="{K}" error="{V}"><formula1>1</formula1></dataValidation></dataValidations>'),
    "conditional format": lambda: frame(after=f'<conditionalFormatting sqref="A1"><cfRule type="containsText" priority="1" operator="containsText" text="{V}"><formula>NOT(ISERROR(SEARCH("{V}",A1)))</formula></cfRule><cfRule type="cellIs" priority="2"><formula>"{K}"</formula></cfRule></conditionalFormatting>'),
    "filter": lambda: frame(after=f'<autoFilter ref="A1:A2"><filterColumn colId="0"><filters><filter val="{V}"/><filter val="{K}"/></filters></filterColumn></autoFilter>'),
    "hyperlink": lambda: workbook({"Data": sheet("", after=f'<hyperlinks><hyperlink ref="A1" r:id="rId1" tooltip="{V}" display="{V}"/><hyperlink ref="A2" r:id="rId2" tooltip="{K}"/></hyperlinks>')}, links=[("hyperlink", f"https://e.test/?n={V.replace(' ', '%20')}"), ("hyperlink", f"https://e.test/{K.replace(' ', '%20')}")]),
    "scenario": lambda: frame(after=f'<scenarios><scenario name="{V}" user="{K}"><inputCells r="A1" val="{V}"/></scenario></scenarios>'),
    "extension list with sparklines": lambda: frame(after=f'<extLst><ext uri="x"><x14:sparklineGroups><x14:sparkline><xm:f>\'{V}\'!A1</xm:f><xm:sqref>A1</xm:sqref></x14:sparkline><x14:note t="{K}"/></x14:sparklineGroups></ext></extLst>'),
    "comment": lambda: on_sheet("comments1.xml", "comments", f'<comments {SPACES}><authors><author>{V}</author><author>{K}</author></authors><commentList><comment ref="A1" authorId="0"><text>{letters(V)}</text></comment></commentList></comments>'),
    "threaded comment": lambda: workbook({"Data": sheet("")}, [("persons/person1.xml", "person", f'<personList><person displayName="{V}" userId="{V}"/><person displayName="{K}"/></personList>')], [("threadedComments/threadedComment1.xml", "threadedComment", f"<ThreadedComments><threadedComment><text>{V} and {K}</text></threadedComment></ThreadedComments>")]),
    "defined name's text": lambda: workbook({"Data": sheet("")}, inside=f'<definedNames><definedName name="one">"{V}"</definedName><definedName name="two" comment="{V}">"{K}"</definedName></definedNames>'),
    "drawing": lambda: on_sheet("drawings/drawing1.xml", "drawing", f'<xdr:wsDr {SPACES}><xdr:sp><xdr:nvSpPr><xdr:cNvPr id="1" name="{V}" descr="{K}"/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>Zebulon </a:t></a:r><a:r><a:t>Quarkman</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>', '<drawing r:id="rId1"/>'),
    "VML note": lambda: on_sheet("drawings/vmlDrawing1.vml", "vmlDrawing", f'<xml {SPACES}><v:shape alt="{V}"><v:textbox><div>{V}</div><div>{K}</div></v:textbox></v:shape></xml>', '<legacyDrawing r:id="rId1"/>'),
    "chart title": lambda: chart(f"<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>{V}</a:t></a:r></a:p><a:p><a:r><a:t>{K}</a:t></a:r></a:p></c:rich></c:tx></c:title></c:chart>"),
    "chart cache": lambda: chart(f'<c:ser><c:cat><c:strRef><c:f>Data!$A$1:$A$2</c:f><c:strCache><c:ptCount val="2"/><c:pt idx="0"><c:v>{V}</c:v></c:pt><c:pt idx="1"><c:v>{K}</c:v></c:pt></c:strCache></c:strRef></c:cat></c:ser>'),
    "table": lambda: on_sheet("tables/table1.xml", "table", f'<table {SPACES} id="1" name="T" displayName="T" ref="A1:B2" comment="{V}"><tableColumns count="2"><tableColumn id="1" name="{V}"/><tableColumn id="2" name="{K}"/></tableColumns></table>', '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>'),
    "pivot items": lambda: pivot(f'<sharedItems count="2"><s v="{V}"/><s v="{K}"/></sharedItems>', '<r><x v="0"/></r><r><x v="1"/></r>'),
    "pivot records": lambda: pivot("<sharedItems/>", f'<r><s v="{V}"/></r><r><s v="{K}"/></r>'),
    "external link's cache": lambda: with_part("externalLinks/externalLink1.xml", "externalLink", f'<externalLink {SPACES}><externalBook><sheetNames><sheetName val="{V}"/></sheetNames><sheetDataSet><sheetData sheetId="0"><row r="1"><cell r="A1" t="str"><v>{V}</v></cell><cell r="A2" t="str"><v>{K}</v></cell></row></sheetData></sheetDataSet></externalBook></externalLink>'),
    "connection": lambda: with_part("connections.xml", "connections", f'<connections {SPACES}><connection id="1" name="{V}"><dbPr connection="User={V};Host={K}" command="select * from t where n = \'{V}\'"/></connection></connections>'),
    "slicer cache": lambda: with_part("slicerCaches/slicerCache1.xml", "slicerCache", f'<slicerCacheDefinition {SPACES} name="{V}" sourceName="{K}"/>'),
    "custom property": lambda: workbook({"Data": sheet(pair(text_cell("A1", K), ""))}, more={"docProps/custom.xml": f"<Properties><property name='{V}'><lpwstr>{V}</lpwstr></property></Properties>".encode()}),
    "custom XML": lambda: workbook({"Data": sheet("")}, more={"customXml/item1.xml": f"<data><n>{V}</n><n>{K}</n></data>".encode()}),
    "shared revision log": lambda: workbook({"Data": sheet("")}, more={"xl/revisions/revisionHeaders.xml": f'<headers {SPACES}><header userName="{V}"/><header userName="{K}"/></headers>'.encode()}),
    "embedded document": lambda: workbook({"Data": sheet("")}, more={"xl/embeddings/doc1.docx": docx(paragraph(V) + paragraph(K))}),
    "embedded workbook": lambda: workbook({"Data": sheet("")}, more={"xl/embeddings/book1.xlsx": cells('<c r="##" t="inlineStr"><is><t>@@</t></is></c>')}),
    "very hidden sheet": lambda: workbook({"Shown": sheet(""), "Kept": sheet(pair(text_cell("A1", V), text_cell("A2", K)))}, states={"Kept": "veryHidden"}),
    "last row there is": lambda: workbook({"Data": sheet(f'<row r="1">{text_cell("A1", K)}</row><row r="1048576">{text_cell("XFD1048576", V)}</row>')}),
    "format that adds it": lambda: workbook({"Data": sheet(pair('<c r="A1" s="1"><v>7</v></c>', '<c r="A2" s="2"><v>7</v></c>'))}, [("styles.xml", "styles", styles(f"&quot;{V}&quot; 0", f"&quot;{K}&quot; 0"))]),
    "path of whoever saved it": lambda: workbook({"Data": sheet(pair(text_cell("A1", K), ""))}, before=f'<fileSharing userName="{V}"/><mc:AlternateContent><mc:Choice Requires="x15"><x15ac:absPath url="C:\\Users\\{V}\\"/></mc:Choice></mc:AlternateContent>'),
    "zip comment's neighbour": lambda: workbook({"Data": sheet(pair(text_cell("A1", K), ""))}, more={"xl/media/note.txt": f"{V} {K}".encode()}),
    "name of a part": lambda: workbook({"Data": sheet(pair(text_cell("A1", K), ""))}, more={f"xl/media/{V}.txt": b"x"}),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_the_value_goes_from_every_place_and_its_twin_stays(place: str) -> None:
    data = PLACES[place]()
    assert (
        folded(V) in seen(data)
        or place in ("escaped letters", "formula that puts it together", "chart title", "drawing")
        or "letter" in place
    )

    out, result = redacted(data, plan_of(V))

    assert folded(V) not in seen(out)
    assert folded(K) in seen(out)
    assert result.edited or result.swept or result.named
    assert opened(out).sheetnames == opened(data).sheetnames


def test_there_are_enough_places() -> None:
    assert len(PLACES) >= 30


@pytest.mark.parametrize("place", PLACES)
def test_entries_without_the_value_keep_their_packed_bytes(place: str) -> None:
    data = PLACES[place]()

    out, _ = redacted(data, plan_of(V))

    before, after = zipfile.ZipFile(BytesIO(data)), zipfile.ZipFile(BytesIO(out))
    untouched = [name for name in ("_rels/.rels", "xl/_rels/workbook.xml.rels") if name in after.namelist()]
    for name in untouched:
        assert packed(data, before, name) == packed(out, after, name)


def packed(data: bytes, archive: zipfile.ZipFile, name: str) -> bytes:
    info = archive.getinfo(name)
    start = info.header_offset + 30 + len(info.filename.encode()) + len(info.extra)
    return data[start : start + info.compress_size]
