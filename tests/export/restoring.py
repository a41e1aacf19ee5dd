"""There and back: an export with surrogates and its vault, through the real sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from anonify.documents import BytesSource, ExpandOptions, PartEdit, by_kind
from anonify.documents.matching import Matcher
from anonify.documents.tasks import EXPAND, SNIFF, UNPACK, ExpandArgs, SniffArgs, UnpackArgs
from anonify.export import (
    Decision,
    ExportOptions,
    Scope,
    Surrogates,
    Vault,
    build_plan,
    deliver,
    make_surrogates,
    make_vault,
    restore,
)
from anonify.sandbox import MemorySink, Pool, read_all

from .parts import Spool
from .test_deliver_formats import opened

__all__ = ["NAMES", "SCOPE", "Trip", "accepted", "exported", "restored", "texts", "trip"]

SCOPE = Scope(b"s" * 32, b"k" * 32)
NAMES = ("Ada Example", "ADA EXAMPLE", "Example, Ada")
METHODS = ("tokenize", "encrypt")


@dataclass(frozen=True)
class Trip:
    """An artifact, its vault, and what came of it in the end."""

    artifact: bytes
    vault: Vault
    back: bytes
    restored: int
    unresolved: int
    matches: bool


def texts(pool: Pool, kind: str, data: bytes) -> list[str]:
    """The text of every page."""
    return [page.text for page in opened(pool, kind, data)[0]]


def accepted(pool: Pool, kind: str, data: bytes, values: Sequence[str], category: str = "person") -> list[Decision]:
    """A decision for every place that shows one of `values` as it is written, and one without a place for each."""
    found = [Decision(value, category, value=value) for value in values]
    for page in opened(pool, kind, data)[0]:
        for value in values:
            start = page.text.find(value)
            while start >= 0:
                end = start + len(value)
                found.append(
                    Decision(f"{page.number}-{start}", category, value=value, page=page.number, start=start, end=end)
                )
                start = page.text.find(value, end)
    return found


def exported(
    pool: Pool, kind: str, data: bytes, decisions: Sequence[Decision], method: str, surrogates: Surrogates | None = None
) -> tuple[bytes, str, Surrogates]:
    """The verified artifact, its checksum, and the surrogates in it; documents inside are exported first."""
    model, extraction = opened(pool, kind, data)
    methods = {one.category: method for one in decisions}
    options = ExportOptions(methods=methods, keep_metadata=True)
    made = surrogates or make_surrogates(decisions, methods, SCOPE)
    plan = build_plan(decisions, model, extraction, options, made)
    edits, inside = _inside(pool, kind, data, decisions, method, made)
    plan = msgspec.structs.replace(plan, parts=tuple(edits))
    with deliver(
        pool,
        kind,
        BytesSource(data),
        plan,
        Spool,
        decisions=decisions,
        extraction=extraction,
        version="1",
        surrogates=made,
        children=BytesSource(inside) if edits else None,
    ) as delivery:
        return read_all(delivery.artifact, 1 << 26), delivery.sha256, made


def _inside(
    pool: Pool, kind: str, data: bytes, decisions: Sequence[Decision], method: str, surrogates: Surrogates
) -> tuple[list[PartEdit], bytes]:
    if by_kind(kind).expand is None:
        return [], b""
    source = {"source": BytesSource(data)}
    edits: list[PartEdit] = []
    inside = b""
    for part in pool.run(EXPAND, ExpandArgs(kind, ExpandOptions()), sources=source).children:
        sink = MemorySink()
        pool.run(UNPACK, UnpackArgs(kind, (part,)), sources=source, sinks={"children": sink})
        child = sink.getvalue()
        found = pool.run(SNIFF, SniffArgs(part.name), sources={"source": BytesSource(child)}).kind
        here = [
            *(Decision(one.id, one.category, value=one.value) for one in decisions),
            *accepted(pool, found, child, sorted({one.value for one in decisions if one.value}), decisions[0].category),
        ]
        artifact, digest, _ = exported(pool, found, child, here, method, surrogates)
        edits.append(PartEdit(part.path, "substituted", len(artifact), digest))
        inside += artifact
    return edits, inside


def restored(pool: Pool, data: bytes, name: str, vault: Vault) -> tuple[bytes, int, int, bool]:
    """What restoring gives, and its counts."""
    with restore(pool, BytesSource(data), name, vault, Spool) as made:
        return read_all(made.artifact, 1 << 26), made.restored, made.unresolved, made.matches


def trip(pool: Pool, name: str, data: bytes, values: Sequence[str], method: str, category: str = "person") -> Trip:
    """Export `data` with every one of `values` accepted, and restore it."""
    kind = pool.run(SNIFF, SniffArgs(name), sources={"source": BytesSource(data)}).kind
    decisions = accepted(pool, kind, data, values, category)
    artifact, digest, surrogates = exported(pool, kind, data, decisions, method)
    assert not any(Matcher(values).found(text) for text in texts(pool, kind, artifact))
    vault = make_vault([(surrogates, SCOPE)], digest)
    assert vault is not None
    back, count, unresolved, matches = restored(pool, artifact, name, vault)
    return Trip(artifact, vault, back, count, unresolved, matches)
