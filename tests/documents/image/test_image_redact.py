"""What a redacted picture is: the same kind, size and look, without what was under the areas."""

from __future__ import annotations

import io
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat

from anonify.documents import (
    Box,
    BytesSource,
    Edit,
    MemorySink,
    RedactionPlan,
    RegionEdit,
    RenderOptions,
    StructureCheck,
    by_kind,
    recognise,
)
from anonify.errors import Code, FatalError
from tests.documents.image.making import KINDS, extracted, noise, opened, photo, redacted, saved, sheet

REGION = RedactionPlan(regions=(RegionEdit(1, Box(20, 20, 110, 40)),))
WORD = RedactionPlan(edits=(Edit("page#1o0", 0, 6, "[NAME]", 1, (Box(20, 20, 110, 40),)),))
MODES = {
    "png": ("1", "L", "LA", "P", "RGB", "RGBA"),
    "jpeg": ("L", "RGB", "CMYK"),
    "webp": ("RGB", "RGBA"),
    "tiff": ("1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I", "F"),
    "gif": ("L", "P"),
    "bmp": ("1", "L", "P", "RGB"),
}
CASES = [(kind, mode) for kind, modes in MODES.items() for mode in modes]
TURNED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""What was done to an upright picture that is stored under an orientation."""


def made(kind: str, mode: str) -> bytes:
    if mode == "P":
        return saved(photo().quantize(200), kind)
    return saved(photo(mode="L").convert(mode) if mode in ("I", "F") else photo(mode=mode), kind)


def checks(kind: str, source: bytes, artifact: bytes, plan: RedactionPlan) -> dict[str, bool]:
    found: list[StructureCheck] = list(by_kind(kind).check_structure(BytesSource(source), BytesSource(artifact), plan))
    return {check.name: check.passed for check in found}


@pytest.mark.parametrize(("kind", "mode"), CASES)
def test_an_area_is_black_the_rest_and_the_mode_stay(kind: str, mode: str) -> None:
    data = made(kind, mode)
    artifact, result = redacted(data, kind, WORD)
    before, after = opened(data), opened(artifact)
    assert (after.mode, after.size, after.format) == (
        "P" if kind == "gif" else before.mode,
        before.size,
        before.format,
    )
    assert result.edited == 1
    assert result.rebuilt_pages == (1,)
    inside = after.convert("RGB").crop((20, 20, 110, 40))
    assert max(ImageStat.Stat(inside).mean) < 3
    if kind not in ("jpeg", "webp"):
        assert inside.getextrema() == ((0, 0),) * 3
        first, second = (image.convert("RGB").crop((0, 50, 160, 120)) for image in (before, after))
        assert ImageChops.difference(first, second).getbbox() is None


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_accepted_gives_the_picture_back_whole(kind: str) -> None:
    data = made(kind, "RGB" if kind != "gif" else "P")
    artifact, result = redacted(data, kind)
    assert (result.edited, result.rebuilt_pages) == (0, ())
    difference = ImageChops.difference(opened(data).convert("RGB"), opened(artifact).convert("RGB"))
    limit = {"jpeg": 48, "webp": 60}.get(kind, 0)
    assert max(high for _, high in difference.getextrema()) <= limit  # type: ignore[misc]  # three bands


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("kind", ["jpeg", "png", "webp", "tiff"])
def test_a_turned_picture_is_upright_once(kind: str, turn: int) -> None:
    upright = photo()
    method = TURNED[turn]
    exif = Image.Exif()
    exif[274] = turn
    options: dict[str, Any] = {"exif": exif}
    if kind == "jpeg":
        options["quality"] = 95
    if kind == "webp":
        options["lossless"] = True
    data = saved(upright.transpose(method) if method is not None else upright, kind, **options)
    _, pages = extracted(data, kind)
    assert (pages[0].width, pages[0].height) == (160, 120)
    artifact, _ = redacted(data, kind, REGION)
    after = opened(artifact)
    assert after.size == (160, 120)
    assert after.getexif().get(274, 1) == 1
    assert max(ImageStat.Stat(after.convert("RGB").crop((20, 20, 110, 40))).mean) < 3
    difference = ImageChops.difference(after.convert("RGB"), upright).crop((0, 60, 160, 120))
    assert max(ImageStat.Stat(difference).mean) < 6
    with by_kind(kind).pictures(BytesSource(data)) as pictures:  # type: ignore[misc]  # images have pictures
        shown = pictures.picture(1, 1.0)
    assert max(ImageStat.Stat(ImageChops.difference(shown.convert("RGB"), upright)).mean) < 6


@pytest.mark.parametrize(
    ("kind", "mode"),
    [*(("png", mode) for mode in ("L", "LA", "RGB", "RGBA")), *(("tiff", mode) for mode in ("L", "RGB", "RGBA"))],
)
def test_sixteen_bits_stay_sixteen_bits(kind: str, mode: str) -> None:
    from anonify.documents.image.encode import Look, encode
    from anonify.documents.image.frame import Frame, cleared
    from anonify.documents.image.opening import open_picture

    bands = len(Image.new(mode, (1, 1)).getbands())
    upper, lower = (
        Image.merge(mode, [noise(50, 40, seed + band).getchannel(0) for band in range(bands)]) for seed in (1, 9)
    )
    frame = cleared(Frame(upper, lower))
    buffer = io.BytesIO()
    encode(frame, kind, Look(), buffer)
    data = buffer.getvalue()
    if mode == "L":
        assert opened(data).mode.startswith("I;16")
        assert opened(data).getpixel((3, 4)) == 256 * upper.getpixel((3, 4)) + lower.getpixel((3, 4))  # type: ignore[operator]  # one band
    plan = RedactionPlan(regions=(RegionEdit(1, Box(5, 5, 20, 20)),))
    artifact, _ = redacted(data, kind, plan)
    with open_picture(BytesSource(artifact), kind) as picture:
        after = picture.frame(1)
    assert after.low is not None
    for plane, was in zip(after.planes, frame.planes, strict=True):
        assert plane.mode == mode
        assert ImageChops.difference(plane.crop((20, 0, 50, 40)), was.crop((20, 0, 50, 40))).getbbox() is None
    assert not any(high for _, high in [after.planes[1].getchannel(0).crop((5, 5, 20, 20)).getextrema()])


def test_grey_of_sixteen_bits_is_shown_scaled_and_not_clipped() -> None:
    image = Image.new("I;16", (64, 64), 0x8000)
    with by_kind("png").pictures(BytesSource(saved(image, "png"))) as pictures:  # type: ignore[misc]  # has pictures
        assert pictures.picture(1, 1.0).getpixel((5, 5)) == 0x80


def test_colour_under_full_transparency_is_gone() -> None:
    hidden = sheet().convert("RGBA")
    hidden.putalpha(0)
    hidden.paste((255, 0, 0, 255), (0, 0, 10, 10))
    for kind in ("png", "webp", "tiff"):
        data = saved(hidden, kind, **({"lossless": True, "exact": True} if kind == "webp" else {}))
        assert "alpha-hidden" in {item.kind for item in extracted(data, kind)[0].hidden}
        artifact, _ = redacted(data, kind)
        after = opened(artifact)
        assert after.convert("RGBA").getchannel("A").getextrema() == (0, 255)
        under = after.convert("RGBA").convert("RGB").crop((12, 0, 300, 100))
        assert all(low == high for low, high in under.getextrema())  # type: ignore[misc]  # three bands


def test_two_indices_of_one_colour_and_of_no_colour_hide_nothing() -> None:
    image = sheet().point(lambda value: 1 if value < 128 else 0, "L")
    for transparency in (None, b"\0\0"):
        indexed = Image.frombytes("P", image.size, image.tobytes())
        indexed.putpalette([200, 10, 10, 200, 10, 10] if transparency is None else [1, 2, 3, 200, 10, 10])
        data = saved(indexed, "png", **({"transparency": transparency} if transparency else {}))
        artifact, _ = redacted(data, "png")
        after = opened(artifact)
        assert len(set(after.tobytes())) == 1


def test_painted_areas_of_transparent_pictures_are_opaque() -> None:
    image = photo().convert("RGBA")
    image.putalpha(90)
    for kind in ("png", "webp"):
        artifact, _ = redacted(saved(image, kind), kind, REGION)
        assert opened(artifact).getchannel("A").crop((20, 20, 110, 40)).getextrema() == (255, 255)


def test_resolution_stays_and_turns_with_the_picture() -> None:
    exif = Image.Exif()
    exif[274] = 6
    for kind in ("png", "jpeg", "tiff", "bmp"):
        data = saved(photo(), kind, dpi=(300, 300))
        artifact, _ = redacted(data, kind, REGION)
        assert all(abs(value - 300) < 1 for value in opened(artifact).info["dpi"])
    artifact, _ = redacted(saved(photo(), "jpeg", dpi=(300, 150), exif=exif), "jpeg")
    assert opened(artifact).info["dpi"] == (150, 300)


def test_black_and_white_pages_stay_small() -> None:
    pages = [sheet(1200, 1600, f"Page {number}").convert("1") for number in range(3)]
    data = saved(pages[0], "tiff", save_all=True, append_images=pages[1:], compression="group4")
    plan = RedactionPlan(regions=(RegionEdit(2, Box(20, 30, 200, 60)),))
    artifact, result = redacted(data, "tiff", plan)
    after = opened(artifact)
    assert result.rebuilt_pages == (2,)
    assert after.n_frames == 3  # type: ignore[attr-defined]  # a TIFF
    assert after.info["compression"] == "group4"
    assert len(artifact) < 1.3 * len(data)
    for number, page in enumerate(pages):
        after.seek(number)
        differs = ImageChops.difference(after.convert("L"), page.convert("L")).getbbox()
        assert (differs is not None) == (number == 1)


def test_pages_of_different_sizes_and_modes() -> None:
    pages = [photo(), sheet(500, 300), photo(90, 70, "CMYK"), sheet().convert("1")]
    data = saved(pages[0], "tiff", save_all=True, append_images=pages[1:])
    extraction, listed = extracted(data, "tiff")
    assert extraction.pictures == (1, 2, 3, 4)
    assert [(page.width, page.height) for page in listed] == [page.size for page in pages]
    assert all(page.needs_ocr and page.text == "" for page in listed)
    artifact, _ = redacted(data, "tiff", RedactionPlan(regions=(RegionEdit(3, Box(5, 5, 20, 20)),)))
    after = opened(artifact)
    for number, page in enumerate(pages):
        after.seek(number)
        assert (after.size, after.mode) == (page.size, page.mode)


def test_a_jpeg_keeps_its_quality_and_grows_little() -> None:
    image = Image.effect_noise((400, 300), 60).convert("RGB")
    for quality in (60, 75, 90, 96):
        data = saved(image, "jpeg", quality=quality)
        artifact, _ = redacted(data, "jpeg")
        assert opened(artifact).quantization == opened(data).quantization  # type: ignore[attr-defined]  # a JPEG
        assert 0.8 < len(artifact) / len(data) < 1.1


def test_colours_do_not_ripple_into_a_box() -> None:
    image = Image.new("RGB", (160, 120), (255, 0, 0))
    artifact, _ = redacted(saved(image, "jpeg", quality=85, subsampling=2), "jpeg", REGION)
    inside = opened(artifact).crop((24, 24, 104, 40))
    assert max(high for _, high in inside.getextrema()) <= 8  # type: ignore[misc]  # three bands


def test_labels_stand_on_the_boxes_when_wished() -> None:
    plan = RedactionPlan(edits=(Edit("page#1o0", 0, 6, "NAME", 1, (Box(20, 20, 110, 50),)),), draw_labels=True)
    for kind, mode in (("png", "RGB"), ("png", "1"), ("png", "P"), ("jpeg", "RGB"), ("tiff", "L")):
        artifact, _ = redacted(made(kind, mode), kind, plan)
        inside = opened(artifact).convert("L").crop((22, 22, 108, 48))
        assert inside.getextrema()[1] > 150  # type: ignore[operator]  # one band


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
@pytest.mark.parametrize("height", [12, 20, 32, 48, 64, 120])
def test_a_label_of_any_size_is_no_fault_to_the_gate(kind: str, height: int) -> None:
    boxes = (Box(20, 20, 20 + 6 * height, 20 + height), Box(24 + 6 * height, 20, 24 + 9 * height, 20 + height))
    edits = (Edit("page#1o0", 0, 6, "[EMAIL]", 1, boxes), Edit("page#1o1", 0, 6, "[PERSON]", 1, boxes[1:]))
    data = saved(Image.new("RGB", (1200, 200), "white"), kind)
    redacted(data, kind, RedactionPlan(edits=edits, draw_labels=True))


def test_a_text_without_a_place_takes_the_whole_page() -> None:
    plan = RedactionPlan(edits=(Edit("page#1o0", 0, 6, "x", 1),))
    artifact, _ = redacted(saved(photo(), "png"), "png", plan)
    assert opened(artifact).getextrema() == ((0, 0),) * 3


def test_areas_off_the_page_are_cut_or_left_out() -> None:
    plan = RedactionPlan(
        regions=(
            RegionEdit(1, Box(-50, -50, 10, 10)),
            RegionEdit(1, Box(500, 500, 600, 600)),
            RegionEdit(9, Box(0, 0, 5, 5)),
        )
    )
    artifact, _ = redacted(saved(photo(), "png"), "png", plan)
    assert opened(artifact).crop((0, 0, 10, 10)).getextrema() == ((0, 0),) * 3


@pytest.mark.parametrize("kind", KINDS)
def test_the_gate_sees_what_a_bad_writer_would_leave(kind: str) -> None:
    data = made(kind, "RGB" if kind != "gif" else "P")
    unpainted, _ = redacted(data, kind)
    painted, _ = redacted(data, kind, REGION)
    assert not checks(kind, data, unpainted, REGION)["uniform-boxes"]
    elsewhere = RedactionPlan(regions=(RegionEdit(1, Box(100, 60, 150, 110)),))
    assert not checks(kind, data, painted, elsewhere)["outside-unchanged"]
    smaller = saved(opened(data).resize((80, 60)), kind)
    assert not checks(kind, data, smaller, REGION)["same-sizes"]
    if kind in ("jpeg", "gif"):
        noted = saved(opened(painted), kind, comment=b"words")
        assert not checks(kind, data, noted, REGION)["no-metadata"]


def test_pictures_for_recognisers_and_the_viewer() -> None:
    image = photo()
    data = saved(image, "png")
    with by_kind("png").pictures(BytesSource(data)) as pictures:  # type: ignore[misc]  # images have pictures
        assert pictures.scale_of(300) == 1.0
        assert pictures.parts(1) == ()
        assert pictures.explained(1).pictures
        assert ImageChops.difference(pictures.picture(1, 1.0), image).getbbox() is None
        part = pictures.picture(1, 1.0, Box(20, 20, 60, 50))
        assert ImageChops.difference(part, image.crop((20, 20, 60, 50))).getbbox() is None
        assert pictures.picture(1, 0.5).size == (80, 60)
        assert pictures.picture(1, 2.0, Box(20, 20, 60, 50)).size == (80, 60)
        with pytest.raises(FatalError):
            pictures.picture(2, 1.0)
    drawn = by_kind("png").render(BytesSource(data), 1, RenderOptions(max_pixels=5_000))  # type: ignore[misc]  # has it
    assert opened(drawn).size[0] * opened(drawn).size[1] <= 5_050


def test_transparent_pictures_are_shown_on_what_they_can_be_read_on() -> None:
    for ink, ground in ((0, 255), (255, 0)):
        image = Image.new("LA", (300, 100), (0, 0))
        image.paste((ink, 255), (40, 30, 200, 60))
        with by_kind("png").pictures(BytesSource(saved(image, "png"))) as pictures:  # type: ignore[misc]  # has them
            shown = pictures.picture(1, 1.0)
        assert (shown.getpixel((5, 5)), shown.getpixel((100, 45))) == (ground, ink)


def test_bytes_decide_the_kind() -> None:
    for kind in KINDS:
        data = made(kind, "RGB" if kind != "gif" else "P")
        assert recognise(BytesSource(data), "name").kind == kind
        assert recognise(BytesSource(data), f"name{by_kind(kind).extensions[0]}").kind == kind
        other = "name.png" if kind != "png" else "name.jpg"
        with pytest.raises(FatalError) as caught:
            recognise(BytesSource(data), other)
        assert caught.value.code == Code.EXTENSION_MISMATCH
    for words in (b"BM is how this letter begins, and it is no bitmap at all.", b"II*\x00 nothing", b"GIF of words"):
        with pytest.raises(FatalError):
            recognise(BytesSource(words), "name.png")


def test_a_cameras_raw_file_is_no_tiff() -> None:
    from tests.documents.image.hiding import tiff_block

    raw = tiff_block([(254, 4, b"\1\0\0\0"), (50706, 1, b"\1\4\0\0")])
    with pytest.raises(FatalError) as caught:
        recognise(BytesSource(raw), "name.dng")
    assert caught.value.code == Code.UNSUPPORTED_TYPE


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(CASES),
    st.lists(
        st.tuples(
            *(st.floats(-20, 180), st.floats(-20, 140), st.floats(1, 120), st.floats(1, 90)),
            st.sampled_from(("solid", "blur", "pixelate")),
        ),
        max_size=4,
    ),
)
def test_any_areas_pass_the_gate(case: tuple[str, str], boxes: list[tuple[float, float, float, float, str]]) -> None:
    kind, mode = case
    plan = RedactionPlan(
        regions=tuple(RegionEdit(1, Box(x, y, x + w, y + h), style) for x, y, w, h, style in boxes)  # type: ignore[arg-type]  # literals
    )
    redacted(made(kind, mode), kind, plan)


def test_a_sink_takes_it_in_pieces() -> None:
    sink = MemorySink()
    by_kind("tiff").redact(BytesSource(saved(photo(900, 700), "tiff")), sink, REGION)
    assert opened(sink.getvalue()).size == (900, 700)


@pytest.mark.parametrize("style", ["blur", "pixelate"])
@pytest.mark.parametrize("size", [1, 8, 30])
def test_a_styled_area_of_one_colour_is_no_reason_to_refuse(style: Literal["blur", "pixelate"], size: int) -> None:
    plan = RedactionPlan(regions=(RegionEdit(1, Box(0, 0, size, size), style=style),))
    assert redacted(made("png", "1"), "png", plan)
