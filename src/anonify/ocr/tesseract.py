"""Tesseract through its library binding, with the data that installs from the package index."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from anonify.errors import Code, FatalError, Transient

from .model import PixelBox, Word

if TYPE_CHECKING:
    from PIL.Image import Image

# Threads inside one recogniser gain nothing; pages side by side do.  Must be set before the library is loaded.
os.environ.setdefault("OMP_THREAD_LIMIT", "1")

__all__ = ["Tesseract", "data_folder"]

SECONDS: Final = 120
"""Longest time for one picture."""


def data_folder(languages: tuple[str, ...]) -> Path:
    """The folder with the data of all `languages`.

    Raises:
        FatalError: `configuration` when no folder has them all.
    """
    for folder in (Path(sys.prefix) / "share" / "tessdata", Path("/usr/share/tesseract-ocr/5/tessdata")):
        if all((folder / f"{language}.traineddata").is_file() for language in languages):
            return folder
    raise FatalError(Code.CONFIGURATION)


class Tesseract:
    """One loaded engine."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        import tesserocr

        self._library: Any = tesserocr
        folder = data_folder(languages)
        try:
            self._api = tesserocr.PyTessBaseAPI(
                path=str(folder), lang="+".join(languages), psm=tesserocr.PSM.AUTO, oem=tesserocr.OEM.LSTM_ONLY
            )
        except RuntimeError:
            raise FatalError(Code.CONFIGURATION) from None

    def recognise(self, image: Image, dpi: int) -> list[Word]:
        """See :class:`anonify.ocr.model.Recogniser`."""
        self._api.SetImage(image if image.mode in ("L", "RGB") else image.convert("RGB"))
        self._api.SetSourceResolution(dpi)
        try:
            if not self._api.Recognize(SECONDS * 1000):
                raise Transient(Code.TIMEOUT)
            return list(self._words())
        finally:
            self._api.Clear()

    def _words(self) -> Iterator[Word]:
        level = self._library.RIL
        line = -1
        symbols: list[tuple[str, PixelBox]] = []
        confidence, box = 0.0, (0, 0, 0, 0)
        iterator = self._api.GetIterator()
        if iterator is None:
            return
        for symbol in self._library.iterate_level(iterator, level.SYMBOL):
            if symbol.IsAtBeginningOf(level.WORD):
                if symbols:
                    yield _word(symbols, box, confidence, line)
                symbols = []
                if symbol.IsAtBeginningOf(level.TEXTLINE):
                    line += 1
                confidence, box = symbol.Confidence(level.WORD) / 100, symbol.BoundingBox(level.WORD) or (0, 0, 0, 0)
            text, place = symbol.GetUTF8Text(level.SYMBOL), symbol.BoundingBox(level.SYMBOL)
            if text and text.strip():
                symbols.append((text, place or box))
        if symbols:
            yield _word(symbols, box, confidence, line)


def _word(symbols: list[tuple[str, PixelBox]], box: PixelBox, confidence: float, line: int) -> Word:
    """A word of its symbols; a symbol of several code points gives its box to each."""
    text = "".join(symbol for symbol, _ in symbols)
    glyphs = tuple(place for symbol, place in symbols for _ in symbol)
    return Word(text, box, confidence, line, glyphs)
