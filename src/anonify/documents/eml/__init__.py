"""E-mail messages (RFC 5322, MIME): a tree of parts, edited by byte ranges of the original."""

from anonify.documents.format import Format

from .expand import expand, unpack
from .extract import HIDDEN, NOTES, extract
from .independent import independent_reader
from .redact import redact, redact_parts
from .sniff import sniff
from .verify import check_structure, own_reader

__all__ = ["FORMAT"]

FORMAT = Format(
    kind="eml",
    label="E-mail message",
    mime_types=("message/rfc822",),
    extensions=(".eml", ".email"),
    unit="kib",
    sniff=sniff,
    extract=extract,
    redact=redact,
    own_reader=own_reader,
    independent_reader=independent_reader,
    check_structure=check_structure,
    words=frozenset(
        (
            *HIDDEN,
            *NOTES,
            *("same-parts", "same-header-fields", "same-enclosures"),
            *("metadata", "checksum", "signature", "winmail", "attachment", "encrypted-part"),
        )
    ),
    expand=expand,
    unpack=unpack,
    redact_parts=redact_parts,
)
