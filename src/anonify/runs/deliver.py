"""The only way to make an artifact: the single export, the command line and the Python API all call it."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import msgspec
import structlog

from anonify.database import ArtifactRow, DocumentRow, artifacts, documents, new_id, now_ms, redactions, rules
from anonify.documents import (
    Box,
    Extraction,
    Matcher,
    ModelReader,
    Pages,
    PartEdit,
    RedactionPlan,
    Source,
    by_kind,
    iter_chunks,
)
from anonify.documents.matching import value_key
from anonify.errors import Code, FatalError, VerificationFailed
from anonify.export import Decision, Delivery, ExportOptions, ReviewFacts, build_plan, deliver
from anonify.sandbox import BytesSource
from anonify.storage import Spool, open_sealed, seal
from anonify.version import __version__

from .access import open_model, open_source, read_extraction, reading
from .family import DELIVERED, Enclosed, Made, beyond, enclose, family_values, still_named
from .naming import Named, name_values

if TYPE_CHECKING:
    from .services import Services

__all__ = ["decisions_of", "deliver_document", "open_artifact", "open_report"]

log = structlog.get_logger(__name__)

DEFAULTS: Final = ExportOptions()

METHOD_WORDS: Final = {"pseudonymize": "pseudonyms", "tokenize": "tokens", "encrypt": "encrypted"}
"""What a file's name says of the methods that were chosen for it."""
NO_PAGES: Final = ModelReader(BytesSource(b""), ())
"""The model of a container: it has no text of its own."""

PAGE: Final = 5_000
"""Redactions read from the database at a time."""


def deliver_document(
    services: Services,
    document_id: str,
    options: ExportOptions = DEFAULTS,
    told: Callable[[Made], None] = lambda _made: None,
    naming: Callable[[Named], None] = lambda _named: None,
) -> ArtifactRow:
    """Make, verify, seal and record one artifact of a document that is ready, or of a container.

    What is inside is exported first and put in its place; what cannot be exported is left out, and the report counts
    why.  The same source and decisions give the same bytes; when the document already has exactly this artifact and
    report, that one is returned.  Nothing is stored unless everything passed, and a failure while storing leaves
    nothing.

    Args:
        told: called with what became of each document inside, at any depth, from several threads.
        naming: called with the surrogates of the artifact and of each one inside, from several threads.

    Raises:
        VerificationFailed: the gate refused; nothing was stored.
        FatalError: `missing-upload` when the document is gone, `internal-state` when it is not ready.
    """
    with services.database.connect() as connection:
        row = documents.get(connection, document_id)
    if row is None:
        raise FatalError(Code.MISSING_UPLOAD)
    if row.status not in DELIVERED or row.kind is None:
        raise FatalError(Code.INTERNAL_STATE)
    enclosed = enclose(services, row, lambda child: deliver_document(services, child.id, options, told, naming), told)
    wish = _wish(services, row, options, enclosed)
    naming(wish.named)
    known = _known(services, row, wish.fingerprint)
    if known is not None:
        return known
    source = open_source(services, row)
    plan = wish.plan(services, options)
    try:
        delivery = deliver(
            services.pool,
            row.kind,
            source,
            plan,
            Spool,
            decisions=wish.own,
            extraction=wish.extraction,
            version=__version__,
            source_sha256=row.sha256,
            facts=wish.facts,
            surrogates=wish.named.surrogates,
            reading=None if wish.container else reading(services, row),
            children=enclosed.source,
            timeout=services.settings.task_timeout_seconds,
        )
    except VerificationFailed as error:
        log.warning("export.refused", document=document_id, check=error.check, survivors=error.counts["survivors"])
        raise
    with delivery:
        return _store(services, row, delivery, _filename(row, plan, options), wish.fingerprint)


