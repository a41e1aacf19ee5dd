"""Pictures in a package as pages of their own: scans pasted into a document, screenshots on slides.

Each distinct picture is one page (each of its frames, if it has several), without text until somebody reads it, in
pixels of the upright picture.  The whole picture counts, whatever a document shows of it: what is cropped away stays in
the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from anonify.documents.format import Head
from anonify.documents.image.headers import dimensions, sniffers
from anonify.documents.image.opening import open_picture
from anonify.documents.model import Page, PageSink, Section
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource

from .classify import Kind, classify, is_picture
from .package import MAX_PART, Package
from .pictures import without_metadata
from .zip import Entry

__all__ = ["UNREAD", "is_small", "kind_of", "part_of", "stored", "thumbnails", "write_pictures"]

UNREAD: Final = "unread-pictures"
"""Note on a file with pictures nobody here can read: metafiles, damaged, too large or too many."""

MAX_PICTURES: Final = 500
"""Pages for the pictures of one document: reading one takes a second or two."""

MAX_FRAMES: Final = 100
"""Frames or pages of one picture: a longer animation is decoration, and a page each would bury the document."""

MAX_PIXELS: Final = 64_000_000
"""Pixels of a picture, as many as are handed out for recognition: decoded it takes half a gigabyte beside whatever
else of the package is in memory."""

MAX_TOTAL: Final = 4_000_000_000
"""Pixels of all pictures together: a minute or two of decoding; more than 400 sheets of A4 at 300 dpi."""

MIN_ACROSS: Final = 40
"""Pixels along the longer side below which a picture holds no word."""

MIN_DOWN: Final = 12
"""Pixels along the shorter side."""

_KINDS: Final = ("png", "jpeg", "gif", "bmp", "tiff", "webp")
_BEGINNINGS: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"BM", b"II", b"MM", b"RIFF")
_MARKUP: Final = (".xml", ".rels", ".vml")
_SURE: Final = 0.5
"""How sure a sniffer must be."""


def kind_of(data: bytes) -> str | None:
    """The format of a picture by its bytes, or None for what is none that can be decoded."""
    if not data.startswith(_BEGINNINGS):
        return None
    head = Head(data[: 1 << 16], data[-(1 << 16) :], BytesSource(data))
    return next((kind for kind in _KINDS if sniffers[kind](head) > _SURE), None)


def stored(data: bytes) -> bytes:
    """A picture as Office shows it: as its pixels are stored, whichever way up its metadata says it is."""
    return without_metadata(data)


def part_of(address: str) -> tuple[str, int]:
    """The part and the frame of an address.

    Raises:
        FatalError: `internal-state` when it is none.
    """
    part, _, frame = address.rpartition("#")
    if not part or not frame.isdecimal():
        raise FatalError(Code.INTERNAL_STATE)
    return part, int(frame)


def _is_trifle(width: int, height: int) -> bool:
    """Whether so many pixels are too few for a word."""
    return max(width, height) < MIN_ACROSS or min(width, height) < MIN_DOWN


def is_small(data: bytes) -> bool:
    """Whether a picture by its header has too few pixels for a word."""
    kind = kind_of(data)
    if kind is None or kind == "tiff":
        return not data
    try:
        return _is_trifle(*dimensions(BytesSource(data), kind))
    except FatalError:
        return False


def thumbnails(package: Package) -> set[str]:
    """Names, case folded, of pictures of the document itself: they go when it is redacted."""
    try:
        return {item.part.casefold() for item in package.relationships("") if item.type == "thumbnail"}
    except FatalError:  # whoever reads the part says what is wrong with it
        return set()


def _parts_of(package: Package) -> Iterator[tuple[Entry, str | None]]:
    """The parts that are pictures, and the format of those that may be decoded."""
    own = thumbnails(package)
    for entry in package.archive.entries:
        name = entry.name.lstrip("/")
        if entry.is_folder or not entry.size or name.casefold() in own or name.lower().endswith(_MARKUP):
            continue
        head = package.archive.head(entry, 16)
        known = head.startswith(_BEGINNINGS)
        if not (known or is_picture(name)) or classify(package, entry) is not Kind.BINARY:
            continue
        readable = known and entry.size <= MAX_PART
        kind = kind_of(package.archive.read(entry, MAX_PART)) if readable else None
        if kind is not None or is_picture(name):
            yield entry, kind


def write_pictures(
    package: Package, sink: PageSink, *, pages: int, limit: int
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Write a page for every frame of every distinct picture that can be read.

    Args:
        pages: how many pages were written before.
        limit: the most pages there may be.

    Returns:
        the numbers of the pages written, and :data:`UNREAD` when there are pictures that cannot be read.
    """
    unread = False
    seen: set[bytes] = set()
    first, left = pages, MAX_TOTAL
    for entry, kind in _parts_of(package):
        data = package.archive.read(entry, MAX_PART) if kind is not None else b""
        digest = hashlib.sha256(data).digest() if data else entry.name.encode()
        if digest in seen:
            continue
        seen.add(digest)
        room = min(limit - pages, MAX_PICTURES - (pages - first))
        sizes = None if kind is None or not room else _sizes(data, kind, left)
        if sizes is None or len(sizes) > room:
            unread = True
            continue
        left -= sum(width * height for width, height in sizes)
        name = entry.name.lstrip("/")
        for frame, (width, height) in enumerate(sizes, 1):
            if not _is_trifle(width, height):
                pages += 1
                title = f"Picture {name}" if len(sizes) == 1 else f"Picture {name} ({frame})"
                sink.page(_page(pages, title, f"{name}#{frame}", (width, height)))
    return tuple(range(first + 1, pages + 1)), (UNREAD,) if unread else ()


def _page(number: int, title: str, address: str, size: tuple[int, int]) -> Page:
    """The page of a picture nobody has read."""
    width, height = map(float, size)
    sections = (Section(title, 0, 0),)
    return Page(number, "", width=width, height=height, sections=sections, needs_ocr=True, picture=address)


def _sizes(data: bytes, kind: str, most: int) -> list[tuple[int, int]] | None:
    """Width and height of every frame, or None when one cannot be decoded or they are too large or too many.

    Each is decoded, so that nobody is asked to read a picture that breaks off, and no export waits for it.
    """
    source = BytesSource(stored(data))
    try:
        width, height = dimensions(source, kind)
        if width * height > MAX_PIXELS:
            return None
        with open_picture(source, kind, strict=True) as picture:
            width, height = picture.size
            if picture.pages > MAX_FRAMES or width * height > MAX_PIXELS or width * height * picture.pages > most:
                return None
            sizes = [picture.frame(number).size for number in range(1, picture.pages + 1)]
    except FatalError:
        return None
    return sizes if all(width * height <= MAX_PIXELS for width, height in sizes) else None
