"""Opening a PDF with both readers, repairing what either of them can.

PDFium reads text and draws; qpdf (through pikepdf) holds the objects.  The two must agree on the number of pages, or
page numbers would mean different things to the redactor and to its reader.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import pikepdf
import pypdfium2 as pdfium

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source, SourceFile

from ..format import Head

__all__ = [
    "MAX_OBJECTS",
    "MAX_PAGES",
    "Opened",
    "open_drawn",
    "open_objects",
    "open_pdf",
    "open_pdfium",
    "opens_whole",
    "sniff",
    "stream_of",
]

MAX_PAGES: Final = 20_000
"""Pages above which a file is refused."""

MAX_OBJECTS: Final = 2_000_000
"""Indirect objects above which a file is refused."""

MAX_REPAIR: Final = 512 << 20
"""Largest file that is repaired through memory, in bytes."""

_BLOCK: Final = 1 << 14
"""Bytes qpdf reads ahead.  It goes back and forth between an object and the next one: more would be read in vain."""


def sniff(head: Head) -> float:
    """A PDF says so within its first KiB (ISO 32000-2, annex I), even when it was cut off later."""
    return 1.0 if b"%PDF-" in head.first[:1024] else 0.0


@dataclass(slots=True)
class Opened:
    """A PDF as both readers see it.

    Attributes:
        objects: qpdf's view, to be changed and saved.
        drawn: PDFium's view, to be read and rendered.
        pages: how many pages both count.
    """

    objects: pikepdf.Pdf
    drawn: Any
    pages: int


def stream_of(source: Source) -> io.BufferedReader:
    """`source` as a file for qpdf."""
    return io.BufferedReader(SourceFile(source), _BLOCK)


def open_objects(stream: Any) -> pikepdf.Pdf:
    """qpdf's view of `stream`.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`.
    """
    try:
        pdf = pikepdf.open(stream, suppress_warnings=True)
        count = len(pdf.pages)
    except pikepdf.PasswordError:
        raise FatalError(Code.ENCRYPTED) from None
    except (pikepdf.PikepdfError, ValueError, RuntimeError, TypeError, LookupError, AttributeError, EOFError):
        raise FatalError(Code.MALFORMED) from None
    except RecursionError:
        raise FatalError(Code.TOO_COMPLEX) from None
    if count > MAX_PAGES or len(pdf.objects) > MAX_OBJECTS:
        pdf.close()
        raise FatalError(Code.TOO_COMPLEX, pages=count)
    if count == 0:
        pdf.close()
        raise FatalError(Code.MALFORMED)
    if "/Size" not in pdf.trailer:
        # qpdf corrects the number when it writes, but only where there is one; without it the file does not open.
        pdf.trailer["/Size"] = len(pdf.objects) + 1
    return pdf


def open_pdfium(stream: Any) -> Any:
    """PDFium's view of `stream`, with its form fields ready to be drawn.  It reads what it needs, a little at a time.

    Raises:
        FatalError: `encrypted` or `malformed`.
    """
    try:
        document = pdfium.PdfDocument(stream)
        document.init_forms()
    except pdfium.PdfiumError as error:
        code = getattr(error, "err_code", None)
        raise FatalError(Code.ENCRYPTED if code == pdfium.raw.FPDF_ERR_PASSWORD else Code.MALFORMED) from None
    return document


def _rewritten(pdf: pikepdf.Pdf) -> io.BytesIO:
    """The file as qpdf would write it, for PDFium where it could not read the original."""
    buffer = io.BytesIO()
    try:
        pdf.save(buffer)
    except (pikepdf.PikepdfError, RuntimeError, ValueError):
        raise FatalError(Code.MALFORMED) from None
    buffer.seek(0)
    return buffer


def _rewritten_by_pdfium(document: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    try:
        document.save(buffer)
    except (pdfium.PdfiumError, RuntimeError, ValueError):
        raise FatalError(Code.MALFORMED) from None
    buffer.seek(0)
    return buffer


def _objects_or_repaired(source: Source) -> tuple[pikepdf.Pdf, io.BytesIO | None]:
    """qpdf's view, and the mended file when the original could not be read as it is."""
    try:
        pdf = open_objects(stream_of(source))
        return _settled(pdf) if pdf.get_warnings() and source.size <= MAX_REPAIR else (pdf, None)
    except FatalError as error:
        if error.code is not Code.MALFORMED or source.size > MAX_REPAIR:
            raise
    document = open_pdfium(SourceFile(source))
    try:
        mended = _rewritten_by_pdfium(document)
    finally:
        document.close()
    return open_objects(io.BytesIO(mended.getvalue())), mended


def _settled(pdf: pikepdf.Pdf) -> tuple[pikepdf.Pdf, io.BytesIO]:
    """A file that qpdf had to mend, written and read once more: what it made up while reading may not last."""
    with pdf:
        mended = _rewritten(pdf)
        return open_objects(io.BytesIO(mended.getvalue())), mended


def _pdfium_for(source: Source, pdf: pikepdf.Pdf, mended: io.BytesIO | None) -> Any:
    """PDFium's view of the same objects: of a mended file, the mended one, or the two would differ in what is lost."""
    pages = len(pdf.pages)
    try:
        document = open_pdfium(SourceFile(source) if mended is None else mended)
        if len(document) == pages and (mended is None or opens_whole(document)):
            return document
        document.close()
    except FatalError as error:
        if error.code is Code.ENCRYPTED:
            raise
    if source.size > MAX_REPAIR:
        raise FatalError(Code.MALFORMED)
    document = open_pdfium(_rewritten(pdf))
    if len(document) != pages:
        document.close()
        raise FatalError(Code.MALFORMED, pages=pages)
    return document


def opens_whole(document: Any) -> bool:
    """Whether every page of PDFium's `document` opens.  What one reader has mended, it may not be able to use."""
    try:
        for number in range(len(document)):
            document.get_page_size(number)
    except pdfium.PdfiumError:
        return False
    return True


@contextmanager
def open_drawn(source: Source) -> Iterator[Any]:
    """PDFium's view alone, of the file as it is: no more of it is read than what is asked for.

    A file whose cross references are damaged is opened as :func:`open_pdf` does, so that both see the same pages.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`.
    """
    document = _sound_document(source)
    if document is None:
        with open_pdf(source) as opened:
            yield opened.drawn
        return
    try:
        yield document
    finally:
        document.close()


def _sound_document(source: Source) -> Any | None:
    """PDFium's view of a file that nobody has to repair; None of any other."""
    try:
        document = open_pdfium(SourceFile(source))
    except FatalError as error:
        if error.code is Code.ENCRYPTED:
            raise
        return None
    if len(document) > 0 and pdfium.raw.FPDF_DocumentHasValidCrossReferenceTable(document.raw):
        return document
    document.close()
    return None


@contextmanager
def open_pdf(source: Source) -> Iterator[Opened]:
    """Open `source` with both readers; an empty user password is tried where one is asked for.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`.
    """
    pdf, mended = _objects_or_repaired(source)
    try:
        document = _pdfium_for(source, pdf, mended)
        try:
            yield Opened(pdf, document, len(pdf.pages))
        finally:
            document.close()
    finally:
        pdf.close()
