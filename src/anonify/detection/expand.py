"""Expansion: a value judged sensitive once is suggested at every other occurrence in the document."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from anonify.documents.matching import MIN_SWEEP, Match, Matcher

from .detectors import Grid
from .detectors.vocabulary import words
from .homographs import Judge
from .model import Detection
from .reasons import expanded
from .recognised import Stretches, find_alike
from .unseen import shown

__all__ = ["EXPANDED", "Expansion"]

EXPANDED: Final = "+expanded"
"""Ends the detector's name of a further occurrence."""

FACTOR: Final = 0.9
"""Confidence of another occurrence, as a share of the best one the value was found with."""

SURNAME_FACTOR: Final = 0.7
"""Likewise for a person's surname standing alone, or after an initial."""

SHORTEST_NAME: Final = 3
"""Characters of a person's name from which it is looked for; of anything else :data:`MIN_SWEEP`."""

GIVEN_FACTOR: Final = 0.6
"""Likewise for the given name alone."""

_PARTICLES: Final = frozenset(words("name-particles"))


@dataclass(frozen=True, slots=True)
class Expansion:
    """The values of a document and one matcher for all of them.

    Attributes:
        matcher: finds the values; None when there are none.
        alike: finds them as a recogniser may have misread them; None when no page was recognised.
        values: what was found.
        factors: for each value the share of its confidence that another occurrence has.
        forms: for each value how it is written where it is looked for.
        judge: tells whether a word that is a name elsewhere is one at a place.
    """

    matcher: Matcher | None
    alike: Matcher | None
    values: tuple[Detection, ...]
    factors: tuple[float, ...]
    forms: tuple[str, ...]
    judge: Judge

    @classmethod
    def of(cls, detections: Iterable[Detection], judge: Judge, *, recognised: bool = False) -> Expansion:
        """Prepare the expansion of what was found; `recognised`: in a document with recognised pages."""
        best: dict[str, tuple[Detection, float]] = {}
        for detection in detections:
            if not detection.global_ or not detection.text:
                continue
            for form, factor in _forms(detection):
                if len(form) < (SHORTEST_NAME if detection.category == "person" else MIN_SWEEP):
                    continue
                known = best.get(form)
                if known is None or known[0].confidence * known[1] < detection.confidence * factor:
                    best[form] = (detection, factor)
        if not best:
            return cls(None, None, (), (), (), judge)
        values, factors = zip(*best.values(), strict=True)
        forms = list(best)
        alike = Matcher(forms, lookalikes=True) if recognised else None
        return cls(Matcher(forms, shortest=SHORTEST_NAME), alike, values, factors, tuple(forms), judge)

    def page(
        self,
        number: int,
        text: str,
        taken: Sequence[Detection],
        grid: Grid | None,
        where: Stretches = (),
        *,
        likely: Mapping[int, float] | None = None,
    ) -> list[Detection]:
        """Further occurrences on a page.

        Args:
            taken: what is suggested on this page already, in order of place; nothing is suggested twice.
            where: the stretches of the page's text that were recognised.
            likely: what the names model made of the page's words, by place; None when it was not asked.
        """
        if self.matcher is None:
            return []
        starts = [d.start for d in taken]
        found: list[Detection] = []
        for match in find_alike(self.matcher, self.alike, text, where):
            at = bisect_left(starts, match.end)
            if at > 0 and taken[at - 1].end > match.start:
                continue
            cell = grid.locate(match.start) if grid is not None else None
            if grid is not None and cell is not None and cell.column in grid.skip:
                continue
            model = self.values[match.value]
            if model.category == "person" and not self._named(text, match, likely):
                continue
            start, end, person = match.start, match.end, ""
            if model.category == "person":
                left = taken[at - 1].end if at > 0 else 0
                right = taken[at].start if at < len(taken) else len(text)
                start, end = _whole_name(text, start, end, max(left, found[-1].end if found else 0), right)
                person = self.forms[match.value] if end - start == match.end - match.start else ""
            found.append(
                Detection(
                    number,
                    start,
                    end,
                    text[start:end],
                    model.category,
                    round(model.confidence * self.factors[match.value], 3),
                    "expanded",
                    model.detector + EXPANDED,
                    sheet=grid.sheet if grid is not None else None,
                    row=cell.row if cell else None,
                    column=cell.column if cell else None,
                    reason=_reason(model, text[start:end]) if grid is None else "same-anywhere",
                    person=person,
                )
            )
        return found

    def _named(self, text: str, match: Match, likely: Mapping[int, float] | None) -> bool:
        """Whether an occurrence of a person's name is a name here."""
        if not _like_a_name(text[match.start], self.values[match.value], self.factors[match.value]):
            return False
        if not self.judge.doubts(self.forms[match.value]):
            return True
        here = None if likely is None else likely.get(match.start, 0.0)
        return self.judge.is_name(text, match.start, match.end, here)


