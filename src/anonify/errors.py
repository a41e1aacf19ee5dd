"""Every failure anonify can report, in one table and one tree.

    AnonifyError
    ├── FatalError            trying again cannot help (unsupported file, corrupt source, quota, …)
    ├── Transient             trying again may help (storage, database, timeout)
    └── VerificationFailed    an artifact did not pass the gate; nothing was stored

An error carries a :class:`Code` and, where useful, numbers.  It never carries document content: what crosses the
sandbox, reaches a log, a stream or a person is the code and its fixed sentence from :data:`FAILURES`.
The API, the command line, the docs and the pages all read that table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

__all__ = ["FAILURES", "AnonifyError", "Code", "Failure", "FatalError", "Transient", "VerificationFailed"]


class Code(StrEnum):
    """The stable name of a failure."""

    UNSUPPORTED_TYPE = "unsupported-type"
    EXTENSION_MISMATCH = "extension-mismatch"
    EMPTY_FILE = "empty-file"
    TOO_LARGE = "too-large"
    CORRUPT_SOURCE = "corrupt-source"
    MISSING_UPLOAD = "missing-upload"
    TOO_COMPLEX = "too-complex"
    EMPTY_CONTAINER = "empty-container"
    QUOTA = "quota"
    MALFORMED = "malformed"
    INTERNAL_STATE = "internal-state"
    CONFIGURATION = "configuration"
    UPLOAD_UNREADABLE = "upload-unreadable"
    RULE_TOO_BROAD = "rule-too-broad"
    STORAGE = "storage"
    DATABASE = "database"
    TIMEOUT = "timeout"
    UNKNOWN = "unknown"
    ENCRYPTED = "encrypted"
    PARSER_CRASHED = "parser-crashed"
    VERIFICATION_FAILED = "verification-failed"
    VAULT_UNREADABLE = "vault-unreadable"
    NOT_RESTORABLE = "not-restorable"


@dataclass(frozen=True, slots=True)
class Failure:
    """What a code means to a person.

    Attributes:
        sentence: what happened and what to do; fixed text, never document content.
        retryable: whether pressing Retry can help.
        status: the HTTP status when a request itself fails with this code.
    """

    sentence: str
    retryable: bool
    status: int


FAILURES: Final[dict[Code, Failure]] = {
    Code.UNSUPPORTED_TYPE: Failure(
        "This kind of file is not supported. Convert it to a supported format and upload it again. "
        "The original was not modified.",
        retryable=False,
        status=415,
    ),
    Code.EXTENSION_MISMATCH: Failure(
        "The content is not what the file's name says it is. Rename it to match its content and upload it again. "
        "The original was not modified.",
        retryable=False,
        status=415,
    ),
    Code.EMPTY_FILE: Failure("The file is empty, so there is nothing to redact.", retryable=False, status=400),
    Code.TOO_LARGE: Failure(
        "The file is larger than this installation allows. Split it, or ask the operator to raise the limit.",
        retryable=False,
        status=413,
    ),
    Code.CORRUPT_SOURCE: Failure(
        "The stored original no longer matches its checksum. Upload the file again.", retryable=False, status=409
    ),
    Code.MISSING_UPLOAD: Failure("The upload never arrived or is gone. Upload the file again.", False, 409),
    Code.TOO_COMPLEX: Failure(
        "The file is nested, compressed or repeated beyond what can be read safely, so it was refused whole. "
        "The original was not modified.",
        retryable=False,
        status=422,
    ),
    Code.EMPTY_CONTAINER: Failure(
        "The file has bytes but no message or document could be read in it. The original was not modified.",
        retryable=False,
        status=422,
    ),
    Code.QUOTA: Failure(
        "Today's allowance does not cover this document. Nothing was deleted. Try again tomorrow, "
        "or ask the operator to raise the limit.",
        retryable=False,
        status=429,
    ),
    Code.MALFORMED: Failure(
        "The file does not parse as its own kind. Open and save it again in the program that made it, then upload it. "
        "The original was not modified.",
        retryable=False,
        status=422,
    ),
    Code.INTERNAL_STATE: Failure(
        "This document is in a state that should not occur. Delete it and upload it again.", retryable=False, status=500
    ),
    Code.CONFIGURATION: Failure(
        "This installation is not set up correctly. Ask the operator to run `anonify doctor`.",
        retryable=False,
        status=503,
    ),
    Code.UPLOAD_UNREADABLE: Failure(
        "The file could not be read, or did not arrive as announced. Check that it can be opened and send it again.",
        retryable=False,
        status=400,
    ),
    Code.RULE_TOO_BROAD: Failure(
        "A rule matched more than its budget allows, so it was not applied. Narrow the rule, then retry.",
        retryable=True,
        status=422,
    ),
    Code.STORAGE: Failure("The object store did not answer. Retry in a moment.", retryable=True, status=500),
    Code.DATABASE: Failure("The database did not answer. Retry in a moment.", retryable=True, status=503),
    Code.TIMEOUT: Failure(
        "Working on this document took longer than allowed. Retry; if it happens again, split the document.",
        retryable=True,
        status=504,
    ),
    Code.UNKNOWN: Failure("Something unexpected went wrong. Retry in a moment.", retryable=True, status=500),
    Code.ENCRYPTED: Failure(
        "The file is protected by a password. Remove the password and upload it again. The original was not modified.",
        retryable=False,
        status=422,
    ),
    Code.PARSER_CRASHED: Failure(
        "The isolated reader stopped while working on this file, so the file was refused. "
        "No other document was affected and the original was not modified.",
        retryable=False,
        status=422,
    ),
    Code.VERIFICATION_FAILED: Failure(
        "The redacted file did not pass verification, so it was not stored and cannot be downloaded. "
        "The original was not modified.",
        retryable=False,
        status=500,
    ),
    Code.VAULT_UNREADABLE: Failure(
        "This is no vault, or it is damaged. Take the file that ends in `.vault.json` and came with the redacted file.",
        retryable=False,
        status=422,
    ),
    Code.NOT_RESTORABLE: Failure(
        "PDF files and pictures cannot be restored: what stands in them was painted over. Use the original file.",
        retryable=False,
        status=422,
    ),
}
"""Sentence, retryability and HTTP status of every code.  Complete by test."""


class AnonifyError(Exception):
    """Base of everything raised on purpose.

    Args:
        code: the failure code.
        counts: numbers only (limits, sizes, offsets), safe to log.
    """

    def __init__(self, code: Code, **counts: int) -> None:
        super().__init__(code.value)
        self.code = code
        self.counts = counts

    @property
    def failure(self) -> Failure:
        """The code's entry in :data:`FAILURES`."""
        return FAILURES[self.code]

    def __reduce__(self) -> tuple[object, ...]:
        # Default pickling calls cls(*args) and would pass the code's text instead of the code.
        return _rebuild, (type(self), self.code.value, self.counts)


def _rebuild(cls: type[AnonifyError], code: str, counts: dict[str, int]) -> AnonifyError:
    return cls(Code(code), **counts)


class FatalError(AnonifyError):
    """A failure that trying again cannot cure.  Never retried."""


class Transient(AnonifyError):
    """A failure that trying again may cure.  Retried with back-off."""


class VerificationFailed(AnonifyError):
    """The gate refused an artifact.  Nothing was stored, and nothing says which value survived.

    Args:
        check: the name of the check that failed (`survivor`, `opens`, `structure`, `report`, …).
        survivors: how many findings there were.
    """

    def __init__(self, check: str, survivors: int = 1) -> None:
        super().__init__(Code.VERIFICATION_FAILED, survivors=survivors)
        self.check = check

    def __reduce__(self) -> tuple[object, ...]:
        return VerificationFailed, (self.check, self.counts["survivors"])
