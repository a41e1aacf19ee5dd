"""Drawing what is to be read, for readers beyond the sandbox."""

from __future__ import annotations

import io as bytes_io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from anonify.documents import ModelReader, Page, Pictures, pictures_of
from anonify.errors import AnonifyError
from anonify.sandbox.task import Task, TaskIO

from .faults import is_of_page
from .model import OcrOptions, RecogniseArgs

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["DRAW_PICTURES", "Drawn", "name_of"]

MOST_PIXELS: Final = 12_000_000
"""Pixels of a picture that is sent; a larger one is sent smaller.  Places come from the recogniser's own picture."""


class Drawn(msgspec.Struct, frozen=True):
    """Name (:func:`name_of`) and length in bytes of every picture written."""

    names: tuple[str, ...]
    lengths: tuple[int, ...]


def name_of(page: int, key: str | None = None) -> str:
    """What a reading is kept under: a whole page, or the picture `key` that lies on it and perhaps on others."""
    return f"page {page}" if key is None else f"part {key}"


def run_draw(args: RecogniseArgs, io: TaskIO) -> Drawn:
    """Task body of :data:`DRAW_PICTURES`: what would be recognised goes to the sink `pictures`, one PNG after another.

    A page that cannot be drawn is left out.

    Raises:
        FatalError: `malformed`.
    """
    model = ModelReader(io.sources["model"], args.lengths)
    drawn: dict[str, int] = {}
    with pictures_of(args.kind, io.sources["source"], model) as pictures:
        for number in args.pages:
            try:
                for name, image in _images(pictures, model.page(number), args.options):
                    if name not in drawn:
                        data = _png(image)
                        io.sinks["pictures"].write(data)
                        drawn[name] = len(data)
            except AnonifyError as error:
                if not is_of_page(error):
                    raise
    return Drawn(tuple(drawn), tuple(drawn.values()))


def _images(pictures: Pictures, page: Page, options: OcrOptions) -> Iterator[tuple[str, Image]]:
    scale = pictures.scale_of(options.dpi)
    if page.picture and not options.pictures:
        return
    if page.needs_ocr:
        yield name_of(page.number), pictures.picture(page.number, scale)
    elif options.pictures:
        for part in pictures.parts(page.number):
            yield name_of(page.number, part.key), pictures.picture(page.number, scale, part.box)


def _png(image: Image) -> bytes:
    pixels = image.width * image.height
    if pixels > MOST_PIXELS:
        factor = (MOST_PIXELS / pixels) ** 0.5
        image = image.resize((max(1, int(image.width * factor)), max(1, int(image.height * factor))))
    out = bytes_io.BytesIO()
    image.save(out, "PNG", compress_level=3)
    return out.getvalue()


DRAW_PICTURES: Final = Task("anonify.ocr.render:run_draw", RecogniseArgs, Drawn)
