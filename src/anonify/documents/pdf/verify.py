"""The two verifying readers of a PDF."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any, Final

import pikepdf
import pypdfium2 as pdfium

from anonify.errors import AnonifyError, Code, FatalError
from anonify.sandbox.source import BytesSource, Source

from ..format import Piece
from ..matching.fold import sound
from ..plan import RedactionPlan
from .coded import CodedFinder
from .codes import string_texts
from .names import STANDARD
from .objects import ERRORS, entries, filters, unpredicted
from .opening import open_objects, open_pdf, stream_of
from .pictures import coded_bytes, is_coded, picture_notes
from .read import loaded, read_page
from .shown import ShownReader, inherited, loose_text, page_contents

__all__ = ["independent_reader", "own_reader"]

_LETTERS: Final = re.compile(rb"[\t\x20-\x7e\xa0-\xff]{4,}")
_APART: Final = " \ufffd "
"""Between runs of letters that other bytes stand between: no value reaches over it."""

_WIDE: Final = (re.compile(rb"(?:\x00[\x20-\x7e]){4,}"), re.compile(rb"(?:[\x20-\x7e]\x00){4,}"))


def own_reader(source: Source, _plan: RedactionPlan) -> Iterator[Piece]:
    """Every page's text as PDFium reads it, as it is and with annotations and fields drawn in; bookmarks; Info.

    Raises:
        FatalError: `malformed` when a page does not open: nobody could say what it holds.
    """
    with open_pdf(source) as opened:
        for number in range(1, opened.pages + 1):
            for flat in (False, True):
                try:
                    with loaded(opened.drawn, number, flat=flat) as page:
                        yield _piece(f"page {number}", read_page(page).text)
                except pdfium.PdfiumError:
                    raise FatalError(Code.MALFORMED, page=number) from None
        for bookmark in opened.drawn.get_toc():
            yield _piece("outline", bookmark.get_title() or "")
        for value in opened.drawn.get_metadata_dict().values():
            yield _piece("metadata", value)


def independent_reader(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Every string, name and decoded stream of every object, and what content streams show, by qpdf alone."""
    pdf = open_objects(stream_of(source))
    try:
        reader = ShownReader()
        contents = page_contents(pdf)
        coded = CodedFinder(plan.values)
        spelt = _Spelt(plan)
        for holder in pdf.objects:
            place = f"object {holder.objgen[0]}" if isinstance(holder, pikepdf.Object) else "object"
            yield from _strings(holder, place)
            if isinstance(holder, pikepdf.Stream):
                yield from _stream(holder, place, reader, spelt, content=holder.objgen in contents)
        for number, page in enumerate(pdf.pages, 1):
            shown = reader.read(page.obj, inherited(page.obj, "/Resources"))
            for text in shown.texts:
                yield _piece(f"page {number}", text)
            for value in sorted(coded.find(shown.data)):
                yield Piece(f"page {number} codes", plan.values[value])
        yield from _strings(pdf.trailer, "trailer")
    finally:
        pdf.close()


def _piece(place: str, text: str) -> Piece:
    return Piece(place, sound(text))


def _strings(holder: Any, place: str) -> Iterator[Piece]:
    stack: list[Any] = [holder]
    while stack:
        value = stack.pop()
        if isinstance(value, pikepdf.String):
            for text in string_texts(bytes(value)):
                yield _piece(place, text)
        elif isinstance(value, pikepdf.Name):
            name = bytes(value).decode("utf-8", "replace")
            if name not in STANDARD:
                yield from _name(place, name)
        elif isinstance(value, pikepdf.Array):
            stack += [item for item in value if not _elsewhere(item)]
        elif isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
            for key, item in entries(value):
                if len(key) > 4 and key not in STANDARD:
                    yield from _name(place, key)
                if not _elsewhere(item):
                    stack.append(item)


def _name(place: str, name: str) -> Iterator[Piece]:
    """A name has no spaces: other characters stand for them."""
    yield _piece(place, name[1:])
    if "_" in name or "." in name:
        yield _piece(place, re.sub(r"[_.]+", " ", name[1:]))


