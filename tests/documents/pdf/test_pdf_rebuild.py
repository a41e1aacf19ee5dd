"""A rebuilt page: kept words in place, boxes black, size and turn as before."""

from __future__ import annotations

import io
import itertools

import pikepdf
import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, String
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from anonify.documents.format import RenderOptions
from anonify.documents.model import Box
from anonify.documents.pdf import FORMAT
from anonify.documents.plan import Edit, RedactionPlan, RegionEdit, SweepValue
from anonify.sandbox.source import BytesSource

from .making import KEPT, SECRET, drawn, extract, gate, holds, page_stream, pdftotext, plan_for, redact, saved

LINES = [
    "The quick brown fox jumps over the lazy dog, 0123456789.",
    f"On Monday {SECRET} wrote to {KEPT} about a trip.",
    "A b c: one-letter words, hyphen-ated words (and brackets)!",
    "Total: 1,234.56 EUR; see also section 4.2 on page 17.",
]


def letter(board: canvas.Canvas) -> None:
    for number, line in enumerate(LINES):
        board.setFont(("Helvetica", "Times-Roman", "Courier", "Helvetica-Bold")[number % 4], 9 + number)
        board.drawString(72, 700 - 30 * number, line)


def words(data: bytes, number: int = 0) -> list[tuple[str, float, float, float]]:
    """Words of a page by PDFium: text, left, right and lower edge, as displayed."""
    found = []
    document = pdfium.PdfDocument(data)
    page = document[number]
    text = page.get_textpage()
    raw = text.get_text_range()
    place = 0
    for token in raw.split():
        place = raw.index(token, place)
        first, last = text.get_charbox(place), text.get_charbox(place + len(token) - 1)
        found.append((token, first[0], last[2], first[1]))
        place += len(token)
    document.close()
    return found


def grey(data: bytes, box: Box, page: int = 0) -> tuple[int, int]:
    """Least and greatest level inside a displayed box, at two pixels a point."""
    document = pdfium.PdfDocument(data)
    document.init_forms()
    image = document[page].render(scale=2).to_pil().convert("L")
    document.close()
    area = (round(box.x0 * 2) + 1, round(box.y0 * 2) + 1, round(box.x1 * 2) - 1, round(box.y1 * 2) - 1)
    low, high = image.crop(area).getextrema()
    return int(low), int(high)


def boxes_of(data: bytes, value: str) -> list[Box]:
    """Displayed boxes of every word of `value`, from the extraction."""
    pages, _ = extract(data)
    parts = value.split()
    return [
        span.box
        for page in pages
        for span in page.spans
        if page.text[span.start : span.end].strip(".,") in parts and span.box is not None
    ]


def test_kept_words_stay_where_they_were_and_the_value_is_painted() -> None:
    source = drawn(letter)
    boxes = boxes_of(source, SECRET)
    assert len(boxes) == 2

    artifact, result = redact(source, plan_for(SECRET))

    assert result.rebuilt_pages == (1,)
    before = {(text, round(y)): (left, right) for text, left, right, y in words(source)}
    after = {text: (left, right) for text, left, right, _ in words(artifact)}
    kept = [key for key in before if key[0] not in SECRET.split()]
    assert len(kept) >= 30
    for text, y in kept:
        assert text in after
        assert after[text][0] == pytest.approx(before[text, y][0], abs=0.3)
        assert after[text][1] == pytest.approx(before[text, y][1], abs=0.3)
    for box in boxes:
        assert grey(artifact, box) == (0, 0)
    assert grey(artifact, boxes_of(source, KEPT)[0]) != (0, 0)


def test_pdftotext_reads_the_kept_words_in_order() -> None:
    source = drawn(letter)

    artifact, _ = redact(source, plan_for(SECRET))

    expected = [word for line in LINES for word in line.replace(SECRET, "[redacted]").split()]
    assert pdftotext(artifact).split() == expected


