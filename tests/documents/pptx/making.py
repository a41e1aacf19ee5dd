"""Presentations of any slides made by hand, and what is read out of them and made of them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pptx import Presentation

from anonify.documents.format import ExtractOptions
from anonify.documents.gate import read_back
from anonify.documents.model import Extraction, Page
from anonify.documents.plan import Edit, RedactionPlan, RedactionResult, SweepValue
from anonify.documents.pptx import FORMAT
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.ooxml.build import zipped

from .decks import Link, common, of_kind, paragraph, parts_of, rels, shape

__all__ = ["Slide", "edited", "extracted", "opened", "presentation", "redacted", "sections", "slide_parts", "texts"]

MAPPED = "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>"


@dataclass(frozen=True)
class Slide:
    """A slide to make.

    Attributes:
        shapes: markup in its tree.
        notes: shapes of its notes; None for no notes.
        attributes: of its root.
        name: its name.
        links: relationships.
        after: markup after its common data.
    """

    shapes: str = ""
    notes: str | None = None
    attributes: str = ""
    name: str = ""
    links: tuple[Link, ...] = ()
    after: str = ""

    @classmethod
    def saying(cls, *texts: str, notes: str | None = None) -> Slide:
        """A slide with a shape for each text."""
        said = "".join(shape(paragraph(text), number=number) for number, text in enumerate(texts, 10))
        return cls(said, None if notes is None else shape(paragraph(notes)))


def slide_parts(
    slides: Sequence[Slide],
    more: Mapping[str, bytes | str] | None = None,
    *,
    order: Sequence[int] | None = None,
    inside: str = "",
    top: Iterable[Link] = (),
    outside: Iterable[Link] = (),
) -> dict[str, bytes]:
    """The parts of a presentation of `slides`.

    Args:
        more: further parts, or other content for those there are.
        order: the slides' numbers, from 1, in the order of the show; as they come by default.
        inside: markup in the presentation after its slides.
        top: the presentation's further relationships.
        outside: the package's.
    """
    shown = list(range(1, len(slides) + 1)) if order is None else order
    listed = "".join(f'<p:sldId id="{256 + number}" r:id="rIdSlide{number}"/>' for number in shown)
    parts: dict[str, bytes | str] = {
        "ppt/presentation.xml": of_kind(
            "p:presentation",
            '<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>'
            f'<p:sldIdLst>{listed}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/>'
            f'<p:notesSz cx="6858000" cy="9144000"/>{inside}',
        ),
        "ppt/_rels/presentation.xml.rels": rels(
            ("rId1", "slideMaster", "slideMasters/slideMaster1.xml", ""),
            *((f"rIdSlide{n}", "slide", f"slides/slide{n}.xml", "") for n in range(1, len(slides) + 1)),
            *top,
        ),
    }
    for number, slide in enumerate(slides, 1):
        parts |= _slide(number, slide)
    made = parts_of(more={**parts, **(more or {})}, outside=outside)
    return {name: data for name, data in made.items() if len(slides) > 1 or "slide2.xml" not in name}


def _slide(number: int, slide: Slide) -> dict[str, bytes | str]:
    notes = f"notesSlides/notesSlide{number}.xml"
    links = [("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml", ""), *slide.links]
    parts: dict[str, bytes | str] = {
        f"ppt/slides/slide{number}.xml": of_kind(
            f"p:sld {slide.attributes}".strip(), common(slide.shapes, name=slide.name) + MAPPED + slide.after
        )
    }
    if slide.notes is not None:
        links.append(("rIdNotes", "notesSlide", f"../{notes}", ""))
        parts[f"ppt/{notes}"] = of_kind("p:notes", common(slide.notes) + MAPPED)
        back = rels(("rId1", "slide", f"../slides/slide{number}.xml", ""))
        parts[f"ppt/notesSlides/_rels/notesSlide{number}.xml.rels"] = back
    parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = rels(*links)
    return parts


def presentation(*slides: Slide, order: Sequence[int] | None = None, inside: str = "") -> bytes:
    """As :func:`slide_parts`, zipped."""
    return zipped(slide_parts(slides, order=order, inside=inside))


class _Pages:
    def __init__(self) -> None:
        self.pages: list[Page] = []

    def page(self, page: Page) -> None:
        self.pages.append(page)


def extracted(data: bytes, **options: int) -> tuple[Extraction, list[Page]]:
    """What a reviewer sees: pages numbered through, spans one after the other."""
    sink = _Pages()
    extraction = FORMAT.extract(BytesSource(data), sink, ExtractOptions(**options))
    assert [page.number for page in sink.pages] == list(range(1, extraction.pages + 1))
    for page in sink.pages:
        assert all(span.end <= after.start for span, after in pairwise(page.spans))
    return extraction, sink.pages


def texts(data: bytes) -> list[str]:
    """The pages' texts."""
    return [page.text for page in extracted(data)[1]]


def sections(data: bytes) -> dict[str, list[str]]:
    """The lines of each section."""
    found: dict[str, list[str]] = {}
    for page in extracted(data)[1]:
        for section in page.sections:
            lines = page.text[section.start : section.end].split("\n")
            found.setdefault(section.name, []).extend(line for line in lines if line)
    return found


def edited(data: bytes, value: str, new: str = "[REDACTED]", *, page: int | None = None) -> bytes:
    """The artifact when every shown occurrence of `value` is edited at its address and nothing is swept."""
    edits = []
    for one in extracted(data)[1]:
        for match in re.finditer(re.escape(value), one.text) if page in (None, one.number) else ():
            replacement = new
            for span in one.spans:
                start, end = max(span.start, match.start()), min(span.end, match.end())
                if start < end:
                    edits.append(Edit(span.id, start - span.start, end - span.start, replacement, one.number))
                    replacement = ""
    assert edits
    sink = MemorySink()
    FORMAT.redact(BytesSource(data), sink, RedactionPlan(edits=tuple(edits), keep_metadata=True))
    return sink.getvalue()


def redacted(data: bytes, *values: str, keep_metadata: bool = False) -> tuple[bytes, RedactionResult]:
    """The artifact without the values, read back by both readers."""
    source, sink = BytesSource(data), MemorySink()
    sweep = tuple(SweepValue(value, "[REDACTED]") for value in values)
    plan = RedactionPlan(sweep=sweep, keep_metadata=keep_metadata)
    result = FORMAT.redact(source, sink, plan)
    artifact = BytesSource(sink.getvalue())
    readers: tuple[Literal["own", "independent"], ...] = ("own", "independent")
    for reader in readers:
        verdict = read_back(FORMAT, source, artifact, plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ())
    return sink.getvalue(), result


def opened(data: bytes) -> list[list[str]]:
    """The texts of each slide's shapes, in the order of the show, by python-pptx."""
    deck = Presentation(io.BytesIO(data))
    return [[shape.text_frame.text for shape in slide.shapes if shape.has_text_frame] for slide in deck.slides]
