"""The work of recognisers that runs in the sandbox: read pages that nobody has read, read redacted pages again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from anonify.documents import Box, ModelReader, Page, Pictures, pictures_of
from anonify.errors import AnonifyError
from anonify.sandbox.source import read_all
from anonify.sandbox.task import Task, TaskIO

from .align import corrected
from .faults import is_of_page
from .merge import merged
from .model import OcrOptions, RecogniseArgs, Recogniser
from .register import recogniser
from .render import name_of
from .seen import Rereader
from .under import bare_of
from .words import Placed, page_with, place, unexplained

__all__ = ["RECOGNISE", "REREAD", "Recognised", "Reread", "RereadArgs", "Seen"]

MAX_READINGS: Final = 64 << 20
"""Bytes of other readings for one task; the reader's answers are bounded already."""


class Recognised(msgspec.Struct, frozen=True):
    """Length in bytes of every page written, and the pages that could not be read."""

    lengths: tuple[int, ...]
    unread: tuple[int, ...] = ()


class RereadArgs(msgspec.Struct, frozen=True):
    """Read redacted pages of `artifact` as a person would and look for the accepted values.

    Attributes:
        kind: the document's format.
        pages: which pages, ascending.
        lengths: length in bytes of every page of the source `model`.
        values: the accepted values.
        believed: identities of fonts that are believed already.
    """

    kind: str
    pages: tuple[int, ...]
    lengths: tuple[int, ...]
    values: tuple[str, ...]
    options: OcrOptions = OcrOptions()
    believed: tuple[str, ...] = ()


class Seen(msgspec.Struct, frozen=True):
    """An accepted value that can still be read in a page's picture."""

    value: int
    page: int
    boxes: tuple[Box, ...]


class Reread(msgspec.Struct, frozen=True):
    """What reading pages again showed.

    Attributes:
        seen: values that are still seen.
        read: how many pages were read; the others' ink is explained by text that was searched.
        unread: pages that could not be read, though they would have had to be.
        believed: fonts to believe from now on.
    """

    seen: tuple[Seen, ...]
    read: int
    unread: tuple[int, ...] = ()
    believed: tuple[str, ...] = ()


def run_recognise(args: RecogniseArgs, io: TaskIO) -> Recognised:
    """Task body of :data:`RECOGNISE`.

    Raises:
        FatalError: `configuration`, `malformed`.
    """
    model = ModelReader(io.sources["model"], args.lengths)
    encoder = msgspec.json.Encoder()
    lengths, unread = [], []
    with pictures_of(args.kind, io.sources["source"], model) as pictures:
        reader = PageReader(pictures, recogniser(args.options), args.options, _readings(io))
        for done, number in enumerate(args.pages, 1):
            page = model.page(number)
            try:
                page = reader.read(page)
            except AnonifyError as error:
                if not is_of_page(error):
                    raise
                unread.append(number)
            data = encoder.encode(page)
            io.sinks["pages"].write(data)
            lengths.append(len(data))
            io.progress(done, len(args.pages))
    return Recognised(tuple(lengths), tuple(unread))


def run_reread(args: RereadArgs, io: TaskIO) -> Reread:
    """Task body of :data:`REREAD`.

    Raises:
        FatalError: `configuration`, `malformed`.
    """
    model = ModelReader(io.sources["model"], args.lengths)
    seen: list[Seen] = []
    unread: list[int] = []
    with (
        pictures_of(args.kind, io.sources["source"], model) as before,
        pictures_of(args.kind, io.sources["artifact"], model, io.sources["source"]) as after,
    ):
        reader = recogniser(args.options)
        rereader = Rereader(before, after, reader, args.options, values=args.values, believed=args.believed)
        for done, number in enumerate(args.pages, 1):
            try:
                seen += [Seen(value, number, boxes) for value, boxes in rereader.seen(model.page(number))]
            except AnonifyError as error:
                if not is_of_page(error):
                    raise
                unread.append(number)
            io.progress(done, len(args.pages))
        return Reread(tuple(seen), rereader.read, tuple(unread), tuple(sorted(rereader.believed)))


def _readings(io: TaskIO) -> dict[str, str]:
    source = io.sources.get("readings")
    return {} if source is None else msgspec.json.decode(read_all(source, MAX_READINGS), type=dict[str, str])


class PageReader:
    """Reads pages of one file; a picture that is drawn again is read once.

    Args:
        readings: what another reader reads, by :func:`anonify.ocr.render.name_of`.
    """

    def __init__(
        self, pictures: Pictures, reader: Recogniser, options: OcrOptions, readings: Mapping[str, str] | None = None
    ) -> None:
        self._pictures = pictures
        self._reader = reader
        self._options = options
        self._scale = pictures.scale_of(options.dpi)
        self._readings = readings or {}
        self._known: dict[str, list[Placed]] = {}

    def read(self, page: Page) -> Page:
        """`page` with the words of its pixels.

        Raises:
            AnonifyError: it cannot be drawn or read.
        """
        if not self._options.pictures and (page.picture or not page.needs_ocr):
            return page
        if page.needs_ocr:
            return page_with(page, unexplained(page, self._words(page.number, None, name_of(page.number))))
        words: list[Placed] = []
        for part in self._pictures.parts(page.number):
            if part.key not in self._known:
                found = self._words(page.number, part.box, name_of(page.number, part.key))
                self._known[part.key] = _moved(found, -part.box.x0, -part.box.y0)
            words += _numbered(_moved(self._known[part.key], part.box.x0, part.box.y0), words)
        return page_with(page, unexplained(page, words))

    def _words(self, number: int, box: Box | None, name: str) -> list[Placed]:
        image = self._pictures.picture(number, self._scale, box)
        found = self._reader.recognise(image, self._options.dpi)
        bare = None if box is None else bare_of(self._pictures, number, self._scale, box)
        if bare is not None:
            found = merged(self._reader.recognise(bare, self._options.dpi), found)
        if name in self._readings:
            found = corrected(found, self._readings[name], image.size)
        return place(found, self._scale, *((box.x0, box.y0) if box is not None else ()))


def _moved(words: Sequence[Placed], x: float, y: float) -> list[Placed]:
    def moved(box: Box) -> Box:
        return Box(round(box.x0 + x, 2), round(box.y0 + y, 2), round(box.x1 + x, 2), round(box.y1 + y, 2))

    return [
        Placed(word.text, moved(word.box), word.confidence, word.line, tuple(map(moved, word.glyphs))) for word in words
    ]


def _numbered(words: Sequence[Placed], before: Sequence[Placed]) -> list[Placed]:
    """`words` with line numbers that go on after those of `before`."""
    first = before[-1].line + 1 if before else 0
    return [Placed(word.text, word.box, word.confidence, word.line + first, word.glyphs) for word in words]


_HERE = "anonify.ocr.tasks:"
RECOGNISE: Final = Task(_HERE + "run_recognise", RecogniseArgs, Recognised)
REREAD: Final = Task(_HERE + "run_reread", RereadArgs, Reread)
