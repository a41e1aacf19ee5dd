"""Reading a redacted Word document back and comparing it with its source."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote
from xml.parsers import expat

from anonify.documents.format import Piece, StructureCheck
from anonify.documents.ooxml.gather import read_package
from anonify.documents.ooxml.independent import read_independently
from anonify.documents.plan import RedactionPlan
from anonify.sandbox.source import Source, SourceFile

__all__ = ["check_structure", "independent_reader", "own_reader"]

_MAY_GO: Final = re.compile(
    r"_xmlsignatures/.*|(?:.*/)?vbaProject\w*\.bin|(?:.*/)?vbaData\.xml|(?:.*/)?_rels/vba\w+\.bin\.rels|(?:.*/)?thumbnail[^/]*",
    re.IGNORECASE,
)
_RELATIONSHIP: Final = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_TARGET: Final = re.compile(rb"\sTarget\s*=\s*[\"']([^\"']*)")


def own_reader(artifact: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Every text of the artifact by the scanner the redactor uses."""
    return read_package(artifact, plan.sweep)


def independent_reader(artifact: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Every text of the artifact by the standard library's zip reader and libxml2."""
    return read_independently(artifact, plan.values)


def check_structure(source: Source, artifact: Source, _plan: RedactionPlan) -> Iterator[StructureCheck]:
    """Same parts but for those that may go, well-formed body with as many paragraphs, no new dangling relationship.

    Raises:
        ValueError: the artifact is no archive.
    """
    try:
        with _opened(source) as before, _opened(artifact) as after:
            yield StructureCheck("same-parts", _same_parts(before, after))
            yield StructureCheck("same-paragraphs", _paragraphs(before) == _paragraphs(after))
            yield StructureCheck("relationships", _dangling(after) <= _dangling(before))
    except (zipfile.BadZipFile, expat.ExpatError, KeyError, RuntimeError) as error:
        raise ValueError("the artifact does not open") from error


def _opened(source: Source) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BufferedReader(SourceFile(source)))


def _same_parts(before: zipfile.ZipFile, after: zipfile.ZipFile) -> bool:
    old = {_clean(name) for name in before.namelist()}
    new = {_clean(name) for name in after.namelist()}
    thumbnails = {name for name, kind in _targets(before) if kind}
    gone = {name for name in old if _MAY_GO.fullmatch(name)} | thumbnails
    lost = old - new - gone
    added = new - old
    return len(after.namelist()) == len(new) and len(lost) == len(added)


def _clean(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")


def _main(archive: zipfile.ZipFile) -> str:
    names = {_clean(name).lower(): name for name in archive.namelist()}
    for tag in _RELATIONSHIP.findall(archive.read(names["_rels/.rels"])):
        target = _TARGET.search(tag)
        if target and b"relationships/officeDocument" in tag:
            return names[posixpath.normpath("/" + unquote(target[1].decode())).lstrip("/").lower()]
    raise KeyError("main part")


def _paragraphs(archive: zipfile.ZipFile) -> int:
    """Paragraphs of the main part, which must be well-formed."""
    count = 0

    def start(name: str, _attributes: object) -> None:
        nonlocal count
        count += name.rpartition(":")[2] == "p"

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    with archive.open(_main(archive)) as stream:
        parser.ParseFile(stream)
    return count


def _targets(archive: zipfile.ZipFile) -> Iterator[tuple[str, bool]]:
    """Parts named by relationships, and whether as a thumbnail."""
    for name in archive.namelist():
        clean = _clean(name)
        if not clean.lower().endswith(".rels"):
            continue
        base = posixpath.dirname(posixpath.dirname(clean))
        for tag in _RELATIONSHIP.findall(archive.read(name)):
            target = _TARGET.search(tag)
            if target is None or b"External" in tag:
                continue
            path = unquote(target[1].decode("utf-8", "replace")).partition("#")[0].replace("\\", "/")
            part = posixpath.normpath(posixpath.join("/" + base, path)).lstrip("/")
            yield part, b"metadata/thumbnail" in tag


def _dangling(archive: zipfile.ZipFile) -> int:
    names = {_clean(name).lower() for name in archive.namelist()}
    return sum(part.lower() not in names for part, _ in _targets(archive))
