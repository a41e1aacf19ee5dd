"""Reading scanned pages: words, values, boxes, speed and memory, and tesseract.js on the same pictures.

    python -m benchmarks.ocr [--pages N] [--variants clean,noisy,…] [--no-peer]

Ours reads scanned PDFs as the product does: two sandbox processes, pages drawn, read and written into the model.  The
peer gets the same pictures as PNG, on two workers, with its default English data.

- words: same text, punctuation at the edges aside, in boxes that overlap the true ones (IoU > 0.2).
- exact, folded: labelled values on the page, spaces aside; folded also takes O for 0 and l, I, i, | for 1.
- cover: words found whose box and two pixels hold 95 % of the true one.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import psutil

from anonify.documents import Page
from anonify.documents.tasks import EXTRACT, ExtractArgs
from anonify.ocr import OcrOptions, Reading, recognise_document
from anonify.ocr.load import LOAD, LoadArgs
from anonify.sandbox import BytesSource, MemorySink, Pool
from anonify.storage import Spool

from .scans import DPI, VARIANTS, ScanPage, degraded, make_pages, save
from .table import show

__all__ = ["main"]

SLOTS: Final = 2
PEER: Final = ("tesseract.js@7", "@tesseract.js-data/eng@1")

Found = tuple[str, tuple[float, float, float, float]]
"""A word and its box in pixels."""

_FOLD: Final = str.maketrans(dict.fromkeys("0O", "o") | dict.fromkeys("1iIl|", "l"))
_EDGES: Final = ".,;:()[]'\"|\u2014-_\u2018\u2019\u201c\u201d"


@dataclass(frozen=True, slots=True)
class Run:
    """What one reader made of one variant.

    Attributes:
        pages: words of every page.
        seconds: wall time.
        mib: largest resident size of one process.
    """

    pages: list[list[Found]]
    seconds: float
    mib: float


def read_ours(pages: Sequence[ScanPage]) -> Run:
    """Read with the product's own join, in the sandbox."""
    source = BytesSource(_scanned(pages))
    model, out = MemorySink(), MemorySink()
    with Pool(SLOTS) as pool, _Peak() as peak:
        with ThreadPoolExecutor(SLOTS) as threads:  # the peer's workers are started before its clock, too
            list(threads.map(lambda _: pool.run(LOAD, LoadArgs(), sources={}), range(SLOTS)))
        extracted = pool.run(EXTRACT, ExtractArgs("pdf"), sources={"source": source}, sinks={"model": model})
        lengths = tuple(extracted.lengths)
        where = Reading(pool, "pdf", source, BytesSource(model.getvalue()), lengths, OcrOptions(dpi=DPI), SLOTS)
        start = time.perf_counter()
        read, _ = recognise_document(where, extracted.extraction.pictures, out, Spool)
        seconds = time.perf_counter() - start
    data, found, place = out.getvalue(), [], 0
    for length in read:
        page = msgspec.json.decode(data[place : place + length], type=Page)
        place += length
        found.append([
            (page.text[span.start : span.end], _pixels(msgspec.structs.astuple(span.box)))
            for span in page.spans
            if span.box is not None
        ])  # fmt: skip
    return Run(found, seconds, peak.mib)


