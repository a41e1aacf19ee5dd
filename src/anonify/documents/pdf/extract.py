"""Pages, words and glyph boxes of a PDF, and what it holds beside its pages."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pikepdf
import pypdfium2 as pdfium
from PIL.Image import Image

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source, iter_chunks

from ..format import ExtractOptions, RenderOptions
from ..model import Box, Extraction, HiddenContent, Page, PageSink, Section, Span
from .bombs import check_decodes, check_page, content_parts, may_fill_patterns
from .clean import is_signature
from .encode import is_grey
from .marks import marks_of
from .objects import ERRORS, sub_dictionary
from .opening import open_drawn, open_pdf
from .pages import form_lines
from .paint import picture, scale_for
from .picture import tiles_of
from .read import PageText, loaded, read_page, words_of
from .shown import ShownReader
from .unseen import has_hidden_layers, unseen_words
from .xfa import refuse_dynamic

__all__ = ["NOTES", "draws_nothing", "extract", "render"]

OCR_BELOW: Final = 16
"""A page with fewer characters than this is a picture to be read by OCR."""

NOTES: Final = ("restricted", "signed", "xfa")
"""What a reviewer may be told about a file."""


def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """Write every page of `source` and say what the document is.

    Raises:
        FatalError: `malformed`, `encrypted` or `too-complex`.
    """
    with open_pdf(source) as opened:
        refuse_dynamic(opened.objects)
        if opened.pages > options.max_pages:
            raise FatalError(Code.TOO_COMPLEX, pages=opened.pages)
        marks: Counter[str] = Counter()
        reader = ShownReader()
        layered = has_hidden_layers(opened.objects)
        pictures: list[int] = []
        for number, page in enumerate(opened.objects.pages, 1):
            check_page(page.obj)
            check_decodes(page.obj)
            try:
                with loaded(opened.drawn, number, flat=True) as flat:
                    text = read_page(flat)
                    read = _page(number, text, page.obj, reader, marks)
                    tiles = tiles_of(flat, patterns=may_fill_patterns(page.obj))
                    marks["hidden-text"] += unseen_words(flat, text.geometry, read.spans, tiles, layered=layered)
                    if read.needs_ocr or tiles:
                        pictures.append(number)
            except (pdfium.PdfiumError, ValueError):
                if not draws_nothing(page.obj):
                    raise FatalError(Code.MALFORMED, page=number) from None
                read = Page(number, "")
            sink.page(read)
        notes = sorted(set(_notes(opened.objects)))
        hidden = Counter(marks) + Counter(dict(_hidden(opened.objects))) + Counter(_revisions(source))
        return Extraction(
            opened.pages,
            opened.pages,
            hidden=tuple(HiddenContent(kind, count) for kind, count in sorted(hidden.items())),
            notes=tuple(notes),
            pictures=tuple(pictures),
        )


def render(source: Source, page: int, options: RenderOptions) -> bytes:
    """PNG of one page as displayed.

    Raises:
        FatalError: `malformed` when there is no such page or it cannot be drawn.
    """
    with open_drawn(source) as document:
        if not 1 <= page <= len(document):
            raise FatalError(Code.MALFORMED, page=page)
        try:
            with loaded(document, page, flat=False) as drawn:
                width, height = drawn.get_size()
                image = picture(drawn, scale_for(width, height, options.scale, options.max_pixels))
        except (pdfium.PdfiumError, ValueError, MemoryError):
            raise FatalError(Code.MALFORMED, page=page) from None
        buffer = io.BytesIO()
        _plain(image).save(buffer, format="PNG", compress_level=3)
        return buffer.getvalue()


def _plain(image: Image) -> Image:
    """`image` in grey when it has no colour: half the bytes in half the time."""
    return image.getchannel(0) if is_grey(image) else image


def _page(number: int, read: PageText, page: Any, reader: ShownReader, counts: Counter[str]) -> Page:
    spans = list(_spans(number, read))
    pieces, length = [read.text], len(read.text)
    sections = []
    if "/Annots" in page:
        found = marks_of(page, read.geometry, reader)
        for mark in found:
            if mark.kind not in ("/Link", "/Popup"):
                counts["form-fields" if mark.kind == "/Widget" else "annotations"] += 1
        for mark, line in form_lines(found, read.text):
            start = length + (1 if length else 0)
            pieces.append(line)
            length = start + len(line)
            style = "form-field" if mark.kind == "/Widget" else "annotation"
            # A note's own place shows nothing of its text: without a box nothing is painted for it.
            place = mark.box if mark.drawn else None
            spans.append(Span(f"page#{number}a{mark.number}", start, length, place, None, style))
            sections.append(Section(style, start, length))
    text = "\n".join(piece for piece in pieces if piece)
    return Page(
        number,
        text,
        tuple(spans),
        round(read.geometry.width, 2),
        round(read.geometry.height, 2),
        tuple(sections),
        needs_ocr=len("".join(text.split())) < OCR_BELOW,
    )


def draws_nothing(page: Any) -> bool:
    """Whether a page that cannot be loaded has nothing to show, so that nothing is lost with it."""
    try:
        return "/Annots" not in page and not any(part.read_bytes().strip() for part in content_parts(page))
    except ERRORS:
        return False


def _spans(number: int, read: PageText) -> Iterator[Span]:
    left, top, right, bottom = read.word_columns()
    boxes = tuple(map(Box, left, top, right, bottom))
    first = 0
    for word in words_of(read.text):
        last = first + word.end - word.start
        box = Box(min(left[first:last]), min(top[first:last]), max(right[first:last]), max(bottom[first:last]))
        yield Span(f"page#{number}w{word.number}", word.start, word.end, box, boxes[first:last])
        first = last


def _notes(pdf: pikepdf.Pdf) -> Iterator[str]:
    root = pdf.Root
    form = root.get("/AcroForm")
    if isinstance(form, pikepdf.Dictionary):
        if "/XFA" in form:
            yield "xfa"
        if _signed(form):
            yield "signed"
    if "/Perms" in root:
        yield "signed"
    if pdf.is_encrypted:
        yield "restricted"


def _signed(form: Any) -> bool:
    """Whether the form says that it is signed, or a field holds a signature."""
    flags = form.get("/SigFlags", 0)
    if isinstance(flags, int) and flags & 1:
        return True
    seen: set[tuple[int, int]] = set()
    stack = [form]
    while stack:
        field = stack.pop()
        value = field.get("/V")
        if isinstance(value, pikepdf.Dictionary) and is_signature(value):
            return True
        below = field.get("/Kids", field.get("/Fields"))
        for item in below if isinstance(below, pikepdf.Array) else ():
            if isinstance(item, pikepdf.Dictionary) and item.objgen not in seen:
                seen.add(item.objgen)
                stack.append(item)
    return False


def _hidden(pdf: pikepdf.Pdf) -> Iterator[tuple[str, int]]:
    root = pdf.Root
    try:
        yield "attachments", len(pdf.attachments)
        layers = root.get("/OCProperties")
        if isinstance(layers, pikepdf.Dictionary):
            yield "layers", len(layers.get("/OCGs", []))
        info = pdf.trailer.get("/Info")
        metadata = len(list(info.keys())) if isinstance(info, pikepdf.Dictionary) else 0
        yield "metadata", metadata + ("/Metadata" in root)
        names = root.get("/Names")
        scripts = isinstance(names, pikepdf.Dictionary) and "/JavaScript" in names
        yield "javascript", int(scripts) + ("/OpenAction" in root and "/JS" in sub_dictionary(root, "/OpenAction"))
        yield "destinations", _named_places(pdf)
        yield "bookmarks", max(0, int(sub_dictionary(root, "/Outlines").get("/Count", 0)))
    except ERRORS:
        return


def _named_places(pdf: pikepdf.Pdf) -> int:
    """How many places of the file have a name of their own (ISO 32000-2, 12.3.2.4)."""
    old, new = pdf.Root.get("/Dests"), sub_dictionary(pdf.Root, "/Names").get("/Dests")
    count = len(old.keys()) if isinstance(old, pikepdf.Dictionary) else 0
    return count + (len(pikepdf.NameTree(new)) if isinstance(new, pikepdf.Dictionary) else 0)


def _revisions(source: Source) -> dict[str, int]:
    """How many earlier states the file still holds: one a further end mark."""
    count, tail = 0, b""
    for chunk in iter_chunks(source):
        data = tail + chunk
        count += data.count(b"%%EOF")
        tail = data[-4:]
    return {"revisions": count - 1} if count > 1 else {}
