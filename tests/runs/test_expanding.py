"""A message becomes documents of their own, once each, and its export carries their verified artifacts."""

from __future__ import annotations

import io
import threading
import zipfile
from collections import Counter
from dataclasses import replace
from email import message_from_bytes, policy

import pytest
from sqlalchemy import select

from anonify.database import BatchRow, DocumentRow, RuleRow, artifacts, batches, documents, new_id, now_ms, rules
from anonify.database.tables import limit_overrides, quota_usage
from anonify.documents import ChildPart
from anonify.errors import Code
from anonify.runs import Services, Worker, admit, delete_document, deliver_document, open_source
from anonify.runs import expanding as expanding_module
from anonify.runs.deliver import open_artifact, open_report
from anonify.runs.expanding import groups
from anonify.runs.family import Joined
from anonify.sandbox import BytesSource, read_all

from .helpers import load, objects_of, submit, until, upload, wait_for
from .messages import message

TABLE = b"name,sum\nQuillfeather,12\nSomebody,13\n"
LETTER = b"A letter about Quillfeather and Zanzibar.\nThis line is kept.\n"
MAIL = message(
    "Case Quillfeather",
    "Dear Bob,\nMs Quillfeather wrote.\n",
    [("letter.txt", LETTER), ("list.csv", TABLE), ("blob.bin", b"\x00\x01\x02 nobody can read this")],
)


def children_of(services: Services, document_id: str) -> list[DocumentRow]:
    with services.database.connect() as connection:
        return documents.list_children(connection, document_id)


def finished(services: Services, document_id: str, *statuses: str) -> DocumentRow:
    """The document once it and all that is inside have ended."""
    row = wait_for(services, document_id, *(statuses or ("ready", "expanded")))

    def over() -> bool:
        with services.database.connect() as connection:
            found = documents.statuses_below(connection, document_id)
        return set(found) <= {"ready", "failed", "expanded"}

    until(over)
    return row


def with_rule(services: Services, data: bytes, name: str, value: str, *, enabled: bool = True) -> str:
    """Upload a document whose batch has a rule for `value`, and start it."""
    document_id = upload(services, data, name)
    row = load(services, document_id)
    now = now_ms()
    with services.database.begin() as connection:
        batch = BatchRow(new_id(), row.owner_key, row.quota_key, now, row.expires_at)
        batches.insert(connection, batch)
        documents.update(connection, row.id, batch_id=batch.id)
        rule = RuleRow(
            id=new_id(),
            scope="batch",
            owner_key=row.owner_key,
            document_id=None,
            kind="literal",
            pattern=value,
            match_case=False,
            whole_word=True,
            category="other",
            method="mask",
            enabled=enabled,
            source_rule_id=None,
            created_at=now,
            used_at=now,
            batch_id=batch.id,
        )
        rules.insert(connection, rule)
    admit(services, document_id)
    return document_id


def artifact_bytes(services: Services, row: DocumentRow) -> bytes:
    made = deliver_document(services, row.id)
    return read_all(open_artifact(services, row, made), 1 << 24)


def decoded(data: bytes) -> list[bytes]:
    """The content of every part, as the standard library reads it."""
    found = (part.get_payload(decode=True) for part in message_from_bytes(data, policy=policy.default).walk())
    return [one if isinstance(one, bytes) else b"" for one in found]


def test_a_message_becomes_documents_of_its_own(services: Services, worker: Worker) -> None:
    parent = finished(services, submit(services, MAIL, "case.eml"))

    letter, table = children_of(services, parent.id)
    assert (letter.filename, letter.kind, letter.status) == ("letter.txt", "txt", "ready")
    assert (table.filename, table.kind, table.status) == ("list.csv", "csv", "ready")
    assert parent.batch_id is not None
    assert {letter.batch_id, table.batch_id} == {parent.batch_id}
    assert {letter.expires_at, table.expires_at} == {parent.expires_at}
    assert read_all(open_source(services, letter), 1 << 20) == LETTER
    assert letter.wrapped_key != parent.wrapped_key
    assert objects_of(services, letter.id) == {"source.bin", "normalized.json.bin"}


