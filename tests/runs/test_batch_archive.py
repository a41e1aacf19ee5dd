"""What goes into a batch's archive: rebuilt mailboxes, messages with their enclosures, numbers instead of names."""

from __future__ import annotations

import io
import json
import mailbox
import zipfile
from pathlib import Path

import pytest

from anonify import runs
from anonify.database import BatchRow, DocumentRow, batches
from anonify.export import ExportOptions
from anonify.export.archive import checked, report, zip_stream
from anonify.runs import Services, Worker, accept_suggestions, batch_archive, open_services, start_export
from anonify.runs.batch_archive import Shape
from anonify.runs.batch_rules import start_applying
from anonify.settings import Settings

from .helpers import until
from .messages import message
from .test_batch_export import ended, rule_for
from .test_batch_rules import reached

NAME = "Quillfeather"
KEPT = "Zanzibar"
LETTER = f"A letter about {NAME} and {KEPT}.\n".encode()
MAIL = message(
    f"Case {NAME}", f"Dear Bob,\n{NAME} saw {KEPT}.\n", [(f"{NAME}.txt", LETTER), ("other.txt", b"Zanzibar\n")]
)
NESTED = message("Outer", f"See below, {NAME}.\n", [("inner.eml", MAIL)])


def _mailbox() -> bytes:
    line = b"From registry@example.org Tue Nov  3 09:00:00 2026\n"
    return b"".join(line + mail.replace(b"\r\n", b"\n") + b"\n" for mail in (MAIL, NESTED))


def upload_batch(services: Services, files: dict[str, bytes]) -> BatchRow:
    wanted = [runs.Wanted(name, len(data)) for name, data in files.items()]
    batch, verdicts = runs.create_batch(services, owner_key="owner", quota_key="net", files=wanted)
    for row, data in zip(verdicts, files.values(), strict=True):
        assert isinstance(row, DocumentRow)
        runs.receive_upload(services, row.id, [data])
    assert runs.start_documents(services, batch.id) == (len(files), 0)
    until(lambda: _settled(services, batch), 60)
    return batch


def _settled(services: Services, batch: BatchRow) -> bool:
    with services.database.connect() as connection:
        return all(one.status in ("ready", "failed", "expanded") for one in batches.members(connection, batch.id))


def made(services: Services, batch: BatchRow, shape: Shape) -> zipfile.ZipFile:
    """Export the batch and open its archive."""
    row = ended(services, start_export(services, batch, ExportOptions()).row)
    assert row.status == "done"
    archive = batch_archive(services, row, shape)
    entries, broken = checked(archive.entries)
    assert broken == []
    said = report(batch.id, shape, archive.counts, entries, archive.left)
    return zipfile.ZipFile(io.BytesIO(b"".join(zip_stream(entries, said))))


def _files(archive: zipfile.ZipFile) -> dict[str, bytes]:
    return {name: archive.read(name) for name in archive.namelist()}


def test_a_mailbox_is_rebuilt_and_parts_lie_under_numbers(services: Services, worker: Worker, tmp_path: Path) -> None:
    batch = upload_batch(services, {"letters.mbox": _mailbox(), f"{NAME}.txt": LETTER, "broken.pdf": b"no PDF"})
    rule = rule_for(services, batch, NAME)
    start_applying(services, rule)
    until(lambda: reached(services, rule))
    original = _files(made(services, batch, "original"))

    assert sorted(original) == ["batch-report.json", "document-redacted.txt", "letters-redacted.mbox"]
    for name, data in original.items():
        assert NAME.encode() not in data, name
    rebuilt = tmp_path / "rebuilt.mbox"
    rebuilt.write_bytes(original["letters-redacted.mbox"])
    first, second = mailbox.mbox(str(rebuilt))
    assert KEPT in first.as_string()
    assert sum(part.get_filename() is not None for part in first.walk()) == 2
    assert "Outer" in str(second["subject"])
    said = json.loads(original["batch-report.json"])
    assert said["leftOut"] == [
        {"documentId": said["leftOut"][0]["documentId"], "place": "0004", "code": "extension-mismatch"}
    ]

    apart = made(services, batch, "processed").namelist()
    assert not [name for name in apart if NAME in name or "letter" in name or "inner" in name]
    assert {"0001/message.eml", "0002/message.eml", "0003/document.txt"} <= set(apart)
    assert sum(name.endswith(".eml") for name in apart) == 3
    assert {"0001/0.1.txt", "0001/0.2.txt", "0002/0.1.eml"} <= set(apart)  # what lies deeper stays in its message


def test_one_message_comes_bare_with_its_enclosures(services: Services, worker: Worker) -> None:
    batch = upload_batch(services, {"mail.eml": MAIL})
    row = ended(services, start_export(services, batch, ExportOptions()).row)
    archive = batch_archive(services, row, "original")

    assert archive.bare is not None
    assert archive.bare[0].kind == "eml"
    assert archive.counts["exported"] == 3
    assert batch_archive(services, row, "processed").bare is None


@pytest.mark.slow
def test_it_all_works_on_postgresql(postgres_settings: Settings) -> None:
    services = open_services(postgres_settings)
    worker = Worker(services, retry_seconds=0.02)
    worker.start()
    try:
        batch = upload_batch(services, {"letters.mbox": _mailbox(), "letter.txt": LETTER})
        rule = rule_for(services, batch, NAME)
        start_applying(services, rule)
        until(lambda: reached(services, rule))
        with services.database.connect() as connection:
            assert batches.count_for_owner(connection, "owner")[batch.id]["expanded"] == 1
            assert sum(tally.accepted for tally in batches.tallies(connection, batch.id).values()) >= 5
            assert isinstance(batches.suggested_by_category(connection, batch.id), dict)
        assert accept_suggestions(services, batch.id, min_confidence=0.5).suggestions >= 0
        names = made(services, batch, "original").namelist()
        assert sorted(names) == ["batch-report.json", "letter-redacted.txt", "letters-redacted.mbox"]
        runs.switch_rule(services, rule.id, enabled=False)
        runs.remove_rule(services, rule.id)
        runs.delete_batch(services, batch.id)
        with services.database.connect() as connection:
            assert batches.members(connection, batch.id) == []
        runs.sweep_expired(services)
    finally:
        worker.stop(10)
        services.close()
