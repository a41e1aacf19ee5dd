"""`anonify detect`: what looks sensitive, as JSON or as a table.  Nothing is changed."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec

from anonify.detection import (
    ANALYZE,
    DEGRADED_READER,
    DETECT_TEXTS,
    AnalyzeArgs,
    Detection,
    DetectTextsArgs,
    TextDetections,
    categories_of,
    to_json_line,
)
from anonify.detection.faces import Faces, find_faces
from anonify.documents import ExpandOptions, Page, by_kind
from anonify.errors import FAILURES, AnonifyError, Code, FatalError
from anonify.local.files import FileSource
from anonify.local.inside import Inner, inside
from anonify.local.opened import NormalizedDocument, open_source, recognised
from anonify.ocr import OcrOptions, Reading
from anonify.ocr.assisted import Assisted, TextReader
from anonify.ocr.languages import check_languages
from anonify.sandbox import Pool, Source, SourceFile
from anonify.settings import Settings
from anonify.storage import Spool

from .console import FAILED, USAGE, emit, people, say
from .found import counted, detection_json, place_json, reasons, sheet_json
from .inputs import PathProblem, show, walk
from .pools import open_pool

__all__ = ["detect_files", "detect_lines"]

BATCH_LINES: Final = 64
BATCH_CHARACTERS: Final = 200_000
"""A batch of texts is one task: large enough to pay for its way, small enough that memory stays flat."""

MAX_LINE: Final = 64 << 20
"""Bytes of one line of `--jsonl`: of a longer one only the beginning is read, so that it cannot fill the memory."""


def detect_files(inputs: Iterable[Path], preset: str, *, as_json: bool) -> int:
    """Detect in files and folders; returns the exit status."""
    try:
        files = list(_files(inputs))
    except PathProblem as error:
        say(str(error))
        return USAGE
    status = 0
    rows: list[tuple[str, str, str, str]] = []
    with contextlib.ExitStack() as closing, open_pool() as (pool, slots), ThreadPoolExecutor(slots) as threads:
        settings = Settings()
        ocr = settings.ocr_options
        check_languages(ocr.languages)
        reader = settings.text_reader()
        if reader is not None:
            closing.callback(reader.close)
        work = (
            (item, threads.submit(_analysed, pool, item, preset, ocr, reader))
            for item in _items(pool, files, settings.expand_options)
        )
        for item, future in _ahead(work, slots):
            try:
                found = future.result()
            except AnonifyError as error:
                status = FAILED
                sentence = FAILURES[error.code].sentence
                if as_json:
                    emit({**item.named(), "errorCode": error.code.value, "error": sentence})
                else:
                    rows.append((item.shown(), "-", f"{error.code.value}: {sentence}", ""))
                continue
            with found.document, found.detections:
                if as_json:
                    _write_document(item, found)
                else:
                    rows.append((item.shown(), found.document.kind, counted(found.each()), reasons(found.each())))
    if not as_json:
        from .tables import simple_table

        simple_table(people(), ("file", "kind", "looks sensitive", "why"), rows)
    return status


class _Item(NamedTuple):
    """A file, or a document inside one."""

    path: Path
    inner: Inner

    def named(self) -> dict[str, Any]:
        """How JSON names it."""
        name = {"name": self.inner.name} if self.inner.place else {}
        return {"input": f"{self.path}{self.inner.place}", **name}

    def shown(self) -> str:
        """How people read it."""
        name = f" ({show(self.inner.name)})" if self.inner.place else ""
        return f"{show(self.path)}{show(self.inner.place)}{name}"


def _items(pool: Pool, files: Iterable[Path], options: ExpandOptions) -> Iterator[_Item]:
    """Every file, each followed by the documents inside it."""
    for path in files:
        try:
            source = FileSource(path)
        except FatalError as error:
            yield _Item(path, Inner("", path.name, code=error.code.value))
            continue
        name = path.name.encode("utf-8", "replace").decode("utf-8")
        try:
            kind = recognised(pool, source, name)
            yield _Item(path, Inner("", name, kind, FileSource(path)))
            with source:
                for inner in inside(pool, source, kind, options):
                    yield _Item(path, inner)
        except AnonifyError as error:
            yield _Item(path, Inner("", name, code=error.code.value))
        finally:
            source.close()


class _Found(NamedTuple):
    document: NormalizedDocument
    detections: Spool
    degraded: tuple[str, ...]

    def each(self) -> Iterator[Detection]:
        """The detections, one at a time."""
        decoder = msgspec.json.Decoder(Detection)
        for line in io.BufferedReader(SourceFile(self.detections), 1 << 16):
            yield decoder.decode(line)


def _files(inputs: Iterable[Path]) -> Iterator[Path]:
    for path in inputs:
        if not path.exists():
            raise PathProblem(f"{show(path)} does not exist.")
        if path.is_dir():
            yield from walk(path)
        else:
            yield path


def _analysed(pool: Pool, item: _Item, preset: str, ocr: OcrOptions, reader: TextReader | None) -> _Found:
    with item.inner as inner:
        if inner.source is None:
            raise FatalError(Code(inner.code))
        return _analyse(pool, inner.source, inner.kind, preset, ocr, reader)


def _analyse(  # noqa: PLR0917  # what a document is read with
    pool: Pool, source: Source, kind: str, preset: str, ocr: OcrOptions, reader: TextReader | None
) -> _Found:
    assisted = Assisted(pool, reader)
    document = open_source(assisted, source, kind, ocr)
    spool = Spool()
    try:
        if by_kind(kind).container:  # it is nothing but what is inside
            spool.finish()
            return _Found(document, spool, ())
        args = AnalyzeArgs(document.kind, document.lengths, document.extraction, preset)
        analysed = pool.run(ANALYZE, args, sources={"model": document.spool}, sinks={"detections": spool})
        faces = _faces(pool, source, document, preset)
        for face in faces.found:
            spool.write(to_json_line(face))
        spool.finish()
    except BaseException:
        spool.close()
        document.close()
        raise
    away = (DEGRADED_READER,) if assisted.missed else ()
    return _Found(document, spool, tuple(dict.fromkeys((*analysed.degraded, *away, *faces.degraded))))


def _faces(pool: Pool, source: Source, document: NormalizedDocument, preset: str) -> Faces:
    if "face" not in categories_of(preset) or by_kind(document.kind).pictures is None:
        return Faces()
    where = Reading(pool, document.kind, source, document.spool, document.lengths, OcrOptions())
    return find_faces(where, document.extraction.pictures)


def _write_document(item: _Item, found: _Found) -> None:
    """One JSON object on one line, written piece by piece: a large document is never held."""
    out = sys.stdout
    document = found.document
    out.write(json.dumps(item.named())[:-1] + ', "kind": ' + json.dumps(document.kind) + ', "pages": [')
    for page in document.pages:
        out.write((", " if page.number > 1 else "") + json.dumps({"number": page.number, "text": page.text}))
    out.write('], "sheets": ' + json.dumps([sheet_json(sheet) for sheet in document.sheets]) + ', "detections": [')
    cached: tuple[int, Page | None] = (0, None)
    for index, detection in enumerate(found.each()):
        if cached[0] != detection.page:
            cached = (detection.page, document.page(detection.page))
        out.write((", " if index else "") + json.dumps(detection_json(detection, cached[1])))
    out.write('], "degraded": ' + json.dumps(list(found.degraded)) + "}\n")
    out.flush()


# Lines


class _Batch(NamedTuple):
    ids: tuple[Any, ...]
    texts: tuple[str | None, ...]  # None stands for a line that could not be read


def detect_lines(source: str, preset: str) -> int:
    """Detect in `{"id","text"}` lines of a file or `-`; one line out for each line in, in order.

    A line that is no such object gets `{"id": null, "error": "malformed"}`, texts that could not be looked at get their
    failure's code; either makes the exit status 1.
    """
    status = 0
    with contextlib.ExitStack() as stack:
        try:
            file: BinaryIO = sys.stdin.buffer if source == "-" else stack.enter_context(Path(source).open("rb"))
        except OSError as error:
            say(f"{show(source)} cannot be read: {error.strerror}.")
            return USAGE
        pool, slots = stack.enter_context(open_pool())
        threads = stack.enter_context(ThreadPoolExecutor(slots))
        work = ((batch, threads.submit(_detect_batch, pool, batch, preset)) for batch in _batches(file))
        for batch, future in _ahead(work, slots):
            try:
                results, code = iter(future.result().detections), None
            except AnonifyError as error:  # one text too many for a process must not end the others
                results, code = iter(()), error.code.value
            for identity, text in zip(batch.ids, batch.texts, strict=True):
                if text is None or code is not None:
                    status = FAILED
                    wrong = code if text is not None else "malformed"
                    sys.stdout.write(json.dumps({"id": identity, "error": wrong}) + "\n")
                else:
                    sys.stdout.write(json.dumps({"id": identity, "detections": place_json(next(results))}) + "\n")
            sys.stdout.flush()
    return status


def _detect_batch(pool: Pool, batch: _Batch, preset: str) -> TextDetections:
    texts = tuple(text for text in batch.texts if text is not None)
    return pool.run(DETECT_TEXTS, DetectTextsArgs(texts, preset), sources={})


def _batches(file: BinaryIO) -> Iterator[_Batch]:
    ids: list[Any] = []
    texts: list[str | None] = []
    characters = 0
    for line in _lines(file):
        if not line.strip():
            continue
        identity, text = _parse(line)
        ids.append(identity)
        texts.append(text)
        characters += len(text or "")
        if len(ids) >= BATCH_LINES or characters >= BATCH_CHARACTERS:
            yield _Batch(tuple(ids), tuple(texts))
            ids, texts, characters = [], [], 0
    if ids:
        yield _Batch(tuple(ids), tuple(texts))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines; of one too long to hold only the beginning, which is no whole object."""
    while line := file.readline(MAX_LINE):
        yield line
        while len(line) == MAX_LINE and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE)


def _parse(line: bytes) -> tuple[Any, str | None]:
    """Id and text of a line; no text when the line is not what it should be."""
    try:
        item = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None, None
    if not isinstance(item, dict):
        return None, None
    text = item.get("text")
    return item.get("id"), text if isinstance(text, str) and _encodes(text) else None


def _refuse(constant: str) -> None:
    """`NaN` and `Infinity` are no JSON, coming or going."""
    raise ValueError(constant)


def _encodes(text: str) -> bool:
    """Whether `text` is text: a lone surrogate is not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _ahead(work: Iterator[tuple[Any, Future[Any]]], slots: int) -> Iterator[tuple[Any, Future[Any]]]:
    """Results in order while at most two tasks a slot are under way or waiting to be printed."""
    under_way: deque[tuple[Any, Future[Any]]] = deque()
    for item in work:
        under_way.append(item)
        if len(under_way) >= 2 * slots:
            yield under_way.popleft()
    yield from under_way
