"""What the names model learns from is not worded after what it is measured on."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

from tests.shared import SHARED

TEMPLATES: Final = Path(__file__).parents[2] / "training" / "templates.json"
RUN: Final = 4
_WORD: Final = re.compile(r"[^\W\d_]+")
_BLANK: Final = re.compile(r"\{\w+\}")


def runs(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return {tuple(words[place : place + RUN]) for place in range(len(words) - RUN + 1)}


def sentences() -> list[str]:
    data = json.loads(TEMPLATES.read_text(encoding="utf-8"))
    groups = [*data["sentences"].values(), *data["ordinary"].values(), data["mentions"]]
    return [sentence for group in groups for sentence in group]


def documents_runs() -> set[tuple[str, ...]]:
    """The runs of words of all development documents; skips the test where they are not to be had."""
    folder = SHARED / "corpora" / "detection" if SHARED else None
    if folder is None or not folder.is_dir():
        pytest.skip("the labelled corpora are not on this machine (ANONIFY_SHARED)")
    measured = set[tuple[str, ...]]()
    for file in folder.rglob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            measured |= runs(json.loads(line)["text"])
    assert measured
    return measured


def test_no_sentence_shares_four_words_with_a_development_document() -> None:
    measured = documents_runs()
    shared = {s for s in sentences() for part in _BLANK.split(s) if runs(part) & measured}
    assert shared == set()
