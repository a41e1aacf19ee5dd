"""A large markup part as a stream: what stands before its rows, the rows a megabyte at a time, and what follows.

Worksheets and shared strings are a long list of like elements in a small frame.  The frame, with the list taken out, is
a well-formed part of its own (the *skeleton*), and is handled like any other; the list is never in memory whole.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from anonify.documents.ooxml import xml
from anonify.documents.ooxml.zip import Archive, Entry
from anonify.errors import Code, FatalError

__all__ = ["ATTRIBUTES", "Segment", "Streamed", "plain"]

MAX_ITEM: Final = 64 << 20
"""Code points of one row or string, or of the frame: either is held whole."""

ATTRIBUTES: Final = r"(?:\s(?:[^<>\"'/]++|\"[^\"<]*+\"|'[^'<]*+'|/(?!>))*+)?"
_ASIDE: Final = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL)
_REMARK: Final = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_SECTION: Final = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


@dataclass(frozen=True)
class Segment:
    """A stretch of a part.

    Attributes:
        kind: `head`, `items` or `tail`.
        text: as written.
        prefix: the list's namespace prefix with its colon, or "".
    """

    kind: str
    text: str
    prefix: str

    @cached_property
    def masked(self) -> str:
        """The text with comments, instructions and CDATA sections blanked out: what looks like a tag is one."""
        if "<!" not in self.text and "<?" not in self.text:
            return self.text
        return _masked(self.text)

    @property
    def has_remarks(self) -> bool:
        """Whether comments or instructions stand among the items."""
        return self.masked is not self.text and _REMARK.search(self.text) is not None


def _masked(text: str) -> str:
    return _ASIDE.sub(lambda match: " " * len(match[0]), text)


def plain(raw: str) -> str:
    """Character data as meant: comments gone, CDATA sections and references resolved."""
    if "<" in raw:
        raw = _REMARK.sub("", _SECTION.sub(lambda match: xml.escape(match[1]), raw))
    return xml.unescape(raw)


class Streamed:
    """One part, read front to back as often as needed.

    Args:
        container: local name of the element that holds the list.
        item: local name of the list's elements.
    """

    def __init__(self, archive: Archive, entry: Entry, container: str, item: str) -> None:
        self._archive = archive
        self.entry = entry
        self._container = container
        self._item = item
        self.codec = "utf-8"

    @cached_property
    def skeleton(self) -> tuple[str, int]:
        """The part without its list, and where the list was."""
        parts = {segment.kind: segment.text for segment in self.segments() if segment.kind != "items"}
        return parts["head"] + parts["tail"], len(parts["head"])

    def segments(self) -> Iterator[Segment]:
        """A head, any number of stretches of whole items, and a tail.

        Raises:
            FatalError: `malformed`, or `too-complex` when one item is too long to hold.
        """
        held = ""
        start: re.Match[str] | None = None
        inside = done = False
        prefix = ""
        pieces = self._texts()
        for piece in pieces:
            held += piece
            if not inside:
                start = self._begin(held)
                if start is not None:
                    prefix = start[1] or ""
                    yield Segment("head", held[: start.end()], prefix)
                    held = held[start.end() :]
                    inside = True
                    done = start[2] == "/"
            if inside and not done:
                cut, done = self._whole(held, prefix)
                if cut:
                    yield Segment("items", held[:cut], prefix)
                    held = held[cut:]
            if done:  # what follows the list is the frame's
                held += "".join(pieces)
            if len(held) > MAX_ITEM:
                raise FatalError(Code.TOO_COMPLEX, size=len(held))
        if not inside:
            yield Segment("head", held, "")
            held = ""
        yield Segment("tail", held, prefix)

    def _texts(self) -> Iterator[str]:
        chunks = self._archive.stream(self.entry)
        head = next(chunks, b"")
        self.codec = xml.codec_of(head)
        decoder = codecs.getincrementaldecoder(self.codec)()
        try:
            yield decoder.decode(head)
            for chunk in chunks:
                yield decoder.decode(chunk)
            yield decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            raise FatalError(Code.MALFORMED) from None

    def _begin(self, held: str) -> re.Match[str] | None:
        name = rf"<((?:[\w.-]+:)?){self._container}{ATTRIBUTES}(/?)>"
        if self._container not in held:
            return None
        return re.search(name, _masked(held))

    def _whole(self, held: str, prefix: str) -> tuple[int, bool]:
        """Where the last whole item ends, and whether the list ends after it."""
        masked = _masked(held) if "<!" in held or "<?" in held else held
        torn = max(masked.rfind("<!"), masked.rfind("<?"))  # begins here and ends in a later piece
        stop = masked.find(f"</{prefix}{self._container}")
        done = stop >= 0 and (torn < 0 or stop < torn)
        limit = stop if done else len(masked) if torn < 0 else min(torn, len(masked))
        if done:
            return stop, True
        end = masked.rfind(f"</{prefix}{self._item}", 0, limit)
        close = masked.find(">", end, limit) if end >= 0 else -1
        if close < 0 and end > 0:
            end = masked.rfind(f"</{prefix}{self._item}", 0, end)
            close = masked.find(">", end, limit) if end >= 0 else -1
        return (close + 1 if close >= 0 else 0), False
