"""Other programs open what we write: LibreOffice and python-docx, with the kept words and without the value."""

from __future__ import annotations

import io
import re
from collections import Counter

import docx as python_docx
import pytest
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml import etree

from anonify.documents.docx import FORMAT
from anonify.documents.gate import read_back
from anonify.documents.matching import Matcher
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.errors import FatalError
from anonify.sandbox.source import BytesSource, MemorySink
from tests import zoo
from tests.documents.docx.making import FLAT, GONE, KEPT, PAGE, SOFFICE, converted, documents
from tests.documents.docx.repair import worsened
from tests.documents.ooxml.build import folded, seen
from tests.shared import SHARED

needs_office = pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed: no soffice on the path")
_EXPORT = "docx:Office Open XML Text"


def redacted(source: bytes, *values: str) -> bytes:
    """The artifact, which both readers pass and which has no new fault."""
    plan = RedactionPlan(sweep=tuple(SweepValue(value, "[REDACTED]") for value in values))
    sink = MemorySink()
    FORMAT.redact(BytesSource(source), sink, plan)
    artifact = sink.getvalue()
    for reader in ("own", "independent"):
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(artifact), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ()), reader
    assert worsened(source, artifact) == []
    return artifact


def words(flat: bytes, *, attributes: bool = True) -> tuple[str, Counter[str]]:
    """What a flat OpenDocument text says, paragraph by paragraph, and the words of its body."""
    root = etree.fromstring(flat, etree.XMLParser(huge_tree=True))
    etree.strip_elements(root, "{*}binary-data", "{*}object", with_tail=False)  # an object may be emptied
    said, body = [], Counter[str]()
    for element in root.iter():
        if isinstance(element.tag, str):
            said += [str(value) for value in element.attrib.values() if attributes]
            if etree.QName(element).localname in ("p", "h", "creator", "initial-creator", "title", "user-defined"):
                text = "".join(map(str, element.itertext()))
                said.append(text)
                if etree.QName(element).localname in ("p", "h"):
                    body.update(re.findall(r"\w+", text))
    return "\n\u241e\n".join(said), body


@needs_office
def test_libreoffice_opens_every_output_with_the_kept_words_and_without_the_value() -> None:
    sources = documents()
    made = converted([("flat.fodt", FLAT.encode()), ("page.html", PAGE.encode())], _EXPORT)
    assert {*made} == {"flat", "page"}
    sources |= made
    artifacts = {name: redacted(data, GONE) for name, data in sources.items()}

    before = converted([(f"{name}.docx", data) for name, data in sources.items()], "fodt")
    after = converted([(f"{name}.docx", data) for name, data in artifacts.items()], "fodt")

    assert {*after} == {*before} == {*sources}
    matcher = Matcher([GONE])
    for name, data in after.items():
        said, kept = words(data)
        assert matcher.found(words(before[name])[0]), name
        assert not matcher.found(said), name
        lost = words(before[name])[1] - kept
        assert [word for word in lost if not re.search("Zebu|Quark|^lon$|^man$", word)] == [], name
        assert kept["Vandersloot"] == words(before[name])[1]["Vandersloot"] > 0, name


@needs_office
def test_libreoffice_prints_every_output() -> None:
    import pypdfium2

    artifacts = {name: redacted(data, GONE) for name, data in documents().items()}
    printed = converted([(f"{name}.docx", data) for name, data in artifacts.items()], "pdf")
    assert {*printed} == {*artifacts}
    for name, data in printed.items():
        document = pypdfium2.PdfDocument(data)
        text = folded("".join(page.get_textpage().get_text_range() for page in document))
        assert folded(GONE) not in text, name
        assert folded(KEPT) in text, name


@needs_office
@pytest.mark.parametrize(("name", "data"), [("flat.fodt", FLAT), ("page.html", PAGE)])
def test_what_libreoffice_writes_loses_every_copy(name: str, data: str) -> None:
    source = next(iter(converted([(name, data.encode())], _EXPORT).values()))
    artifact = redacted(source, GONE)
    assert folded(GONE) in seen(source)
    assert folded(GONE) not in seen(artifact)
    assert folded(KEPT) in seen(artifact)


@pytest.mark.parametrize("name", [name for name in documents() if name != "strict"])
def test_python_docx_finds_the_same_paragraphs_tables_and_sections(name: str) -> None:
    source = documents()[name]
    before = python_docx.Document(io.BytesIO(source))
    after = python_docx.Document(io.BytesIO(redacted(source, GONE)))

    assert [shape(p) for p in after.paragraphs] == [shape(p) for p in before.paragraphs]
    assert [len(table.rows) for table in after.tables] == [len(table.rows) for table in before.tables]
    assert [cells(table) for table in after.tables] == [cells(table) for table in before.tables]
    assert [section.start_type for section in after.sections] == [section.start_type for section in before.sections]
    assert [section.page_width for section in after.sections] == [section.page_width for section in before.sections]
    assert len(after.inline_shapes) == len(before.inline_shapes)


def shape(paragraph: Paragraph) -> tuple[str | None, int, str]:
    """A paragraph's style, how many runs it has, and its words but for the value's."""
    text = paragraph.text.replace("[REDACTED]", "")
    for word in (GONE, *GONE.split()):
        text = text.replace(word, "")
    text = text.replace("Quark-man", "-")  # a hyphen that does not break stays
    return paragraph.style.name if paragraph.style else None, len(paragraph.runs), " ".join(text.split())


def cells(table: Table) -> list[str]:
    return [cell.text.replace("[REDACTED]", GONE) for row in table.rows for cell in row.cells]


@pytest.mark.slow
@needs_office
@pytest.mark.skipif(SHARED is None, reason="the shared zoo is absent: set ANONIFY_SHARED to its folder")
def test_libreoffice_opens_every_redacted_file_of_the_zoo_that_it_opened_before() -> None:
    sources: dict[str, tuple[bytes, list[str]]] = {}
    for row in zoo.rows(("docx",)):
        if row["kind"] == "docx":
            sources[f"f{len(sources)}"] = (zoo.file_of(row).read_bytes(), [entry["value"] for entry in row["values"]])
    artifacts: dict[str, bytes] = {}
    for name, (data, values) in sources.items():
        try:
            artifacts[name] = redacted(data, *values)
        except FatalError:
            continue
    assert len(artifacts) > len(sources) // 2

    before = converted([(f"{name}.docx", sources[name][0]) for name in artifacts], "fodt")
    after = converted([(f"{name}.docx", data) for name, data in artifacts.items()], "fodt")

    assert {*after} >= {*before}
    for name in before:
        values = sources[name][1]
        said, kept = words(after[name], attributes=False)  # keywords of its own stand in them
        assert not Matcher(values).found(said), name
        gone = Counter(re.findall(r"\w+", " ".join(values)))
        old = words(before[name])[1]
        lost = sum(count for word, count in (old - kept).items() if word not in gone)
        assert lost <= 0.005 * sum(old.values()), name
