"""The steps that suggest and that carry decisions: analyze and carry_decisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Final, TypeVar

import msgspec
import structlog
from sqlalchemy import Connection

from anonify.database import DocumentRow, RedactionRow, RuleRow, documents, new_id, now_ms, redactions, rules, usage
from anonify.detection import (
    ANALYZE,
    APPLY_RULES,
    DEGRADED_CUT,
    MAX_DETECTIONS,
    AnalyzeArgs,
    ApplyRulesArgs,
    Detection,
    RuleMatch,
    categories_of,
)
from anonify.detection.faces import Faces, find_faces
from anonify.review import group_key
from anonify.review.ruled import place_hits, take_back
from anonify.sandbox import Source, iter_chunks
from anonify.storage import Spool

from .access import open_extraction, open_texts, read_extraction, reading
from .answers import forget_answers
from .asking import Asked, ask
from .failures import Superseded
from .searching import hit_of, spec_of
from .services import Services
from .steps import DocumentRun

__all__ = ["analyze", "carry_decisions"]

log = structlog.get_logger(__name__)

USED_MS: Final = 3_600_000
"""How exactly it is remembered when a rule was last applied; unused ones are forgotten after weeks."""

LineT = TypeVar("LineT")
Place = tuple[int | str | None, ...]


def analyze(work: DocumentRun) -> dict[str, object]:
    """Detect, and store what was found as suggestions in place of those of an earlier attempt.

    Returns:
        `count` of suggestions and the `degraded` reasons.
    """
    services, row = work.services, work.row()
    work.enter("analyzing")
    texts, lengths = open_texts(services, row)
    with Spool() as spool:
        analyzed = services.pool.run(
            ANALYZE,
            AnalyzeArgs(row.kind or "", lengths, open_extraction(services, row), row.preset),
            sources={"model": texts},
            sinks={"detections": spool},
            progress=work.teller("ai.progress"),
        )
        spool.finish()
        faces = _faces(work, row, MAX_DETECTIONS - analyzed.count)
        asked = _asked(work, row, spool, faces)
        more = () if asked is None else asked.degraded
        degraded = list(dict.fromkeys((*analyzed.degraded, *more, *faces.degraded)))
        with services.database.begin() as connection:
            _own(connection, work)
            redactions.delete_untouched(connection, row.id, "detection")
            taken = _places(connection, row.id)
            suggested = _offline(spool, faces) if asked is None else asked.detections
            found = (_suggestion(services, row.id, one) for one in suggested)
            count = redactions.insert_many(connection, (one for one in found if _place(one) not in taken))
            usage.set_skips(connection, row.id, () if asked is None else asked.skips)
            documents.update(connection, row.id, degraded=msgspec.json.encode(degraded).decode())
    forget_answers(work)
    log.info("document.analyzed", document=row.id, count=count, degraded=degraded)
    return {"count": count, "degraded": degraded}


def _offline(found: Source, faces: Faces) -> Iterator[Detection]:
    """What was suggested without a language model."""
    return chain(_lines(found, Detection), faces.found)


def _asked(work: DocumentRun, row: DocumentRow, found: Source, faces: Faces) -> Asked | None:
    """What a language model makes of what was `found`; None when none is set up, so that nothing need be held."""
    return None if work.services.throttle is None else ask(work, row, list(_offline(found, faces)))


def _faces(work: DocumentRun, row: DocumentRow, room: int) -> Faces:
    """Faces on the document's pictures, when its preset looks for them; at most `room`, the rest said to be cut."""
    where = reading(work.services, row) if "face" in categories_of(row.preset) else None
    if where is None:
        return Faces()
    pages = read_extraction(row).pictures
    faces = find_faces(where, pages, progress=work.teller("ai.progress"))
    if len(faces.found) <= room:
        return faces
    return Faces(faces.found[:room], (*faces.degraded, DEGRADED_CUT))


