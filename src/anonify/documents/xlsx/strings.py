"""A workbook's shared strings: compact, by number (ECMA-376 part 1, 18.4)."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Set
from typing import Final

from anonify.documents.ooxml.sweep import xstring
from anonify.errors import Code, FatalError

from .streamed import ATTRIBUTES, Segment, Streamed, plain

__all__ = ["Strings", "items_of", "nothing_between", "rich_text"]

MAX_STRINGS: Final = 256 << 20
"""Bytes of all strings together: they are kept, since any cell may name any of them."""

_PLAIN: Final = re.compile(r'<si><t(?: xml:space="preserve")?>([^<]*)</t></si>')


def _items(prefix: str) -> re.Pattern[str]:
    return re.compile(rf"<{prefix}si{ATTRIBUTES}(?:/>|>(.*?)</{prefix}si\s*>)", re.DOTALL)


def _pieces(prefix: str) -> re.Pattern[str]:
    name = rf"{prefix}(?:t|rPh)"
    return re.compile(rf"<({name})(?=[\s/>]){ATTRIBUTES}(?:/>|>(.*?)</\1\s*>)", re.DOTALL)


def rich_text(masked: str, text: str, start: int, end: int, prefix: str) -> str:
    """The text of a string item's or inline string's runs, readings left out."""
    return "".join(
        plain(text[slice(*match.span(2))])
        for match in _pieces(prefix).finditer(masked, start, end)
        if match[1].endswith("t") and match[2] is not None
    )


def items_of(segment: Segment) -> Iterator[tuple[int, int, str, bool]]:
    """Start, end and text of every string of a segment, and whether nothing else is in it."""
    masked, text, prefix = segment.masked, segment.text, segment.prefix
    general = _items(prefix)
    place = 0
    while True:
        match = _PLAIN.match(masked, place) if not prefix and masked is text else None
        if match:
            yield match.start(), match.end(), xstring(plain(match[1])), True
        else:
            match = general.search(masked, place)
            if match is None:
                return
            inner = match.span(1)
            shown = rich_text(masked, text, *inner, prefix) if match[1] else ""
            yield match.start(), match.end(), xstring(shown), False
        place = match.end()


class Strings:
    """The texts by number."""

    def __init__(self, part: Streamed | None) -> None:
        self.part = part
        self._data = bytearray()
        self._ends = array("Q")
        if part is not None:
            self._read(part)

    def _read(self, part: Streamed) -> None:
        data, ends = self._data, self._ends
        for segment in part.segments():
            if segment.kind == "items":
                for _, _, text, _ in items_of(segment):
                    data += text.encode("utf-8", "surrogatepass")
                    ends.append(len(data))
                if len(data) > MAX_STRINGS:
                    raise FatalError(Code.TOO_COMPLEX, size=len(data))

    def runs(self, numbers: Set[int]) -> dict[int, str]:
        """The markup of those of some strings that are made of runs, readings included, by number."""
        found: dict[int, str] = {}
        number = 0
        for segment in self.part.segments() if self.part and numbers else ():
            if segment.kind != "items" or segment.prefix:
                continue
            for start, end, _, simple in items_of(segment):
                if not simple and number in numbers:
                    item = segment.text[start:end]
                    found[number] = item[item.find(">") + 1 : item.rfind("<")]
                number += 1
        return found

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, number: int) -> str:
        """The text of string `number`, "" where there is none."""
        if not 0 <= number < len(self._ends):
            return ""
        start = self._ends[number - 1] if number else 0
        return self._data[start : self._ends[number]].decode("utf-8", "surrogatepass")


def nothing_between(masked: str, covered: list[tuple[int, int]]) -> bool:
    """Whether a segment holds only white space beside the ranges."""
    place = 0
    for start, end in covered:
        if masked[place:start].strip():
            return False
        place = end
    return not masked[place:].strip()
