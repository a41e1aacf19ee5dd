"""Every place in which a picture file can hold text: counted, read by the independent reader, gone afterwards."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from anonify.documents import BytesSource, Matcher, RedactionPlan, SweepValue, by_kind
from tests.documents.image.hiding import PLACES, RAW, VALUE, WIDE, icc, jpeg_with, png_chunk, png_with, segment
from tests.documents.image.making import extracted, photo, redacted

CASES = [(kind, name) for kind, places in PLACES.items() for name in places]
UNREAD = {("png", "after the rows"), ("tiff", "smaller copy"), ("png", "EXIF as a raw profile")}
"""Where the value stands in coded pixels of the source or in hexadecimal; it is gone from there all the same."""

UNCOUNTED = {
    ("png", "after the rows"),
    ("png", "unused colours"),
    ("png", "chromaticities"),
    *((kind, "ICC description") for kind in PLACES),
}
"""What belongs to how the picture looks, and is rebuilt."""


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_nothing_beside_the_pixels_survives(kind: str, name: str) -> None:
    data, stands = PLACES[kind][name]()
    if stands is not None:
        assert stands in data, "the plant is not there"
    matcher = Matcher((VALUE,))
    form = by_kind(kind)
    read = [piece.text for piece in form.independent_reader(BytesSource(data), RedactionPlan())]
    assert (kind, name) in UNREAD or any(True for text in read for _ in matcher.find(text)), "the reader is blind there"

    extraction, pages = extracted(data, kind)
    assert len(pages) == 1
    assert (kind, name) in UNCOUNTED or extraction.hidden, "not on the card"

    artifact, result = redacted(data, kind, RedactionPlan(sweep=(SweepValue(VALUE, ""),)))
    assert RAW not in artifact
    assert WIDE not in artifact
    assert extracted(artifact, kind)[0].hidden == ()
    assert (kind, name) in UNCOUNTED or {item.kind for item in result.named} == {h.kind for h in extraction.hidden}
    before, after = Image.open(io.BytesIO(data)), Image.open(io.BytesIO(artifact))
    assert after.size == before.size


@pytest.mark.parametrize(
    ("kind", "name", "counted"),
    [
        ("jpeg", "EXIF thumbnail", "thumbnail"),
        ("jpeg", "Photoshop thumbnail", "thumbnail"),
        ("jpeg", "comment", "comments"),
        ("jpeg", "multi-picture", "second-picture"),
        ("jpeg", "multi-picture", "trailing-data"),
        ("jpeg", "maker note", "maker-note"),
        ("tiff", "smaller copy", "second-picture"),
        ("gif", "comment", "comments"),
        ("png", "after IEND", "trailing-data"),
        ("bmp", "after the pixels", "trailing-data"),
    ],
)
def test_what_is_hidden_is_counted_by_kind(kind: str, name: str, counted: str) -> None:
    extraction, _ = extracted(PLACES[kind][name]()[0], kind)
    assert counted in {item.kind for item in extraction.hidden}


def test_a_place_on_earth_is_counted_and_gone() -> None:
    exif = Image.Exif()
    exif.get_ifd(34853)[2] = (52.0, 31.0, 12.0)
    buffer = io.BytesIO()
    photo().save(buffer, "JPEG", exif=exif)
    extraction, _ = extracted(buffer.getvalue(), "jpeg")
    assert "gps" in {item.kind for item in extraction.hidden}
    artifact, _ = redacted(buffer.getvalue(), "jpeg")
    assert not Image.open(io.BytesIO(artifact)).getexif()


def test_a_profiles_colours_stay_and_its_words_go() -> None:
    data = png_with(png_chunk(b"iCCP", b"x\0\0" + __import__("zlib").compress(icc(RAW))))
    artifact, _ = redacted(data, "png")
    before, after = Image.open(io.BytesIO(data)), Image.open(io.BytesIO(artifact))
    profile = after.info["icc_profile"]
    assert RAW not in profile
    assert ImageChops.difference(before.convert("RGB"), after.convert("RGB")).getbbox() is None
    from PIL import ImageCms

    target = ImageCms.createProfile("sRGB")
    shown = [
        ImageCms.profileToProfile(photo(), ImageCms.ImageCmsProfile(io.BytesIO(p)), target)
        for p in (before.info["icc_profile"], profile)
    ]
    assert shown[0] is not None
    assert shown[1] is not None
    assert ImageChops.difference(shown[0], shown[1]).getbbox() is None


def test_metadata_may_be_kept_but_not_with_an_accepted_value_nor_with_a_thumbnail() -> None:
    exif = Image.Exif()
    exif[270], exif[305], exif[315], exif[274] = "harmless words", VALUE, "somebody", 6
    data = jpeg_with(segment(0xE1, b"Exif\0\0" + exif.tobytes()[6:]), segment(0xFE, b"kept comment"))
    artifact, _ = redacted(data, "jpeg", RedactionPlan(sweep=(SweepValue(VALUE, ""),), keep_metadata=True))
    after = Image.open(io.BytesIO(artifact))
    assert after.getexif()[270] == "harmless words"
    assert after.getexif()[315] == "somebody"
    assert 305 not in after.getexif()
    assert 274 not in after.getexif()
    assert after.info["comment"] == b"kept comment"
    assert after.size == (120, 160)

    data = PLACES["jpeg"]["EXIF thumbnail"]()[0]
    artifact, _ = redacted(data, "jpeg", RedactionPlan(keep_metadata=True))
    assert RAW not in artifact


def test_kept_metadata_in_the_other_formats() -> None:
    plan = RedactionPlan(sweep=(SweepValue("elsewhere", ""),), keep_metadata=True)
    for kind, name in (("png", "iTXt"), ("webp", "XMP"), ("tiff", "artist"), ("gif", "comment"), ("png", "EXIF")):
        artifact, _ = redacted(PLACES[kind][name]()[0], kind, plan)
        assert RAW in artifact or WIDE in artifact, (kind, name)