@pytest.mark.parametrize(
    ("turn", "media", "crop", "unit"),
    [
        (0, [0, 0, 595, 842], None, None),
        (90, [0, 0, 595, 842], None, None),
        (180, [0, 0, 595, 842], None, None),
        (270, [0, 0, 595, 842], None, None),
        (0, [-100, -50, 595, 842], None, None),
        (0, [0, 0, 595, 842], [50, 500, 500, 800], None),
        (90, [0, 0, 595, 842], [50, 500, 500, 800], None),
        (270, [-20, -30, 595, 842], [50, 500, 500, 800], None),
        (0, [0, 0, 595, 842], None, 2),
    ],
)
def test_a_turned_or_cropped_page_loses_the_same_words(
    turn: int, media: list[int], crop: list[int] | None, unit: int | None
) -> None:
    with pikepdf.open(io.BytesIO(drawn(letter))) as pdf:
        page = pdf.pages[0]
        page.MediaBox = Array(media)
        page.Rotate = turn
        if crop:
            page.CropBox = Array(crop)
        if unit:
            page.UserUnit = unit
        source = saved(pdf)
    boxes = boxes_of(source, SECRET)
    plan = plan_for(SECRET)

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)
    assert holds(artifact, SECRET) == []
    assert all(grey(artifact, box) == (0, 0) for box in boxes)
    assert {word for word, *_ in words(artifact)} >= {"jumps", "Lindqvist", "section"}
    before, after = pdfium.PdfDocument(source), pdfium.PdfDocument(artifact)
    assert before.get_page_size(0) == pytest.approx(after.get_page_size(0), abs=0.01)
    positions = {word: (left, right) for word, left, right, _ in words(source)}
    for word, left, right, _ in words(artifact):
        if word in positions and len(word) > 3:
            assert (left, right) == pytest.approx(positions[word], abs=0.3)
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert int(pdf.pages[0].Rotate) == turn
        assert [float(edge) for edge in pdf.pages[0].MediaBox] == media
        assert float(pdf.pages[0].get("/UserUnit", 1)) == (unit or 1)


def test_text_outside_the_crop_box_never_comes_back() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter))) as pdf:
        pdf.pages[0].CropBox = Array([0, 660, 595, 842])
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    assert "section" not in pdftotext(artifact)
    assert "jumps" in pdftotext(artifact)


def test_other_scripts_are_kept_letter_by_letter() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
    lines = ["東京都に住む山田太郎さんは", "こんにちは世界、お元気ですか"]

    def draw(board: canvas.Canvas) -> None:
        board.setFont("HeiseiMin-W3", 14)
        for number, line in enumerate(lines):
            board.drawString(72, 700 - 30 * number, line)

    source = drawn(draw)
    plan = plan_for("山田太郎")

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)
    text = "".join(pdftotext(artifact).split())
    assert "山田" not in text
    assert "東京都に住む" in text
    assert "さんは" in text
    assert lines[1] in text


def test_pages_without_a_value_keep_their_content_byte_for_byte() -> None:
    source = drawn(letter, pages=3)
    with pikepdf.open(io.BytesIO(source)) as pdf:
        before = [page.Contents.read_raw_bytes() for page in pdf.pages]

    artifact, result = redact(source, plan_for(SECRET))

    assert result.rebuilt_pages == (1,)
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        after = [page.Contents.read_bytes() for page in pdf.pages]
        assert len(pdf.pages) == 3
    with pikepdf.open(io.BytesIO(source)) as pdf:
        assert [page.Contents.read_bytes() for page in pdf.pages][1:] == after[1:]
    assert before[0] != after[0]


def test_the_same_input_gives_the_same_bytes() -> None:
    source = drawn(letter, pages=2)

    assert redact(source, plan_for(SECRET))[0] == redact(source, plan_for(SECRET))[0]


def test_a_file_without_the_value_comes_back_whole() -> None:
    source = drawn(letter, pages=2)

    artifact, result = redact(source, RedactionPlan())

    assert result.rebuilt_pages == ()
    assert pdftotext(artifact, "-layout") == pdftotext(source, "-layout")
    gate(source, artifact, RedactionPlan())


def test_an_edit_by_address_hides_only_that_place() -> None:
    def draw(board: canvas.Canvas) -> None:
        board.drawString(72, 700, "Ann met Ann")

    source = drawn(draw)
    pages, _ = extract(source)
    span = pages[0].spans[0]
    edit = Edit(span.id, 0, 3, "[NAME]", 1, (span.box,) if span.box else ())

    artifact, result = redact(source, RedactionPlan(edits=(edit,)))

    assert result.edited == 1
    assert pdftotext(artifact).split() == ["[redacted]", "met", "Ann"]
    assert span.box is not None
    assert grey(artifact, span.box) == (0, 0)


