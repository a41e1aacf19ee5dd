"""A message's attachments, listed and handed out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from anonify.documents.enclosures import ChildPart, ExpandOptions, Expansion
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from .coding import decode, decode_all, uu_bytes
from .letters import decoded
from .reading import Message, opened
from .roles import uu_blocks
from .tree import Node

__all__ = ["expand", "part_name", "unpack"]

_UU: Final = "uu:"

_ENDINGS: Final = {
    "application/pdf": ".pdf", "application/rtf": ".rtf", "text/rtf": ".rtf", "text/csv": ".csv", "text/plain": ".txt",
    "text/tab-separated-values": ".tsv", "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif",
    "image/webp": ".webp", "image/tiff": ".tif", "image/bmp": ".bmp", "application/zip": ".zip",
    "application/x-zip-compressed": ".zip", "application/mbox": ".mbox",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
}  # fmt: skip
"""Names for attachments that have none.  (The standard library's table is read from the machine's files.)"""


def expand(source: Source, options: ExpandOptions) -> Expansion:
    """Every attachment that may be a document, inline pictures and uuencoded files too.

    Raises:
        FatalError: `too-complex` above a limit; `malformed`.
    """
    children = tuple(_children(opened(source), options))
    if len(children) > options.attachments or sum(one.size for one in children) > options.total_bytes:
        raise FatalError(Code.TOO_COMPLEX)
    return Expansion(children)


def _children(message: Message, options: ExpandOptions) -> Iterator[ChildPart]:
    for part in message.parts:
        node = part.node
        if part.role == "attachment":
            size = sum(map(len, decode(message.source, node.body, node.end, node.coding)))
            skipped = Code.TOO_LARGE.value if size > options.part_bytes else ""
            if size:
                yield ChildPart(node.path, part_name(node), node.body, node.end, size, node.coding, skipped)
        elif part.role == "text":
            text = message.letters(node).text
            for number, block in enumerate(uu_blocks(text)):
                data = uu_bytes(text[slice(*block.lines)].encode("ascii", "replace"))
                how = f"{_UU}{number}:{node.coding}:{node.params.get('charset')}"
                name = text[slice(*block.name)].strip().replace("\\", "/").split("/")[-1]
                yield ChildPart(f"{node.path}.uu{number}", name, node.body, node.end, len(data), how)


def part_name(node: Node) -> str:
    """The name in its header, without folders, or one made from its type."""
    name = " ".join(node.filename.replace("\\", "/").split("/")[-1].split())
    if name:
        return name
    return "attachment" + _ENDINGS.get(node.type, ".bin")


def unpack(source: Source, children: Sequence[ChildPart], sink: Sink) -> Iterator[int]:
    """Write `children` decoded, one after another, and yield the length of each."""
    for child in children:
        length = 0
        for chunk in _bytes_of(source, child):
            sink.write(chunk)
            length += len(chunk)
        yield length


def _bytes_of(source: Source, child: ChildPart) -> Iterator[bytes]:
    if not child.how.startswith(_UU):
        yield from decode(source, child.start, child.end, child.how)
        return
    number, coding, charset = child.how.removeprefix(_UU).split(":", 2)
    text = decoded(decode_all(source, child.start, child.end, coding), charset).text
    for index, block in enumerate(uu_blocks(text)):
        if index == int(number):
            yield uu_bytes(text[slice(*block.lines)].encode("ascii", "replace"))
