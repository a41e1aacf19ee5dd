"""Edits of a field's decoded text, written as bytes that are legal again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from . import legal
from .model import Field
from .parameters import parameters_of, written_parameter
from .tokens import ADDRESSES, IDS, PARAMETERS, Token, decoded_field
from .words import WORD

__all__ = ["FieldEdit", "rewritten_field", "with_parameter"]

_WIDTH: Final = 78
"""Characters of a line, where there is a blank to fold it at (RFC 5322, 2.1.1)."""
_LONGEST: Final = 998
"""Characters of a line, always."""


class FieldEdit(NamedTuple):
    """Characters `[start, end)` of a field's decoded text become `text`."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Item:
    """A token on its way out: as it was, or with another text."""

    token: Token
    raw: bytes
    text: str
    touched: bool = False

    @property
    def encoded(self) -> bool:
        """Whether it is encoded words."""
        return WORD.match(self.raw) is not None


def rewritten_field(field: Field, edits: Sequence[FieldEdit]) -> bytes:
    """A field's bytes, line end included, with `edits` of its decoded text made.

    Tokens that no edit touches are the same bytes; a fold may be put before one.  An edit over several tokens is
    written in the first and empties the others; brackets, commas and colons stay, so that as many addresses are read as
    before, and an address stays one (see :func:`~anonify.documents.mime.legal.address`).  A boundary is never changed.

    Args:
        field: as it was found.
        edits: ascending and disjoint, none empty.

    Raises:
        ValueError: an edit is not within the text, or they are not in order.
    """
    said = decoded_field(field)
    if not edits:
        return field.raw
    _check(edits, len(said.text))
    shifted = [FieldEdit(one.start + said.lead, one.end + said.lead, one.text) for one in edits]
    line_end = field.raw[len(field.raw.rstrip(b"\r\n")) :]
    fold = line_end or (b"\r\n" if b"\r\n" in field.raw else b"\n")
    items = [_Item(token, field.raw[token.start : token.end], token.text) for token in said.tokens]
    _edited(items, shifted)
    if field.name in PARAMETERS:
        _write_parameters(field, items, fold)
    else:
        _write(field.name, items, fold)
        _part(items)
    written = _folded(field.raw[: field.value], items, fold)
    return written + line_end


def with_parameter(field: Field, name: str, text: str | None) -> bytes:
    """A field's bytes with all parameters of this name written as one, where the first stood; None takes it out."""
    line_end = field.raw[len(field.raw.rstrip(b"\r\n")) :]
    raw = field.raw[: len(field.raw) - len(line_end)]
    spans = sorted(span for one in parameters_of(field) if one.name == name for span in one.pieces)
    made = b"" if text is None else written_parameter(name, text, line_end or b"\n")
    if not spans:
        return raw + made + line_end
    for span in reversed(spans):
        raw = raw[: span.start] + (made if span == spans[0] else b"") + raw[span.end :]
    return raw + line_end


def _check(edits: Sequence[FieldEdit], size: int) -> None:
    place = 0
    for one in edits:
        if not place <= one.start < one.end <= size:
            raise ValueError("edits are not in order")
        place = one.end


def _edited(items: list[_Item], edits: Sequence[FieldEdit]) -> None:
    """Give every item its text after the edits."""
    starts = [0]
    for item in items:
        starts.append(starts[-1] + len(item.text))
    for one in reversed(edits):
        touched = [n for n in range(len(items)) if starts[n] < one.end and starts[n + 1] > one.start]
        writable = [n for n in touched if items[n].token.kind not in ("blank", "special")]
        first = writable[0] if writable else touched[0]
        for number in touched:
            item, begin = items[number], starts[number]
            if item.token.kind == "special" or (number != first and _before_special(items, number)):
                continue
            low, high = max(one.start - begin, 0), min(one.end, starts[number + 1]) - begin
            item.text = item.text[:low] + (one.text if number == first else "") + item.text[high:]
            item.touched = True


def _before_special(items: Sequence[_Item], number: int) -> bool:
    """Whether it is blanks before a bracket: they stay."""
    return _between(items, number) and number + 1 < len(items) and items[number + 1].token.kind == "special"