def _reason(model: Detection, found: str) -> str:
    form = model.category == "person" and shown(found).casefold().split() != shown(model.text).casefold().split()
    return expanded(model.page, form=form)


def _like_a_name(first: str, model: Detection, factor: float) -> bool:
    """Whether an occurrence may begin so: with a capital, unless the value is words that begin without one."""
    described = factor == FACTOR and " " in model.text and model.text[0].islower()
    return described or first.isupper() or first in _CAPITALS


_CAPITALS: Final = frozenset("l1|0")
"""What a recogniser may make of a capital; the matcher has seen to it that the value has one."""

_NAME_BEFORE: Final = re.compile(
    r"(?:(?<![\w'’.\-])[^\W\d_a-zß-ÿ](?:[^\W\d_]|['’\-])+ |(?<![\w'’.\-])[^\W\d_a-zß-ÿ]\. ){1,2}$"
)
_NAME_AFTER: Final = re.compile(r" [^\W\d_a-zß-ÿ](?:[^\W\d_]|['’\-])+(?![\w'’\-]*[.:])")
_LEADS: Final = frozenset(words("not-given-names"))


def _whole_name(text: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """One word of a name found elsewhere, with the capitalised words that stand beside it, inside `[low, high)`."""
    if " " in text[start:end].strip():
        return start, end
    before = _NAME_BEFORE.search(text[max(low, start - 40) : start])
    if before and before.group().split()[-1].lower().strip(".") not in _LEADS:
        names = before.group().split()
        keep = names if names[0].lower().strip(".") not in _LEADS else names[1:]
        return start - len(" ".join(keep)) - 1, end
    after = _NAME_AFTER.match(text, end, min(high, end + 30))
    return (start, after.end()) if after and text[end : end + 1] == " " else (start, end)


def _forms(detection: Detection) -> list[tuple[str, float]]:
    """The value, and for a person the forms it may take elsewhere: surname alone, and the other order."""
    text = shown(detection.text)
    forms = [(text, FACTOR)]
    if detection.category != "person":
        return forms
    if "," in text:
        last, _, first = (piece.strip() for piece in text.partition(","))
        parts = [*first.split(), *last.split()]
        if first and last:
            forms.append((f"{first} {last}", FACTOR))
    else:
        parts = text.split()
        last = parts[-1] if parts else ""
        if len(parts) > 1:
            forms.append((f"{last}, {' '.join(parts[:-1])}", FACTOR))
    first = parts[0] if parts else ""
    if len(parts) > 1 and last and len(first) > 2:
        forms.append((f"{first[0]}. {last}", SURNAME_FACTOR))
        if first[0].isupper() and not first.endswith("."):
            forms.append((first, GIVEN_FACTOR))
    if len(parts) > 1 and last and last.lower() not in _PARTICLES and not last.endswith("."):
        forms.append((last, SURNAME_FACTOR))
    return forms
