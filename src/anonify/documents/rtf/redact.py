"""Redacting RTF: the input with characters missing.

Precise edits and the sweep take single characters, wherever their bytes stand; markup between them stays.  Groups
that tell of author and machine go whole; so does the content of objects and of pictures in which a value stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import repeat
from typing import Final

from anonify.documents.matching import Matcher
from anonify.documents.ooxml.pictures import without_metadata
from anonify.documents.plan import Edit, Named, RedactionPlan, RedactionResult
from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from .blobs import contents, shows
from .extract import load
from .flows import STRUCTURE, Blob, Flow, Rtf
from .reading import read, read_otherwise
from .words import METADATA

__all__ = ["redact"]

_ADDRESS: Final = re.compile(r"rtf#(\d{1,7})!(\d{1,10})")
_UNENDED: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\[A-Za-z]{1,32}(?:-?[0-9]{1,10})?\Z")
_TAIL: Final = 4_096
_METADATA: Final = frozenset(name.decode() for name in METADATA)
_OBJECTS: Final = frozenset(("objdata", "fontemb", "svb"))
"""Content of a kind nobody here rewrites: removed whenever something is redacted."""

_KINDS: Final = {"pict": "picture", "objdata": "embedded-object"}


@dataclass(slots=True)
class _Cuts:
    """What goes: bytes by their beginnings, and what stands in their place.

    Attributes:
        ends: offset past each removed stretch, by its first byte.
        texts: replacements, by the first byte of the character they stand for.
    """

    ends: dict[int, int] = field(default_factory=dict)
    texts: dict[int, bytes] = field(default_factory=dict)

    def characters(self, flow: Flow, indexes: Sequence[int], replacement: str) -> bool:
        """Take characters of a flow away; returns whether any was still there."""
        told = False
        for index in indexes:
            if flow.kinds[index] & 3 == STRUCTURE or flow.starts[index] in self.ends:
                continue
            start = flow.starts[index]
            self.ends[start] = flow.ends[index]
            if not told:
                self.texts[start] = written(replacement, flow.widths[index])
                told = True
        return told

    def stretch(self, start: int, end: int) -> None:
        """Take bytes away."""
        self.ends[start] = max(end, self.ends.get(start, 0))


def written(text: str, width: int) -> bytes:
    """`text` as RTF: ASCII as it is, the rest as `\\u` with as many question marks as are passed over there."""
    pieces: list[bytes] = []
    for character in text:
        if character in "\\{}":
            pieces.append(b"\\" + character.encode())
        elif character == "\t":
            pieces.append(b"\\tab ")
        elif character == "\n":
            pieces.append(b"\\line ")
        elif " " <= character <= "~":
            pieces.append(character.encode())
        else:
            pieces += (b"\\u%d" % unit + (b"?" * width if width else b" ") for unit in _units(character))
    return b"".join(pieces)


def _units(character: str) -> Iterator[int]:
    raw = character.encode("utf-16-le", "replace")
    for place in range(0, len(raw), 2):
        yield int.from_bytes(raw[place : place + 2], "little", signed=True)


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """Write `source` with the plan applied.

    Raises:
        FatalError: `malformed`, `too-complex`; `internal-state` when an edit's address is not in the file.
    """
    data = load(source)
    work = _Work(data, read(data), Matcher(plan.values), plan)
    edited = _edits(work.rtf, plan.edits, work.cuts)
    swept = _sweep(work)
    if not plan.keep_metadata:  # else values in it are swept like any other text
        _metadata(work)
    if not plan.restoring:
        _blobs(work)
    _write(data, work.cuts, sink)
    return RedactionResult(edited=edited, swept=swept, named=tuple(work.told()))


@dataclass(frozen=True, slots=True)
class _Work:
    """One redaction.

    Attributes:
        removed: how many of each kind of thing went whole.
        carried: how many of each kind stayed that nobody has looked into but for the values.
    """

    data: bytes
    rtf: Rtf
    matcher: Matcher
    plan: RedactionPlan
    cuts: _Cuts = field(default_factory=_Cuts)
    removed: Counter[str] = field(default_factory=Counter)
    carried: Counter[str] = field(default_factory=Counter)

    def told(self) -> Iterator[Named]:
        """What the report names."""
        for kind, count in sorted(self.removed.items()):
            yield Named(kind, "removed", count)
        for kind, count in sorted(self.carried.items()):
            yield Named(kind, "carried-through", count)


def _edits(rtf: Rtf, edits: Sequence[Edit], cuts: _Cuts) -> int:
    for edit in edits:
        match = _ADDRESS.fullmatch(edit.address)
        if not match or int(match[1]) >= len(rtf.flows) or not 0 <= edit.start <= edit.end:
            raise FatalError(Code.INTERNAL_STATE)
        flow = rtf.flows[int(match[1])]
        try:
            first = flow.index(int(match[2]))
        except LookupError:
            raise FatalError(Code.INTERNAL_STATE) from None
        if first + edit.end > len(flow.characters):
            raise FatalError(Code.INTERNAL_STATE)
        cuts.characters(flow, range(first + edit.start, first + edit.end), edit.replacement)
    return len(edits)


def _sweep(work: _Work) -> int:
    """Values in every destination, as each kind of reader sees it."""
    swept = 0
    for rtf in (work.rtf, read_otherwise(work.data)):
        for flow in () if rtf is None else rtf.flows:
            for text, owners in flow.views():
                for match in work.matcher.find(text):
                    places = range(match.start, match.end)
                    indexes = places if owners is None else sorted({owners[place] for place in places})
                    swept += work.cuts.characters(flow, indexes, work.plan.sweep[match.value].replacement)
    return swept + _sweep_across(work)


def _sweep_across(work: _Work) -> int:
    """Values that only a reader sees who knows no destinations: half in the text, half in a picture's group."""
    flows = [flow for flow in work.rtf.flows if flow.characters]
    if len(flows) < 2:
        return 0
    ordered = list(merge(*(zip(flow.starts, repeat(flow), range(len(flow.characters))) for flow in flows), key=_start))
    text = "".join(flow.characters[index] for _, flow, index in ordered)
    swept = 0
    for match in work.matcher.find(text):
        replacement = work.plan.sweep[match.value].replacement
        for _, flow, index in ordered[match.start : match.end]:
            if work.cuts.characters(flow, (index,), replacement):
                replacement = ""
                swept += 1
    return swept


