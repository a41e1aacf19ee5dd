"""The part of face detection that runs in the sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from anonify.detection.model import FACE, Detection
from anonify.documents import Box, ModelReader, Page, Pictures, pictures_of
from anonify.errors import AnonifyError
from anonify.ocr.faults import is_of_page
from anonify.sandbox.task import Task, TaskIO

from .heads import confidence, head
from .looks import MOST_FACES, faces_in
from .network import Network, network

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["DPI", "FIND_FACES", "FacesFound", "FindFacesArgs", "run_find_faces"]

DPI: Final = 150
"""Resolution at which pages are drawn.  A face of two millimetres has the 12 pixels it is found by, and a scanned page
costs half of what it does at the 200 that text is read at."""


class FindFacesArgs(msgspec.Struct, frozen=True):
    """Find faces in the pictures of some pages of `source`.

    Attributes:
        kind: the document's format.
        pages: which pages, ascending.
        lengths: length in bytes of every page of the source `model`.
    """

    kind: str
    pages: tuple[int, ...]
    lengths: tuple[int, ...]


class FacesFound(msgspec.Struct, frozen=True):
    """Suggestions in order of page, the surest of a page first, and what was not done.

    Attributes:
        unread: pages that could not be drawn.
        cut: a picture shows so many faces that some were left out.
        missing: the detector is not installed; nothing was looked at.
    """

    faces: tuple[Detection, ...]
    unread: tuple[int, ...] = ()
    cut: bool = False
    missing: bool = False


def run_find_faces(args: FindFacesArgs, io: TaskIO) -> FacesFound:
    """Task body of :data:`FIND_FACES`.

    Raises:
        FatalError: `unsupported-type` when the kind has no pictures, `malformed` when the file does not open.
    """
    detector = network()
    if detector is None:
        return FacesFound((), missing=True)
    model = ModelReader(io.sources["model"], args.lengths)
    found: list[Detection] = []
    unread: list[int] = []
    with pictures_of(args.kind, io.sources["source"], model) as pictures:
        finder = _Finder(pictures, detector)
        for done, number in enumerate(args.pages, 1):
            try:
                found += finder.page(model.page(number))
            except AnonifyError as error:
                if not is_of_page(error):
                    raise
                unread.append(number)
            io.progress(done, len(args.pages))
    detector.rest()
    return FacesFound(tuple(found), tuple(unread), finder.cut)


class _Finder:
    """Looks at pages of one file; a picture that is drawn again is looked at once."""

    def __init__(self, pictures: Pictures, detector: Network) -> None:
        self._pictures = pictures
        self._detector = detector
        self._scale = pictures.scale_of(DPI)
        self._known: dict[str, list[tuple[Box, float]]] = {}
        self.cut = False

    def page(self, page: Page) -> list[Detection]:
        """Suggestions for a page: from the pictures on it, or from the whole of one that is itself a picture.

        Raises:
            AnonifyError: it cannot be drawn.
        """
        heads: list[tuple[Box, float]] = []
        parts = self._pictures.parts(page.number)
        for part in parts:
            x, y = part.box.x0, part.box.y0
            if part.key not in self._known:
                image = self._pictures.picture(page.number, self._scale, part.box)
                self._known[part.key] = [(_moved(box, -x, -y), sure) for box, sure in self._heads(image, part.box)]
            heads += [(_moved(box, x, y), sure) for box, sure in self._known[part.key]]
        # A page of strokes alone shows no photograph, and may take long to draw.
        if not parts and page.width and page.height and self._pictures.explained(page.number).pictures:
            image = self._pictures.picture(page.number, self._scale)
            heads = self._heads(image, Box(0.0, 0.0, page.width, page.height))
        return [_suggestion(page.number, box, sure) for box, sure in sorted(heads, key=lambda one: -one[1])]

    def _heads(self, image: Image, area: Box) -> list[tuple[Box, float]]:
        """Heads in `image`, which shows `area` of the page, maybe more coarsely than it was asked for."""
        scale = (image.width / (area.x1 - area.x0), image.height / (area.y1 - area.y0))
        faces = faces_in(image, self._detector.faces)
        self.cut = self.cut or len(faces) == MOST_FACES
        return [(head(face, scale=scale, area=area), confidence(face.score)) for face in faces]


def _moved(box: Box, x: float, y: float) -> Box:
    return Box(box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y)


def _suggestion(page: int, box: Box, sure: float) -> Detection:
    return Detection(page, 0, 0, "", "face", sure, "vision", FACE, global_=False, box=box)


FIND_FACES: Final = Task("anonify.detection.faces.tasks:run_find_faces", FindFacesArgs, FacesFound)
