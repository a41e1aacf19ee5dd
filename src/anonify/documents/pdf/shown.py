"""Text that content streams show, read without PDFium: operators, fonts and strings alone, no geometry.

The second reader of the gate.  It sees what is drawn off the page, clipped, white, invisible or in a switched-off
layer just as well as what is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pikepdf

from .codes import Decoder, decoder_for, string_texts
from .inline import inline_texts
from .objects import ERRORS, entries, name_text, values

__all__ = [
    "MAX_DEPTH",
    "Shown",
    "ShownReader",
    "content_streams",
    "inherited",
    "key_text",
    "loose_text",
    "page_contents",
]

MAX_DEPTH: Final = 16
_CONTENT: Final = re.compile(
    rb"(?P<hex><[0-9A-Fa-f\s\0]*>|[0-9A-Fa-f]{10,}>)"
    rb"|(?P<kept>\((?:\\.|[^()\\])*\)|%[^\r\n]*|/[^\s()<>\[\]{}/%]+|[A-Za-z'\"][^\s()<>\[\]{}/%]*)"
    rb"|(?P<number>[-+.\d][^\s()<>\[\]{}/%]*)",
    re.DOTALL,
)
_NAME: Final = re.compile(rb"/[^\0\s()<>\[\]{}/%]+")
_ESCAPE: Final = re.compile(rb"#([0-9A-Fa-f]{2})")
_JOINED: Final = re.compile(rb"[#_.]+")
"""What stands for spaces in names."""

_SHORTEST: Final = 10
"""Hexadecimal strings of fewer characters, brackets included, are too short for a value."""

_GAP: Final = -180
_OPERATORS: Final = "Tf Tj TJ ' \" Td TD Tm T* BT ET BDC DP MP BMC"


def inherited(page: Any, key: str) -> Any:
    """A page attribute, looked up through the page tree."""
    node = page
    for _ in range(64):
        if not isinstance(node, pikepdf.Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None


def content_streams(holder: Any, resources: Any) -> Iterator[tuple[Any, Any]]:
    """Every (content stream, its resources) that a page or form draws: itself, forms, patterns and Type 3 glyphs.

    Resources are often shared by all pages, so only what a stream names is followed.
    """
    seen: set[tuple[int, int]] = set()
    stack: list[tuple[Any, Any, int]] = [(holder, resources, 0)]
    while stack:
        current, held, depth = stack.pop()
        key = current.objgen
        if key != (0, 0):
            if key in seen:
                continue
            seen.add(key)
        yield current, held
        if depth < MAX_DEPTH and isinstance(held, pikepdf.Dictionary):
            groups = [held.get(kind) for kind in ("/XObject", "/Pattern", "/Font")]
            if any(isinstance(group, pikepdf.Dictionary) for group in groups):
                stack.extend((child, own, depth + 1) for child, own in _children(held, groups, _named(current)))


def _children(resources: Any, groups: list[Any], named: frozenset[str] | None) -> Iterator[tuple[Any, Any]]:
    for group in groups:
        if not isinstance(group, pikepdf.Dictionary):
            continue
        for key, child in entries(group):
            if named is not None and key not in named:
                continue
            if isinstance(child, pikepdf.Stream):
                if child.get("/Subtype") != "/Image":
                    yield child, child.get("/Resources", resources)
            elif isinstance(child, pikepdf.Dictionary):
                yield from _glyphs(child, resources)


def _glyphs(font: Any, resources: Any) -> Iterator[tuple[Any, Any]]:
    glyphs = font.get("/CharProcs")
    if isinstance(glyphs, pikepdf.Dictionary):
        for child in values(glyphs):
            if isinstance(child, pikepdf.Stream):
                yield child, font.get("/Resources", resources)


def _named(holder: Any) -> frozenset[str] | None:
    """The names that stand in a page's or form's content, or None when it cannot be read."""
    contents = holder if isinstance(holder, pikepdf.Stream) else holder.get("/Contents")
    named: set[str] = set()
    for part in list(contents) if isinstance(contents, pikepdf.Array) else [contents]:
        if isinstance(part, pikepdf.Stream):
            try:
                data = part.read_bytes()
            except ERRORS:
                return None
            named.update(map(key_text, _NAME.findall(data)))
    return frozenset(named)


def key_text(token: bytes) -> str:
    """A name as a dictionary key."""
    if b"#" in token:
        token = _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), token)
    return token.decode("utf-8", "surrogateescape")


def page_contents(pdf: pikepdf.Pdf) -> set[tuple[int, int]]:
    """Object numbers of the streams that are pages' own content."""
    found = set()
    for page in pdf.pages:
        contents = page.obj.get("/Contents")
        for part in list(contents) if isinstance(contents, pikepdf.Array) else [contents]:
            if isinstance(part, pikepdf.Stream):
                found.add(part.objgen)
    return found


def loose_text(data: bytes) -> str:
    """What a content stream holds besides what it shows: strings, names, comments, words, pictures.

    Numbers are left out, or every coordinate would be a candidate for an accepted amount or date.
    """
    kept = []
    for match in _CONTENT.finditer(data):
        if match.lastgroup == "kept":
            kept.append(match[0].decode("latin-1"))
            if match[0].startswith(b"/") and _JOINED.search(match[0]):
                plain = _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), match[0])
                kept.append(_JOINED.sub(b" ", plain).decode("latin-1"))
        elif match.lastgroup == "hex" and match.end() - match.start() >= _SHORTEST:
            kept.append(_unhexed(match["hex"]))
    kept += inline_texts(data)
    return " ".join(kept)


