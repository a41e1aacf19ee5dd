"""The formats that tagged corpora come in, each read into sentences of words with their tags and gaps."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .documents import Span, Text

__all__ = ["Token", "columns", "entities", "historical", "joined", "nameless", "standoff", "wiki_quotes"]


class Token(NamedTuple):
    """A word of a corpus.

    Attributes:
        word: as written.
        tag: such as `B-PER`, `I-PER`, `PER`, `O`.
        gap: what stands before it; None where the corpus does not tell.
    """

    word: str
    tag: str
    gap: str | None = None


Sentence = list[Token]

_LABELS: Final = {
    "PER": "PER PERS PERSON PESSOA RR AN POLITICIAN SCIENTIST RESEARCHER MUSICALARTIST WRITER",
    "ORG": "ORG UN INN GRT CORPORATION ORGANIZACAO ORGANISATION",
    "LOC": "LOC LOCATION LOCAL GPE LD ST LDS STR COUNTRY",
}
_LABEL_OF: Final = {name: label for label, names in _LABELS.items() for name in names.split()}
"""What the corpora's own kinds are to us; kinds left out are no label."""

_QUOTES: Final = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"}
_CLINGS: Final = re.compile(r"[.,;:!?%)\]}»”…]+|'s|n't|'[a-z]{1,2}")
"""Marks and endings that stand at the word before them."""


def columns(
    text: str, word: int, tag: int, between: str | None = None, *, prefix: str = "", comments: bool = True
) -> list[Sentence]:
    """Sentences of a file with a word a line and an empty line after each (CoNLL).

    Args:
        text: the file.
        word: column of the word.
        tag: column of the tag.
        between: what parts columns, None for any blanks.
        prefix: stands before each word and is left out.
        comments: whether a line that begins with `#` may be one.
    """
    found: list[Sentence] = []
    sentence: Sentence = []
    for line in text.splitlines():
        if comments and line.startswith("#") and (between != "\t" or "\t" not in line or line.startswith("#\t")):
            continue
        if not line.strip() or line.startswith("-DOCSTART"):
            if sentence:
                found.append(sentence)
            sentence = []
            continue
        cells = line.split(between)
        if len(cells) > max(word, tag) and (written := cells[word].removeprefix(prefix)):
            sentence.append(Token(written, cells[tag].split("#")[0]))
    return [*found, sentence] if sentence else found


def wiki_quotes(sentence: Sentence) -> Sentence:
    """Marks of bold type joined again where splitting into words has parted them."""
    found: Sentence = []
    for token in sentence:
        before = found[-1].word if found else ""
        if (token.word == "''" and before == "'") or (token.word == "'" and before == "''"):
            found[-1] = found[-1]._replace(word="'''")
        else:
            found.append(token)
    return found


def joined(sentence: Sentence) -> Text:
    """The text of a sentence, blanks set as people set them where the corpus does not tell."""
    text = ""
    spans: list[Span] = []
    quoted = going_on = False
    bold = any(token.word == "'''" for token in sentence)
    for token in sentence:
        word = token.word if bold and token.word == "''" else _QUOTES.get(token.word, token.word)
        if token.gap is None:
            text += "" if not text or _clings(text, word, quoted=quoted) else " "
        elif text:
            text += token.gap
        quoted ^= word == '"'
        start = len(text)
        text += word
        prefixed = token.tag[1:2] == "-"
        label = _LABEL_OF.get((token.tag[2:] if prefixed else token.tag).upper())
        if label is None:
            going_on = False
        elif going_on and spans[-1].label == label and (token.tag.startswith("I-") or not prefixed):
            spans[-1] = spans[-1]._replace(end=len(text))
        else:
            spans.append(Span(start, len(text), label))
            going_on = True
    return Text(text, spans)


def _clings(text: str, word: str, *, quoted: bool) -> bool:
    if _CLINGS.fullmatch(word) or text[-1] in "([{«“#@$":
        return True
    return quoted and (word == '"' or (text.endswith('"') and text.count('"') % 2 == 1))


_LINES: Final = 60
"""Words of a historical text after which a line's end may end the piece."""

_PIECE: Final = 90
"""Words of a piece at most."""


