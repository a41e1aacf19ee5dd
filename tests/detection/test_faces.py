"""Faces in pictures, with the real detector in the real sandbox, on a photograph in the public domain.

The photograph (Rear Admiral Grace Hopper, United States Navy) comes with matplotlib, which is here for nothing else.
"""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import cast

import pytest
from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from anonify.database import redactions
from anonify.detection import DEGRADED, Detection, detector_names
from anonify.detection.faces import FIND_FACES, FacesFound, FindFacesArgs, find_faces
from anonify.detection.faces import network as networks
from anonify.detection.faces import tasks as face_tasks
from anonify.detection.faces.heads import confidence, head
from anonify.detection.faces.looks import MOST_FACES, MOST_PIXELS, TILE, faces_in
from anonify.detection.faces.network import MOST_PEAKS, Face, Network
from anonify.documents import Box, Explained, Part, Source
from anonify.documents.tasks import EXTRACT, ExtractArgs
from anonify.errors import Code, FatalError
from anonify.ocr import OcrOptions, Reading
from anonify.runs import Services, admit, create_document, receive_upload
from anonify.sandbox import BytesSource, Pool, TaskIO, TaskRunner
from anonify.storage import Spool
from tests.cli.command import anonify
from tests.runs.helpers import load, wait_for
from tests.shared import SHARED

FACE = (185, 80, 325, 270)
"""Forehead to chin and ear to ear in the photograph, measured by eye."""

HEAD = (185, 60, 325, 285)
"""The same with the visible hair under the cap and the whole chin."""


@cache
def photograph() -> Image.Image:
    found = importlib.util.find_spec("matplotlib")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(next(iter(found.submodule_search_locations)))
    return Image.open(folder / "mpl-data" / "sample_data" / "grace_hopper.jpg").convert("RGB")


@pytest.fixture(scope="module")
def detector() -> Network:
    return Network()


def places(faces: Sequence[Face], truth: Sequence[float]) -> list[Face]:
    """The faces whose middle lies in `truth`."""
    return [f for f in faces if truth[0] < (f.x0 + f.x1) / 2 < truth[2] and truth[1] < (f.y0 + f.y1) / 2 < truth[3]]


def grey(width: int, height: int) -> Image.Image:
    return Image.new("RGB", (width, height), (96, 110, 96))


# What is found


def test_a_portrait_is_one_face(detector: Network) -> None:
    (face,) = faces_in(photograph(), detector.faces)
    assert places([face], FACE) == [face]
    assert face.score > 0.8


@pytest.mark.parametrize("size", [60, 120, 300, 1200, 3500])
def test_faces_of_every_size_are_found(detector: Network, size: int) -> None:
    """From a head in a class picture to one that fills a photograph of twelve million pixels."""
    canvas = grey(max(1000, size), max(900, size))
    canvas.paste(photograph().resize((size, size)), (0, 0))
    across, down = size / photograph().width, size / photograph().height
    truth = (FACE[0] * across, FACE[1] * down, FACE[2] * across, FACE[3] * down)
    assert len(places(faces_in(canvas, detector.faces), truth)) == 1


def test_small_faces_of_a_large_photograph_are_found_wherever_they_stand(detector: Network) -> None:
    crowd = grey(4000, 3000)
    person = photograph().resize((160, 188))
    corners = [(x, y) for x in range(0, 3900, 541) for y in range(0, 2850, 463)]
    for corner in corners:
        crowd.paste(person, corner)
    found = faces_in(crowd, detector.faces)
    for x, y in corners:
        assert len(places(found, (x + 50, y + 20, x + 110, y + 95))) == 1
    assert len(found) == len(corners)


