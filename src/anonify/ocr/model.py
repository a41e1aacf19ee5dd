"""What a recogniser takes and gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["OcrOptions", "PixelBox", "RecogniseArgs", "Recogniser", "Word"]

PixelBox = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the picture, origin at the top left."""


class OcrOptions(msgspec.Struct, frozen=True):
    """How pictures are read.

    Attributes:
        engine: name of the recogniser in the registry.
        languages: Tesseract's names (`eng`, `deu`, …), the likeliest first.
        dpi: resolution pages are drawn at for reading.
        pictures: whether pictures among the text of a page are read too.
        provider: who reads the text beside the engine, and with which model; empty for nobody.  What was read
            with another one is not taken up again.
        reread: which redacted pages are read again: those whose text does not explain all of their ink, or all.
    """

    engine: str = "tesseract"
    languages: tuple[str, ...] = ("eng",)
    dpi: int = 200
    pictures: bool = True
    reread: Literal["auto", "all"] = "auto"
    provider: str = ""


class RecogniseArgs(msgspec.Struct, frozen=True):
    """Read the pictures of some pages of `source`; the pages with their words go to the sink `pages`, one after
    another.  Where the source `readings` is given, it holds what another reader reads in them, as JSON by
    :func:`anonify.ocr.render.name_of`.

    Attributes:
        kind: the document's format.
        pages: which pages, ascending.
        lengths: length in bytes of every page of the source `model`.
    """

    kind: str
    pages: tuple[int, ...]
    lengths: tuple[int, ...]
    options: OcrOptions = OcrOptions()


class Word(msgspec.Struct, frozen=True, array_like=True):
    """A word as it stands in a picture.

    Attributes:
        text: its characters, in reading order, without white space.
        box: where it stands.
        confidence: 0 to 1.
        line: number of its line in reading order, from 0; words of one line follow one another.
        glyphs: one box a code point, or empty when unknown.
    """

    text: str
    box: PixelBox
    confidence: float
    line: int
    glyphs: tuple[PixelBox, ...] = ()


class Recogniser(Protocol):
    """Reads the words of a picture.  Not safe to share between threads."""

    def recognise(self, image: Image, dpi: int) -> list[Word]:
        """The words of `image` (mode L or RGB, upright or not) in reading order.

        Args:
            dpi: its resolution, as far as known.

        Raises:
            Transient: `timeout`, it took too long.
            FatalError: `configuration`, the engine or a language is not installed.
        """
        ...
