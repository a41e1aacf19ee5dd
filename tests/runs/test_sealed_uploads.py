"""An upload its sender has sealed is taken as it is, and nothing that was sealed otherwise ever is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from anonify.database import DocumentRow, documents
from anonify.errors import Code, FatalError, Transient
from anonify.runs import (
    ENVELOPE,
    RetryRefused,
    Services,
    Wanted,
    Worker,
    admit,
    create_batch,
    create_document,
    open_services,
    open_source,
    receive_upload,
    retry,
    start_documents,
    steps,
    upload_key,
    upload_name,
)
from anonify.sandbox import read_all
from anonify.settings import Settings
from tests.envelope import CHUNK, FULL, HEADER, envelope

from .helpers import LETTER, load, objects_of, wait_for

# Blank lines of every length: three chunks that differ, and nothing to find in them that would take its time.
LONG = (LETTER + b"".join(b" " * number + b"\n" for number in range(2200)))[: 2 * CHUNK + 70_000]


def reserve(services: Services, size: int = len(LETTER)) -> DocumentRow:
    """A document whose upload is to be sealed."""
    return create_document(
        services, owner_key="o", quota_key="n", filename="letter.txt", size=size, upload_encryption=ENVELOPE
    )


def key_of(services: Services, row: DocumentRow) -> bytes:
    """The key its sender was told."""
    key = upload_key(services, row)
    assert key is not None
    return key.raw


def sealed_for(services: Services, row: DocumentRow, plain: bytes) -> bytes:
    """What an honest sender sends."""
    return envelope(plain, key_of(services, row), upload_name(row.id))


def pieces(data: bytes, size: int = 70_001) -> Iterator[bytes]:
    """As they come from the network."""
    for start in range(0, len(data), size):
        yield data[start : start + size]


@pytest.mark.parametrize("plain", [LETTER, LONG, LONG[:CHUNK], LONG[: CHUNK + 1], LONG[: 2 * CHUNK]], ids=len)
def test_it_is_stored_as_it_came_and_becomes_the_source(services: Services, worker: Worker, plain: bytes) -> None:
    row = reserve(services, len(plain))
    sent = sealed_for(services, row, plain)
    receive_upload(services, row.id, pieces(sent))

    (name,) = objects_of(services, row.id)
    assert services.stores.default.get(f"documents/{row.id}/{name}") == sent
    admit(services, row.id)
    done = wait_for(services, row.id, "ready")
    assert read_all(open_source(services, done), 1 << 22) == plain
    assert objects_of(services, row.id) == {"source.bin", "normalized.json.bin"}
    assert (done.size, done.upload_encryption, done.upload_key, done.upload_handle) == (
        len(plain),
        ENVELOPE,
        None,
        None,
    )


@dataclass(frozen=True)
class Sent:
    """An honest upload of :data:`LONG`, and another one under the same key."""

    body: bytes
    other: bytes
    key: bytes
    name: str

    @property
    def chunks(self) -> list[bytes]:
        return [self.body[start : start + FULL] for start in range(HEADER, len(self.body), FULL)]

    def with_chunks(self, *chunks: bytes) -> bytes:
        return self.body[:HEADER] + b"".join(chunks)


def _flipped(body: bytes, at: int) -> bytes:
    return body[:at] + bytes((body[at] ^ 1,)) + body[at + 1 :]


WRONG: dict[str, Callable[[Sent], bytes]] = {
    "under another key": lambda sent: envelope(LONG, os.urandom(32), sent.name),
    "under another name": lambda sent: envelope(LONG, sent.key, upload_name("0" * 32)),
    "cut between chunks": lambda sent: sent.with_chunks(*sent.chunks[:2]),
    "cut within a chunk": lambda sent: sent.body[:-70],
    "reordered": lambda sent: sent.with_chunks(sent.chunks[1], sent.chunks[0], sent.chunks[2]),
    "a chunk twice": lambda sent: sent.with_chunks(sent.chunks[0], sent.chunks[0], sent.chunks[2]),
    "a chunk of another upload": lambda sent: sent.with_chunks(
        sent.chunks[0], sent.other[HEADER + FULL : HEADER + 2 * FULL], sent.chunks[2]
    ),
    "a chunk more": lambda sent: sent.with_chunks(*sent.chunks, sent.chunks[2]),
    "a byte more": lambda sent: sent.body + b"x",
    "another header": lambda sent: sent.other[:HEADER] + sent.body[HEADER:],
    "a bit in the middle": lambda sent: _flipped(sent.body, HEADER + FULL + 1000),
    "a bit in the last tag": lambda sent: _flipped(sent.body, len(sent.body) - 1),
}


def _fits(length: int) -> int:
    """The size of file whose envelope has this length, as a liar would reserve it."""
    body = length - HEADER
    return body - 16 * -(-body // FULL)


def _sent(services: Services, row: DocumentRow) -> Sent:
    honest, other = sealed_for(services, row, LONG), sealed_for(services, row, LONG)
    return Sent(honest, other, key_of(services, row), upload_name(row.id))


def _assert_refused(services: Services, wrong: Callable[[Sent], bytes]) -> None:
    probe = reserve(services, len(LONG))
    row = reserve(services, _fits(len(wrong(_sent(services, probe)))))
    receive_upload(services, row.id, pieces(wrong(_sent(services, row))))
    admit(services, row.id)

    failed = wait_for(services, row.id, "failed")
    assert failed.error_code == "upload-unreadable"
    assert (failed.source_handle, failed.upload_handle, failed.upload_key) == (None, None, None)
    assert objects_of(services, row.id) == set()
    with pytest.raises(RetryRefused):
        retry(services, row.id)


@pytest.mark.parametrize("how", WRONG)
def test_what_is_sealed_otherwise_is_refused_and_leaves_nothing(services: Services, worker: Worker, how: str) -> None:
    _assert_refused(services, WRONG[how])


@pytest.mark.parametrize(
    "sent",
    [
        lambda body: b"Dear Sir" + body[8:],  # not sealed at all
        lambda body: b"ANFY\x02" + body[5:],  # a version nobody knows
        lambda body: b"ANFY\x01\x10" + body[6:],  # smaller chunks
        lambda body: body[:-1],
        lambda body: body + b"x",
        lambda body: body[:9],
        lambda body: b"",
    ],
)
def test_what_is_no_envelope_of_that_length_is_not_even_stored(
    services: Services, worker: Worker, sent: Callable[[bytes], bytes]
) -> None:
    row = reserve(services)
    body = sealed_for(services, row, LETTER)

    with pytest.raises(FatalError) as caught:
        receive_upload(services, row.id, pieces(sent(body), 7))
    assert caught.value.code is Code.UPLOAD_UNREADABLE
    assert objects_of(services, row.id) == set()
    receive_upload(services, row.id, pieces(sealed_for(services, row, LETTER)))  # the honest second attempt is welcome
    admit(services, row.id)
    assert wait_for(services, row.id).status == "ready"


def test_an_upload_that_breaks_may_be_sent_again_under_its_key(services: Services, worker: Worker) -> None:
    row = reserve(services, len(LONG))

    def broken() -> Iterator[bytes]:
        yield sealed_for(services, row, LONG)[: FULL + 9]
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        receive_upload(services, row.id, broken())
    assert objects_of(services, row.id) == set()
    receive_upload(services, row.id, pieces(sealed_for(services, row, LONG)))
    admit(services, row.id)
    assert wait_for(services, row.id).status == "ready"


def test_the_key_is_kept_as_long_as_a_retry_can_need_it(
    services: Services, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = reserve(services)
    receive_upload(services, row.id, pieces(sealed_for(services, row, LETTER)))

    def full(*_arguments: object) -> None:
        raise Transient(Code.STORAGE)

    with monkeypatch.context() as patched:
        patched.setattr(steps, "seal_object", full)
        admit(services, row.id)
        failed = wait_for(services, row.id, "failed")
    assert failed.error_code == "storage"
    assert failed.upload_key == row.upload_key
    retry(services, row.id)
    assert wait_for(services, row.id, "ready").upload_key is None


def test_a_file_that_is_not_what_it_is_called_takes_its_key_with_it(services: Services, worker: Worker) -> None:
    plain = b"\x7fELF" + bytes(range(256)) * 20
    row = reserve(services, len(plain))
    receive_upload(services, row.id, pieces(sealed_for(services, row, plain)))
    admit(services, row.id)

    failed = wait_for(services, row.id, "failed")
    assert (failed.error_code, failed.upload_key) == ("extension-mismatch", None)
    assert objects_of(services, row.id) == set()


def test_an_empty_file_is_empty_however_it_is_sealed(services: Services, worker: Worker) -> None:
    row = reserve(services, 0)
    receive_upload(services, row.id, pieces(sealed_for(services, row, b"")))
    admit(services, row.id)

    assert wait_for(services, row.id, "failed").error_code == "empty-file"


def test_the_key_is_nowhere_in_the_data_but_wrapped(services: Services, worker: Worker) -> None:
    row = reserve(services)
    key = key_of(services, row)
    receive_upload(services, row.id, pieces(sealed_for(services, row, LETTER)))
    files = [path for path in services.settings.data_dir.rglob("*") if path.is_file()]

    assert len(files) > 3
    for path in files:
        data = path.read_bytes()
        assert key not in data, path.name
        assert key.hex().encode() not in data, path.name
        assert LETTER[:20] not in data, path.name


def test_the_limit_is_that_of_the_file(settings: Settings) -> None:
    services = open_services(settings.model_copy(update={"max_upload_bytes": len(LETTER)}))
    try:
        row = reserve(services)  # its envelope is longer than the limit
        receive_upload(services, row.id, pieces(sealed_for(services, row, LETTER)))
        with pytest.raises(FatalError) as caught:
            reserve(services, len(LETTER) + 1)
    finally:
        services.close()
    assert caught.value.code is Code.TOO_LARGE


def _send_batch(services: Services) -> list[str]:
    files = [Wanted(f"letter{number}.txt", len(LETTER)) for number in range(3)]
    batch, rows = create_batch(services, owner_key="o", quota_key="n", files=files, upload_encryption=ENVELOPE)
    keys = set()
    for row in rows:
        assert isinstance(row, DocumentRow)
        keys.add(key_of(services, row))
        receive_upload(services, row.id, pieces(sealed_for(services, row, LETTER)))
    assert len(keys) == len(files)
    assert start_documents(services, batch.id) == (3, 0)
    return [row.id for row in rows if isinstance(row, DocumentRow)]


def test_every_file_of_a_batch_has_a_key_of_its_own(services: Services, worker: Worker) -> None:
    for document_id in _send_batch(services):
        row = wait_for(services, document_id, "ready")
        assert row.upload_key is None
        assert read_all(open_source(services, row), 1 << 20) == LETTER


@pytest.mark.postgres
def test_it_all_works_on_postgresql(postgres_settings: Settings) -> None:
    services = open_services(postgres_settings)
    worker = Worker(services, retry_seconds=0.02)
    worker.start()
    try:
        for document_id in _send_batch(services):
            assert wait_for(services, document_id, "ready").upload_key is None
            with services.database.connect() as connection:
                row = documents.get(connection, document_id)
            assert row is not None
            assert read_all(open_source(services, row), 1 << 20) == LETTER
        _assert_refused(services, WRONG["reordered"])
        assert load(services, document_id).upload_encryption == ENVELOPE
    finally:
        worker.stop(10)
        services.close()