@dataclass(frozen=True, slots=True)
class _Wish:
    """Everything an artifact is made from, beside the source's bytes.

    Attributes:
        own: the document's accepted decisions.
        family: values that were accepted in documents it belongs with.
        named: what stands in the place of values that are not masked.
        fingerprint: names all of it, options and software included.
    """

    row: DocumentRow
    container: bool
    extraction: Extraction
    own: list[Decision]
    family: list[Decision]
    named: Named
    facts: ReviewFacts
    parts: tuple[PartEdit, ...]
    fingerprint: str = ""

    def plan(self, services: Services, options: ExportOptions) -> RedactionPlan:
        """What the redactor is told."""
        model: Pages = NO_PAGES if self.container else open_model(services, self.row)
        plan = build_plan([*self.own, *self.family], model, self.extraction, options, self.named.surrogates)
        return msgspec.structs.replace(plan, parts=self.parts)


def _wish(services: Services, row: DocumentRow, options: ExportOptions, enclosed: Enclosed) -> _Wish:
    container = row.status == "expanded"
    own, facts = ([], ReviewFacts(preset=row.preset)) if container else decisions_of(services, row)
    extraction = Extraction(pages=0, units=0) if container else read_extraction(row)
    family = beyond(own, family_values(services, row))
    named = name_values(services, row, options)
    told = (
        *(__version__, row.kind, row.sha256, row.filename, row.extraction, options),
        *(own, family, list(named.surrogates.by_spelling.values()), facts, enclosed.edits, repr(services.ocr)),
    )
    fingerprint = hashlib.sha256(msgspec.json.encode(told)).hexdigest()
    return _Wish(row, container, extraction, own, family, named, facts, enclosed.edits, fingerprint)


def _known(services: Services, row: DocumentRow, fingerprint: str) -> ArtifactRow | None:
    """The artifact that was made from exactly this, if its objects are still there."""
    with services.database.connect() as connection:
        known = artifacts.made_from(connection, row.id, fingerprint)
    if known is None:
        return None
    for handle in (known.handle, known.report_handle):
        store, key = services.stores.resolve(handle)
        if not store.exists(key):
            return None
    return known


def decisions_of(services: Services, row: DocumentRow) -> tuple[list[Decision], ReviewFacts]:
    """The accepted decisions of a document, and the rest of its review's record."""
    decisions: list[Decision] = []
    statuses: Counter[str] = Counter()
    detectors: Counter[str] = Counter()
    by_rule: dict[str, _Ruled] = defaultdict(_Ruled)
    for one in _redactions(services, row.id):
        statuses[one.status] += 1
        if one.detector is not None:
            detectors[one.detector] += 1
        if one.rule_id is not None:
            by_rule[one.rule_id].take(one)
        if one.status == "accepted":
            decisions.append(_decision(one))
    decisions += _named_values(services, row, by_rule)
    facts = ReviewFacts(
        preset=row.preset,
        detectors=dict(detectors),
        rejected=statuses["rejected"],
        undecided=statuses["suggested"],
        degraded=row.degraded_reasons,
    )
    return decisions, facts


def _redactions(services: Services, document_id: str) -> Iterator[redactions.RedactionRow]:
    after = None
    while True:
        with services.database.connect() as connection:
            rows = redactions.list_for_document(connection, document_id, after=after, limit=PAGE)
        yield from rows
        if len(rows) < PAGE:
            return
        after = rows[-1].cursor


def _decision(row: redactions.RedactionRow) -> Decision:
    return Decision(
        id=row.id,
        category=row.category,
        method=row.method,
        value=row.value,
        page=row.page,
        start=row.start,
        end=row.end,
        sheet=row.sheet,
        row=row.row,
        column=row.column,
        box=None if row.box is None else msgspec.json.decode(row.box, type=Box),
        origin=row.origin,
    )


@dataclass(slots=True)
class _Ruled:
    """What became of the places one rule found."""

    statuses: set[str] = field(default_factory=set)
    accepted: set[str] = field(default_factory=set)

    def take(self, one: redactions.RedactionRow) -> None:
        self.statuses.add(one.status)
        if one.status == "accepted" and one.value is not None:
            self.accepted.add(value_key(one.value))


