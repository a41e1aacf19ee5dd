"""Rewriting a long text through a window: precise edits and the sweep, every other byte as it was."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from anonify.documents.matching import CONTEXT, Match, Matcher
from anonify.documents.plan import SweepValue
from anonify.sandbox.source import CHUNK, Sink, Source, iter_chunks

from .coding import Coding
from .strangers import Strangers

__all__ = ["ByteEdit", "Sweep", "Writer", "decoded_pieces", "foreign_edits", "rewrite"]

_LINE_ENDS: Final = re.compile(r"\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


class ByteEdit(NamedTuple):
    """Bytes `[start, end)` become `data`; `swept` tells the sweep's edits from accepted ones."""

    start: int
    end: int
    data: bytes
    swept: bool = False


@dataclass(frozen=True)
class Sweep:
    """What a rewriting sweeps away.

    Attributes:
        values: accepted values with their replacements.
        coding: the file's encoding.
        marker: replacement where another has no form in the encoding.
        restoring: values with line ends come back in the place of surrogates, behind which these were left.
    """

    values: Sequence[SweepValue]
    coding: Coding
    marker: str
    restoring: bool = False
    matcher: Matcher = field(init=False)
    strangers: Strangers = field(init=False)

    def __post_init__(self) -> None:
        values = [value.value for value in self.values]
        object.__setattr__(self, "matcher", Matcher(values))
        object.__setattr__(self, "strangers", Strangers(values, self.coding))

    def replacement(self, value: int, removed: str) -> bytes:
        """What stands for value `value`; line ends inside the removed text stay, so that lines keep their numbers."""
        ends = "" if self.restoring else "".join(_LINE_ENDS.findall(removed))
        fallback = removed if self.restoring else self.marker + ends
        return self.coding.encode(self.written(value, removed) + ends, fallback)

    def written(self, value: int, removed: str) -> str:
        """What stands for value `value`, without the line ends of what was removed."""
        text = self.values[value].replacement
        ends = _LINE_ENDS.findall(text) if self.restoring else []
        if not ends or removed.endswith("".join(ends)):
            return text
        return _LINE_ENDS.sub(" ", text)  # where the line ends went, nobody knows

    def widened(self, text: str, match: Match) -> Match:
        """An occurrence in `text`, when restoring with the line ends behind it that were the value's own."""
        if not self.restoring:
            return match
        ends = "".join(_LINE_ENDS.findall(self.values[match.value].replacement))
        return match._replace(end=match.end + len(ends)) if text.startswith(ends, match.end) else match

    def line_ends(self, removed: bytes) -> bytes:
        """The line ends in removed bytes of the file."""
        return self.coding.encode("".join(_LINE_ENDS.findall(self.coding.decode(removed, final=True).text)), "")

    @property
    def reach(self) -> int:
        """Code points after a place that may belong to an occurrence beginning there."""
        return max(self.matcher.reach, self.strangers.longest, CONTEXT)


def rewrite(source: Source, sink: Sink, sweep: Sweep, edits: Iterator[ByteEdit]) -> tuple[int, int]:
    """Copy `source` to `sink` with `edits` (ascending) and the sweep applied.  Returns how many of each."""
    writer = Writer(sink, edits, sweep.line_ends)
    held, base, done = b"", 0, len(sweep.coding.mark)
    if done:
        sink.write(source.read(0, done))
    writer.done = base = done
    context = 0
    for chunk, final in _ended(source, done):
        held += chunk
        decoded = sweep.coding.decode(held, final=final)
        text = decoded.text
        last = len(text) if final else len(text) - sweep.reach
        if last <= context:
            continue
        matches = [sweep.widened(text, match) for match in sweep.matcher.within(text, context, last)]
        keep = max(context, last - CONTEXT)
        wanted = sorted({keep, last, *(place for match in matches for place in (match.start, match.end))})
        places = dict(zip(wanted, sweep.coding.places(held, decoded, wanted), strict=True))
        limit = len(held) if final else places[last]
        found = [
            ByteEdit(
                base + places[match.start],
                base + places[match.end],
                sweep.replacement(match.value, text[match.start : match.end]),
                True,
            )
            for match in matches
        ]
        found += foreign_edits(sweep, held, base, limit)
        writer.advance(held, base, base + limit, found)
        if not final:
            context = last - keep
            base, held = base + places[keep], held[places[keep] :]
    return writer.edited, writer.swept


