"""Places as a person is shown them: the text, and a little of what stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from anonify.documents import ModelReader, Page
from anonify.review.hits import Hit

from .describe import CONTEXT

__all__ = ["LONGEST", "shown"]

LONGEST: Final = 200
"""Code points shown of one match."""


def shown(hits: Iterable[Hit], model: ModelReader) -> Iterator[dict[str, Any]]:
    """The fields of each place (see :class:`ShownOut`); `hits` in reading order, so that every page is read once."""
    page: Page | None = None
    for hit in hits:
        if page is None or page.number != hit.page:
            page = model.page(hit.page)
        yield {
            "page": hit.page,
            "start": hit.start,
            "end": hit.end,
            "sheet": hit.sheet,
            "row": hit.row,
            "column": hit.column,
            "before": page.text[max(0, hit.start - CONTEXT) : hit.start],
            "text": hit.text[:LONGEST],
            "after": page.text[hit.end : hit.end + CONTEXT],
        }
