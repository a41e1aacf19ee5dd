"""Layer B: reading, editing and re-reading documents.  Pure: bytes in, values out; no database, engine or web."""

from anonify.sandbox.source import BytesSource, MemorySink, Sink, Source, SourceFile, iter_chunks, read_all

from .format import ExtractOptions, Format, Head, Piece, RenderOptions, StructureCheck
from .matching import MIN_SWEEP, Match, Matcher
from .model import (
    Box,
    Extraction,
    GridRow,
    HiddenContent,
    ModelReader,
    ModelWriter,
    Page,
    Pages,
    PageSink,
    Section,
    Sheet,
    Span,
    page_spans,
)
from .pictures import Explained, Part, Pictures
from .plan import CellEdit, Edit, Named, PagePicture, RedactionPlan, RedactionResult, RegionEdit, SweepValue
from .register import by_extension, by_kind, formats, pictures_of, recognise, reported_words

__all__ = [
    "MIN_SWEEP",
    "Box",
    "BytesSource",
    "CellEdit",
    "Edit",
    "Explained",
    "ExtractOptions",
    "Extraction",
    "Format",
    "GridRow",
    "Head",
    "HiddenContent",
    "Match",
    "Matcher",
    "MemorySink",
    "ModelReader",
    "ModelWriter",
    "Named",
    "Page",
    "PagePicture",
    "PageSink",
    "Pages",
    "Part",
    "Pictures",
    "Piece",
    "RedactionPlan",
    "RedactionResult",
    "RegionEdit",
    "RenderOptions",
    "Section",
    "Sheet",
    "Sink",
    "Source",
    "SourceFile",
    "Span",
    "StructureCheck",
    "SweepValue",
    "by_extension",
    "by_kind",
    "formats",
    "iter_chunks",
    "page_spans",
    "pictures_of",
    "read_all",
    "recognise",
    "reported_words",
]
