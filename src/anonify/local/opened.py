"""A file as a normalized document, read in the sandbox, without database or server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from anonify.closing import Closing
from anonify.local.files import FileSource

if TYPE_CHECKING:
    from anonify.documents import Extraction, Page, Sheet
    from anonify.sandbox import Pool
    from anonify.storage import Spool

__all__ = ["NormalizedDocument", "open_document"]


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


def open_document(pool: Pool, path: Path) -> NormalizedDocument:
    """Recognise and read a file in the sandbox.

    Raises:
        FatalError: why it cannot be read, as a code of docs/failures.md.
    """
    from anonify.documents.tasks import EXTRACT, SNIFF, ExtractArgs, SniffArgs
    from anonify.storage import Spool

    with FileSource(path) as source:
        name = path.name.encode("utf-8", "replace").decode("utf-8")
        kind = pool.run(SNIFF, SniffArgs(name), sources={"source": source}).kind
        spool = Spool()
        try:
            extracted = pool.run(EXTRACT, ExtractArgs(kind), sources={"source": source}, sinks={"model": spool})
            spool.finish()
        except BaseException:
            spool.close()
            raise
    return NormalizedDocument(kind, extracted.extraction, tuple(extracted.lengths), spool)
