"""What a PDF is read as: text, addresses, boxes, hidden content; and what is refused."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, Stream, String
from reportlab.pdfgen import canvas

from anonify.documents.format import ExtractOptions, Head
from anonify.documents.pdf import FORMAT
from anonify.errors import AnonifyError, Code, FatalError
from anonify.sandbox.source import BytesSource, MemorySink

from .making import SECRET, Pages, drawn, extract, gate, page_stream, plan_for, redact, saved


def letter(board: canvas.Canvas) -> None:
    board.drawString(72, 700, "Dear Marja Nordlund,")
    board.drawString(72, 680, "your parcel 4711 is here.")


def test_text_spans_and_boxes_agree() -> None:
    pages, extraction = extract(drawn(letter, pages=2))

    page = pages[0]
    assert page.text == "Dear Marja Nordlund,\nyour parcel 4711 is here."
    assert (page.width, page.height) == (595, 842)
    assert extraction.units == extraction.pages == 2
    assert [page.text[span.start : span.end] for span in page.spans][:3] == ["Dear", "Marja", "Nordlund,"]
    assert page.spans[1].id == "page#1w1"
    for span in page.spans:
        assert span.box is not None
        assert span.glyph_boxes is not None
        assert len(span.glyph_boxes) == span.end - span.start
        for glyph in span.glyph_boxes:
            assert span.box.x0 <= glyph.x0 <= glyph.x1 <= span.box.x1
            assert span.box.y0 <= glyph.y0 <= glyph.y1 <= span.box.y1
    first = page.spans[0].box
    assert first is not None
    assert first.x0 == pytest.approx(72, abs=1.5)
    assert first.y1 == pytest.approx(842 - 700, abs=0.5)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_boxes_are_as_displayed_on_a_turned_page(turn: int) -> None:
    with pikepdf.open(io.BytesIO(drawn(letter))) as pdf:
        pdf.pages[0].Rotate = turn
        source = saved(pdf)

    page = extract(source)[0][0]

    assert (page.width, page.height) == ((842, 595) if turn != 180 else (595, 842))
    box = next(span.box for span in page.spans if page.text[span.start : span.end] == "Dear")
    assert box is not None
    corner = {90: (700, 72), 180: (595 - 72, 700), 270: (842 - 700, 595 - 72)}[turn]
    near = {90: (box.x0, box.y0), 180: (box.x1, box.y0), 270: (box.x1, box.y1)}[turn]
    assert near == pytest.approx(corner, abs=2)


def test_a_picture_page_asks_for_ocr() -> None:
    pages, _ = extract(drawn(lambda board: board.rect(50, 50, 300, 300, fill=1), pages=2))

    assert [page.needs_ocr for page in pages] == [True, False]


def test_field_values_and_notes_can_be_reviewed() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter))) as pdf:
        pdf.pages[0].Annots = Array(
            [
                pdf.make_indirect(
                    Dictionary(
                        Type=Name.Annot,
                        Subtype=Name.Widget,
                        FT=Name.Tx,
                        T=String("name"),
                        V=String("Greta Lindqvist"),
                        F=4,
                        Rect=Array([100, 100, 300, 120]),
                    )
                ),
                pdf.make_indirect(
                    Dictionary(
                        Type=Name.Annot,
                        Subtype=Name.Text,
                        Contents=String("Call 555 0199"),
                        Rect=Array([400, 400, 420, 420]),
                    )
                ),
            ]
        )
        source = saved(pdf)

    pages, extraction = extract(source)

    page = pages[0]
    named = {page.text[span.start : span.end]: span for span in page.spans}
    assert named["Greta Lindqvist"].style == "form-field"
    assert named["Greta Lindqvist"].box is not None
    assert named["Call 555 0199"].style == "annotation"
    assert [section.name for section in page.sections] == ["form-field", "annotation"]
    assert {item.kind: item.count for item in extraction.hidden}.items() >= {"form-fields": 1, "annotations": 1}.items()


def test_hidden_content_is_counted() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter))) as pdf:
        pdf.attachments["a.txt"] = pikepdf.AttachedFileSpec(pdf, b"x", filename="a.txt")
        group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Layer")))
        pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=Dictionary())
        pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("1"))
        pdf.Root.Metadata = Stream(pdf, b"<x/>")
        source = saved(pdf)

    counts = {item.kind: item.count for item in extract(source)[1].hidden}

    assert counts["attachments"] == 1
    assert counts["layers"] == 1
    assert counts["javascript"] == 1
    assert counts["metadata"] >= 1


def test_a_password_is_asked_for_only_when_there_is_one() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter))) as pdf:
        for user in ("", "open sesame"):
            buffer = io.BytesIO()
            pdf.save(buffer, encryption=pikepdf.Encryption(user=user, owner="owner"))
            source = buffer.getvalue()
            if user:
                with pytest.raises(FatalError) as caught:
                    extract(source)
                assert caught.value.code is Code.ENCRYPTED
            else:
                assert SECRET in extract(source)[0][0].text
                assert extract(source)[1].notes == ("restricted",)
                artifact, _ = redact(source, plan_for(SECRET))
                with pikepdf.open(io.BytesIO(artifact)) as opened:
                    assert not opened.is_encrypted


def test_a_broken_table_is_repaired() -> None:
    source = drawn(letter)
    broken = source[: source.rfind(b"xref\n0")] + b"xref\n0 1\ngarbage\ntrailer\n<<>>\nstartxref\n9\n%%EOF"

    assert SECRET in extract(broken)[0][0].text
    artifact, _ = redact(broken, plan_for(SECRET))
    assert SECRET not in extract(artifact)[0][0].text


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7\n", b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF", b"%PDF-1.7\n" + b"\0" * 500]
)
def test_what_cannot_be_read_is_malformed(data: bytes) -> None:
    with pytest.raises(FatalError) as caught:
        FORMAT.extract(BytesSource(data), Pages(), ExtractOptions())
    assert caught.value.code is Code.MALFORMED


def test_too_many_pages_are_refused() -> None:
    with pytest.raises(FatalError) as caught:
        FORMAT.extract(BytesSource(drawn(letter, pages=4)), Pages(), ExtractOptions(max_pages=3))
    assert caught.value.code is Code.TOO_COMPLEX


def test_a_huge_page_is_read_and_redacted_within_a_pixel_budget() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter))) as pdf:
        pdf.pages[0].MediaBox = Array([0, 0, 14_400, 14_400])
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        pictures = list(pdf.pages[0].Resources.XObject.values())
        assert sum(int(picture.Width) * int(picture.Height) for picture in pictures) <= 21_000_000
        assert [float(edge) for edge in pdf.pages[0].MediaBox] == [0, 0, 14_400, 14_400]
    assert SECRET not in extract(artifact)[0][0].text


def test_a_loop_in_the_objects_does_not_hang() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter))) as pdf:
        form = pdf.make_indirect(Stream(pdf, b"/X Do", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 9, 9])))
        form.Resources = Dictionary(XObject=Dictionary(X=form))
        pdf.pages[0].Resources.XObject = Dictionary(X=form)
        loop = pdf.make_indirect(Array())
        loop.append(loop)
        pdf.Root.Loop = loop
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    assert SECRET not in extract(artifact)[0][0].text


@pytest.mark.parametrize(
    ("data", "sure"),
    [
        (b"%PDF-1.7\n", True),
        (b"junk\n" * 100 + b"%PDF-1.4", True),
        (b" " * 2000 + b"%PDF-1.4", False),
        (b"PK\x03\x04", False),
    ],
)
def test_the_signature_decides(data: bytes, sure: bool) -> None:
    assert (FORMAT.sniff(Head(data, data, BytesSource(data))) > 0.5) is sure


def test_names_that_are_not_utf8_are_read() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter))) as pdf:
        pdf.Root.Odd = pikepdf.Object.parse(b"<< /Kind /#CB#CE#CC /#CB#CE (Marja Nordlund) >>")
        source = saved(pdf)

    artifact, result = redact(source, plan_for(SECRET))

    assert result.swept >= 2
    with pikepdf.open(io.BytesIO(artifact)) as opened:
        assert b"Nordlund" not in opened.Root.Odd.unparse()
        assert b"#cb#ce#cc" in opened.Root.Odd.unparse()


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_damaged_files_are_refused_by_code_or_lose_the_value(data: st.DataObject) -> None:
    source = bytearray(drawn(letter, pages=2))
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(source) - 1))
        length = data.draw(st.integers(0, 12))
        source[place : place + length] = data.draw(st.binary(max_size=12))
    try:
        FORMAT.extract(BytesSource(bytes(source)), Pages(), ExtractOptions())
        sink = MemorySink()
        FORMAT.redact(BytesSource(bytes(source)), sink, plan_for(SECRET))
    except AnonifyError as error:
        if error.code not in (Code.MALFORMED, Code.ENCRYPTED, Code.TOO_COMPLEX):
            raise
        return
    plan = plan_for(SECRET)
    for reader in (FORMAT.own_reader, FORMAT.independent_reader):
        assert all(SECRET not in piece.text for piece in reader(BytesSource(sink.getvalue()), plan))


def _endless_content() -> bytes:
    """A few hundred kilobytes that decode to more than a page can be."""
    deflate = zlib.compressobj(9)
    data = b"".join(deflate.compress(bytes(1 << 20).replace(b"\0", b" ")) for _ in range(300)) + deflate.flush()
    with pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 700, "A page")))) as pdf:
        stream = pikepdf.Stream(pdf, b"")
        stream.write(data, filter=Name.FlateDecode)
        pdf.pages[0].Contents = pdf.make_indirect(stream)
        return saved(pdf)


def _forms_in_forms() -> bytes:
    with pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 700, "A page")))) as pdf:
        form = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 9, 9]))
        for _ in range(12):
            inside = Dictionary(XObject=Dictionary(X=form))
            form = pdf.make_stream(
                b"/X Do " * 10, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 9, 9]), Resources=inside
            )
        page_stream(pdf, b"/X Do")
        pdf.pages[0].Resources.XObject = Dictionary(X=form)
        return saved(pdf)


def _millions_of_letters() -> bytes:
    with pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 700, "A page")))) as pdf:
        page_stream(pdf, b"BT /F1 1 Tf 1 0 0 1 1 1 Tm " + b"(abcdefghij klmnopqr) Tj\n" * 120_000 + b"ET")
        return saved(pdf)


@pytest.mark.parametrize("make", [_endless_content, _forms_in_forms, _millions_of_letters])
def test_a_page_that_grows_without_bound_is_refused(make: Callable[[], bytes]) -> None:
    with pytest.raises(FatalError) as caught:
        extract(make())

    assert caught.value.code is Code.TOO_COMPLEX


def test_a_character_map_without_end_is_not_followed() -> None:
    with pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 700, f"About {SECRET} here")))) as pdf:
        page_stream(pdf, b"BT /F1 12 Tf 72 600 Td (x) Tj ET")
        endless = b"100 beginbfrange " + b"<0000> <ffff> <0041> " * 20_000 + b"endbfrange"
        pdf.pages[0].Resources.Font.F1.ToUnicode = pdf.make_stream(endless)
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    gate(source, artifact, plan_for(SECRET))
