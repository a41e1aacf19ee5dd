"""The document work that runs in the sandbox: sniff, extract, redact, read back, render."""

from __future__ import annotations

import io as bytes_io
from typing import Final, Literal

import msgspec

from anonify.errors import Code, FatalError
from anonify.sandbox.task import Task, TaskIO

from .enclosures import ChildPart, ExpandOptions, Expansion, Parts
from .format import ExtractOptions, RenderOptions
from .model import Extraction, ModelReader, ModelWriter
from .plan import RedactionPlan, RedactionResult
from .register import by_kind, recognise

__all__ = [
    "EXPAND",
    "EXTRACT",
    "REDACT",
    "RENDER",
    "SNIFF",
    "UNPACK",
    "VERIFY",
    "ExpandArgs",
    "ExtractArgs",
    "Extracted",
    "Finding",
    "RedactArgs",
    "RenderArgs",
    "Rendered",
    "SniffArgs",
    "Sniffed",
    "UnpackArgs",
    "Unpacked",
    "Verified",
    "VerifyArgs",
]


class SniffArgs(msgspec.Struct, frozen=True):
    """Recognise the source `source`; `filename` is the name it was uploaded under, a hint only."""

    filename: str


class Sniffed(msgspec.Struct, frozen=True):
    """The kind the bytes are of."""

    kind: str


class ExtractArgs(msgspec.Struct, frozen=True):
    """Extract the source `source` as `kind`; pages go to the sink `model`."""

    kind: str
    options: ExtractOptions = ExtractOptions()


class Extracted(msgspec.Struct, frozen=True):
    """The extraction and the length in bytes of every page written to `model`."""

    extraction: Extraction
    lengths: list[int]


class ExpandArgs(msgspec.Struct, frozen=True):
    """List the documents inside the source `source`, a file of `kind`."""

    kind: str
    options: ExpandOptions = ExpandOptions()


class UnpackArgs(msgspec.Struct, frozen=True):
    """Write some documents inside the source `source` to the sink `children`, one after another."""

    kind: str
    children: tuple[ChildPart, ...]


class Unpacked(msgspec.Struct, frozen=True):
    """The length in bytes of every document written."""

    lengths: tuple[int, ...]


class RedactArgs(msgspec.Struct, frozen=True):
    """Redact the source `source` as `kind`; the artifact goes to the sink `artifact`.

    A plan with parts needs the source `children`: the artifacts put in, one after another.

    Attributes:
        lengths: length in bytes of every page of the source `model`, or empty when there is no such source.
    """

    kind: str
    plan: RedactionPlan
    lengths: tuple[int, ...] = ()


class VerifyArgs(msgspec.Struct, frozen=True):
    """Read the source `artifact` back as `kind` and compare it with `source`.

    Attributes:
        reader: which of the format's two readers to use.
    """

    kind: str
    plan: RedactionPlan
    reader: Literal["own", "independent"]


class Finding(msgspec.Struct, frozen=True):
    """Survivors in one kind of place.  Never the value, never the text."""

    value: int
    count: int


class Verified(msgspec.Struct, frozen=True):
    """What reading an artifact back showed.

    Attributes:
        opened: whether the reader could read it.
        pieces: how many stretches of text were searched.
        survivors: accepted values still found.
        failed: names of structure checks that did not hold.
        passed: names of structure checks that held.
    """

    opened: bool
    pieces: int = 0
    survivors: tuple[Finding, ...] = ()
    failed: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()


class RenderArgs(msgspec.Struct, frozen=True):
    """Render one page of `source`; PNG bytes go to the sink `image`.

    Attributes:
        lengths: length in bytes of every page of the source `model`, for kinds of which only some pages are pictures.
    """

    kind: str
    page: int
    options: RenderOptions = RenderOptions()
    lengths: tuple[int, ...] = ()


class Rendered(msgspec.Struct, frozen=True):
    """How many bytes of PNG were written."""

    size: int


