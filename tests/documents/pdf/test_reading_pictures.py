"""What a PDF shows as pixels: the pictures on its pages, where their ink comes from, and their drawing in parts."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream
from PIL import Image, ImageChops, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from anonify.documents.model import Box
from anonify.documents.pdf import FORMAT
from anonify.documents.pdf.picture import PdfPictures, open_pictures
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource

from .making import drawn, extract, page_stream, saved


def stamp(text: str = "APPROVED", size: tuple[int, int] = (400, 100)) -> Image.Image:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).text((10, 10), text, fill="black", font_size=60)
    return image


def reader(image: Image.Image) -> ImageReader:
    return ImageReader(image)


@contextmanager
def pictures_of(data: bytes) -> Iterator[PdfPictures]:
    with open_pictures(BytesSource(data)) as pictures:
        yield pictures


def boxes(data: bytes, page: int = 1) -> list[tuple[int, int, int, int]]:
    with pictures_of(data) as pictures:
        return [
            (round(part.box.x0), round(part.box.y0), round(part.box.x1), round(part.box.y1))
            for part in pictures.parts(page)
        ]


def test_a_picture_among_text_is_a_part_where_it_is_displayed() -> None:
    def draw(board: canvas.Canvas) -> None:
        board.drawString(72, 700, "a page of text with a stamp below")
        board.drawImage(reader(stamp()), 100, 200, 200, 50)

    source = drawn(draw)

    assert boxes(source) == [(100, 842 - 250, 300, 842 - 200)]
    assert extract(source)[1].pictures == (1,)


def test_a_page_of_text_has_none() -> None:
    source = drawn(lambda board: board.drawString(72, 700, "a page of text and nothing else"), pages=3)

    assert boxes(source) == []
    assert extract(source)[1].pictures == ()


def in_form(board: canvas.Canvas) -> None:
    board.beginForm("f")
    board.drawImage(reader(stamp()), 0, 0, 200, 50)
    board.endForm()
    board.translate(100, 200)
    board.rotate(90)
    board.doForm("f")


def inline(board: canvas.Canvas) -> None:
    board.drawInlineImage(stamp(), 50, 200, 50, 200)


def mask(board: canvas.Canvas) -> None:
    board.drawImage(reader(stamp().convert("1")), 50, 200, 50, 200)


@pytest.mark.parametrize("draw", [in_form, inline, mask])
def test_pictures_in_forms_inline_and_masks(draw: Callable[[canvas.Canvas], None]) -> None:
    assert boxes(drawn(draw)) == [(50, 842 - 400, 100, 842 - 200)]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_parts_follow_rotation_and_cropping(turn: int) -> None:
    image = stamp()
    source = drawn(lambda board: board.drawImage(reader(image), 100, 200, 200, 50))
    with pikepdf.open(io.BytesIO(source)) as pdf:
        pdf.pages[0].obj.CropBox = Array([50, 150, 500, 800])
        pdf.pages[0].obj.Rotate = turn
        source = saved(pdf)

    with pictures_of(source) as pictures:
        whole = pictures.picture(1, 2.0)
        part = pictures.parts(1)[0].box
        piece = pictures.picture(1, 2.0, part)

    expected = {0: (50, 550, 250, 600), 90: (50, 50, 100, 250), 180: (200, 50, 400, 100), 270: (550, 200, 600, 400)}
    assert (part.x0, part.y0, part.x1, part.y1) == pytest.approx(expected[turn], abs=0.1)
    place = (round(part.x0 * 2), round(part.y0 * 2))
    same = whole.crop((*place, place[0] + piece.width, place[1] + piece.height))
    difference = ImageChops.difference(same, piece)
    assert not any(difference.getchannel(0).histogram()[9:])


def test_strips_of_one_scan_are_one_part() -> None:
    image = stamp("ONE SCAN IN STRIPS", (2480, 3508))

    def draw(board: canvas.Canvas) -> None:
        for number in range(0, 3508, 16):
            strip = image.crop((0, number, 2480, min(number + 16, 3508)))
            height = strip.height * 842 / 3508
            board.drawImage(reader(strip), 0, 842 - number * 842 / 3508 - height, 595, height)

    assert boxes(drawn(draw)) == [(0, 0, 595, 842)]


def test_what_lies_beside_the_page_or_is_too_small_is_none() -> None:
    def draw(board: canvas.Canvas) -> None:
        board.drawImage(reader(stamp("b")), 700, 200, 200, 50)
        board.drawImage(reader(stamp("s")), 100, 200, 20, 5)
        board.drawImage(reader(stamp("d", (4, 1))), 100, 400, 400, 100)
        board.drawImage(reader(stamp("cut")), 500, 700, 200, 50)

    assert boxes(drawn(draw)) == [(500, 842 - 750, 595, 842 - 700)]


def test_the_same_picture_in_the_same_place_has_the_same_key() -> None:
    def draw(board: canvas.Canvas) -> None:
        for text in ("LOGO", "LOGO", "OTHER"):
            board.drawImage(reader(stamp(text)), 100, 200, 200, 50)
            board.showPage()

    with pictures_of(drawn(draw)) as pictures:
        keys = [pictures.parts(number)[0].key for number in (1, 2, 3)]

    assert keys[0] == keys[1] != keys[2]


def test_a_picture_drawn_through_another_mask_is_another_one() -> None:
    black = Image.new("RGB", (400, 100), "black")

    def draw(board: canvas.Canvas) -> None:
        for text in ("FIRST", "SECOND"):
            masked = black.convert("RGBA")
            masked.putalpha(ImageChops.invert(stamp(text).convert("L")))
            board.drawImage(reader(masked), 100, 200, 200, 50, mask="auto")
            board.showPage()

    with pictures_of(drawn(draw)) as pictures:
        assert pictures.parts(1)[0].key != pictures.parts(2)[0].key


def test_what_a_pattern_draws_is_a_part() -> None:
    with pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 700, "text enough on this page")))) as pdf:
        page_stream(pdf, b"/Pattern cs /P1 scn 100 100 200 80 re f")
        resources = pdf.pages[0].Resources
        pattern = Stream(pdf, b"BT /F1 12 Tf 5 5 Td (Marja) Tj ET")
        pattern.PatternType, pattern.PaintType, pattern.TilingType = 1, 1, 1
        pattern.BBox, pattern.XStep, pattern.YStep = Array([0, 0, 100, 40]), 100, 40
        pattern.Resources = Dictionary(Font=resources.Font)
        resources.Pattern = Dictionary(P1=pdf.make_indirect(pattern))
        source = saved(pdf)

    assert boxes(source) == [(100, 842 - 180, 300, 842 - 100)]
    assert extract(source)[1].pictures == (1,)


@pytest.mark.parametrize("kind", ["/Stamp", "/Widget"])
def test_the_picture_of_an_annotation_is_a_part(kind: str) -> None:
    holder = drawn(lambda board: board.drawImage(reader(stamp()), 0, 0, 200, 50))
    with (
        pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 700, "text enough on this page")))) as pdf,
        pikepdf.open(io.BytesIO(holder)) as other,
    ):
        look = Stream(pdf, other.pages[0].Contents.read_bytes())
        look.Type, look.Subtype, look.BBox = Name.XObject, Name.Form, Array([0, 0, 200, 50])
        look.Resources = pdf.copy_foreign(other.make_indirect(other.pages[0].Resources))
        pdf.pages[0].Annots = Array(
            [
                pdf.make_indirect(
                    Dictionary(
                        Type=Name.Annot,
                        Subtype=Name(kind),
                        F=4,
                        Rect=Array([100, 200, 300, 250]),
                        AP=Dictionary(N=pdf.make_indirect(look)),
                    )
                )
            ]
        )
        source = saved(pdf)

    assert boxes(source) == [(100, 842 - 250, 300, 842 - 200)]
    assert extract(source)[1].pictures == (1,)


def test_fonts_are_known_by_what_they_say() -> None:
    def draw(board: canvas.Canvas) -> None:
        for font in ("Helvetica", "Helvetica", "Courier"):
            board.setFont(font, 12)
            board.drawString(72, 700, "set in one font")
            board.showPage()

    with pictures_of(drawn(draw)) as pictures:
        first, second, third = (pictures.explained(number) for number in (1, 2, 3))

    assert first == second
    assert len(first.fonts) == len(third.fonts) == 1
    assert first.fonts != third.fonts
    assert (first.pictures, first.drawings, first.unknown) == (False, False, False)


def test_a_font_that_says_other_characters_is_another_font() -> None:
    def with_map(letter: bytes) -> bytes:
        with pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 700, "AAAA")))) as pdf:
            for font in pdf.pages[0].Resources.Font.values():
                mapping = b"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <%s> endbfchar"
                font.ToUnicode = pdf.make_indirect(Stream(pdf, mapping % letter))
            return saved(pdf)

    seen = []
    for letter in (b"0041", b"0042"):
        with pictures_of(with_map(letter)) as pictures:
            seen.append(pictures.explained(1).fonts)
    assert seen[0] != seen[1]


def test_an_invisible_layer_over_a_scan_is_a_picture() -> None:
    def draw(board: canvas.Canvas) -> None:
        board.drawImage(reader(stamp("SCAN", (1240, 1754))), 0, 0, 595, 842)
        text = board.beginText(72, 700)
        text.setTextRenderMode(3)
        text.textLine("an invisible layer of text over the scan")
        board.drawText(text)

    source = drawn(draw)
    with pictures_of(source) as pictures:
        explained = pictures.explained(1)

    assert explained.pictures
    assert explained.fonts == frozenset()
    assert extract(source)[1].pictures == (1,)
    assert not extract(source)[0][0].needs_ocr


def test_letters_drawn_as_curves_are_drawings() -> None:
    def draw(board: canvas.Canvas) -> None:
        for number in range(20):
            board.circle(100 + 12 * number, 300, 4)

    def table(board: canvas.Canvas) -> None:
        for number in range(40):
            board.line(72, 100 + 10 * number, 500, 100 + 10 * number)
            board.rect(72, 100 + 10 * number, 300, 10)

    with pictures_of(drawn(draw)) as pictures:
        assert pictures.explained(1).drawings
    with pictures_of(drawn(table)) as pictures:
        assert not pictures.explained(1).drawings


def test_a_type3_font_and_private_characters_are_told() -> None:
    with pikepdf.open(io.BytesIO(drawn(lambda board: None))) as pdf:
        page_stream(pdf, b"BT /T3 12 Tf 72 700 Td (a) Tj ET")
        glyph = Stream(pdf, b"1000 0 0 0 750 750 d1 0 0 750 750 re f")
        pdf.pages[0].Resources.Font["/T3"] = Dictionary(
            Type=Name.Font,
            Subtype=Name.Type3,
            FontBBox=Array([0, 0, 750, 750]),
            FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
            CharProcs=Dictionary(g=pdf.make_indirect(glyph)),
            Encoding=Dictionary(Type=Name.Encoding, Differences=Array([97, Name("/g")])),
            FirstChar=97,
            LastChar=97,
            Widths=Array([1000]),
        )
        source = saved(pdf)

    with pictures_of(source) as pictures:
        explained = pictures.explained(1)
    assert explained.drawings
    assert explained.unknown


def test_a_page_that_is_not_there_is_malformed() -> None:
    with pictures_of(drawn(lambda board: None)) as pictures:
        for page in (0, 2):
            with pytest.raises(FatalError) as caught:
                pictures.picture(page, 1.0)
            assert caught.value.code is Code.MALFORMED
        with pytest.raises(FatalError):
            pictures.picture(1, 1.0, Box(2000, 2000, 2100, 2100))


def test_the_format_offers_them() -> None:
    assert FORMAT.pictures is not None
    with FORMAT.pictures(BytesSource(drawn(lambda board: None))) as pictures:
        assert pictures.scale_of(144) == 2.0
        assert pictures.picture(1, 2.0).size == (1190, 1684)


def across(board: canvas.Canvas) -> None:
    board.drawString(72, 700, "A line of text that runs across the stamp from end to end")


def across_in_form(board: canvas.Canvas) -> None:
    board.beginForm("text")
    across(board)
    board.endForm()
    board.doForm("text")


def unseen(board: canvas.Canvas) -> None:
    text = board.beginText(72, 700)
    text.setTextRenderMode(3)
    text.textOut("A hidden layer over the stamp")
    board.drawText(text)


def elsewhere(board: canvas.Canvas) -> None:
    board.drawString(72, 500, "A line of text far from the stamp")


@pytest.mark.parametrize(
    ("text", "crosses"), [(across, True), (across_in_form, True), (unseen, False), (elsewhere, False)]
)
@pytest.mark.parametrize("first", [True, False])
def test_a_picture_is_drawn_without_the_text_across_it(
    text: Callable[[canvas.Canvas], None], crosses: bool, first: bool
) -> None:
    letters = stamp().convert("L").point([255] * 128 + [0] * 128)
    clear = Image.merge("LA", (Image.new("L", letters.size, 0), letters))  # black letters, and nothing between them

    def alone(board: canvas.Canvas) -> None:
        board.drawImage(reader(clear.convert("RGBA")), 100, 680, 200, 50, mask="auto")

    def both(board: canvas.Canvas) -> None:
        for draw in (text, alone) if first else (alone, text):
            draw(board)

    box = Box(95, 842 - 735, 305, 842 - 675)
    with pictures_of(drawn(both)) as pictures, pictures_of(drawn(alone)) as wanted:
        bare = pictures.bare(1, 2.0, box)
        assert (bare is not None) is crosses
        assert wanted.bare(1, 2.0, box) is None
        shown = wanted.picture(1, 2.0, box)
        if bare is not None:
            assert ImageChops.difference(bare, shown).getbbox() is None
        again = pictures.picture(1, 2.0, box)
        assert (ImageChops.difference(again, shown).getbbox() is not None) is crosses, "the text is back afterwards"
