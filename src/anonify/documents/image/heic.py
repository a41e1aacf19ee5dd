"""HEIC, where somebody has installed `pillow_heif`: the decoder's name, and how it is opened and written.

It is no dependency, not even an optional one: its wheels hold x265, which is GPL-2.0, and libheif and libde265, which
are LGPL-3.0.  Whoever installs it takes those terms.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from .frame import Frame

__all__ = ["available", "opened", "save"]

_QUALITY: Final = 90


def available() -> bool:
    """Whether HEIC can be read and written here."""
    return find_spec("pillow_heif") is not None


def opened(stream: Any) -> Any:
    """The decoder's image of `stream`, which it turns upright itself."""
    return import_module("pillow_heif").HeifImageFile(stream)


def save(frame: Frame, profile: bytes | None, out: Any) -> None:
    """Write `frame` to `out`."""
    library = import_module("pillow_heif")
    image = frame.image if frame.mode in ("L", "RGB", "RGBA") else frame.coloured().convert("RGB")
    made = library.from_pillow(image)
    made.info.clear()
    options = {} if profile is None else {"icc_profile": profile}
    made.save(out, quality=_QUALITY, exif=None, xmp=None, save_all=False, **options)