def test_a_rule_of_the_batch_holds_for_the_message_and_all_attachments(services: Services, worker: Worker) -> None:
    parent = finished(services, with_rule(services, MAIL, "case.eml", "Quillfeather"))

    out = artifact_bytes(services, parent)

    texts = decoded(out)
    assert b"Quillfeather" not in b"".join([out, *texts])
    assert b"This line is kept." in texts[2]
    assert b"Somebody,13" in texts[3]
    assert texts[4] == b"\x00\x01\x02 nobody can read this"
    report = read_all(open_report(services, parent, deliver_document(services, parent.id)), 1 << 20)
    assert b'"disposition": "substituted",\n      "reason": "",\n      "count": 2' in report


def test_a_switched_off_rule_is_not_carried(services: Services, worker: Worker) -> None:
    parent = finished(services, with_rule(services, MAIL, "case.eml", "Quillfeather", enabled=False))

    assert b"Quillfeather" in artifact_bytes(services, parent)


def test_what_is_accepted_in_an_attachment_goes_from_the_message_and_the_others(
    services: Services, worker: Worker
) -> None:
    parent = finished(services, submit(services, MAIL, "case.eml"))
    letter, table = children_of(services, parent.id)
    before = deliver_document(services, parent.id)
    assert b"Quillfeather" in read_all(open_artifact(services, parent, before), 1 << 20)
    _name(services, letter, "Quillfeather")

    after = artifact_bytes(services, parent)
    other = artifact_bytes(services, table)

    assert b"Quillfeather" not in after
    assert b"Quillfeather" not in other
    assert b"Somebody,13" in other


def _name(services: Services, row: DocumentRow, value: str) -> None:
    """A rule of one document alone."""
    now = now_ms()
    with services.database.begin() as connection:
        rules.insert(
            connection,
            RuleRow(
                id=new_id(),
                scope="document",
                owner_key=row.owner_key,
                document_id=row.id,
                kind="literal",
                pattern=value,
                match_case=False,
                whole_word=True,
                category="other",
                method="mask",
                enabled=True,
                source_rule_id=None,
                created_at=now,
                used_at=now,
            ),
        )


def test_the_same_decisions_give_the_artifact_that_is_there(services: Services, worker: Worker) -> None:
    parent = finished(services, with_rule(services, MAIL, "case.eml", "Quillfeather"))
    first = deliver_document(services, parent.id)

    class Untouched:
        def run(self, *_: object, **__: object) -> None:
            raise AssertionError("nothing is made again")

    again = deliver_document(replace(services, pool=Untouched()), parent.id)  # type: ignore[arg-type]  # never run

    assert again == first
    _name(services, children_of(services, parent.id)[0], "Zanzibar")
    assert deliver_document(services, parent.id).id != first.id
    with services.database.connect() as connection:
        assert len(artifacts.list_for_document(connection, parent.id)) == 2


def test_an_attachment_that_failed_is_left_out_and_counted(services: Services, worker: Worker) -> None:
    broken = message("x", "Body.\n", [("letter.txt", LETTER), ("broken.docx", b"PK\x03\x04 no archive at all")])
    parent = finished(services, submit(services, broken, "case.eml"))
    failed = children_of(services, parent.id)[1]
    assert failed.status == "failed"
    assert failed.error_code is not None

    out = artifact_bytes(services, parent)

    assert b"no archive at all" not in b"".join(decoded(out))
    report = read_all(open_report(services, parent, deliver_document(services, parent.id)), 1 << 20)
    assert f'"reason": "{failed.error_code}"'.encode() in report


def test_deleting_the_message_deletes_everything_inside(services: Services, worker: Worker) -> None:
    parent = finished(services, submit(services, MAIL, "case.eml"))
    children = children_of(services, parent.id)

    delete_document(services, parent.id)

    with services.database.connect() as connection:
        assert not documents.ids_among(connection, [parent.id, *(child.id for child in children)])
    assert not list(services.stores.default.list_prefix("documents/"))


