"""Pictures made for tests, and the way through the format that every test takes."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from anonify.documents import BytesSource, Extraction, MemorySink, Page, RedactionPlan, RedactionResult, by_kind
from anonify.documents.gate import read_back

KINDS = ("png", "jpeg", "webp", "tiff", "gif", "bmp")
PILLOW = {kind: kind.upper() for kind in KINDS}


@dataclass
class Pages:
    """A sink of pages."""

    pages: list[Page]

    def page(self, page: Page, /) -> None:
        self.pages.append(page)


def photo(width: int = 160, height: int = 120, mode: str = "RGB") -> Image.Image:
    """Smooth colours with a dark word on them."""
    image = Image.new("RGB", (width, height))
    image.putdata([(x * 255 // width, y * 255 // height, (x + y) % 256) for y in range(height) for x in range(width)])
    ImageDraw.Draw(image).text((20, 20), "Secret 4711", fill="black", font=ImageFont.load_default(16))
    return image.convert(mode)


def sheet(width: int = 300, height: int = 100, text: str = "Secret 4711") -> Image.Image:
    """Black words on white, mode L."""
    image = Image.new("L", (width, height), 255)
    ImageDraw.Draw(image).text((20, 30), text, fill=0, font=ImageFont.load_default(24))
    return image


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    """`image` as a file."""
    buffer = io.BytesIO()
    image.save(buffer, PILLOW[kind], **options)
    return buffer.getvalue()


def extracted(data: bytes, kind: str) -> tuple[Extraction, list[Page]]:
    """What the format says."""
    pages = Pages([])
    from anonify.documents import ExtractOptions

    return by_kind(kind).extract(BytesSource(data), pages, ExtractOptions()), pages.pages


def redacted(data: bytes, kind: str, plan: RedactionPlan | None = None) -> tuple[bytes, RedactionResult]:
    """The artifact, read back by both readers with every check passed."""
    plan = plan or RedactionPlan()
    sink = MemorySink()
    form = by_kind(kind)
    result = form.redact(BytesSource(data), sink, plan)
    artifact = sink.getvalue()
    for reader in ("own", "independent"):
        seen = read_back(form, BytesSource(data), BytesSource(artifact), plan, reader)
        assert seen.opened, (kind, reader)
        assert not seen.failed, (kind, seen.failed)
        assert not seen.survivors, (kind, reader)
    return artifact, result


def opened(data: bytes) -> Image.Image:
    """An artifact as Pillow opens it."""
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def noise(width: int, height: int, seed: int = 0) -> Image.Image:
    """Random colours."""
    return Image.frombytes("RGB", (width, height), random.Random(seed).randbytes(width * height * 3))
