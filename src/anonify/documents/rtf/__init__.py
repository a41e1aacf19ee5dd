"""Rich Text Format (RTF 1.9.1), edited by removing characters."""

from anonify.documents.format import Format, Head

from .extract import MAX_BYTES, extract
from .redact import redact
from .verify import check_structure, independent_reader, own_reader

__all__ = ["FORMAT"]


def _sniff(head: Head) -> float:
    return 0.95 if head.first.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(b"{\\rtf") else 0.0


FORMAT = Format(
    kind="rtf",
    label="Rich text",
    mime_types=("application/rtf", "text/rtf"),
    extensions=(".rtf",),
    unit="kib",
    sniff=_sniff,
    extract=extract,
    redact=redact,
    own_reader=own_reader,
    independent_reader=independent_reader,
    check_structure=check_structure,
    words=frozenset(
        (
            *("body", "header", "footer", "footnote", "comment", "text-box"),
            *("comments", "embedded-objects", "pictures", "metadata", "links", "bookmarks", "document-variables"),
            *("hidden-text", "picture", "embedded-object", "embedded-data", "same-paragraphs", "same-pictures"),
        )
    ),
    max_size=MAX_BYTES,
)
