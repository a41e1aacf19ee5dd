"""The very pipeline the server runs, in this process, on an embedded state, for the command line and the Python API.

A :class:`Session` opens database, object store, durable engine, worker and sandbox pool in one folder.  A throw-away
session puts them in a private temporary folder under a key that is never written down; a kept one can be resumed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import secrets
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from anonify.closing import Closing
from anonify.detection import CERTAIN
from anonify.errors import AnonifyError, Code, FatalError, VerificationFailed
from anonify.local.family import Family
from anonify.local.files import FileSource, temporary_folder
from anonify.local.methods import values_by_method
from anonify.local.named import OTHER, category_of
from anonify.local.results import Places, pieces, write_results
from anonify.local.wanted import NOBODY, Result, Told, Wanted

if TYPE_CHECKING:
    from anonify.database import ArtifactRow, DocumentRow
    from anonify.runs.family import Made
    from anonify.runs.naming import Named
    from anonify.sandbox import Pool

__all__ = ["Interrupted", "Session"]

_ENDED: Final = ("ready", "failed", "expanded", "expired")
_SLOW: Final = 0.25
"""Seconds between two looks at a document that takes a while: from then on somebody may ask how far it is."""

HIGH: Final = CERTAIN
"""Least confidence of a suggestion that `accept="high"` takes: those called certain."""


class Interrupted(Exception):
    """Somebody asked this session to stop."""


class Session(Closing):
    """An embedded installation in one folder.  Thread-safe; close it, or use it as a context manager.

    Args:
        state: folder to keep; None for a private temporary one.
        slots: sandbox processes; None for as many as the CPUs allow.
    """

    def __init__(self, state: Path | None = None, *, slots: int | None = None) -> None:
        import structlog

        from anonify.local.verified import bring_verification
        from anonify.logs import set_up_logging
        from anonify.runs import Worker, open_services
        from anonify.settings import Settings

        self._stop = threading.Event()
        self._temporary = None if state is not None else temporary_folder()
        self.folder: Path = state if state is not None else Path(str(self._temporary))
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        chosen: dict[str, Any] = {} if slots is None else {"cpu_concurrency": slots}
        if "ANONIFY_MAX_MESSAGES" not in os.environ:
            chosen["max_messages"] = 100_000
        if "ANONIFY_LOG_LEVEL" not in os.environ:
            chosen["log_level"] = "error"
        chosen["ENCRYPTION_KEY"] = None if state is not None else secrets.token_hex(32)
        try:
            settings = Settings(
                data_dir=self.folder,
                profile="self-hosted",
                DATABASE_URL=None,
                engine_database_url=None,
                storage=None,
                batch_processing=64,
                processing_global_max=None,
                worker_concurrency=64,
                worker_poll_seconds=0.05,
                max_upload_bytes=1 << 40,
                **chosen,
            )
            if not structlog.is_configured():  # an application that embeds this package logs as it likes
                set_up_logging(settings)
            self.services = open_services(settings, role="all")
            if self.services.throttle is not None:
                bring_verification(self.services.database)
            self._worker = Worker(self.services)
            self._worker.start()
        except BaseException:
            self._forget()
            raise

    @property
    def pool(self) -> Pool:
        """The sandbox pool."""
        return self.services.pool

    @property
    def slots(self) -> int:
        """How many documents are worth admitting at once."""
        return self.services.settings.cpu_concurrency + 2

    def interrupt(self) -> None:
        """Make every waiting :meth:`redact` raise :class:`Interrupted` soon."""
        self._stop.set()

    def redact(
        self,
        path: Path,
        output: Path,
        wanted: Wanted,
        *,
        report: Path | None = None,
        vault: Path | None = None,
        replace: bool = True,
        resume: str | None = None,
        admitted: Callable[[str], None] = lambda _document_id: None,
        finished: Callable[[Result], None] = lambda _result: None,
        told: Told = NOBODY,
    ) -> Result:
        """Redact the file `path` into `output`.  What goes wrong with the document is told by the result.

        Args:
            path: a regular file; it is only read.
            output: where the redacted file goes; it appears whole or not at all.
            wanted: what to remove.
            report: where the report goes.
            vault: where the vault goes, if there is one: a file that only its owner may read.
            replace: whether the results may take the place of files that are there.
            resume: the document of an interrupted call.
            admitted: called with the document's id as soon as the call can be resumed by it.
            finished: called with the result as soon as the call need not be resumed.
            told: hears now and then how far it is.

        Raises:
            Interrupted: :meth:`interrupt` was called.
            OSError: the output cannot be written.
        """
        start = time.perf_counter()
        document_id = resume if resume is not None and self._resumable(resume) else None
        try:
            if document_id is None:
                document_id = self._receive(path, wanted)
                admitted(document_id)
            result = self._run(path, document_id, wanted, Places(output, report, vault, replace), told)
        except AnonifyError as error:
            result = _failure(path, error.code, start, self._row(document_id))
            if isinstance(error, VerificationFailed) and document_id is not None:
                result = self._refused(result, document_id, error)
        finished(result)
        if document_id is not None:
            self._delete(document_id)
        return result

    def _run(self, path: Path, document_id: str, wanted: Wanted, places: Places, told: Told) -> Result:
        start = time.perf_counter()
        row = self._process(document_id, told)
        for one in [row, *self._below(document_id)]:
            if one.error_code == Code.RULE_TOO_BROAD and wanted.values:
                self._set_aside(one.id)
        row = self._process(document_id, told)
        if row.status not in ("ready", "expanded"):
            return _failure(path, Code(row.error_code or Code.UNKNOWN), start, row)
        inside = [one for one in self._below(document_id) if one.status == "ready"]
        for one in (row, *inside):
            self._set_rules(one.id, enabled=True)
            self._accept(one.id, wanted)
        made, family, named = self._deliver(row, wanted, told, len(inside))
        written = write_results(self.services, row, made, named, places)
        result = family.result(row, os.fspath(path))
        return dataclasses.replace(
            result,
            verified_values=written.values,
            methods=values_by_method(named, written.values),
            vault=None if written.vault is None else os.fspath(written.vault),
            output=os.fspath(places.output),
            report=None if places.report is None else os.fspath(places.report),
            checksum=made.sha256,
            seconds=time.perf_counter() - start,
        )

    def _below(self, document_id: str) -> list[DocumentRow]:
        from anonify.database import documents

        with self.services.database.connect() as connection:
            return documents.list_below(connection, document_id)

    def _refused(self, result: Result, document_id: str, error: VerificationFailed) -> Result:
        """What a person needs to find the cause of a refusal: the check and numbers, never a value."""
        suggestions, _, accepted = self._counts(document_id)
        why = f"Check that failed: {error.check} ({error.counts['survivors']})."
        return dataclasses.replace(
            result, error=f"{result.error} {why}", suggestions=suggestions, accepted=accepted.total()
        )

    def _row(self, document_id: str | None) -> DocumentRow | None:
        from anonify.database import documents

        if document_id is None:
            return None
        with self.services.database.connect() as connection:
            return documents.get(connection, document_id)

    def _resumable(self, document_id: str) -> bool:
        row = self._row(document_id)
        return row is not None and row.status not in ("failed", "expired")

    def _receive(self, path: Path, wanted: Wanted) -> str:
        from anonify.database import BatchRow, RuleRow, batches, documents, new_id, now_ms, rules
        from anonify.runs import MAX_RETENTION, create_document, receive_upload
        from anonify.runs.steps import LOCAL

        with FileSource(path) as source:
            name = path.name.encode("utf-8", "replace").decode("utf-8")
            row = create_document(
                self.services,
                owner_key=LOCAL,
                quota_key=LOCAL,
                filename=name,
                size=source.size,
                preset=wanted.preset,
                ttl_seconds=MAX_RETENTION,
            )
            named = [("literal", value, "redact", _category(value, wanted)) for value in wanted.values]
            named += [("regex", pattern, "redact", OTHER) for pattern in wanted.patterns]
            named += [("literal", value, "keep", OTHER) for value in wanted.keep]
            with self.services.database.begin() as connection:
                # Rules of a batch of its own: whatever comes out of the document gets a copy of each, once.
                batch = BatchRow(new_id(), LOCAL, LOCAL, now_ms(), row.expires_at)
                batches.insert(connection, batch)
                documents.update(connection, row.id, batch_id=batch.id)
                for kind, pattern, action, category in named:
                    now = now_ms()
                    rule = RuleRow(
                        id=new_id(),
                        scope="batch",
                        owner_key=LOCAL,
                        document_id=None,
                        batch_id=batch.id,
                        kind=kind,
                        pattern=pattern,
                        match_case=False,
                        whole_word=True,
                        category=category,
                        method="mask",
                        enabled=True,
                        source_rule_id=None,
                        created_at=now,
                        used_at=now,
                        action=action,
                    )
                    rules.insert(connection, rule)
            receive_upload(self.services, row.id, pieces(source))
        return row.id

    def _process(self, document_id: str, told: Told = NOBODY) -> DocumentRow:
        """Wait until the document and all that comes out of it have ended."""
        from anonify.runs import admit

        heard = 0
        row = self._row(document_id)
        if row is not None and row.status not in _ENDED:
            admit(self.services, document_id)
        pause = 0.01
        while True:
            row = self._row(document_id)
            if row is None:
                raise FatalError(Code.MISSING_UPLOAD)
            if heard and row.status != "normalizing":
                told.reading(0, 0)  # its pictures are read
            if row.status in _ENDED and self._all_ended(document_id, told):
                return row
            if row.status == "normalizing" and pause >= _SLOW:
                heard = self._hear(row, heard, told.reading)
            if self._stop.wait(pause):
                raise Interrupted
            pause = min(pause * 1.5, 0.25)

    def _all_ended(self, document_id: str, told: Told) -> bool:
        from anonify.database import documents

        with self.services.database.connect() as connection:
            statuses = documents.statuses_below(connection, document_id)
        done = sum(statuses[one] for one in _ENDED)
        if statuses:
            told.documents("read", done, statuses.total())
        return done == statuses.total()

    def _hear(self, row: DocumentRow, heard: int, reading: Callable[[int, int], None]) -> int:
        """Pass on the newest word about its pictures from event `heard` on; returns the number of events so far."""
        from anonify.runs.events import decode

        if row.run_id is None:
            return heard
        _, lines, _ = self.services.client.read(row.run_id, heard)
        for index, line in lines:
            heard = index + 1
            event = decode(line, index)
            if event is not None and event.type == "document.ocr.progress" and event.payload is not None:
                reading(event.payload["done"], event.payload["total"])
        return heard

    def _set_aside(self, document_id: str) -> None:
        """Process again with the named values set aside: they stand in too many places to list each.

        The sweep of the export removes them wherever they stand all the same, and verification looks for them.
        """
        from anonify.runs import retry

        self._set_rules(document_id, enabled=False)
        retry(self.services, document_id)

    def _set_rules(self, document_id: str, *, enabled: bool) -> None:
        """Set the named values aside, or take them up again.

        Taken up before every export, whatever this call did: an earlier one may have been killed in between.
        """
        from anonify.database import rules
        from anonify.runs.steps import LOCAL

        with self.services.database.begin() as connection:
            for rule in rules.list_for(connection, LOCAL, "document", document_id):
                if rule.kind == "literal" and rule.action == "redact" and rule.enabled != enabled:
                    rules.update(connection, rule.id, enabled=enabled)

    def _deliver(
        self, row: DocumentRow, wanted: Wanted, told: Told, total: int
    ) -> tuple[ArtifactRow, Family, list[Named]]:
        from anonify.runs.deliver import deliver_document

        family = Family(self.services, self._counts)

        def made(one: Made) -> None:
            if self._stop.is_set():
                raise Interrupted
            family.take(one)
            told.documents("redacted", family.ready, total)

        if self._stop.is_set():
            raise Interrupted
        named: list[Named] = []
        artifact = deliver_document(self.services, row.id, wanted.options(), made, named.append)
        return artifact, family, named

    def _counts(self, document_id: str) -> tuple[int, int, Counter[str]]:
        """How many places analysis suggested, how many nobody decided about, and how many were accepted by category."""
        from anonify.database import redactions

        suggestions, undecided, accepted = 0, 0, Counter[str]()
        with self.services.database.connect() as connection:
            for one in redactions.list_for_document(connection, document_id):
                suggestions += one.origin == "detection"
                undecided += one.status == "suggested"
                if one.status == "accepted":
                    whole = one.column is not None and one.row is None
                    accepted[f"{one.category} column" if whole else one.category] += 1
        return suggestions, undecided, accepted

    def _accept(self, document_id: str, wanted: Wanted) -> None:
        """Whoever wrote `accept` has decided about these suggestions."""
        from anonify.database import now_ms, redactions

        if wanted.accept == "none":
            return
        least = HIGH if wanted.accept == "high" else 0.0
        with self.services.database.begin() as connection:
            chosen = [
                one.id
                for one in redactions.list_for_document(connection, document_id, status="suggested")
                if (one.confidence or 0.0) >= least and (not wanted.categories or one.category in wanted.categories)
            ]
            redactions.update_many(
                connection, document_id, chosen, status="accepted", touched=True, decided_at=now_ms()
            )

    def forget(self, keep: Set[str]) -> None:
        """Delete every document of a kept state that no interrupted call will ask for again."""
        from anonify.database import documents
        from anonify.runs.steps import LOCAL

        with self.services.database.connect() as connection:
            known = documents.list_for_owner(connection, LOCAL, limit=1_000_000)
        for row in known:
            if row.parent_id is None and row.id not in keep:
                self._delete(row.id)

    def _delete(self, document_id: str) -> None:
        from anonify.database import batches
        from anonify.runs import delete_document

        row = self._row(document_id)
        with contextlib.suppress(AnonifyError):  # it expires in any case
            delete_document(self.services, document_id)
            if row is not None and row.batch_id is not None:
                with self.services.database.begin() as connection:
                    batches.delete(connection, row.batch_id)

    def close(self) -> None:
        """Stop the worker and the pool; a throw-away state is gone afterwards."""
        try:
            self._worker.stop(0.0)
            self.services.close()
        finally:
            self._forget()

    def _forget(self) -> None:
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)


def _failure(path: Path, code: Code, start: float, row: DocumentRow | None) -> Result:
    from anonify.errors import FAILURES

    return Result(
        input=os.fspath(path),
        kind=None if row is None else row.kind,
        status="failed",
        error_code=code.value,
        error=FAILURES[code].sentence,
        retryable=FAILURES[code].retryable,
        pages=None if row is None else row.pages,
        degraded=() if row is None else row.degraded_reasons,
        seconds=time.perf_counter() - start,
    )


def _category(value: str, wanted: Wanted) -> str:
    """What a named value is, where that decides what becomes of it."""
    return category_of(value) if wanted.methods else OTHER