def _start(placed: tuple[int, Flow, int]) -> int:
    return placed[0]


def _metadata(work: _Work) -> None:
    for group in work.rtf.groups:
        if group.name in _METADATA:
            work.cuts.stretch(group.start, group.end)
            work.removed["metadata"] += 1
    for start, end in work.rtf.stamps:
        work.cuts.stretch(start, end)


def _blobs(work: _Work) -> None:
    for blob in work.rtf.blobs:
        if not blob.ranges or (blob.name in _METADATA and not work.plan.keep_metadata):
            continue
        kind = _KINDS.get(blob.name, "embedded-data")
        goes = blob.name in _OBJECTS and not work.plan.empty
        if goes or (
            work.plan.values and any(shows(raw, work.matcher, work.plan.values) for raw in contents(work.data, blob))
        ):
            for start, end, _written in blob.ranges:
                work.cuts.stretch(start, end)
            work.removed[kind] += 1
        elif blob.name in _KINDS:
            work.carried[kind] += 1
            if blob.name == "pict" and not work.plan.keep_metadata:
                _clean(work, blob)


def _clean(work: _Work, blob: Blob) -> None:
    """A picture's own remarks: who made it, where and with what."""
    raw = next(contents(work.data, blob))
    clean = without_metadata(raw)
    if clean == raw:
        return
    for start, end, _written in blob.ranges:
        work.cuts.stretch(start, end)
    work.cuts.texts[blob.ranges[0][0]] = clean.hex().encode()
    work.removed["metadata"] += 1


def _write(data: bytes, cuts: _Cuts, sink: Sink) -> None:
    done = 0
    out = bytearray()
    for start in sorted(cuts.ends):
        end = cuts.ends[start]
        if start < done:  # inside of something larger that is gone already
            done = max(done, end)
            continue
        _append(out, data[done:start])
        _append(out, cuts.texts.get(start, b""))
        done = end
        if len(out) > 1 << 20:
            sink.write(bytes(out[:-_TAIL]))
            del out[:-_TAIL]
    _append(out, data[done:])
    sink.write(bytes(out))


def _append(out: bytearray, piece: bytes) -> None:
    """A word that the removed text had ended must not swallow what follows now."""
    if not piece:
        return
    following = piece[:1]
    if out and (following.isalnum() or following in b" -") and _UNENDED.search(bytes(out[-_TAIL:])):
        out += b" "
    out += piece
