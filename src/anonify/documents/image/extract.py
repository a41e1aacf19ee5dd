"""What a picture file is: its pages, each without text until somebody reads it, and what it does not show."""

from __future__ import annotations

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from ..format import ExtractOptions
from ..model import Extraction, HiddenContent, Page, PageSink
from .layout import layout_of
from .opening import open_picture

__all__ = ["extract"]


def extract(source: Source, pages: PageSink, options: ExtractOptions, kind: str) -> Extraction:
    """Write one page a frame; its unit is the pixel of the upright picture.

    Every frame is decoded, so that a file that breaks off is refused now and not at its export.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    hidden = layout_of(kind, source).hidden
    with open_picture(source, kind, strict=True) as picture:
        if picture.pages > options.max_pages:
            raise FatalError(Code.TOO_COMPLEX, pages=picture.pages)
        for number in range(1, picture.pages + 1):
            frame = picture.frame(number)
            width, height = frame.size
            pages.page(Page(number, "", width=float(width), height=float(height), needs_ocr=True))
            hidden["alpha-hidden"] += frame.hid
            del frame
        numbers = tuple(range(1, picture.pages + 1))
    counts = tuple(HiddenContent(name, count) for name, count in sorted(hidden.items()) if count)
    return Extraction(pages=len(numbers), units=len(numbers), hidden=counts, pictures=numbers)
