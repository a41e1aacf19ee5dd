"""Text on photos: uneven ground, grain, dark and light letters side by side."""

from __future__ import annotations

import functools
import random

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFont

from anonify.ocr.tesseract import Tesseract

TEXTS = (
    ("Katarzyna Nowakowska", (200, 200), 40, (20, 20, 20)),
    ("Benjamin Thornton", (900, 300), 44, (240, 240, 240)),
    ("+44 20 7946 0958", (300, 800), 60, (250, 240, 30)),
    ("k.nowak@example.org", (900, 1000), 30, (0, 0, 90)),
)


@functools.cache
def photo(grain: float) -> Image.Image:
    """Ground from dark to light, strewn with grain, and words all over it."""
    size = (1600, 1200)
    ground = Image.linear_gradient("L").resize(size).point([90 + value * 110 // 255 for value in range(256)])
    if grain:
        dice = random.Random(7)  # the same grain every time: one in many is read wrong by chance
        noise = bytes(min(255, max(0, round(dice.gauss(128, grain)))) for _ in range(size[0] * size[1]))
        ground = ImageChops.add(ground, Image.frombytes("L", size, noise), 1, -128)
    image = ground.convert("RGB")
    draw = ImageDraw.Draw(image)
    for text, place, height, fill in TEXTS:
        draw.text(place, text, font=ImageFont.load_default(height), fill=fill)
    return image


@pytest.mark.parametrize("grain", [0.0, 12.0])
def test_words_on_uneven_ground_are_read(grain: float) -> None:
    words = Tesseract(("eng",)).recognise(photo(grain), 200)
    read = " ".join(word.text for word in words)
    assert [text for text, *_ in TEXTS if text not in read] == []