def sniff(args: SniffArgs, io: TaskIO) -> Sniffed:
    """Task body of :data:`SNIFF`."""
    return Sniffed(recognise(io.sources["source"], args.filename).kind)


def extract(args: ExtractArgs, io: TaskIO) -> Extracted:
    """Task body of :data:`EXTRACT`."""
    writer = ModelWriter(io.sinks["model"])
    extraction = by_kind(args.kind).extract(io.sources["source"], writer, args.options)
    return Extracted(extraction, writer.lengths)


def expand(args: ExpandArgs, io: TaskIO) -> Expansion:
    """Task body of :data:`EXPAND`.  A kind that holds no documents has no children."""
    lister = by_kind(args.kind).expand
    return Expansion() if lister is None else lister(io.sources["source"], args.options)


def unpack(args: UnpackArgs, io: TaskIO) -> Unpacked:
    """Task body of :data:`UNPACK`.

    Raises:
        FatalError: `internal-state` when the kind holds no documents.
    """
    unpacker = by_kind(args.kind).unpack
    if unpacker is None:
        raise FatalError(Code.INTERNAL_STATE)
    lengths: list[int] = []
    for length in unpacker(io.sources["source"], args.children, io.sinks["children"]):
        lengths.append(length)
        io.progress(len(lengths), len(args.children))
    return Unpacked(tuple(lengths))


def redact(args: RedactArgs, io: TaskIO) -> RedactionResult:
    """Task body of :data:`REDACT`."""
    form, source, artifact = by_kind(args.kind), io.sources["source"], io.sinks["artifact"]
    if form.redact_parts is not None:
        return form.redact_parts(source, artifact, args.plan, Parts(args.plan.parts, io.sources.get("children")))
    if args.lengths and form.redact_recognised is not None:
        return form.redact_recognised(source, artifact, args.plan, ModelReader(io.sources["model"], args.lengths))
    return form.redact(source, artifact, args.plan)


def verify(args: VerifyArgs, io: TaskIO) -> Verified:
    """Task body of :data:`VERIFY`."""
    from .gate import read_back

    return read_back(by_kind(args.kind), io.sources["source"], io.sources["artifact"], args.plan, args.reader)


def render(args: RenderArgs, io: TaskIO) -> Rendered:
    """Task body of :data:`RENDER`.

    Raises:
        FatalError: `unsupported-type` when the kind or the page has no picture.
    """
    renderer = by_kind(args.kind).render
    drawn = _picture(args, io) if renderer is None else renderer(io.sources["source"], args.page, args.options)
    io.sinks["image"].write(drawn)
    return Rendered(len(drawn))


def _picture(args: RenderArgs, io: TaskIO) -> bytes:
    """A page that is a picture among pages of text, no larger than the picture itself."""
    opener = by_kind(args.kind).pictures
    if opener is None or not args.lengths:
        raise FatalError(Code.UNSUPPORTED_TYPE)
    model = ModelReader(io.sources["model"], args.lengths)
    page = model.page(args.page)
    if not (page.picture and page.width and page.height):
        raise FatalError(Code.UNSUPPORTED_TYPE)
    scale = min(args.options.scale, 1.0, (args.options.max_pixels / (page.width * page.height)) ** 0.5)
    buffer = bytes_io.BytesIO()
    with opener(io.sources["source"], model) as pictures:
        pictures.picture(args.page, scale).save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


_HERE = "anonify.documents.tasks:"
SNIFF: Final = Task(_HERE + "sniff", SniffArgs, Sniffed)
EXPAND: Final = Task(_HERE + "expand", ExpandArgs, Expansion)
UNPACK: Final = Task(_HERE + "unpack", UnpackArgs, Unpacked)
EXTRACT: Final = Task(_HERE + "extract", ExtractArgs, Extracted)
REDACT: Final = Task(_HERE + "redact", RedactArgs, RedactionResult)
VERIFY: Final = Task(_HERE + "verify", VerifyArgs, Verified)
RENDER: Final = Task(_HERE + "render", RenderArgs, Rendered)
