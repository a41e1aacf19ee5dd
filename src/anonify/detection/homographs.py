"""Words that are a name here and a common word there: the place a word stands at says which of the two it is.

Evidence is added up: what the names model made of the word at this very place, whether a capital says anything there,
and what stands before and after it.  A list of words that are names as well, and the document's own use of the word in
small letters, only say which words are to be judged at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache
from typing import Final

from .detectors.vocabulary import words

__all__ = ["MOST_SMALL", "Judge", "small_words"]

LANGUAGES: Final = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")
SHORT: Final = 3
"""Letters of a word up to which it is judged whatever it is."""

ENOUGH: Final = 1.0
"""Evidence from which a word is taken for a name."""

MOST_SMALL: Final = 200_000
"""Different words in small letters that are remembered of a document."""

_NAME_WORDS: Final = frozenset(words("name-words"))
_CALENDAR: Final = frozenset(words("calendar-names"))
_PARTICLES: Final = frozenset(words("name-particles"))
_CALENDAR_LEADS: Final = frozenset(words("calendar-leads"))
_SMALL: Final = re.compile(r"(?<![\w.@/'’\-])[a-zß-ÿœąćęłńśźż]{3,}(?![\w@/'’\-]|\.\w)")

_BEFORE: Final = re.compile(r"([^\W\d_]+['’]?)(?:[ \t\u00a0]+|[ \t]*\r?\n[ \t]*|(?<=['’]))$")
_AFTER: Final = re.compile(r"(?:[ \t\u00a0]+|[ \t]*\r?\n[ \t]*)([^\W_]+)(?:[ \t\u00a0]+([^\W_]+))?")
_LED: Final = re.compile(
    r"(?:\b[^\W\d_a-zß-ÿ][\w'’\-]*\.?|heer|mevrouw|meneer|mijnheer|familie|señora?|signora?|senhora?)[ \u00a0]$"
)
_DAY: Final = re.compile(r"\d(?:\.|st|nd|rd|th|er|º)?[ \u00a0]$")
_COMMA: Final = re.compile(r"\w[,;][ \t\u00a0]+$")
_OPEN: Final = re.compile(r"(?:^|[.!?:…\n\t•*\"“„«»(\[–—-])[\s\"“„«(]*$")

_VERB_ENDINGS: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"(?!exceed|proceed|indeed)\w{2,}[^e\W]ed|\w{3,}[rg]eed"),
    "de": re.compile(r"(?!heute|bitte|beste|erste|letzte|rechte|leichte|gute|weite|breite|alte)\w{3,}te"),
    "fr": re.compile(r"\w{2,}(?:ait|aient)|\w{3,}a"),
    "es": re.compile(r"\w{2,}(?:ó|aba|ía)"),
    "it": re.compile(r"\w{2,}(?:ò|ava|eva|iva)"),
    "nl": re.compile(r"(?!goede|oude|beide|rode|witte)\w{3,}(?:te|de)"),
    "pt": re.compile(r"\w{3,}(?:ou|eu|iu|ava)"),
    "pl": re.compile(r"\w{2,}(?:ł|ła)"),
}


@dataclass(frozen=True, slots=True)
class _Grammar:
    """What stands around words in one language, in small letters."""

    determiners: frozenset[str]
    pronouns: frozenset[str]
    copulas: frozenset[str]
    verbs: frozenset[str]
    conjunctions: frozenset[str]
    endings: tuple[re.Pattern[str], ...]

    def tells(self, word: str) -> bool:
        """Whether `word` is a verb that says what somebody does."""
        if word in self.verbs:
            return True
        plain = word in self.determiners or word in self.pronouns or word in self.copulas
        return not plain and any(ending.fullmatch(word) for ending in self.endings)


@cache
def _grammar(languages: tuple[str, ...]) -> _Grammar:
    """The grammar of the first language, and of the others what cannot be mistaken: texts quote, and guesses err."""

    def all_of(name: str) -> frozenset[str]:
        first, *others = (words(f"{name}-{language}") for language in languages)
        return frozenset((*first, *(word for other in others for word in other if len(word) > 1)))

    return _Grammar(
        all_of("determiners"),
        all_of("pronouns"),
        all_of("copulas"),
        all_of("finite-verbs"),
        all_of("conjunctions"),
        tuple(_VERB_ENDINGS[language] for language in languages),
    )


def small_words(text: str) -> Set[str]:
    """The words that stand in small letters in `text`, those of addresses and the like left out."""
    return set(_SMALL.findall(text))


@dataclass(frozen=True, slots=True)
class Judge:
    """Tells names from common words in one document.

    Attributes:
        languages: of the document, likeliest first, of those that have a grammar.
        small: words that the document uses in small letters.
    """

    languages: tuple[str, ...]
    small: Set[str] = frozenset()

    @classmethod
    def speaking(cls, languages: tuple[str, ...], small: Set[str] = frozenset()) -> Judge:
        """The judge of a document in these languages; English stands for those without a grammar, and behind all."""
        known = (*(code for code in languages if code in LANGUAGES), "en")
        return cls(tuple(dict.fromkeys(known)), small)

    def doubts(self, word: str) -> bool:
        """Whether `word` may be a common word, so that its place must say that it is a name."""
        small = word.casefold()
        return len(word) <= SHORT or small in _NAME_WORDS or small in _CALENDAR or small in self.small

    def behind_determiner(self, text: str, start: int, end: int) -> int:
        """Where a name of two words begins without a first that may be an article or the like; else `start`."""
        first, blank, rest = text[start:end].partition(" ")
        article = blank and " " not in rest and first.casefold() in _grammar(self.languages).determiners
        return end - len(rest) if article else start

    def is_name(self, text: str, start: int, end: int, likely: float | None) -> bool:
        """Whether the word at `[start, end)`, which is a name elsewhere, is one here.

        Args:
            likely: what the names model says of it at this place; None when it was not asked.
        """
        return self.evidence(text, start, end, likely) >= ENOUGH

    def evidence(self, text: str, start: int, end: int, likely: float | None) -> float:
        """What speaks for a name, less what speaks against one."""
        grammar = _grammar(self.languages)
        word = text[start:end].casefold()
        before = _BEFORE.search(text, max(0, start - 40), start)
        last = before.group(1) if before else ""
        governed = last[-1:] in {"'", "’"} or (
            last.casefold() in grammar.determiners and not (before and self._particle(text, before.start(), last))
        )
        open_ = (
            not last
            and not _COMMA.search(text, max(0, start - 10), start)
            and not _DAY.search(text, max(0, start - 5), start)
        )
        total = _said_by_model(likely)
        if governed:
            total -= 3
        elif not open_:
            total += self._inside(text, start, word, last, grammar)
        return total + self._behind(text, end, word, grammar, begins=open_)

    def _particle(self, text: str, start: int, word: str) -> bool:
        """Whether an article at `start` is part of a name: it follows a name or title, `Mevrouw de Wit`."""
        led = self.languages[0] != "de" and word in _PARTICLES
        return led and _LED.search(text, max(0, start - 30), start) is not None

    def _inside(self, text: str, start: int, word: str, last: str, grammar: _Grammar) -> float:
        """Of a capital in the middle of a sentence."""
        if word in _CALENDAR:
            return -3 if last.casefold() in _CALENDAR_LEADS or _DAY.search(text, max(0, start - 5), start) else 0
        if self.languages[0] == "de":
            return -2 if last.casefold() in grammar.copulas or last in {"als", "wie"} else 1
        if last[:1].isupper():  # the first word of a sentence has a capital whatever it is; others make a title of it
            at = text.rfind(last, 0, start)
            return 1 if _OPEN.search(text, max(0, at - 10), at) else -1
        return 2

    def _behind(self, text: str, end: int, word: str, grammar: _Grammar, *, begins: bool) -> float:
        """Of what follows."""
        if re.match(r"['’]s\b", text[end : end + 3]):
            return 2 if self.languages[0] == "en" and word not in _CALENDAR else 0
        after = _AFTER.match(text, end, end + 60)
        if after is None:
            return 0
        following, second = after.group(1), after.group(2) or ""
        if following[0].isdigit():
            return -3
        if following[0].isupper():
            return -1
        if grammar.tells(following):
            return 2
        if following in grammar.copulas:
            return 0.5
        if not begins:
            return 0
        if following in grammar.conjunctions:
            return 1 if second[:1].isupper() else 0 if second in grammar.determiners else -2
        return -2 if following in grammar.determiners or following in grammar.pronouns else -1


def _said_by_model(likely: float | None) -> float:
    if likely is None:
        return 0
    for least, weight in ((0.3, 2.0), (0.1, 1.0), (0.02, 0.0)):
        if likely >= least:
            return weight
    return -1
