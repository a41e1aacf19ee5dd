"""A picture as it is best read, and the way back from its pixels to those of the picture given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageChops, ImageFilter, ImageStat

from .model import PixelBox, Word

__all__ = ["View", "ground", "is_dark", "is_noisy", "sharpened"]

Affine = tuple[float, float, float, float, float, float]
"""(a, b, c, d, e, f): a point (x, y) of the view is (a·x + b·y + c, d·x + e·y + f) of the picture."""

_SAME: Final[Affine] = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class View:
    """What is handed to a recogniser.

    Attributes:
        image: mode L.
        back: where its points lie in the picture given; edges of pixels, not their middles.
        width, height: of the picture given.
    """

    image: Image.Image
    back: Affine
    width: int
    height: int

    @classmethod
    def of(cls, image: Image.Image) -> View:
        """The whole of `image` in grey."""
        return cls(image if image.mode == "L" else image.convert("L"), _SAME, image.width, image.height)

    def with_image(self, image: Image.Image) -> View:
        """Other pixels at the same places."""
        return View(image, self.back, self.width, self.height)

    def cut(self, box: PixelBox) -> View:
        """The part under `box`."""
        return View(self.image.crop(box), _after(self.back, (1, 0, box[0], 0, 1, box[1])), self.width, self.height)

    def scaled(self, factor: float) -> View:
        """Drawn larger or smaller."""
        size = max(1, round(self.image.width * factor)), max(1, round(self.image.height * factor))
        step = (self.image.width / size[0], 0, 0, 0, self.image.height / size[1], 0)
        image = self.image.resize(size, Image.Resampling.BICUBIC if factor > 1 else Image.Resampling.LANCZOS)
        return View(image, _after(self.back, step), self.width, self.height)

    def quarter_turned(self, turns: int) -> View:
        """Turned by `turns` times 90 degrees, anticlockwise."""
        width, height = self.image.size
        turn, step = {
            1: (Image.Transpose.ROTATE_90, (0, -1, width, 1, 0, 0)),
            2: (Image.Transpose.ROTATE_180, (-1, 0, width, 0, -1, height)),
            3: (Image.Transpose.ROTATE_270, (0, 1, 0, -1, 0, height)),
        }[turns]
        return View(self.image.transpose(turn), _after(self.back, step), self.width, self.height)

    def turned(self, angle: float) -> View:
        """Turned anticlockwise by `angle` in radians, about its middle, on ground of its own brightness."""
        sine, cosine = math.sin(angle), math.cos(angle)
        width, height = self.image.size
        wide = math.ceil(abs(width * cosine) + abs(height * sine))
        high = math.ceil(abs(width * sine) + abs(height * cosine))
        x, y = wide / 2, high / 2
        step = (
            cosine, -sine, width / 2 - cosine * x + sine * y,
            sine, cosine, height / 2 - sine * x - cosine * y,
        )  # fmt: skip
        image = self.image.transform(
            (wide, high), Image.Transform.AFFINE, step, Image.Resampling.BICUBIC, fillcolor=ground(self.image)
        )
        return View(image, _after(self.back, step), self.width, self.height)

    def words(self, words: Sequence[Word]) -> list[Word]:
        """`words` of this view, placed in the picture given."""
        if self.back == _SAME:
            return list(words)
        return [
            Word(word.text, self._box(word.box), word.confidence, word.line, tuple(map(self._box, word.glyphs)))
            for word in words
        ]

    def _box(self, box: PixelBox) -> PixelBox:
        a, b, c, d, e, f = self.back
        points = [(a * x + b * y + c, d * x + e * y + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        return (
            max(0, math.floor(min(xs) + _HAIR)), max(0, math.floor(min(ys) + _HAIR)),
            min(self.width, math.ceil(max(xs) - _HAIR)), min(self.height, math.ceil(max(ys) - _HAIR)),
        )  # fmt: skip


_HAIR: Final = 1e-6
"""What arithmetic may add to a whole number of pixels."""


def _after(first: Affine, then: Affine) -> Affine:
    """The way through `then` and on through `first`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (a * g + b * j, a * h + b * k, a * i + b * m + c, d * g + e * j, d * h + e * k, d * i + e * m + f)


def ground(image: Image.Image) -> int:
    """The brightness of most of a grey picture."""
    histogram = image.histogram()
    return max(range(256), key=histogram.__getitem__)


_DARK: Final = 110
"""Median brightness below which a picture shows light text on dark ground."""


def is_dark(image: Image.Image) -> bool:
    """Whether most of a grey picture is dark."""
    return bool(ImageStat.Stat(_small(image)).median[0] < _DARK)


def _small(image: Image.Image) -> Image.Image:
    factor = max(1, min(image.width, image.height) // 256)
    return image.reduce(factor) if factor > 1 else image


_SHARPER: Final = ImageFilter.UnsharpMask(radius=2, percent=150, threshold=2)


def sharpened(image: Image.Image) -> Image.Image:
    """Edges steeper: soft scans and compressed ones read better so, and boxes reach further; sharp ones as well."""
    return image.filter(_SHARPER)


_SPIKE: Final = 48
"""How much darker or lighter than all around it a pixel of dust is."""

_DUST: Final = 0.002
"""Share of such pixels from which a picture is noisy.  A clean page has next to none."""

_SAMPLE: Final = 200
_SAMPLES: Final = 3


def is_noisy(image: Image.Image) -> bool:
    """Whether a grey picture is strewn with single dark or light pixels, each alone within two pixels around it.

    Nothing nearer tells grain from the strokes of small letters.
    """
    found = looked = 0
    for row in range(_SAMPLES):
        for column in range(_SAMPLES):
            x, y = (round((image.width - _SAMPLE) * column / 2), round((image.height - _SAMPLE) * row / 2))
            tile = image.crop((max(0, x), max(0, y), min(image.width, x + _SAMPLE), min(image.height, y + _SAMPLE)))
            if min(tile.size) < 5:
                return False
            for rank, sign in ((1, 1), (23, -1)):  # all but the darkest, all but the lightest of 25
                ranked = tile.filter(ImageFilter.RankFilter(5, rank))
                lone = ImageChops.subtract(ranked, tile) if sign > 0 else ImageChops.subtract(tile, ranked)
                found += sum(lone.histogram()[_SPIKE:])
            looked += tile.width * tile.height
    return found > _DUST * looked
