"""Pictures written into content streams (ISO 32000-2, 8.9.7): the text their bytes spell, once decoded."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any, Final

import pikepdf

from .objects import ERRORS, name_text

__all__ = ["inline_texts"]

_PICTURE: Final = re.compile(rb"(?<![^\s\0])BI(?=[\s\0/])(.{0,8192}?)[\s\0>\])]ID[\s\0]", re.DOTALL)
_END: Final = re.compile(rb"[\s\0>]EI(?=[\s\0]|\Z)")
_RUNS: Final = (re.compile(rb"[\x20-\x7e]{4,}"), re.compile(rb"[\x20-\x7e\xa0-\xff]{4,}"))
_APART: Final = " \ufffd "
_LONG: Final = {
    "/A85": "/ASCII85Decode",
    "/AHx": "/ASCIIHexDecode",
    "/Fl": "/FlateDecode",
    "/LZW": "/LZWDecode",
    "/RL": "/RunLengthDecode",
}
"""Filters by their short names; those of compressed pictures stay, their bytes are read as they are."""


def inline_texts(content: bytes) -> Iterator[str]:
    """Letters that the pictures in `content` spell, other bytes between them left out."""
    place = 0
    while match := _PICTURE.search(content, place):
        end = _END.search(content, match.end() - 1)
        stop = end.start() + 1 if end is not None else len(content)
        place = end.end() if end is not None else len(content)
        for data in _readings(match[1], content[match.end() : stop]):
            for run in _RUNS:
                yield _APART.join(found.decode("latin-1") for found in run.findall(data))


def _readings(given: bytes, data: bytes) -> Iterator[bytes]:
    """The bytes as they stand, decoded, and both without the zeros of wide characters."""
    readings = [data]
    # Without a filter, or with one that does not undo, nobody sees more than the bytes.
    with contextlib.suppress(*ERRORS):
        readings.append(_decoded(pikepdf.Object.parse(b"<<" + given + b">>"), data))
    for reading in readings:
        yield reading
        if b"\0" in reading:
            yield reading.replace(b"\0", b"")


def _decoded(entries: Any, data: bytes) -> bytes:
    filters = entries.get("/F", entries.get("/Filter"))
    listed = list(filters) if isinstance(filters, pikepdf.Array) else [filters]
    names = [name_text(name) for name in listed]
    kept = [_LONG.get(name, name) for name in names]
    while kept and kept[-1] not in _LONG.values():
        kept.pop()
    if not kept:
        return b""
    parms = entries.get("/DP", entries.get("/DecodeParms"))
    given = list(parms) if isinstance(parms, pikepdf.Array) else [parms]
    with pikepdf.new() as scratch:
        stream = pikepdf.Stream(scratch, b"")
        stream.write(data, filter=pikepdf.Array([pikepdf.Name(name) for name in kept]))
        plain = [item if isinstance(item, pikepdf.Dictionary) else None for item in given[: len(kept)]]
        if any(item is not None for item in plain):
            stream.DecodeParms = pikepdf.Array([*plain, *[None] * (len(kept) - len(plain))])
        return bytes(stream.read_bytes(pikepdf.StreamDecodeLevel.specialized))
