"""Rules a person makes, and search: literals and regular expressions under a budget.

Regular expressions are RE2's, so their time is linear in the text; a rule can still match too often, so a document has
a budget of matches and seconds, and what exceeds it is refused whole.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple

import msgspec
import re2

from anonify.documents.matching import Matcher
from anonify.documents.matching.scripts import unbounded
from anonify.errors import Code, FatalError

from .recognised import Stretches, find_alike

__all__ = ["MAX_MATCHES", "MAX_SECONDS", "Budget", "Hit", "RuleSpec", "Rules", "compile_rules"]

MAX_MATCHES: Final = 10_000
"""Matches of all rules together in one document."""

MAX_SECONDS: Final = 5.0
"""Seconds all rules together may take on one document."""

MAX_PATTERN: Final = 500
_SHORTEST: Final = 2
_BLANKS: Final = r"[\s\x0b\x1c-\x1f\x{85}\pZ]+"
"""What `str.split` parts words at, for RE2, whose own class knows ASCII only."""

_PROBES: Final = ("", "a", " ", "1", "-", "a b\n1 é-\t.", "\n\n")


class RuleSpec(msgspec.Struct, frozen=True):
    """One rule.

    Attributes:
        id: the rule's id, handed back with its matches.
        kind: a literal is also found when white space, case or Unicode form differ, and digits with other separators.
        pattern: 1 to 500 characters, 2 to 500 for a literal.
        match_case: tell capital from small letters.
        whole_word: letters, digits or marks of any script beside a match exclude it.
    """

    id: str
    kind: Literal["literal", "regex"]
    pattern: str
    match_case: bool = False
    whole_word: bool = True


class Hit(NamedTuple):
    """A match: code-point offsets into the text, and which rule."""

    start: int
    end: int
    rule: str


@dataclass(slots=True)
class Budget:
    """What the rules of one document may still spend.

    Attributes:
        matches: how many matches are left.
        seconds: how much time is left.
    """

    matches: int = MAX_MATCHES
    seconds: float = MAX_SECONDS
    _clock: float = field(default=0.0, init=False)

    def begin(self) -> None:
        """Start the clock: only the rules' own time counts, not reading pages."""
        self._clock = time.monotonic()

    def spend(self, matches: int) -> None:
        """Take matches and the time since :meth:`begin` or the last call.

        Raises:
            FatalError: `rule-too-broad`.
        """
        now = time.monotonic()
        self.seconds -= now - self._clock
        self._clock = now
        self.matches -= matches
        if self.matches < 0 or self.seconds < 0:
            raise FatalError(Code.RULE_TOO_BROAD, matches=MAX_MATCHES)


@dataclass(frozen=True, slots=True)
class _Compiled:
    spec: RuleSpec
    pattern: Any  # an RE2 object; the library has no types
    folded: str


@dataclass(frozen=True, slots=True)
class Rules:
    """Compiled rules.  Made by :func:`compile_rules`.

    Attributes:
        alike: finds the literals as a recogniser may have misread them; see :meth:`for_recognised`.
    """

    compiled: tuple[_Compiled, ...]
    literals: tuple[_Compiled, ...]
    matcher: Matcher | None
    alike: Matcher | None = None

    def for_recognised(self) -> Rules:
        """These rules, ready for pages with recognised words.  Regular expressions stay as they are."""
        if self.matcher is None or self.alike is not None:
            return self
        patterns = [rule.spec.pattern for rule in self.literals]
        return replace(self, alike=Matcher(patterns, lookalikes=True, shortest=_SHORTEST))

    def find(self, text: str, budget: Budget | None = None, where: Stretches = ()) -> list[Hit]:
        """Every match in one text, ordered by place; matches of one rule do not overlap.

        Args:
            where: the stretches of the text that were recognised (for rules made :meth:`for_recognised`).

        Raises:
            FatalError: `rule-too-broad` when the budget is spent.
        """
        budget = budget or Budget()
        budget.begin()
        data = text.encode("utf-8", "surrogatepass")
        hits: list[Hit] = []
        folded = self._folded(text, where)
        for rule in self.compiled:
            spans: list[tuple[int, int]] = []
            for span in _spans(rule, text, data):
                spans.append(span)
                if len(spans) > budget.matches:
                    budget.spend(len(spans))
            spans += folded.get(rule.spec.id, [])
            kept = _disjoint(spans)
            budget.spend(len(kept))
            hits += [Hit(start, end, rule.spec.id) for start, end in kept]
        return sorted(hits)

    def _folded(self, text: str, where: Stretches) -> dict[str, list[tuple[int, int]]]:
        """What the shared matcher finds: the same value written, or read, another way."""
        result: dict[str, list[tuple[int, int]]] = {}
        if self.matcher is None:
            return result
        for match in find_alike(self.matcher, self.alike, text, where):
            rule = self.literals[match.value]
            if rule.spec.match_case and not _same_case(text[match.start : match.end], rule.spec.pattern, bool(where)):
                continue
            result.setdefault(rule.spec.id, []).append((match.start, match.end))
        return result