def historical(text: str, chance: random.Random) -> list[Sentence]:
    """Pieces of a HIPE-2022 file: gaps and ends of lines as in print."""
    told = "NoSpaceAfter" in text
    pieces: list[Sentence] = [[]]
    gap = ""
    for line in text.splitlines()[1:]:
        cells = line.split("\t")
        if not line.strip():
            pieces.append([])
            gap = ""
        elif len(cells) > 1:
            word = cells[0].replace("¬", "-") if told else cells[0]
            if not gap and pieces[-1] and pieces[-1][-1].word[-1].isalpha() and word[:1].isalpha():
                gap = "\n"  # words with nothing between them: a line's end that was not marked
            pieces[-1].append(Token(word, cells[1], gap if told else None))
            ends_line = "EndOfLine" in cells[-1]
            gap = "\n" if ends_line else "" if "NoSpaceAfter" in cells[-1] else " "
            long = len(pieces[-1]) > _LINES and chance.random() < 0.3
            if "EndOfSentence" in cells[-1] or (ends_line and long):
                pieces.append([])
                gap = ""
    cut = (piece[start : start + _PIECE] for piece in pieces for start in range(0, len(piece), _PIECE))
    return [piece for piece in cut if len(piece) > 3]


def _trees(text: str) -> Iterator[list[list[str]]]:
    """The lines of each sentence of a CoNLL-U file, in cells."""
    lines: list[list[str]] = []
    for line in [*text.splitlines(), ""]:
        if line.strip() and not line.startswith("#"):
            lines.append(line.split("\t"))
        elif not line.strip() and lines:
            yield lines
            lines = []


_TITLES: Final = frozenset({"mr", "mrs", "ms", "dr", "prof", "sir", "president", "senator", "king", "queen"})


def entities(text: str) -> Iterator[Sentence]:
    """Sentences of GUM: a proper noun whose innermost mention is a person is a name."""
    for lines in _trees(text):
        sentence: Sentence = []
        mentions: list[str] = []
        gap, before = "", False
        for cells in lines:
            if not cells[0].isdigit():
                continue
            marked = re.search(r"(?:^|\|)Entity=([^|]+)", cells[9])
            marks = marked.group(1) if marked else ""
            mentions += re.findall(r"\(\d+-([a-z]+)", marks)
            proper = cells[3] == "PROPN" and cells[1].rstrip(".").lower() not in _TITLES
            name = proper and bool(mentions) and mentions[-1] == "person"
            sentence.append(Token(cells[1], ("I-PER" if before else "B-PER") if name else "O", gap))
            before, gap = name, "" if "SpaceAfter=No" in cells[9] else " "
            closed = min(marks.count(")"), len(mentions))
            del mentions[len(mentions) - closed :]
        yield sentence


def nameless(text: str) -> Iterator[Sentence]:
    """Sentences of a treebank that hold no proper noun and nothing foreign."""
    for lines in _trees(text):
        sentence: Sentence = []
        gap, until, plain = "", 0, True
        for cells in lines:
            if "." in cells[0]:
                continue
            if "-" in cells[0]:  # words written as one: their parts follow
                until = int(cells[0].split("-")[1])
            else:
                plain = plain and cells[3] not in ("PROPN", "X")
                if int(cells[0]) <= until:
                    continue
            sentence.append(Token(cells[1], "O", gap))
            gap = "" if "SpaceAfter=No" in cells[9] else " "
        if plain and len(sentence) > 4:
            yield sentence


_STANDOFF: Final = {
    "NOMBRE_SUJETO_ASISTENCIA": "PER",
    "NOMBRE_PERSONAL_SANITARIO": "PER",
    "CALLE": "ADDR",
    "TERRITORIO": "LOC",
    "PAIS": "LOC",
    "HOSPITAL": "ORG",
    "INSTITUCION": "ORG",
}


def standoff(text: str, notes: str, chance: random.Random) -> Iterator[Text]:
    """Pieces of a text whose labels stand in a file of their own (brat)."""
    spans: list[Span] = []
    for line in notes.splitlines():
        number, place, *values = line.split("\t")
        label, *ends = place.split() if number.startswith("T") else ("",)
        if values and label in _STANDOFF and text[int(ends[0]) : int(ends[-1])] == values[0]:
            spans.append(Span(int(ends[0]), int(ends[-1]), _STANDOFF[label]))
    start = 0
    for end in _ends(text):
        if end - start > chance.choice((80, 250, 400)):
            inside = (span for span in sorted(spans) if span.start >= start and span.end <= end)
            yield Text(text[start:end], [Span(a - start, b - start, label) for a, b, label in inside])
            start = end


def _ends(text: str) -> Iterable[int]:
    return [*(match.end() for match in re.finditer(r"\n|(?<=[.]) ", text)), len(text)]
