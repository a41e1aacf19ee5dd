"""How much of a file is read for one page, and what a damaged file gives."""

from __future__ import annotations

import io
from random import Random

import pikepdf
import pytest
from PIL import Image
from reportlab.pdfgen import canvas

from anonify.documents.format import RenderOptions
from anonify.documents.model import ModelReader
from anonify.documents.pdf import FORMAT
from anonify.documents.pdf.picture import open_pictures
from anonify.documents.tasks import EXTRACT, RENDER, ExtractArgs, RenderArgs
from anonify.sandbox import Pool
from anonify.sandbox.source import BytesSource, MemorySink

from .making import drawn


class Counting(BytesSource):
    """Counts the bytes it hands out."""

    count = 0

    def read(self, offset: int, length: int) -> bytes:
        data = super().read(offset, length)
        self.count += len(data)
        return data


def filed(pages: int) -> bytes:
    """A file of so many pages of about 2,500 characters that hardly compress."""
    random = Random(7)

    def draw(board: canvas.Canvas) -> None:
        for page in range(pages):
            board.drawString(72, 740, f"page {page}")
            for line in range(30):
                board.drawString(72, 700 - 20 * line, random.randbytes(40).hex())
            board.showPage()

    return drawn(draw)


@pytest.fixture(scope="module")
def long_file() -> bytes:
    return filed(1000)


@pytest.mark.parametrize("form", ["classic", "object streams"])
def test_one_page_of_a_long_file_reads_a_fraction_of_it(long_file: bytes, form: str) -> None:
    data = long_file
    if form == "object streams":
        with pikepdf.open(io.BytesIO(data)) as pdf:
            buffer = io.BytesIO()
            pdf.save(buffer, object_stream_mode=pikepdf.ObjectStreamMode.generate)
            data = buffer.getvalue()
    for page in (1, 500, 1000):
        source = Counting(data)
        FORMAT.render(source, page, RenderOptions(scale=1.0))  # type: ignore[misc]  # there is one
        assert source.count < len(data) / 3, page

    source = Counting(data)
    with open_pictures(source) as pictures:
        pictures.parts(2)
        pictures.picture(2, 1.0)
    assert source.count < len(data) / 10


def test_one_page_asks_little_across_the_sandbox(long_file: bytes) -> None:
    source, sink = Counting(long_file), MemorySink()
    with Pool(1) as pool:
        pool.run(RENDER, RenderArgs("pdf", 500), sources={"source": source}, sinks={"image": sink})
    assert Image.open(io.BytesIO(sink.getvalue())).size == (1190, 1684)
    assert source.count < len(long_file) / 3


def test_reading_all_of_it_does_not_read_it_over_and_over() -> None:
    data = filed(200)
    source, sink = Counting(data), MemorySink()
    with Pool(1) as pool:
        done = pool.run(EXTRACT, ExtractArgs("pdf"), sources={"source": source}, sinks={"model": sink})
    assert source.count < 6 * len(data)
    model = ModelReader(BytesSource(sink.getvalue()), done.lengths)
    assert model.page(200).text.startswith("page 199\n")


def test_a_page_without_colour_is_drawn_in_grey() -> None:
    def coloured(board: canvas.Canvas) -> None:
        board.drawString(72, 700, "black")
        board.showPage()
        board.setFillColorRGB(1, 0, 0)
        board.rect(72, 100, 100, 100, fill=1)

    source = BytesSource(drawn(coloured))
    modes = [
        Image.open(io.BytesIO(FORMAT.render(source, page, RenderOptions()))).mode  # type: ignore[misc]  # there is one
        for page in (1, 2)
    ]
    assert modes == ["L", "RGB"]
