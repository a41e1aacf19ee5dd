"""Files too large, damaged or cut off; and honest giants, in the sandbox's memory."""

from __future__ import annotations

import io
import struct
import time
import zlib
from collections.abc import Iterator

import pytest
from PIL import Image

from anonify.documents import Box, BytesSource, MemorySink, RedactionPlan, RegionEdit, by_kind
from anonify.documents.tasks import EXTRACT, REDACT, VERIFY, ExtractArgs, RedactArgs, VerifyArgs
from anonify.errors import Code, FatalError
from anonify.sandbox import Limits, Pool
from tests.documents.image.hiding import png_chunk
from tests.documents.image.making import KINDS, extracted, photo, redacted, saved

PLAN = RedactionPlan(regions=(RegionEdit(1, Box(2000, 2000, 3000, 2200)),))


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool(1, Limits(jobs=1))
    yield made
    made.close()


def through(pool: Pool, data: bytes, kind: str) -> bytes:
    source = BytesSource(data)
    pool.run(EXTRACT, ExtractArgs(kind), sources={"source": source}, sinks={"model": MemorySink()}, timeout=200)
    sink = MemorySink()
    pool.run(REDACT, RedactArgs(kind, PLAN), sources={"source": source}, sinks={"artifact": sink}, timeout=200)
    pair = {"source": source, "artifact": BytesSource(sink.getvalue())}
    for reader in ("own", "independent"):
        seen = pool.run(VERIFY, VerifyArgs(kind, PLAN, reader), sources=pair, timeout=200)
        assert seen.opened
        assert not seen.failed
    return sink.getvalue()


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [1, 6])
def test_a_large_sheet_in_one_bit(pool: Pool, unlimited: None, turn: int) -> None:
    """A0 at 600 dpi: 558 megapixels."""
    exif = Image.Exif()
    exif[274] = turn
    sheet = Image.new("1", (19866, 28087), 1)
    sheet.paste(0, (100, 100, 5000, 5200))
    artifact = through(pool, saved(sheet, "png", exif=exif), "png")
    after = Image.open(io.BytesIO(artifact))
    assert (after.mode, after.size) == ("1", (19866, 28087) if turn == 1 else (28087, 19866))


@pytest.mark.slow
@pytest.mark.parametrize("progressive", [False, True])
def test_a_photograph_of_two_hundred_megapixels(pool: Pool, unlimited: None, progressive: bool) -> None:
    exif = Image.Exif()
    exif[274] = 1 if progressive else 8
    grey = Image.radial_gradient("L").resize((16320, 12240))
    data = saved(Image.merge("RGB", (grey, grey, grey)), "jpeg", exif=exif, progressive=progressive)
    through(pool, data, "jpeg")


def _bombs() -> dict[str, tuple[str, bytes]]:
    png = bytearray(saved(Image.new("1", (8, 8)), "png"))
    header = b"IHDR" + struct.pack(">2L5B", 100_000, 100_000, 1, 0, 0, 0, 0)
    png[12:33] = header + struct.pack(">L", zlib.crc32(header))
    jpeg = bytearray(saved(Image.new("L", (8, 8)), "jpeg"))
    at = jpeg.index(b"\xff\xc0")
    struct.pack_into(">2H", jpeg, at + 5, 65_500, 65_500)
    gif = bytearray(saved(Image.new("P", (8, 8)), "gif"))
    struct.pack_into("<2H", gif, 6, 65_535, 65_535)
    bmp = bytearray(saved(Image.new("L", (8, 8)), "bmp"))
    struct.pack_into("<2L", bmp, 18, 100_000, 100_000)
    webp = saved(Image.new("RGB", (8, 8)), "webp", lossless=True)
    vp8x = b"VP8X" + struct.pack("<L4x", 10) + (16_382).to_bytes(3, "little") * 2
    webp = b"RIFF" + struct.pack("<L", len(webp) + 10) + b"WEBP" + vp8x + webp[12:]
    tiff = bytearray(saved(Image.new("L", (8, 8)), "tiff"))
    at = struct.unpack_from("<L", tiff, 4)[0] + 2
    for entry in (at, at + 12):
        struct.pack_into("<2HLL", tiff, entry, 256 + (entry > at), 4, 1, 100_000)
    return {
        "png": ("png", bytes(png)),
        "jpeg": ("jpeg", bytes(jpeg)),
        "gif": ("gif", bytes(gif)),
        "bmp": ("bmp", bytes(bmp)),
        "webp": ("webp", webp),
        "tiff": ("tiff", bytes(tiff)),
    }


@pytest.mark.parametrize("name", _bombs())
def test_a_bomb_is_refused_before_it_is_decoded(name: str) -> None:
    kind, data = _bombs()[name]
    start = time.process_time()
    for act in (lambda: extracted(data, kind), lambda: redacted(data, kind)):
        with pytest.raises(FatalError) as caught:
            act()
        assert caught.value.code == Code.TOO_COMPLEX
    assert time.process_time() - start < 2


def test_a_bomb_of_many_frames_is_refused() -> None:
    still = saved(Image.new("P", (4000, 4000)), "gif")
    place = still.index(b"\x2c", 13 + (3 << ((still[10] & 7) + 1)))
    data = still[:place] + still[place:-1] * 1200 + b"\x3b"
    with pytest.raises(FatalError) as caught:
        extracted(data, "gif")
    assert caught.value.code == Code.TOO_COMPLEX


def test_a_header_that_promises_more_rows_than_there_are_is_refused() -> None:
    data = saved(photo(mode="L"), "png")
    for height in (121, 240):
        taller = data[:8] + png_chunk(b"IHDR", struct.pack(">2L5B", 160, height, 8, 0, 0, 0, 0)) + data[33:]
        with pytest.raises(FatalError) as caught:
            extracted(taller, "png")
        assert caught.value.code == Code.MALFORMED


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_breaks_off_is_refused_and_never_half_done(kind: str) -> None:
    whole = saved(photo().quantize(64) if kind == "gif" else photo(), kind)
    for share in (0.05, 0.3, 0.6, 0.9):
        cut = whole[: int(len(whole) * share)]
        for act in (lambda data=cut: extracted(data, kind), lambda data=cut: redacted(data, kind)):
            with pytest.raises(FatalError) as caught:
                act()
            assert caught.value.code == Code.MALFORMED


def test_directories_in_a_circle_end() -> None:
    data = bytearray(saved(photo(), "tiff"))
    at = struct.unpack_from("<L", data, 4)[0]
    count = struct.unpack_from("<H", data, at)[0]
    struct.pack_into("<L", data, at + 2 + 12 * count, at)
    extraction, _ = extracted(bytes(data), "tiff")
    assert extraction.pages == 1


def test_compressed_notes_do_not_swell() -> None:
    bomb = zlib.compress(bytes(200 << 20), 9)
    data = saved(photo(), "png")
    data = data[:33] + png_chunk(b"zTXt", b"Comment\0\0" + bomb) + data[33:]
    form = by_kind("png")
    start = time.monotonic()
    assert sum(len(piece.text) for piece in form.independent_reader(BytesSource(data), PLAN)) < 400 << 20
    assert time.monotonic() - start < 20
