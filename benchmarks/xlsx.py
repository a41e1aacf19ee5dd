"""Workbooks: reading, redacting and checking, beside openpyxl's loading and saving.  `python -m benchmarks.xlsx`

Seconds of processor time and peak resident memory, each row in a process of its own, one after another, the same file
for all.  openpyxl's row is what opening a workbook and saving it again costs, with nothing redacted.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]  # it has no stubs
from openpyxl.cell import WriteOnlyCell  # type: ignore[import-untyped]  # as above

from anonify.documents.format import ExtractOptions
from anonify.documents.gate import read_back
from anonify.documents.model import ModelWriter
from anonify.documents.plan import CellEdit, RedactionPlan, SweepValue
from anonify.documents.xlsx import FORMAT
from anonify.local.files import FileSource

from .inputs import SECRET, sentence
from .measure import run
from .table import show

__all__ = ["main"]

PEER = "openpyxl load and save"
SIZES = (10_000, 100_000, 1_000_000)
MEMORY_MIB = 400
"""What a workbook of a million cells may take (the specification)."""


def make(path: Path, cells: int) -> Path:
    """Ten columns of numbers, dates, masks and texts, half of them shared; a value in every thousandth row."""
    random_ = random.Random(cells)
    notes = [sentence(random_, 6) for _ in range(997)]
    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet("Data")
    page.append(["id", "name", "email", "city", "amount", "opened", "account", "note", "share", "code"])

    def formatted(value: float, code: str) -> WriteOnlyCell:
        cell = WriteOnlyCell(page, value=value)
        cell.number_format = code
        return cell

    for row in range(cells // 10):
        email = SECRET if row % 1000 == 0 else f"user{row}@example.net"
        page.append([
            row, f"Person {row}", email, notes[row % 89][:12], row * 3.17, formatted(43_000 + row % 900, "yyyy-mm-dd"),
            formatted(row * 7, "00000000"), notes[row % 997], formatted(row % 100 / 100, "0%"), row * 11,
        ])  # fmt: skip
    book.save(path)
    return _with_shared_strings(path)


def _with_shared_strings(path: Path) -> Path:
    """As spreadsheets save it: openpyxl writes texts of write-only sheets into their cells."""
    openpyxl.load_workbook(path).save(path)
    return path


class _Nowhere:
    """A sink that counts."""

    size = 0

    def write(self, data: bytes, /) -> None:
        self.size += len(data)


def plan(*, column: bool = False) -> RedactionPlan:
    cells = (CellEdit(0, None, 2, "[NAME]"),) if column else ()
    return RedactionPlan(sweep=(SweepValue(SECRET, "[REDACTED]"),), cells=cells)


def read(path: Path) -> None:
    """Extraction as the product does it."""
    with FileSource(path) as source:
        FORMAT.extract(source, ModelWriter(_Nowhere()), ExtractOptions())


def redact(path: Path) -> None:
    """A value that stands in every thousandth row."""
    _redact(path, plan())


def number(path: Path) -> None:
    """A number as displayed: every cell's format is looked at."""
    _redact(path, RedactionPlan(sweep=(SweepValue("00041174", "[REDACTED]"),)))


def column(path: Path) -> None:
    """The same and a whole column of names."""
    _redact(path, plan(column=True))


def _redact(path: Path, wanted: RedactionPlan) -> Path:
    out = path.with_suffix(".out")
    with FileSource(path) as source, out.open("wb") as file:

        class Sink:
            def write(self, data: bytes, /) -> None:
                file.write(data)

        FORMAT.redact(source, Sink(), wanted)
    return out


def check(path: Path) -> None:
    """Both readers and every check, on what `redact` made."""
    with FileSource(path) as source, FileSource(path.with_suffix(".out")) as artifact:
        for reader in ("own", "independent"):
            verdict = read_back(FORMAT, source, artifact, plan(), reader)
            if not verdict.opened or verdict.survivors or verdict.failed:
                raise RuntimeError("the artifact does not hold")


def peer(path: Path) -> None:
    """openpyxl: load and save."""
    openpyxl.load_workbook(path).save(path.with_suffix(".peer.xlsx"))


TASKS: dict[str, Callable[[Path], None]] = {
    "read": read,
    "redact": redact,
    "redact a number": number,
    "redact a column": column,
    "check (both readers)": check,
    PEER: peer,
}


def _one(name: str, path: Path) -> None:
    start = time.process_time()
    TASKS[name](path)
    print(json.dumps(time.process_time() - start))


def main() -> None:
    """Print the tables."""
    if len(sys.argv) > 2:
        _one(sys.argv[1], Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as folder:
        rows: list[list[object]] = []
        seconds: dict[tuple[int, str], float] = {}
        for cells in SIZES:
            path = make(Path(folder) / f"{cells}.xlsx", cells)
            for name in TASKS:
                measured = run([sys.executable, "-m", "benchmarks.xlsx", name, str(path)])
                if measured.status:
                    raise RuntimeError(name)
                taken = seconds[cells, name] = float(json.loads(measured.stdout))
                rows.append(
                    [f"{cells:,}", name, f"{taken:.2f}", f"{taken / cells * 1e6:.1f}", f"{measured.peak_process:.0f}"]
                )
        show("Workbooks", ("cells", "what", "seconds", "µs a cell", "peak MiB"), rows)
        names = ("redact", "redact a number", "redact a column")
        compared = [
            [f"{cells:,}", *(f"{seconds[cells, PEER] / seconds[cells, name]:.1f}" for name in names)] for cells in SIZES
        ]
        show("openpyxl's load and save takes this many times", ("cells", *names), compared)


if __name__ == "__main__":
    main()
