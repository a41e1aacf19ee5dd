"""What an HTML text becomes: one review text, and for every stretch of it the places in the source.

All offsets are code points: in the source (`str`) or in the review text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .strands import Kind, Strand

__all__ = ["Atom", "Cut", "Edited", "Html", "Limits", "Section", "TextEdit"]


class Limits(NamedTuple):
    """Above one of these the text is refused as `too-complex`.

    Attributes:
        length: code points of source.
        decoded: code points that what is written in codes (percent, base64, escapes) may give in all, for each one of
            the source.
        depth: HTML inside of HTML (comments, frames) that is read.
    """

    length: int = 64 << 20
    decoded: int = 32
    depth: int = 3


class Atom(NamedTuple):
    """A stretch of the source; all atoms together cover every code point once, in order.

    Attributes:
        start, end: in the source.
        kind: see :data:`Kind`.
        shown: what a reader sees of it (empty for most markup).
    """

    start: int
    end: int
    kind: Kind
    shown: str


class Section(NamedTuple):
    """A named stretch of the review text; `shown` is what a viewer shows, every other one is not seen there.

    Names: `shown`, `hidden`, `title`, `noscript`, `template`, `comments`, `descriptions`, `links`, `data`, `styles`,
    `scripts`, `markup`.
    """

    name: str
    start: int
    end: int


class TextEdit(NamedTuple):
    """Replace `[start, end)` of the review text; `value` is the caller's own number."""

    start: int
    end: int
    replacement: str
    value: int = -1


class Cut(NamedTuple):
    """Source code points `[start, end)` become `text`, which is already written as the place wants it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Html:
    """A text read.

    Attributes:
        source: the HTML itself.
        review: what a person reads: the shown text first, then the sections of what is not seen.
        sections: in order, without overlaps; only those that hold something.
        strands: every further text in which a value may stand: all text without any breaks; attributes, comments and
            other matter as written.  What stands apart in the source is kept apart there.
        coded: what either says when the codes in it are undone (`%40`, base64, escapes of scripts, references again).
    """

    source: str
    review: Strand
    sections: tuple[Section, ...]
    strands: tuple[Strand, ...]
    coded: Strand

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The source in pieces; every code point belongs to one.  Made anew on each call."""
        return atoms_of(self)

    @property
    def text(self) -> str:
        """The review text."""
        return self.review.text

    def swept(self) -> Iterator[Strand]:
        """Every strand in which values are looked for, what is written in codes first."""
        yield from (self.coded, self.review, *self.strands)

    def hidden(self) -> Iterator[tuple[str, int]]:
        """Kinds of content that a viewer does not show, with code points of each."""
        yield from ((section.name, section.end - section.start) for section in self.sections if section.name != "shown")


def atoms_of(html: Html) -> tuple[Atom, ...]:
    """The source in pieces: what the runs leave is structural."""
    shown = {}
    for run in html.review.runs:
        if run.kind != "structural" and run.packed is None:
            shown[run.start, run.end] = html.review.text[run.at : run.at + run.length]
    runs = {(run.start, run.end): run.kind for strand in (html.review, *html.strands) for run in strand.runs
            if run.kind != "structural" and run.packed is None and run.end > run.start}  # fmt: skip
    atoms: list[Atom] = []
    done = 0
    for (start, end), kind in sorted(runs.items()):
        if start < done:
            continue
        if start > done:
            atoms.append(Atom(done, start, "structural", ""))
        atoms.append(Atom(start, end, kind, shown.get((start, end), "")))
        done = end
    if done < len(html.source):
        atoms.append(Atom(done, len(html.source), "structural", ""))
    return tuple(atoms)


@dataclass(frozen=True, slots=True)
class Edited:
    """What is to be done to the source.

    Attributes:
        cuts: ascending, without overlaps.
        edited: accepted edits among them.
        swept: further occurrences.
    """

    cuts: tuple[Cut, ...]
    edited: int
    swept: int

    def apply(self, source: str) -> str:
        """The source with the cuts made."""
        return applied(source, self.cuts)


def applied(source: str, cuts: Sequence[Cut]) -> str:
    """`source` with `cuts` (ascending, without overlaps) made."""
    parts: list[str] = []
    done = 0
    for cut in cuts:
        parts += (source[done : cut.start], cut.text)
        done = cut.end
    return "".join((*parts, source[done:]))