@pytest.mark.parametrize("turn", [-45, -20, 20, 45, 90, 180])
def test_turned_faces_are_found(detector: Network, turn: int) -> None:
    """A photograph stuck on a page askew, an identity card scanned lying or upside down."""
    turned = photograph().rotate(turn, expand=True, fillcolor=(96, 110, 96))
    assert faces_in(turned, detector.faces)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda image: image.convert("L"), id="grey"),
        pytest.param(lambda image: image.point(lambda v: v // 5), id="dark"),
        pytest.param(lambda image: image.point(lambda v: 140 + v * 3 // 10), id="pale"),
        pytest.param(lambda image: image.crop((100, 0, 255, 606)), id="half out of the picture"),
        pytest.param(lambda image: _covered(image, (150, 190, 360, 330)), id="mouth and chin covered"),
        pytest.param(lambda image: _covered(image, (150, 120, 360, 180)), id="eyes covered"),
        pytest.param(lambda image: image.reduce(4).resize(image.size), id="blurred"),
    ],
)
def test_faces_are_found_when_little_is_seen_of_them(detector: Network, change: object) -> None:
    assert callable(change)
    assert places(faces_in(change(photograph()), detector.faces), FACE) or faces_in(
        change(photograph()), detector.faces
    )


def _covered(image: Image.Image, place: tuple[int, int, int, int]) -> Image.Image:
    covered = image.copy()
    ImageDraw.Draw(covered).rectangle(place, fill=(20, 40, 90))
    return covered


def test_text_drawings_and_noise_are_no_faces(detector: Network) -> None:
    page = Image.new("RGB", (1654, 2339), "white")
    draw = ImageDraw.Draw(page)
    for line in range(60):
        draw.text((120, 80 + line * 36), "The quick brown fox jumps over the lazy dog 0123456789 " * 3, fill="black")
    for index in range(40):
        draw.ellipse((100 + index * 30, 2000, 150 + index * 30, 2060), outline="black", width=3)
    noise = Image.effect_noise((1200, 900), 80)
    for picture in (page, noise, Image.new("L", (900, 700), 255), Image.new("RGB", (4000, 10), "red")):
        assert faces_in(picture, detector.faces) == []


def test_real_pages_and_photographs_without_people_are_no_faces(detector: Network) -> None:
    """The zoo's: words, a garden; on a coarsely typewritten page one letter may pass for a face."""
    if SHARED is None:
        pytest.skip("NO SHARED DATA: the zoo's pictures are not there")
    for name in ("png/tika--testOCR_spacing.png", "jpeg/exif-samples--DSCN0010.jpg"):
        assert faces_in(Image.open(SHARED / "zoo" / name), detector.faces) == []
    assert len(faces_in(Image.open(SHARED / "zoo/png/ocrmypdf--typewriter.png"), detector.faces)) <= 1


# How much work that is


def test_work_and_memory_are_bounded_by_tiles() -> None:
    seen: list[tuple[int, int]] = []

    def look(image: Image.Image, least: float) -> list[Face]:
        seen.append(image.size)
        return [Face(0, 0, 50, 50, least)] * 3

    assert faces_in(grey(12000, 8000), look)
    assert all(max(size) <= TILE for size in seen)
    assert sum(width * height for width, height in seen) < 2 * MOST_PIXELS
    seen.clear()
    faces_in(grey(300, 200), look)
    assert len(seen) == 1


def test_a_crowd_is_cut_to_the_surest() -> None:
    def look(image: Image.Image, least: float) -> list[Face]:
        return [Face(x * 10, y * 8, x * 10 + 8, y * 8 + 6, 0.3 + x / 100) for x in range(60) for y in range(50)]

    found = faces_in(grey(600, 400), look)
    assert len(found) == MOST_FACES
    assert found[0].score == pytest.approx(0.89)


def test_noise_that_looks_like_faces_everywhere_is_bounded(detector: Network) -> None:
    peaks = detector.faces(Image.effect_noise((TILE, TILE), 120).convert("RGB"), 0.0)
    assert len(peaks) <= MOST_PEAKS


def test_the_box_covers_the_whole_head_and_stays_on_the_picture() -> None:
    area = Box(100.0, 50.0, 300.0, 250.0)
    box = head(Face(100, 100, 200, 220, 1.0), scale=(2.0, 2.0), area=area)
    assert box == Box(100 + 35, 50 + 23, 100 + 115, 50 + 122)
    assert head(Face(0, 0, 400, 400, 1.0), scale=(2.0, 2.0), area=area) == area


def test_confidence_grows_with_the_score_and_what_only_faces_had_is_high() -> None:
    known = [confidence(score / 100) for score in range(101)]
    assert known == sorted(known)
    assert (known[0], known[100]) == (0.0, 1.0)
    assert known[60] == pytest.approx(0.85)
    assert known[56] < 0.85


def test_the_box_of_the_portrait_covers_hair_and_chin(detector: Network) -> None:
    width, height = photograph().size
    (face,) = faces_in(photograph(), detector.faces)
    box = head(face, scale=(1.0, 1.0), area=Box(0, 0, width, height))
    assert box.x0 <= HEAD[0]
    assert box.y0 <= HEAD[1]
    assert box.x1 >= HEAD[2]
    assert box.y1 >= HEAD[3]
    assert (box.x1 - box.x0) * (box.y1 - box.y0) < 0.4 * width * height


# Documents


def pdf_with(*placed: tuple[Image.Image, float, float, float, float], pages: int = 1) -> bytes:
    """A4 pages of text with pictures at (left, bottom, width, height) in points."""
    sink = io.BytesIO()
    canvas = Canvas(sink, pagesize=(595, 842))
    readers = [ImageReader(image) for image, *_ in placed]
    for _ in range(pages):
        for line in range(20):
            canvas.drawString(60, 800 - line * 14, "Minutes of the meeting, nothing sensitive in this line at all.")
        for reader, (_, *box) in zip(readers, placed, strict=True):
            canvas.drawImage(reader, *box)
        canvas.showPage()
    canvas.save()
    return sink.getvalue()


@contextmanager
def read(pool: Pool, data: bytes, kind: str = "pdf") -> Iterator[tuple[Reading, tuple[int, ...]]]:
    source, spool = BytesSource(data), Spool()
    with spool:
        extracted = pool.run(EXTRACT, ExtractArgs(kind), sources={"source": source}, sinks={"model": spool})
        spool.finish()
        yield (
            Reading(pool, kind, source, spool, tuple(extracted.lengths), OcrOptions(), 2),
            extracted.extraction.pictures,
        )


def test_a_face_on_a_page_has_its_place_in_points(pool: Pool) -> None:
    width, height = 256.0, 303.0
    with read(pool, pdf_with((photograph(), 200, 100, width, height), pages=3)) as (reading, pages):
        assert pages == (1, 2, 3)
        found = find_faces(reading, pages)
    assert found.degraded == ()
    assert [one.page for one in found.found] == [1, 2, 3]
    for one in found.found:
        assert (one.category, one.source, one.detector) == ("face", "vision", "face")
        assert (one.text, one.start, one.end) == ("", 0, 0)
        scale, top = width / photograph().width, 842 - 100 - height
        assert one.box is not None
        assert one.box.x0 <= 200 + FACE[0] * scale + 1 < 200 + FACE[2] * scale <= one.box.x1 + 1
        assert one.box.y0 <= top + FACE[1] * scale + 1 < top + FACE[3] * scale <= one.box.y1 + 1
        assert one.box.x0 >= 200
        assert one.box.x1 <= 200 + width


class _Whole:
    """A format's pictures that are nothing but pictures."""

    def __init__(self, *pictures: Image.Image | None) -> None:
        self._pictures = pictures
        self.drawn = 0

    def scale_of(self, dpi: float) -> float:
        return 1.0

    def picture(self, page: int, scale: float, box: Box | None = None) -> Image.Image:
        self.drawn += 1
        picture = self._pictures[page - 1]
        if picture is None:
            raise FatalError(Code.MALFORMED)
        return picture

    def bare(self, page: int, scale: float, box: Box) -> None:
        """Nothing lies over anything."""

    def parts(self, page: int) -> tuple[Part, ...]:
        return ()

    def explained(self, page: int) -> Explained:
        return Explained(pictures=True)


class _Parts(_Whole):
    def parts(self, page: int) -> tuple[Part, ...]:
        return (Part(Box(10, 10, 10 + 256, 10 + 303), "a"), Part(Box(300, 400, 300 + 256, 400 + 303), "a"))


def run_on(monkeypatch: pytest.MonkeyPatch, pictures: _Whole, *sizes: tuple[float, float]) -> FacesFound:
    """The task itself, in this process, on a format of one's own."""

    @contextmanager
    def opened(_kind: str, _source: Source, _model: object) -> Iterator[_Whole]:
        yield pictures

    monkeypatch.setattr(face_tasks, "pictures_of", opened)
    pages = [
        json.dumps({"number": n, "text": "", "width": w, "height": h}).encode() for n, (w, h) in enumerate(sizes, 1)
    ]
    args = FindFacesArgs("own", tuple(range(1, len(sizes) + 1)), tuple(map(len, pages)))
    sources = {"model": BytesSource(b"".join(pages)), "source": BytesSource(b"")}
    return face_tasks.run_find_faces(args, TaskIO(sources))


def test_a_page_that_is_a_picture_is_looked_at_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    size = photograph().size
    half = photograph().reduce(2)  # drawn more coarsely than asked for: places are the page's all the same
    for picture in (photograph(), half):
        (one,) = run_on(monkeypatch, _Whole(picture), size).faces
        assert one.box is not None
        assert one.box.x0 < FACE[0] + 5 < FACE[2] - 5 < one.box.x1
        assert one.box.y0 < FACE[1] + 5 < FACE[3] - 5 < one.box.y1


def test_a_picture_drawn_twice_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = _Parts(photograph().reduce(2))
    first, second = run_on(monkeypatch, pictures, (600, 800)).faces
    assert pictures.drawn == 1
    assert first.box is not None
    assert second.box is not None
    assert second.box.x0 - first.box.x0 == pytest.approx(290)
    assert second.box.y0 - first.box.y0 == pytest.approx(390)


def test_a_page_that_cannot_be_drawn_is_told_and_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    size = photograph().size
    found = run_on(monkeypatch, _Whole(None, photograph()), size, size)
    assert found.unread == (1,)
    assert [one.page for one in found.faces] == [2]


def test_a_missing_detector_is_said_and_fails_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    networks.network.cache_clear()
    monkeypatch.setattr(networks, "MODEL", tmp_path / "nothing.onnx")
    try:
        assert run_on(monkeypatch, _Whole(photograph()), photograph().size) == FacesFound((), missing=True)
    finally:
        networks.network.cache_clear()
    runner = cast("TaskRunner", _Lying(FacesFound((), missing=True)))
    lacking = Reading(runner, "pdf", BytesSource(b""), BytesSource(b""), (0,), OcrOptions())
    assert find_faces(lacking, [1]).degraded == ("faces-model-missing",)
    assert "faces-model-missing" in DEGRADED
    assert "face" in detector_names()


class _Lying:
    """A runner whose child says what it likes."""

    def __init__(self, found: FacesFound) -> None:
        self._found = found

    def run(self, *_: object, **__: object) -> FacesFound:
        return self._found


@pytest.mark.parametrize(
    "box", [None, Box(0, 0, float("nan"), 5), Box(0, 0, float("inf"), 5), Box(5, 0, 5, 5), Box(9, 0, 5, 5)]
)
def test_a_box_that_is_none_is_not_believed(box: Box | None) -> None:
    lie = FacesFound((Detection(1, 0, 0, "", "face", 0.5, "vision", "face", box=box),))
    reading = Reading(_Lying(lie), "pdf", BytesSource(b""), BytesSource(b""), (0,), OcrOptions())  # type: ignore[arg-type]  # a stand-in
    found = find_faces(reading, [1])
    assert (found.found, found.degraded) == ((), ("unread-pictures",))


# The pipelines


def _processed(services: Services, data: bytes, preset: str) -> tuple[list[redactions.RedactionRow], list[str]]:
    row = create_document(
        services, owner_key="owner", quota_key="net", filename="minutes.pdf", size=len(data), preset=preset
    )
    receive_upload(services, row.id, [data])
    admit(services, row.id)
    wait_for(services, row.id, "ready", seconds=120)
    with services.database.connect() as connection:
        rows = redactions.list_for_document(connection, row.id)
    return rows, list(load(services, row.id).degraded_reasons)


@pytest.mark.usefixtures("worker")
def test_faces_are_suggested_when_the_preset_looks_for_them(services: Services) -> None:
    data = pdf_with((photograph(), 60, 100, 192, 227), (photograph(), 300, 100, 192, 227))
    rows, degraded = _processed(services, data, "names-and-contacts")
    faces = [row for row in rows if row.category == "face"]
    assert len(faces) == 2
    assert len({row.box for row in faces}) == 2
    for row in faces:
        assert (row.status, row.origin, row.detector, row.page) == ("suggested", "detection", "face", 1)
        assert (row.start, row.end, row.value, row.group_key) == (None, None, None, None)
        assert row.box is not None
        assert len(json.loads(row.box)) == 4
    assert "faces-model-missing" not in degraded
    rows, _ = _processed(services, data, "credentials")
    assert [row for row in rows if row.category == "face"] == []


def test_the_command_line_prints_the_box(tmp_path: Path) -> None:
    (tmp_path / "minutes.pdf").write_bytes(pdf_with((photograph(), 60, 100, 192, 227)))
    ran = anonify("detect", tmp_path / "minutes.pdf", "--json")
    assert ran.code == 0, ran.err
    (face,) = [one for one in ran.lines[0]["detections"] if one["category"] == "face"]
    assert face["source"] == "vision"
    x0, y0, x1, y1 = face["box"]
    assert 60 <= x0 < x1 <= 252
    assert 842 - 327 <= y0 < y1 <= 742


def test_a_photograph_is_looked_at_as_it_is_shown(pool: Pool) -> None:
    """EXIF says that the picture lies on its side: the box is a place in the upright one."""
    exif, sink = Image.Exif(), io.BytesIO()
    exif[0x0112] = 6  # turn by 90 degrees to the right to show it
    photograph().rotate(90, expand=True).save(sink, "JPEG", exif=exif)
    with read(pool, sink.getvalue(), "jpeg") as (reading, pages):
        (one,) = find_faces(reading, pages).found
    assert one.box is not None
    assert one.box.x0 < FACE[0] < FACE[2] < one.box.x1
    assert one.box.y0 < FACE[1] < FACE[3] < one.box.y1


def test_the_sandbox_can_hold_the_detector(pool: Pool) -> None:
    """One page of 200 dpi: in the address space and with the system calls a child has."""
    page = grey(1654, 2339)
    page.paste(photograph(), (600, 900))
    with read(pool, pdf_with((page, 0, 0, 595, 842))) as (reading, pages):
        args = FindFacesArgs("pdf", pages, reading.lengths)
        found = pool.run(FIND_FACES, args, sources={"source": reading.source, "model": reading.model})
    assert (found.missing, found.unread, len(found.faces)) == (False, (), 1)
