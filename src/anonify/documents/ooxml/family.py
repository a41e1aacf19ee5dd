"""What an Office package is: by its main part, and when that cannot be read, by what it was meant to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from anonify.documents.format import Head
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source

from .package import Package
from .zip import Archive

__all__ = ["Family", "is_encrypted", "open_package"]

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM: Final = "EncryptedPackage".encode("utf-16-le")
_FOLDERS: Final = ("word", "xl", "ppt")


@dataclass(frozen=True, slots=True)
class Family:
    """One of the Office applications' kinds of package.

    Attributes:
        main_types: parts of the content types its main part may declare.
        other_types: parts of those that make it another kind.
        namespace: what the main part's namespace holds, for packages whose types say nothing.
        folder: where its parts lie by custom.
    """

    main_types: tuple[str, ...]
    other_types: tuple[str, ...]
    namespace: bytes
    folder: str

    def sniff(self, head: Head) -> float:
        """How sure it is that the bytes are of this family.

        An encrypted package counts, an OLE compound file with a stream `EncryptedPackage` ([MS-OFFCRYPTO] 2.3.4.4), as
        much as for any other family: nobody can see what is inside.
        """
        if is_encrypted(head.source, head.first):
            return 0.9
        if not head.first.startswith(b"PK") and b"PK\x05\x06" not in head.last:
            return 0.0
        try:
            return self._judge(Package(Archive(head.source)))
        except FatalError:
            return self._resembles(head)

    def holds(self, package: Package) -> bool:
        """Whether a package is of this family.

        Raises:
            FatalError: it is no package.
        """
        return self._judge(package) > 0

    def _judge(self, package: Package) -> float:
        main = package.main
        declared = package.content_type(main)
        if any(kind in declared for kind in self.main_types):
            return 0.98
        if any(kind in declared for kind in self.other_types):
            return 0.0
        entry = package.archive.get(main)
        start = package.archive.head(entry, 8192).replace(b"\0", b"") if entry else b""
        return 0.9 if self.namespace in start else 0.0

    def _resembles(self, head: Head) -> float:
        """A damaged or hostile archive is refused by the extractor, with a better reason, if it was meant for it."""
        seen = head.first + head.last
        others = (f"{folder}/".encode() for folder in _FOLDERS if folder != self.folder)
        if not head.first.startswith(b"PK\x03\x04") or b"mimetype" in seen or any(name in seen for name in others):
            return 0.0
        if any(self.folder.encode() + slash in seen for slash in (b"/", b"\\")):
            return 0.9
        return 0.4 if b"[Content_Types].xml" in seen or b"_rels/" in seen else 0.0


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