def _named_values(services: Services, row: DocumentRow, by_rule: dict[str, _Ruled]) -> Iterator[Decision]:
    """A literal rule names a value: it goes even where nobody sees it (metadata, comments, a pivot's copy).

    Unless somebody turned down every place where the rule had found it.  What the pages show may be another spelling
    (`Jane%20Doe`), which does not stand for the value itself.  A rule that keeps a value names nothing to remove.
    """
    with services.database.connect() as connection:
        listed = rules.list_for(connection, row.owner_key, "document", row.id)
    for rule in listed:
        found = by_rule.get(rule.id, _Ruled())
        names = rule.enabled and rule.kind == "literal" and rule.action == "redact"
        if names and still_named(rule.pattern, found.statuses, found.accepted):
            yield Decision(rule.id, rule.category, rule.method, rule.pattern, origin="rule")


def _store(services: Services, row: DocumentRow, delivery: Delivery, filename: str, fingerprint: str) -> ArtifactRow:
    report_sha256 = hashlib.sha256(delivery.report).hexdigest()
    with services.database.begin() as connection:
        for known in artifacts.list_for_document(connection, row.id):
            if (known.sha256, known.report_sha256) == (delivery.sha256, report_sha256):
                artifacts.set_fingerprint(connection, known.id, fingerprint)
                return replace(known, fingerprint=fingerprint)
    store, artifact_id = services.stores.default, new_id()
    extension = by_kind(row.kind or "").extensions[0]
    artifact_key = f"documents/{row.id}/redacted.{artifact_id}{extension}.bin"
    report_key = f"documents/{row.id}/report.{artifact_id}.json.bin"
    data_key = services.keys.unwrap(row.wrapped_key)
    with ExitStack() as undo:
        undo.callback(store.delete, artifact_key)
        with seal(store, artifact_key, data_key) as writer:
            for chunk in iter_chunks(delivery.artifact):
                writer.write(chunk)
        if writer.sha256 != delivery.sha256:
            raise VerificationFailed("stored")
        undo.callback(store.delete, report_key)
        with seal(store, report_key, data_key) as writer:
            writer.write(delivery.report)
        made = ArtifactRow(
            id=artifact_id,
            document_id=row.id,
            filename=filename,
            handle=store.handle(artifact_key),
            size=delivery.artifact.size,
            sha256=delivery.sha256,
            report_handle=store.handle(report_key),
            report_size=len(delivery.report),
            report_sha256=report_sha256,
            created_at=now_ms(),
            fingerprint=fingerprint,
        )
        with services.database.begin() as connection:
            if documents.get(connection, row.id) is None:  # deleted meanwhile
                raise FatalError(Code.MISSING_UPLOAD)
            artifacts.insert(connection, made)
        undo.pop_all()
    return made


def _filename(row: DocumentRow, plan: RedactionPlan, options: ExportOptions) -> str:
    """`NAME-redacted.EXT`, `NAME-redacted-tokens.EXT`, …; a name that holds an accepted value is not repeated."""
    original, extension = PurePath(row.filename), by_kind(row.kind or "").extensions[0]
    stem = original.stem or "document"
    spaced = stem.translate(str.maketrans("_-.+", "    "))
    matcher = Matcher(plan.values)
    if matcher.found(stem) or matcher.found(spaced):
        stem = "document"
    return f"{'-'.join([stem, 'redacted', *_unusual(options)])}{original.suffix or extension}"


def _unusual(options: ExportOptions) -> Iterator[str]:
    """Words for what tells the variants of an export apart."""
    yield from (word for method, word in METHOD_WORDS.items() if method in options.methods.values())
    if options.labels:
        yield "labels"
    if options.image_style != DEFAULTS.image_style:
        yield options.image_style
    if options.keep_metadata:
        yield "metadata"


def open_artifact(services: Services, row: DocumentRow, artifact: ArtifactRow) -> Source:
    """The artifact's bytes."""
    store, key = services.stores.resolve(artifact.handle)
    return open_sealed(store, key, services.keys.unwrap(row.wrapped_key))


def open_report(services: Services, row: DocumentRow, artifact: ArtifactRow) -> Source:
    """The report's JSON."""
    store, key = services.stores.resolve(artifact.report_handle)
    return open_sealed(store, key, services.keys.unwrap(row.wrapped_key))
