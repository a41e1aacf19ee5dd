"""Sentences and words that the generated documents are made of; the data lies in `templates.json`.

In a sentence braces stand for a value: P a full name, F a given name, L a surname, T a title and a name, UP a name in
capitals, p f l a name in small letters, O an organisation, C a town, A an address on one line, J a job, D a date,
N a number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["TEMPLATES", "Templates", "Words"]


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one language: `people` are labels a person's name follows, `fields` labels of anything else."""

    greetings: tuple[str, ...]
    closings: tuple[str, ...]
    titles: tuple[str, ...]
    people: tuple[str, ...]
    fields: tuple[str, ...]
    heads: tuple[str, ...]
    things: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Templates:
    """All of it.

    Attributes:
        sentences: by language, with and without values.
        words: by language.
        ordinary: by language, sentences with words that are names elsewhere, and no name.
        mentions: English sentences about a colleague.
        speakers: by language, who writes in a chat besides people with names.
        payments: by language, what stands before a name on a bank statement.
        homographs: English words that are names too.
        columns: heads of a table of records.
        shops: what else a bank statement lists.
        parts: what people are in a report or its minutes.
        companies: how firms are called; `{w}` and `{W}` a word, `{l}` a surname.
        company_words: words for them.
        endings: what follows a surname.
        codes: words that a number follows and that begin no address.
    """

    sentences: Mapping[str, tuple[str, ...]]
    words: Mapping[str, Words]
    ordinary: Mapping[str, tuple[str, ...]]
    mentions: tuple[str, ...]
    speakers: Mapping[str, tuple[str, ...]]
    payments: Mapping[str, tuple[str, ...]]
    homographs: tuple[str, ...]
    columns: tuple[str, ...]
    shops: tuple[str, ...]
    parts: tuple[str, ...]
    companies: tuple[str, ...]
    company_words: tuple[str, ...]
    endings: tuple[str, ...]
    codes: tuple[str, ...]


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    return {key: _frozen(inner) for key, inner in value.items()}


def _load() -> Templates:
    data = _frozen(json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")))
    data["words"] = {language: Words(**words) for language, words in data["words"].items()}
    return Templates(**data)


TEMPLATES: Final = _load()
