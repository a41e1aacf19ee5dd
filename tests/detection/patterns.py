"""What the patterns alone find: the deterministic pass, without the names model."""

from __future__ import annotations

import re

from anonify.detection.detectors import Passage
from anonify.detection.engine import Engine
from anonify.detection.hints import guess
from anonify.detection.presets import categories_of

__all__ = ["found", "secret", "unmarked"]


def found(text: str, category: str | None = None) -> list[str]:
    """Values found in `text`, in order of place, of one category or of all."""
    engine = Engine.looking_for(categories_of("everything"))
    spans = engine.scan(Passage(text, guess(text)))
    return [text[f.start : f.end] for f in spans if category in (None, f.category)]


def secret(*parts: str) -> str:
    """Tokens are put together in tests, so that no scanner of repositories takes a test for a leak."""
    return "".join(parts)


def unmarked(text: str) -> tuple[str, list[str]]:
    """A text without its marks «», and what stood between them."""
    return re.sub("[«»]", "", text), re.findall("«(.*?)»", text, re.DOTALL)
