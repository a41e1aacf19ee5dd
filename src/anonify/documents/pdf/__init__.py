"""PDF (ISO 32000): read with PDFium, rebuilt page by page, swept and rewritten with qpdf."""

from typing import Final

from ..format import Format
from .extract import NOTES, extract, render
from .opening import sniff
from .picture import open_pictures
from .redact import redact, redact_recognised
from .structure import check_structure
from .verify import independent_reader, own_reader

__all__ = ["FORMAT"]

FORMAT: Final = Format(
    kind="pdf",
    label="PDF",
    mime_types=("application/pdf", "application/x-pdf"),
    extensions=(".pdf",),
    unit="pages",
    sniff=sniff,
    extract=extract,
    redact=redact,
    redact_recognised=redact_recognised,
    own_reader=own_reader,
    independent_reader=independent_reader,
    check_structure=check_structure,
    restorable=False,
    words=frozenset(
        (
            *(
                "annotations",
                "attachments",
                "bookmarks",
                "destinations",
                "form-fields",
                "hidden-text",
                "javascript",
                "layers",
                "metadata",
            ),
            *(
                "annotation",
                "attachment",
                "binary",
                "content",
                "image-metadata",
                "signature",
                "stray-page",
                "structure",
            ),
            *("revisions", "text-stream", "thumbnail", "unreadable-page", "xfa", *NOTES),
            *("same-pages", "same-sizes", "same-text", "same-places"),
            *("uniform-boxes", "no-unreferenced", "sound", "one-revision"),
        )
    ),
    render=render,
    pictures=open_pictures,
)
"""The registration."""
