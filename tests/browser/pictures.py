"""Pictures of pages for the manual: light and dark at 1440, light at 390 wide, as small WebP files.

Written only when asked for: `pytest tests/browser -m browser --pictures`.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from PIL import Image

__all__ = ["LOOKS", "Look", "Taker"]

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "pictures"

QUALITY: Final = 82


class Look(NamedTuple):
    """How a page is looked at."""

    name: str
    scheme: str
    width: int
    height: int


LOOKS: Final = (
    Look("light", "light", 1440, 900),
    Look("dark", "dark", 1440, 900),
    Look("phone", "light", 390, 844),
)

Taker = Callable[[Any, str], None]
"""Takes a page and a name; writes `docs/pictures/<name>-<look>.webp` for each look, or does nothing when not asked."""


def take(page: Any, name: str) -> None:
    """Write the pictures of what the page shows now; afterwards the page is as it was."""
    before = page.viewport_size
    FOLDER.mkdir(exist_ok=True)
    for look in LOOKS:
        page.emulate_media(color_scheme=look.scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": look.width, "height": look.height})
        page.evaluate("document.fonts.ready")
        picture = Image.open(io.BytesIO(page.screenshot()))
        picture.convert("RGB").save(FOLDER / f"{name}-{look.name}.webp", quality=QUALITY, method=6)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    page.set_viewport_size(before)
