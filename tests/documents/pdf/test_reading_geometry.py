"""Glyph boxes lie on the ink: the share of a page's drawn pixels that the boxes of its words cover."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import matplotlib
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream
from PIL import Image, ImageChops, ImageDraw
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

from anonify.documents.pdf.picture import open_pictures
from anonify.sandbox.source import BytesSource

from .making import drawn, extract, page_stream, saved

SCALE = 4.0
LEAST = 0.995

DEJAVU = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


def covered(source: bytes, number: int = 1) -> float:
    """Share of a page's dark pixels that lie within a pixel of a reported glyph box."""
    page = extract(source)[0][number - 1]
    with open_pictures(BytesSource(source)) as pictures:
        image = pictures.picture(number, SCALE).convert("L").point(lambda value: 255 if value < 128 else 0)
    assert image.size == pytest.approx(((page.width or 0) * SCALE, (page.height or 0) * SCALE), abs=2)
    boxes = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(boxes)
    for span in page.spans:
        for box in span.glyph_boxes or ():
            if box.x1 > box.x0 and box.y1 > box.y0:
                draw.rectangle(
                    [box.x0 * SCALE - 1, box.y0 * SCALE - 1, box.x1 * SCALE + 1, box.y1 * SCALE + 1], fill=255
                )
    ink = image.histogram()[255]
    assert ink > 500
    assert boxes.histogram()[255] < 12 * ink  # boxes over everything would prove nothing
    return ImageChops.darker(image, boxes).histogram()[255] / ink


def three_ways(board: canvas.Canvas) -> None:
    board.setFont("Helvetica", 14)
    board.drawString(200, 500, "Upright, jagged Query 4711")
    board.saveState()
    board.translate(250, 300)
    board.rotate(30)
    board.drawString(0, 0, "Slanting by thirty")
    board.restoreState()
    board.saveState()
    board.translate(400, 350)
    board.rotate(90)
    board.drawString(0, 0, "Going upwards")
    board.restoreState()


BOXES: dict[str, dict[str, object]] = {
    "plain": {},
    "cropped": {"CropBox": [150, 250, 500, 600]},
    "crop beyond the media": {"CropBox": [-50, 250, 900, 1200]},
    "user unit": {"UserUnit": 2},
    "fractions": {"CropBox": [150.37, 250.61, 500.13, 600.77]},
}


@pytest.mark.parametrize("turn", [0, 90, 180, 270, -90, 450])
@pytest.mark.parametrize("boxes", list(BOXES))
def test_boxes_lie_on_the_ink_however_the_page_is_cut_and_turned(boxes: str, turn: int) -> None:
    with pikepdf.open(io.BytesIO(drawn(three_ways))) as pdf:
        page = pdf.pages[0].obj
        page.Rotate = turn
        for key, value in BOXES[boxes].items():
            page["/" + key] = Array(value) if isinstance(value, list) else value
        source = saved(pdf)
    assert covered(source) >= LEAST


@pytest.mark.parametrize("turn", [0, 90, 270])
def test_boxes_lie_on_the_ink_when_the_page_starts_elsewhere(turn: int) -> None:
    with pikepdf.open(io.BytesIO(drawn(three_ways))) as pdf:
        page = pdf.pages[0].obj
        content = page.Contents.read_bytes()
        page.Contents = Stream(pdf, b"q 1 0 0 1 -1000 -300 cm " + content + b" Q")
        page.MediaBox = Array([-1000, -300, -405, 542])
        page.Rotate = turn
        source = saved(pdf)
    assert covered(source) >= LEAST


def test_boxes_and_turns_are_inherited() -> None:
    with pikepdf.open(io.BytesIO(drawn(three_ways))) as pdf:
        page, tree = pdf.pages[0].obj, pdf.Root.Pages
        del page["/MediaBox"]
        tree.MediaBox, tree.CropBox, tree.Rotate = Array([0, 0, 595, 842]), Array([150, 250, 500, 600]), 90
        tree.Resources = page.Resources
        del page["/Resources"]
        if "/Rotate" in page:
            del page["/Rotate"]
        source = saved(pdf)
    assert (extract(source)[0][0].width, extract(source)[0][0].height) == (350, 350)
    assert covered(source) >= LEAST


@pytest.mark.parametrize(
    "content",
    [
        b"q q 0.5 0 0 0.5 50 50 cm q BT /F1 30 Tf 200 500 Td (Left open, jagged) Tj ET",
        b"Q Q BT /F1 18 Tf 200 500 Td (Closed too often) Tj ET Q",
        b"2 0 0 3 0 0 cm BT /F1 12 Tf 50 100 Td (Stretched query) Tj ET",
        b"1 0 0.5 1 0 0 cm BT /F1 20 Tf 50 300 Td (Sheared query) Tj ET",
        b"-1 0 0 1 595 0 cm BT /F1 20 Tf 50 300 Td (Mirrored query) Tj ET",
        b"BT /F1 1 Tf 20 0 0 20 50 300 Tm 0.2 Tc 1 Tw 80 Tz 0.3 Ts (Spaced query) Tj ET",
        b"BT /F1 20 Tf 50 300 Td [(Ker) -300 (ned j) 200 (query)] TJ T* (x) ' ET",
        b"BT /F1 20 Tf 1 Tr 50 300 Td (Outlined query) Tj ET",
    ],
)
def test_boxes_follow_every_matrix(content: bytes) -> None:
    with pikepdf.open(io.BytesIO(drawn(lambda board: None))) as pdf:
        page_stream(pdf, content)
        source = saved(pdf)
    assert covered(source) >= 0.95  # half of a pen lies outside the outline it draws


