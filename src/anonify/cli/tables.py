"""Tables and bars for people."""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from anonify.local.wanted import Result

from .inputs import show

__all__ = ["Shown", "progress", "redaction_table", "simple_table"]

EVERY_SECONDS: Final = 10.0
"""How often a log is told about progress."""

BECAME: Final = {
    "mask": "masked",
    "pseudonymize": "pseudonymized",
    "encrypt": "encrypted",
    "tokenize": "tokenized",
}

MANY: Final = 60
"""Beyond this many files only those that failed are listed."""


Counts = Callable[[str], tuple[int, int]]


class Shown(Protocol):
    """Progress that somebody watches."""

    def advance(self) -> None:
        """A file is done."""

    def inside(self, counts: Counts) -> None:
        """How far the files at work are; called often.  Asked for `read` and `redacted` documents and `pictures`."""


@contextlib.contextmanager
def progress(console: Console, total: int, done: int = 0) -> Iterator[Shown]:
    """A bar on a terminal, a line now and then in a log."""
    if not console.is_terminal:
        yield _Lines(console, total, done)
        return
    columns = (
        TextColumn("redacting"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        yield _Bar(bar, bar.add_task("", total=total, completed=done))


class _Bar:
    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar = bar
        self._task = task

    def advance(self) -> None:
        self._bar.advance(self._task)

    def inside(self, counts: Counts) -> None:
        self._bar.update(self._task, description=_inside(counts))


class _Lines:
    def __init__(self, console: Console, total: int, done: int) -> None:
        self._console = console
        self._total = total
        self._done = done
        self._said = time.monotonic()

    def advance(self) -> None:
        self._done += 1
        if self._done < self._total:
            self._say(f"{self._done} of {self._total} files done.")

    def inside(self, counts: Counts) -> None:
        said = _inside(counts)
        if said:
            self._say(said + ".")

    def _say(self, text: str) -> None:
        now = time.monotonic()
        if now - self._said >= EVERY_SECONDS:
            self._said = now
            self._console.print(Text(text))


def _inside(counts: Counts) -> str:
    """Nothing when nothing inside the files is under way."""
    said = {what: counts(what) for what in ("redacted", "read", "pictures")}
    parts = [f"{said[what][0]} of {said[what][1]} documents inside {what}" for what in ("read", "redacted")]
    parts = [part for part, what in zip(parts, ("read", "redacted"), strict=True) if said[what][0] < said[what][1]]
    done, total = said["pictures"]
    if done < total:
        parts.append(f"reading pictures: {done} of {total} pages")
    return ", ".join(parts)


def redaction_table(console: Console, results: Sequence[Result], total: int, *, skipped: int = 0) -> None:
    """What was removed from each file, how it was verified, and where the result lies."""
    failed = [result for result in results if result.status == "failed"]
    listed = sorted(results if len(results) <= MANY else failed, key=lambda result: result.input)
    listed += [one for result in results for one in result.each() if one.name is not None and one.status == "failed"]
    if listed:
        table = _table("file", "kind", "removed", "verified", "output")
        root = _common([result.input for result in listed])
        for result in listed:
            table.add_row(*_row(result, root))
        console.print(table)
    _summary(console, results, failed, total, skipped)


def _row(result: Result, root: str) -> tuple[Text, ...]:
    shown = os.path.relpath(result.input, root) if root else result.input
    name = Text(show(shown if result.name is None else f"{shown} ({result.name})"))
    if result.status == "failed":
        why = Text(f"{result.error_code}: {result.error}", style="red")
        written = "none written" if result.name is None else "left out"
        return name, Text(result.kind or "-"), why, Text("-"), Text(written, style="red")
    removed = _counted(result.removed or {}) or "nothing found"
    if result.methods:
        removed += f" ({_by_method(result.methods)})"
    if result.verified_values:
        verified = f"{result.verified_values} {_plural('value', result.verified_values)} gone, by 2 readers"
    else:
        verified = "read back by 2 readers"
    columns = sum(count for name, count in (result.removed or {}).items() if name.endswith(" column"))
    if columns:  # a cell is proved by its place: its content need not be a value that is searched for
        verified += f", {columns} {_plural('column', columns)} blank in every row"
    return name, Text(result.kind or "-"), Text(removed), Text(verified, style="green"), Text(show(result.output or ""))


def _summary(console: Console, results: Sequence[Result], failed: Sequence[Result], total: int, skipped: int) -> None:
    ready = [result for result in results if result.status != "failed"]
    removed: Counter[str] = Counter()
    for result in ready:
        removed.update(result.removed or {})
    parts = [f"{len(ready)} of {total} {_plural('file', total)} redacted and verified"]
    if skipped:
        parts.append(f"{skipped} of them by an earlier run")
    if failed:
        parts.append(f"{len(failed)} refused")
    inside = [one for result in ready for one in result.each() if one.name is not None]
    if inside:
        out = sum(one.status == "failed" for one in inside)
        parts.append(f"{len(inside) - out} of {len(inside)} {_plural('document', len(inside))} inside")
    console.print(Text(", ".join(parts) + f"; {removed.total()} {_plural('place', removed.total())} removed."))
    vaults = sum(result.vault is not None for result in ready)
    if vaults:
        written = f"{vaults} {_plural('vault', vaults)} written beside the output"
        console.print(Text(f"{written}: whoever holds one can read what was tokenized and encrypted.", style="yellow"))
    degraded = sorted({reason for result in ready for one in result.each() for reason in one.degraded})
    if degraded:
        console.print(Text(f"Analysis fell short ({', '.join(degraded)}): look for what it missed.", style="yellow"))
    if any(result.undecided for result in ready):
        console.print(Text("Suggestions that nobody accepted are still in the files; see --accept.", style="dim"))


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _by_method(values: dict[str, int]) -> str:
    """How many distinct values became what: `3 values tokenized, 1 masked`."""
    first, *others = [(count, BECAME[method]) for method, count in values.items()]
    said = [f"{first[0]} {_plural('value', first[0])} {first[1]}", *(f"{count} {word}" for count, word in others)]
    return ", ".join(said)


def _plural(word: str, count: int) -> str:
    return word if count == 1 else word + "s"


def _common(paths: Sequence[str]) -> str:
    """The folder all inputs share, so that names stay short."""
    if len(paths) < 2:
        return ""
    try:
        return os.path.commonpath([os.path.dirname(path) for path in paths])
    except ValueError:
        return ""


def _table(*heads: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold")
    return table


def simple_table(console: Console, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of plain texts."""
    table = _table(*heads)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
