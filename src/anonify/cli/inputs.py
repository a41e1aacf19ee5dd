"""Which files a run reads, and where each result goes.  Names are any bytes the file system allows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Job", "PathProblem", "plan_jobs", "vault_name", "walk"]

LITTER: Final = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""Files that operating systems leave in folders."""

NAME_MAX: Final = 255
"""Bytes of a file name that every common file system allows."""

MARK: Final = "-redacted"


class PathProblem(Exception):
    """The command line names paths that cannot be worked with; the text is for the person who typed them."""


@dataclass(frozen=True, slots=True)
class Job:
    """One file to redact.

    Attributes:
        source: the file.
        output: where the redacted file goes.
        report: where the report goes, when one is wanted.
        vault: where the vault goes, when one may come of it.
    """

    source: Path
    output: Path
    report: Path | None
    vault: Path | None = None

    @property
    def places(self) -> tuple[Path, ...]:
        """Every file that may be written."""
        return tuple(place for place in (self.output, self.report, self.vault) if place is not None)


def walk(folder: Path, avoid: Sequence[Path] = ()) -> Iterator[Path]:
    """The regular files below `folder` in a fixed order.

    Links are not followed: what they point at is elsewhere, or is walked anyway.

    Args:
        avoid: folders whose content is left out (output and state, when they lie inside the input).

    Raises:
        PathProblem: a folder cannot be listed.
    """
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        raise PathProblem(f"{show(folder)} cannot be listed: {error.strerror}.") from None
    for entry in entries:
        path = Path(entry.path)
        if entry.is_symlink() or entry.name in LITTER:
            continue
        if entry.is_dir(follow_symlinks=False):
            if not any(_same(path, one) for one in avoid):
                yield from walk(path, avoid)
        elif entry.is_file(follow_symlinks=False) and not (
            entry.name.startswith(".anonify-") and entry.name.endswith(".part")
        ):
            yield path


def plan_jobs(
    inputs: Sequence[Path], out: str | None, *, report: bool, vault: bool = False, state: Path | None = None
) -> list[Job]:
    """Every file to redact with the places its results go to, in order.

    Args:
        inputs: files and folders, as given.
        out: `--out`, as given.
        report: whether a report is wanted for each.
        vault: whether a vault may come of each.
        state: `--state`; never walked into.

    Raises:
        PathProblem: an input does not exist, or two results, or a result and an input, share a path.
    """
    for path in inputs:
        if not os.path.lexists(path):
            raise PathProblem(f"{show(path)} does not exist.")
        if path.is_symlink() and not path.exists():
            raise PathProblem(f"{show(path)} is a link to nothing.")
    single = len(inputs) == 1 and not inputs[0].is_dir()
    target = None if out is None else Path(out)
    if target is not None and single and _is_file_name(out or "", inputs[0]):
        pairs = [(inputs[0], target)]
    else:
        pairs = list(_pairs(inputs, target, () if state is None else (state,)))
    once = {(os.path.abspath(source), os.path.abspath(output)): (source, output) for source, output in reversed(pairs)}
    jobs = [
        Job(source, output, _report_name(output) if report else None, vault_name(output) if vault else None)
        for source, output in reversed(once.values())
    ]
    _check(jobs)
    return jobs


def _is_file_name(out: str, source: Path) -> bool:
    """Whether `--out` of a single file names a file: it is one, or it looks like one."""
    path = Path(out)
    if path.is_dir() or out.endswith(("/", os.sep)):
        return False
    return path.exists() or bool(path.suffix) or path.suffix == source.suffix


def _pairs(inputs: Sequence[Path], target: Path | None, state: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    for given in inputs:
        if not given.is_dir():
            yield given, (redacted_name(given) if target is None else target / given.name)
            continue
        files = list(walk(given, (*state, *(() if target is None else (target,)))))
        if target is None:
            made = {redacted_name(path) for path in files}
            made |= {beside(path) for path in made for beside in (_report_name, vault_name)}
            yield from ((path, redacted_name(path)) for path in files if path not in made)
        else:
            base = target / given.resolve().name if len(inputs) > 1 else target
            yield from ((path, base / path.relative_to(given)) for path in files)


def redacted_name(path: Path) -> Path:
    """`NAME-redacted.EXT` beside `path`, shortened where the file system's limit demands it."""
    return path.with_name(_fit(path.stem, MARK + path.suffix))


def _report_name(output: Path) -> Path:
    return output.with_name(_fit(output.name, ".report.json"))


def vault_name(output: Path) -> Path:
    """Where the vault of a result goes."""
    return output.with_name(_fit(output.name, ".vault.json"))


def _fit(stem: str, ending: str) -> str:
    room = NAME_MAX - len(os.fsencode(ending))
    raw = os.fsencode(stem)[:room]
    while raw:
        try:
            return raw.decode("utf-8") + ending
        except UnicodeDecodeError as error:
            if error.start < len(raw) - 3:  # odd bytes inside, not a character cut in two
                break
            raw = raw[:-1]
    return os.fsdecode(raw) + ending


def _check(jobs: Sequence[Job]) -> None:
    sources = {os.path.realpath(job.source) for job in jobs}
    seen: set[str] = set()
    for job in jobs:
        for place in job.places:
            real = os.path.realpath(place)
            if real in sources or (place.exists() and _same(place, job.source)):
                raise PathProblem(f"{show(place)} is an input; an original is never overwritten. Choose another --out.")
            if real in seen:
                raise PathProblem(f"Two results would be written to {show(place)}. Redact them one after another.")
            seen.add(real)


def _same(a: Path, b: Path) -> bool:
    try:
        return os.path.samefile(a, b)
    except OSError:
        return False


def show(path: Path | str) -> str:
    """A path for a terminal: control, direction and undecodable characters are written as escapes."""
    text = os.fspath(path)
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in text
    )