def test_a_form_drawn_many_times_has_its_words_each_time() -> None:
    def draw(board: canvas.Canvas) -> None:
        board.beginForm("f")
        board.setFont("Helvetica", 12)
        board.drawString(0, 0, "Shared query")
        board.endForm()
        for number, turn in enumerate((0, 20, 90)):
            board.saveState()
            board.translate(150 + 120 * number, 300)
            board.rotate(turn)
            board.scale(1.5, 1.0)
            board.doForm("f")
            board.restoreState()

    source = drawn(draw)
    assert covered(source) >= LEAST
    assert extract(source)[0][0].text.split().count("Shared") == 3


def truetype(text: str) -> Callable[[canvas.Canvas], None]:
    pdfmetrics.registerFont(TTFont("DejaVu", str(DEJAVU)))

    def draw(board: canvas.Canvas) -> None:
        board.setFont("DejaVu", 20)
        board.drawString(100, 500, text)

    return draw


@pytest.mark.parametrize("text", ["Žluťoučký kůň", "Ελληνικά γράμματα", "Русский текст", "ﬁnal oﬃce ﬂow", "Ⅷ ½ № ℡"])
def test_boxes_of_other_letters_and_ligatures(text: str) -> None:
    assert covered(drawn(truetype(text))) >= LEAST


@pytest.mark.parametrize("text", ["שלום עולם", "مرحبا بالعالم"])
def test_boxes_of_text_that_runs_to_the_left(text: str) -> None:
    source = drawn(truetype(text[::-1]))
    assert covered(source) >= LEAST
    assert extract(source)[0][0].text.split() == text.split()


def test_a_ligature_with_several_letters_keeps_its_boxes_on_the_ink() -> None:
    with pikepdf.open(io.BytesIO(drawn(lambda board: None))) as pdf:
        page_stream(pdf, b"BT /F1 30 Tf 100 500 Td (o\\256ce) Tj ET")
        font = pdf.pages[0].Resources.Font["/F1"]
        font.Encoding = Name.StandardEncoding
        mapping = b"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <AE> <006600660069> endbfchar"
        font.ToUnicode = pdf.make_indirect(Stream(pdf, mapping))
        source = saved(pdf)
    assert extract(source)[0][0].text == "office"
    assert covered(source) >= LEAST


def type3(extra: dict[str, object]) -> bytes:
    with pikepdf.open(io.BytesIO(drawn(lambda board: None))) as pdf:
        page_stream(pdf, b"BT /T3 24 Tf 100 500 Td (abab) Tj ET")
        wide = pdf.make_indirect(Stream(pdf, b"1000 0 0 0 900 700 d1 0 0 900 700 re f"))
        tall = pdf.make_indirect(Stream(pdf, b"600 0 0 -200 500 900 d1 0 -200 500 1100 re f"))
        font = Dictionary(
            Type=Name.Font,
            Subtype=Name.Type3,
            FontBBox=Array([0, -200, 900, 900]),
            FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
            CharProcs=Dictionary(a=wide, b=tall),
            Encoding=Dictionary(Type=Name.Encoding, Differences=Array([97, Name("/a"), Name("/b")])),
            FirstChar=97,
            LastChar=98,
            Widths=Array([1000, 600]),
        )
        for key, value in extra.items():
            font["/" + key] = value
        pdf.pages[0].Resources.Font["/T3"] = font
        return saved(pdf)


@pytest.mark.parametrize("extra", [{}, {"FontBBox": Array([0, 0, 0, 0])}, {"FontBBox": Array([0, 0, 10, 10])}])
def test_boxes_of_type_3_letters(extra: dict[str, object]) -> None:
    source = type3(extra)
    assert extract(source)[0][0].text == "abab"
    assert covered(source) >= LEAST


def test_boxes_where_the_file_does_not_say_what_letters_mean() -> None:
    with pikepdf.open(io.BytesIO(drawn(truetype("Query jagged")))) as pdf:
        for font in pdf.pages[0].Resources.Font.values():
            if "/ToUnicode" in font:
                del font["/ToUnicode"]
        source = saved(pdf)
    assert covered(source) >= LEAST


def test_boxes_of_text_that_runs_downwards() -> None:
    with pikepdf.open(io.BytesIO(drawn(lambda board: None))) as pdf:
        page_stream(pdf, b"BT /V1 24 Tf 300 700 Td <00240025002600270028> Tj ET")
        program = pdf.make_indirect(Stream(pdf, DEJAVU.read_bytes()))
        described = Dictionary(
            Type=Name.FontDescriptor,
            FontName=Name.DejaVuSans,
            Flags=4,
            FontBBox=Array([-1021, -463, 1793, 1232]),
            ItalicAngle=0,
            Ascent=928,
            Descent=-236,
            CapHeight=729,
            StemV=80,
            FontFile2=program,
        )
        descendant = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2,
            BaseFont=Name.DejaVuSans,
            CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            FontDescriptor=pdf.make_indirect(described),
            DW=700,
            CIDToGIDMap=Name.Identity,
        )
        mapping = (
            b"1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0024> <0028> <0041> endbfrange"
        )
        pdf.pages[0].Resources.Font["/V1"] = Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=Name.DejaVuSans,
            Encoding=Name("/Identity-V"),
            DescendantFonts=Array([pdf.make_indirect(descendant)]),
            ToUnicode=pdf.make_indirect(Stream(pdf, mapping)),
        )
        source = saved(pdf)
    page = extract(source)[0][0]
    assert "".join(page.text.split()) == "ABCDE"
    tops = [box.y0 for span in page.spans for box in span.glyph_boxes or ()]
    assert tops == sorted(tops)
    assert covered(source) >= LEAST