def test_labels_are_written_when_asked_for() -> None:
    source = drawn(letter)
    plan = RedactionPlan(sweep=(SweepValue(SECRET, "[PERSON]"),), draw_labels=True)

    artifact, _ = redact(source, plan)

    assert "[PERSON]" in pdftotext(artifact)
    low, high = grey(artifact, boxes_of(source, SECRET)[0])
    assert low == 0
    assert high > 100
    gate(source, artifact, plan)


@pytest.mark.parametrize("style", ["solid", "blur", "pixelate"])
def test_a_region_loses_the_words_under_it(style: str) -> None:
    source = drawn(letter)
    box = boxes_of(source, "fox")[0]
    region = RegionEdit(1, Box(box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1), style)  # type: ignore[arg-type]  # parametrized

    artifact, result = redact(source, RedactionPlan(regions=(region,)))

    text = pdftotext(artifact).split()
    assert result.rebuilt_pages == (1,)
    assert "fox" not in text
    assert "brown" in text
    if style == "solid":
        assert grey(artifact, box) == (0, 0)


def test_links_outline_and_labels_without_a_value_survive() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter, pages=3))) as pdf:
        pdf.pages[0].Annots = Array(
            [
                pdf.make_indirect(
                    Dictionary(
                        Type=Name.Annot,
                        Subtype=Name.Link,
                        Rect=Array([72, 690, 200, 710]),
                        A=Dictionary(S=Name.URI, URI=String("https://example.org/fox")),
                    )
                ),
                pdf.make_indirect(
                    Dictionary(
                        Type=Name.Annot,
                        Subtype=Name.Link,
                        Rect=Array([72, 635, 200, 650]),
                        Dest=Array([pdf.pages[2].obj, Name.Fit]),
                    )
                ),
            ]
        )
        pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.r)]))
        with pdf.open_outline() as tree:
            tree.root.append(pikepdf.OutlineItem("First page", 0))
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        links = list(pdf.pages[0].Annots)
        assert str(links[0].A.URI) == "https://example.org/fox"
        assert links[1].Dest[0].objgen == pdf.pages[2].obj.objgen
        assert pdf.pages[0].label == "i"
        with pdf.open_outline() as tree:
            assert [item.title for item in tree.root] == ["First page"]
            target = tree.root[0].destination
            assert isinstance(target, pikepdf.Array)
            assert target[0].objgen == pdf.pages[0].obj.objgen


def test_signatures_are_taken_out_and_named() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter, pages=2))) as pdf:
        field = pdf.make_indirect(
            Dictionary(
                FT=Name.Sig,
                T=String("sig"),
                Type=Name.Annot,
                Subtype=Name.Widget,
                Rect=Array([0, 0, 0, 0]),
                V=pdf.make_indirect(
                    Dictionary(Type=Name.Sig, Filter=Name("/Adobe.PPKLite"), Contents=String(b"\0" * 64))
                ),
            )
        )
        pdf.pages[1].Annots = Array([field])
        pdf.Root.AcroForm = Dictionary(Fields=Array([field]), SigFlags=3)
        source = saved(pdf)
    assert "signed" in extract(source)[1].notes

    artifact, result = redact(source, plan_for(SECRET))

    assert ("signature", "removed") in {(named.kind, named.disposition) for named in result.named}
    assert b"PPKLite" not in artifact
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert "/SigFlags" not in pdf.Root.AcroForm


def test_a_field_under_a_box_goes_with_the_page_but_a_form_elsewhere_stays() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter, pages=2))) as pdf:
        for number, page in enumerate(pdf.pages):
            field = pdf.make_indirect(
                Dictionary(
                    Type=Name.Annot,
                    Subtype=Name.Widget,
                    FT=Name.Tx,
                    T=String(f"f{number}"),
                    V=String("blue"),
                    F=4,
                    Rect=Array([72, 660, 300, 680]),
                    P=page.obj,
                )
            )
            page.Annots = Array([field])
            if "/AcroForm" not in pdf.Root:
                pdf.Root.AcroForm = Dictionary(Fields=Array())
            pdf.Root.AcroForm.Fields.append(field)
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert [str(field.T) for field in pdf.Root.AcroForm.Fields] == ["f1"]
        assert "/Annots" not in pdf.pages[0]
        assert len(pdf.pages[1].Annots) == 1


