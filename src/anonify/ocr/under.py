"""Pictures without the text that is drawn across them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anonify.documents import Box, Pictures

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["bare_of"]


def bare_of(pictures: Pictures, page: int, scale: float, box: Box) -> Image | None:
    """What is under `box` without text, or None where that looks no different."""
    bare = pictures.bare(page, scale, box)
    return None if bare is None or bare.tobytes() == pictures.picture(page, scale, box).tobytes() else bare
