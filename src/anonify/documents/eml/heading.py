"""Editing header fields: accepted edits, the sweep, and what a changed body asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from anonify.documents.matching import Match
from anonify.documents.plan import Edit, SweepValue

from .coding import CODINGS
from .fields import ADDRESSES, Field, decoded_field, pieces_of, rewritten
from .params import params_of, written_param
from .search import Searcher
from .wording import Change, View

__all__ = ["Heading", "set_param"]

_ROUNDS: Final = 4
_PROTOCOL: Final = frozenset(("content-type",))
_OTHER_TYPES: Final = {
    "multipart": ("multipart/mixed", "multipart/related", "multipart/parallel", "multipart/alternative"),
    "text": ("text/plain", "text/html"),
    "message": ("message/rfc822",),
}
_MARKS: Final = re.compile(r"\"")
_COMMENTS: Final = re.compile(r"[ \t]*\([^()]*\)[ \t]*")
_PARAMETERS: Final = frozenset(("content-type", "content-disposition"))
_NAMES: Final = frozenset(("name", "filename"))


@dataclass(slots=True)
class Heading:
    """What is swept from headers, and how many changes were made.

    Attributes:
        sweep: the values and their replacements.
        searcher: finds them.
        marker: what stands for something removed whole.
        restoring: surrogates become values, once, and nothing else changes.
    """

    sweep: Sequence[SweepValue]
    searcher: Searcher
    marker: str
    restoring: bool = False
    edited: int = 0
    swept: int = 0
    ids: dict[str, str] = field(default_factory=dict)

    def edit(self, one: Field, edits: Sequence[Edit] = (), filename: Sequence[Edit] = ()) -> bytes:
        """The field's bytes after all changes; the very same ones where there is nothing to change."""
        if one.name == "content-transfer-encoding" and decoded_field(one).lower() in CODINGS:
            return one.raw  # its body is written in another one where a value stands in it
        raw, value = self._name(one)
        line_end = raw[len(raw.rstrip(b"\r\n")) :]
        raw = raw[: len(raw) - len(line_end)]
        wanted = [Change(edit.start, edit.end, edit.replacement) for edit in edits]
        raw = self._params(one.name, raw, value, filename)
        for _round in range(1 if self.restoring else _ROUNDS):
            made = self._value(one.name, raw, value, wanted)
            if made == raw and not wanted:
                break
            raw, wanted = made, []
        if self.restoring:
            return raw + line_end
        if self.sweep and one.name in _PROTOCOL:
            raw = self._protocol(one, raw, value)
        if self.sweep and one.name != "content-type" and self._still(raw, value):
            self.swept += 1
            raw = raw[:value] + b" " + self._safe_marker()
        return raw + line_end

    def _protocol(self, one: Field, raw: bytes, value: int) -> bytes:
        """A type, where a value stood in its very name: another type of the same family, so that the tree stays."""
        if one.name != "content-type":
            return raw
        before = params_of(one.raw, one.value).value
        after = params_of(raw, value).value
        if before == after or "/" not in before:
            return raw
        for other in _OTHER_TYPES.get(before.split("/")[0], ("application/octet-stream",)):
            if not self.searcher.finder.found(other):
                break
        else:
            other = before.split("/")[0] + "/x-part"
        end = raw.find(b";", value)
        return raw[:value] + b" " + other.encode("ascii") + (raw[end:] if end >= 0 else b"")

    def _name(self, one: Field) -> tuple[bytes, int]:
        """Without a value in the field's name."""
        name = one.raw[: one.value - 1]
        if self.restoring or not self.sweep or not self.searcher.matcher.found(name.decode("ascii", "replace")):
            return one.raw, one.value
        self.swept += 1
        return b"X-Redacted" + one.raw[one.value - 1 :], len(b"X-Redacted:")

    def _value(self, name: str, raw: bytes, value: int, wanted: Sequence[Change]) -> bytes:
        pieces = pieces_of(raw, value, len(raw))
        text = "".join(piece.text for piece in pieces)
        lead = len(text) - len(text.lstrip())
        changes = [Change(one.start + lead, one.end + lead, one.text) for one in wanted]
        changes += [self._change(match) for match in (self._matches(name, text) if self.sweep else ())]
        if not changes:
            return raw
        merged = self._merged(changes)
        return raw[:value] + rewritten(name, raw, pieces, merged)

    def _matches(self, name: str, text: str) -> Iterator[Match]:
        """Occurrences in a field's text; in addresses also as readers see them: without comments and stray marks."""
        finder = self.searcher.finder
        yield from finder.find(text)
        if name not in ADDRESSES:
            return
        for left_out in (_MARKS, _COMMENTS):
            if not left_out.search(text):
                continue
            view = View(text, ((*match.span(), "") for match in left_out.finditer(text)))
            for match in finder.find(view.text):
                yield Match(view.origin(match.start), view.origin(match.end - 1) + 1, match.value)

    def _change(self, match: Match) -> Change:
        return Change(match.start, match.end, self.sweep[match.value].replacement, True)

    def _merged(self, changes: Sequence[Change]) -> list[Change]:
        merged: list[Change] = []
        for one in sorted(changes, key=lambda one: (one.start, -one.end, one.swept)):
            if merged and one.start < merged[-1].end:
                last = merged[-1]
                text = last.text if not last.swept or one.swept else one.text
                merged[-1] = Change(last.start, max(last.end, one.end), text, last.swept and one.swept)
            else:
                merged.append(one)
        self.swept += sum(one.swept for one in merged)
        self.edited += sum(not one.swept for one in merged)
        return merged

    def _params(self, name: str, raw: bytes, value: int, filename: Sequence[Edit]) -> bytes:
        """With the parameters written anew that hold a value, joined and decoded (RFC 2231)."""
        if b";" not in raw or (name not in _PARAMETERS and not re.search(rb"\*\d*\*?=", raw)):
            return raw
        for param in params_of(raw, value).named.values():
            text = param.text
            changes = (
                [Change(edit.start, edit.end, edit.replacement) for edit in filename] if param.name in _NAMES else []
            )
            changes = [one for one in changes if one.end <= len(text)]
            changes += [self._change(match) for match in (self.searcher.finder.find(text) if self.sweep else ())]
            if not changes or param.name == "boundary":
                continue
            raw = set_param(raw, value, param.name, _with(text, self._merged(changes)))
        return raw

    def _still(self, raw: bytes, value: int) -> bool:
        finder = self.searcher.finder
        text = "".join(piece.text for piece in pieces_of(raw, value, len(raw)))
        if (
            finder.found(text)
            or self.searcher.in_bytes(raw)
            or finder.found(re.sub(r"=\?", " =?", raw.decode("latin-1")))
        ):
            return True
        return any(finder.found(param.text) for param in params_of(raw, value).named.values())

    def _safe_marker(self) -> bytes:
        marker = self.marker.encode("ascii", "replace")
        return b"redacted" if self.searcher.in_bytes(marker) else marker


def _with(text: str, changes: Sequence[Change]) -> str:
    parts: list[str] = []
    done = 0
    for one in changes:
        parts += (text[done : one.start], one.text)
        done = one.end
    return "".join((*parts, text[done:]))


def set_param(raw: bytes, value: int, name: str, text: str | None) -> bytes:
    """A field's bytes (without line end) with parameter `name` set, or without it (None)."""
    param = params_of(raw, value).named.get(name)
    written = b"" if text is None else written_param(name, text)
    if param is None:
        return raw + written
    first = param.places[0]
    for start, end in sorted(param.places, reverse=True):
        raw = raw[:start] + (written if (start, end) == first else b"") + raw[end:]
    return raw
