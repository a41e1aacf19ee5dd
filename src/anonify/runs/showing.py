"""What a language model is shown of a document beside its running text: pages that are pictures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from anonify.database import DocumentRow
from anonify.documents import Page, RenderOptions, Source, by_kind
from anonify.documents.tasks import RENDER, RenderArgs
from anonify.errors import AnonifyError
from anonify.ocr.faults import is_of_page
from anonify.providers import LONGEST_SIDE, Picture
from anonify.sandbox import MemorySink

from .access import open_model, open_source, open_texts, read_extraction
from .services import Services

__all__ = ["pictures_of"]

FEW_LETTERS: Final = 16
"""Characters of text below which a page that shows a picture is one."""

MOST_BYTES: Final = 3_500_000
"""Bytes of a picture that is sent: a third more in a request, of which providers take five million."""

SMALLER: Final = 0.7
"""By how much a picture that is too heavy is drawn smaller, again and again."""

TRIES: Final = 4
"""Sizes that are tried; the last one of any picture weighs little."""


def pictures_of(services: Services, row: DocumentRow) -> list[Picture]:
    """The pages that are pictures: those of a picture file, scans, and pictures inside of office files, in order.

    A page of text with a picture on it is none, unless somebody read words in that picture.
    """
    if row.kind is None or by_kind(row.kind).pictures is None:
        return []
    model = open_model(services, row)
    pages = (model.page(number) for number in read_extraction(row).pictures)
    return list(_pictures(services, row, pages))


def _pictures(services: Services, row: DocumentRow, pages: Iterator[Page]) -> Iterator[Picture]:
    for page in pages:
        if page.width and page.height and _is_picture(page):
            draw = partial(_drawn, services, row, page.number, (LONGEST_SIDE - 1) / max(page.width, page.height))
            yield Picture(page.number, page.width, page.height, page.text, draw)


def _is_picture(page: Page) -> bool:
    few = len("".join(page.text.split())) < FEW_LETTERS
    return page.needs_ocr or bool(page.picture) or few or any(span.source == "ocr" for span in page.spans)


def _drawn(services: Services, row: DocumentRow, page: int, scale: float) -> bytes | None:
    """PNG bytes of a page at `scale` pixels a page unit, or smaller where they were too many; None when it fails."""
    for _ in range(TRIES):
        try:
            image = _rendered(services, row, page, scale)
        except AnonifyError as error:
            if not is_of_page(error):
                raise
            return None
        if len(image) <= MOST_BYTES:
            return image
        scale *= SMALLER
    return None


def _rendered(services: Services, row: DocumentRow, page: int, scale: float) -> bytes:
    sink = MemorySink()
    sources: dict[str, Source] = {"source": open_source(services, row)}
    lengths: tuple[int, ...] = ()
    if by_kind(row.kind or "").render is None:
        sources["model"], lengths = open_texts(services, row)
    options = RenderOptions(scale=scale, max_pixels=LONGEST_SIDE * LONGEST_SIDE)
    services.pool.run(
        RENDER, RenderArgs(row.kind or "", page, options, lengths), sources=sources, sinks={"image": sink}
    )
    return sink.getvalue()
