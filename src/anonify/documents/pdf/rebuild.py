"""One page rebuilt from its picture: nothing of the source page's objects is carried over but sizes and clean links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import unquote

import pikepdf
from pikepdf import Array, Dictionary, Name

from ..matching.pages import PageFinder
from ..model import Box
from ..plan import RedactionPlan
from .alive import hide, said_by, trimmed
from .codes import string_texts
from .drawing import draw_page
from .font import LayerFonts
from .layer import Placed, label_at, write_layer
from .objects import ERRORS, entries, name_text
from .paint import Patch
from .place import place_runs, runs_of
from .read import Geometry, PageText
from .shown import inherited
from .work import PageWork

__all__ = ["TEXT_MARK", "Rebuilder"]

TEXT_MARK: Final = "[redacted]"
"""What stands in the text layer where something was removed."""

_ACTIONS: Final = {"/GoTo": ("/S", "/D"), "/URI": ("/S", "/URI"), "/GoToR": ("/S", "/D", "/F"), "/Named": ("/S", "/N")}
_KEPT: Final = ("/Type", "/Parent", "/UserUnit", "/Dur", "/Trans", "/ArtBox", "/TrimBox", "/BleedBox")
_SAID: Final = ("/Contents", "/QuadPoints")
_MAX_LINKS: Final = 20_000
_DEEP: Final = 8
"""Arrays and dictionaries within each other in a link; what lies deeper is taken for a value."""

_NEAR: Final = 40
"""Patches before one, in order of height, that may overlap it."""

_MAX_ANCHORS: Final = 2_000
"""Stretches of lost words that are compared with each patch to tell where its mark is read."""


class Rebuilder:
    """Rebuilds pages of one file.

    Args:
        pdf: the file being written.
        plan: the plan.
        finder: finds the plan's values.
    """

    def __init__(self, pdf: pikepdf.Pdf, plan: RedactionPlan, finder: PageFinder) -> None:
        self._pdf = pdf
        self._plan = plan
        self._finder = finder
        self._misread = PageFinder(plan.values, lookalikes=True)
        self._fonts = LayerFonts(pdf)

    def rebuild(self, page: Any, flat: Any, drawn: Any, read: PageText, work: PageWork) -> None:
        """Replace the content of `page`.

        Args:
            page: its dictionary, changed in place so that the outline and links still lead to it.
            flat: PDFium's page that `read` came from.
            drawn: PDFium's page to render.
            read: the page's text.
            work: what to lose.
        """
        geometry = read.geometry
        hide(drawn, work.alive)
        content, images = draw_page(self._pdf, drawn, geometry, self._spoken(work.patches))
        resources = Dictionary(XObject=images)
        placed = self._layer(flat, read, work)
        if placed:
            body, resources.Font = write_layer(self._fonts, placed)
            content += body
        links = self._links(page, geometry, work.patches)
        alive = [trimmed(page, mark) for mark in work.alive]
        self._replace(page, geometry, content, resources, [*links, *alive])

    def _spoken(self, patches: Sequence[Patch]) -> list[Patch]:
        """`patches` without labels in which a value would be found again."""
        return [
            replace(patch, label="") if patch.label and self._finder.found(patch.label) else patch for patch in patches
        ]

    def blank(self, page: Any, geometry: Geometry) -> None:
        """Replace the content of `page`, which cannot be read, by nothing."""
        self._replace(page, geometry, b"", Dictionary(), [])

    def finish(self) -> None:
        """Complete the fonts."""
        self._fonts.finish()

    def _layer(self, flat: Any, read: PageText, work: PageWork) -> list[Placed]:
        """The text layer in the order in which it is read aloud: a mark stands where its words stood."""
        marks = self._marks(read, work)
        for place in said_by(work.alive, read):
            work.dropped[place] = 1
        runs = self._kept_runs(read, work)
        placed: list[Placed] = []
        for (start, _), pieces in zip(runs, place_runs(flat, read, runs), strict=True):
            while marks and marks[-1][0] < start:
                placed.append(marks.pop()[1])
            placed += pieces
        words = work.words
        words.lose_spelled(self._misread)
        return [*placed, *words.placed(read.geometry.height), *(mark for _, mark in reversed(marks))]

    def _kept_runs(self, read: PageText, work: PageWork) -> list[tuple[int, int]]:
        """Runs to write.  What remains must not spell a value by itself, side by side."""
        for _ in range(4):
            runs = list(runs_of(read.text, work.dropped))
            pieces, starts, length = [], [], 0
            for start, end in runs:
                starts.append((length, start))
                pieces.append(read.text[start:end])
                length += end - start + 1
            again = self._finder.find(" ".join(pieces))
            if not again:
                return runs
            for match in again:
                for (at, start), piece in zip(starts, pieces, strict=True):
                    if at < match.end and match.start < at + len(piece):
                        work.dropped[start : start + len(piece)] = b"\x01" * len(piece)
        return []

    def _marks(self, read: PageText, work: PageWork) -> list[tuple[int, Placed]]:
        """What the text layer says in place of what went, with the offset before which it is read; the last first."""
        geometry = read.geometry
        visible = Box(0.0, 0.0, geometry.width, geometry.height)
        lost = [place for place in range(len(work.dropped)) if work.dropped[place]]
        lost = [place for place in lost if place == 0 or not work.dropped[place - 1]][:_MAX_ANCHORS]
        marks = []
        for patch in _joined(work.patches):
            text = patch.label or ("" if self._plan.draw_labels else TEXT_MARK)
            if text and patch.core.overlaps(visible) and not self._finder.found(text):
                marks.append((_anchor(patch, read, lost), label_at(patch.core, geometry, text)))
        return sorted(marks, key=lambda mark: -mark[0])

    def _replace(self, page: Any, geometry: Geometry, content: bytes, resources: Any, links: list[Any]) -> None:
        """Empty the page's dictionary and fill it anew; `content` is in displayed space."""
        media, crop = _boxes(page, geometry)
        for key in list(page.keys()):
            if key not in _KEPT:
                del page[key]
        page.MediaBox = media
        if crop is not None:
            page.CropBox = crop
        # Written even when nothing is turned: the page tree may hand down something else.
        page.Rotate = geometry.turns * 90
        matrix = " ".join(f"{number:g}" if number == int(number) else f"{number:.5f}" for number in geometry.matrix)
        page.Resources = resources
        page.Contents = self._pdf.make_stream(f"q {matrix} cm\n".encode("ascii") + content + b"\nQ")
        if links:
            page.Annots = Array(links)

    def _links(self, page: Any, geometry: Geometry, patches: Sequence[Patch]) -> list[Any]:
        annotations = page.get("/Annots")
        if not isinstance(annotations, pikepdf.Array) or len(annotations) > _MAX_LINKS:
            return []
        links = []
        for annotation in annotations:
            try:
                link = self._link(annotation, geometry, patches)
            except ERRORS:
                continue
            if link is not None:
                links.append(self._pdf.make_indirect(link))
        return links

    def _link(self, annotation: Any, geometry: Geometry, patches: Sequence[Patch]) -> Any:
        """A fresh link to the same place, or None when it is covered, holds a value or does something else."""
        if annotation.get("/Subtype") != "/Link":
            return None
        x0, y0, x1, y1 = (float(number) for number in annotation.Rect)
        box = geometry.box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        if any(box.overlaps(patch.core) for patch in patches):
            return None
        link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=annotation.Rect, Border=Array([0, 0, 0]))
        for key in _SAID:
            # What it is called for a screen reader, and the lines it runs over.
            if key in annotation and not self._holds_value(annotation[key]):
                link[key] = annotation[key]
        if "/Dest" in annotation:
            link.Dest = annotation.Dest
            return None if self._holds_value(annotation.Dest) else link
        action = annotation.get("/A")
        keys = _ACTIONS.get(name_text(action.get("/S"))) if isinstance(action, pikepdf.Dictionary) else None
        if keys is None or any(self._holds_value(action.get(key)) for key in keys):
            return None
        link.A = Dictionary({key: action[key] for key in keys if key in action})
        return link

    def _holds_value(self, value: Any, depth: int = 0) -> bool:
        if isinstance(value, pikepdf.String):
            texts = string_texts(bytes(value))
            return any(self._finder.found(text) or self._finder.found(unquote(text)) for text in texts)
        if isinstance(value, pikepdf.Array):
            return depth > _DEEP or any(self._holds_value(item, depth + 1) for item in value)
        if isinstance(value, pikepdf.Dictionary) and not _is_page(value):
            return depth > _DEEP or any(
                self._holds_value(item, depth + 1) for key, item in entries(value) if key not in ("/P", "/Parent")
            )
        return False


