"""Reading what a run has stored: the sealed source, the model, page images."""

from __future__ import annotations

import array
import sys
from collections.abc import Sequence
from typing import Final

import msgspec

from anonify.database import DocumentRow
from anonify.documents import Extraction, ModelReader, RenderOptions, Sheet, Source, by_kind
from anonify.documents.tasks import RENDER, RenderArgs
from anonify.errors import Code, FatalError
from anonify.ocr import Reading
from anonify.sandbox import MemorySink, read_all
from anonify.storage import DataKey, ObjectMissing, ObjectStore, open_sealed

from .objects import folder, put_once
from .services import Services

__all__ = [
    "data_key",
    "open_extraction",
    "open_model",
    "open_source",
    "open_texts",
    "pack_lengths",
    "page_image",
    "read_extraction",
    "reading",
    "stored_extraction",
    "unpack_lengths",
]

MAX_IMAGE: Final = 64 << 20
SCALES: Final = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
"""Scales an image is made in: asked-for ones are rounded up, so that a cache stays small."""


def data_key(services: Services, row: DocumentRow) -> DataKey:
    """The key that seals everything of a document."""
    return services.keys.unwrap(row.wrapped_key)


def open_source(services: Services, row: DocumentRow) -> Source:
    """The sealed original.

    Raises:
        FatalError: `missing-upload` when there is none (yet).
    """
    return _open(services, row, row.source_handle)


def open_model(services: Services, row: DocumentRow) -> ModelReader:
    """The document's pages.

    Raises:
        FatalError: `internal-state` when it has not been extracted.
    """
    return ModelReader(*open_texts(services, row))


def open_texts(services: Services, row: DocumentRow) -> tuple[Source, tuple[int, ...]]:
    """The same pages as a sandbox task takes them: all in one source, and the length of each in bytes.

    Raises:
        FatalError: `internal-state` when it has not been extracted.
    """
    if row.model_handle is None or row.model_index is None:
        raise FatalError(Code.INTERNAL_STATE)
    return _open(services, row, row.model_handle), tuple(unpack_lengths(row.model_index))


def reading(services: Services, row: DocumentRow) -> Reading | None:
    """Where and how the document's pictures are read, or None when its kind has none.

    Raises:
        FatalError: `internal-state` when it has not been extracted.
    """
    if row.kind is None or by_kind(row.kind).pictures is None:
        return None
    model, lengths = open_texts(services, row)
    source, slots = open_source(services, row), services.settings.cpu_concurrency
    return Reading(services.pool, row.kind, source, model, lengths, services.ocr, slots)


def _open(services: Services, row: DocumentRow, handle: str | None) -> Source:
    if handle is None:
        raise FatalError(Code.MISSING_UPLOAD)
    store, key = services.stores.resolve(handle)
    return open_sealed(store, key, data_key(services, row))


# The extraction.  Header cells are content, so the row does not keep them: they are read from the model.


def stored_extraction(extraction: Extraction) -> str:
    """What the row keeps of an extraction: everything but the texts of header cells."""
    sheets = tuple(msgspec.structs.replace(sheet, header=()) for sheet in extraction.sheets)
    return msgspec.json.encode(msgspec.structs.replace(extraction, sheets=sheets)).decode()


def read_extraction(row: DocumentRow) -> Extraction:
    """The extraction without the header texts of its sheets.

    Raises:
        FatalError: `internal-state` when the document has not been extracted.
    """
    if row.extraction is None:
        raise FatalError(Code.INTERNAL_STATE)
    return msgspec.json.decode(row.extraction, type=Extraction)


def open_extraction(services: Services, row: DocumentRow) -> Extraction:
    """The extraction, header texts of its sheets included.

    Raises:
        FatalError: `internal-state` when the document has not been extracted.
    """
    extraction = read_extraction(row)
    if all(sheet.header_row is None for sheet in extraction.sheets):
        return extraction
    model = open_model(services, row)
    sheets = tuple(_with_header(sheet, model) for sheet in extraction.sheets)
    return msgspec.structs.replace(extraction, sheets=sheets)


def _with_header(sheet: Sheet, model: ModelReader) -> Sheet:
    if sheet.header_row is None:
        return sheet
    for number in range(sheet.first_page, sheet.first_page + sheet.pages):
        page = model.page(number)
        start = 0
        for row in page.rows:
            if row.number == sheet.header_row:
                return msgspec.structs.replace(sheet, header=_cells(page.text, start, row.lengths))
            start += sum(row.lengths) + len(row.lengths)
    return sheet


def _cells(text: str, start: int, lengths: Sequence[int]) -> tuple[str, ...]:
    cells = []
    for length in lengths:
        cells.append(text[start : start + length])
        start += length + 1
    return tuple(cells)


def pack_lengths(lengths: Sequence[int]) -> bytes:
    """Page lengths as 32-bit little endian numbers: the column `model_index`."""
    packed = array.array("I", lengths)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def unpack_lengths(data: bytes) -> list[int]:
    """What :func:`pack_lengths` packed."""
    packed = array.array("I")
    packed.frombytes(data)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tolist()


# Images


def page_image(services: Services, row: DocumentRow, page: int, scale: float = 2.0) -> bytes:
    """PNG bytes of a page as the exporter sees it; made once for a scale and kept sealed under `render/`.

    Args:
        page: from 1.
        scale: pixels a page unit; rounded up to one of a few steps.

    Raises:
        FatalError: `unsupported-type` when the kind or the page has no picture; `missing-upload` when the document has
            no source; `internal-state` when there is no such page.
    """
    if row.kind is None or row.source_handle is None:
        raise FatalError(Code.MISSING_UPLOAD)
    if not 1 <= page <= (row.pages or 0):
        raise FatalError(Code.INTERNAL_STATE)
    scale = next((step for step in SCALES if step >= scale), SCALES[-1])
    store, key = services.stores.default, f"{folder(row.id)}render/{page}x{scale:g}.bin"
    cached = _cached(store, key, data_key(services, row))
    if cached is not None:
        return cached
    sink = MemorySink()
    sources: dict[str, Source] = {"source": open_source(services, row)}
    lengths: tuple[int, ...] = ()
    if by_kind(row.kind).render is None:
        sources["model"], lengths = open_texts(services, row)
    services.pool.run(
        RENDER,
        RenderArgs(row.kind, page, RenderOptions(scale=scale), lengths),
        sources=sources,
        sinks={"image": sink},
    )
    image = sink.getvalue()
    put_once(store, key, data_key(services, row), image)
    return image


def _cached(store: ObjectStore, key: str, sealing: DataKey) -> bytes | None:
    try:
        return read_all(open_sealed(store, key, sealing), MAX_IMAGE)
    except ObjectMissing:
        return None
