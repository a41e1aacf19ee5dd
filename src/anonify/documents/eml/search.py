"""Whether an accepted value stands in bytes nobody can read: in any encoding, in compressed layers too."""

from __future__ import annotations

import bz2
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from anonify.documents.matching import Matcher, PageFinder
from anonify.documents.plan import RedactionPlan
from anonify.documents.text.coding import coding
from anonify.documents.text.strangers import Strangers
from anonify.errors import AnonifyError
from anonify.sandbox.source import BytesSource

__all__ = ["Searcher", "layers"]

_HELD: Final = 64 << 20
"""Bytes of an attachment that is opened to look into it; a larger one is searched as it stands."""

_UNPACKED: Final = 64 << 20
"""Bytes that come out of one compressed layer at most."""

_DEPTH: Final = 3
_ENTRIES: Final = 1_000
_STEP: Final = 1 << 20
_LEGIBLE: Final = re.compile(rb"[\t\n\r\x20-\x7e\xa0\xad\xc2]{4,}")
"""ASCII, and no-break spaces and soft hyphens in Latin-1 and in UTF-8."""


class Searcher:
    """The values of a plan, ready to be looked for."""

    def __init__(self, values: Sequence[str]) -> None:
        self.values = tuple(values)
        self.matcher = Matcher(self.values)
        self.finder = PageFinder(self.values)
        self._strangers: dict[str, Strangers] = {}
        self._ascii = all(value.isascii() for value in self.values)

    def text_of(self, data: bytes) -> str:
        """Bytes as text; of ASCII values only where ASCII stands, since noise is slow to compare and tells nothing."""
        if not self._ascii:
            return data.decode("latin-1")
        return " | ".join(piece.decode("latin-1") for piece in _LEGIBLE.findall(data))

    def strangers(self, codec: str) -> Strangers:
        """What finds the values in other encodings than `codec`."""
        if codec not in self._strangers:
            self._strangers[codec] = Strangers(self.values, coding(codec))
        return self._strangers[codec]

    @cached_property
    def _overlap(self) -> int:
        return max(self.matcher.reach, 4 * self.strangers("latin-1").longest)

    def in_bytes(self, data: bytes) -> bool:
        """Whether a value stands in `data` as it is."""
        for start in range(0, max(1, len(data)), _STEP):
            piece = data[max(0, start - self._overlap) : start + _STEP]
            if self.matcher.found(self.text_of(piece)):
                return True
            if next(self.strangers("latin-1").find(piece), None) is not None:
                return True
        return False

    def holds(self, chunks: Iterable[bytes], name: str = "") -> bool:
        """Whether an attachment holds a value: as it stands, in what is packed in it, as the document it may be."""
        if not self.values:
            return False
        held = bytearray()
        tail = b""
        for chunk in chunks:
            if self.in_bytes(tail + chunk):
                return True
            tail = (tail + chunk)[-self._overlap :] if self._overlap else b""
            if len(held) <= _HELD:
                held += chunk
        if len(held) > _HELD:
            return False
        data = bytes(held)
        return any(self.in_bytes(layer) for layer in layers(data)) or self._in_document(data, name)

    def _in_document(self, data: bytes, name: str) -> bool:
        from anonify.documents.register import recognise

        try:
            form = recognise(BytesSource(data), name)
        except AnonifyError:
            return False
        try:
            return any(self.matcher.found(piece.text) for piece in form.own_reader(BytesSource(data), RedactionPlan()))
        except (AnonifyError, ValueError, OSError, LookupError):
            return True  # it cannot be looked into, so nobody knows


def layers(data: bytes, depth: int = 0) -> Iterator[bytes]:
    """What is packed in `data`, and in that."""
    if depth >= _DEPTH:
        return
    for inner in _unpacked(data):
        yield inner
        yield from layers(inner, depth + 1)


def _unpacked(data: bytes) -> Iterator[bytes]:
    for magic, opener in _OPENERS:
        if data.startswith(magic):
            try:
                yield opener(data)
            except (zlib.error, OSError, ValueError, lzma.LZMAError, EOFError):
                continue
    if data.startswith(b"PK\x03\x04"):
        yield from _zipped(data)


def _zipped(data: bytes) -> Iterator[bytes]:
    room = _UNPACKED
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            for info in package.infolist()[:_ENTRIES]:
                yield info.filename.encode("utf-8", "replace") + b"\n" + info.comment
                with package.open(info) as entry:
                    inner = entry.read(room)
                room -= len(inner)
                yield inner
                if room <= 0:
                    return
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, zlib.error, EOFError, KeyError):
        return


def _inflated(window: int) -> Callable[[bytes], bytes]:
    return lambda data: zlib.decompressobj(window).decompress(data, _UNPACKED)


_OPENERS: Final[tuple[tuple[bytes, Callable[[bytes], bytes]], ...]] = (
    (b"\x1f\x8b", _inflated(31)),
    (b"\x78\x01", _inflated(15)),
    (b"\x78\x9c", _inflated(15)),
    (b"\x78\xda", _inflated(15)),
    (b"BZh", lambda data: bz2.BZ2Decompressor().decompress(data, _UNPACKED)),
    (b"\xfd7zXZ", lambda data: lzma.LZMADecompressor(memlimit=128 << 20).decompress(data, _UNPACKED)),
)
