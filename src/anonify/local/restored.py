"""Putting the values back into a file, with its vault: for the command line and the Python API."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from anonify.errors import FAILURES, AnonifyError, Code, FatalError
from anonify.local.files import FileSource, write_file

if TYPE_CHECKING:
    from anonify.export import Vault
    from anonify.sandbox import TaskRunner

__all__ = ["RestoreResult", "restore_path"]


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What became of a file that was to be restored.

    Attributes:
        input: path of the file, as given.
        status: `restored` or `failed`.
        kind: its format, or None when it failed.
        error_code: why it failed (see docs/failures.md), or None.
        error: that code's sentence.
        output: path of the restored file, or None.
        restored: how many surrogates of the vault stood in the file and have given way to their values.
        unresolved: how many others the vault has.
        matches: whether the vault was made with this very file, which nobody has changed since.
    """

    input: str
    status: Literal["restored", "failed"] = "failed"
    kind: str | None = None
    error_code: str | None = None
    error: str | None = None
    output: str | None = None
    restored: int = 0
    unresolved: int = 0
    matches: bool = False

    def as_json(self) -> dict[str, Any]:
        """The line that `anonify restore --json` prints."""
        return {
            "input": self.input,
            "kind": self.kind,
            "status": self.status,
            "errorCode": self.error_code,
            "error": self.error,
            "output": self.output,
            "restored": self.restored,
            "unresolved": self.unresolved,
            "matches": self.matches,
        }


def restore_path(runner: TaskRunner, path: Path, vault: Path, output: Path, *, replace: bool = True) -> RestoreResult:
    """Put the values of `vault` back into the file `path`.  What goes wrong with either is told by the result.

    Args:
        runner: where the tasks run.
        path: the file; it is only read.
        vault: its vault; it is only read.
        output: where the restored file goes; it appears whole or not at all.
        replace: whether it may take the place of a file that is there.

    Raises:
        OSError: the output cannot be written.
    """
    from anonify.export import restore
    from anonify.sandbox import iter_chunks
    from anonify.storage import Spool

    try:
        with FileSource(path) as source:
            name = path.name.encode("utf-8", "replace").decode("utf-8")
            restored = restore(runner, source, name, _read(vault), Spool)
    except AnonifyError as error:
        return RestoreResult(os.fspath(path), error_code=error.code.value, error=FAILURES[error.code].sentence)
    with restored:
        write_file(output, iter_chunks(restored.artifact), replace=replace)
        return RestoreResult(
            input=os.fspath(path),
            status="restored",
            kind=restored.kind,
            output=os.fspath(output),
            restored=restored.restored,
            unresolved=restored.unresolved,
            matches=restored.matches,
        )


def _read(path: Path) -> Vault:
    """The vault in a file.

    Raises:
        FatalError: `vault-unreadable`, `too-large`.
    """
    from anonify.export import read_vault
    from anonify.export.vault import MAX_VAULT

    try:
        with path.open("rb") as file:
            data = file.read(MAX_VAULT + 1)
    except OSError:
        raise FatalError(Code.VAULT_UNREADABLE) from None
    return read_vault(data)
