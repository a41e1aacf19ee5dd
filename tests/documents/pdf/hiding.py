"""What hiding places of a PDF have in common: how they are planted, and readers that would find what is left."""

from __future__ import annotations

import contextlib
import importlib.util
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream

from tests.shared import SHARED

from .making import drawn, gate, holds, page_stream, plan_for, redact, saved

__all__ = [
    "KEPT",
    "SECRET",
    "Place",
    "annotate",
    "check",
    "draw_picture",
    "form",
    "form_root",
    "found_in_source",
    "host",
    "names",
    "picture",
    "planted",
    "recovered",
    "resource",
]

SECRET = "Marja Nordlund"
KEPT = "Greta Lindqvist"

Plant = Callable[[pikepdf.Pdf, str], None]


@dataclass(frozen=True)
class Place:
    """How to hide a text.

    Attributes:
        plant: hides the text.
        twin: whether a twin is hidden too, and survives.
        keep: whether the user asked to keep metadata.
        hard: whether the readers of this module do not find the secret in the source either (it is encoded there).
    """

    plant: Plant
    twin: bool = False
    keep: bool = False
    hard: bool = False


def host() -> bytes:
    """Two pages of harmless text."""
    return drawn(lambda board: board.drawString(72, 780, "A letter about somebody"), pages=2)


def planted(place: Place, *texts: str) -> bytes:
    """The host with `texts` hidden in it."""
    with pikepdf.open(io.BytesIO(host())) as pdf:
        page_stream(pdf, b"", 0)
        page_stream(pdf, b"", 1)
        for text in texts:
            place.plant(pdf, text)
        return saved(pdf)


def check(place: Place) -> None:
    """Hide, redact, and look for what is left."""
    source = planted(place, *((SECRET, KEPT) if place.twin else (SECRET,)))
    plan = plan_for(SECRET, keep_metadata=place.keep)
    if not place.hard:
        found_in_source(source)

    artifact, result = redact(source, plan)

    left = recovered(artifact, SECRET)
    assert left == [], left
    gate(source, artifact, plan)
    assert result.swept + sum(named.count for named in result.named) >= 1, "nothing was said about it"
    if place.twin:
        assert recovered(artifact, KEPT), "the neighbour is lost"


def found_in_source(source: bytes) -> None:
    """See that the place hides something; some places only the shared leak checker looks into."""
    found = recovered(source, SECRET)
    if not found and _leakcheck() is None:
        pytest.skip("only the shared leak checker sees this place, and the shared data is absent")
    assert found, "the place hides nothing"


@cache
def _leakcheck() -> ModuleType | None:
    if SHARED is None or not (SHARED / "zoo" / "leakcheck.py").is_file():
        return None
    spec = importlib.util.spec_from_file_location("leakcheck", SHARED / "zoo" / "leakcheck.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def recovered(data: bytes, value: str) -> list[str]:
    """Where `value` can be got from: raw bytes, strings, every decoded stream, poppler, and the shared leak checker."""
    found = holds(data, value)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for holder in pdf.objects:
            if isinstance(holder, Stream):
                found += [f"stream {holder.objgen[0]}" for part in _samples(holder) if _spelt(part, value)]
    found += [f"name {name}" for name in content_names(data) if value in name]
    found += ["inline picture" for part in inline_pictures(data) if _spelt(part, value)]
    checker = _leakcheck()
    if checker is not None:
        status, leaks, _ = checker.check(data, "pdf", [value], ocr="never")
        assert status != 2, leaks
        found += [leak["where"] for leak in leaks]
    return found


def inline_pictures(data: bytes) -> list[bytes]:
    """The decoded samples of pictures written into content."""
    found = []
    with pikepdf.open(io.BytesIO(data)) as pdf:
        streams = [holder for holder in pdf.objects if isinstance(holder, Stream)]
        for holder in streams:
            if holder.get("/Subtype") == "/Form" or any(holder.objgen == p.obj.Contents.objgen for p in pdf.pages):
                for made in pikepdf.parse_content_stream(holder):
                    if isinstance(made, pikepdf.ContentStreamInlineImage):
                        found.append(made.iimage.read_bytes())
    return found


def content_names(data: bytes) -> list[str]:
    """The names in pages' content, as words."""
    found = []
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for page in pdf.pages:
            for instruction in pikepdf.parse_content_stream(page):
                found += [str(item).replace("_", " ") for item in instruction.operands if isinstance(item, Name)]
    return found


def _samples(holder: Stream) -> list[bytes]:
    parts = [holder.read_raw_bytes()]
    # A filter that qpdf only knows how to keep: its raw bytes are looked at.
    with contextlib.suppress(pikepdf.PikepdfError):
        parts.append(holder.read_bytes(pikepdf.StreamDecodeLevel.specialized))
    return parts


def _spelt(data: bytes, value: str) -> bool:
    lowered = data.lower()
    return any(value.lower().encode(codec) in lowered for codec in ("latin-1", "utf-16-be", "utf-16-le"))


def annotate(pdf: pikepdf.Pdf, number: int = 0, **entries: Any) -> Any:
    """A new annotation of a page."""
    page = pdf.pages[number]
    if "/Annots" not in page:
        page.Annots = Array()
    made = pdf.make_indirect(Dictionary(Type=Name.Annot, F=4, Rect=Array([72, 300, 200, 320]), **entries))
    page.Annots.append(made)
    return made


def form_root(pdf: pikepdf.Pdf) -> Any:
    """The interactive form."""
    if "/AcroForm" not in pdf.Root:
        pdf.Root.AcroForm = Dictionary(Fields=Array(), DA=pikepdf.String("/Helv 12 Tf 0 g"))
    return pdf.Root.AcroForm


def names(pdf: pikepdf.Pdf, key: str) -> Any:
    """The leaf of a name tree of the catalog."""
    if "/Names" not in pdf.Root:
        pdf.Root.Names = Dictionary()
    if key not in pdf.Root.Names:
        pdf.Root.Names[key] = Dictionary(Names=Array())
    return pdf.Root.Names[key].Names


def resource(pdf: pikepdf.Pdf, group: str, value: Any, number: int = 1, key: str | None = None) -> str:
    """Put `value` among a page's resources; returns its name."""
    resources = pdf.pages[number].Resources
    if group not in resources:
        resources[group] = Dictionary()
    name = key or f"/R{len(resources[group].keys())}x"
    resources[group][name] = value
    return name


def form(pdf: pikepdf.Pdf, content: bytes) -> Stream:
    """A form XObject with Helvetica as /F9."""
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    made = Stream(pdf, content)
    made.Type, made.Subtype, made.BBox = Name.XObject, Name.Form, Array([0, 0, 200, 20])
    made.Resources = Dictionary(Font=Dictionary(F9=font))
    return made


def picture(pdf: pikepdf.Pdf, samples: bytes, **entries: Any) -> Stream:
    """An image XObject of one row of grey samples, filled up to 64 of them at least."""
    held = samples + bytes(range(1, 30)) + b"\xc8" * 40
    made = Stream(pdf, held)
    given = {"Width": len(held), "Height": 1, "ColorSpace": Name.DeviceGray, "BitsPerComponent": 8, **entries}
    for key, value in {"Type": Name.XObject, "Subtype": Name.Image, **given}.items():
        made[f"/{key}"] = value
    return made


def draw_picture(pdf: pikepdf.Pdf, made: Any, number: int = 1) -> None:
    """Draw an image on a page."""
    name = resource(pdf, "/XObject", pdf.make_indirect(made), number)
    pdf.pages[number].contents_add(Stream(pdf, f"q 50 0 0 50 72 200 cm {name} Do Q".encode()))
