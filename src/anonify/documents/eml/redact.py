"""Redacting a message: ranges of the original are replaced, everything else is copied byte for byte."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from anonify.documents.enclosures import PartEdit, Parts
from anonify.documents.plan import Edit, Named, RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import MemorySink, Sink, Source, iter_chunks

from .bodies import Bodies, Remade
from .extract import field_address
from .fields import Field
from .heading import Heading, set_param
from .notices import notice
from .reading import Message, Part, opened
from .rules import BODY_CHECKS, CLIENT, is_seal
from .search import Searcher
from .tree import Node

__all__ = ["redact", "redact_parts"]

_ADDRESS: Final = re.compile(r"part:(?P<path>[\w.]+)/(?P<what>[^#]+?)(?:#(?P<at>\d{1,12}))?")


class Swap(NamedTuple):
    """Bytes `[start, end)` of the original become `data`."""

    start: int
    end: int
    data: Iterable[bytes]


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """As :func:`redact_parts`, for a message whose attachments are no documents."""
    return redact_parts(source, sink, plan, Parts(plan.parts))


def redact_parts(source: Source, sink: Sink, plan: RedactionPlan, parts: Parts) -> RedactionResult:
    """Write `source` with the plan applied and its attachments' artifacts put in.

    Raises:
        FatalError: `malformed`, `too-complex`; `internal-state` for an edit at a place that is not in the message.
    """
    return Redactor(plan, parts).run(opened(source), sink)


class Redactor:
    """One redaction: what is to be done, and what was."""

    def __init__(self, plan: RedactionPlan, parts: Parts) -> None:
        self.plan = plan
        self.parts = parts
        self.searcher = Searcher(plan.values)
        self.heading = Heading(plan.sweep, self.searcher, plan.marker, plan.restoring)
        self.edits: dict[str, dict[str, list[Edit]]] = defaultdict(lambda: defaultdict(list))
        self.named: Counter[tuple[str, str]] = Counter()
        self.used = 0
        for edit in plan.edits:
            found = _ADDRESS.fullmatch(edit.address)
            if found is None:
                raise FatalError(Code.INTERNAL_STATE)
            at = int(found["at"] or 0)
            moved = Edit(edit.address, edit.start + at, edit.end + at, edit.replacement, edit.page)
            self.edits[found["path"]][found["what"]].append(moved)
        self.bodies = Bodies(self)

    def run(self, message: Message, sink: Sink) -> RedactionResult:
        self._name_ids(message)
        known = _paths(message)
        if any(path not in known and ".msg" not in path for path in self.edits):
            raise FatalError(Code.INTERNAL_STATE)
        _write(message.source, sink, self.swaps(message))
        for edit in self.parts:
            self.named["attachment", "redacted" if edit.disposition == "substituted" else "removed"] += 1
        named = tuple(
            Named(kind, disposition, count)  # type: ignore[arg-type]  # the literals of `Named`
            for (kind, disposition), count in sorted(self.named.items())
        )
        heading, bodies = self.heading, self.bodies
        return RedactionResult(heading.edited + bodies.edited, heading.swept + bodies.swept, named)

    def remake(self, message: Message) -> bytes | None:
        """A message that is held whole, redacted; None when nothing in it changes."""
        swaps = self.swaps(message)
        if not swaps:
            return None
        sink = MemorySink()
        _write(message.source, sink, swaps)
        return sink.getvalue()

    def swaps(self, message: Message) -> list[Swap]:
        """All replacements, ascending."""
        found: list[Swap] = []
        remade: dict[str, Remade] = {}
        for part in message.parts:
            made = self.bodies.remade(message, part, self._edit_of(part))
            if made is not None:
                remade[part.node.path] = made
                if made.data is not None:
                    found.append(Swap(part.node.body, part.node.end, made.data))
        found += self._between(message)
        self._unsign(message, found, remade)
        changed = [swap.start for swap in found]
        for part in reversed(message.parts):
            node = part.node
            below = any(node.body <= start <= node.end for start in changed)
            heads = list(self._head(part, remade.get(node.path), below=below))
            changed += [swap.start for swap in heads]
            found[:0] = heads  # what is put in at one place: the outer part's first
        return sorted(found, key=lambda swap: (swap.start, swap.end))

    def _edit_of(self, part: Part) -> PartEdit | None:
        return self.parts.edit(part.node.path)

    def _name_ids(self, message: Message) -> None:
        """New names for content ids that hold a value, so that pages still find their pictures."""
        for part in message.parts:
            one = part.node.get("content-id")
            if one is None or not self.removes:
                continue
            old = one.raw[one.value :].decode("utf-8", "replace").strip().strip("<>")
            if self.searcher.finder.found(old):
                digest = hashlib.sha256(part.node.path.encode()).hexdigest()[:12]
                self.heading.ids[old] = f"{digest}@redacted.invalid"

    def _between(self, message: Message) -> Iterator[Swap]:
        """Preambles, epilogues, separators and boundaries."""
        for part in message.parts:
            node = part.node
            if node.envelope:
                yield from self._stretch(message, node, "envelope", node.start, node.start + node.envelope)
            if node.multipart:
                for name, start, end in message.outside(node):
                    yield from self._stretch(message, node, name, start, end)
                if self.removes and self.searcher.finder.found(node.boundary.decode("latin-1")):
                    fresh = self.boundary(node)
                    yield from (Swap(start, end, [fresh]) for start, end in node.delimiters)

    @property
    def removes(self) -> bool:
        """Whether values are removed, not restored."""
        return bool(self.plan.sweep) and not self.plan.restoring

    def boundary(self, node: Node) -> bytes:
        """A boundary that stands for one that holds a value."""
        return b"=_" + hashlib.sha256(node.boundary + node.path.encode()).hexdigest()[:32].encode()

    def _stretch(self, message: Message, node: Node, name: str, start: int, end: int) -> Iterator[Swap]:
        edits = self.edits[node.path].get(name, ())
        if end <= start or not (edits or self.plan.sweep):
            return
        letters = message.between(start, end)
        text = self.bodies.worded(letters, edits)
        if text is not None:
            yield Swap(start, end, [text.encode("utf-8" if not text.isascii() else "ascii", "replace")])

    def _unsign(self, message: Message, found: list[Swap], remade: dict[str, Remade]) -> None:
        """Signatures over parts that changed become a note: they hold no longer, and would confirm a guess."""
        if self.plan.restoring:
            return
        for part in message.parts:
            node, parent = part.node, part.parent
            if part.role != "signature" or parent is None or not parent.children:
                continue
            first = parent.children[0]
            if any(first.start <= swap.start <= first.end for swap in found) or self._will_change(first):
                data = notice("signature", self.plan.marker, self.searcher)
                remade[node.path] = Remade([data], note=True)
                remade.setdefault(parent.path, Remade(None))
                remade[parent.path] = remade[parent.path]._replace(mixed=True)
                found[:] = [swap for swap in found if (swap.start, swap.end) != (node.body, node.end)]
                found.append(Swap(node.body, node.end, [data]))
                self.named["signature", "removed"] += 1

    def _will_change(self, node: Node) -> bool:
        edited, swept = self.heading.edited, self.heading.swept
        changed = any(
            self.heading.edit(one, self.edits[inner.path].get(address.split("/", 1)[1], ())) != one.raw
            or (inner.message and one.name in CLIENT and not self.plan.keep_metadata)
            for inner in node.walk()
            for address, one in field_address(inner, inner.fields)
        )
        self.heading.edited, self.heading.swept = edited, swept
        return changed

    def _head(self, part: Part, made: Remade | None, *, below: bool) -> Iterator[Swap]:
        node = part.node
        line_end = _line_end(node)
        new: dict[int, bytes] = {}
        for number, (address, one) in enumerate(field_address(node, node.fields)):
            new[number] = self._field(node, address, one, made, below=below)
        changed = {one.name for number, one in enumerate(node.fields) if new[number] != one.raw}
        if node.message:
            self._break_seals(node, new, changed, below=below)
        for number, one in enumerate(node.fields):
            if new[number] != one.raw:
                yield Swap(one.start, one.end, [new[number]])
        added = b"".join(line + line_end for line in _missing(node, made))
        place = node.fields[-1].end if node.fields else node.start + node.envelope
        if not node.separated and node.end > node.body and (added or made is not None or changed or below):
            added += line_end  # a body that begins without an empty line might be read as header now
        if added:
            yield Swap(place, place, [added])

    def _field(self, node: Node, address: str, one: Field, made: Remade | None, *, below: bool) -> bytes:
        what = address.split("/", 1)[1]
        if node.message and one.name in CLIENT and not self.plan.keep_metadata:
            self.named["metadata", "removed"] += 1
            return b""
        if one.name in BODY_CHECKS and below and not self.plan.restoring:
            self.named["checksum", "removed"] += 1
            return b""
        if one.name == "content-id" and self.heading.ids:
            old = one.raw[one.value :].decode("utf-8", "replace").strip().strip("<>")
            if old in self.heading.ids:
                self.heading.swept += 1
                return one.raw[: one.value] + b" <" + self.heading.ids[old].encode() + b">" + _line_end(node)
        edits = self.edits[node.path]
        raw = self.heading.edit(one, edits.get(what, ()), edits.get("filename", ()))
        if node.multipart and one.name == "content-type" and self.removes:
            raw = self._reboundary(node, one, raw)
        return raw if made is None else _consistent(one, raw, made)

    def _reboundary(self, node: Node, one: Field, raw: bytes) -> bytes:
        if not self.searcher.finder.found(node.boundary.decode("latin-1")):
            return raw
        line_end = _line_end(node)
        self.heading.swept += 1
        return set_param(one.raw.rstrip(b"\r\n"), one.value, "boundary", self.boundary(node).decode()) + line_end

    def _break_seals(self, node: Node, new: dict[int, bytes], changed: set[str], *, below: bool) -> None:
        """Drop signatures in headers that cover what has changed."""
        if self.plan.restoring or not (below or changed):
            return
        for number, one in enumerate(node.fields):
            if is_seal(one.name) and new[number] and (below or _covers(one, changed)):
                new[number] = b""
                self.named["signature", "removed"] += 1


def _covers(one: Field, changed: set[str]) -> bool:
    listed = re.search(rb"[;\s]h=([^;]*)", one.raw)
    if listed is None:
        return True
    names = {name.strip().lower().decode("ascii", "replace") for name in re.sub(rb"\s", b"", listed[1]).split(b":")}
    return bool(changed & names) or one.name in changed


def _consistent(one: Field, raw: bytes, made: Remade) -> bytes:
    """The fields that say how a body is written, after it was written anew."""
    end = raw[len(raw.rstrip(b"\r\n")) :]
    bare = raw.rstrip(b"\r\n")
    value = bare.find(b":") + 1
    if one.name == "content-type":
        if made.note:
            return bare[:value] + b" text/plain; charset=utf-8" + end
        if made.mixed:
            bare = re.sub(rb"multipart/signed", b"multipart/mixed", bare, count=1, flags=re.IGNORECASE)
            bare = set_param(set_param(bare, value, "protocol", None), value, "micalg", None)
            return bare + end
        if made.charset:
            return set_param(bare, value, "charset", made.charset) + end
    if one.name == "content-disposition" and made.note:
        return bare[:value] + b" inline" + end
    if one.name == "content-transfer-encoding" and (made.note or made.coding):
        return bare[:value] + b" " + (b"8bit" if made.note else made.coding.encode()) + end
    if one.name in ("content-description", "content-location") and made.note:
        return b""
    return raw


def _missing(node: Node, made: Remade | None) -> Iterator[bytes]:
    """Fields that a body written anew needs and its header lacks."""
    if made is None or made.mixed or made.data is None:
        return
    if node.get("content-type") is None and (made.note or made.charset):
        yield b"Content-Type: text/plain; charset=utf-8"
    if node.get("content-transfer-encoding") is None and (made.coding or made.note):
        yield b"Content-Transfer-Encoding: " + (b"8bit" if made.note else made.coding.encode())
    if node.message and node.get("mime-version") is None and (made.note or made.charset or made.coding):
        yield b"MIME-Version: 1.0"


def _line_end(node: Node) -> bytes:
    first = node.fields[0].raw if node.fields else b"\r\n"
    return first[len(first.rstrip(b"\r\n")) :][:2] or b"\r\n"


def _paths(message: Message) -> set[str]:
    return {part.node.path for part in message.parts}


def _write(source: Source, sink: Sink, swaps: Sequence[Swap]) -> None:
    done = 0
    for swap in swaps:
        if swap.start < done:
            raise FatalError(Code.INTERNAL_STATE)
        for chunk in iter_chunks(source, done, swap.start):
            sink.write(chunk)
        for chunk in swap.data:
            sink.write(chunk)
        done = swap.end
    for chunk in iter_chunks(source, done):
        sink.write(chunk)