def _elsewhere(value: Any) -> bool:
    return isinstance(value, pikepdf.Object) and value.is_indirect


class _Spelt:
    """What the bytes of pictures and of encoded streams spell."""

    def __init__(self, plan: RedactionPlan) -> None:
        self.plan = plan
        self._samples = CodedFinder(plan.values, 4)
        self._encoded = CodedFinder(plan.values, 8)

    def samples(self, data: bytes, place: str) -> Iterator[Piece]:
        """Of bytes that somebody may read as they are."""
        for stretch, start in self._samples.around(data):
            yield from _readings(stretch, start, place)

    def encoded(self, data: bytes, place: str) -> Iterator[Piece]:
        """Of deflated bytes: a short value is spelled by chance."""
        for stretch, start in self._encoded.around(data):
            yield from _readings(stretch, start, place)


def _readings(stretch: bytes, start: int, place: str) -> Iterator[Piece]:
    """Bytes of no text are no letters that would continue a value."""
    yield _piece(place, stretch.decode("ascii", "replace"))
    yield _piece(place, stretch[start:].decode("latin-1"))
    yield _piece(place, stretch[start:].decode("utf-8", "replace"))
    for codec in ("utf-16-be", "utf-16-le"):
        yield _piece(place, stretch[start:].decode(codec, "replace"))


def _stream(stream: Any, place: str, reader: ShownReader, spelt: _Spelt, *, content: bool) -> Iterator[Piece]:
    if stream.get("/Type") in ("/ObjStm", "/XRef"):
        return  # their objects are visited themselves
    try:
        if filters(stream) != ("",):
            yield from spelt.encoded(stream.read_raw_bytes(), place)
        if is_coded(stream):
            coded = coded_bytes(stream)
            for note in picture_notes(coded):
                yield from _bytes(note, place)
            yield from spelt.samples(coded, place)
            return
        data = stream.read_bytes(pikepdf.StreamDecodeLevel.specialized)
    except ERRORS:
        try:
            data = stream.read_raw_bytes()
        except ERRORS:
            return
    if stream.get("/Subtype") == "/Image":
        yield from spelt.samples(data, place)
        yield from spelt.encoded(unpredicted(stream), place)
        return
    form = stream.get("/Subtype") == "/Form" or "/PatternType" in stream or "/Resources" in stream
    if not content and not form:
        yield from _bytes(data, place)
        if _looks_like_a_file(data):
            yield from _inner(data, place, spelt.plan)
        return
    yield _piece(place, loose_text(data))
    if form:
        for text in reader.texts(stream, stream.get("/Resources")):
            yield _piece(place, text)


def _looks_like_a_file(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04") or b"%PDF-" in data[:1024]


def _inner(data: bytes, place: str, plan: RedactionPlan) -> Iterator[Piece]:
    """A file in the file, by its own kind's independent reader."""
    from ..register import recognise

    source = BytesSource(data)
    # A file that does not open shows nobody more than its bytes, which were read.
    with contextlib.suppress(AnonifyError, OSError, *ERRORS):
        for piece in recognise(source, "").independent_reader(source, plan):
            yield Piece(f"{place} {piece.place}", piece.text)


def _bytes(data: bytes, place: str) -> Iterator[Piece]:
    """Text in bytes of unknown meaning: as UTF-8, or letters among other bytes, narrow and wide."""
    try:
        text = data.decode("utf-8")
        if text.count("\0") * 4 < len(text) or not text:
            yield _piece(place, text)
            if "<" in text:
                yield _piece(place, re.sub(r"<[^>]*>", " ", text))
            return
    except UnicodeDecodeError:
        pass
    yield _piece(place, _APART.join(run.decode("latin-1") for run in _LETTERS.findall(data)))
    for pattern, codec in zip(_WIDE, ("utf-16-be", "utf-16-le"), strict=True):
        yield _piece(place, _APART.join(run.decode(codec) for run in pattern.findall(data)))
