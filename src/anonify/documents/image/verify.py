"""The two verifying readers of a picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from anonify.sandbox.source import Source

from ..format import Piece
from ..plan import RedactionPlan
from .layout import layout_of
from .opening import open_picture
from .text import texts

__all__ = ["independent_reader", "own_reader"]

_CHUNK: Final = 1 << 20
_OVERLAP: Final = 1 << 13
"""Bytes that neighbouring pieces of a long stretch share: more than the longest value takes in any coding."""


def own_reader(source: Source, _plan: RedactionPlan, kind: str) -> Iterator[Piece]:
    """Everything the decoder says beside the pixels; every frame is decoded, so a broken one raises."""
    with open_picture(source, kind, strict=True) as picture:
        for number in range(1, picture.pages + 1):
            picture.frame(number)
            for key, value in list(picture.info.items()):
                for text in _said(value):
                    yield Piece(f"page {number} info", f"{key} {text}")


def _said(value: Any) -> Iterator[str]:
    if isinstance(value, bytes):
        yield from texts(value)
    elif isinstance(value, dict):
        for inner in (*value, *value.values()):
            yield from _said(inner)
    elif isinstance(value, (list, tuple)) and len(value) < 1000:
        for inner in value:
            yield from _said(inner)
    elif value is not None:
        yield str(value)


def independent_reader(source: Source, _plan: RedactionPlan, kind: str) -> Iterator[Piece]:
    """Every byte that codes no pixel, as text in every coding, and what stands in several pieces put together.

    Walks the bytes itself; nothing is decoded, and nothing is shared with the writer.
    """
    layout = layout_of(kind, source)
    for start, end in layout.gaps():
        for place in range(start, end, _CHUNK):
            data = source.read(place, min(_CHUNK + _OVERLAP, end - place))
            for text in texts(data):
                yield Piece(f"bytes {place}", text)
    for name, data in layout.joined:
        for text in texts(data):
            yield Piece(name, text)
