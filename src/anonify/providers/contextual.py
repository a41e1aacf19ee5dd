"""The contextual pass over a document: classify, detect, verify.

What a model proposes is looked for in the page; blanks may differ, characters may not, and what is not there is
dropped.  A model can name text and say how sensitive it is; nothing in a document can make it do more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from anonify.detection.model import CATEGORIES, CONTEXT_MODEL, Category, Detection, Source

from .passages import CHUNK, Page, Passage, passages, places
from .work import Progress, Work

if TYPE_CHECKING:
    from .shapes import Proposed

__all__ = ["CHUNK", "SUREST", "UNSPEAKABLE", "look"]

SAMPLE: Final = 2_000
"""Code points that the kind of document is told from."""

CONTEXT: Final = 80
"""Code points on either side of a candidate that is verified."""

SHAKY: Final = 0.7
"""Confidence below which a suggestion is verified."""

MOST_SHAKY: Final = 60
"""Suggestions verified in one document, the least sure ones: one call."""

CONFIRMED: Final = 0.85
"""Confidence of what a model confirmed, at least."""

DOUBTED: Final = 0.6
"""What a rejection leaves of the confidence of a suggestion that no model made."""

SUREST: Final = 0.9
"""Confidence of what only a model proposed, at most."""

LONGEST: Final = 2_000
"""Code points of a value beyond which it is no value: a model that is talked into it would name whole pages."""

MOST_KIND: Final = 60
"""Code points kept of what a model calls a document."""

MOST_KNOWN: Final = 200
"""Known values that are named beside one passage."""

GUESSED: Final[frozenset[Source]] = frozenset({"names-model", "context-model"})
"""Sources whose suggestions a rejection drops.  Others have seen a pattern or a label, so they are kept, less sure: a
text beside a value can talk a model into rejecting it."""

UNSPEAKABLE: Final[frozenset[Category]] = frozenset({"face", "signature"})
"""What no text holds."""


def look(
    work: Work,
    pages: Iterable[Page],
    found: Sequence[Detection],
    categories: frozenset[Category],
    progress: Progress = lambda _done, _total: None,
) -> list[Detection]:
    """What a model makes of the suggestions for a document: those that were known, as verified (some dropped, some with
    another confidence), then new ones.

    Never raises for what a provider does: what could not be asked is among the skips of `work`, with its reason.

    Args:
        pages: each page's number and text, in order.  Not a grid's: what is suggested has no row and no column.
        found: what patterns and the names model found.
        categories: what is looked for; whatever else a model proposes is dropped.
        progress: called with (passages read, passages in all) on the calling thread; what it raises ends the pass.
    """
    wanted = categories - UNSPEAKABLE
    if not work.client.provider.structured:
        work.skip("detect", "unsupported")
        return list(found)
    if not wanted:
        work.skip("detect", "off")
        return list(found)
    texts = list(pages)
    kind = _classify(work, texts)
    reader = _Reader(work, kind, found, wanted)
    named = [one for some in work.each(reader.read, list(passages(texts)), progress) for one in some]
    return _verify(work, dict(texts), [*found, *_distinct(named, found)])


def _classify(work: Work, pages: Sequence[Page]) -> str:
    """What kind of document it is, in the model's words: as little to be trusted as the document."""
    from .shapes import Classified

    sample = "\n".join(text for _, text in islice(pages, 5))[:SAMPLE]
    if not sample.strip():
        return ""
    answer = work.ask("classify", "Say what kind of document this sample is from.", sample, Classified)
    return "" if answer is None else f"{answer.kind[:MOST_KIND]} ({answer.language[:MOST_KIND]})"


