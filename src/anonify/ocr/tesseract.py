"""Tesseract, given a picture that it reads well: level, upright, dark on light, of a good size, without dust."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

from PIL import ImageChops, ImageFilter

from .boxed import read_boxed
from .engine import Engine, Layout, Orienter
from .ink import grown
from .large import LARGE, tiles
from .merge import enlarged, merged, quality
from .model import Word
from .rest import SecondLook, bold, is_uneven
from .skew import skew
from .view import View, is_dark, is_noisy, sharpened

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Tesseract"]

SECONDS: Final = 240.0
"""Longest time for one picture, all looks at it together."""

SMALL: Final = 17.0
"""Pixels of height below which most lines are too low to be read well: the picture is drawn larger."""

GOOD: Final = 28.0
"""Pixels of height that lines are brought to."""

TALL: Final = 56.0
"""Pixels of height above which even low lines lose nothing in a smaller picture, which is read faster."""

ENLARGE: Final = 4.0
"""At most so much larger is a picture drawn: more adds no detail."""

POOR: Final = 0.62
"""Mean confidence below which a reading is that of a page on its side or head."""

OBSCURE: Final = 0.15
"""Confidence below which a word without a letter or digit is a mark of dirt."""


class Tesseract:
    """Reads pictures of text.

    Args:
        languages: Tesseract's names, the likeliest first.

    Raises:
        FatalError: `configuration`, a language is missing.
    """

    def __init__(self, languages: tuple[str, ...]) -> None:
        self._engine = Engine(languages)
        self._orienter = Orienter()

    def recognise(self, image: Image, dpi: int) -> list[Word]:
        """See :class:`anonify.ocr.model.Recogniser`."""
        until = time.monotonic() + SECONDS
        view = View.of(image)
        try:
            if image.width * image.height <= LARGE:
                words = self._read(view, dpi, until)
            else:
                words = tiles(view, dpi, lambda part, resolution: self._read(part, resolution, until))
        finally:
            self._engine.clear()
        return [word for word in words if word.confidence >= OBSCURE or any(char.isalnum() for char in word.text)]

    def _read(self, view: View, dpi: float, until: float) -> list[Word]:
        """The words of `view`, in pixels of the picture it came from."""
        if is_dark(view.image):
            view = view.with_image(ImageChops.invert(view.image))
        noisy = is_noisy(view.image)
        if noisy:
            view = view.with_image(view.image.filter(ImageFilter.MedianFilter(3)))
        level, words = self._level(view, dpi, until, sharp=not noisy)
        if quality(words) < POOR:
            level, words = self._upright(view, (level, words), dpi, until, sharp=not noisy)
        if is_uneven(view.image):
            even = self._level(view.with_image(bold(view.image, noisy=noisy)), dpi, until, sharp=False)
            level, words = max((level, words), even, key=lambda reading: _sure(reading[1]))
        words = SecondLook(self._engine, dpi, until, noisy).read(level, words)
        return level.words(grown(level.image, words))

    def _strip(self, image: Image, dpi: float, until: float) -> list[Word]:
        """The words of a few lines with nothing around them."""
        self._engine.show(image, dpi, sparse=True)
        return self._engine.words(until - time.monotonic())

    def _level(self, view: View, dpi: float, until: float, *, sharp: bool) -> tuple[View, list[Word]]:
        """`view` straightened, sharp and in a good size, and its words in its pixels."""
        angle = skew(view.image)
        if angle:
            view = view.turned(angle)
        level = view.with_image(sharpened(view.image)) if sharp else view
        rest, boxed = read_boxed(level.image, lambda strip: self._strip(strip, dpi, until))
        if boxed:
            view = level = level.with_image(rest)
        self._engine.show(level.image, dpi)
        factor = _factor(self._engine.layout(), view.image)
        if factor != 1.0:
            level = view.scaled(factor)
            self._engine.show(level.image, dpi * factor)
        words = self._engine.words(until - time.monotonic())
        return level, merged(words, enlarged(boxed, factor)) if boxed else words

    def _upright(
        self, view: View, best: tuple[View, list[Word]], dpi: float, until: float, *, sharp: bool
    ) -> tuple[View, list[Word]]:
        """The best reading of `view` on one of its other sides, or the one at hand."""
        known = self._orienter.turns(view.image)
        for turns in (1, 2, 3) if known is None and _is_little(view) else (known,):
            if not turns:
                continue
            other = self._level(view.quarter_turned(turns), dpi, until, sharp=sharp)
            best = max(best, other, key=lambda reading: quality(reading[1]))
        return best


_LITTLE: Final = 1_000_000
"""Pixels up to which a picture may be read on all sides."""


def _sure(words: list[Word]) -> int:
    """Letters and digits of which one may be sure."""
    return sum(char.isalnum() for word in words if word.confidence >= POOR for char in word.text)


def _is_little(view: View) -> bool:
    return view.image.width * view.image.height <= _LITTLE


def _factor(layout: Layout, image: Image) -> float:
    """How much larger or smaller the picture is read best."""
    height, low = layout.height(0.5), layout.height(0.1)
    pixels = image.width * image.height
    if height < SMALL:
        wanted = GOOD / height if height else 2.0 if pixels < _LITTLE else 1.0
        return max(1.0, min(wanted, ENLARGE, math.sqrt(LARGE / pixels)))
    if low > TALL and pixels > _LITTLE:
        # Not to nothing: of a photo the layout often says that it is a single line.
        return max(GOOD / low, math.sqrt(_LITTLE / pixels))
    return 1.0
