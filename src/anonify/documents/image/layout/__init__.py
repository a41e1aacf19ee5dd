"""Where the bytes of a picture file lie: pixels, and everything else.

One walker a format, on bytes alone.  What is written is put together without any of this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from . import bmp, gif, heif, jpeg, png, riff, tiff
from .base import Layout

__all__ = ["Layout", "layout_of"]

_WALKERS: Final[dict[str, Callable[[Source], Layout]]] = {
    "png": png.walk,
    "jpeg": jpeg.walk,
    "webp": riff.walk,
    "tiff": tiff.walk,
    "gif": gif.walk,
    "bmp": bmp.walk,
    "heic": heif.walk,
}


def layout_of(kind: str, source: Source) -> Layout:
    """Walk `source` as `kind`.

    Raises:
        FatalError: `malformed` when it is not even the beginning of one.
    """
    try:
        return _WALKERS[kind](source)
    except (ValueError, LookupError, OverflowError):
        raise FatalError(Code.MALFORMED) from None
