"""Pages side by side: as many sandbox processes look for faces as there are slots."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final

from anonify.detection.model import DEGRADED_CUT, DEGRADED_FACES, DEGRADED_UNREAD, Detection
from anonify.documents import Box
from anonify.errors import AnonifyError, Code, FatalError
from anonify.ocr import Reading
from anonify.ocr.ahead import in_order, portions
from anonify.ocr.faults import is_of_page

from .tasks import FIND_FACES, FacesFound, FindFacesArgs

__all__ = ["Faces", "find_faces"]

CHUNK: Final = 8
"""Pages a task looks at most: enough to make loading the detector cheap, few enough that a slot is free again within
seconds."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Faces:
    """Suggestions in order of page, and degraded reasons."""

    found: tuple[Detection, ...] = ()
    degraded: tuple[str, ...] = ()


def find_faces(reading: Reading, pages: Sequence[int], *, progress: Progress = lambda _done, _total: None) -> Faces:
    """Look for faces on `pages` of the document `reading` names.

    Args:
        pages: numbers of the pages that show pictures, ascending.
        progress: called with (pages looked at, pages to look at) by the calling thread.

    Raises:
        AnonifyError: what says nothing about a page: `configuration`, `storage`, the pool was closed.
    """
    found: list[Detection] = []
    reasons: dict[str, None] = {}
    chunks = portions(pages, CHUNK, reading.slots)
    done = 0
    for chunk, looked in zip(chunks, in_order(partial(_look, reading), chunks, reading.slots), strict=True):
        found += looked.faces
        if looked.missing:
            return Faces((), (DEGRADED_FACES,))
        if looked.unread:
            reasons[DEGRADED_UNREAD] = None
        if looked.cut:
            reasons[DEGRADED_CUT] = None
        done += len(chunk)
        progress(done, len(pages))
    return Faces(tuple(found), tuple(reasons))


def _look(reading: Reading, pages: Sequence[int]) -> FacesFound:
    """One task; when it fails, its pages one by one, so that one bad page costs only itself."""
    try:
        return _run(reading, pages)
    except AnonifyError as error:
        if not is_of_page(error):
            raise
    if len(pages) == 1:
        return FacesFound((), tuple(pages))
    looked = [_look(reading, [number]) for number in pages]
    return FacesFound(
        tuple(chain.from_iterable(one.faces for one in looked)),
        tuple(chain.from_iterable(one.unread for one in looked)),
        any(one.cut for one in looked),
        any(one.missing for one in looked),
    )


def _run(reading: Reading, pages: Sequence[int]) -> FacesFound:
    looked = reading.runner.run(
        FIND_FACES,
        FindFacesArgs(reading.kind, tuple(pages), reading.lengths),
        sources={"source": reading.source, "model": reading.model},
    )
    # What a child says is not believed further than it can be checked.
    if not all(one.page in pages and one.category == "face" and _is_box(one.box) for one in looked.faces):
        raise FatalError(Code.PARSER_CRASHED)
    return looked


def _is_box(box: Box | None) -> bool:
    if box is None or not all(map(math.isfinite, (box.x0, box.y0, box.x1, box.y1))):
        return False
    return box.x0 < box.x1 and box.y0 < box.y1
