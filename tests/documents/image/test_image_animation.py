"""Animations: every frame, its time and its loops; what one frame hides no other one shows."""

from __future__ import annotations

from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat

from anonify.documents import Box, BytesSource, RedactionPlan, RegionEdit, by_kind
from anonify.documents.image.layout import layout_of
from tests.documents.image.making import extracted, opened, photo, redacted, saved

KINDS = ("gif", "png", "webp")
SECRET = Box(18, 18, 120, 42)


def frames(count: int = 5, *, clear: bool = False) -> list[Image.Image]:
    """A dot that wanders under words that stay."""
    made = []
    for number in range(count):
        image = photo().quantize(100).convert("RGBA")
        if clear:
            image.paste((0, 0, 0, 0), (100, 60, 160, 120))
        ImageDraw.Draw(image).ellipse((20 + number * 20, 80, 30 + number * 20, 90), fill=(255, 0, 0, 255))
        made.append(image)
    return made


def animated(kind: str, listed: list[Image.Image], **more: Any) -> bytes:
    options: dict[str, Any] = {"duration": [100 * (n + 1) for n in range(len(listed))], "loop": 3, **more}
    if kind == "webp":
        options |= {"lossless": True}
    if kind == "gif":
        options |= {"disposal": 2 if listed[0].getchannel("A").histogram()[0] else 1}
    return saved(listed[0], kind, save_all=True, append_images=listed[1:], **options)


def shown(data: bytes) -> list[tuple[Image.Image, float]]:
    image = opened(data)
    made = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        image.load()
        made.append((image.convert("RGBA"), float(image.info.get("duration", 0))))
    return made


@pytest.mark.parametrize("clear", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_frames_times_and_loops_stay(kind: str, clear: bool) -> None:
    data = animated(kind, frames(clear=clear))
    extraction, pages = extracted(data, kind)
    assert extraction.pages == extraction.units == len(pages) == 5
    artifact, _ = redacted(data, kind)
    before, after = shown(data), shown(artifact)
    assert [time for _, time in after] == [time for _, time in before] == [100, 200, 300, 400, 500]
    assert opened(artifact).info.get("loop") == opened(data).info.get("loop")
    for (one, _), (other, _) in zip(before, after, strict=True):
        alphas = ImageChops.difference(one.getchannel("A"), other.getchannel("A"))
        assert alphas.getbbox() is None
        ground = [Image.new("RGBA", one.size, "white") for _ in range(2)]
        ground[0].alpha_composite(one)
        ground[1].alpha_composite(other)
        difference = ImageChops.difference(*(image.convert("RGB") for image in ground))
        assert max(ImageStat.Stat(difference).mean) < 1.5


@pytest.mark.parametrize("kind", KINDS)
def test_what_other_frames_show_in_the_same_place_is_gone_there_too(kind: str) -> None:
    data = animated(kind, frames())
    for page in (1, 3):
        plan = RedactionPlan(regions=(RegionEdit(page, SECRET),))
        artifact, result = redacted(data, kind, plan)
        assert result.rebuilt_pages == (1, 2, 3, 4, 5)
        for image, _ in shown(artifact):
            assert image.convert("RGB").crop((18, 18, 120, 42)).getextrema() == ((0, 0),) * 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_place_that_shows_something_else_in_another_frame_stays(kind: str) -> None:
    listed = frames(3)
    ImageDraw.Draw(listed[1]).rectangle((10, 10, 130, 50), fill=(0, 200, 0, 255))
    data = animated(kind, listed)
    artifact, result = redacted(data, kind, RedactionPlan(regions=(RegionEdit(1, SECRET),)))
    assert result.rebuilt_pages == (1, 3)
    middle = shown(artifact)[1][0].getpixel((60, 30))
    assert middle == (0, 200, 0, 255)


@pytest.mark.parametrize("kind", KINDS)
def test_one_frame_alone_is_no_animation(kind: str) -> None:
    artifact, _ = redacted(saved(photo().quantize(64) if kind == "gif" else photo(), kind), kind)
    assert getattr(opened(artifact), "n_frames", 1) == 1


def test_a_png_whose_first_picture_is_no_frame_keeps_it() -> None:
    listed = frames(3)
    data = saved(listed[0], "png", save_all=True, append_images=listed[1:], default_image=True, duration=70, loop=1)
    artifact, _ = redacted(data, "png", RedactionPlan(regions=(RegionEdit(2, SECRET),)))
    after = opened(artifact)
    assert after.info.get("default_image")
    for image, _ in shown(artifact):
        assert image.convert("RGB").crop((18, 18, 120, 42)).getextrema() == ((0, 0),) * 3


def test_frames_that_overlap_in_the_file_do_not_in_the_copy() -> None:
    """A delta frame covers the value only in part; what it does not cover must not come back from the first frame."""
    listed = frames(2)
    ImageDraw.Draw(listed[1]).rectangle((60, 18, 120, 42), fill=(0, 0, 200, 255))
    for kind in KINDS:
        data = animated(kind, listed)
        plan = RedactionPlan(regions=(RegionEdit(1, SECRET), RegionEdit(2, Box(18, 18, 60, 42))))
        artifact, _ = redacted(data, kind, plan)
        second = shown(artifact)[1][0].convert("RGB")
        assert second.crop((18, 18, 60, 42)).getextrema() == ((0, 0),) * 3
        assert second.getpixel((90, 30)) == (0, 0, 200)


@pytest.mark.parametrize("kind", KINDS)
def test_frames_are_pictures_of_their_own(kind: str) -> None:
    data = animated(kind, frames())
    with by_kind(kind).pictures(BytesSource(data)) as pictures:  # type: ignore[misc]  # images have pictures
        fourth = pictures.picture(4, 1.0).convert("RGB")
        first = pictures.picture(1, 1.0).convert("RGB")
    assert fourth.getpixel((85, 85)) == (255, 0, 0)
    assert first.getpixel((85, 85)) != (255, 0, 0)


def test_an_animation_in_grey_stays_grey() -> None:
    data = saved(photo(mode="L"), "png", save_all=True, append_images=[photo(90, 120, "L").resize((160, 120))])
    artifact, _ = redacted(data, "png", RedactionPlan(regions=(RegionEdit(1, SECRET),)))
    assert opened(artifact).mode == "L"


def test_a_frame_that_reaches_over_the_canvas_is_cut_to_it() -> None:
    data = bytearray(animated("gif", frames(2)))
    after_first = layout_of("gif", BytesSource(bytes(data))).pixels[0][1]
    second = data.index(b"\x2c", after_first + 8)
    data[second + 1] = 150
    artifact, _ = redacted(bytes(data), "gif", RedactionPlan(regions=(RegionEdit(1, SECRET),)))
    assert {image.size for image, _ in shown(artifact)} == {(160, 120)}


def test_colours_of_large_pictures_come_out_exactly() -> None:
    image = Image.new("P", (4300, 4300), 1)
    image.putpalette([9, 9, 9, 251, 252, 253])
    image.paste(0, (0, 0, 10, 10))
    artifact, _ = redacted(saved(image, "gif"), "gif", RedactionPlan(regions=(RegionEdit(1, Box(20, 20, 40, 40)),)))
    after = opened(artifact).convert("RGB")
    assert sorted(colour for _, colour in after.getcolors() or []) == [(0, 0, 0), (9, 9, 9), (251, 252, 253)]