def test_a_scan_with_a_text_layer_loses_pixels_and_words() -> None:
    from PIL import Image, ImageDraw, ImageFont
    from reportlab.lib.utils import ImageReader

    picture = Image.new("L", (1240, 400), 255)
    pen = ImageDraw.Draw(picture)
    pen.text((40, 100), SECRET, font=ImageFont.load_default(size=60), fill=0)
    pen.text((40, 250), KEPT, font=ImageFont.load_default(size=60), fill=0)

    def draw(board: canvas.Canvas) -> None:
        board.drawImage(ImageReader(picture), 0, 600, 595, 192)
        for text, y in ((SECRET, 600 + 192 * (1 - 155 / 400)), (KEPT, 600 + 192 * (1 - 305 / 400))):
            ink = board.beginText(40 * 595 / 1240, y)
            ink.setTextRenderMode(3)
            ink.setFont("Helvetica", 29)
            ink.textOut(text)
            board.drawText(ink)

    source = drawn(draw)
    boxes = boxes_of(source, SECRET)

    artifact, _ = redact(source, plan_for(SECRET))

    assert holds(artifact, SECRET) == []
    assert KEPT in " ".join(pdftotext(artifact).split())
    assert all(grey(artifact, box) == (0, 0) for box in boxes)


def test_a_rendered_page_is_a_png_no_larger_than_allowed() -> None:
    from PIL import Image

    png = (
        FORMAT.render(BytesSource(drawn(letter)), 1, RenderOptions(scale=2.0, max_pixels=200_000))
        if FORMAT.render
        else b""
    )

    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    assert image.width * image.height <= 201_000


ALPHABET = st.text(
    alphabet=st.sampled_from("abcdefghijklmnopqrstuvwxyzABCDEFGHIKLMNOPRSTUVWXYZ0123456789.,-'"),
    min_size=1,
    max_size=12,
)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.lists(ALPHABET, min_size=1, max_size=7), min_size=1, max_size=12), st.integers(7, 14), st.data())
def test_every_other_word_of_any_page_is_kept(lines: list[list[str]], size: int, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(lines) - 1))
    lines = [list(line) for line in lines]
    lines[row].insert(data.draw(st.integers(0, len(lines[row]))), "zq9secretzq")

    def draw(board: canvas.Canvas) -> None:
        board.setFont("Times-Roman", size)
        for number, line in enumerate(lines):
            board.drawString(40, 800 - 2 * size * number, "   ".join(line))

    source = drawn(draw, size=(1200, 842))

    artifact, _ = redact(source, plan_for("zq9secretzq"))

    assert holds(artifact, "zq9secretzq") == []
    kept = sorted(word for word in itertools.chain(*lines) if word != "zq9secretzq")
    found = sorted(word for word in pdftotext(artifact, "-layout").split() if word != "[redacted]")
    assert found == kept


def test_a_value_in_a_content_stream_nobody_can_place_blackens_what_nobody_could_read() -> None:
    """The reader that knows no geometry finds it, PDFium does not: better too much than too little."""
    with pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 700, "Readable")))) as pdf:
        page_stream(pdf, b"")
        pdf.pages[0].Resources.Font["/J"] = pdf.make_indirect(
            Dictionary(
                Type=Name.Font,
                Subtype=Name.Type0,
                BaseFont=Name("/Gothic"),
                Encoding=Name("/90ms-RKSJ-V"),
                DescendantFonts=Array(
                    [
                        Dictionary(
                            Type=Name.Font,
                            Subtype=Name.CIDFontType0,
                            BaseFont=Name("/Gothic"),
                            CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Japan1"), Supplement=1),
                        )
                    ]
                ),
            )
        )
        hexed = "あいうえおかきく".encode("cp932").hex()
        pdf.pages[0].contents_add(pikepdf.Stream(pdf, f"BT /J 20 Tf 300 500 Td <{hexed}> Tj ET".encode()))
        source = saved(pdf)
    plan = plan_for("あいうえおかきく")

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)
    assert "あいうえ" not in pdftotext(artifact)


