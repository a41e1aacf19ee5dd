"""A document travels from its upload to `ready`, or to `failed` with a code a person can act on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import pairwise

import pytest

from anonify.database import redactions
from anonify.errors import Code, FatalError
from anonify.runs import (
    EVENT_TYPES,
    RetryRefused,
    Services,
    Worker,
    admit,
    create_document,
    data_key,
    delete_document,
    follow,
    open_model,
    open_source,
    receive_upload,
    retry,
)
from anonify.sandbox import read_all
from anonify.storage import open_sealed

from .helpers import LETTER, load, objects_of, submit, upload, wait_for


def test_a_letter_becomes_ready_with_suggestions(services: Services, worker: Worker) -> None:
    document_id = submit(services)

    row = wait_for(services, document_id)

    assert (row.status, row.error_code, row.kind, row.progress) == ("ready", None, "txt", 100)
    assert read_all(open_source(services, row), 1 << 20) == LETTER
    assert open_model(services, row).page(1).text.startswith("Dear Sir")
    with services.database.connect() as connection:
        found = redactions.list_for_document(connection, document_id)
    assert "ana.lopez@example.org" in {one.value for one in found}
    assert {one.status for one in found} == {"suggested"}
    assert objects_of(services, document_id) == {"source.bin", "normalized.json.bin"}
    assert row.upload_handle is None


def test_the_stream_tells_the_whole_story_once_and_resumes_anywhere(services: Services, worker: Worker) -> None:
    document_id = submit(services)

    events = [event for event in follow(services, document_id, timeout_seconds=30) if event is not None]

    assert [event.index for event in events] == list(range(len(events)))
    assert {event.type for event in events} <= set(EVENT_TYPES)
    assert events[0].type == "document.queued"
    assert events[-1].type == "document.ready"
    assert all(event.document_id == document_id for event in events)
    progress = [event.progress for event in events if event.progress is not None]
    assert all(before <= after for before, after in pairwise(progress))
    again = list(follow(services, document_id, 3, timeout_seconds=5))
    assert again == events[3:]


def test_following_a_document_that_is_not_admitted_waits_with_heartbeats(services: Services) -> None:
    document_id = upload(services)

    seen = list(follow(services, document_id, timeout_seconds=0.7, heartbeat_seconds=0.2))

    assert len(seen) >= 2
    assert set(seen) == {None}


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "empty.txt", "empty-file"),
        (b"\x7fELF" + bytes(range(256)) * 20, "program.bin", "unsupported-type"),
        (b"\x89PNG\r\n\x1a\n" + bytes(300), "letter.pdf", "extension-mismatch"),
    ],
)
def test_a_file_that_cannot_be_read_fails_with_its_code(
    services: Services, worker: Worker, data: bytes, name: str, code: str
) -> None:
    document_id = submit(services, data, name)

    row = wait_for(services, document_id)

    assert (row.status, row.error_code) == ("failed", code)
    last = [event for event in follow(services, document_id, timeout_seconds=10) if event is not None][-1]
    assert last.type == "document.failed"
    assert last.payload == {"code": code, "retryable": False}
    with pytest.raises(RetryRefused) as refused:
        retry(services, document_id)
    assert refused.value.code.value == code


@pytest.mark.parametrize("sent", [b"short", LETTER + b"and more", b""])
def test_an_upload_that_lies_about_its_length_leaves_nothing(services: Services, sent: bytes) -> None:
    row = create_document(services, owner_key="o", quota_key="n", filename="a.txt", size=len(LETTER))

    with pytest.raises(FatalError) as caught:
        receive_upload(services, row.id, [sent])

    assert caught.value.code is Code.UPLOAD_UNREADABLE
    assert objects_of(services, row.id) == set()
    with pytest.raises(FatalError) as missing:
        admit(services, row.id)
    assert missing.value.code is Code.MISSING_UPLOAD
    receive_upload(services, row.id, [LETTER])  # the honest second attempt is welcome
    assert load(services, row.id).upload_handle is not None


def test_an_upload_whose_stream_breaks_leaves_nothing(services: Services) -> None:
    row = create_document(services, owner_key="o", quota_key="n", filename="a.txt", size=len(LETTER))

    def broken() -> object:
        yield LETTER[:10]
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        receive_upload(services, row.id, broken())  # type: ignore[arg-type]  # a generator is an iterable

    assert objects_of(services, row.id) == set()


def test_of_two_uploads_at_once_the_first_to_arrive_counts(services: Services, worker: Worker) -> None:
    row = create_document(services, owner_key="o", quota_key="n", filename="a.txt", size=len(LETTER))

    def late() -> Iterator[bytes]:
        yield LETTER[:10].upper()
        receive_upload(services, row.id, [LETTER])  # a rival in another process is faster
        yield LETTER[10:].upper()

    with pytest.raises(FatalError) as caught:
        receive_upload(services, row.id, late())

    assert caught.value.code is Code.INTERNAL_STATE
    assert len(objects_of(services, row.id)) == 1  # the loser's bytes are gone
    admit(services, row.id)
    done = wait_for(services, row.id)
    assert read_all(open_source(services, done), 1 << 20) == LETTER


def test_a_delivery_that_comes_too_late_does_not_replace_the_first(services: Services) -> None:
    row = create_document(services, owner_key="o", quota_key="n", filename="a.txt", size=len(LETTER))

    def late() -> Iterator[bytes]:
        yield LETTER[:10]
        receive_upload(services, row.id, [LETTER])
        admit(services, row.id)
        yield b"x" * (len(LETTER) - 10)

    with pytest.raises(FatalError):
        receive_upload(services, row.id, late())

    assert len(objects_of(services, row.id)) == 1
    store, key = services.stores.resolve(load(services, row.id).upload_handle or "")
    assert read_all(open_sealed(store, key, data_key(services, load(services, row.id))), 1 << 20) == LETTER


def test_asking_many_times_at_once_gives_one_run(services: Services, worker: Worker) -> None:
    document_id = upload(services)
    answers = []

    def ask() -> None:
        answers.append(admit(services, document_id))

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({answer.run_id for answer in answers}) == 1
    assert sum(not answer.resumed for answer in answers) == 1
    assert wait_for(services, document_id).status == "ready"
    assert admit(services, document_id).resumed


def test_deleting_while_processing_leaves_nothing(services: Services, worker: Worker) -> None:
    ids = [submit(services, LETTER * (1 + 40 * number)) for number in range(6)]

    for document_id in ids:
        delete_document(services, document_id)
        delete_document(services, document_id)

    worker.stop(20)
    assert list(services.stores.default.list_prefix("documents/")) == []
    with services.database.connect() as connection:
        for document_id in ids:
            assert redactions.counts(connection, document_id) == {}


def test_the_allowance_is_charged_once_and_a_retry_does_not_charge_again(services: Services, worker: Worker) -> None:
    from sqlalchemy import select

    from anonify.database.tables import quota_usage

    document_id = submit(services)
    row = wait_for(services, document_id)

    assert row.charged_unit is not None
    with services.database.connect() as connection:
        used = connection.execute(select(quota_usage.c.used)).scalars().all()
    assert used == [row.charged_amount]
