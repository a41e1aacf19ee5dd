"""Whether bytes are a Word document."""

from __future__ import annotations

from typing import Final

from anonify.documents.format import Head
from anonify.documents.ooxml.package import Package
from anonify.documents.ooxml.zip import Archive
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

__all__ = ["is_encrypted", "open_package", "sniff"]

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM: Final = "EncryptedPackage".encode("utf-16-le")
_MAIN_TYPES: Final = (
    "wordprocessingml.document.main",
    "wordprocessingml.template.main",
    "ms-word.document.macro",
    "ms-word.template.macro",
)
_OTHER_TYPES: Final = ("spreadsheetml", "presentationml", "ms-excel", "ms-powerpoint", "ms-visio", "drawingml")
_NAMESPACE: Final = b"/wordprocessingml/"


def sniff(head: Head) -> float:
    """How sure it is that the bytes are a Word document, by what the package's main part is.

    An encrypted package counts: an OLE compound file that holds a stream `EncryptedPackage` ([MS-OFFCRYPTO] 2.3.4.4).
    """
    if is_encrypted(head.source, head.first):
        return 0.9
    if not head.first.startswith(b"PK") and b"PK\x05\x06" not in head.last:
        return 0.0
    try:
        package = Package(Archive(head.source))
        return _judge(package)
    except FatalError:
        return _resembles(head)


def _resembles(head: Head) -> float:
    """A damaged or hostile archive is refused by the extractor, with a better reason, if it was meant for it."""
    seen = head.first + head.last
    if not head.first.startswith(b"PK\x03\x04") or any(name in seen for name in (b"xl/", b"ppt/", b"mimetype")):
        return 0.0
    if b"word/" in seen or b"word\\" in seen:
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


def is_encrypted(source: Source, first: bytes) -> bool:
    """Whether the bytes are a compound file around an encrypted package.

    The directory of a compound file names its streams in UTF-16 and lies on sector boundaries anywhere in the file.
    """
    if not first.startswith(_OLE):
        return False
    if _ENCRYPTED_STREAM in first:
        return True
    if len(first) < 52:
        return False
    sector = 1 << min(int.from_bytes(first[30:32], "little"), 12)
    start = (int.from_bytes(first[48:52], "little") + 1) * sector
    return start < source.size and _ENCRYPTED_STREAM in source.read(start, 16 * sector)


def open_package(source: Source) -> Package:
    """The package.

    Raises:
        FatalError: `encrypted`, `malformed` or `too-complex`.
    """
    if is_encrypted(source, source.read(0, 4096)):
        raise FatalError(Code.ENCRYPTED)
    return Package(Archive(source))
