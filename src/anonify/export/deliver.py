"""Making an artifact, and the gate it has to pass.

    redact from source → spool → read what redacted pages still show, and paint that too
    → read back with the format's own reader and its structure checks
    → read back with a reader that shares no code with the writer → report, searched too

What fails raises, and the spool with the unverified artifact is gone.  There is no switch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from anonify.closing import Closing
from anonify.documents import Extraction, RedactionPlan, RedactionResult, RegionEdit, Source, by_kind, iter_chunks
from anonify.documents.tasks import REDACT, VERIFY, RedactArgs, Verified, VerifyArgs
from anonify.errors import VerificationFailed
from anonify.ocr import Reading, Reread, SpoolLike, reread_artifact
from anonify.sandbox import TaskRunner

from .decisions import Decision
from .report import Check, FileFacts, Report, ReviewFacts, make_report, quotes_value, report_bytes
from .surrogates import MASKS, Surrogates

__all__ = ["Delivery", "SpoolLike", "deliver", "read_artifact", "sha256_of"]

READERS: Final[tuple[Literal["own", "independent"], ...]] = ("own", "independent")
NO_FACTS: Final = ReviewFacts()

ROUNDS: Final = 3
"""How often what is still seen is painted over and looked for again before the export is refused."""


@dataclass(frozen=True, slots=True)
class Delivery(Closing):
    """An artifact that passed the gate.  Use it as a context manager, or close it.

    Attributes:
        artifact: the bytes, still in their spool.
        sha256: hex digest of the artifact.
        report: the report's JSON.
        result: what the redactor did.
        checks: what was checked.
    """

    artifact: SpoolLike
    sha256: str
    report: bytes
    result: RedactionResult
    checks: tuple[Check, ...]

    def close(self) -> None:
        """Lose the artifact."""
        self.artifact.close()


def deliver(
    runner: TaskRunner,
    kind: str,
    source: Source,
    plan: RedactionPlan,
    spool_factory: Callable[[], SpoolLike],
    *,
    decisions: Sequence[Decision],
    extraction: Extraction,
    version: str,
    source_sha256: str | None = None,
    facts: ReviewFacts = NO_FACTS,
    surrogates: Surrogates = MASKS,
    reading: Reading | None = None,
    children: Source | None = None,
    timeout: float | None = None,
) -> Delivery:
    """Redact `source` and let nothing out that fails the gate.

    Args:
        runner: where the tasks run.
        kind: the source's format.
        source: the original bytes.
        plan: what to remove, from :func:`anonify.export.build_plan`.
        spool_factory: makes a new spool.
        decisions: what the plan was made from, counted in the report.
        extraction: what the extractor said about the document.
        version: the software's version, for the report.
        source_sha256: hex digest of the source, when known already.
        facts: the rest of the review's record.
        surrogates: what the plan puts in the place of values, counted in the report.
        reading: the document's model and how pictures are read; without it no picture is read again.
        children: the artifacts that `plan.parts` puts in, one after another.
        timeout: seconds one task may take.

    Raises:
        VerificationFailed: with the check that failed: `opens`, `survivor`, `seen`, `unread`, `report`, or a structure
            check's name.
        AnonifyError: what the redactor raised.
    """
    maker = _Maker(runner, kind, source, spool_factory, reading, children, extraction.unread, timeout)
    spool, plan, result, checks = maker.make(plan)
    try:
        for reader in READERS:
            verified = read_artifact(
                runner, kind, source=source, artifact=spool, plan=plan, reader=reader, timeout=timeout
            )
            checks += _judge(verified, reader)
        artifact = FileFacts(sha256_of(spool), spool.size)
        report = make_report(
            version=version,
            kind=kind,
            source=FileFacts(source_sha256 or sha256_of(source), source.size),
            artifact=artifact,
            decisions=decisions,
            extraction=extraction,
            plan=plan,
            result=result,
            checks=checks,
            facts=facts,
            surrogates=surrogates,
        )
        _refuse_quotes(report, plan)
    except BaseException:
        spool.close()
        raise
    return Delivery(spool, artifact.sha256, report_bytes(report), result, tuple(checks))


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes an artifact whose redacted pages show no accepted value, nor those that analysis could not read."""

    runner: TaskRunner
    kind: str
    source: Source
    spool_factory: Callable[[], SpoolLike]
    reading: Reading | None
    children: Source | None
    unread: tuple[int, ...]
    timeout: float | None

    def make(self, plan: RedactionPlan) -> tuple[SpoolLike, RedactionPlan, RedactionResult, list[Check]]:
        """The artifact, the plan that was carried out in the end, what the redactor did and what was looked at.

        Raises:
            VerificationFailed: `seen`, or `unread` when a page cannot be read, so that nobody can say it shows none.
            AnonifyError: what the redactor or the recogniser raised.
        """
        left = 0
        for _ in range(ROUNDS):
            spool = self.spool_factory()
            try:
                result = self._redact(plan, spool)
                reread = self._reread(plan, spool, result)
            except BaseException:
                spool.close()
                raise
            if reread is None:
                return spool, plan, result, []
            if reread.unread:
                spool.close()
                raise VerificationFailed("unread", len(reread.unread))
            if not reread.seen:
                return spool, plan, result, [Check("nothing-seen", "ocr", reread.read)]
            spool.close()
            left = len(reread.seen)
            more = tuple(RegionEdit(seen.page, box) for seen in reread.seen for box in seen.boxes)
            plan = msgspec.structs.replace(plan, regions=(*plan.regions, *more))
        raise VerificationFailed("seen", left)

    def _redact(self, plan: RedactionPlan, spool: SpoolLike) -> RedactionResult:
        sources: dict[str, Source] = {"source": self.source}
        lengths: tuple[int, ...] = ()
        if self.reading is not None and by_kind(self.kind).redact_recognised is not None:
            sources, lengths = {"source": self.source, "model": self.reading.model}, self.reading.lengths
        if self.children is not None:
            sources["children"] = self.children
        result = self.runner.run(
            REDACT,
            RedactArgs(self.kind, plan, lengths),
            sources=sources,
            sinks={"artifact": spool},
            timeout=self.timeout,
        )
        spool.finish()
        return result

    def _reread(self, plan: RedactionPlan, spool: SpoolLike, result: RedactionResult) -> Reread | None:
        """What is still seen on rebuilt and unread pages, or None when there is nothing to look at."""
        pages = sorted({*result.rebuilt_pages, *self.unread})
        if self.reading is None or by_kind(self.kind).pictures is None or not (plan.values and pages):
            return None
        return reread_artifact(self.reading, spool, pages, plan.values)


