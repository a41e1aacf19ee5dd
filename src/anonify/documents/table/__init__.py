"""Delimited tables (RFC 4180 and its relatives), edited cell by cell in the source's bytes."""

from anonify.documents.format import Format, Head
from anonify.documents.text.coding import ENCODING_NOTES
from anonify.documents.text.detect import looks_like_text

from .extract import DIALECT_NOTES, extract_csv, extract_tsv
from .redact import redact_csv, redact_tsv
from .verify import CHECKS, independent_reader, own_reader, same_shape

__all__ = ["CSV", "TSV"]


def _sniff(head: Head) -> float:
    return 0.2 if looks_like_text(head.first) else 0.0


_WORDS = frozenset((*CHECKS, *DIALECT_NOTES, *ENCODING_NOTES))

CSV = Format(
    kind="csv",
    label="Comma-separated table",
    mime_types=("text/csv",),
    extensions=(".csv",),
    unit="cells",
    sniff=_sniff,
    extract=extract_csv,
    redact=redact_csv,
    own_reader=own_reader("csv"),
    independent_reader=independent_reader("csv"),
    check_structure=same_shape("csv"),
    words=_WORDS,
)

TSV = Format(
    kind="tsv",
    label="Tab-separated table",
    mime_types=("text/tab-separated-values",),
    extensions=(".tsv", ".tab"),
    unit="cells",
    sniff=_sniff,
    extract=extract_tsv,
    redact=redact_tsv,
    own_reader=own_reader("tsv"),
    independent_reader=independent_reader("tsv"),
    check_structure=same_shape("tsv"),
    words=_WORDS,
)
