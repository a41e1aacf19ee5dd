"""Everything an adversary reads out of a package with zipfile and lxml: no code of the product looks.

Whatever can be undone is undone, again and again: percent signs, references, escapes, base64, compression, runs.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import io
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_plus

from lxml import etree

__all__ = ["count"]

APART = "\u241e"
MARKUP = re.compile(r"<[^<>]*>")
ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|_x([0-9A-Fa-f]{4})_")
BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
SPACES = frozenset({"br", "tab", "s", "cr"})


def count(data: bytes, name: str, *, plainly: bool = False) -> int:
    """How often `name` can be read in the package, white space and case aside; `plainly`: without undoing anything."""
    eyes = _Eyes(plainly=plainly)
    return folded(APART.join(eyes.archive(data))).count(folded(name))


class _Eyes:
    def __init__(self, *, plainly: bool) -> None:
        self._plainly = plainly

    def archive(self, data: bytes) -> Iterator[str]:
        archive = zipfile.ZipFile(io.BytesIO(data))
        yield from self._text(archive.comment.decode("latin-1"))
        yield data[: max(0, data.find(b"PK\x03\x04"))].decode("latin-1")
        yield data[data.rfind(b"PK\x05\x06") :].decode("latin-1")
        for info in archive.infolist():
            yield from self._text(info.filename)
            yield (info.extra + info.comment).decode("latin-1")
            yield from self._content(archive.read(info))

    def _content(self, data: bytes) -> Iterator[str]:
        if data[:4] == b"PK\x03\x04":
            yield from self.archive(data)
            return
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            yield from _chunks(data)
        elif data[:3] == b"GIF":
            yield _blocks(data).decode("latin-1")
        try:
            root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, huge_tree=True))
        except etree.XMLSyntaxError:
            for codec in ("latin-1", "utf-8", "utf-16-le", "utf-16-be"):
                for start in (0, 1):
                    yield from self._text(data[start:].decode(codec, "ignore"))
        else:
            yield from self._tree(root)

    def _tree(self, root: etree._Element) -> Iterator[str]:
        node: Any  # comments and instructions are given too
        for node in root.getroottree().iter():
            if not isinstance(node.tag, str):
                yield from self._text(f"{getattr(node, 'target', '')} {node.text}")
                continue
            yield _said(node.tag)
            for name, value in node.attrib.items():
                yield _said(str(name))
                yield from self._text(str(value))
            yield from (str(uri) for uri in node.nsmap.values())
            yield from (_said(str(prefix)) for prefix in node.nsmap if prefix)
            pieces = list(_spoken(node))
            if any(piece.strip() for piece in pieces) and _is_text(node):
                yield from self._text("".join(pieces))

    def _text(self, text: str) -> Iterator[str]:
        """The text as it stands and as whoever decodes it would read it."""
        known: set[str] = set()
        todo = [text]
        while todo:
            text = todo.pop()
            if text in known or len(known) > 40:
                continue
            known.add(text)
            yield text
            if self._plainly:
                return
            todo += [unquote_plus(text), html.unescape(text), MARKUP.sub("", text), ESCAPE.sub(_char, text)]
            for match in BASE64.finditer(text):
                try:
                    data = base64.b64decode(match[0] + "==")
                except binascii.Error:
                    continue
                todo += [data.decode(codec, "ignore") for codec in ("utf-8", "utf-16-le")]


def folded(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold().replace("\u00ad", "").replace("\u200b", "")
    return re.sub(r"[\s\0]+", "", text)


def _said(name: str) -> str:
    """A name of markup as it is read aloud."""
    return name.replace("_", " ").replace(".", " ")


def _is_text(node: etree._Element) -> bool:
    """Whether a reader would take the element's text as one: a paragraph, a lone text, or text with markup in it."""
    local = etree.QName(node).localname
    return local in ("p", "si", "text", "comment") or any(
        (piece or "").strip() for piece in (node.text, *(child.tail for child in node))
    )


def _spoken(node: etree._Element) -> Iterator[str]:
    yield node.text or ""
    for child in node:
        if isinstance(child.tag, str):
            yield " " if etree.QName(child).localname in SPACES else ""
            yield from _spoken(child)
        yield child.tail or ""


def _char(match: re.Match[str]) -> str:
    return chr(int(match[1] or match[2], 16))


def _chunks(data: bytes) -> Iterator[str]:
    """A PNG's compressed notes."""
    for match in re.finditer(rb"zTXt|iTXt|iCCP", data):
        length = int.from_bytes(data[match.start() - 4 : match.start()], "big")
        body = data[match.end() : match.end() + length]
        for place in (place.start() for place in re.finditer(rb"x[\x01\x5e\x9c\xda]", body)):
            try:
                yield zlib.decompress(body[place:]).decode("latin-1")
            except zlib.error:
                continue


def _blocks(data: bytes) -> bytes:
    """A GIF's comments, their sub-blocks joined."""
    found = b""
    place = 0
    while (place := data.find(b"\x21\xfe", place)) >= 0:
        place += 2
        while place < len(data) and data[place]:
            found += data[place + 1 : place + 1 + data[place]]
            place += 1 + data[place]
    return found
