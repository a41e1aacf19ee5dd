"""What a scan finds: parts, fields and stretches, all of them byte offsets into the source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

__all__ = ["IDENTITY", "LIMITS", "Field", "Kind", "Limits", "Parameter", "Part", "Span", "Stretch"]

Kind = Literal["lead", "field", "separator", "preamble", "delimiter", "epilogue", "body"]

IDENTITY: Final = frozenset(("", "7bit", "8bit", "binary"))
"""Transfer encodings that are none."""


class Limits(NamedTuple):
    """Above one of these a message is refused whole as `too-complex`.

    Attributes:
        depth: parts and messages inside of one another.
        parts: parts in all, blocks of a delivery status among them.
        block: bytes of one header block.
        fields: header fields of one block.
        messages: messages inside of the outermost one.
        boundary: bytes of a boundary, and of the blanks behind one; the standard allows 70.
        text: bytes of one text body, decoded.
    """

    depth: int = 12
    parts: int = 1_000
    block: int = 256 << 10
    fields: int = 2_000
    messages: int = 24
    boundary: int = 1_000
    text: int = 32 << 20


LIMITS: Final = Limits()
"""Generous for anything a person has sent; a message beyond is made to be slow."""


class Span(NamedTuple):
    """Bytes `[start, end)` of the source."""

    start: int
    end: int


class Stretch(NamedTuple):
    """Bytes `[start, end)` of the source and what they are."""

    kind: Kind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Field:
    """One header field, or a line between fields that is none.

    Attributes:
        name: lower case; empty for a line that is no field (a stray `From ` line, a continuation of nothing).
        start: where it begins, bytes of the source.
        raw: all its bytes, the line end included.
        value: where in `raw` its value begins, behind the colon.
    """

    name: str
    start: int
    raw: bytes
    value: int

    @property
    def end(self) -> int:
        """Where it ends, behind its line end."""
        return self.start + len(self.raw)

    @property
    def name_span(self) -> Span:
        """Where its name stands."""
        return Span(self.start, self.start + len(self.raw[: max(0, self.value - 1)].rstrip(b" \t")))

    @property
    def value_span(self) -> Span:
        """Where its value stands, without the line end."""
        return Span(self.start + self.value, self.start + max(self.value, len(self.raw.rstrip(b"\r\n"))))


class Parameter(NamedTuple):
    """One parameter of a field, its pieces joined and decoded (RFC 2231; RFC 2047 and raw bytes as mailers write them).

    Attributes:
        name: lower case, without numbers and asterisks.
        text: what it says.
        pieces: for each of its pieces, in the field's order, the bytes of `raw` from the semicolon on.
        extended: whether a piece is written with an asterisk.
    """

    name: str
    text: str
    pieces: tuple[Span, ...]
    extended: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A part, a message, or a block of a delivery status.

    Attributes:
        path: `0` for the outermost message, `0.0`, `0.1`, … for parts of a multipart, `<path>.msg` for the message in
            one.
        message: whether it is a message of its own.
        start: where it begins; what stands before its header (`From ` line, mark, blank lines) included.
        lead: what stands before its header.
        fields: its header fields, in order.
        header: its header block, without the blank line.
        separator: the blank line between header and body; empty where there is none.
        body: its body, without the line end that belongs to the next delimiter.
        type: `text/plain` and the like, lower case, the default where none is declared.
        declared: whether a type is declared.
        parameters: those of the type.
        coding: the transfer encoding, lower case; empty where none is declared.
        disposition: lower case; empty where none is declared.
        filename: decoded; empty where none is given.
        content_id: without angle brackets.
        boundaries: delimiters of a multipart; more than one where it is declared twice.
        preamble: what stands before its first delimiter; None where it is not split into parts.
        delimiters: its delimiter lines, each with the line end before it.
        epilogue: what stands behind its closing delimiter; None where there is no such delimiter.
        children: its parts, its one message, or the blocks of a delivery status.
    """

    path: str
    message: bool
    start: int
    lead: Span
    fields: tuple[Field, ...]
    header: Span
    separator: Span
    body: Span
    type: str
    declared: bool
    parameters: tuple[Parameter, ...]
    coding: str
    disposition: str
    filename: str
    content_id: str
    boundaries: tuple[bytes, ...] = ()
    preamble: Span | None = None
    delimiters: tuple[Span, ...] = ()
    epilogue: Span | None = None
    children: tuple[Part, ...] = ()

    @property
    def leaf(self) -> bool:
        """Whether its body is bytes rather than parts."""
        return self.preamble is None and not self.children

    @property
    def coded_tree(self) -> bool:
        """Whether it is a message or a multipart under a transfer encoding, which the standard forbids.

        To read it, scan its :func:`~anonify.documents.mime.stored.decoded_source`, with the path `<path>.msg`.
        """
        return self.leaf and self.coding not in IDENTITY and self.type.startswith(("message/", "multipart/"))

    @property
    def charset(self) -> str:
        """The declared charset, lower case, or nothing."""
        return self.parameter("charset").lower()

    @property
    def attachment(self) -> bool:
        """Whether a reader of mail offers it as a file."""
        if not self.leaf or self.disposition == "attachment":
            return self.disposition == "attachment"
        return bool(self.filename) or not self.type.startswith(("text/", "multipart/", "message/"))

    def field(self, name: str) -> Field | None:
        """The first field of this name (lower case)."""
        return next((one for one in self.fields if one.name == name), None)

    def parameter(self, name: str) -> str:
        """What a parameter of the type says, or nothing."""
        return next((one.text for one in self.parameters if one.name == name), "")

    def walk(self) -> Iterator[Part]:
        """Itself and everything inside, in the file's order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def stretches(self) -> Iterator[Stretch]:
        """Every byte of the part exactly once, in order; empty stretches are left out."""
        for one in self._all():
            if one.end > one.start:
                yield one

    def _all(self) -> Iterator[Stretch]:
        yield Stretch("lead", *self.lead)
        for field in self.fields:
            yield Stretch("field", field.start, field.end)
        yield Stretch("separator", *self.separator)
        if self.leaf:
            yield Stretch("body", *self.body)
            return
        if self.preamble is not None:
            yield Stretch("preamble", *self.preamble)
        inside: list[Span | Part] = [*self.delimiters, *self.children]
        for piece in sorted(inside, key=_begin):
            if isinstance(piece, Part):
                yield from piece.stretches()
            else:
                yield Stretch("delimiter", *piece)
        if self.epilogue is not None:
            yield Stretch("epilogue", *self.epilogue)


def _begin(piece: Span | Part) -> tuple[int, int]:
    # An empty part begins where its end is: behind the delimiter that opens it, before the one that ends it.
    return piece.start, 0 if isinstance(piece, Part) else 1