def _is_page(holder: Any) -> bool:
    return holder.get("/Type") in ("/Page", "/Pages") or "/Contents" in holder or "/MediaBox" in holder


def _joined(patches: Sequence[Patch]) -> list[Patch]:
    """`patches` with those that overlap on one line as one, so that a mark is read once and over no other."""
    joined: list[Patch] = []
    for patch in sorted(patches, key=lambda one: (one.core.y0, one.core.x0)):
        for place in range(len(joined) - 1, max(-1, len(joined) - _NEAR), -1):
            core = joined[place].core
            if core.overlaps(patch.core):
                union = core.union(patch.core)
                joined[place] = Patch(union, union, joined[place].label or patch.label)
                break
        else:
            joined.append(patch)
    return joined


def _anchor(patch: Patch, read: PageText, lost: Sequence[int]) -> int:
    """Offset of the first lost word that went under `patch`, or the text's end."""
    for place in lost:
        if read.boxes[place].overlaps(patch.core):
            return place
    return len(read.text)


def _boxes(page: Any, geometry: Geometry) -> tuple[Any, Any]:
    """The media box as it was when it is sound, and the visible box when it differs."""
    visible = [geometry.left, geometry.bottom, geometry.right, geometry.top]
    try:
        x0, y0, x1, y1 = (float(number) for number in inherited(page, "/MediaBox"))
        media = [min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)]
    except ERRORS:
        media = visible
    sound = media[0] <= visible[0] + 1 and media[1] <= visible[1] + 1
    sound = sound and media[2] >= visible[2] - 1 and media[3] >= visible[3] - 1
    if not sound:
        media = visible
    same = all(abs(one - two) < 1e-3 for one, two in zip(media, visible, strict=True))
    return _numbers(media), None if same and inherited(page, "/CropBox") is None else _numbers(visible)


def _numbers(values: Sequence[float]) -> Array:
    return Array([int(value) if value == int(value) else round(value, 4) for value in values])
