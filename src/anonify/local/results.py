"""Writing what became of a file: report, vault, and the redacted file last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from anonify.local.files import write_file

if TYPE_CHECKING:
    from anonify.database import ArtifactRow, DocumentRow
    from anonify.runs import Services
    from anonify.runs.naming import Named
    from anonify.sandbox import Source

__all__ = ["Places", "Written", "pieces", "write_results"]

PRIVATE: Final = 0o600
"""Permissions of a vault: its owner alone reads it."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where results go, and whether they may take the place of what is there."""

    output: Path
    report: Path | None
    vault: Path | None
    replace: bool


@dataclass(frozen=True, slots=True)
class Written:
    """What was written.

    Attributes:
        values: distinct values that the report says are gone.
        vault: where the vault is, if there is one.
    """

    values: int
    vault: Path | None


def write_results(
    services: Services, row: DocumentRow, made: ArtifactRow, named: list[Named], places: Places
) -> Written:
    """Write what belongs to an artifact.  Where the redacted file is, its report and its vault are too.

    Raises:
        OSError: something cannot be written.
    """
    import msgspec

    from anonify.runs.deliver import open_artifact, open_report
    from anonify.sandbox import read_all

    report = open_report(services, row, made)
    data = read_all(report, report.size)
    if places.report is not None:
        write_file(places.report, [data], replace=places.replace)
    vault = _write_vault(services, row, made, named, places)
    write_file(places.output, pieces(open_artifact(services, row, made)), replace=places.replace)
    return Written(int(msgspec.json.decode(data)["applied"]["values"]), vault)


def _write_vault(
    services: Services, row: DocumentRow, made: ArtifactRow, named: list[Named], places: Places
) -> Path | None:
    from anonify.export import vault_bytes
    from anonify.runs.vaults import vault_of

    vault = None if places.vault is None else vault_of(services, row, made, named)
    if places.vault is None or vault is None:
        return None
    write_file(places.vault, [vault_bytes(vault)], replace=places.replace, mode=PRIVATE)
    return places.vault


def pieces(source: Source) -> Iterator[bytes]:
    """The bytes of a source, one piece after another."""
    from anonify.sandbox import iter_chunks

    return iter_chunks(source)
