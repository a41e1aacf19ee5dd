"""The whole way of a document: upload, run, decisions, export, verification.  `python -m benchmarks.pipeline`

Each row is one `anonify redact` process: start-up, engine, sandbox and both verifying readers are in the figure.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from . import inputs
from .measure import Measured, run
from .table import show

__all__ = ["main"]

_COMMAND = [sys.executable, "-m", "anonify", "redact", "--json", "--force", "--redact", inputs.SECRET]


def _redact(target: Path, out: Path) -> Measured:
    measured = run([*_COMMAND, str(target), "--out", str(out)])
    lines = [json.loads(line) for line in measured.stdout.splitlines()]
    bad = [line["errorCode"] for line in lines if line["status"] != "ready"]
    if measured.status or bad or not lines:
        raise SystemExit(f"redact failed: status {measured.status}, codes {bad}")
    return measured


def _row(size: int, rate: float, measured: Measured, base: float) -> list[object]:
    growth = measured.seconds / base
    return [
        size,
        f"{measured.seconds:.1f}",
        f"{rate:.1f}",
        f"{growth:.2f}",
        f"{measured.peak_process:.0f}",
        f"{measured.peak_tree:.0f}",
    ]


def _columns(unit: str, rate: str) -> list[str]:
    return [unit, "seconds", rate, "times first row", "peak MiB of a process", "peak MiB of all"]


def pdf(folder: Path, sizes: tuple[int, ...]) -> None:
    """Text PDFs of growing length."""
    rows: list[list[object]] = []
    base = 0.0
    for pages in sizes:
        measured = _redact(inputs.make_pdf(folder / f"{pages}.pdf", pages), folder / f"out-{pages}.pdf")
        base = base or measured.seconds
        rows.append(_row(pages, pages / measured.seconds, measured, base))
    show("Text PDF, one page in ten holds the value", _columns("pages", "pages/s"), rows)


def table(folder: Path, sizes: tuple[int, ...]) -> None:
    """CSV files of growing size."""
    rows: list[list[object]] = []
    base = 0.0
    for megabytes in sizes:
        source = inputs.make_csv(folder / f"{megabytes}.csv", megabytes)
        measured = _redact(source, folder / f"out-{megabytes}.csv")
        base = base or measured.seconds
        rows.append(_row(megabytes, megabytes / measured.seconds, measured, base))
        source.unlink()
    show("CSV, one row in a thousand holds the value", _columns("MB", "MB/s"), rows)


def docx(folder: Path, sizes: tuple[int, ...]) -> None:
    """Folders of one-page DOCX files, redacted at once."""
    rows: list[list[object]] = []
    base = 0.0
    for count in sizes:
        source = folder / f"in-{count}"
        source.mkdir()
        for number in range(count):
            inputs.make_docx(source / f"{number:04}.docx", number)
        measured = _redact(source, folder / f"out-{count}")
        base = base or measured.seconds
        rows.append(_row(count, count / measured.seconds, measured, base))
    show("One-page DOCX files at once", _columns("files", "files/s"), rows)


def main(scale: float = 1.0) -> None:
    """Print the three tables; `scale` shrinks the inputs for a quick look."""
    with tempfile.TemporaryDirectory(prefix="anonify-bench-") as name:
        folder = Path(name)
        pdf(folder, tuple(max(1, int(n * scale)) for n in (125, 250, 500)))
        table(folder, tuple(max(1, int(n * scale)) for n in (50, 100, 200)))
        docx(folder, tuple(max(1, int(n * scale)) for n in (25, 50, 100)))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
