"""Well-formedness as an XML processor judges it: expat, with namespaces, without document types.

The tokenizer of :mod:`.xml` keeps places and is laxer than the standard: it knows nothing of names, namespaces or
repeated attributes.  What Word would refuse to open is refused here, before anybody redacts it.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from xml.parsers import expat

from anonify.errors import Code, FatalError

from . import xml
from .classify import Kind, classify
from .package import CONTENT_TYPES, MAX_PART, Package, source_of
from .zip import Entry

__all__ = ["check_package", "parse"]

_OPTIONAL = frozenset({"customXml", "image", "aFChunk", "htmlPub", "transform", "thumbnail", "package", "oleObject"})
"""Types of relationships to parts Word carries along without needing them, or that are no Office vocabulary."""

Start = Callable[[str, dict[str, str]], None]


def parse(chunks: Iterable[bytes], start: Start | None = None) -> None:
    """Read an XML entity.

    Args:
        chunks: its bytes.
        start: called with each element's name, `namespace local`, and its attributes.

    Raises:
        FatalError: `malformed` when it is not well-formed, `too-complex` when it has a document type.
    """
    feed = iter(chunks)
    head = next(feed, b"")
    codec = xml.codec_of(head)
    parser = expat.ParserCreate(None if codec == "utf-8" else "utf-8", " ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    if start is not None:
        parser.StartElementHandler = start
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        for chunk in _chain(head, feed):
            parser.Parse(chunk if codec == "utf-8" else decoder.decode(chunk).encode())
        if codec != "utf-8":
            parser.Parse(decoder.decode(b"", final=True).encode())
        parser.Parse(b"", True)
    except (expat.ExpatError, UnicodeError, ValueError):
        raise FatalError(Code.MALFORMED) from None


def _chain(head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from rest


def _refuse(*_arguments: object) -> None:
    raise FatalError(Code.TOO_COMPLEX)


def check_package(package: Package, streamed: frozenset[str] = frozenset()) -> None:
    """Refuse a package with an entry that does not unpack, without content types, or with a necessary part no XML
    processor would read.

    Necessary are the content types, every relationships part, the main part and the markup it is related to, however
    indirectly.  Custom XML, properties, pictures and parts nobody refers to may be damaged: they are searched as they
    are.

    Args:
        streamed: names, case folded, of parts that may be longer than what is read whole.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    package.content_type("")
    for entry in package.archive.entries:
        name = entry.name.lstrip("/")
        if name == CONTENT_TYPES or source_of(name) is not None:
            _check(package, entry)
    necessary = _check_related(package, streamed)
    for entry in package.archive.entries:
        name = entry.name.lstrip("/")
        if name != CONTENT_TYPES and source_of(name) is None and name.casefold() not in necessary:
            for _ in package.archive.stream(entry):  # size and checksum
                pass


def _check_related(package: Package, streamed: frozenset[str]) -> set[str]:
    """Check the main part and the markup it is related to; their names, case folded."""
    checked: set[str] = set()
    todo = [package.main]
    seen = {package.main.casefold()}
    while todo:
        name = todo.pop()
        part = package.archive.get(name)
        if part is None:
            continue
        _check(package, part, whole=name.casefold() not in streamed)
        checked.add(name.casefold())
        for related in package.relationships(name):
            key = related.part.casefold()
            if related.type in _OPTIONAL or key in seen:
                continue
            seen.add(key)
            target = package.archive.get(key)
            if target is not None and classify(package, target) is Kind.MARKUP:
                todo.append(related.part)
    return checked


def _check(package: Package, entry: Entry, *, whole: bool = True) -> None:
    if whole and entry.size > MAX_PART:
        raise FatalError(Code.TOO_COMPLEX, size=entry.size, limit=MAX_PART)
    parse(package.archive.stream(entry))
