"""However a value is cut over runs, marks and changes, it goes whole and its neighbours stay."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from anonify.documents.docx import FORMAT
from anonify.documents.gate import read_back
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.sandbox.source import BytesSource
from tests.documents.ooxml.build import docx, folded, read, run, seen, swept

VALUES = st.sampled_from(
    ["Zebulon Quarkman", "zeb.quarkman@example.test", "48210-77361", "Žižkov & Söhne", "山田太郎次郎"]
)
BETWEEN = st.sampled_from(
    [
        "",
        "<w:proofErr w:type='spellStart'/>",
        "<w:bookmarkStart w:id='1' w:name='b'/>",
        "<w:r><w:softHyphen/></w:r>",
        "<!-- x -->",
        "<w:r><w:lastRenderedPageBreak/></w:r>",
        "<w:del w:id='2'><w:r><w:delText>zz</w:delText></w:r></w:del>",
        "<w:r><w:instrText> PAGE </w:instrText></w:r>",
    ]
)
WRAPPERS = st.sampled_from(
    ["{}", "<w:ins w:id='3'>{}</w:ins>", "<w:hyperlink>{}</w:hyperlink>", "<w:smartTag>{}</w:smartTag>"]
)


def escaped(text: str, numeric: bool) -> str:
    if numeric:
        return "".join(f"&#{ord(char)};" for char in text)
    return text.replace("&", "&amp;").replace("<", "&lt;")


@st.composite
def paragraphs(draw: st.DrawFn, value: str) -> str:
    cuts = sorted(draw(st.sets(st.integers(1, len(value) - 1), max_size=5)))
    pieces = [value[start:end] for start, end in zip([0, *cuts], [*cuts, len(value)], strict=True)]
    body = run("before, ")
    for piece in pieces:
        body += draw(WRAPPERS).format(run(escaped(piece, draw(st.booleans())))) + draw(BETWEEN)
    return f"<w:p>{body}{run(', after')}</w:p>"


@settings(max_examples=80, deadline=None)
@given(st.data(), VALUES)
def test_a_value_cut_anyhow_goes_whole(data: st.DataObject, value: str) -> None:
    source = docx(data.draw(paragraphs(value)) + "<w:p><w:r><w:t>untouched</w:t></w:r></w:p>")

    artifact = swept(source, value, marker="X")

    assert folded(value) not in seen(artifact)
    root = etree.fromstring(read(artifact, "word/document.xml"))
    visible = "".join(node.text or "" for node in root.iter("{*}t"))
    assert visible == "before, X, afteruntouched"
    plan = RedactionPlan(sweep=(SweepValue(value, "X"),))
    for reader in ("own", "independent"):
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(artifact), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ())
