"""Invariant 6: content is never logged, nor put into an event, an error or the engine's tables.

A name that occurs nowhere else is planted in documents, in their names, in a sheet's header and in a rule, and driven
through success and every failure; then everything that was written is searched for it.
"""

from __future__ import annotations

import base64
import io
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from sqlalchemy.exc import OperationalError

from anonify.database import DocumentRow, RuleRow, artifacts, batch_exports, new_id, now_ms, redactions, rules
from anonify.database.batch_exports import BatchExportRow
from anonify.errors import AnonifyError, Code, FatalError
from anonify.export import ExportOptions, read_vault
from anonify.export.archive import report, zip_stream
from anonify.export.restore import restore
from anonify.logs import set_up_logging
from anonify.runs import (
    ENVELOPE,
    Services,
    Wanted,
    Worker,
    admit,
    batch_archive,
    create_batch,
    delete_document,
    deliver_document,
    follow,
    open_services,
    page_image,
    receive_upload,
    retry,
    start_applying,
    start_documents,
    start_export,
    sweep_expired,
    upload_key,
    upload_name,
)
from anonify.runs import create_document as reserve
from anonify.runs.deliver import open_artifact
from anonify.runs.vaults import open_vault
from anonify.sandbox import BytesSource, read_all
from anonify.settings import Settings
from anonify.storage import Spool
from tests.envelope import envelope
from tests.runs.helpers import load, submit, until, wait_for

CANARY = "Zebulonquist"
SPELLINGS = (CANARY.encode(), CANARY.lower().encode(), CANARY.encode().hex().encode(), CANARY.encode("utf-16-le"))
TEXT = f"Dear {CANARY},\nwrite to {CANARY.lower()}@example.org about DE89 3704 0044 0532 0130 00.\n".encode()
MAY_HOLD_CONTENT = {("redactions", "value"), ("documents", "filename"), ("artifacts", "filename"), ("rules", "pattern")}


