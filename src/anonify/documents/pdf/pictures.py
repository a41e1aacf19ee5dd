"""Picture streams: what they say beside the picture, and bytes of the picture itself that spell a value."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, Final

import pikepdf
from PIL import Image

from .objects import ERRORS, filters
from .segments import NOTE, PICTURE, parts_of
from .spelled import Spelled

__all__ = ["clean_picture", "coded_bytes", "is_coded", "picture_notes"]

_CODED: Final = frozenset({"/DCTDecode", "/JPXDecode", "/JBIG2Decode", "/CCITTFaxDecode", "/DCT", "/CCF"})
"""Filters whose output only an image library makes."""

_QUALITY: Final = 95
_CORRECTED: Final = (OSError, ValueError, SyntaxError, MemoryError, Image.DecompressionBombError)


def is_coded(stream: Any) -> bool:
    """Whether the last filter of `stream` only an image library undoes."""
    return filters(stream)[-1] in _CODED


def coded_bytes(stream: Any) -> bytes:
    """The compressed picture: what is left once the filters around it (deflation, ASCII) are undone.

    Raises:
        PikepdfError: it cannot be read.
    """
    kinds = filters(stream)
    raw: bytes = stream.read_raw_bytes()
    if len(kinds) == 1:
        return raw
    with pikepdf.new() as scratch:
        outer = pikepdf.Stream(scratch, b"")
        parms = stream.get("/DecodeParms")
        given = list(parms)[: len(kinds) - 1] if isinstance(parms, pikepdf.Array) else []
        outer.write(raw, filter=pikepdf.Array([pikepdf.Name(kind) for kind in kinds[:-1]]))
        plain = [pikepdf.Dictionary(dict(item)) if isinstance(item, pikepdf.Dictionary) else None for item in given]
        if any(item is not None for item in plain):
            outer.DecodeParms = pikepdf.Array(plain)
        return outer.read_bytes()


def clean_picture(stream: Any, spelled: Spelled, *, keep_metadata: bool) -> bool:
    """Take notes out of a compressed picture, all of them or those that hold a value, and values out of its bytes.

    Returns whether anything was taken.
    """
    try:
        before = coded_bytes(stream)
    except ERRORS:
        return _unreadable(stream, spelled)
    kind = filters(stream)[-1]
    after = _without_notes(before, spelled.held, keep_metadata=keep_metadata)
    if spelled.held(after):
        again = _encoded_again(after, kind)
        after = again if again is not None and not spelled.held(again) else spelled.masked(after)
    chained = len(filters(stream)) > 1
    if after == before and not (chained and spelled.held(stream.read_raw_bytes())):
        return False
    parms = stream.get("/DecodeParms")
    if isinstance(parms, pikepdf.Array):
        parms = list(parms)[-1] if len(parms) else None
    stream.write(
        after, filter=pikepdf.Name(kind), decode_parms=parms if isinstance(parms, pikepdf.Dictionary) else None
    )
    return True


def _unreadable(stream: Any, spelled: Spelled) -> bool:
    """A chain of filters that does not decode shows nothing; its bytes may still spell a value."""
    try:
        raw = stream.read_raw_bytes()
    except ERRORS:
        raw = b""
    if not spelled.held(raw):
        return False
    stream.write(spelled.masked(raw), filter=stream.get("/Filter"), decode_parms=stream.get("/DecodeParms"))
    return True


def _without_notes(data: bytes, holds: Callable[[bytes], bool], *, keep_metadata: bool) -> bytes:
    kept = []
    for part, what in parts_of(data):
        if what == NOTE and not keep_metadata:
            continue
        if what != PICTURE and holds(part):
            continue
        kept.append(part)
    return b"".join(kept) or data


def _encoded_again(data: bytes, kind: str) -> bytes | None:
    """The same picture in other bytes, or None when that would change what it looks like."""
    form = {"/DCTDecode": "JPEG", "/DCT": "JPEG", "/JPXDecode": "JPEG2000"}.get(kind)
    if form is None:
        return None
    try:
        with Image.open(io.BytesIO(data), formats=[form]) as image:
            if image.mode not in ("L", "RGB", "CMYK")[: 3 if form == "JPEG" else 2]:
                return None
            buffer = io.BytesIO()
            more = {"quality": _QUALITY, "subsampling": 0} if form == "JPEG" else {}
            image.save(buffer, format=form, **more)
    except _CORRECTED:
        return None
    return b"".join(part for part, what in parts_of(buffer.getvalue()) if what == PICTURE)


def picture_notes(data: bytes) -> list[bytes]:
    """What a JPEG or JPEG 2000 file says beside its picture."""
    return [part for part, what in parts_of(data) if what != PICTURE]
