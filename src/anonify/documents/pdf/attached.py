"""Files inside the file: redacted as documents of their own where their kind is known, otherwise dropped and named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, Literal

import pikepdf

from anonify.errors import AnonifyError
from anonify.sandbox.source import BytesSource, MemorySink

from ..format import ExtractOptions, Format
from ..model import Page
from ..plan import Named, RedactionPlan
from .objects import ERRORS

__all__ = ["MAX_DEPTH", "redact_attachments"]

MAX_DEPTH: Final = 3
"""Files in files in files that are opened; what lies deeper is removed.  Each level costs a whole redaction."""

MAX_ATTACHMENT: Final = 128 << 20
"""Bytes above which an embedded file is removed: it is held in memory, twice, beside the file around it."""

_STREAMS: Final = ("/F", "/UF", "/DOS", "/Mac", "/Unix")


def redact_attachments(
    pdf: pikepdf.Pdf, holders: Sequence[Any], plan: RedactionPlan, depth: int, named: Counter[tuple[str, str]]
) -> None:
    """Redact or drop every embedded file.

    Args:
        pdf: the file, changed in place.
        holders: its dictionaries.
        plan: the plan; its values are swept from the attachments.
        depth: how many files this one is inside of.
        named: counted by (kind, disposition) for the report.
    """
    inner = RedactionPlan(
        sweep=plan.sweep,
        keep_metadata=plan.keep_metadata,
        marker=plan.marker,
        draw_labels=plan.draw_labels,
        restoring=plan.restoring,
    )
    attachments = _Attachments(inner, depth, named)
    for holder in holders:
        if isinstance(holder.get("/EF"), pikepdf.Dictionary):
            attachments.specification(holder)
    for holder in holders:
        attachments.loose(holder)
    names = pdf.Root.get("/Names")
    if isinstance(names, pikepdf.Dictionary) and "/EmbeddedFiles" in names:
        attachments.prune(names.EmbeddedFiles, 0)


class _Attachments:
    """The embedded files of one PDF."""

    def __init__(self, plan: RedactionPlan, depth: int, named: Counter[tuple[str, str]]) -> None:
        self._plan = plan
        self._depth = depth
        self._named = named
        self._done: dict[tuple[int, int], bool] = {}

    def specification(self, holder: Any) -> None:
        """Redact the files of one file specification; drop those that cannot be."""
        files = holder.EF
        title = str(holder.get("/UF", holder.get("/F", "")))
        for key in _STREAMS:
            stream = files.get(key)
            if not isinstance(stream, pikepdf.Stream):
                continue
            if stream.objgen not in self._done:
                self._done[stream.objgen] = kept = self._redact(stream, title)
                self._named["attachment", "redacted" if kept else "removed"] += 1
            if not self._done[stream.objgen]:
                del files[key]
        if not len(files.keys()):
            del holder["/EF"]
        if "/RF" in holder:
            # Files that belong to the embedded one, in an order only its own program knows.
            del holder["/RF"]
            self._named["attachment", "removed"] += 1

    def loose(self, holder: Any) -> None:
        """Empty an embedded file that no file specification leads to."""
        if (
            isinstance(holder, pikepdf.Stream)
            and holder.get("/Type") == "/EmbeddedFile"
            and holder.objgen not in self._done
        ):
            holder.write(b"")
            self._done[holder.objgen] = False
            self._named["attachment", "removed"] += 1

    def prune(self, node: Any, level: int) -> None:
        """Take entries without a file out of the name tree."""
        if not isinstance(node, pikepdf.Dictionary) or level > 32:
            return
        for child in node.get("/Kids", []):
            self.prune(child, level + 1)
        entries = node.get("/Names")
        if not isinstance(entries, pikepdf.Array):
            return
        kept = pikepdf.Array()
        for key, value in zip(list(entries)[0::2], list(entries)[1::2], strict=False):
            if isinstance(value, pikepdf.Dictionary) and "/EF" in value:
                kept.append(key)
                kept.append(value)
        node.Names = kept

    def _redact(self, stream: Any, title: str) -> bool:
        """Put the redacted file in the place of the original; False when that cannot be done."""
        from ..register import recognise

        try:
            data = stream.read_bytes(pikepdf.StreamDecodeLevel.specialized)
            if len(data) > MAX_ATTACHMENT or self._depth >= MAX_DEPTH:
                return False
            source = BytesSource(data)
            form = recognise(source, title)
            if _has_unread_pixels(form, source):
                return False
            data, within = self._redacted(form, source)
            artifact = BytesSource(data)
            if not self._clean(form, source, artifact):
                return False
        except (AnonifyError, OSError, *ERRORS):
            return False
        for one in within:
            self._named[one.kind, one.disposition] += one.count
        stream.write(artifact.read(0, artifact.size))
        if "/Params" in stream:
            del stream["/Params"]
        return True

    def _redacted(self, form: Format, source: BytesSource) -> tuple[bytes, tuple[Named, ...]]:
        """The redacted file, and what the report names of it where it does so in this format's words."""
        from .redact import redact_nested

        sink = MemorySink()
        if form.kind == "pdf":
            named = redact_nested(source, sink, self._plan, self._depth + 1).named
        else:
            form.redact(source, sink, self._plan)
            named = ()
        return sink.getvalue(), named

    def _clean(self, form: Format, source: BytesSource, artifact: BytesSource) -> bool:
        """Whether the attachment passes the gate by itself."""
        from ..gate import read_back

        readers: tuple[Literal["own", "independent"], ...] = ("own", "independent")
        verdicts = (read_back(form, source, artifact, self._plan, reader) for reader in readers)
        return all(verdict.opened and not verdict.survivors and not verdict.failed for verdict in verdicts)


class _Unread:
    """A page sink that remembers which pages only their pixels tell of."""

    def __init__(self) -> None:
        self.numbers: set[int] = set()

    def page(self, page: Page, /) -> None:
        """Take one page."""
        if page.needs_ocr and not page.picture:
            self.numbers.add(page.number)


def _has_unread_pixels(form: Format, source: BytesSource) -> bool:
    """Whether the file shows a whole page, or is a picture, that nobody has read: a value may stand in it.

    Recognisers read the document itself, not what is attached to it.
    """
    if form.pictures is None:
        return False
    pages = _Unread()
    extraction = form.extract(source, pages, ExtractOptions())
    return bool(pages.numbers & set(extraction.pictures))