@dataclass(frozen=True, slots=True)
class _Reader:
    """Asks what stands in a passage of a document of some kind that is not among what was found."""

    work: Work
    kind: str
    found: Sequence[Detection]
    categories: frozenset[Category]

    def read(self, passage: Passage) -> list[Detection]:
        """What is new in a passage."""
        from .shapes import Spans

        wanted = [category for category in CATEGORIES if category in self.categories]
        instructions = (
            "List every value in the text that identifies or exposes a person or an organisation's secrets and is not "
            f"among the known values. Categories: {', '.join(wanted)}. Copy each value exactly as it stands. "
            "Public figures of history, places, companies and product names are not sensitive by themselves."
        )
        beside = {"document": self.kind, "known": _known(passage, self.found)}
        parts = [f"Beside the text: {msgspec.json.encode(beside).decode()}", f"The text:\n{passage.text}"]
        answer = self.work.ask("detect", instructions, parts, Spans)
        fresh: list[Detection] = []
        unlocated = 0
        for value in () if answer is None else answer.values:
            if value.category in self.categories:
                located = list(_located(passage, value)) if len(value.text) <= LONGEST else []
                unlocated += not located
                fresh += located
        self.work.misplaced(unlocated)
        return fresh


def _known(passage: Passage, found: Sequence[Detection]) -> list[str]:
    inside = {
        d.text
        for piece in passage.pieces
        for d in found
        if d.text and d.page == piece.page and piece.start <= d.start < piece.start + len(piece.text)
    }
    return sorted(inside)[:MOST_KNOWN]


def _located(passage: Passage, value: Proposed) -> Iterable[Detection]:
    """A proposed value wherever it stands in its passage."""
    for piece in passage.pieces:
        for first, last in places(piece.text, value.text):
            yield Detection(
                page=piece.page,
                start=piece.start + first,
                end=piece.start + last,
                text=piece.text[first:last],
                category=value.category,
                confidence=round(min(SUREST, value.confidence), 3),
                source="context-model",
                detector=CONTEXT_MODEL,
                global_=value.everywhere,
            )


def _distinct(fresh: Sequence[Detection], found: Sequence[Detection]) -> list[Detection]:
    """What is new: nothing twice, and nothing that a known suggestion covers or cuts; the longer of two goes first."""
    taken: dict[int, list[tuple[int, int]]] = {}
    for d in found:
        taken.setdefault(d.page, []).append((d.start, d.end))
    known = {page: list(spans) for page, spans in taken.items()}
    kept = []
    for d in sorted(fresh, key=lambda d: (d.page, d.start - d.end, d.start)):
        within = [span for span in taken.get(d.page, []) if span[0] < d.end and d.start < span[1]]
        longer = all(d.start <= a and b <= d.end and (a, b) != (d.start, d.end) for a, b in within)
        if not within or (longer and set(within) <= set(known.get(d.page, []))):
            kept.append(d)
            taken.setdefault(d.page, []).append((d.start, d.end))
    return sorted(kept, key=lambda d: (d.page, d.start))


def _verify(work: Work, texts: dict[int, str], suggested: Sequence[Detection]) -> list[Detection]:
    """The suggestions with a model's verdict on the shaky ones: confirmed, doubted or dropped."""
    from .shapes import Verdicts

    shaky = [n for n, d in enumerate(suggested) if d.confidence < SHAKY and d.end > d.start and d.page in texts]
    shaky = sorted(sorted(shaky, key=lambda n: suggested[n].confidence)[:MOST_SHAKY])
    if not shaky:
        return list(suggested)
    lines = [_line(number, suggested[n], texts[suggested[n].page]) for number, n in enumerate(shaky)]
    instructions = "For each numbered candidate say whether the value is what it is taken for, and sensitive there."
    answer = work.ask("verify", instructions, msgspec.json.encode(lines).decode(), Verdicts)
    if answer is None:
        return list(suggested)
    said = {shaky[v.number]: v.sensitive for v in answer.verdicts if 0 <= v.number < len(shaky)}
    judged = (_judged(d, said.get(n)) for n, d in enumerate(suggested))
    return [d for d in judged if d is not None]


def _line(number: int, d: Detection, text: str) -> dict[str, object]:
    before, after = text[max(0, d.start - CONTEXT) : d.start], text[d.end : d.end + CONTEXT]
    return {"number": number, "taken_for": d.category, "before": before, "value": d.text, "after": after}


def _judged(d: Detection, sensitive: bool | None) -> Detection | None:
    if sensitive is None:
        return d
    if sensitive:
        return msgspec.structs.replace(d, confidence=max(d.confidence, CONFIRMED))
    if d.source in GUESSED:
        return None
    return msgspec.structs.replace(d, confidence=round(d.confidence * DOUBTED, 3))