def compile_rules(specs: Sequence[RuleSpec]) -> Rules:
    """Compile rules.

    Raises:
        ValueError: a pattern is too short or too long, not RE2, or can match nothing at all.
    """
    compiled = tuple(_compile(spec) for spec in specs)
    literals = tuple(rule for rule in compiled if rule.folded)
    matcher = Matcher([rule.spec.pattern for rule in literals], shortest=_SHORTEST) if literals else None
    return Rules(compiled, literals, matcher)


def _compile(spec: RuleSpec) -> _Compiled:
    shortest = _SHORTEST if spec.kind == "literal" else 1
    if not shortest <= len(spec.pattern) <= MAX_PATTERN or not spec.pattern.strip():
        raise ValueError("a rule's pattern is too short or too long")
    options = re2.Options()
    options.case_sensitive = spec.match_case
    options.log_errors = False
    options.never_capture = True
    source = spec.pattern
    if spec.kind == "literal":
        source = _BLANKS.join(re2.escape(word) for word in spec.pattern.split())
    try:
        pattern = re2.compile(source, options)
    except re2.error as problem:
        raise ValueError("the rule is not a regular expression that can be used here") from problem
    if any(match.start() == match.end() for probe in _PROBES for match in pattern.finditer(probe)):
        raise ValueError("the rule can match nothing at all")
    folded = unicodedata.normalize("NFKC", spec.pattern) if spec.kind == "literal" else ""
    return _Compiled(spec, pattern, folded if len(folded.strip()) >= _SHORTEST else "")


def _spans(rule: _Compiled, text: str, data: bytes) -> Iterator[tuple[int, int]]:
    last = count = 0
    for match in rule.pattern.finditer(data):
        first, after = match.span()
        if first == after:
            continue
        count += len(data[last:first].decode("utf-8", "surrogatepass"))
        start = count
        count += len(data[first:after].decode("utf-8", "surrogatepass"))
        last = after
        if not rule.spec.whole_word or _whole(text, start, count):
            yield start, count


def _word(char: str) -> bool:
    return char == "_" or unicodedata.category(char)[0] in "LNM"


def _whole(text: str, start: int, end: int) -> bool:
    if start > 0 and _joined(text[start - 1], text[start]):
        return False
    return not (end < len(text) and _joined(text[end - 1], text[end]))


def _joined(left: str, right: str) -> bool:
    """Whether two neighbours belong to one word, in scripts that part words."""
    return _word(left) and _word(right) and not (unbounded(left) or unbounded(right))


def _same_case(found: str, wanted: str, recognised: bool) -> bool:
    def letters(text: str) -> str:
        return "".join(char for char in unicodedata.normalize("NFKC", text) if char.isalnum())

    one, other = letters(found), letters(wanted)
    if not recognised:
        return _alpha(one) == _alpha(other)
    # A letter that was read as another says nothing about its case.
    return all(left == right for left, right in zip(one, other, strict=False) if left.casefold() == right.casefold())


def _alpha(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _disjoint(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest of overlapping spans, leftmost first."""
    kept: list[tuple[int, int]] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept
