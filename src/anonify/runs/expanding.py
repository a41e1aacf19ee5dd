"""The step that turns a container or a message into documents of their own: expand.

Exactly once, whatever is killed when.  A child's row is made first, unique by its parent and its part's path, in the
status `uploading`; then its bytes are sealed under its key; then one update names them, gives it its run and lets it
run; then it gets in line.  A repeated step lists the parts again and does what is left to do.  A row comes before its
objects, so what a killed attempt has sealed belongs to a row, or the sweep removes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog

from anonify.database import BatchRow, DocumentRow, batches, documents, new_id, now_ms
from anonify.documents import DEPTH, ChildPart, Format, Source, Window, by_kind, iter_chunks
from anonify.documents.tasks import EXPAND, SNIFF, UNPACK, ExpandArgs, SniffArgs, UnpackArgs
from anonify.errors import FAILURES, Code, FatalError
from anonify.sandbox import Sink, TaskRunner
from anonify.storage import Spool

from .access import data_key, open_source
from .admission import line_up, run_name
from .failures import Superseded
from .objects import folder, seal_object
from .services import Services
from .steps import PROGRESS, DocumentRun
from .uploads import safe_name

__all__ = ["GROUP_BYTES", "GROUP_PARTS", "expand", "finish_container", "groups", "unpacked"]

log = structlog.get_logger(__name__)

GROUP_BYTES: Final = 64 << 20
"""Bytes of children that are unpacked together: what lies in a spool at once, a single larger child aside."""

GROUP_PARTS: Final = 16
"""Children that are unpacked together: few enough that a worker killed again and again still gets ahead."""

MAX_PATH: Final = 512
"""Characters of a part's path that its column holds."""


def expand(work: DocumentRun) -> int:
    """Make a document of every part inside that somebody can read; returns how many there are.

    Raises:
        FatalError: `too-complex` beyond a limit, also for a container too deep inside others; `empty-container` when
            a container holds nothing that can be read; what the format raised.
        Superseded: the parent was deleted, has expired or was retried; no further child is made.
    """
    row = work.row()
    form = by_kind(row.kind or "")
    if form.expand is None:
        return 0
    services = work.services
    with services.database.connect() as connection:
        depth = len(documents.ancestors(connection, row))
    if depth >= DEPTH:
        if form.container:
            raise FatalError(Code.TOO_COMPLEX)
        return 0  # its redactor decides about attachments that nobody has made documents of
    source = open_source(services, row)
    listed = services.pool.run(
        EXPAND, ExpandArgs(form.kind, services.settings.expand_options), sources={"source": source}
    ).children
    _check(listed)
    _Expansion(work, form, source, listed).carry_out()
    with services.database.connect() as connection:
        made = documents.list_parts(connection, row.id)
    if form.container and not made:
        raise FatalError(Code.EMPTY_CONTAINER)
    log.info("document.expanded", document=row.id, run=work.run.id, children=len(made))
    return len(made)


def finish_container(work: DocumentRun) -> int:
    """The document has become its children; returns milliseconds since it was queued."""
    row = work.row()
    now = now_ms()
    work.update(
        *("extracting", "expanded"),
        status="expanded",
        progress=PROGRESS["expanded"],
        finished_at=now,
        error_code=None,
    )
    return now - (row.queued_at or now)


def _check(listed: Sequence[ChildPart]) -> None:
    """A listing comes out of the sandbox: its paths become keys and its lengths room on a disk."""
    paths = {part.path for part in listed}
    if any(part.skipped and part.skipped not in FAILURES for part in listed):
        raise FatalError(Code.PARSER_CRASHED)
    if len(paths) != len(listed) or any(not 0 < len(path) <= MAX_PATH or "\0" in path for path in paths):
        raise FatalError(Code.PARSER_CRASHED)


def groups(parts: Sequence[ChildPart]) -> Iterator[list[ChildPart]]:
    """`parts` in order, as many at a time as are unpacked together."""
    group: list[ChildPart] = []
    size = 0
    for part in parts:
        if group and (len(group) >= GROUP_PARTS or size + part.size > GROUP_BYTES):
            yield group
            group, size = [], 0
        group.append(part)
        size += part.size
    if group:
        yield group


def unpacked(
    pool: TaskRunner, kind: str, source: Source, parts: Sequence[ChildPart], spool: Spool
) -> Iterator[tuple[ChildPart, Window]]:
    """Unpack `parts` into `spool`; yields where in it each one's bytes are.

    Raises:
        FatalError: what the format raised; `parser-crashed` when it wrote something else than it says.
    """
    lengths = pool.run(
        UNPACK, UnpackArgs(kind, tuple(parts)), sources={"source": source}, sinks={"children": spool}
    ).lengths
    spool.finish()
    if len(lengths) != len(parts) or sum(lengths) != spool.size or min(lengths, default=0) < 0:
        raise FatalError(Code.PARSER_CRASHED)
    start = 0
    for part, length in zip(parts, lengths, strict=True):
        yield part, Window(spool, start, start + length)
        start += length


@dataclass(frozen=True, slots=True)
class _Born:
    """A part that becomes a document: the code it has failed with already, or its bytes."""

    position: int
    part: ChildPart
    size: int
    code: str | None
    content: Window | None


@dataclass(slots=True)
class _Expansion:
    """One attempt at expanding one document."""

    work: DocumentRun
    form: Format
    source: Source
    listed: Sequence[ChildPart]

    def carry_out(self) -> None:
        """Make every child that is not there yet, and put those in line that are but may not have got there."""
        services = self.work.services
        with services.database.connect() as connection:
            known = documents.list_parts(connection, self.work.document_id)
        positions = {part.path: position for position, part in enumerate(self.listed)}
        done = {path for path, (_child, status) in known.items() if status != "uploading"}
        self._line_up([child for child, status in known.values() if status == "queued"])
        lost = [part for part in self.listed if part.skipped and part.path not in done]
        self._bear([_Born(positions[part.path], part, part.size, Code(part.skipped).value, None) for part in lost])
        for group in groups([part for part in self.listed if not part.skipped and part.path not in done]):
            self.work.row()  # nothing is unpacked for a document nobody wants any more
            with Spool() as spool:
                found = unpacked(services.pool, self.form.kind, self.source, group, spool)
                born = [self._recognised(positions[part.path], part, content) for part, content in found]
                self._bear([one for one in born if one is not None])

    def _recognised(self, position: int, part: ChildPart, content: Window) -> _Born | None:
        """What becomes of a part, or None for one of a kind that nobody can read: that makes no document."""
        services = self.work.services
        if content.size > services.settings.max_upload_bytes:
            return _Born(position, part, content.size, Code.TOO_LARGE.value, None)
        try:
            services.pool.run(SNIFF, SniffArgs(safe_name(part.name)), sources={"source": content})
        except FatalError as error:
            if error.code is Code.UNSUPPORTED_TYPE and not self.form.container:
                return None  # a message carries it through; a container is nothing but its children, so it is named
            return _Born(position, part, content.size, error.code.value, None)
        return _Born(position, part, content.size, None, content)

    def _bear(self, born: Sequence[_Born]) -> None:
        if not born:
            return
        rows = self._rows(born)
        try:
            handles = {
                one.part.path: _seal(self.work.services, rows[one.part.path], one.content)
                for one in born
                if one.content is not None and rows[one.part.path].status == "uploading"
            }
            ready = self._release(born, rows, handles)
        except BaseException:
            self._forget_orphans(rows.values())
            raise
        self._line_up(ready)
        self.work.run.got_ahead()

    def _rows(self, born: Sequence[_Born]) -> dict[str, DocumentRow]:
        """The children's rows by path: those that were there, and new ones for the others."""
        services = self.work.services
        with services.database.begin() as connection:
            parent = self._own(documents.lock(connection, self.work.document_id))
            known = documents.at_paths(connection, parent.id, [one.part.path for one in born])
            fresh = [one for one in born if one.part.path not in known]
            if fresh and parent.batch_id is None:
                batch = _batch_for(parent)
                batches.insert(connection, batch)
                documents.update(connection, parent.id, batch_id=batch.id)
                parent = replace(parent, batch_id=batch.id)
            made = [_child(services, parent, one) for one in fresh]
            documents.insert_many(connection, made)
        return known | {row.part_path or "": row for row in made}

    def _release(self, born: Sequence[_Born], rows: dict[str, DocumentRow], handles: dict[str, str]) -> list[str]:
        """Let the children run whose bytes are sealed; returns their ids.  The others have failed already."""
        ready: list[str] = []
        with self.work.services.database.begin() as connection:
            self._own(documents.lock(connection, self.work.document_id))
            for one in born:
                child, handle = rows[one.part.path].id, handles.get(one.part.path)
                changes: dict[str, Any] = {"status": "failed", "error_code": one.code, "finished_at": now_ms()}
                if handle is not None:
                    changes = {"status": "queued", "progress": 10, "upload_handle": handle, "queued_at": now_ms()}
                    changes["run_id"] = run_name(child, 0)
                if documents.update(connection, child, when_status=("uploading",), **changes) and handle is not None:
                    ready.append(child)
        return ready

    def _own(self, parent: DocumentRow | None) -> DocumentRow:
        if parent is None or parent.run_id != self.work.run.id or parent.status != "extracting":
            raise Superseded
        return parent

    def _line_up(self, ids: Sequence[str]) -> None:
        """Each gets in line once: a run id that was there before is left as it is."""
        services, owner = self.work.services, self.work.row().owner_key
        for child in ids:
            line_up(services, child, run_name(child, 0), owner, child=True)

    def _forget_orphans(self, rows: Iterable[DocumentRow]) -> None:
        """Objects of children that were deleted while they were written."""
        ids = [row.id for row in rows]
        services = self.work.services
        with services.database.connect() as connection:
            kept = documents.ids_among(connection, ids)
        for child in ids:
            if child not in kept:
                services.stores.default.delete_prefix(folder(child))


def _batch_for(parent: DocumentRow) -> BatchRow:
    """A batch for a document that was uploaded by itself and turns out to be many."""
    return BatchRow(
        id=new_id(),
        owner_key=parent.owner_key,
        quota_key=parent.quota_key,
        created_at=now_ms(),
        expires_at=parent.expires_at,
    )


def _child(services: Services, parent: DocumentRow, one: _Born) -> DocumentRow:
    _, wrapped = services.keys.new_key()
    return DocumentRow(
        id=new_id(),
        owner_key=parent.owner_key,
        quota_key=parent.quota_key,
        parent_id=parent.id,
        part_path=one.part.path,
        filename=safe_name(one.part.name),
        declared_type=None,
        declared_size=one.size,
        preset=parent.preset,
        status="uploading",
        progress=0,
        kind=None,
        size=None,
        sha256=None,
        wrapped_key=wrapped,
        upload_handle=None,
        source_handle=None,
        model_handle=None,
        model_index=None,
        extraction=None,
        pages=None,
        degraded="[]",
        run_id=None,
        attempt=0,
        charged_unit=None,
        charged_amount=None,
        error_code=None,
        created_at=now_ms(),
        queued_at=None,
        finished_at=None,
        expires_at=parent.expires_at,
        batch_id=parent.batch_id,
        position=one.position,
    )


def _seal(services: Services, row: DocumentRow, content: Window) -> str:
    def write(sink: Sink) -> None:
        for chunk in iter_chunks(content):
            sink.write(chunk)

    # The same name at each attempt: what an earlier one left is replaced.
    return seal_object(services.stores.default, f"{folder(row.id)}upload/part", data_key(services, row), write).handle