def carry_decisions(work: DocumentRun) -> int:
    """Apply the document's rules and copies of its owner's: a rule is a decision, so its redactions are accepted.

    Returns:
        how many redactions rules made.

    Raises:
        FatalError: `rule-too-broad`.
    """
    services, row = work.services, work.row()
    with services.database.begin() as connection:
        _own(connection, work)
        applied = {rule.id: rule for rule in _copy_rules(connection, row) if rule.enabled}
    if not applied:
        return 0
    specs = tuple(spec_of(rule) for rule in applied.values())
    texts, lengths = open_texts(services, row)
    with Spool() as spool:
        services.pool.run(
            APPLY_RULES,
            ApplyRulesArgs(lengths, specs, open_extraction(services, row)),
            sources={"model": texts},
            sinks={"matches": spool},
        )
        spool.finish()
        with services.database.begin() as connection:
            _own(connection, work)
            take_back(connection, list(applied))  # what an earlier attempt has done
            hits = ((applied[one.rule_id], hit_of(one)) for one in _lines(spool, RuleMatch))
            count = place_hits(connection, services.keys, row.id, hits, now_ms=now_ms())
    log.info("document.rules", document=row.id, rules=len(applied), count=count)
    return count


# Rules


def _copy_rules(connection: Connection, row: DocumentRow) -> list[RuleRow]:
    """The document's rules, after copying the switched-on ones of its batch and of its owner that it has no copy of."""
    own = rules.list_for(connection, row.owner_key, "document", row.id)
    copied = {rule.source_rule_id for rule in own}
    wider = [] if row.batch_id is None else rules.list_for_batch(connection, row.batch_id)
    wider = [rule for rule in (*wider, *rules.list_for(connection, row.owner_key, "global")) if rule.enabled]
    now = now_ms()
    for rule in wider:
        if rule.id in copied:
            continue
        copy = replace(
            rule,
            id=new_id(),
            scope="document",
            document_id=row.id,
            batch_id=None,
            source_rule_id=rule.id,
            created_at=now,
            used_at=now,
        )
        rules.insert(connection, copy)
        own.append(copy)
    # Not at every document: those of one batch would wait for each other to write the same rows.
    rules.mark_used(connection, [rule.id for rule in wider if rule.used_at < now - USED_MS], now)
    return own


# Rows


def _suggestion(services: Services, document_id: str, one: Detection) -> RedactionRow:
    row = _row(
        services,
        document_id,
        one,
        status="suggested",
        origin="detection",
        category=one.category,
        detector=one.detector,
        confidence=one.confidence,
        why=_storable(one.reason) or None,
        person=one.person,
    )
    if one.is_column:  # it names no value: it stands for all of its cells
        return replace(row, start=None, end=None, value=None, group_key=None)
    if one.box is not None:  # nor does what is only seen
        box = msgspec.json.encode(one.box).decode()
        return replace(row, start=None, end=None, value=None, group_key=None, box=box)
    return row


def _row(
    services: Services,
    document_id: str,
    found: Detection | RuleMatch,
    *,
    status: str,
    origin: str,
    category: str,
    detector: str,
    confidence: float,
    why: str | None = None,
    person: str = "",
) -> RedactionRow:
    value = _storable(found.text)
    return RedactionRow(
        id=new_id(),
        document_id=document_id,
        status=status,
        origin=origin,
        touched=False,
        category=category,
        detector=detector,
        confidence=confidence,
        page=found.page,
        start=found.start,
        end=found.end,
        sheet=found.sheet,
        row=found.row,
        column=found.column,
        box=None,
        value=value,
        group_key=group_key(services.keys, document_id, value),
        method="mask",
        reason=None,
        rule_id=None,
        created_at=now_ms(),
        decided_at=None,
        why=why,
        person_key=group_key(services.keys, document_id, _storable(person)) if person else None,
    )


def _storable(value: str) -> str:
    # PostgreSQL's text holds no NUL; the place, not this copy of the value, says what to remove.
    return value.replace("\0", "\ufffd")


def _place(row: RedactionRow) -> Place:
    return (row.page, row.start, row.end, row.sheet, row.row, row.column, row.box)


def _places(connection: Connection, document_id: str) -> set[Place]:
    return {_place(row) for row in redactions.list_for_document(connection, document_id)}


def _own(connection: Connection, work: DocumentRun) -> None:
    fresh = documents.lock(connection, work.document_id)
    if fresh is None or fresh.run_id != work.run.id or fresh.status != "analyzing":
        raise Superseded


# Reading


def _lines(source: Source, kind: type[LineT]) -> Iterator[LineT]:
    """Decode JSON lines piece by piece."""
    decoder = msgspec.json.Decoder(kind)
    rest = b""
    for chunk in iter_chunks(source):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if line:
                yield decoder.decode(line)
    if rest:
        yield decoder.decode(rest)
