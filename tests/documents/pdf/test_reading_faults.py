"""What a damaged page does to its document, and words that are held but not shown."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from reportlab.pdfgen import canvas

from anonify.documents.pdf import FORMAT
from anonify.errors import Code, FatalError

from .making import SECRET, drawn, extract, page_stream, saved
from .test_reading_pictures import reader, stamp


def lines(board: canvas.Canvas) -> None:
    for number in range(50):
        board.drawString(72, 700 - 12 * number, f"Line {number} of the page, {number * 7919 % 1000}")


def packed(change: Callable[[bytes], bytes]) -> bytes:
    """A page whose packed content was changed."""
    with pikepdf.open(io.BytesIO(drawn(lines, pages=2))) as pdf:
        content = pdf.pages[0].obj.Contents
        content.write(change(zlib.compress(content.read_bytes())), filter=Name.FlateDecode)
        return saved(pdf)


def test_a_page_whose_content_is_damaged_fails_the_document() -> None:
    def damage(data: bytes) -> bytes:
        half = len(data) // 2
        return data[:half] + b"\xff\x00" * 6 + data[half + 12 :]

    with pytest.raises(FatalError) as caught:
        extract(packed(damage))
    assert caught.value.code is Code.MALFORMED


@pytest.mark.parametrize(
    "change", [lambda data: data[:-4], lambda data: data[:-4] + b"abcd", lambda data: data + b"\n"]
)
def test_a_wrong_checksum_is_no_damage(change: Callable[[bytes], bytes]) -> None:
    pages, _ = extract(packed(change))
    assert pages[0].text.startswith("Line 0 of the page")
    assert "Line 49" in pages[0].text


def test_a_page_that_is_really_empty_is_one() -> None:
    with pikepdf.open(io.BytesIO(drawn(lines, pages=2))) as pdf:
        del pdf.pages[0].obj["/Contents"]
        pages, extraction = extract(saved(pdf))
    assert [page.needs_ocr for page in pages] == [True, False]
    assert extraction.pages == 2


def hidden(data: bytes) -> dict[str, int]:
    return {item.kind: item.count for item in extract(data)[1].hidden}


def test_shown_words_are_not_counted_as_hidden() -> None:
    def draw(board: canvas.Canvas) -> None:
        board.setFillColorRGB(0, 0, 0.4)
        board.rect(50, 600, 400, 50, fill=1)
        board.setFillColorRGB(1, 1, 1)
        board.drawString(60, 620, "white on a dark band - and shown")

    assert "hidden-text" not in hidden(drawn(draw))
    assert "hidden-text" not in hidden(drawn(lines))


def white(board: canvas.Canvas) -> None:
    lines(board)
    board.setFillColorRGB(1, 1, 1)
    board.drawString(72, 740, SECRET)


def invisible(board: canvas.Canvas) -> None:
    lines(board)
    text = board.beginText(72, 740)
    text.setTextRenderMode(3)
    text.textLine(SECRET)
    board.drawText(text)


def beside(board: canvas.Canvas) -> None:
    lines(board)
    board.drawString(700, 740, SECRET)


@pytest.mark.parametrize("draw", [white, invisible, beside])
def test_words_that_are_not_shown_are_counted_and_offered(draw: Callable[[canvas.Canvas], None]) -> None:
    source = drawn(draw)
    assert hidden(source)["hidden-text"] == 2
    assert SECRET in extract(source)[0][0].text


def test_words_outside_the_crop_box_are_counted_and_offered() -> None:
    with pikepdf.open(io.BytesIO(drawn(lambda board: board.drawString(72, 20, SECRET)))) as pdf:
        page_stream(pdf, b"BT /F1 12 Tf 72 700 Td (Enough text on this page) Tj ET")
        pdf.pages[0].obj.CropBox = Array([50, 100, 500, 800])
        source = saved(pdf)
    assert hidden(source)["hidden-text"] == 2
    assert SECRET in extract(source)[0][0].text


def test_words_on_a_layer_switched_off_are_counted_and_offered() -> None:
    with pikepdf.open(io.BytesIO(drawn(lines))) as pdf:
        group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Layer")))
        pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=Dictionary(OFF=Array([group])))
        pdf.pages[0].Resources.Properties = Dictionary(MC0=group)
        page_stream(pdf, b"/OC /MC0 BDC BT /F1 12 Tf 72 740 Td (Marja Nordlund) Tj ET EMC")
        source = saved(pdf)
    assert hidden(source) == {"hidden-text": 2, "layers": 1, "metadata": hidden(source)["metadata"]}
    assert SECRET in extract(source)[0][0].text


@pytest.mark.parametrize("order", ["above", "beneath", "white"])
def test_a_layer_of_recognised_text_on_a_scan_is_not_hidden(order: str) -> None:
    def draw(board: canvas.Canvas) -> None:
        if order == "beneath":
            board.drawString(72, 700, "Words of a layer of recognised text")
        board.drawImage(reader(stamp("SCAN", (620, 877))), 0, 0, 595, 842)
        if order != "beneath":
            text = board.beginText(72, 700)
            text.setTextRenderMode(3 if order == "above" else 0)
            text.setFillColorRGB(1, 1, 1)
            text.textLine("Words of a layer of recognised text")
            board.drawText(text)

    source = drawn(draw)
    pages, extraction = extract(source)
    assert pages[0].text == "Words of a layer of recognised text"
    assert extraction.pictures == (1,)
    assert "hidden-text" not in hidden(source)


def test_named_places_are_counted() -> None:
    with pikepdf.open(io.BytesIO(drawn(lines))) as pdf:
        place = Array([pdf.pages[0].obj, Name.Fit])
        pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array([String("a"), place, String("b"), place])))
        pdf.Root.Dests = Dictionary(c=place)
        source = saved(pdf)
    assert hidden(source)["destinations"] == 3


def test_every_kind_reported_is_one_of_the_formats_words() -> None:
    assert {"hidden-text", "destinations"} <= FORMAT.words
