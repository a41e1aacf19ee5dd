"""What a reviewer sees of a Word document, and that an edit made there lands in the right characters."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import io
import re

import docx as python_docx
import pytest
from lxml import etree

from anonify.documents.docx import FORMAT
from anonify.documents.format import ExtractOptions, Head
from anonify.documents.gate import read_back
from anonify.documents.model import Extraction, Page
from anonify.documents.plan import Edit, RedactionPlan, SweepValue
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.ooxml.build import docx, paragraph, part, parts_of, read, relationships, run, zipped


class Pages(list[Page]):
    def page(self, page: Page) -> None:
        self.append(page)


def extracted(data: bytes, **options: int) -> tuple[Extraction, list[Page]]:
    pages = Pages()
    extraction = FORMAT.extract(BytesSource(data), pages, ExtractOptions(**options))
    assert [page.number for page in pages] == list(range(1, extraction.pages + 1))
    for page in pages:
        for span, following in zip(page.spans, page.spans[1:], strict=False):
            assert span.end <= following.start
    return extraction, pages


def text_of(data: bytes) -> str:
    return "\f".join(page.text for page in extracted(data)[1])


def edited(data: bytes, value: str, new: str = "[REDACTED]") -> bytes:
    """`data` with every occurrence of `value` on its pages replaced by precise edits alone."""
    edits = []
    for page in extracted(data)[1]:
        for match in re.finditer(re.escape(value), page.text):
            replacement = new
            for span in page.spans:
                start, end = max(span.start, match.start()), min(span.end, match.end())
                if start < end:
                    edits.append(Edit(span.id, start - span.start, end - span.start, replacement, page.number))
                    replacement = ""
    assert edits
    sink = MemorySink()
    result = FORMAT.redact(BytesSource(data), sink, RedactionPlan(edits=tuple(edits), keep_metadata=True))
    assert result.edited == len(edits)
    return sink.getvalue()


def test_runs_are_one_text_with_tabs_and_breaks() -> None:
    body = paragraph(
        run("Dear An"), run("na", "<w:rPr><w:b/></w:rPr>"), "<w:r><w:tab/><w:t>x</w:t><w:br/><w:t>y</w:t></w:r>"
    )
    _, pages = extracted(docx(body))

    assert pages[0].text == "Dear Anna\tx\ny\n"
    assert [(pages[0].text[span.start : span.end], span.style) for span in pages[0].spans][:2] == [
        ("Dear An", ""),
        ("na", "bold"),
    ]


def test_every_text_part_is_shown_in_a_section_of_its_name() -> None:
    more: dict[str, bytes | str] = {
        "word/header1.xml": part("hdr", paragraph("the header")),
        "word/header2.xml": part("hdr", paragraph("another header")),
        "word/footnotes.xml": part("footnotes", paragraph("a note")),
        "word/comments.xml": part("comments", f'<w:comment w:id="1" w:author="Ada">{paragraph("a remark")}</w:comment>'),
        "word/chunk.html": "<p>imported <b>words</b></p>",
        "word/_rels/document.xml.rels": relationships(("rId1", "hyperlink", "mailto:ada@example.test", "External")),
        "customXml/item1.xml": "<c><d>bound value</d></c>",
        "docProps/core.xml": "<c xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:creator>Grace</dc:creator></c>",
    }  # fmt: skip
    extraction, pages = extracted(docx(paragraph("the body"), more))

    shown = {
        section.name: page.text[section.start : section.end].strip() for page in pages for section in page.sections
    }
    assert shown == {
        "Body": "the body",
        "Header 1": "the header",
        "Header 2": "another header",
        "Footnotes": "a note",
        "Comments": "a remark",
        "Authors": "Ada",
        "Links": "mailto:ada@example.test",
        "Imported text": "imported words",
        "Custom XML": "bound value",
        "Properties": "Grace",
    }
    assert {item.kind: item.count for item in extraction.hidden} == {"comments": 1, "custom-xml": 1, "metadata": 1}
    assert extraction.units == 1, "headers and notes stand on pages that are charged already"


def test_a_text_box_is_a_block_of_its_own_and_shown_once() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>Greta</w:t></w:r></w:p></w:txbxContent>"
    body = (
        f'<w:p>{run("Paragraph text")}<w:r><mc:AlternateContent><mc:Choice Requires="wps">{box}</mc:Choice>'
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert text_of(docx(body)) == "Paragraph text\nGreta\n"


def test_an_edit_in_a_text_box_is_made_in_both_branches_however_short_the_value() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>Al is in</w:t></w:r></w:p></w:txbxContent>"
    body = f'<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps">{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>'

    after = read(edited(docx(body), "Al"), "word/document.xml").decode()

    assert after.count("[REDACTED] is in") == 2
    assert "Al is" not in after


def test_tracked_changes_read_as_accepted_and_deletions_follow() -> None:
    body = (
        "<w:p>"
        + run("Anna ")
        + "<w:del>"
        + run("Berg", tag="delText")
        + "</w:del><w:ins>"
        + run("Bergman")
        + "</w:ins></w:p>"
    )
    extraction, pages = extracted(docx(body))

    assert pages[0].text == "Anna Bergman\nBerg\n"
    assert [span.style for span in pages[0].spans] == ["", "inserted", "deleted"]
    assert ("revisions", 2) in {(item.kind, item.count) for item in extraction.hidden}


def test_hidden_text_is_shown_and_counted() -> None:
    extraction, pages = extracted(docx(paragraph("seen ", run("unseen", "<w:rPr><w:vanish/></w:rPr>"))))
    assert pages[0].text == "seen unseen\n"
    assert pages[0].spans[1].style == "hidden"
    assert ("hidden-text", 1) in {(item.kind, item.count) for item in extraction.hidden}


def test_field_instructions_do_not_stand_in_the_sentence() -> None:
    body = paragraph(
        run("write to "), run(' HYPERLINK "mailto:ada@example.test" ', tag="instrText"), run("Ada"), run(" now")
    )
    assert text_of(docx(body)) == 'write to Ada now\n HYPERLINK "mailto:ada@example.test" \n'


def test_pages_follow_rendered_and_explicit_breaks() -> None:
    rendered = paragraph(run("one"), "<w:r><w:lastRenderedPageBreak/><w:t>two</w:t></w:r>")
    explicit = paragraph("three", '<w:r><w:br w:type="page"/></w:r>') + paragraph("four")
    assert [page.text.strip() for page in extracted(docx(rendered))[1]] == ["one", "two"]
    assert [page.text.strip() for page in extracted(docx(explicit))[1]] == ["three", "four"]


def test_without_breaks_pages_have_a_fixed_length_and_a_limit() -> None:
    data = docx(paragraph("word " * 50) * 60)
    extraction, pages = extracted(data)
    assert extraction.units == extraction.pages == len(pages) == 5
    with pytest.raises(FatalError) as caught:
        extracted(data, max_pages=3)
    assert caught.value.code is Code.TOO_COMPLEX


def test_an_empty_document_has_one_empty_page() -> None:
    extraction, pages = extracted(docx("<w:p/>"))
    assert (extraction.pages, pages[0].text.strip()) == (1, "")


def test_headings_hint_at_their_level() -> None:
    body = '<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Scope</w:t></w:r></w:p>'
    assert extracted(docx(body))[1][0].spans[0].style == "heading2"


@pytest.mark.parametrize("body", [
    paragraph("for Anna Berg only"),
    paragraph(run("for An"), run("na"), run(" Be"), run("rg only")),
    paragraph("for &#65;nna &#x42;erg only"),
    "<w:p><w:r><w:t><![CDATA[for Anna Berg only]]></w:t></w:r></w:p>",
    f"<w:tbl><w:tr><w:tc><w:p><w:pPr><w:rPr><w:b/></w:rPr></w:pPr>{run('for Anna Berg only')}</w:p></w:tc></w:tr></w:tbl>",
    f"<w:p><w:ins w:author='x'>{run('for Anna')}</w:ins>{run(' Berg only')}</w:p>",
])  # fmt: skip
def test_a_precise_edit_replaces_the_value_once_and_nothing_else(body: str) -> None:
    source = docx(paragraph("before &amp; first") + body + paragraph("after"))

    after = read(edited(source, "Anna Berg"), "word/document.xml")

    texts = ["".join(map(str, p.itertext())) for p in etree.fromstring(after).iter("{*}p")]
    assert texts == ["before & first", "for [REDACTED] only", "after"]


def test_edits_reach_attributes_links_and_properties() -> None:
    more: dict[str, bytes | str] = {
        "word/_rels/document.xml.rels": relationships(("rId1", "hyperlink", "mailto:ada@example.test", "External")),
        "docProps/core.xml": "<c xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:creator>ada@example.test</dc:creator></c>",
    }
    body = '<w:p><w:r><w:drawing><wp:docPr id="1" name="n" descr="write &quot;ada@example.test&quot;"/></w:drawing></w:r></w:p>'

    after = edited(docx(body, more), "ada@example.test", "X")

    assert b'descr="write &quot;X&quot;"' in read(after, "word/document.xml")
    assert b'Target="mailto:X"' in read(after, "word/_rels/document.xml.rels")
    assert b"<dc:creator>X</dc:creator>" in read(after, "docProps/core.xml")


def test_a_space_left_at_the_edge_of_a_run_is_preserved() -> None:
    body = "<w:p><w:r><w:t>Anna</w:t></w:r><w:r><w:t>Berg is here</w:t></w:r></w:p>"
    after = read(edited(docx(body), "AnnaBerg", "X"), "word/document.xml")
    assert b'<w:t>X</w:t></w:r><w:r><w:t xml:space="preserve"> is here</w:t>' in after


def test_parts_without_a_value_are_copied_byte_for_byte() -> None:
    parts = parts_of(
        paragraph("Anna Berg"), {"word/styles.xml": part("styles", "<w:x  a='1'/>"), "word/media/i.bin": b"\0" * 99}
    )
    after = edited(zipped(parts), "Anna Berg")

    for name, data in parts.items():
        if name != "word/document.xml":
            assert read(after, name) == data
    expected = parts["word/document.xml"].replace(b"Anna Berg", b"[REDACTED]")
    assert read(after, "word/document.xml") == expected


def test_a_replacement_is_written_safely_in_every_context() -> None:
    marker = "<&\"'>]]>"
    source = docx(
        paragraph("Anna Berg")
        + '<w:p><w:bookmarkStart w:name="Anna Berg"/><w:r><w:t><![CDATA[Anna Berg]]></w:t></w:r></w:p>'
    )
    sink = MemorySink()
    FORMAT.redact(BytesSource(source), sink, RedactionPlan(sweep=(SweepValue("Anna Berg", marker),)))

    root = etree.fromstring(read(sink.getvalue(), "word/document.xml"))
    assert root.xpath("string(//*[local-name()='t'])") == marker
    assert root.xpath("string(//@*[local-name()='name'])") == marker


def test_the_artifact_opens_in_python_docx_and_is_the_same_twice() -> None:
    made = python_docx.Document()
    made.add_heading("Report on Zebulon Quarkman", 1)
    made.add_paragraph("By Zebulon ").add_run("Quarkman").bold = True
    made.sections[0].header.paragraphs[0].text = "Zebulon Quarkman, file 12"
    made.add_table(2, 2).cell(1, 1).text = "Zebulon Quarkman"
    made.core_properties.author = "Zebulon Quarkman"
    buffer = io.BytesIO()
    made.save(buffer)
    source = BytesSource(buffer.getvalue())
    plan = RedactionPlan(sweep=(SweepValue("Zebulon Quarkman", "[PERSON]"),))
    first, second = MemorySink(), MemorySink()

    FORMAT.redact(source, first, plan)
    FORMAT.redact(source, second, plan)

    assert first.getvalue() == second.getvalue()
    opened = python_docx.Document(io.BytesIO(first.getvalue()))
    assert [p.text for p in opened.paragraphs] == ["Report on [PERSON]", "By [PERSON]"]
    assert opened.tables[0].cell(1, 1).text == "[PERSON]"
    assert opened.sections[0].header.paragraphs[0].text == "[PERSON], file 12"
    assert opened.core_properties.author == ""
    for reader in ("own", "independent"):
        verdict = read_back(FORMAT, source, BytesSource(first.getvalue()), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ())


def test_an_empty_plan_gives_the_document_back() -> None:
    source = docx(paragraph("Anna Berg"))
    sink = MemorySink()
    FORMAT.redact(BytesSource(source), sink, RedactionPlan(keep_metadata=True))
    assert read(sink.getvalue(), "word/document.xml") == read(source, "word/document.xml")


def sniffed(data: bytes) -> float:
    return FORMAT.sniff(Head(data[:65536], data[-65536:], BytesSource(data)))


@pytest.mark.parametrize("kind", [
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
    "application/vnd.ms-word.document.macroEnabled.main+xml",
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
])  # fmt: skip
def test_the_main_parts_type_decides(kind: str) -> None:
    parts = parts_of("<w:p/>")
    parts["[Content_Types].xml"] = re.sub(rb"[^\"]*document\.main\+xml", kind.encode(), parts["[Content_Types].xml"])
    assert sniffed(zipped(parts)) > 0.9
    other = re.sub(rb"[^\"]*main\+xml", b"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml", parts["[Content_Types].xml"])  # fmt: skip
    assert sniffed(zipped({**parts, "[Content_Types].xml": other})) == 0.0


def test_other_archives_and_bytes_are_not_ours() -> None:
    assert sniffed(zipped({"a.txt": b"x"})) == 0.0
    assert sniffed(b"%PDF-1.7") == 0.0
    assert sniffed(b"plain text") == 0.0
    assert sniffed(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 4000) == 0.0


def test_strict_documents_are_ours() -> None:
    strict = docx(paragraph("Anna Berg"))
    parts = {
        name: read(strict, name).replace(
            b"http://schemas.openxmlformats.org/officeDocument/2006/relationships", b"http://purl.oclc.org/ooxml/officeDocument/relationships"
        ).replace(b"http://schemas.openxmlformats.org/wordprocessingml/2006/main", b"http://purl.oclc.org/ooxml/wordprocessingml/main")
        for name in parts_of()
    }  # fmt: skip
    data = zipped(parts)
    assert sniffed(data) > 0.9
    assert text_of(data) == "Anna Berg\n"
    assert b"[REDACTED]" in read(edited(data, "Anna Berg"), "word/document.xml")


def test_what_stands_behind_the_text_is_shown_and_can_be_edited_there() -> None:
    more: dict[str, bytes | str] = {
        "word/settings.xml": part("settings", '<w:mailMerge><w:query w:val="SELECT * FROM quarkman"/></w:mailMerge><w:docVars><w:docVar w:name="client" w:val="Zeb Quarkman"/></w:docVars>'),
        "word/people.xml": part("people", '<w:person w:author="Ada"><w:presenceInfo w:providerId="AD" w:userId="ada@example.test"/></w:person>'),
        "word/styles.xml": part("styles", '<w:style w:styleId="a"><w:name w:val="heading 1"/></w:style><w:style w:styleId="b"><w:name w:val="Quarkman letter"/></w:style><w:style><w:name w:val="Quarkman letter Char"/></w:style>'),
        "word/numbering.xml": part("numbering", '<w:lvl><w:lvlText w:val="%1."/></w:lvl><w:lvl><w:lvlText w:val="Client %1"/></w:lvl>'),
    }  # fmt: skip
    body = (
        '<w:p><w:bookmarkStart w:id="1" w:name="_Toc123"/><w:bookmarkStart w:id="2" w:name="quarkman_file"/><w:r><w:drawing>'
        '<wp:docPr id="1" name="Picture 1"/><wp:docPr id="2" name="quarkman-passport.jpg"/></w:drawing></w:r></w:p>'
    )
    source = docx(body, more)
    extraction, pages = extracted(source)

    shown = {
        section.name: page.text[section.start : section.end].split("\n")[:-1]
        for page in pages
        for section in page.sections
    }
    assert shown == {
        "Body": [""],
        "Names": ["quarkman_file", "quarkman-passport.jpg"],
        "Settings": ["SELECT * FROM quarkman", "client", "Zeb Quarkman"],
        "People": ["Ada", "ada@example.test"],
        "Names of styles": ["Quarkman letter"],
        "Labels of lists": ["Client %1"],
    }
    assert ("metadata", 5) in {(item.kind, item.count) for item in extraction.hidden}
    after = edited(source, "Zeb Quarkman", "X")
    assert b'w:val="X"' in read(after, "word/settings.xml")


def test_text_that_stands_in_one_branch_alone_follows_the_sentence() -> None:
    body = f'<w:p>{run("see ")}<mc:AlternateContent><mc:Choice Requires="x">{run("one")}</mc:Choice><mc:Fallback>{run("two")}</mc:Fallback></mc:AlternateContent>{run(" here")}</w:p>'
    assert text_of(docx(body)) == "see one here\ntwo\n"
    only = body.replace(run("one"), "<w:r/>")
    assert text_of(docx(only)) == "see two here\n"