def test_a_box_on_a_photograph_is_plain_black() -> None:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    noise = Image.effect_noise((600, 800), 90).convert("RGB")
    noise = Image.merge("RGB", (noise.getchannel(0), Image.effect_noise((600, 800), 60), noise.getchannel(1)))

    def draw(board: canvas.Canvas) -> None:
        board.drawImage(ImageReader(noise), 0, 0, 595, 842)
        board.setFillColorRGB(1, 1, 1)
        board.drawString(72, 700, f"{SECRET} in a picture")

    source = drawn(draw)
    pages, _ = extract(source)
    spans = pages[0].spans[:2]
    edits = tuple(Edit(span.id, 0, span.end - span.start, "", 1, (span.box,) if span.box else ()) for span in spans)
    plan = RedactionPlan(edits=edits, sweep=(SweepValue(SECRET, "[REDACTED]"),))

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert pdf.pages[0].Resources.XObject["/I0"].Filter == "/DCTDecode"
    assert all(grey(artifact, span.box) == (0, 0) for span in spans if span.box)


def test_a_file_attached_to_a_note_is_redacted_too() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter, pages=2))) as pdf:
        inner = pdf.make_indirect(
            pikepdf.Stream(pdf, f"Notes on {SECRET} and {KEPT}\n".encode(), Type=Name.EmbeddedFile)
        )
        note = Dictionary(
            Type=Name.Annot,
            Subtype=Name.FileAttachment,
            Rect=Array([10, 10, 30, 30]),
            FS=Dictionary(Type=Name.Filespec, F=String("notes.txt"), EF=Dictionary(F=inner)),
        )
        pdf.pages[1].Annots = Array([note])
        source = saved(pdf)

    artifact, result = redact(source, plan_for(SECRET))

    assert holds(artifact, SECRET) == []
    assert ("attachment", "redacted") in {(named.kind, named.disposition) for named in result.named}
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert pdf.pages[1].Annots[0].FS.EF.F.read_bytes() == f"Notes on [REDACTED] and {KEPT}\n".encode()


def test_an_amount_that_looks_like_a_coordinate_passes_the_gate() -> None:
    def draw(board: canvas.Canvas) -> None:
        board.drawString(72, 700, "Paid 72.00 on the day")
        board.drawString(72, 600, "and 700.00 later")

    source = drawn(draw, pages=2)
    plan = plan_for("72.00", "700.00")

    artifact, result = redact(source, plan)

    gate(source, artifact, plan)
    assert result.rebuilt_pages == (1,)
    assert "72.00" not in pdftotext(artifact)
    assert "later" in pdftotext(artifact)


def test_a_deleted_page_that_a_bookmark_still_leads_to_is_emptied() -> None:
    with pikepdf.open(io.BytesIO(drawn(letter, pages=3))) as pdf:
        page_stream(pdf, b"BT /F1 12 Tf 72 300 Td [(Ma) 20 (rja Nord) -30 (lund)] TJ ET")
        gone = pdf.pages[0].obj
        with pdf.open_outline() as tree:
            tree.root.append(pikepdf.OutlineItem("Old", Array([gone, Name.Fit])))
        del pdf.pages[0]
        source = saved(pdf)
    assert holds(source, SECRET)

    artifact, _ = redact(source, plan_for(SECRET))

    assert holds(artifact, SECRET) == []
    gate(source, artifact, plan_for(SECRET))


def test_a_black_page_still_reads_as_the_words_that_were_no_part_of_the_value() -> None:
    with pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 700, "Nordlund or other words")))) as pdf:
        page_stream(pdf, b"BT /F1 0 Tf 72 600 Td (" + SECRET.encode() + b") Tj ET")
        source = saved(pdf)
    plan = plan_for(SECRET)

    artifact, result = redact(source, plan)

    assert result.rebuilt_pages == (1,)
    words = pdftotext(artifact).replace("[redacted]", " ").split()
    assert words == ["or", "other", "words"]
    page = pdfium.PdfDocument(artifact)[0].render(scale=0.2).to_pil().convert("L")
    assert page.getextrema()[1] < 40
    gate(source, artifact, plan)


def test_neighbours_of_a_value_in_tiny_print_are_kept() -> None:
    def draw(board: canvas.Canvas) -> None:
        board.setFont("Helvetica", 1)
        board.drawString(72, 700, f"Made by {SECRET} of Umea")

    source = drawn(draw)
    plan = plan_for(SECRET)

    artifact, _ = redact(source, plan)

    assert pdftotext(artifact).replace("[redacted]", " ").split() == ["Made", "by", "of", "Umea"]
    gate(source, artifact, plan)
