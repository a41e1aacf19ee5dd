"""An installation whose language model is played by a server of the tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from anonify.database import RedactionRow, now_ms, redactions, usage
from anonify.runs import Services, admit, create_document, receive_upload
from tests.providers.server import Server

from .helpers import load, wait_for

__all__ = ["MODEL", "NICKNAME", "TEXT", "Asking", "Start"]

MODEL = "local-model"
NICKNAME = "the tall man from flat 7B"

TEXT = (
    "Dear all,\nthe tall man from flat 7B rang on Monday. The badge was blue-heron-42.\n"
    + "Nothing happened here, and nobody was there to see it.\n" * 150
    + "At the end the tall man from flat 7B left.\n"
).encode()
"""More than a passage; what a model names on the first page stands on the last one as well."""


@dataclass
class Asking:
    """An installation with a language model, and the server that plays it."""

    services: Services
    server: Server

    def run(self, data: bytes = TEXT, name: str = "a.txt", preset: str = "everything") -> str:
        """Process a document until it is ready; returns its id."""
        row = create_document(
            self.services, owner_key="owner", quota_key="net", filename=name, size=len(data), preset=preset
        )
        receive_upload(self.services, row.id, [data])
        admit(self.services, row.id)
        wait_for(self.services, row.id, "ready")
        return row.id

    def suggested(self, document_id: str) -> list[RedactionRow]:
        with self.services.database.connect() as connection:
            return redactions.list_for_document(connection, document_id)

    def named(self, document_id: str) -> list[RedactionRow]:
        """What a model named, and where else that stands."""
        return [one for one in self.suggested(document_id) if (one.detector or "").startswith("context-model")]

    def degraded(self, document_id: str) -> list[str]:
        return list(load(self.services, document_id).degraded_reasons)

    def skips(self, document_id: str) -> list[tuple[str, str]]:
        with self.services.database.connect() as connection:
            return [(one.task, one.reason) for one in usage.skips_of(connection, document_id)]

    def spent(self) -> float:
        with self.services.database.connect() as connection:
            return usage.spent_today(connection, now_ms())


Start = Callable[..., Asking]
"""Starts an installation; see the fixture `start`."""
