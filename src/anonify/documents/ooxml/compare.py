"""Comparing a package with what was made of it, by the standard library's zip reader and libxml2."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote

from anonify.documents.format import StructureCheck
from anonify.errors import FatalError
from anonify.sandbox.source import Source, SourceFile

from .strict import parse

__all__ = ["Related", "chunks", "compare_packages", "main_part", "related"]

_MAY_GO: Final = re.compile(
    r"_xmlsignatures/.*|(?:.*/)?vbaProject\w*\.bin|(?:.*/)?vbaData\.xml|(?:.*/)?_rels/vba\w+\.bin\.rels|(?:.*/)?thumbnail[^/]*"
    r"|(?:.*/)?calcChain[^/]*\.xml|(?:.*/)?changesInfos/.*|(?:.*/)?(?:changes|revision)Info\d*\.xml",
    re.IGNORECASE,
)
_XML: Final = (".xml", ".rels", ".vml")


def compare_packages(
    source: Source,
    artifact: Source,
    more: Callable[[zipfile.ZipFile, zipfile.ZipFile], Iterator[StructureCheck]] = lambda _before, _after: iter(()),
) -> Iterator[StructureCheck]:
    """What holds for every package: same parts but for those that may go, no new dangling relationship, no part newly
    damaged.

    Args:
        more: further checks.

    Raises:
        ValueError: the artifact is no archive.
    """
    try:
        with _opened(source) as before, _opened(artifact) as after:
            yield StructureCheck("same-parts", _same_parts(before, after))
            yield from more(before, after)
            yield StructureCheck("relationships", _dangling(after) <= _dangling(before))
            yield StructureCheck("well-formed", _damaged(after) <= _damaged(before))
    except (zipfile.BadZipFile, FatalError, KeyError, RuntimeError, NotImplementedError) as error:
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


def main_part(archive: zipfile.ZipFile) -> str:
    """Name of the part that makes the package what it is.

    Raises:
        KeyError: there is none.
    """
    names = {_clean(name).lower(): name for name in archive.namelist()}
    for item in related(archive, names["_rels/.rels"]):
        if item.kind == "officeDocument" and item.part.lower() in names:
            return names[item.part.lower()]
    raise KeyError("main part")


def chunks(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """A part's bytes, piece by piece."""
    with archive.open(name) as stream:
        while chunk := stream.read(1 << 18):
            yield chunk


def _damaged(archive: zipfile.ZipFile) -> int:
    """XML parts that are not well-formed."""
    count = 0
    for name in archive.namelist():
        if name.lower().endswith(_XML):
            try:
                parse(chunks(archive, name))
            except FatalError:
                count += 1
    return count


class Related(NamedTuple):
    """A relationship within the package.

    Attributes:
        id: its name.
        part: the part it names.
        kind: the last step of its type.
    """

    id: str
    part: str
    kind: str


def related(archive: zipfile.ZipFile, rels: str) -> list[Related]:
    """What the relationships part `rels` names within the package.

    Raises:
        FatalError: it is not well-formed.
    """
    found: list[Related] = []
    base = posixpath.dirname(posixpath.dirname(_clean(rels)))

    def start(name: str, attributes: dict[str, str]) -> None:
        target = attributes.get("Target", "")
        if (
            name.rpartition(" ")[2] == "Relationship"
            and target
            and attributes.get("TargetMode", "").lower() != "external"
        ):
            path = unquote(target.partition("#")[0]).replace("\\", "/")
            part = posixpath.normpath(posixpath.join("/" + base, path)).lstrip("/")
            kind = attributes.get("Type", "").rstrip("/").rpartition("/")[2]
            found.append(Related(attributes.get("Id", ""), part, kind))

    parse(chunks(archive, rels), start)
    return found


def _targets(archive: zipfile.ZipFile) -> Iterator[tuple[str, bool]]:
    """Parts named by relationships, and whether as a thumbnail."""
    for name in archive.namelist():
        if _clean(name).lower().endswith(".rels"):
            for item in related(archive, name):
                yield item.part, item.kind == "thumbnail"


def _dangling(archive: zipfile.ZipFile) -> int:
    names = {_clean(name).lower() for name in archive.namelist()}
    return sum(part.lower() not in names for part, _ in _targets(archive))
