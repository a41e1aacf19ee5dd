"""A message as pages for review: headers, bodies, what is hidden in them, names of attachments, messages inside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from anonify.documents import html
from anonify.documents.format import ExtractOptions
from anonify.documents.model import Extraction, HiddenContent, PageSink
from anonify.sandbox.source import Source

from .fields import Field, decoded_field
from .paging import Paper
from .reading import Message, Part, opened
from .roles import uu_blocks
from .rules import CLIENT, SHOWN_FIRST, is_seal
from .tnef import told
from .tree import Node

__all__ = ["HIDDEN", "NOTES", "extract", "field_address", "tnef_text"]

NOTES: Final = frozenset(("signed", "encrypted-part", "winmail", "inline-signature"))
HIDDEN: Final = frozenset(
    (
        *("preamble", "epilogue", "tracking-pixels", "alternative-texts", "client-headers", "attachments"),
        *("html-hidden", "html-title", "html-noscript", "html-template", "html-comments", "html-descriptions"),
        *("html-links", "html-data", "html-styles", "html-scripts", "html-markup"),
    )
)

_TECHNICAL: Final = frozenset(("content-type", "content-transfer-encoding", "content-disposition", "mime-version"))
_PIXEL: Final = re.compile(
    r"<img\b(?=[^>]*\b(?:width|height)\s*[=:]\s*[\"']?[01](?:px)?\b)[^>]*\bsrc\s*=", re.IGNORECASE
)
_CLEAR: Final = "-----BEGIN PGP SIGNED MESSAGE-----"


def extract(source: Source, sink: PageSink, options: ExtractOptions) -> Extraction:
    """Write the pages of a message.

    Raises:
        FatalError: `malformed`, `too-complex`.
    """
    shower = _Shower(Paper(sink, options.max_pages))
    shower.message(opened(source))
    shower.paper.close()
    return Extraction(
        pages=shower.paper.pages,
        units=max(1, -(-shower.paper.taken // 1024)),
        hidden=tuple(HiddenContent(kind, count) for kind, count in sorted(shower.hidden.items()) if count),
        notes=tuple(sorted(shower.notes)),
    )


def field_address(node: Node, fields: Iterator[Field] | tuple[Field, ...]) -> Iterator[tuple[str, Field]]:
    """Every field with its address: by name, and by number among those of its name."""
    seen: Counter[str] = Counter()
    for one in fields:
        yield f"part:{node.path}/header:{one.name}[{seen[one.name]}]", one
        seen[one.name] += 1


def tnef_text(data: bytes) -> str:
    """What a `winmail.dat` says, one text after another."""
    texts, _files = told(data)
    lines = [f"{one.what}: {one.text}" if one.what not in ("other", "body") else one.text for one in texts]
    return "\n".join(lines).replace("\0", "")


class _Shower:
    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.hidden: Counter[str] = Counter()
        self.notes: set[str] = set()

    def message(self, message: Message) -> None:
        for part in message.parts:
            self._part(message, part)

    def _part(self, message: Message, part: Part) -> None:
        node = part.node
        if node.message:
            self._headers(message, node)
        elif any(one.name not in _TECHNICAL for one in node.fields):
            self.paper.section("part headers")
            self._fields([one for one in field_address(node, node.fields) if one[1].name not in _TECHNICAL])
        if node.filename and not node.message:
            self.paper.section("attachment" if part.role == "attachment" else "part")
            self.paper.line("", f"part:{node.path}/filename", node.filename)
        if node.type == "multipart/signed" or part.role == "signature":
            self.notes.add("signed")
        if part.parent is not None and part.parent.type == "multipart/alternative":
            self.hidden["alternative-texts"] += node is not part.parent.children[0]
        self._shown(message, part)

    def _shown(self, message: Message, part: Part) -> None:
        makers = {
            "parts": self._parts,
            "coded-message": self._coded,
            "text": self._text,
            "card": self._card,
            "html": self._html,
            "tnef": self._tnef,
        }
        if part.role in makers:
            makers[part.role](message, part.node)
        elif part.role == "sealed":
            self.notes.add("encrypted-part")
        elif part.role == "attachment":
            self.hidden["attachments"] += 1

    def _headers(self, message: Message, node: Node) -> None:
        self.paper.section("headers" if "." not in node.path else "nested message headers")
        if node.envelope:
            self.paper.line(
                "", f"part:{node.path}/envelope", message.between(node.start, node.start + node.envelope).text.strip()
            )
        fields = list(field_address(node, node.fields))
        first = [one for one in fields if one[1].name in SHOWN_FIRST]
        self._fields(sorted(first, key=lambda one: SHOWN_FIRST.index(one[1].name)))
        rest = [one for one in fields if one[1].name not in SHOWN_FIRST and one[1].name not in _TECHNICAL]
        if rest:
            self.paper.section("more headers")
            self._fields(rest)

    def _fields(self, fields: list[tuple[str, Field]]) -> None:
        for address, one in fields:
            text = decoded_field(one)
            label = one.raw[: one.value - 1].decode("ascii", "replace")
            self.paper.line(f"{label}: ", address, text)
            self.hidden["client-headers"] += one.name in CLIENT
            if is_seal(one.name):
                self.notes.add("signed")

    def _parts(self, message: Message, node: Node) -> None:
        for name, start, end in message.outside(node):
            text = message.between(start, end).text
            if text.strip():
                self.hidden[name] += 1
                self.paper.section(name)
                self.paper.body(f"part:{node.path}/{name}", text)

    def _coded(self, message: Message, node: Node) -> None:
        self.message(message.inner(node))

    def _text(self, message: Message, node: Node) -> None:
        text = message.letters(node).text
        if _CLEAR in text:
            self.notes |= {"signed", "inline-signature"}
        if "-----BEGIN PGP MESSAGE-----" in text:
            self.notes.add("encrypted-part")
        address = f"part:{node.path}/body"
        self.paper.section("body")
        done = 0
        for block in uu_blocks(text):
            self.paper.body(address, text, done, block.start)
            self.hidden["attachments"] += 1
            self.paper.section("attachment")
            self.paper.line("", f"{address}#{block.name[0]}", text[slice(*block.name)])
            self.paper.section("body")
            done = block.end
        self.paper.body(address, text, done)

    def _card(self, message: Message, node: Node) -> None:
        self.paper.section("calendar" if "calendar" in node.type or "ics" in node.type else "card")
        self.paper.body(f"part:{node.path}/body", message.letters(node).text)

    def _html(self, message: Message, node: Node) -> None:
        text = message.letters(node).text
        read = html.read(text)
        self.hidden["tracking-pixels"] += len(_PIXEL.findall(text))
        for section in read.sections:
            if section.name == "shown":
                self.paper.section("body")
            else:
                self.hidden[f"html-{section.name}"] += 1
                self.paper.section(f"hidden {section.name}")
            self.paper.body(f"part:{node.path}/html", read.text, section.start, section.end)

    def _tnef(self, message: Message, node: Node) -> None:
        self.notes.add("winmail")
        self.paper.section("winmail.dat")
        self.paper.body(f"part:{node.path}/tnef", tnef_text(message.data(node)))
