"""Files inside the file: redacted as documents of their own where their kind is known, otherwise dropped and named."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pikepdf

from anonify.errors import AnonifyError
from anonify.sandbox.source import BytesSource, MemorySink

from ..format import Format
from ..plan import RedactionPlan

__all__ = ["MAX_DEPTH", "redact_attachments"]

MAX_DEPTH: Final = 3
MAX_ATTACHMENT: Final = 128 << 20
_STREAMS: Final = ("/F", "/UF", "/DOS", "/Mac", "/Unix")
_ERRORS: Final = (pikepdf.PikepdfError, ValueError, TypeError, AttributeError, LookupError, RuntimeError)


def redact_attachments(pdf: pikepdf.Pdf, plan: RedactionPlan, depth: int, named: Counter[tuple[str, str]]) -> None:
    """Redact or drop every embedded file.

    Args:
        depth: how many files this one is inside of.
        named: counted by (kind, disposition) for the report.
    """
    inner = RedactionPlan(
        sweep=plan.sweep, keep_metadata=plan.keep_metadata, marker=plan.marker, draw_labels=plan.draw_labels
    )
    done: dict[tuple[int, int], bool] = {}
    for holder in list(pdf.objects):
        if isinstance(holder, pikepdf.Dictionary) and isinstance(holder.get("/EF"), pikepdf.Dictionary):
            _specification(holder, inner, depth, done, named)
    names = pdf.Root.get("/Names")
    if isinstance(names, pikepdf.Dictionary) and "/EmbeddedFiles" in names:
        _prune(names.EmbeddedFiles, inner, depth, done, named)


def _specification(
    holder: Any,
    plan: RedactionPlan,
    depth: int,
    done: dict[tuple[int, int], bool],
    named: Counter[tuple[str, str]],
) -> None:
    files = holder.EF
    title = str(holder.get("/UF", holder.get("/F", "")))
    for key in _STREAMS:
        stream = files.get(key)
        if not isinstance(stream, pikepdf.Stream):
            continue
        if stream.objgen not in done:
            done[stream.objgen] = _redact_stream(stream, title, plan, depth)
            named["attachment", "redacted" if done[stream.objgen] else "removed"] += 1
        if not done[stream.objgen]:
            del files[key]
    if not list(files.keys()):
        del holder["/EF"]


def _redact_stream(stream: Any, title: str, plan: RedactionPlan, depth: int) -> bool:
    """Put the redacted file in the place of the original; False when that cannot be done."""
    from ..gate import read_back
    from ..register import recognise

    try:
        data = stream.read_bytes()
        if len(data) > MAX_ATTACHMENT or depth >= MAX_DEPTH:
            return False
        source = BytesSource(data)
        form = recognise(source, title)
        artifact = BytesSource(_redacted(form, source, plan, depth))
        for reader in ("own", "independent"):
            verdict = read_back(form, source, artifact, plan, reader)  # type: ignore[arg-type]  # two literals
            if not verdict.opened or verdict.survivors or verdict.failed:
                return False
    except (AnonifyError, NotImplementedError, OSError, *_ERRORS):
        return False
    stream.write(artifact.read(0, artifact.size))
    if "/Params" in stream:
        del stream["/Params"]
    return True


def _redacted(form: Format, source: BytesSource, plan: RedactionPlan, depth: int) -> bytes:
    from .redact import redact_nested

    sink = MemorySink()
    if form.kind == "pdf":
        redact_nested(source, sink, plan, depth + 1)
    else:
        form.redact(source, sink, plan)
    return sink.getvalue()


def _prune(
    node: Any,
    plan: RedactionPlan,
    depth: int,
    done: dict[tuple[int, int], bool],
    named: Counter[tuple[str, str]],
    level: int = 0,
) -> None:
    """Take entries without a file out of the name tree; direct file specifications are redacted on the way."""
    if not isinstance(node, pikepdf.Dictionary) or level > 32:
        return
    for child in node.get("/Kids", []):
        _prune(child, plan, depth, done, named, level + 1)
    entries = node.get("/Names")
    if not isinstance(entries, pikepdf.Array):
        return
    kept = pikepdf.Array()
    for key, value in zip(list(entries)[0::2], list(entries)[1::2], strict=False):
        if isinstance(value, pikepdf.Dictionary):
            if not value.is_indirect and isinstance(value.get("/EF"), pikepdf.Dictionary):
                _specification(value, plan, depth, done, named)
            if "/EF" in value:
                kept.append(key)
                kept.append(value)
    node.Names = kept
