"""Every reason and every note that a document may carry is told to the reviewer in a sentence of its own."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

import anonify
from anonify.detection.model import DEGRADED
from anonify.documents.ooxml.media import UNREAD
from anonify.documents.pdf.extract import NOTES as PDF_NOTES
from anonify.documents.table.extract import DIALECT_NOTES
from anonify.documents.text.coding import ENCODING_NOTES
from anonify.documents.xlsx.texts import NOTES as XLSX_NOTES

NOTES = {*PDF_NOTES, *XLSX_NOTES, *DIALECT_NOTES, *ENCODING_NOTES, "signed", "reader-away", UNREAD}
USUAL = {"dialect-comma", "encoding-utf-8"}


def told(function: str, words: list[str]) -> dict[str, str | None]:
    """What the page's own code says."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    source = files("anonify.web").joinpath("static", "notes.js").read_text()
    code = f"{source}\nconsole.log(JSON.stringify({json.dumps(words)}.map((word) => {function}(word))));"
    done = subprocess.run(
        ["node", "--input-type=module", "-"], input=code.encode(), capture_output=True, check=True, timeout=60
    )
    return dict(zip(words, json.loads(done.stdout), strict=True))


def test_every_reason_has_a_sentence_of_its_own() -> None:
    sentences = told("shortfall", list(DEGRADED))
    for reason, sentence in sentences.items():
        assert sentence, reason
        assert "The analysis fell short" not in sentence, reason
    assert "too many cooks" in (told("shortfall", ["too-many-cooks"])["too-many-cooks"] or "")


def test_every_note_has_a_sentence_but_for_what_is_usual() -> None:
    sentences = told("noted", sorted(NOTES))
    for note, sentence in sentences.items():
        assert bool(sentence) is (note not in USUAL), note
        assert sentence is None or sentence.endswith("."), note


def test_no_format_gives_a_note_that_is_not_known_here() -> None:
    given = set()
    for path in Path(anonify.__file__).parent.joinpath("documents").rglob("*.py"):
        text = path.read_text()
        if "Extraction(" in text or "_notes(" in text:
            given |= set(re.findall(r'notes(?:\.append\(|=\(|: list\[str\] = \[)"([a-z-]+)"', text))
    assert given
    assert given <= NOTES
