"""Another reader's text put in the places where a recogniser saw words.

Language models read better than they point: their text has no boxes.  The two readings are laid side by side, first by
words, then, where they differ, by characters; the other reader's text is taken, in the boxes of what it lies beside.
What the recogniser missed gets the gap between its neighbours.  What only the recogniser saw stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Final

import msgspec

from .markdown import words_of
from .model import PixelBox, Word

__all__ = ["corrected"]

_PUNCTUATION: Final = ".,;:!?()[]{}\"'|*_#`"
"""What stands around a word in one reading and not in the other."""

_LONGEST: Final = 400
"""Characters of a difference that are laid side by side; a longer one is another order of reading, not a misreading."""

_STRETCH: Final = 2
"""How many times as long as what was seen a misreading of it may be."""

_READ: Final = 0.9
"""Confidence of a word that both readers saw and one corrected."""

_GUESSED: Final = 0.3
"""Confidence of a word that only the other reader saw: its place is a gap."""


@dataclass(slots=True)
class _Item:
    """A word of the result.

    Attributes:
        word: with its place, or None as long as that is not known.
        said: the other reader's word it is, or None when only the recogniser saw it.
    """

    word: Word | None
    said: int | None


def corrected(words: Sequence[Word], text: str, size: tuple[int, int]) -> list[Word]:
    """`words` with what the other reader's `text` says in their places.

    Args:
        text: Markdown or plain.
        size: of the picture in pixels; where the recogniser saw nothing at all, a word's place is the whole of it.
    """
    said = words_of(text)
    items = list(_side_by_side(words, said))
    _settle_moved(items, said)
    _fill_gaps(items, said, size)
    return _numbered([item.word for item in items if item.word is not None])


def _key(text: str) -> str:
    return text.strip(_PUNCTUATION).casefold()


def _side_by_side(words: Sequence[Word], said: Sequence[str]) -> Iterator[_Item]:
    matcher = SequenceMatcher(None, [_key(word.text) for word in words], [_key(word) for word in said], autojunk=False)
    for kind, first, last, begin, end in matcher.get_opcodes():
        if kind == "equal":
            for at, index in zip(range(first, last), range(begin, end), strict=True):
                yield _Item(_as(words[at], said[index]), index)
        else:
            yield from _difference(words[first:last], said, range(begin, end))


def _difference(words: Sequence[Word], said: Sequence[str], indexes: range) -> Iterator[_Item]:
    """What the recogniser saw as `words` and the other reader as the words at `indexes`."""
    saw, says = "".join(word.text for word in words), "".join(said[index] for index in indexes)
    owner = [at for at, word in enumerate(words) for _ in word.text]
    glyphs = [box for word in words for box in _glyphs(word)]
    beside = _beside(saw, says) if max(len(saw), len(says)) <= _LONGEST else [None] * len(says)
    found: list[tuple[int, _Item]] = []  # with the word it follows, so that order and lines stay
    used: set[int] = set()
    start = home = 0
    for index in indexes:
        under = [at for at in beside[start : start + len(said[index])] if at is not None]
        start += len(said[index])
        word = None
        if under:
            home = owner[under[0]]
            used.update(owner[at] for at in under)
            word = _laid(said[index], [glyphs[at] for at in under], words[home].line)
        found.append((home, _Item(word, index)))
    found += [(at, _Item(word, None)) for at, word in enumerate(words) if at not in used]
    yield from (item for _, item in sorted(found, key=lambda pair: pair[0]))


def _beside(saw: str, says: str) -> list[int | None]:
    """For every character of `says` the one of `saw` in whose place it stands."""
    result: list[int | None] = [None] * len(says)
    for kind, first, last, begin, end in SequenceMatcher(None, saw, says, autojunk=False).get_opcodes():
        if kind in ("equal", "replace") and end - begin <= _STRETCH * (last - first):
            for at in range(begin, end):
                result[at] = first + (at - begin) * (last - first) // (end - begin)
    return result


def _settle_moved(items: list[_Item], said: Sequence[str]) -> None:
    """Give words without a place that of the same word that only the recogniser saw: it read in another order."""
    free: dict[str, list[_Item]] = {}
    for item in items:
        if item.said is None and item.word is not None and _key(item.word.text):
            free.setdefault(_key(item.word.text), []).append(item)
    for item in [item for item in items if item.word is None and item.said is not None]:
        assert item.said is not None
        same = free.get(_key(said[item.said]))
        if same:
            home = same.pop(0)
            assert home.word is not None
            home.word, home.said = _as(home.word, said[item.said]), item.said
            items.remove(item)


def _fill_gaps(items: list[_Item], said: Sequence[str], size: tuple[int, int]) -> None:
    """Place what only the other reader saw between the words it stands between; several in one gap share it."""
    by_said = {item.said: item for item in items if item.said is not None}
    index = 0
    while index < len(said):
        run = [by_said[at] for at in takewhile(lambda at: by_said[at].word is None, range(index, len(said)))]
        if run:
            before, after = by_said.get(index - 1), by_said.get(index + len(run))
            _fill_gap(items, run, said, (before, after), size)
        index += len(run) + 1


def _fill_gap(
    items: list[_Item], run: Sequence[_Item], said: Sequence[str], beside: tuple[_Item | None, _Item | None],
    size: tuple[int, int],
) -> None:  # fmt: skip
    before, after = (item.word if item is not None else None for item in beside)
    neighbour = before or after
    box, level = _gap(before, after, size)
    if level:  # what the recogniser made of the same ink
        for misread in [item for item in items if item.said is None and _inside(item.word, box)]:
            items.remove(misread)
    words = [said[item.said] for item in run if item.said is not None]
    boxes = _shared(box, [len(word) for word in words]) if level else [box] * len(words)
    for item, word, place in zip(run, words, boxes, strict=True):
        item.word = Word(word, place, _GUESSED, neighbour.line if neighbour is not None else 0)
        items.remove(item)
    home = next((at for at, item in enumerate(items) if item is beside[0]), -1)
    items[home + 1 : home + 1] = run


def _gap(before: Word | None, after: Word | None, size: tuple[int, int]) -> tuple[PixelBox, bool]:
    """Where words between two others stand, and whether that is the gap in a line, to be shared from left to right."""
    if before is None or after is None:
        word = before or after
        if word is None:
            return (0, 0, *size), False
        x0, x1 = (word.box[2], size[0]) if after is None else (0, word.box[0])
        return ((x0, word.box[1], x1, word.box[3]) if x0 < x1 else word.box), False
    if before.line == after.line and before.box[2] < after.box[0]:
        top, bottom = min(before.box[1], after.box[1]), max(before.box[3], after.box[3])
        return (before.box[2], top, after.box[0], bottom), True
    if before.line == after.line or before.box[1] >= after.box[3]:
        return _around((before.box, after.box)), False
    # The end of one line, the beginning of the next, and what lies between them.
    return (0, before.box[1], size[0], after.box[3]), False


def _shared(box: PixelBox, lengths: Sequence[int]) -> list[PixelBox]:
    """`box` cut from left to right in parts of these lengths, none of them empty."""
    total, done, parts = sum(lengths), 0, []
    for length in lengths:
        x0 = box[0] + (box[2] - box[0]) * done // total
        done += length
        x1 = box[0] + (box[2] - box[0]) * done // total
        parts.append((x0, box[1], max(x1, x0 + 1), box[3]))
    return parts


def _inside(word: Word | None, box: PixelBox) -> bool:
    if word is None:
        return False
    x, y = (word.box[0] + word.box[2]) / 2, (word.box[1] + word.box[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _glyphs(word: Word) -> tuple[PixelBox, ...]:
    return word.glyphs if len(word.glyphs) == len(word.text) else (word.box,) * len(word.text)


def _as(word: Word, text: str) -> Word:
    """`word` read as `text`: punctuation around it may have come or gone."""
    if text == word.text:
        return word
    glyphs = _glyphs(word)
    beside = _beside(word.text, text)
    boxes = tuple(word.box if at is None else glyphs[at] for at in beside)
    return msgspec.structs.replace(word, text=text, glyphs=boxes, confidence=max(word.confidence, _READ))


def _laid(text: str, boxes: Sequence[PixelBox], line: int) -> Word:
    return Word(text, _around(boxes), _READ, line, tuple(boxes) if len(boxes) == len(text) else ())


def _around(boxes: Sequence[PixelBox]) -> PixelBox:
    return (
        min(box[0] for box in boxes), min(box[1] for box in boxes), max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )  # fmt: skip


def _numbered(words: Sequence[Word]) -> list[Word]:
    """`words` with lines counted anew, words of one line one after another."""
    result: list[Word] = []
    number = -1
    for at, word in enumerate(words):
        number += at == 0 or word.line != words[at - 1].line
        result.append(msgspec.structs.replace(word, line=number))
    return result
