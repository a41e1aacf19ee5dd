"""What a part of a package is, by content first, then by name and declared type."""

from __future__ import annotations

import codecs
import re
from enum import Enum, auto
from typing import Final

from anonify.errors import FatalError

from .package import Package
from .zip import Entry

__all__ = [
    "MAX_NESTING",
    "Kind",
    "classify",
    "decode_loosely",
    "is_font",
    "is_macro",
    "is_metafile",
    "is_picture",
    "is_unreadable",
]

MAX_NESTING: Final = 5
"""Packages inside packages that are opened; a deeper one is emptied."""

_MARKUP: Final = re.compile(r".*\.(?:xml|rels|vml|psmdcp|svg|xsd|xsl|xslt)", re.IGNORECASE)
_HTML: Final = re.compile(r".*\.(?:x?html?)", re.IGNORECASE)
_PLAIN: Final = re.compile(r".*\.(?:txt|text|csv|tsv|json|md|ini|log)", re.IGNORECASE)
_FOREIGN: Final = re.compile(
    r".*\.(?:rtf|mht|mhtml|eml|msg|doc|xls|ppt|dot|xlt|pot|odt|ods|odp|wps|zip|7z|rar|gz|glox)", re.IGNORECASE
)
_MACROS: Final = re.compile(r".*/(?:vbaProject\w*\.bin|vbaData\.xml)", re.IGNORECASE)
_PRINTER: Final = re.compile(r".*printerSettings[^/]*\.bin", re.IGNORECASE)
_METAFILE: Final = re.compile(r".*\.(?:emf|wmf|emz|wmz)", re.IGNORECASE)
_PICTURE: Final = re.compile(r".*\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|emz|wmz|ico|webp|wdp)", re.IGNORECASE)
_FONT: Final = re.compile(r".*\.(?:odttf|ttf|otf|fntdata)", re.IGNORECASE)
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FOREIGN_TYPES: Final = frozenset(
    (
        "application/rtf",
        "text/rtf",
        "message/rfc822",
        "multipart/related",
        "application/msword",
        "application/x-mimearchive",
    )
)
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MESSAGE: Final = re.compile(rb"\s*(?:MIME-Version|From|Content-Type|Subject|Date|Message-ID)\s*:", re.IGNORECASE)
_RTF: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\s*\\rtf")
_ENCODING: Final = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_SHIFTED: Final = re.compile(
    rb"utf-?7|csunicode11utf7|iso-?2022|hz|utf-?32|ucs-?4|cp037|cp500|ibm|ebcdic", re.IGNORECASE
)
_META_CHARSET: Final = re.compile(rb"charset\s*=\s*[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)


class Kind(Enum):
    """How a part is treated."""

    MARKUP = auto()
    HTML = auto()
    PLAIN = auto()
    PACKAGE = auto()
    FOREIGN = auto()
    PRINTER = auto()
    BINARY = auto()


def classify(package: Package, entry: Entry) -> Kind:
    """What `entry` is."""
    name = entry.name.lstrip("/")
    head = package.archive.head(entry, 512)
    try:
        content_type = package.content_type(name)
    except FatalError:  # a plain zip inside a package has no types
        content_type = ""
    if _PRINTER.fullmatch(name):
        return Kind.PRINTER
    if head.startswith(b"PK\x03\x04"):
        return Kind.PACKAGE
    if head.startswith((b"%PDF", _OLE, b"\x1f\x8b")) and not _METAFILE.fullmatch(name):
        return Kind.FOREIGN
    if content_type.lower() in _FOREIGN_TYPES or _RTF.match(head) or (_MESSAGE.match(head) and b"Content-" in head):
        return Kind.FOREIGN
    if _is_markup(name, content_type, head):
        return Kind.MARKUP
    if _HTML.fullmatch(name) or "html" in content_type:
        return Kind.HTML
    if _FOREIGN.fullmatch(name):
        return Kind.FOREIGN
    if _PLAIN.fullmatch(name) or content_type.startswith("text/"):
        return Kind.PLAIN
    if is_picture(name) or is_font(name) or not _is_text(head):
        return Kind.BINARY
    return Kind.MARKUP if head.lstrip().startswith(b"<") else Kind.PLAIN


def _is_text(head: bytes) -> bool:
    """Whether bytes begin as text does that a person could read in any editor."""
    if not head or _CONTROL.search(head):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _is_markup(name: str, content_type: str, head: bytes) -> bool:
    return (
        _MARKUP.fullmatch(name) is not None
        or (content_type.endswith(("+xml", "/xml")) and b"<" in head)
        or head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml")
        or head[:12].replace(b"\0", b"").lstrip(b"\xff\xfe").startswith(b"<?xml")
    ) and not _HTML.fullmatch(name)


def is_macro(name: str) -> bool:
    """Whether a part is a VBA project, its signature or its data."""
    return _MACROS.fullmatch(name) is not None


def is_picture(name: str) -> bool:
    """Whether a part is a picture by its name."""
    return _PICTURE.fullmatch(name) is not None


def is_metafile(name: str) -> bool:
    """Whether a part is a Windows metafile by its name."""
    return _METAFILE.fullmatch(name) is not None


def is_font(name: str) -> bool:
    """Whether a part is a font by its name."""
    return _FONT.fullmatch(name) is not None


def decode_loosely(data: bytes) -> tuple[str, str]:
    """Text of bytes of undeclared or badly declared encoding, and a codec that gives the bytes back."""
    for codec in (*_guesses(data), "utf-8", "cp1252"):
        try:
            text = data.decode(codec)
            if text.encode(codec) == data:
                return text, codec
        except (UnicodeError, LookupError):
            continue
    return data.decode("latin-1"), "latin-1"


def _guesses(data: bytes) -> list[str]:
    head = data[:1024]
    if head[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return ["utf-32-le" if head[0] else "utf-32-be"]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return ["utf-16-le" if head[0] == 0xFF else "utf-16-be"]
    for place, codec in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = head[place::2]
        if len(half) >= 4 and half.count(0) * 2 > len(half) and not head[1 - place :: 2].count(0):
            return [codec]
    declared = _META_CHARSET.search(data[:2048])
    return [declared[1].decode("ascii")] if declared else []


def is_unreadable(data: bytes) -> bool:
    """Whether markup is in an encoding that hides ASCII, declared (UTF-7, ISO 2022) or evident (EBCDIC, UTF-32)."""
    head = data[:1024]
    if head.startswith((b"\x4c\x6f\xa7\x94", b"\0\0\0<", b"<\0\0\0", b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return True
    return any(_SHIFTED.match(name) for name in _ENCODING.findall(head))
