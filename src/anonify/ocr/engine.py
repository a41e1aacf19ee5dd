"""The binding to Tesseract's library: one picture in, its lines or words out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from anonify.errors import Code, FatalError, Transient

from .languages import data_of, osd_folder
from .model import PixelBox, Word

if TYPE_CHECKING:
    from PIL.Image import Image

# Threads inside one recogniser gain nothing; pages side by side do.  Must be set before the library is loaded.
os.environ.setdefault("OMP_THREAD_LIMIT", "1")

__all__ = ["Engine", "Layout", "Orienter"]

_TO_STDERR: Final = {"debug_file": ""}
"""Its messages may hold text.  Standard error leads nowhere in a sandboxed child; the binding's own choice, the null
device, cannot be opened for writing there, and the library crashes on that."""

_USUAL: Final = 200
"""Resolution that is assumed where it does not matter, so that none is guessed."""

_NO_BOX: Final = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where lines of text seem to lie.

    Attributes:
        lines: their boxes in pixels.
        angle: by how much they rise to the right, in radians; what turns them level clockwise.
    """

    lines: tuple[PixelBox, ...]
    angle: float

    def height(self, share: float) -> float:
        """The height that `share` of the lines do not exceed; 0.0 without lines."""
        heights = sorted(box[3] - box[1] for box in self.lines)
        return float(heights[min(len(heights) - 1, int(share * len(heights)))]) if heights else 0.0


class Engine:
    """One loaded Tesseract.

    Args:
        languages: Tesseract's names, the likeliest first.

    Raises:
        FatalError: `configuration`, a language is missing or its data cannot be used.
    """

    def __init__(self, languages: tuple[str, ...]) -> None:
        import tesserocr

        self._library: Any = tesserocr
        tesserocr.set_leptonica_log_level(tesserocr.LeptLogLevel.NONE)  # it would write to standard error
        path, names = data_of(languages)
        try:
            self._api = tesserocr.PyTessBaseAPI(
                path=path, lang=names, psm=tesserocr.PSM.AUTO, oem=tesserocr.OEM.LSTM_ONLY, variables=_TO_STDERR
            )
        except RuntimeError:
            raise FatalError(Code.CONFIGURATION) from None
        if len(self._api.GetLoadedLanguages()) < len(languages):
            raise FatalError(Code.CONFIGURATION)

    def show(self, image: Image, dpi: float, *, sparse: bool = False) -> None:
        """Take up a grey picture.

        Args:
            dpi: its resolution, as far as known.
            sparse: look for single words anywhere instead of columns of lines.
        """
        self._api.SetPageSegMode(self._library.PSM.SPARSE_TEXT if sparse else self._library.PSM.AUTO)
        self._api.SetImageBytes(image.tobytes(), image.width, image.height, 1, image.width)
        self._api.SetSourceResolution(round(min(max(dpi, 70), 2400)))

    def layout(self) -> Layout:
        """The lines of the picture at hand.  Reading it afterwards does not look for them again."""
        iterator = self._api.AnalyseLayout()
        if iterator is None:
            return Layout((), 0.0)
        level = self._library.RIL.TEXTLINE
        boxes, angles = [], []
        for line in self._library.iterate_level(iterator, level):
            box = line.BoundingBox(level)
            if box is not None and box[2] > box[0] and box[3] > box[1]:
                boxes.append(box)
                angles.append(line.Orientation()[3])
        return Layout(tuple(boxes), median(angles) if angles else 0.0)

    def words(self, seconds: float) -> list[Word]:
        """The words of the picture at hand.

        Raises:
            Transient: `timeout`, it took more than `seconds`.
        """
        if seconds <= 0 or not self._api.Recognize(max(1, int(seconds * 1000))):
            raise Transient(Code.TIMEOUT)
        return list(self._words())

    def clear(self) -> None:
        """Forget the picture at hand."""
        self._api.Clear()

    def _words(self) -> Iterator[Word]:
        level = self._library.RIL
        line = -1
        symbols: list[tuple[str, PixelBox]] = []
        confidence, box = 0.0, _NO_BOX
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
                confidence, box = symbol.Confidence(level.WORD) / 100, symbol.BoundingBox(level.WORD) or _NO_BOX
            try:
                text = symbol.GetUTF8Text(level.SYMBOL)
            except RuntimeError:  # so the binding says that there is none
                continue
            if text.strip():
                symbols.append((text, symbol.BoundingBox(level.SYMBOL) or box))
        if symbols:
            yield _word(symbols, box, confidence, line)


def _word(symbols: Sequence[tuple[str, PixelBox]], box: PixelBox, confidence: float, line: int) -> Word:
    """A word of its symbols; a symbol of several code points gives its box to each."""
    text = "".join(symbol for symbol, _ in symbols)
    glyphs = tuple(place for symbol, place in symbols for _ in symbol)
    return Word(text, box, min(max(confidence, 0.0), 1.0), line, glyphs)


class Orienter:
    """Tells which way up a picture of text is; without its data it never knows."""

    def __init__(self) -> None:
        self._api: Any = None
        self._tried = False

    def turns(self, image: Image) -> int | None:
        """Quarter turns anticlockwise that bring a grey picture upright, or None when it does not say."""
        api = self._loaded()
        if api is None:
            return None
        try:
            api.SetImageBytes(image.tobytes(), image.width, image.height, 1, image.width)
            api.SetSourceResolution(_USUAL)
            found = api.DetectOrientationScript()
        except RuntimeError:
            return None
        finally:
            api.Clear()
        return (found["orient_deg"] // 90) % 4 if found else None

    def _loaded(self) -> Any:
        if not self._tried:
            self._tried = True
            import tesserocr

            folder = osd_folder()
            if folder is not None:
                try:
                    self._api = tesserocr.PyTessBaseAPI(
                        path=str(folder),
                        lang="osd",
                        psm=tesserocr.PSM.OSD_ONLY,
                        oem=tesserocr.OEM.TESSERACT_ONLY,
                        variables=_TO_STDERR,
                    )
                except RuntimeError:
                    self._api = None
        return self._api
