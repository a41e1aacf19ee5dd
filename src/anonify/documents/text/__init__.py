"""Plain text in any encoding, edited by ranges of the source's bytes."""

from anonify.documents.format import Format, Head

from .coding import ENCODING_NOTES
from .detect import looks_like_text
from .extract import extract
from .redact import redact
from .verify import check_structure, independent_reader, own_reader

__all__ = ["FORMAT"]


def _sniff(head: Head) -> float:
    return 0.3 if looks_like_text(head.first) else 0.0


FORMAT = Format(
    kind="txt",
    label="Plain text",
    mime_types=("text/plain",),
    extensions=(".txt", ".text", ".log"),
    unit="kib",
    sniff=_sniff,
    extract=extract,
    redact=redact,
    own_reader=own_reader,
    independent_reader=independent_reader,
    check_structure=check_structure,
    words=frozenset(("invisible-characters", "same-mark", "same-line-ends", *ENCODING_NOTES)),
)
