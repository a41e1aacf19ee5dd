"""What stays unread because nobody asked for it."""

from __future__ import annotations

from collections.abc import Sequence

from anonify.documents import ModelReader

from .pipeline import Reading

__all__ = ["leaves_out"]


def leaves_out(reading: Reading, pages: Sequence[int]) -> bool:
    """Whether pictures among text stay unread: those on `pages`, and those that are pages of an Office file."""
    if reading.options.pictures:
        return False
    model = ModelReader(reading.model, reading.lengths)
    return any(page.picture or not page.needs_ocr for page in map(model.page, pages))