def _unhexed(token: bytes) -> str:
    """A hexadecimal string as text, whatever its font would make of it."""
    digits = token.translate(None, b"<>\0\t\n\v\f\r ")
    data = bytes.fromhex((digits + b"0" * (len(digits) & 1)).decode("ascii"))
    texts = [data.decode("latin-1")]
    if data[:2] in (b"\xfe\xff", b"\xff\xfe"):
        texts.append(data.decode("utf-16", "replace"))
    elif data.count(0) * 3 >= len(data):
        texts.append(data.decode("utf-16-be", "replace"))
    return " ".join(texts)


@dataclass(frozen=True, slots=True)
class Shown:
    """What one content stream shows.

    Attributes:
        texts: by lines, run together, and its marked content's strings.
        data: the bytes of the shown strings, run together.
    """

    texts: list[str]
    data: bytes


class ShownReader:
    """Reads content streams; remembers the fonts it has met."""

    def __init__(self) -> None:
        self._decoders: dict[tuple[int, int], Decoder] = {}

    def texts(self, holder: Any, resources: Any) -> list[str]:
        """The texts of one page or form stream, as :meth:`read` gives them."""
        return self.read(holder, resources).texts

    def read(self, holder: Any, resources: Any) -> Shown:
        """One page or form stream.  One that does not parse gives its raw bytes as Latin-1."""
        try:
            instructions = pikepdf.parse_content_stream(holder, _OPERATORS)
        except ERRORS:
            return Shown(_raw(holder), b"")
        fonts = resources.get("/Font") if isinstance(resources, pikepdf.Dictionary) else None
        state = _State(self, fonts)
        for instruction in instructions:
            try:
                state.take(str(instruction.operator), instruction.operands)
            except ERRORS:
                continue
        return Shown(state.texts(), b"".join(state.data))

    def decoder(self, font: Any) -> Decoder:
        """The decoder of a font, made once."""
        key = font.objgen
        if key == (0, 0):
            return decoder_for(font)
        if key not in self._decoders:
            self._decoders[key] = decoder_for(font)
        return self._decoders[key]


class _State:
    """The text state while one stream is read."""

    def __init__(self, reader: ShownReader, fonts: Any) -> None:
        self._reader = reader
        self._fonts = fonts
        self._decode: Decoder = lambda data: data.decode("latin-1")
        self._lines: list[str] = []
        self._marked: list[str] = []
        self._spoken: list[str] = []
        self.data: list[bytes] = []

    def take(self, operator: str, operands: Any) -> None:
        if operator == "Tf":
            self._font(operands)
        elif operator == "Tj":
            self._show(operands[0])
        elif operator == "TJ":
            self._pieces(operands[0])
        elif operator in ("'", '"'):
            self._lines.append("\n")
            self._show(operands[-1])
        elif operator in ("Td", "TD"):
            self._lines.append("\n" if float(operands[1]) else " ")
        elif operator in ("Tm", "T*", "ET"):
            self._lines.append("\n")
        elif operator in ("BDC", "DP"):
            self._properties(operands)

    def _show(self, string: Any) -> None:
        data = bytes(string)
        self.data.append(data)
        self._lines.append(self._decode(data))

    def _font(self, operands: Any) -> None:
        font = self._fonts.get(name_text(operands[0])) if isinstance(self._fonts, pikepdf.Dictionary) else None
        if isinstance(font, pikepdf.Dictionary):
            self._decode = self._reader.decoder(font)

    def _pieces(self, array: Any) -> None:
        for piece in array:
            if isinstance(piece, pikepdf.String):
                self._show(piece)
            elif float(piece) < _GAP:
                self._lines.append(" ")

    def _properties(self, operands: Any) -> None:
        stack = [(operands[-1], 0)]
        while stack:
            held, depth = stack.pop()
            if isinstance(held, pikepdf.String):
                text, *others = string_texts(bytes(held))
                self._spoken.append(text)
                self._marked += [text, *others]
            elif depth < MAX_DEPTH and isinstance(held, pikepdf.Dictionary):
                stack += [(value, depth + 1) for value in values(held)]
            elif depth < MAX_DEPTH and isinstance(held, pikepdf.Array):
                stack += [(value, depth + 1) for value in held]

    def texts(self) -> list[str]:
        lines = "".join(self._lines)
        tight = "".join(piece for piece in self._lines if piece not in (" ", "\n"))
        spoken = "".join(self._spoken) if len(self._spoken) > 1 else ""
        return [text for text in (lines, tight, spoken, *self._marked) if text.strip()]


def _raw(holder: Any) -> list[str]:
    streams = holder if isinstance(holder, pikepdf.Stream) else None
    if streams is None:
        contents = holder.get("/Contents")
        parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    else:
        parts = [streams]
    texts = []
    for part in parts:
        if isinstance(part, pikepdf.Stream):
            try:
                texts.append(part.read_bytes().decode("latin-1"))
            except ERRORS:
                continue
    return texts
