"""PDF: text with boxes, growth, redaction and its check, page images, bytes read.  `python -m benchmarks.pdf`

Speeds are pages a second of processor time, each row in a process of its own, one after another; wall time where it
says so.  pdfminer.six is measured where it is installed.
"""

from __future__ import annotations

import io
import json
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pikepdf

from anonify.documents.format import ExtractOptions, RenderOptions
from anonify.documents.gate import read_back
from anonify.documents.model import Box, ModelWriter
from anonify.documents.pdf import FORMAT
from anonify.documents.pdf.opening import open_drawn
from anonify.documents.pdf.read import loaded, read_page
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.documents.tasks import RENDER, RenderArgs
from anonify.local.files import FileSource
from anonify.sandbox import Pool
from anonify.sandbox.source import BytesSource, MemorySink, Source

from .inputs import SECRET, sentence
from .measure import run
from .table import show

__all__ = ["main"]

CHARACTERS = 5_100
_MAIL = re.compile(r"\S+@\S+")


def make(path: Path, pages: int) -> Path:
    """A text PDF of about 5,100 characters a page; three values a page."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    random_ = random.Random(pages)
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    for page in range(pages):
        canvas.setFont("Helvetica", 8)
        for line in range(CHARACTERS // 85):
            text = f"{SECRET} {page}.{line} " if line % 20 == 5 else ""
            canvas.drawString(40, 800 - line * 12.5, (text + sentence(random_, 16))[:85].ljust(85, "."))
        canvas.showPage()
    canvas.save()
    return path


class _Nowhere:
    """A sink that counts."""

    size = 0

    def write(self, data: bytes, /) -> None:
        self.size += len(data)


class _Counting:
    """A source that counts what is read of it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.reads = self.bytes = 0

    @property
    def size(self) -> int:
        return len(self._data)

    def read(self, offset: int, length: int) -> bytes:
        data = self._data[offset : offset + length]
        self.reads, self.bytes = self.reads + 1, self.bytes + len(data)
        return data


def ours(path: Path) -> int:
    """Extraction as the product does it, every glyph's box written out."""
    with FileSource(path) as source:
        return FORMAT.extract(source, ModelWriter(_Nowhere()), ExtractOptions()).pages


def hits(path: Path) -> int:
    """The text of every page, boxes of what a pattern finds in it."""
    with FileSource(path) as source, open_drawn(source) as document:
        for number in range(1, len(document) + 1):
            with loaded(document, number, flat=True) as page:
                read = read_page(page)
                for match in _MAIL.finditer(read.text):
                    list(map(Box, *read.part(*match.span())))
        return len(document)


def text(path: Path) -> int:
    """PDFium's text of every page and nothing else."""
    with FileSource(path) as source, open_drawn(source) as document:
        for number in range(len(document)):
            page = document[number]
            page.get_textpage().get_text_range()
            page.close()
        return len(document)


def pdfminer(path: Path) -> int:
    """pdfminer.six with its layout analysis, a box for every character."""
    from pdfminer.high_level import extract_pages  # type: ignore[import-not-found]  # measured where it is installed
    from pdfminer.layout import LAParams, LTChar  # type: ignore[import-not-found]  # as above

    count = 0
    for page in extract_pages(str(path), laparams=LAParams()):
        stack = list(page)
        while stack:
            item = stack.pop()
            if isinstance(item, LTChar):
                _ = item.bbox
            elif hasattr(item, "__iter__"):
                stack += list(item)
        count += 1
    return count


JOBS: dict[str, Callable[[Path], int]] = {"ours": ours, "hits": hits, "text": text, "pdfminer": pdfminer}
LABELS = {
    "ours": "ours, all boxes, model written",
    "hits": "ours, boxes for hits only",
    "text": "PDFium, text alone",
    "pdfminer": "pdfminer.six, all boxes",
}


def one(job: str, path: Path) -> None:
    """The body of a measured process."""
    start = time.process_time()
    pages = JOBS[job](path)
    print(json.dumps({"pages": pages, "seconds": time.process_time() - start}))


def measured(job: str, path: Path) -> tuple[float, float]:
    """Pages a second of processor time, and the process's peak in MiB."""
    done = run([sys.executable, "-m", "benchmarks.pdf", "--one", job, str(path)])
    said = json.loads(done.stdout)
    return said["pages"] / said["seconds"], done.peak_process


