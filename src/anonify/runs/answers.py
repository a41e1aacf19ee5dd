"""A language model's answers about a document, sealed beside it until its analysis is stored.

A step that is repeated because its worker died asks the same questions again; it finds the answers and pays nothing.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from anonify.database import DocumentRow
from anonify.errors import FatalError
from anonify.sandbox import read_all
from anonify.storage import ObjectMissing, open_sealed

from .access import data_key
from .objects import folder
from .steps import DocumentRun

__all__ = ["KeptAnswers", "forget_answers"]

PLACE: Final = "ai/"
"""Where, in a document's folder, answers lie."""

MOST: Final = 16 << 20
"""Bytes of an answer; a provider's own is cut off before."""


class KeptAnswers:
    """The answers about one document.  Used by several threads."""

    def __init__(self, work: DocumentRun, row: DocumentRow) -> None:
        self._work = work
        self._row = row

    def get(self, question: str) -> bytes | None:
        """The answer to a question; what does not verify is as good as none."""
        services = self._work.services
        try:
            key = folder(self._row.id) + self._name(question)
            return read_all(open_sealed(services.stores.default, key, data_key(services, self._row)), MOST)
        except (ObjectMissing, FatalError):
            return None

    def put(self, question: str, answer: bytes) -> None:
        """Keep an answer.

        Raises:
            Superseded: the document is no longer this run's; nothing was written.
        """
        self._work.keep(self._name(question), "analyzing", lambda sink: sink.write(answer))

    def _name(self, question: str) -> str:
        """A name that tells nobody without the master key whether a text was asked about."""
        secret = self._work.services.keys.derive("ai/answers")
        name = hmac.new(secret, f"{self._row.id}\0{question}".encode(), hashlib.sha256).hexdigest()
        return f"{PLACE}{name}.bin"


def forget_answers(work: DocumentRun) -> None:
    """Delete all answers about the document; what they led to is stored."""
    work.services.stores.default.delete_prefix(folder(work.document_id) + PLACE)
