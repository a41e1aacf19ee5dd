"""Pictures: PNG, JPEG, WebP, TIFF, GIF, BMP, and HEIC where its decoder is installed.

A picture is decoded, turned upright, painted and written again from its pixels; nothing else of the file remains.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from ..format import Format
from .extract import extract
from .headers import sniffers
from .heic import available
from .pictures import open_pictures, render
from .redact import redact
from .structure import check_structure
from .verify import independent_reader, own_reader

__all__ = ["FORMATS"]

_WORDS: Final = frozenset(
    (
        *("metadata", "thumbnail", "gps", "comments", "trailing-data", "second-picture", "maker-note", "alpha-hidden"),
        *("same-pages", "same-sizes", "uniform-boxes", "outside-unchanged", "no-metadata"),
    )
)


def _format(kind: str, label: str, mime_types: tuple[str, ...], extensions: tuple[str, ...]) -> Format:
    return Format(
        kind=kind,
        label=label,
        mime_types=mime_types,
        extensions=extensions,
        unit="pages",
        sniff=sniffers[kind],
        extract=partial(extract, kind=kind),
        redact=partial(redact, kind=kind),
        own_reader=partial(own_reader, kind=kind),
        independent_reader=partial(independent_reader, kind=kind),
        check_structure=partial(check_structure, kind=kind),
        words=_WORDS,
        restorable=False,
        render=partial(render, kind=kind),
        pictures=partial(open_pictures, kind=kind),
    )


FORMATS: Final = (
    _format("png", "PNG", ("image/png", "image/apng"), (".png", ".apng")),
    _format("jpeg", "JPEG", ("image/jpeg", "image/pjpeg"), (".jpg", ".jpeg", ".jpe", ".jfif")),
    _format("webp", "WebP", ("image/webp",), (".webp",)),
    _format("tiff", "TIFF", ("image/tiff",), (".tif", ".tiff")),
    _format("gif", "GIF", ("image/gif",), (".gif",)),
    _format("bmp", "BMP", ("image/bmp", "image/x-ms-bmp"), (".bmp", ".dib")),
    *((_format("heic", "HEIC", ("image/heic", "image/heif"), (".heic", ".heif")),) if available() else ()),
)
"""The registrations."""