def extraction(folder: Path) -> None:
    path, short = make(folder / "text.pdf", 300), make(folder / "short.pdf", 40)
    _, idle = measured("ours", make(folder / "one.pdf", 1))
    rows = []
    for job, label in LABELS.items():
        if job == "pdfminer" and find_spec("pdfminer") is None:
            rows.append((label, "not installed", "", ""))
            continue
        speed, peak = measured(job, short if job == "pdfminer" else path)
        rows.append((label, f"{speed:.0f}", f"{peak:.0f}", f"{peak - idle:+.0f}"))
    show(f"Text of a page of {CHARACTERS} characters", ("reader", "pages/s", "peak MiB", "over one page"), rows)
    rows = []
    for pages in (200, 600, 2_000):
        speed, peak = measured("ours", make(folder / f"{pages}.pdf", pages))
        rows.append((str(pages), f"{speed:.0f}", f"{peak:.0f}", f"{peak - idle:+.0f}"))
    show("Growth, all boxes", ("pages", "pages/s", "peak MiB", "over one page"), rows)


def redaction(folder: Path) -> None:
    source = BytesSource(make(folder / "redact.pdf", 30).read_bytes())
    plan = RedactionPlan(sweep=(SweepValue(SECRET, "[E-MAIL]"),))
    sink, start = MemorySink(), time.process_time()
    result = FORMAT.redact(source, sink, plan)
    rows = [("redact", f"{30 / (time.process_time() - start):.1f}")]
    artifact = BytesSource(sink.getvalue())
    for reader in ("own", "independent"):
        start = time.process_time()
        verdict = read_back(FORMAT, source, artifact, plan, reader)
        if verdict.survivors or verdict.failed or not verdict.opened:
            raise SystemExit("the artifact did not verify")
        rows.append((f"verify, {reader} reader", f"{30 / (time.process_time() - start):.1f}"))
    show("Redaction of 30 pages, each with values", ("step", "pages/s"), rows)
    print(f"{len(result.rebuilt_pages)} pages rebuilt, {artifact.size / 30 / 1024:.0f} KiB a page")


def images(folder: Path) -> None:
    source: Source = BytesSource(make(folder / "images.pdf", 1_000).read_bytes())
    pages = [1, *random.Random(1).sample(range(1, 1_001), 40)]
    took = []
    with Pool(1) as pool:
        for page in pages:
            start = time.perf_counter()
            sink = MemorySink()
            pool.run(
                RENDER,
                RenderArgs("pdf", page, RenderOptions(scale=2.0)),
                sources={"source": source},
                sinks={"image": sink},
            )
            took.append((time.perf_counter() - start) * 1_000)
    warm = took[1:]
    show(
        "A page image at 144 dpi through the sandbox, wall time, of a file of 1,000 pages",
        ("first ms", "median ms", "95 % ms"),
        [(f"{took[0]:.0f}", f"{statistics.median(warm):.0f}", f"{sorted(warm)[int(len(warm) * 0.95)]:.0f}")],
    )


def forms(path: Path) -> Iterator[tuple[str, bytes]]:
    """One file in the forms its objects can be kept in."""
    yield "classic", path.read_bytes()
    with pikepdf.open(path) as pdf:
        for name, options in (
            ("object streams", {"object_stream_mode": pikepdf.ObjectStreamMode.generate}),
            ("linearised", {"linearize": True}),
        ):
            buffer = io.BytesIO()
            pdf.save(buffer, **options)
            yield name, buffer.getvalue()


def ranges(folder: Path) -> None:
    rows = []
    for pages in (1_000, 3_000):
        for name, data in forms(make(folder / f"ranges{pages}.pdf", pages)):
            cells = []
            for page in (None, 1, pages // 2, pages):
                source = _Counting(data)
                with open_drawn(source) as document:
                    if page is not None:
                        with loaded(document, page, flat=False) as drawn:
                            drawn.render(scale=1.0).close()
                cells.append(f"{source.bytes / 1024:.0f} ({source.reads})")
            rows.append((f"{pages}, {name}", f"{len(data) / 1024:.0f}", *cells))
    show(
        "KiB read (in so many reads) to open a file and draw one page",
        ("pages, form", "size", "open", "first", "middle", "last"),
        rows,
    )


def main() -> None:
    """Print every table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in (extraction, redaction, images, ranges):
            part(folder)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], Path(sys.argv[3]))
    else:
        main()
