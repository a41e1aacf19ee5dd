"""`anonify restore`: the original values back, with the vault."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from anonify.errors import Code
from anonify.local.restored import RestoreResult, restore_path

from .console import FAILED, REFUSED, USAGE, emit, say
from .inputs import PathProblem, show
from .pools import open_pool

__all__ = ["Ask", "restore_file"]


@dataclass(frozen=True, slots=True)
class Ask:
    """A whole `anonify restore` command."""

    file: Path
    vault: Path
    out: Path
    force: bool = False
    json: bool = False


def restore_file(ask: Ask) -> int:
    """Run the command; returns the exit status."""
    try:
        _check(ask)
    except PathProblem as error:
        say(str(error))
        return USAGE
    with open_pool() as (pool, _slots):
        try:
            result = restore_path(pool, ask.file, ask.vault, ask.out, replace=ask.force)
        except OSError as error:
            say(f"The output cannot be written: {error.strerror}.")
            return FAILED
    if ask.json:
        emit(result.as_json())
    else:
        _tell(result)
    if result.status == "restored":
        return 0
    return REFUSED if result.error_code == Code.VERIFICATION_FAILED else FAILED


def _check(ask: Ask) -> None:
    """Refuse paths that cannot be worked with.

    Raises:
        PathProblem: an input does not exist, or the output is one or exists.
    """
    for path in (ask.file, ask.vault):
        if not path.exists():
            raise PathProblem(f"{show(path)} does not exist.")
        if path.is_dir():
            raise PathProblem(f"{show(path)} is a folder; restore one file at a time, with its vault.")
        if ask.out.exists() and os.path.samefile(path, ask.out):
            raise PathProblem(f"{show(ask.out)} is an input, which is never overwritten. Choose another --out.")
    if ask.out.is_dir():
        raise PathProblem(f"{show(ask.out)} is a folder; --out names the file to write.")
    if os.path.lexists(ask.out) and not ask.force:
        raise PathProblem(f"{show(ask.out)} exists already. Nothing was done. --force overwrites.")


def _tell(result: RestoreResult) -> None:
    if result.status == "failed":
        say(f"{show(result.input)}: {result.error_code}: {result.error}")
        return
    entries = result.restored + result.unresolved
    say(f"{show(result.output or '')}: {result.restored} of the vault's {entries} values restored ({result.kind}).")
    if result.unresolved:
        say(f"{result.unresolved} have no surrogate in the text of this file that could be replaced.")
    if not result.matches:
        say("The vault was made with another file, or this one was changed since.")
