"""Blurred and pixelated areas give nothing away, whatever stood under them."""

from __future__ import annotations

import random

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFont

from anonify.documents import Box, Edit, RedactionPlan, RegionEdit
from tests.documents.image.making import opened, redacted, saved

STYLES = ("blur", "pixelate")


def number(digits: str, size: int = 14) -> Image.Image:
    """A number as on a screenshot."""
    image = Image.new("RGB", (140, 40), "white")
    font = ImageFont.load_default(size)
    for place, digit in enumerate(digits):
        ImageDraw.Draw(image).text((20 + place * size * 0.62, 10), digit, fill="black", font=font)
    return image


def covered(digits: str, style: str, kind: str = "png", size: int = 14) -> bytes:
    plan = RedactionPlan(regions=(RegionEdit(1, Box(12, 4, 128, 36), style),))  # type: ignore[arg-type]  # literals
    artifact, _ = redacted(saved(number(digits, size), kind), kind, plan)
    return artifact


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("size", [14, 20])
@pytest.mark.parametrize("kind", ["png", "webp", "tiff"])
def test_every_candidate_gives_the_same_picture(style: str, size: int, kind: str) -> None:
    """The attack that computes mosaics back renders each candidate, covers it and takes the nearest.

    Here all are equally near: the truth ranks no better than chance.
    """
    dice = random.Random(4)
    truth = covered("4711", style, kind, size)
    for _ in range(12):
        candidate = "".join(dice.choice("0123456789") for _ in range(4))
        assert covered(candidate, style, kind, size) == truth


@pytest.mark.parametrize("style", STYLES)
def test_it_looks_like_a_mosaic_and_not_like_a_box(style: str) -> None:
    inside = opened(covered("4711", style)).crop((12, 4, 128, 36))
    colours = inside.getcolors(10_000) or []
    assert len(colours) > 4
    assert not any(inside.convert("L").histogram()[:101])


@pytest.mark.parametrize("style", STYLES)
def test_cells_grow_with_the_area(style: str) -> None:
    image = Image.new("RGB", (500, 500), (120, 160, 90))
    widths = []
    for side in (40, 400):
        plan = RedactionPlan(regions=(RegionEdit(1, Box(20, 20, 20 + side, 20 + side), style),))  # type: ignore[arg-type]  # literals
        artifact, _ = redacted(saved(image, "png"), "png", plan)
        inside = opened(artifact).crop((20, 20, 20 + side, 20 + side)).convert("L")
        row = inside.crop((0, side // 2, side, side // 2 + 1))
        shifted = ImageChops.offset(row, 1, 0)
        steps = sum(map(bool, ImageChops.difference(row, shifted).tobytes()))
        widths.append(side / max(1, steps))
    if style == "pixelate":
        assert widths[1] > 5 * widths[0]


@pytest.mark.parametrize("style", STYLES)
def test_text_is_always_solid(style: str) -> None:
    box = Box(12, 4, 128, 36)
    plan = RedactionPlan(
        edits=(Edit("page#1o0", 0, 4, "x", 1, (box,)),),
        regions=(RegionEdit(1, box, style),),  # type: ignore[arg-type]  # literals
    )
    artifact, _ = redacted(saved(number("4711"), "png"), "png", plan)
    assert opened(artifact).crop((12, 4, 128, 36)).getextrema() == ((0, 0),) * 3


@pytest.mark.parametrize("mode", ["1", "P", "L", "CMYK"])
def test_modes_without_shades_get_a_box_or_shades(mode: str) -> None:
    image = number("4711").convert(mode)
    kind = "tiff"
    plan = RedactionPlan(regions=(RegionEdit(1, Box(12, 4, 128, 36), "pixelate"),))
    artifact, _ = redacted(saved(image, kind), kind, plan)
    other, _ = redacted(saved(number("8806").convert(mode), kind), kind, plan)
    assert opened(artifact).convert("RGB").tobytes() == opened(other).convert("RGB").tobytes()
