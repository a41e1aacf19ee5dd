"""A file as a normalized document, read in the sandbox, without database or server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from anonify.closing import Closing
from anonify.local.files import FileSource

if TYPE_CHECKING:
    from anonify.documents import Extraction, Page, Sheet
    from anonify.ocr import OcrOptions
    from anonify.sandbox import Source, TaskRunner
    from anonify.storage import Spool

__all__ = ["NormalizedDocument", "open_document", "open_source", "recognised"]


class NormalizedDocument(Closing):
    """A file's pages, sheets and facts.  Pages are read when they are asked for.

    Attributes:
        kind: the file's format.
        extraction: what the extractor says about the whole document.
        lengths: length in bytes of every page of the model.
    """

    def __init__(self, kind: str, extraction: Extraction, lengths: tuple[int, ...], spool: Spool) -> None:
        from anonify.documents import ModelReader

        self.kind = kind
        self.extraction = extraction
        self.lengths = lengths
        self.spool = spool
        self._reader = ModelReader(spool, lengths)

    @property
    def pages(self) -> Iterator[Page]:
        """The pages, one at a time."""
        return iter(self._reader)

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The grids, in order."""
        return self.extraction.sheets

    def page(self, number: int) -> Page:
        """Page `number`, from 1.

        Raises:
            IndexError: there is no such page.
        """
        return self._reader.page(number)

    def __len__(self) -> int:
        return len(self._reader)

    def close(self) -> None:
        """Lose the pages."""
        self.spool.close()


def open_document(pool: TaskRunner, path: Path, ocr: OcrOptions, slots: int = 1) -> NormalizedDocument:
    """Recognise and read a file in the sandbox, its pictures included.

    Args:
        ocr: how pictures are read.
        slots: pages that are read at once.

    Raises:
        FatalError: why it cannot be read, as a code of docs/failures.md.
    """
    with FileSource(path) as source:
        name = path.name.encode("utf-8", "replace").decode("utf-8")
        return open_source(pool, source, recognised(pool, source, name), ocr, slots)


def recognised(pool: TaskRunner, source: Source, name: str) -> str:
    """The kind of what `source` holds, which is called `name`.

    Raises:
        FatalError: it is of no kind that can be read.
    """
    from anonify.documents.tasks import SNIFF, SniffArgs

    return pool.run(SNIFF, SniffArgs(name), sources={"source": source}).kind


def open_source(pool: TaskRunner, source: Source, kind: str, ocr: OcrOptions, slots: int = 1) -> NormalizedDocument:
    """As :func:`open_document`, of bytes known to be of `kind`.  A container has no pages."""
    from anonify.documents import Extraction, by_kind
    from anonify.documents.tasks import EXTRACT, ExtractArgs
    from anonify.storage import Spool

    spool = Spool()
    try:
        if by_kind(kind).container:
            spool.finish()
            return NormalizedDocument(kind, Extraction(pages=0, units=0), (), spool)
        extracted = pool.run(EXTRACT, ExtractArgs(kind), sources={"source": source}, sinks={"model": spool})
        spool.finish()
        document = NormalizedDocument(kind, extracted.extraction, tuple(extracted.lengths), spool)
        if by_kind(kind).pictures is None or not extracted.extraction.pictures:
            return document
        with document:
            return _with_pictures(pool, source, document, ocr, slots)
    except BaseException:
        spool.close()
        raise


def _with_pictures(
    pool: TaskRunner, source: Source, document: NormalizedDocument, ocr: OcrOptions, slots: int
) -> NormalizedDocument:
    import msgspec

    from anonify.ocr import Reading, recognise_document
    from anonify.storage import Spool

    reading = Reading(pool, document.kind, source, document.spool, document.lengths, ocr, slots)
    spool = Spool()
    try:
        lengths, unread = recognise_document(reading, document.extraction.pictures, spool, Spool)
        spool.finish()
    except BaseException:
        spool.close()
        raise
    extraction = msgspec.structs.replace(document.extraction, unread=unread)
    return NormalizedDocument(document.kind, extraction, tuple(lengths), spool)
