"""Source and plan in, a new file out: pages rebuilt where needed, everything else swept, the whole rewritten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from typing import Any, BinaryIO, cast

import pikepdf
import pypdfium2 as pdfium

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from ..matching.pages import PageFinder
from ..model import Pages
from ..plan import Named, RedactionPlan, RedactionResult
from .ahead import Ahead
from .attached import redact_attachments
from .clean import clean_metadata, drop_scripts, drop_signatures, drop_stray_pages, forget_pages
from .extract import draws_nothing
from .objects import dictionaries
from .opening import Opened, open_pdf
from .pages import Planner
from .read import Geometry, loaded
from .rebuild import Rebuilder
from .recognised import Recognised, recognised_on
from .renamed import rename_keys
from .sweep import Sweeper
from .xfa import drop_xfa, refuse_dynamic

__all__ = ["redact", "redact_nested", "redact_recognised"]


class _Writer:
    """A sink as the kind of file qpdf writes to."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._place = 0

    def write(self, data: bytes) -> int:
        self._sink.write(bytes(data))
        self._place += len(data)
        return len(data)

    def tell(self) -> int:
        return self._place

    def seek(self, *_place: int) -> int:
        raise OSError("not seekable")

    def flush(self) -> None:
        """Nothing is held back."""


def redact(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """Write `source` without what `plan` names.

    Raises:
        FatalError: `malformed`, `encrypted` or `too-complex`.
    """
    return _redact(source, sink, plan, 0, None)


def redact_recognised(source: Source, sink: Sink, plan: RedactionPlan, pages: Pages) -> RedactionResult:
    """As :func:`redact`; recognised words of `pages` that stay are written into the text layer of rebuilt pages.

    Raises:
        FatalError: `malformed`, `encrypted` or `too-complex`.
    """
    return _redact(source, sink, plan, 0, pages)


def redact_nested(source: Source, sink: Sink, plan: RedactionPlan, depth: int) -> RedactionResult:
    """As :func:`redact`, for a file inside `depth` others."""
    return _redact(source, sink, plan, depth, None)


def _redact(source: Source, sink: Sink, plan: RedactionPlan, depth: int, model: Pages | None) -> RedactionResult:
    try:
        return _written(source, sink, plan, depth, model)
    except MemoryError:
        raise FatalError(Code.TOO_COMPLEX) from None


def _written(source: Source, sink: Sink, plan: RedactionPlan, depth: int, model: Pages | None) -> RedactionResult:
    with open_pdf(source) as opened:
        pdf = opened.objects
        refuse_dynamic(pdf)
        finder = PageFinder(plan.values)
        named: Counter[tuple[str, str]] = Counter()
        edited, swept, rebuilt = _pages(source, opened, (plan, finder), named, model)
        removed: Counter[str] = Counter()
        renamed = 0
        holders = dictionaries(pdf)
        if not plan.keep_metadata:
            clean_metadata(pdf, holders, removed)
        drop_signatures(pdf, holders, removed)
        if not plan.empty:
            removed["xfa"] += drop_xfa(pdf)
            drop_scripts(pdf, holders, removed)
            drop_stray_pages(pdf, holders, removed)
            redact_attachments(pdf, holders, plan, depth, named)
            renamed = rename_keys(pdf, dictionaries(pdf), finder)
        elif len(pdf.attachments):
            named["attachment", "carried-through"] += len(pdf.attachments)
        sweeper = Sweeper(pdf, plan, finder)
        if plan.sweep or not plan.keep_metadata:
            sweeper.run()
        for kind, count in (*removed.items(), *sweeper.dropped.items()):
            named[kind, "removed"] += count
        _save(pdf, sink)
        return RedactionResult(
            edited,
            swept + renamed + sweeper.swept,
            tuple(Named(kind, how, count) for (kind, how), count in sorted(named.items()) if count),  # type: ignore[arg-type]  # dispositions are literals here
            tuple(rebuilt),
        )


def _save(pdf: pikepdf.Pdf, sink: Sink) -> None:
    if "/ID" in pdf.trailer:
        del pdf.trailer["/ID"]
    try:
        pdf.save(
            cast("BinaryIO", _Writer(sink)),
            deterministic_id=True,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            compress_streams=True,
            preserve_pdfa=False,
        )
    except (pikepdf.PikepdfError, RuntimeError, ValueError):
        raise FatalError(Code.MALFORMED) from None


@contextmanager
def _second_view(source: Source, opened: Opened) -> Iterator[Any]:
    """A second PDFium document to draw from: the first one's pages are flattened, which may lose what has no
    appearance."""
    with open_pdf(source) as again:
        if again.pages != opened.pages:
            raise FatalError(Code.MALFORMED)
        yield again.drawn


def _pages(
    source: Source,
    opened: Opened,
    what: tuple[RedactionPlan, PageFinder],
    named: Counter[tuple[str, str]],
    model: Pages | None,
) -> tuple[int, int, list[int]]:
    """Rebuild the pages that need it; returns (edits applied, further occurrences, their numbers)."""
    pdf = opened.objects
    plan, finder = what
    if not (plan.sweep or plan.edits or plan.regions):
        return 0, 0, []
    planner = Planner(plan, finder)
    builder = Rebuilder(pdf, plan, finder)
    edited = swept = annotations = 0
    rebuilt: list[int] = []
    gone: set[tuple[int, int]] = set()
    with (
        _second_view(source, opened) as drawn,
        closing(Ahead(opened.drawn, opened.pages, finder, max(map(len, plan.values), default=0))) as ahead,
    ):
        for number, page in enumerate(pdf.pages, 1):
            before, marks = _annotations(page.obj)
            kept: set[tuple[int, int]] = set()
            try:
                current = ahead.turn(number)
                words = _recognised(model, number)
                work = planner.work(number, current.read, page.obj, current.cut, words)
                if work is None:
                    continue
                # A page without annotations is the same flattened: it need not be loaded again.
                with loaded(drawn, number, flat=False) if "/Annots" in page.obj else nullcontext(current.flat) as shown:
                    builder.rebuild(page.obj, current.flat, shown, current.read, work)
                kept = {item.objgen for item in page.obj.get("/Annots", []) if item.is_indirect} & before
                edited, swept = edited + work.edited, swept + work.swept
                marks -= len(work.alive)
            except pdfium.PdfiumError:
                if not draws_nothing(page.obj):
                    raise FatalError(Code.MALFORMED, page=number) from None
                page.obj.Type = pikepdf.Name.Page
                builder.blank(page.obj, Geometry(0, 0, 612, 792, 0))
                named["unreadable-page", "emptied"] += 1
            rebuilt.append(number)
            gone |= before - kept
            annotations += marks
    builder.finish()
    if rebuilt:
        structured = forget_pages(pdf, {pdf.pages[number - 1].obj.objgen for number in rebuilt}, gone)
        named["annotation", "removed"] += annotations
        named["structure", "removed"] += len(rebuilt) if structured else 0
    return edited, swept, rebuilt


def _recognised(model: Pages | None, number: int) -> Recognised | None:
    if model is None or number > len(model):
        return None
    return recognised_on(model.page(number))


def _annotations(page: Any) -> tuple[set[tuple[int, int]], int]:
    """Object numbers of a page's annotations, and how many of them are more than links."""
    annotations = page.get("/Annots")
    if not isinstance(annotations, pikepdf.Array):
        return set(), 0
    listed = [item for item in annotations if isinstance(item, pikepdf.Dictionary)]
    marks = sum(item.get("/Subtype") not in ("/Link", "/Popup") for item in listed)
    return {item.objgen for item in listed if item.is_indirect}, marks
