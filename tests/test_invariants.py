"""The ten promises of the product, each with a test that carries its number.

The fifth, the sixth and the seventh have files of their own: `test_default_deny`, `test_no_content_in_logs`, `runs/`.
"""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from anonify import detection, documents
from anonify.database import now_ms, redactions
from anonify.documents import RedactionPlan, RedactionResult, register, text
from anonify.errors import VerificationFailed
from anonify.runs import Services, Worker, deliver_document, open_source
from anonify.runs.deliver import open_artifact, open_report
from anonify.sandbox import BytesSource, Sink, Source, read_all, run_inline
from tests.runs.helpers import LETTER, load, objects_of, submit, wait_for

ROOT = Path(__file__).resolve().parents[1]
MAIL = "ana.lopez@example.org"
ACCOUNT = "DE89 3704 0044 0532 0130 00"


def _decide(services: Services, document_id: str, status: str, *values: str) -> None:
    with services.database.begin() as connection:
        found = redactions.list_for_document(connection, document_id)
        chosen = [one.id for one in found if one.value in values]
        assert chosen
        redactions.update_many(connection, document_id, chosen, status=status, touched=True, decided_at=now_ms())


def _export(services: Services, document_id: str) -> tuple[bytes, bytes]:
    made = deliver_document(services, document_id)
    row = load(services, document_id)
    artifact, report = open_artifact(services, row, made), open_report(services, row, made)
    return read_all(artifact, artifact.size), read_all(report, report.size)


class _Inline:
    run = staticmethod(run_inline)


def _hand_back(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
    """A redactor that leaves everything where it was."""
    sink.write(read_all(source, source.size))
    return RedactionResult(len(plan.edits), 0)


def test_1_the_source_is_never_modified_and_every_export_is_made_from_it(services: Services, worker: Worker) -> None:
    document_id = submit(services)
    wait_for(services, document_id, "ready")
    _decide(services, document_id, "accepted", MAIL)
    first, _ = _export(services, document_id)

    _decide(services, document_id, "rejected", MAIL)
    _decide(services, document_id, "accepted", ACCOUNT)
    second, _ = _export(services, document_id)

    assert MAIL.encode() not in first
    assert MAIL.encode() in second, "the second export was made from the first"
    row = load(services, document_id)
    assert read_all(open_source(services, row), 1 << 20) == LETTER


def test_2_what_nobody_accepted_leaves_the_file_untouched(services: Services, worker: Worker) -> None:
    document_id = submit(services)
    wait_for(services, document_id, "ready")

    with services.database.connect() as connection:
        found = redactions.list_for_document(connection, document_id)
    assert found
    assert {one.status for one in found} == {"suggested"}
    assert _export(services, document_id)[0] == LETTER


def test_3_only_accepted_redactions_reach_an_exporter(services: Services, worker: Worker) -> None:
    document_id = submit(services)
    wait_for(services, document_id, "ready")
    _decide(services, document_id, "accepted", MAIL)
    _decide(services, document_id, "rejected", ACCOUNT)

    artifact, _ = _export(services, document_id)

    assert artifact == LETTER.replace(MAIL.encode(), b"[REDACTED]")


def test_4_a_refused_export_stores_nothing(services: Services, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    document_id = submit(services)
    wait_for(services, document_id, "ready")
    _decide(services, document_id, "accepted", MAIL)
    before = objects_of(services, document_id)
    careless = dataclasses.replace(text.FORMAT, redact=_hand_back)
    monkeypatch.setattr(register, "formats", lambda: (careless,))
    # The careless redactor lives in this process only.
    inline = dataclasses.replace(services, pool=_Inline())  # type: ignore[arg-type]  # runs tasks as the pool does

    with pytest.raises(VerificationFailed):
        deliver_document(inline, document_id)

    assert objects_of(services, document_id) == before


def test_8_what_could_not_be_read_is_named_with_a_code(services: Services, worker: Worker) -> None:
    for name, data, code in (
        ("a.csv", b'a,b\n"never closed\n', "malformed"),
        ("b.pdf", b"%PDF-1.7 and nothing else", "malformed"),
        ("c.docx", b"just words", "extension-mismatch"),
    ):
        row = wait_for(services, submit(services, data, name))
        assert (row.status, row.error_code) == ("failed", code), name


def test_9_a_degraded_analysis_says_so(services: Services, worker: Worker) -> None:
    blank = b" " * 99 + b"\n"  # longer than the names model reads, and quickly read all the same
    document_id = submit(services, b"something at its beginning\n" + blank * 61_000)
    row = wait_for(services, document_id, "ready", seconds=90)

    assert json.loads(row.degraded) == ["names-model-stopped"]
    assert json.loads(_export(services, document_id)[1])["lookedFor"]["degraded"] == ["names-model-stopped"]


def test_10_no_word_of_the_product_claims_compliance() -> None:
    claim = re.compile(
        r"\b(GDPR|HIPAA|CCPA)[- ]?(compliant|compliance|safe|ready)|\b(fully|legally) anonymi[sz]ed", re.I
    )
    texts = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.html"), *(ROOT / "src").rglob("*.js")]
    for path in [*texts, *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        assert not claim.search(path.read_text(encoding="utf-8")), path.name


def test_the_front_doors_are_pure() -> None:
    """A value typed into the Python API goes through the same functions a run's step calls."""
    found = detection.detect_text(LETTER.decode())

    assert {MAIL, ACCOUNT} <= {one.text for one in found}
    assert documents.recognise(BytesSource(LETTER), "letter.txt").kind == "txt"
