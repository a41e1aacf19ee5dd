"""Reading a redacted presentation back and comparing it with its source."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Final

from anonify.documents.format import StructureCheck
from anonify.documents.ooxml.compare import chunks, compare_packages, main_part, related
from anonify.documents.ooxml.shown import CHECK, check_pictures
from anonify.documents.ooxml.strict import parse
from anonify.documents.plan import RedactionPlan
from anonify.errors import FatalError
from anonify.sandbox.source import Source

__all__ = ["CHECKS", "check_structure"]

CHECKS: Final = ("same-parts", "same-slides", "same-paragraphs", "slides-open", "relationships", "well-formed", CHECK)


def check_structure(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
    """Same parts but for those that may go, the same slides in the same order with as many paragraphs, none that no
    longer opens, no new dangling relationship, no part newly damaged.

    Raises:
        ValueError: the artifact is no archive.
    """
    yield from compare_packages(source, artifact, _same_slides)
    yield from check_pictures(source, artifact, plan)


def _same_slides(before: zipfile.ZipFile, after: zipfile.ZipFile) -> Iterator[StructureCheck]:
    old, new = _slides(before), _slides(after)
    yield StructureCheck("same-slides", _order(before, old) == _order(after, new))
    counts = [_paragraphs(before, part) for part in old], [_paragraphs(after, part) for part in new]
    yield StructureCheck("same-paragraphs", counts[0] == counts[1])
    yield StructureCheck("slides-open", counts[1].count(None) <= counts[0].count(None))


def _slides(archive: zipfile.ZipFile) -> list[str]:
    """The parts the presentation shows, in its order; "" for one that is not there."""
    names = {name.replace("\\", "/").lstrip("/").lower(): name for name in archive.namelist()}
    main = main_part(archive)
    folder, _, base = main.rpartition("/")
    rels = names[f"{folder}/_rels/{base}.rels".lstrip("/").lower()]
    targets = {item.id: names.get(item.part.lower(), "") for item in related(archive, rels)}
    slides: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(" ")[2] == "sldId":
            ids = [value for key, value in attributes.items() if key.endswith(" id")]
            slides.extend(targets.get(value, "") for value in ids)

    parse(chunks(archive, main), start)
    return slides


def _order(archive: zipfile.ZipFile, slides: list[str]) -> list[int]:
    """For each slide where it comes among the slides of the archive: their names may change, their places do not."""
    places = {name: place for place, name in enumerate(archive.namelist())}
    ranks = {
        name: rank for rank, name in enumerate(sorted({slide for slide in slides if slide}, key=places.__getitem__))
    }
    return [ranks.get(slide, -1) for slide in slides]


def _paragraphs(archive: zipfile.ZipFile, slide: str) -> int | None:
    """Paragraphs of a slide; None when it does not open as one."""
    counts = Counter[str]()
    root: list[str] = []

    def start(name: str, _attributes: object) -> None:
        local = name.rpartition(" ")[2]
        counts[local] += 1
        if not root:
            root.append(local)

    try:
        parse(chunks(archive, slide), start)
    except (FatalError, KeyError):
        return None
    return counts["p"] if root == ["sld"] else None
