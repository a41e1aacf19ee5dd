"""The register: what anonify can read.  Adding a format is one package and one line here.

The upload allow-list, the file picker, refusal texts, quota units, command-line help and docs derive from it.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from pathlib import PurePath
from typing import Final

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from .format import Format, Head
from .model import Pages
from .pictures import Pictures

__all__ = ["SNIFF_BYTES", "by_extension", "by_kind", "formats", "pictures_of", "recognise", "reported_words"]

SNIFF_BYTES: Final = 64 * 1024
"""How much of the beginning and end of a file a sniffer is given."""


@cache
def formats() -> tuple[Format, ...]:
    """Every format, in the order they are shown."""
    from . import archive, docx, eml, image, mbox, pdf, pptx, rtf, table, text, xlsx

    return (
        pdf.FORMAT,
        docx.FORMAT,
        xlsx.FORMAT,
        pptx.FORMAT,
        table.CSV,
        table.TSV,
        rtf.FORMAT,
        text.FORMAT,
        eml.FORMAT,
        mbox.FORMAT,
        archive.FORMAT,
        *image.FORMATS,
    )


def by_kind(kind: str) -> Format:
    """The format called `kind`.

    Raises:
        FatalError: `unsupported-type`.
    """
    for form in formats():
        if form.kind == kind:
            return form
    raise FatalError(Code.UNSUPPORTED_TYPE)


def pictures_of(
    kind: str, source: Source, model: Pages | None = None, original: Source | None = None
) -> AbstractContextManager[Pictures]:
    """The pages of `source`, a file of `kind`, as pixels.

    Args:
        model: the file's pages.
        original: the file itself, when `source` is what was made of it.

    Raises:
        FatalError: `unsupported-type` when the kind has no pictures; on entering it, what its format raises.
    """
    opener = by_kind(kind).pictures
    if opener is None:
        raise FatalError(Code.UNSUPPORTED_TYPE)
    return opener(source, model, original)


def reported_words() -> frozenset[str]:
    """Every fixed identifier that formats report.  All formats': one may hold files of another."""
    return frozenset().union(*({form.kind, *form.words} for form in formats()))


def by_extension(filename: str) -> Format | None:
    """The format a file's name hints at, or None."""
    lowered = filename.lower()
    return next((form for form in formats() if lowered.endswith(form.extensions)), None)


STRONG: Final = 0.5
"""Scores above this come from a signature; at or below, the bytes fit but fit other kinds as well."""

PLAIN: Final = frozenset({"", ".txt", ".text", ".log", ".md", ".asc"})
"""Names under which text that is no other format is read as plain text.  `.html` or `.json` hold escapes that a plain
reader would not see through, so they are refused until they have a format of their own."""

OTHERS: Final = frozenset(
    (
        *(".xls", ".xlsb", ".ppt", ".pps", ".doc", ".odt"),
        *(".ods", ".odp", ".msg", ".html", ".htm"),
        *(".heic", ".heif"),
    )
)
"""Names that promise a kind there is no format for yet.  Bytes of a kind there is one for contradict them."""


def recognise(source: Source, filename: str) -> Format:
    """The format of `source`: bytes decide, the name only breaks ties between kinds the bytes fit equally.

    Raises:
        FatalError: `empty-file`; `extension-mismatch` when the bytes are surely of another known kind than the name
            says, or of no known kind under a known name; `unsupported-type` when nothing claims the bytes.
    """
    if source.size == 0:
        raise FatalError(Code.EMPTY_FILE)
    head = Head(source.read(0, SNIFF_BYTES), source.read(max(0, source.size - SNIFF_BYTES), SNIFF_BYTES), source)
    scores = {form.kind: form.sniff(head) for form in formats()}
    best = max(formats(), key=lambda form: scores[form.kind])
    named = by_extension(filename)
    fits = 0.0 if named is None else scores[named.kind]
    if named is not None and fits > 0 and (scores[best.kind] <= STRONG or fits == scores[best.kind]):
        return named
    if scores[best.kind] > STRONG:
        if named not in (None, best) or (named is None and PurePath(filename).suffix.lower() in OTHERS):
            raise FatalError(Code.EXTENSION_MISMATCH)
        return best
    if named is not None:
        raise FatalError(Code.EXTENSION_MISMATCH)
    if scores[best.kind] > 0 and PurePath(filename).suffix.lower() in PLAIN:
        return by_kind("txt")
    raise FatalError(Code.UNSUPPORTED_TYPE)
