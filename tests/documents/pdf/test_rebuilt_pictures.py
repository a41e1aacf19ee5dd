"""A rebuilt page's picture: encoded by what it shows, a scan in its own pixels, labels legible or absent."""

from __future__ import annotations

import io
import math
from collections.abc import Callable

import pikepdf
import pypdfium2 as pdfium
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageStat
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from anonify.documents.model import Box
from anonify.documents.plan import Edit, RedactionPlan, RegionEdit, SweepValue
from tests.shared import SHARED

from .making import KEPT, SECRET, drawn, gate, holds, page_stream, pdftotext, plan_for, redact, saved

WORDS = ["ba", "cora", "dimer", "fegu", "lanor", "merpis", "torven", "quarit", "solump"]


def dense(board: canvas.Canvas, font: str = "Helvetica") -> None:
    """A page full of ten point print, with the secret in its ninth line."""
    board.setFont(font, 10)
    seed = 7
    for row in range(63):
        line: list[str] = []
        while board.stringWidth(" ".join(line), font, 10) < 480:
            seed = (seed * 1103515245 + 12345) % 2**31
            line.append(WORDS[seed // 65536 % len(WORDS)] + WORDS[seed // 131072 % len(WORDS)])
        if row == 8:
            line[2:4] = SECRET.split()
        board.drawString(50, 800 - 12 * row, " ".join(line))


def shown(data: bytes, dpi: float = 150, page: int = 0) -> Image.Image:
    document = pdfium.PdfDocument(data)
    try:
        picture: Image.Image = document[page].render(scale=dpi / 72).to_pil()
        return picture.convert("RGB")
    finally:
        document.close()


def psnr(one: Image.Image, other: Image.Image) -> float:
    """Peak signal to noise ratio in dB; infinite for pictures that are the same."""
    squares = sum(ImageStat.Stat(ImageChops.difference(one, other)).sum2)
    mean = squares / (3 * one.width * one.height)
    return 10 * math.log10(255**2 / mean) if mean else math.inf


def pictures(data: bytes, page: int = 0) -> list[pikepdf.Object]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [
            Dictionary(
                {key: image[key] for key in ("/Width", "/Height", "/BitsPerComponent", "/Filter", "/ColorSpace")}
            )
            for _, image in sorted(pdf.pages[page].Resources.XObject.items())
        ]


def stored(data: bytes, page: int = 0) -> Image.Image:
    """The page's picture as it is stored, its pieces put together: viewers scale it as they like."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        names = pdf.pages[page].Resources.XObject
        width = float(pdf.pages[page].MediaBox[2])
        height = float(pdf.pages[page].MediaBox[3])
        whole: Image.Image | None = None
        matrix: list[float] = []
        for instruction in pikepdf.parse_content_stream(pdf.pages[page]):
            if str(instruction.operator) == "cm":
                matrix = [float(operand) for operand in instruction.operands]
            elif str(instruction.operator) == "Do":
                piece = names[str(instruction.operands[0])]
                assert isinstance(piece, pikepdf.Stream)
                image = pikepdf.PdfImage(piece).as_pil_image().convert("RGB")
                if whole is None:
                    whole = image
                    continue
                left, top = matrix[4] / width * whole.width, (height - matrix[5] - matrix[3]) / height * whole.height
                whole.paste(image, (round(left), round(top)))
    assert whole is not None
    return whole


def pixel(data: bytes, x: float, y: float) -> tuple[int, int, int]:
    """The colour at a displayed point."""
    image = shown(data)
    return image.getpixel((round(x * 150 / 72), round(y * 150 / 72)))  # type: ignore[return-value]  # mode RGB


@pytest.mark.parametrize("font", ["Helvetica", "Times-Roman", "Courier"])
def test_a_page_full_of_text_stays_small_and_looks_the_same(font: str) -> None:
    source = drawn(lambda board: dense(board, font))

    artifact, result = redact(source, plan_for(SECRET))

    assert result.rebuilt_pages == (1,)
    assert len(artifact) <= 160_000
    [picture] = pictures(artifact)
    assert int(picture.BitsPerComponent) == 4
    before, after = shown(source), stored(artifact)
    band = (0, 400, before.width, before.height)
    assert psnr(before.crop(band), after.crop(band)) >= 34


@pytest.mark.skipif(SHARED is None, reason="the shared zoo is absent: set ANONIFY_SHARED to its folder")
def test_a_paper_in_two_columns_stays_small() -> None:
    assert SHARED is not None
    source = (SHARED / "zoo" / "pdf" / "pdf.js--tracemonkey.pdf").read_bytes()

    artifact, result = redact(source, plan_for("compiler", "traces"))

    assert len(result.rebuilt_pages) >= 10
    assert len(artifact) / len(result.rebuilt_pages) <= 160_000


def photograph(width: int, height: int, *, colour: bool = True) -> Image.Image:
    layers = [Image.effect_noise((width // 8, height // 8), 90 - 20 * n).resize((width, height)) for n in range(3)]
    return Image.merge("RGB", layers) if colour else layers[0].convert("RGB")


def test_a_photograph_is_a_jpeg_with_all_its_colours() -> None:
    def draw(board: canvas.Canvas) -> None:
        board.drawImage(ImageReader(photograph(900, 1200)), 0, 0, 595, 842)
        board.drawString(72, 700, SECRET)

    artifact, _ = redact(drawn(draw), plan_for(SECRET))

    [picture] = pictures(artifact)
    assert picture.Filter == Name.DCTDecode
    assert picture.ColorSpace == Name.DeviceRGB


def test_text_around_a_photograph_keeps_its_edges() -> None:
    def draw(board: canvas.Canvas) -> None:
        dense(board)
        board.drawImage(ImageReader(photograph(600, 500)), 150, 100, 300, 250)

    source = drawn(draw)

    artifact, _ = redact(source, plan_for(SECRET))

    text, photo = pictures(artifact)
    assert text.Filter == Name.FlateDecode
    assert photo.Filter == Name.DCTDecode
    before, after = shown(source), stored(artifact)
    band = (0, 380, before.width, before.height)
    assert psnr(before.crop(band), after.crop(band)) >= 34
    whole = io.BytesIO()
    before.save(whole, format="JPEG", quality=85, subsampling=0)
    assert len(artifact) < len(whole.getvalue())


def test_few_colours_are_a_palette() -> None:
    def draw(board: canvas.Canvas) -> None:
        for number, colour in enumerate([(0.9, 0.2, 0.1), (0.1, 0.5, 0.9), (0.2, 0.7, 0.3)]):
            board.setFillColorRGB(*colour)
            board.rect(60, 100 + 150 * number, 400, 100, stroke=0, fill=1)
        board.setFillColorRGB(0, 0, 0)
        board.drawString(72, 700, SECRET)

    source = drawn(draw)

    artifact, _ = redact(source, plan_for(SECRET))

    [picture] = pictures(artifact)
    assert picture.ColorSpace[0] == Name.Indexed
    before, after = shown(source), stored(artifact)
    band = (0, 400, before.width, before.height)
    assert psnr(before.crop(band), after.crop(band)) >= 40


def bilevel(width: int = 2480, height: int = 3508) -> Image.Image:
    """A scan at 300 dpi with both names in it, 1 bit a pixel."""
    image = Image.new("L", (width, height), 255)
    pen = ImageDraw.Draw(image)
    for number, text in enumerate((SECRET, KEPT)):
        pen.text((300, 400 + 300 * number), text, font=ImageFont.load_default(size=60), fill=0)
    for row in range(40):
        pen.text((300, 1000 + 50 * row), f"Line {row} of this scan: " + " ".join(WORDS), fill=0, font_size=34)
    return image.point([0] * 128 + [255] * 128).convert("1", dither=Image.Dither.NONE)


def scanned(image: Image.Image, layer: Callable[[canvas.Canvas], object], *, below: bool = False) -> bytes:
    def draw(board: canvas.Canvas) -> None:
        if below:
            layer(board)
        board.drawImage(ImageReader(image), 0, 0, 595.2, 841.92)
        if not below:
            layer(board)

    source = drawn(draw, size=(595.2, 841.92))
    with pikepdf.open(io.BytesIO(source)) as pdf:
        [picture] = pdf.pages[0].Resources.XObject.values()
        inverted = image.convert("L").point([255] * 128 + [0] * 128).convert("1", dither=Image.Dither.NONE)
        buffer = io.BytesIO()
        inverted.save(buffer, format="TIFF", compression="group4", tiffinfo={278: image.height})
        strip = Image.open(buffer)
        start, length = strip.tag_v2[273][0], strip.tag_v2[279][0]  # type: ignore[attr-defined]  # a TIFF has tags
        picture.write(
            buffer.getvalue()[start : start + length],
            filter=Name.CCITTFaxDecode,
            decode_parms=Dictionary(
                K=-1,
                Columns=image.width,
                Rows=image.height,
                BlackIs1=strip.tag_v2[262] != 0,  # type: ignore[attr-defined]  # a TIFF has tags
            ),
        )
        picture.ColorSpace = Name.DeviceGray
        picture.BitsPerComponent = 1
        picture.Decode = Array([1, 0])
        for key in ("/SMask", "/Mask"):
            if key in picture:
                del picture[key]
        return saved(pdf)


def words(mode: int, *, white: bool = False) -> Callable[[canvas.Canvas], object]:
    """The names as a text layer, where the scan shows them."""

    def write(board: canvas.Canvas) -> None:
        for number, text in enumerate((SECRET, KEPT)):
            ink = board.beginText(300 * 0.24, 841.92 - (455 + 300 * number) * 0.24)
            ink.setTextRenderMode(mode)
            ink.setFont("Helvetica", 14)
            if white:
                ink.setFillColorRGB(1, 1, 1)
            ink.textOut(text)
            board.drawText(ink)

    return write


LAYERS = {
    "invisible above": (words(3), False),
    "below": (words(0), True),
    "white": (words(0, white=True), False),
}


@pytest.mark.parametrize("layer", list(LAYERS))
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_scan_with_a_text_layer_loses_the_value_from_pixels_and_text(layer: str, turn: int) -> None:
    """B01: the layer above, below or white on white; the scan's other pixels stay as they were."""
    write, below = LAYERS[layer]
    source = scanned(bilevel(), write, below=below)
    with pikepdf.open(io.BytesIO(source)) as pdf:
        pdf.pages[0].Rotate = turn
        source = saved(pdf)
    assert holds(source, SECRET)
    plan = plan_for(SECRET)

    artifact, result = redact(source, plan)

    gate(source, artifact, plan)
    assert result.rebuilt_pages == (1,)
    assert holds(artifact, SECRET) == []
    assert KEPT in " ".join(pdftotext(artifact).split())
    before, after = (shown(data, 300).convert("L").rotate(turn, expand=True) for data in (source, artifact))
    assert before.size == after.size
    name = (300, 390, 750, 470)
    assert before.crop(name).getextrema() == (0, 255)
    assert after.crop((310, 410, 700, 450)).getextrema() == (0, 0)
    rest = (0, 600, before.width, before.height)
    apart = ImageStat.Stat(ImageChops.difference(before.crop(rest), after.crop(rest))).mean[0]
    [picture, *_] = pictures(artifact)
    # With visible text over it, be it white, the page is drawn anew.
    assert apart < (5 if layer == "white" else 1)
    if layer != "white":
        assert picture.Filter == Name.CCITTFaxDecode
        assert (int(picture.Width), int(picture.Height)) == (2480, 3508)
        assert len(artifact) < 1.5 * len(source)


def test_a_stencil_scan_is_painted_in_its_own_pixels() -> None:
    source = scanned(bilevel(), words(3))
    with pikepdf.open(io.BytesIO(source)) as pdf:
        [picture] = pdf.pages[0].Resources.XObject.values()
        del picture["/ColorSpace"]
        picture.ImageMask = True
        picture.Decode = Array([1, 0])
        source = saved(pdf)
    before = shown(source, 300).convert("L")
    assert before.getpixel((10, 10)) == 255

    artifact, _ = redact(source, plan_for(SECRET))

    after = shown(artifact, 300).convert("L")
    assert pictures(artifact)[0].Filter == Name.CCITTFaxDecode
    rest = (0, 600, before.width, before.height)
    assert ImageStat.Stat(ImageChops.difference(before.crop(rest), after.crop(rest))).mean[0] < 1
    assert after.crop((310, 410, 700, 450)).getextrema() == (0, 0)


def test_a_stamp_over_a_scan_is_not_lost() -> None:
    source = scanned(bilevel(), words(3))
    with pikepdf.open(io.BytesIO(source)) as pdf:
        page_stream(pdf, b"0.5 0.2 0.1 rg 300 300 100 60 re f BT /F1 20 Tf 300 400 Td (Received) Tj ET")
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    assert "Received" in pdftotext(artifact)
    red, green, blue = pixel(artifact, 350, 842 - 330)
    assert red > green > blue


def test_a_scan_in_greys_keeps_more_than_150_dpi() -> None:
    grey = bilevel().convert("L").resize((2480, 3508))
    noise = Image.effect_noise(grey.size, 40)
    grey = ImageChops.multiply(grey, noise.point([min(255, 140 + value // 2) for value in range(256)]))

    def draw(board: canvas.Canvas) -> None:
        board.drawImage(ImageReader(grey), 0, 0, 595.2, 841.92)
        words(3)(board)

    artifact, _ = redact(drawn(draw, size=(595.2, 841.92)), plan_for(SECRET))

    [picture] = pictures(artifact)
    assert int(picture.Width) >= 595.2 / 72 * 200 - 1
    assert len(artifact) < 1_200_000


def labelled(text: str, width: float = 200, size: float = 12, style: str = "solid") -> bytes:
    region = RegionEdit(1, Box(72, 100, 72 + width, 100 + size + 4), style, text)  # type: ignore[arg-type]  # a style
    plan = RedactionPlan(regions=(region,), draw_labels=True)
    return redact(drawn(lambda board: board.drawString(72, 300, "Something else")), plan)[0]


def test_a_label_is_drawn_where_it_fits_and_left_off_where_it_does_not() -> None:
    box = (round(73 * 150 / 72), round(101 * 150 / 72), round(90 * 150 / 72), round(110 * 150 / 72))
    wide = shown(labelled("[PERSON]", 60)).convert("L")
    assert wide.crop(box).getextrema() == (0, 255)
    for data in (labelled("[PERSON]", 12), labelled("山田太郎", 60)):
        image = shown(data).convert("L")
        assert image.crop((box[0], box[1], round(82 * 150 / 72), box[3])).getextrema() == (0, 0)
        assert "[PERSON]" in pdftotext(data) or "山田太郎" in pdftotext(data)


@pytest.mark.parametrize("height", [5.0, 7.2, 9.0, 12.0, 30.0])
@pytest.mark.parametrize("top", [100.0, 100.3, 611.28])
def test_a_label_as_high_as_the_words_it_stands_for_passes_the_gate(height: float, top: float) -> None:
    source = drawn(lambda board: board.drawString(72, 300, "Something else"))
    edit = Edit("page#1o1", 0, 5, "[OTHER]", 1, (Box(259.92, top, 335.52, top + height),))
    plan = RedactionPlan(edits=(edit,), draw_labels=True)
    gate(source, redact(source, plan)[0], plan)


def test_a_label_that_spells_a_value_is_not_drawn() -> None:
    plan = RedactionPlan(sweep=(SweepValue(SECRET, SECRET),), draw_labels=True)

    artifact, _ = redact(drawn(lambda board: board.drawString(72, 700, f"From {SECRET} today")), plan)

    assert holds(artifact, SECRET) == []
    assert len(pictures(artifact)) == 1


@pytest.mark.parametrize("style", ["blur", "pixelate"])
def test_text_is_never_blurred_but_painted(style: str) -> None:
    """B35: what is only softened can be computed back."""

    def draw(board: canvas.Canvas) -> None:
        board.drawString(72, 700, "4539 1488 0343 6467")

    region = RegionEdit(1, Box(70, 842 - 712, 200, 842 - 696), style)  # type: ignore[arg-type]  # a style
    artifact, _ = redact(drawn(draw), RedactionPlan(regions=(region,)))

    area = [round(edge * 150 / 72) for edge in (72, 842 - 710, 198, 842 - 698)]
    assert shown(artifact).convert("L").crop((area[0], area[1], area[2], area[3])).getextrema() == (0, 0)


@pytest.mark.parametrize("style", ["blur", "pixelate"])
def test_a_softened_picture_ranks_the_true_number_no_better_than_chance(style: str) -> None:
    """B35: rendering every candidate and softening it the same way does not find the one that was there."""

    def page(number: str) -> bytes:
        image = Image.new("RGB", (240, 60), "white")
        ImageDraw.Draw(image).text((12, 20), number, font_size=22, fill="black")

        def draw(board: canvas.Canvas) -> None:
            board.drawImage(ImageReader(image), 72, 700, 120, 30)

        return drawn(draw)

    region = RegionEdit(1, Box(72, 842 - 730, 192, 842 - 700), style)  # type: ignore[arg-type]  # a style
    plan = RedactionPlan(regions=(region,))
    softened = {number: shown(redact(page(number), plan)[0]) for number in ("17403", "88291", "30556", "64402")}
    target = softened["17403"]
    distances = {
        number: sum(ImageStat.Stat(ImageChops.difference(target, image)).sum) for number, image in softened.items()
    }
    # All candidates that are as light as the true one look exactly like it.
    assert sum(distance == distances["17403"] for distance in distances.values()) >= 2
