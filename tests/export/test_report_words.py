"""What a report may say: identifiers that some part of the software declares, and nothing else."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import anonify
from anonify.documents import formats
from anonify.export import Report
from anonify.export.report import foreign_texts, own_words
from tests import zoo
from tests.cli.command import docx_of
from tests.shared import SHARED

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def undeclared(source: Path, folder: Path, *values: str) -> set[str]:
    """Texts of the report on `source` that nobody declares."""
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    anonify.redact_file(source, folder / f"out{source.suffix}", values=values, accept="all", report=report)
    return foreign_texts(msgspec.json.decode(report.read_bytes(), type=Report)) if report.exists() else set()


@pytest.mark.parametrize("source", sorted(EXAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_reports_on_the_examples_hold_declared_identifiers_only(source: Path, tmp_path: Path) -> None:
    assert undeclared(source, tmp_path) == set()


def test_a_value_that_reads_like_an_identifier_refuses_no_export(tmp_path: Path) -> None:
    docx_of(tmp_path / "a.docx", "On relationships, thumbnail, email and us-ssn: metadata of revisions.", author="x")
    named = ("relationships", "thumbnail", "email", "us-ssn", "metadata", "revisions", "no-survivor", "customer-id")
    result = anonify.redact_file(tmp_path / "a.docx", tmp_path / "b.docx", values=named)
    assert result.status == "ready", result.error_code


def test_formats_declare_words_that_are_identifiers() -> None:
    for form in formats():
        assert form.words, form.kind
        assert all(word == word.strip().casefold() and " " not in word for word in form.words), form.kind
    assert own_words() >= {"pdf", "person", "mask", "everything", "opens"}


@pytest.mark.slow
@pytest.mark.skipif(SHARED is None, reason="the shared zoo is absent: set ANONIFY_SHARED to its folder")
@pytest.mark.timeout(1800)
def test_reports_on_the_zoo_hold_declared_identifiers_only(tmp_path: Path) -> None:
    found: dict[str, set[str]] = {}
    for row in zoo.rows():
        values = [entry["value"] for entry in row["values"]]
        if words := undeclared(zoo.file_of(row), tmp_path, *values):
            found[row["path"]] = words
    assert found == {}
