"""Pages that would grow without bound when read, or are damaged, told before any reader touches them."""

from __future__ import annotations

import re
import zlib
from typing import Any, Final

import pikepdf

from anonify.errors import Code, FatalError

from .objects import ERRORS, entries, filters
from .shown import inherited, key_text

__all__ = ["check_decodes", "check_page", "content_parts", "may_fill_patterns"]

MAX_CONTENT: Final = 256 << 20
"""Decoded bytes of one content stream."""

MAX_DRAWN: Final = 1_000_000
"""Forms that one page may draw, forms within forms counted each time."""

_SMALL: Final = 1 << 17
"""Encoded bytes that cannot grow beyond :data:`MAX_CONTENT` through one filter."""

_CHUNK: Final = 1 << 20
_DO: Final = re.compile(rb"(/[^\0\s()<>\[\]{}/%]+)\s+Do\b")


def check_page(page: Any) -> None:
    """Look at the content of `page` and the forms it draws.

    Raises:
        FatalError: `too-complex`.
    """
    for part in content_parts(page):
        _check_size(part)
    forms = _forms(inherited(page, "/Resources"))
    if any(_forms(form.get("/Resources")) for _, form in forms):
        drawn = _Drawn()
        if sum(drawn.times(form, 0) for _, form in forms) > MAX_DRAWN:
            raise FatalError(Code.TOO_COMPLEX)
    else:
        for _, form in forms:
            _check_size(form)


def check_decodes(page: Any) -> None:
    """See that the content of `page` decodes to its end: what a reader shows of it may otherwise be half of it.

    A stream that merely ends early is what every reader takes it for, and passes.

    Raises:
        FatalError: `malformed`.
    """
    for part in content_parts(page):
        try:
            part.read_bytes()
        except pikepdf.DataDecodingError:
            raise FatalError(Code.MALFORMED) from None
        except ERRORS:
            continue  # a filter qpdf has not


def content_parts(page: Any) -> list[Any]:
    """The streams that are the content of `page`."""
    contents = page.get("/Contents")
    parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    return [part for part in parts if isinstance(part, pikepdf.Stream)]


def may_fill_patterns(page: Any) -> bool:
    """Whether `page`, or a form it draws, has patterns to fill its paths with; forms within forms are not asked."""
    resources = inherited(page, "/Resources")
    holders = [resources, *(form.get("/Resources") for _, form in _forms(resources))]
    return any(isinstance(holder, pikepdf.Dictionary) and "/Pattern" in holder for holder in holders)


def _forms(resources: Any) -> list[tuple[str, Any]]:
    group = resources.get("/XObject") if isinstance(resources, pikepdf.Dictionary) else None
    if not isinstance(group, pikepdf.Dictionary):
        return []
    return [
        (key, child)
        for key, child in entries(group)
        if isinstance(child, pikepdf.Stream) and child.get("/Subtype") == "/Form"
    ]


class _Drawn:
    """How many forms drawing a form draws."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], int] = {}

    def times(self, form: Any, depth: int) -> int:
        """1 and those inside, at most one more than :data:`MAX_DRAWN`; a form inside itself counts once."""
        key = form.objgen
        if key in self._known or depth > 64:
            return self._known.get(key, 1)
        self._known[key] = 1
        _check_size(form)
        inside = dict(_forms(form.get("/Resources")))
        total = 1
        if inside:
            try:
                names = [key_text(name) for name in _DO.findall(form.read_bytes())]
            except ERRORS:
                names = []
            for name in names:
                if name in inside and total <= MAX_DRAWN:
                    total += self.times(inside[name], depth + 1)
        self._known[key] = total
        return total


def _check_size(stream: Any) -> None:
    kinds = filters(stream)
    wrapped = sum(kind in ("/FlateDecode", "/Fl") for kind in kinds)
    if not wrapped or wrapped < len(kinds):
        return
    try:
        length = int(stream.get("/Length", 0))
        if wrapped == 1 and length <= _SMALL:
            return
        data = stream.read_raw_bytes()
    except ERRORS:
        return
    for _ in range(wrapped - 1):
        data = _inflated(data)
    if _size(data) > MAX_CONTENT:
        raise FatalError(Code.TOO_COMPLEX)


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, MAX_CONTENT)
    except zlib.error:
        return b""


def _size(data: bytes) -> int:
    """Decoded bytes, counted no further than needed."""
    inflater = zlib.decompressobj()
    size = 0
    try:
        while data and size <= MAX_CONTENT:
            size += len(inflater.decompress(data, _CHUNK))
            data = inflater.unconsumed_tail
    except zlib.error:
        pass
    return size