def _refuse_quotes(report: Report, plan: RedactionPlan) -> None:
    if quotes_value(report, plan.values):
        raise VerificationFailed("report")


def read_artifact(
    runner: TaskRunner,
    kind: str,
    *,
    source: Source,
    artifact: Source,
    plan: RedactionPlan,
    reader: Literal["own", "independent"],
    timeout: float | None = None,
) -> Verified:
    """What one reader finds in `artifact`."""
    return runner.run(
        VERIFY,
        VerifyArgs(kind, plan, reader),
        sources={"source": source, "artifact": artifact},
        timeout=timeout,
    )


def _judge(verified: Verified, reader: Literal["own", "independent"]) -> list[Check]:
    if not verified.opened:
        raise VerificationFailed("opens")
    if verified.survivors:
        raise VerificationFailed("survivor", sum(finding.count for finding in verified.survivors))
    if verified.failed:
        raise VerificationFailed(verified.failed[0], len(verified.failed))
    return [
        Check("opens", reader),
        Check("no-survivor", reader, verified.pieces),
        *(Check(name, reader) for name in verified.passed),
    ]


def sha256_of(source: Source) -> str:
    """Hex digest of the whole source."""
    digest = hashlib.sha256()
    for chunk in iter_chunks(source):
        digest.update(chunk)
    return digest.hexdigest()
