"""Reading a redacted Word document back and comparing it with its source."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

from anonify.documents.format import StructureCheck
from anonify.documents.ooxml.compare import chunks, compare_packages, main_part
from anonify.documents.ooxml.shown import check_pictures
from anonify.documents.ooxml.strict import parse
from anonify.documents.plan import RedactionPlan
from anonify.sandbox.source import Source

__all__ = ["check_structure"]


def check_structure(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
    """Same parts but for those that may go, as many paragraphs, no new dangling relationship, no part newly damaged.

    Raises:
        ValueError: the artifact is no archive.
    """
    yield from compare_packages(source, artifact, _same_paragraphs)
    yield from check_pictures(source, artifact, plan)


def _same_paragraphs(before: zipfile.ZipFile, after: zipfile.ZipFile) -> Iterator[StructureCheck]:
    yield StructureCheck("same-paragraphs", _paragraphs(before) == _paragraphs(after))


def _paragraphs(archive: zipfile.ZipFile) -> int:
    """Paragraphs of the main part, which must be well-formed."""
    count = 0

    def start(name: str, _attributes: object) -> None:
        nonlocal count
        count += name.rpartition(" ")[2] == "p"

    parse(chunks(archive, main_part(archive)), start)
    return count
