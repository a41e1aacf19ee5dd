"""Plain text as pages for reading.

Pages are cut at line ends, deterministically.  A span is one line, or a stretch of a very long one; its address is
`text#<byte offset of its first character>`.  Line ends become one newline each and belong to no span.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from anonify.documents.format import ExtractOptions
from anonify.documents.model import Extraction, HiddenContent, Page, PageSink, Span
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Source, iter_chunks

from .coding import Coding
from .detect import detect

__all__ = ["LINE_END", "extract"]

LINE_END: Final = re.compile(r"\r\n|\r|\n")
_PAGE: Final = 4_000
"""Code points a page holds before it is cut at the next line end; at a blank line a little earlier."""
_STRETCH: Final = 2_000
"""Code points of a line that has an address of its own."""
_CHUNK: Final = 1 << 18
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\U000e0000-\U000e007f]")


class _Stretch(NamedTuple):
    offset: int
    text: str
    ends_line: bool


def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """Write the pages of a text file."""
    coding = detect(source)
    # A page for every two thirds of the limit, so that a file of any size has pages within it.
    target = max(_PAGE, source.size * 3 // (2 * max(1, options.max_pages)))
    number = invisible = 0
    for stretches in _pages(_stretches(source, coding), target):
        number += 1
        page = _page(number, stretches)
        invisible += len(_INVISIBLE.findall(page.text))
        if number > options.max_pages:
            raise FatalError(Code.TOO_COMPLEX, pages=number)
        sink.page(page)
    if not number:
        number = 1
        sink.page(Page(1, ""))
    hidden = (HiddenContent("invisible-characters", invisible),) if invisible else ()
    return Extraction(
        pages=number, units=-(-source.size // 1024), hidden=hidden, notes=(f"encoding-{coding.name.replace('_', '-')}",)
    )


def _page(number: int, stretches: list[_Stretch]) -> Page:
    parts: list[str] = []
    spans: list[Span] = []
    start = 0
    for stretch in stretches:
        parts.append(stretch.text)
        if stretch.text:
            spans.append(Span(f"text#{stretch.offset}", start, start + len(stretch.text)))
        start += len(stretch.text)
        if stretch.ends_line:
            parts.append("\n")
            start += 1
    return Page(number, "".join(parts), tuple(spans))


def _pages(stretches: Iterator[_Stretch], target: int) -> Iterator[list[_Stretch]]:
    page: list[_Stretch] = []
    size = 0
    for stretch in stretches:
        page.append(stretch)
        size += len(stretch.text) + 1
        blank = stretch.ends_line and not stretch.text.strip()
        whole = stretch.ends_line or size >= 2 * target
        if (size >= target and whole) or (blank and size * 4 >= target * 3):
            yield page
            page, size = [], 0
    if page:
        yield page


def _stretches(source: Source, coding: Coding) -> Iterator[_Stretch]:
    base = len(coding.mark)
    held, chunks = b"", iter_chunks(source, base, size=_CHUNK)
    final = False
    while not final:
        chunk = next(chunks, b"")
        final = not chunk
        held += chunk
        decoded = coding.decode(held, final=final)
        cuts = list(_cuts(decoded.text, final=final))
        places = coding.places(held, decoded, [place for cut in cuts for place in cut[:2]])
        for (start, stop, ends_line), place in zip(cuts, places[0::2], strict=True):
            yield _Stretch(base + place, decoded.text[start:stop], ends_line)
        if not final:
            done = _consumed(decoded.text, cuts)
            (used,) = coding.places(held, decoded, [done])
            held, base = held[used:], base + used


def _cuts(text: str, *, final: bool) -> Iterator[tuple[int, int, bool]]:
    """Start, end and "a line end follows" of each stretch that is complete in `text`."""
    start = 0
    for match in LINE_END.finditer(text):
        if match.end() == len(text) and not final and match[0] == "\r":
            break  # half of a pair, perhaps
        yield from _split(start, match.start(), ends_line=True)
        start = match.end()
    else:
        if final and start < len(text):
            yield from _split(start, len(text), ends_line=False)
            return
    if not final:
        whole = (len(text) - start) // _STRETCH * _STRETCH - _STRETCH
        if whole > 0:
            yield from _split(start, start + whole, ends_line=False)


def _split(start: int, end: int, *, ends_line: bool) -> Iterator[tuple[int, int, bool]]:
    while end - start > _STRETCH:
        yield start, start + _STRETCH, False
        start += _STRETCH
    yield start, end, ends_line


def _consumed(text: str, cuts: list[tuple[int, int, bool]]) -> int:
    if not cuts:
        return 0
    _start, end, ends_line = cuts[-1]
    if not ends_line:
        return end
    match = LINE_END.match(text, end)
    return match.end() if match else end
