"""Reading a redacted message back with this format's own scanner, and comparing it with its source."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final

from anonify.documents import html
from anonify.documents.enclosures import PartEdit
from anonify.documents.format import Piece, StructureCheck
from anonify.documents.plan import RedactionPlan
from anonify.errors import AnonifyError
from anonify.sandbox.source import BytesSource, Source

from .coding import decode, uu_bytes
from .expand import part_name
from .extract import tnef_text
from .fields import ADDRESSES, decoded_field
from .letters import Letters
from .params import params_of
from .reading import Message, Part, opened, wording_of
from .roles import uu_blocks
from .search import Searcher, layers
from .tree import Node
from .wording import Wording, views

__all__ = ["check_structure", "document_pieces", "own_reader"]

_HELD: Final = 64 << 20
_STEP: Final = 1 << 20


def own_reader(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Every text of the message, of its headers and of what is attached to it."""
    yield from _Reading(plan).message(opened(source))


class _Reading:
    def __init__(self, plan: RedactionPlan) -> None:
        self._plan = plan
        self._searcher = Searcher(plan.values)

    def message(self, message: Message) -> Iterator[Piece]:
        for part in message.parts:
            node = part.node
            yield from self._heads(message, node)
            for name, start, end in message.outside(node) if node.multipart else ():
                yield from self._text(f"{node.path} {name}", message.between(start, end), Wording())
            yield from self._body(message, part)

    def _heads(self, message: Message, node: Node) -> Iterator[Piece]:
        if node.envelope:
            yield Piece(f"{node.path} envelope", message.between(node.start, node.start + node.envelope).text)
        for one in node.fields:
            place = f"{node.path} header"
            yield Piece(place, one.raw[: one.value - 1].decode("latin-1"))
            text = decoded_field(one)
            yield Piece(place, text)
            if one.name in ADDRESSES and re.search(r'["(]', text):
                yield Piece(place, text.replace('"', ""))
                yield Piece(place, re.sub(r"[ \t]*\([^()]*\)[ \t]*", "", text))
            yield Piece(place, re.sub(rb"[\r\n]+", b"", one.raw[one.value :]).decode("latin-1"))
            for param in params_of(one.raw, one.value).named.values():
                yield Piece(f"{node.path} parameter", param.text)

    def _body(self, message: Message, part: Part) -> Iterator[Piece]:
        node = part.node
        if part.role in ("text", "card"):
            yield from self._text(node.path, message.letters(node), wording_of(node, part.role))
            yield from self._uu(message, node)
        elif part.role == "html":
            letters = message.letters(node)
            yield from (Piece(f"{node.path} {name}", text) for name, text in html.own_pieces(letters.text))
            yield from self._strange(node.path, letters)
        elif part.role == "coded-message":
            yield from self.message(message.inner(node))
        elif part.role == "tnef":
            yield Piece(node.path, tnef_text(message.data(node)))
            yield from self._attached(node.path, message.data(node), "winmail.dat")
        elif part.role in ("attachment", "sealed", "signature"):
            yield from self._chunks(
                node.path, decode(message.source, node.body, node.end, node.coding), part_name(node)
            )

    def _text(self, place: str, letters: Letters, wording: Wording) -> Iterator[Piece]:
        yield Piece(place, letters.text)
        yield from (Piece(place, view.text) for view in views(letters.text, wording))
        yield from self._strange(place, letters)

    def _strange(self, place: str, letters: Letters) -> Iterator[Piece]:
        for match in self._searcher.strangers(letters.codec).find(letters.data):
            yield Piece(place, self._searcher.values[match.value])

    def _uu(self, message: Message, node: Node) -> Iterator[Piece]:
        text = message.letters(node).text
        for number, block in enumerate(uu_blocks(text)):
            data = uu_bytes(text[slice(*block.lines)].encode("ascii", "replace"))
            yield from self._attached(f"{node.path}.uu{number}", data, text[slice(*block.name)])

    def _chunks(self, place: str, chunks: Iterable[bytes], name: str) -> Iterator[Piece]:
        held = bytearray()
        for chunk in chunks:
            if len(held) + len(chunk) > _HELD:
                yield from self._raw(place, chunk)
            else:
                held += chunk
        yield from self._attached(place, bytes(held), name)

    def _attached(self, place: str, data: bytes, name: str) -> Iterator[Piece]:
        pieces = list(document_pieces(place, data, name, self._plan, own=True))
        if pieces:
            yield from pieces
            return
        yield from self._raw(place, data)
        for layer in layers(data):
            yield from self._raw(f"{place} packed", layer)

    def _raw(self, place: str, data: bytes) -> Iterator[Piece]:
        overlap = 8_192
        for start in range(0, max(1, len(data)), _STEP):
            piece = data[max(0, start - overlap) : start + _STEP]
            yield Piece(place, self._searcher.text_of(piece))
            for match in self._searcher.strangers("latin-1").find(piece):
                yield Piece(place, self._searcher.values[match.value])


def document_pieces(place: str, data: bytes, name: str, plan: RedactionPlan, *, own: bool) -> Iterator[Piece]:
    """What an attachment says, by a reader of its own kind; nothing when it is of no known kind."""
    from anonify.documents.register import recognise

    try:
        form = recognise(BytesSource(data), name)
    except AnonifyError:
        return
    reader = form.own_reader if own else form.independent_reader
    bare = RedactionPlan(sweep=plan.sweep, marker=plan.marker)
    try:
        for piece in reader(BytesSource(data), bare):
            yield Piece(f"{place} {piece.place}", piece.text)
    except (AnonifyError, ValueError, OSError, LookupError):
        yield Piece(place, data[:_HELD].decode("latin-1"))


def check_structure(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
    """The same tree, notes for removed parts aside, and the verified artifacts in their places."""
    before, after = opened(source), opened(artifact)
    yield StructureCheck("same-parts", _shape(before) == _shape(after))
    yield StructureCheck("same-header-fields", _same_fields(before, after))
    wanted = {edit.path: edit for edit in plan.parts if edit.disposition == "substituted"}
    if wanted:
        yield StructureCheck("same-enclosures", _enclosed(after, wanted))


def _shape(message: Message) -> list[str]:
    return [node.path for node in message.root.walk()]


_ADDED: Final = frozenset(("content-type", "content-transfer-encoding", "mime-version", "x-redacted"))


def _same_fields(before: Message, after: Message) -> bool:
    """Whether no header has a field that it had not before."""
    for old, new in zip(before.root.walk(), after.root.walk(), strict=False):
        names = {one.name for one in old.fields}
        if not {one.name for one in new.fields} <= names | _ADDED:
            return False
    return True


def _enclosed(message: Message, wanted: dict[str, PartEdit]) -> bool:
    found: dict[str, str] = {}
    for part in message.parts:
        node = part.node
        if node.path in wanted:
            digest = hashlib.sha256()
            for chunk in decode(message.source, node.body, node.end, node.coding):
                digest.update(chunk)
            found[node.path] = digest.hexdigest()
        elif part.role == "text":
            text = message.letters(node).text
            for number, block in enumerate(uu_blocks(text)):
                data = uu_bytes(text[slice(*block.lines)].encode("ascii", "replace"))
                found[f"{node.path}.uu{number}"] = hashlib.sha256(data).hexdigest()
    return all(found.get(path) == edit.sha256 for path, edit in wanted.items())
