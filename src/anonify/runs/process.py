"""The order in which a document is processed.  Everything real is a step; see steps.py, expanding.py
and analysis.py.

    ingest → expand ─ container ─→ finish_container
                └ anything else → extract_and_normalize → analyze → carry_decisions → finish
    any step throws → fail(code); every ending frees the slot

The order is stored with every run under way: append steps at the end, or raise the engine's version.
"""

from __future__ import annotations

from anonify.documents import by_kind
from anonify.errors import AnonifyError, Code

from .analysis import analyze, carry_decisions
from .engine import Run
from .expanding import expand, finish_container
from .failures import Superseded, classify
from .services import Services
from .steps import DocumentRun

__all__ = ["process_document"]


def process_document(services: Services, run: Run, document_id: str) -> None:
    """Take one document from its upload to `ready`, `expanded` or `failed`."""
    work = DocumentRun(services, run, document_id)
    try:
        _process(work)
    except Superseded:
        return  # deleted, expired or retried meanwhile: nobody waits for this run
    except AnonifyError as error:
        _fail(work, error.code)
    except Exception as error:  # the engine could not record what happened
        _fail(work, classify(error).code)


def _process(work: DocumentRun) -> None:
    run = work.run
    work.tell("queued", "queued")
    work.tell("extracting", "extracting")
    kind = run.step("ingest", work.ingest)
    children = run.step("expand", expand, work)
    if by_kind(kind).container:
        took = run.step("finish_container", finish_container, work)
        work.tell("expanded", "expanded", count=children, milliseconds=took)
        run.close_stream()
        return
    if children:
        work.tell("expanded", count=children)
    work.tell("normalizing", "normalizing", kind=kind)
    pages = run.step("extract_and_normalize", work.extract)
    work.tell("ai.started", "analyzing", pages=pages)
    result = run.step("analyze", analyze, work)
    if result["degraded"]:
        work.tell("ai.degraded", reasons=result["degraded"])
    work.tell("redaction.created", count=result["count"], origin="detection")
    carried = run.step("carry_decisions", carry_decisions, work)
    if carried:
        work.tell("redaction.created", count=carried, origin="rule")
    took = run.step("finish", work.finish)
    work.tell("ready", "ready", milliseconds=took)
    run.close_stream()


def _fail(work: DocumentRun, code: Code) -> None:
    try:
        retryable = work.run.step("fail", work.fail, code.value)
    except AnonifyError:
        return  # gone meanwhile, or the database stays away: then the watch marks the document
    work.tell("failed", "failed", code=code.value, retryable=retryable)
    work.run.close_stream()
