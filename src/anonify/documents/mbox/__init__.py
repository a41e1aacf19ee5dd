"""Mailboxes (mbox, RFC 4155): split into messages, and put together again from redacted ones."""

from anonify.documents.format import Format

from .expand import expand, extract, sniff, unpack
from .independent import independent_reader
from .rebuild import redact, redact_parts
from .verify import check_structure, own_reader

__all__ = ["FORMAT"]

FORMAT = Format(
    kind="mbox",
    label="Mailbox",
    mime_types=("application/mbox",),
    extensions=(".mbox", ".mbx"),
    unit="kib",
    sniff=sniff,
    extract=extract,
    redact=redact,
    own_reader=own_reader,
    independent_reader=independent_reader,
    check_structure=check_structure,
    words=frozenset(("message", "envelope-line", "same-messages", "same-enclosures")),
    container=True,
    expand=expand,
    unpack=unpack,
    redact_parts=redact_parts,
)
