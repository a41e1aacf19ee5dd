"""PDFs made in code, and a reader for them that shares nothing with the product."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Iterator

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream
from reportlab.pdfgen import canvas

from anonify.documents.format import ExtractOptions
from anonify.documents.gate import read_back
from anonify.documents.model import Extraction, Page
from anonify.documents.pdf import FORMAT
from anonify.documents.plan import RedactionPlan, RedactionResult, SweepValue
from anonify.sandbox.source import BytesSource, MemorySink

__all__ = [
    "KEPT",
    "SECRET",
    "Pages",
    "drawn",
    "everything",
    "extract",
    "gate",
    "holds",
    "page_stream",
    "pdftotext",
    "plan_for",
    "redact",
    "saved",
]

SECRET = "Marja Nordlund"
KEPT = "Greta Lindqvist"


class Pages:
    """A page sink that keeps what it gets."""

    def __init__(self) -> None:
        self.pages: list[Page] = []

    def page(self, page: Page, /) -> None:
        self.pages.append(page)


def plan_for(*values: str, keep_metadata: bool = False) -> RedactionPlan:
    longest = sorted(values, key=len, reverse=True)
    return RedactionPlan(sweep=tuple(SweepValue(v, "[REDACTED]") for v in longest), keep_metadata=keep_metadata)


def extract(data: bytes) -> tuple[list[Page], Extraction]:
    sink = Pages()
    extraction = FORMAT.extract(BytesSource(data), sink, ExtractOptions())
    return sink.pages, extraction


def redact(data: bytes, plan: RedactionPlan) -> tuple[bytes, RedactionResult]:
    sink = MemorySink()
    result = FORMAT.redact(BytesSource(data), sink, plan)
    return sink.getvalue(), result


def gate(source: bytes, artifact: bytes, plan: RedactionPlan) -> None:
    """The product's own verdict: both readers find nothing, every structure check holds."""
    for reader in ("own", "independent"):
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(artifact), plan, reader)
        assert verdict.opened
        assert verdict.survivors == ()
        assert verdict.failed == ()


def drawn(draw: Callable[[canvas.Canvas], object], pages: int = 1, size: tuple[float, float] = (595, 842)) -> bytes:
    """A file whose first page is drawn by `draw`; further pages say what number they have."""
    buffer = io.BytesIO()
    board = canvas.Canvas(buffer, pagesize=size, invariant=1)
    draw(board)
    board.showPage()
    for number in range(2, pages + 1):
        board.drawString(72, 700, f"Nothing to see on page {number} of this file")
        board.showPage()
    board.save()
    return buffer.getvalue()


def saved(pdf: pikepdf.Pdf) -> bytes:
    buffer = io.BytesIO()
    pdf.save(buffer, static_id=True)
    return buffer.getvalue()


def page_stream(pdf: pikepdf.Pdf, content: bytes, number: int = 0) -> None:
    """Add content to a page, with Helvetica as /F1."""
    page = pdf.pages[number]
    if "/Font" not in page.Resources:
        page.Resources.Font = Dictionary()
    fonts = page.Resources.Font
    fonts["/F1"] = pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    )
    page.contents_add(Stream(pdf, content))


def squash(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).casefold()


def holds(data: bytes, value: str) -> list[str]:
    """Where `value` can be recovered from the bytes of a PDF."""
    wanted = squash(value)
    return [place for place, text in everything(data) if wanted in squash(text)]


def everything(data: bytes, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every text that pdftotext, qpdf's objects and the raw bytes give, attachments included."""
    yield prefix + "bytes", data.decode("latin-1")
    for mode in ((), ("-raw",), ("-layout",)):
        yield prefix + "pdftotext" + "".join(mode), pdftotext(data, *mode)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for holder in pdf.objects:
            yield from _texts(holder, prefix)
            if isinstance(holder, Stream) and holder.get("/Subtype") != "/Image":
                content = holder.read_bytes()
                for codec in ("latin-1", "utf-8", "utf-16-be", "utf-16-le"):
                    yield f"{prefix}stream {holder.objgen[0]} {codec}", content.decode(codec, "replace")
                yield f"{prefix}shown {holder.objgen[0]}", _shown(content)
                if content[:5] == b"%PDF-":
                    yield from everything(content, f"{prefix}attached ")
            elif isinstance(holder, Stream):
                yield f"{prefix}image {holder.objgen[0]}", holder.read_raw_bytes().decode("latin-1")
        yield from _texts(pdf.trailer, prefix)


def _texts(holder: object, prefix: str) -> Iterator[tuple[str, str]]:
    stack = [holder]
    while stack:
        value = stack.pop()
        if isinstance(value, pikepdf.String):
            yield prefix + "string", str(value)
            yield prefix + "string bytes", bytes(value).decode("latin-1")
            for codec in ("utf-8", "utf-16-be"):
                yield f"{prefix}string {codec}", bytes(value).decode(codec, "replace")
        elif isinstance(value, Name):
            yield prefix + "name", str(value).replace("_", " ")
        elif isinstance(value, Array):
            stack += [item for item in value if not (isinstance(item, pikepdf.Object) and item.is_indirect)]
        elif isinstance(value, (Dictionary, Stream)):
            for key, item in value.items():
                yield prefix + "key", key.replace("_", " ")
                if not (isinstance(item, pikepdf.Object) and item.is_indirect):
                    stack.append(item)


def _shown(content: bytes) -> str:
    plain = "".join(match.decode("latin-1") for match in re.findall(rb"\(((?:[^()\\]|\\.)*)\)", content))
    digits = (match.decode() for match in re.findall(rb"(?:[0-9A-Fa-f]{2}){4,}", content))
    return plain + " ".join(bytes.fromhex(run).decode("latin-1").replace("\0", "") for run in digits)


def pdftotext(data: bytes, *options: str, page: int | None = None) -> str:
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("pdftotext is not installed: the independent proof needs it")
    chosen = [] if page is None else ["-f", str(page), "-l", str(page)]
    done = subprocess.run(
        [program, *options, *chosen, "-enc", "UTF-8", "-", "-"], input=data, capture_output=True, check=False
    )
    return done.stdout.decode("utf-8", "replace")
