"""Field values (B05) and everything but the pages (B09), as they went wrong elsewhere; what the gate compares."""

from __future__ import annotations

import io
import random
from collections.abc import Callable

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, OutlineItem, Stream, String
from reportlab.pdfgen import canvas

from anonify.documents.gate import read_back
from anonify.documents.pdf import FORMAT
from anonify.sandbox.source import BytesSource
from tests.fuzz import mutated
from tests.shared import SHARED

from .hiding import KEPT, SECRET, annotate, form, host, names, recovered, resource
from .making import drawn, extract, gate, page_stream, pdftotext, plan_for, redact, saved


def _form_file() -> bytes:
    def draw(board: canvas.Canvas) -> None:
        board.drawString(72, 760, f"Asked by {KEPT}")
        board.acroForm.textfield(name="who", value=SECRET, x=72, y=600, width=200, height=20)
        board.acroForm.textfield(name="other", value=KEPT, x=72, y=500, width=200, height=20)

    with pikepdf.open(io.BytesIO(drawn(draw, pages=2))) as pdf:
        field = pdf.Root.AcroForm.Fields[0]
        field.DV = String(SECRET)
        field.RV = String(f"<body><p>{SECRET}</p></body>")
        field.Opt = Array([String(SECRET), Array([String("1"), String(SECRET)])])
        field.TU = String(f"For example {SECRET}")
        parent = pdf.make_indirect(Dictionary(FT=Name.Tx, T=String("twice"), V=String(SECRET), Kids=Array()))
        for number in (0, 1):
            look = pdf.make_indirect(form(pdf, f"BT /F9 9 Tf 2 4 Td ({SECRET}) Tj ET".encode()))
            parent.Kids.append(annotate(pdf, number, Subtype=Name.Widget, Parent=parent, AP=Dictionary(N=look)))
        pdf.Root.AcroForm.Fields.append(parent)
        data = Stream(pdf, f"<xfa:datasets><who>{SECRET}</who></xfa:datasets>".encode())
        pdf.Root.AcroForm.XFA = Array([String("datasets"), pdf.make_indirect(data)])
        return saved(pdf)


def test_b05_a_fields_value_is_gone_from_every_place_that_repeats_it() -> None:
    source = _form_file()
    plan = plan_for(SECRET)
    pages, extraction = extract(source)
    assert SECRET in pages[0].text
    assert {hidden.kind: hidden.count for hidden in extraction.hidden}["form-fields"] == 4

    artifact, _ = redact(source, plan)

    assert recovered(artifact, SECRET) == []
    gate(source, artifact, plan)
    assert KEPT in pdftotext(artifact, page=1)
    assert recovered(artifact, KEPT)
    assert "Nothing to see on page 2" in pdftotext(artifact, page=2)


def _outline(pdf: pikepdf.Pdf) -> None:
    with pdf.open_outline() as tree:
        tree.root.append(OutlineItem(f"About {SECRET}", 1))


def _info(pdf: pikepdf.Pdf) -> None:
    pdf.docinfo["/Title"] = f"On {SECRET}"


def _xmp(pdf: pikepdf.Pdf) -> None:
    packet = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:creator>{SECRET}</dc:creator></x:xmpmeta>'
    pdf.Root.Metadata = pdf.make_indirect(Stream(pdf, packet.encode(), Type=Name.Metadata, Subtype=Name.XML))


def _labels(pdf: pikepdf.Pdf) -> None:
    pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=String(f"{SECRET}-"), S=Name.D)]))


def _destinations(pdf: pikepdf.Pdf) -> None:
    names(pdf, "/Dests").extend([String(SECRET), Array([pdf.pages[1].obj, Name.Fit])])


def _thumbnail(pdf: pikepdf.Pdf) -> None:
    samples = SECRET.encode().ljust(16, b"\0")
    entries = Dictionary(Width=16, Height=1, ColorSpace=Name.DeviceGray, BitsPerComponent=8)
    pdf.pages[1].Thumb = pdf.make_indirect(Stream(pdf, samples, entries))


def _private(pdf: pikepdf.Pdf) -> None:
    pdf.pages[1].PieceInfo = Dictionary(App=Dictionary(Private=Dictionary(Who=String(SECRET))))


def _index(pdf: pikepdf.Pdf) -> None:
    words = pdf.make_indirect(Stream(pdf, b"\0\1" + SECRET.encode() + b"\0\xff"))
    pdf.Root.PieceInfo = Dictionary(SearchIndex=Dictionary(Private=words, LastModified=String("D:2024")))


def _attached_text(pdf: pikepdf.Pdf) -> None:
    pdf.attachments["a.txt"] = pikepdf.AttachedFileSpec(pdf, f"Met {SECRET}\n".encode(), filename="a.txt")


def _attached_pdf(pdf: pikepdf.Pdf) -> None:
    inner = drawn(lambda board: board.drawString(72, 700, f"Met {SECRET} at noon, in the old town"))
    pdf.attachments["b.pdf"] = pikepdf.AttachedFileSpec(pdf, inner, filename="b.pdf")


def _link(pdf: pikepdf.Pdf) -> None:
    target = String("https://x.example/?q=" + SECRET.replace(" ", "%20"))
    annotate(pdf, 1, Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=target))


def _layer(pdf: pikepdf.Pdf) -> None:
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(f"Notes on {SECRET}")))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=Dictionary(OFF=Array([group])))
    key = resource(pdf, "/Properties", group, 0)
    page_stream(pdf, f"/OC {key} BDC BT /F1 12 Tf 72 500 Td ({SECRET}) Tj ET EMC".encode())


