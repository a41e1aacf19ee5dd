"""ZIP archives of documents (PKWARE APPNOTE): each file a document, put together again from redacted ones."""

from anonify.documents.format import Format

from .expand import expand, extract, sniff, unpack
from .rebuild import redact, redact_parts
from .verify import check_structure, independent_reader, own_reader

__all__ = ["FORMAT"]

FORMAT = Format(
    kind="zip",
    label="ZIP archive",
    mime_types=("application/zip", "application/x-zip-compressed"),
    extensions=(".zip",),
    unit="kib",
    sniff=sniff,
    extract=extract,
    redact=redact,
    own_reader=own_reader,
    independent_reader=independent_reader,
    check_structure=check_structure,
    words=frozenset(("archive-entry", "same-entries", "same-enclosures")),
    container=True,
    expand=expand,
    unpack=unpack,
    redact_parts=redact_parts,
)