@pytest.fixture
def noisy(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Iterator[Services]:
    """An installation that logs everything to where the test looks (so the capture comes first)."""
    settings = Settings(data_dir=tmp_path / "data", log_level="debug", log_format="json", cpu_concurrency=2)
    set_up_logging(settings)
    services = open_services(settings)
    yield services
    services.close()
    structlog.reset_defaults()


def _broken_zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("[Content_Types].xml", f"<Types>{CANARY}")
        archive.writestr("word/document.xml", f"<w:document>{CANARY}<unclosed")
    return buffer.getvalue()


def _add_rule(services: Services, pattern: str, kind: str, owner: str = "ruled") -> RuleRow:
    now = now_ms()
    rule = RuleRow(
        id=new_id(), scope="global", owner_key=owner, document_id=None, kind=kind, pattern=pattern, match_case=False,
        whole_word=False, category="other", method="mask", enabled=True, source_rule_id=None, created_at=now, used_at=0,
    )  # fmt: skip
    with services.database.begin() as connection:
        rules.insert(connection, rule)
    return rule


def _succeed(services: Services) -> list[str]:
    table = f"{CANARY},mail\n" + "".join(f"{CANARY} {n},a{n}@example.org\n" for n in range(30))
    _add_rule(services, CANARY, "literal")
    ids = [
        submit(services, TEXT, f"{CANARY}.txt"),
        submit(services, table.encode(), f"{CANARY}.csv"),
        submit(services, TEXT, f"{CANARY}-ruled.txt", owner="ruled"),
    ]
    for document_id in ids:
        assert wait_for(services, document_id).status == "ready"
    with services.database.begin() as connection:
        found = redactions.list_for_document(connection, ids[0])
        redactions.update_many(connection, ids[0], [one.id for one in found], status="accepted", touched=True)
    deliver_document(services, ids[0])
    with pytest.raises(AnonifyError):
        page_image(services, load(services, ids[0]), 1)
    return ids


def _in_a_batch(services: Services) -> None:
    """A rule spread over a batch, an export of it that leaves one out, and its archive."""
    texts = [TEXT, TEXT, b"%PDF-1.7\n" + TEXT]
    files = [
        Wanted(f"{CANARY}-{number}.{'pdf' if number == 2 else 'txt'}", len(text)) for number, text in enumerate(texts)
    ]
    batch, rows = create_batch(services, owner_key="batched", quota_key="net", files=files)
    for row, text in zip(rows, texts, strict=True):
        assert isinstance(row, DocumentRow)
        receive_upload(services, row.id, [text])
    start_documents(services, batch.id)
    for row, status in zip(rows, ("ready", "ready", "failed"), strict=True):
        assert isinstance(row, DocumentRow)
        wait_for(services, row.id, status)
    rule = _add_rule(services, CANARY, "literal", owner="batched")
    start_applying(services, rule)
    until(lambda: _reached(services, rule))
    tokens = ExportOptions(methods={"other": "tokenize", "person": "tokenize", "email": "encrypt"})
    export = start_export(services, batch, tokens).row
    until(lambda: _export(services, export.id).status == "done")
    archive = batch_archive(services, _export(services, export.id), "processed")
    assert len(archive.entries) == 2
    said = report(batch.id, "processed", archive.counts, archive.entries, archive.left)
    sent = b"".join(zip_stream(archive.entries, said))
    assert CANARY.encode() not in said
    _restore_one(services, export.id)
    assert not any(CANARY in name for name in zipfile.ZipFile(io.BytesIO(sent)).namelist())


def _restore_one(services: Services, export_id: str) -> None:
    """Put the values back into one file of an export, with its vault; and fail to with another's."""
    with services.database.connect() as connection:
        items = [item for item in batch_exports.items(connection, export_id) if item.artifact_id]
        made = artifacts.get(connection, items[0].artifact_id or "")
    assert made is not None
    row = load(services, items[0].document_id)
    kept = open_vault(services, row, made)
    vault = read_vault(read_all(kept, kept.size))
    with restore(services.pool, open_artifact(services, row, made), f"{CANARY}.txt", vault, Spool) as restored:
        assert CANARY.encode() in read_all(restored.artifact, restored.artifact.size)
    with pytest.raises(FatalError):
        restore(services.pool, BytesSource(_broken_zip()), f"{CANARY}.docx", vault, Spool)


def _sealed_by_their_sender(services: Services) -> list[bytes]:
    """An upload that opens and one that does not; returns their keys."""
    keys = []
    for status in ("ready", "failed"):
        row = reserve(
            services,
            owner_key="o",
            quota_key="n",
            filename=f"{CANARY}.txt",
            size=len(TEXT),
            upload_encryption=ENVELOPE,
        )
        key = upload_key(services, row)
        assert key is not None
        keys.append(key.raw)
        sent = envelope(TEXT, key.raw, upload_name(row.id))
        receive_upload(services, row.id, [sent if status == "ready" else sent[:-1] + b"x"])
        admit(services, row.id)
        wait_for(services, row.id, status)
    return keys


def _reached(services: Services, rule: RuleRow) -> bool:
    with services.database.connect() as connection:
        return not rules.unreached(connection, rule)


def _export(services: Services, export_id: str) -> BatchExportRow:
    with services.database.connect() as connection:
        row = batch_exports.get(connection, export_id)
    assert row is not None
    return row


def _fail(services: Services, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    ids = [
        submit(services, b"", f"{CANARY}-empty.txt"),
        submit(services, TEXT, f"{CANARY}.pdf"),
        submit(services, b"%PDF-1.7\n" + TEXT * 5, f"{CANARY}.pdf"),
        submit(services, _broken_zip(), f"{CANARY}.docx"),
        submit(services, TEXT + bytes(range(256)) * 9, f"{CANARY}.exe"),
    ]
    for document_id in ids:
        wait_for(services, document_id, "failed")
    _add_rule(services, "[a-z]", "regex")
    broad = submit(services, TEXT * 400, f"{CANARY}-broad.txt", owner="ruled")
    assert wait_for(services, broad, "failed").error_code == "rule-too-broad"
    ids.append(broad)

    faults = (
        ValueError(f"cannot read {CANARY}"),
        OperationalError(f"INSERT '{CANARY}'", {"value": CANARY}, Exception(CANARY)),
        OSError(5, CANARY, f"/tmp/{CANARY}"),
        UnicodeDecodeError("utf-8", CANARY.encode(), 0, 1, CANARY),
        KeyError(CANARY),
    )
    for fault in faults:
        with monkeypatch.context() as patched:

            def fails(*_args: object, fault: Exception = fault, **_kwargs: object) -> int:
                raise fault

            patched.setattr(redactions, "insert_many", fails)
            document_id = submit(services, TEXT, f"{CANARY}-fault.txt")
            wait_for(services, document_id, "failed")
        retry(services, document_id)
        wait_for(services, document_id, "ready")
        ids.append(document_id)
    return ids


def _refuse(services: Services) -> list[BaseException]:
    row = reserve(services, owner_key="o", quota_key="n", filename=f"{CANARY}.txt", size=3)
    errors: list[BaseException] = []
    for action in (
        lambda: receive_upload(services, row.id, [TEXT]),
        lambda: reserve(services, owner_key="o", quota_key="n", filename=CANARY, size=1 << 60),
        lambda: deliver_document(services, row.id),
    ):
        with pytest.raises(FatalError) as caught:
            action()
        errors.append(caught.value)
    assert errors[0].args == (Code.UPLOAD_UNREADABLE.value,)
    delete_document(services, row.id)
    return errors


def _cells(path: Path) -> Iterator[tuple[str, str, bytes]]:
    with sqlite3.connect(path) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            cursor = connection.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in cursor.description]
            for row in cursor:
                for name, cell in zip(names, row, strict=True):
                    yield table, name, cell if isinstance(cell, bytes) else str(cell).encode()


def _holds(data: bytes) -> bool:
    return any(spelling in data for spelling in SPELLINGS)


def test_content_reaches_no_log_event_error_or_table(
    noisy: Services, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    worker = Worker(noisy, retry_seconds=0.01)
    worker.start()
    try:
        ids = _succeed(noisy) + _fail(noisy, monkeypatch)
        _in_a_batch(noisy)
        keys = _sealed_by_their_sender(noisy)
        errors = _refuse(noisy)
        events = [repr(event) for one in ids for event in follow(noisy, one, timeout_seconds=5)]
        rows = [repr(load(noisy, one)) for one in ids]
        sweep_expired(noisy)
    finally:
        worker.stop(10)

    written = capfd.readouterr()
    assert "document.ready" in written.err
    assert not _holds((written.out + written.err).encode())
    for key in keys:
        for spelt in (
            key.hex(),
            base64.b64encode(key).decode()[:-1],
            base64.urlsafe_b64encode(key).decode()[:-1],
            repr(key),
        ):
            assert spelt not in written.out + written.err
    assert len(events) > 50
    assert not _holds("".join([*events, *rows, *map(repr, errors), *map(str, errors)]).encode())
    folder = noisy.settings.data_dir
    assert [cell[:2] for cell in _cells(folder / "engine.sqlite3") if _holds(cell[2])] == []
    held = {cell[:2] for cell in _cells(folder / "anonify.sqlite3") if _holds(cell[2])}
    assert held <= MAY_HOLD_CONTENT
    assert ("redactions", "value") in held  # the search does find it where it may be
    for path in (folder / "objects").rglob("*"):
        assert not _holds(str(path).encode())
        assert path.is_dir() or not _holds(path.read_bytes())
