"""HEIC, where its decoder is installed."""

from __future__ import annotations

import io
from importlib import import_module
from importlib.util import find_spec

import pytest
from PIL import Image, ImageStat

from anonify.documents import Box, BytesSource, RedactionPlan, RegionEdit, SweepValue, formats, recognise
from anonify.documents.image.layout import layout_of
from anonify.errors import Code, FatalError
from tests.documents.image.hiding import RAW, VALUE
from tests.documents.image.making import extracted, photo, redacted

INSTALLED = find_spec("pillow_heif") is not None
HEAD = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"


@pytest.mark.skipif(INSTALLED, reason="its decoder is installed")
def test_without_its_decoder_it_is_no_supported_kind() -> None:
    assert "heic" not in {form.kind for form in formats()}
    with pytest.raises(FatalError) as caught:
        recognise(BytesSource(HEAD), "photo.heic")
    assert caught.value.code == Code.UNSUPPORTED_TYPE


def test_boxes_are_walked_without_the_decoder() -> None:
    layout = layout_of("heic", BytesSource(HEAD + b"\0\0\0\x1cuuid" + b"0" * 16 + b"note"))
    assert layout.hidden["metadata"] == 1


@pytest.mark.skipif(not INSTALLED, reason="pillow_heif is not installed")
def test_a_photograph_of_a_telephone() -> None:
    import_module("pillow_heif").register_heif_opener()
    exif = Image.Exif()
    exif[270], exif[274] = VALUE, 6
    buffer = io.BytesIO()
    photo().save(buffer, "HEIF", exif=exif.tobytes(), quality=90)
    data = buffer.getvalue()
    assert RAW in data
    _, pages = extracted(data, "heic")
    assert (pages[0].width, pages[0].height) == (120, 160)
    plan = RedactionPlan(sweep=(SweepValue(VALUE, ""),), regions=(RegionEdit(1, Box(20, 20, 90, 60)),))
    artifact, _ = redacted(data, "heic", plan)
    assert RAW not in artifact
    after = Image.open(io.BytesIO(artifact)).convert("RGB")
    assert after.size == (120, 160)
    assert max(ImageStat.Stat(after.crop((24, 24, 86, 56))).mean) < 6