def _pixels(box: Sequence[float]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = (value * DPI / 72 for value in box)
    return x0, y0, x1, y1


def _scanned(pages: Sequence[ScanPage]) -> bytes:
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    for page in pages:
        width, height = page.image.width * 72 / DPI, page.image.height * 72 / DPI
        canvas.setPageSize((width, height))
        canvas.drawImage(ImageReader(page.image), 0, 0, width, height)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


class _Peak(threading.Thread):
    """The largest resident size of a child of this process."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._done = threading.Event()
        self.mib = 0.0

    def run(self) -> None:
        while not self._done.wait(0.1):
            for child in psutil.Process().children(recursive=True):
                try:
                    self.mib = max(self.mib, child.memory_info().rss / (1 << 20))
                except psutil.Error:
                    continue

    def __enter__(self) -> _Peak:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self.join()


def read_peer(pages: Sequence[ScanPage], prefix: Path) -> Run:
    """Read with tesseract.js, installed below `prefix`."""
    with tempfile.TemporaryDirectory() as folder:
        paths = save(pages, Path(folder))
        script = Path(__file__).with_name("peer_tesseract.js")
        command = ["node", str(script), str(prefix), *map(str, paths)]
        done = subprocess.run(command, capture_output=True, check=True, timeout=1800)
    answer = json.loads(done.stdout)
    found = [[(text, tuple(box)) for text, box in page] for page in answer["pages"]]
    return Run(found, answer["seconds"], answer["peak"] / (1 << 20))


def install_peer(prefix: Path) -> bool:
    """Install tesseract.js; False, with a word about it, where that cannot be done."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        print("SKIPPED: tesseract.js, since npm or node is not there", file=sys.stderr)
        return False
    command = [npm, "install", "--prefix", str(prefix), "--no-audit", "--no-fund", "--ignore-scripts", *PEER]
    done = subprocess.run(command, capture_output=True, check=False, timeout=600)
    if done.returncode != 0:
        print("SKIPPED: tesseract.js, since npm could not install it", file=sys.stderr)
    return done.returncode == 0


# Figures


@dataclass(slots=True)
class _Figures:
    true: int = 0
    found: int = 0
    covered: int = 0
    values: int = 0
    exact: int = 0
    folded: int = 0

    def add(self, page: ScanPage, words: Sequence[Found], *, placed: bool) -> None:
        by_text: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
        for text, box in words:
            by_text[text.strip(_EDGES)].append(box)
        for word in page.words:
            self.true += 1
            boxes = by_text.get(word.text.strip(_EDGES), [])
            best = max(boxes, key=lambda box: _iou(box, word.box), default=None)
            if best is not None and (not placed or _iou(best, word.box) > 0.2):
                self.found += 1
                grown = (best[0] - 2, best[1] - 2, best[2] + 2, best[3] + 2)
                self.covered += _shared(grown, word.box) >= 0.95 * _area(word.box)
        text = "".join("".join(word) for word, _ in words)
        self.values += len(page.values)
        squeezed = ["".join(value.split()) for value in page.values]
        self.exact += sum(value in text for value in squeezed)
        self.folded += sum(value.translate(_FOLD).casefold() in text.translate(_FOLD).casefold() for value in squeezed)

    def row(self, *, placed: bool) -> tuple[str, ...]:
        shares = ((self.found, self.true), (self.exact, self.values), (self.folded, self.values))
        cover = _percent(self.covered, self.found) if placed else "-"
        return (*(_percent(part, whole) for part, whole in shares), cover)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.1f}"


def _area(box: Sequence[float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _shared(one: Sequence[float], other: Sequence[float]) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0


def _iou(one: Sequence[float], other: Sequence[float]) -> float:
    shared = _shared(one, other)
    return shared / (_area(one) + _area(other) - shared) if shared else 0.0


def _row(name: str, reader: str, pages: Sequence[ScanPage], run: Run) -> tuple[str, ...]:
    placed = not name.startswith("skewed")  # its true boxes lie elsewhere
    figures = _Figures()
    for page, words in zip(pages, run.pages, strict=True):
        figures.add(page, words, placed=placed)
    speed = f"{60 * len(pages) / run.seconds:.1f}"
    return (name, reader, *figures.row(placed=placed), speed, f"{run.mib:.0f}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pages", type=int, default=24)
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--no-peer", action="store_true")
    given = parser.parse_args()
    rows = []
    pages = make_pages(given.pages)
    with tempfile.TemporaryDirectory() as folder:
        peer = not given.no_peer and install_peer(Path(folder))
        for name in given.variants.split(","):
            variant = [degraded(page, name) for page in pages]
            rows.append(_row(name, "anonify", variant, read_ours(variant)))
            if peer:
                rows.append(_row(name, "tesseract.js 7", variant, read_peer(variant, Path(folder))))
    columns = ("pages", "reader", "words %", "exact %", "folded %", "cover %", "pages/min", "MiB a process")
    show(f"Reading {given.pages} scanned pages at {DPI} dpi, two processes", columns, rows)


if __name__ == "__main__":
    main()
