"""Pages that a recogniser has read: the same page with likely misreadings put right, judged a second time.

The second reading differs from the page in a character here and there and may leave some out, so it carries where each
of its characters came from.  It only says where a detector may look; what is suggested is always the page's own text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from anonify.documents.matching import Match, Matcher
from anonify.documents.model import Page

from .accounts import Edit
from .detectors import Passage
from .engine import Engine, Found, settle
from .model import Category
from .repairs import edits_of

__all__ = ["Reading", "Stretches", "find_alike", "reading_of", "scan_recognised", "stretches"]

SHARE: Final = 0.95
"""Confidence of what only the second reading shows, as a share of the detector's."""

_BACKED: Final[frozenset[Category]] = frozenset(
    {"person", "phone", "email", "government-id", "bank-account", "financial", "date-of-birth", "customer-id", "health"}
)
"""What a check digit, a clear form or a label vouches for, even where characters had to be guessed."""

_LONG_BOX: Final = 12
"""Characters of a mailbox without its at sign, below which it may be any word with points in it."""

Stretches = Sequence[tuple[int, int]]
"""Where recognised words stand in a page's text: start and end, ascending, apart."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A page's text with misreadings put right.

    Attributes:
        text: the text.
        origins: for each of its characters the offset in the page's text it stands for.
    """

    text: str
    origins: list[int]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where `[start, end)` stands in the page's text."""
        return self.origins[start], self.origins[end - 1] + 1


def stretches(page: Page) -> Stretches:
    """Where in the page's text recognised words stand, ascending; words without other text between them are one."""
    if page.rows:
        return ()
    found: list[tuple[int, int]] = []
    for span in page.spans:
        if span.source != "ocr":
            continue
        if found and not page.text[found[-1][1] : span.start].strip():
            found[-1] = (found[-1][0], span.end)
        else:
            found.append((span.start, span.end))
    return tuple(found)


def scan_recognised(engine: Engine, passage: Passage, where: Stretches) -> list[Found]:
    """What the detectors find on a page with recognised words: as read, and put right; overlaps settled."""
    found = [*engine.scan(passage), *_unsigned(engine, passage.text, where)]
    reading = reading_of(passage.text, where)
    if reading is not None:
        for other in engine.scan(Passage(reading.text, passage.hints)):
            start, end = reading.place(other.start, other.end)
            inside = any(first < end and start < last for first, last in where)
            if inside and other.category in _BACKED:
                found.append(other._replace(start=start, end=end, confidence=other.confidence * SHARE))
    return settle(found)


_UNSIGNED: Final = re.compile(
    r"(?i)\be-?mail(?: address)?[:.]? {1,3}(?P<box>[\w\-]+(?:\.[\w\-]+)*\.[a-z]{2,12})\b(?![@.\w])"
)


def _unsigned(engine: Engine, text: str, where: Stretches) -> Iterator[Found]:
    """Mailboxes beside a label whose at sign was read as a letter."""
    if "email" in engine.categories:
        for match in (match for start, end in where for match in _UNSIGNED.finditer(text, start, end)):
            if len(match["box"]) >= _LONG_BOX:
                yield Found(*match.span("box"), 0.7, "email", "email", 40, "label", "labelled")


def find_alike(plain: Matcher, alike: Matcher | None, text: str, where: Stretches) -> list[Match]:
    """What `plain` finds in `text`, and `alike` where words were recognised, as :meth:`Matcher.find`."""
    found = plain.find(text)
    if alike is None or not where:
        return found
    found += (match for match in alike.find(text) if any(a < match.end and match.start < b for a, b in where))
    kept: list[Match] = []
    for match in sorted(found, key=lambda match: (match.start, -match.end)):
        if not kept or match.start >= kept[-1].end:
            kept.append(match)
    return kept


def reading_of(text: str, where: Stretches) -> Reading | None:
    """`text` with what is likely misread in `where` put right, or None when nothing is."""
    edits: list[Edit] = []
    for start, end in where:
        edits += ((start + first, start + last, new) for first, last, new in edits_of(text[start:end]))
    if not edits:
        return None
    pieces: list[str] = []
    origins: list[int] = []
    done = 0
    for start, end, new in [*edits, (len(text), len(text), "")]:
        pieces += (text[done:start], new)
        origins += range(done, start)
        origins += range(start, start + len(new))
        done = end
    return Reading("".join(pieces), origins)
