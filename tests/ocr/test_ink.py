"""Boxes of recognised words hold all of their ink, whatever the recogniser left out."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw, ImageFont

from anonify.ocr.ink import grown
from anonify.ocr.model import PixelBox, Word

TEXTS = ("As", "Katarzyna", "Nowakowska", "told")
LEFT, TOP = 40, 20


def _line(size: int, *, dark: bool = False, ruled: bool = False) -> tuple[Image.Image, list[Word]]:
    """A line of words, and boxes that fit each."""
    font = ImageFont.load_default(size)
    image = Image.new("L", (40 * size, 4 * size), 20 if dark else 240)
    draw = ImageDraw.Draw(image)
    words, at = [], float(LEFT)
    for text in TEXTS:
        draw.text((at, TOP), text, font=font, fill=230 if dark else 10)
        x0, y0, x1, y1 = map(round, draw.textbbox((at, TOP), text, font=font))
        words.append(Word(text, (x0, y0, x1, y1), 0.9, 0, _even((x0, y0, x1, y1), len(text))))
        at += draw.textlength(text + " ", font=font)
    if ruled:
        bottom = max(word.box[3] for word in words)
        draw.line((LEFT, bottom + 1, image.width, bottom + 1), fill=10, width=2)
    return image, words


def _even(box: PixelBox, count: int) -> tuple[PixelBox, ...]:
    x0, y0, x1, y1 = box
    step = (x1 - x0) / count
    return tuple((round(x0 + n * step), y0, round(x0 + (n + 1) * step), y1) for n in range(count))


def _inked(image: Image.Image, box: PixelBox, *, dark: bool) -> tuple[int, int]:
    """Where the ink in `box` begins and ends."""
    part = image.crop(box).point([255 if (value > 170 if dark else value < 90) else 0 for value in range(256)])
    found = part.getbbox()
    assert found is not None
    return box[0] + found[0], box[0] + found[2]


def _short(word: Word, first: int, last: int) -> Word:
    """`word` with a box that leaves out that many letters."""
    glyphs = word.glyphs[first : len(word.glyphs) - last]
    return Word(word.text, (glyphs[0][0], word.box[1], glyphs[-1][2], word.box[3]), 0.9, 0, word.glyphs)


@pytest.mark.parametrize("size", [16, 32, 60])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("first", "last"), [(1, 0), (0, 1), (1, 1)])
def test_a_box_that_leaves_out_a_letter_is_grown_over_it(size: int, dark: bool, first: int, last: int) -> None:
    image, words = _line(size, dark=dark)
    fitting = _inked(image, words[2].box, dark=dark)
    words[2] = _short(words[2], first, last)
    box = grown(image, words)[2].box
    assert box[0] <= fitting[0]
    assert box[2] >= fitting[1]
    assert words[1].box[2] < box[0] < box[2] < words[3].box[0], "but not into the words beside it"


@pytest.mark.parametrize("ruled", [False, True])
def test_fitting_boxes_stay_apart(ruled: bool) -> None:
    image, words = _line(32, ruled=ruled)
    for word, after in zip(words, grown(image, words), strict=True):
        assert word.box[0] - 3 <= after.box[0] <= word.box[0]
        assert word.box[2] <= after.box[2] <= word.box[2] + 3


def test_boxes_that_overlap_are_no_reason_to_fail() -> None:
    image, words = _line(32)
    inner = words[2].box
    words[1] = Word(words[1].text, (words[1].box[0], inner[1], inner[2] + 60, inner[3]), 0.9, 0)
    words[3] = Word(words[3].text, (inner[0] - 60, inner[1], words[3].box[2], inner[3]), 0.9, 0)
    assert [word.text for word in grown(image, words)] == list(TEXTS)