def test_a_message_deleted_while_it_expands_leaves_nothing(
    services: Services, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal = expanding_module._seal
    sealed: list[str] = []

    def deleting(services_: Services, row: DocumentRow, content: object) -> str:
        handle = seal(services_, row, content)  # type: ignore[arg-type]  # passed on
        sealed.append(row.id)
        somebody = threading.Thread(target=delete_document, args=(services_, row.parent_id))
        somebody.start()
        somebody.join()
        return handle

    monkeypatch.setattr(expanding_module, "_seal", deleting)
    document_id = submit(services, MAIL, "case.eml")

    until(lambda: len(sealed) == 2)  # the step in hand ends; the run was cancelled before

    def nothing_left() -> bool:
        with services.database.connect() as connection:
            rows = documents.list_for_owner(connection, "owner")
        return not rows and not list(services.stores.default.list_prefix("documents/"))

    until(nothing_left)
    assert children_of(services, document_id) == []


def test_a_child_the_allowance_does_not_cover_fails_alone(services: Services, worker: Worker) -> None:
    with services.database.begin() as connection:
        connection.execute(limit_overrides.insert().values(name="quota.cells", value=1))
    parent = finished(services, submit(services, MAIL, "case.eml"))
    letter, table = children_of(services, parent.id)

    assert (letter.status, letter.error_code) == ("ready", None)
    assert (table.status, table.error_code) == ("failed", Code.QUOTA.value)
    with services.database.connect() as connection:
        used = {row.unit: row.used for row in connection.execute(select(quota_usage.c.unit, quota_usage.c.used))}
    totals: Counter[str] = Counter()
    for row in (parent, letter):
        totals[row.charged_unit or ""] += row.charged_amount or 0
    assert {unit: amount for unit, amount in used.items() if amount} == totals
    assert b"Somebody" not in b"".join(decoded(artifact_bytes(services, parent)))


def test_nothing_is_made_of_attachments_too_deep(services: Services, worker: Worker) -> None:
    inner = message("inner", "Deep.\n", [("deep.txt", LETTER)])
    middle = message("middle", "Middle.\n", [("inner.eml", inner)])
    parent = finished(services, submit(services, message("outer", "Outer.\n", [("middle.eml", middle)]), "outer.eml"))

    with services.database.connect() as connection:
        below = documents.list_below(connection, parent.id)

    assert [row.filename for row in below] == ["middle.eml", "inner.eml"], "an attachment two messages deep is the last"


def test_groups_are_bounded_by_bytes_and_count() -> None:
    parts = [ChildPart(str(number), "x", 0, 1, 30 << 20) for number in range(5)]
    assert [len(group) for group in groups(parts)] == [2, 2, 1]
    assert [len(group) for group in groups([ChildPart(str(n), "x", 0, 1, 1) for n in range(40)])] == [16, 16, 8]
    assert [len(group) for group in groups([ChildPart("0", "x", 0, 1, 1 << 40)])] == [1]


def test_joined_sources_read_as_one_and_open_one_at_a_time() -> None:
    opened: list[int] = []
    texts = [b"abc", b"", b"defgh", b"i"]

    def opener(number: int) -> BytesSource:
        opened.append(number)
        return BytesSource(texts[number])

    joined = Joined([(len(text), lambda number=number: opener(number)) for number, text in enumerate(texts)])  # type: ignore[misc]  # the default binds it

    assert read_all(joined, 100) == b"abcdefghi"
    assert joined.read(2, 3) == b"cde"
    assert joined.read(8, 50) == b"i"
    assert joined.read(9, 5) == b""
    assert opened == [0, 2, 3, 0, 2, 3]


def test_the_code_of_a_refusal_is_kept(services: Services, worker: Worker) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("x", "y")
    parent = finished(services, submit(services, message("s", "b\n", [("wrong.pdf", data.getvalue())]), "m.eml"))

    codes = {row.filename: (row.status, row.error_code) for row in children_of(services, parent.id)}

    assert codes == {"wrong.pdf": ("failed", Code.EXTENSION_MISMATCH.value)}
