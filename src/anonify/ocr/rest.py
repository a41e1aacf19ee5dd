"""A second look at what a first reading left: ink where it found no word."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from .engine import Engine
from .merge import lines_of, merged, quality
from .model import Word
from .view import View

__all__ = ["SecondLook", "bold", "is_uneven"]

_SURE: Final = 0.5
"""Confidence from which a word of a second look counts: what is left are rules, logos and grain, too."""

_SURER: Final = 0.75
"""The same for text that runs up or down the page, where more is guessed."""

_UNREAD: Final = 6
"""Characters of a line that read badly from which turning the picture is tried."""

_COARSE: Final = 8
"""Pixels that are taken together where only the ground matters."""

_WIDE: Final = 7
"""Such pixels, across, in whose middle brightness a point's ground shows: letters are the lesser part of them."""

_GRAIN: Final = 14
"""Brightness by which even smooth paper differs from its surroundings."""

_SMOOTH: Final = 0.96
"""Share of a picture that is ground, most of its words painted over."""

_UNEVEN: Final = 24
"""Brightness between the darker and the lighter quarter of a ground from which it is a photo's, not paper's."""

_COARSEST: Final = 64
"""What is more than this is ink, however rough the paper is."""

_SHORT: Final = 2
"""Letters up to which a word must be surer: spots read as such."""

_LOWEST: Final = 6
"""Pixels of height below which ink is no line of text."""

_LOWER: Final = 0.45
"""Share of the height of the lines known that others must have: what is lower is grain, dots and rules."""

_AROUND: Final = 4
"""Pixels around ink that are looked at with it."""

_MARGIN: Final = 3
"""Pixels around a word that are painted over with it."""


@dataclass(frozen=True, slots=True)
class SecondLook:
    """How a picture is looked at again.

    Attributes:
        dpi: its resolution, as far as known.
        until: when it is to be over, on the monotonic clock.
        noisy: whether grain is to be expected.
    """

    engine: Engine
    dpi: float
    until: float
    noisy: bool

    def read(self, view: View, words: list[Word]) -> list[Word]:
        """`words` of `view` with those that only show once the others are painted over.

        Words far apart as in forms, faint ones beside black ones, light ones on dark, ones that run up or down.

        Raises:
            Transient: `timeout`.
        """
        lines = lines_of(words)
        kept = [line for line in lines if not _is_standing(line) or quality(line) >= _SURER]
        words = [word for line in kept for word in line]
        more = self._look(view, words)
        words = merged(words, [word for word in more if _counts(word, _SURE)])
        if any(_is_unread(line) for line in lines_of(more)) or len(kept) < len(lines):
            for turns in (1, 3):
                words = merged(words, self._sideways(View.of(_covered(view, words).image).quarter_turned(turns)))
        return words

    def _sideways(self, rest: View) -> list[Word]:
        """What reads well of a picture that was turned, in pixels of the one that was not."""
        lines = [line for line in lines_of(self._look(rest, [])) if sum(len(word.text) for word in line) >= _UNREAD]
        return rest.words([word for line in lines if quality(line) >= _SURER for word in line])

    def _look(self, view: View, words: Sequence[Word]) -> list[Word]:
        """The words of what remains of `view` without `words`; only what may be text is shown to the recogniser."""
        rest = bold(_covered(view, words).image, noisy=self.noisy)
        self.engine.show(rest, self.dpi, sparse=True)
        lowest = max(_LOWEST, _LOWER * _height(words))
        lines = self.engine.layout().lines
        boxes = [box for box in lines if box[3] - box[1] >= lowest and box[2] - box[0] >= _LOWEST]
        if not boxes:
            return []
        only = Image.new("L", rest.size, 255)
        for x0, y0, x1, y1 in boxes:
            left, top = max(0, x0 - _AROUND), max(0, y0 - _AROUND)
            part = rest.crop((left, top, min(rest.width, x1 + _AROUND), min(rest.height, y1 + _AROUND)))
            only.paste(part, (left, top))
        self.engine.show(only, self.dpi, sparse=True)
        return self.engine.words(self.until - time.monotonic())


def _is_unread(line: Sequence[Word]) -> bool:
    return sum(len(word.text) for word in line if not _counts(word, _SURE)) >= _UNREAD


def _is_standing(line: Sequence[Word]) -> bool:
    """Whether a line runs up or down the page."""
    width = max(word.box[2] for word in line) - min(word.box[0] for word in line)
    height = max(word.box[3] for word in line) - min(word.box[1] for word in line)
    return height > 2 * width and any(len(word.text) > 2 for word in line)


def bold(image: Image.Image, *, noisy: bool) -> Image.Image:
    """What differs from its surroundings as dark on white, faint or not, darker or lighter."""
    if noisy:
        image = image.filter(ImageFilter.MedianFilter(5))  # grain makes shapes as large as letters
    relief = _relief(image)
    grain = _grain(relief.histogram())
    if grain > _GRAIN:  # a photo's grain is finer than letters are
        relief = _relief(image.filter(ImageFilter.MedianFilter(3)))
        grain = _grain(relief.histogram())
    return relief.point([255 if value < grain else max(0, 255 - 4 * value) for value in range(256)])


def is_uneven(image: Image.Image) -> bool:
    """Whether most of a grey picture has no ground of one brightness."""
    histogram = _ground(image).histogram()
    total, seen, spread = sum(histogram), 0, 0
    for count in histogram:
        seen += count
        spread += total < 4 * seen < 3 * total
    return spread >= _UNEVEN


def _ground(image: Image.Image) -> Image.Image:
    """The brightness around each point, coarsely."""
    return image.reduce(_COARSE).filter(ImageFilter.MedianFilter(_WIDE))


def _relief(image: Image.Image) -> Image.Image:
    """By how much each point differs from the ground around it."""
    return ImageChops.difference(image, _ground(image).resize(image.size))


def _grain(histogram: Sequence[int]) -> int:
    """The least difference that is more than the picture's own roughness."""
    left = (1 - _SMOOTH) * sum(histogram)
    value = 255
    while value > _GRAIN and (left := left - histogram[value]) > 0:
        value -= 1
    return min(value, _COARSEST)


def _height(words: Sequence[Word]) -> float:
    """The height of most words; 0.0 without any."""
    return median(min(word.box[3] - word.box[1], word.box[2] - word.box[0]) for word in words) if words else 0.0


def _counts(word: Word, least: float) -> bool:
    letters = sum(char.isalnum() for char in word.text)
    return letters > 0 and word.confidence >= (least if letters > _SHORT else max(least, _SURER))


def _covered(view: View, words: Sequence[Word]) -> View:
    """`view` with `words` painted over in the brightness around each."""
    image = view.image.copy()
    draw = ImageDraw.Draw(image)
    for word in words:
        x0, y0, x1, y1 = word.box
        x0, y0 = max(0, x0 - _MARGIN), max(0, y0 - _MARGIN)
        x1, y1 = min(image.width - 1, x1 + _MARGIN), min(image.height - 1, y1 + _MARGIN)
        around = sorted(_shade(view.image, point) for point in ((x0, y0), (x1, y0), (x0, y1), (x1, y1)))
        draw.rectangle((x0, y0, x1, y1), fill=around[2])
    return view.with_image(image)


def _shade(image: Image.Image, point: tuple[int, int]) -> int:
    value = image.getpixel((min(max(point[0], 0), image.width - 1), min(max(point[1], 0), image.height - 1)))
    return int(value) if isinstance(value, (int, float)) else 255
