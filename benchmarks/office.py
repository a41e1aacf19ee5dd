"""Word and PowerPoint files: reading, redacting and checking, beside python-docx and python-pptx.

`python -m benchmarks.office`.  Seconds of processor time and peak resident memory, each row in a process of its own,
one after another, the same file for all.  The libraries' rows are what opening a file, replacing the value in every run
and saving costs; they find the value only because no run cuts it here.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import docx
import pptx
from docx.document import Document
from docx.enum.text import WD_BREAK
from docx.text.paragraph import Paragraph
from pptx.presentation import Presentation
from pptx.text.text import TextFrame
from pptx.util import Inches

from anonify.documents.format import ExtractOptions, Format
from anonify.documents.gate import read_back
from anonify.documents.model import ModelWriter
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.documents.register import by_kind
from anonify.local.files import FileSource

from .inputs import SECRET, sentence
from .measure import run
from .table import show

__all__ = ["main", "make_document", "make_presentation"]

SIZES = (10, 100, 1_000)
MARKER = "[REDACTED]"
PLAN = RedactionPlan(sweep=(SweepValue(SECRET, MARKER),))


def make_document(path: Path, pages: int) -> Path:
    """Pages of about 3,000 characters in runs of several fonts, a table on every fifth; every tenth names the value."""
    random_ = random.Random(pages)
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = sentence(random_, 5)
    for page in range(pages):
        document.add_heading(sentence(random_, 4), level=2)
        for number in range(6):
            _runs(document.add_paragraph(), random_, SECRET if page % 10 == 0 and number == 3 else "")
        if page % 5 == 0:
            table = document.add_table(rows=4, cols=4)
            for row in table.rows:
                for cell in row.cells:
                    cell.text = sentence(random_, 3)
        document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    document.save(str(path))
    return path


def _runs(paragraph: Paragraph, random_: random.Random, secret: str) -> None:
    for number in range(5):
        run_ = paragraph.add_run(sentence(random_, 14) + " ")
        run_.bold = number % 2 == 1 or None
        run_.italic = number == 3 or None
    if secret:
        paragraph.add_run(f"Write to {secret} about it.")


def make_presentation(path: Path, slides: int) -> Path:
    """Slides with a title, a list, a table on every fifth and notes on every fourth; every tenth names the value."""
    random_ = random.Random(slides)
    deck = pptx.Presentation()
    layout = deck.slide_layouts[1]
    for number in range(slides):
        slide = deck.slides.add_slide(layout)
        title, body = list(slide.placeholders)[:2]
        title.text_frame.text = sentence(random_, 4)
        frame = body.text_frame
        for _ in range(8):
            paragraph = frame.add_paragraph()
            for part in range(3):
                piece = paragraph.add_run()
                piece.text = sentence(random_, 5)
                piece.font.bold = part == 1
        if number % 10 == 0:
            frame.paragraphs[0].add_run().text = f"Write to {SECRET} about it."
        if number % 5 == 0:
            shape = slide.shapes.add_table(4, 4, Inches(1), Inches(4), Inches(8), Inches(2))
            for cell in shape.table.iter_cells():
                cell.text = sentence(random_, 3)
        if number % 4 == 0 and (notes := slide.notes_slide.notes_text_frame) is not None:
            notes.text = sentence(random_, 30)
    deck.save(str(path))
    return path


class _Nowhere:
    """A sink that counts."""

    size = 0

    def write(self, data: bytes, /) -> None:
        self.size += len(data)


def _format(path: Path) -> Format:
    return by_kind(path.suffix[1:])


def read(path: Path) -> None:
    """Extraction as the product does it."""
    with FileSource(path) as source:
        _format(path).extract(source, ModelWriter(_Nowhere()), ExtractOptions())


def redact(path: Path) -> None:
    """A value that stands on every tenth page."""
    with FileSource(path) as source, path.with_suffix(".out").open("wb") as file:

        class Sink:
            def write(self, data: bytes, /) -> None:
                file.write(data)

        _format(path).redact(source, Sink(), PLAN)


def check(path: Path) -> None:
    """Both readers and every check, on what `redact` made."""
    with FileSource(path) as source, FileSource(path.with_suffix(".out")) as artifact:
        for reader in ("own", "independent"):
            verdict = read_back(_format(path), source, artifact, PLAN, reader)
            if not verdict.opened or verdict.survivors or verdict.failed:
                raise RuntimeError("the artifact does not hold")


def peer(path: Path) -> None:
    """Open, replace in every run, save."""
    out = str(path.with_suffix(".peer"))
    if path.suffix == ".docx":
        document = docx.Document(str(path))
        for paragraph in _paragraphs(document):
            _replace(paragraph.runs)
        document.save(out)
    else:
        deck = pptx.Presentation(str(path))
        for frame in _frames(deck):
            for line in frame.paragraphs:
                _replace(line.runs)
        deck.save(out)


def _replace(runs: Iterable[object]) -> None:
    for item in runs:
        text = str(item.text)  # type: ignore[attr-defined]  # runs of two libraries that share no base
        if SECRET in text:
            item.text = text.replace(SECRET, MARKER)  # type: ignore[attr-defined]  # as above


def _paragraphs(document: Document) -> Iterator[Paragraph]:
    yield from document.paragraphs
    for table in document.tables:
        for row in table.rows:
            for cell in row.cells:
                yield from cell.paragraphs
    for section in document.sections:
        yield from (*section.header.paragraphs, *section.footer.paragraphs)


def _frames(deck: Presentation) -> Iterator[TextFrame]:
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                yield shape.text_frame
            elif shape.has_table:
                yield from (cell.text_frame for cell in shape.table.iter_cells())
        if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
            yield notes


TASKS: dict[str, Callable[[Path], None]] = {
    "read": read,
    "redact": redact,
    "check (both readers)": check,
    "library": peer,
}


def _one(name: str, path: Path) -> None:
    _format(path)  # imports are nobody's work on the file
    start = time.process_time()
    TASKS[name](path)
    print(json.dumps(time.process_time() - start))


def _table(title: str, unit: str, paths: dict[int, Path]) -> None:
    rows: list[list[object]] = []
    base: dict[str, float] = {}
    for size, path in paths.items():
        seconds: dict[str, float] = {}
        peaks: dict[str, float] = {}
        for name in TASKS:
            measured = run([sys.executable, "-m", "benchmarks.office", name, str(path)])
            if measured.status:
                raise RuntimeError(name)
            seconds[name], peaks[name] = float(json.loads(measured.stdout)), measured.peak_process
        seconds["read and redact"] = seconds["read"] + seconds["redact"]
        peaks["read and redact"] = max(peaks["read"], peaks["redact"])
        for name, taken in seconds.items():
            growth = taken / base.setdefault(name, taken)
            ratio = seconds["library"] / taken
            rows.append([f"{size:,}", name, f"{taken:.2f}", f"{growth:.1f}", f"{ratio:.1f}", f"{peaks[name]:.0f}"])
    show(title, (unit, "what", "seconds", "times first", "library takes times", "peak MiB"), rows)


def main() -> None:
    """Print the tables."""
    if len(sys.argv) > 2:
        _one(sys.argv[1], Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        _table("Word", "pages", {size: make_document(made / f"{size}.docx", size) for size in SIZES})
        _table("PowerPoint", "slides", {size: make_presentation(made / f"{size}.pptx", size) for size in SIZES})


if __name__ == "__main__":
    main()
