"""The contextual pass over a document: classify, detect, verify.

What a model proposes is looked for in the page; blanks may differ, characters may not, and what is not there is
dropped.  A model can name text and say how sensitive it is; nothing in a document can make it do more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import msgspec

from anonify.detection.model import CATEGORIES, Category, Detection

from .client import Client
from .model import Looked, Skip, SkipReason, Task, Usage
from .throttle import Skipped

__all__ = ["CHUNK", "look"]

SAMPLE: Final = 2_000
"""Code points that the kind of document is told from."""

CHUNK: Final = 6_000
"""Code points of one passage."""

CONTEXT: Final = 80
"""Code points on either side of a candidate that is verified."""

SHAKY: Final = 0.7
"""Confidence below which a suggestion is verified."""

MOST_SHAKY: Final = 60
"""Suggestions verified in one document: one call."""

CONFIRMED: Final = 0.85
"""Confidence of what a model confirmed, at least."""

DETECTOR: Final = "context-model"
"""The detector of what only a model proposed."""

Page = tuple[int, str]
"""A page's number and its text."""


@dataclass(slots=True)
class _Pass:
    """One document's pass."""

    client: Client
    categories: frozenset[Category]
    usages: list[Usage] = field(default_factory=list)
    skips: dict[tuple[Task, SkipReason], int] = field(default_factory=dict)
    unlocated: int = 0

    def ask(self, task: Task, instructions: str, passage: str, shape: type[Any]) -> Any:
        """The answer, or None with the reason written down."""
        try:
            answer, usages = self.client.ask(task, instructions, passage, shape)
        except Skipped as skipped:
            self.usages += skipped.usages
            key = (task, skipped.reason)
            self.skips[key] = self.skips.get(key, 0) + 1
            return None
        self.usages += usages
        return answer


def look(client: Client, pages: Iterable[Page], found: Sequence[Detection], categories: frozenset[Category]) -> Looked:
    """What a model adds to, and takes from, the suggestions for a document.

    Args:
        pages: each page's number and text, in order; read twice.
        found: what patterns and the names model found.
        categories: what is looked for; whatever else a model proposes is dropped.
    """
    wanted = tuple(category for category in CATEGORIES if category in categories and category not in _UNSPEAKABLE)
    if not client.provider.structured:
        return Looked(list(found), [], [Skip("detect", "unsupported")], 0)
    if not wanted:
        return Looked(list(found), [], [Skip("detect", "off")], 0)
    texts = list(pages)
    work = _Pass(client, frozenset(wanted))
    kind = _classify(work, texts)
    fresh: list[Detection] = []
    for passage in _passages(texts):
        fresh += _detect(work, kind, passage, [d for d in found if passage.holds(d)])
    kept = _verify(work, dict(texts), found)
    skips = [Skip(task, reason, calls) for (task, reason), calls in work.skips.items()]
    return Looked([*kept, *fresh], work.usages, skips, work.unlocated)


_UNSPEAKABLE: Final[frozenset[Category]] = frozenset({"face", "signature"})
"""What no text holds."""


def _classify(work: _Pass, pages: Sequence[Page]) -> str:
    from .shapes import Classified

    sample = "\n".join(text for _, text in pages[:5])[:SAMPLE]
    if not sample.strip():
        return ""
    answer = work.ask("classify", "Say what kind of document this sample is from.", sample, Classified)
    return "" if answer is None else f"The document seems to be: {answer.kind} ({answer.language}). "


class _Passage(NamedTuple):
    """Part of a page: the page's number, where the part begins in it, and its text."""

    page: int
    start: int
    text: str

    def holds(self, detection: Detection) -> bool:
        """Whether a suggestion begins in it."""
        return detection.page == self.page and 0 <= detection.start - self.start < len(self.text)


def _passages(pages: Sequence[Page]) -> Iterator[_Passage]:
    """The pages in passages, cut at a line's or a sentence's end where there is one."""
    for number, text in pages:
        start = 0
        while start < len(text):
            end = min(len(text), start + CHUNK)
            if end < len(text):
                cut = max(text.rfind("\n", start + CHUNK // 2, end), text.rfind(". ", start + CHUNK // 2, end))
                end = cut + 1 if cut > 0 else end
            if text[start:end].strip():
                yield _Passage(number, start, text[start:end])
            start = end


def _detect(work: _Pass, kind: str, passage: _Passage, known: Sequence[Detection]) -> list[Detection]:
    from .shapes import Spans

    listed = msgspec.json.encode(sorted({d.text for d in known if d.text})[:200]).decode()
    instructions = (
        f"{kind}List every value in the text that identifies or exposes a person and is not in this list of known "
        f"values: {listed}. Categories: {', '.join(sorted(work.categories))}. Copy each value exactly as it stands. "
        "Public figures of history, places, companies and product names are not sensitive by themselves."
    )
    answer = work.ask("detect", instructions, passage.text, Spans)
    if answer is None:
        return []
    taken = [(d.start - passage.start, d.end - passage.start) for d in known]
    fresh: list[Detection] = []
    for value in answer.values:
        if value.category not in work.categories:
            continue
        places = list(_places(passage.text, value.text))
        work.unlocated += not places
        for first, last in places:
            if any(first < b and a < last for a, b in taken):
                continue
            taken.append((first, last))
            fresh.append(
                Detection(
                    passage.page,
                    passage.start + first,
                    passage.start + last,
                    passage.text[first:last],
                    value.category,
                    round(min(0.9, value.confidence), 3),
                    "context-model",
                    DETECTOR,
                    value.everywhere,
                )
            )
    return sorted(fresh, key=lambda d: d.start)


def _places(passage: str, value: str) -> Iterator[tuple[int, int]]:
    """Where a value stands, not inside a longer word.  Its blanks match any blanks."""
    words = value.split()
    if not words:
        return
    pattern = r"\s+".join(map(re.escape, words))
    left = r"(?<!\w)" if words[0][0].isalnum() else ""
    right = r"(?!\w)" if words[-1][-1].isalnum() else ""
    for match in re.finditer(left + pattern + right, passage):
        yield match.span()


def _verify(work: _Pass, texts: dict[int, str], found: Sequence[Detection]) -> list[Detection]:
    """The suggestions without those a model rejects; those it confirms are surer."""
    from .shapes import Verdicts

    shaky = [n for n, d in enumerate(found) if d.confidence < SHAKY and d.text and d.page in texts][:MOST_SHAKY]
    if not shaky:
        return list(found)
    lines = []
    for number, index in enumerate(shaky):
        d = found[index]
        before = texts[d.page][max(0, d.start - CONTEXT) : d.start]
        after = texts[d.page][d.end : d.end + CONTEXT]
        lines.append({"number": number, "taken_for": d.category, "before": before, "value": d.text, "after": after})
    instructions = "For each numbered candidate say whether the value is what it is taken for, and sensitive there."
    answer = work.ask("verify", instructions, msgspec.json.encode(lines).decode(), Verdicts)
    if answer is None:
        return list(found)
    said = {shaky[v.number]: v.sensitive for v in answer.verdicts if 0 <= v.number < len(shaky)}
    return [_surer(d) if said.get(index) else d for index, d in enumerate(found) if said.get(index, True)]


def _surer(detection: Detection) -> Detection:
    return msgspec.structs.replace(detection, confidence=max(detection.confidence, CONFIRMED))
