"""Metadata that stays on request: what holds no accepted value and shows no picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from PIL import Image

from ..matching import Matcher
from .text import texts

__all__ = ["Kept", "kept_metadata", "tiff_texts"]

_EXIF: Final = 34665
_GPS: Final = 34853
_NEVER: Final = frozenset((274, 330, 513, 514, 34675, 37500, 40965, _EXIF, _GPS))
"""Tags that do not stay: how the picture is turned (it is upright now), places of pictures, the maker's own notes,
which nobody can read for sure."""

_TIFF_TEXTS: Final = (269, 270, 271, 272, 285, 305, 306, 315, 316, 33432)
_PICTURES: Final = (b"xmpGImg", b"Thumbnail", b"Orientation", b"HasExtendedXMP")
"""What an XMP packet must not hold: pictures of the page as it was, or how to turn it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is written back.

    Attributes:
        tiff: text tags of a TIFF directory.
    """

    exif: bytes = b""
    xmp: bytes = b""
    texts: tuple[tuple[str, str], ...] = ()
    comment: bytes = b""
    tiff: tuple[tuple[int, str], ...] = ()


def kept_metadata(info: dict[Any, Any], kind: str, values: tuple[str, ...]) -> Kept:
    """What of a picture's `info` stays, without whatever holds one of `values`."""
    matcher = Matcher(values)

    def clean(data: bytes) -> bool:
        return not any(map(matcher.found, texts(data)))

    xmp = info.get("xmp") or info.get("XML:com.adobe.xmp") or b""
    xmp = xmp.encode() if isinstance(xmp, str) else xmp
    if not isinstance(xmp, bytes) or any(mark in xmp for mark in _PICTURES) or not clean(xmp):
        xmp = b""
    comment = info.get("comment") or b""
    comment = comment.encode() if isinstance(comment, str) else comment
    words = tuple(
        (name, str(value))
        for name, value in (info.items() if kind == "png" else ())
        if isinstance(name, str) and isinstance(value, str) and name != "XML:com.adobe.xmp"
        if "\n" not in name and not name.startswith("Raw profile") and clean(f"{name} {value}".encode())
    )
    return Kept(
        exif=_exif(info.get("exif"), clean),
        xmp=xmp,
        texts=words,
        comment=comment if isinstance(comment, bytes) and clean(comment) else b"",
        tiff=tuple((tag, text) for tag, text in info.get("tiff texts", ()) if clean(text.encode())),
    )


def tiff_texts(tags: Any) -> list[tuple[int, str]]:
    """The text tags of a TIFF directory."""
    return [(tag, str(tags[tag])) for tag in _TIFF_TEXTS if tag in tags]


def _exif(data: Any, clean: Any) -> bytes:
    if not isinstance(data, bytes) or not data:
        return b""
    before, after = Image.Exif(), Image.Exif()
    try:
        before.load(data)
        _copy(dict(before), after, clean)
        for pointer in (_EXIF, _GPS):
            inner = before.get_ifd(pointer)
            if inner:
                _copy(inner, after.get_ifd(pointer), clean)
        return after.tobytes() if len(after) or after.get_ifd(_EXIF) or after.get_ifd(_GPS) else b""
    except (ValueError, LookupError, TypeError, OSError, SyntaxError, ArithmeticError, AttributeError):
        return b""


def _copy(tags: dict[int, Any], into: Any, clean: Any) -> None:
    for tag, value in tags.items():
        if tag in _NEVER:
            continue
        data = value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
        if clean(data):
            into[tag] = value
