"""The contract a format fulfils.  A format is one package and one registration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from anonify.sandbox.source import Sink, Source

from .enclosures import ChildPart, ExpandOptions, Expansion, Parts
from .model import Extraction, Pages, PageSink
from .pictures import Opener
from .plan import RedactionPlan, RedactionResult

__all__ = [
    "ExtractOptions",
    "Format",
    "Head",
    "Piece",
    "Reader",
    "RenderOptions",
    "StructureCheck",
]


@dataclass(frozen=True, slots=True)
class Head:
    """What a sniffer may look at.

    Attributes:
        first: the first 64 KiB of the source.
        last: the last 64 KiB.
        source: the source itself, for sniffers that must look inside (a zip's directory).
    """

    first: bytes
    last: bytes
    source: Source


class ExtractOptions(msgspec.Struct, frozen=True):
    """Limits and wishes for an extraction."""

    max_pages: int = 20_000


class RenderOptions(msgspec.Struct, frozen=True):
    """How a page image is made: pixels a page unit, capped by `max_pixels` in all."""

    scale: float = 2.0
    max_pixels: int = 40_000_000


class Piece(msgspec.Struct, frozen=True):
    """A stretch of text that a verifying reader found.

    Attributes:
        place: where, as an address without content (`word/footnotes.xml`, `page 3`, `row 17`).
        text: the decoded text.  A long stream may come in pieces that overlap by at least the longest value.
    """

    place: str
    text: str


Reader = Callable[[Source, RedactionPlan], Iterator[Piece]]
"""Reads every text of an artifact, seen or not.  Raises when the artifact does not open."""


@dataclass(frozen=True, slots=True)
class StructureCheck:
    """One comparison between source and artifact (`same-pages`, `same-parts`, `uniform-boxes`, …)."""

    name: str
    passed: bool


@dataclass(frozen=True, slots=True)
class Format:
    """One file format, whole.

    Attributes:
        kind: the format's name in code, API and screens (`txt`, `csv`, `docx`, `pdf`).
        label: for people.
        mime_types: the first is written to downloads.
        extensions: lower case, with the dot; the first is the canonical one.
        unit: what the quota charges.
        sniff: how sure the bytes are of this kind, 0.0 (not) to 1.0 (signature and structure agree).  The declared
            name is not an argument: bytes decide.  The surest format wins.
        extract: write the pages and say what the document is.  Raises `FatalError` with `malformed`, `encrypted`,
            `too-complex` or `empty-container`.
        redact: source and plan in, a new file of the same format out.  Bytes it has no reason to touch stay identical.
        own_reader: the verifying reader that shares the format's own scanner.
        independent_reader: the verifying reader that shares no code with the writer.
        check_structure: compare source and artifact.
        render: PNG bytes of one page, when the format has a picture.
        pictures: its pages as pixels, when text may stand in them that only a recogniser reads.
        redact_recognised: as `redact`, with the document's model at hand, for formats that write the recognised words
            that stay back into the file.
        container: whether it is nothing but its children: it ends `expanded` and is put together from their artifacts.
        expand: list the documents inside.  Raises `FatalError` with `malformed`, `too-complex` or `empty-container`.
        unpack: write the bytes of some of them, one after another, and yield the length of each.
        redact_parts: as `redact`, with the verified artifacts of the documents inside at hand.
        words: every fixed identifier it reports: kinds of hidden content and of named things, notes, structure checks.
            A report may hold these though somebody accepts a value that reads the same; any other text is searched.
        restorable: whether surrogates in it can be turned back into values: not where they are painted.
        max_size: bytes above which it is refused as `too-large`, or None for the installation's limit.
    """

    kind: str
    label: str
    mime_types: tuple[str, ...]
    extensions: tuple[str, ...]
    unit: Literal["pages", "cells", "slides", "kib"]
    sniff: Callable[[Head], float]
    extract: Callable[[Source, PageSink, ExtractOptions], Extraction]
    redact: Callable[[Source, Sink, RedactionPlan], RedactionResult]
    own_reader: Reader
    independent_reader: Reader
    check_structure: Callable[[Source, Source, RedactionPlan], Iterator[StructureCheck]]
    words: frozenset[str] = frozenset()
    render: Callable[[Source, int, RenderOptions], bytes] | None = None
    pictures: Opener | None = None
    redact_recognised: Callable[[Source, Sink, RedactionPlan, Pages], RedactionResult] | None = None
    container: bool = False
    expand: Callable[[Source, ExpandOptions], Expansion] | None = None
    unpack: Callable[[Source, Sequence[ChildPart], Sink], Iterator[int]] | None = None
    redact_parts: Callable[[Source, Sink, RedactionPlan, Parts], RedactionResult] | None = None
    restorable: bool = True
    max_size: int | None = None
