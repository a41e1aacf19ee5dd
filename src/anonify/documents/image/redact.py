"""A new picture from the old one's pixels, without what the plan names and without what is no pixel."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from typing import Any, Final

from PIL import TiffImagePlugin

from anonify.errors import Code, FatalError
from anonify.sandbox.source import Sink, Source

from ..plan import Named, RedactionPlan, RedactionResult
from .animate import Timing, write_apng, write_gif, write_webp
from .areas import Areas
from .encode import Look, Writer, colour_chunks, encode, quality_of
from .frame import Frame
from .kept import Kept, kept_metadata
from .layout import layout_of
from .opening import Picture, open_picture
from .paint import paint
from .profile import clean_profile

__all__ = ["areas_of", "redact"]

_TIFF_KEPT: Final = {"tiff_lzw": "tiff_lzw", "jpeg": "jpeg"}
_TURNED: Final = frozenset((5, 6, 7, 8))


def redact(source: Source, sink: Sink, plan: RedactionPlan, kind: str) -> RedactionResult:
    """Write `source`, a picture of `kind`, without what `plan` names.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    hidden = layout_of(kind, source).hidden
    with open_picture(source, kind, strict=True) as picture:
        areas = areas_of(picture, plan)
        run = _Run(picture, plan, areas, source)
        _WRITERS[kind](run, sink)
    edited = len(plan.edits) + len(plan.regions)
    hidden["alpha-hidden"] += len(run.hid)
    kept = {"metadata", "comments", "gps"} if plan.keep_metadata and run.keeps else set()
    named = tuple(Named(name, "removed", count) for name, count in sorted(hidden.items()) if count and name not in kept)
    return RedactionResult(edited, 0, named, tuple(sorted(run.painted)))


def areas_of(picture: Picture, plan: RedactionPlan) -> Areas:
    """What to paint on each of a picture's pages; looks through an animation for more places that show the same."""
    areas = Areas(plan)
    if picture.animated:
        for number in sorted(areas.pages):
            if 1 <= number <= picture.pages:
                areas.watch(number, picture.frame(number))
    return areas


class _Run:
    """One redaction.

    Attributes:
        painted: numbers of the pages that were painted on.
        hid: numbers of the pages that had colours nobody sees.
        keeps: whether metadata was written back.
    """

    def __init__(self, picture: Picture, plan: RedactionPlan, areas: Areas, source: Source) -> None:
        self.picture = picture
        self.source = source
        self.painted: set[int] = set()
        self.hid: set[int] = set()
        self.keeps = False
        self._plan = plan
        self._areas = areas

    def frame(self, number: int) -> Frame:
        """Page `number` painted."""
        frame = self.picture.frame(number)
        if frame.hid:
            self.hid.add(number)
        areas = self._areas.of(number, frame)
        if areas:
            paint(frame, areas)
            self.painted.add(number)
        return frame

    def frames(self) -> Iterator[Frame]:
        """Every page, painted."""
        return (self.frame(number) for number in range(1, self.picture.pages + 1))

    def look(self, mode: str, *, painted: bool) -> Look:
        """How the page last decoded looks beside its pixels."""
        picture = self.picture
        info = picture.info
        kept = kept_metadata(info, picture.kind, self._plan.values) if self._plan.keep_metadata else Kept()
        self.keeps = self.keeps or kept != Kept()
        return Look(
            dpi=_dpi(info.get("dpi"), turned=picture.turn in _TURNED),
            profile=clean_profile(info.get("icc_profile"), mode, self._plan.values),
            colours=colour_chunks(self.source) if picture.kind == "png" else (),
            quality=quality_of(picture.quantization) if picture.kind == "jpeg" else 90,
            # Halved colours would ripple over the edge of a box into its inside.
            sampling=0 if painted else max(0, picture.sampling),
            progressive=picture.progressive,
            lossless=picture.kind == "webp" and _lossless(self.source),
            compression=_TIFF_KEPT.get(str(info.get("compression")), "tiff_adobe_deflate"),
            kept=kept,
        )


def _dpi(value: Any, *, turned: bool) -> tuple[float, float] | None:
    try:
        across, down = (float(part) for part in value)
    except (TypeError, ValueError, ArithmeticError):
        return None
    if not all(math.isfinite(part) and 1 <= part <= 100_000 for part in (across, down)):
        return None
    return (down, across) if turned else (across, down)


def _lossless(source: Source) -> bool:
    """Whether a WebP holds no lossy frame, by the names of its chunks."""
    data = source.read(0, min(source.size, 1 << 16))
    return b"VP8L" in data and b"VP8 " not in data


def _still(run: _Run, sink: Sink) -> None:
    frame = run.frame(1)
    look = run.look(frame.mode, painted=bool(run.painted))
    run.picture.close()
    encode(frame, run.picture.kind, look, Writer(sink))


def _png(run: _Run, sink: Sink) -> None:
    picture = run.picture
    if not picture.animated:
        _still(run, sink)
        return
    modes = {picture.frame(number).coloured().mode for number in range(1, picture.pages + 1)}
    mode = modes.pop() if len(modes) == 1 else "RGBA"
    look = run.look(mode, painted=True)
    write_apng(run.frames(), mode, look, Timing(picture.pages, picture.loop, picture.default_image), Writer(sink))


def _webp(run: _Run, sink: Sink) -> None:
    picture = run.picture
    if not picture.animated:
        _still(run, sink)
        return
    look = run.look("RGBA", painted=True)
    write_webp(run.frames(), picture.frame(1).size, look, Timing(picture.pages, picture.loop), Writer(sink))


def _gif(run: _Run, sink: Sink) -> None:
    picture = run.picture
    holes = picture.animated and any(_holes(picture.frame(number)) for number in range(1, picture.pages + 1))
    timing = Timing(picture.pages, picture.loop, clear=holes)
    look = run.look("P", painted=True)
    write_gif(run.frames(), picture.frame(1).size, look, timing, Writer(sink))


def _holes(frame: Frame) -> bool:
    image = frame.coloured()
    return image.mode in ("LA", "RGBA") and bool(image.getchannel("A").getextrema()[0] == 0)


def _tiff(run: _Run, sink: Sink) -> None:
    buffer = io.BytesIO()
    with TiffImagePlugin.AppendingTiffWriter(buffer) as pages:
        for number in range(1, run.picture.pages + 1):
            frame = run.frame(number)
            look = run.look(frame.mode, painted=number in run.painted)
            encode(frame, "tiff", look, pages)
            pages.newFrame()
    if buffer.tell() == 0 and not buffer.getbuffer().nbytes:
        raise FatalError(Code.MALFORMED)
    view = buffer.getbuffer()
    for start in range(0, len(view), 1 << 20):
        sink.write(bytes(view[start : start + (1 << 20)]))


_WRITERS: Final = {
    "png": _png,
    "jpeg": _still,
    "webp": _webp,
    "gif": _gif,
    "bmp": _still,
    "tiff": _tiff,
    "heic": _still,
}
