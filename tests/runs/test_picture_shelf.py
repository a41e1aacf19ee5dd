"""Pages whose pictures were read before a worker died: taken up again when they are whole and were read as they should
be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

import pytest

from anonify.detection import DEGRADED_READER
from anonify.errors import Code, Transient
from anonify.ocr import recognise_document
from anonify.ocr.mistral import Mistral
from anonify.runs import Services, steps
from anonify.runs.access import read_extraction
from anonify.runs.steps import DocumentRun
from tests.ocr.pictured import scan

from .helpers import load, objects_of, submit


class _Run:
    """A run that nobody watches."""

    def __init__(self, run_id: str) -> None:
        self.id = run_id

    def write(self, line: str) -> None: ...


class _Away:
    """A reader beyond this machine that does not answer."""

    def read(self, _png: bytes) -> str:
        raise Transient(Code.UNKNOWN)


def begun(services: Services) -> DocumentRun:
    """A scan whose pictures are to be read next."""
    document_id = submit(services, scan(["A letter to Marja Nordlund"]), "scan.pdf")
    work = DocumentRun(services, cast("Any", _Run(load(services, document_id).run_id or "")), document_id)
    work.ingest()
    return work


@contextmanager
def dying(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The worker dies when all pages have been read, before the model is sealed."""

    def then_die(*args: Any, **more: Any) -> Any:
        recognise_document(*args, **more)
        raise Transient(Code.STORAGE)

    with monkeypatch.context() as patch:
        patch.setattr(steps, "recognise_document", then_die)
        with pytest.raises(Transient):
            yield


def test_pages_read_without_the_provider_are_still_said_to_be_after_a_crash(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = begun(replace(services, reader=cast("Mistral", _Away())))
    with dying(monkeypatch):
        work.extract()
    work.extract()
    assert DEGRADED_READER in read_extraction(work.row()).notes


def test_damaged_pages_are_read_again_and_none_are_left_behind(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = begun(services)
    with dying(monkeypatch):
        work.extract()
    (kept,) = [name for name in objects_of(services, work.document_id) if name.startswith(steps.SHELF)]
    key, store = f"documents/{work.document_id}/{kept}", services.stores.default
    large = b"x" * (3 << 20)  # its last piece alone is verified when it is opened
    work.keep(kept, "normalizing", lambda sink: sink.write(large))
    (file,) = services.settings.data_dir.rglob(f"{work.document_id}/{kept}")
    spoiled = bytearray(store.get(key))
    spoiled[1000] ^= 1
    file.write_bytes(spoiled)

    assert work.extract() == 1
    assert not any(name.startswith(steps.SHELF) for name in objects_of(services, work.document_id))
