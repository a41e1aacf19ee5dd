"""Whether bytes are a workbook."""

from __future__ import annotations

from typing import Final

from anonify.documents.docx.sniff import is_encrypted, open_package
from anonify.documents.format import Head
from anonify.documents.ooxml.package import Package
from anonify.documents.ooxml.zip import Archive
from anonify.errors import FatalError

__all__ = ["is_workbook", "open_package", "sniff"]

_MAIN_TYPES: Final = (
    "spreadsheetml.sheet.main",
    "spreadsheetml.template.main",
    "ms-excel.sheet.macro",
    "ms-excel.template.macro",
    "ms-excel.addin.macro",
)
_OTHER_TYPES: Final = (
    "wordprocessingml",
    "presentationml",
    "ms-word",
    "ms-powerpoint",
    "ms-visio",
    "ms-excel.sheet.binary",
)
_NAMESPACE: Final = b"/spreadsheetml/"


def sniff(head: Head) -> float:
    """How sure it is that the bytes are a workbook, by what the package's main part is.

    An encrypted package counts as much as for any other Office format: nobody can see what is inside.
    """
    if is_encrypted(head.source, head.first):
        return 0.9
    if not head.first.startswith(b"PK") and b"PK\x05\x06" not in head.last:
        return 0.0
    try:
        return _judge(Package(Archive(head.source)))
    except FatalError:
        return _resembles(head)


def is_workbook(package: Package) -> bool:
    """Whether a package is a workbook.

    Raises:
        FatalError: it is no package.
    """
    return _judge(package) > 0


def _resembles(head: Head) -> float:
    """A damaged or hostile archive is refused by the extractor, with a better reason, if it was meant for it."""
    seen = head.first + head.last
    if not head.first.startswith(b"PK\x03\x04") or any(name in seen for name in (b"word/", b"ppt/", b"mimetype")):
        return 0.0
    if b"xl/" in seen or b"xl\\" in seen:
        return 0.9
    return 0.4 if b"[Content_Types].xml" in seen or b"_rels/" in seen else 0.0


def _judge(package: Package) -> float:
    main = package.main
    declared = package.content_type(main)
    if any(kind in declared for kind in _MAIN_TYPES):
        return 0.98
    if any(kind in declared for kind in _OTHER_TYPES):
        return 0.0
    entry = package.archive.get(main)
    start = package.archive.head(entry, 8192).replace(b"\0", b"") if entry else b""
    return 0.9 if _NAMESPACE in start else 0.0