PLACES = (
    _outline,
    _info,
    _xmp,
    _labels,
    _destinations,
    _thumbnail,
    _private,
    _index,
    _attached_text,
    _attached_pdf,
    _link,
    _layer,
)


def _planted(*places: Callable[[pikepdf.Pdf], None]) -> bytes:
    with pikepdf.open(io.BytesIO(host())) as pdf:
        for place in places:
            place(pdf)
        return saved(pdf)


@pytest.mark.parametrize("places", [*((place,) for place in PLACES), PLACES], ids=lambda places: places[-1].__name__)
def test_b09_a_value_only_beside_the_pages_is_gone_and_said_to_have_been_there(
    places: tuple[Callable[[pikepdf.Pdf], None], ...],
) -> None:
    source = _planted(*places)
    plan = plan_for(SECRET)

    artifact, result = redact(source, plan)

    assert recovered(artifact, SECRET) == []
    gate(source, artifact, plan)
    assert result.swept + sum(named.count for named in result.named) >= len(places)
    assert "A letter about somebody" in pdftotext(artifact, page=1)
    assert "Nothing to see on page 2" in pdftotext(artifact, page=2)


def test_b09_hidden_content_is_counted_for_review() -> None:
    _, extraction = extract(_planted(*PLACES))

    counted = {hidden.kind for hidden in extraction.hidden}

    assert {"attachments", "bookmarks", "destinations", "layers", "metadata"} <= counted


def test_b09_metadata_that_was_to_stay_does_where_it_holds_no_value() -> None:
    source = _planted(_info, _xmp)
    with pikepdf.open(io.BytesIO(source)) as pdf:
        pdf.docinfo["/Author"] = KEPT
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET, keep_metadata=True))

    assert recovered(artifact, SECRET) == []
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert str(pdf.docinfo["/Author"]) == KEPT
        assert str(pdf.docinfo["/Title"]) == "On [REDACTED]"


def _linked() -> bytes:
    """Three pages, bookmarks, labels and links between them."""
    with pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 700, f"By {SECRET}"), pages=3))) as pdf:
        with pdf.open_outline() as tree:
            tree.root.extend(OutlineItem(f"Page {number}", number) for number in range(3))
        pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.r), 1, Dictionary(S=Name.D)]))
        for number in range(3):
            annotate(pdf, number, Subtype=Name.Link, Dest=Array([pdf.pages[2 - number].obj, Name.Fit]))
        return saved(pdf)


def _other_words(pdf: pikepdf.Pdf) -> None:
    pdf.pages[1].Contents = pdf.make_stream(b"q Q")


def _other_bookmark(pdf: pikepdf.Pdf) -> None:
    with pdf.open_outline() as tree:
        tree.root[1].destination = Array([pdf.pages[0].obj, Name.Fit])


def _lost_bookmark(pdf: pikepdf.Pdf) -> None:
    with pdf.open_outline() as tree:
        del tree.root[0]


def _other_label(pdf: pikepdf.Pdf) -> None:
    pdf.Root.PageLabels.Nums[1] = Dictionary(S=Name.A)


def _other_link(pdf: pikepdf.Pdf) -> None:
    pdf.pages[2].Annots[0].Dest = Array([pdf.pages[2].obj, Name.Fit])


@pytest.mark.parametrize(
    ("harm", "check"),
    [
        (_other_words, "same-text"),
        (_other_bookmark, "same-places"),
        (_lost_bookmark, "same-places"),
        (_other_label, "same-places"),
        (_other_link, "same-places"),
    ],
)
def test_the_gate_refuses_what_changed_without_a_reason(harm: Callable[[pikepdf.Pdf], None], check: str) -> None:
    source = _linked()
    plan = plan_for(SECRET)
    artifact, _ = redact(source, plan)
    gate(source, artifact, plan)
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        harm(pdf)
        buffer = io.BytesIO()
        pdf.save(buffer)

    verdict = read_back(FORMAT, BytesSource(source), BytesSource(buffer.getvalue()), plan, "own")

    assert verdict.failed == (check,)


def test_a_page_that_one_reader_cannot_use_as_the_other_mended_it_is_read_all_the_same() -> None:
    """A damaged file: qpdf could not read it, and PDFium could not open the first page of what it wrote itself."""
    if SHARED is None:
        pytest.skip("the shared zoo is absent")
    sound = (SHARED / "zoo" / "pdf" / "pdfbox--test-landscape2.pdf").read_bytes()
    source = mutated(sound, random.Random("pdf:361"))
    plan = plan_for("Upper", "black")

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)
    assert recovered(artifact, "Upper") == []
    assert len(extract(artifact)[0][0].text) > 10


def test_a_catalog_that_looks_like_a_page_is_not_emptied_as_one() -> None:
    """Two damaged objects run into each other; the page tree must still be found in what is written."""
    with pikepdf.open(io.BytesIO(host())) as pdf:
        pdf.Root.MediaBox = Array([0, 0, 9, 9])
        pdf.Root.Contents = pdf.make_stream(f"BT ({SECRET}) Tj ET".encode())
        source = saved(pdf)
    plan = plan_for(SECRET)

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)
    assert recovered(artifact, SECRET) == []
    assert "Nothing to see on page 2" in pdftotext(artifact, page=2)


def test_the_gate_refuses_a_file_that_only_a_mending_reader_opens() -> None:
    source = host()
    plan = plan_for(SECRET)
    artifact, _ = redact(source, plan)
    place = int(artifact[artifact.rfind(b"startxref") :].split()[1])
    broken = artifact.replace(b"startxref\n%d" % place, b"startxref\n%d" % (place + 3))

    verdict = read_back(FORMAT, BytesSource(source), BytesSource(broken), plan, "own")

    assert "sound" in verdict.failed