def _ended(source: Source, start: int) -> Iterator[tuple[bytes, bool]]:
    """Chunks, the last one marked."""
    before = b""
    for chunk in iter_chunks(source, start, size=CHUNK):
        if before:
            yield before, False
        before = chunk
    yield before, True


def foreign_edits(sweep: Sweep, data: bytes, base: int, limit: int) -> Iterator[ByteEdit]:
    """Edits for values that stand in `data` in an encoding that is not the file's."""
    for match in sweep.strangers.find(data):
        if match.start < limit:
            text = sweep.coding.encode(sweep.values[match.value].replacement, sweep.marker)
            # What follows must stay aligned to the file's own characters.
            fill = b" " * ((match.end - match.start - len(text)) % sweep.coding.unit)
            yield ByteEdit(base + match.start, base + match.end, match.before + text + fill + match.after, True)


class Writer:
    """Merges edits that overlap and copies what lies between.

    Args:
        sink: where the result goes.
        edits: accepted edits, ascending.
        line_ends: the line ends in removed bytes, which stay where accepted edits and the sweep have met.
    """

    def __init__(
        self,
        sink: Sink,
        edits: Iterator[ByteEdit] | None = None,
        line_ends: Callable[[bytes], bytes] = lambda _removed: b"",
    ) -> None:
        self._sink = sink
        self._line_ends = line_ends
        self._edits = edits or iter(())
        self._ready: deque[ByteEdit] = deque()
        self._next = next(self._edits, None)
        self.done = 0
        self.edited = 0
        self.swept = 0

    def advance(self, data: bytes, base: int, limit: int, found: list[ByteEdit]) -> None:
        """Write everything before `limit`; `data` begins at `base` and holds every edit that begins before `limit`."""
        while self._next is not None and self._next.start < limit:
            self._ready.append(self._next)
            self._next = next(self._edits, None)
        ordered = sorted([*self._ready, *found], key=lambda edit: (edit.start, edit.swept, edit.end))
        self._ready.clear()
        for start, end, text, met in self._clusters(ordered):
            if end <= self.done:
                continue
            self._sink.write(data[max(self.done, base) - base : max(start, self.done) - base] + text)
            if met:
                self._sink.write(self._line_ends(data[max(start, self.done) - base : end - base]))
            self.done = end
        if limit > self.done:
            self._sink.write(data[self.done - base : limit - base])
            self.done = limit

    def _clusters(self, ordered: list[ByteEdit]) -> Iterator[tuple[int, int, bytes, bool]]:
        """Edits that overlap become one: accepted replacements stand, swept ones give way to them."""
        group: list[ByteEdit] = []
        end = -1
        for edit in ordered:
            if edit.end <= self.done:
                continue
            if group and edit.start >= end:
                yield self._merged(group, end)
                group = []
            group.append(edit)
            end = max(end, edit.end) if len(group) > 1 else edit.end
        if group:
            yield self._merged(group, end)

    def _merged(self, group: list[ByteEdit], end: int) -> tuple[int, int, bytes, bool]:
        accepted = [edit for edit in group if not edit.swept]
        self.edited += len(accepted)
        self.swept += not accepted
        text = b"".join(edit.data for edit in accepted) if accepted else group[0].data
        return group[0].start, end, text, bool(accepted)


def decoded_pieces(source: Source, coding: Coding, reach: int) -> Iterator[tuple[int, str]]:
    """The decoded text in stretches that overlap by at least `reach` code points, cut where no word is cut.

    Yields the byte offset of each stretch's reading and the stretch.
    """
    held, offset = "", len(coding.mark)
    rest = b""
    for chunk, final in _ended(source, offset):
        rest += chunk
        decoded = coding.decode(rest, final=final)
        rest = rest[decoded.used :]
        held += decoded.text
        offset += decoded.used
        if final or len(held) > 4 * reach + 4096:
            end = len(held) if final else _word_end(held, len(held))
            yield offset, held[:end]
            held = held[_word_end(held, max(0, end - reach)) :]


def _word_end(text: str, end: int) -> int:
    """The nearest place at or before `end` (within a window) after white space."""
    for place in range(end, max(0, end - 4096), -1):
        if text[place - 1].isspace():
            return place
    return end