def _write(name: str, items: list[_Item], fold: bytes) -> None:
    structured = name in ADDRESSES or name in IDS
    angle = False
    for number, item in enumerate(items):
        kind = item.token.kind
        if kind == "special":
            angle = (angle or item.raw == b"<") and item.raw != b">"
        if not item.touched:
            continue
        if kind == "blank":
            item.raw = _blank(item, fold, structured=structured)
        elif not structured:
            item.raw = legal.unstructured(_with_blanks(items, number), fold)
        elif kind == "address" or angle or name in IDS:
            item.raw = legal.address(item.text, item.token.text)
        elif kind == "comment":
            item.raw = legal.comment(item.text.removeprefix("(").removesuffix(")"), fold)
        elif kind == "quoted":
            item.text = item.text.removeprefix('"').removesuffix('"')
            item.raw = legal.quoted(_with_blanks(items, number), fold)
        else:
            group = any(one.raw == b":" for one in items[number + 1 : number + 3])
            item.raw = legal.phrase(_with_blanks(items, number), fold) or (b"redacted" if group else b"")


def _blank(item: _Item, fold: bytes, *, structured: bool) -> bytes:
    """Blanks after an edit: gone, or with its text; among addresses there is no place for one."""
    if structured or not item.text:
        return item.raw if item.text else b""
    written = legal.unstructured(item.text, fold)
    return written if item.text.isascii() else b" " + written + b" "


def _with_blanks(items: Sequence[_Item], number: int) -> str:
    """An item's text, with the blanks that would be lost between it and other encoded words if it becomes one."""
    text = items[number].text
    if text.isascii():
        return text
    if number > 1 and _between(items, number - 1) and items[number - 2].encoded and not items[number - 2].touched:
        text = items[number - 1].text + text
    if number + 2 < len(items) and _between(items, number + 1):
        after = items[number + 2]
        if (after.touched and not after.text.isascii()) or (after.encoded and not after.touched):
            text += items[number + 1].text
    return text


def _between(items: Sequence[_Item], number: int) -> bool:
    return items[number].token.kind == "blank"


def _part(items: list[_Item]) -> None:
    """Blanks around words that cannot stand against others, and none lost between encoded words."""
    shown = [item for item in items if item.raw]
    for before, item in pairwise(shown):
        if not (before.touched or item.touched) or "blank" in (before.token.kind, item.token.kind):
            continue
        if "special" in (before.token.kind, item.token.kind):
            continue
        if before.encoded or item.encoded or before.raw[-1:] == b'"' or item.raw[:1] == b'"':
            item.raw = b" " + item.raw


def _write_parameters(field: Field, items: list[_Item], fold: bytes) -> None:
    for number, item in enumerate(items):
        if item.touched and item.token.kind != "parameter":
            text = item.text if item.text.isascii() else "redacted"
            item.raw = re.sub(r'[^ -~]|[;"]', "", text).encode("ascii")
            continue
        if not item.touched:
            continue
        one = next(one for one in parameters_of(field) if any(span.start == item.token.start for span in one.pieces))
        if one.name == "boundary":
            continue
        head = f"; {one.name}="
        text = item.text[len(head) :] if item.text.startswith(head) else item.text.partition("=")[2] or item.text
        item.raw = written_parameter(one.name, text, fold)
        starts = {span.start for span in one.pieces}
        for other in items[:number] + items[number + 1 :]:
            if other.token.start in starts and other.token.kind == "parameter":
                other.raw = b""


def _folded(head: bytes, items: Sequence[_Item], fold: bytes) -> bytes:
    """All of it, folded at blanks where an edit has made a line too long."""
    out = [head]
    column = len(head)
    for number, item in enumerate(items):
        following = _following(items, number + 1)
        size = sum(len(one.raw.split(fold)[0]) for one in following)
        touched = item.touched or any(one.touched for one in following)
        too_long = column + len(item.raw) + size > (_WIDTH if touched else _LONGEST)
        raw = item.raw
        if item.token.kind == "blank" and too_long and raw and not re.search(rb"[\r\n]", raw) and column > 1:
            raw = fold + raw
        out.append(raw)
        tail = max(raw.rfind(b"\n"), raw.rfind(b"\r"))
        column = len(raw) - tail - 1 if tail >= 0 else column + len(raw)
    return b"".join(out)


def _following(items: Sequence[_Item], number: int) -> Sequence[_Item]:
    """The items up to the next blank."""
    end = number
    while end < len(items) and items[end].token.kind != "blank":
        end += 1
    return items[number:end]
