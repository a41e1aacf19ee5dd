"""Running a format from bytes to a verified artifact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anonify.documents.format import ExtractOptions, Format
from anonify.documents.gate import read_back
from anonify.documents.model import Extraction, Page, page_spans
from anonify.documents.plan import CellEdit, Edit, RedactionPlan, RedactionResult, SweepValue
from anonify.documents.tasks import Verified
from anonify.sandbox.source import BytesSource, MemorySink

__all__ = ["MARKER", "Done", "extract", "process", "span_edit", "verify"]

MARKER = "[REDACTED]"


class _Pages(list[Page]):
    def page(self, page: Page, /) -> None:
        self.append(page)


@dataclass(frozen=True)
class Done:
    """A redacted file and how it was judged."""

    data: bytes
    result: RedactionResult
    own: Verified
    independent: Verified

    @property
    def passed(self) -> bool:
        return all(one.opened and not one.survivors and not one.failed for one in (self.own, self.independent))


def extract(form: Format, data: bytes, **options: int) -> tuple[Extraction, list[Page]]:
    """The extraction and its pages."""
    pages = _Pages()
    return form.extract(BytesSource(data), pages, ExtractOptions(**options)), list(pages)


def process(
    form: Format,
    data: bytes,
    values: Sequence[str] = (),
    *,
    edits: Sequence[Edit] = (),
    cells: Sequence[CellEdit] = (),
    replacement: str = MARKER,
) -> Done:
    """Redact and read back."""
    sweep = tuple(SweepValue(value, replacement) for value in values)
    plan = RedactionPlan(edits=tuple(edits), cells=tuple(cells), sweep=sweep)
    sink = MemorySink()
    result = form.redact(BytesSource(data), sink, plan)
    return Done(sink.getvalue(), result, *verify(form, data, sink.getvalue(), plan))


def verify(form: Format, source: bytes, artifact: bytes, plan: RedactionPlan) -> tuple[Verified, Verified]:
    """What both readers say."""
    return (
        read_back(form, BytesSource(source), BytesSource(artifact), plan, "own"),
        read_back(form, BytesSource(source), BytesSource(artifact), plan, "independent"),
    )


def span_edit(pages: Sequence[Page], value: str, replacement: str = MARKER) -> Edit:
    """The edit a reviewer makes by accepting the first place that shows `value`."""
    for page in pages:
        start = page.text.find(value)
        for span in page_spans(page):
            if start >= 0 and span.start <= start and start + len(value) <= span.end:
                first = start - span.start
                return Edit(span.id, first, first + len(value), replacement, page.number)
    raise AssertionError("not shown on any page")
